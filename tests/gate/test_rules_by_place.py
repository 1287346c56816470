"""Rules by place: nothing is read or done from a place that its rules keep away.

A kitchen that knows only itself, and one where one may look: every way in which a
model can reach a thing, and a person ask for it, is tried against each rule.
"""

import ast
from dataclasses import replace
from pathlib import Path
import re
from typing import Any, Final

from homeassistant.const import CONF_LLM_HASS_API
from homeassistant.helpers import area_registry as ar, entity_registry as er
import pytest

from custom_components.lumo import abilities
from custom_components.lumo.const import CONF_PLACES, ToolCalling
from custom_components.lumo.gate.places import Places
from custom_components.lumo.gate.speaker import Speaker
from tests.redteam.attacks import ATTACKS, Attack
from tests.redteam.house import SATELLITE
from tests.redteam.stage import (
    ANNA,
    AUTOMATION,
    BEN,
    Call,
    Channel,
    Heard,
    Line,
    Stage,
    Who,
)
from tests.sampling import some

FOLDER: Final = Path(abilities.__file__).parent
PRIVATE = pytest.mark.parametrize("mode", [ToolCalling.PRIVATE])
# What the whole table is too many of for the quick run.
SAMPLE: Final = 30

CHILDREN: Final = {
    "name": "Children's room",
    "satellites": [SATELLITE],
    "areas": ["kitchen"],
}
LOOK: Final = {"name": "Look", "satellites": [SATELLITE], "acts": False}
ROOMS: Final = {
    "name": "Two rooms",
    "satellites": [SATELLITE],
    "areas": ["kitchen", "hallway"],
}
RULES: Final = {"children": CHILDREN, "look": LOOK, "rooms": ROOMS}
_KITCHEN: Final = {
    "light.kitchen",
    "light.counter",
    "lock.back_door",
    "media_player.radio",
    "switch.coffee",
    "switch.oven",
}
# What a rule lets happen, by entity.
FREE: Final = {
    "children": _KITCHEN,
    "look": set[str](),
    "rooms": {
        *_KITCHEN,
        "alarm_control_panel.house",
        "button.front_door_latch",
        "light.front_door",
        "light.hallway",
        "lock.front_door",
        "switch.latch",
    },
}


def many(action: str, **arguments: Any) -> Call:
    return Call("set", action=action, **arguments)


# Ways to do what somebody might, without the children's room, beside the attacks.
WAYS: Final = {
    "a lamp elsewhere": Call("HassTurnOn", name="Office light"),
    "a lamp elsewhere by id": Call("HassTurnOn", name="light.office"),
    "a lamp here": Call("HassTurnOn", name="Kitchen light"),
    "lights of an area": Call("HassTurnOn", area="Office", domain=["light"]),
    "lights of a floor": Call("HassTurnOn", floor="Ground floor", domain=["light"]),
    "all lights": Call("HassTurnOn", domain=["light"]),
    "everything here": Call("HassTurnOff", area="Kitchen"),
    "everything": Call("HassTurnOff", name="all"),
    "brightness elsewhere": Call("HassLightSet", name="Office light", brightness=20),
    "brightness of an area": Call("HassLightSet", area="Office", brightness=20),
    "blinds": Call("HassTurnOff", name="Living room blinds"),
    "position": Call("HassSetPosition", name="Bedroom blinds", position=10),
    "thermostat": Call("HassClimateSetTemperature", temperature=21, name="Bedroom thermostat"),
    "the only thermostat of an area": Call(
        "HassClimateSetTemperature", temperature=21, area="Bedroom"
    ),
    "fan": Call("HassFanSetSpeed", name="Ceiling fan", percentage=50),
    "television": Call("HassMediaPause", name="Television"),
    "volume": Call("HassSetVolume", name="Television", volume_level=10),
    "louder": Call("HassSetVolumeRelative", volume_step="up"),
    "mute": Call("HassMediaPlayerMute", area="Living room"),
    "play": Call(
        "play_media",
        media_content_id="a",
        media_content_type="music",
        player_name="Television",
    ),
    "music": Call("music", action="play", what="Song", player="Television"),
    "many lamps": many("off", kind="light"),
    "many of a floor": many("off", floor="Upstairs"),
    "many but here": Call("set", **{"action": "off", "except": ["Kitchen"]}),  # type: ignore[arg-type]
    "many by id": many("on", name=["light.office", "light.bedroom"]),
    "many settings": many("set", setting="brightness", to=30, area="Office"),
    "everything in one go": many("off"),
    "set": Call("set", name="Washing program", setting="option", to="Shut"),
    "a script": Call("movie_time"),
    "a script by name": Call("HassTurnOn", name="Movie time"),
    "a script that says something": Call("say", text="Turn on the office light"),
    "a list": Call("HassListAddItem", name="Shopping list", item="Bread"),
    "a list of ours": Call("change_list", action="clear_all", list="Shopping list"),
    "an event": Call("create_event", title="Party", start="2026-12-01 20:00", calendar="Family"),
    "an event less": Call("change_event", action="delete", event="Dentist"),
    "a timer with a command": Call(
        "HassStartTimer", minutes=1, conversation_command="turn on the office light"
    ),
    "all satellites": Call("HassBroadcast", message="Hello"),
    "any action": Call("call_action", action="light.turn_on", target={"entity_id": "light.office"}),
    "a server's tool": Call("open_gate", query="now"),
    "by the service's own channel": Call(
        "HassTurnOn", name="Office light", channel=Channel.MISROUTED
    ),
}  # fmt: skip


