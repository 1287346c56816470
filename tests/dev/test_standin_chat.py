"""The stand-in's chat: what it takes, what it refuses, what it streams."""

import json
import os
from typing import Any

from hypothesis import given, strategies as st
import pytest

from dev.standin.encryption import Channel, DecryptError
from dev.standin.plan import Text, in_pieces

from .conftest import Starter
from .mini_client import MiniClient
from .small_brain import DONE, GREETING, OFF, PROMPT, TOOLS, function_tool

OFF_TEXT = json.dumps({"name": "user:HassTurnOff", "arguments": OFF})
CALL_TURN = {
    "role": "lumo_tool_call",
    "content": json.dumps({"id": "call_0", "name": "HassTurnOff", "arguments": OFF}),
}
RESULT_TURN = {"role": "tool", "content": '{"success":true}'}
USER_TURN = {"role": "user", "content": "Turn off the kitchen lights"}

both_ways = pytest.mark.parametrize("encrypted", [True, False], ids=["u2l", "plain"])


@both_ways
async def test_small_talk_streams_in_small_pieces(
    standin: Starter, encrypted: bool
) -> None:
    """Queue, ingest, many deltas, the reason, the usage, the end; all well formed."""
    _, client = await standin(encrypted=encrypted)
    reply = await client.chat("Hello")
    assert reply.text == GREETING
    assert reply.comments == ["queued", "ingesting"]
    assert not reply.problems
    assert all(line.startswith((":", "data: ")) for line in reply.lines)
    deltas = [event["choices"][0]["delta"] for event in reply.events[:-2]]
    assert len(deltas) >= 10
    assert deltas[0]["role"] == "assistant"
    assert all(delta.get("encrypted", False) is encrypted for delta in deltas)
    assert reply.events[-2]["choices"][0]["finish_reason"] == "stop"
    assert reply.events[-1]["choices"] == []
    assert reply.lines[-1] == "data: [DONE]"
    if encrypted:
        assert not any("Hello" in line for line in reply.lines)
        assert len(reply.events[0]["model"]) == 8
    else:
        assert reply.events[0]["model"] == "lumo-lite"


@both_ways
async def test_a_prompted_call_is_printed_as_it_was_asked_for(
    standin: Starter, encrypted: bool
) -> None:
    """One fenced block; the result, told in a user turn, ends in words."""
    running, client = await standin(encrypted=encrypted)
    sentence = {"role": "user", "content": PROMPT + USER_TURN["content"]}
    reply = await client.chat([sentence])
    assert reply.text == f"```json\n{OFF_TEXT}\n```"
    assert (reply.calls, reply.finish) == ([], "stop")
    reply = await client.chat(
        [
            sentence,
            {"role": "assistant", "content": reply.text},
            {"role": "user", "content": '```json\n{"output": {"success": true}}\n```'},
        ]
    )
    assert reply.text == DONE
    assert running.violations == []
    assert [record["finished"] for record in running.requests] == [True, True]
    assert running.requests[0]["messages"][0] == sentence
    assert running.requests[0]["encrypted"] is encrypted


@both_ways
async def test_a_native_call_and_its_follow_up(
    standin: Starter, encrypted: bool
) -> None:
    """Name in clear, arguments sealed as one text; `lumo_tool_call` and `tool` back."""
    running, client = await standin(encrypted=encrypted)
    reply = await client.chat([USER_TURN], tools=TOOLS, tool_choice="auto")
    assert (reply.text, reply.finish) == ("", "tool_calls")
    assert [(name, json.loads(text)) for name, text in reply.calls] == [
        ("HassTurnOff", OFF)
    ]
    raw = reply.events[0]["choices"][0]["delta"]["tool_calls"][0]
    assert raw["function"]["name"] == "HassTurnOff"
    assert ("Kitchen" in raw["function"]["arguments"]) is not encrypted
    reply = await client.chat([USER_TURN, CALL_TURN, RESULT_TURN], tools=TOOLS)
    assert reply.text == DONE
    assert running.violations == []


async def test_several_calls_and_words_come_in_one_answer(standin: Starter) -> None:
    """What the model says stands before its calls, which have an index each."""
    _, client = await standin()
    reply = await client.chat("Everything off", tools=TOOLS)
    assert reply.text == "Right away."
    assert [name for name, _ in reply.calls] == ["HassTurnOff", "HassTurnOff"]
    reply = await client.chat(PROMPT + "Everything off")
    assert reply.text.startswith("Right away.\n\n```json\n{")
    assert reply.text.count("```json") == 2


@given(st.text())
def test_pieces_joined_are_the_text(text: str) -> None:
    """No character is lost, whatever is said."""
    pieces = [step.text for step in in_pieces([Text(text)]) if isinstance(step, Text)]
    assert "".join(pieces) == text
    assert all(1 <= len(piece) <= 8 for piece in pieces)


