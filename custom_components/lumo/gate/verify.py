"""Did it happen? After an action its targets are looked at, and waited for if need be.

Home Assistant reports an action as done when its service call has not failed for a
fraction of a second. A lamp without power reports nothing at all.
"""

import asyncio
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from homeassistant.core import (
    Event,
    EventStateChangedData,
    HomeAssistant,
    State,
    callback,
)
from homeassistant.helpers.event import async_track_state_change_event

from .domains import domain_of
from .effects import Effect

# How long a target's first event is waited for, in seconds.
PATIENCE: Final = 2.0


def has_answered(state: State, effect: Effect) -> bool:
    """Return whether an entity is as it should be, or nothing can be said of that."""
    service, row = effect.meaning, domain_of(effect.domain)
    if service in row.values:
        attribute, key = row.values[service]
        wanted = effect.data.get(key)
        if wanted is None or state.attributes.get(attribute) == wanted:
            return True
    if service in row.answers:
        return state.state in row.answers[service]
    if service in row.values:
        return False
    if row.is_switched:
        if service == "turn_off":
            return state.state in ("off", "standby")
        if service == "turn_on":
            return state.state not in ("off", "unavailable", "unknown")
    return True


@dataclass(frozen=True, slots=True)
class Observed:
    """What the targets of an action did."""

    states: Mapping[str, str]
    """The state of each that was not at once as it should be, by entity id."""
    silent: frozenset[str] = frozenset()
    """Those that are not as they should be, and have reported nothing."""
    complete: bool = True
    """All are as they should be now."""


async def async_observe(
    hass: HomeAssistant, effects: Iterable[Effect], before: Mapping[str, State]
) -> Observed:
    """Watch the targets of actions that have just been started.

    `before` are the states before that. Returns at once if all are as they should be;
    else when each of the others has reported something, at the latest after two
    seconds.
    """
    waiting = {
        effect.entity_id: effect
        for effect in effects
        if (state := hass.states.get(effect.entity_id))
        and not has_answered(state, effect)
    }
    if not waiting:
        return Observed({})
    silent = {item for item in waiting if hass.states.get(item) is before.get(item)}
    done = asyncio.Event()

    @callback
    def on_event(event: Event[EventStateChangedData]) -> None:
        silent.discard(event.data["entity_id"])
        if not silent:
            done.set()

    stop = async_track_state_change_event(hass, silent.copy(), on_event)
    if not silent:
        done.set()
    try:
        async with asyncio.timeout(PATIENCE):
            await done.wait()
    except TimeoutError:
        pass
    finally:
        stop()
    found = [state for item in waiting if (state := hass.states.get(item))]
    return Observed(
        states={state.entity_id: state.state for state in found},
        silent=frozenset(silent),
        complete=all(has_answered(state, waiting[state.entity_id]) for state in found),
    )


def with_observed(
    hass: HomeAssistant, data: dict[str, Any], observed: Observed
) -> dict[str, None]:
    """Tell the model in a call's result what its targets did.

    Returns the names of those that did nothing, in order.
    """
    names = {
        entity_id: state.name if (state := hass.states.get(entity_id)) else entity_id
        for entity_id in observed.states
    }
    data["observed"] = [
        {"name": names[entity_id], "state": state}
        for entity_id, state in observed.states.items()
    ]
    silent = {names[item]: None for item in names if item in observed.silent}
    if silent:
        data["did_not_answer"] = list(silent)
    return silent