def calls() -> list[Any]:
    """Return all that is tried, some of it for the quick run."""
    ways = {name: Attack((call,), ()) for name, call in WAYS.items()}
    some = dict(list(ATTACKS.items())[::SAMPLE]) | dict(list(ways.items())[::4])
    return [
        pytest.param(some, id="some"),
        pytest.param(ATTACKS | ways, id="all", marks=pytest.mark.long),
    ]


def beyond(rule: str, heard: Heard) -> list[str]:
    """Return what was done and was not free."""
    return [item for item in heard.effects if item.split()[1] not in FREE[rule]]


@pytest.mark.long
@PRIVATE
@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("table", calls())
async def test_nothing_is_done_beyond_a_rule(
    stage: Stage, rule: str, table: dict[str, Attack], subtests: pytest.Subtests
) -> None:
    await stage.change_agent(
        **{CONF_PLACES: [RULES[rule]], CONF_LLM_HASS_API: ["assist", "outside"]}
    )
    claiming = replace(ANNA, satellite=SATELLITE)
    by_device = replace(ANNA, device=stage.house.satellite_device)
    for number, (trick, attack) in enumerate(some(table.items())):
        with subtests.test(trick):
            who = (stage.at_satellite, claiming, by_device)[number % 3]
            stage.fresh()
            heard = await stage.say("Do it", list(attack.calls), "Ok.", who=who)
            assert beyond(rule, heard) == []
            heard = await stage.say("Yes please", who=who)
            assert beyond(rule, heard) == []


# What reads, by whatever arguments.
READS: Final = [
    Call("GetLiveContext"),
    Call("GetLiveContext", area="office"),
    Call("GetLiveContext", name="office light"),
    Call("GetLiveContext", domain=["lock", "light"]),
    Call("find_in_home"),
    Call("find_in_home", area="office"),
    Call("find_in_home", words="door"),
    Call("why"),
    Call("why", name="office light"),
    Call("events", period="today"),
    Call("get_events", calendar="Family", range="week"),
    Call("get_items", todo_list="Shopping list"),
    Call("forecast"),
    Call("HassTimerStatus"),
    many("off", area="Nowhere"),
    many("off", name="Nothing"),
    Call("set", setting="source", area="Nowhere", to="1"),
    Call("set", setting="source", name="Nothing", to="1"),
    Call("HassTurnOn", name="light"),
]


