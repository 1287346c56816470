"""How calls of tools that are no intents are judged: ours, scripts, a server's."""

from dataclasses import replace
from typing import Any

from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.helpers import llm
from homeassistant.setup import async_setup_component
import probatio
import pytest

from custom_components.lumo.gate.effects import Effect
from custom_components.lumo.gate.gate import Gate
from custom_components.lumo.gate.judged_call import JudgedCall, Verdict, within
from custom_components.lumo.gate.notes import NOTES
from custom_components.lumo.gate.own_tool import OwnTool, Wording
from custom_components.lumo.gate.places import Place, Scope
from custom_components.lumo.gate.speaker import Speaker
from tests.agent.conftest import FakeTool

from .judged_home import Home, asked


class Ours(OwnTool):
    """A tool of ours that turns off what it is given."""

    name = "lumo__ours"
    parameters = probatio.Schema({})
    annotations = llm.ToolAnnotations()
    words: Wording | None = None

    def question(self, *_: Any) -> Wording | None:
        return self.words

    def is_for_all(self, arguments: Any) -> bool:
        return "all" in arguments

    def effects(self, arguments: Any) -> list[Effect]:
        return [Effect(item, "turn_off") for item in arguments.get("things", ())]

    async def async_run(self, *_: Any) -> dict[str, Any]:
        return {}


def ours(**more: Any) -> Ours:
    vars(tool := Ours()).update(more)
    return tool


SERVER = FakeTool("server__tidy", probatio.Schema({}))
LIGHT, LOCK, KITCHEN = "light.hall", "lock.front", "light.kitchen"
OFFERED = ("do_turn_off", ("Hall light",), "")
OPENED = ("do_unlock", ("Front door",), "")
WHOLE = ("do_lumo_ours", ("Hall light", "Front door"), "")
PLAN = Wording("do_plan", "Plan", "at six", ("Hall light",))
PLANNED = ("do_plan", ("Hall light",), "at six")


@pytest.mark.parametrize(
    ("words", "things", "questions"),
    [
        (PLAN, [LIGHT], [PLANNED]),
        (PLAN, [LIGHT, LOCK], [PLANNED, OPENED]),
        (Wording(), [LIGHT], [OFFERED]),
        (Wording(), [LIGHT, LOCK], [WHOLE, OPENED]),
        (None, [LIGHT], []),
    ],
)
async def test_a_tool_of_ours_may_ask_about_the_whole_call(
    home: Home, words: Wording | None, things: list[str], questions: list[Any]
) -> None:
    """A yes is for what it does now, and ends the questions."""
    used = ours(words=words)
    verdict = await home.judge(used, things=things)
    assert (asked(verdict), bool(verdict.runs)) == (questions, not questions)
    assert all(ask.arguments == {"things": things} for ask in verdict.asks)
    yes = frozenset({used.name}).union(*(ask.entities for ask in verdict.asks))
    again = await home.judge(used, things=things, approved=yes)
    assert again.runs == ({"things": things},)


async def test_what_the_sentence_asks_for_needs_no_name(home: Home) -> None:
    class Meant(Ours):
        is_asked_for = True

    assert (await home.judge(Meant(), things=[LIGHT], after_outside=True)).runs
    assert (await home.judge(Meant(), things=[LOCK], after_outside=True)).asks
    assert (await home.judge(Ours(), things=[LIGHT], after_outside=True)).asks


async def test_what_tells_others_a_text_says_whom(home: Home) -> None:
    """After text from outside each call is asked about, whomever the person named."""
    tells = ours(hands_on=True)
    for outside, things, questions in (
        (False, [LIGHT], []),
        (True, [LIGHT], [OFFERED]),
        (
            True,
            [LIGHT, KITCHEN],
            [("do_lumo_ours", ("Hall light", "Kitchen light"), "")],
        ),
        (True, [], [("do_lumo_ours", (), "")]),
    ):
        said = "Tell the hall light"
        verdict = await home.judge(tells, said, things=things, after_outside=outside)
        assert asked(verdict) == questions


async def test_what_only_reads_may_ask_after_text_from_outside(home: Home) -> None:
    """If it says so, and what it looks at was not named."""
    reads = llm.ToolAnnotations(read_only=True)
    for asks in (False, True):
        looks = ours(annotations=reads, asks_after_outside=asks)
        for outside, sentence in (
            (False, "Look"),
            (True, "Look"),
            (True, "Hall light"),
        ):
            found = await home.judge(
                looks, sentence, things=[LIGHT], after_outside=outside
            )
            assert bool(found.asks) is (asks and outside and sentence == "Look")


