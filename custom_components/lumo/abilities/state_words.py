"""What people call the states of things: a door is open where its sensor is on."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final, Self

from homeassistant.components.event import ATTR_EVENT_TYPES
from homeassistant.core import HomeAssistant, State
from homeassistant.helpers.translation import async_get_translations

from ..context.titles import known_language
from ..languages import LANGUAGES
from ..text import as_compared

# They are on in many ways.
_MANY_ON: Final = {"climate", "media_player", "water_heater"}
_OFF: Final = {"off", "standby"}


@dataclass(frozen=True, slots=True)
class StateWords:
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

    def english_name(self, thing: State, value: str) -> str:
        """Return what a state of a thing is called in English."""
        if thing.domain == "event":
            # Its type, and when it was (`past.py`).
            return value.partition("@")[0].replace("_", " ")
        name = _name(self.english, thing, value)
        return name.lower() if name else value.replace("_", " ")

    def matcher(self, thing: State, word: str) -> Callable[[str], bool] | None:
        """Return what tells whether a state is the one of that name; None: unclear."""
        own = as_compared(word)
        plain = _same().get(own, own)
        if thing.domain in _MANY_ON and plain in ("on", "off"):
            return lambda state: (state in _OFF) is (plain == "off")
        if thing.domain == "event":
            types = thing.attributes.get(ATTR_EVENT_TYPES) or ()
            meant = {item for item in types if as_compared(item) == own}
            # "Rang" is no type, and all that a bell does.
            return lambda state: not meant or state.partition("@")[0] in meant
        if thing.domain == "alarm_control_panel" and plain == "armed":
            return lambda state: state.startswith("armed")
        if thing.domain == "binary_sensor":
            meant = {
                item
                for item in ("on", "off")
                if not {own, plain}.isdisjoint(self._names(thing, item))
            }
            return meant.__contains__ if meant else None
        return cache(
            lambda state: not {own, plain}.isdisjoint(self._names(thing, state))
        )

    def _names(self, thing: State, value: str) -> set[str]:
        names = (_name(words, thing, value) for words in (self.english, self.others))
        return {as_compared(name) for name in (value, *names) if name}


def _name(words: Mapping[str, str], thing: State, value: str) -> str | None:
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
