"""Calendars: what there is in them, and new, changed and deleted events.

Anybody may send an invitation, so what is read is text from outside. Calendars tell of
their events only when asked: what is to be changed is looked up before it is judged. A
calendar entity's own methods do not ask whether the user may control it: this does.
"""

import asyncio
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, time, timedelta
from typing import TYPE_CHECKING, Any, ClassVar, Final, NamedTuple, override

from homeassistant.auth.permissions.const import POLICY_CONTROL
from homeassistant.core import HomeAssistant, State
from homeassistant.exceptions import HomeAssistantError, Unauthorized
from homeassistant.helpers import config_validation as cv, llm
from homeassistant.util import dt as dt_util
import probatio

from ..const import DOMAIN
from ..gate.effects import Effect
from ..gate.names import name_of, spoken
from ..gate.own_tool import Arguments, Caller, Result, Wording
from ..internals import calendar_of
from ..languages.form import Language
from ..text import as_compared
from .ability import Ability, ActingAbility, ActionPlan, can, schema, texts
from .finder import UnclearError, most_like
from .periods import (
    Period,
    day_text,
    moment_of,
    moment_text,
    period_of,
    rule_of,
    spoken_day,
)

if TYPE_CHECKING:
    from homeassistant.components.calendar import CalendarEntity, CalendarEvent

_CREATE: Final = "create_event"
_DELETE: Final = "delete_event"
_UPDATE: Final = "update_event"
# CalendarEntityFeature: to import it would load all of the frontend.
FEATURES: Final = {_CREATE: 1, _DELETE: 2, _UPDATE: 4}
# The integrations whose calendars take a rule with a new event.
_REPEATING: Final = ("caldav", "google", "local_calendar")
# So far is looked ahead where no time is said: for anything, and for some words.
_AHEAD: Final = timedelta(days=7)
_FAR_AHEAD: Final = timedelta(days=365)
_MAX_CHARACTERS: Final = 100
_SERIES: Final = "delete_series"
_PHRASES: Final = {
    "delete": "do_delete_event",
    _SERIES: "do_delete_series",
    "change": "do_change_event",
}
_MINUTES: Final = 60
_MORE: Final[Sequence[str]] = ("location", "description")
# So late an event may have begun: who says "now" answers a question first.
_LATE: Final = timedelta(minutes=5)


class _Times(NamedTuple):
    """From when to when an event is; of days the last one is no part of it."""

    first: datetime
    last: datetime
    is_timed: bool

    def event(self, title: str, given: Mapping[str, str | None]) -> dict[str, Any]:
        """Return an event as calendars take it."""
        first, last, is_timed = self
        span = (first, last) if is_timed else (first.date(), last.date())
        more = {key: text for key in _MORE if (text := given.get(key))}
        return {"summary": title, **more, "dtstart": span[0], "dtend": span[1]}

    def spoken(self, language: Language) -> str:
        """Return "Monday, 23 November 2026, 15:00–16:00", or the days alone."""
        first, last, is_timed = self
        end = last if is_timed else last - timedelta(days=1)
        day, until = spoken_day(first, language), spoken_day(end, language)
        if not is_timed:
            return " – ".join(dict.fromkeys((day, until)))
        if day == until:
            return f"{day}, {first:%H:%M}–{last:%H:%M}"
        return f"{day}, {first:%H:%M} – {until}, {last:%H:%M}"


class Events(Ability):
    """Tells what is in the calendars."""

    name = f"{DOMAIN}__events"
    title = "Calendar events"
    description = "What is in the calendars, past or (without a period) to come."
    parameters = schema(
        *("text", "calendar", "from", "to"), "period: today, friday_evening, ..."
    )
    domain = "calendar"
    replaces: ClassVar = frozenset({"calendar__get_events"})
    returns_outside = True

    @override
    async def async_run(self, arguments: Arguments, context: llm.LLMContext) -> Result:
        given, now = texts(arguments), dt_util.now()
        text = given.get("text", "")
        ahead = _FAR_AHEAD if text else _AHEAD
        period = period_of(arguments, now) or Period(now, now + ahead)
        may_read = await self.async_may_read(context.context)
        meant = self.finder().all({"name": given.get("calendar")}, reads=True)
        calendars = list(filter(may_read, meant))
        found, silent = await _async_read(self.hass, calendars, period)
        if len(silent) == len(calendars):
            raise HomeAssistantError(f"Not available now: {', '.join(silent)}.")
        several = len(calendars) > 1
        events = [(state.name if several else "", event) for state, event in found]
        if text:
            parts = [(item, " ".join(_texts(item[1]))) for item in events]
            events = [x[0] for x in parts if most_like([x], text)]
        if period.end <= now:
            # What is cut off is what is farthest from now.
            events.reverse()
        told = [_sentence(*item, bool(text)) for item in events]
        data = {"from": moment_text(period.start), "to": moment_text(period.end)}
        more = {"not_available": silent} if silent else {}
        return {**data, "count": len(events), "events": told, **more}


