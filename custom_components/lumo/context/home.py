"""The home as its people speak of it: what is exposed to Assist, and where it is.

A snapshot in one language, from the registries, with an index of all names. It is made
anew some seconds after anything of it has changed, and else in the turn that needs it:
a turn never sees what was withdrawn, and misses nothing that was added.
"""

import asyncio
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from typing import Any, Final, Protocol

from homeassistant.components.conversation import DOMAIN as CONVERSATION_DOMAIN
from homeassistant.components.homeassistant.exposed_entities import (
    async_listen_entity_updates,
    async_should_expose,
)
from homeassistant.const import EVENT_STATE_CHANGED
from homeassistant.core import (
    CoreState,
    Event,
    EventStateChangedData,
    HassJob,
    HomeAssistant,
    State,
    callback,
)
from homeassistant.helpers import (
    area_registry as ar,
    device_registry as dr,
    entity_registry as er,
    floor_registry as fr,
    intent,
)
from homeassistant.helpers.event import async_call_later
from homeassistant.helpers.start import async_at_started
from homeassistant.util.hass_dict import HassKey

from ..internals import listed_entities
from ..text import as_compared
from .description import Kinds, all_counted, in_full
from .scorer import Index, Names, beginnings
from .static_list import rebuilt
from .things import Area, Floor, Thing
from .titles import async_titles, known_language

# They have tools of their own, and are not in Home Assistant's list either
# (components/homeassistant/llm.py).
_WITH_TOOLS: Final = {"calendar", "script"}
# Changes come in bursts.
_REBUILD_SECONDS: Final = 5
# While it is made it may change.
_TRIES: Final = 3
_REGISTRY_EVENTS: Final = (
    er.EVENT_ENTITY_REGISTRY_UPDATED,
    dr.EVENT_DEVICE_REGISTRY_UPDATED,
    ar.EVENT_AREA_REGISTRY_UPDATED,
    fr.EVENT_FLOOR_REGISTRY_UPDATED,
)


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
    """All of it as text for the model."""
    counted: tuple[str, ...]
    """How many of what is where, as text, the longest first."""
    kinds: Kinds
    """How many things of each kind are in an area, on a floor, in no area."""
    places: Names
    """What the areas, and then the floors, are called."""
    words: frozenset[str]
    """How the words in the names of things and areas begin (see `beginnings`)."""
    theirs: str
    """Home Assistant's own list of the things."""

    @cached_property
    def by_area(self) -> dict[Area | None, list[Thing]]:
        """Return the things of each area, last those of none."""
        found: dict[Area | None, list[Thing]] = {}
        for thing in self.things:
            found.setdefault(thing.area, []).append(thing)
        return found

    @cached_property
    def by_id(self) -> dict[str, Thing]:
        """Return the things by their entity ids."""
        return {thing.entity_id: thing for thing in self.things}

    def rank(self, *texts: str) -> list[tuple[Thing, int]]:
        """Return the things that sentences speak of, the last sentence first.

        The best thing first, with scores of 0 to 100.
        """
        return [(self.things[item], score) for item, score in self.index.rank(texts)]

    def find(
        self, words: str = "", *, area: str = "", floor: str = "", kind: str = ""
    ) -> list[tuple[Thing, int]]:
        """Return the things that words speak of, the best first, with their scores.

        In an area and on a floor, by any of their names; of a kind, by domain, device
        class or title. Without words all of these, with the score 0.
        """
        found = self.rank(words) if words else [(thing, 0) for thing in self.things]
        return [
            (thing, score)
            for thing, score in found
            if (not area or _is_called(thing.area, area))
            and (not floor or _is_called(thing.area and thing.area.floor, floor))
            and (not kind or is_kind(thing, kind, self.titles))
        ]


def is_kind(thing: Thing, kind: str, titles: Mapping[str, str]) -> bool:
    """Return whether a thing is of a kind: domain, device class or title, or many."""
    names = (thing.domain, thing.device_class, thing.kind)
    known = {
        as_compared(name) for item in names for name in (item, titles.get(item, ""))
    }
    wanted = as_compared(kind)
    forms = {wanted, wanted.removesuffix("s"), wanted.removesuffix("es")}
    return not forms.isdisjoint(known - {""})


def _is_called(place: Area | Floor | None, name: str) -> bool:
    wanted = as_compared(name)
    return place is not None and any(
        wanted == as_compared(item) for item in place.names
    )


class Readable(Protocol):
    """What may be read in a turn (`gate/places.py`)."""

    def reads(self, entity_id: str) -> bool:
        """Return whether a thing may be read; else there is no such thing."""


async def async_get_home(
    hass: HomeAssistant, language: str, scope: Readable | None = None
) -> Home:
    """Return the home as it is now, for sentences in a language like de or de-AT.

    With a `scope` only what may be read, and where that is.
    """
    homes = hass.data.get(_HOMES) or _Homes(hass)
    home = await homes.async_get(language)
    if scope is None:
        return home
    things = tuple(item for item in home.things if scope.reads(item.entity_id))
    here = {item.area for item in things}
    areas = tuple(item for item in home.areas if item in here)
    on = {item.floor for item in areas}
    floors = tuple(item for item in home.floors if item in on)
    some = await hass.async_add_executor_job(
        make_home, things, areas, floors, dict(home.titles), []
    )
    return replace(some, theirs=home.theirs)


