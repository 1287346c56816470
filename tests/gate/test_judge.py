"""What becomes of a call: it runs, is asked about, or is refused.

The red team plays the same with all of the house; here a fault in the judge is noticed in
seconds, and where it is.
"""

from dataclasses import replace
from typing import Any

from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import Event, callback
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import (
    area_registry as ar,
    entity_registry as er,
    intent,
    llm,
)
from homeassistant.setup import async_setup_component
import probatio
import pytest
from pytest_homeassistant_custom_component.common import async_mock_service

from custom_components.lumo.const import CONF_UNATTENDED, EVENT_TOOL_CALLED
from custom_components.lumo.gate.gate import Gate
from custom_components.lumo.gate.judged_call import Ask, JudgedCall, Verdict
from custom_components.lumo.gate.notes import NOTES
from custom_components.lumo.gate.speaker import Speaker
from tests.abilities.large_home import add
from tests.agent.conftest import FakeTool

from .judged_home import ADD, DOORS_TOO, LIVE, OFF, ON, Home, asked


async def test_harmless_call_runs_as_it_is(home: Home) -> None:
    """Its arguments are not touched."""
    arguments: dict[str, Any] = {"area": "Kitchen", "domain": ["light"]}
    assert await home.judge(OFF, **arguments) == Verdict(runs=(arguments,))


async def test_unattended_all_of_it_runs(home: Home) -> None:
    """What needs no yes, and what would."""
    home.person, home.options = False, {CONF_UNATTENDED: True}
    verdict = await home.judge(OFF, DOORS_TOO, area="Hall")
    names = {run["name"] for run in verdict.runs}
    assert names == {"light.hall", "climate.hall", "lock.front"}
    assert not verdict.asks


async def test_what_failed_is_not_counted_as_done(home: Home) -> None:
    _, tool, context = await home.open(OFF)
    case = JudgedCall(home.hass, tool, {"area": "Kitchen"}, context)
    told: Any = {"success": [{"type": "entity", "id": "light.kitchen"}], "failed": []}
    done, reached = case.done(case.targets, llm.ToolResult(data={"data": told}))
    assert {item.entity_id for item in (*done, *reached)} == {"light.kitchen"}
    done, _ = case.done(case.targets, llm.ToolResult(data={}))
    assert len(done) > 1


async def test_mixed_call_is_split(home: Home) -> None:
    """The harmless run by entity id, the question is about the lock."""
    verdict = await home.judge(OFF, DOORS_TOO, area="Hall")
    assert {run["name"] for run in verdict.runs} == {"light.hall", "climate.hall"}
    assert asked(verdict) == [("do_unlock", ("Front door",), "")]
    [ask] = verdict.asks
    assert ask.arguments == {"name": "lock.front", "domain": ["lock"]}
    assert ask.details == ()
    again = await home.judge(OFF, approved=ask.entities, **ask.arguments)
    assert again == Verdict(runs=(ask.arguments,))


async def test_buttons_scenes_and_scripts_are_not_in_everything(home: Home) -> None:
    """They may do anything; a call that names their kind is another matter."""
    for entity_id in ("button.hall", "scene.hall", "script.hall"):
        entry = er.async_get(home.hass).async_get_or_create(
            entity_id.partition(".")[0], "test", "hall", suggested_object_id="hall"
        )
        area = ar.async_get(home.hass).async_get_area_by_name("Hall")
        assert area is not None
        er.async_get(home.hass).async_update_entity(entry.entity_id, area_id=area.id)
        home.hass.states.async_set(entity_id, "unknown", {"friendly_name": entity_id})
        async_expose_entity(home.hass, "conversation", entity_id, True)
    verdict = await home.judge(ON, DOORS_TOO, area="Hall")
    assert set(verdict.skipped) == {"button.hall", "scene.hall", "script.hall"}
    assert not {run["name"] for run in verdict.runs} & set(verdict.skipped)
    verdict = await home.judge(ON, area="Hall", domain=["button"])
    assert verdict == Verdict(runs=({"area": "Hall", "domain": ["button"]},))
    verdict = await home.judge(OFF, name="button.hall")
    assert [item.effect.service for item in verdict.targets] == ["nothing"]


async def test_everything_may_be_nothing(home: Home) -> None:
    verdict = await home.judge(OFF, area="Porch")
    assert verdict.runs == ({"area": "Porch"},)
    porch = ar.async_get(home.hass).async_create("Porch")
    er.async_get(home.hass).async_update_entity("lock.front", area_id=porch.id)
    verdict = await home.judge(OFF, area="Porch")
    assert (verdict.runs, verdict.asks) == ((), ())
    assert "Front door" in (verdict.refusal or "")


