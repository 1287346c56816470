"""What tests in other processes ask the stand-in itself, not the service.

`GET /__standin__/requests`, `/violations` and `/counts` (how often which call came),
`DELETE /__standin__/requests` to forget them, `GET /__standin__/bodies` for the newest
bodies of chats as they came (`?contains=TEXT` for those that hold it), `GET` and `POST /__standin__/scenario` and
`/options`. `POST /__standin__/hold` with `{"refresh": "before"}` (or `"after"`) holds
refreshes back until `POST /__standin__/release`; `GET /__standin__/hold?reached=1` answers
when one is held.
"""

import dataclasses
from typing import Any, Final

from aiohttp import web

from .errors import INVALID_VALUE, ApiError, json_body
from .keys import SERVICE
from .routes import CONTROL as BASE
from .scenarios import SCENARIOS

# The options that can change while the stand-in runs, and their types.
LIVE_OPTIONS: Final[dict[str, type | tuple[type, ...]]] = {
    "token_lifetime": (int, float),
    "slow_seconds": (int, float),
    "connect_seconds": (int, float),
    "faults_everywhere": bool,
}


def add_routes(app: web.Application) -> None:
    """Serve the control calls."""
    app.router.add_get(f"{BASE}/requests", requests)
    app.router.add_delete(f"{BASE}/requests", forget)
    app.router.add_get(f"{BASE}/violations", violations)
    app.router.add_get(f"{BASE}/bodies", bodies)
    app.router.add_get(f"{BASE}/counts", counts)
    app.router.add_get(f"{BASE}/scenario", scenario)
    app.router.add_post(f"{BASE}/scenario", set_scenario)
    app.router.add_get(f"{BASE}/options", options)
    app.router.add_post(f"{BASE}/options", set_options)
    app.router.add_get(f"{BASE}/hold", held)
    app.router.add_post(f"{BASE}/hold", hold)
    app.router.add_post(f"{BASE}/release", release)


async def requests(request: web.Request) -> web.Response:
    """Return the recorded chat requests, opened."""
    return web.json_response(request.app[SERVICE].requests)


async def forget(request: web.Request) -> web.Response:
    """Forget the recorded requests, violations and counts."""
    service = request.app[SERVICE]
    service.counts.clear()
    service.requests.clear()
    service.violations.clear()
    service.bodies.clear()
    service.pictures.clear()
    return web.json_response([])


async def bodies(request: web.Request) -> web.Response:
    """Return the newest bodies of chats as they came, if wanted those with a text."""
    wanted = request.query.get("contains", "").encode()
    kept = [raw for raw in request.app[SERVICE].bodies if wanted in raw]
    return web.json_response([raw.decode(errors="replace") for raw in kept])


async def violations(request: web.Request) -> web.Response:
    """Return what clients did that a good client does not do."""
    return web.json_response(request.app[SERVICE].violations)


async def scenario(request: web.Request) -> web.Response:
    """Return the scenarios that hold, and those there are."""
    service = request.app[SERVICE]
    return web.json_response(
        {"scenario": list(service.scenarios), "available": sorted(SCENARIOS)}
    )


async def set_scenario(request: web.Request) -> web.Response:
    """Set the scenarios for the requests to come: a list, or text with commas."""
    names = (await json_body(request)).get("scenario", [])
    if isinstance(names, str):
        names = names.split(",")
    try:
        request.app[SERVICE].scenarios = names
    except (ValueError, TypeError, AttributeError) as error:
        raise ApiError(422, INVALID_VALUE, str(error)) from error
    return await scenario(request)


async def counts(request: web.Request) -> web.Response:
    """Return how often which call came; `refreshed` are the refreshes that worked."""
    service = request.app[SERVICE]
    return web.json_response({"refresh": 0, "refreshed": 0} | service.counts)


async def options(request: web.Request) -> web.Response:
    """Return the options."""
    return web.json_response(dataclasses.asdict(request.app[SERVICE].options))


async def set_options(request: web.Request) -> web.Response:
    """Change some options."""
    service = request.app[SERVICE]
    changes: dict[str, Any] = await json_body(request)
    for name, value in changes.items():
        kind = LIVE_OPTIONS.get(name)
        is_bool = isinstance(value, bool)
        if kind is None or not isinstance(value, kind) or is_bool != (kind is bool):
            raise ApiError(422, INVALID_VALUE, f"{name} cannot be {value!r}")
    service.options = dataclasses.replace(service.options, **changes)
    return await options(request)


async def held(request: web.Request) -> web.Response:
    """Return what is held; if wanted, when there is something."""
    gate = request.app[SERVICE].gate
    if request.query.get("reached"):
        await gate.reached()
    return web.json_response({"hold": gate.held, "waiting": gate.waiting})


async def hold(request: web.Request) -> web.Response:
    """Hold calls from now on."""
    gate = request.app[SERVICE].gate
    for call, place in (await json_body(request)).items():
        try:
            gate.hold(call, place)
        except ValueError as error:
            raise ApiError(422, INVALID_VALUE, str(error)) from error
    return await held(request)


async def release(request: web.Request) -> web.Response:
    """Let go what is held."""
    request.app[SERVICE].gate.release()
    return await held(request)
