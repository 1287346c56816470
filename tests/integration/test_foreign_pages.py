"""A page that is not Proton's, at set-up and in the forms: try again, nothing is lost."""

from collections.abc import AsyncGenerator
from typing import Any

from aiohttp import web
from aiohttp.test_utils import TestServer
from homeassistant.core import HomeAssistant
from homeassistant.data_entry_flow import FlowResultType
import pytest

from dev.standin import Standin

from .conftest import make_entry, session_data
from .helpers import is_available, issues, reauth_flows
from .sign_in_forms import api_key, choose, credentials, pasted, submit

HTML = {
    "text": "<html><body>Sign in to the hotel</body></html>",
    "content_type": "text/html",
}
PAGES: dict[str, dict[str, Any]] = {
    "portal": {"status": 200, **HTML},
    "portal as JSON": {"status": 200, "text": "{}", "content_type": "application/json"},
    "redirect": {"status": 302, "headers": {"Location": "http://127.0.0.1:9/login"}},
    "bad request": {"status": 400, **HTML},
    "unauthorized": {"status": 401, **HTML},
    "filter": {"status": 403, **HTML},
    "not found": {"status": 404, **HTML},
    "proxy": {"status": 407, **HTML},
    "unprocessable": {"status": 422, "text": "no"},
    "law": {"status": 451, **HTML},
    "network": {"status": 511, **HTML},
}


@pytest.fixture
async def elsewhere(page: str, socket_enabled: None) -> AsyncGenerator[str]:
    """Run a server that has one page for everything; yield its address."""

    async def answer(_: web.Request) -> web.Response:
        return web.Response(**PAGES[page])

    app = web.Application()
    app.router.add_route("*", "/{path:.*}", answer)
    async with TestServer(app, host="127.0.0.1") as server:
        yield f"http://127.0.0.1:{server.port}"


def stored(standin: Standin) -> dict[str, dict[str, str]]:
    """Return the data of an entry for each credential."""
    return {
        "session": session_data(standin),
        "api_key": {
            "sign_in": "api_key",
            "sign_in_id": "first",
            "api_key": api_key(standin, "valid"),
        },
        "guest": {"sign_in": "guest", "sign_in_id": "first"},
    }


@pytest.mark.parametrize(
    ("way", "page"),
    [
        *(("session", page) for page in PAGES),
        ("api_key", "portal"),
        ("guest", "filter"),
    ],
)
async def test_set_up_is_tried_again(
    home: HomeAssistant,
    standin: Standin,
    monkeypatch: pytest.MonkeyPatch,
    elsewhere: str,
    way: str,
) -> None:
    """Nobody is asked for anything, and the account works when the page is gone."""
    monkeypatch.setenv("LUMO_BASE_URL", elsewhere)
    entry = make_entry(stored(standin)[way])
    entry.add_to_hass(home)
    await home.config_entries.async_setup(entry.entry_id)
    assert entry.state.value == "loaded"
    assert not is_available(home)
    assert not reauth_flows(home)
    assert not issues(home)
    monkeypatch.setenv("LUMO_BASE_URL", standin.base_url)
    await home.config_entries.async_reload(entry.entry_id)
    assert is_available(home)


@pytest.mark.parametrize("page", ["filter"])
@pytest.mark.parametrize("way", ["account", "api_key", "session", "guest"])
async def test_form_can_be_tried_again(
    home: HomeAssistant,
    standin: Standin,
    monkeypatch: pytest.MonkeyPatch,
    elsewhere: str,
    way: str,
) -> None:
    """It says that somebody else answers, and not that a password is wrong."""
    by_way: dict[str, dict[str, Any]] = {
        "account": credentials(standin, "alice"),
        "api_key": {"api_key": api_key(standin, "valid"), "advanced": {}},
        "session": pasted(standin),
        "guest": {},
    }
    values = by_way[way]
    monkeypatch.setenv("LUMO_BASE_URL", elsewhere)
    form = await choose(home, way)
    if way != "guest":
        form = await submit(home, form, values)
    assert form["type"] is FlowResultType.FORM
    assert form["errors"] == {"base": "foreign_page"}
    monkeypatch.setenv("LUMO_BASE_URL", standin.base_url)
    if way == "account":
        # An attempt stays with the address where it began.
        form = await choose(home, way)
    result = await submit(home, form, values)
    assert result["type"] is FlowResultType.CREATE_ENTRY
