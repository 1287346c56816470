"""Calendar events: what is in the calendars of the home, over any time.

Anybody may send an invitation, so it is text from outside.
"""

from datetime import timedelta
from typing import Any, ClassVar, Final, override

from homeassistant.components.calendar import CalendarEvent
from homeassistant.core import HomeAssistant
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import llm
from homeassistant.util import dt as dt_util
import probatio

from ..const import DOMAIN
from ..gate.own_tool import Arguments
from .ability import Ability, async_may_read, optional_texts
from .calendars import async_read
from .finder import UnclearError, has_like
from .periods import PERIODS, Period, period_of
from .result_texts import bounded, day_text, moment_text

# So far is looked ahead where no time is said: for anything, and for some words.
_AHEAD: Final = timedelta(days=7)
_FAR_AHEAD: Final = timedelta(days=365)
_MAX_CHARACTERS: Final = 100


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
        may_read = await async_may_read(hass, context.context, self.context.scope)
        found = list(filter(may_read, found))
        read = await async_read(hass, found, period)
        silent = [state.name for state in found if read[state.entity_id] is None]
        if len(silent) == len(found):
            raise HomeAssistantError(f"Not available now: {', '.join(silent)}.")
        events = [
            (state.name if len(found) > 1 else "", event)
            for state in found
            for event in read[state.entity_id] or ()
            if not text or has_like(_texts(event), text)
        ]
        # What is cut off is what is farthest from now.
        is_over = period.end <= now
        events.sort(key=lambda item: item[1].start_datetime_local, reverse=is_over)
        data: dict[str, Any] = {
            "from": moment_text(period.start),
            "to": moment_text(period.end),
            "count": len(events),
            "events": bounded([_sentence(*item, bool(text)) for item in events]),
        }
        if silent:
            data["not_available"] = silent
        return data


def _texts(event: CalendarEvent) -> list[str]:
    texts = (event.summary, event.location, event.description)
    return [" ".join((text or "").split()) for text in texts]


def _sentence(calendar: str, event: CalendarEvent, in_detail: bool) -> str:
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
    where = f"in {calendar}" if calendar else ""
    notes = (location, where, description if in_detail else "")
    told = "; ".join(filter(None, notes))
    return f"{when}: {title or 'without a title'}" + (f" ({told})" if told else "")
