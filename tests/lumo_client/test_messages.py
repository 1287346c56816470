"""The body of a request in both of its forms."""

import json
from typing import Any

import pytest

from custom_components.lumo.lumo_client.encryption import RequestCipher
from custom_components.lumo.lumo_client.messages import (
    AssistantMessage,
    ChatRequest,
    FunctionTool,
    Message,
    SystemMessage,
    ToolCallMessage,
    ToolResultMessage,
    UserMessage,
    build_body,
)

from .opening import open_messages

KEY = bytes(range(32))
REQUEST_ID = "01234567-89ab-4cde-8f01-23456789abcd"

CALL_A = ToolCallMessage("call_a", "HassTurnOn", {"name": "kitchen"})
CALL_B = ToolCallMessage("call_b", "HassTurnOn", {"name": "hall"})
TEXT_A = '{"id":"call_a","name":"HassTurnOn","arguments":{"name":"kitchen"}}'
TEXT_B = '{"id":"call_b","name":"HassTurnOn","arguments":{"name":"hall"}}'
DONE_A = ToolResultMessage("call_a", "A")
DONE_B = ToolResultMessage("call_b", "B")
MISSING = '{"error":"The tool returned no result."}'


def plain(request: ChatRequest) -> Any:
    """Return the parsed body in plain form."""
    return json.loads(build_body(request, None))


def encrypted(request: ChatRequest) -> Any:
    """Return the parsed body in encrypted form."""
    return json.loads(build_body(request, RequestCipher(KEY, REQUEST_ID, b"wrapped")))


def tool_calls(*calls: ToolCallMessage) -> list[dict[str, Any]]:
    """Return the calls in OpenAI's form."""
    return [
        {
            "id": call.call_id,
            "type": "function",
            "function": {
                "name": call.name,
                "arguments": json.dumps(call.arguments, separators=(",", ":")),
            },
        }
        for call in calls
    ]


def result(call: ToolCallMessage, text: str) -> dict[str, str]:
    """Return a result in OpenAI's form."""
    return {"role": "tool", "tool_call_id": call.call_id, "content": text}


HISTORIES: dict[
    str, tuple[list[Message], list[tuple[str, str]], list[dict[str, Any]]]
] = {
    "only words": (
        [
            SystemMessage("You."),
            UserMessage("Hi"),
            AssistantMessage("Hello"),
            UserMessage("On?"),
        ],
        [
            ("system", "You."),
            ("user", "Hi"),
            ("assistant", "Hello"),
            ("user", "On?"),
        ],
        [
            {"role": "system", "content": "You."},
            {"role": "user", "content": "Hi"},
            {"role": "assistant", "content": "Hello"},
            {"role": "user", "content": "On?"},
        ],
    ),
    "calls made at once": (
        [UserMessage("On"), AssistantMessage("Sure"), CALL_A, CALL_B, DONE_A, DONE_B],
        [
            ("user", "On"),
            ("assistant", "Sure"),
            ("lumo_tool_call", TEXT_A),
            ("tool", "A"),
            ("lumo_tool_call", TEXT_B),
            ("tool", "B"),
        ],
        [
            {"role": "user", "content": "On"},
            {
                "role": "assistant",
                "content": "Sure",
                "tool_calls": tool_calls(CALL_A, CALL_B),
            },
            result(CALL_A, "A"),
            result(CALL_B, "B"),
        ],
    ),
    "results in another order": (
        [CALL_A, CALL_B, DONE_B, DONE_A],
        [
            ("lumo_tool_call", TEXT_A),
            ("tool", "A"),
            ("lumo_tool_call", TEXT_B),
            ("tool", "B"),
        ],
        [
            {
                "role": "assistant",
                "content": "",
                "tool_calls": tool_calls(CALL_A, CALL_B),
            },
            result(CALL_A, "A"),
            result(CALL_B, "B"),
        ],
    ),
    "one call after the other": (
        [CALL_A, DONE_A, CALL_B, DONE_B, AssistantMessage("Done")],
        [
            ("lumo_tool_call", TEXT_A),
            ("tool", "A"),
            ("lumo_tool_call", TEXT_B),
            ("tool", "B"),
            ("assistant", "Done"),
        ],
        [
            {"role": "assistant", "content": "", "tool_calls": tool_calls(CALL_A)},
            result(CALL_A, "A"),
            {"role": "assistant", "content": "", "tool_calls": tool_calls(CALL_B)},
            result(CALL_B, "B"),
            {"role": "assistant", "content": "Done"},
        ],
    ),
    "a result whose call was trimmed away": (
        [DONE_A, UserMessage("On?"), DONE_B, AssistantMessage("Yes")],
        [("user", "On?"), ("assistant", "Yes")],
        [{"role": "user", "content": "On?"}, {"role": "assistant", "content": "Yes"}],
    ),
    "a call without a result": (
        [CALL_A, CALL_B, DONE_B, UserMessage("And?")],
        [
            ("lumo_tool_call", TEXT_A),
            ("tool", MISSING),
            ("lumo_tool_call", TEXT_B),
            ("tool", "B"),
            ("user", "And?"),
        ],
        [
            {
                "role": "assistant",
                "content": "",
                "tool_calls": tool_calls(CALL_A, CALL_B),
            },
            result(CALL_A, MISSING),
            result(CALL_B, "B"),
            {"role": "user", "content": "And?"},
        ],
    ),
    "the same id twice": (
        [CALL_A, CALL_A, DONE_A, ToolResultMessage("call_a", "again")],
        [
            ("lumo_tool_call", TEXT_A),
            ("tool", "A"),
            ("lumo_tool_call", TEXT_A),
            ("tool", "again"),
        ],
        [
            {
                "role": "assistant",
                "content": "",
                "tool_calls": tool_calls(CALL_A, CALL_A),
            },
            result(CALL_A, "A"),
            result(CALL_A, "again"),
        ],
    ),
    "two things said in a row, and nothing said": (
        [
            AssistantMessage("One"),
            AssistantMessage("Two"),
            AssistantMessage(""),
            CALL_A,
            DONE_A,
        ],
        [
            ("assistant", "One"),
            ("assistant", "Two"),
            ("lumo_tool_call", TEXT_A),
            ("tool", "A"),
        ],
        [
            {"role": "assistant", "content": "One"},
            {"role": "assistant", "content": "Two"},
            {"role": "assistant", "content": "", "tool_calls": tool_calls(CALL_A)},
            result(CALL_A, "A"),
        ],
    ),
}


