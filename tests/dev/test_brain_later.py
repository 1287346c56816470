"""What the stand-in's model plans, in English and German."""

from typing import Any

import pytest

from dev.brain import Call
from dev.brain.later import say_later

from .brain_demo import (
    BRAIN,
    TOOLS,
    call_turn,
    calls_for,
    result_turn,
    tool,
    user,
    wrapped,
)

_TEXT = {"type": "string"}
LATER = tool(
    "later",
    {
        "tool": _TEXT,
        "arguments": {"type": "object"},
        **dict.fromkeys(("say", "at", "entity", "becomes", "cancel"), _TEXT),
    },
)
_OFF = "HassTurnOff"
# Sentence, what is called, what `later` is given beside.
ROWS: list[tuple[str, str, dict[str, Any]]] = [
    ("Turn off the kitchen light in ten minutes", _OFF, {"at": "in 10 minutes"}),
    ("Turn off the kitchen light in an hour", _OFF, {"at": "in 1 hours"}),
    ("In half an hour turn off the kitchen light", _OFF, {"at": "in 0.5 hours"}),
    ("Turn on the kitchen light at seven tomorrow", "HassTurnOn", {"at": "tomorrow 07:00"}),
    ("Turn off the kitchen light at 10 pm", _OFF, {"at": "22:00"}),
    ("When the front door is locked, turn off the kitchen light", _OFF, {"becomes": "locked"}),
    ("Remind me to call Anna in 20 minutes", "", {"say": "Call Anna.", "at": "in 20 minutes"}),
    ("What is planned?", "", {}),
    ("Cancel that", "", {"cancel": "last"}),
    ("Mach das Küchenlicht in zehn Minuten aus", _OFF, {"at": "in 10 minutes"}),
    ("Schalte um sieben das Küchenlicht ein", "HassTurnOn", {"at": "07:00"}),
    ("Sobald die Haustür abgeschlossen ist, sag mir Bescheid", "", {"becomes": "locked"}),
    ("Was ist geplant?", "", {}),
    ("Brich das ab", "", {"cancel": "last"}),
]  # fmt: skip


@pytest.mark.parametrize(("sentence", "inner", "given"), ROWS)
def test_a_sentence_becomes_a_plan(
    sentence: str, inner: str, given: dict[str, Any]
) -> None:
    """Where the tool is offered, and only there."""
    [(called, arguments)] = calls_for(sentence, tools=[*TOOLS, LATER])
    assert called == "later"
    assert arguments.get("tool", "").removeprefix("user:") == inner
    assert arguments == arguments | given
    assert "later" not in dict(calls_for(sentence))


def test_another_time_is_planned_anew() -> None:
    """The plan of before is cancelled, and the same planned for the new time."""
    before = "Turn off the kitchen light in ten minutes"
    wrapped_before = wrapped(before, tools=[*TOOLS, LATER])
    [planned] = BRAIN.answer([user(wrapped_before)])
    assert isinstance(planned, Call)
    turns = [user(wrapped_before), call_turn(planned), result_turn(planned, {})]
    turns += [user("Make that twenty minutes")]
    cancelled, anew = BRAIN.answer(turns)
    assert isinstance(cancelled, Call) and isinstance(anew, Call)
    assert cancelled.arguments == {"cancel": "last"}
    assert anew.arguments == {**planned.arguments, "at": "in 20 minutes"}


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ({"planned": {"id": "1", "does": ["turn_off Lamp"], "at": "today"}}, "Planned: turn_off Lamp, today."),
        ({"plans": []}, "Nothing is planned."),
        ({"cancelled": [{"id": "1", "say": "Cake", "at": "today"}]}, "Cancelled: Cake, today."),
        ({"cancelled": "what was planned"}, "Cancelled: what was planned."),
    ],
)  # fmt: skip
def test_what_was_planned_is_said(data: dict[str, Any], said: str) -> None:
    """As the tool tells it."""
    assert say_later(data, "en") == said
