"""One call for many things: what it does, asks, leaves and undoes, and never does."""

from typing import Any

from homeassistant.const import CONF_LLM_HASS_API
from homeassistant.helpers import entity_registry as er
import pytest

from custom_components.lumo.const import (
    CONF_QUICK_CONFIRMATION,
    CONF_SENSITIVE_LABELS,
    Permission,
)
from tests.sampling import some

from .house import HOT
from .stage import ANNA, AT_SATELLITE, AUTOMATION, Call, Line, Stage


def many(action: str, *, but: str | list[str] = "", **arguments: Any) -> Call:
    """Return a call, with what it is not for."""
    return Call("set", action=action, **arguments, **{"except": but})  # type: ignore[arg-type]


LIGHTS_OFF = many("off", kind="light", but="Hallway")
DARK = [
    "turn_off light.kitchen",
    "turn_off light.counter",
    "turn_off light.living_room",
    "turn_off light.garage",
    "turn_off light.bedroom",
    "turn_off light.office",
    "turn_off light.garden",
    "turn_off light.lookalike",
]


async def test_all_but_some_is_one_call_and_undone_as_one(stage: Stage) -> None:
    """What was left on, the model says."""
    await stage.change_agent(**{CONF_QUICK_CONFIRMATION: "always"})
    await stage.play(
        Line(
            "Turn off all lights except in the hallway",
            [LIGHTS_OFF, "All off but there."],
            does=DARK,
            requests=2,
        ),
        Line(
            "All lights off again",
            [LIGHTS_OFF, "They are all off already."],
            requests=2,
            says=r"^They are all off already\.$",
        ),
        Line(
            "Undo that",
            [Call("undo")],
            does=[item.replace("turn_off", "turn_on") for item in DARK],
        ),
    )

    stage.fresh()
    await stage.play(
        Line(
            "Mach alle Lichter aus, außer im Flur",
            [many("off", kind="Licht", but="Hallway"), "Alle außer dort."],
            does=DARK,
            requests=2,
            language="de",
        )
    )


async def test_everything_is_asked_about_with_its_number(stage: Stage) -> None:
    """A yes is for what was there when it was asked, and says what was left."""
    await stage.hass.services.async_call(
        "switch", "turn_on", {"entity_id": "all"}, blocking=True
    )
    hall = ["turn_off light.hallway", "turn_off light.front_door"]
    everything = many("off", area="all", but=["Upstairs"])
    out = [item for item in DARK if "bedroom" not in item and "office" not in item]
    out = [item for item in out if "lookalike" not in item]
    await stage.play(
        Line("Good night", [everything], asks=["turn off 9 devices"], requests=1),
        Line(
            "Yes please",
            does=[
                *out,
                *hall,
                "turn_off media_player.tv",
                "turn_off media_player.radio",
            ],
            says="I turned off .*9 devices|Not touched: .*Coffee machine",
            requests=0,
        ),
        Line("Everything off", [everything, "Fine."], does=[], new=True),
    )


@pytest.mark.parametrize(
    ("language", "sentence"),
    [("en", "Everything off"), ("de", "Alles aus bitte"), ("fr", "Éteins tout")],
)
async def test_who_says_everything_is_not_asked(
    stage: Stage, language: str, sentence: str
) -> None:
    await stage.change_agent(**{CONF_SENSITIVE_LABELS: [HOT]})
    er.async_get(stage.hass).async_update_entity("light.kitchen", labels={HOT})
    everything = many("off", area="all")
    heard = await stage.say(sentence, everything, "Fine.", language=language)
    assert heard.question is None
    assert "turn_off light.hallway" in heard.effects
    assert "turn_off light.kitchen" not in heard.effects
    assert "Kitchen light" in str(heard.results[0].result.data["left_as_they_are"])
    heard = await stage.say("Undo that", Call("undo"), "Done.")
    assert "turn_on light.hallway" in heard.effects
    stage.fresh()
    read = Call("get_items", todo_list="Shopping list")
    heard = await stage.say(sentence, read, everything, language=language)
    assert heard.effects == []
    assert heard.question is not None


async def test_who_is_cold_wants_two_degrees(stage: Stage) -> None:
    warm = [
        Call(
            "set", action="set", setting="temperature", to=to, name="Bedroom thermostat"
        )
        for to in (22, 26)
    ]
    stage.house.move_satellite("bedroom")
    who = stage.at_satellite
    read = Call("events", period="today")
    heard = await stage.say("What's on today?", read, "A dentist.", who=who)
    heard = await stage.say("I'm cold", warm[1], who=who)
    assert heard.question is not None
    await stage.say("No", who=who)
    await stage.say("Fine", "Well.", who=who)
    heard = await stage.say("I'm cold", warm[0], "Ok.", who=who)
    assert heard.effects == ["set_temperature climate.bedroom 22"]
    heard = await stage.say("Set the heating to 26 degrees", warm[1], "Ok.", who=who)
    assert heard.effects == ["set_temperature climate.bedroom 26"]


