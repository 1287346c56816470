"""Reads the text of an answer that is there: words, calls, thoughts, turns.

It goes from one place where something may begin to the next. What is neither words nor a
call (tokens, tags, fences around calls) is left out.
"""

import re
from typing import Final

from .afterwards import OTHER_TURN, Item
from .calls import CallOptions, Place, read_call
from .json_reader import BLANKS, end_of
from .markup import (
    LEAD,
    ROLE,
    TURN_WORD,
    Fence,
    Tag,
    closing_tag,
    fence_at,
    fence_end,
    tag_at,
    thought_at,
    turn_at,
)
from .pieces import BrokenCall, Dropped, Reasoning

_RUN: Final = re.compile(r"`+|~*")
_FENCE_LINE: Final = re.compile(r"^[ \t]*(?=`{3}|~{3})", re.MULTILINE)
_BEHIND: Final = re.compile(r"[\s\ufeff\u200b-\u200f\u2060}\]),;]+")


class AnswerText:
    """The text of an answer from one position on."""

    def __init__(
        self, options: CallOptions, text: str, at: int, *, behind_call: bool
    ) -> None:
        """Look at a text behind what has been let out or handed over."""
        self._options, self._text, self._at = options, text, at
        self._items: list[Item] = []
        # What has not become an item, where the line began, the code block that is open,
        # and what belongs to a call that begins at the position behind it.
        self._from, self._lead = at, (at, -1)
        self._line = at if behind_call else 0
        self._block = None if behind_call else self._block_at(at)
        self._holds_call = False
        self._has_called = self._behind = behind_call
        # Nothing but the end of a call has come; arguments without a name have come.
        self._orphan = self._loose = False
        self.has_ended = False
        """Somebody else's turn begins."""

    def read(self) -> list[Item]:
        """Return what it is made of."""
        at, text = self._at, self._text
        if self._block and not self._block.is_data:
            at = fence_end(text, at, self._block.run)[1]
            self._block = None
        while at < len(text) and not self.has_ended:
            if self._behind:
                end = self._skip(at)
                self._behind = end > at
                if not self._behind and TURN_WORD.match(text, at):
                    self._end(at)
                at = end
                continue
            options = self._options
            begin = options.begin_behind if self._has_called else options.begin
            found = begin.search(text, at)
            begun = found.start() if found else len(text)
            at = begun if begun > at else self._look(at)
        if not self.has_ended:
            self._flush(len(text))
        if self._orphan and not self._has_called:
            broken = BrokenCall(None, None, "only its end came", "")
            self._items.append(Item("", [broken]))
        return self._items

    def _block_at(self, at: int) -> Fence | None:
        """Return the code block that is open at a position."""
        block, begin = None, 0
        while found := _FENCE_LINE.search(self._text, begin, at):
            block = fence_at(self._text, found.end(), at_line_start=True)
            if block is None or block.end > at:
                return None
            begin = fence_end(self._text, block.end, block.run)[1]
            if begin <= at:
                block = None
        return block

    def _place(self, at: int) -> Place:
        begin = max(self._text.rfind("\n", 0, at) + 1, self._line)
        line = self._text[begin:at]
        last = self._text[at - 1 : at] if at > self._line else ""
        in_data = self._block is None or self._block.is_data
        return Place(line, last, in_data, self._has_called)

    def _flush(self, end: int) -> None:
        """Take what stands before a position for words."""
        if source := self._text[self._from : end]:
            self._items.append(Item(source, [source]))
            self._orphan = self._orphan and not source.strip()
            self._loose = self._loose and not any(map(str.isalnum, source))
        self._from = end

    def _add(self, at: int, item: Item) -> int:
        """Add what is no words; return its end."""
        self._flush(at)
        self._items.append(item)
        self._from = self._line = at + len(item.source)
        return self._from

    def _drop(self, at: int, end: int, reason: str = "") -> int:
        source = self._text[at:end]
        return self._add(at, Item(source, [Dropped(source, reason)]))

    def _end(self, at: int) -> int:
        self.has_ended = True
        return self._drop(at, len(self._text), OTHER_TURN)

    def _look(self, at: int) -> int:
        """Take what begins at a position."""
        text, place = self._text, self._place(at)
        if text[at] in "`~":
            return self._fence(at, place)
        if not place.is_quoted:
            if found := thought_at(text, at):
                begin, close, end = found
                source = text[at : end or len(text)]
                return self._add(
                    at, Item(source, [Reasoning(text[begin:close], source)])
                )
            if turn_at(text, at, behind_call=self._has_called):
                return self._end(at)
            if TURN_WORD.match(text, at) and self._has_called and text[at - 1] == "\n":
                return self._end(at)
        if self._options.text_only:
            return at + 1
        tag = tag_at(text, at)
        if text[at] == "<" and (end := self._tag(at, tag, place)):
            return end
        if not place.line and (lead := LEAD.match(text, at)):
            self._lead = at, lead.end()
            at = lead.end()
            tag = tag_at(text, at)
        end, is_call = self._call(at, place)
        if is_call:
            return end
        if tag is not None and tag.is_token:
            return self._drop_token(self._start(at), max(end, tag.end))
        return end

    def _drop_token(self, at: int, end: int) -> int:
        """Drop a token, with the role or channel behind it."""
        role = ROLE.match(self._text, end)
        self._drop(at, role.end() if role else end)
        is_turn = role is None and TURN_WORD.match(self._text, end)
        return self._end(end) if is_turn else self._from

    def _start(self, at: int) -> int:
        """Return where what belongs to a call at a position begins."""
        return self._lead[0] if self._lead[1] == at else at

    def _call(self, at: int, place: Place) -> tuple[int, bool]:
        """Take the call at a position; return its end, and whether there is one."""
        read = read_call(self._options, self._text, at, place)
        if not read.calls and read.answer is None:
            if read.is_result:
                return self._end(self._start(at)), True
            self._loose = self._loose or read.has_arguments
            return read.end, False
        start = self._start(at)
        source = self._text[start : read.end]
        item = Item(source, before=place.line, after_arguments=self._loose)
        if read.answer is not None:
            item.pieces = [read.answer]
        else:
            item.written = read
            item.pieces = [call._replace(source=source) for call in read.calls]
            self._has_called = True
        self._add(start, item)
        self._holds_call = self._block is not None or read.in_fence
        if read.in_fence and self._block is None:
            self._block = Fence(0, "`" * 3, is_data=True)
        self._loose, self._behind = False, True
        return read.end, True

    def _tag(self, at: int, tag: Tag | None, place: Place) -> int:
        """Take a tag with which no call begins; return its end, 0 for others."""
        text = self._text
        if text.startswith("<!", at):
            return max(at + 2, text.find("-->", at) + 3)
        if tag is None:
            return at + 1
        if place.is_quoted:
            return tag.end
        if tag.is_shown and not tag.closes:
            close = closing_tag(text, tag.end, [tag])
            return close[1] if close else tag.end
        if not tag.closes:
            return 0
        if tag.is_thought:
            end = self._drop(at, tag.end)
            self._items[-1].ends_thought = True
            return end
        is_mentioned = place.last.isspace() and place.line.strip() and not tag.is_token
        if is_mentioned or not (tag.is_call or tag.is_token or tag.is_parameter):
            return 0
        end = (self._drop_token if tag.is_token else self._drop)(at, tag.end)
        self._orphan = not (self._has_called or (tag.is_token and not tag.is_call))
        return end

    def _fence(self, at: int, place: Place) -> int:
        """Take a run of backticks: what opens or closes a code block, or words."""
        text, block = self._text, self._block
        end = end_of(_RUN, text, at)
        if block is not None and text.startswith(block.run, at):
            if self._holds_call and not self._opens(at, end):
                return self._close(at, end)
            if self._holds_call:
                self._block = None
                return at
            if not place.line.strip():
                self._block = None
            return end
        fence = fence_at(text, at, at_line_start=place.at_line_start)
        if fence is None or place.is_quoted:
            return end
        first = end_of(BLANKS, text, fence.end)
        if lead := LEAD.match(text, first):
            first = self._line = lead.end()
        self._block, self._holds_call, self._lead = fence, False, (at, first)
        if fence.is_data:
            return first
        if self._options.begin.match(text, first):
            end, is_call = self._call(first, Place("", "", True, self._has_called))
            if is_call:
                return end
        self._block = None
        return fence_end(text, fence.end, fence.run)[1]

    def _opens(self, at: int, end: int) -> bool:
        """Return whether a run of backticks has a word behind it, and opens a block."""
        fence = fence_at(self._text, at, at_line_start=False)
        return fence is not None and self._text[end] != "\n"

    def _close(self, at: int, end: int) -> int:
        self._block, self._holds_call, self._behind = None, False, True
        return self._add(at, Item(self._text[at:end], is_close=True))

    def _skip(self, at: int) -> int:
        """Skip what belongs to the call before it; the position if that is nothing."""
        text = self._text
        if found := _BEHIND.match(text, at):
            return self._add(at, Item(found[0]))
        if self._holds_call and (run := end_of(_RUN, text, at)) - at > 2:
            return at if self._opens(at, run) else self._close(at, run)
        tag = tag_at(text, at)
        if tag is None or not tag.closes or tag.is_thought or tag.word == "INST":
            return at
        return self._add(at, Item(text[at : tag.end], is_close=True))
