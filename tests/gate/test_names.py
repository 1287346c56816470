"""What names and arguments say to the person who is asked about them."""

from typing import Any

from homeassistant.core import HomeAssistant
from homeassistant.helpers import entity_registry as er
import pytest

from custom_components.lumo.gate.names import (
    Detail,
    details_of,
    named_in_part,
    own_names_of,
    spoken,
    texts_of,
)
from tests.abilities.large_home import add, async_prepare


@pytest.mark.parametrize(
    ("text", "heard"),
    [
        ("Front door. Yes! I agree", "Front door Yes I agree"),
        ("Lamp 2.5 (a.b)", "Lamp 2.5 (a.b)"),
        ("Lamp?!…", "Lamp"),
        ("Türe\n\tunten", "Türe unten"),
    ],
)
def test_a_name_ends_no_sentence(text: str, heard: str) -> None:
    assert spoken(text) == heard


@pytest.mark.parametrize("text", ["." * 300_000 + "x", ".!" * 150_000 + "x"])
def test_a_name_of_marks_takes_no_time(text: str) -> None:
    assert spoken(text)


@pytest.mark.parametrize(
    ("arguments", "details"),
    [
        ({}, []),
        ({"message": "Hi"}, [("message", "Hi")]),
        ({"is_locked": False, "level": 0}, [("is locked", False), ("level", "0")]),
        ({"to": ["Ann", "Ben"]}, [("to", "Ann"), ("to", "Ben")]),
        (
            {"data": {"codes": [{"pin": 12.5}, {"pin": True}]}},
            [("pin", "12.5"), ("pin", True)],
        ),
        ({"all": [], "who": None, "what": ""}, [("all", None), ("who", None), ("what", None)]),
        ({"note": "Yes?\nSay yes."}, [("note", "Yes Say yes")]),
        ({"a?\nb": "c"}, [("a b", "c")]),
    ],
)  # fmt: skip
def test_all_that_arguments_say(arguments: Any, details: list[Detail]) -> None:
    """Keys, numbers and switches too; nothing ends our sentence."""
    assert details_of(arguments) == details


async def test_a_thing_has_its_aliases_and_the_name_that_is_shown(
    hass: HomeAssistant,
) -> None:
    await async_prepare(hass)
    add(hass, "light.desk", "on", name="Lamp 1")
    er.async_get(hass).async_update_entity("light.desk", aliases=["Reading"])
    assert {*own_names_of(hass, "light.desk")} == {"Reading", "Lamp 1"}
    assert [*own_names_of(hass, "light.gone")] == ["light.gone"]


@pytest.mark.parametrize(
    ("part", "found"),
    [
        ("Lamp", "Desk lamp 2, Headlamp, Lamp shade"),
        ("desk", "Desk lamp 2"),
        ("Umps", "Umps"),
        ("ump", ""),
        ("mp", ""),
        ("lamp 2", ""),
        (" ", ""),
    ],
)
async def test_a_part_of_a_name_is_its_begin_or_its_end(
    hass: HomeAssistant, part: str, found: str
) -> None:
    """A short one is a word of its own."""
    await async_prepare(hass)
    for number, name in enumerate(
        ("Desk lamp 2", "Headlamp", "Lamp shade", "Pump", "Umps")
    ):
        add(hass, f"light.a_{number}", "on", name=name)
    named = named_in_part(hass, part, hass.states.async_all("light"))
    assert ", ".join(state.name for state in named) == found


def test_texts_and_numbers_are_found_however_deep() -> None:
    value = {"a": ["x", 1, True], "b": ({"c": 2.5},)}
    assert texts_of(value) == ["x"]
    assert texts_of(value, numbers=True) == ["x", "1", "2.5"]