# A call, what it does and asks: nothing else may happen.
ROWS: list[tuple[Call, list[str], str | None]] = [
    # Not understood: not everything instead.
    (many("off", but="the attic"), [], None),
    (many("off", area="Kitchen", but="xyz"), [], None),
    (many("off", kind="gadgets"), [], None),
    (many("off", name="light.nothing"), [], None),
    # Doors are not part of a place, nor blinds, nor what else there is.
    (many("open", floor="Ground floor"), ["open_cover cover.living_room_blinds"], None),
    (many("open", area="Garage"), [], None),
    (many("open", area="Garage", kind="cover"), [], None),
    (many("set", setting="position", to=100, area="Garage"), [], None),
    (many("off", area="Cellar"), [], None),
    (many("on", area="Cellar", kind="cover"), [], None),
    (many("open", kind="blind", area="Cellar"), [], None),
    (many("on", name="Hub scene"), [], None),
    (many("on", name="Pull latch"), [], None),
    (many("off", name="House alarm"), [], None),
    # A group acts on all of its members.
    (many("open", name="All shades", but="Bedroom blinds"), [], None),
    # By their kind or name they are asked about, each by its name.
    (many("off", kind="lock", area="Kitchen"), [], "unlock the Back door"),
    (many("open", kind="garage"), [], "open the Garage door"),
    (
        many("set", to=100, name=["Drive gate", "Bedroom blinds"], setting="position"),
        ["set_cover_position cover.bedroom_blinds 100"],
        "Drive gate",
    ),
    (many("on", name="Front door Hold open"), [], "Hold open"),
    (many("on", kind="valve"), [], "Water main"),
    (many("on", name=["Oven", "Coffee machine"]), ["turn_on switch.coffee"], "Oven"),
    (many("set", setting="temperature", by="+20", area="Bedroom"), [], "Bedroom thermostat"),
]  # fmt: skip


async def test_nothing_else_happens(stage: Stage, subtests: pytest.Subtests) -> None:
    for who in (ANNA, AUTOMATION):
        for call, does, asks in some(ROWS):
            with subtests.test(str(call), who=who.user):
                stage.fresh()
                asked = asks if who is ANNA else None
                line = Line("a", [call, "Done."], does=does, asks=asked, who=who)
                await stage.play(line)


async def test_steps_are_from_each_ones_value_once(stage: Stage) -> None:
    """A step is made once, however often the call is looked at, and told."""
    await stage.change_agent(**{CONF_QUICK_CONFIRMATION: "always"})
    warmer = Call(
        "set",
        action="set",
        setting="temperature",
        by="a bit warmer",
        area="Living room",
    )
    await stage.play(
        Line(
            "Make it a bit warmer in the living room",
            [[warmer, warmer]],
            does=["set_temperature climate.living_room 21"],
            requests=1,
            says="I set .*thermostat to 21 degrees",
        ),
        Line("And again", [warmer], does=["set_temperature climate.living_room 22"]),
        Line(
            "Undo that",
            [Call("undo")],
            does=[
                "set_hvac_mode climate.living_room heat",
                "set_temperature climate.living_room 21",
            ],
        ),
        Line(
            "Louder",
            [many("set", setting="volume", by="louder")],
            does=["set_volume_level media_player.radio 0.4"],
            who=AT_SATELLITE,
            new=True,
        ),
    )


async def test_a_yes_to_a_step_is_for_what_was_asked(stage: Stage) -> None:
    garage, ajar = "cover.garage_door", many("set", name="Garage door", by="+10")
    await stage.play(Line("Garage a bit", [ajar], asks="Garage door to 10 percent"))
    await stage.hass.services.async_call(
        "cover", "set_cover_position", {"entity_id": garage, "position": 50}
    )
    await stage.play(
        Line(
            "Yes",
            does=[f"set_cover_position {garage} 10"],
            says="garage door to 10 percent",
        )
    )


async def test_after_text_from_outside_it_is_for_what_was_said(stage: Stage) -> None:
    """What the text may have wanted is asked about, also in a scene."""
    await stage.change_agent(**{CONF_LLM_HASS_API: ["assist", "outside"]})
    await stage.permit(Permission.ON, "read_news")
    upstairs = many("off", kind="light", floor="Upstairs")
    scene = [many("off", name="Kitchen light"), many("off", name="Radio")]
    await stage.play(
        Line("Read the news", [Call("read_news"), upstairs], asks="Bedroom lamp"),
        Line("No", requests=0),
        Line(
            "And tomorrow?", [Call("read_news"), scene], asks=["Kitchen light", "Radio"]
        ),
        Line("No", requests=0),
        Line("Turn off the bedroom lamp", [upstairs], does=["turn_off light.bedroom"]),
    )