class _EventAbility(ActingAbility):
    """One of our tools that creates, changes or deletes events, after a question."""

    domain = "calendar"

    @override
    def question(self, arguments: Arguments) -> Wording | None:
        plan = self.planned(arguments)
        if not plan.effects:
            return None
        [effect], told = plan.effects, dict(plan.details)
        name, new = spoken(told.pop("event")), told.pop("becomes", None)
        value = ", ".join(told.values())
        return Wording(
            _PHRASES.get(arguments.get("action", ""), "do_create_event"),
            name=f"{name}, {value}" if new else name,
            value=new or value,
            targets=(name_of(self.hass, effect.entity_id),),
        )

    @override
    async def _async_do(self, effect: Effect, context: Caller) -> None:
        calendar = await self._async_checked(effect, context)
        # They are called as the services are.
        await getattr(calendar, f"async_{effect.service}")(**effect.data)

    async def _async_checked(self, effect: Effect, context: Caller) -> CalendarEntity:
        """Return a calendar of which somebody may, and can, change events so."""
        entity_id, user = effect.entity_id, await self.async_user(context)
        calendar = calendar_of(self.hass, entity_id)
        if user and not user.permissions.check_entity(entity_id, POLICY_CONTROL):
            raise Unauthorized(context=context, entity_id=entity_id)
        features = calendar and calendar.supported_features
        if not calendar or not features or not features & FEATURES[effect.service]:
            what = effect.service.replace("_event", " events")
            raise HomeAssistantError(f"It cannot {what} of {entity_id}. Say so.")
        return calendar


class CreateEvent(_EventAbility):
    """Creates an event."""

    name = f"{DOMAIN}__create_event"
    title = "Create calendar event"
    description = "Put an event into a calendar. start: saturday (all day), tomorrow 15:00 or ISO."
    parameters = schema(
        *("end", "calendar", *_MORE, "repeat: RRULE"),
        needs=dict.fromkeys(("title", "start"), cv.string),
        minutes=cv.positive_int,
    )
    annotations = llm.ToolAnnotations(destructive=False, open_world=False)

    @override
    def things(self) -> list[State]:
        return [item for item in super().things() if can(item, FEATURES[_CREATE])]

    @override
    def plan(self, arguments: Arguments) -> ActionPlan:
        given = texts(arguments)
        named = {"name": given.get("calendar")}
        [calendar, *_] = meant = self.finder().all(named, reads=True, acts=True)
        if "title" not in given:
            raise HomeAssistantError("It needs a title.")
        times = _times(given, dt_util.now())
        data = times.event(given["title"], given)
        told = {"event": given["title"], "when": times.spoken(self.language)}
        if repeat := given.get("repeat"):
            repeating = [x for x in meant if self.made_by(x.entity_id) in _REPEATING]
            if not repeating:
                raise HomeAssistantError(
                    f"Events of {calendar.name} cannot repeat from here. Tell the person."
                )
            calendar = repeating[0]
            begins = times.first, times.is_timed
            data["rrule"], told["repeats"] = rule_of(repeat, *begins, self.language)
        told |= {key: spoken(given[key]) for key in _MORE if key in given}
        return ActionPlan((Effect(calendar.entity_id, _CREATE, data),), details=told)


