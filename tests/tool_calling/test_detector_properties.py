"""Properties of the detector, for any text and any cut."""

import json
import sys

from hypothesis import example, given, settings, strategies as st
import pytest

from custom_components.lumo.tool_calling.detection.pieces import DetectedCall
from custom_components.lumo.tool_calling.detection.reader import CallReader
from custom_components.lumo.tool_calling.naming import ToolNames

from .damage import Damaged, damaged_calls
from .forms import assert_nothing_lost, detect

NAMES = ToolNames(["assist__intent__HassTurnOff", "HassTurnOn", "light.turn_off"])

# What calls, wrappings and their look-alikes are made of.
_PARTS = st.sampled_from(
    [
        *"{}[]\"'`~<>|:,;\\/#\n .$(",
        *(
            "``",
            "```",
            "````",
            "~~~",
            "\n\n",
            "\r\n",
            "json",
            "python",
            "text",
            "x" * 30,
        ),
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
        *(
            "true",
            "None",
            "12",
            "-1.5e3",
            "// c\n",
            "# x\n",
            "/*",
            "*/",
            "> ",
            "| ",
            "- ",
        ),
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
# Neither with these does anything begin, nor with the letters of `user:` and `Hass`, nor
# with those of the words of templates.
PLAIN = st.text(st.characters(exclude_characters="`~<{[]&✿◁uHfatc", codec="utf-8"))
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


@given(st.lists(PLAIN, max_size=20))
def test_plain_text_is_let_go_with_every_chunk(chunks: list[str]) -> None:
    """Text in which nothing can begin is let go completely with every chunk."""
    detector = CallReader(NAMES)
    for chunk in chunks:
        assert detector.feed(chunk) == ([chunk] if chunk else [])
    assert detector.finish() == []


@given(ARGUMENTS, st.sampled_from(["\n", " ", "```json\n", "<tool_call>"]), CUTS)
def test_any_arguments_come_back(
    arguments: dict[str, object], before: str, sizes: list[int]
) -> None:
    """Whatever the arguments are, they come back as they were written."""
    text = before + json.dumps({"name": "HassTurnOn", "arguments": arguments})
    pieces = detect(cut(text, sizes), NAMES)
    calls = [piece for piece in pieces if isinstance(piece, DetectedCall)]
    assert [call.arguments for call in calls] == [arguments]


@given(ARGUMENTS, st.data())
def test_a_cut_never_makes_another_call(
    arguments: dict[str, object], data: st.DataObject
) -> None:
    """Wherever a call is cut, it is that call or none."""
    text = json.dumps({"name": "HassTurnOn", "arguments": arguments})
    end = data.draw(st.integers(0, len(text)))
    pieces = detect([text[:end]], NAMES)
    calls = [piece for piece in pieces if isinstance(piece, DetectedCall)]
    assert [call.arguments for call in calls] in ([], [arguments])


@pytest.mark.long
@pytest.mark.timeout(3600)
@settings(max_examples=100_000)
@given(TEXTS, CUTS)
def test_the_result_does_not_depend_on_the_cuts_at_length(
    text: str, sizes: list[int]
) -> None:
    """Any text gives the same pieces however it is cut; nothing is lost or doubled."""
    check_cuts(text, sizes)


@pytest.mark.long
@pytest.mark.timeout(3600)
@settings(max_examples=100_000)
@given(st.text(), CUTS)
def test_any_text_is_taken_at_length(text: str, sizes: list[int]) -> None:
    """Arbitrary text never raises."""
    check_cuts(text, sizes)


CALL_AND = '{"name": "HassTurnOn", "arguments": {}} and '


def test_the_cost_is_linear() -> None:
    """No step is done more often than the text is long, whatever the text is."""
    for text in (
        "{" * 5_000,
        '{"a":' * 1_000,
        "[" * 5_000,
        "`" * 5_000,
        "`a` " * 1_000,
        "<" * 5_000,
        "<tool_call>" * 1_000,
        "```json\n" * 1_000,
        "```json\n" + "x" * 5_000,
        '{"name": "HassTurnOff", "arguments": {x ' + "{" * 5_000,
        '{"name": "HassTurnOn", "arguments": {"a": "' + "\\n" * 5_000 + '"}}',
        '{"name": "HassTurnOn", "arguments": {}}' + "\n" * 5_000,
        "[" + '{"name": "HassTurnOn", "arguments": {}},' * 1_000,
        "<function=HassTurnOn>" + "<parameter=a>" * 1_000,
        "HassTurnOff(" * 1_000,
        "HassTurnOff " * 1_000,
        "HassTurnOff" * 1_000,
        "user:" * 1_000,
        "Tool: HassTurnOff" + " " * 5_000,
        "Tool: HassTurnOff" + "\n" * 5_000,
        "HassTurnOff" + "<|x|>" * 1_000,
        "<tool_call>" + "call " * 1_000,
        "HassTurnOff(a='" + "x" * 5_000,
        "<think>" * 1_000,
        "```json\nx\n" + "{x\n" * 1_000,
        CALL_AND + "a: " * 1_000,
    ):
        assert steps(text) < 120 * len(text)


def steps(text: str) -> int:
    """Return how many calls of Python functions a text in chunks takes."""
    count = 0

    def on_call(*_args: object) -> None:
        nonlocal count
        count += 1

    tool = sys.monitoring.PROFILER_ID
    events = sys.monitoring.events
    sys.monitoring.use_tool_id(tool, "steps")
    try:
        sys.monitoring.register_callback(tool, events.PY_START, on_call)
        sys.monitoring.set_events(tool, events.PY_START)
        detect([text[start : start + 16] for start in range(0, len(text), 16)], NAMES)
    finally:
        sys.monitoring.set_events(tool, 0)
        sys.monitoring.free_tool_id(tool)
    return count


def check_damaged(damaged: Damaged) -> None:
    """Fail if a call runs with less, or with something else, than was written."""
    for piece in detect([damaged.text], NAMES):
        if isinstance(piece, DetectedCall):
            lacking = damaged.is_less(piece.arguments)
            assert lacking is None, f"{lacking}: {damaged.text}"


@given(damaged_calls())
@settings(max_examples=150)
def test_a_damaged_call_never_runs_with_less(damaged: Damaged) -> None:
    """Either nothing runs, or everything that was not touched is there."""
    check_damaged(damaged)


@pytest.mark.long
@pytest.mark.timeout(3600)
@given(damaged_calls())
@settings(max_examples=100_000)
def test_a_damaged_call_never_runs_with_less_at_length(damaged: Damaged) -> None:
    """Either nothing runs, or everything that was not touched is there."""
    check_damaged(damaged)
