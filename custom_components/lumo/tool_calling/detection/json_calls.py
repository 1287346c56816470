"""Recognise tool calls among JSON values.

A value is a call if it has the shape of one and its name is that of an offered tool, or
carries the prefix that marks our tools. Everything else is somebody's JSON: a list of
devices, the result of an earlier call, the definition of a tool.

The shapes are those that models write:

* `{"name": ..., "arguments": {...}}`, with other words for both;
* `{"type": "function", "function": {...}}` and `{"tool_calls": [...]}` around it;
* `{"tool": ..., "area": ...}`: the arguments beside the name, if nothing else is there;
* `{"HassTurnOff": {...}}`: the name as the key;
* an array of calls.

No member is ever dropped to make a call of a value: one that has no place makes the
call a broken one.
"""

from collections.abc import Mapping
from dataclasses import dataclass
import re
from typing import Any, Final

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
    without_separators,
)

_MAX_NESTING: Final = 6
_EMPTY: Final[tuple[Any, ...]] = (None, "", [], {})
# A name that may be a tool's, or an action's of the home: `light.turn_off`.
_IDENTIFIER: Final = re.compile(r"[A-Za-z][\w.:\-]*")


@dataclass(slots=True)
class JsonCall:
    """A call in a value, not yet checked for completeness.

    `node` is the object that is the call and `arguments` what it holds as arguments
    (None where there are none). `problem` says why it cannot run.
    """

    name: str | None
    tool: str | None
    node: dict[str, Any] | None
    arguments: Any = None
    problem: str | None = None
    has_arguments: bool = False


def find_calls(
    value: Any, names: ToolNames, *, unknown: bool = False, depth: int = 0
) -> list[JsonCall]:
    """Return the calls that a JSON value is, none if it is anything else.

    The value may be incomplete: what is there is judged. With `unknown` calls of tools
    that do not exist are calls, too. `depth` is how deep it stands in another.
    """
    if depth > _MAX_NESTING:
        return []
    if isinstance(value, list):
        return _find_in_list(value, names, depth, unknown)
    members = _members(value)
    if not members or is_result(value):
        return []
    if (call := _call(value, members, names)) is not None:
        return [call]
    if found := _find_wrapped(members, names, depth, unknown):
        return found
    call = _unknown_call(value, members) if unknown else None
    return [] if call is None else [call]


def holds_arguments(value: Any) -> bool:
    """Return whether an object has a member that a call has for its arguments."""
    return not ARGUMENT_KEYS.isdisjoint(_members(value))


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
    return {without_separators(key): member for key, member in value.items()}


def _is_type(value: Any) -> bool:
    """Return whether this is a word for what kind of thing a call is."""
    return isinstance(value, str) and without_separators(value) in TYPES


def _find_in_list(
    values: list[Any], names: ToolNames, depth: int, unknown: bool
) -> list[JsonCall]:
    """Find the calls of an array, which is one of calls if its first item is."""
    calls: list[JsonCall] = []
    is_whole = True
    for item in values:
        # Beside a call an unknown one is no other thing.
        found = find_calls(item, names, unknown=unknown or bool(calls), depth=depth + 1)
        if not (found or calls):
            return []
        is_whole = is_whole and bool(found)
        calls += found
    for call in calls:
        if not is_whole:
            # It may be the rest of a call before it that was closed too early.
            call.problem = call.problem or "something else stands beside it"
    return calls


