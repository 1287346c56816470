"""Plain tables."""

from collections.abc import Iterable, Sequence


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
