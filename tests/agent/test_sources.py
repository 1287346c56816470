"""The pages that Proton's own tools have found."""

import json
from typing import Any

from hypothesis import given, strategies as st
import pytest

from custom_components.lumo.agent.proton_channel import read_sources

PAGE = {"title": "A  page\n", "url": "https://example.invalid/a", "description": "D"}


@pytest.mark.parametrize(
    ("result", "found"),
    [
        ({"results": [PAGE]}, {"https://example.invalid/a": "A page"}),
        ([PAGE, PAGE], {"https://example.invalid/a": "A page"}),
        ({"deep": {"er": [PAGE | {"title": None}]}}, {"https://example.invalid/a": ""}),
        (
            [{"url": "https://b.invalid"}, {"url": "http://a.invalid", "title": 3}],
            {"https://b.invalid": "", "http://a.invalid": "3"},
        ),
        ([PAGE | {"title": "\ud800"}], {"https://example.invalid/a": "?"}),
        ([PAGE | {"url": "javascript:alert(1)"}, PAGE | {"url": 7}], {}),
        ([PAGE | {"url": "https://a.invalid/\n"}], {}),
        ({"error": True}, {}),
        ("https://example.invalid", {}),
    ],
)
def test_pages_are_found_wherever_they_stand(
    result: Any, found: dict[str, str]
) -> None:
    assert list(read_sources(json.dumps(result)).items()) == list(found.items())


@pytest.mark.parametrize("content", ["", "no JSON", "[" * 100_000, '"\\ud800"'])
def test_what_is_no_json_has_none(content: str) -> None:
    assert read_sources(content) == {}


@given(st.recursive(st.none() | st.text() | st.just(PAGE), st.lists, max_leaves=9))
def test_number_and_length_are_bounded(value: Any) -> None:
    pages = [{"url": f"https://a.invalid/{n}", "title": "x" * 201} for n in range(21)]
    found = read_sources(json.dumps([value, pages]))
    assert 0 < len(found) <= 20
    assert all(len(title) <= 200 for title in found.values())
