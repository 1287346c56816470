"""Bytes to events, however the network cuts them."""

from collections.abc import Callable, Iterable
from itertools import chain, pairwise
import json
import logging
from typing import Any

from hypothesis import given, strategies as st
import pytest

from custom_components.lumo.lumo_client import stream, tool_calls
from custom_components.lumo.lumo_client.encryption import RequestCipher
from custom_components.lumo.lumo_client.errors import (
    IntegrityError,
    LumoError,
    ProtocolError,
)
from custom_components.lumo.lumo_client.events import (
    End,
    Event,
    FunctionCall,
    FunctionCallBegun,
    TextDelta,
)
from custom_components.lumo.lumo_client.stream import StreamParser
from tests import sampling

from .streams import EXAMPLES, KEY, REQUEST_ID, Example, delta, lines, sealed, token

CIPHER = RequestCipher(KEY, REQUEST_ID, b"")


def parse(
    pieces: Iterable[bytes], *, encrypted: bool = True
) -> tuple[list[Event], type[LumoError] | None]:
    """Return the events of a stream and the error after them.

    Where calls begin is left out: it is tested by itself.
    """
    events, error = parse_all(pieces, encrypted=encrypted)
    return [
        event for event in events if not isinstance(event, FunctionCallBegun)
    ], error


def parse_all(
    pieces: Iterable[bytes], *, encrypted: bool = True
) -> tuple[list[Event], type[LumoError] | None]:
    """Return the events of a stream and the error after them."""
    parser = StreamParser(CIPHER.decrypt if encrypted else None)
    events: list[Event] = []
    try:
        events.extend(chain(*map(parser.feed, pieces), parser.finish()))
    except LumoError as err:
        return events, type(err)
    assert parser.ended
    assert [*parser.feed(b"{}\n"), *parser.finish()] == []
    return events, None


@pytest.mark.parametrize("example", EXAMPLES.values(), ids=EXAMPLES)
def test_a_stream_holds_its_events_and_error(example: Example) -> None:
    data, events, error = example
    assert parse([data]) == (events, error)
    assert parse(bytes([byte]) for byte in data) == (events, error)
    for cut in range(0, len(data) + 1, sampling.one_in):
        assert parse((data[:cut], data[cut:])) == (events, error), cut
    for end in (b"\r\n", b"\r"):
        ended = end.join(data.split(b"\n"))
        assert parse([ended]) == (events, error)
        assert parse(bytes([byte]) for byte in ended) == (events, error)


@given(st.sampled_from(sorted(EXAMPLES)), st.lists(st.integers(0, 2000), max_size=12))
def test_cut_into_any_pieces_it_holds_the_same(name: str, cuts: list[int]) -> None:
    """Some cuts at once, empty pieces included."""
    data, events, error = EXAMPLES[name]
    edges = [0, *sorted(min(cut, len(data)) for cut in cuts), len(data)]
    assert parse([data[a:b] for a, b in pairwise(edges)]) == (events, error)


@given(st.lists(st.text(), max_size=20), st.booleans())
def test_text_arrives_whole_and_in_order(texts: list[str], encrypt: bool) -> None:
    """Nothing lost, doubled or changed, encrypted or not."""
    values = [
        delta(content=sealed(text) if encrypt and text else text, encrypted=encrypt)
        for text in texts
    ]
    events, error = parse([lines(*values)])
    assert error is None
    got = [event.text for event in events if isinstance(event, TextDelta)]
    assert "".join(got) == "".join(texts)
    assert isinstance(events[-1], End)


@given(st.lists(st.binary(max_size=40), max_size=10))
def test_characters_cut_inside_the_encryption_are_whole_again(
    parts: list[bytes],
) -> None:
    """Pieces are bytes before they are text."""
    opened = {str(number): part for number, part in enumerate(parts)}
    parser = StreamParser(opened.__getitem__)
    values = [delta(content=name, encrypted=True) for name in opened]
    text = "".join(
        event.text
        for event in parser.feed(lines(*values))
        if isinstance(event, TextDelta)
    )
    assert text == b"".join(parts).decode(errors="replace")


NAMES = (
    "choices delta content encrypted target tool_calls function name arguments index id "
    "usage remaining_limits lite error code message finish_reason type object tool_call "
    "tool_result call_id image data Code Error Details reasoning model"
)
MEMBERS = st.sampled_from(NAMES.split())
JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=8)
    | st.sampled_from(
        ["message", "tool_call", "tool_result", "reasoning", "{", "stop"]
    ),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(MEMBERS, inner),
    max_leaves=12,
)
KINDS = st.sampled_from(
    [
        {},
        {"object": "chat.tool_call"},
        {"object": "chat.tool_result"},
        {"object": "lumo.image_data"},
        {"object": "error"},
        {"type": "token_data"},
        {"type": "image_data"},
        {"type": "tool-error"},
        {"Code": 9001},
        {"Code": 2028},
    ]
)


