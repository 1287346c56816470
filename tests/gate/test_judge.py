"""What becomes of a call: it runs, is asked about, or is refused.

The red team plays the same with all of the house; here a fault in the judge is noticed in
seconds, and where it is.
"""

from typing import Any

from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import Context, Event, HomeAssistant, callback
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import (
    area_registry as ar,
    device_registry as dr,
    entity_registry as er,
    llm,
)
from homeassistant.setup import async_setup_component
import probatio
import pytest
from pytest_homeassistant_custom_component.common import (
    MockConfigEntry,
    async_mock_service,
)

from custom_components.lumo.agent.options import AgentOptions
from custom_components.lumo.const import CONF_UNATTENDED, EVENT_TOOL_CALLED
from custom_components.lumo.gate.effects import Effect, way_of
from custom_components.lumo.gate.gate import Gate
from custom_components.lumo.gate.judge import Judge
from custom_components.lumo.gate.judged_call import JudgedCall, Verdict
from custom_components.lumo.gate.notes import NOTES
from custom_components.lumo.gate.speaker import Earlier, Speaker
from tests.abilities.large_home import add, async_prepare
from tests.agent.conftest import FakeTool

OFF, ON = "intent__HassTurnOff", "intent__HassTurnOn"
ADD = "todo__HassListAddItem"
LIVE = "homeassistant__GetLiveContext"
# Whoever says so means them too.
DOORS_TOO = "Everything, and the doors too"
THINGS = [
    ("light.hall", "Hall light", "Hall"),
    ("lock.front", "Front door", "Hall"),
    ("light.front", "Front door", "Kitchen"),
    ("light.kitchen", "Kitchen light", "Kitchen"),
    ("climate.hall", "Heating", "Hall"),
    ("todo.chores", "Chores", "Kitchen"),
]


class Home:
    """A home, and a judge for each sentence."""

    def __init__(self, hass: HomeAssistant) -> None:
        self.hass = hass
        self.satellite: str | None = None
        self.earlier = Earlier()
        self.person = True
        self.behind: Speaker | None = None
        self.language = "en"
        self.options: dict[str, Any] = {}

    async def open(
        self, tool: str, sentence: str = "Do it"
    ) -> tuple[Judge, llm.Tool, llm.LLMContext]:
        """Return the judge of a turn, and a tool."""
        context = llm.LLMContext(
            "lumo", Context(user_id="anna"), "en", "conversation", self.satellite
        )
        api = await llm.async_get_api(self.hass, llm.LLM_API_ASSIST, context)
        judge = Judge(
            self.hass,
            AgentOptions.from_subentry(self.options, encrypted=True),
            Speaker(
                "anna", None, self.person, sentence, self.language, behind=self.behind
            ),
            self.earlier,
        )
        return judge, next(item for item in api.tools if item.name == tool), context

    async def judge(
        self, tool: str, /, sentence: str = "Do it", *, approved: Any = (), **more: Any
    ) -> Verdict:
        outside, asks = more.pop("after_outside", False), more.pop("must_ask", False)
        judge, found, context = await self.open(tool, sentence)
        case = JudgedCall(
            self.hass, found, more, context, frozenset(approved), must_ask=asks
        )
        return await judge.async_judge(case, after_outside=outside)


@pytest.fixture
async def home(hass: HomeAssistant) -> Home:
    entry = MockConfigEntry()
    entry.add_to_hass(hass)
    for domain in (
        *("homeassistant", "conversation", "intent"),
        *("light", "lock", "climate", "todo", "media_player"),
    ):
        assert await async_setup_component(hass, domain, {})
    await async_prepare(hass)
    for entity_id, name, area in THINGS:
        add(hass, entity_id, "on", name=name, area=area, supported_features=1)
    home = Home(hass)
    device = dr.async_get(hass).async_get_or_create(
        config_entry_id=entry.entry_id, identifiers={("test", "satellite")}
    )
    kitchen = ar.async_get(hass).async_get_area_by_name("Kitchen")
    assert kitchen
    dr.async_get(hass).async_update_device(device.id, area_id=kitchen.id)
    home.satellite = device.id
    return home


def asked(verdict: Verdict) -> list[tuple[str, tuple[str, ...], str]]:
    return [(ask.phrase, ask.targets, ask.value) for ask in verdict.asks]


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


