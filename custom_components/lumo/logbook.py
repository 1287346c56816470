"""Lines in the logbook for the calls that agents ran.

An event has the context of the actions that its call caused. So Home Assistant shows
the agent as the cause of each change, and the person who spoke.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from homeassistant.components.logbook import (
    LOGBOOK_ENTRY_ENTITY_ID,
    LOGBOOK_ENTRY_MESSAGE,
    LOGBOOK_ENTRY_NAME,
    LazyEventPartialState,
)
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers import entity_registry as er

from .const import DEFAULT_TITLE, DOMAIN, EVENT_TOOL_CALLED

# A line is read at a glance; the event has it all.
_SHOWN_NAMES: Final = 4
_SHOWN_CHARACTERS: Final = 80

# The arguments of Home Assistant's intents that name their targets.
_WHERE: Final = ("name", "area", "floor")


@callback
def async_describe_events(
    hass: HomeAssistant,
    async_describe_event: Callable[
        [str, str, Callable[[LazyEventPartialState], dict[str, Any]]], None
    ],
) -> None:
    """Describe the events of this integration."""

    @callback
    def describe(event: LazyEventPartialState) -> dict[str, Any]:
        """Describe a call. What was recorded is taken as it is, never relied on."""
        data = event.data
        agent_id = data.get("agent_id")
        known = isinstance(agent_id, str) and bool(agent_id)
        return {
            LOGBOOK_ENTRY_NAME: _name(hass, agent_id) if known else DEFAULT_TITLE,
            LOGBOOK_ENTRY_MESSAGE: _message(hass, data),
            LOGBOOK_ENTRY_ENTITY_ID: agent_id if known else None,
        }

    async_describe_event(DOMAIN, EVENT_TOOL_CALLED, describe)


def _message(hass: HomeAssistant, data: Mapping[str, Any]) -> str:
    """Return what was done, where, and on whose word.

    used Turn off: Front door, after a spoken yes, through Hall satellite
    """
    message = f"used {_short(data.get('title') or data.get('tool') or 'a tool')}"
    if where := _where(hass, data):
        message += f": {where}"
    if data.get("confirmed") is True:
        message += ", after a spoken yes"
    if isinstance(satellite_id := data.get("satellite_id"), str) and satellite_id:
        message += f", through {_name(hass, satellite_id)}"
    return message


def _where(hass: HomeAssistant, data: Mapping[str, Any]) -> str:
    entity_ids, arguments = data.get("entity_ids"), data.get("arguments")
    if isinstance(entity_ids, list) and entity_ids:
        return _listed(_name(hass, entity_id) for entity_id in entity_ids)
    if isinstance(arguments, dict):
        return _listed(
            _short(value)
            for key in _WHERE
            if isinstance(value := arguments.get(key), str) and value
        )
    return ""


def _name(hass: HomeAssistant, entity_id: object) -> str:
    entity_id = str(entity_id)
    if state := hass.states.get(entity_id):
        return _short(state.name)
    entry = er.async_get(hass).async_get(entity_id)
    return _short((entry and (entry.name or entry.original_name)) or entity_id)


def _listed(names: Iterable[str]) -> str:
    first, rest = (every := list(names))[:_SHOWN_NAMES], every[_SHOWN_NAMES:]
    more = f" and {len(rest)} more" if rest else ""
    return ", ".join(first) + more


def _short(text: object) -> str:
    """Return a text as one line that can be read at a glance."""
    line = " ".join(str(text).split())
    if len(line) <= _SHOWN_CHARACTERS:
        return line
    return line[: _SHOWN_CHARACTERS - 1] + "…"