class ChangeEvent(_EventAbility):
    """Changes or deletes an event, or this one of a series."""

    name = f"{DOMAIN}__change_event"
    title = "Change calendar event"
    description = "Move, rename or delete one event (day: when it is now)."
    parameters = schema(
        *("day", "calendar", "title", "start", "location"),
        needs={"action": probatio.In([*_PHRASES]), "event": cv.string},
        minutes=cv.positive_int,
    )
    annotations = llm.ToolAnnotations(open_world=False)
    is_divisible = False
    returns_outside: ClassVar = True

    @override
    async def async_plan(self, arguments: Arguments, context: Caller) -> ActionPlan:
        given = texts(arguments)
        calendar, event = await self._async_find(given)
        action = given["action"]
        service = _UPDATE if action == "change" else _DELETE
        await self._async_checked(Effect(calendar.entity_id, service), context)
        which = None if action == _SERIES else event.recurrence_id
        if event.uid is None or (event.rrule and not which and action != _SERIES):
            raise HomeAssistantError("This calendar cannot change this one event.")
        # Without a range it is this one of a series.
        data: dict[str, Any] = {"uid": event.uid, "recurrence_id": which}
        span = event.start_datetime_local, event.end_datetime_local
        before = _Times(*span, not event.all_day)
        told = {"event": event.summary, "when": before.spoken(self.language)}
        if service == _UPDATE:
            times = _times(given, dt_util.now(), before)
            kept = {"location": event.location, "description": event.description}
            title = given.get("title") or event.summary
            data["event"] = times.event(title, {**kept, **given})
            new = [spoken(given[key]) for key in ("title", "location") if key in given]
            if times != before:
                new.append(times.spoken(self.language))
            if not new:
                raise HomeAssistantError("Say what is to be changed.")
            told["becomes"] = ", ".join(new)
        return ActionPlan((Effect(calendar.entity_id, service, data),), details=told)

    async def _async_find(
        self, given: Mapping[str, str]
    ) -> tuple[State, CalendarEvent]:
        now, wanted = dt_util.now(), given.get("event", "")
        day = period_of({"period": given.get("day")}, now)
        period = day or Period(now, now + _FAR_AHEAD)
        named = {"name": given.get("calendar")}
        calendars = self.finder().all(named, reads=True, acts=True)
        found, _ = await _async_read(self.hass, calendars, period)
        meant = [x for x in found if as_compared(x[1].summary) == as_compared(wanted)]
        meant = meant or most_like([(x, x[1].summary) for x in found], wanted)
        if len({(state, event.uid) for state, event in meant}) == 1:
            return meant[0]
        told = [_sentence("", event) for _, event in meant or found]
        how = "Ask which, or say its day" if meant else "There is no such event"
        raise UnclearError(f"{how}: {'; '.join(told)}")


def _times(
    given: Mapping[str, str], now: datetime, before: _Times | None = None
) -> _Times:
    """Return from when to when an event is to be; what is not given stays as before."""
    first, last, is_timed = before or (now, now, False)
    length = last - first
    if before is None or "start" in given:
        day = first
        first, last = moment_of(given.get("start", ""), now, day.date())
        if first == last:
            # How long it is in days is not how long it is in hours.
            length = length if is_timed else timedelta(minutes=_MINUTES)
            is_timed = True
        elif is_timed:
            # Another day at the same time.
            first = datetime.combine(first.date(), day.time(), day.tzinfo)
        if is_timed:
            last = first.astimezone(UTC) + length
        elif before:
            last = first + length
    if end := given.get("end"):
        period = period_of({"from": given["start"], "to": end}, now)
        assert period
        last = period.end
    elif is_timed and "minutes" in given:
        last = first.astimezone(UTC) + timedelta(minutes=int(given["minutes"]))
    # By way of UTC: what the clocks leave out is an hour later.
    first, last = (dt_util.as_local(item.astimezone(UTC)) for item in (first, last))
    if not is_timed and {first.time(), last.time()} != {time()}:
        raise HomeAssistantError("Say a date and a time, or only a date.")
    begins = first if is_timed and before is None else last
    if begins + _LATE <= now or last <= first:
        raise HomeAssistantError("That is over, or ends before it begins.")
    return _Times(first, last, is_timed)


def _texts(event: CalendarEvent) -> list[str]:
    parts = (event.summary, event.location, event.description)
    return [" ".join((text or "").split()) for text in parts]


def _sentence(calendar: str, event: CalendarEvent, in_detail: bool = False) -> str:
    """Return "tomorrow, Monday 23 November, 14:00 to 15:00: Dentist (Main street)"."""
    start, end = event.start_datetime_local, event.end_datetime_local
    if event.all_day:
        last = end - timedelta(days=1)
        days = dict.fromkeys(day_text(day.date()) for day in (start, last))
        when = f"{' to '.join(days)}, all day"
    elif start.date() == end.date():
        when = f"{moment_text(start)} to {end:%H:%M}"
    else:
        when = f"{moment_text(start)} to {moment_text(end)}"
    title, location, description = (item[:_MAX_CHARACTERS] for item in _texts(event))
    notes = (location, calendar and f"in {calendar}", description * in_detail)
    told = "; ".join(filter(None, notes))
    return f"{when}: {title or 'without a title'}" + (f" ({told})" if told else "")


async def _async_read(
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
    found: list[tuple[State, CalendarEvent]] = []
    silent: list[str] = []
    for state, events in zip(states, looks, strict=True):
        if isinstance(events, BaseException):
            silent.append(state.name)
        else:
            found += [(state, event) for event in events]
    return sorted(found, key=lambda item: item[1].start_datetime_local), silent
