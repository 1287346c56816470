"""How the time that a text takes grows with its length, for the ear and for calls.

Each text is one thing over and over, 40,000 and 80,000 characters of it, in pieces of
four. The ratio is 2 where time grows with length, and 4 where it grows with its square.
Times are of this process, not of a clock.
"""

import time

from tests.growth import READERS, UNITS, cut

from .table import print_table

LENGTH = 40_000


def seconds(reader: str, unit: str, length: int) -> float:
    """Return what reading takes."""
    pieces = cut(unit, length, 4)
    begun = time.process_time()
    READERS[reader](pieces)
    return time.process_time() - begun


def main() -> None:
    """Print the texts that grow most."""
    for reader in READERS:
        times = {
            unit: [seconds(reader, unit, size) for size in (LENGTH, 2 * LENGTH)]
            for unit in UNITS
        }
        rows = [
            (repr(unit), f"{once:.2f}", f"{twice:.2f}", f"{twice / once:.1f}")
            for unit, (once, twice) in times.items()
        ]
        rows.sort(key=lambda row: -float(row[3]))
        print_table(("text", "s", "s, twice as long", "ratio"), rows[:12], title=reader)


if __name__ == "__main__":
    main()
