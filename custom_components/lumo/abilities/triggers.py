"""What plans and routines wait for or depend on: how it is read, checked and said."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
import re
from typing import Any, Final, Self

from homeassistant.components.event import DOMAIN as EVENT
from homeassistant.components.sensor import ATTR_OPTIONS
from homeassistant.components.zone import ENTITY_ID_HOME
from homeassistant.const import (
    STATE_HOME,
    STATE_NOT_HOME,
    STATE_UNAVAILABLE,
    STATE_UNKNOWN,
    WEEKDAYS as DAYS,
)
from homeassistant.core import HomeAssistant, State
from homeassistant.exceptions import HomeAssistantError
from homeassistant.util import dt as dt_util

from ..gate.effects import number_of
from ..gate.names import name_of
from ..gate.speaker import people_of
from ..languages import LANGUAGES, translated
from ..languages.form import Language
from .finder import MANY_ON, Finder, StateWords, state_name, the_one
from .periods import WEEKDAYS, spoken_day

# Where what is not in the state itself is measured.
MEASURED: Final = {"climate": "current_temperature", "weather": "temperature"}
GONE: Final = [STATE_UNAVAILABLE, STATE_UNKNOWN]
_SUN: Final = "sun.sun"
_SEVERAL: Final = {"weekday": DAYS[:5], "weekend": DAYS[5:]}
_NO_DAYS: Final = "days are mon, tue, ..., weekdays or weekend."
_NUMBER: Final = re.compile(
    r"(?:(above|over|>=?)|(below|under|<=?))\s*(-?\d+(?:[.,]\d+)?)\D*", re.IGNORECASE
)
LENGTH: Final = re.compile(r"\d\d:[0-5]\d")
CLOCK: Final = re.compile(r"(?:[01]?\d|2[0-3]):[0-5]\d")
_NOT: Final = re.compile(r"not[ _]+(.+)", re.IGNORECASE)
_OR: Final = re.compile(r"\s*(?:,|\||/|\bor\b)\s*")
_NOBODY: Final = {"nobody", "no one", "noone"}
_EVERYBODY: Final = {"everybody", "everyone", "all"}
_SOMEBODY: Final = {"somebody", "someone", "anybody", "anyone", *_NOBODY, *_EVERYBODY}
SELF: Final = {"i", "me", "my", "mine", "myself"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Trigger:
    """A time, or an entity that becomes a state or passes a number."""

    at: float = 0
    """In seconds UTC; with an entity the end of waiting."""
    clock: str = ""
    days: Sequence[str] = ()
    """If not empty, it happens again on these days, when clocks at home show that."""
    skipped: Sequence[float] = ()
    """The times, in seconds UTC, when it does not."""
    entity_id: str = ""
    name: str = ""
    states: Sequence[str] = ()
    """It must have one of these."""
    shown: str = ""
    """The states in the language of who asked, or the number; else empty."""
    leaves: bool = False
    """It must have none of them."""
    above: float | None = None
    below: float | None = None
    lasts: str = ""
    """For how long it must be so, "HH:MM"; empty: not at all."""
    anew: bool = False
    """It is so when it is planned, and must have ceased to be."""
    only_if: Trigger | None = None
    """What must be so when it happens, else nothing is done."""

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Read what is on disk. Raises KeyError or TypeError if it is none."""
        only_if, is_bell = data.get("only_if"), data["entity_id"].startswith(EVENT)
        # Files of the first release have no words for the states.
        shown = "" if is_bell else "/".join(data["states"])
        only_if = only_if and Trigger(**only_if)
        return cls(**{"shown": shown, **data, "only_if": only_if})

    @property
    def seconds(self) -> int:
        """Return how long it must be so."""
        hours, minutes = map(int, self.lasts.split(":") if self.lasts else (0, 0))
        return hours * 3600 + minutes * 60

    def again(self, after: float) -> Self:
        """Return when something that recurs is next, after a time in seconds UTC."""
        day = dt_util.as_local(dt_util.utc_from_timestamp(after))
        hour, minute = map(int, self.clock.split(":"))
        for ahead in range(7 * (len(self.skipped) + 1) + 1):
            moment = day.replace(hour=hour, minute=minute, second=0, microsecond=0)
            moment = moment.replace(fold=0) + timedelta(days=ahead)
            at = moment.timestamp()
            is_skipped = at <= after or at in self.skipped
            if DAYS[moment.weekday()] in self.days and not is_skipped:
                still = [item for item in self.skipped if item > at]
                return replace(self, at=at, skipped=still)
        raise HomeAssistantError(_NO_DAYS)

    def week(self) -> Iterator[datetime]:
        """Yield when it happens in the next days, at home's time."""
        trigger = self
        for _ in range(len(DAYS)):
            yield dt_util.as_local(dt_util.utc_from_timestamp(trigger.at))
            if not self.days:
                return
            trigger = trigger.again(trigger.at)

    def is_met(self, state: State | None) -> bool:
        """Return whether a state is the one that is waited for."""
        if state is None or state.state in GONE:
            return False
        if self.states:
            return (state.state in self.states) is not self.leaves
        key = MEASURED.get(state.domain)
        value = number_of(state.attributes.get(key) if key else state.state)
        if value is None or (self.above is not None and value <= self.above):
            return False
        return self.below is None or value < self.below


