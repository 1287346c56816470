"""What of a table belongs to the quick tests."""

from collections.abc import Collection, Iterable

import pytest


def quick_in(quick: Collection[str], cases: Iterable[str]) -> list[object]:
    """Return the cases for `parametrize`: the others belong to the long tests."""
    return [
        case if case in quick else pytest.param(case, marks=pytest.mark.long)
        for case in cases
    ]
