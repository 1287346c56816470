"""What comes in clear in answer to an encrypted request is marked, each form of it."""

import json
from typing import Any

import pytest

from custom_components.lumo.lumo_client.encryption import RequestCipher
from custom_components.lumo.lumo_client.events import (
    FunctionCall,
    ServerToolCall,
    TextDelta,
)
from custom_components.lumo.lumo_client.stream import StreamParser

from .loopback import delta
from .opening import seal_answer

KEY, ID = bytes(32), "id"


def sealed(text: str) -> str:
    return seal_answer(ID, KEY, text)


def line(**value: Any) -> bytes:
    return f"data: {json.dumps(value)}\n\n".encode()


def function(arguments: str | None) -> bytes:
    called = (
        {"name": "On"} if arguments is None else {"name": "On", "arguments": arguments}
    )
    return delta(tool_calls=[{"index": 0, "id": "a", "function": called}])


def server(**members: Any) -> bytes:
    return line(object="chat.tool_call", tool_call={"id": "a", "name": "On", **members})


def old(text: str, **members: Any) -> bytes:
    return line(type="token_data", target="tool_call", content=text, **members)


CALL = '{"name":"lamp"}'
OLD_CALL = '{"name":"On","arguments":{"name":"lamp"}}'

FORMS: list[tuple[bytes, bool]] = [
    (delta(content="Hello"), True),
    (delta(content=sealed("Hello"), encrypted=True), False),
    (line(type="token_data", target="message", content="Hello"), True),
    (
        line(type="token_data", target="message", content=sealed("Hi"), encrypted=True),
        False,
    ),
    (function(CALL), True),
    (function("{}"), True),
    (function(None), True),
    (function("no json"), True),
    (function(sealed(CALL)), False),
    (server(), False),  # An announcement holds nothing that could be encrypted.
    (server(arguments=CALL), True),
    (server(arguments={"name": "lamp"}), True),
    (server(arguments=sealed(CALL)), False),
    (server(arguments=sealed(CALL), encrypted=True), False),
    (old(OLD_CALL), True),
    (old(sealed(OLD_CALL), encrypted=True), False),
    (old(sealed(OLD_CALL[:9]), encrypted=True) + old(OLD_CALL[9:]), True),
]


@pytest.mark.parametrize("private", [True, False])
@pytest.mark.parametrize(("data", "in_clear"), FORMS)
def test_mark(data: bytes, in_clear: bool, private: bool) -> None:
    if not private and (not in_clear or b"encrypted" in data):
        return
    parser = StreamParser(RequestCipher(KEY, ID, b"").decrypt if private else None)
    events = parser.feed(data + b"data: [DONE]\n\n")
    (event,) = (
        event
        for event in events
        if isinstance(event, TextDelta | FunctionCall | ServerToolCall)
    )
    assert event.in_clear is (in_clear and private)
