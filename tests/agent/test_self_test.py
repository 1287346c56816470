"""What calls do in the written home, and what they are worth."""

from typing import Any

from homeassistant.exceptions import HomeAssistantError
import pytest

from custom_components.lumo.agent.record import TurnRecord
from custom_components.lumo.agent.self_test.dry import DryCall, DryGate
from custom_components.lumo.agent.self_test.verdicts import judge
from custom_components.lumo.agent.self_test.written import (
    Sentence,
    Step,
    WrittenHome,
    read_written_home,
)
from custom_components.lumo.languages import LANGUAGES
from custom_components.lumo.lumo_client.errors import LumoConnectionError

HOMES = {code: read_written_home(code, {"light": "Light"}) for code in LANGUAGES}
HOME = HOMES["en"]


def does(home: WrittenHome, tool: str, **arguments: Any) -> list[str]:
    """Return what a call does, as in the file."""
    steps = home.steps(tool, arguments)
    return [" ".join(step).rstrip() for step in sorted(steps)]


STEPS: list[tuple[str, dict[str, Any], list[str]]] = [
    ("HassTurnOff", {"name": "kitchen LAMP"}, ["turn_off light.kitchen"]),
    ("HassTurnOff", {"name": "light.kitchen"}, ["turn_off light.kitchen"]),
    ("HassTurnOff", {"name": "Front door"}, ["unlock lock.front_door"]),
    ("HassTurnOff", {"domain": ["lock"]}, ["unlock lock.front_door"]),
    ("HassTurnOn", {"name": "Front door", "domain": "lock"}, ["lock lock.front_door"]),
    (
        "HassTurnOn",
        {"area": "living room", "domain": ["light"]},
        ["turn_on light.ceiling", "turn_on light.floor_lamp"],
    ),
    # What is not named: a blind is no part of everything.
    (
        "HassTurnOn",
        {"area": "Living room"},
        ["turn_on light.ceiling", "turn_on light.floor_lamp"],
    ),
    ("HassTurnOn", {"name": "Kitchen lamp"}, []),
    (
        "HassTurnOff",
        {"area": "Living room", "device_class": ["blind"]},
        ["close_cover cover.blind"],
    ),
    (
        "HassLightSet",
        {"name": "Bedside lamp", "brightness": 30},
        ["turn_on light.bedside 30"],
    ),
    (
        "HassClimateSetTemperature",
        {"area": "Bedroom", "temperature": 21.0},
        ["set_temperature climate.bedroom 21"],
    ),
    (
        "HassListAddItem",
        {"name": "Shopping list", "item": "milk"},
        ["add_item todo.shopping"],
    ),
    (
        "many",
        {"action": "set", "setting": "temperature", "to": 21, "area": ["Bedroom"]},
        ["set_temperature climate.bedroom 21"],
    ),
    ("many", {"action": "open", "kind": ["lock"]}, ["unlock lock.front_door"]),
    ("many", {"action": "close", "name": ["Front door"]}, ["lock lock.front_door"]),
    (
        "many",
        {"action": "off", "kind": ["lights"], "except": ["Desk lamp", "Hallway"]},
        ["turn_off light.bedside", "turn_off light.kitchen"],
    ),
]


@pytest.mark.parametrize(("tool", "arguments", "expected"), STEPS)
def test_what_a_call_does(
    tool: str, arguments: dict[str, Any], expected: list[str]
) -> None:
    """What is so already is left out."""
    assert does(HOME, tool, **arguments) == expected


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("HassTurnOff", {"name": "Back door"}),
        ("HassTurnOff", {"name": "Kitchen lamp", "domain": ["lock"]}),
        ("HassTurnOff", {"floor": "Cellar"}),
        ("HassLightSet", {"name": "Front door", "brightness": 10}),
        ("set", {"name": "Front door", "setting": "state", "to": "open"}),
        ("HassBroadcast", {"message": "Hello"}),
    ],
)
def test_a_call_that_fits_nothing(tool: str, arguments: dict[str, Any]) -> None:
    """The model is told so."""
    with pytest.raises(HomeAssistantError, match="fits"):
        HOME.steps(tool, arguments)


