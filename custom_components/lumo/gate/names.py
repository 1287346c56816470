"""What a person calls the things of the home."""

from collections.abc import Iterator
import re
from typing import Final

from homeassistant.core import HomeAssistant
from homeassistant.helpers import entity_registry as er, intent

# Matched from the start of a run only, so each character is looked at once.
_ENDS: Final = re.compile(r'(?<![.?!;:…])[.?!;:…]++(?=\s|$)|[。？！；：؟"“”„«»]')


def name_of(hass: HomeAssistant, entity_id: str) -> str:
    """Return what a person calls an entity, fit to be spoken in a question."""
    state = hass.states.get(entity_id)
    return spoken(state.name if state else entity_id)


def spoken(text: str) -> str:
    """Return a text as a part of one sentence.

    The name of a device must not be able to end our sentence and begin another one.
    """
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
