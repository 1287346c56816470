"""A home with two floors, whose things are called in several ways."""

from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import HomeAssistant
from homeassistant.helpers import (
    area_registry as ar,
    device_registry as dr,
    entity_registry as er,
    floor_registry as fr,
)
from homeassistant.setup import async_setup_component
import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry

# Name, domain, device class, area, aliases.
THINGS = (
    ("Ceiling light", "light", None, "Kitchen", ("Big light",)),
    ("Worktop lamp", "light", None, "Kitchen", ()),
    ("Kitchen window", "binary_sensor", "window", "Kitchen", ()),
    ("Oven: 'old' one", "switch", None, "Kitchen", ()),
    ("Bed lamp", "light", None, "Bedroom", ()),
    ("Bedroom blind", "cover", "blind", "Bedroom", ()),
    ("Garden hose", "valve", "water", None, ()),
)


def expose(hass: HomeAssistant, entity_id: str, exposed: bool = True) -> None:
    """Expose an entity to Assist, or no longer."""
    async_expose_entity(hass, "conversation", entity_id, exposed)


@pytest.fixture
async def rooms(hass: HomeAssistant) -> HomeAssistant:
    for domain in ("homeassistant", "conversation"):
        assert await async_setup_component(hass, domain, {})
    floors, areas = fr.async_get(hass), ar.async_get(hass)
    entities, devices = er.async_get(hass), dr.async_get(hass)
    up = floors.async_create("Upstairs", level=1, aliases={"First floor"})
    down = floors.async_create("Downstairs", level=0)
    kitchen = areas.async_create("Kitchen", floor_id=down.floor_id, aliases={"Galley"})
    bedroom = areas.async_create("Bedroom", floor_id=up.floor_id)
    places = {"Kitchen": kitchen.id, "Bedroom": bedroom.id, None: None}
    entry = MockConfigEntry(domain="test")
    entry.add_to_hass(hass)
    device = devices.async_get_or_create(
        config_entry_id=entry.entry_id, identifiers={("test", "lamp")}, name="Night"
    )
    devices.async_update_device(device.id, area_id=bedroom.id)
    for name, domain, device_class, area, aliases in THINGS:
        item = entities.async_get_or_create(
            domain,
            "test",
            name,
            original_name=name,
            config_entry=entry,
            suggested_object_id=name,
        )
        if name == "Bed lamp":
            # It is where its device is.
            entities.async_update_entity(item.entity_id, device_id=device.id)
        else:
            entities.async_update_entity(item.entity_id, area_id=places[area])
        if aliases:
            entities.async_update_entity(
                item.entity_id, aliases=[er.COMPUTED_NAME, *aliases]
            )
        attributes = {"friendly_name": name}
        if device_class:
            attributes["device_class"] = device_class
        hass.states.async_set(item.entity_id, "off", attributes)
        expose(hass, item.entity_id)
    hass.states.async_set("light.hidden", "on", {"friendly_name": "Hidden"})
    expose(hass, "light.hidden", False)
    hass.states.async_set("light.unregistered", "on", {"friendly_name": "Loose bulb"})
    expose(hass, "light.unregistered")
    hass.states.async_set("script.party", "off", {"friendly_name": "Party"})
    expose(hass, "script.party")
    await hass.async_block_till_done()
    return hass
