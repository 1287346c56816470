"""A small house to talk to, for development and tests only.

`demo_home: {home: demo}` makes the house of `house.py` out of real entities of this
integration, with floors, areas and aliases, everything exposed to Assist; it starts in
the same state each time. `home: empty` makes none of it. Either way it brings the
websocket commands that the development harness uses.
"""

import asyncio
import logging
import os
import time
from typing import override

from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.const import ATTR_RESTORED
from homeassistant.core import HomeAssistant, ServiceCall, callback
from homeassistant.helpers import (
    area_registry as ar,
    config_validation as cv,
    entity_registry as er,
    floor_registry as fr,
)
from homeassistant.helpers.entity_component import DEFAULT_SCAN_INTERVAL
from homeassistant.helpers.entity_platform import EntityPlatform
from homeassistant.helpers.typing import ConfigType
from homeassistant.setup import async_setup_component
import probatio

from .entities import KINDS, DemoEntity
from .house import AREAS, FLOORS, PEOPLE, SCENES, SCRIPTS, THINGS
from .shown import SHOWN
from .websocket_api import DOMAIN, async_register_commands

CONFIG_SCHEMA = probatio.Schema(
    {
        DOMAIN: probatio.Schema(
            {probatio.Required("home"): probatio.In(["demo", "empty"])}
        )
    },
    extra=probatio.ALLOW_EXTRA,
)
_SPRINKLER = "garden_sprinkler"


async def async_setup(hass: HomeAssistant, config: ConfigType) -> bool:
    """Build the house."""
    async_register_commands(hass)
    _be_patient(int(os.environ.get("DEMO_HOME_PATIENCE", "0")))
    if config[DOMAIN]["home"] == "empty":
        return True
    _async_furnish(hass)
    _async_write_past(hass)
    domains = sorted({thing.domain for thing in THINGS})
    # Side by side, and before the start is over: whoever sees Home Assistant running
    # sees the whole house.
    await asyncio.gather(
        *(async_setup_component(hass, domain, config) for domain in domains)
    )
    kinds = KINDS | SHOWN
    made: dict[str, DemoEntity] = {}
    for domain in domains:
        platform = EntityPlatform(
            hass=hass,
            logger=logging.getLogger(__name__),
            domain=domain,
            platform_name=DOMAIN,
            platform=None,
            scan_interval=DEFAULT_SCAN_INTERVAL,
            entity_namespace=None,
        )
        platform.async_prepare()
        new = {
            thing.object_id: kinds[domain](thing.object_id, thing.name, thing.start)
            for thing in THINGS
            if thing.domain == domain
        }
        await platform.async_add_entities(new.values())
        made |= new

    async def async_water(call: ServiceCall) -> None:
        """Turn the sprinkler on, and show for how long."""
        minutes = {"minutes": call.data["minutes"]}
        made[_SPRINKLER].show(is_on=True, extra_state_attributes=minutes)

    for name, state in zip(PEOPLE, ("home", "not_home"), strict=True):
        hass.states.async_set(
            f"device_tracker.{name}", state, {"source_type": "router"}
        )
    hass.services.async_register(
        DOMAIN,
        "water",
        async_water,
        probatio.Schema({probatio.Required("minutes"): cv.positive_int}),
    )
    return True


def _be_patient(seconds: int) -> None:
    """Let a turn of Lumo take so long; a model on this machine is slow."""
    if not seconds:
        return
    # Only here: benchmarks compare with a home that has not loaded Lumo.
    from custom_components.lumo.agent import turn_context  # noqa: PLC0415
    from custom_components.lumo.lumo_client.deadlines import Deadlines  # noqa: PLC0415

    class Patient(Deadlines):
        """Limits that do not become shorter where Home Assistant could do it."""

        @property
        @override
        def brief(self) -> Deadlines:
            return self

    patient = Patient(first=seconds, gap=seconds)
    vars(turn_context).update(ON_SCREEN=patient, ALOUD=patient, TURN_SECONDS=seconds)


@callback
def _async_furnish(hass: HomeAssistant) -> None:
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
    for name in PEOPLE:
        _async_register(hass, "person", "person", name, ())
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
    registry = er.async_get(hass)
    entry = registry.async_get_or_create(
        domain, platform, unique_id, suggested_object_id=unique_id
    )
    if entry.aliases != [er.COMPUTED_NAME]:
        return  # furnished before; what a person has changed since stays
    registry.async_update_entity(
        entry.entity_id, aliases=[er.COMPUTED_NAME, *aliases], area_id=area_id
    )
    # Nobody exposes a satellite.
    is_shown = domain != "assist_satellite"
    async_expose_entity(hass, "conversation", entry.entity_id, is_shown)