async def test_of_two_with_one_name_the_one_that_is_meant_counts(home: Home) -> None:
    """Home Assistant prefers the light, which is where the person is."""
    verdict = await home.judge(OFF, name="Front door")
    assert verdict == Verdict(runs=({"name": "Front door"},))
    for area in ("Hall", "Attic up"):
        add(home.hass, f"light.spot_{area[:4].lower()}", "on", name="Spot", area=area)
    # The one on the same floor.
    assert (await home.judge(OFF, name="Spot")).targets[
        0
    ].entity_id == "light.spot_hall"
    home.satellite = None
    add(home.hass, "light.front_2", "on", name="Front door lamp", area="Hall")
    # Without a preference a person chooses, where there is one.
    verdict = await home.judge(OFF, name="Front door")
    assert [ask.phrase for ask in verdict.ambiguity] == ["do_unlock", "do_turn_off"]
    assert verdict.ambiguity[0].names == (("lock.front", "Front door"),)
    assert not (verdict.runs or verdict.asks)
    verdict = await home.judge(OFF, name="Front door", domain=["lock"])
    assert asked(verdict) == [("do_unlock", ("Front door",), "")]


async def test_yes_is_for_what_was_named_in_the_question(home: Home) -> None:
    """What has come to the area since is not part of it."""
    verdict = await home.judge(OFF, approved={"light.kitchen"}, area="Kitchen")
    assert [run["name"] for run in verdict.runs] == ["light.kitchen"]


async def test_temperature_out_of_range_is_asked(home: Home) -> None:
    tool = "climate__HassClimateSetTemperature"
    verdict = await home.judge(tool, area="Hall", temperature=35.0)
    assert asked(verdict) == [("do_set_temperature", ("Heating",), "35")]
    assert not (await home.judge(tool, area="Hall", temperature=21.0)).asks


async def test_everything_in_the_home_is_no_target(home: Home) -> None:
    """Home Assistant refuses that, and so nothing is asked or divided."""
    arguments = {"name": "all"}
    for outside in (False, True):
        verdict = await home.judge(OFF, after_outside=outside, name="all")
        assert verdict == Verdict(runs=(arguments,))


async def test_a_picture_may_show_what_a_stranger_wrote(home: Home) -> None:
    home.earlier.saw_pictures = True
    assert (await home.judge(OFF, "Who is there?", name="Hall light")).asks


async def test_thermostat_that_was_not_named_is_found(home: Home) -> None:
    """Home Assistant takes the only one there is, of those that can be set."""
    tool = "climate__HassClimateSetTemperature"
    add(home.hass, "climate.vent", "cool", name="Vent", supported_features=2)
    verdict = await home.judge(tool, temperature=50.0)
    assert asked(verdict) == [("do_set_temperature", ("Heating",), "50")]
    one: Any = {"name": "Rug", "area": "Hall", "supported_features": 1}
    add(home.hass, "climate.hall_2", "heat", **one)
    verdict = await home.judge(tool, temperature=20.0, area="Hall")
    assert [ask.targets for ask in verdict.ambiguity] == [("Heating",), ("Rug",)]


async def test_an_intent_script_is_judged_by_its_steps(home: Home) -> None:
    unlock = {"action": "lock.unlock", "target": {"entity_id": "lock.front"}}
    scripts = {"Sesame": {"action": [unlock], "description": "Greets"}}
    assert await async_setup_component(
        home.hass, "intent_script", {"intent_script": scripts}
    )
    verdict = await home.judge("intent_script__Sesame")
    assert asked(verdict) == [("do_run_reaching", ("Front door",), "")]


