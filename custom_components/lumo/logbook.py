"""Lines in the logbook for the calls that agents ran.

An event has the context of its call, so Home Assistant shows the agent as the cause of
each change.
"""

from collections.abc import Callable, Mapping
from textwrap import shorten
from typing import Any, Final

from homeassistant.components.logbook import (
    LOGBOOK_ENTRY_ENTITY_ID,
    LOGBOOK_ENTRY_MESSAGE,
    LOGBOOK_ENTRY_NAME,
    LazyEventPartialState,
)
from homeassistant.core import HomeAssistant, callback

from .const import DEFAULT_TITLE, DOMAIN, EVENT_TOOL_CALLED
from .gate.names import name_of

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
        agent_id = event.data.get("agent_id")
        return {
            LOGBOOK_ENTRY_NAME: name_of(hass, agent_id) if agent_id else DEFAULT_TITLE,
            LOGBOOK_ENTRY_MESSAGE: _message(hass, event.data),
            LOGBOOK_ENTRY_ENTITY_ID: agent_id,
        }

    async_describe_event(DOMAIN, EVENT_TOOL_CALLED, describe)


def _message(hass: HomeAssistant, data: Mapping[str, Any]) -> str:
    # used Turn off: Front door, after a spoken yes, through Hall satellite
    message = f"used {data.get('title') or data.get('tool') or 'a tool'}"
    names = [name_of(hass, item) for item in data.get("entity_ids", ())]
    arguments = data.get("arguments", {})
    names = names or [str(arguments[key]) for key in _WHERE if arguments.get(key)]
    if names:
        shown = (
            shorten(name, _SHOWN_CHARACTERS, placeholder="…")
            for name in names[:_SHOWN_NAMES]
        )
        more = len(names) - _SHOWN_NAMES
        message += f": {', '.join(shown)}" + (f" and {more} more" if more > 0 else "")
    if data.get("confirmed"):
        message += ", after a spoken yes"
    if satellite_id := data.get("satellite_id"):
        message += f", through {name_of(hass, satellite_id)}"
    return message
