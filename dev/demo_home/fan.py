"""Fans of the demo home."""

from typing import Any

from homeassistant.components.fan import DIRECTION_FORWARD, FanEntity, FanEntityFeature
from homeassistant.const import Platform
from homeassistant.core import HomeAssistant
from homeassistant.helpers.entity_platform import AddEntitiesCallback
from homeassistant.helpers.typing import ConfigType, DiscoveryInfoType

from .entity import DemoHomeEntity
from .house import things


async def async_setup_platform(
    hass: HomeAssistant,
    config: ConfigType,
    async_add_entities: AddEntitiesCallback,
    discovery_info: DiscoveryInfoType | None = None,
) -> None:
    """Add the house's fans."""
    async_add_entities(DemoFan(thing) for thing in things(Platform.FAN))


class DemoFan(DemoHomeEntity, FanEntity):
    """A fan with a speed in percent, which oscillates and turns both ways; off."""

    _attr_percentage = 0
    _attr_oscillating = False
    _attr_current_direction = DIRECTION_FORWARD
    _attr_supported_features = (
        FanEntityFeature.SET_SPEED
        | FanEntityFeature.OSCILLATE
        | FanEntityFeature.DIRECTION
        | FanEntityFeature.TURN_ON
        | FanEntityFeature.TURN_OFF
    )

    async def async_set_percentage(self, percentage: int) -> None:
        """Set the speed; 0 is off."""
        self._attr_percentage = percentage
        self.async_write_ha_state()

    async def async_turn_on(
        self,
        percentage: int | None = None,
        preset_mode: str | None = None,
        **kwargs: Any,
    ) -> None:
        """Turn on, at full speed if none is given."""
        await self.async_set_percentage(100 if percentage is None else percentage)

    async def async_turn_off(self, **kwargs: Any) -> None:
        """Turn off."""
        await self.async_set_percentage(0)

    async def async_oscillate(self, oscillating: bool) -> None:
        """Swing, or stand still."""
        self._attr_oscillating = oscillating
        self.async_write_ha_state()

    async def async_set_direction(self, direction: str) -> None:
        """Turn the other way."""
        self._attr_current_direction = direction
        self.async_write_ha_state()