@given(st.lists(st.binary(max_size=60), max_size=10), st.booleans())
def test_any_bytes_raise_nothing_but_lumo_errors(
    pieces: list[bytes], encrypted: bool
) -> None:
    """The parser survives anything."""
    parse(pieces, encrypted=encrypted)


@given(
    st.lists(st.tuples(KINDS, st.dictionaries(MEMBERS, JSON, max_size=4)), max_size=6),
    st.booleans(),
)
def test_any_json_raises_nothing_but_lumo_errors(
    values: list[tuple[dict[str, Any], dict[str, Any]]], encrypted: bool
) -> None:
    """Known names with values of any type; and byte by byte it is the same."""
    data = b"".join(
        b"data: " + json.dumps({**value, **kind}).encode() + b"\n"
        for kind, value in values
    )
    whole = parse([data], encrypted=encrypted)
    assert repr(parse([bytes([byte]) for byte in data], encrypted=encrypted)) == repr(
        whole
    )


@pytest.mark.parametrize(
    "line",
    [
        b"data: " + b'{"a":' * 100_000,
        b"data: " + b"[" * 100_000,
        b'data: {"choices":' + b"[" * 5000 + b"]" * 5000 + b"}",
        b'data: {"choices":[{"delta":{"content":"a"}}],"n":' + b"9" * 5000 + b"}",
        b'data: {"usage":{"completion_tokens":1e999,"prompt_tokens":NaN}}',
        b'data: {"choices":[{"delta":{"content":"\xff\xfe"}}]}',
        b'{"type":"token_data","target":"tool_call","content":"'
        + b"[" * 100_000
        + b'"}',
    ],
    ids=lambda line: line[:20],
)
def test_hostile_lines_do_no_harm(line: bytes) -> None:
    """Nested too deeply, numbers too large, bytes that are no text."""
    _, error = parse([line + b"\ndata: [DONE]\n"])
    assert error is None


def test_an_encrypted_answer_to_a_plain_request_is_refused() -> None:
    """It cannot have been meant for us."""
    for value in (
        delta(content=sealed("a"), encrypted=True),
        token("tool_call", sealed("{}"), encrypted=True),
    ):
        assert parse([lines(value)], encrypted=False) == ([], IntegrityError)


def test_a_line_without_end_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server cannot fill the memory; what came before is not lost."""
    monkeypatch.setattr(stream, "MAX_LINE_BYTES", 1000)
    long = lines(delta(content="a"), delta(content="b" * 2000))
    for size in (1, 7, 5000):
        pieces = [long[i : i + size] for i in range(0, len(long), size)]
        assert parse(pieces) == ([TextDelta("a")], ProtocolError)


def test_where_a_call_begins_is_told_at_once() -> None:
    """The call itself waits for the end: what is said in between comes before it."""
    first = {"index": 0, "id": "a", "function": {"name": "On", "arguments": '{"a":'}}
    nameless = {"index": 1, "function": {"arguments": "{}"}}
    rest = {"index": 0, "function": {"arguments": "1}"}}
    late = {"index": 1, "id": "b", "function": {"name": "Off"}}
    data = lines(
        delta(content="Sure."),
        delta(tool_calls=[first, nameless]),
        delta(content="Sorry."),
        delta(tool_calls=[rest, late]),
    )
    assert parse_all([data]) == (
        [
            TextDelta("Sure."),
            FunctionCallBegun("On"),
            TextDelta("Sorry."),
            FunctionCallBegun("Off"),
            FunctionCall("a", "On", {"a": 1}, '{"a":1}'),
            FunctionCall("b", "Off", {}, "{}"),
            End(None),
        ],
        None,
    )


@pytest.mark.parametrize("number", [tool_calls._MAX_CALLS, tool_calls._MAX_CALLS + 2])
@pytest.mark.parametrize(
    "written",
    [
        lambda number: [token("tool_call", "{}" * number), token("message", "a")],
        lambda number: [token("tool_result", "{}" * number), token("message", "a")],
    ],
)
def test_what_comes_at_once_is_bounded(
    written: Callable[[int], list[dict[str, Any]]], number: int
) -> None:
    """A line may be long; what is made of it must not keep the event loop."""
    _, error = parse([lines(*written(number))], encrypted=False)
    assert (error is ProtocolError) == (number > tool_calls._MAX_CALLS), error


def test_nothing_of_an_answer_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    """Unknown events leave their keys only, broken lines their length."""
    caplog.set_level(logging.DEBUG)
    parse(
        [
            lines(
                {"news": "secret"},
                "data: {secret\n",
                delta(content="secret", target="odd"),
                {"object": "lumo.image_data", "image": {"id": "secret", "data": "s"}},
            )
        ]
    )
    assert len(caplog.records) == 3
    assert "secret" not in caplog.text
    assert "news" in caplog.text
