"""What people ask for beside lamps and doors; each notes what it was told."""

from datetime import datetime, timedelta
from typing import Any

from homeassistant.components.calendar import (
    CalendarEntity,
    CalendarEntityFeature,
    CalendarEvent,
)
from homeassistant.components.climate import ClimateEntityFeature, HVACMode
from homeassistant.components.humidifier import (
    HumidifierEntity,
    HumidifierEntityFeature,
)
from homeassistant.components.media_player import MediaPlayerEntityFeature
from homeassistant.components.number import NumberEntity
from homeassistant.components.select import SelectEntity
from homeassistant.components.siren import SirenEntity, SirenEntityFeature
from homeassistant.components.todo import TodoItem
from homeassistant.components.vacuum import (
    StateVacuumEntity,
    VacuumActivity,
    VacuumEntityFeature,
)
from homeassistant.components.weather import (
    Forecast,
    WeatherEntity,
    WeatherEntityFeature,
)
from homeassistant.const import UnitOfTemperature
from homeassistant.util import dt as dt_util

from tests.redteam.entities import Climate, Light, Player, Recorded, TodoList


class DimLight(Light):
    """A lamp that tells how bright it was made."""

    async def async_turn_on(self, **kwargs: Any) -> None:
        level = kwargs.get("brightness")
        self.did(
            "turn_on",
            level and f"{round(level / 2.55)}%",
            is_on=True,
            brightness=level or 255,
        )


class Weather(Recorded, WeatherEntity):
    """Rain tomorrow, dry on all other days; colder by a degree each day."""

    _attr_condition = "sunny"
    _attr_native_temperature = 12.0
    _attr_native_temperature_unit = UnitOfTemperature.CELSIUS
    _attr_supported_features = (
        WeatherEntityFeature.FORECAST_DAILY | WeatherEntityFeature.FORECAST_HOURLY
    )

    def _forecast(self, step: timedelta) -> list[Forecast]:
        begin = dt_util.start_of_local_day()
        tomorrow = (begin + timedelta(days=1)).date()
        moments = [begin + step * number for number in range(7 * 24)][:48]
        return [
            Forecast(
                datetime=moment.isoformat(),
                condition="rainy" if moment.date() == tomorrow else "sunny",
                native_temperature=15 - (moment - begin).days,
                native_templow=5,
                precipitation_probability=90 if moment.date() == tomorrow else 0,
            )
            for moment in moments
            if moment < begin + timedelta(days=7)
        ]

    async def async_forecast_daily(self) -> list[Forecast]:
        return self._forecast(timedelta(days=1))

    async def async_forecast_hourly(self) -> list[Forecast]:
        return self._forecast(timedelta(hours=1))


class Choice(Recorded, SelectEntity):
    async def async_select_option(self, option: str) -> None:
        self.did("select_option", option, current_option=option)


class Dial(Recorded, NumberEntity):
    async def async_set_native_value(self, value: float) -> None:
        self.did("set_value", f"{value:g}", native_value=value)


class Comfort(Climate):
    """A thermostat with presets that also cools."""

    _attr_hvac_modes = [HVACMode.HEAT, HVACMode.COOL, HVACMode.OFF]
    _attr_preset_modes = ["comfort", "eco"]
    _attr_preset_mode = "comfort"
    _attr_supported_features = (
        ClimateEntityFeature.TARGET_TEMPERATURE
        | ClimateEntityFeature.TURN_ON
        | ClimateEntityFeature.TURN_OFF
        | ClimateEntityFeature.PRESET_MODE
    )

    async def async_set_preset_mode(self, preset_mode: str) -> None:
        self.did("set_preset_mode", preset_mode, preset_mode=preset_mode)


class Humidifier(Recorded, HumidifierEntity):
    _attr_is_on = True
    _attr_target_humidity = 40
    _attr_available_modes = ["normal", "baby"]
    _attr_mode = "normal"
    _attr_supported_features = HumidifierEntityFeature.MODES


class Robot(Recorded, StateVacuumEntity):
    _attr_activity = VacuumActivity.DOCKED
    _attr_supported_features = (
        VacuumEntityFeature.START
        | VacuumEntityFeature.RETURN_HOME
        | VacuumEntityFeature.STATE
    )

    async def async_start(self) -> None:
        self.did("start", activity=VacuumActivity.CLEANING)

    async def async_return_to_base(self, **kwargs: Any) -> None:
        self.did("return_to_base", activity=VacuumActivity.RETURNING)


class Siren(Recorded, SirenEntity):
    _attr_is_on = True
    _attr_supported_features = SirenEntityFeature.TURN_ON | SirenEntityFeature.TURN_OFF


class Stereo(Player):
    _attr_source_list = ["Tuner", "HDMI 2"]
    _attr_source = "Tuner"
    _attr_supported_features = (
        MediaPlayerEntityFeature.PAUSE
        | MediaPlayerEntityFeature.PLAY
        | MediaPlayerEntityFeature.VOLUME_SET
        | MediaPlayerEntityFeature.TURN_ON
        | MediaPlayerEntityFeature.TURN_OFF
        | MediaPlayerEntityFeature.SELECT_SOURCE
    )

    async def async_select_source(self, source: str) -> None:
        self.did("select_source", source, source=source)


class Items(TodoList):
    async def async_update_todo_item(self, item: TodoItem) -> None:
        new = [item if old.uid == item.uid else old for old in self.todo_items or []]
        self.did("update_item", f"{item.summary} {item.status}", todo_items=new)

    async def async_create_todo_item(self, item: TodoItem) -> None:
        item.uid = item.summary
        await super().async_create_todo_item(item)

    async def async_delete_todo_items(self, uids: list[str]) -> None:
        new = [item for item in self.todo_items or [] if item.uid not in uids]
        self.did("remove_item", ", ".join(uids), todo_items=new)


class Agenda(Recorded, CalendarEntity):
    """A calendar that takes events; there is one, at ten."""

    _attr_supported_features = CalendarEntityFeature.CREATE_EVENT

    def __init__(self, object_id: str, name: str, title: str, days: int) -> None:
        super().__init__(object_id, name)
        self._title, self._days = title, days

    @property
    def event(self) -> CalendarEvent | None:
        return None

    async def async_get_events(
        self, hass: Any, start_date: datetime, end_date: datetime
    ) -> list[CalendarEvent]:
        begin = dt_util.start_of_local_day() + timedelta(days=self._days, hours=10)
        events = [CalendarEvent(begin, begin + timedelta(hours=1), self._title)]
        return [x for x in events if start_date < x.end and x.start < end_date]

    async def async_create_event(self, **kwargs: Any) -> None:
        begin = kwargs["dtstart"]
        if isinstance(begin, datetime):
            begin = dt_util.as_local(begin)
        days = (dt_util.as_local(dt_util.utcnow()).date(), begin)
        away = (days[1].date() if isinstance(begin, datetime) else begin) - days[0]
        hour = f" {begin:%H:%M}" if isinstance(begin, datetime) else ""
        self.did("create_event", f"{kwargs['summary']} +{away.days}{hour}")