async def test_a_call_of_ours_for_everything_spares_what_opens(home: Home) -> None:
    """Whoever hears of it may believe it to be done."""
    each = ours(is_divisible=True, narrowed=lambda _given, *ids: {"things": [*ids]})
    verdict = await home.judge(each, things=[LIGHT, LOCK], all=True)
    assert verdict.runs == ({"things": [LIGHT]},)
    assert verdict.asks == ()
    assert verdict.skipped == verdict.spared == ("Front door",)
    verdict = await home.judge(each, things=[LOCK], all=True)
    assert verdict.refusal == f"{NOTES['only_left']} Front door"
    verdict = await home.judge(each, things=[LIGHT, LOCK])
    assert (asked(verdict), verdict.spared) == ([OPENED], ())


async def test_what_wants_a_code_is_refused(home: Home) -> None:
    """Nobody is asked for what no tool takes."""
    attributes = {"friendly_name": "Front door", "code_format": "number"}
    home.hass.states.async_set(LOCK, "locked", attributes)
    verdict = await home.judge(ours(), things=[LOCK])
    assert (verdict.refusal, verdict.sentence) == (NOTES["no_code"], "no_code")
    assert (await home.judge(ours(), things=[LIGHT, LOCK])).asks


@pytest.mark.parametrize(
    ("person", "language", "phone", "is_asked"),
    [(False, "en", "", False), (False, "en", "person.a", True), (True, "fi", "person.a", True)],
)  # fmt: skip
async def test_a_phone_is_asked_where_nobody_can_be(
    home: Home, person: bool, language: str, phone: str, is_asked: bool
) -> None:
    home.options = {"phone_person": phone}
    home.person, home.language = person, language
    verdict = await home.judge(ours(), things=[LOCK])
    assert (bool(verdict.asks), bool(verdict.refusal)) == (is_asked, not is_asked)
    assert not any(ask.unnamed for ask in verdict.asks)


@pytest.mark.parametrize(
    ("tool", "arguments", "questions"),
    [
        ("climate__HassClimateSetTemperature", {"temperature": 21}, [("do_set_temperature", ("Heating",), "21")]),
        ("script__tidy", {}, [("do_run", (), "")]),
        (SERVER, {"where": " hall LIGHT"}, [("do_use_with", (), "")]),
        (SERVER, {"level": 21}, [("do_use_with", (), "")]),
        (ours(), {"things": [LIGHT]}, [OFFERED]),
    ],
)  # fmt: skip
async def test_after_text_from_outside_what_was_not_named_is_said(
    home: Home, tool: Any, arguments: dict[str, Any], questions: list[Any]
) -> None:
    """By the thing that is acted on; a tool of others by its arguments."""
    script = {"tidy": {"alias": "Tidy", "sequence": [], "description": "Tidies"}}
    assert await async_setup_component(home.hass, "script", {"script": script})
    async_expose_entity(home.hass, "conversation", "script.tidy", True)
    home.options = {"tools": {"test//server__tidy": "on"}}
    for sentence, found in (
        ("Read it", questions),
        ("Heating, tidy hall light, 21", []),
    ):
        verdict = await home.judge(tool, sentence, after_outside=True, **arguments)
        assert asked(verdict) == found
        assert all(ask.unnamed for ask in verdict.asks)


async def test_what_nobody_knows_may_do_anything_to_what_it_names(home: Home) -> None:
    """From a place with rules it is not called at all."""
    home.options = {"tools": {"test//server__tidy": "on"}}
    for text in (" FRONT door", LOCK, "Hall light", "Door"):
        verdict = await home.judge(SERVER, where={"names": [text]})
        assert bool(verdict.asks) is (text in (" FRONT door", LOCK))
    _, _, context = await home.open(SERVER)
    scope = Scope(home.hass, (Place(areas=frozenset({"hall"})),))
    speaker = Speaker("anna", None, True, "Do it", "en")
    case = JudgedCall(home.hass, SERVER, {}, context)
    found = within(scope, case, speaker)
    assert isinstance(found, Verdict) and found.refusal == NOTES["not_from_here"]
    reads = replace(case, tool=FakeTool("x", probatio.Schema({}), read_only=True))
    assert isinstance(within(scope, reads, speaker), JudgedCall)


@pytest.mark.parametrize("returns", [False, True])
async def test_a_script_that_returns_nothing_says_nothing(
    home: Home, returns: bool
) -> None:
    """What it returns may be a stranger's text."""
    stop = {"stop": "", **({"response_variable": "found"} if returns else {})}
    steps = [{"variables": {"found": {"text": "x"}}}, stop]
    script = {"tell": {"sequence": steps, "description": "Tells"}}
    assert await async_setup_component(home.hass, "script", {"script": script})
    async_expose_entity(home.hass, "conversation", "script.tell", True)
    judge, tool, context = await home.open("script__tell")
    gate, call = Gate(judge=judge), llm.ToolInput("script__tell", {})
    gate.allow(call.id)
    await gate.async_run(tool, home.hass, call, context)
    assert gate.outcomes[0].annotations.open_world is returns
