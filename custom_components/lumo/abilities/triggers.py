"""What a model writes of when something is to be done, as one trigger.

A time by the clock, one from now, or a state of something that is exposed. A length of
hours is one in real time, one of days leads to the same time by the clock.
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

from ..gate.names import name_of
from ..gate.own_tool import Arguments
from ..gate.speaker import Speaker
from ..languages.form import Language
from .finder import Finder
from .periods import moment_of
from .plans import Trigger
from .result_texts import spoken_day
from .state_words import StateWords

_LONGEST: Final = timedelta(days=366)
# So long a state is waited for.
_WAITS: Final = timedelta(days=7)
_HOUR: Final = re.compile(r"(\d{1,2})(?::(\d\d))?(?:\s*([ap])\.?m\.?)?")
_LENGTH: Final = re.compile(r"(?:in )?(?:\d+(?:\.\d+)?\s*[a-z]+(?:,| and)?\s*)+")
_PART: Final = re.compile(r"(\d+(?:\.\d+)?)\s*([a-z]+)")
_UNITS: Final = {
    **dict.fromkeys(("s", "sec", "second"), "seconds"),
    **dict.fromkeys(("m", "min", "minute"), "minutes"),
    **dict.fromkeys(("h", "hr", "hour"), "hours"),
    **dict.fromkeys(("d", "day"), "days"),
    **dict.fromkeys(("w", "week"), "weeks"),
}
_NUMBER: Final = re.compile(
    r"(?:(above|over|>=?)|(below|under|<=?))\s*(-?\d+(?:[.,]\d+)?)\D*", re.IGNORECASE
)
_NOT: Final = re.compile(r"not[ _]+(.+)", re.IGNORECASE)
_OR: Final = re.compile(r"\s*(?:,|\||/|\bor\b)\s*")


def _later(text: str, now: datetime) -> datetime | None:
    """Return when it is "in 10 minutes", or "1 hour 30 minutes"."""
    parts = _PART.findall(text) if _LENGTH.fullmatch(text) else ()
    days = hours = timedelta()
    for number, word in parts:
        unit = _UNITS.get(word.removesuffix("s") or word)
        if unit is None:
            return None
        if unit in ("days", "weeks"):
            days += timedelta(**{unit: float(number)})
        else:
            hours += timedelta(**{unit: float(number)})
    return (now + days).astimezone(UTC) + hours if parts else None


def time_of(hass: HomeAssistant, text: str, now: datetime) -> datetime:
    """Return a time. Raises HomeAssistantError, in words for the model."""
    folded = text.casefold()
    if later := _later(folded, now):
        return later
    if folded in ("sunrise", "sunset"):
        return get_astral_event_next(hass, folded)
    hour = _HOUR.fullmatch(folded)
    if hour:
        number = int(hour[1])
        if hour[3]:
            number = number % 12 + 12 * (hour[3] == "p")
        text = f"{number:02}:{hour[2] or '00'}"
    first, last = moment_of(text, now)
    if first != last:
        raise HomeAssistantError("Say a time of the day, too: tomorrow 07:00.")
    if hour and first <= now:
        first += timedelta(days=1)
    return first


async def async_trigger(
    hass: HomeAssistant,
    arguments: Arguments,
    now: datetime,
    speaker: Speaker,
    there: list[State],
) -> Trigger:
    """Return the one trigger that arguments say; `now` is in the home's zone.

    `there` is what may be waited for. Raises HomeAssistantError, in words for the model.
    """
    read = str(arguments.get("at") or "").strip()
    if bool(read) is bool(arguments.get("entity")):
        raise HomeAssistantError("Say when: either at, or entity and becomes.")
    if read:
        at = time_of(hass, read, now)
        if not now < at <= now + _LONGEST:
            raise HomeAssistantError("That is over, or more than a year away.")
        return Trigger(at=at.timestamp())
    found = Finder(hass, there, speaker).all({"name": arguments["entity"]})
    if len(found) > 1:
        names = ", ".join(f"{item.name} ({item.entity_id})" for item in found[:8])
        raise HomeAssistantError(f"Several are called so: {names}. Say which one.")
    [state] = found
    trigger = Trigger(
        at=(now + _WAITS).timestamp(),
        entity_id=state.entity_id,
        name=name_of(hass, state.entity_id),
    )
    becomes = str(arguments.get("becomes") or "").strip()
    if number := _NUMBER.fullmatch(becomes):
        limit = float(number[3].replace(",", "."))
        above, below = (limit if number[place] else None for place in (1, 2))
        trigger = replace(trigger, above=above, below=below)
    elif becomes:
        states = await _async_states(hass, state, becomes, speaker.language)
        trigger = replace(trigger, states=states)
    else:
        raise HomeAssistantError("Say what it becomes.")
    if trigger.is_met(state):
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
    possible = list(dict.fromkeys(options or known))

    def called(word: str) -> list[str]:
        is_meant = words.matcher(thing, word)
        return [item for item in possible if is_meant and is_meant(item)]

    leaves = None if called(wanted) else _NOT.fullmatch(wanted)
    found: list[str] = []
    for word in _OR.split(leaves[1] if leaves else wanted):
        meant = called(word)
        if not meant and not (options or leaves) and domain == "sensor":
            # Anything may be in it.
            meant = [word]
        if not meant:
            some = ", ".join(possible[:12]) or "on, off"
            raise HomeAssistantError(
                f"{thing.name} is never {word[:40]!r}; it is {thing.state}. Possible: {some}."
            )
        found += meant
    if leaves:
        found = [item for item in possible if item not in found]
    return list(dict.fromkeys(found))


def spoken_when(trigger: Trigger, language: Language) -> str:
    """Return when that is: "tomorrow, 07:00", "when Washer: done", in a language."""
    said = language.said
    if not trigger.entity_id:
        at = dt_util.as_local(dt_util.utc_from_timestamp(trigger.at))
        days = (at.date() - dt_util.now().date()).days
        near = {0: "today", 1: "tomorrow"}.get(days)
        return f"{said[near] if near else spoken_day(at, language)}, {at:%H:%M}"
    state = "/".join(trigger.states)
    if trigger.above is not None:
        state = f"> {trigger.above:g}"
    elif trigger.below is not None:
        state = f"< {trigger.below:g}"
    return said["when"].format(name=trigger.name, state=state)
