"""Calls and results on Proton's own tool channel, in the current and the old form.

Old: text messages of target `tool_call` and `tool_result`, JSON objects without ids,
cut anywhere; the nth result belongs to the nth call.
"""

from collections import deque
import json
import re
from typing import Any, Final

from .errors import ProtocolError
from .events import ServerToolCall, ServerToolResult
from .function_calls import Decrypt, no_key, read_arguments
from .wire_json import TextJoiner, dump_json, parse_object, text_of, well_formed

# Far above what a home needs.
_MAX_CALLS: Final = 256
_NO_SEPARATOR: Final = re.compile(r"[^\s,]")

type ServerToolEvent = ServerToolCall | ServerToolResult


class ServerToolReader:
    """Reads both forms; a stream may mix them."""

    def __init__(self, decrypt: Decrypt | None) -> None:
        self._decrypt = decrypt
        self._open = decrypt or no_key
        self._target = ""
        self._parts: list[str] = []
        self._joiner = TextJoiner()
        # Whether any piece of the old-style message did.
        self._in_clear = False
        self._made_ids = 0
        self._old_calls: deque[str] = deque()

    def call(self, call: dict[str, Any]) -> ServerToolCall:
        """Return the event for a `tool_call` object."""
        name, arguments = _name_and_arguments(call)
        call_id = text_of(call.get("id"))
        if arguments is None:
            return ServerToolCall(call_id, name, None, "")
        if isinstance(arguments, str) and call.get("encrypted") and arguments:
            raw = self._open(arguments).decode(errors="replace")
            return ServerToolCall(call_id, name, parse_object(raw), raw)
        raw = arguments if isinstance(arguments, str) else dump_json(arguments)
        return ServerToolCall(call_id, name, *read_arguments([raw], self._decrypt))

    def result(self, result: dict[str, Any]) -> ServerToolResult:
        """Return the event for a `tool_result` object."""
        call_id = text_of(result.get("call_id")) or text_of(result.get("id"))
        content = result.get("content")
        if not isinstance(content, str):
            content = "" if content is None else dump_json(content)
        elif result.get("encrypted") and content:
            content = self._open(content).decode(errors="replace")
        return _result(call_id, content)

    def text(self, target: str, text: str, encrypted: bool) -> list[ServerToolEvent]:
        """Take a piece of old-style text; return what another target completes."""
        events = self.flush() if target != self._target else []
        self._target = target
        encrypted = encrypted and bool(text)
        self._in_clear = self._in_clear or not (encrypted or self._decrypt is None)
        text = self._joiner.add(self._open(text) if encrypted else text)
        self._parts.append(text)
        return events

    def flush(self) -> list[ServerToolEvent]:
        """Return the old-style calls or results collected so far."""
        if not self._target:
            return []
        text = "".join((*self._parts, self._joiner.finish()))
        target, self._target = self._target, ""
        in_clear, self._in_clear = self._in_clear, False
        self._parts.clear()
        if target == "tool_call":
            return [
                self._old_call(raw, call, in_clear) for raw, call in _json_values(text)
            ]
        return [
            _result(self._old_calls.popleft() if self._old_calls else "", raw)
            for raw, _ in _json_values(text)
        ]

    def _old_call(self, raw: str, call: object, in_clear: bool) -> ServerToolCall:
        self._made_ids += 1
        call_id = f"server_call_{self._made_ids}"
        self._old_calls.append(call_id)
        name, given = _name_and_arguments(call if isinstance(call, dict) else {})
        if not name:
            return ServerToolCall(call_id, "", None, raw, in_clear)
        raw = given if isinstance(given, str) else dump_json(given or {})
        return ServerToolCall(
            call_id, name, parse_object(raw), well_formed(raw), in_clear
        )


def _name_and_arguments(call: dict[str, Any]) -> tuple[str, Any]:
    function = call.get("function")
    call = {**call, **function} if isinstance(function, dict) else call
    arguments = call.get("arguments")
    return text_of(call.get("name")), (
        call.get("parameters") if arguments is None else arguments
    )


def _result(call_id: str, content: str) -> ServerToolResult:
    """Return a result: failed if it is an object with an error in it."""
    failed = '"error"' in content and bool((parse_object(content) or {}).get("error"))
    return ServerToolResult(call_id, well_formed(content), failed)


def _json_values(text: str) -> list[tuple[str, Any]]:
    """Return the JSON values in the text, each with its own text; any other text last."""
    values: list[tuple[str, Any]] = []
    decoder = json.JSONDecoder()
    position = 0
    while begun := _NO_SEPARATOR.search(text, position):
        if len(values) > _MAX_CALLS:
            raise ProtocolError("Lumo sent too many tool messages at once")
        start = begun.start()
        try:
            value, position = decoder.raw_decode(text, start)
        except ValueError, RecursionError:
            values.append((text[start:].rstrip(), None))
            break
        values.append((text[start:position], value))
    return values