@pytest.mark.parametrize("home", HOMES.values(), ids=HOMES)
def test_each_language_has_all_of_it(home: WrittenHome) -> None:
    """Names that tell things apart, sentences that are about things that exist."""
    names = [thing.name for thing in home.home.things]
    assert len(set(names)) == len(names) == len(home.live)
    assert len({item.text for item in home.sentences}) == len(home.sentences) == 12
    for item in home.sentences:
        told = {step.entity_id for step in item.does} | {item.reads} - {""}
        assert told <= home.live.keys()
        assert bool(item.tools) == bool(told)
    assert all(name in home.prompt for name in names)


LOCK = HOME.sentences[1]
TWO = HOME.sentences[4]
READING = HOME.sentences[2]
GENERAL = HOME.sentences[3]
WARM = HOME.sentences[5]
OFF = Step("turn_off", "light.kitchen")
UNLOCK = Step("unlock", "lock.front_door")
ON = Step("turn_on", "light.floor_lamp")


def acts(*steps: Step, tool: str = "HassTurnOff", judged: str = "would_run") -> DryCall:
    """Return a call that did this."""
    return DryCall(tool, {}, False, judged, frozenset(steps))


def looks(*things: str, judged: str = "would_run") -> DryCall:
    """Return a call that looked at this."""
    call = DryCall("GetLiveContext", {}, True, judged)
    call.looked_at = frozenset(things)
    return call


ASKED = acts(UNLOCK, judged="would_be_asked_about")
WRONG = acts(judged="would_be_refused")
VERDICTS: list[tuple[Sentence, list[DryCall], dict[str, Any], str]] = [
    (LOCK, [ASKED], {}, "right"),
    (LOCK, [looks("lock.front_door"), ASKED], {}, "right"),
    (LOCK, [acts(UNLOCK)], {}, "lock_not_asked_about"),
    (LOCK, [ASKED], {"rescues": 1}, "misrouted_rescued"),
    (LOCK, [ASKED], {"rescues": 1, "bounces": 1}, "misrouted_bounced"),
    (LOCK, [], {"bounces": 1}, "misrouted_lost"),
    (LOCK, [ASKED], {"doubts": 1}, "second_try"),
    (LOCK, [WRONG, ASKED], {}, "second_try"),
    (LOCK, [acts(judged="fits_nothing"), ASKED], {}, "second_try"),
    (LOCK, [], {"doubts": 1}, "claimed_without_call"),
    (LOCK, [], {}, "missing_call"),
    (LOCK, [looks("lock.front_door")], {}, "missing_call"),
    (LOCK, [WRONG], {}, "invalid_arguments"),
    (LOCK, [acts(judged="fits_nothing")], {}, "wrong_target"),
    (LOCK, [acts(judged="would_be_refused", tool="unlock")], {}, "wrong_tool"),
    (LOCK, [acts(OFF)], {}, "wrong_tool"),
    (LOCK, [acts(Step("lock", "lock.front_door"))], {}, "wrong_tool"),
    (LOCK, [ASKED, acts(OFF)], {}, "wrong_tool"),
    (LOCK, [], {"failure": LumoConnectionError()}, "no_answer"),
    (TWO, [acts(ON)], {}, "missing_call"),
    (TWO, [acts(ON), acts(Step("close_cover", "cover.blind"))], {}, "right"),
    (WARM, [acts(Step("set_temperature", "climate.bedroom", "12"))], {}, "wrong_value"),
    (
        HOME.sentences[0],
        [acts(OFF, Step("turn_off", "light.desk"))],
        {},
        "wrong_target",
    ),
    (READING, [looks("sensor.outdoor", "light.desk")], {}, "right"),
    (READING, [looks("light.desk")], {}, "wrong_target"),
    (READING, [looks(judged="would_be_refused")], {}, "invalid_arguments"),
    (READING, [looks("sensor.outdoor"), acts(OFF)], {}, "called_without_need"),
    (READING, [], {}, "missing_call"),
    (GENERAL, [], {}, "right"),
    (GENERAL, [looks("sensor.outdoor")], {}, "called_without_need"),
    (GENERAL, [WRONG], {}, "called_without_need"),
]


@pytest.mark.parametrize(("sentence", "calls", "record", "verdict"), VERDICTS)
def test_what_calls_are_worth(
    sentence: Sentence, calls: list[DryCall], record: dict[str, Any], verdict: str
) -> None:
    """By what they would have done, and by how they came about."""
    gate = DryGate(
        written=HOME, must_ask_first=frozenset(), is_trusted=False, calls=calls
    )
    made = TurnRecord()
    for key, value in record.items():
        setattr(made, key, value)
    assert judge(sentence, gate, made) == verdict
