"""What lets somebody in, and which actions on which entities are sensitive.

A person must have said yes to those. What counts is what happens to an entity, by the
rows of `domains.toml`, never the name of a tool: unlocking is "turn off" on a lock.
"""

from collections.abc import Iterator
from enum import Enum, auto
from functools import cached_property
import re
from typing import Any, Final

from homeassistant.components.cover import CoverEntityFeature
from homeassistant.const import UnitOfTemperature
from homeassistant.core import HomeAssistant, split_entity_id
from homeassistant.helpers import (
    area_registry as ar,
    device_registry as dr,
    entity_registry as er,
)
from homeassistant.util.unit_conversion import TemperatureConverter

from .. import internals
from ..const import USUAL_TEMPERATURES
from .effects import CHANGE, DOMAINS, NOTHING, Effect, domain_of, number_of
from .names import entity_area, name_of, speak_of
from .reach import Reach, helper_of

# The classes of covers that cannot let anybody in.
_INNER: Final = frozenset(
    {"awning", "blind", "curtain", "damper", "shade", "shutter", "window"}
)
_TILTS: Final = (
    CoverEntityFeature.OPEN_TILT
    | CoverEntityFeature.CLOSE_TILT
    | CoverEntityFeature.SET_TILT_POSITION
)
# The alarm that wakes somebody; how integrations name what detects.
_CLOCK: Final = re.compile("clock|wake|weck", re.IGNORECASE)
_MUTE: Final = re.compile("mute|silen|bypass|stumm", re.IGNORECASE)
_DETECTS: Final = re.compile("motion|detect", re.IGNORECASE)
# What may be behind a door that is a helper, beside what opens doors anyway.
_BEHIND: Final = ("input_boolean", "script")
# What can look like a door that is not marked as one.
_UNMARKED: Final = ("button", "input_button", "switch")


type _Device = dr.DeviceEntry | dr.ChildDeviceEntry


class Cover(Enum):
    """What a cover is."""

    INNER = auto()
    DOOR = auto()
    UNKNOWN = auto()
    """Treated as a door."""


