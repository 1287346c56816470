"""What is said for units is what the Unicode CLDR says, where it has them."""

import re

import pytest

from custom_components.lumo.languages import LANGUAGES
from custom_components.lumo.speech.numbers import Numbers

units = pytest.importorskip("babel.units")

CLDR = {
    "°C": "temperature-celsius", "°F": "temperature-fahrenheit", "°": "angle-degree",
    "%": "concentr-percent", "W": "power-watt", "kW": "power-kilowatt",
    "kWh": "energy-kilowatt-hour", "V": "electric-volt", "A": "electric-ampere",
    "lx": "light-lux", "hPa": "pressure-hectopascal", "mbar": "pressure-millibar",
    "km/h": "speed-kilometer-per-hour", "mph": "speed-mile-per-hour",
    "m/s": "speed-meter-per-second", "mm": "length-millimeter",
    "cm": "length-centimeter", "m": "length-meter", "km": "length-kilometer",
    "in": "length-inch", "ft": "length-foot", "mi": "length-mile",
    "m³": "volume-cubic-meter", "ml": "volume-milliliter", "l": "volume-liter",
    "gal": "volume-gallon", "ppm": "concentr-permillion", "min": "duration-minute",
    "h": "duration-hour", "s": "duration-second", "g": "mass-gram",
    "kg": "mass-kilogram", "oz": "mass-ounce", "lb": "mass-pound",
    "MB": "digital-megabyte", "GB": "digital-gigabyte",
}  # fmt: skip
# Where British and European forms are meant.
LOCALES = {"en": "en_GB", "pt": "pt_PT"}
# What the CLDR has in English or not at all, and the degrees of an arc.
OTHERS = {("da", "ppm"), ("nl", "h"), ("nl", "ppm"), ("nl", "°"), ("sv", "lx")}
NUMBERS = ("0", "1", "-1", "2", "3", "5", "11", "12", "21", "22", "25", "101", "102")
DECIMALS = ("0.5", "1.5", "2.5", "22.5")


def by_cldr(code: str, unit: str, number: str) -> str:
    """Return the words behind a number."""
    value = float(number) if "." in number else int(number)
    text = units.format_unit(value, CLDR[unit], "long", locale=LOCALES.get(code, code))
    return re.sub(r"^\W*[\d.,]+\s*", "", text).replace("\xa0", " ")


@pytest.mark.parametrize("code", LANGUAGES)
def test_units_are_said_as_in_the_cldr(code: str) -> None:
    language = LANGUAGES[code]
    numbers = Numbers(language)
    compared = 0
    for unit in CLDR.keys() & language.units.keys():
        if (code, unit) in OTHERS:
            continue
        for number in (*NUMBERS, *DECIMALS):
            if unit in ("A", "in") and number.isdecimal():
                continue
            said = numbers.unit(unit, number)
            try:
                assert said == by_cldr(code, unit, number), (unit, number)
            except units.UnknownUnitError:
                pytest.fail(f"{unit} is not in the CLDR: add it to OTHERS")
            compared += 1
    assert compared > 400


def test_no_unit_is_a_word_of_its_language() -> None:
    """What would be heard as inches and miles there stays as it is."""
    for code, unit in (("de", "in"), ("nl", "in"), ("it", "mi"), ("pl", "mi")):
        assert unit not in LANGUAGES[code].units
    english = Numbers(LANGUAGES["en"])
    assert english.unit("in", "5") == "" and english.unit("in", "0.5") == "inches"
