"""The home as its people speak of it: what is exposed to Assist, and where it is.

A snapshot in one language. The registries are read in each turn; the index of names is
made anew only after a change.
"""

import asyncio
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import batched
from typing import Final, Protocol

from homeassistant.components.conversation import DOMAIN as CONVERSATION_DOMAIN
from homeassistant.components.homeassistant.exposed_entities import async_should_expose
from homeassistant.core import HomeAssistant, State
from homeassistant.helpers import (
    area_registry as ar,
    entity_registry as er,
    floor_registry as fr,
    intent,
)
from homeassistant.util.hass_dict import HassKey

from ..text import as_compared
from .description import RARE, Area, Floor, Kinds, Thing, all_counted, in_full
from .scorer import Index, Names, beginnings
from .titles import async_titles, known_language

# They have tools of their own, and are not in Home Assistant's list either
# (components/homeassistant/llm.py).
_WITH_TOOLS: Final = {"calendar", "script"}


@dataclass(frozen=True, eq=False)
class Home:
    """All things of the home, ordered by floor, area and name. It never changes."""

    things: tuple[Thing, ...]
    areas: tuple[Area, ...]
    """Also those in which nothing is exposed."""
    floors: tuple[Floor, ...]
    titles: Mapping[str, str]
    """What people call a kind, by `domain` and by `domain device_class`."""
    index: Index
    """The things' positions by all that can be said of them."""
    full: str
    counted: tuple[str, ...]
    """How many of what is where, as text, the longest first."""
    kinds: Kinds
    """How many things of each kind are in an area, on a floor, in no area."""
    places: Names
    """What the areas, and then the floors, are called."""
    words: frozenset[str]
    """The `beginnings` of the names of things and areas."""

    @cached_property
    def by_area(self) -> dict[Area | None, list[Thing]]:
        """Return the things of each area; those without an area come last."""
        found: dict[Area | None, list[Thing]] = {}
        for thing in self.things:
            found.setdefault(thing.area, []).append(thing)
        return found

    @cached_property
    def by_id(self) -> dict[str, Thing]:
        """Return the things by their entity ids."""
        return {thing.entity_id: thing for thing in self.things}

    def rank(self, *texts: str) -> list[tuple[Thing, int]]:
        """Return what sentences, the last one first, speak of, scored 0 to 100."""
        return [(self.things[item], score) for item, score in self.index.rank(texts)]

    def find(
        self, words: str = "", *, area: str = "", floor: str = "", kind: str = ""
    ) -> list[tuple[Thing, int]]:
        """Return the things that words speak of, the best first, with their scores.

        In an area, on a floor, of a kind. Without words all of these.
        """
        found = self.rank(words) if words else [(thing, 0) for thing in self.things]
        return [
            (thing, score)
            for thing, score in found
            if (not area or is_called(thing.area, area))
            and (not floor or is_called(thing.area and thing.area.floor, floor))
            and (not kind or is_kind(thing, kind, self.titles))
        ]


def is_kind(thing: Thing, kind: str, titles: Mapping[str, str]) -> bool:
    """Return whether a thing is of a kind: a domain, device class or title."""
    names = (thing.domain, thing.device_class, thing.kind)
    known = {
        as_compared(name) for item in names for name in (item, titles.get(item, ""))
    }
    wanted = as_compared(kind)
    forms = {wanted, wanted.removesuffix("s"), wanted.removesuffix("es")}
    return not forms.isdisjoint(known - {""})


def is_called(place: Area | Floor | None, name: str) -> bool:
    """Return whether a place has a name."""
    wanted = as_compared(name)
    return place is not None and any(wanted == as_compared(x) for x in place.names)


# The newest first: one for each language, and each rule of a place.
_HOMES: Final[HassKey[list[Home]]] = HassKey("lumo_homes")
_KEPT_HOMES: Final = 4
# So many entities are looked at before others have their turn: some 20 ms.
AT_ONCE: Final = 2_000


class Readable(Protocol):
    """What may be read in a turn (`gate/places.py`)."""

    def reads(self, entity_id: str) -> bool:
        """Return whether a thing may be read; if not, the home does not have it."""


