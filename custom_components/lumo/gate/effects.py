"""One action on one entity, written as Home Assistant's services are.

Calls, scripts, scenes and restored states all end in such effects, so they are judged,
worded and watched alike.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
import re
from typing import Any, Final

from homeassistant.components.cover import CoverEntityFeature
from homeassistant.components.valve import ValveEntityFeature
from homeassistant.core import HomeAssistant, State, split_entity_id

from .domains import domain_of, phrase_of

# Stands for no action at all.
NOTHING: Final = "nothing"
# Stands for any action.
CHANGE: Final = "change"
# A number as scripts and models write it too.
_NUMBER: Final = re.compile(
    r"\s*(?:\{\{)?\s*([+-]?\d{1,9}(?:\.\d{1,9})?)\s*(?:\}\})?\s*"
)


@dataclass(frozen=True, slots=True)
class Effect:
    """One action on one entity."""

    entity_id: str
    service: str
    """The service's name without its domain: `unlock`, `set_cover_position`."""
    data: Mapping[str, Any] = field(default_factory=dict)
    at_once: bool = True
    """It happens now; else the entity's state may be another by then."""

    @property
    def domain(self) -> str:
        """Return the entity's domain."""
        return split_entity_id(self.entity_id)[0]

    @property
    def meaning(self) -> str:
        """Return the service that "on" or "off" stands for, else the service."""
        return domain_of(self.domain).meaning(self.service)

    @property
    def phrase(self) -> str:
        """Return the key of the words for it."""
        return phrase_of(self.domain, self.meaning)

    @property
    def value(self) -> str:
        """Return what it is set to, where the words for it need that."""
        for key in ("position", *domain_of("climate").temperatures):
            if key in self.data:
                value = self.data[key]
                return f"{value:g}" if isinstance(value, float) else str(value)
        return ""


def number_of(value: Any) -> float | None:
    """Return a number, also if it is written as text or as `{{ 21 }}`."""
    if isinstance(value, bool):
        return None
    text = getattr(value, "template", value)
    found = _NUMBER.fullmatch(str(text))
    return float(found[1]) if found else None


def effect_of_state(
    hass: HomeAssistant, state: State, *, at_once: bool = False
) -> Effect:
    """Return the action that brings an entity into a state, now or some time."""
    now = hass.states.get(state.entity_id) if at_once else None
    position = state.attributes.get("current_position")
    is_open = state.state in ("open", "opening")
    # What cannot be set to a position is opened (Home Assistant's reproduce_state).
    if is_open and isinstance(position, int | float) and _can_be_set(now):
        service = f"set_{state.domain}_position"
        return Effect(state.entity_id, service, {"position": position}, at_once)
    if state.domain == "climate" and state.attributes.get("temperature") is not None:
        return Effect(
            state.entity_id, "set_temperature", dict(state.attributes), at_once
        )
    service = domain_of(state.domain).service_for(state.state)
    if now and (now.state, now.attributes.get("current_position")) == (
        state.state,
        position,
    ):
        # Nothing moves, whatever the table says of it.
        service = {"lock": "lock", "cover": "stop_cover"}.get(state.domain, service)
    return Effect(state.entity_id, service, {}, at_once)


def _can_be_set(state: State | None) -> bool:
    """Return whether a cover or valve has a position that can be set, and rests."""
    if state is None or state.domain not in ("cover", "valve"):
        return False
    features = state.attributes.get("supported_features", 0)
    wanted = (
        CoverEntityFeature.SET_POSITION
        if state.domain == "cover"
        else ValveEntityFeature.SET_POSITION
    )
    return bool(features & wanted) and state.state in ("open", "closed")
