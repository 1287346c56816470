"""Calendars: what no action of Home Assistant does, and how times and series are said.

A calendar entity's own methods do not ask whether the user may control it: this does.
"""

import asyncio
from collections.abc import Sequence
from datetime import UTC, date, datetime, time, timedelta
import re
from typing import Final

from homeassistant.auth.permissions.const import POLICY_CONTROL
from homeassistant.components.calendar import CalendarEntityFeature, CalendarEvent
from homeassistant.core import Context, HomeAssistant, State
from homeassistant.exceptions import HomeAssistantError, Unauthorized
from homeassistant.util import dt as dt_util

from ..gate.effects import Effect
from ..internals import calendar_of, integration_of
from ..languages.form import Language
from .periods import Period, spoken_day

CREATE: Final = "create_event"
DELETE: Final = "delete_event"
UPDATE: Final = "update_event"
_FEATURES: Final = {
    CREATE: CalendarEntityFeature.CREATE_EVENT,
    DELETE: CalendarEntityFeature.DELETE_EVENT,
    UPDATE: CalendarEntityFeature.UPDATE_EVENT,
}
# The integrations whose calendars take a rule with a new event.
_REPEATING: Final = ("caldav", "google", "local_calendar")
_DAYS: Final = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
_RULE: Final = re.compile(
    r"FREQ=(?:DAI|WEEK|MONTH|YEAR)LY|(?:INTERVAL|COUNT)=\d{1,2}|UNTIL=[\dTZ]+"
    rf"|BYDAY=(?:,?\b(?:{'|'.join(_DAYS)})\b)+"
)
_RULES: Final = (
    "FREQ=DAILY|WEEKLY|MONTHLY|YEARLY, INTERVAL, COUNT, UNTIL, weekly BYDAY=MO,TH: "
    "the event begins on one of these days"
)


async def async_check(
    hass: HomeAssistant, entity_id: str, service: str, context: Context | None
) -> None:
    """Raise HomeAssistantError if a calendar cannot do it, or the user may not."""
    user_id = context.user_id if context else None
    user = await hass.auth.async_get_user(user_id) if user_id else None
    if user and not user.permissions.check_entity(entity_id, POLICY_CONTROL):
        raise Unauthorized(context=context, entity_id=entity_id)
    calendar = calendar_of(hass, entity_id)
    features = calendar.supported_features if calendar else None
    if not features or not features & _FEATURES[service]:
        what = service.replace("_event", " events")
        raise HomeAssistantError(
            f"Home Assistant cannot {what} of {entity_id}. Tell the person."
        )


async def async_read(
    hass: HomeAssistant, states: Sequence[State], period: Period
) -> tuple[list[tuple[State, CalendarEvent]], list[str]]:
    """Return the events of calendars in their order, and what does not answer."""
    span = dt_util.as_local(period.start), dt_util.as_local(period.end)

    async def async_look(state: State) -> list[CalendarEvent]:
        calendar = calendar_of(hass, state.entity_id)
        if calendar is None or not calendar.available:
            raise HomeAssistantError
        return await calendar.async_get_events(hass, *span)

    looks = await asyncio.gather(*map(async_look, states), return_exceptions=True)
    found, silent = list[tuple[State, CalendarEvent]](), list[str]()
    for state, events in zip(states, looks, strict=True):
        if isinstance(events, BaseException):
            silent.append(state.name)
        else:
            found += [(state, event) for event in events]
    return sorted(found, key=lambda item: item[1].start_datetime_local), silent


async def async_write(
    hass: HomeAssistant, effect: Effect, context: Context | None
) -> None:
    """Create, change or delete an event. Raises HomeAssistantError like `async_check`."""
    await async_check(hass, effect.entity_id, effect.service, context)
    calendar, data = calendar_of(hass, effect.entity_id), effect.data
    assert calendar
    if effect.service == CREATE:
        await calendar.async_create_event(**data)
    elif effect.service == DELETE:
        await calendar.async_delete_event(**data)
    else:
        await calendar.async_update_event(**data)


def can_repeat(hass: HomeAssistant, entity_id: str) -> bool:
    """Return whether a new event of a calendar can be the first of a series."""
    return integration_of(calendar_of(hass, entity_id)) in _REPEATING


def rule_of(text: str, first: datetime, is_timed: bool) -> str:
    """Return how an event recurs: an RRULE of RFC 5545 of the kinds that can be said.

    Raises HomeAssistantError.
    """
    text = text.upper().removeprefix("RRULE:")
    rule = text if "=" in text else f"FREQ={text}"
    parts, today = _parts(rule), _DAYS[first.weekday()]
    is_known = all(_RULE.fullmatch("=".join(part)) for part in parts.items())
    days = parts.get("BYDAY", today)
    if not is_known or today not in days or (days != today and "WEEKLY" not in rule):
        raise HomeAssistantError(f"Possible: {_RULES}.")
    if until := parts.get("UNTIL"):
        last = _until(until)
        if last < first.date():
            raise HomeAssistantError("The series ends before it begins.")
        end = datetime.combine(last, time(23, 59, 59), first.tzinfo).astimezone(UTC)
        parts["UNTIL"] = f"{end:%Y%m%dT%H%M%SZ}" if is_timed else f"{last:%Y%m%d}"
    return ";".join(map("=".join, parts.items()))


def _parts(rule: str) -> dict[str, str]:
    pairs = (item.partition("=") for item in rule.split(";") if item)
    return {key: value for key, _, value in pairs}


def _until(text: str) -> date:
    """Return a series' last day in the home's zone."""
    try:
        return dt_util.as_local(datetime.fromisoformat(text)).date()
    except ValueError as err:
        raise HomeAssistantError(f"Not a day: {text}.") from err


def spoken_rule(rule: str, language: Language) -> str:
    """Return "every 2 weeks: Monday, Thursday (5 times)" in a language."""
    parts = _parts(rule)
    one, several = language.repeats[parts["FREQ"].lower()].split("|")
    every = int(parts.get("INTERVAL", 1))
    told = one if every == 1 else several.format(n=every)
    names = language.weekdays.split()
    days = [names[_DAYS.index(day)] for day in parts.get("BYDAY", "").split(",") if day]
    if len(days) > 1:
        told = f"{told}: {', '.join(days)}"
    if count := parts.get("COUNT"):
        told += f" ({language.repeats['times'].format(n=count)})"
    if until := parts.get("UNTIL"):
        told += f" – {spoken_day(_until(until), language)}"
    return told


def spoken_time(
    first: datetime, last: datetime, is_timed: bool, language: Language
) -> str:
    """Return "Monday, 23 November 2026, 15:00–16:00", or the days alone.

    Of days the last one is no part of the event.
    """
    end = last if is_timed else last - timedelta(days=1)
    day, until = spoken_day(first, language), spoken_day(end, language)
    if not is_timed:
        return " – ".join(dict.fromkeys((day, until)))
    if day == until:
        return f"{day}, {first:%H:%M}–{last:%H:%M}"
    return f"{day}, {first:%H:%M} – {until}, {last:%H:%M}"
