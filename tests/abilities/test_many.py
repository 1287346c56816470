"""What a call about several things means, and what it does to each."""

import re
from typing import Any

from homeassistant.components.climate import ClimateEntityFeature
from homeassistant.components.cover import CoverEntityFeature
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.components.media_player import MediaPlayerEntityFeature
from homeassistant.core import HomeAssistant
from homeassistant.helpers import area_registry as ar, floor_registry as fr
from homeassistant.setup import async_setup_component
from homeassistant.util.unit_system import US_CUSTOMARY_SYSTEM
import pytest

from custom_components.lumo.abilities.ability import AbilityContext
from custom_components.lumo.abilities.set import Set
from custom_components.lumo.context.home import async_get_home
from custom_components.lumo.gate.own_tool import Wording
from custom_components.lumo.gate.speaker import Speaker

from .large_home import add, async_prepare

DIMS: dict[str, Any] = {"supported_color_modes": ["brightness"]}
PLAYS = {
    "supported_features": MediaPlayerEntityFeature.VOLUME_SET
    | MediaPlayerEntityFeature.TURN_OFF
    | MediaPlayerEntityFeature.TURN_ON
}
WARMS = {
    "supported_features": ClimateEntityFeature.TARGET_TEMPERATURE
    | ClimateEntityFeature.TURN_OFF,
    "min_temp": 7,
    "max_temp": 30,
    "target_temp_step": 0.5,
}
MOVES = {"supported_features": CoverEntityFeature.SET_POSITION}

# Id, state, name, area, attributes.
THINGS: list[tuple[str, str, str, str | None, dict[str, Any]]] = [
    ("light.ceiling", "on", "Ceiling", "Kitchen", {**DIMS, "brightness": 255}),
    ("light.worktop", "off", "Worktop", "Kitchen", DIMS),
    ("light.sofa", "on", "Sofa lamp", "Living room", {**DIMS, "brightness": 51}),
    ("light.plain", "on", "Plain", "Hall", {"supported_color_modes": ["onoff"]}),
    ("light.dead", "unavailable", "Dead lamp", "Hall", {}),
    ("light.bed", "on", "Lamp", "Bedroom up", {**DIMS, "brightness": 128}),
    ("light.desk", "on", "Lamp", "Office up", {**DIMS, "brightness": 128}),
    ("switch.freezer", "on", "Freezer", "Kitchen", {}),
    ("switch.outlet", "on", "Outlet", "Kitchen", {"device_class": "outlet"}),
    ("switch.stand", "on", "Stand lamp", "Living room", {}),
    ("fan.bed", "on", "Fan", "Bedroom up", {}),
    ("media_player.radio", "playing", "Radio", "Kitchen", {**PLAYS, "volume_level": 0.3}),
    ("media_player.tv", "off", "Television", "Living room", PLAYS),
    ("climate.living", "heat", "Living heating", "Living room", {**WARMS, "temperature": 20.5}),
    ("climate.bed", "off", "Bed heating", "Bedroom up", {**WARMS, "temperature": 17}),
    ("cover.blind", "open", "Blind", "Living room", {**MOVES, "device_class": "blind", "current_position": 40}),
    ("cover.shade", "closed", "Shade", "Bedroom up", {"device_class": "shade"}),
    ("cover.garage", "closed", "Garage door", "Hall", {**MOVES, "device_class": "garage", "current_position": 0}),
    ("lock.front", "locked", "Front door", "Hall", {}),
    ("valve.water", "open", "Water", "Kitchen", {}),
    ("vacuum.robot", "cleaning", "Robot", "Hall", {}),
    ("scene.film", "unknown", "Film", "Living room", {}),
]  # fmt: skip

type Row = tuple[dict[str, Any], str, str]


def row(action: str, does: str, says: str = "", **given: Any) -> Row:
    """Return a call, what it does, what else it says or why nothing runs."""
    if "but" in given:
        given["except"] = given.pop("but")
    return {"action": action, **given}, does, says


