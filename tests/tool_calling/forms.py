"""One call, written in every way that models have been seen to write it.

A form is the shape of the object, a wrapper what stands around it (`forms.toml`), a habit
how the JSON is spelled, a place where it stands in the answer. Each says where it was
seen: in a recorded output (of the datasets that `material` reads, or measured with small
models), a published template or parser, or an issue thread.
"""

from collections.abc import Callable
import html
import json
from pathlib import Path
import re
import tomllib
from typing import Any, Final, NamedTuple

from custom_components.lumo.tool_calling.detection.markup import unmasked
from custom_components.lumo.tool_calling.detection.pieces import (
    DetectedCall,
    Piece,
    Reasoning,
)
from custom_components.lumo.tool_calling.detection.reader import CallReader
from custom_components.lumo.tool_calling.naming import ToolNames

type Arguments = dict[str, Any]


def detect(chunks: list[str], names: ToolNames) -> list[Piece]:
    """Return the pieces of an answer, neighbouring texts joined."""
    detector = CallReader(names)
    joined: list[Piece] = []
    for piece in [p for c in chunks for p in detector.feed(c)] + detector.finish():
        last = joined[-1] if joined else None
        if isinstance(piece, str) and isinstance(last, str):
            joined[-1] = last + piece
        elif isinstance(piece, Reasoning) and isinstance(last, Reasoning):
            joined[-1] = Reasoning(last.text + piece.text, last.source + piece.source)
        else:
            joined.append(piece)
    return joined


def text_of(pieces: list[Piece]) -> str:
    return "".join(piece for piece in pieces if isinstance(piece, str))


def calls_of(pieces: list[Piece]) -> list[tuple[str | None, Arguments]]:
    """Return the calls that would run: the tool and its arguments."""
    return [(p.tool, p.arguments) for p in pieces if isinstance(p, DetectedCall)]


def cut(text: str, size: int) -> list[str]:
    return [text[start : start + size] for start in range(0, len(text), size)]


# What may be removed around calls, beside their sources: ends of wrappings, separators.
_REMOVED: Final = re.compile(
    r"<\|close\|>\w+<\|sep\|>|<[^<>\n]*>|\[/\w+\]"
    r"|[\s\ufeff\u200b-\u200f\u2060,;\])}\"`~]"
)


def assert_nothing_lost(text: str, pieces: list[Piece]) -> None:
    """Fail unless texts and sources, in order, are the text but for wrappings.

    What is spelled otherwise than by most is compared as most spell it.
    """
    problems = [_what_is_lost(each, pieces) for each in (text, unmasked(text, 0))]
    assert None in problems, problems[0]


def look_at(names: ToolNames, text: str) -> list[Piece]:
    """Return the pieces of a text, the same at every chunking."""
    pieces = detect([text], names)
    for size in (1, 4, 7):
        assert detect(cut(text, size), names) == pieces
    assert_nothing_lost(text, pieces)
    return pieces


def _what_is_lost(text: str, pieces: list[Piece]) -> str | None:
    if all(isinstance(piece, str) for piece in pieces):
        return None if "".join(map(str, pieces)) == text else "words are changed"
    positions = _behind_removed(text, {0})
    source = None
    for piece in pieces:
        part = piece if isinstance(piece, str) else piece.source
        if part is source:
            continue  # calls of one array
        source = None if isinstance(piece, str) else part
        for char in part:
            positions = {p + 1 for p in positions if text[p : p + 1] == char}
            if not positions:
                return f"{part!r} is doubled, invented or out of order"
            if source is None:
                positions = _behind_removed(text, positions)
        positions = _behind_removed(text, positions)
    return None if len(text) in positions else "the end is lost"


def _behind_removed(text: str, positions: set[int]) -> set[int]:
    """Return the positions and those behind what may be removed there."""
    reached = set(positions)
    waiting = list(positions)
    while waiting:
        if (removed := _REMOVED.match(text, waiting.pop())) is not None:
            if removed.end() not in reached:
                reached.add(removed.end())
                waiting.append(removed.end())
    return reached


class Seen(NamedTuple):
    """A way to write a call, and where models were seen to write so."""

    where: str
    text: str

    def write(
        self, name: str = "", arguments: object = None, *, around: str = ""
    ) -> str:
        """Return it with a tool's name and arguments, or around a text."""
        written = json.dumps(arguments)
        values = {
            '"ARGUMENTS AS TEXT"': json.dumps(written),
            '"ARGUMENTS"': written,
            "ARGUMENTS": written,
            "NAME": name,
            "TEXT": around,
        }
        return re.sub("|".join(values), lambda found: values[found[0]], self.text)


