"""What a person would make of an argument that does not have the wanted type.

Models mean the right thing and write it in the wrong type: "21" for 21, one domain for
a list of domains. Each function here makes one such step and nothing else; it returns
UNCHANGED where it does not apply. `COERCIONS` is the whole list, in the order in which
they are tried; the first line of each docstring is what the documentation says.

They never invent a value: where two meanings are possible, nothing is changed, and
validation tells the model what is allowed.
"""

from collections.abc import Callable, Mapping
import math
import re
from typing import Any, Final, NamedTuple

from ..text import letters_and_digits
from .detection.call_words import words
from .detection.json_reader import read_json

UNCHANGED: Final = object()

type Schema = Mapping[str, Any]

# A unit such as °C is left alone: it may not be the one that the home counts in. And
# 1.234 may be a thousand and more.
_NUMBER: Final = re.compile(
    r"(?![+-]?[1-9]\d{0,2}[.]\d{3}\b)"
    r"([+-]?\d{1,30}(?:[.]\d{1,30})?|[+-]?\d{1,30},\d{1,2})\s*[%°]?"
)
_TRUE: Final = frozenset({"true", "yes", "on"})
_FALSE: Final = frozenset({"false", "no", "off"})


def text_to_number(value: Any, _schema: Schema) -> Any:
    """Read a number that was written as text: "21", "21.5", "50%", "21°"."""
    if not isinstance(value, str):
        return UNCHANGED
    if (written := _NUMBER.fullmatch(value.strip())) is None:
        return UNCHANGED
    number = float(written.group(1).replace(",", "."))
    return _as_integer(number) if number.is_integer() else number


def float_to_integer(value: Any, _schema: Schema) -> Any:
    """Make an integer of a whole number with a decimal point: 21.0."""
    if isinstance(value, float) and math.isfinite(value) and value.is_integer():
        return _as_integer(value)
    return UNCHANGED


def _as_integer(value: float) -> int | float:
    # Beyond this not every integer is a float.
    return int(value) if abs(value) < 2**53 else value


def text_to_boolean(value: Any, _schema: Schema) -> Any:
    """Make a boolean of a word for yes or no: "True", "on", "no"."""
    if isinstance(value, str):
        word = value.strip().lower()
        if word in _TRUE:
            return True
        if word in _FALSE:
            return False
    return UNCHANGED


def number_to_boolean(value: Any, _schema: Schema) -> Any:
    """Make a boolean of the numbers 0 and 1."""
    if type(value) in {int, float} and value in {0, 1}:
        return bool(value)
    return UNCHANGED


def text_to_list(value: Any, _schema: Schema) -> Any:
    """Read a list that was written as text: '["light"]', "['light', 'fan']"."""
    return _read(value, "[", list)


def text_to_object(value: Any, _schema: Schema) -> Any:
    """Read an object that was written as text."""
    return _read(value, "{", dict)


def _read(value: Any, opening: str, wanted: type) -> Any:
    if not isinstance(value, str) or not value.lstrip().startswith(opening):
        return UNCHANGED
    try:
        read = read_json(value)
    except ValueError:
        return UNCHANGED
    return read if isinstance(read, wanted) else UNCHANGED


def one_to_list(value: Any, _schema: Schema) -> Any:
    """Make a list of one value where a list is wanted."""
    if value is None or isinstance(value, list):
        return UNCHANGED
    return [value]


def list_to_one(value: Any, _schema: Schema) -> Any:
    """Take the value out of a list of one where a single value is wanted."""
    if isinstance(value, list) and len(value) == 1:
        item = value[0]
        if item is not None and not isinstance(item, (list, dict)):
            return item
    return UNCHANGED


def number_to_text(value: Any, _schema: Schema) -> Any:
    """Write a number out where only a text is allowed."""
    if type(value) in {int, float}:
        return str(value)
    return UNCHANGED


def boolean_to_text(value: Any, _schema: Schema) -> Any:
    """Write "true" or "false" where only a text is allowed."""
    return str(value).lower() if isinstance(value, bool) else UNCHANGED


def to_choice(value: Any, schema: Schema) -> Any:
    """Find the choice that was spelled otherwise: "Media Player"."""
    choices = schema.get("enum")
    if not isinstance(choices, list) or not isinstance(value, (str, int, float)):
        return UNCHANGED
    matching = [
        choice
        for choice in choices
        if letters_and_digits(str(choice)) == letters_and_digits(str(value))
    ]
    return matching[0] if len(matching) == 1 else UNCHANGED


def or_same(step: Callable[[Any, Schema], Any], value: Any) -> Any:
    """Return what a step makes of a value, the value itself where it does not apply."""
    made = step(value, {})
    return value if made is UNCHANGED else made


class Coercion(NamedTuple):
    """One step, tried where a value of one of the `wanted` JSON types is missing."""

    apply: Callable[[Any, Schema], Any]
    wanted: frozenset[str]


# Texts are stripped and choices matched whatever the type; see `arguments`.
COERCIONS: Final = (
    Coercion(text_to_number, words("integer number")),
    Coercion(float_to_integer, words("integer")),
    Coercion(text_to_boolean, words("boolean")),
    Coercion(number_to_boolean, words("boolean")),
    Coercion(text_to_list, words("array")),
    Coercion(one_to_list, words("array")),
    Coercion(text_to_object, words("object")),
    Coercion(number_to_text, words("string")),
    Coercion(boolean_to_text, words("string")),
    Coercion(list_to_one, words("integer number boolean string")),
    Coercion(to_choice, words("enum")),
)
