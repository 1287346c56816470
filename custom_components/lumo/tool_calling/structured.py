"""Data in an answer: the JSON object that it holds, fitted to a JSON schema.

Strategy: the text behind any reasoning is searched for brackets; at each the reader of
`json_reader` reads on until a value is complete or does not fit, and the search goes on
from there, so nothing is read twice. What is cut off by the end is never completed, and
nothing within it is taken for the answer. Words, fences and tags around a value are of
no concern.

Repairs are those of syntax and of type that calls get as well (`coercions`); beyond
them a member that the schema does not know is left out, and so is a null or a blank
where nothing has to be. None of them makes up a value.
"""

from collections.abc import Iterator
from functools import lru_cache
from itertools import islice
import re
from typing import Any, Final, NamedTuple

from ..text import letters_and_digits
from .arguments import (
    branches_of,
    coerced,
    fit_branch,
    has_type,
    inner_of,
    properties_of,
    required_of,
    types_of,
)
from .coercions import Schema, float_to_integer, or_same, text_to_object
from .detection.json_reader import MAX_DEPTH, JsonReader
from .detection.json_tokens import BLANK
from .detection.pieces import Reasoning
from .detection.reasoning import ReasoningReader
from .instructions import MISSING_KEY, UNKNOWN, WRONG_TYPE

_LONGEST: Final = 100_000
# Where more brackets are tried there is no answer in a form.
MAX_TRIES: Final = 200
# A key of a form may be a whole sentence, with its characters escaped.
_MAX_KEY: Final = 2_000
_MAX_WRAPS: Final = 3
_PROBLEMS: Final = 5
# Longer lists would keep Home Assistant busy with checking them.
_MAX_ITEMS: Final = 1_000
_PIECE: Final = 4_096
# No list as JSON writes it, but perhaps one as people do, or an empty one.
_LIST: Final = re.compile(r"\s*+(?![\[{]).+[,;\n].*|\s*", re.DOTALL)
_OPENING: Final = re.compile(rf"\{{|\[(?=[{BLANK}]*+\{{)")


class Written(NamedTuple):
    """A value that stands in an answer."""

    value: Any
    """An object that has what the schema wants, None where there is a problem."""
    problem: str
    """Why it is none, in words for the model."""


class NoDataError(ValueError):
    """Something is no data that the schema describes; the text says why."""


def read_data(text: str, schema: Schema) -> list[Written]:
    """Return what an answer has with a key of the schema, in order, at least one.

    Types are checked, since Home Assistant would make True of any text, and what must
    be there; all else is for who knows more than the schema. What has no such key is
    no answer and left out. Raises NoDataError where there is nothing else.
    """
    if len(text) > _LONGEST:
        raise NoDataError("It is too long.")
    text = _without_reasoning(text)
    found: list[Written] = []
    other = "There is no JSON object in it."
    position = 0
    for _ in range(MAX_TRIES):
        if (opening := _OPENING.search(text, position)) is None:
            break
        reader = JsonReader(max_key=_MAX_KEY)
        start = opening.start()
        position = max(start + 1, reader.feed(text, start))
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
    """Return what was read, fitted to a schema. Raises NoDataError: it is no answer."""
    problem = ""
    if reason := reader.failed or reader.ambiguity():
        problem = f"Its JSON cannot be read ({reason})."
    elif not reader.done:
        problem = "It ends before its JSON object is complete."
    if not problem:
        value = _unwrapped(reader.root, schema)
        fitted = _fit(value, schema, 0)
        problem = " ".join(islice(_problems(fitted, schema), _PROBLEMS))
        return Written(None if problem else fitted, problem)
    if not _names_a_key(reader.root, schema):
        raise NoDataError(problem)
    return Written(None, problem)


def _names_a_key(value: Any, schema: Schema) -> bool:
    """Return whether a value has a key of the schema, however deep, whole or not."""
    known = {letters_and_digits(key) for key in properties_of(schema)}
    level = [value]
    while level:
        objects = [item for item in level if isinstance(item, dict)]
        if any(letters_and_digits(key) in known for item in objects for key in item):
            return True
        level = inner_of(level)
    return False


def _without_reasoning(text: str) -> str:
    """Return what stands behind the reasoning at the start."""
    reader = ReasoningReader()
    for start in range(0, len(text), _PIECE):
        _, rest = reader.feed(text[start : start + _PIECE], final=False)
        if reader.done:
            return rest + text[start + _PIECE :]
    pieces, rest = reader.feed("", final=True)
    return rest if not any(isinstance(piece, Reasoning) for piece in pieces) else ""


