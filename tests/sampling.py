"""What of a table belongs to the quick tests."""

from collections.abc import Collection, Iterable

import pytest


def quick_in(quick: Collection[str], cases: Iterable[str]) -> list[object]:
    """Return the cases for `parametrize`: the others belong to the long tests."""
    return [
        case if case in quick else pytest.param(case, marks=pytest.mark.long)
        for case in cases
    ]


# One in so many rows of a great table is tried; `conftest.py` makes it three for who
# leaves out the long tests.
one_in = 1


def some[Row](rows: Iterable[Row]) -> list[Row]:
    """Return the rows of a great table, in the quick tests every third."""
    return [*rows][::one_in]
