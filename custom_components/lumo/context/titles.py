"""What people call the kinds of things, in the words of Home Assistant's translations."""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Final

from homeassistant.core import HomeAssistant
from homeassistant.generated.languages import LANGUAGES
from homeassistant.helpers.translation import (
    async_get_cached_translations,
    async_get_translations,
)
from homeassistant.util.language import matches

from ..languages import language_of
from ..languages.form import Language

_CATEGORIES: Final = ("title", "entity_component")


@lru_cache
def known_language(tag: str) -> str:
    """Return the language of Home Assistant's translations that is nearest to a tag."""
    return next(iter(matches(tag, LANGUAGES)), "en")


async def async_titles(hass: HomeAssistant, language: str) -> dict[str, str]:
    """Return what people call the kinds of things, as Home Assistant has it."""
    domains = {state.domain for state in hass.states.async_all()}
    domains &= hass.config.top_level_components
    found: dict[str, str] = {}
    for category in _CATEGORIES:
        found |= await async_get_translations(hass, language, category, domains)
    return _titles(found)


def known_titles(hass: HomeAssistant, language: str) -> dict[str, str]:
    """Return what people call the kinds of things, as far as it has been loaded."""
    found: dict[str, str] = {}
    for category in _CATEGORIES:
        found |= async_get_cached_translations(hass, known_language(language), category)
    return _titles(found)


def known_states(hass: HomeAssistant, language: str) -> frozenset[str]:
    """Return what states are called, as far as it has been loaded."""
    found = async_get_cached_translations(
        hass, known_language(language), _CATEGORIES[1]
    )
    names = (name for key, name in found.items() if key.split(".")[4:5] == ["state"])
    return states_called(names, language_of(language))


def states_called(names: Iterable[str], language: Language) -> frozenset[str]:
    """Return the names of states that are no articles too: "Ein"."""
    return frozenset(x for x in names if x.casefold() not in language.generic.split())


def _titles(found: Mapping[str, str]) -> dict[str, str]:
    titles = {}
    for key, title in found.items():
        _, domain, *rest = key.split(".")
        if rest == ["title"]:
            titles[domain] = title
        elif rest[2:] == ["name"] and rest[1] != "_":
            titles[f"{domain} {rest[1]}"] = title
    return titles
