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

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final, Protocol

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
from .json_values import read_json

_MAX_NESTING: Final = 6


class Names(Protocol):
    """What has to be known about the names of tools."""

    @property
    def finder(self) -> NameFinder:
        """Return what finds them in text."""

    def resolve(self, written: str) -> str | None:
        """Return the full name of the offered tool that is meant, or None."""

    def has_prefix(self, written: str) -> bool:
        """Return whether the name carries the prefix of our tools."""


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


def find_calls(value: Any, names: Names) -> list[Found]:
    """Return the calls that a JSON value is, none if it is anything else.

    The value may be incomplete: what is there is judged.
    """
    return list(_find(value, names, 0))


def declares_call(value: Any) -> bool:
    """Return whether an object says of itself that it is a call, and has texts only.

    `{"type": "function", "function": "{% call HassTurnOn %}"}` was seen.
    """
    if not isinstance(value, dict):
        return False
    keys = {without_separators(key): value[key] for key in value}
    said = [keys[key] for key in NAME_KEYS.keys() & keys.keys()]
    return (
        _is_type(keys.get("type"))
        and bool(said)
        and all(isinstance(s, str) for s in said)
    )


def holds_arguments(value: Any) -> bool:
    """Return whether an object has a member that a call has for its arguments."""
    return isinstance(value, dict) and not ARGUMENT_KEYS.isdisjoint(
        map(without_separators, value)
    )


def _find(value: Any, names: Names, depth: int) -> Iterator[Found]:
    if depth > _MAX_NESTING:
        return
    if isinstance(value, list):
        yield from _find_in_list(value, names, depth)
    elif isinstance(value, dict):
        keys = {without_separators(key): key for key in value}
        if not RESULTS.isdisjoint(keys) or _is_of_other_type(value, keys):
            return
        if (call := _call(value, keys, names)) is not None:
            yield call
        else:
            yield from _find_wrapped(value, keys, names, depth)


def _find_in_list(values: list[Any], names: Names, depth: int) -> Iterator[Found]:
    """Find the calls of an array, which is one of calls if its first item is."""
    calls: list[Found] = []
    for position, item in enumerate(values):
        found = list(_find(item, names, depth + 1))
        if not found and position == 0:
            return
        calls += found or [_companion(item)]
        if not found and calls[-1].problem:
            # It may be the rest of a call before it that was closed too early.
            for call in calls:
                call.problem = call.problem or "something else stands beside it"
    yield from calls


def _companion(item: Any) -> Found:
    """Return what stands among calls without being one: nothing is passed over."""
    if isinstance(item, dict):
        keys = {without_separators(key): key for key in item}
        arguments = [key for key in keys if key in ARGUMENT_KEYS]
        name = item.get(keys.get("name", ""))
        if isinstance(name, str) and len(arguments) == 1:
            return Found(name, None, item, item[keys[arguments[0]]], has_arguments=True)
    return Found(
        None, None, item if isinstance(item, dict) else None, problem="no tool call"
    )


def _is_of_other_type(value: dict[str, Any], keys: dict[str, str]) -> bool:
    """Return whether the `type` says that this is a result, not a call."""
    kind = value.get(keys.get("type", ""))
    return isinstance(kind, str) and any(
        word in without_separators(kind) for word in ("output", "result", "response")
    )


def _call(value: dict[str, Any], keys: dict[str, str], names: Names) -> Found | None:
    """Return the call that an object is, or None."""
    name_key, tool = _name(value, keys, names)
    if name_key is None:
        if _is_odd_call(value, keys, names.finder):
            return Found(None, None, value, problem="no name of a tool")
        return None
    name = value[keys[name_key]]
    given = [key for key in keys if key in ARGUMENT_KEYS]
    rest = [
        key
        for key in keys
        if key not in ARGUMENT_KEYS
        and key != name_key
        and not (key == "type" and _is_type(value[keys[key]]))
        and not _repeats(value[keys[key]], key, name, tool, names)
    ]
    if not given:
        if not NOT_FLAT.isdisjoint(rest):
            return None
        # An `id` may be one of the arguments.
        flat = {
            keys[key]: value[keys[key]]
            for key in rest
            if key == "id" or key not in MARKS
        }
        problem = _repeated_problem(value, keys)
        # The same as a text is one, too: the word for arguments is misspelled.
        if any(isinstance(i, dict) or str(i)[:1] == "{" for i in flat.values()):
            problem = problem or "an object beside the name"
        return Found(name, tool, value, flat or None, problem)
    arguments, problem = _arguments([value[keys[key]] for key in given])
    described = "description" in keys and arguments in (None, "", {})
    if described or _is_definition(arguments):
        return None
    extra = [keys[key] for key in rest if key not in REMARKS]
    if extra and problem is None:
        problem = f"members beside the arguments: {', '.join(extra)}"
    problem = problem or _repeated_problem(value, keys)
    behind = list(keys)[list(keys).index(given[0]) + 1 :]
    return Found(
        name,
        tool,
        value,
        arguments,
        problem,
        has_arguments=True,
        trailing=any(key != name_key for key in behind),
    )