async def async_trigger_of(things: Finder, given: Mapping[str, Any]) -> Trigger:
    """Return what an `entity`, which may be somebody or I, `becomes` or `is`.

    It has no time. Raises HomeAssistantError, in words for the model.
    """
    hass, speaker = things.hass, things.speaker
    assert speaker
    name = str(given.get("entity") or "").casefold()
    wanted = str(given.get("becomes") or given.get("is") or "").strip()
    said = LANGUAGES[translated(speaker.language)].said
    if sun := given.get("sun"):
        if sun not in ("down", "up"):
            raise HomeAssistantError("sun is down or up.")
        dark = Trigger(entity_id=_SUN, name=said["dark"], leaves=sun == "up")
        return replace(dark, states=["below_horizon"])
    if name in _SOMEBODY:
        # Home Assistant counts who is at home.
        others = len(hass.states.async_all("person")) - 1 if name in _EVERYBODY else 0
        key = "everybody" if name in _EVERYBODY else "somebody"
        if "not" in wanted or name in _NOBODY:
            home = Trigger(name=said["nobody"], below=1.0)
        else:
            home = Trigger(name=said[key], above=float(others))
        return replace(home, entity_id=ENTITY_ID_HOME)
    if not name:
        raise HomeAssistantError("Say which entity, and what it is or becomes.")
    if name in SELF:
        state = the_one(people_of(hass, speaker.user_id))
    else:
        state = things.one({"name": name})
    lasts = str(given.get("for") or "")
    if lasts and not LENGTH.fullmatch(lasts):
        raise HomeAssistantError("for is hours and minutes: 00:10.")
    name = name_of(hass, state.entity_id)
    trigger = Trigger(entity_id=state.entity_id, name=name, lasts=lasts)
    if state.domain == EVENT:
        # Its state is when it was last.
        return replace(trigger, states=[state.state], leaves=True)
    if not wanted:
        raise HomeAssistantError("Say what it becomes.")
    if number := _NUMBER.fullmatch(wanted):
        limit = float(number[3].replace(",", "."))
        above, below, sign = (limit, None, ">") if number[1] else (None, limit, "<")
        return replace(trigger, above=above, below=below, shown=f"{sign} {limit:g}")
    leaves = bool(no := _NOT.fullmatch(wanted))
    wanted = no[1] if no else wanted
    if state.domain in MANY_ON and wanted.casefold() == "on":
        # A player that pauses does not go on.
        wanted, leaves = "off", not leaves
    words = await StateWords.async_get(hass, speaker.language, {state.domain})
    states = _states(hass, state, wanted, words)
    if states == [STATE_NOT_HOME] and not leaves:
        # Who is in a zone is away, too.
        states, leaves = [STATE_HOME], True
    shown = "/".join(state_name(words.others, state, x) or x for x in states)
    return replace(trigger, states=states, leaves=leaves, shown=shown)


