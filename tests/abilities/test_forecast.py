"""What the home's weather services expect, told by day and by hour."""

from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from freezegun.api import FrozenDateTimeFactory
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.components.weather import WeatherEntity, WeatherEntityFeature
from homeassistant.core import Context, HomeAssistant
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import llm
from homeassistant.setup import async_setup_component
import pytest
from pytest_homeassistant_custom_component.common import setup_test_component_platform

from custom_components.lumo.abilities.ability import AbilityContext
from custom_components.lumo.abilities.forecast import Forecast

DAILY = WeatherEntityFeature.FORECAST_DAILY
HOURLY = WeatherEntityFeature.FORECAST_HOURLY
TWICE = WeatherEntityFeature.FORECAST_TWICE_DAILY
# A Sunday, in winter; the first days of the forecast and what is told of them.
NOON = datetime(2026, 11, 22, 12, 30, tzinfo=ZoneInfo("Europe/Berlin"))
MIDNIGHT = NOON.replace(hour=0, minute=0)
TODAY = "today, Sunday 22 November: rainy, 4 to 9 °C, 2.5 mm of rain, "
TOMORROW = "tomorrow, Monday 23 November: sunny, 5 to 10 °C, dry, wind 12 km/h"


class Service(WeatherEntity):
    _attr_native_temperature_unit = "°C"
    _attr_native_precipitation_unit = "mm"
    _attr_native_wind_speed_unit = "km/h"
    _attr_condition = "sunny"
    _attr_native_temperature = 7
    _attr_should_poll = False

    def __init__(self, name: str, *kinds: WeatherEntityFeature, days: int = 6) -> None:
        self.entity_id = f"weather.{name.casefold().replace(' ', '_')}"
        self._attr_name = name
        self._attr_supported_features = WeatherEntityFeature(sum(kinds))
        self.days = days

    async def async_forecast_daily(self) -> list[Any]:
        """Return days, with one that is over, in the order of a careless service."""
        return [
            {
                "datetime": (MIDNIGHT + timedelta(days=day, hours=6)).isoformat(),
                "condition": "sunny" if day else "rainy",
                "native_temperature": 9 + day,
                "native_templow": 4 + day,
                "native_precipitation": 0 if day else 2.5,
                "precipitation_probability": None if day else 80,
                "native_wind_speed": 12,
            }
            for day in reversed(range(-1, self.days))
        ]

    async def async_forecast_hourly(self) -> list[Any]:
        """Return the hours since midnight, in UTC."""
        start = MIDNIGHT.astimezone(ZoneInfo("UTC"))
        return [
            {
                "datetime": (start + timedelta(hours=hour)).isoformat(),
                "condition": "lightning-rainy" if hour == 15 else "partlycloudy",
                "native_temperature": hour / 2,
            }
            for hour in range(48)
        ]

    async def async_forecast_twice_daily(self) -> list[Any]:
        """Return halves of days, without most numbers."""
        return [
            {
                "datetime": (MIDNIGHT + timedelta(hours=6 + 12 * half)).isoformat(),
                "is_daytime": half % 2 == 0,
                "condition": "snowy",
                "precipitation_probability": 30,
            }
            for half in range(4)
        ]


# The arguments, what is told first, and how many rows there are.
TOLD: list[tuple[dict[str, Any], str, int]] = [
    ({"period": "today"}, f"{TODAY}80 % chance of rain, wind 12 km/h", 1),
    ({"period": "Tomorrow", "by": ""}, TOMORROW, 1),
    ({"period": "tomorrow", "by": "day", "name": "home"}, TOMORROW, 1),
    ({"period": "2026-11-24"}, "Tuesday 24 November: sunny, 6 to 11 °C", 1),
    ({"period": "wednesday"}, "Wednesday 25 November: sunny", 1),
    ({"name": "weather.home"}, TODAY, 6),
    ({"period": "this_afternoon"}, "today, Sunday 22 November, 12:00: partly", 6),
    ({"period": "today", "by": "hourly"}, "today, Sunday 22 November, 12:00: par", 12),
    ({"by": "hour"}, "today, Sunday 22 November, 12:00: partly cloudy, 6 °C", 25),
    ({"period": "this_week", "by": "day"}, TODAY, 1),
]


