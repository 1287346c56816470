"""Create event: an event in a calendar, said back before it is made."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, time, timedelta
from typing import Final, override

from homeassistant.components.calendar import CalendarEntityFeature
from homeassistant.const import ATTR_SUPPORTED_FEATURES
from homeassistant.core import HomeAssistant, State
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import config_validation as cv, llm
from homeassistant.util import dt as dt_util
import probatio

from ..const import DOMAIN
from ..gate.effects import Effect
from ..gate.names import name_of, spoken
from ..gate.own_tool import Arguments, Wording
from .ability import optional_texts
from .acting import ActionPlan, texts
from .calendars import (
    CREATE,
    CalendarAbility,
    can_repeat,
    rule_of,
    spoken_rule,
    spoken_time,
    when_data,
)
from .periods import moment_of, period_of

_MINUTES: Final = 60
_MORE: Final[Sequence[str]] = ("location", "description")
# So late an event may have begun: who says "now" answers a question first.
_LATE: Final = timedelta(minutes=5)


class CreateEvent(CalendarAbility):
    """Creates an event, after a question that says all of it."""

    name = f"{DOMAIN}__create_event"
    title = "Create calendar event"
    description = "Put an event into a calendar. start: saturday (all day), tomorrow 15:00 or ISO."
    parameters = probatio.Schema(
        {
            probatio.Required("title"): cv.string,
            probatio.Required("start"): cv.string,
            probatio.Optional("end"): cv.string,
            probatio.Optional("minutes"): cv.positive_int,
            **optional_texts("calendar", *_MORE, repeat="RRULE"),
        }
    )
    annotations = llm.ToolAnnotations(destructive=False, open_world=False)

    @override
    def things(self, hass: HomeAssistant) -> list[State]:
        return [
            state
            for state in super().things(hass)
            if state.attributes.get(ATTR_SUPPORTED_FEATURES, 0)
            & CalendarEntityFeature.CREATE_EVENT
        ]

    @override
    def question(self, hass: HomeAssistant, arguments: Arguments) -> Wording | None:
        plan = self.planned(hass, arguments)
        if not plan.effects:
            return None
        [effect] = plan.effects
        more = (spoken(effect.data[key]) for key in _MORE if key in effect.data)
        return Wording(
            "do_create_event",
            name=spoken(effect.data["summary"]),
            value=", ".join(filter(None, (*plan.details.values(), *more))),
            targets=(name_of(hass, effect.entity_id),),
        )

    @override
    def plan(self, hass: HomeAssistant, arguments: Arguments) -> ActionPlan:
        given = texts(arguments)
        where = {"name": given.get("calendar")}
        [calendar, *_] = self.finder(hass).all(where, acts=True)
        if "title" not in given:
            raise HomeAssistantError("It needs a title.")
        first, last, is_timed = _times(given, dt_util.now())
        data = {key: given[key] for key in _MORE if key in given}
        data["summary"] = given["title"]
        data |= when_data(first, last, is_timed)
        ends = (first, last) if is_timed else (first.date(), last.date())
        told = {"when": spoken_time(*ends, self.language)}
        if repeat := given.get("repeat"):
            if not can_repeat(hass, calendar.entity_id):
                raise HomeAssistantError(
                    f"Events of {calendar.name} cannot repeat from here. Tell the person."
                )
            data["rrule"] = rule_of(repeat, first, is_timed)
            told["repeats"] = spoken_rule(data["rrule"], self.language)
        return ActionPlan((Effect(calendar.entity_id, CREATE, data),), details=told)


def _times(given: Mapping[str, str], now: datetime) -> tuple[datetime, datetime, bool]:
    """Return start and end, and whether they are times, not days."""
    first, last = moment_of(given.get("start", ""), now)
    is_timed = first == last
    if end := given.get("end"):
        period = period_of({"from": given["start"], "to": end}, now)
        assert period
        last = period.end
    elif is_timed:
        minutes = int(given.get("minutes", _MINUTES))
        last = first.astimezone(UTC) + timedelta(minutes=minutes)
    # By way of UTC: what the clocks leave out is an hour later.
    first, last = (dt_util.as_local(item.astimezone(UTC)) for item in (first, last))
    if not is_timed and {first.time(), last.time()} != {time()}:
        raise HomeAssistantError("Say a date and a time, or only a date.")
    if (first if is_timed else last) + _LATE <= now or last <= first:
        raise HomeAssistantError("That is over, or ends before it begins.")
    return first, last, is_timed
