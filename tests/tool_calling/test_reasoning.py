"""Reasoning at the start of an answer is neither spoken nor run."""

import pytest

from custom_components.lumo.tool_calling.detection.pieces import Piece, Reasoning
from custom_components.lumo.tool_calling.detection.reader import CallReader
from custom_components.lumo.tool_calling.naming import ToolNames

from .forms import assert_nothing_lost, calls_of, cut, detect, text_of

NAMES = ToolNames(["HassTurnOff"])
CALL = '{"name": "HassTurnOff", "arguments": {"area": "Kitchen"}}'


def look(text: str) -> list[Piece]:
    """Return the pieces of a text, the same at every chunking."""
    pieces = detect([text], NAMES)
    for size in (1, 4, 7):
        assert detect(cut(text, size), NAMES) == pieces
    assert_nothing_lost(text, pieces)
    return pieces


@pytest.mark.parametrize(
    ("begin", "end"),
    [
        ("<think>", "</think>"),
        ("\n<Think>\n", "\n</Think>\n\n"),
        ("<thinking>", "</thinking>"),
        ("<reasoning>", "</reasoning>"),
        ("[THINK]", "[/THINK]"),
        ("◁think▷", "◁/think▷"),
        ("<|begin_of_thought|>", "<|end_of_thought|>"),
        (
            "<|channel|>analysis<|message|>",
            "<|end|><|start|>assistant<|channel|>final<|message|>",
        ),
        ("<think></think><think>", "</think>"),
        ("</think>\n<think>", "</think>"),
        ("\ufeff<think>", "</think>"),
        ("<|thinking|>", "<|/thinking|>"),
    ],
)
def test_reasoning_is_not_said(begin: str, end: str) -> None:
    """Whatever it is written between, and whatever it holds."""
    pieces = look(f"{begin}I could call {CALL} or `HassTurnOff()`.{end}It is off.")
    assert calls_of(pieces) == []
    assert text_of(pieces).strip("\ufeff\n") == "It is off."
    thoughts = "".join(p.text for p in pieces if isinstance(p, Reasoning))
    assert thoughts.strip() == f"I could call {CALL} or `HassTurnOff()`."
    assert len(calls_of(look(f"{begin}Hm.{end}\n{CALL}"))) == 1


@pytest.mark.parametrize(
    "text", ["<think>", f"<think>\n{CALL}", "<think>a</thin", "<think>\n"]
)
def test_reasoning_that_is_not_closed_is_all(text: str) -> None:
    """Nothing is said, and nothing runs."""
    assert all(isinstance(piece, Reasoning) for piece in look(text))


@pytest.mark.parametrize(
    "text",
    ['I said "<think>" so', "<thinker>x", "<thi", "[THIN", "<b>x</b>", "[x]", ""],
)
def test_other_text_stays(text: str) -> None:
    """Only these words, and not where they are quoted."""
    assert look(text) == ([text] if text else [])


def test_the_start_is_let_go_when_it_cannot_be_reasoning() -> None:
    """Nothing is held for longer than it takes."""
    detector = CallReader(NAMES)
    assert detector.feed(" \n") == [" \n"]
    assert detector.feed("T") == ["T"]


def test_a_definition_may_be_a_dict() -> None:
    """Python's word for an object."""
    text = (
        '{"name": "HassTurnOff", "parameters": {"type": "dict", "properties": '
        '{"area": {"type": "string"}}}}'
    )
    assert look(text) == [text]


def test_forms_are_text_where_somebody_asked_what_they_look_like() -> None:
    """Then only JSON is a call."""
    text = 'Like this: HassTurnOff(area="Kitchen")'
    detector = CallReader(NAMES, json_only=True)
    assert text_of(detector.feed(text) + detector.finish()) == text
