"""Calendars of the demo home."""

from datetime import datetime, timedelta
from typing import Any

from homeassistant.components.calendar import (
    CalendarEntity,
    CalendarEntityFeature,
    CalendarEvent,
)
from homeassistant.const import Platform
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
    """Add the house's calendars."""
    async_add_entities(DemoCalendar(thing) for thing in things(Platform.CALENDAR))


class DemoCalendar(DemoHomeEntity, CalendarEntity):
    """A calendar whose events are counted from the day it is made."""

    _attr_supported_features = CalendarEntityFeature.CREATE_EVENT

    def __init__(self, thing: Thing) -> None:
        """Enter the events of the table."""
        super().__init__(thing)
        today = dt_util.start_of_local_day()
        self._events: list[CalendarEvent] = []
        for days, hour, hours, summary in thing.start["events"]:
            day = today + timedelta(days=days)
            if hour is None:
                first = day.date()
                event = CalendarEvent(first, first + timedelta(days=1), summary)
            else:
                start = day.replace(hour=hour)
                event = CalendarEvent(start, start + timedelta(hours=hours), summary)
            self._events.append(event)

    @property
    def event(self) -> CalendarEvent | None:
        """Return the event that runs or comes next."""
        now = dt_util.now()
        return next(
            (event for event in self._events if event.end_datetime_local > now), None
        )

    async def async_get_events(
        self, hass: HomeAssistant, start_date: datetime, end_date: datetime
    ) -> list[CalendarEvent]:
        """Return the events of a span of time."""
        return [
            event
            for event in self._events
            if event.end_datetime_local > start_date
            and event.start_datetime_local < end_date
        ]

    async def async_create_event(self, **kwargs: Any) -> None:
        """Enter an event."""
        self._events.append(
            CalendarEvent(kwargs["dtstart"], kwargs["dtend"], kwargs["summary"])
        )
        self._events.sort(key=lambda event: event.start_datetime_local)
        self.async_write_ha_state()
