"""The rows of a table as sentences.

The row of names comes first: "Room, temperature, humidity." Then each row is said with
the names of its columns, without them if there are only two: "Hall: on."
"""

from collections.abc import Callable
import re
from typing import Final

_BAR: Final = re.compile(r"(?<!\\)\|")
_DASHES: Final = re.compile(r":?[-–—]+:?")


class Table:
    """What the rows of a table need of those above them."""

    def __init__(self) -> None:
        self._above: list[str] = []
        self._names: list[str] = []

    def row(self, line: str, clean: Callable[[str], str]) -> str:
        """Return a row as a sentence; one of dashes makes names of the cells above.

        `clean` makes of a cell what is heard of it.
        """
        line = line.strip().removeprefix("|").removesuffix("|")
        written = [cell.strip() for cell in _BAR.split(line)]
        cells = ["" if _DASHES.fullmatch(cell) else clean(cell) for cell in written]
        if not any(cells):
            self._names = self._above if any(written) else self._names
            return ""
        self._above = cells
        said = ""
        for column, cell in enumerate(cells):
            if cell and said:
                said += ": " if self._names and said == cells[0] else ", "
            if cell and len(self._names) > 2 and 0 < column < len(self._names):
                said += f"{self._names[column]} "
            said += cell
        return said
