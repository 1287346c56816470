"""Switches of the demo home, and the action that waters its garden."""

from typing import Any

from homeassistant.components.switch import SwitchEntity
from homeassistant.const import Platform
from homeassistant.core import HomeAssistant, ServiceCall
from homeassistant.helpers import config_validation as cv
from homeassistant.helpers.entity_platform import AddEntitiesCallback
from homeassistant.helpers.typing import ConfigType, DiscoveryInfoType
import probatio

from .const import ATTR_MINUTES, DOMAIN, SERVICE_WATER
from .entity import DemoHomeEntity
from .house import things


async def async_setup_platform(
    hass: HomeAssistant,
    config: ConfigType,
    async_add_entities: AddEntitiesCallback,
    discovery_info: DiscoveryInfoType | None = None,
) -> None:
    """Add the house's switches."""
    switches = [DemoSwitch(thing) for thing in things(Platform.SWITCH)]
    async_add_entities(switches)

    async def async_water(call: ServiceCall) -> None:
        """Turn the sprinkler on, and remember for how long."""
        for switch in switches:
            if switch.unique_id == "garden_sprinkler":
                switch.set(on=True, minutes=call.data[ATTR_MINUTES])

    hass.services.async_register(
        DOMAIN,
        SERVICE_WATER,
        async_water,
        probatio.Schema({probatio.Required(ATTR_MINUTES): cv.positive_int}),
    )


class DemoSwitch(DemoHomeEntity, SwitchEntity):
    """A switch; off at the start."""

    _attr_is_on = False

    def set(self, *, on: bool, minutes: int | None = None) -> None:
        """Turn on or off; say for how many minutes, if that is known."""
        self._attr_is_on = on
        self._attr_extra_state_attributes = {ATTR_MINUTES: minutes} if minutes else {}
        self.async_write_ha_state()

    async def async_turn_on(self, **kwargs: Any) -> None:
        """Turn on."""
        self.set(on=True)

    async def async_turn_off(self, **kwargs: Any) -> None:
        """Turn off."""
        self.set(on=False)
