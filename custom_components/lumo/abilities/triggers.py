"""What a model writes of when something is to be done, as one trigger.

A time by the clock, one from now, or a state of something that is exposed. A time by the
clock that the clocks leave out is the next minute that they have; of one that they show
twice it is the first. A length of hours is one in real time, one of days leads to the
same time by the clock.
"""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
import re
from typing import Final

from homeassistant.components.sensor import ATTR_OPTIONS
from homeassistant.core import HomeAssistant, State
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers.sun import get_astral_event_next
from homeassistant.util import dt as dt_util

from ..gate.names import exposed, name_of
from ..gate.own_tool import Arguments
from ..gate.places import Scope
from ..gate.speaker import Speaker
from ..languages.form import Language
from .periods import moment_of
from .plans import DAY, Trigger
from .state_words import StateWords
from .targets import find
from .telling import spoken_day

_LONGEST: Final = timedelta(days=366)
# So long a state is waited for where nothing else was said.
_WAITS: Final = timedelta(days=7)
_HOUR: Final = re.compile(
    r"(\d{1,2})(?::(\d\d))?\s*(am|pm|a\.m\.|p\.m\.|h|uhr|uur)?", re.IGNORECASE
)
_SUN: Final = re.compile(r"(sunrise|sunset)\s*(?:([+-])\s*(.+))?", re.IGNORECASE)
_PART: Final = re.compile(r"(\d+(?:[.,]\d+)?)\s*([^\W\d]+)")
_CLOCK: Final = re.compile(r"(\d{1,3}):(\d\d)(?::(\d\d))?")
# How the words for units begin, in all languages; the longer ones first.
_UNITS: Final = {
    "mi": 60, "m": 60, "s": 1, "st": 3600, "h": 3600, "u": 3600,
    "d": DAY, "t": DAY, "j": DAY, "w": 7 * DAY, "sem": 7 * DAY,
}  # fmt: skip
_LENGTH: Final = re.compile(
    r"(?:in|dans|over|dentro de|en)\b|\d+(?:[.,]\d+)?\s*(?:s|mi|st|ho|tag|day|d[ií])|PT",
    re.IGNORECASE,
)
_NUMBER: Final = re.compile(
    r"(?:(above|over|>=?)|(below|under|<=?))\s*(-?\d+(?:[.,]\d+)?)\D*", re.IGNORECASE
)
_NOT: Final = re.compile(r"not[ _]+(.+)", re.IGNORECASE)
_OR: Final = re.compile(r"\s*(?:,|\||/|\bor\b)\s*")


def seconds_of(text: str) -> float:
    """Return a length of time. Raises HomeAssistantError, in words for the model."""
    text = text.strip().casefold().removeprefix("in ").removeprefix("pt")
    if clock := _CLOCK.fullmatch(text):
        hours, minutes, seconds = (int(item or 0) for item in clock.groups())
        return hours * 3600 + minutes * 60 + seconds
    total, rest = 0.0, text
    for number, word in _PART.findall(text):
        begins = [key for key in _UNITS if word.startswith(key)]
        if not begins:
            break
        total += float(number.replace(",", ".")) * _UNITS[max(begins, key=len)]
        rest = rest.replace(number, "", 1).replace(word, "", 1)
    if not total or re.search(r"\d", rest):
        raise HomeAssistantError(
            f"Not a length of time: {text[:40]!r}. Possible: 10 minutes."
        )
    return total


def at_clock(naive: datetime, now: datetime) -> Trigger:
    """Return the trigger of a time that the clocks of the home show."""
    wanted, note = naive, ""
    for _ in range(3 * 60):
        local = naive.replace(tzinfo=now.tzinfo)
        moment = local.astimezone(UTC)
        if moment.astimezone(now.tzinfo).replace(tzinfo=None) == naive:
            if local.replace(fold=1).astimezone(UTC) != moment:
                note = "The clocks show that time twice; it is the first one."
            break
        naive += timedelta(minutes=1)
    if naive != wanted:
        note = f"There is no {wanted:%H:%M} then, as the clocks change."
    return Trigger(at=moment.timestamp(), note=note)


def time_of(hass: HomeAssistant, text: str, now: datetime) -> Trigger:
    """Return the trigger of a time. Raises HomeAssistantError, for the model."""
    text = text.strip()
    if _LENGTH.match(text):
        return from_now(text, now)
    if sun := _SUN.fullmatch(text):
        offset = timedelta(seconds=seconds_of(sun[3]) if sun[3] else 0)
        offset = -offset if sun[2] == "-" else offset
        found = get_astral_event_next(hass, sun[1].lower(), offset=offset)
        return Trigger(at=found.timestamp())
    hour = _HOUR.fullmatch(text)
    if hour:
        half = (hour[3] or "").casefold()[:1]
        number = (
            int(hour[1]) % 12 + 12 * (half == "p")
            if half in ("a", "p")
            else int(hour[1])
        )
        text = f"{number:02}:{hour[2] or '00'}"
    first, last = moment_of(text, now)
    if first != last:
        raise HomeAssistantError("Say a time of the day, too: tomorrow 07:00.")
    if re.search(r"(?:Z|[+-]\d\d:?\d\d)$", text):
        return Trigger(at=first.timestamp())
    naive = first.replace(tzinfo=None)
    if hour and naive <= now.replace(tzinfo=None):
        naive += timedelta(days=1)
    return at_clock(naive, now)


