"""What is set on lamps, players, thermostats and covers: to a value, or by a step.

A step is from each one's own value, in percent or in the home's degrees.
"""

import re
from typing import Final

from homeassistant.components.climate import ClimateEntityFeature
from homeassistant.components.cover import CoverEntityFeature
from homeassistant.components.light import brightness_supported
from homeassistant.components.media_player import MediaPlayerEntityFeature
from homeassistant.const import UnitOfTemperature
from homeassistant.core import HomeAssistant, State

from ..gate.effects import Effect, number_of
from .finder import UnclearError

# What can be set -> on which domains, and how far a step goes.
SETTINGS: Final[dict[str, tuple[tuple[str, ...], float]]] = {
    "brightness": (("light",), 20),
    "volume": (("media_player",), 10),
    "temperature": (("climate",), 1),
    "position": (("cover", "valve"), 20),
}
_UP: Final = re.compile(r"bright|loud|warm|hot|high|\bup|more|increas|rais|open|\+")
_DOWN: Final = re.compile(
    r"dark|dim|quiet|soft|cool|cold|low|down|less|decreas|reduc|clos|minus|[-−]\s*\d"
)
_NUMBER: Final = re.compile(r"\d+(?:[.,]\d+)?")
_SUPPORT: Final = {
    "climate": ClimateEntityFeature.TARGET_TEMPERATURE
    | ClimateEntityFeature.TARGET_TEMPERATURE_RANGE,
    # Covers and valves have the same number for it.
    "cover": CoverEntityFeature.SET_POSITION,
    "valve": CoverEntityFeature.SET_POSITION,
    "media_player": MediaPlayerEntityFeature.VOLUME_SET,
}
_RANGE: Final = ("target_temp_low", "target_temp_high")


def step_of(hass: HomeAssistant, setting: str, text: str) -> float:
    """Return how far a text like "+10 %", "-2" or "a bit warmer" goes.

    Raises UnclearError for one that does not say in which direction.
    """
    text, usual = text.casefold(), SETTINGS[setting][1]
    is_degrees = setting == "temperature"
    if (
        is_degrees
        and hass.config.units.temperature_unit == UnitOfTemperature.FAHRENHEIT
    ):
        usual *= 2
    number = _NUMBER.search(text)
    if number and not (is_degrees and "%" in text):
        usual = float(number[0].replace(",", "."))
        if not is_degrees and usual < 1:
            # A share, as Home Assistant counts volume.
            usual *= 100
    if _DOWN.search(text):
        return -usual
    if number or _UP.search(text):
        return usual
    raise UnclearError('Say in "by" how far, like "+10" or "-10".')


def effect_of(
    state: State, setting: str, *, to: float | None, by: float
) -> Effect | str:
    """Return what sets a value, or moves it on by a step; else why that cannot be."""
    attributes = state.attributes
    features = attributes.get("supported_features", 0)
    if (
        not brightness_supported(attributes.get("supported_color_modes"))
        if setting == "brightness"
        else not features & _SUPPORT[state.domain]
    ):
        return f"has no {setting}"
    if setting == "temperature":
        return _warmed(state, to, by)
    now = _percent(state, setting)
    if to is None:
        if now is None or (setting == "brightness" and now == 0 and by < 0):
            return "is off" if state.state == "off" else f"does not say its {setting}"
        # What is dimmed stays on.
        least = 1 if setting == "brightness" else 0
        value = min(max(now + by, least), 100)
        if value == now:
            return f"is at {now} % already"
    else:
        value = min(to * 100 if to < 1 else to, 100)
    if setting == "volume":
        return Effect(state.entity_id, "volume_set", {"volume_level": value / 100})
    if setting == "position":
        service = f"set_{state.domain}_position"
        return Effect(state.entity_id, service, {"position": round(value)})
    if not value:
        return Effect(state.entity_id, "turn_off")
    return Effect(state.entity_id, "turn_on", {"brightness_pct": round(value)})


def _percent(state: State, setting: str) -> int | None:
    if setting == "brightness" and state.state != "on":
        return 0
    attribute, one = {
        "brightness": ("brightness", 2.55),
        "volume": ("volume_level", 0.01),
        "position": ("current_position", 1),
    }[setting]
    now = number_of(state.attributes.get(attribute))
    return None if now is None else round(now / one)


def _warmed(state: State, to: float | None, by: float) -> Effect | str:
    """Return what sets a thermostat that is on, or both ends of its range."""
    attributes, entity_id = state.attributes, state.entity_id
    now = {
        key: value
        for key in ("temperature", *_RANGE)
        if (value := number_of(attributes.get(key))) is not None
    }
    if to is not None and (not now or "temperature" in now):
        return Effect(entity_id, "set_temperature", {"temperature": to})
    if to is not None:
        return "has a range of temperatures"
    if state.state == "off":
        return "is off"
    if "temperature" in now:
        now = {"temperature": now["temperature"]}
    least, most = attributes.get("min_temp", -100), attributes.get("max_temp", 200)
    unit = number_of(attributes.get("target_temp_step")) or 0.1
    by = max(by, unit) if by > 0 else min(by, -unit)
    data = {
        key: min(max(round(round((value + by) / unit) * unit, 2), least), most)
        for key, value in now.items()
    }
    if not data or data == now:
        return "is at its limit" if data else "has no temperature to go from"
    return Effect(entity_id, "set_temperature", data)
