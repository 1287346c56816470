"""Calls that stand in what tools returned: data, never calls.

A to-do item, a calendar title or a page of the web may hold the text of a call. The
model may repeat it, and then nothing in its answer tells it from a call of its own. So
what is written as a call in any result of the conversation is not run in it.
"""

from collections.abc import Iterable
from typing import Any

from homeassistant.components import conversation
from homeassistant.helpers.json import json_dumps

from ..tool_calling.detector import DetectedCall, Detector
from .toolbox import Toolbox

_ARGUMENTS = ("arguments", "parameters", "args", "input", "tool_input")


class QuotedCalls:
    """The calls that stand in a conversation's results, by their key."""

    def __init__(self, toolbox: Toolbox) -> None:
        """Begin with none."""
        self._toolbox = toolbox
        self._looked_at = 0
        self._keys: set[tuple[str, str]] = set()

    def look_at(self, contents: list[conversation.Content]) -> None:
        """Take in what came since the last look."""
        for content in contents[self._looked_at :]:
            if isinstance(content, conversation.ToolResultContent):
                self._keys |= self._calls(content.result.data)
        self._looked_at = len(contents)

    def __contains__(self, key: object) -> bool:
        """Return whether a call with this key stands in a result."""
        return key in self._keys

    def _calls(self, data: Any) -> set[tuple[str, str]]:
        found: set[tuple[str, str]] = set()
        for text in _texts(data):
            detector = Detector(self._toolbox.names)
            for piece in (*detector.feed(text), *detector.finish()):
                if isinstance(piece, DetectedCall):
                    call = self._toolbox.read(piece.name, piece.arguments)
                    if call.refusal is None:
                        found.add(call.key)
        return found


def _texts(data: Any) -> Iterable[str]:
    """Yield every text in a result, and objects that look like calls as text."""
    if isinstance(data, str):
        if "{" in data or "<" in data or "[" in data:
            yield data
    elif isinstance(data, dict):
        if any(key in data for key in _ARGUMENTS):
            yield json_dumps(data)
        for value in data.values():
            yield from _texts(value)
    elif isinstance(data, list | tuple):
        for value in data:
            yield from _texts(value)