@pytest.mark.parametrize(
    ("turns", "sealed", "messages"), HISTORIES.values(), ids=HISTORIES
)
def test_a_history_has_its_form_on_the_wire(
    turns: list[Message], sealed: list[tuple[str, str]], messages: list[dict[str, Any]]
) -> None:
    """Encrypted it ends in the empty turn of the answer to come, plain it does not."""
    request = ChatRequest(messages=tuple(turns))
    assert open_messages(encrypted(request), KEY) == [*sealed, ("assistant", "")]
    assert plain(request)["messages"] == messages


def test_a_plain_body_holds_nothing_of_lumos_own() -> None:
    """Neither flags nor the object with the key."""
    body = plain(ChatRequest(messages=(UserMessage("Hi"),), max_tokens=1))
    assert body == {
        "model": "lumo-lite",
        "messages": [{"role": "user", "content": "Hi"}],
        "stream": True,
        "stream_options": {"include_usage": True},
        "reasoning_effort": "none",
        "max_tokens": 1,
    }


def test_an_encrypted_body_says_how_to_open_it() -> None:
    """The key and the id belong together; nothing of the text is in the body."""
    raw = build_body(
        ChatRequest(
            messages=(SystemMessage("secret rules"), UserMessage("secret wish"))
        ),
        RequestCipher(KEY, REQUEST_ID, b"wrapped"),
    )
    assert json.loads(raw)["lumo"] == {
        "client_type": "frontend",
        "target": "message",
        "request_key": "d3JhcHBlZA==",
        "request_id": REQUEST_ID,
    }
    assert b"secret" not in raw


def test_tools_are_offered_in_the_form_lumo_wants() -> None:
    """Proton's own first; missing members of a schema are added, others kept."""
    request = ChatRequest(
        messages=(UserMessage("Hi"),),
        server_tools=("web_search",),
        function_tools=(
            FunctionTool("Now", "", {}),
            FunctionTool(
                "TurnOn",
                "Turns on",
                {"properties": {"name": {"type": "string"}}, "required": ["name"]},
            ),
        ),
    )
    for body in (plain(request), encrypted(request)):
        assert body["tool_choice"] == "auto"
        assert body["tools"] == [
            {"name": "web_search"},
            {
                "type": "function",
                "function": {
                    "name": "Now",
                    "description": "",
                    "parameters": {
                        "type": "object",
                        "properties": {},
                    },
                },
            },
            {
                "type": "function",
                "function": {
                    "name": "TurnOn",
                    "description": "Turns on",
                    "parameters": {
                        "type": "object",
                        "properties": {"name": {"type": "string"}},
                        "required": ["name"],
                    },
                },
            },
        ]


def test_the_choice_of_a_tool_is_only_sent_with_tools() -> None:
    """And then as it was asked for."""
    turns = (UserMessage("Hi"),)
    assert "tool_choice" not in plain(ChatRequest(messages=turns, tool_choice="none"))
    request = ChatRequest(messages=turns, tool_choice="none", server_tools=("weather",))
    assert plain(request)["tool_choice"] == "none"


def test_characters_count_texts_calls_and_tools() -> None:
    """In plain text, whatever the form on the wire."""
    turns = (UserMessage("12345"), CALL_A, ToolResultMessage("call_a", "123"))
    without = ChatRequest(messages=turns).characters
    assert without == 5 + len(TEXT_A) + 3
    request = ChatRequest(messages=turns, server_tools=("weather",))
    assert request.characters == without + len('[{"name":"weather"}]')


@pytest.mark.parametrize(
    ("text", "sent"), [("a\ud83d\ude00b", "a😀b"), ("a\ud83d", "a\ufffd")]
)
def test_half_a_surrogate_pair_does_not_break_a_request(text: str, sent: str) -> None:
    """Wherever it comes from."""
    request = ChatRequest(
        messages=(
            UserMessage(text),
            ToolCallMessage("a", "b", {"c": text}),
            ToolResultMessage("a", text),
        ),
        function_tools=(FunctionTool("b", text, {}),),
    )
    assert plain(request)["messages"][0]["content"] == sent
    assert plain(request)["messages"][2]["content"] == sent
    assert open_messages(encrypted(request), KEY)[0] == ("user", sent)
    assert request.characters > 0
