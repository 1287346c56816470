"""Lumo is away: every outage times what is said, in each language.

Plain commands are done, sensitive ones asked about, questions answered, all else is met
by one honest sentence; and nothing is done that the gate has not let through. The quick
run takes a sample.
"""

import asyncio
from collections.abc import AsyncGenerator, Callable
from dataclasses import dataclass, replace
from itertools import chain
import json
from pathlib import Path
import socket
from typing import Any, Final

from homeassistant.components import conversation
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import Context, HomeAssistant, ServiceCall
from homeassistant.setup import async_setup_component
import pytest

import custom_components.lumo
from custom_components.lumo.lumo_client.client import LumoClient
from custom_components.lumo.lumo_client.deadlines import ON_SCREEN, Deadlines
from dev.brain.model import Call, Say
from dev.standin import Standin

from .conftest import Script, make_entry, session_data
from .fault_server import FAULTS, STREAM_FAULTS, Fault, FaultServer, answer, raw
from .helpers import AGENT, Impatient, answering_service, reauth_flows
from .test_fault_table import CHAT

TRANSLATIONS = Path(custom_components.lumo.__file__).parent / "translations"
_HEADERS: Final = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"
_EMPTY: Final = b'data: {"choices":[{"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n'


@dataclass(frozen=True)
class Words:
    """What is said in a language, and what things are called in it."""

    light: str
    door: str
    turn_off: str
    unlock: str
    question: str
    unknown: str
    leaning: str
    yes: str


WORDS = {
    "en": Words(
        "Kitchen light",
        "Front door",
        "turn off the kitchen light",
        "unlock the front door",
        "is the kitchen light on?",
        "tell me a joke",
        "and the bedroom too",
        "yes",
    ),
    "de": Words(
        "Küchenlicht",
        "Haustür",
        "schalte das Küchenlicht aus",
        "entriegel die Haustür",
        "ist das Küchenlicht an?",
        "erzähl einen Witz",
        "und das Schlafzimmer auch",
        "ja",
    ),
}

type Begin = Callable[[FaultServer, Standin], Any]


def fault(name: str) -> Begin:
    return lambda network, _standin: network.break_calls(CHAT, FAULTS[name])


def scenario(name: str) -> Begin:
    def begin(_network: FaultServer, standin: Standin) -> None:
        standin.scenarios = [name]

    return begin


OUTAGES: dict[str, Begin] = {
    "refused": lambda network, _standin: network.refuse(),
    "reset": fault("reset"),
    "hang": fault("silence"),
    "cut before the first word": lambda network, _standin: network.break_calls(
        CHAT, Fault(raw(_HEADERS))
    ),
    "empty answer": lambda network, _standin: network.break_calls(
        CHAT, Fault(raw(_HEADERS + _EMPTY))
    ),
    "internal error": fault("page with status 500"),
    "overloaded": fault("page with status 503"),
    "foreign page": fault("page with status 200"),
    "401": scenario("unauthorized"),
    "403": scenario("forbidden"),
    "session over": scenario("revoked"),
    "quota": scenario("quota"),
    "burst": scenario("rate_limited"),
    "captcha": scenario("human_verification"),
    "version": scenario("app_version"),
    "busy": lambda network, _standin: network.break_calls(
        CHAT, Fault(raw(_HEADERS + b'data: {"error":{"code":"rejected"}}\n\n'))
    ),
}
# With the language that the quick run takes.
SAMPLE = {
    "refused": "en",
    "hang": "de",
    "quota": "en",
    "captcha": "de",
    "401": "de",
    "empty answer": "en",
}


def texts(language: str) -> dict[str, str]:
    path = TRANSLATIONS / f"{language}.json"
    exceptions = json.loads(path.read_text("utf-8"))["exceptions"]
    return {key: item["message"] for key, item in exceptions.items()}


class House:
    """A light and a door, called by their names in one language, and what is done."""

    def __init__(self, hass: HomeAssistant, language: str) -> None:
        self.hass = hass
        self.language = language
        self.words = WORDS[language]
        self.texts = texts(language)
        hass.states.async_set(
            "light.kitchen", "on", {"friendly_name": self.words.light}
        )
        hass.states.async_set(
            "lock.front", "locked", {"friendly_name": self.words.door}
        )
        for entity_id in ("light.kitchen", "lock.front"):
            async_expose_entity(hass, "conversation", entity_id, True)
        self.off = answering_service(hass, "light", "turn_off", "off")
        self.unlocked = answering_service(hass, "lock", "unlock", "unlocked")
        self.others = [
            answering_service(hass, domain, service, state)
            for domain, service, state in (
                ("light", "turn_on", "on"),
                ("lock", "lock", "locked"),
                ("lock", "open", "open"),
            )
        ]

    def calls(self) -> list[ServiceCall]:
        return [*chain(self.off, self.unlocked, *self.others)]

    async def hear(
        self, text: str, conversation_id: str | None = None
    ) -> conversation.ConversationResult:
        result = await conversation.async_converse(
            self.hass,
            text,
            conversation_id,
            Context(user_id="anna"),
            language=self.language,
            agent_id=AGENT,
        )
        await self.hass.async_block_till_done()
        return result

    def is_without_lumo(self, result: conversation.ConversationResult) -> bool:
        """Return whether it was a success of ours, and says so."""
        begin = self.texts["without_lumo"].partition("{")[0]
        return speech(result).startswith(begin) and not is_error(result)


