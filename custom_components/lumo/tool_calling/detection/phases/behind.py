"""The phases behind a value: what closes its wrapping, what cannot be read."""

from ..openers import Fence, Tag, end_tag_at, fence_end_at, may_open, tag_at
from .state import SEPARATORS, Phase, State
from .wrapping import begin


def after(state: State, text: str, position: int) -> int:
    """Drop what closes the wrapping; look for another call or for words."""
    candidate = state.candidate
    start = state.skip_blank(text, position, candidate.gap)
    if start > position:
        return start
    char = text[start]
    if char in '"}],;':
        return _after_value(state, char, start)
    if char not in "`~<{[":
        return _resume(state, start)
    end = closing(state, text, start, behind_call=True)
    if end is not None:
        candidate.gap = []
        return end
    if char in "`~":
        return _resume(state, start)
    tag = None if char == "{" else tag_at(text, start, final=state.final)
    if tag is None and (char == "<" or not may_open(text, start, final=state.final)):
        return _resume(state, start)
    candidate.begin()
    return begin(state, text, start, tag)


def _after_value(state: State, char: str, start: int) -> int:
    """Drop a mark that belongs to the value before it."""
    candidate = state.candidate
    if char == '"' and candidate.in_quotes:
        candidate.in_quotes = False
        return start + 1
    if char != '"' and not "".join(candidate.gap).strip():
        if char in SEPARATORS:
            candidate.gap.append(char)
        else:
            state.out.extra_bracket()
        return start + 1
    return _resume(state, start)


def _resume(state: State, start: int) -> int:
    candidate = state.candidate
    state.emit_gap()
    candidate.in_quotes = False
    state.phase = Phase.PLAIN
    return start


def closing(state: State, text: str, start: int, *, behind_call: bool) -> int | None:
    """Return the end of what closes an open wrapping at `start`."""
    wrappers = state.candidate.wrappers
    end = None
    if text[start] in "`~":
        index = state.candidate.innermost(Fence)
        if index is None:
            return None
        fence = wrappers[index]
        if isinstance(fence, Fence) and fence.char == text[start]:
            end = fence_end_at(text, start, behind_call=behind_call, final=state.final)
    else:
        index = state.candidate.innermost(Tag)
        if index is not None or behind_call:
            end = end_tag_at(text, start, final=state.final)
    if end is not None:
        if index is not None:
            del wrappers[index]
        state.out.close()
    return end


def broken(state: State, text: str, position: int) -> int:
    """Hold a call that cannot be read up to its end."""
    extent, end = state.wreck.extent(text, position, final=state.final)
    state.candidate.held.append(text[position:extent])
    if end:
        state.end_broken()
    return extent


def end_after(state: State) -> None:
    """Let go what stood behind a call and was no separator."""
    gap = "".join(state.candidate.gap)
    if gap.strip(SEPARATORS + " \t\r\n"):
        state.emit_gap()
