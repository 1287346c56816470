"""What the detector finds and spares, and how fast it is: twice the text, twice the time.

What it finds is counted on what real models wrote, where that material is at hand, each
answer cut in seven ways; beside it a reader that takes what stands in a fence as JSON.
Run it with `scripts/bench detector`.
"""

from collections.abc import Callable, Iterator
import contextlib
import gc
import json
import re
import time
from typing import Final

from custom_components.lumo.tool_calling.detection.reader import CallReader
from custom_components.lumo.tool_calling.naming import ToolNames
from tests.tool_calling.test_detector_material import VECTORS, chunkings, meets, read

from .table import print_table

_UNIT: Final = 100_000
_CHUNK: Final = 4
_SIZES: Final = (1, 2, 8)

_PROSE: Final = (
    "The kitchen light is now on, and the heating in the living room is set to 21"
    " degrees.\nThe front door is locked (it was locked at 10:45), and nobody is home."
    " Is there anything else that I can do for you?\n\n"
)
_CALL: Final = json.dumps(
    {"name": "user:HassTurnOff", "arguments": {"area": "Kitchen", "domain": ["light"]}}
)
_DENSE: Final = (
    f"Sure.\n```json\n{_CALL}\n```\nDone, and `this` too: {_CALL}\n"
    f'```python\nprint({{"a": 1}})\n```\n<tool_call>\n{_CALL}\n</tool_call>\n'
)
_ALIKE: Final = '[{"name": "Kitchen Light", "state": "on"}] {x} [1] a < b ~5 `c`\n'


def _repeat(text: str, size: int) -> str:
    return (text * (size // len(text) + 1))[:size]


def _one_call(size: int) -> str:
    """Return one call with an argument as long as the whole text."""
    message = _repeat('Some text with "quotes" and\nlines. ', size)
    return json.dumps({"name": "user:Say", "arguments": {"message": message}})[:-2] + (
        "}}"
    )


LEVELS: Final = {
    "must": "with a clear call",
    "should": "with a damaged call",
    "text": "prose without a call",
}
TEXTS: Final[dict[str, Callable[[int], str]]] = {
    "plain text": lambda size: _repeat(_PROSE, size),
    "dense with calls": lambda size: _repeat(_DENSE, size),
    "dense with look-alikes": lambda size: _repeat(_ALIKE, size),
    "one long argument": _one_call,
    "a fence never closed": lambda size: "```json\n" + _repeat(_PROSE, size),
    "a value never closed": lambda size: '{"a": "' + _repeat(_PROSE, size),
    "a broken call": lambda size: ('{"name": "HassTurnOff", "arguments": {x y ' + _repeat(_PROSE, size)),
    "names of tools": lambda size: _repeat("HassTurnOff and user:Say ", size),
    "calls that are not JSON": lambda size: _repeat("HassTurnOff(area=1)\n\n", size),
    "many opening braces": lambda size: "{" * size,
    "objects inside objects": lambda size: _repeat('{"a":', size),
    "many backticks": lambda size: "`" * size,
    "quoted code": lambda size: _repeat("`a` ``b`` ", size),
    "only blanks behind a call": lambda size: _CALL + " " * size,
}  # fmt: skip


def chunks(text: str, size: int = _CHUNK) -> list[str]:
    """Return a text cut into chunks of one size."""
    return [text[start : start + size] for start in range(0, len(text), size)]


def detect(parts: list[str]) -> None:
    """Run a detector over the chunks."""
    detector = CallReader(ToolNames(["HassTurnOff", "Say"], prefix="user:"))
    for part in parts:
        detector.feed(part)
    detector.finish()


def seconds(parts: list[str]) -> float:
    """Return the CPU time of a run."""
    gc.collect()
    start = time.process_time()
    detect(parts)
    return time.process_time() - start


def rows() -> Iterator[tuple[str, ...]]:
    """Yield the rows of the table, one text each."""
    for name, make in TEXTS.items():
        first, *times = (seconds(chunks(make(units * _UNIT))) for units in _SIZES)
        more = (f"{value / first:.1f}" for value in times)
        yield (name, f"{_UNIT / first / 1e6:.2f}", *more)


def found() -> Iterator[tuple[str, ...]]:
    """Yield how many answers of real models are read as a careful person would."""
    for level, what in LEVELS.items():
        vectors = [vector for vector in VECTORS if vector["level"] == level]
        right = plain = 0
        for vector in vectors:
            given = "".join(vector["chunks"])
            right += all(
                meets(vector["expect"], *read(vector, cut), given)
                for cut in chunkings(vector)
            )
            calls = list(fenced(given))
            # Of names, only their ends: a plain reader knows nothing of prefixes.
            wanted = [_end(call["name"]) for call in vector["expect"]["calls"]]
            plain += calls == wanted
        yield what, *map(str, (len(vectors), right, plain))


def fenced(text: str) -> Iterator[str]:
    """Yield the names of the calls that stand as JSON in fences."""
    for block in re.findall(r"```(?:json)?\n(.*?)```", text, re.DOTALL):
        with contextlib.suppress(ValueError, KeyError, TypeError):
            yield _end(json.loads(block)["name"])


def _end(name: str) -> str:
    return name.rpartition("__")[2].rpartition(":")[2]


def main() -> None:
    """Print the tables."""
    if VECTORS:
        columns = (
            "answers of real models",
            "answers",
            "read right",
            "by a plain reader",
        )
        print_table(columns, found(), title="found")
    head = ("100 kB in 4-character chunks", "M char/s", "x2", "x8")
    print_table(head, rows(), title="speed")


if __name__ == "__main__":
    main()