class Doors:
    """The doors of a home; looked up once per object."""

    def __init__(self, hass: HomeAssistant) -> None:
        self._hass = hass
        self._entities = er.async_get(hass)
        self._devices = dr.async_get(hass)

    def cover(self, entity_id: str) -> Cover:
        """Return what a cover is."""
        state, entry = self._hass.states.get(entity_id), self._entry(entity_id)
        attributes = state.attributes if state else {}
        device_class = attributes.get("device_class")
        if device_class is None and entry:
            device_class = entry.device_class or entry.original_device_class
        if device_class is not None:
            return Cover.INNER if device_class in _INNER else Cover.DOOR
        members = internals.members_of_group(self._hass, entity_id)
        if members is not None:
            inner = all(self.cover(item) is Cover.INNER for item in members)
            return Cover.INNER if inner else Cover.DOOR
        device = self._device(entry)
        names = [state.name] if state else []
        if entry:
            names += filter(None, (entry.name, entry.original_name))
        if entry and self._has(entry.device_id, "lock"):
            return Cover.DOOR
        around = [device.name_by_user or device.name] if device else []
        area = entity_area(self._hass, entity_id)
        around += (area.name, *area.aliases) if area else ()
        # "Open" in the name of a room says nothing of a door.
        if speak_of(names) or speak_of(filter(None, around), "door"):
            return Cover.DOOR
        tilts = attributes.get("supported_features", 0) & _TILTS
        if tilts or "current_tilt_position" in attributes or speak_of(names, "blind"):
            return Cover.INNER
        return Cover.UNKNOWN

    def is_guard_off(self, effect: Effect) -> bool:
        """Return whether it turns off what an alarm needs, or motion detection."""
        if effect.domain == "camera":
            return effect.service == "disable_motion_detection"
        entity_id = effect.entity_id
        if effect.domain in ("automation", "input_boolean", "switch"):
            texts = (entity_id.replace("_", " "), name_of(self._hass, entity_id))
            off = "turn_on" if any(map(_MUTE.search, texts)) else "turn_off"
            is_alarm = speak_of(texts, "alarm") and not any(map(_CLOCK.search, texts))
            if is_alarm and effect.service in (off, "toggle"):
                return True
        if effect.service not in ("turn_off", "toggle"):
            return False
        entry = self._entry(entity_id) if effect.domain == "switch" else None
        return entry is not None and (
            self._has(entry.device_id, "camera")
            and _DETECTS.search(
                f"{entity_id} {entry.translation_key} {entry.original_name}"
            )
            is not None
        )

    def is_way_in(self, entity_id: str) -> bool:
        """Return whether it may let somebody in; only for domains that can."""
        return (
            split_entity_id(entity_id)[0] != "cover"
            or self.cover(entity_id) is not Cover.INNER
        )

    def is_door(self, entity_id: str) -> bool:
        """Return whether it lets in or guards, itself or by what is on its device."""
        row = domain_of(split_entity_id(entity_id)[0])
        return entity_id in self.beside or (
            row.harmless is not None and self.is_way_in(entity_id)
        )

    @cached_property
    def beside(self) -> frozenset[str]:
        """Return the ids of what is no door itself but may open one."""
        found = {
            entry.entity_id
            for device_id in self._door_devices
            for entry in er.async_entries_for_device(self._entities, device_id)
            if domain_of(entry.domain).opens_beside
            or (domain_of(entry.domain).opens_by_name and self._is_called_door(entry))
        }
        return frozenset(found.union(self._behind()))

    def _behind(self) -> Iterator[str]:
        """Yield what helper doors act on, such as the switch shown as a lock."""
        for domain, row in DOMAINS.items():
            openings = {*row.states.values()}.difference(row.harmless or ())
            ids = self._hass.states.async_entity_ids(domain)
            for entity_id in ids if row.harmless is not None else ():
                helper = helper_of(self._hass, entity_id)
                if helper is None or not self.is_way_in(entity_id):
                    continue
                effects = [Effect(entity_id, item) for item in openings]
                effects += [Effect(item, CHANGE) for item in helper.members or ()]
                for effect in Reach(self._hass, effects).effects:
                    opens = domain_of(effect.domain).opens_beside
                    name = name_of(self._hass, effect.entity_id)
                    if (opens or effect.domain in _BEHIND) and not (
                        speak_of([name], "light")
                    ):
                        yield effect.entity_id

    def unknown_covers(self) -> list[str]:
        """Return the covers that their owner should classify."""
        return [
            entity_id
            for entity_id in self._hass.states.async_entity_ids("cover")
            if self.cover(entity_id) is Cover.UNKNOWN
        ]

    def unmarked(self) -> list[str]:
        """Return what looks like a door and is not asked about, less helpers and settings."""
        return [
            state.entity_id
            for state in self._hass.states.async_all(_UNMARKED)
            if (entry := self._entry(state.entity_id))
            and entry.entity_id not in self.beside
            and helper_of(self._hass, entry.entity_id) is None
            and entry.entity_category is None
            and self._is_called_door(entry)
            and not self._has(entry.device_id, "lock", "climate")
        ]

    @cached_property
    def _door_devices(self) -> set[str]:
        ways_in = {name for name, row in DOMAINS.items() if row.is_way_in}
        found = {
            self._family(entry.device_id)
            for entry in self._entities.entities.values()
            if entry.domain in ways_in
            and entry.device_id
            and self.is_way_in(entry.entity_id)
        }
        children = (dr.async_entries_for_parent_device(self._devices, x) for x in found)
        return found.union(child.id for some in children for child in some)

    def _family(self, device_id: str) -> str:
        device = self._devices.async_get(device_id)
        return getattr(device, "parent_device_id", None) or device_id

    def _entry(self, entity_id: str) -> er.RegistryEntry | None:
        return self._entities.async_get(entity_id)

    def _device(self, entry: er.RegistryEntry | None) -> _Device | None:
        device_id = entry.device_id if entry else None
        return self._devices.async_get(device_id) if device_id else None

    def _has(self, device_id: str | None, *domains: str) -> bool:
        return device_id is not None and any(
            entry.domain in domains
            for entry in er.async_entries_for_device(
                self._entities, device_id, include_disabled_entities=True
            )
        )

    def _is_called_door(self, entry: er.RegistryEntry) -> bool:
        device = self._device(entry)
        names = [entry.name, entry.original_name]
        if device and device.name:
            # Many write the device's name before the entity's own.
            names = [name.removeprefix(device.name) for name in names if name]
        own = [name for name in (*names, entry.translation_key) if name]
        return speak_of(own) and not speak_of(own, "light")


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
        things += filter(None, map(areas.async_get_area, places))
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
