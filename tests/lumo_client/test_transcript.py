"""Segments replace, deltas append, and nothing that came unencrypted is believed."""

from contextlib import suppress
import json
from typing import Any

from hypothesis import given, strategies as st
import pytest

from custom_components.lumo.lumo_client.errors import (
    AnswerTooLongError,
    IntegrityError,
    LumoError,
    ProtocolError,
    ServerError,
)
from custom_components.lumo.lumo_client.realtime import Transcript

DELTA = "conversation.item.input_audio_transcription.delta"


def opened(sealed: str) -> bytes:
    """Decrypt, where the seal is hexadecimal."""
    return bytes.fromhex(sealed)


def seal(text: str | bytes) -> dict[str, Any]:
    data = text.encode() if isinstance(text, str) else text
    return {"text": data.hex(), "encrypted": True}


def segment(number: object, text: str, *, is_final: bool = False) -> dict[str, Any]:
    kind = {"type": "transcription.segment", "segment_id": number}
    return kind | {"is_final": is_final} | seal(text)


def delta(text: str | bytes) -> dict[str, Any]:
    return {"type": DELTA, "delta": seal(text)}


def heard(*messages: object) -> Transcript:
    transcript = Transcript(opened)
    for message in messages:
        transcript.take(json.dumps(message))
    return transcript


@pytest.mark.parametrize(
    ("messages", "text"),
    [
        ([], ""),
        ([segment(0, "Turn"), segment(0, "Turn on")], "Turn on"),
        ([segment(0, "a"), segment(1, "b"), segment(0, "c")], "c b"),
        ([segment(0, "whole", is_final=True), segment(0, "wh")], "whole"),
        ([segment(10, "last"), segment(9, "first")], "first last"),
        ([segment("10", "last"), segment("9", "first")], "first last"),
        ([segment(2, "last"), segment("1", "a"), segment(1, "first")], "first last"),
        ([segment("9" * 5000, "last"), segment("1", "first")], "first last"),
        ([segment("seg-b", "first"), segment("seg-a", "last")], "first last"),
        ([segment(0, " a "), segment(1, ""), segment(2, "b")], "a b"),
        ([segment(0, "gone"), segment(0, "")], ""),
        ([delta("Turn"), delta(" on")], "Turn on"),
        ([delta("Gr\u00f6".encode()[:3]), delta("Gr\u00f6".encode()[3:])], "Gr\u00f6"),
        ([delta("Turn on"), segment(0, "Turn on")], "Turn on"),
        ([segment(0, "Turn on"), delta("Turn on")], "Turn on"),
        ([segment(0, ""), delta("Turn on")], "Turn on"),
        ([{"type": "session.created"}, {"type": "x", "delta": 1}], ""),
    ],
)
def test_the_text_is_put_together(messages: list[Any], text: str) -> None:
    assert heard(*messages).text == text


def test_it_is_known_what_may_change() -> None:
    begun = [segment(0, "a", is_final=True), segment(1, "b")]
    ended = [*begun, segment(1, "c", is_final=True)]
    told = [(heard(*said).is_open, heard(*said).is_final) for said in (begun, ended)]
    assert told == [(True, False), (False, True)]
    appended = heard(delta("a"))
    assert (appended.is_open, appended.is_final) == (False, False)


@pytest.mark.parametrize(
    ("message", "error"),
    [
        (
            {"type": "transcription.segment", "segment_id": 0, "text": "a"},
            IntegrityError,
        ),
        ({"type": DELTA, "delta": {"text": "a", "encrypted": False}}, IntegrityError),
        ({"type": DELTA, "delta": "a"}, ProtocolError),
        ({"type": DELTA}, ProtocolError),
        ({"type": "transcription.segment", "text": ""}, ProtocolError),
        ({"type": "transcription.segment", "segment_id": 1}, ProtocolError),
        ({"type": "error"}, ServerError),
        ({"type": "error", "message": "No."}, ServerError),
        ({"type": "error", "error": {"message": "No."}}, ServerError),
        ({"kind": "error"}, ProtocolError),
        (["type"], ProtocolError),
        (segment(0, "a" * 10_001), AnswerTooLongError),
    ],
)
def test_what_cannot_be_believed_is_an_error(
    message: object, error: type[LumoError]
) -> None:
    with pytest.raises(error) as caught:
        heard(message)
    assert "No." not in str(caught.value)


@pytest.mark.parametrize("form", ["message", "error"])
def test_an_idle_end_is_no_error(form: str) -> None:
    said = "Closed due to Inactivity"
    transcript = heard(
        {"type": "error", form: said if form == "message" else {"message": said}}
    )
    assert transcript.is_idle


@given(st.text(), st.data())
def test_deltas_cut_anywhere_are_the_text(text: str, data: st.DataObject) -> None:
    whole = text.encode()
    cuts = sorted(data.draw(st.lists(st.integers(0, len(whole)))))
    pieces = [whole[a:b] for a, b in zip([0, *cuts], [*cuts, len(whole)], strict=True)]
    assert heard(*map(delta, pieces)).text == text.strip()


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)
MEMBERS = ["type", "segment_id", "text", "encrypted", "is_final", "delta", "message"]
VALUES = JSON | st.sampled_from(["transcription.segment", DELTA, "error", True])
MESSAGES = st.dictionaries(st.sampled_from(MEMBERS), VALUES)


@given(MESSAGES.map(json.dumps) | st.text() | st.binary())
def test_any_message_is_taken_or_refused(message: bytes | str) -> None:
    transcript = Transcript(lambda _sealed: b"")
    with suppress(LumoError):
        transcript.take(message)
    assert transcript.text == ""
