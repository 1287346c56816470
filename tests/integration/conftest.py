"""A running stand-in for Lumo's servers, and Home Assistant pointed to it."""

from collections.abc import AsyncGenerator, Callable, Sequence
from typing import Any
from unittest.mock import AsyncMock

from aiohttp import web
from aiohttp.test_utils import TestServer
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import HomeAssistant, ServiceCall
from homeassistant.setup import async_setup_component
import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.lumo.const import (
    CONF_ACCESS_TOKEN,
    CONF_AT_HOME,
    CONF_QUICK_CONFIRMATION,
    CONF_REFRESH_TOKEN,
    CONF_SIGN_IN,
    CONF_SIGN_IN_ID,
    CONF_UID,
    DEFAULT_OPTIONS,
    DOMAIN,
    QuickConfirmation,
    SignIn,
)
from custom_components.lumo.conversation import LumoConversationEntity
from custom_components.lumo.lumo_client import auth, client, transport
from dev.brain.model import Call, Say
from dev.standin import Standin, start

from .helpers import Impatient, answering_service

type Plan = Sequence[Say | Call]


class Script:
    """A brain that answers with given plans, one for each request, or by a rule."""

    def __init__(self) -> None:
        self.plans: list[Plan] = []
        self.rule: Callable[[list[dict[str, str]]], Plan] | None = None

    def answer(
        self,
        messages: list[dict[str, str]],
        function_tools: list[dict[str, Any]],
        **_more: Any,
    ) -> list[Say | Call]:
        """Return what the rule says, else the next plan."""
        if self.rule:
            return list(self.rule(messages))
        return list(self.plans.pop(0)) if self.plans else [Say("Nothing more.")]


@pytest.fixture(autouse=True)
def custom_integrations(
    enable_custom_integrations: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Let Home Assistant find this integration, which reads no sentences ahead."""
    monkeypatch.setattr(LumoConversationEntity, "_async_warm", AsyncMock())


@pytest.fixture
def script() -> Script:
    return Script()


@pytest.fixture
async def standin(
    script: Script, socket_enabled: None, monkeypatch: pytest.MonkeyPatch
) -> AsyncGenerator[Standin]:
    async with await start(brain=script) as standin:
        monkeypatch.setenv("LUMO_BASE_URL", standin.base_url)
        monkeypatch.setenv("LUMO_PUBLIC_KEY_FILE", standin.public_key_file)
        yield standin
        # In no test, whatever it is about, does anything travel open that can be sealed.
        assert not [told for told in standin.violations if "in clear" in told]


@pytest.fixture
async def gateway(socket_enabled: None) -> AsyncGenerator[TestServer]:
    def admit(request: web.Request) -> None:
        if request.headers.get("Authorization") != "Bearer open-sesame":
            raise web.HTTPUnauthorized

    async def models(request: web.Request) -> web.Response:
        admit(request)
        return web.json_response({"object": "list", "data": [{"id": "lumo-lite"}]})

    async def chat(request: web.Request) -> web.Response:
        admit(request)
        body = await request.json()
        assert body["model"] == "lumo-lite"
        assert "x-pm-appversion" not in request.headers
        return web.Response(
            text='data: {"choices":[{"index":0,"delta":{"content":"Hi"},'
            '"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n',
            content_type="text/event-stream",
        )

    app = web.Application()
    app.router.add_get("/v1/models", models)
    app.router.add_post("/v1/chat/completions", chat)
    server = TestServer(app, host="127.0.0.1")
    async with server:
        yield server


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no test wait for what a person waits for."""
    monkeypatch.setattr("custom_components.lumo.coordinator.LumoClient", Impatient)
    monkeypatch.setattr(Impatient, "seconds", 60.0)
    monkeypatch.setattr(client, "RETRY_SECONDS", 0)
    monkeypatch.setattr(transport, "CONNECT_SECONDS", 1)
    monkeypatch.setattr(transport, "REPLY_SECONDS", 1)
    monkeypatch.setattr(auth, "BUSY_WAIT", (0.0, 0.0))


@pytest.fixture
async def home(hass: HomeAssistant) -> HomeAssistant:
    assert await async_setup_component(hass, "homeassistant", {})
    assert await async_setup_component(hass, "conversation", {})
    return hass


def account(standin: Standin) -> dict[str, str]:
    return next(item for item in standin.accounts if item["kind"] == "session")


def session_data(standin: Standin) -> dict[str, str]:
    """Return an entry's data as the sign-in leaves it."""
    session = account(standin)
    return {
        CONF_SIGN_IN: SignIn.SESSION.value,
        CONF_SIGN_IN_ID: "first",
        CONF_UID: session["uid"],
        CONF_ACCESS_TOKEN: session["access_token"],
        CONF_REFRESH_TOKEN: session["refresh_token"],
    }


def make_entry(data: dict[str, Any], **options: Any) -> MockConfigEntry:
    """Return an entry with one agent, which leaves every word to its model.

    An option that is None is absent.
    """
    usual = {
        **DEFAULT_OPTIONS,
        CONF_AT_HOME: False,
        CONF_QUICK_CONFIRMATION: QuickConfirmation.NEVER.value,
    }
    stored = {**usual, **options}
    return MockConfigEntry(
        domain=DOMAIN,
        title="Lumo",
        data=data,
        unique_id=data.get(CONF_UID, "guest"),
        subentries_data=[
            {
                "data": {
                    key: value for key, value in stored.items() if value is not None
                },
                "subentry_type": "conversation",
                "title": "Lumo",
                "unique_id": None,
            }
        ],
    )


@pytest.fixture
async def entry(home: HomeAssistant, standin: Standin) -> MockConfigEntry:
    entry = make_entry(session_data(standin))
    entry.add_to_hass(home)
    assert await home.config_entries.async_setup(entry.entry_id)
    await home.async_block_till_done()
    return entry


@pytest.fixture
async def turned_off(home: HomeAssistant) -> list[ServiceCall]:
    """Make a lamp, and return the calls that turn it off."""
    for domain in ("intent", "light"):
        assert await async_setup_component(home, domain, {})
    home.states.async_set("light.kitchen", "on", {"friendly_name": "Kitchen light"})
    async_expose_entity(home, "conversation", "light.kitchen", True)
    return answering_service(home, "light", "turn_off", "off")
