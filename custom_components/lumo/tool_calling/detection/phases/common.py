"""The shortcut for text that has the form of most calls."""

from ..calls import instructed_call
from ..common_form import common_block_at, common_rest
from ..json_values import decode
from ..openers import Fence, Tag, fence_at
from ..pieces import DetectedCall
from .state import Phase, State


def take_common(state: State, text: str) -> tuple[DetectedCall, int] | None:
    """Take the call with which a text of the common form begins.

    Returns it and its end, or None, nothing being done, if the phases have to look.
    """
    start = text.find("{")
    if start and "[" in text[:start]:
        return None
    try:
        value, end = decode(text, start)
    except ValueError, RecursionError:
        return None
    call = instructed_call(value, state.names)
    if call is None:
        return None
    form = "raw"
    if start:
        wrapper: Fence | Tag
        if text[0] == "<":
            wrapper, form = Tag(start), "tagged"
        else:
            fence = fence_at(
                text, 0, line_start=state.past.at_line_start, final=state.final
            )
            if not isinstance(fence, Fence):
                return None
            wrapper, form = fence, "fenced"
        state.candidate.wrappers.append(wrapper)
    state.phase = Phase.AFTER
    return DetectedCall(*call, text[:end], form, False), end


def enter_common_block(state: State, text: str, start: int) -> int:
    """Enter the block of code whose fence is at `start`; return the fence's end.

    Returns 0, nothing being done, if the phases have to look at it.
    """
    found = common_block_at(text, start)
    if found is None:
        return 0
    run, word = found.groups()
    end = found.end()
    state.emit(found.group())
    state.enter(Fence(end, "`", len(run), word, block=True))
    return end


def resume_common(state: State, text: str) -> str | None:
    """Go on with words that follow a call, its wrapping being closed; return them.

    Returns None, nothing being done, if the phases have to look at it.
    """
    candidate = state.candidate
    if candidate.gap:
        return None
    found = common_rest(text, candidate.wrappers)
    if found is None:
        return None
    blanks, words = found.groups()
    words = state.past.tidy(blanks) + words
    state.past.note(words)
    candidate.wrappers.clear()
    candidate.in_quotes = False
    state.phase = Phase.PLAIN
    return words
