"""Change event: move, rename or delete an event, or this one of a series.

Calendars tell of their events only when asked: it is looked up before the call is judged.
"""

from collections.abc import Mapping
from datetime import date, datetime, timedelta
from typing import Any, ClassVar, Final, override

from homeassistant.components.calendar import CalendarEvent
from homeassistant.core import Context, HomeAssistant
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import config_validation as cv, llm
from homeassistant.util import dt as dt_util
import probatio

from ..const import DOMAIN
from ..gate.effects import Effect
from ..gate.names import name_of, spoken
from ..gate.own_tool import Arguments, Wording
from ..text import as_compared
from .ability import optional_texts
from .acting import ActionPlan, texts
from .calendars import (
    DELETE,
    UPDATE,
    CalendarAbility,
    async_check,
    async_read,
    spoken_time,
    when_data,
)
from .finder import UnclearError, has_like
from .periods import Period, period_of
from .result_texts import bounded, day_text, moment_text

_SERIES: Final = "delete_series"
_PHRASES: Final = {
    "delete": "do_delete_event",
    _SERIES: "do_delete_series",
    "change": "do_change_event",
}
# So far is looked ahead where no day is said.
_AHEAD: Final = timedelta(days=365)
_HOUR: Final = timedelta(hours=1)


class ChangeEvent(CalendarAbility):
    """Changes or deletes an event, after a question that says which and what."""

    name = f"{DOMAIN}__change_event"
    title = "Change calendar event"
    description = "Move, rename or delete one event (day: when it is now)."
    parameters = probatio.Schema(
        {
            probatio.Required("action"): probatio.In([*_PHRASES]),
            probatio.Required("event"): cv.string,
            **optional_texts("day", "calendar", "title", "start"),
            probatio.Optional("minutes"): cv.positive_int,
            **optional_texts("location"),
        }
    )
    annotations = llm.ToolAnnotations(open_world=False)
    is_divisible = False
    returns_outside: ClassVar = True

    @override
    def question(self, hass: HomeAssistant, arguments: Arguments) -> Wording | None:
        plan = self.planned(hass, arguments)
        if not plan.effects:
            return None
        [effect], told = plan.effects, plan.details
        name, when, new = spoken(told["event"]), told["when"], told.get("becomes")
        return Wording(
            _PHRASES[arguments["action"]],
            name=f"{name}, {when}" if new else name,
            value=new or when,
            targets=(name_of(hass, effect.entity_id),),
        )

    @override
    def plan(self, hass: HomeAssistant, arguments: Arguments) -> ActionPlan:
        raise HomeAssistantError("An event is changed now, or not at all.")

    @override
    async def async_plan(
        self, hass: HomeAssistant, arguments: Arguments, context: Context | None
    ) -> ActionPlan:
        given = texts(arguments)
        entity_id, event = await self._async_find(hass, given)
        action = given["action"]
        service = UPDATE if action == "change" else DELETE
        await async_check(hass, entity_id, service, context)
        which = None if action == _SERIES else event.recurrence_id
        if event.uid is None or (event.rrule and not which and action != _SERIES):
            raise HomeAssistantError("This calendar cannot change this one event.")
        data: dict[str, Any] = {"uid": event.uid, "recurrence_id": which}
        when = spoken_time(event.start, event.end, self.language)
        told = {"event": event.summary, "when": when}
        if service == UPDATE:
            data |= {
                "summary": given.get("title") or event.summary,
                "location": given.get("location") or event.location,
                "description": event.description,
            }
            first, last, is_timed = _moved(event, given, dt_util.now())
            data |= when_data(first, last, is_timed)
            new = [spoken(given[key]) for key in ("title", "location") if key in given]
            if "start" in given or "minutes" in given:
                ends = (first, last) if is_timed else (first.date(), last.date())
                new.append(spoken_time(*ends, self.language))
            if not new:
                raise HomeAssistantError("Say what is to be changed.")
            told["becomes"] = ", ".join(new)
        return ActionPlan((Effect(entity_id, service, data),), details=told)

    async def _async_find(
        self, hass: HomeAssistant, given: Mapping[str, str]
    ) -> tuple[str, CalendarEvent]:
        now = dt_util.now()
        states = self.finder(hass).all(
            {"name": given.get("calendar")}, reads=True, acts=True
        )
        period = period_of({"period": given.get("day")}, now) or Period(
            now, now + _AHEAD
        )
        read = await async_read(hass, states, period)
        found = [
            (entity_id, item) for entity_id in read for item in read[entity_id] or ()
        ]
        wanted = given.get("event", "")
        meant = [
            item
            for item in found
            if as_compared(item[1].summary) == as_compared(wanted)
        ] or [item for item in found if has_like([item[1].summary], wanted)]
        meant.sort(key=lambda item: item[1].start_datetime_local)
        if len({(entity_id, event.uid) for entity_id, event in meant}) == 1:
            return meant[0]
        told = bounded([_told(event) for _, event in meant or found])
        problem = (
            "Ask which, or say its day and title" if meant else "There is no such event"
        )
        raise UnclearError(f"{problem}: {'; '.join(told)}")


def _moved(
    event: CalendarEvent, given: Mapping[str, str], now: datetime
) -> tuple[datetime, datetime, bool]:
    """Return from when to when it is to be, and whether that are times and not days."""
    first, text = event.start_datetime_local, given.get("start", "")
    length = event.end_datetime_local - first
    is_timed = not event.all_day or ":" in text
    if text:
        period = period_of({"period": first.date().isoformat(), "from": text}, now)
        assert period
        start = dt_util.as_local(period.start)
        if is_timed and ":" not in text:
            # Another day at the same time.
            start = datetime.combine(start.date(), first.time(), first.tzinfo)
        length = _HOUR if event.all_day and is_timed else length
        first = start
    if minutes := given.get("minutes"):
        length, is_timed = timedelta(minutes=int(minutes)), True
    last = first + length
    if last <= now:
        raise HomeAssistantError("That would be over already.")
    return first, last, is_timed


def _told(event: CalendarEvent) -> str:
    start: date = event.start
    when = moment_text(start) if isinstance(start, datetime) else day_text(start)
    return f"{event.summary[:60]} ({when})"
