"""What the service tells of API keys, and what else may stand there."""

from datetime import date
from typing import Any

from hypothesis import given, strategies as st
import pytest

from custom_components.lumo.lumo_client.key_usage import UsageDay, read_days, read_keys

KEY = {"PersonalAccessTokenID": "a==", "Name": "Home"}
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=12),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(
                ["PersonalAccessTokenID", "Name", "Date", "TokenCount", "ApiCalls"]
            )
            | st.sampled_from(["PersonalAccessTokens", "Usage"]),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@pytest.mark.parametrize(
    ("tokens", "keys"),
    [
        ({"PersonalAccessTokens": [KEY], "Total": 1, "LastToken": None}, ["Home"]),
        ([KEY, {"Name": "without an id"}, None, 3], ["Home"]),
        ({"PersonalAccessTokens": [{**KEY, "Name": None}]}, [""]),
        ({"PersonalAccessTokens": None}, []),
        (None, []),
    ],
)
def test_keys_are_read(tokens: Any, keys: list[str]) -> None:
    """In a page, as the web client has them, or plainly in a list."""
    found = read_keys({"PersonalAccessTokens": tokens})
    assert [name for _, name in found] == keys


@pytest.mark.parametrize(
    ("day", "read"),
    [
        ({"Date": "2026-11-22", "TokenCount": 7, "ApiCalls": 2}, (7, 2)),
        ({"Date": "2026-11-22T00:00:00Z", "TokenCount": 7.0}, (7, 0)),
        ({"Date": "2026-11-22", "TokenCount": None, "ApiCalls": "2"}, (0, 0)),
        ({"Date": "yesterday", "TokenCount": 7, "ApiCalls": 2}, None),
        ({"Date": 20261122, "TokenCount": 7, "ApiCalls": 2}, None),
        ({"TokenCount": 7}, None),
    ],
)
def test_days_are_read(day: dict[str, Any], read: tuple[int, int] | None) -> None:
    """One that cannot be is left out; the others count."""
    other = {"Date": "2026-11-01", "TokenCount": 1, "ApiCalls": 1}
    *found, last = read_days({"Usage": [day, other]})
    assert last == UsageDay(date(2026, 11, 1), 1, 1)
    assert found == ([UsageDay(date(2026, 11, 22), *read)] if read else [])


@given(ANYTHING)
def test_anything_is_read_or_left_out(value: Any) -> None:
    """Nothing is raised, whatever stands there."""
    read_keys({"PersonalAccessTokens": value})
    read_days({"Usage": value})