ROWS = [
    # Lamps, by kind in any words, and not some.
    row("off", "off light.sofa, off light.plain, off light.bed, off light.desk", "Dead lamp is not available", kind="light", but="kitchen"),
    row("off", "off light.bed, off light.desk", kind=["Lights"], floor="upstairs"),
    row("off", "off light.ceiling", kind="Licht", area=" KITCHEN "),
    row("on", "on light.worktop", kind="light", area="Kitchen"),
    row("off", "off light.ceiling, off light.plain", "Dead lamp", area=["Kitchen", "Hall"], kind="light"),
    # A floor in the place of an area, an area in the place of a name.
    row("off", "off fan.bed", area="Upstairs", kind="fan"),
    row("off", "off light.bed, off fan.bed", name="Bedroom up"),
    # Everything: no freezer, no heating, no blind, no door.
    row("off", "off light.ceiling, off switch.outlet, off media_player.radio", "left_as_they_are Freezer", area="Kitchen"),
    row("off", "", "is called up. Nearest: Bedroom up", but=["kitchen", "hall", "up", "fan", "Sofa lamp"]),
    row("off", "off switch.stand", "left_as_they_are Living heating", but=["kitchen", "hall", "upstairs", "Sofa lamp"]),
    row("off", "off light.plain", "Robot", area="Hall", name="all"),
    # By kind they are meant.
    row("off", "off switch.freezer, off switch.outlet", kind="switch", area="kitchen"),
    row("off", "off climate.living", kind="climate"),
    row("off", "return_to_base vacuum.robot", kind="vacuum"),
    row("off", "off switch.freezer", name="Freezer"),
    # Blinds; halfway open is neither.
    row("close", "close_cover cover.blind", kind="blinds"),
    row("open", "open_cover cover.blind", area="living room"),
    row("open", "open_cover cover.blind, open_cover cover.shade", kind="cover"),
    # Doors by their names, or by a kind that says so.
    row("open", "open_cover cover.garage", name="garage door"),
    row("open", "open_cover cover.garage", kind="garage"),
    row("open", "", "Nearest: garage", kind="garage doors"),
    row("open", "", "doors need their names", area="Hall"),
    row("open", "", "doors need", kind="cover", area="Hall"),
    row("off", "unlock lock.front", kind="lock"),
    row("open", "unlock lock.front", kind="lock", area="Hall"),
    row("close", "close_valve valve.water", kind="valve"),
    row("close", "", "doors need", area="Kitchen"),
    # Nothing, or more than one thing, and nothing runs.
    row("off", "", "no area Kitchn. Nearest: Kitchen", area="Kitchn"),
    row("off", "", "no floor Attic", floor="Attic"),
    row("off", "", "no kind toaster", kind="toaster"),
    row("off", "", "Nearest: Sofa lamp", name="Sofa lmap"),
    row("off", "off light.desk", name="Lamp", area="office up"),
    row("off", "off light.desk", name="light.desk"),
    row("off", "off light.ceiling, off light.plain, off light.sofa", kind="light", but="Lamp"),
    row("off", "", floor="Upstairs", area="Office up", but="Lamp"),
    row("off", "", "is called", kind="light", but="Secret"),
    row("off", "", "is called light.secret", name="light.secret"),
    row("on", "", "is called Film", name="Film"),
    row("off", "", "not known where", area="Here", kind="light"),
    # All is so already.
    row("close", "", "already_so Shade", kind="shade"),
    # Steps, from each one's own value.
    row("set", "on light.ceiling 80", setting="brightness", by="darker", area="kitchen"),
    row("set", "on light.bed 60, on light.desk 60", setting="brightness", by="+10 %", floor="Upstairs"),
    row("set", "on light.worktop 20", by="brighter", name="Worktop"),
    row("set", "", "Worktop is off", by="-10", name="Worktop"),
    row("set", "", "Ceiling is at its limit", by="brighter", name="Ceiling"),
    row("set", "on light.sofa 1", by="-90", name="Sofa lamp"),
    row("set", "", "It has no such value", by="+5", name="Plain"),
    row("set", "volume_set media_player.radio 0.4", setting="volume", by="louder"),
    row("set", "volume_set media_player.radio 0.2", setting="volume", by="minus 0.1"),
    row("set", "set_temperature climate.living 21.5", "Bed heating is off", setting="temperature", by="a bit warmer"),
    row("set", "set_temperature climate.living 20", setting="temperature", by="-0.7", area="Living room"),
    row("set", "set_temperature climate.living 30", "Bed", setting="temperature", by="50"),
    row("set", "set_cover_position cover.blind 20", by="lower", name="Blind"),
    row("set", "", "doors need", setting="position", by="more", area="Hall"),
    row("set", "", 'Say in "by"', setting="position", by="a bit"),
    row("set", "", 'Say one "setting"', by="more"),
    row("set", "", 'Say "to" or "by"', setting="volume"),
    # What contradicts itself.
    row("close", "", 'the action "set"', name="Blind", to=30),
    row("off", "", 'the action "set"', name="Sofa lamp", by="-10"),
    row("set", "", "a step goes into", name="Sofa lamp", to=-10),
    # Values.
    row("set", "on light.ceiling 30, on light.worktop 30", setting="brightness", to=30, area="Kitchen"),
    row("set", "off light.sofa", to=0, kind="light", area="Living room"),
    row("set", "on light.sofa 30", to=0.3, name="Sofa lamp", but="none"),
    row("set", "volume_set media_player.radio 0.25", setting="volume", to=0.25, name="Radio"),
    row("set", "set_temperature climate.living 19", to=19, area="Living room", kind="climate"),
    row("set", "set_cover_position cover.garage 50", to=50, name="Garage door"),
    row("set", "set_temperature climate.bed 21", to=21, name="Bed heating"),
    row("set", "", "It has no such value", to=50, name="Shade"),
]  # fmt: skip


