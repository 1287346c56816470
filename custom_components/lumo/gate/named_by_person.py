"""Which things a person's own sentence wants something done to.

By name, by kind and area, by a choice, or by "it": after text from outside only this frees
a call.
"""

from collections.abc import Callable, Collection, Iterable, Iterator
from functools import cached_property
import re
from typing import Any, Final

from homeassistant.components.media_player import MediaPlayerDeviceClass
from homeassistant.const import STATE_OFF, STATE_UNAVAILABLE, STATE_UNKNOWN
from homeassistant.core import HomeAssistant, State, split_entity_id
from homeassistant.helpers import area_registry as ar, floor_registry as fr, intent

from ..languages import language_of
from .effects import (
    DOMAINS,
    LOOK,
    Effect,
    domain_of,
    effect_of_state,
    number_of,
    numbers_in,
    way_of,
)
from .intents import TARGET_SLOTS, IntentCall
from .judged_call import Target
from .mention import (
    OPPOSITES,
    Sentence,
    asked_for,
    behind_all,
    has_condition,
    has_length,
    kinds_in,
    verbs_of,
    ways_of,
    words_of,
)
from .names import entity_area, exposed, is_exposed, own_names_of, speak_of
from .places import Scope
from .reach import CONTAINERS
from .sensitive import Cover, Doors
from .speaker import Speaker, area_of

# The domains of which all entities are of one kind.
KINDS: Final = {name: row.kind for name, row in DOMAINS.items() if row.kind}
_READ_ONLY: Final = ("binary_sensor", "event", "person", "sensor", "weather", "zone")

# Their place says nothing about where they work.
_ROAMING: Final = ("lawn_mower", "vacuum")
# What is done to a player that plays, and how loud it may be made.
_TRANSPORT: Final = DOMAINS["media_player"].transport
_LOUD: Final = 0.7
# So many percent louder is a step.
_STEP_PERCENT: Final = 20
# What shows a number that can be set, and how much one of what people say is of it.
_SHOWN: Final = {"brightness": 1 / 2.55, "volume_level": 100} | dict.fromkeys(
    ("current_position", "humidity", "percentage", "temperature"), 1.0
)
# So many degrees are meant by who is cold.
_STEP: Final = 2.0