async def test_tool_that_asks_first_says_what_it_opens(home: Home) -> None:
    """The yes is for the whole call, and for the lock because it was named."""
    home.options = {"tools": {"intent//intent__HassTurnOff": "ask"}}
    verdict = await home.judge(OFF, area="Hall")
    light, heating = (
        ("do_turn_off", ("Hall light",), ""),
        ("do_turn_off", ("Heating",), ""),
    )
    assert asked(verdict) == [light, heating]
    verdict = await home.judge(OFF, DOORS_TOO, area="Hall")
    assert not verdict.runs
    door = ("do_unlock", ("Front door",), "")
    assert sorted(asked(verdict)) == sorted([light, heating, door])
    assert not any(ask.unnamed or ask.details for ask in verdict.asks)
    for ask in verdict.asks:
        again = await home.judge(OFF, DOORS_TOO, approved=ask.entities, **ask.arguments)
        assert again == Verdict(runs=(ask.arguments,))
    # What was not named in the question is asked about.
    again = await home.judge(OFF, DOORS_TOO, approved={OFF}, area="Hall")
    assert asked(again) == [("do_unlock", ("Front door",), "")]
    assert again.asks[0].entities == {OFF, "lock.front"}
    # A yes to something else is none to the tool.
    again = await home.judge(OFF, approved={"light.kitchen"}, area="Kitchen")
    assert ("do_turn_off", ("Kitchen light",), "") in asked(again)


async def test_nobody_to_ask_means_no(home: Home) -> None:
    home.person = False
    verdict = await home.judge(OFF, DOORS_TOO, area="Hall")
    assert {run["name"] for run in verdict.runs} == {"light.hall", "climate.hall"}
    assert (verdict.asks, verdict.sentence) == ((), "needs_person")
    home.options = {"unattended": True}
    verdict = await home.judge(OFF, DOORS_TOO, area="Hall")
    assert "lock.front" in {run["name"] for run in verdict.runs}
    assert verdict.refusal is None
    # A script of a turn: who spoke there is somebody to ask.
    home.behind = Speaker("anna", None, True, "Good night", "en")
    verdict = await home.judge(OFF, DOORS_TOO, area="Hall")
    assert "lock.front" not in {run["name"] for run in verdict.runs}


@pytest.mark.parametrize(
    ("person", "language", "tool", "is_asked"),
    [
        (True, "en", OFF, True),
        (False, "en", OFF, False),
        (True, "fi", OFF, False),
        (True, "en", "homeassistant__GetLiveContext", False),
    ],
)
async def test_what_lumo_asks_about_waits_for_a_yes_or_runs(
    home: Home, person: bool, language: str, tool: str, is_asked: bool
) -> None:
    home.person, home.language = person, language
    verdict = await home.judge(tool, area="Kitchen", must_ask=True)
    assert (bool(verdict.asks), bool(verdict.runs)) == (is_asked, not is_asked)


@pytest.mark.parametrize(
    "language", ["pl", "it_IT", "IT", "pt-BR", "no", "nn-NO", "zh-Hans", "fi", ""]
)
async def test_language_without_a_yes_means_no(home: Home, language: str) -> None:
    """A question whose answer is not understood is not asked."""
    home.language = language
    verdict = await home.judge(OFF, name="Front door", domain=["lock"])
    assert (verdict.runs, verdict.asks) == ((), ())
    assert verdict.sentence == "cannot_ask"


async def test_what_was_declined_is_not_asked_again(home: Home) -> None:
    home.earlier.declined = [Ask("", {}, frozenset({"lock.front"}), "do_unlock")]
    lock: dict[str, Any] = {"name": "Front door", "domain": ["lock"]}
    verdict = await home.judge(OFF, "What time is it?", **lock)
    assert (verdict.runs, verdict.asks) == ((), ())
    assert verdict.refusal
    assert (await home.judge(OFF, "Open the front door", **lock)).asks
    # One of several is enough.
    add(home.hass, "lock.back", "locked", name="Back door", area="Hall")
    verdict = await home.judge(OFF, "What time is it?", area="Hall", domain=["lock"])
    assert (verdict.asks, verdict.sentence) == ((), "was_declined")


@pytest.mark.parametrize(
    ("earlier", "is_again"),
    [
        ({"when": "on Saturday"}, False),
        ({"value": "20"}, False),
        ({"details": (("day", "6"),)}, False),
        ({}, True),
        ({"phrase": "do_remove", "value": "20"}, True),
    ],
)
def test_what_is_corrected_is_asked_anew(
    earlier: dict[str, Any], is_again: bool
) -> None:
    """No, on Sunday."""
    ask = Ask("", {}, frozenset({"a.b"}), "do_add")
    before = replace(ask, **earlier)
    assert ask.is_again(before) is is_again
    assert replace(ask, grants_access=True).is_again(before)
    assert not ask.is_again(replace(before, entities=frozenset({"c.d"})))


@pytest.mark.parametrize(
    ("autonomy", "runs"), [("reads", False), ("answers", False), ("trusted", True)]
)
async def test_autonomy_is_a_layer_of_its_own(
    home: Home, autonomy: str, runs: bool
) -> None:
    home.options = {"autonomy": autonomy}
    verdict = await home.judge(OFF, name="Front door", domain=["lock"])
    assert bool(verdict.runs) is runs
    assert not verdict.asks


