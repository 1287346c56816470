"""What can be said of recorded states: how long, how often, how much.

Only arithmetic, no Home Assistant: rows are pairs of a time in seconds and a state. A
state holds until the next row; what is unavailable or unknown is no state.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from math import isfinite
from typing import Final, NamedTuple

# What a state is that is not known; None is one of an entity that was removed.
UNKNOWN: Final = frozenset({"unavailable", "unknown", "", None})

type Row = tuple[float, str | None]


class Piece[T](NamedTuple):
    """How something was from a time to another, in seconds."""

    start: float
    end: float
    value: T

    @property
    def seconds(self) -> float:
        """Return how long it was so."""
        return self.end - self.start


def pieces(rows: Sequence[Row], start: float, end: float) -> list[Piece[str]]:
    """Return the known states between two times, equal ones that follow as one."""
    found: list[Piece[str]] = []
    for (begin, state), (until, _) in pairwise((*rows, (end, None))):
        begin, until = max(begin, start), min(until, end)
        if until <= begin or state is None or state in UNKNOWN:
            continue
        if found and found[-1].end == begin and found[-1].value == state:
            begin = found.pop().start
        found.append(Piece(begin, until, state))
    return found


def numbers(found: Iterable[Piece[str]]) -> list[Piece[float]]:
    """Return the pieces whose states are numbers."""
    return [
        Piece(piece.start, piece.end, value)
        for piece in found
        if (value := number_of(piece.value)) is not None
    ]


def number_of(state: str | None) -> float | None:
    """Return a state as a number, None if it is none."""
    try:
        value = float(state or "")
    except ValueError:
        return None
    return value if isfinite(value) else None


def entries(
    rows: Iterable[Row], start: float, end: float
) -> Iterator[tuple[float, str]]:
    """Yield the changes to another known state from the start on, before the end."""
    before: str | None = None
    for when, state in rows:
        if state is None or state in UNKNOWN:
            continue
        if before is not None and state != before and start <= when < end:
            yield when, state
        before = state


def joined(found: Iterable[Piece[str]]) -> float:
    """Return for how many seconds there was any of some pieces."""
    total, until = 0.0, 0.0
    for piece in sorted(found, key=lambda piece: piece.start):
        total += max(0.0, piece.end - max(piece.start, until))
        until = max(until, piece.end)
    return total


def mean(found: Sequence[Piece[float]]) -> float | None:
    """Return the mean by time."""
    seconds = sum(piece.seconds for piece in found)
    if not seconds:
        return None
    return sum(piece.value * piece.seconds for piece in found) / seconds


def timeline(
    found: Sequence[Piece[float]], start: float, end: float, parts: int
) -> list[Piece[float]]:
    """Return the means of equal parts of a time, where they are known."""
    length = (end - start) / parts
    told: list[Piece[float]] = []
    for part in range(parts):
        begin, until = start + part * length, start + (part + 1) * length
        inside = [
            Piece(max(piece.start, begin), min(piece.end, until), piece.value)
            for piece in found
            if piece.start < until and piece.end > begin
        ]
        if (value := mean(inside)) is not None:
            told.append(Piece(begin, until, value))
    return told
