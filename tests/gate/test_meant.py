"""What the person's own sentence means of a call: it frees, narrows or stops it."""

from typing import Any

from homeassistant.helpers import area_registry as ar
import pytest

from custom_components.lumo.gate.effects import Effect
from custom_components.lumo.gate.judged_call import JudgedCall
from tests.abilities.large_home import add

from .judged_home import ADD, OFF, Home, asked

LIGHTS = {"domain": ["light"]}


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


WIDE: list[tuple[str, Any, str]] = [
    ("Turn off the kitchen spot", {"area": "Kitchen", **LIGHTS}, "light.spot"),
    ("Turn off the kitchen lights", {"area": "Kitchen"}, "light.front light.kitchen light.spot"),
    ("Turn off the kitchen lights now", {"area": "Kitchen", **LIGHTS}, "light.front light.kitchen light.spot"),
    ("Turn off the lights in the kitchen", LIGHTS, "light.front light.kitchen light.spot"),
    ("Turn off the lights", LIGHTS, "light.front light.hall light.kitchen light.spot"),
    ("Turn off the spot if it rains", {"area": "Kitchen", **LIGHTS}, "light.front light.kitchen light.spot"),
]  # fmt: skip


async def test_a_wide_call_is_for_what_is_meant(
    home: Home, subtests: pytest.Subtests
) -> None:
    """Its place and kind, or the only one that has a word of the sentence in its name."""
    add(home.hass, "light.spot", "on", name="Ceiling spot", area="Kitchen")
    for sentence, given, meant in WIDE:
        with subtests.test(f"{sentence} {given}"):
            verdict = await home.judge(OFF, sentence, **given)
            assert " ".join(sorted(item.entity_id for item in verdict.targets)) == meant
            assert not verdict.asks


SET = "light__HassLightSet"


POSSIBLE: list[tuple[str, Any, Any]] = [
    (OFF, {"domain": ["fan"], "device_class": ["tv"]}, {}),
    (OFF, {"name": "Hall light", "domain": ["fan"]}, {"name": "Hall light"}),
    (OFF, {"name": "Hall lights"}, {"area": "Hall", "domain": ["light"]}),
    (OFF, {"name": "Hall lights", "area": "X"}, {"area": "Hall", "domain": ["light"]}),
    (SET, {"name": "Hall lights", "brightness": 5}, {"area": "Hall", "domain": ["light"], "brightness": 5}),
    (OFF, {"name": "Heat"}, {}),
    (OFF, {"name": "Chor"}, {}),
    (OFF, {"name": "Rug"}, {"name": "Rug heater"}),
    (OFF, {"name": "?!"}, {}),
]  # fmt: skip


async def test_what_a_call_can_only_mean(home: Home, subtests: pytest.Subtests) -> None:
    """What a thing is not is left out; a kind and its room are no name."""
    add(home.hass, "switch.rug", "on", name="Rug heater", area="Hall")
    sentence = "Turn off the hall lights and the rug"
    for name, given, changed in POSSIBLE:
        with subtests.test(f"{name} {given}"):
            judge, tool, context = await home.open(name, sentence)
            assert judge.possible(tool, given, context) == (changed or given)


async def test_a_question_names_nothing_to_act_on(home: Home) -> None:
    judge, tool, context = await home.open(OFF, "Turn off the hall light")
    case = JudgedCall(home.hass, tool, {"name": "Hall light"}, context)
    assert (await judge.async_judge(case)).runs
    judge.ask_all()
    verdict = await judge.async_judge(case)
    assert verdict.asks and not verdict.runs


SO = [
    ("Turn on the hall light", True),
    ("Turn off the hall light", False),
    ("Set the heating to 22 degrees", False),
    ("Set the heating to 21 degrees", None),
    ("Sing a song", None),
    ("Turn it off", None),
    ("Turn on lamp 2", True),
    ("Set lamp 2 to 50 percent", None),
    ("Set lamp 2 to 60 percent", False),
    ("Turn off the radio", True),
    ("Turn on the radio", False),
    ("Set the radio to 40 percent", None),
    ("Set the radio to 41 percent", False),
    ("Open the blinds", True),
    ("Close the blinds", False),
    ("Turn everything off", False),
    ("Turn everything on", False),
    ("Turn on the kitchen light", None),
    ("Turn on the hall light if it is dark", None),
    ("Turn the hall light on and off", None),
]


async def test_what_is_so_already(home: Home, subtests: pytest.Subtests) -> None:
    home.hass.states.async_set("climate.hall", "heat", {"temperature": 21})
    add(home.hass, "light.two", "on", name="Lamp 2", area="Hall", brightness=128)
    add(home.hass, "media_player.a", "standby", name="Radio", volume_level=0.4)
    add(home.hass, "cover.a", "open", name="Blinds", current_position=30)
    gone = {"friendly_name": "Kitchen light"}
    home.hass.states.async_set("light.kitchen", "unavailable", gone)
    for sentence, is_so in SO:
        with subtests.test(sentence):
            judge, _, _ = await home.open(OFF, sentence)
            assert judge.named_by_person.is_so() is is_so


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
    # By its id, as the name may be another's by then.
    assert all("." in run["name"] for run in verdict.runs)


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


BEYOND = [
    # A remark means what is here, or what is named, or the only one.
    ("It is too bright", "light.kitchen", False),
    ("It is too bright", "light.hall", True),
    ("The hall light is too bright", "light.hall", False),
    ("It is too warm", "climate.hall", False),
    ("It is too bright in the hall", "light.hall", False),
    ("It is too bright in the hall", "light.kitchen", True),
    ("It is too dark, turn on the lights", "light.hall", False),
    ("Hall light off", "light.hall", False),
    ("Turn off the lamps in the kitchen", "light.hall", True),
    ("Turn off the lamps in the kitchen", "script.hall", False),
    ("Turn off everything in the kitchen", "vacuum.hall", False),
    ("Turn off everything in the kitchen", "lawn_mower.hall", False),
]


async def test_what_is_beyond_the_place_that_is_meant(
    home: Home, subtests: pytest.Subtests
) -> None:
    for roaming in ("script.hall", "vacuum.hall", "lawn_mower.hall"):
        add(home.hass, roaming, "on", name=roaming, area="Hall")
    for sentence, entity_id, is_beyond in BEYOND:
        with subtests.test(f"{sentence} {entity_id}"):
            judge, _, _ = await home.open(OFF, sentence)
            effect = Effect(entity_id, "turn_off")
            assert judge.named_by_person.is_beyond(effect) is is_beyond
