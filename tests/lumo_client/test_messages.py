"""The body of a request in both of its forms."""

import base64
from collections.abc import Iterator
import json
from typing import Any

from cryptography.hazmat.primitives.ciphers.aead import AESGCM
import pytest

from custom_components.lumo.lumo_client.encryption import RequestCipher
from custom_components.lumo.lumo_client.messages import (
    IMAGE_CHARACTERS,
    AssistantMessage,
    ChatRequest,
    FunctionTool,
    Image,
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


def plain(request: ChatRequest) -> Any:
    return json.loads(build_body(request, None))


def encrypted(request: ChatRequest) -> Any:
    return json.loads(build_body(request, RequestCipher(KEY, REQUEST_ID, b"wrapped")))


def tool_calls(*calls: ToolCallMessage) -> list[dict[str, Any]]:
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
    return {"role": "tool", "tool_call_id": call.call_id, "content": text}


HISTORIES: dict[str, tuple[list[Message], list[dict[str, Any]]]] = {
    "only words": (
        [
            SystemMessage("You."),
            UserMessage("Hi"),
            AssistantMessage("Hello"),
            UserMessage("On?"),
        ],
        [
            {"role": "system", "content": "You."},
            {"role": "user", "content": "Hi"},
            {"role": "assistant", "content": "Hello"},
            {"role": "user", "content": "On?"},
        ],
    ),
    "calls, each with its result": (
        [UserMessage("On"), AssistantMessage("Sure"), CALL_A, DONE_A, CALL_B, DONE_B],
        [
            {"role": "user", "content": "On"},
            {"role": "assistant", "content": "Sure", "tool_calls": tool_calls(CALL_A)},
            result(CALL_A, "A"),
            {"role": "assistant", "content": "", "tool_calls": tool_calls(CALL_B)},
            result(CALL_B, "B"),
        ],
    ),
    "two things said in a row": (
        [AssistantMessage("One"), AssistantMessage("Two"), CALL_A, DONE_A],
        [
            {"role": "assistant", "content": "One"},
            {"role": "assistant", "content": "Two", "tool_calls": tool_calls(CALL_A)},
            result(CALL_A, "A"),
        ],
    ),
}


def sealed(messages: list[dict[str, Any]]) -> Iterator[tuple[str, str]]:
    for message in messages:
        calls = message.get("tool_calls", ())
        if message["content"] or not calls:
            yield message["role"], message["content"]
        for call in calls:
            yield "lumo_tool_call", TEXT_A if call["id"] == "call_a" else TEXT_B


@pytest.mark.parametrize(("turns", "messages"), HISTORIES.values(), ids=HISTORIES)
def test_a_history_has_its_form_on_the_wire(
    turns: list[Message], messages: list[dict[str, Any]]
) -> None:
    """Encrypted it ends in the empty turn of the answer to come, plain it does not."""
    request = ChatRequest(messages=tuple(turns))
    opened = open_messages(encrypted(request), KEY)
    assert opened == [*sealed(messages), ("assistant", "")]
    assert plain(request)["messages"] == messages


def test_a_plain_body_holds_nothing_of_lumos_own() -> None:
    messages = (UserMessage("Hi"),)
    body = plain(ChatRequest(messages=messages, max_tokens=1))
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
                    "parameters": {"type": "object", "properties": {}},
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


def test_characters_count_texts_calls_and_tools() -> None:
    turns = (UserMessage("12345"), CALL_A, ToolResultMessage("call_a", "123"))
    without = ChatRequest(messages=turns).characters
    assert without == 5 + len(TEXT_A) + 3
    request = ChatRequest(messages=turns, server_tools=("weather",))
    assert request.characters == without + len('[{"name":"weather"}]')


@pytest.mark.parametrize(
    ("text", "sent"), [("a\ud83d\ude00b", "a😀b"), ("a\ud83d", "a\ufffd")]
)
def test_half_a_surrogate_pair_does_not_break_a_request(text: str, sent: str) -> None:
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


JPEG = Image(b"\xff\xd8\xff\xe0 a door", "image/jpeg")
PNG = Image(b"\x89PNG\r\n\x1a\n a cat", "image/png")
SHOWN = ChatRequest(
    messages=(
        SystemMessage("You."),
        UserMessage("Who is at the door?", (JPEG, PNG)),
        CALL_A,
        DONE_A,
    )
)


def test_pictures_in_clear_are_parts_that_tell_their_type() -> None:
    """Text first; a message without pictures stays plain text."""
    system, user, *_ = plain(SHOWN)["messages"]
    assert system == {"role": "system", "content": "You."}
    assert user == {
        "role": "user",
        "content": [
            {"type": "text", "text": "Who is at the door?"},
            *(
                {
                    "type": "image_url",
                    "image_url": {
                        "url": f"data:{image.media_type};base64,"
                        + base64.b64encode(image.data).decode()
                    },
                }
                for image in (JPEG, PNG)
            ),
        ],
    }


def test_encrypted_pictures_are_sealed_bytes_without_a_type() -> None:
    """Marked on the picture, on the text, and on the message around them."""
    raw = build_body(SHOWN, RequestCipher(KEY, REQUEST_ID, b"wrapped"))
    system, user, *_ = json.loads(raw)["messages"]
    assert isinstance(system["content"], str)
    assert (user["role"], user["encrypted"]) == ("user", True)
    text, *pictures = user["content"]
    assert (text["type"], text["encrypted"]) == ("text", True)
    opened = [_opened(text["text"])]
    for part in pictures:
        assert (part["type"], part["image_url"]["encrypted"]) == ("image_url", True)
        head, data = part["image_url"]["url"].split(",")
        assert head == "data:application/octet-stream;base64"
        opened.append(_opened(data))
    assert opened == [b"Who is at the door?", JPEG.data, PNG.data]
    ivs = {
        base64.b64decode(part["image_url"]["url"].split(",")[1])[:12]
        for part in pictures
    }
    assert len(ivs) == len(pictures)
    for marker in (JPEG.data[:6], PNG.data[:6]):
        assert base64.b64encode(marker) not in raw
    assert b"image/" not in raw


def _opened(sealed: str) -> bytes:
    raw = base64.b64decode(sealed, validate=True)
    data = f"lumo.request.{REQUEST_ID}.turn".encode()
    return AESGCM(KEY).decrypt(raw[:12], raw[12:], data)


def test_the_aspect_of_a_picture_is_said_in_both_forms() -> None:
    """It is Lumo's own member, and the only one that goes with a key."""
    request = ChatRequest(
        messages=(UserMessage("Draw"),),
        server_tools=("generate_image",),
        image_aspect_ratio="16:9",
    )
    assert plain(request)["lumo"] == {"image_aspect_ratio": "16:9"}
    assert encrypted(request)["lumo"]["image_aspect_ratio"] == "16:9"
    assert encrypted(request)["lumo"]["request_id"] == REQUEST_ID


def test_a_picture_counts_as_what_it_costs_not_as_its_size() -> None:
    without = ChatRequest(messages=(UserMessage("Look"),)).characters
    large = Image(bytes(10**6), "image/png")
    request = ChatRequest(messages=(UserMessage("Look", (large, JPEG)),))
    assert request.characters == without + 2 * IMAGE_CHARACTERS
    assert request.images == [large, JPEG]
    assert "door" not in repr(SHOWN.images)
