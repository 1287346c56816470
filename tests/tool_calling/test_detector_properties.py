"""Properties of the detector, for any text and any cut."""

import json

from hypothesis import example, given, settings, strategies as st
import pytest

from custom_components.lumo.tool_calling.detection.pieces import DetectedCall
from custom_components.lumo.tool_calling.naming import ToolNames

from .damage import Damaged, damaged_calls
from .forms import assert_nothing_lost, detect

NAMES = ToolNames(["assist__intent__HassTurnOff", "HassTurnOn", "light.turn_off"])

# What calls, wrappings and their look-alikes are made of.
_PARTS = st.sampled_from(
    [
        *"{}[]\"'`~<>|:,;\\/#\n .$(",
        *("``", "```", "````", "~~~", "\n\n", "\r\n", "json", "python", "x" * 30),
        *("name", "HassTurnOff", "user:HassTurnOn", "arguments", "function", "type"),
        *("“", "”", "‘", "’", "\ufeff", "\u200b", '\\"', "\\n", "\\u00e9", "\\ud83d"),
        *("<tool_call>", "</tool_call>", "<function=HassTurnOff>", "</function>"),
        *(
            "<parameter=area>",
            "</parameter>",
            "[TOOL_CALLS]",
            "[/TOOL_CALLS]",
            "[ARGS]",
        ),
        *("true", "None", "12", "-1.5e3", "// c\n", "# x\n", "/*", "*/", "> ", "| "),
        '{"name": "HassTurnOff", "arguments": {"area": "Kitchen"}}',
        '{"name": "HassTurnOff", "arguments": {',
        '"area": "Kit',
        '{"name": "Bob", "parameters": {}}',
        "{'name': 'HassTurnOn', 'arguments': {}}",
        '{\\"name\\": \\"HassTurnOff\\"}',
        "```json\n",
        "\n```\n",
        *('HassTurnOn(area="K")', "HassTurnOff(", "HassTurnOff\n", "Hass", "us"),
        *("Arguments: ", "tool: ", "print(", "default_api.", ".call(", "a=1, ", ")"),
        *("<|channel|>", "<|tool_call>call:", "<HassTurnOn", "<think>", "</think>"),
    ]
)
TEXTS = st.lists(_PARTS | st.text(max_size=4), max_size=25).map("".join)
CUTS = st.lists(st.integers(1, 12), min_size=1, max_size=40)
ARGUMENTS = st.dictionaries(
    st.text(max_size=8),
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(st.text(max_size=4), inner, max_size=3)
        ),
        max_leaves=6,
    ),
    max_size=4,
)


def cut(text: str, sizes: list[int]) -> list[str]:
    """Return a text cut into chunks of these sizes, again and again."""
    chunks = []
    position = turn = 0
    while position < len(text):
        size = sizes[turn % len(sizes)]
        chunks.append(text[position : position + size])
        position += size
        turn += 1
    return chunks


def check_cuts(text: str, sizes: list[int]) -> None:
    """Fail unless a text gives the same pieces whole, cut, and in characters."""
    pieces = detect([text], NAMES)
    assert detect(cut(text, sizes), NAMES) == pieces
    assert detect(list(text), NAMES) == pieces
    assert_nothing_lost(text, pieces)


@given(TEXTS, CUTS)
@example("{'er=area>type]" + "x" * 80 + "{{", [7])
@example('{"name": "HassTurnOff", "arguments": {text“true\n```~~~', [1])
@example("[{'name': 'HassTurnOn', 'arguments': {}}/{", [1])
@example('{HassTurnOn(area="K")', [1])
@example("user:HassTurnOn~~~{", [1])
@example('{"a: "x__HassTurnOff", "action_input": {"a": 1}}', [2])
@example("```\n{n\n{name: 'HassTurnOn', arguments: {", [3])
@example('~~~json\n[{"x": {}}, {"y": "z__HassTurnOff", "args": {}}]\n~~~', [1])
@example('<|tool_call>call:\\u00e9Arguments: HassTurnOn(area="K")', [2])
def test_the_result_does_not_depend_on_the_cuts(text: str, sizes: list[int]) -> None:
    """Any text gives the same pieces however it is cut; nothing is lost or doubled."""
    check_cuts(text, sizes)


@given(ARGUMENTS, st.sampled_from(["\n", " ", "```json\n", "<tool_call>"]), CUTS)
def test_any_arguments_come_back(
    arguments: dict[str, object], before: str, sizes: list[int]
) -> None:
    text = before + json.dumps({"name": "HassTurnOn", "arguments": arguments})
    pieces = detect(cut(text, sizes), NAMES)
    calls = [piece for piece in pieces if isinstance(piece, DetectedCall)]
    assert [call.arguments for call in calls] == [arguments]


@pytest.mark.long
@pytest.mark.timeout(3600)
@settings(max_examples=25_000)
@given(TEXTS | st.text(), CUTS)
def test_the_result_does_not_depend_on_the_cuts_at_length(
    text: str, sizes: list[int]
) -> None:
    """The same, with more texts."""
    check_cuts(text, sizes)


def check_damaged(damaged: Damaged) -> None:
    """Fail if a call runs with less, or with something else, than was written."""
    for piece in detect([damaged.text], NAMES):
        if isinstance(piece, DetectedCall):
            lacking = damaged.is_less(piece.arguments)
            assert lacking is None, f"{lacking}: {damaged.text}"


@given(damaged_calls())
@settings(max_examples=150)
def test_a_damaged_call_never_runs_with_less(damaged: Damaged) -> None:
    check_damaged(damaged)


@pytest.mark.long
@pytest.mark.timeout(3600)
@given(damaged_calls())
@settings(max_examples=25_000)
def test_a_damaged_call_never_runs_with_less_at_length(damaged: Damaged) -> None:
    check_damaged(damaged)