class NamedByPerson:
    """What one sentence wants, of the things of a home."""

    def __init__(
        self,
        hass: HomeAssistant,
        speaker: Speaker,
        before: frozenset[str],
        chosen: frozenset[str] = frozenset(),
    ) -> None:
        """Take what "it" (`before`) and "the second" (`chosen`) stand for."""
        # An automation's words were not chosen for what happens now.
        said = speaker.sentence if speaker.is_person else ""
        self.sentence = Sentence(said, language_of(speaker.language))
        self._hass = hass
        self._speaker = speaker
        self._before = before
        self._doors = Doors(hass)
        self._chosen = chosen

    def wants(self, effect: Effect, players: Collection[str]) -> bool:
        """Return whether the person wants just this; `players` were acted on before."""
        if self._is_own_player(effect, players):
            return True
        if effect.service == LOOK:
            # "Who is at the front door?" wants to have it looked at.
            return self.sentence.names_any(own_names_of(self._hass, effect.entity_id))
        state = self._hass.states.get(effect.entity_id)
        wanted = number_of(effect.data.get("temperature"))
        now = number_of(state.attributes.get("temperature")) if state else None
        is_leap = wanted is not None and (now is None or abs(wanted - now) > _STEP)
        is_step = effect.domain != "climate" or not is_leap
        is_meant = is_step or self.sentence.names(f"{wanted:g}")
        return is_meant and self.has(effect.entity_id)

    def _is_own_player(self, effect: Effect, players: Collection[str]) -> bool:
        """Return whether it only pauses or skips, on a player near or acted on before."""
        if effect.domain != "media_player":
            return False
        state = self._hass.states.get(effect.entity_id)
        here = area_of(self._hass, self._speaker)
        plays_here = (
            state is not None
            and state.state == "playing"
            and here is not None
            and entity_area(self._hass, effect.entity_id) == here
        )
        volume = number_of(effect.data.get("volume_level"))
        step = effect.data.get("volume_step")
        return (plays_here or effect.entity_id in players) and (
            effect.service in _TRANSPORT
            or (step is not None and (number_of(step) or 0) <= _STEP_PERCENT)
            or (volume is not None and volume <= _LOUD)
        )

    def has(self, entity_id: str) -> bool:
        """Return whether the sentence wants something done to an entity."""
        names = own_names_of(self._hass, entity_id)
        return self._points_at(entity_id) or self.sentence.commands.names_any(names)

    def _points_at(self, entity_id: str) -> bool:
        return (
            entity_id in self._chosen
            or (entity_id in self._before and self.sentence.points_back)
            or self._has_kind(entity_id)
            or entity_id in self._with_own_word
        )

    def _has_kind(self, entity_id: str) -> bool:
        spoken_of, areas = self.sentence.kinds, self.areas
        if not spoken_of:
            # "Read it to me in the kitchen" is for nothing there.
            return self._orders and self._area_of(entity_id) in areas
        kinds = {*kinds_of(self._hass, self._doors, entity_id)}
        if spoken_of.isdisjoint(kinds):
            return False
        if "vacuum" in kinds:
            # The area is where it cleans, not where it stands.
            return True
        satellite_id = self._speaker.satellite_id
        if not areas and satellite_id and self._area_of(satellite_id):
            areas = {self._area_of(satellite_id)}
        return not areas or self._area_of(entity_id) in areas

    @cached_property
    def _own_names(self) -> dict[str, list[str]]:
        """Return what the things that can be acted on are called."""
        return {
            state.entity_id: [*own_names_of(self._hass, state.entity_id)]
            for state in self._hass.states.async_all()
            if state.domain not in _READ_ONLY
            and is_exposed(self._hass, state.entity_id)
        }

    @cached_property
    def _orders(self) -> bool:
        """Return whether it has a verb of an action, or a value."""
        text, language = self.sentence.text, self.sentence.language
        found = verbs_of(text, language) or ways_of(text, language)
        return bool(found or re.search(r"\d", text))

    @cached_property
    def _with_own_word(self) -> set[str]:
        """Return what has a word in its name that was said and no other thing has."""
        names = {thing: " ".join(own) for thing, own in self._own_names.items()}
        return self.sentence.commands.only_in(self._rooms | names, KINDS.values())

    @cached_property
    def _rooms(self) -> dict[str, str]:
        """Return what each area and floor is called."""
        areas = ar.async_get(self._hass).async_list_areas()
        floors = fr.async_get(self._hass).async_list_floors()
        named: list[ar.AreaEntry | fr.FloorEntry] = [*areas, *floors]
        return {item.name: " ".join((item.name, *item.aliases)) for item in named}

    def is_beyond(self, effect: Effect, is_one: bool = False) -> bool:
        """Return whether an effect is elsewhere than the sentence says, and not named.

        Or, of a call for one thing by its name, on another thing than it names. A remark
        ("It's too bright in here") means the room where it is made.
        """
        if effect.domain in (*CONTAINERS, *_ROAMING):
            return False
        area = self._area_of(effect.entity_id)
        kinds = kinds_of(self._hass, self._doors, effect.entity_id)
        is_told = self._is_remark and not self.sentence.kinds.isdisjoint(kinds)
        if is_told and not self.areas:
            here = area_of(self._hass, self._speaker)
            is_alone = len(exposed(self._hass, effect.domain)) == 1
            names = own_names_of(self._hass, effect.entity_id)
            is_here = here is not None and area == here.id
            return not (is_here or is_alone or self.sentence.names_any(names))
        is_elsewhere = area is not None and self._places and area not in self._places
        return bool(is_elsewhere or (is_one and self._names_one)) and not self.has(
            effect.entity_id
        )

    @cached_property
    def _is_remark(self) -> bool:
        """Return whether it only tells what is too dark or too warm: it orders nothing."""
        said, language = self.sentence.text, self.sentence.language
        is_told = language.talk.match(said) and not verbs_of(said, language)
        return bool(is_told and self.sentence.kinds)

    @cached_property
    def _names_one(self) -> bool:
        """Return whether a plain command has the whole name of a thing."""
        hass, said = self._hass, self.sentence.commands
        return self._is_plain and any(
            said.names_any(own)
            for thing, own in self._own_names.items()
            # What a script does may also be done by hand.
            if split_entity_id(thing)[0] not in CONTAINERS
            and (
                thing in self._with_own_word
                or not said.kinds.isdisjoint(kinds_of(hass, self._doors, thing))
            )
        )

    @property
    def _is_plain(self) -> bool:
        """Return whether it asks for one thing, without a condition."""
        text, language = self.sentence.text, self.sentence.language
        return len(asked_for(text, language)) == 1 and not self._has_condition

    @property
    def _has_condition(self) -> bool:
        return has_condition(self.sentence.text, self.sentence.language)

    def wants_opposite(self, effect: Effect) -> bool:
        """Return whether the sentence plainly wants the opposite of an effect.

        Or where it opens or closes wholly what is to be moved to "40 percent".
        """
        said, opposite = self.sentence.commands, OPPOSITES.get(effect.phrase)
        text, language = said.text, said.language
        timed = has_condition(text, language) or has_length(text, language)
        if timed or language.undo.search(text):
            return False
        if opposite is None:
            # What is set to a number goes up or down.
            ways, way = ways_of(text, language), way_of(self._hass, effect)
            return bool(way and ways and way not in ways)
        percent = language.units.get("%", "%")
        share = rf"(?i)(?<!\d)[1-9]\d?\s*(?:%|percent|{percent})"
        is_part = effect.domain == "cover" and re.search(share, text)
        verbs = verbs_of(text, language)
        verbs = verbs & {opposite, effect.phrase} if self._is_plain else verbs
        return bool(is_part or verbs == {opposite}) and self.has(effect.entity_id)

    def is_so(self, found: Collection[str] = ()) -> bool | None:
        """Return whether what it names, or `found`, is as it wants it; None: unknown."""
        hass, said, names = self._hass, self.sentence.commands, self._own_names
        wanted = verbs_of(said.text, said.language)
        opposites = {OPPOSITES[item] for item in wanted}
        if opposites & wanted or self._has_condition:
            return None
        if not found:
            known = [x for x in names if split_entity_id(x)[0] not in CONTAINERS]
            found = [thing for thing in known if said.names_any(names[thing])]
            if not (found and self.areas <= {*map(self._area_of, found)}):
                found = [*filter(self._points_at, known)] or found
            if wanted and not (found or said.points_back):
                # "Everything off."
                found = known
        states = [*filter(None, map(hass.states.get, found))]
        now = {_brought_about(hass, item) for item in states}
        texts = (*self._rooms.values(), *(x for thing in found for x in names[thing]))
        numbers = numbers_in(said.text) - numbers_in(" ".join(texts))
        shown = {number for item in states for number in _shown(item)}
        if now & opposites or (numbers and shown and not numbers <= shown):
            return False
        return (
            True if now & wanted and self._is_plain and said.says_only(texts) else None
        )

    def leaves(self, done: Collection[str], scope: Scope | None) -> bool:
        """Return whether of "all the lights" any but these is not so yet."""
        said, doors = self.sentence.commands, self._doors
        rest = "".join(behind_all(said.text, said.language))
        kinds = kinds_in("".join(asked_for(rest, said.language)[:1]), said.language)
        states = [*filter(None, map(self._hass.states.get, done if kinds else ()))]
        domains = {item.domain for item in states}
        # A roof window is no blind.
        classes = {item.attributes.get("device_class") for item in states}
        others = [
            item.entity_id
            for item in (exposed(self._hass, *domains, scope=scope) if domains else ())
            if item.attributes.get("device_class") in classes
            and item.entity_id not in done
            and not kinds.isdisjoint(kinds_of(self._hass, doors, item.entity_id))
            and self._has_kind(item.entity_id)
        ]
        return bool(others) and self.is_so(others) is False

    @cached_property
    def _places(self) -> set[str | None]:
        """Return the areas of a sentence of which each part names one, with no condition."""
        text, language = self.sentence.commands.text, self.sentence.language
        parts = asked_for(text, language)
        areas = [self._areas_in(Sentence(part, language)) for part in parts]
        if not all(areas) or has_condition(self.sentence.text, language):
            return set()
        return set().union(*areas)

    def nearest(self, targets: list[Target], is_for_all: bool) -> list[Target]:
        """Return those of a call's targets that a plain command means, if any.

        A group may reach beyond its place; "pause the radio" is not for all players, nor
        "the kitchen lights" for all in the kitchen, as a call `is_for_all` is.
        """
        near = [
            item for item in targets if not any(map(self.is_beyond, item.reach.effects))
        ]
        if len(near) > 1 and self._is_plain:
            own = [item for item in near if item.entity_id in self._with_own_word]
            kind = [item for item in near if is_for_all and self.has(item.entity_id)]
            near = own or kind or near
        return near or targets

    def possible(
        self,
        arguments: dict[str, Any],
        read: Callable[[dict[str, Any]], IntentCall | None],
    ) -> dict[str, Any]:
        """Return the arguments less the domain, class or place that a thing lacks.

        A place that is there counts, but where the sentence has the name without it.
        What is called so by nothing may be spelled otherwise, an area and a kind ("Kitchen
        lights") or a part of only one name: "TV".
        """
        call = read(arguments)
        if not call or not call.is_exact or not call.slots.get("name") or call.matched:
            return arguments
        areas, floors = ar.async_get(self._hass), fr.async_get(self._hass)
        name = str(call.slots["name"])
        wrong = {"domain", "device_class"}
        rooms = intent.find_areas(str(arguments.get("area")), areas)
        storeys = intent.find_floors(str(arguments.get("floor")), floors)
        for key, found in (("area", [*rooms]), ("floor", [*storeys])):
            said = any(self.sentence.names_any((x.name, *x.aliases)) for x in found)
            if not found or (not said and self.sentence.names(name)):
                wrong.add(key)
        rest = {key: arguments[key] for key in arguments if key not in wrong}
        again = read(rest)
        if again and len(again.matched) == 1:
            return rest
        alone = {key: arguments[key] for key in arguments if key not in TARGET_SLOTS}
        named = read({**alone, "name": name})
        *place, kind = words_of(name) or [""]
        kinds = kinds_in(kind, self.sentence.language)
        domains = [domain for domain, one in KINDS.items() if {one} == kinds]
        own, spelled = self._own_names.items(), [*place, kind]
        same = [x for x, y in own if spelled in map(words_of, y)]
        is_one = len(same) == 1 and spelled not in map(words_of, self._own_names)
        meant: list[dict[str, Any]] = [{"name": same[0]}] if is_one else []
        meant += [
            {"area": area.name, "domain": domains}
            for area in (areas.async_list_areas() if domains else ())
            if place in map(words_of, (area.name, *area.aliases))
        ]
        for target in meant if not (named and named.matched) else ():
            if (fits := read({**alone, **target})) and fits.matched:
                return {**alone, **target}
        if kinds_in(name, self.sentence.language).isdisjoint(KINDS.values()):
            # Part of a scene's name may mean something else.
            parts = [x for x in call.named_in_part(name) if x.domain not in CONTAINERS]
            if len(parts) == 1 and self.sentence.names(name):
                return {**rest, "name": parts[0].name}
        return arguments

    def says(self, entity_id: str, places: Iterable[str]) -> bool:
        """Return whether the sentence, an automation's too, names a thing or its kind.

        Whatever else may let somebody in counts as a door.
        """
        # "Everything in the garage" does not speak of its door.
        name = "|".join(map(re.escape, places)) or "(?!)"
        said = re.sub(name, " ", self._speaker.sentence, flags=re.IGNORECASE)
        sentence = Sentence(said, self.sentence.language)
        domain = split_entity_id(entity_id)[0]
        return (
            sentence.names_any(own_names_of(self._hass, entity_id))
            or (domain == "cover" and speak_of([said], "blind"))
            or speak_of([said], KINDS.get(domain, "door"))
        )

    @cached_property
    def areas(self) -> set[str | None]:
        """Return the ids of the areas that it names, also by their floors."""
        return self._areas_in(self.sentence.commands)

    def _areas_in(self, said: Sentence) -> set[str | None]:
        floors = {
            floor.floor_id
            for floor in fr.async_get(self._hass).async_list_floors()
            if said.names_any((floor.name, *floor.aliases))
        }
        return {
            area.id
            for area in ar.async_get(self._hass).async_list_areas()
            if area.floor_id in floors or said.names_any((area.name, *area.aliases))
        }

    def _area_of(self, entity_id: str) -> str | None:
        area = entity_area(self._hass, entity_id)
        return area.id if area else None


