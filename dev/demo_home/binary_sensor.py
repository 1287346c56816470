"""Binary sensors of the demo home."""

from homeassistant.components.binary_sensor import (
    BinarySensorDeviceClass,
    BinarySensorEntity,
)
from homeassistant.const import Platform
from homeassistant.core import HomeAssistant
from homeassistant.helpers.entity_platform import AddEntitiesCallback
from homeassistant.helpers.typing import ConfigType, DiscoveryInfoType

from .entity import DemoHomeEntity
from .house import Thing, things


async def async_setup_platform(
    hass: HomeAssistant,
    config: ConfigType,
    async_add_entities: AddEntitiesCallback,
    discovery_info: DiscoveryInfoType | None = None,
) -> None:
    """Add the house's binary sensors."""
    async_add_entities(
        DemoBinarySensor(thing) for thing in things(Platform.BINARY_SENSOR)
    )


class DemoBinarySensor(DemoHomeEntity, BinarySensorEntity):
    """A binary sensor that always says the same."""

    def __init__(self, thing: Thing) -> None:
        """Say what the table says."""
        super().__init__(thing)
        self._attr_device_class = BinarySensorDeviceClass(thing.start["device_class"])
        self._attr_is_on = thing.start["on"]
