"""The arguments of a call: read, brought into the wanted shape, checked.

What comes from a model is first made an object, then fitted to the tool's own schema
(the coercions of `coercions`, blanks left out, the wrapping of misrouted calls taken
off), then validated. Nothing that was written is dropped without a word: an argument
the tool does not know is an error that names those it knows.
"""

from collections.abc import Callable, Iterator
from typing import Any, Final

import probatio

from ..text import letters_and_digits
from . import instructions
from .coercions import COERCIONS, UNCHANGED, Coercion, Schema, to_choice
from .detection.json_reader import MAX_DEPTH, read_object

_CHECKS: Final[dict[str, tuple[type, ...]]] = {
    "array": (list,),
    "boolean": (bool,),
    "integer": (int,),
    "null": (type(None),),
    "number": (int, float),
    "object": (dict,),
    "string": (str,),
}
_WRAPPERS: Final = ("parameters", "arguments", "args", "input")
_MAX_SHOWN: Final = 20


class ArgumentsError(Exception):
    """Arguments that cannot be used, with everything that is wrong with them."""

    def __init__(self, problems: list[str]) -> None:
        """Keep what is wrong, one sentence each, to be told to the model."""
        super().__init__(" ".join(problems))
        self.problems = problems


def parse_arguments(value: object) -> dict[str, Any]:
    """Return arguments as an object.

    Takes an object, the JSON text of one (escaped again or not), or nothing at all,
    which is an object without members. Raises ArgumentsError for anything else:
    arguments are never guessed, and nothing that was cut is completed.
    """
    try:
        read = read_object(value)
    except ValueError as err:
        raise ArgumentsError([instructions.NO_OBJECT.format(reason=err)]) from None
    if _is_too_deep(read):
        raise ArgumentsError([instructions.TOO_DEEP])
    return {str(key): item for key, item in read.items()}


def fit_arguments(arguments: dict[str, Any], schema: dict[str, Any]) -> dict[str, Any]:
    """Return arguments that the schema accepts, made from those given.

    `schema` is the JSON schema of the tool's parameters. Raises ArgumentsError with
    what is wrong and what is allowed instead.
    """
    if _is_too_deep(arguments):
        raise ArgumentsError([instructions.TOO_DEEP])
    properties = properties_of(schema)
    fitted = _respell(_unwrap(arguments, properties), properties)
    fitted = _fit_members(fitted, schema, 0)
    required = required_of(schema)
    fitted = {
        key: value
        for key, value in fitted.items()
        if key in required or (value is not None and value != "")
    }
    if problems := list(_problems(fitted, schema)):
        raise ArgumentsError(problems)
    return fitted


def _is_too_deep(value: object) -> bool:
    level = [value]
    for _ in range(MAX_DEPTH):
        level = inner_of(level)
    return bool(level)


def inner_of(values: list[Any]) -> list[Any]:
    """Return what is directly in the objects and arrays among some values."""
    return [
        item
        for value in values
        if isinstance(value, dict | list)
        for item in (value.values() if isinstance(value, dict) else value)
    ]


def properties_of(schema: Schema) -> dict[str, Any]:
    """Return the schemas of an object's members."""
    properties = schema.get("properties")
    return properties if isinstance(properties, dict) else {}


def required_of(schema: Schema) -> list[str]:
    """Return which members an object must have."""
    required = schema.get("required")
    if not isinstance(required, list):
        return []
    return [key for key in required if isinstance(key, str)]


def _unwrap(arguments: dict[str, Any], properties: dict[str, Any]) -> dict[str, Any]:
    """Take off what a misrouted call may wear twice.

    Seen from Lumo's own tool channel: `{"arguments": null, "name": null, "parameters":
    {...}}`, with the arguments in the inner `parameters`. A tool that has an argument
    of that name keeps it.
    """
    for wrapper in _WRAPPERS:
        if wrapper in properties or not arguments.get(wrapper):
            continue
        rest = [value for key, value in arguments.items() if key != wrapper]
        if not properties or any(value not in (None, "", {}) for value in rest):
            continue
        try:
            return parse_arguments(arguments[wrapper])
        except ArgumentsError:
            continue
    return arguments


def _respell(arguments: dict[str, Any], properties: dict[str, Any]) -> dict[str, Any]:
    """Return the arguments with keys in another spelling (`deviceClass`) corrected."""
    respelled = {}
    for key, value in arguments.items():
        if key not in properties:
            meant = [
                known
                for known in properties
                if letters_and_digits(known) == letters_and_digits(key)
            ]
            if len(meant) == 1 and meant[0] not in arguments:
                key = meant[0]
        if key in respelled:
            raise ArgumentsError([instructions.TWICE.format(key=key)])
        respelled[key] = value
    return respelled


def _fit_members(
    arguments: dict[str, Any], schema: Schema, depth: int
) -> dict[str, Any]:
    properties = properties_of(schema)
    return {
        key: _fit(value, properties.get(key), depth + 1)
        for key, value in arguments.items()
    }


