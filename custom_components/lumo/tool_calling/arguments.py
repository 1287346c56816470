"""The arguments of a call, and data in an answer: read, fitted to a JSON schema, checked.

`fit` changes what has one meaning ("21" for 21, `deviceClass` for `device_class`) and
leaves all else; `problems_of` says what then is still wrong.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import partial
from itertools import chain, islice
import re
from typing import Any, Final

import probatio

from ..text import letters_and_digits
from . import instructions
from .detection.json_reader import BLANK, MAX_DEPTH, JsonReader, read_json, read_object
from .detection.markup import without_thoughts

type Schema = Mapping[str, Any]

_TYPES: Final[dict[str, tuple[type, ...]]] = {
    "array": (list,),
    "boolean": (bool,),
    "integer": (int,),
    "null": (type(None),),
    "number": (int, float),
    "object": (dict,),
    "string": (str,),
}
# A unit such as °C is left alone: it may not be the one that the home counts in. And
# 1.234 may be a thousand and more.
_NUMBER: Final = re.compile(
    r"(?![+-]?[1-9]\d{0,2}[.]\d{3}\b)"
    r"([+-]?\d{1,30}(?:[.]\d{1,30})?|[+-]?\d{1,30},\d{1,2})\s*[%°]?"
)
_BOOLEANS: Final = {
    **dict.fromkeys(("true", "yes", "on"), True),
    **dict.fromkeys(("false", "no", "off"), False),
}
# No list as JSON writes it, but perhaps one as people do.
_LIST_IN_WORDS: Final = re.compile(r"\s*+(?![\[{]).+[,;\n].*", re.DOTALL)
_MAX_SHOWN: Final = 20
# Longer data would keep Home Assistant busy with checking it.
_LONGEST: Final = 30_000
# Where more brackets are tried there is no answer in a form.
MAX_TRIES: Final = 200
_MAX_WRAPS: Final = 3
_MAX_PROBLEMS: Final = 5
_OPENING: Final = re.compile(rf"\{{|\[(?=[{BLANK}]*+\{{)")
_WRAPPERS: Final = ("parameters", "arguments", "args", "input")


class ArgumentsError(Exception):
    """Arguments that cannot be used, with everything that is wrong with them."""

    def __init__(self, problems: list[str]) -> None:
        """Keep what is wrong, one sentence each, to be told to the model."""
        super().__init__(" ".join(problems))
        self.problems = problems


def parse_arguments(value: object) -> dict[str, Any]:
    """Return the object that arguments are, or their JSON text, or nothing at all.

    Raises ArgumentsError for anything else; nothing that was cut is completed.
    """
    try:
        read = read_object(value)
    except ValueError as err:
        raise ArgumentsError([instructions.NO_OBJECT.format(reason=err)]) from None
    return {str(key): item for key, item in read.items()}


def fit_arguments(arguments: dict[str, Any], schema: dict[str, Any]) -> dict[str, Any]:
    """Return arguments that the JSON schema accepts, made from those given.

    Raises ArgumentsError with what is wrong and what is allowed instead.
    """
    fitted = fit_members(_unwrapped(arguments, properties_of(schema)), schema)
    if problems := list(problems_of(fitted, schema)):
        raise ArgumentsError(problems)
    return fitted


def _unwrapped(arguments: dict[str, Any], properties: dict[str, Any]) -> dict[str, Any]:
    """Return arguments out of what Lumo's own tool channel was seen to wrap around them.

    `{"arguments": null, "name": null, "parameters": {...}}`
    """
    filled = [key for key in arguments if arguments[key] not in (None, "", {})]
    if not properties or len(filled) != 1 or filled[0] not in _WRAPPERS:
        return arguments
    if filled[0] in properties:
        return arguments
    try:
        return parse_arguments(arguments[filled[0]])
    except ArgumentsError:
        return arguments


def problems_of(value: Any, schema: Schema) -> Iterator[str]:
    """Yield what is wrong with a value by its schema, one sentence each.

    Nothing by a schema that cannot be used: it must not stop the tool.
    """
    try:
        validate = probatio.from_json_schema(dict(schema))
    except Exception:  # noqa: BLE001 - it may come from anywhere
        return
    try:
        validate(value)
    except probatio.Invalid as err:
        unknown_keys: list[str] = []
        for error in getattr(err, "errors", [err]):
            if isinstance(error, probatio.ExtraKeysInvalid) and len(error.path) == 1:
                unknown_keys.append(_name_of(error.path[0]))
            else:
                yield sentence_of(error)
        if unknown_keys:
            yield unknown(", ".join(unknown_keys), properties_of(schema))
    except Exception as err:  # noqa: BLE001 - nothing but ArgumentsError leaves here
        yield instructions.NOT_CHECKED.format(reason=type(err).__name__)


def _name_of(part: object) -> str:
    return str(getattr(part, "schema", part))


def sentence_of(error: probatio.Invalid) -> str:
    """Return what is wrong, and where."""
    where = ".".join(map(_name_of, error.path))
    if isinstance(error, probatio.RequiredFieldInvalid):
        return instructions.MISSING.format(key=where)
    message = str(getattr(error, "msg", error))
    return f"{where}: {message}." if where else f"{message}."


def fit(value: Any, schema: Any, *, is_data: bool = False, depth: int = 0) -> Any:
    """Return a value as a schema wants it, as far as that is clear.

    Data, unlike arguments, may hold any text: blanks are kept, a list in words is not
    one item, a number may have lost something as text (version 5.10). At its top, and in
    objects with required members, what the schema does not know is left out.
    """
    if isinstance(value, str) and not is_data:
        value = value.strip()
    if value in (None, "") or not isinstance(schema, dict) or depth > MAX_DEPTH:
        return value
    inner = partial(fit, is_data=is_data, depth=depth + 1)
    # Home Assistant 2026.11 writes a whole number from 0 to 100 as "an integer, and a
    # number from 0 to 100".
    for part in _listed(schema, "allOf"):
        value = inner(value, part)
    branches = _listed(schema, "anyOf") or _listed(schema, "oneOf")
    if branches and "type" not in schema:
        tried = chain([value], (inner(value, branch) for branch in branches))
        return next((item for item in tried if _is_one_of(branches, item)), value)
    types, choices = _types(schema), _choices(schema)
    if types and not _has_type(value, types):
        if choices or not (is_data and _is_unclear(value, types)):
            value = _converted(value, types)
    if isinstance(value, list):
        return [inner(item, schema.get("items")) for item in value]
    if isinstance(value, dict):
        known = properties_of(schema)
        return fit_members(value, schema, is_data, depth) if known else value
    if choices and value not in choices:
        return _by_name(choices).get(letters_and_digits(str(value)), value)
    return _whole(value)


def fit_members(
    members: dict[str, Any], schema: Schema, is_data: bool = False, depth: int = 0
) -> dict[str, Any]:
    """Return the members of an object as its schema wants them.

    Keys in another spelling are corrected, and optional blanks are left out, but for
    texts in data. Of two spellings of a key the second stays as it is.
    """
    properties, required = properties_of(schema), _listed(schema, "required")
    spelled = _by_name({key: key for key in properties})
    fitted: dict[str, Any] = {}
    for written, item in members.items():
        key: str | None = written
        if written not in properties:
            key = spelled.get(letters_and_digits(written))
            key = None if key in members else key
        wanted = properties.get(key or "", {})
        item = fit(item, wanted, is_data=is_data, depth=depth + 1)
        may_be_blank = is_data and "string" in _types(wanted) and not _choices(wanted)
        if key not in required and (item is None or (item == "" and not may_be_blank)):
            continue
        if key is not None and key not in fitted:
            fitted[key] = item
        elif key or not is_data or (depth and not required):
            fitted[written] = item
    return fitted


def unknown(key: str, properties: Mapping[str, Any]) -> str:
    """Return that there is no such member, and which there are."""
    known = ", ".join(list(properties)[:_MAX_SHOWN]) or "none"
    return instructions.UNKNOWN.format(key=key, known=known)


def properties_of(schema: Schema) -> dict[str, Any]:
    """Return the schemas of an object's members."""
    properties = schema.get("properties")
    members = properties.items() if isinstance(properties, dict) else ()
    return {key: item if isinstance(item, dict) else {} for key, item in members}


