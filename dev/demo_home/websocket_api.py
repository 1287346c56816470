"""Websocket commands for the development harness."""

import json
from typing import Any

from homeassistant.components import websocket_api
from homeassistant.components.conversation.trace import async_get_traces
from homeassistant.components.intent.timers import async_register_timer_handler
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers import device_registry as dr
from homeassistant.helpers.json import ExtendedJSONEncoder
import probatio

DOMAIN = "demo_home"


@callback
def async_register_commands(hass: HomeAssistant) -> None:
    """Register the commands."""
    websocket_api.async_register_command(hass, websocket_turn_trace)
    websocket_api.async_register_command(hass, websocket_satellite)


@websocket_api.websocket_command(
    {
        probatio.Required("type"): f"{DOMAIN}/turn_trace",
        probatio.Required("conversation_id"): str,
    }
)
@websocket_api.require_admin
@callback
def websocket_turn_trace(
    hass: HomeAssistant, connection: websocket_api.ActiveConnection, msg: dict[str, Any]
) -> None:
    """Return the trace of the conversation's last turn, null if there is none."""
    for trace in reversed(async_get_traces()):
        found = trace.as_dict()
        if any(
            (event["data"] or {}).get("conversation_id") == msg["conversation_id"]
            for event in found["events"]
        ):
            # Traces may hold any object; what JSON does not know is described.
            plain = json.loads(json.dumps(found, cls=ExtendedJSONEncoder))
            connection.send_result(msg["id"], plain)
            return
    connection.send_result(msg["id"], None)


@websocket_api.websocket_command(
    {
        probatio.Required("type"): f"{DOMAIN}/satellite",
        probatio.Required("entry_id"): str,
    }
)
@websocket_api.require_admin
@callback
def websocket_satellite(
    hass: HomeAssistant, connection: websocket_api.ActiveConnection, msg: dict[str, Any]
) -> None:
    """Put a device with timers into the kitchen, for an entry; return its id."""
    device = dr.async_get(hass).async_get_or_create(
        config_entry_id=msg["entry_id"],
        identifiers={(DOMAIN, "satellite")},
        suggested_area="Kitchen",
    )
    async_register_timer_handler(hass, device.id, lambda *_event: None)
    connection.send_result(msg["id"], device.id)
