"""Real phones: Home Assistant's own integration for them, with a push server.

A phone gets what is pushed to it, and answers as the app does, through its webhook.
"""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
import json
from secrets import token_hex
from typing import Any, Final

from aiohttp import web
from aiohttp.test_utils import TestServer
from homeassistant.components.person import DOMAIN as PERSON, async_create_person
from homeassistant.components.webhook import async_handle_webhook
from homeassistant.core import HomeAssistant
from homeassistant.setup import async_setup_component
from homeassistant.util.aiohttp import MockRequest
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.lumo.agent.phone import _ASKED

ACTION: Final = "mobile_app_notification_action"


@dataclass
class Phone:
    """A phone that is signed in as a user."""

    hass: HomeAssistant
    name: str
    user_id: str
    url: str
    shown: list[dict[str, Any]] = field(default_factory=list)
    """What was pushed to it, the latest last."""
    entry: MockConfigEntry = field(init=False)

    @property
    def tracker(self) -> str:
        return f"device_tracker.{self.name}"

    @property
    def questions(self) -> list[dict[str, Any]]:
        return [item for item in self.shown if "actions" in item.get("data", {})]

    @property
    def texts(self) -> list[str]:
        return [item["message"] for item in self.shown]

    def action(self, place: int = 0, question: int = -1) -> str:
        """Return what tapping a button sends; the first one is yes."""
        action: str = self.questions[question]["data"]["actions"][place]["action"]
        return action

    async def async_register(self) -> None:
        """Register it, as its app does."""
        self.entry = MockConfigEntry(
            domain="mobile_app",
            title=self.name,
            data={
                "app_data": {"push_token": "token", "push_url": self.url},
                "app_id": "io.homeassistant.companion",
                "app_name": "Home Assistant",
                "app_version": "1",
                "device_id": self.name,
                "device_name": self.name,
                "manufacturer": "Test",
                "model": "Phone",
                "os_name": "Test",
                "os_version": "1",
                "supports_encryption": False,
                "user_id": self.user_id,
                # What was removed is never heard again.
                "webhook_id": token_hex(),
            },
        )
        self.entry.add_to_hass(self.hass)
        # The first one has set up all that are there.
        await async_setup_component(self.hass, "mobile_app", {})
        if self.entry.state.value == "not_loaded":
            await self.hass.config_entries.async_setup(self.entry.entry_id)
        await self.hass.async_block_till_done()

    async def async_send(self, action: object) -> None:
        """Send an action, as the app does when somebody taps it."""
        event = {"event_type": ACTION, "event_data": {"action": action}}
        request = MockRequest(
            json.dumps({"type": "fire_event", "data": event}).encode(),
            "test",
            method="POST",
            headers={"Content-Type": "application/json"},
        )
        await async_handle_webhook(self.hass, self.entry.data["webhook_id"], request)
        await self.async_settle()

    async def async_tap(self, place: int = 0) -> None:
        """Tap a button of the latest question; the first one is yes."""
        await self.async_send(self.action(place))

    async def async_settle(self) -> None:
        """Let what follows happen, but do not wait for an answer."""
        await self.hass.async_block_till_done()
        asked = self.hass.data.get(_ASKED, {}).get(self.user_id)
        if asked and not asked.is_open:
            await asyncio.gather(*_waiting(), return_exceptions=True)
        await self.hass.async_block_till_done()

    async def async_forget(self) -> None:
        """Let nothing be open, and nothing have been asked."""
        for task in _waiting():
            task.cancel()
        await self.hass.async_block_till_done()
        self.hass.data.get(_ASKED, {}).clear()
        self.shown.clear()


def _waiting() -> list[asyncio.Task[Any]]:
    return [
        task
        for task in asyncio.all_tasks()
        if task.get_name().endswith("waits for a phone")
    ]


@asynccontextmanager
async def pushing() -> AsyncGenerator[tuple[str, dict[str, list[dict[str, Any]]]]]:
    """Run a server that pushes; give its address, and what it has for each phone."""
    shown: dict[str, list[dict[str, Any]]] = {}

    async def push(request: web.Request) -> web.Response:
        shown.setdefault(request.match_info["name"], []).append(await request.json())
        return web.json_response({}, status=201)

    app = web.Application()
    app.router.add_post("/{name}", push)
    server = TestServer(app, host="127.0.0.1")
    await server.start_server(access_log=None)
    yield str(server.make_url("")).rstrip("/"), shown
    await server.close()


async def async_add_person(
    hass: HomeAssistant, name: str, user_id: str | None, *phones: Phone
) -> str:
    """Add a person who has phones; return the entity."""
    assert await async_setup_component(hass, "person", {})
    trackers = [phone.tracker for phone in phones]
    await async_create_person(hass, name, user_id=user_id, device_trackers=trackers)
    await hass.async_block_till_done()
    return f"person.{name.lower()}"


async def async_remove_people(hass: HomeAssistant, *phones: Phone) -> None:
    """Remove all people, and these phones where they are still there."""
    known: Any = hass.data[PERSON]
    people = known[1] if isinstance(known, tuple) else known.storage_collection
    for item in people.async_items():
        await people.async_delete_item(item["id"])
    for phone in phones:
        if hass.config_entries.async_get_entry(phone.entry.entry_id):
            await hass.config_entries.async_remove(phone.entry.entry_id)
    await hass.async_block_till_done()
