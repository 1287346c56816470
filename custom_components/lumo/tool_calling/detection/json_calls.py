"""Recognizes calls among JSON values.

A value is a call if it names an offered tool, or has the prefix of our tools, in one of
these shapes; all else is somebody's JSON. A member that has no place makes a call broken.

* `{"name": ..., "arguments": {...}}`, with other words for both;
* `{"type": "function", "function": {...}}` and `{"tool_calls": [...]}` around it;
* `{"tool": ..., "area": ...}`: the arguments beside the name, if nothing else is there;
* `{"HassTurnOff": {...}}`: the name as the key;
* an array of calls.
"""

from collections.abc import Mapping
from dataclasses import dataclass
import re
from typing import Any, Final

from ...text import letters_and_digits
from ..naming import ToolNames
from .call_words import (
    ANSWERS,
    ARGUMENT_KEYS,
    MARKS,
    NAME_KEYS,
    NOT_FLAT,
    REMARKS,
    RESULTS,
    TYPES,
    WRAPPER_KEYS,
)

_EMPTY: Final[tuple[Any, ...]] = (None, "", [], {})
# A name that may be a tool's, or an action's of the home: `light.turn_off`.
_IDENTIFIER: Final = re.compile(r"[A-Za-z][\w.:\-]*")


@dataclass(slots=True)
class JsonCall:
    """A call in a value, which may be incomplete; `problem` says why it cannot run."""

    name: str | None
    tool: str | None
    node: dict[str, Any] | None
    arguments: Any = None
    problem: str | None = None
    has_arguments: bool = False


def find_calls(
    value: Any, names: ToolNames, *, unknown: bool = False
) -> list[JsonCall]:
    """Return the calls that a JSON value is, with `unknown` also of unknown tools."""
    if isinstance(value, list):
        return _find_in_list(value, names, unknown)
    members = _members(value)
    if not members or is_result(value):
        return []
    call = _call(value, members, names)
    found = [call] if call else _find_wrapped(members, names, unknown)
    if not found and unknown and (call := _unknown_call(value, members)):
        return [call]
    return found


def is_result(value: Any) -> bool:
    """Return whether an object says what came of a call."""
    members = _members(value)
    kind = str(members.get("type")).lower()
    is_about_one = any(word in kind for word in ("output", "result", "response"))
    return is_about_one or not RESULTS.isdisjoint(members)


def answer_in(value: Any) -> str | None:
    """Return the answer that an object wraps: `{"answer": "The light is on."}`."""
    members = _members(value)
    said = [
        member
        for key, member in members.items()
        if key not in REMARKS - ANSWERS and member not in _EMPTY
    ]
    is_answer = len(said) == 1 and not ANSWERS.isdisjoint(members)
    return said[0] if is_answer and isinstance(said[0], str) else None


def _members(value: Any) -> dict[str, Any]:
    """Return the members of an object by their keys as these are compared."""
    if not isinstance(value, dict):
        return {}
    return {letters_and_digits(key): member for key, member in value.items()}


def _is_type(value: Any) -> bool:
    return isinstance(value, str) and letters_and_digits(value) in TYPES


def _find_in_list(values: list[Any], names: ToolNames, unknown: bool) -> list[JsonCall]:
    """Find the calls of an array, which is one of calls if its first item is."""
    calls: list[JsonCall] = []
    problem = None
    for item in values:
        # Beside a call an unknown one is no other thing.
        found = find_calls(item, names, unknown=unknown or bool(calls))
        if not (found or calls):
            return []
        if not found:  # perhaps the rest of a call that was closed too early
            problem = "something else stands beside it"
        calls += found
    for call in calls if problem else ():
        call.problem = problem
    return calls


def _unknown_call(value: dict[str, Any], members: Mapping[str, Any]) -> JsonCall | None:
    key = next((key for key in NAME_KEYS if isinstance(members.get(key), str)), "")
    given = [members[key] for key in members if key in ARGUMENT_KEYS]
    name = _IDENTIFIER.fullmatch(members.get(key, ""))
    if (
        not name
        or not (given or (key != "name" and not name[0].isalpha()))
        or not NOT_FLAT.isdisjoint(members)
    ):
        return None
    arguments = given[0] if given else None
    return JsonCall(members[key], None, value, arguments, has_arguments=bool(given))