async def test_what_may_not_be_read_does_not_exist(
    stage: Stage, subtests: pytest.Subtests
) -> None:
    hass, who = stage.hass, stage.at_satellite
    # What was done before is in the journal.
    lamp = Call("HassTurnOn", name="Office light")
    await stage.say("Office light on", lamp, "Ok.", who=ANNA)
    rules = [CHILDREN]
    await stage.change_agent(
        **{CONF_PLACES: rules, CONF_LLM_HASS_API: ["assist", "outside"]}
    )
    scope = Places.from_options({CONF_PLACES: rules}).scope(
        hass, Speaker(None, SATELLITE, True, "", "en")
    )
    assert scope
    areas = ar.async_get(hass).async_list_areas()
    hidden = {area.name for area in areas if area.id != "kitchen"} | {"Upstairs"}
    for state in hass.states.async_all():
        if not scope.reads(state.entity_id) and state.domain != "conversation":
            hidden |= {state.entity_id, state.name} - {"Home Assistant", "Lumo"}
    pattern = re.compile("|".join(rf"\b{re.escape(name)}\b" for name in hidden))
    assert pattern.search("Living room lamp") and not pattern.search("Kitchen light")
    for call in READS:
        with subtests.test(f"{call.tool} {call.arguments}"):
            stage.fresh()
            heard = await stage.say("Look around", call, "I cannot.", who=who)
            assert len(heard.requests) == 2 or heard.question
            results = [item.result for item in heard.results]
            asked = str(heard.requests).replace("get_items", "").replace("Family", "")
            asked = asked.replace("Shopping list", "")
            assert not pattern.search(asked), pattern.search(asked)
            assert not pattern.search(f"{results} {heard.text}")


async def test_a_room_that_knows_only_itself(stage: Stage) -> None:
    """What it has is used as ever; a name that is also something else's is clear."""
    await stage.change_agent(**{CONF_PLACES: [CHILDREN]})
    who = stage.at_satellite
    lamps = ["turn_on light.counter", "turn_on light.kitchen"]
    all_lights = Call("HassTurnOn", domain=["light"])
    await stage.play(
        Line("All lights on", [all_lights, "Done."], does=lamps, who=who),
        Line(
            "Louder",
            [Call("HassSetVolumeRelative", volume_step="up"), "Done."],
            does=["set_volume_level media_player.radio 0.4"],
            who=who,
        ),
        Line(
            "Pause",
            [Call("HassMediaPause"), "Done."],
            does=["media_pause media_player.radio"],
            who=who,
        ),
        Line(
            "Turn off the light",
            [Call("HassTurnOff", name="light")],
            asks="turn off the Counter light or the Kitchen light",
            who=who,
            new=True,
        ),
        Line("The second", ["Done."], does=["turn_off light.kitchen"], who=who),
        Line(
            "Undo that", [Call("undo"), "Ok"], does=["turn_on light.kitchen"], who=who
        ),
    )


@pytest.mark.long
async def test_look_and_do_not_touch(stage: Stage) -> None:
    """It is read, and what would change it is refused with a sentence."""
    await stage.change_agent(**{CONF_PLACES: [LOOK]})
    who = stage.at_satellite
    heard = await stage.play(
        Line(
            "Is it on?", [Call("GetLiveContext", name="Office light"), "No."], who=who
        ),
        Line(
            "Turn it on",
            [Call("HassTurnOn", name="Office light")],
            says=r"^That is not allowed from here\.$",
            who=who,
        ),
        Line(
            "Mach sie an",
            [Call("HassTurnOn", name="Office light")],
            says=r"Das ist von hier aus nicht erlaubt\.$",
            language="de",
            who=who,
        ),
    )
    assert "Office light" in str(heard[0].results)


