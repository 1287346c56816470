"""A small house to talk to, for development and tests only.

`demo_home: {home: demo}` makes the house of `house.py` out of real entities of this
integration, with floors, areas and aliases, everything exposed to Assist; it starts in
the same state each time. `home: empty` makes none of it. Either way it brings the
websocket commands that the development harness uses.
"""

import asyncio
from collections.abc import Sequence
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
            thing.object_id: kinds[domain](
                thing.object_id,
                thing.name,
                thing.start | (thing.german if hass.config.language == "de" else {}),
            )
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
    floors, on = fr.async_get(hass), dict[str | None, str]()
    for floor in FLOORS:
        name, aliases = _called(hass, floor.name, floor.aliases)
        known = floors.async_get_floor_by_name(name)
        made = known or floors.async_create(name, aliases=aliases, level=floor.level)
        on[floor.name] = made.floor_id
    areas, places = ar.async_get(hass), dict[str | None, str]()
    for area in AREAS:
        name, aliases = _called(hass, area.name, area.aliases)
        place = areas.async_get_area_by_name(name) or areas.async_create(
            name, aliases=aliases, floor_id=on.get(area.floor)
        )
        places[area.name] = place.id
    for thing in THINGS:
        _async_register(
            hass,
            thing.domain,
            DOMAIN,
            thing.object_id,
            (thing.name, *thing.aliases),
            area_id=places.get(thing.area),
        )
    for object_id, names in SCRIPTS:
        _async_register(hass, "script", "script", object_id, names)
    for name in PEOPLE:
        _async_register(hass, "person", "person", name, (name.title(),))
    for object_id, names in SCENES:
        _async_register(hass, "scene", "homeassistant", object_id, names)


def _called(
    hass: HomeAssistant, name: str, aliases: Sequence[str]
) -> tuple[str, set[str]]:
    """Return what something is called, and what else; in a German house in German."""
    names = [*aliases[:1], name, *aliases[1:]]
    if hass.config.language != "de" or not aliases:
        names = [name, *aliases]
    return names[0], {*names[1:]}


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
    names: Sequence[str],
    *,
    area_id: str | None = None,
) -> None:
    registry = er.async_get(hass)
    entry = registry.async_get_or_create(
        domain, platform, unique_id, suggested_object_id=unique_id
    )
    if entry.aliases != [er.COMPUTED_NAME]:
        return  # furnished before; what a person has changed since stays
    name, aliases = _called(hass, names[0], names[1:])
    registry.async_update_entity(
        entry.entity_id,
        name=None if name == names[0] else name,
        aliases=[er.COMPUTED_NAME, *sorted(aliases)],
        area_id=area_id,
    )
    # Nobody exposes a satellite.
    is_shown = domain != "assist_satellite"
    async_expose_entity(hass, "conversation", entry.entity_id, is_shown)