class Habit(NamedTuple):
    """A way to spell JSON, and where models were seen to spell it so."""

    where: str
    write: Callable[[Any], str]


_TABLES: Final = tomllib.loads(
    Path(__file__).with_suffix(".toml").read_text(encoding="utf-8")
)
FORMS, WRAPPERS, TAGGED, SPELLED = (
    {name: Seen(*row) for name, row in _TABLES[kind].items()}
    for kind in ("forms", "wrappers", "tagged", "spelled")
)

# Habits: how the JSON is spelled


def spell(
    value: Any,
    *,
    quotes: str = '""',
    python: bool = False,
    comma: str = "",
    bare: bool = False,
    comment: str = "",
    key: bool = False,
) -> str:
    options: dict[str, Any] = {
        "quotes": quotes,
        "python": python,
        "comma": comma,
        "bare": bare,
        "comment": comment,
    }
    if isinstance(value, str):
        if key and bare and value.isidentifier():
            return value
        inner = json.dumps(value, ensure_ascii=False)[1:-1]
        if quotes == "''":
            inner = inner.replace('\\"', '"').replace("'", "\\'")
        return quotes[0] + inner + quotes[1]
    if isinstance(value, dict):
        items = [
            f"{spell(name, key=True, **options)}: {spell(item, **options)}"
            for name, item in value.items()
        ]
        tail = comma if items else ""
        return "{" + comment + ", ".join(items) + tail + "}"
    if isinstance(value, list):
        items = [spell(item, **options) for item in value]
        return "[" + ", ".join(items) + (comma if items else "") + "]"
    return repr(value) if python else json.dumps(value)


HABITS: Final = {
    "compact": Habit(
        "recorded of llama3.2", lambda v: json.dumps(v, separators=(",", ":"))
    ),
    "spaced": Habit("recorded of qwen3", json.dumps),
    "pretty": Habit(
        "real Lumo, lumo-tamer issue 22", lambda v: json.dumps(v, indent=2)
    ),
    "not only ASCII": Habit(
        "recorded of qwen2.5", lambda v: json.dumps(v, ensure_ascii=False)
    ),
    "Python's quotes and literals": Habit(
        "mlxcel issue 766 (Kimi)", lambda v: spell(v, quotes="''", python=True)
    ),
    "trailing commas": Habit("shared material r28", lambda v: spell(v, comma=",")),
    "comments": Habit(
        "recorded of mistral-v3",
        lambda v: spell(v, comment="// turn it off\n /* now */ "),
    ),
    "typographic quotes": Habit("shared material a58", lambda v: spell(v, quotes="“”")),
    "German quotes": Habit("recorded of llama3.2", lambda v: spell(v, quotes="„“")),
    "keys without quotes": Habit("recorded of gemma4", lambda v: spell(v, bare=True)),
    "byte order mark": Habit("shared material r30", lambda v: "\ufeff" + json.dumps(v)),
    "zero-width characters": Habit(
        "shared material r30", lambda v: json.dumps(v).replace("{", "{\u200b")
    ),
    "escaped once": Habit(
        "recorded of llama3.2, within a member",
        lambda v: json.dumps(json.dumps(v))[1:-1],
    ),
    "HTML entities": Habit(
        "shared material a68", lambda v: html.escape(json.dumps(v), quote=True)
    ),
    "a bracket too many": Habit("recorded of llama3.2", lambda v: json.dumps(v) + "}"),
    "braces doubled": Habit(
        "measured of Qwen2.5-Coder",
        lambda v: "{" + json.dumps(v) + "}" if isinstance(v, dict) else json.dumps(v),
    ),
}
# Not possible with every text: quotes that stand in it would end it.
_UNFIT: Final = {
    "typographic quotes": set("“”„‟"),
    "German quotes": set("“”„‟"),
    "HTML entities": set("&"),
    # Keys and values of the arguments have braces of their own.
    "zero-width characters": set("{"),
}


def fits(habit: str, arguments: Arguments) -> bool:
    """Return whether arguments can be spelled so without loss."""
    return not _UNFIT.get(habit, set()) & set(repr(list(arguments.values())))


# Places: where it stands in the answer, and what remains of the answer

PLACES: Final[dict[str, tuple[str, str]]] = {
    "alone": ("", ""),
    "at the end": ("I will do that.\n", ""),
    "at the beginning": ("", "\nDone, it's off."),
    "between": ("Sure, let me do that:\n\n", "\n\nIs there anything else?"),
}