def _states(
    hass: HomeAssistant, thing: State, wanted: str, words: StateWords
) -> list[str]:
    domain = thing.domain
    known = [value for value, _ in words.states_of(thing)]
    if domain in ("person", "device_tracker"):
        zones = hass.states.async_all("zone")
        names = [zone.name for zone in zones if zone.entity_id != ENTITY_ID_HOME]
        known += [STATE_HOME, STATE_NOT_HOME, *names]
    options = thing.attributes.get(ATTR_OPTIONS)
    possible = list(dict.fromkeys(options or known))
    found: list[str] = []
    for word in _OR.split(wanted):
        is_meant = words.matcher(thing, word)
        meant = [item for item in possible if is_meant and is_meant(item)]
        if not meant and not options and domain == "sensor":
            # Anything may be in it.
            meant = [word]
        if not meant:
            some = ", ".join(possible[:12]) or "on, off"
            raise HomeAssistantError(
                f"{thing.name} is never {word[:40]!r}; it is {thing.state}. Possible: {some}."
            )
        found += meant
    return list(dict.fromkeys(found))


def days_of(named: Any) -> list[str]:
    """Return the days of a list or a text, in their order. Raises HomeAssistantError."""
    texts, found = map(str, named if isinstance(named, list) else [named]), set[str]()
    for word in re.split(r"[\s,]+", " ".join(texts).casefold().strip()):
        short, names = word.rstrip("s"), zip(DAYS, WEEKDAYS, strict=True)
        days = _SEVERAL.get(short) or [
            day for day, name in names if day in short and name.startswith(short)
        ]
        if not days:
            raise HomeAssistantError(_NO_DAYS)
        found |= {*days}
    return [day for day in DAYS if day in found]


def named_days(days: Sequence[str], language: Language) -> str:
    """Return "Monday, Friday"."""
    names = language.weekdays.split()
    return ", ".join(names[DAYS.index(day)] for day in days)


def spoken_daily(clock: str, days: Sequence[str], language: Language) -> str:
    """Return "every day, 07:00", also for no days, or "every Monday, Friday, 07:00"."""
    key = "every" if 0 < len(days) < len(DAYS) else "daily"
    every = language.said["weekdays" if {*days} == {*DAYS[:5]} else key]
    return f"{every.format(days=named_days(days, language))}, {clock.zfill(5)}"


def spoken_length(length: str) -> str:
    """Return "-1 h 5 min" for "-01:05"."""
    numbers = map(int, filter(None, length.lstrip("+-").split(":")))
    parts = zip(numbers, ("h", "min"), strict=False)
    sign = length[:1].rstrip("0123456789")
    return sign + " ".join(f"{n} {unit}" for n, unit in parts if n)


def spoken_if(condition: Trigger, language: Language) -> str:
    """Return "only if Door: open" in a language."""
    words = language.said["except" if condition.leaves else "only"]
    shown = f"{condition.name}: {condition.shown}".rstrip(" :")
    return words.format(state=f"{shown} {spoken_length(condition.lasts)}".rstrip())


def spoken_when(trigger: Trigger, language: Language) -> str:
    """Return "tomorrow, 07:00" or "when Washer: done", in a language."""
    said = language.said
    if trigger.days:
        when = spoken_daily(trigger.clock, trigger.days, language)
    elif trigger.entity_id:
        key = "unless" if trigger.leaves and trigger.shown else "when"
        when = said[key].format(name=trigger.name, state=trigger.shown).rstrip(" :")
        when = f"{when} {spoken_length(trigger.lasts)}".rstrip()
    else:
        at = dt_util.as_local(dt_util.utc_from_timestamp(trigger.at))
        near = {0: "today", 1: "tomorrow"}.get((at.date() - dt_util.now().date()).days)
        when = f"{said[near] if near else spoken_day(at, language)}, {at:%H:%M}"
    only_if = trigger.only_if
    return f"{when}, {spoken_if(only_if, language)}" if only_if else when
