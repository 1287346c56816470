"""Read whole JSON values: texts that are one, and short ones at the start of a text."""

from enum import Enum
import json
import math
import re
from typing import Any, Final

from .json_reader import MAX_DEPTH, MAX_KEY, JsonReader

# A value no longer than this is first tried with the decoder written in C.
QUICK_SIZE: Final = 280
# Up to the first value of the (first) object, whose beginning has to fit, too.
_QUICK_BEGINNING: Final = re.compile(
    r'(?:\[\s*)?(?:\{\s*(?:"[^"\\\x00-\x1f]{0,100}(?:"\s*(?::\s*(["{\[\dtfn-])?)?)?)?)?'
)


class Quick(Enum):
    """What can be said about a value that is not taken."""

    # It may be anything yet.
    BEGUN = "begun"
    # It has a key and a value, so it is meant as JSON.
    GOES_ON = "goes on"
    # It has to be read with care, by a JsonReader.
    ODD = "odd"


# The same for what has only begun; the group is the first value.
BEGUN_OBJECT: Final = (
    r"(?:\[\s{0,30}+)?+\{\s{0,30}+"
    r'(?:"[^"\\\x00-\x1f]{0,90}+(?:"\s{0,9}+'
    r'(?::\s{0,9}+(["{\[\dtfn-][^{}\[\]]*+)?+)?+)?+)?+'
)
_IS_BEGUN_OBJECT: Final = re.compile(BEGUN_OBJECT).fullmatch


def is_unread(text: str) -> Quick | None:
    """Return what `read_quickly` says about a text, if that is clear at once."""
    undecided = _IS_BEGUN_OBJECT(text)
    if undecided is None or len(text) > QUICK_SIZE // 2:
        return None
    return Quick.BEGUN if undecided.group(1) is None else Quick.GOES_ON


def is_unclosed(text: str) -> bool:
    """Return whether a short value that has begun well lacks brackets."""
    return len(text) < QUICK_SIZE and text.count("{") > text.count("}")


def read_quickly(
    text: str, start: int, *, goes_on: bool = False
) -> tuple[Any, int] | Quick:
    """Return the value at `start` and its end, if it is short and flawless JSON.

    That is what most calls are, and it is what a JsonReader would make of it: anything
    the two do not agree about is called odd. `goes_on`: its beginning has been read.
    """
    if not goes_on:
        beginning = _QUICK_BEGINNING.match(text, start)
        if beginning is None or beginning.group(1) is None:
            is_open = beginning is not None and beginning.end() == len(text)
            return Quick.BEGUN if is_open else Quick.ODD
    window = text[start : start + QUICK_SIZE]
    if len(window) < QUICK_SIZE:
        # A try is worth it only if the brackets say that it is complete.
        if is_unclosed(window):
            return Quick.GOES_ON
        if window[0] == "[" and window.count("[") > window.count("]"):
            # What the first object is decides about the others.
            return Quick.ODD
    try:
        value, end = decode(window, 0)
    except json.JSONDecodeError as err:
        if len(window) == QUICK_SIZE:
            return Quick.ODD
        at_end = err.pos >= len(window.rstrip()) or err.msg.startswith("Unterminated")
        return Quick.GOES_ON if at_end else Quick.ODD
    except ValueError, RecursionError:
        return Quick.ODD
    return value, start + end


def decode(text: str, start: int) -> tuple[Any, int]:
    """Return the value at `start` and its end, as a JsonReader would.

    Raises ValueError, or RecursionError, where that cannot be said.
    """
    value, end = _decode(text, start)
    if end - start > 2 * MAX_DEPTH:
        brackets = text.count("{", start, end) + text.count("[", start, end)
        if brackets > MAX_DEPTH:
            raise ValueError
    if text.find("\\u", start, end) >= 0:
        raise ValueError
    if type(value) is list and not all(type(item) is dict for item in value):
        raise ValueError
    return value, end


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object whose keys differ and are no longer than a reader takes."""
    members = dict(pairs)
    if len(members) != len(pairs):
        raise ValueError
    # All keys together are rarely longer than a single one may be.
    if len("".join(members)) > MAX_KEY and any(len(key) > MAX_KEY for key in members):
        raise ValueError
    return members


def _finite(written: str) -> float:
    number = float(written)
    if not math.isfinite(number):
        raise ValueError
    return number


def _no_constant(_name: str) -> None:
    raise ValueError


_decode: Final = json.JSONDecoder(
    object_pairs_hook=_unique, parse_float=_finite, parse_constant=_no_constant
).raw_decode


def read_json(text: str, *, close: bool = False) -> Any:
    """Return the object or array that a text is, and that alone.

    `close`: brackets missing at the very end are added if the last member is complete.
    Raises ValueError, with the reason, for anything incomplete or ambiguous.
    """
    reader = JsonReader()
    end = reader.feed(text)
    if reader.failed is not None:
        raise ValueError(reader.failed)
    if not (reader.done or (close and reader.after_member)):
        raise ValueError("incomplete")
    if text[end:].strip():
        raise ValueError("text behind it")
    check(reader)
    return reader.root


def read_object(text: str, *, close: bool = False) -> dict[str, Any]:
    """Return the object that a text is, also if it was put into a JSON text again.

    `close` is as for `read_json`. Raises ValueError, with the reason, for anything else.
    """
    for _ in range(3):
        text = text.lstrip()
        if not text.startswith('"'):
            break
        value = read_json(f"[{text}]")
        if len(value) != 1 or not isinstance(value[0], str):
            raise ValueError("no object")
        text = value[0]
    value = read_json(text, close=close)
    if not isinstance(value, dict):
        raise ValueError("no object")  # noqa: TRY004 - like everything else here
    return value


def check(reader: JsonReader) -> None:
    """Raise ValueError if what was read has more than one meaning."""
    if reader.duplicate is not None:
        raise ValueError(f"the key {reader.duplicate!r} stands there twice")
    if reader.barewords:
        raise ValueError(f"{reader.barewords[0]!s} has no quotes")
