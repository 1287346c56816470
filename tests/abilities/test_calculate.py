"""Sums, units, and the sun."""

from freezegun.api import FrozenDateTimeFactory
from homeassistant.core import Context, HomeAssistant
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import llm
import pytest

from custom_components.lumo.abilities.ability import AbilityContext
from custom_components.lumo.abilities.calculate import Calculate

# Arguments, and the result; what is in brackets is an error.
ROWS: list[tuple[dict[str, str], str]] = [
    ({"sum": "0.1 + 0.2"}, "0.3"),
    ({"sum": "17 × 23"}, "391"),
    ({"sum": "1,250 / 3"}, "416.6666667"),
    ({"sum": "250 * 19 / 100", "unit": "€"}, "47.5 €"),
    ({"sum": "2^64 - 1"}, "18446744073709551615"),
    ({"sum": "-(3 - 10) * 4"}, "28"),
    ({"sum": "18% of 64,50"}, "11.61"),
    ({"sum": "64.50 * 18% * 1,000"}, "11610"),
    ({"sum": "200 + 10%"}, "[A sum has numbers]"),
    ({"sum": "2 ** 0.5"}, "1.414213562"),
    ({"sum": "26.2", "unit": "mi", "to": "km"}, "42.1648128 km"),
    ({"sum": "350", "unit": "F", "to": "C"}, "176.6666667 C"),
    ({"sum": "90", "unit": "min", "to": "h"}, "1.5 h"),
    ({"sum": "1/2", "unit": "gal", "to": "L"}, "1.892705892 L"),
    ({"sum": "5", "unit": "kg", "to": "km"}, "[not converted to km]"),
    ({"sum": "1 / 0"}, "[A sum has numbers]"),
    ({"sum": "9 ** 9 ** 9"}, "[A sum has numbers]"),
    ({"sum": "9999999999 ** 64"}, "[A sum has numbers]"),
    ({"sum": "__import__('os')"}, "[A sum has numbers]"),
    ({"sum": "(" * 150}, "[A sum has numbers]"),
    ({"sum": "True"}, "[A sum has numbers]"),
    ({}, "[A sum has numbers]"),
]


@pytest.mark.parametrize(("arguments", "result"), ROWS)
async def test_it_is_exact(
    hass: HomeAssistant, arguments: dict[str, str], result: str
) -> None:
    """Nothing but a sum is calculated."""
    tool = Calculate(AbilityContext(hass=hass))
    context = llm.LLMContext("lumo", Context(), "en", "conversation", None)
    if result.startswith("["):
        with pytest.raises(HomeAssistantError, match=result[1:-1]):
            await tool.async_run(arguments, context)
        return
    assert await tool.async_run(arguments, context) == {"result": result}


async def test_the_sun_rises_and_sets(
    hass: HomeAssistant, freezer: FrozenDateTimeFactory
) -> None:
    freezer.move_to("2026-11-22T12:00:00+01:00")
    await hass.config.async_update(
        latitude=52.52, longitude=13.40, elevation=0, time_zone="Europe/Berlin"
    )
    tool = Calculate(AbilityContext(hass=hass))
    context = llm.LLMContext("lumo", Context(), "en", "conversation", None)
    assert await tool.async_run({"sun": "tomorrow"}, context) == {
        "day": "tomorrow, Monday 23 November",
        "sunrise": "07:42",
        "sunset": "16:02",
    }
    await hass.config.async_update(latitude=70.0)
    found = await tool.async_run({"sun": "2027-06-21"}, context)
    assert (found["sunrise"], found["sunset"]) == ("none", "none")
