"""From calls found in a value to calls that run, and to those that cannot."""

from collections.abc import Iterator
from typing import Any

from .calls import Found
from .json_reader import JsonReader
from .json_values import read_object
from .pieces import BrokenCall, DetectedCall


def verdicts(
    found: list[Found],
    reader: JsonReader,
    *,
    source: str,
    form: str,
    supplied: bool = False,
) -> Iterator[DetectedCall | BrokenCall]:
    """Yield what becomes of the calls of a value that was read to its end."""
    for call in found:
        arguments = call.arguments
        problem = call.problem
        if reader.repaired or reader.duplicate is not None:
            problem = _ambiguity(call, reader) or problem
        if problem is None and not isinstance(arguments, dict):
            try:
                arguments = _arguments(arguments)
            except ValueError as err:
                problem = f"arguments: {err}"
        if problem is not None or call.name is None:
            reason = problem or "no name of a tool"
            yield BrokenCall(call.name, call.tool, reason, source)
        else:
            yield DetectedCall(
                str(call.name),
                call.tool,
                arguments,
                source,
                form,
                supplied or reader.repaired,
            )


def _ambiguity(call: Found, reader: JsonReader) -> str | None:
    """Return why what was read may mean more than one thing."""
    if reader.duplicate is not None:
        return f"the key {reader.duplicate!r} stands there twice"
    if reader.swallowed:
        return "a comment that holds more than words"
    if any(word is not call.name for word in reader.barewords):
        return "text without quotes"
    return None


def _arguments(value: Any) -> dict[str, Any]:
    """Return arguments that are no object as one; raise ValueError if they are none."""
    if value is None or (isinstance(value, str) and not value.strip()):
        return {}
    if isinstance(value, str):
        return read_object(value)
    raise ValueError("no object")


def needs_only_brackets(found: list[Found], reader: JsonReader) -> bool:
    """Return whether all calls of an unfinished value are there, but for brackets.

    That is so if the model closed the arguments. Where it did not, more of them may have
    been to come: an area that would have narrowed down what is switched off.
    """
    still_open = {id(container) for container in reader.stack}
    return reader.after_member and all(
        id(call.node) not in still_open
        if call.node is not None and not call.has_arguments
        else id(call.arguments) not in still_open and not _holds_object(call.arguments)
        for call in found
    )


def _holds_object(arguments: Any) -> bool:
    """Return whether it may be an object in the arguments that was not closed."""
    return isinstance(arguments, dict) and any(
        isinstance(value, dict) for value in arguments.values()
    )


def split_at_cut(found: list[Found], reader: JsonReader) -> tuple[list[Found], Found]:
    """Return the calls of an unfinished value that are whole, and the one that is not.

    Behind whole ones the cut may have come before the next had a name.
    """
    still_open = {id(container) for container in reader.stack}
    whole: list[Found] = []
    cut: list[Found] = []
    for call in found:
        is_whole = call.node is not None and id(call.node) not in still_open
        (whole if is_whole else cut).append(call)
    return whole, cut[0] if cut else Found(None, None, None)
