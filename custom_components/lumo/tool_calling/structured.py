"""Data in an answer: the JSON objects that it holds, fitted to a JSON schema."""

from itertools import islice
import re
from typing import Any, Final, NamedTuple

from ..text import letters_and_digits
from .arguments import Schema, fit, inner_of, opened, problems_of, properties_of
from .detection.json_reader import BLANK, JsonReader
from .detection.markup import without_thoughts

_LONGEST: Final = 100_000
# Where more brackets are tried there is no answer in a form.
MAX_TRIES: Final = 200
_MAX_WRAPS: Final = 3
_PROBLEMS: Final = 5
_OPENING: Final = re.compile(rf"\{{|\[(?=[{BLANK}]*+\{{)")


class Written(NamedTuple):
    """A value that stands in an answer."""

    value: Any
    """An object that has what the schema wants, None where there is a problem."""
    problem: str = ""
    """Why it is none, in words for the model."""


class NoDataError(ValueError):
    """Something is no data that the schema describes; the text says why."""


def read_data(text: str, schema: Schema) -> list[Written]:
    """Return what an answer has with a key of the schema, in order, at least one.

    Types are checked, since Home Assistant would make True of any text, and what is
    required. What is cut off is not completed. Raises NoDataError if there is nothing.
    """
    if len(text) > _LONGEST:
        raise NoDataError("It is too long.")
    text = without_thoughts(text)
    found: list[Written] = []
    other = "There is no JSON object in it."
    position = 0
    for _ in range(MAX_TRIES):
        if (opening := _OPENING.search(text, position)) is None:
            break
        start = opening.start()
        reader = JsonReader(text, start)
        position = max(start + 1, reader.end)
        try:
            found.append(_written(reader, schema))
        except NoDataError as err:
            other = str(err)
        if reader.failed is None and not reader.done:
            break
    else:
        raise NoDataError("There are too many JSON objects in it.")
    if not found:
        raise NoDataError(other)
    return found


def _written(reader: JsonReader, schema: Schema) -> Written:
    if reason := reader.failed or reader.problem:
        problem = f"Its JSON cannot be read ({reason})."
    elif not reader.done:
        problem = "It ends before its JSON object is complete."
    else:
        fitted = fit(_unwrapped(reader.root, schema), schema, is_data=True)
        problem = " ".join(islice(problems_of(fitted, schema), _PROBLEMS))
        return Written(None, problem) if problem else Written(fitted)
    level = [reader.root]
    while level and not any(_has_a_key(value, schema) for value in level):
        level = inner_of(level)
    if not level:
        raise NoDataError(problem)
    return Written(None, problem)


def _has_a_key(value: Any, schema: Schema) -> bool:
    known = set(map(letters_and_digits, properties_of(schema)))
    keys = value if isinstance(value, dict) else ()
    return not known.isdisjoint(map(letters_and_digits, keys))


def _unwrapped(value: Any, schema: Schema) -> Any:
    """Return a value out of an array of one, or an object with no key of the schema."""
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
            raise NoDataError("Its JSON object has none of the keys of the schema.")
        [value] = inner
    raise NoDataError("Its JSON object is wrapped in too many others.")
