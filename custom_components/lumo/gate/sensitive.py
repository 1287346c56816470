"""Which actions on which entities are sensitive: a person must have said yes to them.

What counts is what happens to an entity, never the name of a tool: unlocking is "turn
off" on a lock. An action is written as Home Assistant's services are, so that calls,
scripts, scenes and a restored state are judged by one table:

    lock                             everything but locking
    garage door, gate, door, and     everything but closing and stopping
      cover without a device class
    valve                            everything but closing and stopping
    alarm panel                      everything but arming
    thermostat                       a temperature outside the agent's range
    button or switch of a device     everything: it may well open the same door
      with one of the first two
    entity with a chosen label       everything
"""

from functools import cached_property
from typing import Any, Final

from homeassistant.const import UnitOfTemperature
from homeassistant.core import HomeAssistant, State, split_entity_id
from homeassistant.helpers import (
    area_registry as ar,
    device_registry as dr,
    entity_registry as er,
)
from homeassistant.util.unit_conversion import TemperatureConverter

from ..const import USUAL_TEMPERATURES
from .domains import DOMAINS, domain_of
from .effects import NOTHING, Effect, number_of
from .runners import CONTAINERS, Runners

# Covers that cannot let anybody in.
_INNER_COVERS: Final = frozenset(
    {"awning", "blind", "curtain", "damper", "shade", "shutter", "window"}
)
_HARMLESS_EVERYWHERE: Final = frozenset({NOTHING, "update_entity"})


class Sensitivity:
    """What is sensitive for one agent. Made anew for each turn."""

    def __init__(
        self,
        hass: HomeAssistant,
        labels: frozenset[str] = frozenset(),
        temperatures: tuple[float | None, float | None] = (None, None),
    ) -> None:
        """Take the agent's labels, and its range of temperatures in the home's unit."""
        self._hass = hass
        self._labels = labels
        low, high = (
            TemperatureConverter.convert(
                limit, UnitOfTemperature.CELSIUS, hass.config.units.temperature_unit
            )
            for limit in USUAL_TEMPERATURES
        )
        self._low = low if temperatures[0] is None else temperatures[0]
        self._high = high if temperatures[1] is None else temperatures[1]

    @cached_property
    def _labelled(self) -> frozenset[str]:
        """Return the entities with a chosen label: their own, a device's, an area's."""
        entities = er.async_get(self._hass)
        devices = dr.async_get(self._hass)
        areas = ar.async_get(self._hass)
        found: list[er.RegistryEntry] = []
        for label in self._labels:
            found += er.async_entries_for_label(entities, label)
            labelled = dr.async_entries_for_label(devices, label)
            for area in ar.async_entries_for_label(areas, label):
                labelled += dr.async_entries_for_area(devices, area.id)
                found += er.async_entries_for_area(entities, area.id)
            for device in labelled:
                found += er.async_entries_for_device(entities, device.id)
                for child in dr.async_entries_for_parent_device(devices, device.id):
                    found += er.async_entries_for_device(entities, child.id)
        return frozenset(entry.entity_id for entry in found)

    @cached_property
    def _door_devices(self) -> set[str]:
        """Return the devices that have a lock, an alarm panel or an outer cover."""
        entities = er.async_get(self._hass)
        devices = dr.async_get(self._hass)
        found = {
            self._family(entry.device_id)
            for state in self._hass.states.async_all(
                [name for name, row in DOMAINS.items() if row.is_way_in]
            )
            if (entry := entities.async_get(state.entity_id))
            and entry.device_id
            and self._is_outer(state.entity_id)
        }
        children = (dr.async_entries_for_parent_device(devices, item) for item in found)
        return found.union(child.id for some in children for child in some)

    def _family(self, device_id: str) -> str:
        """Return the device that a device is a part of, or itself."""
        device = dr.async_get(self._hass).async_get(device_id)
        return getattr(device, "parent_device_id", None) or device_id

    def candidates(self) -> list[State]:
        """Return the entities on which any action can be sensitive.

        It is what a call's targets are first compared with: a home has a thousand
        entities, but few doors.
        """
        states = self._hass.states
        found = {
            state.entity_id: state
            for state in states.async_all(
                [*CONTAINERS, *(name for name, row in DOMAINS.items() if row.is_judged)]
            )
            if not domain_of(state.domain).opens_beside
            or self._is_of_door(state.entity_id)
        }
        for entity_id in (*self._labelled, *Runners(self._hass).acting()):
            if state := states.get(entity_id):
                found[entity_id] = state
        return list(found.values())

    def is_sensitive(self, effect: Effect) -> bool:
        """Return whether a person must have said yes to it."""
        if effect.service in _HARMLESS_EVERYWHERE:
            return False
        if effect.entity_id in self._labelled:
            return True
        row = domain_of(effect.domain)
        if row.harmless is not None:
            return (
                effect.meaning not in row.harmless
                and self._is_outer(effect.entity_id)
                and not self._moves_down(effect)
            )
        if row.temperatures and effect.service == "set_temperature":
            return not all(
                self._is_in_range(effect.data[key])
                for key in row.temperatures
                if effect.data.get(key) is not None
            )
        return row.opens_beside and self._is_of_door(effect.entity_id)

    def is_guarded(self, entity_id: str) -> bool:
        """Return whether some action on the entity would be sensitive."""
        return self.is_sensitive(Effect(entity_id, "unknown"))

    def _is_in_range(self, temperature: Any) -> bool:
        number = number_of(temperature)
        return number is not None and self._low <= number <= self._high

    def _is_outer(self, entity_id: str) -> bool:
        """Return whether it may be a way into the house: not every cover is."""
        if split_entity_id(entity_id)[0] != "cover":
            return True
        state = self._hass.states.get(entity_id)
        device_class = state.attributes.get("device_class") if state else None
        if device_class is None and (
            entry := er.async_get(self._hass).async_get(entity_id)
        ):
            device_class = entry.device_class or entry.original_device_class
        return device_class not in _INNER_COVERS

    def _is_of_door(self, entity_id: str) -> bool:
        """Return whether a switch or button belongs to the device of a door."""
        entry = er.async_get(self._hass).async_get(entity_id)
        return entry is not None and entry.device_id in self._door_devices

    def _moves_down(self, effect: Effect) -> bool:
        """Return whether a cover or valve is set to no more than it is open now."""
        if effect.service not in ("set_cover_position", "set_valve_position"):
            return False
        position = number_of(effect.data.get("position"))
        state = self._hass.states.get(effect.entity_id)
        current = None
        # A door on its way down may tell where it was when it began.
        if state and effect.at_once and state.state != "closing":
            current = state.attributes.get("current_position")
        return position is not None and position <= (current or 0)
