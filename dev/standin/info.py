"""What clients ask beside the chat: limits, models, versions, the account."""

from typing import Any, Final

from aiohttp import web

from .errors import missing_scope
from .keys import SERVICE
from .quota import CATEGORIES
from .routes import add_route

# The version of the web app that the service claims to have deployed.
WEB_VERSION: Final = "2.0.2.2"

# As the live service lists them.
MODELS: Final[list[dict[str, Any]]] = [
    {
        "object": "model",
        "id": name,
        "created": 1,
        "owned_by": "proton",
        "max_context_length": length,
        "name": title,
        "description": title,
        "capabilities": {},
        "aliases": aliases,
        "deprecation": None,
        "deprecation_replacement_model": None,
        "default_model_temperature": 1,
        "archived": archived,
    }
    for name, length, title, aliases, archived in (
        ("lumo-lite", 262144, "Lumo Lite", ["lumo", "auto"], False),
        ("lumo-max", 131072, "Lumo Max", [], False),
        ("lumo-basic-v1", 131072, "Lumo Basic", [], True),
    )
]


def add_routes(app: web.Application) -> None:
    """Serve the small calls."""
    add_route(app, "GET", ("ai/v1/limits",), limits)
    add_route(app, "GET", ("ai/v1/models",), models)
    add_route(app, "GET", ("assets/version.json",), version)
    add_route(app, "GET", ("core/v4/users", "users"), user)
    add_route(app, "GET", ("tests/ping", "core/v4/tests/ping"), ping)
    add_route(app, "*", ("lumo/v1/{rest:.*}",), storage)


async def limits(request: web.Request) -> web.Response:
    """Return what is left of the asker's quota."""
    service = request.app[SERVICE]
    who = service.accounts_state.identify(request)
    request["new_cookies"] = who.new_cookies
    service.refuse_beside_chat(who)
    left = service.quota.left(who) or dict.fromkeys(CATEGORIES)
    return web.json_response({"Code": 1000, "limits": left})


async def models(request: web.Request) -> web.Response:
    """Return the models, to everyone: it proves reachability only."""
    return web.json_response({"object": "list", "data": MODELS})


async def version(request: web.Request) -> web.Response:
    """Return the version of the deployed web app."""
    return web.json_response({"version": WEB_VERSION, "commit": "0", "branch": ""})


async def user(request: web.Request) -> web.Response:
    """Return the account behind a session."""
    service = request.app[SERVICE]
    session = service.accounts_state.session_of(request)
    service.refuse_beside_chat(service.accounts_state.identify(request))
    if session.user is None:
        raise missing_scope("user")
    return web.json_response({"Code": 1000, "User": session.user.as_dict()})


async def ping(request: web.Request) -> web.Response:
    """Say that the service is there."""
    return web.json_response({"Code": 1000})


async def storage(request: web.Request) -> web.Response:
    """Refuse the conversation storage: a signed-in session lacks its scope."""
    request.app[SERVICE].accounts_state.session_of(request)
    raise missing_scope("lumo")
