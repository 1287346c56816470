"""What is exposed, what a person calls it, and the texts of a call or a result."""

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
import re
from typing import Any, Final, Protocol

from homeassistant.components.conversation import DOMAIN as CONVERSATION_DOMAIN
from homeassistant.components.homeassistant.exposed_entities import async_should_expose
from homeassistant.core import HomeAssistant, State, split_entity_id
from homeassistant.helpers import area_registry as ar, entity_registry as er, intent
from homeassistant.helpers.translation import (
    async_translate_state,
    async_translate_state_attr,
)

from ..languages import LANGUAGES
from ..languages.words import pattern_of, word_patterns
from ..text import as_compared, as_searched

# Matched from the start of a run only, so each character is looked at once.
_ENDS: Final = re.compile(r'(?<![.?!;:…])[.?!;:…]++(?=\s|$)|[。？！；：؟"“”„«»]')

# A word of so many letters may be the end of any other.
_SHORT: Final = 3
_NUMBER: Final = " 0123456789"


class Readable(Protocol):
    """What may be read in a turn (`places.Scope`)."""

    def reads(self, entity_id: str) -> bool:
        """Return whether a thing may be read; else there is no such thing."""


def exposed(
    hass: HomeAssistant, *domains: str, scope: Readable | None = None
) -> list[State]:
    """Return what is exposed, of some domains or of all."""
    return [
        state
        for state in hass.states.async_all(domains or None)
        if is_exposed(hass, state.entity_id, scope)
    ]


def is_exposed(
    hass: HomeAssistant, entity_id: str, scope: Readable | None = None
) -> bool:
    """Return whether it is exposed to Assist and may be read in this turn."""
    return async_should_expose(hass, CONVERSATION_DOMAIN, entity_id) and (
        scope is None or scope.reads(entity_id)
    )


def name_of(hass: HomeAssistant, entity_id: str) -> str:
    """Return what a person calls an entity, made safe for a question."""
    state = hass.states.get(entity_id)
    return spoken(state.name if state else entity_id)


def spoken(text: str) -> str:
    """Return a text as a part of one sentence: a device's name must not end it."""
    printable = "".join(item if item.isprintable() else " " for item in text)
    return " ".join(_ENDS.sub(" ", printable).split())


def own_names_of(hass: HomeAssistant, entity_id: str) -> Iterator[str]:
    """Yield the names of an entity itself."""
    state = hass.states.get(entity_id)
    if state is None:
        yield entity_id
        return
    entry = er.async_get(hass).async_get(entity_id)
    yield from intent.async_get_entity_aliases(hass, entry, state=state)
    yield state.name


def option_name(
    hass: HomeAssistant, entity_id: str, attribute: str, option: str
) -> str:
    """Return what a home calls a value of an attribute, or of the state."""
    entry = er.async_get(hass).async_get(entity_id)
    state = hass.states.get(entity_id)
    where = (
        split_entity_id(entity_id)[0],
        entry.platform if entry else None,
        entry.translation_key if entry else None,
        state.attributes.get("device_class") if state else None,
    )
    if attribute:
        return async_translate_state_attr(hass, option, *where, attribute)
    return async_translate_state(hass, option, *where)


def named_in_part(
    hass: HomeAssistant, name: str, among: Iterable[State]
) -> list[State]:
    """Return what has a name that begins or ends with this one: "Lamp", "Desk lamp 2"."""
    part = as_compared(name)
    end = part if len(part) > _SHORT else f" {part}"

    def is_part(whole: str) -> bool:
        text = as_compared(whole)
        return text.rstrip(_NUMBER).endswith(end) or text.startswith(f"{part} ")

    return [
        state
        for state in among
        if part and any(map(is_part, own_names_of(hass, state.entity_id)))
    ]


def entity_area(hass: HomeAssistant, entity_id: str) -> ar.AreaEntry | None:
    """Return the area of an entity or of its device."""
    entry = er.async_get(hass).async_get(entity_id)
    area_id = entry and er.async_get_effective_area_id(hass, entry)
    return ar.async_get(hass).async_get_area(area_id) if area_id else None


def given_in(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments of a call without the blank ones."""
    return {
        key: value
        for key, value in arguments.items()
        if not intent.is_blank_slot_value(value)
    }


def texts_of(value: Any, *, numbers: bool = False) -> list[str]:
    """Return every text in nested lists and values, in order, perhaps `numbers` too."""
    found: list[str] = []
    waiting = [value]
    while waiting:
        item = waiting.pop()
        if isinstance(item, str):
            found.append(item)
        elif isinstance(item, Mapping):
            waiting += reversed(list(item.values()))
        elif isinstance(item, list | tuple | set | frozenset):
            waiting += reversed(list(item))
        elif numbers and isinstance(item, int | float) and not isinstance(item, bool):
            found.append(str(item))
    return found


type Detail = tuple[str, bool | str | None]
"""What an argument is called, and its value as spoken."""


def details_of(value: Any, key: str = "") -> list[Detail]:
    """Return all that arguments say, each with its key. What is empty has no value."""
    if isinstance(value, Mapping) and value:
        return [
            detail
            for name, item in value.items()
            for detail in details_of(item, str(name).replace("_", " "))
        ]
    if isinstance(value, list | tuple | set | frozenset) and value:
        return [detail for item in value for detail in details_of(item, key)]
    if isinstance(value, bool):
        return [(spoken(key), value)]
    text = spoken("" if value is None or value in ([], {}) else str(value))
    return [(spoken(key), text or None)] if key else []


def speak_of(texts: Iterable[str], kind: str = "") -> bool:
    """Return whether texts have a word for a kind of thing, by default for a way in."""
    return any(_pattern(kind).search(as_searched(text)) for text in texts)


@cache
def _pattern(kind: str) -> re.Pattern[str]:
    return pattern_of(
        pattern
        for language in LANGUAGES.values()
        for pattern in word_patterns(
            language.kinds[kind] if kind else language.doors, language
        )
    )
