"""Policy by place: what may be read, and acted on, from where somebody speaks.

The owner of an agent writes rules, each for some satellites, or for wherever no rule
names one. A rule only narrows, and of several that hold each has to allow a thing. What
may not be read does not exist in that turn.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Self

from homeassistant.core import HomeAssistant, split_entity_id
from homeassistant.helpers import entity_registry as er

from .names import entity_area
from .speaker import Speaker

SATELLITE: Final = "assist_satellite"
# The kinds that a rule is written with: domains, but for the timers of satellites.
TIMER: Final = "timer"
_KINDS: Final = (
    "light media_player switch cover climate fan sensor binary_sensor weather scene "
    "script timer todo calendar person camera lock alarm_control_panel vacuum"
)
KINDS: Final = tuple(_KINDS.split())
# The fields of a rule, as it is stored.
NAME: Final = "name"
SATELLITES: Final = "satellites"
READ_AREAS: Final = "read_areas"
READ_KINDS: Final = "read_kinds"
ACTS: Final = "acts"
ACT_AREAS: Final = "act_areas"
ACT_KINDS: Final = "act_kinds"
PROTON_TOOLS: Final = "proton_tools"
OWNER: Final = "owner"


@dataclass(frozen=True, slots=True)
class Limit:
    """Areas and kinds; none are all."""

    areas: frozenset[str]
    kinds: frozenset[str]

    @classmethod
    def of(cls, areas: Iterable[str] | None, kinds: Iterable[str] | None) -> Self:
        """Read what was chosen."""
        return cls(frozenset(areas or ()), frozenset(kinds or ()))

    def has(self, hass: HomeAssistant, entity_id: str) -> bool:
        """Return whether a thing is within. What has no area is in none."""
        if self.kinds and split_entity_id(entity_id)[0] not in self.kinds:
            return False
        if not self.areas:
            return True
        area = entity_area(hass, entity_id)
        return area is not None and area.id in self.areas


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A rule."""

    satellites: frozenset[str]
    """Their entities; none: it is for wherever no rule names a satellite."""
    read: Limit
    act: Limit | None
    """Beside `read`; None: nothing is acted on."""
    proton_tools: bool
    """Proton's own tools may be used there."""
    owner: str | None
    """The person whose satellites these are, an entity."""

    @classmethod
    def from_option(cls, data: Mapping[str, Any]) -> Self:
        """Read a rule as it is stored."""
        act = Limit.of(data.get(ACT_AREAS), data.get(ACT_KINDS))
        return cls(
            satellites=frozenset(data.get(SATELLITES) or ()),
            read=Limit.of(data.get(READ_AREAS), data.get(READ_KINDS)),
            act=act if data.get(ACTS, True) else None,
            proton_tools=data.get(PROTON_TOOLS, True),
            owner=data.get(OWNER),
        )

    @property
    def limits(self) -> bool:
        """Return whether it keeps anything of the home away."""
        return self.act is None or any(
            (self.read.areas, self.read.kinds, self.act.areas, self.act.kinds)
        )


@dataclass(frozen=True, slots=True)
class Scope:
    """What may be read and acted on in a turn, of what is exposed."""

    hass: HomeAssistant
    places: tuple[Place, ...]

    def reads(self, entity_id: str) -> bool:
        """Return whether a thing may be read; else there is no such thing."""
        return all(place.read.has(self.hass, entity_id) for place in self.places)

    def acts(self, entity_id: str) -> bool:
        """Return whether it may be acted on."""
        return self.reads(entity_id) and all(
            place.act is not None and place.act.has(self.hass, entity_id)
            for place in self.places
        )

    @property
    def has_timers(self) -> bool:
        """Return whether timers may be asked for and set; they are in no area."""
        return all(
            place.act is not None
            and all(
                not limit.kinds or TIMER in limit.kinds
                for limit in (place.read, place.act)
            )
            for place in self.places
        )

    def reads_of(self, domain: str) -> bool:
        """Return whether anything of a domain may be read."""
        return any(map(self.reads, self.hass.states.async_entity_ids(domain)))


@dataclass(frozen=True, slots=True)
class Places:
    """The rules of an agent."""

    rules: tuple[Place, ...] = ()
    only: bool = False
    """Satellites that no rule names are not served."""

    @classmethod
    def from_options(cls, rules: Iterable[Mapping[str, Any]], only: bool) -> Self:
        """Read the rules as they are stored."""
        return cls(tuple(map(Place.from_option, rules)), only)

    def serves(self, hass: HomeAssistant, speaker: Speaker) -> bool:
        """Return whether the agent answers there."""
        satellites = _satellites_of(hass, speaker) if self.only else frozenset[str]()
        return not satellites or bool(self._naming(satellites))

    def of(self, hass: HomeAssistant, speaker: Speaker) -> tuple[Place, ...]:
        """Return the rules that hold where somebody speaks.

        Who signs in may claim to be any satellite: what holds for them without one
        holds beside its rules.
        """
        if not self.rules:
            return ()
        satellites = _satellites_of(hass, speaker)
        named = self._naming(satellites)
        elsewhere = tuple(rule for rule in self.rules if not rule.satellites)
        if named and speaker.user_id is None:
            return named
        # One that no rule names may have had another name when its rule was written.
        lost = self._lost(hass) if satellites and not named else ()
        return (*named, *lost, *elsewhere)

    def scope(self, hass: HomeAssistant, speaker: Speaker) -> Scope | None:
        """Return what holds there, None if that is all that holds without rules."""
        rules = tuple(rule for rule in self.of(hass, speaker) if rule.limits)
        return Scope(hass, rules) if rules else None

    def owner_of(self, satellite_id: str | None) -> str | None:
        """Return the person whose satellite it is, if one was chosen."""
        named = self._naming(frozenset({satellite_id or ""}))
        return next((rule.owner for rule in named if rule.owner), None)

    def _lost(self, hass: HomeAssistant) -> tuple[Place, ...]:
        """Return the rules that name a satellite which is not there any more."""
        registry = er.async_get(hass)
        return tuple(
            rule
            for rule in self.rules
            if not all(map(registry.async_is_registered, rule.satellites))
        )

    def _naming(self, satellites: frozenset[str]) -> tuple[Place, ...]:
        return tuple(
            rule for rule in self.rules if not rule.satellites.isdisjoint(satellites)
        )


def _satellites_of(hass: HomeAssistant, speaker: Speaker) -> frozenset[str]:
    """Return the satellite that is spoken to, and those on the device."""
    found = {speaker.satellite_id} if speaker.satellite_id else set[str]()
    if speaker.device_id:
        entries = er.async_entries_for_device(
            er.async_get(hass), speaker.device_id, include_disabled_entities=True
        )
        found.update(item.entity_id for item in entries if item.domain == SATELLITE)
    return frozenset(found)
