"""Which things a call about several means: by names, places and kinds, but not some.

A door is meant by its name, or by a kind that says door; never because of where it is.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
import re
from typing import Final

from homeassistant.core import HomeAssistant, State
from homeassistant.exceptions import HomeAssistantError

from ..context.home import Area, Floor, Thing, is_kind, places_of, thing_of
from ..context.titles import known_titles
from ..gate.doors import Doors, speak_of
from ..gate.named_by_person import kinds_of
from ..gate.own_tool import Arguments
from ..gate.speaker import Speaker, area_of
from ..text import as_compared
from .targets import nearest

_EVERYWHERE: Final = {
    *("all", "any", "everything", "everywhere", "devices", "all devices"),
    *("home", "house", "whole house", "none"),
}
_HERE: Final = {"here", "this room", "this area", "current", "current area"}
AND: Final = re.compile(r"\s*[,;&]\s*|\s+and\s+")
# The arguments that say what is meant.
WAYS: Final = ("name", "area", "floor", "kind")
# What a name may be: also a place; of a kind it is but one thing.
_NAMED: Final = ("name", "area", "floor", "each")


class UnclearError(HomeAssistantError):
    """Nothing may run; the text says why, and what there is, to the model."""

    several: Sequence[Thing] = ()
    """What the one name that was given may mean."""


@dataclass(frozen=True, slots=True)
class Selection:
    """What a call means."""

    things: Sequence[Thing]
    named: set[str]
    """The ids of those that are meant by their names."""
    excepted: set[str]
    """The ids of the exceptions."""


class Selector:
    """Chooses among the things of some domains."""

    def __init__(
        self, hass: HomeAssistant, speaker: Speaker | None, states: Iterable[State]
    ) -> None:
        self._hass = hass
        self._speaker = speaker
        floors, areas = places_of(hass)
        self._places: dict[str, Iterable[Area | Floor]] = {
            "area": areas.values(),
            "floor": floors.values(),
        }
        self._things = [thing_of(hass, state, areas) for state in states]
        self._doors = Doors(hass)

    @cached_property
    def _titles(self) -> dict[str, str]:
        language = self._speaker.language if self._speaker else None
        return known_titles(self._hass, language or self._hass.config.language)

    @cached_property
    def _here(self) -> list[Thing]:
        """Return what is where the person speaks."""
        speaker = self._speaker
        ids = (speaker.satellite_id, speaker.device_id) if speaker else (None, None)
        area = area_of(self._hass, *ids)
        return [
            thing
            for thing in self._things
            if area and thing.area and thing.area.area_id == area.id
        ]

    def choose(self, arguments: Arguments, *, nearby: bool) -> Selection:
        """Return what the arguments mean; raise UnclearError where that is in doubt.

        With `nearby` and no place it is what is where the person speaks, if anything.
        """
        names, areas, floors, kinds = (self._said(arguments, way) for way in WAYS)
        pool = self._things
        for texts, ways in (
            (areas, ("area", "floor")),
            (floors, ("floor", "area")),
            (kinds, ("kind",)),
        ):
            if texts:
                found = {item for text in texts for item in self._find(text, ways)}
                pool = [thing for thing in pool if thing in found]
        named: set[str] = set()
        if names:
            chosen: set[Thing] = set()
            for text in names:
                found = {*self._find(text, _NAMED, {*pool})}
                chosen |= found
                named |= {item.entity_id for item in found if _is_called(item, text)}
            pool = [thing for thing in pool if thing in chosen]
        elif nearby and not (areas or floors):
            pool = [thing for thing in pool if thing in self._here] or pool
        pool = [
            thing
            for thing in pool
            if thing.entity_id in named
            or not self._doors.is_door(thing.entity_id)
            or any(self._says_door(thing, kind) for kind in kinds)
        ]
        if not pool:
            raise UnclearError("There is no such thing there; doors need their names.")
        excepted = {
            thing.entity_id
            for text in self._said(arguments, "except")
            for thing in self._find(text, ("area", "floor", "name", "kind"), {*pool})
        }
        return Selection(
            [thing for thing in pool if thing.entity_id not in excepted],
            named,
            excepted,
        )

    def _said(self, arguments: Arguments, key: str) -> list[str]:
        """Return what an argument says; "Kitchen, Hall" is two unless it is called so."""
        return [
            part
            for text in said(arguments, key)
            for part in (
                [text]
                if any(AND.search(text) and self._matching(text, way) for way in WAYS)
                else AND.split(text)
            )
        ]

    def _find(
        self, text: str, ways: Sequence[str], among: Collection[Thing] = ()
    ) -> list[Thing]:
        """Return what a text means in the first way in which it means anything.

        Of several of one name it is the one that is `among` some, or here.
        """
        if as_compared(text) in _HERE:
            if not self._here:
                raise UnclearError("It is not known where the person is. Say an area.")
            return self._here
        for way in ways:
            found = self._matching(text, way)
            for likely in (among, self._here) if way in ("name", "each") else ():
                if len(found) > 1:
                    found = {
                        key: things
                        for key, things in found.items()
                        if not {*things}.isdisjoint(likely)
                    } or found
            if len(found) > 1:
                err = UnclearError(
                    f"{text} may be {' or '.join(found)}. Ask the person which."
                )
                if ways is _NAMED and way in ("name", "each"):
                    err.several = [thing for some in found.values() for thing in some]
                raise err
            if found:
                return next(iter(found.values()))
        names = (name for way in ways for name in self._names(way))
        raise UnclearError(f"There is no {ways[0]} {text}. {nearest(text, names)}")

    def _names(self, way: str) -> Iterable[str]:
        if way == "kind":
            return sorted({item.device_class or item.domain for item in self._things})
        found: Iterable[Thing | Area | Floor] = self._things
        if way in self._places:
            there = {place for item in self._things for place in _places(item)}
            found = [place for place in self._places[way] if place in there]
        return (name for item in found for name in item.names)

    def _matching(self, text: str, way: str) -> dict[str, list[Thing]]:
        """Return all that a text may mean in one way, by what tells them apart."""
        if way in ("name", "each"):
            found = [item for item in self._things if _is_called(item, text)]
            found += self._of_kind(text) if way == "each" else []
            return {f"{thing.name} ({thing.entity_id})": [thing] for thing in found}
        if way == "kind":
            found = self._of_kind(text)
            return {text: found} if found else {}
        return {
            place.name: [thing for thing in self._things if place in _places(thing)]
            for place in self._places[way]
            if as_compared(text) in map(as_compared, place.names)
        }

    def _of_kind(self, kind: str) -> list[Thing]:
        """Return what is of a kind, else what a word for one in any language means."""
        found = [item for item in self._things if is_kind(item, kind, self._titles)]
        if found or not kind.isalpha():
            return found
        return [
            thing
            for thing in self._things
            for word in kinds_of(self._hass, self._doors, thing.entity_id)
            if word != "door" and speak_of([kind], word)
        ]

    def _says_door(self, thing: Thing, kind: str) -> bool:
        """Return whether a kind says that it is a door, and not just a cover."""
        if thing.domain != "cover":
            return thing.domain in ("lock", "valve")
        bare = replace(thing, device_class="")
        return speak_of([kind], "door") or (
            is_kind(thing, kind, self._titles) and not is_kind(bare, kind, self._titles)
        )


def said(arguments: Arguments, key: str) -> list[str]:
    """Return what an argument says, a text or a list of them."""
    given = arguments.get(key) or []
    texts = map(str, given if isinstance(given, list) else [given])
    return [
        text.strip() for text in texts if as_compared(text) not in {"", *_EVERYWHERE}
    ]


def _places(thing: Thing) -> tuple[Area | Floor, ...]:
    """Return where a thing is."""
    return tuple(filter(None, (thing.area, thing.area and thing.area.floor)))


def _is_called(thing: Thing, text: str) -> bool:
    return as_compared(text) in map(as_compared, (thing.entity_id, *thing.names))