def speech(result: conversation.ConversationResult) -> str:
    return str(result.response.speech["plain"]["speech"])


def is_error(result: conversation.ConversationResult) -> bool:
    return result.response.error_code is not None


pytestmark = pytest.mark.usefixtures("impatient")


@pytest.fixture
async def network(
    home: HomeAssistant, standin: Standin, monkeypatch: pytest.MonkeyPatch
) -> AsyncGenerator[FaultServer]:
    assert await async_setup_component(home, "intent", {})

    def hurry(server: FaultServer) -> None:
        Impatient.seconds = 0.15 if server.fault else 60.0

    port = int(standin.base_url.rpartition(":")[2])
    async with FaultServer(port, hurry) as server:
        monkeypatch.setenv("LUMO_BASE_URL", server.url)
        yield server


async def set_up(hass: HomeAssistant, standin: Standin, **options: Any) -> None:
    entry = make_entry(session_data(standin), **options)
    entry.add_to_hass(hass)
    assert await hass.config_entries.async_setup(entry.entry_id)
    await hass.async_block_till_done()


async def goes_through_an_outage(house: House) -> None:
    """Say everything that can be said, and check what comes of it."""
    words, ours = house.words, house.texts
    result = await house.hear(words.turn_off)
    assert house.is_without_lumo(result), speech(result)
    assert words.light.casefold() in speech(result).casefold()
    assert house.calls() == house.off
    assert len(house.off) == 1

    asked = await house.hear(words.unlock)
    assert asked.continue_conversation
    assert words.door.casefold() in speech(asked).casefold()
    assert house.calls() == house.off
    await house.hear(words.yes, asked.conversation_id)
    assert len(house.unlocked) == 1

    house.hass.states.async_set("light.kitchen", "on", {"friendly_name": words.light})
    result = await house.hear(words.question)
    assert house.is_without_lumo(result), speech(result)
    assert not result.continue_conversation

    for text, more in (
        (words.unknown, "works_without_lumo"),
        (words.leaning, "needs_lumo"),
        (f"{words.turn_off} xyzzy", "works_without_lumo"),
        ("is it going to rain tomorrow?", "works_without_lumo"),
    ):
        result = await house.hear(text)
        assert is_error(result)
        assert speech(result).endswith(ours[more]), speech(result)
        assert len(speech(result)) > len(ours[more]) + 10
        assert not result.continue_conversation
    assert len(house.calls()) == 2


@pytest.mark.parametrize(
    ("outage", "language"),
    [
        pytest.param(
            outage,
            language,
            marks=() if SAMPLE.get(outage) == language else pytest.mark.long,
        )
        for outage in OUTAGES
        for language in WORDS
    ],
)
async def test_outage(
    home: HomeAssistant,
    standin: Standin,
    network: FaultServer,
    outage: str,
    language: str,
) -> None:
    """What Home Assistant understands is done as ever; the rest is said honestly."""
    house = House(home, language)
    await set_up(home, standin)
    OUTAGES[outage](network, standin)
    await goes_through_an_outage(house)


async def test_captcha_at_start(
    home: HomeAssistant, standin: Standin, network: FaultServer
) -> None:
    """It is asked for, and is no reason to be without agents."""
    captcha = {
        "Code": 9001,
        "Error": "Human verification",
        "Details": {
            "HumanVerificationToken": "t",
            "HumanVerificationMethods": ["captcha"],
            "WebUrl": "https://verify.proton.me/?token=t",
        },
    }
    house = House(home, "en")
    network.break_calls("", Fault(answer(422, json.dumps(captcha), "application/json")))
    await set_up(home, standin)
    assert len(reauth_flows(home)) == 1
    await goes_through_an_outage(house)
    assert len(reauth_flows(home)) == 1


