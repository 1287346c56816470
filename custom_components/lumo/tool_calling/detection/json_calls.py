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
    if (call := _call(value, members, names)) is not None:
        return [call]
    if found := _find_wrapped(members, names, unknown):
        return found
    call = _unknown_call(value, members) if unknown else None
    return [] if call is None else [call]


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
    if (
        not _IDENTIFIER.fullmatch(members.get(key, ""))
        or (key == "name" and not given)
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
    name, given = members[named[0]], [key for key in members if key in ARGUMENT_KEYS]
    tool = names.resolve(name)
    # What stands beside them, without what only says the name once more.
    rest = [
        key
        for key, member in members.items()
        if key not in {*given, named[0]}
        and not (key in {"type", *NAME_KEYS} and (member == name or _is_type(member)))
    ]
    if not given:
        if not NOT_FLAT.isdisjoint(rest):
            return None
        flat = {
            key: member
            for key, member in value.items()
            # An `id` may be one of the arguments.
            if (plain := letters_and_digits(key)) in rest
            and (plain == "id" or plain not in MARKS)
        }
        # The word for arguments is misspelled, perhaps.
        has_object = any(str(member)[:1] == "{" for member in flat.values())
        problem = "an object beside the name" if has_object else None
        return JsonCall(name, tool, value, flat or None, problem)
    filled = [members[key] for key in given if members[key] not in (None, "", {})]
    arguments = filled[0] if filled else None
    match arguments:
        case {"type": "object" | "dict", "properties": dict()}:
            return None  # the definition of a tool
    if "description" in members and not filled:
        return None
    # Behind the arguments a remark may be one that was closed too early.
    keys = list(members)
    behind = keys[keys.index(given[0]) :]
    extra = [key for key in rest if key not in (MARKS if key in behind else REMARKS)]
    problem = None if len(members) == len(value) else "a key in two spellings"
    if any(other != arguments for other in filled):
        problem = "two sets of arguments"
    elif extra:
        problem = f"members beside the arguments: {', '.join(extra)}"
    return JsonCall(name, tool, value, arguments, problem, has_arguments=True)


def _odd_call(
    value: dict[str, Any], members: Mapping[str, Any], names: ToolNames
) -> JsonCall | None:
    """Return the call of an object that names a tool elsewhere than others do.

    `{"HassTurnOff": {...}}` runs, `{"nmae": "HassTurnOff", "arguments": {...}}` and
    `{"function": "HassTurnOff(...)"}` are asked for again.
    """
    finder = names.finder
    key, inner = next(iter(value.items()))
    if len(value) == 1 and finder.is_name(key) and isinstance(inner, dict):
        # An argument may be called `status`.
        if (NOT_FLAT - {"status"}).isdisjoint(_members(inner)):
            tool = names.resolve(key)
            return JsonCall(key, tool, value, inner, has_arguments=True)
    said = [member for member in value.values() if isinstance(member, str)]
    called = [members[key] for key in members if key in {*NAME_KEYS, *WRAPPER_KEYS}]
    has_arguments = not ARGUMENT_KEYS.isdisjoint(members)
    is_odd = (has_arguments and any(map(finder.is_name, said))) or any(
        finder.mentioned(str(text)) and not isinstance(text, dict | list)
        for text in called
    )
    problem = "no name of a tool"
    return JsonCall(None, None, value, problem=problem) if is_odd else None


def _find_wrapped(
    members: Mapping[str, Any], names: ToolNames, unknown: bool
) -> list[JsonCall]:
    """Find the calls in `{"function": {...}}`, broken if more stands beside that."""
    for wrapper, inner in members.items():
        if wrapper not in WRAPPER_KEYS:
            continue
        found = find_calls(inner, names, unknown=unknown and len(members) == 1)
        is_alone = all(
            key in {wrapper, *REMARKS}
            or member in _EMPTY
            or (key in {"type", "name"} and _is_type(member))
            for key, member in members.items()
        )
        for call in found if not is_alone else ():
            call.problem = "members beside the call"
        if found:
            return found
    return []
