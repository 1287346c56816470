"""What is heard of what models write, and how fast it is cleaned for the ear.

First how many rows of the tests' tables are heard as they should be, however their text
is cut into pieces; beside it as they come, which is what a voice reads without this.

Then characters a second: of prose, and of a recipe with a mark in every line; in the
pieces that models write, in longer ones, and whole. Times of this process, not of a clock.
"""

from itertools import batched
import re
import time

from custom_components.lumo.languages import LANGUAGES
from custom_components.lumo.speech.cleaner import Cleaner
from tests.speech.rows_by_language import ROWS
from tests.speech.test_cleaner import cuts, heard, rows_of

from .table import print_table

PROSE = (
    "The heating is on in the living room, and it will be warm soon. Shall I go on? "
)
RECIPE = """Here's a recipe for **Carbonara** (serves 2–3):

### Ingredients
- 200 g spaghetti
- 2 large eggs

Set the oven in the [kitchen](https://example.com/x) to 180 °C, and wait until it is hot.
1. **Boil** the pasta in salted water for 8 min.
2. Fry the `guanciale` until crispy, and don't forget to stir.

"""


def seconds(pieces: list[str]) -> float:
    """Return what cleaning takes, the best of some times."""
    times = []
    for _time in range(5):
        begun = time.process_time()
        cleaner = Cleaner(LANGUAGES["en"])
        for piece in pieces:
            cleaner.feed(piece)
        cleaner.finish()
        times.append(time.process_time() - begun)
    return min(times)


def rows_heard() -> list[tuple[str, ...]]:
    """Return for each language how many rows are heard as they should be."""
    found = []
    for code in ROWS:
        rows, language = rows_of(code), LANGUAGES[code]
        clean = [
            {heard(way, language) for way in cuts(written)} == {wanted}
            for written, wanted in rows
        ]
        as_written = sum(written == wanted for written, wanted in rows)
        numbers = (len(rows), len(ROWS[code]), sum(clean), as_written)
        found.append((code, *map(str, numbers)))
    return found


def main() -> None:
    """Print the tables."""
    head = ("language", "rows", "of its own", "right, cleaned", "right, as written")
    print_table(head, rows_heard(), title="heard")
    rows = []
    for name, text in (("prose", PROSE * 200), ("recipe", RECIPE * 50)):
        ways = {
            "words": re.findall(r"\s?\w+|\W", text),
            "20 characters": ["".join(part) for part in batched(text, 20)],
            "whole": [text],
        }
        for way, pieces in ways.items():
            rate = len(text) / seconds(pieces) / 1e6
            rows.append((f"{name}, {way}", str(len(pieces)), f"{rate:.1f}"))
    print_table(("text", "pieces", "million characters/s"), rows, title="rate")


if __name__ == "__main__":
    main()
