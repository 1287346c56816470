"""Sensors of the demo home."""

from homeassistant.components.sensor import (
    SensorDeviceClass,
    SensorEntity,
    SensorStateClass,
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
    """Add the house's sensors."""
    async_add_entities(DemoSensor(thing) for thing in things(Platform.SENSOR))


class DemoSensor(DemoHomeEntity, SensorEntity):
    """A sensor that always measures the same."""

    _attr_state_class = SensorStateClass.MEASUREMENT

    def __init__(self, thing: Thing) -> None:
        """Measure what the table says."""
        super().__init__(thing)
        self._attr_device_class = SensorDeviceClass(thing.start["device_class"])
        self._attr_native_unit_of_measurement = thing.start["unit"]
        self._attr_native_value = thing.start["value"]
