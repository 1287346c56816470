"""What a person calls the things of the home."""

from collections.abc import Iterator
import re
from typing import Final

from homeassistant.core import HomeAssistant
from homeassistant.helpers import (
    area_registry as ar,
    device_registry as dr,
    entity_registry as er,
    floor_registry as fr,
    intent,
)

_ENDS: Final = re.compile(r'[.?!;:…]+(?=\s|$)|[。？！；：؟"“”„«»]')


def name_of(hass: HomeAssistant, entity_id: str) -> str:
    """Return what a person calls an entity, fit to be spoken in a question."""
    state = hass.states.get(entity_id)
    return spoken(state.name if state else entity_id)


def spoken(text: str) -> str:
    """Return a text as a part of one sentence.

    Whoever names a device must not be able to end our sentence and begin another one.
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


def names_of(hass: HomeAssistant, entity_id: str) -> Iterator[str]:
    """Yield what a person may call an entity: its names, its area, its floor."""
    yield from own_names_of(hass, entity_id)
    entry = er.async_get(hass).async_get(entity_id)
    if entry is None or hass.states.get(entity_id) is None:
        return
    area_id = entry.area_id
    if area_id is None and entry.device_id:
        device = dr.async_get(hass).async_get(entry.device_id)
        area_id = dr.async_get_effective_area_id(hass, device) if device else None
    area = ar.async_get(hass).async_get_area(area_id) if area_id else None
    if area is None:
        return
    yield from (area.name, *area.aliases)
    if area.floor_id and (floor := fr.async_get(hass).async_get_floor(area.floor_id)):
        yield from (floor.name, *floor.aliases)