@pytest.mark.parametrize(
    ("sentence", "is_kept"),
    [
        ("Turn off the hall light", False),
        ("Turn off the hall light in the kitchen", True),
        ("Turn off the hall light in the galley", True),
    ],
)
async def test_a_place_that_was_said_is_kept(
    home: Home, sentence: str, is_kept: bool
) -> None:
    """By an alias too; one that the model made up is dropped where the name is clear."""
    areas = ar.async_get(home.hass)
    kitchen = areas.async_get_area_by_name("Kitchen")
    assert kitchen
    areas.async_update(kitchen.id, aliases={"Galley"})
    judge, tool, context = await home.open(OFF, sentence)
    given = {"name": "Hall light", "area": "Kitchen"}
    assert ("area" in judge.possible(tool, given, context)) is is_kept


async def test_a_question_names_nothing_to_act_on(home: Home) -> None:
    judge, tool, context = await home.open(OFF, "Is the hall light on?")
    case = JudgedCall(home.hass, tool, {"name": "Hall light"}, context)
    assert (await judge.async_judge(case)).runs
    judge.ask_all()
    verdict = await judge.async_judge(case)
    assert verdict.asks and not verdict.runs


async def test_what_failed_is_not_counted_as_done(home: Home) -> None:
    _, tool, context = await home.open(OFF)
    case = JudgedCall(home.hass, tool, {"area": "Kitchen"}, context)
    light = {"type": "entity", "id": "light.kitchen"}
    told: Any = {"success": [light], "failed": []}
    done, reached = case.done(case.targets, llm.ToolResult(data={"data": told}))
    assert {item.entity_id for item in (*done, *reached)} == {"light.kitchen"}
    done, _ = case.done(case.targets, llm.ToolResult(data={}))
    assert len(done) > 1


def test_a_volume_is_told_in_percent() -> None:
    loud = {"volume_level": 0.4}
    assert Effect("media_player.hall", "volume_set", loud).value == "40"
    assert Effect("media_player.hall", "volume_up", loud).value != "40"


async def test_a_value_goes_up_or_down(hass: HomeAssistant) -> None:
    hass.states.async_set("climate.a", "heat", {"temperature": 20})
    hass.states.async_set("light.a", "on", {"brightness": 128})

    def way(entity_id: str, **data: float) -> str:
        return way_of(hass, Effect(entity_id, "set", data))

    assert [way("climate.a", temperature=t) for t in (19, 20, 21)] == ["down", "", "up"]
    assert [way("light.a", brightness_pct=p) for p in (49, 51)] == ["down", "up"]


@pytest.mark.parametrize(
    ("sentence", "is_so"),
    [
        ("Turn on the hall light", True),
        ("Turn off the hall light", False),
        ("Set the heating to 22 degrees", False),
        ("Set the heating to 21 degrees", None),
        ("Sing a song", None),
    ],
)
async def test_what_is_so_already(
    home: Home, sentence: str, is_so: bool | None
) -> None:
    home.hass.states.async_set("climate.hall", "heat", {"temperature": 21})
    judge, _, _ = await home.open(OFF, sentence)
    assert judge.named_by_person.is_so() is is_so


async def test_mixed_call_is_split(home: Home) -> None:
    """The harmless run by entity id, the question is about the lock."""
    verdict = await home.judge(OFF, DOORS_TOO, area="Hall")
    names = {run["name"] for run in verdict.runs}
    assert names == {"light.hall", "climate.hall"}
    assert asked(verdict) == [("do_unlock", ("Front door",), "")]
    [ask] = verdict.asks
    assert ask.arguments == {"name": "lock.front", "domain": ["lock"]}
    assert ask.details == ()
    again = await home.judge(OFF, approved=ask.entities, **ask.arguments)
    assert again == Verdict(runs=(ask.arguments,))


@pytest.mark.parametrize(
    ("sentence", "more", "asks"),
    [
        ("Turn everything off", {}, False),
        ("Alles aus", {"name": "all"}, False),
        ("Turn off everything, the front door too", {}, True),
        ("Alles aus, auch die Türen", {}, True),
        ("Turn everything off", {"domain": ["lock", "light"]}, True),
    ],
)
async def test_everything_is_no_door(
    home: Home, sentence: str, more: dict[str, Any], asks: bool
) -> None:
    verdict = await home.judge(OFF, sentence, area="Hall", **more)
    assert "light.hall" in {run["name"] for run in verdict.runs}
    assert bool(verdict.asks) is asks
    assert verdict.skipped == (() if asks else ("Front door",))
    assert "lock.front" not in {run["name"] for run in verdict.runs}


