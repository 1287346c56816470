"""The snapshot of the home is Home Assistant's own list, in order, and up to date."""

from collections.abc import Callable
from dataclasses import astuple

from homeassistant.components.homeassistant.llm import async_get_exposed_entities
from homeassistant.core import HomeAssistant
from homeassistant.helpers import (
    area_registry as ar,
    entity_registry as er,
    floor_registry as fr,
)
import pytest

from custom_components.lumo.context.home import Home, async_get_home

from .conftest import expose


async def test_it_has_what_home_assistant_lists(rooms: HomeAssistant) -> None:
    """The same entities, with the same names, domains and areas."""
    home = await async_get_home(rooms, "en")
    ours = {
        thing.entity_id: {
            "names": ", ".join(thing.names),
            "domain": thing.domain,
            **({"areas": ", ".join(thing.area.names)} if thing.area else {}),
        }
        for thing in home.things
    }
    theirs = async_get_exposed_entities(rooms, "conversation", include_state=False)
    assert ours == theirs
    assert len(ours) == 8


async def test_it_is_ordered_by_floor_area_and_name(rooms: HomeAssistant) -> None:
    home = await async_get_home(rooms, "en")
    assert [area and area.name for area in home.by_area] == ["Kitchen", "Bedroom", None]
    assert [floor.name for floor in home.floors] == ["Downstairs", "Upstairs"]
    names = [thing.name for thing in home.things]
    assert names[:2] == ["Ceiling light", "Kitchen window"]
    assert names[-2:] == ["Garden hose", "Loose bulb"]


@pytest.mark.parametrize(
    ("language", "said", "best"),
    [
        ("en", "turn on the worktop lamp", "Worktop lamp"),
        ("en", "the big light in the galley", "Ceiling light"),
        ("de", "ist das Fenster offen", "Kitchen window"),
        ("de-AT", "ist das fenster offen", "Kitchen window"),
        ("nl", "doe de jaloezie dicht", "Bedroom blind"),
        ("tlh", "bedroom blind", "Bedroom blind"),
    ],
)
async def test_sentences_find_things(
    rooms: HomeAssistant, language: str, said: str, best: str
) -> None:
    for domain in ("binary_sensor", "cover", "light"):
        rooms.config.components.add(domain)
    home = await async_get_home(rooms, language)
    assert home.rank(said)[0][0].name == best


@pytest.mark.parametrize(
    ("filters", "found"),
    [
        ({"area": "galley"}, 4),
        ({"floor": "first floor"}, 2),
        ({"kind": "light"}, 4),
        ({"kind": "Window"}, 1),
        ({"area": "Kitchen", "kind": "light"}, 2),
        ({"words": "lamp", "floor": "Upstairs"}, 1),
        ({"area": "nowhere"}, 0),
    ],
)
async def test_things_are_found_by_place_and_kind(
    rooms: HomeAssistant, filters: dict[str, str], found: int
) -> None:
    """Aliases of areas and floors count, in any spelling."""
    home = await async_get_home(rooms, "en")
    assert len(home.find(**filters)) == found


def _content(home: Home) -> list[tuple[object, ...]]:
    things = [astuple(thing) for thing in home.things]
    return [*things, *(astuple(area) for area in home.areas)]


def _withdraw(hass: HomeAssistant) -> None:
    expose(hass, "light.ceiling_light", False)


def _withdraw_unregistered(hass: HomeAssistant) -> None:
    expose(hass, "light.unregistered", False)


def _rename(hass: HomeAssistant) -> None:
    er.async_get(hass).async_update_entity("light.ceiling_light", name="Sun")


def _rename_state(hass: HomeAssistant) -> None:
    hass.states.async_set("light.unregistered", "on", {"friendly_name": "Moon"})


def _remove(hass: HomeAssistant) -> None:
    hass.states.async_remove("light.unregistered")


def _add(hass: HomeAssistant) -> None:
    hass.states.async_set("light.new", "on", {"friendly_name": "New"})
    expose(hass, "light.new")


def _move(hass: HomeAssistant) -> None:
    er.async_get(hass).async_update_entity("light.ceiling_light", area_id=None)


def _alias_of_area(hass: HomeAssistant) -> None:
    areas = ar.async_get(hass)
    [kitchen] = [item for item in areas.async_list_areas() if item.name == "Kitchen"]
    areas.async_update(kitchen.id, aliases={"Cookhouse"})


def _floor(hass: HomeAssistant) -> None:
    floors = fr.async_get(hass)
    [floor, *_] = floors.async_list_floors()
    floors.async_update(floor.floor_id, name="Top")


@pytest.mark.parametrize(
    "change",
    [
        _withdraw,
        _withdraw_unregistered,
        _rename,
        _rename_state,
        _remove,
        _add,
        _move,
        _alias_of_area,
        _floor,
    ],
)
async def test_a_turn_sees_every_change_at_once(
    rooms: HomeAssistant, change: Callable[[HomeAssistant], None]
) -> None:
    """What was kept is used for as long as nothing has changed."""
    before = await async_get_home(rooms, "en")
    assert await async_get_home(rooms, "en") is before
    change(rooms)
    await rooms.async_block_till_done()
    after = await async_get_home(rooms, "en")
    assert _content(after) != _content(before)
    assert await async_get_home(rooms, "en") is after


async def test_a_new_state_changes_nothing(rooms: HomeAssistant) -> None:
    """Lamps that go on and off do not cost an index."""
    home = await async_get_home(rooms, "en")
    state = rooms.states.get("light.ceiling_light")
    assert state
    rooms.states.async_set(
        "light.ceiling_light", "on", {**state.attributes, "brightness": 3}
    )
    await rooms.async_block_till_done()
    assert await async_get_home(rooms, "en") is home