async def async_get_home(
    hass: HomeAssistant, language: str, scope: Readable | None = None
) -> Home:
    """Return the home as it is now, for sentences in a language like de or de-AT.

    With a `scope` only what may be read, and where that is.
    """
    language = known_language(language)
    titles = await async_titles(hass, language)
    floors_by_id, areas_by_id = places_of(hass)
    found: list[Thing] = []
    for states in batched(hass.states.async_all(), AT_ONCE, strict=False):
        if found:
            await asyncio.sleep(0)
        found += (
            thing_of(hass, state, areas_by_id)
            for state in states
            if state.domain not in _WITH_TOOLS
            and async_should_expose(hass, CONVERSATION_DOMAIN, state.entity_id)
            and (scope is None or scope.reads(state.entity_id))
        )
    found.sort(key=lambda thing: (*_place(thing.area), thing.name.casefold()))
    things = tuple(found)
    areas = tuple(sorted(areas_by_id.values(), key=_place))
    floors = tuple(sorted(floors_by_id.values(), key=_height))
    if scope is not None:
        here = {item.area for item in things}
        areas = tuple(item for item in areas if item in here)
        on = {item.floor for item in areas}
        floors = tuple(item for item in floors if item in on)
    homes = hass.data.setdefault(_HOMES, [])
    facts = (things, areas, floors, titles)
    for home in homes:
        if (home.things, home.areas, home.floors, home.titles) == facts:
            return home
    home = await hass.async_add_executor_job(make_home, *facts)
    homes.insert(0, home)
    del homes[_KEPT_HOMES:]
    return home


def make_home(
    things: tuple[Thing, ...],
    areas: tuple[Area, ...],
    floors: tuple[Floor, ...],
    titles: dict[str, str],
) -> Home:
    """Return a home: what takes long, and needs no Home Assistant."""
    named: tuple[Thing | Area, ...] = (*things, *areas)
    kinds: dict[Area | Floor | None, Counter[str]] = defaultdict(Counter)
    for thing in things:
        kinds[thing.area][thing.kind] += 1
        if thing.area and thing.area.floor:
            kinds[thing.area.floor][thing.kind] += 1
    return Home(
        things=things,
        areas=areas,
        floors=floors,
        titles=titles,
        index=Index(
            [_document(thing, titles) for thing in things],
            [thing.names for thing in things],
        ),
        full=in_full(things, areas),
        counted=all_counted(kinds, areas, things),
        kinds=kinds,
        places=Names(_spoken_names(areas) + [item.names for item in floors]),
        words=beginnings(" ".join(name for item in named for name in item.names)),
    )


def _spoken_names(areas: Sequence[Area]) -> list[tuple[str, ...]]:
    """Return the names of areas, also their last words: "the loo" is downstairs."""
    last = [{name.split()[-1] for name in item.names if name.split()} for item in areas]
    uses = Counter(as_compared(word) for own in last for word in own)
    return [
        (*item.names, *(word for word in own if uses[as_compared(word)] <= RARE))
        for item, own in zip(areas, last, strict=True)
    ]


def places_of(hass: HomeAssistant) -> tuple[dict[str, Floor], dict[str, Area]]:
    """Return the floors and the areas by their ids."""
    floors = {
        item.floor_id: Floor(
            item.floor_id, (item.name, *sorted(item.aliases)), item.level
        )
        for item in fr.async_get(hass).async_list_floors()
    }
    areas = {
        item.id: Area(
            item.id, (item.name, *sorted(item.aliases)), floors.get(item.floor_id or "")
        )
        for item in ar.async_get(hass).async_list_areas()
    }
    return floors, areas


def thing_of(hass: HomeAssistant, state: State, areas: Mapping[str, Area]) -> Thing:
    """Return an entity as a thing of the home."""
    entry = er.async_get(hass).async_get(state.entity_id)
    names = intent.async_get_entity_aliases(hass, entry, state=state)
    area_id = er.async_get_effective_area_id(hass, entry) if entry else None
    return Thing(
        entity_id=state.entity_id,
        names=tuple(dict.fromkeys(filter(None, names))) or (state.entity_id,),
        domain=state.domain,
        device_class=str(state.attributes.get("device_class") or ""),
        area=areas.get(area_id or ""),
    )


def _document(thing: Thing, titles: Mapping[str, str]) -> str:
    area = thing.area
    floor = area.floor if area else None
    kinds = dict.fromkeys(titles.get(kind, "") for kind in (thing.domain, thing.kind))
    places = [name for place in (area, floor) if place for name in place.names]
    return "\n".join((*thing.names, *places, *kinds))


def _height(floor: Floor | None) -> tuple[bool, float, str]:
    if floor is None:
        return (True, 0, "")
    level = floor.level if floor.level is not None else float("inf")
    return (False, level, floor.name.casefold())


def _place(area: Area | None) -> tuple[bool, tuple[bool, float, str], str]:
    if area is None:
        return (True, _height(None), "")
    return (False, _height(area.floor), area.name.casefold())
