"""Streams as Lumo writes them, and the events in them.

Each: the bytes, the events, and the error that follows them (None for an End). Answers
that are encrypted use the key and the request id of `test_encryption`.
"""

import json
from typing import Any, NamedTuple

from custom_components.lumo.lumo_client.errors import (
    BusyError,
    ContentFilteredError,
    ContextLengthError,
    IntegrityError,
    LumoError,
    QuotaError,
    ServerError,
    StreamInterruptedError,
    UnauthorizedError,
)
from custom_components.lumo.lumo_client.events import (
    End,
    Event,
    FunctionCall,
    Limits,
    Progress,
    ReasoningDelta,
    ServerToolCall,
    ServerToolResult,
    TextDelta,
    Usage,
)

from .opening import seal_answer

KEY = bytes(range(32))
REQUEST_ID = "01234567-89ab-4cde-8f01-23456789abcd"


class Example(NamedTuple):
    data: bytes
    events: list[Event]
    error: type[LumoError] | None = None


def sealed(text: str) -> str:
    return seal_answer(REQUEST_ID, KEY, text)


def lines(*values: dict[str, Any] | str, done: bool = True) -> bytes:
    """Return a stream of these values; strings are lines of their own."""
    texts = [
        value if isinstance(value, str) else f"data: {json.dumps(value)}\n"
        for value in values
    ]
    return "\n".join((*texts, *(["data: [DONE]\n"] if done else []))).encode()


def delta(reason: str | None = None, **members: Any) -> dict[str, Any]:
    choice: dict[str, Any] = {"index": 0, "delta": members}
    if reason:
        choice["finish_reason"] = reason
    return {"choices": [choice]}


def call(
    index: int | None, call_id: str | None, name: str | None, arguments: Any
) -> dict[str, Any]:
    """Return an entry of `tool_calls`."""
    function: dict[str, Any] = {}
    if name is not None:
        function["name"] = name
    if arguments is not None:
        function["arguments"] = arguments
    entry: dict[str, Any] = {"function": function}
    if index is not None:
        entry["index"] = index
    if call_id is not None:
        entry["id"] = call_id
    return entry


def calls(*entries: dict[str, Any]) -> dict[str, Any]:
    return delta(tool_calls=[*entries])


def token(target: str, content: str, **members: Any) -> dict[str, Any]:
    return {"type": "token_data", "target": target, "content": content, **members}


def server_call(**members: Any) -> dict[str, Any]:
    return {"object": "chat.tool_call", "tool_call": members}


def server_result(**members: Any) -> dict[str, Any]:
    return {"object": "chat.tool_result", "tool_result": members}


END = End(None)
ERROR = {"message": "No.", "type": "server_error"}
KITCHEN = FunctionCall("a", "On", {"name": "kitchen"}, '{"name": "kitchen"}')
HALL = FunctionCall("b", "On", {"name": "hall"}, '{"name": "hall"}')

