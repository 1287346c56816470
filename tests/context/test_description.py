"""The description of the home: nothing is lost, and no name can be read as another."""

import re

from homeassistant.core import HomeAssistant
from homeassistant.helpers import area_registry as ar, entity_registry as er
from hypothesis import given, strategies as st

from custom_components.lumo.context.description import (
    Area,
    Thing,
    counted,
    in_full,
    rows,
    written,
)
from custom_components.lumo.context.home import async_get_home

from .conftest import expose

_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"')
FULL = """\
Downstairs:
- Kitchen = Galley:
  light: Ceiling light = Big light; Worktop lamp
  binary_sensor window: Kitchen window
  switch: "Oven: 'old' one"
Upstairs = First floor:
- Bedroom:
  cover blind: Bedroom blind
  light: Night Bed lamp
No floor:
- No area:
  valve water: Garden hose
  light: Loose bulb"""


async def test_a_home_in_full(rooms: HomeAssistant) -> None:
    """Floors from the bottom up, their areas, and each thing once with all its names."""
    home = await async_get_home(rooms, "en")
    assert home.full == FULL


async def test_a_home_in_numbers(rooms: HomeAssistant) -> None:
    """Kinds with numbers; what is rare, or called like nothing else, with its name."""
    for number in range(3):
        entity_id = f"light.worktop_lamp_{number}"
        rooms.states.async_set(entity_id, "on", {"friendly_name": "Worktop lamp"})
        expose(rooms, entity_id)
    home = await async_get_home(rooms, "en")
    kinds = counted(home.counted, len(home.areas), 1_000)
    assert (
        "- Kitchen = Galley: light 1\n  light: Ceiling light = Big light\n"
        "  binary_sensor window: Kitchen window\n  switch: "
    ) in kinds
    assert "- No area: light 3\n  valve water: Garden hose\n  light: Loose" in kinds
    assert home.counted[1].startswith("Whole home: light 7,")
    assert "- No area:\n  valve water: Garden hose\n" in home.counted[1]


async def test_a_home_in_fewer_words(rooms: HomeAssistant) -> None:
    """What does not fit has less detail, down to some areas."""
    for number in range(12):
        area = ar.async_get(rooms).async_create(f"Room {number:02}")
        for kind in ("window", "door", "moisture"):
            entity_id = f"binary_sensor.{kind}_{number}"
            entry = er.async_get(rooms).async_get_or_create(
                "binary_sensor", "test", entity_id, suggested_object_id=entity_id[14:]
            )
            er.async_get(rooms).async_update_entity(entry.entity_id, area_id=area.id)
            rooms.states.async_set(entry.entity_id, "off", {"device_class": kind})
            expose(rooms, entry.entity_id)
    home = await async_get_home(rooms, "en")
    whole = counted(home.counted, len(home.areas), 5_000)
    assert "- Room 05: binary_sensor door 1, binary_sensor moisture 1" in whole
    less = counted(home.counted, len(home.areas), len(whole) - 1)
    assert less.startswith("Whole home: light 4, binary_sensor window 13,")
    assert "\n- Room 05\n" in counted(home.counted, len(home.areas), 450)
    least = counted(home.counted, len(home.areas), 260)
    assert least.startswith("Whole home: ")
    assert "\nDownstairs:\n- Kitchen = Galley\n" in least
    assert least.endswith("- ... (14 areas)")


async def test_what_is_in_some_places(rooms: HomeAssistant) -> None:
    """Areas and floors, as many as fit; nothing where there is nothing."""
    home = await async_get_home(rooms, "en")
    kitchen, bedroom = home.areas
    upstairs = bedroom.floor
    assert upstairs
    text = rows(home.kinds, [upstairs, kitchen], 1_000).splitlines()
    assert text[1:] == [
        "Upstairs = First floor: cover blind 1, light 1",
        "- Kitchen = Galley: light 2, binary_sensor window 1, switch 1",
    ]
    assert len(rows(home.kinds, [upstairs, kitchen], 80).splitlines()) == 2
    assert rows(home.kinds, [Area("1", ("Hall",), None)], 80) == ""


def test_areas_without_things_are_listed_too() -> None:
    """One can clean them, or ask what is in them."""
    hall, attic = Area("1", ("Hall",), None), Area("2", ("Attic",), None)
    thing = Thing("light.a", ("Lamp",), "light", "", hall)
    assert in_full([thing], [attic, hall]) == "- Attic\n- Hall:\n  light: Lamp"
    assert in_full([thing]) == "- Hall:\n  light: Lamp"


@given(st.lists(st.text(min_size=1), min_size=1))
def test_no_name_looks_like_two_or_like_a_line(names: list[str]) -> None:
    text = written(names)
    assert "\n" not in text
    assert text.isprintable()
    quoted = _QUOTED.findall(text)
    plain = _QUOTED.sub("", text).split(" = ")
    assert len(quoted) + len([part for part in plain if part]) == len(names)
    assert all(part in names for part in plain if part)
    assert not any(sign in part for part in plain for sign in ';=:"')
