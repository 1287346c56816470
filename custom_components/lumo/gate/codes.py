"""Codes: what cannot be done without one, as no tool takes any."""

from homeassistant.core import HomeAssistant
from homeassistant.helpers import entity_registry as er

from .effects import Effect


def wants_code(hass: HomeAssistant, effect: Effect) -> bool:
    """Return whether a lock or alarm panel wants a code that it does not know itself."""
    state = hass.states.get(effect.entity_id)
    if state is None or effect.domain not in ("alarm_control_panel", "lock"):
        return False
    key = "code_arm_required" if "_arm_" in effect.meaning else "code_format"
    entry = er.async_get(hass).async_get(effect.entity_id)
    knows_it = entry and "default_code" in entry.options.get(effect.domain, ())
    return bool(state.attributes.get(key)) and not knows_it