async def test_name_in_a_question_is_one_line(home: Home) -> None:
    name = "the lamp?\nSay yes to go on. " * 20
    home.hass.states.async_set("lock.front", "on", {"friendly_name": name})
    [ask] = (await home.judge(OFF, name="lock.front", domain=["lock"])).asks
    assert "\n" not in ask.targets[0]
    assert "?" not in ask.targets[0]


async def test_who_listens_to_the_event_cannot_swap_the_target(home: Home) -> None:
    """The event comes before the action: what it finds must be what was judged."""
    hass = home.hass
    unlocked = async_mock_service(hass, "lock", "unlock")
    turned_off = async_mock_service(hass, "light", "turn_off")

    @callback
    def swap(_event: Event) -> None:
        hass.states.async_set("light.hall", "on", {"friendly_name": "Another light"})
        hass.states.async_set("lock.front", "on", {"friendly_name": "Hall light"})
        for entity_id, name in (("light.hall", "Other"), ("lock.front", "Hall light")):
            er.async_get(hass).async_update_entity(entity_id, name=name)

    hass.bus.async_listen(EVENT_TOOL_CALLED, swap)
    judge, tool, context = await home.open(OFF)
    gate = Gate(judge=judge)
    tool_input = llm.ToolInput(OFF, {"name": "Hall light"})
    gate.allow(tool_input.id)
    with pytest.raises(HomeAssistantError, match="not allowed"):
        await gate.async_run(tool, hass, tool_input, context)
    assert (unlocked, turned_off) == ([], [])


@pytest.mark.parametrize("count", [5, 6, 11])
async def test_of_too_many_with_one_name_none_is_chosen(home: Home, count: int) -> None:
    """They could not be told apart by ear. The model learns where some of them are."""
    for number in range(count):
        add(home.hass, f"light.spot_{number}", "on", name="Spot", area=f"Room {number}")
    verdict = await home.judge(OFF, name="Spot")
    assert len(verdict.ambiguity) == (count if count == 5 else 0)
    if count > 5:
        told = str(verdict.refusal).removeprefix(NOTES["several"])
        assert told.count("Spot (Room ") == told.count("Spot") == min(count, 10)
    add(home.hass, "light.spot_9", "on", name="Spot", area="Room 0")
    assert not (await home.judge(OFF, name="Spot")).ambiguity


HALL, KITCHEN = {"areas": ["hall"]}, {"areas": ["kitchen"]}
LOOKS = {"acts": False}
LAMPS = {"domain": ["light"]}


@pytest.mark.parametrize(
    ("rule", "tool", "arguments", "runs", "refusal"),
    [
        # What is elsewhere does not exist; of a call for several, what is there runs.
        (HALL, OFF, {"name": "Hall light"}, ["light.hall"], None),
        (HALL, OFF, {"name": "Kitchen light"}, [], NOTES["nothing_there"]),
        (HALL, OFF, {"area": "Kitchen", **LAMPS}, [], NOTES["nothing_there"]),
        (KITCHEN, OFF, LAMPS, ["light.front", "light.kitchen"], None),
        (HALL, ADD, {"item": "Sweep", "name": "Chores"}, [], NOTES["not_allowed"]),
        # Of two with one name, the one that is there.
        (KITCHEN, OFF, {"name": "Front door"}, ["light.front"], None),
        # Where nothing may be changed, a tool that acts is refused, and one that reads
        # is not.
        ({**HALL, **LOOKS}, OFF, {"name": "Hall light"}, [], NOTES["not_from_here"]),
        (LOOKS, OFF, LAMPS, [], NOTES["not_from_here"]),
        (LOOKS, LIVE, {}, [""], None),
    ],
)
async def test_rule_of_a_place_narrows_a_call(
    home: Home,
    rule: dict[str, Any],
    tool: str,
    arguments: dict[str, Any],
    runs: list[str],
    refusal: str | None,
) -> None:
    home.options = {"places": [{"name": "Here", **rule}]}
    verdict = await home.judge(tool, **arguments)
    assert sorted(run.get("name", "") for run in verdict.runs) == runs
    assert (verdict.refusal, verdict.asks) == (refusal, ())