def _brought_about(hass: HomeAssistant, state: State) -> str:
    """Return the key of the words for what brings about how a thing is now."""
    if state.state in (STATE_UNAVAILABLE, STATE_UNKNOWN):
        return ""
    if domain_of(state.domain).is_switched or state.domain == "media_player":
        return "do_turn_off" if state.state in (STATE_OFF, "standby") else "do_turn_on"
    return effect_of_state(hass, State(state.entity_id, state.state)).phrase


def _shown(state: State) -> Iterator[float]:
    """Yield the numbers that a thing is set to, as people say them."""
    for key, part in _SHOWN.items():
        if (value := number_of(state.attributes.get(key))) is not None:
            yield round(value * part) if part != 1 else value


def kinds_of(hass: HomeAssistant, doors: Doors, entity_id: str) -> Iterator[str]:
    """Yield the kinds of things that an entity is of."""
    domain, _ = split_entity_id(entity_id)
    if domain in KINDS:
        yield KINDS[domain]
    elif domain == "cover":
        cover = doors.cover(entity_id)
        if cover is not Cover.DOOR:
            yield "blind"
        if cover is not Cover.INNER:
            yield "door"
    elif domain == "media_player" and (state := hass.states.get(entity_id)):
        yield "music"
        is_tv = state.attributes.get("device_class") == MediaPlayerDeviceClass.TV
        if is_tv or speak_of(own_names_of(hass, entity_id), "tv"):
            yield "tv"