EXAMPLES: dict[str, Example] = {
    "a plain answer": Example(
        b""":queued

:ingesting

data: {"model":"lumo-lite","choices":[{"index":0,"delta":{"role":"assistant","content":"The light"}}]}

data: {"model":"lumo-lite","choices":[{"index":0,"delta":{"content":" is on."}}]}

data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}

data: {"choices":[],"usage":{"completion_tokens":6,"applied_limit_category":"lite","remaining_limits":{"lite":98,"max":20,"images":19},"image_limit_applied":false},"model":"lumo-lite"}

data: [DONE]
""",
        [
            Progress("queued"),
            Progress("ingesting"),
            TextDelta("The light"),
            TextDelta(" is on."),
            Usage(6, None, "lite", Limits(98, 20, 19)),
            End("stop"),
        ],
    ),
    "an encrypted answer with thinking and a call": Example(
        b"""data: {"model":"3b6be88a","choices":[{"index":0,"delta":{"reasoning":"SElKS0xNTk9QUVJTmkXuQwCSfD34N1YTGlNCbI8BFQ1lcpePQXdXMRLg","encrypted":true}}]}

data: {"choices":[{"index":0,"delta":{"content":"MDEyMzQ1Njc4OTo74EBDpf4pY9lgo0A2ZOkOhyPnSO8=","encrypted":true}}]}

data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"call_0","type":"function","function":{"name":"HassTurnOn","arguments":"PD0+P0BBQkNERUZHDPxXkZkq942OyQZYTSIZT4Vw8hJK+QI0cFj3ldVW/7PLcJ9G1eSgVQ=="}}]}}]}

data: {"choices":[{"index":0,"finish_reason":"tool_calls"}]}

data: [DONE]
""",
        [
            ReasoningDelta("The user wants"),
            TextDelta("Sure"),
            FunctionCall(
                "call_0",
                "HassTurnOn",
                {"name": "kitchen light"},
                '{"name":"kitchen light"}',
            ),
            End("tool_calls"),
        ],
    ),
    "fragments of two calls mixed": Example(
        lines(
            delta(
                tool_calls=[
                    call(0, "a", "On", '{"name": '),
                    call(1, "b", "On", '{"name": '),
                ]
            ),
            calls(call(1, None, None, '"hall"}')),
            calls(call(0, None, None, '"kitchen"}')),
        ),
        [KITCHEN, HALL, END],
    ),
    "calls without ids or arguments": Example(
        lines(calls(call(0, None, "Now", None), call(1, "", "Here", ""))),
        [
            FunctionCall("call_0", "Now", {}, ""),
            FunctionCall("call_1", "Here", {}, ""),
            END,
        ],
    ),
    "arguments as an object, quoted, null, and broken": Example(
        lines(
            delta(
                tool_calls=[
                    call(0, "a", "On", {"name": "kitchen"}),
                    call(1, "b", "On", '"{\\"name\\": \\"hall\\"}"'),
                    call(2, "c", "On", "null"),
                    call(3, "d", "On", '{"name": "ki'),
                    call(4, "e", "On", "[1]"),
                ]
            )
        ),
        [
            FunctionCall("a", "On", {"name": "kitchen"}, '{"name":"kitchen"}'),
            FunctionCall("b", "On", {"name": "hall"}, '"{\\"name\\": \\"hall\\"}"'),
            FunctionCall("c", "On", {}, "null"),
            FunctionCall("d", "On", None, '{"name": "ki'),
            FunctionCall("e", "On", None, "[1]"),
            END,
        ],
    ),
    "calls that are all number 0": Example(
        lines(
            calls(call(0, "a", "On", '{"name": "kitchen"}')),
            calls(call(0, "b", "On", '{"name": "hall"}')),
        ),
        [KITCHEN, HALL, END],
    ),
    "calls without a number or an id": Example(
        lines(
            delta(
                tool_calls=[
                    call(None, None, "On", '{"name": "kitchen"}'),
                    call(None, None, "On", '{"name": "hall"}'),
                    call(None, None, "Now", ""),
                ]
            )
        ),
        [
            FunctionCall("call_0", "On", {"name": "kitchen"}, '{"name": "kitchen"}'),
            FunctionCall("call_0_2", "On", {"name": "hall"}, '{"name": "hall"}'),
            FunctionCall("call_0_3", "Now", {}, ""),
            END,
        ],
    ),
    "a new id with every fragment": Example(
        lines(
            calls(call(0, "a", "On", '{"name": ')),
            calls(call(0, "x", None, '"kitchen"')),
            calls(call(0, "y", None, "}")),
        ),
        [KITCHEN, END],
    ),
    "two calls under one id": Example(
        lines(
            calls(call(0, "a", "On", '{"name": "kitchen"}')),
            calls(call(1, "a", "On", '{"name": "hall"}')),
        ),
        [KITCHEN, FunctionCall("a_2", "On", {"name": "hall"}, '{"name": "hall"}'), END],
    ),
    "a call without a name is none": Example(
        lines(calls(call(0, "a", None, "{}"), call(1, "b", "", "{}"))), [END]
    ),
    "encrypted arguments in several fragments of one ciphertext": Example(
        lines(
            calls(call(0, "a", "On", sealed('{"name": "kitchen"}')[:21])),
            calls(call(0, None, None, sealed('{"name": "kitchen"}')[21:])),
        ),
        [KITCHEN, END],
    ),
    "arguments that were encrypted for somebody else": Example(
        lines(
            delta(content="On it."),
            delta(
                tool_calls=[
                    call(0, "a", "On", seal_answer("another id", KEY, '{"name": 1}'))
                ]
            ),
        ),
        [TextDelta("On it.")],
        IntegrityError,
    ),
    "a piece of text that cannot be decrypted": Example(
        lines(
            delta(content=sealed("The light "), encrypted=True),
            delta(content=sealed("is on.")[:-8] + "AAAAAAA=", encrypted=True),
            delta(content=sealed("!"), encrypted=True),
        ),
        [TextDelta("The light ")],
        IntegrityError,
    ),
    "characters cut between encrypted pieces, empty pieces": Example(
        lines(
            delta(content="", encrypted=True),
            delta(content=sealed("caf"), encrypted=True),
            delta(content="é ", encrypted=False),
            delta(content="and \ud83d"),
            delta(content="\ude00 tea"),
            delta(content=" \udc00.\ud83d"),
        ),
        [
            TextDelta("caf"),
            TextDelta("é "),
            TextDelta("and "),
            TextDelta("😀 tea"),
            TextDelta(" \ufffd."),
            TextDelta("\ufffd"),
            END,
        ],
    ),
    "server tools: announced, dispatched, answered": Example(
        lines(
            server_call(id="c", name="web_search"),
            server_call(id="c", name="web_search", arguments='{"query":"rain"}'),
            server_result(call_id="c", content='{"results":[]}'),
            delta(content="Sunny."),
            server_call(id="d", name="weather", arguments={"city": "Bern"}),
            server_result(call_id="d", content={"error": True}),
            server_call(id="e", name="On", arguments=sealed("{}"), encrypted=True),
            server_result(call_id="e", content=sealed("Fine"), encrypted=True),
            server_call(id="f", name="On", arguments="{bad"),
            server_call(id="g", name="On", parameters={"a": 1}),
            server_call(id="h", name="On", parameters=sealed("{}"), encrypted=True),
            server_call(id="i", function={"name": "On", "parameters": '{"a":2}'}),
        ),
        [
            ServerToolCall("c", "web_search", None, ""),
            ServerToolCall("c", "web_search", {"query": "rain"}, '{"query":"rain"}'),
            ServerToolResult("c", '{"results":[]}', False),
            TextDelta("Sunny."),
            ServerToolCall("d", "weather", {"city": "Bern"}, '{"city":"Bern"}'),
            ServerToolResult("d", '{"error":true}', True),
            ServerToolCall("e", "On", {}, "{}"),
            ServerToolResult("e", "Fine", False),
            ServerToolCall("f", "On", None, "{bad"),
            ServerToolCall("g", "On", {"a": 1}, '{"a":1}'),
            ServerToolCall("h", "On", {}, "{}"),
            ServerToolCall("i", "On", {"a": 2}, '{"a":2}'),
            END,
        ],
    ),
    "an image, which nobody hears": Example(
        lines(
            {"object": "lumo.image_data", "image": {"id": "i", "data": "AQI="}},
            {"type": "image_data", "image_id": "j", "data": "AQI=", "is_final": False},
            {
                "object": "lumo.image_data",
                "image": {"id": "k", "data": sealed("png"), "encrypted": True},
            },
            {"object": "lumo.image_data", "image": {"id": "l", "data": "A"}},
        ),
        [END],
    ),
    "an old-style answer": Example(
        lines(
            {"type": "queued"},
            {"type": "ingesting", "target": "message"},
            token("title", "Lights", count=1),
            token("reasoning", "Hm", count=1),
            token("message", "The light", count=1),
            token("message", sealed(" is on."), count=2, encrypted=True),
            {"type": "done"},
            done=False,
        ),
        [
            Progress("queued"),
            Progress("ingesting"),
            ReasoningDelta("Hm"),
            TextDelta("The light"),
            TextDelta(" is on."),
            END,
        ],
    ),
    "old-style calls cut anywhere": Example(
        lines(
            token("tool_call", '{"name":"GetLiveContext","par'),
            token("title", "Context"),
            token("tool_call", 'ameters":{}}{"name":"GetLiveContext"}'),
            ":keep alive\n",
            token("tool_call", '\n{"name":"On","arguments":"{\\"a\\":\\"}\\"}"}'),
            token("tool_result", '{"error":true}{"error"'),
            token("tool_result", ":true}"),
            token("message", "I cannot."),
        ),
        [
            ServerToolCall("server_call_1", "GetLiveContext", {}, "{}"),
            ServerToolCall("server_call_2", "GetLiveContext", {}, "{}"),
            ServerToolCall("server_call_3", "On", {"a": "}"}, '{"a":"}"}'),
            ServerToolResult("server_call_1", '{"error":true}', True),
            ServerToolResult("server_call_2", '{"error":true}', True),
            TextDelta("I cannot."),
            END,
        ],
    ),
    "old-style calls inside chunks, encrypted": Example(
        lines(
            delta(content=sealed('{"name":"On",'), target="tool_call", encrypted=True),
            delta(
                content=sealed('"parameters":{"a":"é"}}'),
                target="tool_call",
                encrypted=True,
            ),
            delta(content="It rains", target="tool_result"),
        ),
        [
            ServerToolCall("server_call_1", "On", {"a": "é"}, '{"a":"é"}'),
            ServerToolResult("server_call_1", "It rains", False),
            END,
        ],
    ),
    "old-style calls that cannot be read": Example(
        lines(
            token("tool_call", '{"arguments":{}}[1]{"function":'),
            token("tool_call", '{"name":"B","arguments":{"x":1}}} {"name":"C"'),
        ),
        [
            ServerToolCall("server_call_1", "", None, '{"arguments":{}}'),
            ServerToolCall("server_call_2", "", None, "[1]"),
            ServerToolCall("server_call_3", "B", {"x": 1}, '{"x":1}'),
            ServerToolCall("server_call_4", "", None, '{"name":"C"'),
            END,
        ],
    ),
    "targets": Example(
        lines(
            delta(content="Title", target="title"),
            {**delta(content="More"), "target": "suggested_questions"},
            {**delta(content="Hm"), "target": "reasoning"},
            delta(content="What?", target="unheard_of"),
            {**delta(content="Yes", target="message"), "target": "title"},
            delta(content="No", target=None),
            delta(content="No", target=7),
        ),
        [ReasoningDelta("Hm"), TextDelta("Yes"), TextDelta("No"), END],
    ),
    "thinking under both of its names": Example(
        lines(
            delta(reasoning="a", reasoning_content="a"),
            delta(reasoning_content="b", content="c"),
        ),
        [ReasoningDelta("a"), ReasoningDelta("b"), TextDelta("c"), END],
    ),
    "a whole answer in one piece": Example(
        lines(
            {"choices": [{"message": {"content": "b"}, "finish_reason": "stop"}]},
            done=False,
        ),
        [TextDelta("b"), End("stop")],
    ),
    "all kinds of lines": Example(
        b"\xef\xbb\xbfdata:"
        + json.dumps(delta(content="a")).encode()
        + b"\r\n\r\nevent: message\nid: 7\nretry: 1\n"
        + json.dumps(delta(content="b")).encode()
        + b"\n: queued\n  : ingesting\r\n:\n: what\nnonsense\n[1]\ndata:\ndata: 7\n"
        + b"data: {broken\n\n  data:   "
        + json.dumps(delta(content="c")).encode()
        + b"  \ndata:\xff\ndata: {}\nDATA: {}\ndata: [DONE]",
        [
            TextDelta("a"),
            TextDelta("b"),
            Progress("queued"),
            Progress("ingesting"),
            TextDelta("c"),
            END,
        ],
    ),
    "usage together with text, twice, and of a key": Example(
        lines(
            {**delta(content="a"), "usage": {"completion_tokens": 1}},
            {**delta("length"), "usage": None},
            {
                "choices": [],
                "usage": {
                    "prompt_tokens": 8,
                    "completion_tokens": 2,
                    "total_tokens": 10,
                    "remaining_limits": {"lite": 0, "max": None},
                },
            },
        ),
        [
            TextDelta("a"),
            Usage(1),
            Usage(2, 8, None, Limits(0, None, None)),
            End("length"),
        ],
    ),
    "the end without a [DONE], without a line end": Example(
        lines(delta(content="a"), delta("stop"), done=False).rstrip(),
        [TextDelta("a"), End("stop")],
    ),
    "what follows the end is not read": Example(
        lines(delta(content="a")) + lines(delta(content="b"), {"error": ERROR}),
        [TextDelta("a"), END],
    ),
    "broken off": Example(
        lines(delta(content="a"), done=False), [TextDelta("a")], StreamInterruptedError
    ),
    "broken off with a call: it is never made": Example(
        lines(calls(call(0, "a", "On", '{"name": "x"}')), done=False),
        [],
        StreamInterruptedError,
    ),
    "nothing at all": Example(b"", [], StreamInterruptedError),
    "an error, which wins over content": Example(
        lines(delta(content="a"), {**delta(content="b"), "error": ERROR}),
        [TextDelta("a")],
        ServerError,
    ),
    "an error after calls: they are never made": Example(
        lines(calls(call(0, "a", "On", "{}")), delta("tool_calls"), {"error": ERROR}),
        [],
        ServerError,
    ),
    "a filter": Example(
        lines(
            delta(content="a"),
            {**delta("content_filter"), "usage": {"completion_tokens": 1}},
        ),
        [TextDelta("a"), Usage(1)],
        ContentFilteredError,
    ),
    "Proton's envelope in the stream": Example(
        lines('{"Code": 2028, "Error": "Too many", "Details": {}}\n'), [], QuotaError
    ),
    "an error without a wrapper": Example(
        lines({"object": "error", "code": 401, "message": "No", "type": "X"}),
        [],
        UnauthorizedError,
    ),
    "an event over several lines, beside other fields": Example(
        b": hello\nevent: message\nid: 7\nretry: 10\ndata\n\n"
        b'event: message\ndata: {\ndata:\ndata:   "choices": [\ndata:\n: still here\n'
        b'data:{"delta": {"content": "a"}}\ndata:]\nid\ndata: }\n\ndata: [DONE]\n\n',
        [TextDelta("a"), End(None)],
    ),
    "a whole answer over several lines, without data": Example(
        json.dumps(delta("stop", content="a"), indent=2).encode(),
        [TextDelta("a"), End("stop")],
    ),
    "an event that never ends before the end": Example(
        b'data: {"choices": [\ndata: [DONE]\n', [End(None)]
    ),
}

for _code, _error in {
    "timeout": BusyError,
    "rejected": BusyError,
    "REJECTED": BusyError,
    "error": ServerError,
    "brand_new": ServerError,
    None: ServerError,
    "context_length_exceeded": ContextLengthError,
    "CONTEXT_LENGTH_EXCEEDED": ContextLengthError,
    "content_filter": ContentFilteredError,
    (): ServerError,
    429: QuotaError,
    503: BusyError,
    500: ServerError,
    2028: QuotaError,
}.items():
    EXAMPLES[f"error code {_code}"] = Example(
        lines(delta(content="a"), {"error": {**ERROR, "code": _code}}),
        [TextDelta("a")],
        _error,
    )

for _type, _error in {
    "timeout": BusyError,
    "rejected": BusyError,
    "error": ServerError,
    "harmful": ContentFilteredError,
    "tool-error": ServerError,
}.items():
    EXAMPLES[f"old-style {_type}"] = Example(
        lines(token("message", "a"), {"type": _type}), [TextDelta("a")], _error
    )

EXAMPLES["old-style conversation too long"] = Example(
    lines(
        {
            "type": "tool-error",
            "error": {"code": "context_length_exceeded", "message": "Too long"},
        }
    ),
    [],
    ContextLengthError,
)
