"""What only the demo home has: a calendar, the weather, and what sees and speaks."""

from datetime import date, datetime, timedelta
from io import BytesIO
from typing import Any, override

from homeassistant.components.assist_pipeline import PipelineEvent
from homeassistant.components.assist_satellite import (
    AssistSatelliteConfiguration,
    AssistSatelliteEntity,
    AssistSatelliteEntityFeature,
)
from homeassistant.components.calendar import (
    CalendarEntity,
    CalendarEntityFeature,
    CalendarEvent,
)
from homeassistant.components.camera import Camera
from homeassistant.components.weather import (
    Forecast,
    WeatherEntity,
    WeatherEntityFeature,
)
from homeassistant.const import UnitOfTemperature
from homeassistant.util import dt as dt_util
from PIL import Image, ImageDraw

from .entities import DemoEntity


class _Calendar(DemoEntity, CalendarEntity):
    """It starts with `events`, counted from today.

    Of each: days from today, first hour (None: the whole day), hours, title.
    """

    _attr_supported_features = (
        CalendarEntityFeature.CREATE_EVENT
        | CalendarEntityFeature.DELETE_EVENT
        | CalendarEntityFeature.UPDATE_EVENT
    )

    def take(self, **attributes: Any) -> None:
        today = dt_util.start_of_local_day()
        self._events: list[CalendarEvent] = []
        self._made = 0
        for days, hour, hours, summary in attributes["events"]:
            day = today + timedelta(days=days)
            if hour is None:
                first = day.date()
                self._add(first, first + timedelta(days=1), summary)
            else:
                start = day.replace(hour=hour)
                self._add(start, start + timedelta(hours=hours), summary)

    def _add(self, start: date, end: date, summary: str, uid: str = "") -> None:
        self._made += 1
        self._events.append(
            CalendarEvent(start, end, summary, uid=uid or str(self._made))
        )
        self._events.sort(key=lambda event: event.start_datetime_local)

    @property
    def event(self) -> CalendarEvent | None:
        now = dt_util.now()
        return next(
            (event for event in self._events if event.end_datetime_local > now), None
        )

    async def async_get_events(
        self, hass: Any, start_date: datetime, end_date: datetime
    ) -> list[CalendarEvent]:
        return [
            event
            for event in self._events
            if event.end_datetime_local > start_date
            and event.start_datetime_local < end_date
        ]

    async def async_create_event(self, **kwargs: Any) -> None:
        self._add(kwargs["dtstart"], kwargs["dtend"], kwargs["summary"])
        self.async_write_ha_state()

    async def async_delete_event(self, uid: str, *args: Any, **kwargs: Any) -> None:
        self._events = [event for event in self._events if event.uid != uid]
        self.async_write_ha_state()

    async def async_update_event(
        self, uid: str, event: dict[str, Any], *args: Any, **kwargs: Any
    ) -> None:
        await self.async_delete_event(uid)
        self._add(event["dtstart"], event["dtend"], event["summary"], uid)
        self.async_write_ha_state()


class _Weather(DemoEntity, WeatherEntity):
    """It is known for `days`, from today on: condition, lowest, highest temperature."""

    _attr_native_temperature_unit = UnitOfTemperature.CELSIUS
    _attr_supported_features = WeatherEntityFeature.FORECAST_DAILY

    def take(self, **attributes: Any) -> None:
        self._days = attributes["days"]
        condition, _, highest = self._days[0]
        super().take(condition=condition, native_temperature=highest)

    async def async_forecast_daily(self) -> list[Forecast]:
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


class DemoCamera(DemoEntity, Camera):
    """Above a door, before which somebody stands in a coat of a colour (`coat`)."""

    _attr_coat: str

    def camera_image(
        self, width: int | None = None, height: int | None = None
    ) -> bytes | None:
        """Draw the wall, the path, and the visitor, the same each time."""
        picture = Image.new("RGB", (640, 360), "#8f8f8f")
        draw = ImageDraw.Draw(picture)
        draw.polygon([(200, 360), (290, 150), (350, 150), (440, 360)], fill="#b4b4b4")
        draw.rectangle((250, 170, 390, 359), fill=self._attr_coat)
        draw.ellipse((280, 80, 360, 175), fill="#c8a07a")
        draw.rectangle((275, 75, 365, 105), fill="#2b2b2b")
        file = BytesIO()
        picture.save(file, "JPEG", quality=85)
        return file.getvalue()


class _Satellite(DemoEntity, AssistSatelliteEntity):
    """A satellite without sound: what it announces is heard at once."""

    _attr_supported_features = AssistSatelliteEntityFeature.ANNOUNCE

    @override
    async def async_internal_announce(self, *_args: Any, **_options: Any) -> None:
        """Say nothing; there is no voice in this home."""

    @override
    def async_get_configuration(self) -> AssistSatelliteConfiguration:
        return AssistSatelliteConfiguration([], [], 0)

    @override
    async def async_set_configuration(
        self, config: AssistSatelliteConfiguration
    ) -> None:
        """Nothing can be configured."""

    @override
    def on_pipeline_event(self, event: PipelineEvent) -> None:
        """Nobody speaks to it."""


SHOWN: dict[str, type[DemoEntity]] = {
    "assist_satellite": _Satellite,
    "calendar": _Calendar,
    "camera": DemoCamera,
    "weather": _Weather,
}
"""The class of each domain."""