def _is_odd_call(
    value: dict[str, Any], keys: dict[str, str], finder: NameFinder
) -> bool:
    """Return whether an object names a tool elsewhere than a call does.

    `{"HassTurnOff": {...}}`, `{"nmae": "HassTurnOff", "arguments": {...}}` and
    `{"function": "HassTurnOff(...)"}` were seen.
    """
    said = [value[keys[key]] for key in (NAME_KEYS.keys() | WRAPPER_KEYS) & keys.keys()]
    texts = [text for text in said if isinstance(text, str)]
    if declares_call(value) and any(map(finder.mentioned, texts)):
        return True
    if any(finder.calls(text) for text in texts):
        return True
    if not ARGUMENT_KEYS.isdisjoint(keys):
        return any(isinstance(v, str) and finder.is_name(v) for v in value.values())
    first, inner = next(iter(value.items()), ("", None))
    return (
        len(value) == 1
        and finder.is_name(first)
        and isinstance(inner, dict)
        and NOT_FLAT.isdisjoint(map(without_separators, inner))
    )


def _name(
    value: dict[str, Any], keys: dict[str, str], names: Names
) -> tuple[str | None, str | None]:
    """Return the key that holds the name, and the tool it means if it is offered."""
    prefixed = None
    candidates = sorted(NAME_KEYS.keys() & keys.keys(), key=NAME_KEYS.__getitem__)
    for key in candidates:
        name = value[keys[key]]
        if not isinstance(name, str):
            continue
        if (tool := names.resolve(name)) is not None:
            return key, tool
        if prefixed is None and names.has_prefix(name):
            prefixed = key
    return prefixed, None


def _repeats(value: Any, key: str, name: str, tool: str | None, names: Names) -> bool:
    """Return whether a member only says the name once more, or nothing."""
    if key not in NAME_KEYS:
        return False
    if isinstance(value, str):
        same = value == name or (tool is not None and names.resolve(value) == tool)
        return same or _is_type(value)
    return False


def _repeated_problem(value: dict[str, Any], keys: dict[str, str]) -> str | None:
    """Return why an object with one key in two spellings cannot be a call."""
    return None if len(keys) == len(value) else "a key in two spellings"


def _is_type(value: Any) -> bool:
    """Return whether this is a word for what kind of thing a call is."""
    return isinstance(value, str) and without_separators(value) in TYPES


def _arguments(given: list[Any]) -> tuple[Any, str | None]:
    """Return the arguments among those of several keys, and what is wrong."""
    filled = [value for value in given if value not in (None, "", {})]
    if not filled:
        return given[0], None
    if any(value != filled[0] for value in filled):
        return filled[0], "two sets of arguments"
    return filled[0], None


def _is_definition(arguments: Any) -> bool:
    """Return whether these are parameters as a definition has them: a schema."""
    return (
        isinstance(arguments, dict)
        and arguments.get("type") in {"object", "dict"}
        and isinstance(arguments.get("properties"), dict)
    )


def _find_wrapped(
    value: dict[str, Any], keys: dict[str, str], names: Names, depth: int
) -> Iterator[Found]:
    """Find the calls inside `{"function": {...}}`, `{"tool_calls": [...]}` and such."""
    wrappers = [
        key
        for key in keys
        if key in WRAPPER_KEYS and isinstance(value[keys[key]], (dict, list, str))
    ]
    for wrapper in wrappers:
        inner = value[keys[wrapper]]
        if isinstance(inner, str):
            try:
                inner = read_json(inner)
            except ValueError:
                continue
        found = list(_find(inner, names, depth + 1))
        if not found:
            continue
        rest = {
            key: value[keys[key]]
            for key in keys
            if key != wrapper
            and key not in REMARKS
            and not (key in {"type", "name"} and _is_type(value[keys[key]]))
            and value[keys[key]] not in (None, "", [], {})
        }
        yield from _with_outer(found, rest)
        return


def _with_outer(found: list[Found], rest: dict[str, Any]) -> Iterator[Found]:
    """Join calls with what stands beside their wrapper."""
    if not rest:
        yield from found
        return
    first = found[0]
    if (
        len(found) == 1
        and len(rest) == 1
        and next(iter(rest)) in ARGUMENT_KEYS
        and not first.has_arguments
        and not first.arguments
    ):
        yield Found(
            first.name,
            first.tool,
            first.node,
            next(iter(rest.values())),
            first.problem,
            has_arguments=True,
        )
        return
    problem = f"members beside the call: {', '.join(rest)}"
    for call in found:
        yield Found(
            call.name, call.tool, call.node, call.arguments, call.problem or problem
        )
