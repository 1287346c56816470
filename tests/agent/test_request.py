"""What stands where in a request, and what stays the same from turn to turn."""

from dataclasses import replace
import re
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

from homeassistant.components import conversation
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import HomeAssistant
from homeassistant.helpers import llm
import probatio
import pytest

from custom_components.lumo.abilities.note_store import HOUSE
from custom_components.lumo.agent.history import split_system
from custom_components.lumo.agent.model_texts import MODEL_TEXTS
from custom_components.lumo.agent.request import BUDGET, Requests, recalled
from custom_components.lumo.context.choice import PromptScope
from custom_components.lumo.gate.intents import TIMERS
from custom_components.lumo.internals import NO_ENTITIES
from custom_components.lumo.lumo_client.events import FunctionCall
from custom_components.lumo.lumo_client.messages import (
    ChatRequest,
    SystemMessage,
    UserMessage,
)

from .conftest import FakeTool
from .scripted import Scene
from .test_turn_ladder import list_home

OPENING = "[Project instructions: "
API_PROMPT = (
    "Static Context: an overview\n- names: Lamp\n  domain: light\n"
    "You are in area Kitchen and all generic commands should target this area.\n"
    "This device is not able to start timers."
)
MOVED = (
    "You are in area Kitchen and all generic commands should target this area.\n"
    "This device is not able to start timers."
)


def script(name: str) -> FakeTool:
    """Return a tool that is chosen for some sentences only."""
    return FakeTool(f"script__{name}", probatio.Schema({}), open_world=False)


def scene(
    hass: HomeAssistant, api: llm.APIInstance | None, sentence: str, **options: Any
) -> Scene:
    """Return a turn whose answers are words."""
    return Scene(hass, api, sentence, options.pop("answers", ["Fine."]), **options)


def texts(request: ChatRequest) -> list[str]:
    return [getattr(message, "text", "") for message in request.messages]


async def describe(turn: dict[str, Any], requests: Requests) -> None:
    box = requests.toolbox
    if "chosen" in turn:
        always = [
            name for name in box.tools if not name.startswith(("script__", "lumo__"))
        ]
        box.choose(always, turn["chosen"])
    requests.choice = PromptScope(
        home=turn.get("home", ""), sentence=turn.get("text", "")
    )


async def converse(
    hass: HomeAssistant,
    api: llm.APIInstance,
    turns: list[dict[str, Any]],
    **options: Any,
) -> list[ChatRequest]:
    """Say a sentence after the other in one conversation; return the requests.

    A turn has a `system` prompt, what is `home` and `text`, tools that are `chosen`,
    what was said `before`, and the `answers`.
    """
    requests: list[ChatRequest] = []
    before: list[conversation.Content] = []
    for number, turn in enumerate(turns):
        before += turn.get("before", [])
        now = scene(
            hass,
            api,
            f"Sentence {number}.",
            before=before,
            answers=turn.get("answers", ["Fine."]),
            **{"prompt": "Be brief.", **options},
        )
        now.log.content[0] = conversation.SystemContent(turn.get("system", "Be brief."))
        with patch.object(
            Requests, "async_describe", lambda own, turn=turn: describe(turn, own)
        ):
            await now.run()
        requests += now.client.requests
        before = now.log.content[1:]
    return requests


async def test_what_stays_the_same_stands_first_and_the_rest_with_the_sentence(
    hass: HomeAssistant, api: llm.APIInstance
) -> None:
    """In private mode both are wrapped as Proton's web client wraps instructions."""
    tools = [*api.tools, script("good_night"), script("movie")]
    turn = {
        "home": "Kitchen: light 2",
        "text": "Kitchen light, Kitchen lamp",
        "chosen": ["script__movie"],
    }
    [request] = await converse(hass, replace(api, tools=tools), [turn])
    [text] = texts(request)
    stable, last, sentence = text.split("]\n\n")
    assert sentence == "Sentence 0."
    assert stable.startswith(f"{OPENING}You can act on this home only through")
    assert '{"name":"user:HassTurnOff"' in stable
    assert stable.endswith("Kitchen: light 2")
    assert last.startswith(f"{OPENING}")
    assert "Kitchen light, Kitchen lamp" in last
    assert '{"name":"user:movie"' in last
    assert "good_night" not in text
    reminder = last[last.index("(Reminder") :]
    assert '{"name": "user:tool_name", "arguments"' in reminder
    assert len(reminder) <= 400