def opened(value: Any) -> Any:
    """Return the list or object that a text holds, any other value as it is."""
    if isinstance(value, str) and value.lstrip().startswith(("[", "{")):
        with suppress(ValueError):
            return read_json(value)
    return value


def _listed(schema: Schema, keyword: str) -> list[Any]:
    value = schema.get(keyword)
    return value if isinstance(value, list) else []


def _types(schema: Schema) -> list[str]:
    types = schema.get("type")
    named = types if isinstance(types, list) else [types]
    return [known for known in named if isinstance(known, str) and known in _TYPES]


def _has_type(value: Any, types: list[str]) -> bool:
    if isinstance(value, bool):
        return "boolean" in types
    return any(isinstance(value, _TYPES[name]) for name in types)


def _converted(value: Any, types: list[str]) -> Any:
    if "array" in types:
        items = opened(value)
        return items if isinstance(items, list) else [value]
    one = value[0] if isinstance(value, list) and len(value) == 1 else value
    match one:
        case str():
            is_on = _BOOLEANS.get(one.lower())
            made: tuple[Any, ...] = (one, opened(one), _number(one), is_on)
        case bool():
            made = (one, str(one).lower())
        case int() | float():
            made = (one, _whole(one), bool(one) if one in (0, 1) else None, str(one))
        case _:
            return value
    fitting = (item for item in made if item is not None and _has_type(item, types))
    return next(fitting, value)