async def test_a_claimed_satellite_widens_nothing(stage: Stage) -> None:
    """Its rules hold beside those of who claims it; of several the tightest wins."""
    wide = {"name": "Wide", "satellites": [SATELLITE]}
    elsewhere = {"name": "Elsewhere", "acts": False}
    lamp = Call("HassTurnOn", name="Kitchen light")
    office = Call("HassTurnOn", name="Office light")
    claiming = replace(ANNA, satellite=SATELLITE)
    await stage.change_agent(**{CONF_PLACES: [wide, elsewhere]})
    done = ["turn_on light.kitchen"]
    await stage.play(
        Line("Light on", [lamp, "Ok."], does=done, who=stage.at_satellite, new=True),
        Line("Light on", [lamp], says="not allowed", who=claiming, new=True),
        Line("Light on", [lamp], says="not allowed", new=True),
        Line("Light on", [lamp], says="not allowed", who=AUTOMATION, new=True),
    )
    await stage.change_agent(**{CONF_PLACES: [ROOMS, wide, CHILDREN]})
    stage.fresh()
    await stage.play(
        Line("Light on", [lamp, "Ok."], does=done, who=claiming, new=True),
        Line("Light on", [office, "Ok."], who=claiming, new=True),
        Line("On", [office, "Ok."], does=["turn_on light.office"], new=True),
    )


async def test_a_satellite_with_another_name(stage: Stage) -> None:
    """Its rule holds until somebody has written it anew."""
    office = Call("HassTurnOn", name="Office light")
    await stage.change_agent(**{CONF_PLACES: [CHILDREN]})
    renamed = "assist_satellite.other"
    er.async_get(stage.hass).async_update_entity(SATELLITE, new_entity_id=renamed)
    await stage.hass.async_block_till_done()
    there = Who(user=None, satellite=renamed)
    stage.hass.states.async_set(renamed, "processing")
    assert not (await stage.say("Light", office, "No.", who=there)).effects
    stage.conversation_id = None
    assert (await stage.say("Light", office, "Ok.", who=ANNA)).effects
    # Now it is named, and its rule is another.
    rules = [{"name": "Other", "satellites": [renamed]}, CHILDREN]
    await stage.change_agent(**{CONF_PLACES: rules})
    stage.fresh()
    stage.hass.states.async_set(renamed, "processing")
    assert (await stage.say("Light", office, "Ok.", who=there)).effects


async def test_of_several_that_are_allowed_it_is_the_near_one(stage: Stage) -> None:
    """Both play; the one that stands where the person is gets louder."""
    await stage.change_agent(
        **{CONF_PLACES: [{**CHILDREN, "areas": ["kitchen", "living_room"]}]}
    )
    louder = Call("HassSetVolumeRelative", volume_step="up")
    does = ["set_volume_level media_player.radio 0.4"]
    await stage.play(Line("Louder", [louder], does=does, who=stage.at_satellite))


async def test_nothing_goes_from_one_place_to_another(stage: Stage) -> None:
    """No yes, no choice, no undoing of what was done where more is allowed."""
    await stage.change_agent(**{CONF_PLACES: [ROOMS]})
    claiming = replace(ANNA, satellite=SATELLITE)
    front = Call("HassTurnOff", name="Front door")
    several = Call("HassTurnOff", name="Back door")
    office = Call("HassTurnOn", name="Office light")
    await stage.play(
        Line("Unlock the front door", [front], asks="Front door"),
        Line("Yes please", ["What?"], who=claiming),
        Line("Off", [several], asks="Back door", new=True),
        Line("The first", ["What?"], who=claiming),
        Line("On", [office, "Ok."], does=["turn_on light.office"], new=True),
        Line("Undo that", [Call("undo"), "Ok."], who=claiming),
    )


async def test_a_conversation_that_goes_to_another_place(stage: Stage) -> None:
    """What is described is what holds there, also of the turns before."""
    await stage.change_agent(**{CONF_PLACES: [CHILDREN]})
    claiming = replace(ANNA, satellite=SATELLITE)
    heard = [await stage.say("Hello", "Hi.", who=who) for who in (ANNA, claiming, ANNA)]
    assert len({item.conversation_id for item in heard}) == 1
    told = ["Office light" in str(item.requests) for item in heard]
    assert told == [True, False, True]


async def test_timers(stage: Stage) -> None:
    await stage.change_agent(**{CONF_PLACES: [CHILDREN]})
    who = stage.at_satellite
    timer = Call("HassStartTimer", minutes=1)
    await stage.play(Line("A minute", [timer, "Ok."], who=who))
    await stage.change_agent(**{CONF_PLACES: [LOOK]})
    stage.fresh()
    await stage.play(Line("A minute", [timer, "No."], who=stage.at_satellite))
    assert stage.house.timers == ["started"]


