"""A Home Assistant in this process, with as many exposed entities as wanted."""

import base64
from contextlib import AsyncExitStack
import json
import os
import time
from typing import Any, Self
from unittest.mock import patch

from homeassistant.components import conversation
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import Context, HomeAssistant
from homeassistant.helpers import area_registry as ar, entity_registry as er
from homeassistant.helpers.chat_session import async_get_chat_session
from homeassistant.helpers.httpx_client import get_async_client
from homeassistant.setup import async_setup_component
import pysequoia
from pytest_homeassistant_custom_component.common import MockConfigEntry

from dev.standin.encryption import Channel

from .home import async_add_lumo, async_begin

DOMAINS = (
    "light", "media_player", "fan", "climate", "vacuum", "humidifier", "todo",
    "calendar",
)  # fmt: skip
AREAS = ("Kitchen", "Living Room", "Bedroom", "Hallway", "Bathroom", "Office")


class Home:
    """A home whose agent is Lumo, as a guest or with the data of an account."""

    hass: HomeAssistant
    entry: MockConfigEntry

    def __init__(self, data: dict[str, str] | None = None) -> None:
        self._data = data or {"sign_in": "guest", "sign_in_id": "bench"}
        self._stack = AsyncExitStack()
        self._size = 0
        self.prompt_seconds = 0.0
        """How long Home Assistant took for the last turn's prompt and tools."""

    async def __aenter__(self) -> Self:
        self.hass = hass = await async_begin(self._stack)
        for domain in DOMAINS:
            assert await async_setup_component(hass, domain, {})
        scripts: dict[str, Any] = {
            name: {"sequence": []} for name in ("night", "movie", "water", "away")
        }
        assert await async_setup_component(hass, "script", {"script": scripts})
        # One of each, so that there are the tools of a real home.
        for entity_id in (
            *(f"{domain}.one" for domain in DOMAINS),
            *(f"script.{name}" for name in scripts),
        ):
            hass.states.async_set(entity_id, "on")
            async_expose_entity(hass, "conversation", entity_id, True)
        self.entry = await async_add_lumo(hass, self._data, {"Lumo": {}})
        self.http = get_async_client(hass)
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._stack.aclose()

    async def grow(self, size: int) -> None:
        """Expose lamps until there are `size`."""
        areas = ar.async_get(self.hass)
        entities = er.async_get(self.hass)
        for number in range(self._size, size):
            area = areas.async_get_or_create(AREAS[number % len(AREAS)])
            entity = entities.async_get_or_create(
                "light", "bench", str(number), suggested_object_id=f"lamp_{number}"
            )
            entities.async_update_entity(
                entity.entity_id, area_id=area.id, name=f"Lamp {number}"
            )
            self.hass.states.async_set(
                entity.entity_id, "on", {"friendly_name": f"Lamp {number}"}
            )
            async_expose_entity(self.hass, "conversation", entity.entity_id, True)
        self._size = size

    async def say(self, text: str) -> list[float]:
        """Say a sentence; return when each piece of the answer arrived."""
        arrived: list[float] = []

        provide = conversation.ChatLog.async_provide_llm_data

        async def timed(*args: Any, **kwargs: Any) -> None:
            begun = time.perf_counter()
            await provide(*args, **kwargs)
            self.prompt_seconds = time.perf_counter() - begun

        def note(_log: conversation.ChatLog, delta: dict[str, Any]) -> None:
            if delta.get("content"):
                arrived.append(time.perf_counter())

        with (
            patch.object(conversation.ChatLog, "async_provide_llm_data", timed),
            async_get_chat_session(self.hass, None) as session,
            conversation.async_get_chat_log(
                self.hass, session, None, chat_log_delta_listener=note
            ),
        ):
            await conversation.async_converse(
                self.hass,
                text,
                session.conversation_id,
                Context(),
                language="en",
                agent_id="conversation.lumo",
            )
        return arrived

    async def say_locally(self) -> float:
        """Ask Home Assistant's own agent; return its milliseconds."""
        begun = time.perf_counter()
        outcome = await conversation.async_converse(
            self.hass,
            "Is Lamp 1 on?",
            None,
            Context(),
            language="en",
            agent_id=conversation.HOME_ASSISTANT_AGENT,
        )
        assert outcome.response.error_code is None
        return 1000 * (time.perf_counter() - begun)

    @property
    def prompt_characters(self) -> int:
        """Return the size of the last turn's request."""
        events = conversation.trace.async_get_traces()[-1].as_dict()["events"]
        found = [item["data"]["lumo"] for item in events if "lumo" in item["data"]]
        characters: int = found[-1]["prompt_characters"]
        return characters


def bare_body(characters: int, public_key: str) -> bytes:
    """Return an encrypted request of that size, as the baseline sends it."""
    key = os.urandom(32)
    channel = Channel(key, "bench")
    recipient = pysequoia.Cert.from_bytes(public_key.encode())
    wrapped = pysequoia.encrypt(bytes=key, recipients=[recipient], armor=False)
    return json.dumps(
        {
            "messages": [{"role": "user", "content": channel.seal("x" * characters)}],
            "lumo": {
                "request_key": base64.b64encode(wrapped).decode(),
                "request_id": "bench",
            },
        }
    ).encode()
