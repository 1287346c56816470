"""The phases for calls that are not JSON, from the name of the tool on."""

import re
from typing import Final

from ..call_forms import FormReader, Kind, is_member, kind_behind, read_arguments
from ..openers import DATA_BLOCK, Fence, NeedsMore
from ..pieces import BrokenCall, DetectedCall
from .state import Phase, State

NOT_JSON: Final = "it is not written as JSON"
# What may follow on the line of a call that is the whole line.
_REST: Final = re.compile(r"([ \t\r;)\]]{0,20})[`*]{0,3}[ \t\r]{0,20}")


def named(state: State, text: str, position: int) -> int:
    """Look whether the name of a tool stands where a call has it."""
    candidate = state.candidate
    name = state.finder.at(text, position, final=state.final)
    if name is None:
        return _pass(state, text, position, position + 1)
    end = position + len(name)
    inner = candidate.inner
    is_code = isinstance(inner, Fence) and not DATA_BLOCK.fullmatch(inner.tag)
    if state.past.in_quotes and not candidate.held:
        member = is_member(text, end, line=state.past.line, final=state.final)
        if not member or is_code:
            return _pass(state, text, position, end)
    line = candidate.text.rpartition("\n")[2] if candidate.held else state.past.line
    found = kind_behind(text, end, line=line, final=state.final)
    if found is None:
        return _pass(state, text, position, end)
    kind, start = found
    candidate.held.append(text[position:start])
    candidate.name = name
    state.form_kind = kind
    state.form_text = []
    state.form_rest = ""
    # Only what is nothing but a call is read at once. What is indented may belong to
    # something else: `if it_is_dark:`.
    state.form_alone = (
        isinstance(inner, Fence)
        if candidate.held[:-1]
        else state.past.at_line_start and not state.past.line[:1].isspace()
    )
    state.form = FormReader(bracket=kind is not Kind.LABELLED)
    state.phase = Phase.FORM
    return start


def _pass(state: State, text: str, position: int, end: int) -> int:
    """Let a name go: it is only mentioned."""
    if state.candidate.held:
        state.release()
        return position
    state.emit(text[position:end])
    state.enter(state.candidate.reject())
    return end


def form(state: State, text: str, position: int) -> int:
    """Hold a call up to its end."""
    reader = state.form
    end = position
    if not reader.done:
        end = reader.feed(text, position)
        state.form_text.append(text[position:end])
        return end
    rest = _REST.match(text, end)
    assert rest is not None  # it also matches the empty text
    if reader.whole and rest.end() == len(text) and not state.final:
        raise NeedsMore
    is_line = rest.end() == len(text) or text[rest.end()] == "\n"
    in_fence = isinstance(state.candidate.inner, Fence)
    is_line = is_line or (in_fence and text[end : end + 1] == "`")
    if reader.whole and is_line:
        # What closes what stood before the name: `print(`.
        state.form_rest = rest[1]
        end = rest.end(1)
    return _end_form(state, end, is_line=is_line)


def end_form(state: State) -> None:
    """Decide about a call at the end of the answer."""
    _end_form(state, 0, is_line=state.form.whole)


def _end_form(state: State, end: int, *, is_line: bool) -> int:
    candidate = state.candidate
    name = candidate.name or ""
    tool = state.names.resolve(name)
    written = "".join(state.form_text)
    candidate.held += [written, state.form_rest]
    source = candidate.text
    piece: DetectedCall | BrokenCall = BrokenCall(name, tool, NOT_JSON, source)
    if state.form.whole and is_line and state.form_alone and tool is not None:
        try:
            arguments = read_arguments(state.form_kind, written)
        except ValueError:
            pass
        else:
            piece = DetectedCall(name, tool, arguments, source, "function", True)
    state.out.calls([piece], wrapped=isinstance(candidate.inner, Fence))
    state.accept()
    return end
