"""A text of twice the length takes twice the work, whatever it is made of."""

import pytest

from .growth import READERS, UNITS, cut, steps

LENGTH = 2_000


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("piece", [4, 2 * LENGTH])
@pytest.mark.parametrize("every", [16, pytest.param(1, marks=pytest.mark.long)])
def test_work_grows_with_the_length(reader: str, piece: int, every: int) -> None:
    read = READERS[reader]
    read(["warm up"])
    grown = {}
    for unit in UNITS[::every]:
        once, twice = (
            steps(read, cut(unit, size, piece)) for size in (LENGTH, 2 * LENGTH)
        )
        grown[unit] = (once, twice)
    assert {u: n for u, n in grown.items() if n[1] > 2.5 * n[0] + 200} == {}
