"""What words mean: things by names, places and kinds, and what people call states."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches
from functools import cache, cached_property
from itertools import chain
from operator import attrgetter
import re
from typing import Final, NamedTuple, NoReturn, Self

from homeassistant.components.event import ATTR_EVENT_TYPES
from homeassistant.const import STATE_UNAVAILABLE
from homeassistant.core import HomeAssistant, State
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers.translation import async_get_translations

from ..context.description import Area, Floor, Thing
from ..context.home import is_kind, places_of, thing_of
from ..context.scorer import beginnings
from ..context.titles import known_language, known_titles
from ..gate.named_by_person import kinds_of
from ..gate.names import named_in_part, speak_of
from ..gate.own_tool import Arguments
from ..gate.sensitive import Doors
from ..gate.speaker import Speaker, area_of
from ..languages import LANGUAGES
from ..text import as_compared

# What says that anything is meant.
_ANYTHING: Final = {
    *("", "all", "any", "everything", "everywhere", "devices", "all devices"),
    *("home", "house", "whole house", "none", "everyone", "everybody"),
}
_HERE: Final = {"here", "this room", "this area", "current", "current area"}
_AND: Final = re.compile(r"\s*[,;&]\s*|\s+and\s+")
WAYS: Final = ("name", "area", "floor", "kind")
_MAX_NAMES: Final = 8
# A word of so many letters is an article, or its like.
_ARTICLE: Final = 3
# They are on in many ways.
MANY_ON: Final = {"climate", "media_player", "water_heater"}
_OFF: Final = {"off", "standby"}


class UnclearError(HomeAssistantError):
    """It is unclear what is meant; the text tells the model why, and what there is."""


class Found(NamedTuple):
    """What a call means."""

    states: list[State]
    named: Collection[str]
    """The ids of those that are meant by their own names."""
    several: Mapping[str, list[str]]
    """The names in the call that fit several things, and the ids of these."""
    excepted: Collection[str]


class Finder:
    """Finds the things that are meant, among some."""

    def __init__(
        self,
        hass: HomeAssistant,
        states: Iterable[State],
        speaker: Speaker | None = None,
        *,
        language: str | None = None,
    ) -> None:
        self.hass = hass
        self._states = {state.entity_id: state for state in states}
        _, areas = places_of(hass)
        self._things = [thing_of(hass, item, areas) for item in self._states.values()]
        self.speaker = speaker
        self._language = language or (speaker and speaker.language)
        self._doors = Doors(hass)

    @cached_property
    def _titles(self) -> Mapping[str, str]:
        hass = self.hass
        return known_titles(hass, self._language or hass.config.language)

    @cached_property
    def _here(self) -> list[Thing]:
        area = self.speaker and area_of(self.hass, self.speaker)
        things = self._things if area else ()
        return [x for x in things if x.area and area and x.area.area_id == area.id]

    def all(
        self, arguments: Arguments, *, reads: bool = False, acts: bool = False
    ) -> list[State]:
        """Return all that may be meant, never nothing. Raises UnclearError."""
        found = self.find(arguments, reads=reads).states
        there = [item for item in found if not acts or item.state != STATE_UNAVAILABLE]
        if not there:
            names = ", ".join(state.name for state in found)
            raise UnclearError(f"Not available now: {names}.")
        return there

    def one(self, arguments: Arguments, *, acts: bool = False) -> State:
        """Return the one thing that is meant. Raises UnclearError."""
        return the_one(self.all(arguments, acts=acts))

    def find(
        self,
        arguments: Arguments,
        *,
        reads: bool = False,
        nearby: bool = True,
        doors: bool = True,
    ) -> Found:
        """Return what may be meant; nothing only if all of it is excepted.

        Of several of one name those near the person are meant, with `nearby` also
        without a name and a place. A part of a name will do if several names have it;
        with `reads` any words of its names, place and kind. Without `doors` a door is
        meant only by its name or a kind that says door. Raises UnclearError.
        """
        pool = self._in_places(arguments, reads)
        named, several = set[str](), dict[str, list[str]]()
        if names := self._parts(arguments, "name"):
            chosen: set[Thing] = set()
            for text in names:
                called = self._called(text, pool)
                named |= {item.entity_id for item in called}
                place = [] if called else self._in_place(text)
                called = called or place or self._like(text, pool, reads)
                if len(called) > 1 and not place:
                    several[text] = [item.entity_id for item in called]
                chosen.update(called)
            pool = [thing for thing in pool if thing in chosen]
        elif nearby and not (
            texts_given(arguments, "area") or texts_given(arguments, "floor")
        ):
            pool = self._nearer(pool)
        kinds = self._parts(arguments, "kind")

        def is_meant(thing: Thing) -> bool:
            entity_id, says = thing.entity_id, self._says_door
            is_free = doors or entity_id in named or not self._doors.is_door(entity_id)
            return is_free or any(says(thing, kind) for kind in kinds)

        if not (pool := [thing for thing in pool if is_meant(thing)]):
            raise UnclearError("There is no such thing there; doors need their names.")
        excepted = {
            thing.entity_id
            for text in self._parts(arguments, "except")
            for thing in self._in_place(text)
            or self._called(text, pool)
            or self._of_kind(text)
            or self._unknown(text)
        }
        meant = [thing for thing in pool if thing.entity_id not in excepted]
        states = [self._states[thing.entity_id] for thing in meant]
        return Found(states, named, several, excepted)

    def _in_places(self, arguments: Arguments, reads: bool) -> list[Thing]:
        if not self._things:
            raise UnclearError("There is nothing of that kind.")
        pool = self._things
        for way in ("area", "floor", "kind"):
            texts = self._parts(arguments, way)
            if way == "kind" and reads and texts_given(arguments, "name"):
                # Its name may say enough.
                texts = [text for text in texts if self._of_kind(text)]
            if texts:
                find = self._of_kind if way == "kind" else self._in_place
                found = [find(text) or self._no(way, text) for text in texts]
                ids = {thing.entity_id for some in found for thing in some}
                pool = [thing for thing in pool if thing.entity_id in ids]
        if not pool:
            raise UnclearError("There is no such thing there.")
        return pool

    def _no(self, way: str, text: str) -> NoReturn:
        if way == "kind":
            names = {item.device_class or item.domain for item in self._things}
        else:
            names = {name for item in self._things for name in _place_names(item)}
        raise UnclearError(f"There is no {way} {text}. {nearest(text, sorted(names))}")

    def _unknown(self, text: str) -> NoReturn:
        names = [name for x in self._things for name in (*x.names, *_place_names(x))]
        near = nearest(text, names)
        raise UnclearError(f"Nothing of that kind is called {text}. {near}")

    def _called(self, text: str, pool: Sequence[Thing]) -> list[Thing]:
        wanted = as_compared(text)
        names = [(x, map(as_compared, (x.entity_id, *x.names))) for x in pool]
        return self._nearer([x for x, called in names if wanted in called])

    def _like(self, text: str, pool: Sequence[Thing], reads: bool) -> list[Thing]:
        text = re.sub(r"^the ", "", text, flags=re.IGNORECASE)
        words = as_compared(text).split()
        found = [item for item in pool if reads and self._has(item, words)]
        if not found:
            states = [self._states[item.entity_id] for item in pool]
            parts = {item.entity_id for item in named_in_part(self.hass, text, states)}
            if reads or len(parts) > 1:
                found = [item for item in pool if item.entity_id in parts]
        found = found or [item for item in self._of_kind(text) if item in pool]
        return self._nearer(found) or self._unknown(text)

    def _nearer(self, things: list[Thing]) -> list[Thing]:
        return [thing for thing in things if thing in self._here] or things

    def _parts(self, arguments: Arguments, key: str) -> list[str]:
        texts = texts_given(arguments, key)
        if key == "name" and not texts:
            # A calendar may be called "Home".
            given = str(arguments.get(key) or "")
            texts = [given] if given and self._called(given, self._things) else []
        parts = ([x] if self._is_known(x) else _AND.split(x) for x in texts)
        return [*chain.from_iterable(parts)]

    def _is_known(self, text: str) -> bool:
        return not _AND.search(text) or bool(
            self._in_place(text)
            or self._of_kind(text)
            or self._called(text, self._things)
        )

    def _in_place(self, text: str) -> list[Thing]:
        """Return what is in the area, else on the floor, of that name."""
        wanted = as_compared(text)
        if wanted in _HERE:
            if not self._here:
                raise UnclearError("It is not known where the person is. Say an area.")
            return self._here
        for way in ("area", "area.floor"):
            found: dict[Area | Floor, list[Thing]] = {}
            for thing in self._things:
                place = thing.area and attrgetter(way)(thing)
                if place and wanted in map(as_compared, place.names):
                    found.setdefault(place, []).append(thing)
            if len(found) > 1:
                names = " or ".join(place.name for place in found)
                raise UnclearError(f"{text} may be {names}. Ask the person which.")
            if found:
                return next(iter(found.values()))
        return []

    def _of_kind(self, kind: str) -> list[Thing]:
        """Return what is of a kind, else what a word for one in any language means."""
        kind = kind.replace(".", " ")
        found = [item for item in self._things if is_kind(item, kind, self._titles)]
        if found or not kind.isalpha():
            return found
        return [
            thing
            for thing in self._things
            for word in kinds_of(self.hass, self._doors, thing.entity_id)
            if word != "door" and speak_of([kind], word)
        ]

    def _says_door(self, thing: Thing, kind: str) -> bool:
        if thing.domain != "cover":
            return thing.domain in ("lock", "valve")
        bare = replace(thing, device_class="")
        return speak_of([kind], "door") or (
            is_kind(thing, kind, self._titles) and not is_kind(bare, kind, self._titles)
        )

    def _has(self, thing: Thing, words: Sequence[str]) -> bool:
        titles = (self._titles.get(kind, "") for kind in (thing.domain, thing.kind))
        parts = (*thing.names, *_place_names(thing), thing.kind, *titles)
        has = as_compared(" ".join(parts)).split()
        begins = [word.removesuffix("s") for word in words]
        return all(any(item.startswith(word) for item in has) for word in begins)


def the_one(states: Sequence[State]) -> State:
    """Return the only one of some things. Raises UnclearError for several."""
    if len(states) == 1:
        return states[0]
    names = ", ".join(f"{item.name} ({item.entity_id})" for item in states[:_MAX_NAMES])
    raise UnclearError(f"Ask the person who or which one. {names}")


def _place_names(thing: Thing) -> Iterable[str]:
    return thing.area.names if thing.area else ()


def texts_given(arguments: Arguments, key: str) -> list[str]:
    """Return what an argument says, a text or a list of them."""
    given = arguments.get(key) or []
    texts = map(str, given if isinstance(given, list) else [given])
    return [text.strip() for text in texts if as_compared(text) not in _ANYTHING]


def most_like[T](texts: Iterable[tuple[T, str]], wanted: str) -> list[T]:
    """Return what has the most words that begin like wanted ones, less articles."""
    every = beginnings(wanted)
    words = {word for word in every if len(word) > _ARTICLE} or every
    found = [(item, len(words & beginnings(text))) for item, text in texts]
    most = max((count for _, count in found), default=0)
    return [item for item, count in found if count == most > 0]


def nearest(wanted: str, names: Iterable[str]) -> str:
    """Return a sentence with the names that come nearest to what was written."""
    wanted, known = wanted.casefold(), {name.casefold(): name for name in names}
    near = [name for name in known if wanted in name] or get_close_matches(
        wanted, known, n=_MAX_NAMES, cutoff=0.5
    )
    found = [known[item] for item in (near or [*known])[:_MAX_NAMES]]
    if not found:
        return "There is nothing."
    some = "There is" if len(known) <= _MAX_NAMES else "For example"
    return f"{'Nearest' if near else some}: {', '.join(found)}."


class StateWords(NamedTuple):
    """The names of states, in English and in the language that is spoken."""

    english: Mapping[str, str]
    others: Mapping[str, str]

    @classmethod
    async def async_get(
        cls, hass: HomeAssistant, language: str, domains: Iterable[str]
    ) -> Self:
        """Read them for some domains."""
        domains = set(domains)
        english, others = [
            await async_get_translations(hass, item, "entity_component", domains)
            for item in ("en", known_language(language))
        ]
        return cls(english, others)

    def states_of(self, thing: State) -> list[tuple[str, str]]:
        """Return states of a thing, and what they are called in the spoken language."""
        kinds = {thing.attributes.get("device_class") or "_", "_"}
        start = f"component.{thing.domain}.entity_component"
        starts = tuple(f"{start}.{kind}.state." for kind in kinds)
        found = (item for item in self.others.items() if item[0].startswith(starts))
        return [(key.rpartition(".")[2], name) for key, name in found]

    def english_name(self, thing: State, value: str) -> str:
        """Return what a state of a thing is called in English."""
        if thing.domain == "event":
            # Its type, and when it was (`past.py`).
            return value.partition("@")[0].replace("_", " ")
        name = state_name(self.english, thing, value)
        return name.lower() if name else value.replace("_", " ")

    def matcher(self, thing: State, word: str) -> Callable[[str], bool] | None:
        """Return what tells whether a state is the one of that name; None: unclear."""
        own = as_compared(word)
        plain = _same().get(own, own)
        said = {own, plain}
        if thing.domain in MANY_ON and plain in ("on", "off"):
            return lambda state: (state in _OFF) is (plain == "off")
        if thing.domain == "event":
            types = thing.attributes.get(ATTR_EVENT_TYPES) or ()
            meant = {item for item in types if as_compared(item) == own}
            # "Rang" is no type, and all that a bell does.
            return lambda state: not meant or state.partition("@")[0] in meant
        if thing.domain == "alarm_control_panel" and plain == "armed":
            return lambda state: state.startswith("armed")
        if thing.domain == "binary_sensor":
            names = {item: self._names(thing, item) for item in ("on", "off")}
            meant = {item for item in names if not said.isdisjoint(names[item])}
            return meant.__contains__ if meant else None
        return cache(lambda state: not said.isdisjoint(self._names(thing, state)))

    def _names(self, thing: State, value: str) -> set[str]:
        names = (state_name(x, thing, value) for x in (self.english, self.others))
        return {as_compared(name) for name in (value, *names) if name}


def state_name(words: Mapping[str, str], thing: State, value: str) -> str | None:
    """Return what a state of a thing is called in the words of a language, if at all."""
    key = f"component.{thing.domain}.entity_component.{{}}.state.{value}"
    kind = thing.attributes.get("device_class") or "_"
    return words.get(key.format(kind)) or words.get(key.format("_"))


@cache
def _same() -> dict[str, str]:
    """Return words for states that Home Assistant has others for, and those."""
    return {
        as_compared(word): said
        for language in LANGUAGES.values()
        for said, words in language.states.items()
        for word in words.split("|")
    }
