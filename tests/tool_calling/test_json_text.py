"""Values as JSON text in a prompt."""

from datetime import date, datetime, time
from enum import Enum, StrEnum
import json
import math
from pathlib import Path
from types import MappingProxyType
from typing import Any

from hypothesis import given, strategies as st
import pytest

from custom_components.lumo.tool_calling.json_text import bounded, one_line, plain

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**40), 2**40) | st.text(max_size=40),
    lambda inner: (
        st.lists(inner, max_size=6) | st.dictionaries(st.text(max_size=10), inner)
    ),
    max_leaves=30,
)


class _Color(StrEnum):
    RED = "red"


class _Level(Enum):
    HIGH = (1, 2)


@pytest.mark.parametrize(
    ("value", "result"),
    [
        (None, None),
        (True, True),
        (2**70, 2**70),
        (math.nan, None),
        ({"a": [math.inf]}, {"a": [None]}),
        (1.5, 1.5),
        ("a\ud800b", "a?b"),
        (_Color.RED, "red"),
        (_Level.HIGH, [1, 2]),
        ((1, 2), [1, 2]),
        (MappingProxyType({"a": 1, 2: "b", (): "c"}), {"a": 1, "2": "b"}),
        ([Path("a"), 1], ["a", 1]),
        ({"a"}, ["a"]),
        (datetime(2026, 1, 2, 3, 4), "2026-01-02T03:04:00"),
        (date(2026, 1, 2), "2026-01-02"),
        (time(3, 4), "03:04:00"),
        (object, str(object)),
    ],
)
def test_plain_value(value: object, result: object) -> None:
    """Turn a value into JSON's own types."""
    assert plain(value) == result


def test_cyclic_value_has_a_text() -> None:
    value: list[Any] = [1]
    value.append(value)
    assert plain(value) == "[1, [...]]"


@given(value=JSON)
def test_text_is_one_line_without_fences_and_reads_back(value: Any) -> None:
    """Write any value so that no reader of lines or fences is misled."""
    text = one_line(value)
    assert json.loads(text) == value
    assert len(text.splitlines()) == 1
    assert "```" not in text
    text.encode()


@pytest.mark.parametrize("value", ["```", "a\\```b", "\u2028", "`````\n~~~", "\x85"])
def test_what_could_end_a_line_or_fence_is_escaped(value: str) -> None:
    """Read back what is written with escapes."""
    text = one_line([value])
    assert json.loads(text) == [value]
    assert len(text.splitlines()) == 1
    assert "```" not in text


@pytest.mark.parametrize(
    ("value", "limit", "result"),
    [
        pytest.param({"a": [1, 2]}, 100, {"a": [1, 2]}, id="fits"),
        pytest.param(
            [{"n": i} for i in range(100)],
            100,
            [*({"n": i} for i in range(6)), "… 94 more"],
            id="items of a list",
        ),
        pytest.param(
            "\n".join(f"- line {i}" for i in range(100)),
            100,
            "\n".join(f"- line {i}" for i in range(6)) + "… 936 more characters",
            id="lines of a text",
        ),
        pytest.param(
            "word " * 100,
            100,
            "word " * 12 + "word… 436 more characters",
            id="words of a text",
        ),
        pytest.param(
            {"long": "x" * 1000, "short": "kept", "list": [1, 2]},
            200,
            {
                "long": "x" * 91 + "… 909 more characters",
                "short": "kept",
                "list": [1, 2],
            },
            id="the long members of an object",
        ),
        pytest.param(
            {f"key{i}": i for i in range(100)},
            100,
            {**{f"key{i}": i for i in range(6)}, "…": "94 more"},
            id="members of an object",
        ),
        pytest.param(
            [["x" * 500]],
            200,
            [["x" * 98 + "… 402 more characters"]],
            id="one item larger than everything",
        ),
    ],
)
def test_long_value_is_cut_between_its_parts(
    value: Any, limit: int, result: Any
) -> None:
    """Keep the beginning whole and say how much is missing."""
    assert bounded(value, limit) == result


@given(value=JSON, limit=st.integers(100, 400))
def test_bounded_value_keeps_its_bound(value: Any, limit: int) -> None:
    assert len(one_line(bounded(value, limit))) <= limit