@callback
def async_watch_home(hass: HomeAssistant) -> Callable[[], None]:
    """Keep the home ready for turns from now on; return how to stop that."""
    return hass.data.setdefault(_HOMES, _Homes(hass)).async_watch()


class _Homes:
    """The homes of all languages that are spoken."""

    def __init__(self, hass: HomeAssistant) -> None:
        self._hass = hass
        self._homes: dict[str, Home] = {}
        self._languages: set[str] = set()
        self._version = 0
        self._watchers = 0
        self._stops: list[Callable[[], None]] = []
        self._cancel: Callable[[], None] | None = None

    async def async_get(self, language: str) -> Home:
        """Return the home in a language; make it where there is none."""
        language = known_language(language)
        self._languages.add(language)
        if language in self._homes:
            return self._homes[language]
        for _ in range(_TRIES):
            version = self._version
            home = await _async_make(self._hass, language)
            if version == self._version:
                if self._watchers:
                    self._homes[language] = home
                break
        return home

    @callback
    def async_watch(self) -> Callable[[], None]:
        """Begin to look for changes, if nobody does; return how to stop."""
        self._watchers += 1
        if self._watchers == 1:
            bus = self._hass.bus
            self._stops = [
                async_listen_entity_updates(
                    self._hass, CONVERSATION_DOMAIN, self._changed
                ),
                bus.async_listen(EVENT_STATE_CHANGED, self._changed, _is_other),
                *(bus.async_listen(item, self._changed) for item in _REGISTRY_EVENTS),
            ]
            self._languages = {self._hass.config.language}
            # Until then things come by the hundred.
            self._stops.append(async_at_started(self._hass, self._changed))
        return self._unwatch

    @callback
    def _unwatch(self) -> None:
        self._watchers -= 1
        if not self._watchers:
            for stop in (*self._stops, self._cancel):
                if stop:
                    stop()
            self._cancel = None
            self._homes.clear()

    @callback
    def _changed(self, _what: Event[Any] | HomeAssistant | None = None) -> None:
        """Forget the homes, and make them anew soon."""
        self._version += 1
        self._homes.clear()
        if self._cancel is None and self._hass.state is CoreState.running:
            job = HassJob(self._async_rebuild, cancel_on_shutdown=True)
            self._cancel = async_call_later(self._hass, _REBUILD_SECONDS, job)

    async def _async_rebuild(self, _now: datetime) -> None:
        self._cancel = None
        for language in list(self._languages):
            await self.async_get(language)


_HOMES: Final[HassKey[_Homes]] = HassKey("lumo_homes")


@callback
def _is_other(data: EventStateChangedData) -> bool:
    """Return whether a thing has come, gone, or got another name or class."""
    old, new = data["old_state"], data["new_state"]
    if old is None or new is None:
        return True
    if old.attributes is new.attributes:
        return False
    return any(
        old.attributes.get(key) != new.attributes.get(key)
        for key in ("friendly_name", "device_class")
    )


async def _async_make(hass: HomeAssistant, language: str) -> Home:
    """Return the home as it is now."""
    titles = await async_titles(hass, language)
    floors, areas = places_of(hass)
    listed = listed_entities(hass)
    # Each half takes 20 ms for 2,000 things; what changes in between is noticed.
    await asyncio.sleep(0)
    things = tuple(
        sorted(
            (
                thing_of(hass, state, areas)
                for state in hass.states.async_all()
                if state.domain not in _WITH_TOOLS
                and async_should_expose(hass, CONVERSATION_DOMAIN, state.entity_id)
            ),
            key=lambda thing: (*_place(thing.area), thing.name.casefold()),
        )
    )
    return await hass.async_add_executor_job(
        make_home,
        things,
        tuple(sorted(areas.values(), key=_place)),
        tuple(sorted(floors.values(), key=_height)),
        titles,
        listed,
    )


def make_home(
    things: tuple[Thing, ...],
    areas: tuple[Area, ...],
    floors: tuple[Floor, ...],
    titles: dict[str, str],
    listed: list[dict[str, Any]],
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
        counted=all_counted(kinds, areas),
        kinds=kinds,
        places=Names([item.names for item in areas] + [item.names for item in floors]),
        words=beginnings(" ".join(name for item in named for name in item.names)),
        theirs=rebuilt(listed),
    )


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
    """Return what floors are ordered by, from the bottom up."""
    if floor is None:
        return (True, 0, "")
    level = floor.level if floor.level is not None else float("inf")
    return (False, level, floor.name.casefold())


def _place(area: Area | None) -> tuple[bool, tuple[bool, float, str], str]:
    """Return what areas are ordered by: their floor, then their name."""
    if area is None:
        return (True, _height(None), "")
    return (False, _height(area.floor), area.name.casefold())
