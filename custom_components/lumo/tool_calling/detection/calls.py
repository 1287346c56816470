"""Recognise tool calls among JSON values.

A value is a call if it has the shape of one and its name is that of an offered tool, or
carries the prefix that marks our tools. Everything else is somebody's JSON: a list of
devices, the result of an earlier call, the definition of a tool.

The shapes are those that models write:

* `{"name": ..., "arguments": {...}}`, with other words for both;
* `{"type": "function", "function": {...}}` and `{"tool_calls": [...]}` around it;
* `{"tool": ..., "area": ...}`: the arguments beside the name, if nothing else is there;
* an array of calls.

No member is ever dropped to make a call of a value: one that has no place makes the
call a broken one.
"""

from dataclasses import dataclass
from typing import Any, Final

from ..naming import ToolNames
from .call_forms import NameFinder
from .call_words import (
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
from .json_reader import read_json

_MAX_NESTING: Final = 6


@dataclass(slots=True)
class Found:
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
    # Whether other members stand behind the arguments.
    trailing: bool = False


def find_calls(value: Any, names: ToolNames) -> list[Found]:
    """Return the calls that a JSON value is, none if it is anything else.

    The value may be incomplete: what is there is judged.
    """
    return _find(value, names, 0)


def declares_call(value: Any) -> bool:
    """Return whether an object says of itself that it is a call, and has texts only.

    `{"type": "function", "function": "{% call HassTurnOn %}"}` was seen.
    """
    if not isinstance(value, dict):
        return False
    members = _members(value)
    said = [members[key] for key in NAME_KEYS if key in members]
    texts = [text for text in said if isinstance(text, str)]
    return _is_type(members.get("type")) and bool(said) and texts == said


def holds_arguments(value: Any) -> bool:
    """Return whether an object has a member that a call has for its arguments."""
    return isinstance(value, dict) and not ARGUMENT_KEYS.isdisjoint(
        map(without_separators, value)
    )


def _members(value: dict[str, Any]) -> dict[str, Any]:
    """Return the members of an object by their keys as these are compared."""
    return {without_separators(key): member for key, member in value.items()}


def _find(value: Any, names: ToolNames, depth: int) -> list[Found]:
    if depth > _MAX_NESTING:
        return []
    if isinstance(value, list):
        return _find_in_list(value, names, depth)
    if not isinstance(value, dict):
        return []
    members = _members(value)
    kind = members.get("type")
    kind = without_separators(kind) if isinstance(kind, str) else ""
    if not RESULTS.isdisjoint(members) or any(
        word in kind for word in ("output", "result", "response")
    ):
        return []
    if (call := _call(value, members, names)) is not None:
        return [call]
    return _find_wrapped(members, names, depth)


def _find_in_list(values: list[Any], names: ToolNames, depth: int) -> list[Found]:
    """Find the calls of an array, which is one of calls if its first item is."""
    calls: list[Found] = []
    for position, item in enumerate(values):
        found = _find(item, names, depth + 1)
        if not found and position == 0:
            return []
        calls += found or [_companion(item)]
        if not found and calls[-1].problem:
            # It may be the rest of a call before it that was closed too early.
            for call in calls:
                call.problem = call.problem or "something else stands beside it"
    return calls


def _companion(item: Any) -> Found:
    """Return what stands among calls without being one: nothing is passed over."""
    if not isinstance(item, dict):
        return Found(None, None, None, problem="no tool call")
    members = _members(item)
    given = [members[key] for key in members if key in ARGUMENT_KEYS]
    name = members.get("name")
    if isinstance(name, str) and len(given) == 1:
        return Found(name, None, item, given[0], has_arguments=True)
    return Found(None, None, item, problem="no tool call")


def _call(
    value: dict[str, Any], members: dict[str, Any], names: ToolNames
) -> Found | None:
    name_key, tool = _name(members, names)
    if name_key is None:
        if _is_odd_call(value, members, names.finder):
            return Found(None, None, value, problem="no name of a tool")
        return None
    name = members[name_key]
    given = [key for key in members if key in ARGUMENT_KEYS]
    # By their keys as written. What only says the name once more, or what kind of thing
    # a call is, is none of them.
    rest = {
        key: member
        for key, member in value.items()
        if (compared := without_separators(key)) not in ARGUMENT_KEYS
        and compared != name_key
        and not (compared == "type" and _is_type(member))
        and not (
            compared in NAME_KEYS
            and isinstance(member, str)
            and (
                member == name
                or (tool is not None and names.resolve(member) == tool)
                or _is_type(member)
            )
        )
    }
    kinds = {key: without_separators(key) for key in rest}
    repeated = None if len(members) == len(value) else "a key in two spellings"
    if not given:
        if not NOT_FLAT.isdisjoint(kinds.values()):
            return None
        # An `id` may be one of the arguments.
        flat = {k: rest[k] for k in rest if kinds[k] == "id" or kinds[k] not in MARKS}
        # The same as a text is one, too: the word for arguments is misspelled.
        if any(isinstance(i, dict) or str(i)[:1] == "{" for i in flat.values()):
            repeated = repeated or "an object beside the name"
        return Found(name, tool, value, flat or None, repeated)
    filled = [members[key] for key in given if members[key] not in (None, "", {})]
    arguments = filled[0] if filled else members[given[0]]
    described = "description" in members and not filled
    if described or _is_definition(arguments):
        return None
    problem = None
    if any(other != arguments for other in filled):
        problem = "two sets of arguments"
    elif extra := [key for key in rest if kinds[key] not in REMARKS]:
        problem = f"members beside the arguments: {', '.join(extra)}"
    keys = list(members)
    return Found(
        name,
        tool,
        value,
        arguments,
        problem or repeated,
        has_arguments=True,
        trailing=any(key != name_key for key in keys[keys.index(given[0]) + 1 :]),
    )


def _is_odd_call(
    value: dict[str, Any], members: dict[str, Any], finder: NameFinder
) -> bool:
    """Return whether an object names a tool elsewhere than a call does.

    `{"HassTurnOff": {...}}`, `{"nmae": "HassTurnOff", "arguments": {...}}` and
    `{"function": "HassTurnOff(...)"}` were seen.
    """
    texts = [
        said
        for key, said in members.items()
        if isinstance(said, str) and (key in NAME_KEYS or key in WRAPPER_KEYS)
    ]
    if declares_call(value) and any(map(finder.mentioned, texts)):
        return True
    if any(map(finder.calls, texts)):
        return True
    if not ARGUMENT_KEYS.isdisjoint(members):
        return any(isinstance(v, str) and finder.is_name(v) for v in value.values())
    first, inner = next(iter(value.items()), ("", None))
    return (
        len(value) == 1
        and finder.is_name(first)
        and isinstance(inner, dict)
        and NOT_FLAT.isdisjoint(map(without_separators, inner))
    )


def _name(members: dict[str, Any], names: ToolNames) -> tuple[str | None, str | None]:
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


def _is_type(value: Any) -> bool:
    """Return whether this is a word for what kind of thing a call is."""
    return isinstance(value, str) and without_separators(value) in TYPES


def _is_definition(arguments: Any) -> bool:
    """Return whether these are parameters as a definition has them: a schema."""
    match arguments:
        case {"type": "object" | "dict", "properties": dict()}:
            return True
    return False


def _find_wrapped(members: dict[str, Any], names: ToolNames, depth: int) -> list[Found]:
    """Find the calls inside `{"function": {...}}`, `{"tool_calls": [...]}` and such.

    What stands beside the wrapper may be the arguments; all else makes them broken.
    """
    for wrapper, inner in members.items():
        if wrapper not in WRAPPER_KEYS:
            continue
        if isinstance(inner, str):
            try:
                inner = read_json(inner)
            except ValueError:
                continue
        if not (found := _find(inner, names, depth + 1)):
            continue
        rest = {
            key: member
            for key, member in members.items()
            if key != wrapper
            and key not in REMARKS
            and not (key in {"type", "name"} and _is_type(member))
            and member not in (None, "", [], {})
        }
        first = found[0]
        if (
            len(found) == len(rest) == 1
            and not first.has_arguments
            and not first.arguments
            and not ARGUMENT_KEYS.isdisjoint(rest)
        ):
            first.arguments, first.has_arguments = next(iter(rest.values())), True
        elif rest:
            for call in found:
                call.problem = (
                    call.problem or f"members beside the call: {', '.join(rest)}"
                )
        return found
    return []
