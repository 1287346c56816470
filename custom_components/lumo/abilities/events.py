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
from homeassistant.helpers import llm
from homeassistant.util import dt as dt_util
import probatio

from ..const import DOMAIN
from ..gate.names import name_of
from ..gate.own_tool import Arguments
from .ability import Ability, async_answer, optional_texts
from .finder import Finder, UnclearError, has_like
from .periods import PERIODS, Period, period_of
from .result_texts import bounded, day_text, moment_text

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
    description = "What is in the calendars, past or (without a period) to come."
    parameters = probatio.Schema(
        optional_texts(
            {
                "period": PERIODS,
                "from": "",
                "to": "",
                "text": "",
                "calendar": "",
            }
        )
    )
    domain = "calendar"
    replaces: ClassVar = frozenset({"calendar__get_events"})
    returns_outside = True

    @override
    async def async_run(
        self, hass: HomeAssistant, arguments: Arguments, context: llm.LLMContext
    ) -> dict[str, Any]:
        there, name = self.things(hass), str(arguments.get("calendar") or "")
        try:
            found = Finder(hass, there).all({"name": name}, reads=True)
        except UnclearError:
            # A calendar is called "Familienkalender" where its name is Family.
            found = [item for item in there if has_like([item.name], name)]
            if not found:
                raise
        now, text = dt_util.now(), str(arguments.get("text") or "").strip()
        ahead = _FAR_AHEAD if text else _AHEAD
        period = period_of(arguments, now) or Period(now, now + ahead)
        results = await asyncio.gather(
            *(_async_events(hass, state, period, context.context) for state in found),
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
            "from": moment_text(period.start),
            "to": moment_text(period.end),
            "count": len(events),
            "events": bounded(
                [_sentence(event, bool(text), len(results) > 1) for event in events]
            ),
        }
        if silent:
            data["not_available"] = silent
        return data


async def _async_events(
    hass: HomeAssistant, state: State, period: Period, context: Context | None
) -> list[_Event]:
    name = name_of(hass, state.entity_id)
    if state.state == STATE_UNAVAILABLE:
        raise HomeAssistantError(name)
    data = {
        "start_date_time": period.start.isoformat(),
        "end_date_time": period.end.isoformat(),
    }
    found = await async_answer(hass, state.entity_id, "get_events", data, context)
    return [
        _Event(
            name,
            _moment(str(item["start"])),
            _moment(str(item["end"])),
            "T" not in str(item["start"]),
            {
                key: " ".join(str(value).split())[:_TITLE]
                for key in ("summary", "location", "description")
                if (value := item.get(key))
            },
        )
        for item in found["events"]
    ]


def _moment(text: str) -> datetime:
    if "T" not in text:
        return dt_util.start_of_local_day(date.fromisoformat(text))
    return dt_util.as_local(datetime.fromisoformat(text))


def _sentence(event: _Event, in_detail: bool, tells_calendar: bool) -> str:
    """Return "tomorrow, Monday 23 November, 14:00 to 15:00: Dentist (Main street)"."""
    first, last = event.start.date(), event.end.date()
    if event.all_day:
        last -= timedelta(days=1)
        when = f"{day_text(first)}, all day"
        if last > first:
            when = f"{day_text(first)} to {day_text(last)}, all day"
    elif first == last:
        when = f"{moment_text(event.start)} to {event.end:%H:%M}"
    else:
        when = f"{moment_text(event.start)} to {moment_text(event.end)}"
    notes: Sequence[str | None] = (
        event.texts.get("location"),
        f"in {event.calendar}" if tells_calendar else None,
        event.texts.get("description") if in_detail else None,
    )
    told = "; ".join(filter(None, notes))
    return f"{when}: {event.texts.get('summary', 'without a title')}" + (
        f" ({told})" if told else ""
    )
