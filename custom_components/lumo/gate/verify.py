"""Watch the targets of an action: a lamp without power reports nothing at all."""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any, Final, NamedTuple

from homeassistant.core import HomeAssistant, State

from .effects import CHANGE, Effect, domain_of, number_of
from .names import name_of

# How long a target's first event is waited for, and how often it is looked for, in
# seconds.
PATIENCE: Final = 2.0
_LOOK_EVERY: Final = 0.02
# What an action sets -> the attribute that shows it, how much of that is one of it, and
# how far off it may be: devices round.
_SHOWN: Final = {
    "brightness_pct": ("brightness", 2.55, 1.5),
    "humidity": ("humidity", 1.0, 1.5),
    "percentage": ("percentage", 1.0, 1.5),
    "volume_level": ("volume_level", 1.0, 0.015),
}


def is_futile(effect: Effect, states: Mapping[str, State]) -> bool:
    """Return whether it is the volume of a player that is off."""
    state = states.get(effect.entity_id)
    is_volume = any("volume" in text for text in (effect.service, *effect.data))
    return is_volume and state is not None and state.state == "off"


def has_answered(state: State, effect: Effect) -> bool:
    """Return whether an entity is as it should be, or its state cannot tell."""
    service, row = effect.meaning, domain_of(effect.domain)
    if service != "turn_off" and _shows(state, effect) is False:
        return False
    if service in row.values:
        attribute, key = row.values[service]
        wanted = effect.data.get(key)
        now = state.attributes.get(attribute) if attribute else state.state
        if (
            wanted in (None, now)
            or (number := number_of(now)) is not None
            and (number == number_of(wanted))
        ):
            return True
    if service in row.answers:
        return state.state in row.answers[service]
    if service in row.values:
        return False
    if row.is_switched:
        if service == "turn_off":
            return state.state in ("off", "standby")
        if service == "turn_on":
            return state.state not in ("off", "standby", "unavailable", "unknown")
    return True


def _shows(state: State, effect: Effect) -> bool | None:
    """Return whether attributes show what was set, None if they do not tell."""
    found = [
        abs(now / one - wanted) <= near
        for key, (attribute, one, near) in _SHOWN.items()
        if (wanted := number_of(effect.data.get(key))) is not None
        and (now := number_of(state.attributes.get(attribute))) is not None
    ]
    return all(found) if found else None


class Observed(NamedTuple):
    """What the targets of an action did."""

    states: Mapping[str, str]
    """The state of each that was not right at once, by entity id."""
    silent: frozenset[str] = frozenset()
    """Those that are not as they should be and have reported nothing."""
    complete: bool = True


async def async_observe(
    hass: HomeAssistant, effects: Sequence[Effect], before: Mapping[str, State]
) -> Observed:
    """Watch the targets of actions that have just started; `before` are earlier states.

    Returns when each is right or has reported something, at the latest after `PATIENCE`.
    """
    waiting = {
        effect.entity_id: effect
        for effect in effects
        if (state := hass.states.get(effect.entity_id))
        and not has_answered(state, effect)
    }
    # Of what cannot be told by a state it is seen at least that something changed.
    changed = all(
        effect.meaning != CHANGE
        or (state := hass.states.get(effect.entity_id))
        is not before.get(effect.entity_id)
        or (state is not None and _shows(state, effect) is not None)
        for effect in effects
    )

    def unheard() -> frozenset[str]:
        return frozenset(x for x in waiting if hass.states.get(x) is before.get(x))

    with suppress(TimeoutError):
        async with asyncio.timeout(PATIENCE):
            while unheard():
                await asyncio.sleep(_LOOK_EVERY)
    found = [state for item in waiting if (state := hass.states.get(item))]
    return Observed(
        states={state.entity_id: state.state for state in found},
        silent=unheard(),
        complete=changed
        and all(has_answered(state, waiting[state.entity_id]) for state in found),
    )


def with_observed(
    hass: HomeAssistant, data: dict[str, Any], observed: Observed
) -> None:
    """Add what the targets did to a call's result."""
    names = {entity_id: name_of(hass, entity_id) for entity_id in observed.states}
    data["observed"] = [
        {"name": names[entity_id], "state": state}
        for entity_id, state in observed.states.items()
    ]
    if silent := {names[item]: None for item in names if item in observed.silent}:
        data["no_answer_yet"] = list(silent)


def correct(hass: HomeAssistant, data: dict[str, Any], ids: Iterable[str]) -> None:
    """Let an earlier call's result tell what its targets are like now."""
    data.pop("no_answer_yet", None)
    states = {item: state.state for item in ids if (state := hass.states.get(item))}
    with_observed(hass, data, Observed(states))