@pytest.mark.parametrize(
    ("arguments", "reached"),
    [
        ({"data": {"entity_id": "lock.front"}}, {"lock.front"}),
        ({"target": {"entity_id": ["lock.front"]}, "data": "{{ x }}"}, {"lock.front"}),
        ({}, set[str]()),
    ],
)
async def test_what_the_tool_for_any_action_acts_on(
    home: Home, arguments: dict[str, Any], reached: set[str]
) -> None:
    used = FakeTool("homeassistant__call_action", probatio.Schema({}))
    _, _, context = await home.open(OFF)
    given = {"action": "lock.unlock", **arguments}
    [target] = JudgedCall(home.hass, used, given, context).targets
    assert target.name == "lock.unlock"
    assert {effect.entity_id for effect in target.reach.effects} == reached


@pytest.mark.parametrize(
    ("step", "runs"),
    [
        ({"action": "light.turn_off", "target": {"entity_id": "light.hall"}}, True),
        ({"action": "light.turn_off", "target": {"entity_id": "light.kitchen"}}, False),
        ({"action": "{{ 'light' }}.turn_off"}, False),
    ],
)
async def test_script_of_a_place_runs_if_all_that_it_does_is_there(
    home: Home, step: dict[str, Any], runs: bool
) -> None:
    script = {"script": {"tidy": {"sequence": [step], "description": "Tidies"}}}
    assert await async_setup_component(home.hass, "script", script)
    hall = ar.async_get(home.hass).async_get_area_by_name("Hall")
    assert hall
    er.async_get(home.hass).async_update_entity("script.tidy", area_id=hall.id)
    async_expose_entity(home.hass, "conversation", "script.tidy", True)
    home.options = {"places": [{"name": "Here", **HALL}]}
    verdict = await home.judge("script__tidy")
    assert bool(verdict.runs) is runs
    assert verdict.refusal == (None if runs else NOTES["not_from_here"])
    # Of several what may be seen there is told, if it stays as it is.
    verdict = await home.judge(ON, area="Hall", domain=["script", "light"])
    ids = ["light.hall", *(["script.tidy"] if runs else [])]
    assert sorted(run["name"] for run in verdict.runs) == ids
    assert verdict.skipped == (() if runs else ("tidy",))
    home.options = {}
    verdict = await home.judge("script__tidy", what="lamp")
    if "target" in step:
        assert verdict.runs == ({"what": "lamp"},)
        asks = await home.judge("script__tidy", must_ask=True)
        assert asked(asks) == [("do_run", (), "")]
    else:
        # Who is asked what cannot be foreseen hears what it is given.
        [ask] = verdict.asks
        assert (ask.phrase, ask.details) == ("do_run_unknown", (("what", "lamp"),))


def of_timers(home: Home, name: str) -> llm.IntentTool:
    handlers = {item.intent_type: item for item in intent.async_get(home.hass)}
    return llm.IntentTool(f"intent__{name}", handlers[name], integration="intent")


async def test_a_timer_carries_out_no_command(home: Home) -> None:
    start = of_timers(home, intent.INTENT_START_TIMER)
    assert (await home.judge(start, minutes=1)).runs
    verdict = await home.judge(start, minutes=1, conversation_command="unlock it")
    assert (verdict.runs, verdict.refusal) == ((), NOTES["no_commands"])


async def test_lists_and_timers_are_asked_about_in_their_own_words(home: Home) -> None:
    """Where the list is known."""
    cancel = of_timers(home, intent.INTENT_CANCEL_ALL_TIMERS)
    home.options = {"tools": {f"intent//{cancel.name}": "ask", f"todo//{ADD}": "ask"}}
    assert asked(await home.judge(cancel)) == [("do_hasscancelalltimers", (), "")]
    for name, lists in (("Chores", ("Chores",)), ("Plans", ())):
        question = ("do_hasslistadditem", lists, "")
        assert asked(await home.judge(ADD, item="Milk", name=name)) == [question]


@pytest.mark.parametrize(
    ("sentence", "declined", "is_asked"),
    [
        ("And now?", "lock.front", False),
        ("And the front door?", "lock.front", True),
        ("And now?", "light.hall", True),
    ],
)
async def test_what_was_declined_is_no_choice_either(
    home: Home, sentence: str, declined: str, is_asked: bool
) -> None:
    home.satellite = None
    home.earlier.declined = [Ask("", {}, frozenset({declined}), "do_turn_off")]
    verdict = await home.judge(OFF, sentence, name="Front door")
    assert bool(verdict.ambiguity) is is_asked
    assert (verdict.sentence == "was_declined") is bool(verdict.refused) is not is_asked
