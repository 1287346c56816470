"""What is true of a history, counted in the plainest way: piece by piece of its rows.

Nothing here is shared with the integration. None stands for what nobody knows.
"""

from collections.abc import Sequence
from itertools import pairwise
import math
from typing import Final, NamedTuple

from .history_rows import Row

NOTHING: Final = ("unavailable", "unknown", "")


class Piece(NamedTuple):
    """A thing was in a state from a moment to another."""

    begin: float
    end: float
    state: str

    @property
    def seconds(self) -> float:
        """Return how long."""
        return self.end - self.begin


def pieces(rows: Sequence[Row], begin: float, end: float) -> list[Piece]:
    """Return what is known of a period."""
    return [
        Piece(max(row.at, begin), min(after.at, end), row.state)
        for row, after in pairwise([*rows, Row(math.inf, "")])
        if row.at < end and after.at > begin and row.state not in NOTHING
    ]


def known(rows: Sequence[Row], begin: float, end: float) -> float:
    """Return of which share of a period anything is known."""
    return sum(piece.seconds for piece in pieces(rows, begin, end)) / (end - begin)


def seconds_in(rows: Sequence[Row], state: str, begin: float, end: float) -> float:
    """Return how long a thing was in a state."""
    return sum(
        piece.seconds for piece in pieces(rows, begin, end) if piece.state == state
    )


def seconds_in_any(
    several: Sequence[Sequence[Row]], state: str, begin: float, end: float
) -> float:
    """Return how long at least one of several things was in a state."""
    held = [
        piece
        for rows in several
        for piece in pieces(rows, begin, end)
        if piece.state == state
    ]
    moments = sorted({moment for piece in held for moment in piece[:2]})
    return sum(
        after - moment
        for moment, after in pairwise(moments)
        if any(piece.begin <= moment and after <= piece.end for piece in held)
    )


def entries(rows: Sequence[Row], state: str, begin: float, end: float) -> list[float]:
    """Return when a thing came into a state; not where it was only lost for a while.

    What it was before a gap at the beginning of the period does not count.
    """
    return [
        after.begin
        for before, after in pairwise(pieces(rows, begin, end))
        if after.state == state != before.state
    ]


def mean(rows: Sequence[Row], begin: float, end: float) -> float:
    """Return the mean of numbers by how long each was held."""
    held = pieces(rows, begin, end)
    return sum(float(piece.state) * piece.seconds for piece in held) / sum(
        piece.seconds for piece in held
    )


def least(rows: Sequence[Row], begin: float, end: float) -> float:
    """Return the smallest number."""
    return min(float(piece.state) for piece in pieces(rows, begin, end))


def most(rows: Sequence[Row], begin: float, end: float) -> float:
    """Return the largest number."""
    return max(float(piece.state) for piece in pieces(rows, begin, end))


def gained(rows: Sequence[Row], begin: float, end: float) -> float:
    """Return what a meter counted: what it shows after it began anew counts as well."""
    told = [(row.at, float(row.state)) for row in rows if row.state not in NOTHING]
    return sum(
        value if value < last * 0.9 else value - last
        for (_, last), (moment, value) in pairwise(told)
        if begin <= moment < end
    )
