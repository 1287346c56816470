"""Calendar events: what is in the calendars of the home, over any time.

Anybody may send an invitation, so it is text from outside.
"""

import asyncio
from collections.abc import Mapping
from datetime import date, datetime, timedelta
from typing import Any, ClassVar, Final, override

from homeassistant.const import STATE_UNAVAILABLE
from homeassistant.core import Context, HomeAssistant, State
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import llm
from homeassistant.util import dt as dt_util
import probatio

from ..const import DOMAIN
from ..gate.own_tool import Arguments
from .ability import Ability, async_answer, optional_texts
from .finder import UnclearError, has_like
from .periods import PERIODS, Period, period_of
from .result_texts import bounded, day_text, moment_text

# So far is looked ahead where no time is said: for anything, and for some words.
_AHEAD: Final = timedelta(days=7)
_FAR_AHEAD: Final = timedelta(days=365)
_MAX_CHARACTERS: Final = 100

_TEXTS: Final = ("summary", "location", "description")
_FIELDS: Final = ("start", "end", *_TEXTS)

type _Event = tuple[str, Mapping[str, str]]
"""The calendar, where that is told, and the fields."""


class Events(Ability):
    """Tells what is in the calendars."""

    name = f"{DOMAIN}__events"
    title = "Calendar events"
    description = "What is in the calendars, past or (without a period) to come."
    parameters = probatio.Schema(
        optional_texts("text", "calendar", "from", "to", period=PERIODS)
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
            found = self.finder(hass).all({"name": name}, reads=True)
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
        events: list[_Event] = []
        silent: list[str] = []
        for state, result in zip(found, results, strict=True):
            if isinstance(result, BaseException):
                silent.append(state.name)
            else:
                where = state.name if len(found) > 1 else ""
                events += [(where, event) for event in result]
        if len(silent) == len(found):
            raise HomeAssistantError(f"Not available now: {', '.join(silent)}.")
        if text:
            events = [
                item
                for item in events
                if has_like([item[1][key] for key in _TEXTS], text)
            ]
        # What is cut off is what is farthest from now.
        events.sort(
            key=lambda item: _moment(item[1]["start"]), reverse=period.end <= now
        )
        data: dict[str, Any] = {
            "from": moment_text(period.start),
            "to": moment_text(period.end),
            "count": len(events),
            "events": bounded([_sentence(*item, bool(text)) for item in events]),
        }
        if silent:
            data["not_available"] = silent
        return data


async def _async_events(
    hass: HomeAssistant, state: State, period: Period, context: Context | None
) -> list[Mapping[str, str]]:
    if state.state == STATE_UNAVAILABLE:
        raise HomeAssistantError
    data = {
        "start_date_time": period.start.isoformat(),
        "end_date_time": period.end.isoformat(),
    }
    found = await async_answer(hass, state.entity_id, "get_events", data, context)
    return [
        {key: " ".join(str(item.get(key) or "").split()) for key in _FIELDS}
        for item in found["events"]
    ]


def _moment(text: str) -> datetime:
    if "T" not in text:
        return dt_util.start_of_local_day(date.fromisoformat(text))
    return dt_util.as_local(datetime.fromisoformat(text))


def _sentence(calendar: str, event: Mapping[str, str], in_detail: bool) -> str:
    """Return "tomorrow, Monday 23 November, 14:00 to 15:00: Dentist (Main street)"."""
    start, end = _moment(event["start"]), _moment(event["end"])
    if "T" not in event["start"]:
        last = end - timedelta(days=1)
        days = dict.fromkeys(day_text(day.date()) for day in (start, last))
        when = f"{' to '.join(days)}, all day"
    elif start.date() == end.date():
        when = f"{moment_text(start)} to {end:%H:%M}"
    else:
        when = f"{moment_text(start)} to {moment_text(end)}"
    notes = (
        event["location"][:_MAX_CHARACTERS],
        f"in {calendar}" if calendar else "",
        event["description"][:_MAX_CHARACTERS] if in_detail else "",
    )
    told = "; ".join(filter(None, notes))
    title = event["summary"][:_MAX_CHARACTERS] or "without a title"
    return f"{when}: {title}" + (f" ({told})" if told else "")
