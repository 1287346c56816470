"""Blinds and the garage door of the demo home."""

from typing import Any

from homeassistant.components.cover import (
    ATTR_POSITION,
    CoverDeviceClass,
    CoverEntity,
    CoverEntityFeature,
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
    """Add the house's covers."""
    async_add_entities(DemoCover(thing) for thing in things(Platform.COVER))


class DemoCover(DemoHomeEntity, CoverEntity):
    """A cover that is where it should be at once."""

    _attr_supported_features = (
        CoverEntityFeature.OPEN | CoverEntityFeature.CLOSE | CoverEntityFeature.STOP
    )

    def __init__(self, thing: Thing) -> None:
        """Start as the table says."""
        super().__init__(thing)
        self._attr_device_class = CoverDeviceClass(thing.start["device_class"])
        if self._attr_device_class is CoverDeviceClass.BLIND:
            self._attr_supported_features |= CoverEntityFeature.SET_POSITION
        self._move(thing.start["position"])

    def _move(self, position: int) -> None:
        """Note a position, 0 closed and 100 open."""
        self._attr_is_closed = position == 0
        if CoverEntityFeature.SET_POSITION in self._attr_supported_features:
            self._attr_current_cover_position = position

    async def async_open_cover(self, **kwargs: Any) -> None:
        """Open."""
        self._move(100)
        self.async_write_ha_state()

    async def async_close_cover(self, **kwargs: Any) -> None:
        """Close."""
        self._move(0)
        self.async_write_ha_state()

    async def async_set_cover_position(self, **kwargs: Any) -> None:
        """Move to a position."""
        self._move(kwargs[ATTR_POSITION])
        self.async_write_ha_state()

    async def async_stop_cover(self, **kwargs: Any) -> None:
        """Stop; it has arrived already."""
