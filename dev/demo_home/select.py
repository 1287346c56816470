"""Choices of the demo home."""

from homeassistant.components.select import SelectEntity
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
    """Add the house's choices."""
    async_add_entities(DemoSelect(thing) for thing in things(Platform.SELECT))


class DemoSelect(DemoHomeEntity, SelectEntity):
    """One of several options; the first at the start."""

    def __init__(self, thing: Thing) -> None:
        """Take the options of the table."""
        super().__init__(thing)
        self._attr_options = list(thing.start["options"])
        self._attr_current_option = self._attr_options[0]

    async def async_select_option(self, option: str) -> None:
        """Choose."""
        self._attr_current_option = option
        self.async_write_ha_state()
