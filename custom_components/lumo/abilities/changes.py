"""What a thing or a person becomes, or is, in words of a model."""

from collections.abc import Mapping
from dataclasses import replace
import re
from typing import Any, Final

from homeassistant.components.event import DOMAIN as EVENT
from homeassistant.components.sensor import ATTR_OPTIONS
from homeassistant.components.zone import ENTITY_ID_HOME
from homeassistant.const import STATE_HOME, STATE_NOT_HOME
from homeassistant.core import HomeAssistant, State
from homeassistant.exceptions import HomeAssistantError

from ..gate.names import name_of
from ..gate.speaker import Speaker
from ..languages import LANGUAGES, translated
from .finder import Finder, the_one
from .plans import Trigger
from .state_words import StateWords

_NUMBER: Final = re.compile(
    r"(?:(above|over|>=?)|(below|under|<=?))\s*(-?\d+(?:[.,]\d+)?)\D*", re.IGNORECASE
)
_NOT: Final = re.compile(r"not[ _]+(.+)", re.IGNORECASE)
_OR: Final = re.compile(r"\s*(?:,|\||/|\bor\b)\s*")
_SOMEBODY: Final = {"somebody", "someone", "anybody", "anyone", "nobody"}
_SELF: Final = {"i", "me", "myself"}


async def async_meant(
    hass: HomeAssistant, things: Finder, speaker: Speaker, given: Mapping[str, Any]
) -> Trigger:
    """Return what an `entity`, which may be somebody or I, `becomes` or `is`.

    It has no time. Raises HomeAssistantError, in words for the model.
    """
    name = str(given.get("entity") or "").casefold()
    wanted = str(given.get("becomes") or given.get("is") or "").strip()
    if name in _SOMEBODY:
        # Home Assistant counts who is at home.
        is_nobody = "not" in wanted or name == "nobody"
        said = LANGUAGES[translated(speaker.language)].said
        shown = said["nobody" if is_nobody else "somebody"]
        above, below = (None, 1.0) if is_nobody else (0.0, None)
        return Trigger(
            at=0, entity_id=ENTITY_ID_HOME, name=shown, above=above, below=below
        )
    if name in _SELF:
        people, own = hass.states.async_all("person"), speaker.user_id or ""
        state = the_one([x for x in people if x.attributes.get("user_id") == own])
    else:
        state = things.one({"name": name})
    return await _async_change(hass, state, wanted, speaker.language)


async def _async_change(
    hass: HomeAssistant, state: State, becomes: str, language: str
) -> Trigger:
    name = name_of(hass, state.entity_id)
    trigger = Trigger(at=0, entity_id=state.entity_id, name=name)
    if state.domain == EVENT:
        # Its state is when it was last.
        return replace(trigger, states=[state.state], leaves=True)
    if not becomes:
        raise HomeAssistantError("Say what it becomes.")
    if number := _NUMBER.fullmatch(becomes):
        limit = float(number[3].replace(",", "."))
        above, below = (limit if number[place] else None for place in (1, 2))
        return replace(trigger, above=above, below=below)
    leaves = _NOT.fullmatch(becomes)
    wanted = leaves[1] if leaves else becomes
    states = await _async_states(hass, state, wanted, language)
    is_away = states == [STATE_NOT_HOME] and not leaves
    if is_away:
        # Who is in a zone is away, too.
        states = [STATE_HOME]
    return replace(trigger, states=states, leaves=bool(leaves) or is_away)


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
        zones = [
            item
            for item in hass.states.async_all("zone")
            if item.entity_id != ENTITY_ID_HOME
        ]
        known += [STATE_HOME, STATE_NOT_HOME, *(zone.name for zone in zones)]
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
