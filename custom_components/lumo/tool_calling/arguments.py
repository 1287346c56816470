"""The arguments of a call: read, brought into the wanted shape, checked."""

from collections.abc import Iterator
from typing import Any, Final

import probatio

from . import instructions
from .detection.json_reader import MAX_DEPTH, read_object
from .fitting import fit_members, inner_of, problems_of, properties_of, unknown

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
    _check_depth(read)
    return {str(key): item for key, item in read.items()}


def fit_arguments(arguments: dict[str, Any], schema: dict[str, Any]) -> dict[str, Any]:
    """Return arguments that the JSON schema accepts, made from those given.

    Raises ArgumentsError with what is wrong and what is allowed instead.
    """
    _check_depth(arguments)
    fitted = fit_members(_unwrapped(arguments, properties_of(schema)), schema)
    if problems := list(_problems(fitted, schema)):
        raise ArgumentsError(problems)
    return fitted


def _check_depth(value: object) -> None:
    level = [value]
    for _ in range(MAX_DEPTH):
        level = inner_of(level)
    if level:
        raise ArgumentsError([instructions.TOO_DEEP])


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


def _problems(arguments: dict[str, Any], schema: dict[str, Any]) -> Iterator[str]:
    try:
        validate = probatio.from_json_schema(schema)
    except Exception:  # noqa: BLE001 - a schema it refuses must not stop the tool
        yield from problems_of(arguments, schema)
        return
    try:
        validate(arguments)
    except probatio.Invalid as err:
        unknown_keys: list[str] = []
        for error in getattr(err, "errors", [err]):
            if isinstance(error, probatio.ExtraKeysInvalid) and len(error.path) == 1:
                unknown_keys.append(_name_of(error.path[0]))
            else:
                yield _sentence(error)
        if unknown_keys:
            yield unknown(", ".join(unknown_keys), properties_of(schema))
    except Exception as err:  # noqa: BLE001 - nothing but ArgumentsError leaves here
        yield instructions.NOT_CHECKED.format(reason=type(err).__name__)


def _name_of(part: object) -> str:
    return str(getattr(part, "schema", part))


def _sentence(error: probatio.Invalid) -> str:
    where = ".".join(map(_name_of, error.path))
    if isinstance(error, probatio.RequiredFieldInvalid):
        return instructions.MISSING.format(key=where)
    message = str(getattr(error, "msg", error))
    return f"{where}: {message}." if where else f"{message}."
