"""Data in an answer: the JSON objects that it holds, fitted to a JSON schema."""

from itertools import islice
import re
from typing import Any, Final

from ..text import letters_and_digits
from .arguments import Schema, fit, opened, problems_of, properties_of
from .detection.json_reader import BLANK, JsonReader
from .detection.markup import without_thoughts

# Longer data would keep Home Assistant busy with checking it.
_LONGEST: Final = 30_000
# Where more brackets are tried there is no answer in a form.
MAX_TRIES: Final = 200
_MAX_WRAPS: Final = 3
_PROBLEMS: Final = 5
_OPENING: Final = re.compile(rf"\{{|\[(?=[{BLANK}]*+\{{)")


class NoDataError(ValueError):
    """Something is no data that the schema describes; the text says why."""


def read_data(text: str, schema: Schema) -> list[Any]:
    """Return the values in an answer that are what the schema wants, at least one.

    Types are checked, since Home Assistant would make True of any text, and what is
    required. What is cut off is not completed. Raises NoDataError if there is none, or
    if one with a key of the schema cannot be used: nobody knows which is meant.
    """
    if len(text) > _LONGEST:
        raise NoDataError("It is too long.")
    text = without_thoughts(text)
    found: list[Any] = []
    reason = "There is no JSON object in it."
    position = 0
    for _ in range(MAX_TRIES):
        if (opening := _OPENING.search(text, position)) is None:
            break
        reader = JsonReader(text, opening.start())
        position = max(opening.start() + 1, reader.end)
        if problem := _problem_of(reader):
            part = letters_and_digits(text[opening.start() : position])
            if any(key in part for key in _keys_of(schema)):
                raise NoDataError(problem)
            reason = problem
            if not (reader.failed or reader.done):
                break
        elif (value := _unwrapped(reader.root, schema)) is None:
            reason = "Its JSON object has none of the keys of the schema."
        else:
            fitted = fit(value, schema, is_data=True)
            if problem := " ".join(islice(problems_of(fitted, schema), _PROBLEMS)):
                raise NoDataError(problem)
            found.append(fitted)
    else:
        raise NoDataError("There are too many JSON objects in it.")
    if not found:
        raise NoDataError(reason)
    return found


def _problem_of(reader: JsonReader) -> str:
    if reason := reader.failed or reader.problem:
        return f"Its JSON cannot be read ({reason})."
    return "" if reader.done else "It ends before its JSON object is complete."


def _keys_of(schema: Schema) -> set[str]:
    return set(map(letters_and_digits, properties_of(schema)))


def _has_a_key(value: Any, schema: Schema) -> bool:
    keys = value if isinstance(value, dict) else ()
    return not _keys_of(schema).isdisjoint(map(letters_and_digits, keys))


def _unwrapped(value: Any, schema: Schema) -> Any:
    """Return a value out of what is around it, None if it has no key of the schema."""
    for _ in range(_MAX_WRAPS):
        if isinstance(value, list) and len(value) == 1:
            value = value[0]
        if not isinstance(value, dict) or _has_a_key(value, schema):
            return value
        if not properties_of(schema) or not (value or schema.get("required")):
            return value
        # What may have been put into a text once more.
        inner = [
            content
            for item in value.values()
            if isinstance(content := opened(item), dict) or isinstance(item, list)
        ]
        if len(inner) != 1 or inner[0] == properties_of(schema):
            return None
        [value] = inner
    return None
