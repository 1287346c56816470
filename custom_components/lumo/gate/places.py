"""Policy by place: what may be read and acted on from where somebody speaks.

Rules only narrow: each that holds must allow a thing.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Self

from homeassistant.core import HomeAssistant
from homeassistant.helpers import entity_registry as er

from ..const import CONF_PLACES
from .names import entity_area
from .speaker import Speaker

SATELLITE: Final = "assist_satellite"
# The fields of a rule, as it is stored.
NAME: Final = "name"
SATELLITES: Final = "satellites"
AREAS: Final = "areas"
ACTS: Final = "acts"
OWNER: Final = "owner"
# What an earlier version called the areas.
_READ_AREAS: Final = "read_areas"


def as_stored_now(rule: Mapping[str, Any]) -> dict[str, Any]:
    """Return a rule as the form has it; one that could say more only looks there."""
    known = {NAME, SATELLITES, AREAS, _READ_AREAS, ACTS, OWNER}
    says_more = any(rule[key] not in (None, [], True) for key in rule.keys() - known)
    now = {key: rule[key] for key in (NAME, SATELLITES, AREAS, OWNER) if key in rule}
    if areas := rule.get(_READ_AREAS):
        now[AREAS] = areas
    return {**now, ACTS: rule.get(ACTS, True) and not says_more}


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A rule."""

    satellites: frozenset[str] = frozenset()
    """Their entity ids; none: wherever no rule names a satellite."""
    areas: frozenset[str] = frozenset()
    """The areas that exist there; none: all, and what is in no area."""
    acts: bool = True
    owner: str | None = None
    """The entity id of the person whose satellites these are."""

    @classmethod
    def from_option(cls, stored: Mapping[str, Any]) -> Self:
        """Read a rule as it is stored."""
        rule = as_stored_now(stored)
        return cls(
            satellites=frozenset(rule.get(SATELLITES) or ()),
            areas=frozenset(rule.get(AREAS) or ()),
            acts=rule[ACTS],
            owner=rule.get(OWNER),
        )

    def has(self, hass: HomeAssistant, entity_id: str) -> bool:
        """Return whether a thing exists there. What has no area is in none."""
        if not self.areas:
            return True
        area = entity_area(hass, entity_id)
        return area is not None and area.id in self.areas


# Where an earlier version did not answer at all, nothing exists.
_NOWHERE: Final = Place(areas=frozenset({""}), acts=False)


@dataclass(frozen=True, slots=True)
class Scope:
    """What may be read and acted on in a turn, of what is exposed."""

    hass: HomeAssistant
    places: tuple[Place, ...]

    def reads(self, entity_id: str) -> bool:
        """Return whether a thing may be read; else it does not exist."""
        return all(place.has(self.hass, entity_id) for place in self.places)

    def acts(self, entity_id: str) -> bool:
        """Return whether it may be acted on."""
        return self.may_act and self.reads(entity_id)

    @property
    def may_act(self) -> bool:
        """Return whether anything may be changed, timers included."""
        return all(place.acts for place in self.places)


@dataclass(frozen=True, slots=True)
class Places:
    """The rules of an agent."""

    rules: tuple[Place, ...] = ()

    @classmethod
    def from_options(cls, options: Mapping[str, Any]) -> Self:
        """Read the rules as they are stored."""
        only = (_NOWHERE,) if options.get("only_places") else ()
        return cls((*map(Place.from_option, options[CONF_PLACES]), *only))

    def scope(self, hass: HomeAssistant, speaker: Speaker) -> Scope | None:
        """Return what holds where somebody speaks, None if no rule does.

        A signed-in client may claim any satellite: rules without one hold for it too.
        """
        satellites, registry = satellites_of(hass, speaker), er.async_get(hass)
        rules = self._naming(satellites)
        if not rules or speaker.user_id is not None:
            # One that no rule names may have had another name when its rule was written.
            is_unnamed = bool(satellites and not rules)
            rules += [
                rule
                for rule in self.rules
                if not rule.satellites
                or (
                    is_unnamed
                    and not all(map(registry.async_is_registered, rule.satellites))
                )
            ]
        narrowing = tuple(rule for rule in rules if rule.areas or not rule.acts)
        return Scope(hass, narrowing) if narrowing else None

    def owner_of(self, satellite_id: str | None) -> str | None:
        """Return the person whose satellite it is, if one was chosen."""
        named = self._naming({satellite_id or ""})
        return next((rule.owner for rule in named if rule.owner), None)

    def _naming(self, satellites: set[str]) -> list[Place]:
        return [rule for rule in self.rules if rule.satellites & satellites]


def satellites_of(hass: HomeAssistant, speaker: Speaker) -> set[str]:
    """Return the satellites that somebody speaks to, by their own word or by device."""
    found = {speaker.satellite_id} if speaker.satellite_id else set[str]()
    if speaker.device_id:
        entries = er.async_entries_for_device(
            er.async_get(hass), speaker.device_id, include_disabled_entities=True
        )
        found.update(item.entity_id for item in entries if item.domain == SATELLITE)
    return found
