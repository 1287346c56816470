"""Calls of tools on both channels of an answer, and the results of Proton's own.

The request's functions arrive in fragments, put together when the answer is complete: a
call of an answer that broke off never exists.

Proton's own tools arrive in the current form, or in the old one: text messages of target
`tool_call` and `tool_result`, JSON objects without ids, cut anywhere; the nth result
belongs to the nth call.
"""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
import json
import re
from typing import Any, Final

from .encryption import looks_encrypted
from .errors import IntegrityError, ProtocolError
from .events import FunctionCall, ServerToolCall, ServerToolResult
from .wire_json import TextJoiner, dump_json, parse_object, text_of, well_formed

# Far above what a home needs.
_MAX_CALLS: Final = 256
_NO_SEPARATOR: Final = re.compile(r"[^\s,]")

type Decrypt = Callable[[str], bytes]
type ServerToolEvent = ServerToolCall | ServerToolResult


def no_key(_value: str) -> bytes:
    """Refuse an encrypted value in the answer to a plain request."""
    raise IntegrityError("Lumo encrypted an answer that was asked for without a key")


@dataclass(slots=True)
class _OpenCall:
    index: int
    call_id: str = ""
    name: str = ""
    arguments: list[str] = field(default_factory=list)


class FunctionCallAssembler:
    """Merges the fragments of `delta.tool_calls`."""

    def __init__(self, decrypt: Decrypt | None) -> None:
        self._decrypt = decrypt
        self._calls: list[_OpenCall] = []
        self._by_index: dict[int, _OpenCall] = {}

    def add(self, fragment: dict[str, Any]) -> str | None:
        """Take one entry of `delta.tool_calls`; return the name of a call it begins."""
        function = fragment.get("function")
        function = function if isinstance(function, dict) else {}
        call_id = text_of(fragment.get("id"))
        name = text_of(function.get("name"))
        arguments = function.get("arguments")
        if arguments is None:
            arguments = ""
        elif not isinstance(arguments, str):
            arguments = dump_json(arguments)
        call = self._call(fragment.get("index"), call_id, name)
        begun = name if name and not call.name else None
        call.call_id = call.call_id or call_id
        call.name = call.name or name
        call.arguments.append(arguments)
        return begun

    def _call(self, index: object, call_id: str, name: str) -> _OpenCall:
        # The index decides. Gateways may number every call 0, so a second name begins
        # another call, unless it has the id of the one there.
        if isinstance(index, bool) or not isinstance(index, int):
            index = 0
        call = self._by_index.get(index)
        is_same = call_id and call and call.call_id == call_id
        if call is None or (name and call.name and not is_same):
            call = _OpenCall(index)
            self._calls.append(call)
            self._by_index[index] = call
        return call

    def finish(self) -> list[FunctionCall]:
        """Return the calls that have names, as they began. Raises IntegrityError."""
        calls: dict[str, FunctionCall] = {}
        for number, call in enumerate(self._calls, 1):
            if call.name:
                call_id = call.call_id or f"call_{call.index}"
                call_id = f"{call_id}_{number}" if call_id in calls else call_id
                arguments = read_arguments("".join(call.arguments), self._decrypt)
                calls[call_id] = FunctionCall(call_id, call.name, *arguments)
        return list(calls.values())


def read_arguments(
    raw: str, decrypt: Decrypt | None
) -> tuple[dict[str, Any] | None, str, bool]:
    """Return the object in the arguments or None, their text, and whether it is clear.

    No flag tells: the text is read as JSON, else decrypted. What looks encrypted and
    cannot be opened must not pass as a call: IntegrityError.
    """
    raw = well_formed(raw)
    arguments = parse_object(raw)
    if arguments is not None or decrypt is None or not looks_encrypted(raw):
        return arguments, raw, decrypt is not None
    raw = decrypt(raw).decode(errors="replace")
    return parse_object(raw), raw, False


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
        return ServerToolCall(call_id, name, *read_arguments(raw, self._decrypt))

    def result(self, result: dict[str, Any]) -> ServerToolResult:
        """Return the event for a `tool_result` object."""
        call_id = text_of(result.get("call_id"))
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