async def test_in_native_mode_the_functions_and_the_system_message_stand_first(
    hass: HomeAssistant, api: llm.APIInstance
) -> None:
    """Those chosen for this sentence come behind those that are always there."""
    tools = [script("movie"), script("good_night"), *api.tools]
    turn = {
        "home": "Kitchen: light 2",
        "text": "Kitchen lamp",
        "chosen": ["script__movie"],
    }
    [request] = await converse(
        hass, replace(api, tools=tools), [turn], tool_calling="native"
    )
    system, sentence = request.messages
    assert isinstance(system, SystemMessage)
    assert system.text.endswith("Kitchen: light 2")
    assert sentence == UserMessage(f"{OPENING}Kitchen lamp]\n\nSentence 0.")
    assert [item.name for item in request.function_tools] == [
        "HassTurnOff",
        "GetLiveContext",
        "HassMediaNext",
        "movie",
    ]


@pytest.mark.parametrize("mode", ["private", "native"])
async def test_the_beginning_is_the_same_in_every_turn(
    hass: HomeAssistant, api: llm.APIInstance, mode: str
) -> None:
    again = '```json\n{"name": "user:HassTurnOff", "arguments": {"area": "A"}}\n```'
    turns: list[dict[str, Any]] = [
        {
            "system": f"Be brief.\n{API_PROMPT.replace('Kitchen', area)}\nIt is {area}.",
            "home": "Kitchen: light 2",
            "text": f"About {area}.",
            "chosen": chosen,
            "answers": answers,
        }
        for area, chosen, answers in (
            ("Kitchen", ["script__movie"], ["Fine."]),
            ("Bath", [], ["Long. " * 3_000]),
            ("Hall", ["script__good_night"], [again, "Off."]),
            ("Attic", ["script__movie", "script__good_night"], ["Long. " * 5_000]),
            ("Attic", [], ["Fine."]),
        )
    ]
    requests: list[ChatRequest] = []
    before: list[conversation.Content] = []
    for turn in turns:
        # What Home Assistant gives in no certain order is brought into one.
        api.tools.reverse()
        prompt = turn["system"].removeprefix("Be brief.\n").partition("\nIt is")[0]
        own = replace(
            api,
            api_prompt=prompt,
            tools=[*api.tools, script("good_night"), script("movie")],
        )
        now = {**turn, "before": before}
        requests += await converse(hass, own, [now], tool_calling=mode)
        before = [
            *before,
            conversation.UserContent("Said."),
            conversation.AssistantContent("a", "".join(turn["answers"])),
        ]
    firsts = [texts(request)[0] for request in requests]
    if mode == "native":
        assert len(set(firsts)) == 1
        first, *others = [request.function_tools[:3] for request in requests]
        assert all(always == first for always in others)
    else:
        ends = [text.index("]\n\n") for text in firsts]
        assert len({text[:end] for text, end in zip(firsts, ends, strict=True)}) == 1
    assert "Lamp" in firsts[0]
    assert [
        next(text for text in reversed(texts(request)) if "About" in text).count(
            "It is"
        )
        for request in requests
    ] == [1] * len(requests)
    assert "You are in area" not in firsts[-1]
    # The history was cut in the last of them.
    assert len(requests[-1].messages) < len(requests[-2].messages)


