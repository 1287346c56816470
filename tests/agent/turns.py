"""What a model writes in the turns of these tests."""

from custom_components.lumo.lumo_client.events import (
    End,
    ServerToolCall,
    ServerToolResult,
    TextDelta,
)

KITCHEN = {"area": "Kitchen"}
OFF = '```json\n{"name": "user:HassTurnOff", "arguments": {"area": "Kitchen"}}\n```'
LOOK = '```json\n{"name": "user:GetLiveContext", "arguments": {}}\n```'
NOWHERE = '```json\n{"name": "user:HassTurnOff", "arguments": {"name": "nowhere"}}\n```'
CLAIM = "Done, I turned off the kitchen light."
EXCUSE = "I'm sorry, but I don't have access to that tool."
APOLOGY = TextDelta("I'm sorry, I don't have access to that tool.")
ERROR = '{"error":true}'
END = End("stop")
COMMAND = "Turn off the kitchen light"


def invalid(call_id: str = "c") -> ServerToolCall:
    """Return a misrouted call that does not validate."""
    return ServerToolCall(call_id, "user:HassTurnOff", {"where": "x"}, '{"where":"x"}')


def failed(call_id: str = "c") -> ServerToolResult:
    return ServerToolResult(call_id, ERROR, failed=True)