def _unknown_call(value: dict[str, Any], members: Mapping[str, Any]) -> JsonCall | None:
    """Return the call of a tool that does not exist, also of an action of the home."""
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
    name_key, tool = _name(members, names)
    if name_key is None:
        return _odd_call(value, members, names)
    name = members[name_key]
    given = [key for key in members if key in ARGUMENT_KEYS]
    # What stands beside them, without what only says the name once more.
    rest = {
        key: plain
        for key, member in value.items()
        if (plain := without_separators(key)) not in {*given, name_key}
        and not (plain in {"type", *NAME_KEYS} and _is_type(member))
        and not (plain in NAME_KEYS and member == name)
        and not (plain in NAME_KEYS and tool and names.resolve(str(member)) == tool)
    }
    problem = None if len(members) == len(value) else "a key in two spellings"
    if not given:
        if not NOT_FLAT.isdisjoint(rest.values()):
            return None
        # An `id` may be one of the arguments.
        flat = {k: value[k] for k in rest if rest[k] == "id" or rest[k] not in MARKS}
        # The same as a text is one, too: the word for arguments is misspelled.
        if any(isinstance(i, dict) or str(i)[:1] == "{" for i in flat.values()):
            problem = problem or "an object beside the name"
        return JsonCall(name, tool, value, flat or None, problem)
    filled = [members[key] for key in given if members[key] not in (None, "", {})]
    arguments = filled[0] if filled else members[given[0]]
    if ("description" in members and not filled) or _is_definition(arguments):
        return None
    # Behind the arguments a remark may be one that was closed too early.
    keys = list(value)
    behind = keys[list(members).index(given[0]) :] if len(members) == len(value) else []
    extra = [
        key
        for key, plain in rest.items()
        if plain not in (MARKS if key in behind else REMARKS)
    ]
    if any(other != arguments for other in filled):
        problem = "two sets of arguments"
    elif extra:
        problem = f"members beside the arguments: {', '.join(extra)}"
    return JsonCall(name, tool, value, arguments, problem, has_arguments=True)


def _odd_call(
    value: dict[str, Any], members: Mapping[str, Any], names: ToolNames
) -> JsonCall | None:
    """Return the call of an object that names a tool elsewhere than others do.

    `{"HassTurnOff": {...}}` is Apertus' form. `{"nmae": "HassTurnOff", "arguments":
    {...}}`, `{"function": "HassTurnOff(...)"}` and `{"type": "function", "function":
    "{% call HassTurnOn %}"}` were seen: they are asked for again.
    """
    finder = names.finder
    key, inner = next(iter(value.items()))
    if len(value) == 1 and finder.is_name(key) and isinstance(inner, dict):
        if NOT_FLAT.isdisjoint(_members(inner)):
            tool = names.resolve(key)
            return JsonCall(key, tool, value, inner, has_arguments=True)
    said = [member for member in value.values() if isinstance(member, str)]
    called = [members[key] for key in members if key in {*NAME_KEYS, *WRAPPER_KEYS}]
    is_odd = (holds_arguments(value) and any(map(finder.is_name, said))) or any(
        finder.mentioned(str(text)) and not isinstance(text, dict | list)
        for text in called
    )
    problem = "no name of a tool"
    return JsonCall(None, None, value, problem=problem) if is_odd else None


def _name(
    members: Mapping[str, Any], names: ToolNames
) -> tuple[str | None, str | None]:
    """Return the key that holds the name, and the tool it means if it is offered."""
    prefixed = None
    for key in NAME_KEYS:
        if not isinstance(name := members.get(key), str):
            continue
        if (tool := names.resolve(name)) is not None:
            return key, tool
        if prefixed is None and names.has_prefix(name):
            prefixed = key
    return prefixed, None


def _is_definition(arguments: Any) -> bool:
    """Return whether these are parameters as a definition has them: a schema."""
    match arguments:
        case {"type": "object" | "dict", "properties": dict()}:
            return True
    return False


def _find_wrapped(
    members: Mapping[str, Any], names: ToolNames, depth: int, unknown: bool
) -> list[JsonCall]:
    """Find the calls inside `{"function": {...}}`, `{"tool_calls": [...]}` and such.

    What stands beside the wrapper makes them broken.
    """
    for wrapper, inner in members.items():
        if wrapper not in WRAPPER_KEYS:
            continue
        alone = unknown and len(members) == 1
        found = find_calls(inner, names, unknown=alone, depth=depth + 1)
        rest = {
            key: member
            for key, member in members.items()
            if key not in {wrapper, *REMARKS} and member not in _EMPTY
            if not (key in {"type", "name"} and _is_type(member))
        }
        for call in found:
            if rest:
                call.problem = call.problem or "members beside the call"
        if found:
            return found
    return []
