"""The phases that read JSON, and what is done with a value."""

import re
from typing import Any, Final

from ..calls import Found, declares_call, find_calls
from ..json_reader import JsonReader, read_object
from ..openers import Fence, NeedsMore, Tag, end_tag_at, fence_end_at
from ..pieces import BrokenCall, DetectedCall
from ..wreck import end_of_cut
from .state import Phase, State

# What ends a code span that is alone on its line, and what that may begin with.
_SPAN_ENDS: Final = {
    length: re.compile(rf"`{{{length}}}[ \t\r]{{0,20}}(?=\n|\Z)") for length in (1, 2)
}
_SPAN_MAY_END: Final = {
    length: re.compile(rf"`{{0,{length}}}[ \t\r]{{0,20}}\Z") for length in (1, 2)
}


def value(state: State, text: str, position: int) -> int:
    """Hold a value until it is complete or cannot be one."""
    reader = state.reader
    end = reader.feed(text, position)
    if end > position:
        state.candidate.held.append(text[position:end])
    if reader.done:
        if state.candidate.span is not None:
            state.phase = Phase.SPAN
        else:
            _judge(state)
    elif reader.failed is not None:
        if end == position:
            _take_failed(state, text, position)
    elif reader.items and not state.is_calls:
        # The first item of an array says what it holds.
        state.is_calls = bool(_find(state))
        if not state.is_calls:
            state.release()
            state.phase = Phase.PASSAGE
            return end
    return end


def span(state: State, text: str, position: int) -> int:
    """Take a value in a code span: a call only if the line holds nothing else."""
    around = state.candidate.span
    assert around is not None  # the phase is entered with one
    if not state.final and _SPAN_MAY_END[around.length].match(text, position):
        raise NeedsMore
    if _SPAN_ENDS[around.length].match(text, position) is None:
        state.release()
        return position
    _judge(state)
    if state.phase is Phase.AFTER:
        state.candidate.wrappers.pop()
        return position + around.length
    return position


def named(state: State, arguments: Any) -> Found:
    """Return the call of the tool that a tag names."""
    name = state.candidate.name
    assert name is not None  # only asked where there is one
    tool = state.names.resolve(name)
    return Found(name, tool, None, arguments, has_arguments=True)


def accept(state: State, found: list[Found], *, supplied: bool = False) -> None:
    """Report the calls of a value and go on behind it."""
    _report(state, found, supplied=supplied)
    state.accept()


def end_value(state: State) -> None:
    """Decide about a value that was not finished."""
    if state.phase is Phase.SPAN:
        _judge(state)
        return
    candidate = state.candidate
    found = _find_damaged(state)
    if not found:
        state.release()
    elif _needs_only_brackets(found, state.reader):
        accept(state, found, supplied=True)
    else:
        source = candidate.text
        end, rest = end_of_cut(source, candidate.inner)
        candidate.held = [source[:end]]
        state.fail(_cut(state, found), "incomplete")
        state.end_broken()
        state.emit(state.past.tidy(source[rest:]))


def _find(state: State) -> list[Found]:
    root = state.reader.root
    found = find_calls(root, state.names)
    if state.candidate.name is None:
        return found
    call = named(state, root)
    # A whole call may stand inside a tag that names its tool already.
    if len(found) == 1 and found[0].tool == call.tool and found[0].has_arguments:
        return found
    return [call]


def _find_damaged(state: State) -> list[Found]:
    """Find the calls in a value that cannot be read to its end."""
    found = _find(state)
    if not found and declares_call(state.reader.root):
        return [Found(None, None, state.reader.root, problem="no name of a tool")]
    return found


def _judge(state: State) -> None:
    if found := _find(state):
        accept(state, found)
    else:
        state.release()


def _take_failed(state: State, text: str, position: int) -> None:
    reader = state.reader
    found = _find_damaged(state)
    if not found:
        state.release()
    elif _needs_only_brackets(found, reader) and _is_end(state, text, position):
        accept(state, found, supplied=True)
    else:
        # Those before it are no better: they may have been closed too early.
        *others, last = found
        problem = reader.failed or ""
        if others:
            source = state.candidate.text
            state.out.calls(
                [BrokenCall(c.name, c.tool, problem, source) for c in others]
            )
            state.candidate.held = []
        state.fail(last, problem)


def _is_end(state: State, text: str, position: int) -> bool:
    """Return whether the whole end of the wrapping stands at a position."""
    wrapper = state.candidate.inner
    end = None
    if isinstance(wrapper, Fence) and text[position] == wrapper.char:
        end = fence_end_at(text, position, behind_call=False, final=state.final)
    elif isinstance(wrapper, Tag) and text[position] in "<[":
        end = end_tag_at(text, position, final=state.final)
    return end is not None


def _cut(state: State, found: list[Found]) -> Found:
    """Report the calls that are whole; return the one that is not.

    What was held is the source of the whole ones, if there are any.
    """
    whole, cut = _split_at_cut(found, state.reader)
    if whole:
        _report(state, whole)
        state.candidate.held = []
    return cut


def _report(state: State, found: list[Found], *, supplied: bool = False) -> None:
    candidate = state.candidate
    if state.past.loose_arguments:
        # They were written before its name, in an object that was closed too early.
        for call in found:
            if not call.arguments:
                call.problem = call.problem or "arguments stand before it"
    source = candidate.text
    state.out.calls(
        [_piece(state, call, source, supplied=supplied) for call in found],
        supplied=supplied,
        trailing=any(call.trailing for call in found),
        wrapped=any(
            isinstance(wrapper, Tag) or wrapper.length > 2
            for wrapper in candidate.wrappers
        ),
    )


def _piece(
    state: State, call: Found, source: str, *, supplied: bool
) -> DetectedCall | BrokenCall:
    """Return what becomes of a call of a value that was read to its end."""
    reader, arguments = state.reader, {}
    problem = reader.ambiguity(call.name) or call.problem
    if problem is None:
        try:
            arguments = read_object(call.arguments)
        except ValueError as err:
            problem = f"arguments: {err}"
    if problem is not None or call.name is None:
        reason = problem or "no name of a tool"
        return BrokenCall(call.name, call.tool, reason, source)
    is_repaired = supplied or reader.repaired
    form = state.candidate.form
    return DetectedCall(str(call.name), call.tool, arguments, source, form, is_repaired)


def _needs_only_brackets(found: list[Found], reader: JsonReader) -> bool:
    """Return whether all calls of an unfinished value are there, but for brackets.

    That is so if the model closed the arguments. Where it did not, more of them may have
    been to come: an area that would have narrowed down what is switched off.
    """
    still_open = {id(container) for container in reader.stack}
    for call in found:
        if call.node is not None and not call.has_arguments:
            if id(call.node) in still_open:
                return False
        elif id(call.arguments) in still_open:
            return False
        elif isinstance(call.arguments, dict) and any(
            isinstance(value, dict) for value in call.arguments.values()
        ):
            # It may be that one that was closed.
            return False
    return reader.after_member


def _split_at_cut(found: list[Found], reader: JsonReader) -> tuple[list[Found], Found]:
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
