"""What the prompted form writes, as the detector reads it."""

from typing import Any

from hypothesis import given, strategies as st
import pytest

from custom_components.lumo.tool_calling.detection.pieces import DetectedCall, Piece
from custom_components.lumo.tool_calling.detection.reader import CallReader
from custom_components.lumo.tool_calling.naming import ToolNames
from custom_components.lumo.tool_calling.prompted import (
    ToolDefinition,
    bounce_text,
    build_instructions,
    call_text,
    result_text,
)

FULL_NAMES = ("intent__HassTurnOff", "homeassistant__GetLiveContext", "files.read all")
PREFIXES = ("user:", "", "home_")

_ARGUMENTS = st.dictionaries(
    st.text(max_size=8),
    st.recursive(
        st.none() | st.booleans() | st.integers(-(2**40), 2**40) | st.text(max_size=12),
        lambda inner: st.lists(inner, max_size=3),
        max_leaves=4,
    ),
    max_size=4,
)


def _pieces(names: ToolNames, text: str) -> list[Piece]:
    detector = CallReader(names)
    return [*detector.feed(text), *detector.finish()]


def _calls(names: ToolNames, text: str) -> list[tuple[str | None, dict[str, Any]]]:
    """Return the calls of a text, and prove that nothing else is broken in it."""
    pieces = [piece for piece in _pieces(names, text) if not isinstance(piece, str)]
    assert all(isinstance(piece, DetectedCall) for piece in pieces)
    return [
        (piece.tool, piece.arguments)
        for piece in pieces
        if isinstance(piece, DetectedCall)
    ]


@given(
    tool=st.sampled_from(FULL_NAMES),
    prefix=st.sampled_from(PREFIXES),
    arguments=_ARGUMENTS,
)
def test_model_that_copies_a_past_or_wanted_call_is_understood(
    tool: str, prefix: str, arguments: dict[str, Any]
) -> None:
    """Read back each call as it was written."""
    names = ToolNames(FULL_NAMES, prefix)
    for text in (
        call_text(names, tool, arguments),
        bounce_text(names, tool, arguments),
    ):
        assert _calls(names, text) == [(tool, arguments)]


@pytest.mark.parametrize("prefix", PREFIXES)
@pytest.mark.parametrize("error", [False, True])
@pytest.mark.parametrize(
    "data",
    [
        {"name": "{name}", "arguments": {"domain": ["lock"]}},
        [{"type": "function", "function": {"name": "{name}", "arguments": "{}"}}],
        {"tool": "{name}", "args": {}},
        '```\n```json\n{"name": "{name}", "arguments": {}}\n```',
        '<tool_call>{"name": "{name}", "arguments": {}}</tool_call>',
    ],
)
def test_model_that_copies_a_result_calls_nothing(
    prefix: str, error: bool, data: Any
) -> None:
    """Leave a result alone, whatever call-shaped content it has."""
    names = ToolNames(FULL_NAMES, prefix)

    def filled(value: Any) -> Any:
        if isinstance(value, str):
            return value.replace("{name}", names.prompted(FULL_NAMES[0]))
        if isinstance(value, list):
            return [filled(item) for item in value]
        if isinstance(value, dict):
            return {key: filled(item) for key, item in value.items()}
        return value

    text = result_text(names, FULL_NAMES[1], filled(data), error)
    assert "".join(map(str, _pieces(names, text))) == text


@pytest.mark.parametrize("prefix", PREFIXES)
def test_model_that_copies_the_instructions_calls_no_tool(prefix: str) -> None:
    """Find no tool of the home in the list of tools or in the example."""
    names = ToolNames(FULL_NAMES, prefix)
    tools = [
        ToolDefinition(
            name=full,
            description="Does something.",
            parameters={"type": "object", "properties": {"name": {"type": "string"}}},
        )
        for full in FULL_NAMES
    ]
    calls = _calls(names, build_instructions(tools, names, "Be kind."))
    assert [tool for tool, _ in calls if tool is not None] == []
