"""Plain tables, and a copy of them for who collects them."""

from collections.abc import Iterable, Sequence
import json
import os
from pathlib import Path

# Names a file: each table is added to it as a line of JSON.
TABLES = "LUMO_BENCH_TABLES"


def print_table(
    head: Sequence[str], rows: Iterable[Sequence[str]], *, title: str = ""
) -> None:
    """Print rows under a head, the first column to the left, numbers to the right."""
    lines = [tuple(head), *(tuple(row) for row in rows)]
    if title:
        print(f"\n{title}")
    widths = [max(len(line[i]) for line in lines) for i in range(len(head))]
    for line in lines:
        first = line[0].ljust(widths[0])
        rest = [
            cell.rjust(width) for cell, width in zip(line[1:], widths[1:], strict=True)
        ]
        print("  ".join((first, *rest)))
    if path := os.environ.get(TABLES):
        with Path(path).open("a", encoding="utf-8") as file:
            table = {"title": title, "head": lines[0], "rows": lines[1:]}
            file.write(json.dumps(table, ensure_ascii=False) + "\n")
