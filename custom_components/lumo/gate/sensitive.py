"""Which actions on which entities are sensitive: a person must have said yes to them.

What counts is what happens to an entity, by the rows of `domains.toml`, never the name of a
tool: unlocking is "turn off" on a lock. What is sensitive stands in `docs/safety.md`.
"""

from typing import Any, Final

from homeassistant.const import UnitOfTemperature
from homeassistant.core import HomeAssistant
from homeassistant.helpers import (
    area_registry as ar,
    device_registry as dr,
    entity_registry as er,
)
from homeassistant.util.unit_conversion import TemperatureConverter

from ..const import USUAL_TEMPERATURES
from .domains import domain_of
from .doors import Doors
from .effects import NOTHING, Effect, number_of

_POSITIONS: Final = ("set_cover_position", "set_valve_position")
_HARMLESS_EVERYWHERE: Final = frozenset({NOTHING, "update_entity"})


def usual_temperatures(hass: HomeAssistant) -> tuple[float, float]:
    """Return the default range, in the home's unit."""
    low, high = (_in_unit_of(hass, limit) for limit in USUAL_TEMPERATURES)
    return low, high


def _in_unit_of(hass: HomeAssistant, celsius: float) -> float:
    unit = hass.config.units.temperature_unit
    return TemperatureConverter.convert(celsius, UnitOfTemperature.CELSIUS, unit)


class Sensitivity:
    """What is sensitive for one agent; one object per turn."""

    def __init__(
        self,
        hass: HomeAssistant,
        labels: frozenset[str] = frozenset(),
        temperatures: tuple[float | None, float | None] = (None, None),
    ) -> None:
        self._hass = hass
        self._labels = labels
        self.doors = Doors(hass)
        low, high = usual_temperatures(hass)
        self._low = low if temperatures[0] is None else temperatures[0]
        self._high = high if temperatures[1] is None else temperatures[1]

    def _is_labelled(self, entity_id: str) -> bool:
        devices, areas = dr.async_get(self._hass), ar.async_get(self._hass)
        entry = er.async_get(self._hass).async_get(entity_id)
        things: list[Any] = [entry] if entry and self._labels else []
        for thing in things:
            above = getattr(thing, "device_id", None) or getattr(
                thing, "parent_device_id", None
            )
            things += filter(None, [devices.async_get(above or "")])
        places = {thing.area_id for thing in things}
        things += filter(None, (areas.async_get_area(place or "") for place in places))
        return any(not self._labels.isdisjoint(thing.labels) for thing in things)

    def is_sensitive(self, effect: Effect) -> bool:
        """Return whether a person must have said yes to it."""
        if effect.service in _HARMLESS_EVERYWHERE:
            return False
        if self._is_labelled(effect.entity_id):
            return True
        row = domain_of(effect.domain)
        if self.doors.is_guard_off(effect):
            return True
        if row.harmless is not None:
            return self._weakens(effect) or (
                effect.meaning not in row.harmless
                and self.doors.is_way_in(effect.entity_id)
                and not (
                    effect.service in _POSITIONS
                    and number_of(effect.data.get("position")) == 0
                )
            )
        if row.temperatures and effect.service == "set_temperature":
            return not all(
                self._is_in_range(effect.data[key], row.highest)
                for key in row.temperatures
                if effect.data.get(key) is not None
            )
        return effect.entity_id in self.doors.beside

    def _is_in_range(self, temperature: Any, highest: float | None) -> bool:
        number = number_of(temperature)
        if highest is None or number is None:
            return number is not None and self._low <= number <= self._high
        return number <= _in_unit_of(self._hass, highest)

    def _weakens(self, effect: Effect) -> bool:
        row, state = domain_of(effect.domain), self._hass.states.get(effect.entity_id)
        now = row.strengths.get(state.state, 0) if state else 0
        return any(
            strength < now
            for wanted, strength in row.strengths.items()
            if row.states.get(wanted) == effect.meaning
        )
