"""Vacuums of the demo home."""

from typing import Any

from homeassistant.components.vacuum import (
    StateVacuumEntity,
    VacuumActivity,
    VacuumEntityFeature,
)
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
    """Add the house's vacuums."""
    async_add_entities(DemoVacuum(thing) for thing in things(Platform.VACUUM))


class DemoVacuum(DemoHomeEntity, StateVacuumEntity):
    """A vacuum; in its dock at the start."""

    _attr_activity = VacuumActivity.DOCKED
    _attr_supported_features = (
        VacuumEntityFeature.STATE
        | VacuumEntityFeature.START
        | VacuumEntityFeature.STOP
        | VacuumEntityFeature.PAUSE
        | VacuumEntityFeature.RETURN_HOME
    )

    async def async_start(self) -> None:
        """Clean."""
        self._attr_activity = VacuumActivity.CLEANING
        self.async_write_ha_state()

    async def async_pause(self) -> None:
        """Pause."""
        self._attr_activity = VacuumActivity.PAUSED
        self.async_write_ha_state()

    async def async_stop(self, **kwargs: Any) -> None:
        """Stop."""
        self._attr_activity = VacuumActivity.IDLE
        self.async_write_ha_state()

    async def async_return_to_base(self, **kwargs: Any) -> None:
        """Go back to the dock."""
        self._attr_activity = VacuumActivity.DOCKED
        self.async_write_ha_state()
