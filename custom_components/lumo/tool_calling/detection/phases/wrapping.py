"""The phases behind the opening of a fence or a tag, up to the value."""

from ..call_forms import name_in_wrapping
from ..json_reader import JsonReader
from ..openers import (
    Fence,
    NeedsMore,
    Tag,
    comment_end_at,
    end_tag_at,
    fence_at,
    name_at,
    read_parameters,
    tag_at,
)
from .state import Phase, State
from .value import accept, named


def begin(state: State, text: str, start: int, tag: Tag | None) -> int:
    """Hold a tag, or begin with a value at its bracket."""
    if tag is None:
        state.begin_value()
        return start
    candidate = state.candidate
    candidate.open(tag, text[start : tag.end])
    state.phase = Phase.BODY
    name = candidate.name
    if candidate.is_too_deep or not (
        name is None
        or state.names.resolve(name) is not None
        or state.names.has_prefix(name)
    ):
        state.release()
    return tag.end


def body(state: State, text: str, position: int) -> int:
    """Look for a value, or for another wrapping."""
    candidate = state.candidate
    start = state.skip_blank(text, position, candidate.held)
    if start > position:
        return start
    char = text[start]
    is_named = candidate.name is not None
    found: Fence | Tag | int | None = None
    if char == "{":
        state.begin_value()
        return start
    if char == "[" and not is_named:
        found = tag_at(text, start, final=state.final)
        if found is None:
            if not state.finder.at(text, start + 1, final=state.final):
                state.begin_value()
                return start
            candidate.held.append(char)
            state.phase = Phase.NAMED
            return start + 1
    elif char == "<" and is_named:
        candidate.arguments = len(candidate.held)
        state.phase = Phase.PARAMETERS
        return start
    elif char == "<":
        found = tag_at(text, start, final=state.final)
    elif char in "/#":
        found = comment_end_at(text, start, candidate.inner, final=state.final)
    elif char == '"' and not is_named:
        # A JSON text that holds the JSON text of a call.
        if start + 1 == len(text) and not state.final:
            raise NeedsMore
        if text.startswith(("{", "["), start + 1):
            candidate.in_quotes = True
            state.begin_value()
            found = start + 1
    elif isinstance(candidate.inner, Tag):
        if char in "`~":
            found = fence_at(text, start, line_start=True, final=state.final)
        elif not is_named:
            found = name_at(text, start, final=state.final)
    if found is None and not is_named and candidate.span is None:
        name = name_in_wrapping(
            text,
            start,
            state.finder,
            tag=isinstance(candidate.inner, Tag),
            final=state.final,
        )
        if name is not None:
            candidate.held.append(text[start:name])
            state.phase = Phase.NAMED
            return name
    if isinstance(found, int):
        candidate.held.append(text[start:found])
        return found
    if isinstance(found, Tag):
        return begin(state, text, start, found)
    if found is not None and found.length > 2:
        candidate.open(found, text[start : found.end])
        return found.end
    if is_named:
        state.fail(named(state, None), "arguments that cannot be read")
    else:
        state.release()
    return start


def parameters(state: State, text: str, position: int) -> int:
    """Hold arguments written as tags up to the end of the tag that names the tool."""
    held = state.candidate.held
    if (start := text.find("<", position)) != position:
        held.append(text[position:start] if start >= 0 else text[position:])
        return start if start >= 0 else len(text)
    end = end_tag_at(text, start, final=state.final)
    # Another tag's end proves nothing: arguments may follow.
    opening = "".join(held[: state.candidate.arguments])
    if end is not None and _word_of(text[start:end]) in opening:
        _take_parameters(state)
        return start
    held.append("<")
    return start + 1


def _word_of(tag: str) -> str:
    return tag.strip("</|｜>").rpartition(":")[2].removesuffix("end")


def _take_parameters(state: State) -> None:
    candidate = state.candidate
    arguments = read_parameters("".join(candidate.held[candidate.arguments :]))
    if arguments is None:
        state.fail(named(state, None), "arguments that cannot be read")
    else:
        state.reader = JsonReader()
        accept(state, [named(state, arguments)])


def end_wrapping(state: State) -> None:
    """Decide about a wrapping in which no value came."""
    if state.candidate.name is None:
        state.release()
    else:
        state.fail(named(state, None), "incomplete")