KEY = bytes(range(32))
REQUEST_ID = "01234567-89ab-4cde-8f01-23456789abcd"


@pytest.mark.parametrize(
    ("sealed", "clear"),
    [
        (
            "AAECAwQFBgcICQoLE3ekdeWKrDv5KfKr2oAMDuuz6RScEjgUTEvF9XEMYcFkPo4eN1T19DWnJhBB0C5YZs9Ve5nM",
            "Turn on the kitchen light, please. ☕",
        ),
        ("DA0ODxAREhMUFRYXNTTq/uspAKoW8J/c9pIcxA==", ""),
        (
            "JCUmJygpKissLS4viK3Qq0AtOFpKxV9hZ+EjaFbjSd2HWmONRWfXAq7Z7uA=",
            '{"success":true}',
        ),
    ],
)
def test_turns_of_known_bytes_open(sealed: str, clear: str) -> None:
    """The vectors were computed apart from this code."""
    assert Channel(KEY, REQUEST_ID).open(sealed).decode() == clear


def test_a_chunk_of_an_answer_is_no_turn() -> None:
    """The direction is part of the authentication."""
    with pytest.raises(DecryptError):
        Channel(KEY, REQUEST_ID).open("MDEyMzQ1Njc4OTo74EBDpf4pY9lgo0A2ZOkOhyPnSO8=")


def _wrong_key(client: MiniClient) -> dict[str, Any]:
    body = client.body("Hello")
    client.key = os.urandom(32)
    return body | {"lumo": client.lumo()}


def _no_key(client: MiniClient) -> dict[str, Any]:
    body = client.body("Hello")
    body["lumo"] = {}
    return body


def _answer_direction(client: MiniClient) -> dict[str, Any]:
    body = client.body("Hello")
    body["messages"][0]["content"] = client.seal("Hello", "response.{}.chunk")
    return body


@pytest.mark.parametrize("make", [_wrong_key, _no_key, _answer_direction])
async def test_what_cannot_be_opened_is_refused(standin: Starter, make: Any) -> None:
    """With Proton's envelope."""
    _, client = await standin()
    reply = await client.post(make(client))
    assert (reply.status, reply.body["Code"]) == (422, 2001)
    assert isinstance(reply.body["Error"], str)


@pytest.mark.parametrize(
    ("messages", "tools", "violation"),
    [
        ([USER_TURN, CALL_TURN, RESULT_TURN], TOOLS, None),
        ([USER_TURN, RESULT_TURN], TOOLS, "without its call"),
        ([USER_TURN, CALL_TURN], TOOLS, "without its result"),
        ([USER_TURN, CALL_TURN, CALL_TURN, RESULT_TURN], TOOLS, "without its result"),
        ([USER_TURN, CALL_TURN, RESULT_TURN], [], "no function tool offered"),
        (
            [USER_TURN, {"role": "lumo_tool_call", "content": "x"}, RESULT_TURN],
            TOOLS,
            "without name and arguments",
        ),
        ([USER_TURN], [function_tool("user:HassTurnOff")], "is not made of"),
        ([USER_TURN], [TOOLS[0], TOOLS[0]], "offered twice"),
    ],
)
async def test_odd_follow_ups_are_answered_and_reported(
    standin: Starter, messages: list[Any], tools: list[Any], violation: str | None
) -> None:
    """The service says nothing, the stand-in remembers."""
    running, client = await standin()
    assert (await client.chat(messages, tools=tools)).status == 200
    if violation is None:
        assert running.violations == []
    else:
        assert any(violation in reported for reported in running.violations)


async def test_openai_clients_get_one_object(standin: Starter) -> None:
    """`stream` is off by default; messages and tool calls are OpenAI's."""
    running, client = await standin(encrypted=False)
    body: dict[str, Any] = {
        "model": "gpt",
        "messages": [{"role": "developer", "content": "Be kind."}, USER_TURN],
        "tools": TOOLS,
    }
    answer = (await client.post(body)).body
    assert answer["object"] == "chat.completion"
    assert answer["usage"]["total_tokens"] > answer["usage"]["completion_tokens"]
    choice = answer["choices"][0]
    assert (choice["finish_reason"], choice["message"]["content"]) == (
        "tool_calls",
        None,
    )
    call = choice["message"]["tool_calls"][0]
    assert json.loads(call["function"]["arguments"]) == OFF
    body["messages"] += [
        choice["message"],
        {"role": "tool", "tool_call_id": call["id"], "content": '{"success":true}'},
    ]
    answer = (await client.post(body)).body
    assert answer["choices"][0]["message"]["content"] == DONE
    assert answer["choices"][0]["finish_reason"] == "stop"
    roles = [message["role"] for message in running.requests[-1]["messages"]]
    assert roles == ["system", "user", "lumo_tool_call", "tool"]
    assert running.violations == []
