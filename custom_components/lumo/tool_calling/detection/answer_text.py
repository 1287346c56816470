"""Reads the text of an answer that is there: words, calls, thoughts, turns.

It goes from one place where something may begin to the next. What is neither words nor a
call (tokens, tags, fences around calls) is left out.
"""

import re
from typing import Final

from .afterwards import Item, Kind
from .calls import CallAt, CallOptions, at_line_start, is_quoted
from .json_reader import BLANKS, end_of
from .markup import (
    ROLE,
    TURN_WORD,
    Tag,
    closing_tag,
    fence_at,
    fence_end,
    open_fence,
    tag_at,
    thought_at,
    turn_at,
)
from .pieces import BrokenCall, Dropped, Reasoning

_RUN: Final = re.compile(r"`+|~*")
_BEHIND: Final = re.compile(r"[\s\ufeff\u200b-\u200f\u2060}\]),;]+")


class AnswerText:
    """The text of an answer from one position on."""

    def __init__(
        self, options: CallOptions, text: str, at: int, *, behind_call: bool
    ) -> None:
        """Look at a text behind what has been let out or handed over."""
        self._options, self._text, self._at = options, text, at
        self._items: list[Item] = []
        # What has not become an item, and where the line began.
        self._from, self._line = at, at if behind_call else 0
        self._has_called = self._behind = behind_call
        self._has_ended = False

    def read(self) -> list[Item]:
        """Return what it is made of."""
        text, at = self._text, self._at
        block = None if self._has_called else open_fence(text, at)
        if block and not block.is_data:
            at = fence_end(text, at, block.run)
        while at < len(text) and not self._has_ended:
            if self._behind and (end := self._skip(at)):
                at = end
                continue
            if (found := self._options.begin.search(text, at)) is None:
                break
            self._behind = False
            at = self._look(found.start())
        self._flush(len(text))
        said = [item.kind for item in self._items if item.source.strip()]
        if said and said[-1] is Kind.ORPHAN and not self._has_called:
            broken = BrokenCall(None, None, "only its end came", "")
            self._items.append(Item("", [broken]))
        return self._items

    def _flush(self, end: int) -> None:
        """Take what stands before a position for words."""
        if source := self._text[self._from : end]:
            self._items.append(Item(source, [source]))

    def _add(self, at: int, item: Item) -> int:
        """Add what is no words; return its end."""
        self._flush(at)
        self._items.append(item)
        self._from = self._line = at + len(item.source)
        return self._from

    def _drop(self, at: int, end: int, kind: Kind, reason: str = "") -> int:
        source = self._text[at:end]
        return self._add(at, Item(source, [Dropped(source, reason)], kind))

    def _end(self, at: int) -> int:
        self._has_ended = True
        return self._drop(at, len(self._text), Kind.TURN, "somebody else's turn")

    def _look(self, at: int) -> int:
        """Take what begins at a position; return its end."""
        text = self._text
        line = text[max(text.rfind("\n", 0, at) + 1, self._line) : at]
        if text[at] in "`~":
            return self._fence(at, line)
        if not is_quoted(line):
            if found := thought_at(text, at):
                begin, close, end = found
                source = text[at : end or len(text)]
                kind = Kind.THOUGHT if end else Kind.OPEN_THOUGHT
                return self._add(
                    at, Item(source, [Reasoning(text[begin:close], source)], kind)
                )
            # Behind a call a line begins, whether it was broken or not.
            speaks = self._has_called and not line and TURN_WORD.match(text, at)
            if speaks or turn_at(text, at, behind_call=self._has_called):
                return self._end(at)
        if self._options.text_only:
            return at + 1
        tag = tag_at(text, at)
        if text[at] == "<" and (end := self._tag(at, tag, line)):
            return end
        end, is_call = self._call(at, at, line)
        if tag is not None and "token" in tag.kinds and not is_call:
            return self._drop_token(at, max(end, tag.end))
        return end

    def _drop_token(self, at: int, end: int, kind: Kind = Kind.TOKEN) -> int:
        """Drop a token, with the role or channel behind it."""
        role = ROLE.match(self._text, end)
        self._drop(at, role.end() if role else end, kind)
        is_turn = role is None and TURN_WORD.match(self._text, end)
        return self._end(end) if is_turn else self._from

    def _call(self, start: int, at: int, line: str) -> tuple[int, bool]:
        """Take the call at a position; return its end, and whether there is one.

        What belongs to it begins at `start`.
        """
        read = CallAt(self._options, self._text, at, line, self._has_called).read()
        if read.is_result:
            return self._end(start), True
        if not read.pieces:
            return read.end, False
        source = self._text[start : read.end]
        item = Item(source, [*read.pieces], Kind.ANSWER, before=line)
        if not isinstance(read.pieces[0], str):
            item.kind = Kind.CALL
            item.pieces = [
                call._replace(source=source)
                for call in read.pieces
                if not isinstance(call, str)
            ]
            self._has_called = True
        self._add(start, item)
        self._behind = True
        return read.end, True

    def _tag(self, at: int, tag: Tag | None, line: str) -> int:
        """Take a tag with which no call begins; return its end, 0 for others."""
        text = self._text
        if text.startswith("<!", at):
            return max(at + 2, text.find("-->", at) + 3)
        if tag is None:
            return at + 1
        if is_quoted(line):
            return tag.end
        if "shown" in tag.kinds and not tag.closes:
            close = closing_tag(text, tag.end, [tag])
            return close[1] if close else tag.end
        if not tag.closes:
            return 0
        if "thought" in tag.kinds:
            return self._drop(at, tag.end, Kind.THOUGHT_END)
        is_mentioned = line[-1:].isspace() and line.strip() and "token" not in tag.kinds
        if is_mentioned or not tag.kinds & {"call", "token", "parameter"}:
            return 0
        kind = Kind.ORPHAN if "call" in tag.kinds else Kind.TOKEN
        return self._drop_token(at, tag.end, kind)

    def _fence(self, at: int, line: str) -> int:
        """Take a run of backticks: what opens a code block, or words."""
        text, end = self._text, end_of(_RUN, self._text, at)
        fence = fence_at(text, at, at_line_start=at_line_start(line))
        if fence is None or is_quoted(line):
            return end
        first = end_of(BLANKS, text, fence.end)
        end, is_call = self._call(at, first, "") if first < len(text) else (end, False)
        if is_call:
            return end
        return first if fence.is_data else fence_end(text, fence.end, fence.run)

    def _skip(self, at: int) -> int:
        """Skip what belongs to the call before a position; return its end, 0 if none."""
        text = self._text
        if found := _BEHIND.match(text, at):
            return self._add(at, Item(found[0]))
        end, fence = end_of(_RUN, text, at), fence_at(text, at, at_line_start=False)
        if end - at < 3 or (fence and fence.info):
            tag = tag_at(text, at)
            if tag is None or not tag.closes or "thought" in tag.kinds:
                return 0
            end = 0 if tag.word == "INST" else tag.end
        return self._add(at, Item(text[at:end], kind=Kind.CLOSE)) if end else 0