def _call(
    value: dict[str, Any], members: Mapping[str, Any], names: ToolNames
) -> JsonCall | None:
    named = [key for key in NAME_KEYS if isinstance(members.get(key), str)]
    known = [key for key in named if names.resolve(members[key]) is not None]
    named = known or [key for key in named if names.has_prefix(members[key])]
    if not named:
        return _odd_call(value, members, names)
    name = members[named[0]]
    call = JsonCall(name, names.resolve(name), value)
    given = [key for key in members if key in ARGUMENT_KEYS]
    # What stands beside them, without what only says the name once more.
    rest = [
        key
        for key, member in members.items()
        if key not in {*given, named[0]}
        and not (key in {"type", *NAME_KEYS} and (member == name or _is_type(member)))
    ]
    if not given:
        # An `id` may be one of the arguments.
        flat = {
            key: member
            for key, member in value.items()
            if letters_and_digits(key) in {*rest} - MARKS | ({"id"} & {*rest})
        }
        # The word for arguments is misspelled, perhaps.
        if any(str(member)[:1] == "{" for member in flat.values()):
            call.problem = "an object beside the name"
        call.arguments = flat or None
        return call if NOT_FLAT.isdisjoint(rest) else None
    filled = [members[key] for key in given if members[key] not in (None, "", {})]
    call.arguments, call.has_arguments = filled[0] if filled else None, True
    match call.arguments:
        case {"type": "object" | "dict", "properties": dict()}:
            return None  # the definition of a tool
    if "description" in members and not filled:
        return None
    # Behind the arguments a remark may be one that was closed too early.
    keys = list(members)
    behind = keys[keys.index(given[0]) :]
    extra = [key for key in rest if key not in (MARKS if key in behind else REMARKS)]
    if any(other != call.arguments for other in filled):
        call.problem = "two sets of arguments"
    elif extra:
        call.problem = f"members beside the arguments: {', '.join(extra)}"
    elif len(members) < len(value):
        call.problem = "a key in two spellings"
    return call


def _odd_call(
    value: dict[str, Any], members: Mapping[str, Any], names: ToolNames
) -> JsonCall | None:
    """Return the call of an object that names a tool elsewhere than others do.

    `{"HassTurnOff": {...}}` runs, `{"nmae": "HassTurnOff", "arguments": {...}}` and
    `{"function": "HassTurnOff(...)"}` are asked for again.
    """
    finder = names.finder
    [(key, inner), *others] = value.items()
    if not others and finder.is_name(key) and isinstance(inner, dict):
        # An argument may be called `status`.
        if (NOT_FLAT - {"status"}).isdisjoint(_members(inner)):
            return JsonCall(key, names.resolve(key), value, inner, has_arguments=True)
    said = [text for text in value.values() if isinstance(text, str)]
    has_arguments = not ARGUMENT_KEYS.isdisjoint(members)
    is_odd = (has_arguments and any(map(finder.is_name, said))) or any(
        isinstance(text, str) and finder.mentioned(text)
        for key, text in members.items()
        if key in {*NAME_KEYS, *WRAPPER_KEYS}
    )
    return JsonCall(None, None, value, problem="no name of a tool") if is_odd else None


def _find_wrapped(
    members: Mapping[str, Any], names: ToolNames, unknown: bool
) -> list[JsonCall]:
    """Find the calls in `{"function": {...}}`, broken if more stands beside that."""
    for wrapper in WRAPPER_KEYS.intersection(members):
        beside = [
            key
            for key, member in members.items()
            if key not in {wrapper, *REMARKS}
            and member not in _EMPTY
            and not (key in {"type", "name"} and _is_type(member))
        ]
        inner = members[wrapper]
        found = find_calls(inner, names, unknown=unknown and len(members) == 1)
        for call in found if beside else ():
            call.problem = "members beside the call"
        if found:
            return found
    return []