def _unwrapped(value: Any, schema: Schema) -> Any:
    """Return a value out of what a model may wrap around it.

    That is an array of one, and an object with no key of the schema. Raises NoDataError.
    """
    known = {letters_and_digits(key) for key in properties_of(schema)}
    for _ in range(_MAX_WRAPS):
        if isinstance(value, list) and len(value) == 1:
            value = value[0]
        if not isinstance(value, dict) or not (
            known and (value or required_of(schema))
        ):
            return value
        if any(letters_and_digits(key) in known for key in value):
            return value
        # What may have been put into a text once more.
        opened = (or_same(text_to_object, item) for item in value.values())
        inner = [item for item in opened if isinstance(item, dict | list)]
        if len(inner) != 1 or inner[0] == properties_of(schema):
            raise NoDataError("Its JSON object has none of the keys of the schema.")
        [value] = inner
    raise NoDataError("Its JSON object is wrapped in too many others.")


def _fit(value: Any, schema: Any, depth: int) -> Any:
    """Return a value as the schema wants it, as far as that is clear."""
    if value is None or not isinstance(schema, dict) or depth > MAX_DEPTH:
        return value
    if branches := branches_of(schema):
        return fit_branch(
            value, branches, lambda branch: _fit(value, branch, depth + 1)
        )
    types = types_of(schema)
    choices = _choices(schema)
    if types and not has_type(value, types):
        if _is_unclear(value, types) and not choices:
            return value
        value = coerced(value, schema, types)
    if isinstance(value, list):
        return [_fit(item, schema.get("items"), depth + 1) for item in value]
    if isinstance(value, dict):
        return _fit_members(value, schema, depth)
    if isinstance(value, float) and types:
        return or_same(float_to_integer, value)
    if isinstance(value, str) and choices and value not in dict(choices):
        return _by_name(choices).get(letters_and_digits(value), value)
    return value


def _is_unclear(value: Any, types: list[str]) -> bool:
    """Return whether it has lost something, or may be several in one."""
    if isinstance(value, float):
        # Version 5.10 is not 5.1.
        return "string" in types
    return isinstance(value, str) and "array" in types and bool(_LIST.fullmatch(value))


def _fit_members(members: dict[str, Any], schema: Schema, depth: int) -> dict[str, Any]:
    """Return the members that the schema knows, under the keys that it gives them.

    With those that mean something beside them: what is written twice, and what adds to
    a value all of whose parts are optional, such as weeks to a duration.
    """
    properties, required = properties_of(schema), required_of(schema)
    if not properties:
        return members
    spelled = _by_name(tuple((key, key) for key in properties))
    fitted: dict[str, Any] = {}
    for written, item in members.items():
        key = (
            written
            if written in properties
            else spelled.get(letters_and_digits(written))
        )
        if key is not None and key != written and key in members:
            continue
        if key is None or key in fitted:
            if key is not None or (depth and not required):
                fitted[written] = item
            continue
        wanted = properties[key]
        item = _fit(item, wanted, depth + 1)
        if key in required or not (item is None or _is_blank(item, wanted)):
            fitted[key] = item
    return fitted


def _is_blank(value: Any, schema: Any) -> bool:
    """Return whether an empty text stands where no text may."""
    return value == "" and (bool(_choices(schema)) or "string" not in types_of(schema))


type _Choices = tuple[tuple[str, str], ...]


def _choices(schema: Schema) -> _Choices:
    """Return the texts that may stand there, each with its title."""
    if (enum := schema.get("enum")) is not None:
        return tuple((item, item) for item in enum if isinstance(item, str))
    items = schema.get("oneOf", ())
    return tuple((item["const"], item["title"]) for item in items if "title" in item)


@lru_cache(maxsize=64)
def _by_name(choices: _Choices) -> dict[str, str]:
    """Return choices by what they and their titles are compared by, where that is one."""
    found: dict[str, str | None] = {}
    for choice, title in choices:
        for name in {letters_and_digits(choice), letters_and_digits(title)} - {""}:
            found[name] = None if found.get(name, choice) != choice else choice
    return {name: choice for name, choice in found.items() if choice is not None}


def _problems(value: Any, schema: Any, where: str = "") -> Iterator[str]:
    """Yield what has the wrong type or is missing, one sentence each, for the model."""
    if not isinstance(schema, dict):
        return
    types = types_of(schema)
    if types and not has_type(value, types):
        yield WRONG_TYPE.format(key=where or "The answer", types=" or ".join(types))
    elif isinstance(value, list) and len(value) > _MAX_ITEMS:
        yield f"{where or 'The answer'}: too many items."
    elif isinstance(value, list):
        for number, item in enumerate(value):
            yield from _problems(item, schema.get("items"), f"{where}[{number}]")
    elif isinstance(value, dict):
        path = f"{where}." if where else ""
        for key in required_of(schema):
            if key not in value:
                yield MISSING_KEY.format(key=path + key)
        properties = properties_of(schema)
        for key, item in value.items():
            if key in properties:
                yield from _problems(item, properties[key], path + key)
            elif properties:
                yield UNKNOWN.format(key=path + key, known=", ".join(properties))