def from_now(text: str, now: datetime) -> Trigger:
    """Return the trigger of a length of time from now."""
    days, rest = divmod(seconds_of(text), DAY)
    if days and not rest and not re.search(r"\d\s*h", text):
        naive = now.replace(tzinfo=None) + timedelta(days=days)
        return at_clock(naive, now)
    return Trigger(at=now.timestamp() + days * DAY + rest)


async def async_trigger(
    hass: HomeAssistant,
    arguments: Arguments,
    speaker: Speaker,
    scope: Scope | None = None,
) -> tuple[Trigger, float]:
    """Return the one trigger that arguments say, and until when it waits.

    Raises HomeAssistantError, in words for the model.
    """
    now = dt_util.now()
    read = str(arguments.get("at") or "").strip()
    if bool(read) is bool(arguments.get("entity")):
        raise HomeAssistantError("Say when: either at, or entity and becomes.")
    if not read:
        until = now + _WAITS
        if text := arguments.get("until"):
            until = dt_util.utc_from_timestamp(time_of(hass, text, now).at)
        trigger = await _async_state(hass, arguments, speaker, scope)
    else:
        trigger = time_of(hass, read, now)
        until = dt_util.utc_from_timestamp(trigger.at)
    if not now < until <= now + _LONGEST:
        raise HomeAssistantError("That is over, or more than a year away.")
    return trigger, until.timestamp()


async def _async_state(
    hass: HomeAssistant, arguments: Arguments, speaker: Speaker, scope: Scope | None
) -> Trigger:
    there = exposed(hass, scope=scope)
    found = find(hass, there, str(arguments["entity"]), speaker=speaker)
    if len(found) > 1:
        names = ", ".join(f"{item.name} ({item.entity_id})" for item in found[:8])
        raise HomeAssistantError(f"Several are called so: {names}. Say which one.")
    [state] = found
    seconds = seconds_of(str(arguments["for"])) if arguments.get("for") else 0
    trigger = Trigger(
        entity_id=state.entity_id, name=name_of(hass, state.entity_id), seconds=seconds
    )
    becomes = str(arguments.get("becomes") or "").strip()
    if number := _NUMBER.fullmatch(becomes):
        limit = float(number[3].replace(",", "."))
        above, below = (limit if number[place] else None for place in (1, 2))
        trigger = replace(trigger, above=above, below=below)
    elif becomes:
        leaves = _NOT.fullmatch(becomes)
        wanted = leaves[1] if leaves else becomes
        states = await _async_states(hass, state, wanted, speaker.language)
        trigger = replace(trigger, states=states, leaves=bool(leaves))
    else:
        raise HomeAssistantError("Say what it becomes.")
    since = dt_util.utcnow().timestamp() - state.last_changed_timestamp
    is_long = since >= seconds if trigger.states else not seconds
    if trigger.is_met(state) and is_long:
        raise HomeAssistantError(
            f"That is so already: {state.name} is {state.state}. Nothing was planned."
        )
    return trigger


async def _async_states(
    hass: HomeAssistant, thing: State, wanted: str, language: str
) -> list[str]:
    """Return the states that words stand for, of those that a thing may have."""
    domain = thing.domain
    words = await StateWords.async_get(hass, language, {domain})
    prefix = f"component.{domain}.entity_component."
    kinds = (thing.attributes.get("device_class"), "_")
    known = [
        key.rpartition(".")[2]
        for key in words.english
        if key.startswith(tuple(f"{prefix}{kind}.state." for kind in kinds if kind))
    ]
    if domain in ("person", "device_tracker"):
        zones = hass.states.async_all("zone")
        known += ["home", "not_home", *(zone.name for zone in zones)]
    options = thing.attributes.get(ATTR_OPTIONS)
    possible = dict.fromkeys((*(options or ()), *known))
    found: list[str] = []
    for word in _OR.split(wanted):
        is_meant = words.meant(thing, word)
        meant = [item for item in possible if is_meant and is_meant(item)]
        if not meant and not options and domain == "sensor":
            # Anything may be in it.
            meant = [word]
        if not meant:
            some = ", ".join(list(possible)[:12]) or "on, off"
            raise HomeAssistantError(
                f"{thing.name} is never {word[:40]!r}; it is {thing.state}. Possible: {some}."
            )
        found += meant
    return list(dict.fromkeys(found))


def spoken_when(trigger: Trigger, language: Language) -> str:
    """Return when that is: "tomorrow, 07:00", "when Washer: done", in a language."""
    said = language.said
    if trigger.at:
        return _spoken_time(dt_util.utc_from_timestamp(trigger.at), language)
    if trigger.states:
        key = "unless" if trigger.leaves else "when"
        return said[key].format(name=trigger.name, state="/".join(trigger.states))
    ends = [
        f"{sign} {value:g}"
        for sign, value in ((">", trigger.above), ("<", trigger.below))
        if value is not None
    ]
    return said["when"].format(name=trigger.name, state=" ".join(ends))


def _spoken_time(moment: datetime, language: Language) -> str:
    at, today = dt_util.as_local(moment), dt_util.now().date()
    near = {0: "today", 1: "tomorrow"}.get((at.date() - today).days)
    day = language.said[near] if near else spoken_day(at, language)
    return f"{day}, {at:%H:%M}"