@pytest.mark.parametrize(
    ("sentence", "asks"),
    [("Turn off everything in the garage", False), ("Unlock the garage door", True)],
)
async def test_room_of_a_door_is_no_door(home: Home, sentence: str, asks: bool) -> None:
    """Its name is a word for a door, and still a room."""
    hall = ar.async_get(home.hass).async_get_area_by_name("Hall")
    assert hall is not None
    ar.async_get(home.hass).async_update(hall.id, name="Garage")
    verdict = await home.judge(OFF, sentence, area="Garage")
    assert bool(verdict.asks) is asks


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
    home.satellite = None
    # Without a preference a person chooses, where there is one.
    verdict = await home.judge(OFF, name="Front door")
    assert [ask.phrase for ask in verdict.ambiguity] == ["do_unlock", "do_turn_off"]
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


@pytest.mark.parametrize(
    ("sentence", "arguments", "is_asked"),
    [
        ("What is new?", {"name": "Hall light"}, True),
        ("Turn off the hall light", {"name": "Hall light"}, False),
        ("Turn everything off in the kitchen", {"area": "Kitchen"}, False),
        ("Turn off the hall light", {"name": "Kitchen light"}, True),
    ],
)
async def test_after_text_from_outside_only_what_was_named_runs(
    home: Home, sentence: str, arguments: dict[str, Any], is_asked: bool
) -> None:
    """A lamp too."""
    verdict = await home.judge(OFF, sentence, after_outside=True, **arguments)
    assert bool(verdict.asks) is is_asked
    assert bool(verdict.runs) is not is_asked


async def test_after_text_from_outside_each_target_must_be_named(home: Home) -> None:
    """What was named runs at once; of the others the question says each one."""
    verdict = await home.judge(
        OFF, "The hall light, off it goes", after_outside=True, domain=["light", "lock"]
    )
    assert [run["name"] for run in verdict.runs] == ["light.hall"]
    assert sorted(asked(verdict)) == [
        ("do_turn_off", ("Front door",), ""),
        ("do_turn_off", ("Kitchen light",), ""),
        ("do_unlock", ("Front door",), ""),
    ]


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
    """Home Assistant takes the only one there is."""
    tool = "climate__HassClimateSetTemperature"
    verdict = await home.judge(tool, temperature=50.0)
    assert asked(verdict) == [("do_set_temperature", ("Heating",), "50")]
    add(
        home.hass,
        "climate.hall_2",
        "heat",
        name="Rug",
        area="Hall",
        supported_features=1,
    )
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
    choice = {"intent//intent__HassTurnOff": "ask"}
    home.options = {"tools": choice}
    verdict = await home.judge(OFF, area="Hall")
    assert asked(verdict) == [("do_use_with", (), "")]
    verdict = await home.judge(OFF, DOORS_TOO, area="Hall")
    assert not verdict.runs
    assert asked(verdict) == [
        ("do_use_with", (), ""),
        ("do_unlock", ("Front door",), ""),
    ]
    assert verdict.asks[0].details == (("area", "Hall"),)
    assert {ask.arguments_key for ask in verdict.asks} == {'{"area": "Hall"}'}
    approved = frozenset[str]().union(*(ask.entities for ask in verdict.asks))
    again = await home.judge(OFF, DOORS_TOO, approved=approved, area="Hall")
    assert again == Verdict(runs=({"area": "Hall"},))
    # What was not named in the question is asked about.
    again = await home.judge(OFF, DOORS_TOO, approved={OFF}, area="Hall")
    assert asked(again) == [("do_unlock", ("Front door",), "")]
    # A yes to something else is none to the tool.
    again = await home.judge(OFF, approved={"light.kitchen"}, area="Kitchen")
    assert asked(again) == [("do_use_with", (), "")]


@pytest.mark.parametrize(
    ("sentence", "is_asked"),
    [("Add milk to my list", False), ("What is on my list?", True)],
)
async def test_item_is_named_by_itself(
    home: Home, sentence: str, is_asked: bool
) -> None:
    verdict = await home.judge(
        ADD, sentence, after_outside=True, item="Milk", name="Chores"
    )
    assert bool(verdict.asks) is is_asked


async def test_value_alone_names_no_lamp(home: Home) -> None:
    """That the sentence has a number in it says nothing of the lamp."""
    verdict = await home.judge(
        "light__HassLightSet",
        "What are the 50 newest mails?",
        after_outside=True,
        name="Hall light",
        brightness=50,
    )
    assert verdict.asks


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
    home.earlier.declined = frozenset({"lock.front"})
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
    home.options = {}
    verdict = await home.judge("script__tidy", what="lamp")
    if "target" in step:
        assert verdict.runs == ({"what": "lamp"},)
        asks = await home.judge("script__tidy", must_ask=True)
        assert asked(asks) == [("do_use", (), "")]
    else:
        # Who is asked what cannot be foreseen hears what it is given.
        [ask] = verdict.asks
        assert (ask.phrase, ask.details) == ("do_run_unknown", (("what", "lamp"),))
