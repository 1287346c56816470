"""The phases in which text is let go."""

import re
from typing import Final

from ..json_reader import JsonReader
from ..openers import (
    BEGINNINGS,
    DATA_BLOCK,
    MAX_MARKER,
    Fence,
    NeedsMore,
    end_of_run,
    fence_at,
    may_open,
    tag_at,
)
from .behind import closing
from .state import Phase, State
from .wrapping import begin

_LINE_VALUE: Final = re.compile(r"[ \t]*([{\[])")
_NEXT_LINE_VALUE: Final = re.compile(rf"\n{_LINE_VALUE.pattern}")


def plain(state: State, text: str, position: int) -> int:
    """Let text go up to where something may begin."""
    start, is_name = state.finder.find(text, position, state.past.before, BEGINNINGS)
    candidate = state.candidate
    if is_name:
        state.emit(text[position:start])
        candidate.begin()
        state.phase = Phase.NAMED
        return start
    if start != position:
        return _let_go(state, text, position, start)
    char = text[start]
    if candidate.wrappers:
        # Words stand between a call and the end of its wrapping.
        end = closing(state, text, start, behind_call=False)
        if end is not None:
            state.phase = Phase.AFTER
            return end
    candidate.begin()
    if char in "`~":
        return _begin_fence(state, text, start)
    tag = None if char == "{" else tag_at(text, start, final=state.final)
    if tag is None and char == "<":
        if state.finder.at(text, start + 1, final=state.final):
            candidate.held.append(char)
            state.phase = Phase.NAMED
            return start + 1
    if tag is None and (char == "<" or not may_open(text, start, final=state.final)):
        state.emit(char)
        return start + 1
    if not state.past.in_quotation:
        return begin(state, text, start, tag)
    if tag is None:
        state.reader = JsonReader(objects_only=True)
        state.phase = Phase.PASSAGE
        return start
    state.emit(text[start : tag.end])
    return tag.end


def _let_go(state: State, text: str, position: int, end: int) -> int:
    """Let text go up to where something may begin, to its own end if that is -1."""
    end = len(text) if end < 0 else end
    state.emit(text[position:end])
    return end


def _begin_fence(state: State, text: str, start: int) -> int:
    past = state.past
    fence = fence_at(text, start, line_start=past.at_line_start, final=state.final)
    if fence is None or past.last == text[start]:
        # Backticks in a sentence.
        end = end_of_run(text, start)
        state.emit(text[start:end])
        return end
    if past.in_quoted_line:
        state.emit(text[start : fence.end])
        state.enter(fence if fence.block else None)
        return fence.end
    state.candidate.begin_fence()
    state.candidate.open(fence, text[start : fence.end])
    state.phase = Phase.BODY
    return fence.end


def in_block(state: State, text: str, position: int) -> int:
    """Let a code block go; no JSON in it is a call."""
    block = state.block
    assert block is not None  # the phase is entered with one
    start, is_name = state.finder.find(text, position, state.past.before, block.char)
    value = _value_at_line_start(state, text, position, start, block)
    is_value = value >= 0 and (start < 0 or value < start)
    if (start := value if is_value else start) != position:
        return _let_go(state, text, position, start)
    if is_value:
        may_open(text, start, final=state.final)
        _open_block(state, block)
        state.begin_value()
        return start
    if is_name:
        _open_block(state, block)
        state.phase = Phase.NAMED
        return start
    end = end_of_run(text, start)
    if end == len(text) and not state.final and end - start < MAX_MARKER:
        raise NeedsMore
    past = state.past
    closes = (
        block.length <= end - start < MAX_MARKER
        and past.at_line_start
        and (end == len(text) or not (text[end].isalnum() or text[end] == "_"))
    )
    state.emit(text[start:end])
    if closes:
        state.enter(None)
    return end


def _open_block(state: State, block: Fence) -> None:
    """Look for a call in a block that is text: its end belongs to the call, then."""
    state.candidate.begin()
    state.candidate.wrappers.append(block)
    state.block = None


def _value_at_line_start(
    state: State, text: str, position: int, end: int, block: Fence
) -> int:
    """Return where a value may begin before `end` in a block of data; -1 if nowhere."""
    if not DATA_BLOCK.fullmatch(block.tag):
        return -1
    end = len(text) if end < 0 else end
    first = None
    if not state.past.line.strip():
        first = _LINE_VALUE.match(text, position, end)
    others = _NEXT_LINE_VALUE.finditer(text, position, end)
    for found in (first, *others) if first else others:
        if may_open(text, found.start(1), final=True):
            return found.start(1)
    return -1


def passage(state: State, text: str, position: int) -> int:
    """Let a value go that is no call, without looking for calls inside."""
    reader = state.reader
    end = reader.feed(text, position)
    state.emit(text[position:end])
    if reader.done or reader.failed is not None:
        state.enter(state.block)
    return end