@pytest.fixture
async def home(hass: HomeAssistant) -> HomeAssistant:
    """Return a home with all of it, and with what is not exposed."""
    await async_prepare(hass)
    for entity_id, state, name, area, attributes in THINGS:
        add(hass, entity_id, state, name=name, area=area, **attributes)
    add(
        hass, "light.secret", "on", name="Secret", area="Kitchen", exposed=False, **DIMS
    )
    hass.config.components.add("cover")
    await async_get_home(hass, "de")
    await async_get_home(hass, "en")
    return hass


def done(tool: Set, hass: HomeAssistant, arguments: dict[str, Any]) -> str:
    """Return what a call does, in short."""
    return ", ".join(
        " ".join(
            str(item)
            for item in (
                effect.service.removeprefix("turn_"),
                effect.entity_id,
                *effect.data.values(),
            )
        )
        for effect in tool.effects(arguments)
    )


def told(tool: Set, hass: HomeAssistant, arguments: dict[str, Any]) -> str:
    """Return what else its result says, or why it does nothing."""
    plan = tool.planned(arguments)
    more = (f"{key} {' '.join(names)}" for key, names in plan.details.items())
    return " ".join((plan.problem, *plan.failed, *more))


async def test_what_calls_do(home: HomeAssistant, subtests: pytest.Subtests) -> None:
    for arguments, does, says in ROWS:
        language = "de" if arguments.get("kind") == "Licht" else "en"
        speaker = Speaker("anna", None, True, "", language)
        tool = Set(AbilityContext(hass=home, speaker=speaker))
        with subtests.test(arguments=arguments):
            found = done(tool, home, arguments).split(", ")
            assert sorted(found) == sorted(does.split(", "))
            assert says in told(tool, home, arguments)
            # What the call itself says is repeated, and nothing more.
            hidden = re.sub(
                "called (light.)?secret|area Secret",
                "",
                told(tool, home, arguments),
                flags=re.IGNORECASE,
            )
            assert "ecret" not in hidden


async def test_a_name_of_two_things_is_for_a_person_to_choose(
    home: HomeAssistant,
) -> None:
    tool = Set(AbilityContext(hass=home))
    two = ["off light.bed", "off light.desk"]
    call = {"action": "off", "name": "lamp"}
    assert done(tool, home, call).split(", ") == two
    assert len(tool.choices(call)) == 2
    chosen = tool.narrowed(call, "light.desk")
    assert not tool.choices(chosen)
    assert done(tool, home, chosen) == two[1]
    both = {"action": "off", "name": ["Lamp", "Sofa lamp"]}
    assert done(tool, home, both) == ""
    assert "Lamp (light.bed) or Lamp (light.desk)" in told(tool, home, both)