async def test_who_hears_the_answer_is_offered_no_more(
    hass: HomeAssistant, api: llm.APIInstance
) -> None:
    """The model is told, with what stays the same; a program needs no such word."""
    [told] = await converse(hass, api, [{}])
    stable, _, _ = texts(told)[0].partition("]\n\n")
    assert MODEL_TEXTS["no_closing"] in stable
    asked = scene(hass, api, "Hello")
    asked.context.verbatim = True
    await asked.run()
    assert MODEL_TEXTS["no_closing"] not in texts(asked.client.requests[0])[0]


@pytest.mark.parametrize("mode", ["private", "native"])
@pytest.mark.parametrize("long", [0, 5_000])
async def test_a_request_uses_its_budget_and_no_more(
    hass: HomeAssistant, api: llm.APIInstance, mode: str, long: int
) -> None:
    """With as many tools as fit beside instructions and notes; with one more some go."""
    texts = [f"{n} {'x' * 90}" for n in range(20 if long else 0)]
    notes: Any = SimpleNamespace(seen_by=lambda _speaker: {"anna": texts})
    low, high, most = 0, 120, 0
    # At a satellite there is more.
    timers = [FakeTool(f"intent__{name}", probatio.Schema({})) for name in TIMERS]
    while high - low > 1:
        count = (low + high) // 2
        tools = [FakeTool(f"tool_{n}", probatio.Schema({})) for n in range(count)]
        for tool in (*tools, *timers):
            tool.description = "y" * 150
        own = replace(api, tools=[*api.tools, *timers, *tools], api_prompt="p" * long)
        asked = scene(hass, own, "Hello", tool_calling=mode)
        asked.log.content[0] = conversation.SystemContent("z" * long + own.api_prompt)
        asked.context.notes = notes
        await asked.run()
        ledger, [request] = asked.record.ledger, asked.client.requests
        assert (ledger.notes > 1_800) is bool(long) and not ledger.things_left_out
        if ledger.tools_left_out:
            high = count
        else:
            low, most = count, request.characters
            assert ledger.tools > 150 * count
    assert BUDGET - 2_000 < most <= BUDGET


@pytest.mark.parametrize(
    ("notes", "sentence", "told"),
    [
        ({}, "Hello", []),
        ({HOUSE: ["Tea is at five"]}, "Hello", ['Of the house: "Tea is at five"']),
        (
            {HOUSE: ["Tea\nis at five", "No shoes"], "anna": ["I am 40"]}, "Hello",
            ['Of the house: "Tea\\nis at five"; "No shoes"', 'Of this person: "I am 40"'],
        ),
        # What has room: first what the sentence is about, then the latest.
        ({"anna": ["a" * 900, "b" * 900, "c"]}, "Hello", [f'Of this person: "{"b" * 900}"; "c"']),
        ({"anna": [f"Tea {'a' * 900}", "b" * 900, "c"]}, "Tea", [f'Of this person: "Tea {"a" * 900}"; "c"']),
        ({HOUSE: ["a" * 3_000], "anna": ["b"]}, "Hello", ['Of this person: "b"']),
    ],
)  # fmt: skip
async def test_notes_that_have_room_are_recalled(
    hass: HomeAssistant, notes: dict[str, list[str]], sentence: str, told: list[str]
) -> None:
    context = scene(hass, None, sentence).context
    kept: Any = SimpleNamespace(seen_by=lambda _speaker: notes)
    context.notes = kept
    heading, *lines = recalled(context).split("\n")
    assert lines == told and bool(heading) is bool(told)
    assert len(recalled(context)) <= 2_000


async def test_a_home_without_anything_has_no_rules(
    hass: HomeAssistant, api: llm.APIInstance
) -> None:
    await list_home(hass, api)
    for is_there in (True, False):
        async_expose_entity(hass, "conversation", "light.a", is_there)
        asked = scene(hass, api, "Hello")
        asked.log.content[0] = conversation.SystemContent(api.api_prompt)
        await asked.run()
        [(told, *_)] = map(texts, asked.client.requests)
        rules = MODEL_TEXTS["home_rules"].partition(".")[0] in told, NO_ENTITIES in told
        assert rules == (is_there, not is_there)
        assert asked.turn and bool(asked.turn._requests._examples) is is_there


