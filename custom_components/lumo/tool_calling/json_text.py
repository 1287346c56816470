"""Values as JSON text in a prompt: one line, without fences, that can be encoded."""

from bisect import bisect_right
from collections.abc import Mapping
from datetime import date, time
from enum import Enum
from itertools import accumulate
import json
import re
from typing import Any, Final

# `json` leaves these as they are; some readers take them for ends of lines.
_LINE_ENDS: Final = str.maketrans(
    {"\x85": "\\u0085", "\u2028": "\\u2028", "\u2029": "\\u2029"}
)
_BACKTICKS: Final = re.compile(r"`{3,}")

# Room that a list or object keeps for the note of what was left out.
_NOTE_LENGTH: Final = 32


def text_of(value: str) -> str:
    """Return a text without lone surrogates, which cannot be encoded."""
    return value.encode("utf-8", "replace").decode("utf-8")


def plain(value: object) -> Any:
    """Return a value made of JSON's types; what JSON cannot hold as text, or null."""
    try:
        text = json.dumps(value, default=_held, skipkeys=True, ensure_ascii=False)
    except ValueError, RecursionError:
        return text_of(str(value))
    return json.loads(text_of(text), parse_constant=lambda _: None)


def _held(value: object) -> Any:
    match value:
        case Enum():
            return value.value
        case date() | time():
            return value.isoformat()
        case set() | frozenset():
            return [*value]
        case Mapping():
            return {**value}
    return str(value)


def one_line(value: object, *, compact: bool = False) -> str:
    """Return the JSON text of a plain value, on one line and without fences."""
    text = json.dumps(
        value,
        ensure_ascii=False,
        allow_nan=False,
        separators=(",", ":") if compact else (", ", ": "),
    )
    # Backticks stand only inside strings, where JSON has another way to write them.
    return _BACKTICKS.sub(
        lambda match: "\\u0060" * len(match[0]), text.translate(_LINE_ENDS)
    )


def bounded(value: Any, limit: int) -> Any:
    """Return a plain value whose JSON text has at most about `limit` characters.

    It is cut between items, lines and words, and says how much is missing.
    """
    if len(one_line(value)) <= limit:
        return value
    room = limit - _NOTE_LENGTH
    if isinstance(value, str):
        return _bounded_text(value, max(room, 0))
    if isinstance(value, list):
        kept = _bounded_parts([(2, item) for item in value], room)
        more = len(value) - len(kept)
        return [*kept, f"… {more} more"] if more else kept
    if isinstance(value, dict):
        parts = [(len(one_line(key)) + 4, item) for key, item in value.items()]
        kept = _bounded_parts(parts, room)
        more = len(value) - len(kept)
        members = dict(zip(value, kept, strict=False))
        return {**members, "…": f"{more} more"} if more else members
    return value


def _bounded_text(text: str, room: int) -> str:
    # Escapes make the JSON text longer than the text itself.
    length = bisect_right(
        range(1, min(len(text), room) + 1),
        room,
        key=lambda end: len(one_line(text[:end])),
    )
    end = length
    for blank in " \n":
        if (place := text.rfind(blank, 0, length + 1)) > length // 2:
            end = place
    return f"{text[:end]}… {len(text) - end} more characters"


def _bounded_parts(parts: list[tuple[int, Any]], room: int) -> list[Any]:
    """Return the first parts of a value, with what each has beside it in characters.

    The small get what they need, the large an equal share each.
    """
    sizes = [beside + len(one_line(item)) for beside, item in parts]
    # Each gets at least the room that a note of its own needs.
    needed = accumulate(min(size, 3 * _NOTE_LENGTH) for size in sizes)
    kept = [item for (_, item), need in zip(parts, needed, strict=True) if need <= room]
    for count, at in enumerate(sorted(range(len(kept)), key=sizes.__getitem__)):
        share = min(sizes[at], room // (len(kept) - count))
        kept[at] = bounded(kept[at], share - parts[at][0])
        room -= share
    return kept
