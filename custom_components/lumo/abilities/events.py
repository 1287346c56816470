"""Calendar events: what is in the calendars of the home, over any time.

What is in a calendar may come from anybody who can send an invitation, so it is text
from outside.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any, ClassVar, Final, override

from homeassistant.const import STATE_UNAVAILABLE
from homeassistant.core import Context, HomeAssistant, State
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import config_validation as cv, llm
from homeassistant.util import dt as dt_util
import probatio

from ..const import DOMAIN
from ..gate.ability import Ability
from ..gate.names import name_of
from .periods import Period, period_of
from .targets import async_answer, exposed, find, has_like
from .telling import bounded, told_day, told_moment

_CALENDAR: Final = "calendar"
# So far is looked ahead where no time is said: for anything, and for some words.
_AHEAD: Final = timedelta(days=7)
_FAR_AHEAD: Final = timedelta(days=365)
# Characters of a title, a place and a description.
_TITLE: Final = 100


@dataclass(frozen=True, slots=True)
class _Event:
    """An event, with where it is from."""

    calendar: str
    start: datetime
    end: datetime
    all_day: bool
    texts: Mapping[str, str]
    """Its `summary`, `location` and `description`."""


class Events(Ability):
    """Tells what is in the calendars."""

    name = f"{DOMAIN}__events"
    title = "Calendar events"
    description = "What is in the calendars of this home, past or to come."
    parameters = probatio.Schema(
        {
            probatio.Optional(
                "period",
                description="today, this_week, next_month, saturday or a date; "
                "default: from now on",
            ): cv.string,
            probatio.Optional("from"): cv.string,
            probatio.Optional("to"): cv.string,
            probatio.Optional("text", description="Words in it"): cv.string,
            probatio.Optional("calendar", description="If one is named"): cv.string,
        }
    )
    replaces: ClassVar = frozenset({"calendar__get_events"})
    returns_outside = True

    @property
    @override
    def is_useful(self) -> bool:
        """Return whether there is any calendar."""
        hass = self.situation.hass
        return hass is None or bool(exposed(hass, _CALENDAR))

    @override
    async def async_call(
        self,
        hass: HomeAssistant,
        tool_input: llm.ToolInput,
        llm_context: llm.LLMContext,
    ) -> llm.ToolResult:
        """Return the events; raise HomeAssistantError if no calendar can be read."""
        given = tool_input.tool_args
        calendar = str(given.get("calendar") or "")
        found = find(hass, exposed(hass, _CALENDAR), calendar, reads=True)
        now, text = dt_util.now(), str(given.get("text") or "").strip()
        ahead = _FAR_AHEAD if text else _AHEAD
        period = period_of(given, now) or Period(now, now + ahead)
        results = await asyncio.gather(
            *(
                _async_events(hass, state, period, llm_context.context)
                for state in found
            ),
            return_exceptions=True,
        )
        silent = [
            name_of(hass, state.entity_id)
            for state, result in zip(found, results, strict=True)
            if isinstance(result, BaseException)
        ]
        if len(silent) == len(results):
            raise HomeAssistantError(f"Not available now: {', '.join(silent)}.")
        events = [
            event
            for result in results
            if not isinstance(result, BaseException)
            for event in result
            if not text or has_like(event.texts.values(), text)
        ]
        # What is cut off is what is farthest from now.
        events.sort(key=lambda event: event.start, reverse=period.end <= now)
        data: dict[str, Any] = {
            "from": told_moment(period.start),
            "to": told_moment(period.end),
            "count": len(events),
            "events": bounded(
                [_sentence(event, bool(text), len(results) > 1) for event in events]
            ),
        }
        if silent:
            data["not_available"] = silent
        return llm.ToolResult(data=data)


async def _async_events(
    hass: HomeAssistant, state: State, period: Period, context: Context | None
) -> list[_Event]:
    """Return the events of one calendar."""
    name = name_of(hass, state.entity_id)
    if state.state == STATE_UNAVAILABLE:
        raise HomeAssistantError(name)
    data = {
        "start_date_time": period.start.isoformat(),
        "end_date_time": period.end.isoformat(),
    }
    found = await async_answer(hass, state.entity_id, "get_events", data, context)
    return [_event(name, item) for item in found["events"]]


def _event(calendar: str, item: Mapping[str, Any]) -> _Event:
    """Read an event as Home Assistant's action returns it."""
    start, end = str(item["start"]), str(item["end"])
    all_day = "T" not in start
    return _Event(
        calendar,
        _moment(start),
        _moment(end),
        all_day,
        {
            key: " ".join(str(value).split())[:_TITLE]
            for key in ("summary", "location", "description")
            if (value := item.get(key))
        },
    )


def _moment(text: str) -> datetime:
    if "T" not in text:
        return dt_util.start_of_local_day(date.fromisoformat(text))
    return dt_util.as_local(datetime.fromisoformat(text))


def _sentence(event: _Event, in_detail: bool, tells_calendar: bool) -> str:
    """Return "tomorrow, Monday 23 November, 14:00 to 15:00: Dentist (Main street)"."""
    first, last = event.start.date(), event.end.date()
    if event.all_day:
        last -= timedelta(days=1)
        when = f"{told_day(first)}, all day"
        if last > first:
            when = f"{told_day(first)} to {told_day(last)}, all day"
    elif first == last:
        when = f"{told_moment(event.start)} to {event.end:%H:%M}"
    else:
        when = f"{told_moment(event.start)} to {told_moment(event.end)}"
    notes: Sequence[str | None] = (
        event.texts.get("location"),
        f"in {event.calendar}" if tells_calendar else None,
        event.texts.get("description") if in_detail else None,
    )
    told = "; ".join(filter(None, notes))
    return f"{when}: {event.texts.get('summary', 'without a title')}" + (
        f" ({told})" if told else ""
    )
