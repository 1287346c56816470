"""What people say to satellites, and what comes of it: scripted sessions.

Asserted is what a person in the room knows: what is spoken, what changes, whether the
satellite listens; and what the conversation keeps of it.
"""

import asyncio
from contextlib import suppress
from typing import Any

from homeassistant.components import conversation
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import HomeAssistant, ServiceCall
from homeassistant.helpers import area_registry as ar, entity_registry as er
from homeassistant.setup import async_setup_component
import pytest

from dev.brain.model import Call, Say
from dev.standin import Standin
from dev.voice import Heard, VoiceKit
from tests.integration.conftest import Script
from tests.integration.conversing import open_session
from tests.integration.helpers import answering_service

LIGHT = "light.kitchen"
LOCK = "lock.front_door"
OFF = Call("user:HassTurnOff", {"name": "Kitchen light"})
UNLOCK = Call("user:HassTurnOff", {"name": "Front door"})

pytestmark = [pytest.mark.usefixtures("house"), pytest.mark.timeout(30)]


@pytest.fixture
async def house(home: HomeAssistant, voice: VoiceKit) -> None:
    """Make a lamp in the kitchen, and a locked door."""
    for domain in ("intent", "light", "lock"):
        assert await async_setup_component(home, domain, {})
    registry, kitchen = (
        er.async_get(home),
        ar.async_get(home).async_get_area_by_name("Kitchen"),
    )
    assert kitchen
    for entity_id, name, state in (
        (LIGHT, "Kitchen light", "on"),
        (LOCK, "Front door", "locked"),
    ):
        domain, object_id = entity_id.split(".")
        registry.async_get_or_create(
            domain, "test", object_id, suggested_object_id=object_id, original_name=name
        )
        home.states.async_set(entity_id, state, {"friendly_name": name})
        async_expose_entity(home, "conversation", entity_id, True)
    registry.async_update_entity(LIGHT, area_id=kitchen.id)
    answering_service(home, "light", "turn_off", "off")
    answering_service(home, "lock", "unlock", "unlocked")


def state(hass: HomeAssistant, entity_id: str) -> str:
    found = hass.states.get(entity_id)
    assert found
    return found.state


def log_of(hass: HomeAssistant, heard: Heard) -> list[str]:
    """Return what the conversation keeps: what was said, by whom."""
    with (
        open_session(hass, heard.conversation_id) as session,
        conversation.async_get_chat_log(hass, session) as log,
    ):
        return [
            f"{content.role}: {text}"
            for content in log.content[1:]
            if (text := getattr(content, "content", None))
        ]


async def test_a_command(home: HomeAssistant, voice: VoiceKit, script: Script) -> None:
    """It is done, said once without another request, and over."""
    script.plans = [[OFF]]
    heard = await voice["Kitchen"].say("Turn off the kitchen light")
    assert heard.text == heard.result == "I turned off the kitchen light."
    assert not heard.listens
    assert state(home, LIGHT) == "off"
    assert log_of(home, heard) == [
        "user: Turn off the kitchen light",
        "assistant: I turned off the kitchen light.",
    ]


async def test_a_question_and_noise(
    home: HomeAssistant, voice: VoiceKit, script: Script
) -> None:
    """What is no answer opens nothing; it is asked once more, no more often."""
    script.plans = [[UNLOCK]]
    await voice["Kitchen"].say("Unlock the front door")
    again = await voice["Kitchen"].say("Mumble")
    assert again.listens and again.text.endswith("?")
    last = await voice["Kitchen"].say("Brr")
    assert not last.listens
    assert state(home, LOCK) == "locked"


async def test_a_yes_in_another_room(
    home: HomeAssistant, voice: VoiceKit, script: Script
) -> None:
    script.plans = [[UNLOCK], [Say("Yes to what?")]]
    assert (await voice["Kitchen"].say("Unlock the front door")).listens
    heard = await voice["Bedroom"].say("Yes")
    assert heard.text == "Yes to what?"
    assert state(home, LOCK) == "locked"


async def test_markdown(home: HomeAssistant, voice: VoiceKit, script: Script) -> None:
    """Is heard without its marks, short or long; the conversation keeps them."""
    for more in (
        "",
        "It has been like that since the window was shut, and so it will stay. ",
    ):
        written = f"**21 degrees** in the [kitchen](https://example.org/k). {more}"
        script.plans = [
            [Say(word) for word in written.split(" ") for word in (word, " ")]
        ]
        heard = await voice["Bedroom"].say("What does the recipe say?")
        assert heard.text == f"21 degrees in the kitchen. {more}".strip()
        assert heard.streamed is bool(more)
        assert written.strip() in log_of(home, heard)[-1]


async def test_lumo_is_away(
    home: HomeAssistant,
    voice: VoiceKit,
    standin: Standin,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Plain commands are done, sensitive ones asked about, the rest is said honestly."""
    monkeypatch.setattr("custom_components.lumo.lumo_client.client.RETRY_SECONDS", 0.01)
    await standin.close()
    heard = await voice["Kitchen"].say("Turn off the kitchen light")
    assert "Without Lumo" in heard.text and not heard.listens
    assert state(home, LIGHT) == "off"
    asked = await voice["Kitchen"].say("Unlock the front door")
    assert asked.listens and asked.text.endswith("?")
    assert state(home, LOCK) == "locked"
    await voice["Kitchen"].say("Yes")
    assert state(home, LOCK) == "unlocked"
    heard = await voice["Kitchen"].say("Tell me a joke")
    assert heard.text and not heard.listens
    assert heard.error is None


async def test_two_satellites_at_once(
    home: HomeAssistant, voice: VoiceKit, script: Script
) -> None:
    def answer(messages: list[dict[str, str]]) -> list[Any]:
        if "Tell me a story" in messages[-1]["content"]:
            return [Say("Once upon a time there was a lamp. "), Say("It shone. " * 10)]
        return [UNLOCK]

    script.rule = answer
    door, story = await asyncio.gather(
        voice["Kitchen"].say("Unlock the front door"),
        voice["Bedroom"].say("Tell me a story"),
    )
    assert door.listens and "front door" in door.text
    assert story.streamed and story.text.startswith("Once upon")
    assert not story.listens
    assert door.conversation_id != story.conversation_id
    await voice["Kitchen"].say("Yes")
    assert state(home, LOCK) == "unlocked"


async def test_a_new_sentence_in_the_middle_of_an_answer(
    home: HomeAssistant, voice: VoiceKit, script: Script, standin: Standin
) -> None:
    """Ends it: what is said then is answered."""
    script.plans = [[OFF]]
    reached = asyncio.Event()

    async def turn_off(_call: ServiceCall) -> None:
        reached.set()
        await asyncio.Event().wait()

    home.services.async_register("light", "turn_off", turn_off)
    first = asyncio.create_task(voice["Kitchen"].say("Turn off the kitchen light"))
    await reached.wait()
    script.plans = [[Say("It is five o'clock.")]]
    heard = await voice["Kitchen"].say("What time is it?")
    assert heard.text == "It is five o'clock."
    with suppress(asyncio.CancelledError):
        await first