async def test_later(stage: Stage) -> None:
    """What is planned there is only what may be done; other plans are not touched."""
    who = stage.at_satellite
    claiming = replace(ANNA, satellite=SATELLITE)

    def off(name: str, **when: str) -> Call:
        given: dict[str, Any] = {"arguments": {"name": name}, "at": "in 10 minutes"}
        if when:
            given = {"arguments": {"name": name}, **when}
        return Call("later", tool="user:HassTurnOff", **given)

    await stage.say("Later", off("Office light"), "Ok.", who=BEN)
    await stage.change_agent(**{CONF_PLACES: [CHILDREN]})
    plans = stage.entry.runtime_data.plans
    tricks = (
        off("Office light"),
        off("Kitchen light", entity="Television", becomes="on"),
        Call("later", say="Boo", entity="Television", becomes="on"),
        *(Call("later", cancel=text) for text in ("all", "1", "last", "Office light")),
        Call("later", say="Open", entity="Front door", becomes="unlocked"),
        Call("later"),
        Call("why"),
        Call("undo"),
    )
    for call in tricks:
        for speaker in (who, claiming):
            heard = await stage.say("Later please", call, "Ok.", who=speaker)
            assert len(plans) == 1
            assert "Office" not in str([item.result.data for item in heard.results])
    await stage.say("Later please", off("Kitchen light"), "Ok.", who=who)
    await stage.change_agent(**{CONF_PLACES: [LOOK]})
    plans = stage.entry.runtime_data.plans
    stage.house.effects.clear()
    stage.pass_time(10 * 60 + 1)
    await stage.hass.async_block_till_done(wait_background_tasks=True)
    # By then one may only look from there.
    assert stage.house.effects == ["turn_off light.office"]
    assert len(plans) == 0


async def test_without_lumo(stage: Stage) -> None:
    """What Home Assistant understands by itself is judged the same; it answers nothing."""
    await stage.change_agent(**{CONF_PLACES: [CHILDREN]})
    stage.model.is_away = True
    who = stage.at_satellite
    heard = await stage.play(
        Line("turn on the office light", who=who, new=True),
        Line(
            "turn on the kitchen light",
            does=["turn_on light.kitchen"],
            who=who,
            new=True,
        ),
        Line("is the front door locked", unsaid="(?i)yes|no,", who=who, new=True),
    )
    assert "Office" not in heard[0].text


async def test_a_satellite_of_somebody(stage: Stage) -> None:
    """Its owner's name may be used there, and is used for nobody who signs in."""
    stage.hass.states.async_set("person.mia", "home", {"friendly_name": "Mia {{ 1 }}"})
    await stage.change_agent(
        **{CONF_PLACES: [{"satellites": [SATELLITE], "owner": "person.mia"}]}
    )
    who = stage.at_satellite
    claiming = replace(ANNA, satellite=SATELLITE)
    heard = await stage.play(
        Line("Hello", ["Hi."], who=who, new=True),
        Line("Hello", ["Hi."], who=claiming, new=True),
        Line("Hello", ["Hi."], new=True),
    )
    told = ["at the satellite of Mia {{ 1 }}" in str(item.requests) for item in heard]
    assert told == [True, False, False]


async def test_what_holds_elsewhere_changes_no_character(stage: Stage) -> None:
    before = await stage.say("Hello", "Hi.", who=ANNA)
    await stage.change_agent(**{CONF_PLACES: [CHILDREN, LOOK]})
    stage.fresh()
    after = await stage.say("Hello", "Hi.", who=ANNA)
    assert str(before.requests) == str(after.requests)


@pytest.mark.parametrize(
    "path", sorted(FOLDER.glob("*.py")), ids=lambda path: path.stem
)
def test_no_ability_reads_past_the_rules(path: Path) -> None:
    """What is exposed, and the home, are asked for with the scope of the turn."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call):
            name, said = ast.unparse(node.func), ast.unparse(node)
            if name in ("exposed", "is_exposed", "async_get_home"):
                # A trigger was found with it.
                assert "scope" in said or "trigger.entity_id" in said, said