async def test_a_conversation_that_the_assistant_began(
    hass: HomeAssistant, api: llm.APIInstance
) -> None:
    """The instructions stand before what it said."""
    greeting = conversation.AssistantContent("a", "The washing is done.")
    [request] = await converse(hass, api, [{"before": [greeting]}])
    first, said, sentence = texts(request)
    assert first.startswith(OPENING) and first.endswith("]\n\n")
    assert said == "The washing is done."
    assert sentence.endswith("]\n\nSentence 0.")


@pytest.mark.parametrize(
    ("template", "own", "fixed"),
    [
        ("Be brief.", "Be brief.", "Be brief."),
        ("  Be brief.\r\nAlways.\n", "Be brief.\nAlways.", "Be brief.\nAlways."),
        ("Be brief.\nIt is {{ now() }}.\nOr so.", "Be brief.\nIt is 9.\nOr so.", "Be brief."),
        ("Now {{ now() }}.\nBe brief.", "Now 9.\nBe brief.", ""),
        ("Be brief.\n{% if x %}a{% endif %}", "Be brief.\n", "Be brief."),
        ("Be {# very #} brief.", "Be  brief.", ""),
        ("{{ x }}", "Be brief.", ""),
        # Not what it was rendered from.
        ("Be loud.", "Be brief.", ""),
    ],
)  # fmt: skip
def test_what_the_owner_wrote_is_split_where_it_is_rendered(
    template: str, own: str, fixed: str
) -> None:
    system = f"{own}\n{API_PROMPT}\nIt is late.\nYou speak to Anna."
    first, last = split_system(system, API_PROMPT, template)
    listed = "Static Context: an overview\n- names: Lamp\n  domain: light"
    assert first == f"{fixed}\n\n{listed}".strip()
    assert last.split() == [
        *own.removeprefix(fixed).split(),
        *f"{MOVED} It is late. You speak to Anna.".split(),
    ]


def test_without_an_api_the_time_still_moves() -> None:
    """Home Assistant adds it to the owner's instructions."""
    gone = split_system("Be brief.", "Not there.", "Be brief.", "Shown.")
    assert gone == ("Be brief.", "")
    assert split_system("Be brief.\nIt is 9.", "", "Be brief.") == (
        "Be brief.",
        "It is 9.",
    )


def written(name: str, arguments: str = "{}") -> str:
    return f'```json\n{{"name": "user:{name}", "arguments": {arguments}}}\n```'


@pytest.mark.parametrize(
    ("first", "ran"),
    [
        pytest.param(written("movie"), 1, id="valid"),
        pytest.param(written("script__movie"), 1, id="by its full name"),
        pytest.param(written("movie", '{"loud": 1}'), 0, id="not valid"),
        pytest.param([FunctionCall("c", "movy", {}, "{}")], 0, id="nearly"),
        pytest.param(written("movie", '{"loud": '), 0, id="broken"),
        pytest.param([FunctionCall("c", "movie", {}, "{}")], 1, id="beside the text"),
    ],
)
@pytest.mark.parametrize("mode", ["private", "native"])
async def test_a_tool_that_was_left_out_is_called_anyway(
    hass: HomeAssistant, api: llm.APIInstance, mode: str, first: Any, ran: int
) -> None:
    """It is understood, and offered from the next request of the turn on."""
    movie = script("movie")
    tools = [*api.tools, movie, script("good_night")]
    turn = {"chosen": [], "answers": [first, "Fine."]}
    one, two = await converse(
        hass, replace(api, tools=tools), [turn], tool_calling=mode
    )
    assert len(movie.calls) == ran
    offered = [
        {item.name for item in request.function_tools}
        if mode == "native"
        else set(re.findall(r'"name":"user:(\w+)"', texts(request)[0]))
        for request in (one, two)
    ]
    assert "movie" not in offered[0]
    assert offered[1] - offered[0] == ({"movie"} if first != "of another" else set())
