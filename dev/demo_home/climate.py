"""Thermostats of the demo home."""

from typing import Any

from homeassistant.components.climate import (
    ATTR_HVAC_MODE,
    ClimateEntity,
    ClimateEntityFeature,
    HVACAction,
    HVACMode,
)
from homeassistant.const import ATTR_TEMPERATURE, Platform, UnitOfTemperature
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
    """Add the house's thermostats."""
    async_add_entities(DemoThermostat(thing) for thing in things(Platform.CLIMATE))


class DemoThermostat(DemoHomeEntity, ClimateEntity):
    """A thermostat that heats or is off; the room's temperature never changes."""

    _attr_hvac_modes = [HVACMode.HEAT, HVACMode.OFF]
    _attr_hvac_mode = HVACMode.HEAT
    _attr_temperature_unit = UnitOfTemperature.CELSIUS
    _attr_target_temperature_step = 0.5
    _attr_min_temp = 5
    _attr_max_temp = 30
    _attr_supported_features = (
        ClimateEntityFeature.TARGET_TEMPERATURE
        | ClimateEntityFeature.TURN_ON
        | ClimateEntityFeature.TURN_OFF
    )

    def __init__(self, thing: Thing) -> None:
        """Start as the table says."""
        super().__init__(thing)
        self._room: float = thing.start["current"]
        self._target: float = thing.start["target"]
        self._attr_current_temperature = self._room
        self._settle()

    def _settle(self) -> None:
        """Bring what is shown in line with mode and temperatures."""
        self._attr_target_temperature = self._target
        if self._attr_hvac_mode is HVACMode.OFF:
            self._attr_hvac_action = HVACAction.OFF
        elif self._target > self._room:
            self._attr_hvac_action = HVACAction.HEATING
        else:
            self._attr_hvac_action = HVACAction.IDLE

    async def async_set_temperature(self, **kwargs: Any) -> None:
        """Set the temperature, and the mode if one is given."""
        self._target = kwargs.get(ATTR_TEMPERATURE, self._target)
        await self.async_set_hvac_mode(kwargs.get(ATTR_HVAC_MODE, self._attr_hvac_mode))

    async def async_set_hvac_mode(self, hvac_mode: HVACMode) -> None:
        """Heat or be off."""
        self._attr_hvac_mode = hvac_mode
        self._settle()
        self.async_write_ha_state()

    async def async_turn_on(self) -> None:
        """Heat."""
        await self.async_set_hvac_mode(HVACMode.HEAT)

    async def async_turn_off(self) -> None:
        """Be off."""
        await self.async_set_hvac_mode(HVACMode.OFF)
