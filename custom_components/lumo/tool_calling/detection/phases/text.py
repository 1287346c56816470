"""The phases in which text is let go."""

import re
from typing import Final

from ..beginnings import may_open, next_beginning
from ..json_reader import JsonReader
from ..openers import DATA_BLOCK, MAX_MARKER, WAIT, Fence, end_of_run, fence_at
from .behind import closing
from .state import Phase, State
from .wrapping import begin, tag_at_bracket

_LINE_VALUE: Final = re.compile(r"[ \t]*([{\[])")
_NEXT_LINE_VALUE: Final = re.compile(rf"\n{_LINE_VALUE.pattern}")


def plain(state: State, text: str, position: int) -> int:
    """Let text go up to where something may begin."""
    start, is_name = next_beginning(text, position, state.finder, state.past.before)
    if start < 0:
        state.emit(text[position:])
        return len(text)
    if start > position:
        state.emit(text[position:start])
    candidate = state.candidate
    if is_name:
        candidate.begin()
        state.phase = Phase.NAMED
        return start
    char = text[start]
    if candidate.wrappers:
        # Words stand between a call and the end of its wrapping.
        end = closing(state, text, start, behind_call=False)
        if end is WAIT:
            return state.wait(start)
        if end is not None:
            state.phase = Phase.AFTER
            return end
    candidate.begin()
    if char in "`~":
        return _begin_fence(state, text, start)
    tag = tag_at_bracket(state, text, start)
    if tag is WAIT:
        return state.wait(start)
    if tag is None and char == "<":
        name = state.finder.at(text, start + 1, final=state.final)
        if name is WAIT:
            return state.wait(start)
        if name is not None:
            candidate.held.append(char)
            state.phase = Phase.NAMED
            return start + 1
    opens = tag is not None or (
        char != "<" and may_open(text, start, final=state.final)
    )
    if opens is WAIT:
        return state.wait(start)
    if not opens:
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


def _begin_fence(state: State, text: str, start: int) -> int:
    past = state.past
    fence = fence_at(text, start, line_start=past.at_line_start, final=state.final)
    if fence is WAIT:
        return state.wait(start)
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
    if value >= 0 and (start < 0 or value < start):
        if may_open(text, value, final=state.final) is WAIT:
            state.emit(text[position:value])
            return state.wait(value)
        state.emit(text[position:value])
        _open_block(state, block)
        state.begin_value()
        return value
    if start < 0:
        state.emit(text[position:])
        return len(text)
    if start > position:
        state.emit(text[position:start])
    if is_name:
        _open_block(state, block)
        state.phase = Phase.NAMED
        return start
    end = end_of_run(text, start)
    if end == len(text) and not state.final and end - start < MAX_MARKER:
        return state.wait(start)
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
        if may_open(text, found.start(1), final=state.final):
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
