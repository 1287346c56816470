"""What it costs to look for a call in what the model has read, and how that grows.

Results are as hostile as they can be: full of the call's own words. The yardstick is
taking the words of the same text out of it once. Run it with `scripts/bench quoted`.
"""

from collections.abc import Callable
import time
from typing import Any, Final

from custom_components.lumo.agent import quoted

from .table import print_table

_SIZE: Final = 24_000
_SIZES: Final = (1, 4, 16)
_NAME: Final = "hassturnoff"
_TEXTS: Final = ["kitchen", "hall", "a"]
HOSTILE: Final = {
    "names": "HassTurnOff ",
    "names and some of the arguments": "HassTurnOff kitchen a ",
    "arguments": "kitchen a ",
    "backslashes": "\\",
    "letters": "a",
    "marks": "<user:",
}


def milliseconds(function: Callable[..., object], *arguments: Any) -> float:
    """Return the best time of several runs."""
    best = float("inf")
    for _ in range(5):
        start = time.process_time()
        function(*arguments)
        best = min(best, time.process_time() - start)
    return best * 1000


def look(texts: list[str]) -> None:
    """Look for one call in some results, none of which is prepared."""
    quoted.prepare.cache_clear()
    for text in texts:
        read = quoted.prepare(text)
        quoted.are_near(read.words, _NAME, _TEXTS, 200)


def main() -> None:
    """Print the table."""
    rows = []
    for name, part in HOSTILE.items():
        # Two results are never equal.
        results = [f"{n}" + part * (_SIZE // len(part)) for n in range(max(_SIZES))]
        yardstick = milliseconds(quoted.words_of, results[0])
        times = [milliseconds(look, results[:size]) for size in _SIZES]
        rows.append(
            (
                name,
                f"{times[0]:.2f}",
                f"{times[0] / yardstick:.1f}",
                *(f"{each / times[0]:.1f}" for each in times[1:]),
            )
        )
    print_table(
        ("results of 24,000 characters", "ms", "x words", "4 results", "16 results"),
        rows,
    )


if __name__ == "__main__":
    main()
