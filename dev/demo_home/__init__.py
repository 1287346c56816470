"""A small house to talk to, for development and tests only.

`demo_home: {home: demo}` makes the house of `house.py` out of real entities of this
integration, with floors, areas and aliases, everything exposed to Assist; it starts in
the same state each time. `home: empty` makes none of it. Either way it brings the
websocket commands that the development harness uses.
"""

import asyncio
import time

from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.const import ATTR_RESTORED, Platform
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers import (
    area_registry as ar,
    discovery,
    entity_registry as er,
    floor_registry as fr,
)
from homeassistant.helpers.typing import ConfigType
from homeassistant.setup import async_setup_component
import probatio

from .const import CONF_HOME, DOMAIN, HOME_DEMO, HOME_EMPTY
from .house import AREAS, FLOORS, SCENES, SCRIPTS, THINGS
from .websocket_api import async_register_commands

CONFIG_SCHEMA = probatio.Schema(
    {
        DOMAIN: probatio.Schema(
            {probatio.Required(CONF_HOME): probatio.In([HOME_DEMO, HOME_EMPTY])},
        )
    },
    extra=probatio.ALLOW_EXTRA,
)


async def async_setup(hass: HomeAssistant, config: ConfigType) -> bool:
    """Build the house."""
    async_register_commands(hass)
    if config[DOMAIN][CONF_HOME] == HOME_EMPTY:
        return True
    _async_furnish(hass)
    _async_write_past(hass)
    platforms = sorted({Platform(thing.domain) for thing in THINGS})
    # Side by side, and before the start is over: whoever sees Home Assistant running
    # sees the whole house. The components first, or loading a platform would wait for
    # this very integration.
    await asyncio.gather(
        *(async_setup_component(hass, platform, config) for platform in platforms)
    )
    for platform in platforms:
        hass.async_create_task(
            discovery.async_load_platform(hass, platform, DOMAIN, {}, config)
        )
    return True


@callback
def _async_furnish(hass: HomeAssistant) -> None:
    """Make floors and areas, and give every entity its place, names and exposure."""
    floors = fr.async_get(hass)
    for floor in FLOORS:
        if floors.async_get_floor_by_name(floor.name) is None:
            floors.async_create(
                floor.name, aliases=set(floor.aliases), level=floor.level
            )
    areas = ar.async_get(hass)
    for area in AREAS:
        if areas.async_get_area_by_name(area.name) is None:
            on = floors.async_get_floor_by_name(area.floor) if area.floor else None
            areas.async_create(
                area.name,
                aliases=set(area.aliases),
                floor_id=on.floor_id if on else None,
            )
    for thing in THINGS:
        place = areas.async_get_area_by_name(thing.area) if thing.area else None
        _async_register(
            hass,
            thing.domain,
            DOMAIN,
            thing.object_id,
            thing.aliases,
            area_id=place.id if place else None,
        )
    for object_id, aliases in SCRIPTS:
        _async_register(hass, "script", "script", object_id, aliases)
    for object_id, aliases in SCENES:
        _async_register(hass, "scene", "homeassistant", object_id, aliases)


@callback
def _async_write_past(hass: HomeAssistant) -> None:
    """Let the recorder know what was, the oldest first."""
    now = time.time()
    past = [(row, thing) for thing in THINGS for row in thing.past]
    for (hours, state), thing in sorted(past, key=lambda item: -item[0][0]):
        hass.states.async_set(
            f"{thing.domain}.{thing.object_id}",
            state,
            {ATTR_RESTORED: True},
            timestamp=now - hours * 3600,
        )


@callback
def _async_register(
    hass: HomeAssistant,
    domain: str,
    platform: str,
    unique_id: str,
    aliases: tuple[str, ...],
    *,
    area_id: str | None = None,
) -> None:
    """Give an entity its place, its names and its exposure, the first time only."""
    registry = er.async_get(hass)
    entry = registry.async_get_or_create(
        domain, platform, unique_id, suggested_object_id=unique_id
    )
    if entry.aliases != [er.COMPUTED_NAME]:
        return  # furnished before; what a person has changed since stays
    registry.async_update_entity(
        entry.entity_id, aliases=[er.COMPUTED_NAME, *aliases], area_id=area_id
    )
    async_expose_entity(hass, "conversation", entry.entity_id, True)
