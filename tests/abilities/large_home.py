"""A home of as many exposed entities as wanted, on two floors and in many areas."""

from typing import Any

from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import HomeAssistant, split_entity_id
from homeassistant.helpers import (
    area_registry as ar,
    entity_registry as er,
    floor_registry as fr,
)
from homeassistant.setup import async_setup_component

ROOMS = ("Kitchen", "Bedroom", "Office", "Bathroom", "Hall")
# Domain, device class, state at rest, attributes.
USUAL: tuple[tuple[str, str, str, dict[str, Any]], ...] = (
    ("light", "", "off", {}),
    ("binary_sensor", "window", "off", {}),
    ("sensor", "battery", "90", {"unit_of_measurement": "%"}),
    ("sensor", "temperature", "20.5", {"unit_of_measurement": "°C"}),
    ("cover", "shutter", "closed", {"current_position": 0}),
    ("switch", "", "off", {}),
    ("lock", "", "locked", {}),
    ("media_player", "", "idle", {}),
)


async def async_prepare(hass: HomeAssistant) -> None:
    assert await async_setup_component(hass, "homeassistant", {})
    floors = fr.async_get(hass)
    for name in ("Ground floor", "Upstairs"):
        floors.async_create(name)


def add(
    hass: HomeAssistant,
    entity_id: str,
    state: str,
    *,
    name: str | None = None,
    area: str | None = None,
    exposed: bool = True,
    **attributes: Any,
) -> str:
    """Add an entity; return what it is called."""
    domain, object_id = split_entity_id(entity_id)
    name = name or object_id.replace("_", " ").capitalize()
    entry = er.async_get(hass).async_get_or_create(
        domain, "test", object_id, suggested_object_id=object_id, original_name=name
    )
    if area:
        areas = ar.async_get(hass)
        place = areas.async_get_area_by_name(area) or areas.async_create(
            area, floor_id="upstairs" if area.endswith("up") else "ground_floor"
        )
        er.async_get(hass).async_update_entity(entry.entity_id, area_id=place.id)
    hass.states.async_set(entity_id, state, {"friendly_name": name, **attributes})
    async_expose_entity(hass, "conversation", entity_id, exposed)
    return name


def fill(hass: HomeAssistant, size: int, *, state: str | None = None) -> None:
    """Add entities that are at rest, or all in one state."""
    for number in range(size):
        domain, kind, rest, attributes = USUAL[number % len(USUAL)]
        where = number // len(USUAL)
        room = ROOMS[where % len(ROOMS)]
        room = f"{room} {where // 25} {'up' if where % 2 else ''}".strip()
        name = f"{room} {kind or domain} {number}"
        attributes = {**attributes, **({"device_class": kind} if kind else {})}
        add(
            hass,
            f"{domain}.thing_{number}",
            state or rest,
            name=name,
            area=room,
            **attributes,
        )
