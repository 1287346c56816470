"""What tests in other processes ask the stand-in itself, not the service.

`GET /__standin__/requests` and `/violations`, `GET` and `POST /__standin__/scenario`,
`DELETE /__standin__/requests` to forget what was recorded.
"""

from aiohttp import web

from .errors import INVALID_VALUE, ApiError, json_body
from .keys import SERVICE
from .scenarios import SCENARIOS

BASE = "/__standin__"


def add_routes(app: web.Application) -> None:
    """Serve the control calls."""
    app.router.add_get(f"{BASE}/requests", requests)
    app.router.add_delete(f"{BASE}/requests", forget)
    app.router.add_get(f"{BASE}/violations", violations)
    app.router.add_get(f"{BASE}/scenario", scenario)
    app.router.add_post(f"{BASE}/scenario", set_scenario)


async def requests(request: web.Request) -> web.Response:
    """Return the recorded chat requests, opened."""
    return web.json_response(request.app[SERVICE].requests)


async def forget(request: web.Request) -> web.Response:
    """Forget the recorded requests and violations."""
    service = request.app[SERVICE]
    service.requests.clear()
    service.violations.clear()
    return web.json_response([])


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