@pytest.fixture
async def services(
    hass: HomeAssistant, freezer: FrozenDateTimeFactory
) -> dict[str, Service]:
    """Return weather services, all of them exposed but one."""
    freezer.move_to(NOON)
    await hass.config.async_set_time_zone("Europe/Berlin")
    assert await async_setup_component(hass, "homeassistant", {})
    made = [
        Service("Home", DAILY, HOURLY),
        Service("Secret", DAILY),
        Service("Halves", TWICE),
        Service("Hours", HOURLY),
        Service("Blind"),
        Service("Nothing yet", DAILY, days=-1),
    ]
    setup_test_component_platform(hass, "weather", made)
    assert await async_setup_component(
        hass, "weather", {"weather": {"platform": "test"}}
    )
    await hass.async_block_till_done()
    for service in made:
        exposed = service.name == "Home"
        async_expose_entity(hass, "conversation", service.entity_id, exposed)
    return {str(service.name): service for service in made}


async def ask(hass: HomeAssistant, **arguments: Any) -> dict[str, Any]:
    ability = Forecast(AbilityContext(hass=hass))
    context = llm.LLMContext("lumo", Context(), "en", "conversation", None)
    found = await ability.async_call(
        hass, llm.ToolInput(ability.name, arguments), context
    )
    return dict(found.data)


async def test_days_and_hours(
    hass: HomeAssistant, services: dict[str, Service], subtests: pytest.Subtests
) -> None:
    for arguments, first, count in TOLD:
        with subtests.test(**arguments):
            data = await ask(hass, **arguments)
            assert data["weather"] == "Home"
            assert data["forecast"][0].startswith(first)
            assert len(data["forecast"]) == count
    hours = (await ask(hass, period="today", by="hour"))["forecast"]
    assert hours[3] == "15:00: lightning, rainy, 7.5 °C"


async def test_the_next_best_is_told(
    hass: HomeAssistant, services: dict[str, Service]
) -> None:
    # The hours do not reach so far.
    data = await ask(hass, period="thursday", by="hour")
    assert data["forecast"][0].startswith("Thursday 26 November: sunny")
    assert data["kind"] == "daily"
    for name in ("Halves", "Hours", "Blind", "Nothing yet"):
        async_expose_entity(hass, "conversation", services[name].entity_id, True)
    data = await ask(hass, name="halves", period="today")
    assert data["forecast"] == [
        "today, Sunday 22 November, by day: snowy, 30 % chance of snow",
        "night: snowy, 30 % chance of snow",
    ]
    assert data["kind"] == "twice_daily"
    data = await ask(hass, name="hours", period="tomorrow")
    assert data["forecast"][0].startswith("tomorrow, Monday 23 November, 00:00: partly")
    for arguments, told in (
        ({"period": "next_month"}, "Home has no forecast for that time"),
        ({"period": "yesterday"}, "Home has no forecast for that time"),
        ({"name": "blind"}, "Blind has no forecast"),
        ({"name": "nothing yet"}, "Nothing yet has no forecast"),
        ({"period": "some time"}, "Not a period"),
        ({"name": "Paris"}, "Nothing of that kind is called Paris"),
        ({"name": "weather.secret"}, "Nothing of that kind is called weather.secret"),
    ):
        with pytest.raises(HomeAssistantError, match=told):
            await ask(hass, **{"name": "home", **arguments})
    services["Home"]._attr_available = False
    services["Home"].async_write_ha_state()
    with pytest.raises(HomeAssistantError, match="Not available now: Home"):
        await ask(hass, name="weather.home")


async def test_offered_only_where_there_is_weather(
    hass: HomeAssistant, services: dict[str, Service]
) -> None:
    """What is not exposed is none."""
    assert Forecast(AbilityContext(hass=hass)).is_useful()
    async_expose_entity(hass, "conversation", "weather.home", False)
    assert not Forecast(AbilityContext(hass=hass)).is_useful()