def _fit(value: Any, schema: Any, depth: int) -> Any:
    """Return a value as the schema wants it, as far as that is clear."""
    if isinstance(value, str):
        value = value.strip()
    if not isinstance(schema, dict) or depth > MAX_DEPTH:
        return value
    schema = _joined(schema)
    if branches := branches_of(schema):
        return fit_branch(
            value, branches, lambda branch: _fit(value, branch, depth + 1)
        )
    if value in (None, ""):
        return value
    types = types_of(schema)
    if types and not has_type(value, types):
        value = coerced(value, schema, types)
    if isinstance(value, list):
        items = schema.get("items")
        return [_fit(item, items, depth + 1) for item in value]
    if isinstance(value, dict):
        return _fit_members(value, schema, depth)
    choices = schema.get("enum")
    if isinstance(choices, list) and value not in choices:
        choice = to_choice(value, schema)
        return value if choice is UNCHANGED else choice
    return value


def _joined(schema: Schema) -> Schema:
    """Return a schema whose parts must all hold as one.

    Home Assistant 2026.11 writes a whole number from 0 to 100 as "an integer, and a
    number from 0 to 100".
    """
    parts = schema.get("allOf")
    if not isinstance(parts, list) or not all(isinstance(part, dict) for part in parts):
        return schema
    joined = {key: value for key, value in schema.items() if key != "allOf"}
    for part in parts:
        if part.get("type") == "integer" and joined.get("type") == "number":
            joined["type"] = "integer"
        joined = {**part, **joined}
    return joined


def branches_of(schema: Schema) -> list[Any]:
    """Return the schemas of which one must hold, none if it is not such a schema."""
    for keyword in ("anyOf", "oneOf"):
        branches = schema.get(keyword)
        if isinstance(branches, list) and "type" not in schema:
            return branches
    return []


def fit_branch(value: Any, branches: list[Any], fit: Callable[[Any], Any]) -> Any:
    """Return a value as it is if one branch takes it, else as the first can have it.

    `fit` makes of the value what a branch wants.
    """
    if any(takes(branch, value) for branch in branches):
        return value
    for branch in branches:
        if takes(branch, fitted := fit(branch)):
            return fitted
    return value


def takes(schema: Any, value: Any) -> bool:
    """Return whether a schema accepts a value."""
    if not isinstance(schema, dict):
        return True
    try:
        probatio.from_json_schema(schema)(value)
    except Exception:  # noqa: BLE001 - the schema may come from anywhere
        return False
    return True


def types_of(schema: Schema) -> list[str]:
    """Return the types that a schema allows, none if it does not say."""
    types = schema.get("type")
    if isinstance(types, str):
        types = [types]
    if not isinstance(types, list):
        return []
    return [known for known in types if isinstance(known, str) and known in _CHECKS]


def has_type(value: Any, types: list[str]) -> bool:
    """Return whether a value has one of JSON's types."""
    if isinstance(value, bool):
        return "boolean" in types
    return any(isinstance(value, _CHECKS[name]) for name in types)


def coerced(value: Any, schema: Schema, types: list[str]) -> Any:
    """Take the first coercion that leads to a wanted type, or two one after the other.

    Two, because a list of one may hold a number written as text.
    """
    for coercion in _coercions(types):
        coerced = coercion.apply(value, schema)
        if coerced is UNCHANGED:
            continue
        if has_type(coerced, types):
            return coerced
        for second in _coercions(types):
            again = second.apply(coerced, schema)
            if again is not UNCHANGED and has_type(again, types):
                return again
    return value


def _coercions(types: list[str]) -> Iterator[Coercion]:
    return (step for step in COERCIONS if not step.wanted.isdisjoint(types))


def _problems(arguments: dict[str, Any], schema: dict[str, Any]) -> Iterator[str]:
    """Yield what is wrong with arguments, one sentence each."""
    properties = properties_of(schema)
    try:
        validate = probatio.from_json_schema(schema)
    except Exception:  # noqa: BLE001 - a schema it refuses must not stop the tool
        yield from _simple_problems(arguments, schema)
        return
    try:
        validate(arguments)
    except probatio.Invalid as err:
        for error in getattr(err, "errors", [err]):
            yield _sentence(error, properties)
    except Exception as err:  # noqa: BLE001 - nothing but ArgumentsError leaves here
        yield instructions.NOT_CHECKED.format(reason=type(err).__name__)


def _sentence(error: probatio.Invalid, properties: dict[str, Any]) -> str:
    """Return what is wrong, and what is allowed."""
    path = [str(getattr(part, "schema", part)) for part in error.path]
    where = ".".join(path)
    if isinstance(error, probatio.ExtraKeysInvalid) and len(path) == 1:
        return _unknown(where, properties)
    if isinstance(error, probatio.RequiredFieldInvalid):
        return instructions.MISSING.format(key=where)
    message = str(getattr(error, "msg", error))
    return f"{where}: {message}." if where else f"{message}."


def _unknown(key: str, properties: dict[str, Any]) -> str:
    if not properties:
        return instructions.TAKES_NONE.format(key=key)
    known = ", ".join(list(properties)[:_MAX_SHOWN])
    return instructions.UNKNOWN.format(key=key, known=known)


def _simple_problems(
    arguments: dict[str, Any], schema: dict[str, Any]
) -> Iterator[str]:
    """Check names and types only, where the schema is beyond the validator."""
    properties = properties_of(schema)
    for key in required_of(schema):
        if key not in arguments:
            yield instructions.MISSING.format(key=key)
    for key, value in arguments.items():
        if key not in properties:
            if schema.get("additionalProperties") is False:
                yield _unknown(key, properties)
            continue
        member = properties[key]
        types = types_of(member) if isinstance(member, dict) else []
        if types and not has_type(value, types):
            yield instructions.WRONG_TYPE.format(key=key, types=" or ".join(types))
