"""Numbers of the demo home."""

from homeassistant.components.number import NumberEntity
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
    """Add the house's numbers."""
    async_add_entities(DemoNumber(thing) for thing in things(Platform.NUMBER))


class DemoNumber(DemoHomeEntity, NumberEntity):
    """A number of minutes."""

    _attr_native_max_value = 60
    _attr_native_unit_of_measurement = "min"

    def __init__(self, thing: Thing) -> None:
        """Start with what the table says."""
        super().__init__(thing)
        self._attr_native_value = thing.start["value"]

    async def async_set_native_value(self, value: float) -> None:
        """Set it."""
        self._attr_native_value = value
        self.async_write_ha_state()
