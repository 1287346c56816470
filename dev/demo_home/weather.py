"""The weather at the demo home."""

from datetime import timedelta

from homeassistant.components.weather import (
    Forecast,
    WeatherEntity,
    WeatherEntityFeature,
)
from homeassistant.const import Platform, UnitOfTemperature
from homeassistant.core import HomeAssistant
from homeassistant.helpers.entity_platform import AddEntitiesCallback
from homeassistant.helpers.typing import ConfigType, DiscoveryInfoType
from homeassistant.util import dt as dt_util

from .entity import DemoHomeEntity
from .house import Thing, things


async def async_setup_platform(
    hass: HomeAssistant,
    config: ConfigType,
    async_add_entities: AddEntitiesCallback,
    discovery_info: DiscoveryInfoType | None = None,
) -> None:
    """Add the house's weather."""
    async_add_entities(DemoWeather(thing) for thing in things(Platform.WEATHER))


class DemoWeather(DemoHomeEntity, WeatherEntity):
    """Weather that is known for the days of the table, from today on."""

    _attr_native_temperature_unit = UnitOfTemperature.CELSIUS
    _attr_supported_features = WeatherEntityFeature.FORECAST_DAILY

    def __init__(self, thing: Thing) -> None:
        """Be as the table says for the first day."""
        super().__init__(thing)
        self._days = thing.start["days"]
        self._attr_condition, _, self._attr_native_temperature = self._days[0]

    async def async_forecast_daily(self) -> list[Forecast]:
        """Return the days."""
        today = dt_util.start_of_local_day()
        return [
            Forecast(
                datetime=(today + timedelta(days=number)).isoformat(),
                condition=condition,
                native_templow=low,
                native_temperature=high,
            )
            for number, (condition, low, high) in enumerate(self._days)
        ]