def _number(text: str) -> int | float | None:
    written = _NUMBER.fullmatch(text.strip())
    return _whole(float(written[1].replace(",", "."))) if written else None


def _whole(value: Any) -> Any:
    # Beyond 2**53 not every whole number is a float.
    is_whole = isinstance(value, float) and value.is_integer() and abs(value) < 2**53
    return int(value) if is_whole else value


def _is_unclear(value: Any, types: list[str]) -> bool:
    if isinstance(value, float):
        return "string" in types
    is_list = isinstance(value, str) and "array" in types
    return is_list and (not value.strip() or bool(_LIST_IN_WORDS.fullmatch(value)))


def _choices(schema: Schema) -> dict[Any, str]:
    """Return the values of which one must stand there, each with its title."""
    if enum := _listed(schema, "enum"):
        return {item: str(item) for item in enum if isinstance(item, str | int | float)}
    return {
        str(item["const"]): str(item.get("title"))
        for item in _listed(schema, "oneOf")
        if isinstance(item, dict) and "const" in item
    }


def _by_name(choices: Mapping[Any, str]) -> dict[str, Any]:
    found: dict[str, set[Any]] = defaultdict(set)
    for choice, title in choices.items():
        for name in (str(choice), title):
            found[letters_and_digits(name)].add(choice)
    return {
        name: choice
        for name, meant in found.items()
        if name and len(meant) == 1
        for choice in meant
    }


def _is_one_of(branches: list[Any], value: Any) -> bool:
    for branch in branches:
        # The schema may come from anywhere.
        with suppress(Exception):
            probatio.from_json_schema(branch)(value)
            return True
    return False


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
        elif (value := _data_in(reader.root, schema)) is None:
            reason = "Its JSON object has none of the keys of the schema."
        else:
            fitted = fit(value, schema, is_data=True)
            if problem := " ".join(islice(problems_of(fitted, schema), _MAX_PROBLEMS)):
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


def _data_in(value: Any, schema: Schema) -> Any:
    """Return a value out of what is around it, None if it has no key of the schema."""
    for _ in range(_MAX_WRAPS):
        if isinstance(value, list) and len(value) == 1:
            value = value[0]
        if not isinstance(value, dict):
            return value
        if not _keys_of(schema).isdisjoint(map(letters_and_digits, value)):
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