async def test_away_at_start_without_names(
    home: HomeAssistant,
    standin: Standin,
    network: FaultServer,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The router is not there yet: no name is found."""
    monkeypatch.delenv("LUMO_BASE_URL")
    monkeypatch.delenv("LUMO_PUBLIC_KEY_FILE")

    def fail(*_args: Any, **_kwargs: Any) -> Any:
        raise socket.gaierror(socket.EAI_AGAIN, "Temporary failure in name resolution")

    monkeypatch.setattr(socket, "getaddrinfo", fail)
    house = House(home, "en")
    await set_up(home, standin)
    await goes_through_an_outage(house)


@pytest.mark.parametrize(
    "name",
    [
        name if name == "cut" else pytest.param(name, marks=pytest.mark.long)
        for name in STREAM_FAULTS
        if name != "text for ever"
    ],
)
async def test_after_the_first_word_nothing_is_done(
    home: HomeAssistant, standin: Standin, network: FaultServer, name: str
) -> None:
    """What was said stays said: the answer may have been about to do it."""
    house = House(home, "en")
    await set_up(home, standin)
    network.break_calls(CHAT, STREAM_FAULTS[name], begun=True)
    result = await house.hear(house.words.turn_off)
    assert is_error(result)
    assert house.texts["works_without_lumo"] not in speech(result)
    assert not house.calls()


@pytest.mark.parametrize("sentence", ["turn_off", "unlock"])
async def test_after_a_call_nothing_is_done(
    home: HomeAssistant,
    standin: Standin,
    network: FaultServer,
    script: Script,
    sentence: str,
) -> None:
    house = House(home, "en")
    await set_up(home, standin)

    def calls(_messages: Any) -> list[Call | Say]:
        network.break_calls(CHAT, FAULTS["reset"])
        return [Call("HassTurnOff", {"name": "Nobody's lamp"})]

    script.rule = calls
    result = await house.hear(getattr(house.words, sentence))
    assert is_error(result)
    assert not house.calls()


async def test_yes_to_a_question_from_before_the_outage(
    home: HomeAssistant, standin: Standin, network: FaultServer, script: Script
) -> None:
    """It is done once, by the answer alone."""
    house = House(home, "en")
    await set_up(home, standin)
    script.rule = lambda _messages: [Call("HassTurnOff", {"name": "Front door"})]
    asked = await house.hear(house.words.unlock)
    assert asked.continue_conversation
    network.refuse()
    await house.hear("yes", asked.conversation_id)
    assert len(house.unlocked) == 1
    again = await house.hear("yes", asked.conversation_id)
    assert is_error(again)
    assert len(house.unlocked) == 1


LIVE_CONTEXT = "homeassistant//homeassistant__GetLiveContext"
TURN_OFF = "intent//intent__HassTurnOff"
AWAY = "cannot reach Lumo"


@pytest.mark.long
@pytest.mark.parametrize(
    "sentence", ["turn off the kitchn light", "unlok the front door", "party time"]
)
async def test_the_built_in_agent_is_not_asked(
    home: HomeAssistant, standin: Standin, network: FaultServer, sentence: str
) -> None:
    """It guesses at what was misheard, and runs the triggers of automations."""
    house = House(home, "en")
    unlock = {"action": "lock.unlock", "target": {"entity_id": "lock.front"}}
    automation = {
        "triggers": {"trigger": "conversation", "command": ["party time"]},
        "actions": [unlock],
    }
    assert await async_setup_component(home, "automation", {"automation": automation})
    await set_up(home, standin)
    network.refuse()
    assert is_error(await house.hear(sentence))
    assert not house.calls()
    # The control: asked, it does.
    await conversation.async_converse(home, sentence, None, Context(), language="en")
    await home.async_block_till_done()
    assert len(house.calls()) == 1


@pytest.mark.parametrize("status", [429, 503])
async def test_short_burst_is_not_waited_for(
    home: HomeAssistant, standin: Standin, network: FaultServer, status: int
) -> None:
    """A plain command is done at once."""
    house = House(home, "en")
    await set_up(home, standin)
    soon = answer(status, "{}", "application/json", "Retry-After: 2")
    network.break_calls(CHAT, Fault(soon))
    assert house.is_without_lumo(await house.hear(house.words.turn_off))
    assert network.hits == 1


async def test_silence_is_not_waited_for(
    home: HomeAssistant,
    standin: Standin,
    network: FaultServer,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A plain command is done soon; its answer is waited for as long as it may be done."""
    monkeypatch.setattr("custom_components.lumo.coordinator.LumoClient", LumoClient)
    monkeypatch.setattr(Deadlines, "brief", replace(ON_SCREEN.brief, first=0.2))
    house = House(home, "en")
    await set_up(home, standin)
    network.break_calls(CHAT, FAULTS["silence"])
    async with asyncio.timeout(10):
        assert house.is_without_lumo(await house.hear(house.words.turn_off))
    assert network.hits == 1