async def test_a_name_of_two_places(home: HomeAssistant) -> None:
    """Means neither of them, and says so."""
    areas, floors = ar.async_get(home), fr.async_get(home)
    hall = areas.async_get_area_by_name("Hall")
    office = areas.async_get_area_by_name("Office up")
    assert hall
    assert office
    for area in (hall, office):
        areas.async_update(area.id, aliases={"The den"})
    floors.async_update("upstairs", aliases={"First floor"})
    tool = Set(AbilityContext(hass=home))
    call = {"action": "off", "kind": "light"}
    assert done(tool, home, {**call, "area": "the den"}) == ""
    assert "Hall or Office up" in told(tool, home, {**call, "area": "the den"})
    assert done(tool, home, {**call, "except": "The Den"}) == ""
    assert done(tool, home, {**call, "floor": "first FLOOR"}).count("off") == 2


async def test_degrees_fahrenheit(home: HomeAssistant) -> None:
    """A step is twice as many."""
    home.config.units = US_CUSTOMARY_SYSTEM
    add(
        home,
        "climate.attic",
        "cool",
        name="Attic",
        supported_features=2,
        target_temp_low=68,
        target_temp_high=75,
        target_temp_step=1,
        max_temp=76,
    )
    tool = Set(AbilityContext(hass=home))
    arguments = {"action": "set", "by": "warmer", "name": "Attic"}
    assert done(tool, home, arguments) == "set_temperature climate.attic 70 76"


async def test_where_the_person_speaks(home: HomeAssistant) -> None:
    """A change without a place is for there, and "here" is there."""
    add(home, "assist_satellite.desk", "processing", area="Office up")
    speaker = Speaker(None, "assist_satellite.desk", True, "", "en")
    tool = Set(AbilityContext(hass=home, speaker=speaker))
    for arguments, does in (
        (
            {"action": "set", "setting": "brightness", "by": "darker"},
            "on light.desk 30",
        ),
        ({"action": "off", "area": "here"}, "off light.desk"),
        ({"action": "off", "name": "Lamp"}, "off light.desk"),
        # Nothing there has one.
        (
            {"action": "set", "setting": "volume", "by": "up"},
            "volume_set media_player.radio 0.4",
        ),
    ):
        assert done(tool, home, arguments) == does


async def test_what_is_for_all_of_the_home_is_asked_about(home: HomeAssistant) -> None:
    add(home, "assist_satellite.desk", "processing", area="Kitchen")
    at_desk = Speaker(None, "assist_satellite.desk", True, "", "en")
    add(home, "light.spot", "on", name="Spot", area="Kitchen", **DIMS, brightness=99)
    dim = {"action": "set", "setting": "brightness", "by": "darker"}
    for speaker, arguments, question in (
        (None, {"action": "off"}, Wording("do_turn_off", name="10")),
        (None, {"action": "off", "area": "all"}, Wording("do_turn_off", name="10")),
        (None, {"action": "off", "area": "Kitchen"}, None),
        (None, {"action": "off", "kind": "light"}, None),
        (None, dim, Wording("do_change", name="5")),
        (None, {**dim, "except": "Hall"}, None),
        (None, {**dim, "area": "everywhere"}, None),
        (at_desk, dim, None),
        (at_desk, {"action": "off"}, Wording("do_turn_off", name="10")),
        (None, {"action": "set", "setting": "volume", "by": "up"}, None),
    ):
        tool = Set(AbilityContext(hass=home, speaker=speaker))
        assert tool.question(arguments) == question, arguments


async def test_a_group_is_not_asked_to_do_what_its_members_do(
    home: HomeAssistant,
) -> None:
    assert await async_setup_component(
        home,
        "light",
        {
            "light": {
                "platform": "group",
                "name": "All lamps",
                "entities": ["light.ceiling", "light.plain"],
            }
        },
    )
    await home.async_block_till_done()
    async_expose_entity(home, "conversation", "light.all_lamps", True)
    call = {"action": "off", "kind": "light", "except": "Hall"}
    tool = Set(AbilityContext(hass=home))
    assert "all_lamps" in done(tool, home, {"action": "off", "name": "All lamps"})
    assert done(tool, home, call).split(", ")[0] == "off light.ceiling"
    assert "all_lamps" not in done(tool, home, call)
    del call["except"]
    assert "all_lamps" not in done(tool, home, call)
