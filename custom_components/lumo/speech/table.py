"""The rows of a table as sentences.

The row of names comes first: "Room, temperature, humidity." Then each row is said with
the names of its columns, without them if there are only two: "Hall: on."
"""

import re
from typing import Final

DELIMITER: Final = re.compile(r":?[-–—]+:?")
# So much of a cell is known to others.
_CELL: Final = 80


class Table:
    """The row that is read, and what it needs of those above."""

    def __init__(self) -> None:
        self._cells: list[str] = []
        self._above: list[str] = []
        self._names: list[str] = []
        self.has_rules = False
        """The row has cells of dashes, which are not said."""
        self.gap = False
        """Blanks stand before the next word."""

    def begin_row(self) -> None:
        """Begin a row."""
        self._cells, self.has_rules = [], False

    def begin_cell(self) -> None:
        """Begin a cell."""
        self._cells.append("")
        self.gap = False

    @property
    def is_empty(self) -> bool:
        """Return whether nothing was said in the cell."""
        return not self._cells[-1]

    def say(self, text: str) -> str:
        """Return words of a cell with what is said before them."""
        column = len(self._cells) - 1
        before = " " if self.gap else ""
        if self.is_empty:
            filled = [place for place, cell in enumerate(self._cells) if cell]
            before = (": " if self._names and filled == [0] else ", ") if filled else ""
            if len(self._names) > 2 and 0 < column < len(self._names):
                before += f"{self._names[column]} "
        blank = " " if self.gap and not self.is_empty else ""
        self._cells[-1] = f"{self._cells[-1]}{blank}{text}"[:_CELL]
        self.gap = False
        return before + text

    def end_row(self) -> None:
        """End a row; one of dashes makes names of the cells above it."""
        if any(self._cells):
            self._above = self._cells
        elif self.has_rules:
            self._names = self._above if self._above[-1:] != [""] else self._above[:-1]
