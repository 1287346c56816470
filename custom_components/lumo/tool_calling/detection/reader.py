"""Finds calls in the text of an answer while it streams.

Words are let out up to the first place where a call may begin, a test that rather holds
too much. From there on all is held and read as finished text (`AnswerText`), so the
result does not depend on how the text was cut. What is neither words nor a call (tokens,
tags, fences around calls) is left out.
"""

import re
from typing import Final

from ..naming import ToolNames
from .afterwards import NO_REMARKS, Item, Kind, Remarks, judged, pieces_of
from .calls import CallAt, CallOptions, at_line_start, is_quoted
from .json_reader import BLANK, BLANKS, end_of
from .markup import (
    BARE_HARMONY,
    LEAD,
    LEADS,
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
    unmasked,
)
from .pieces import BrokenCall, Dropped, Piece, Reasoning

# What is held is read again when it has grown by a quarter and so many characters, up
# to this length also where it ends as a call does.
_LOOK_AGAIN: Final = 8
_MAX_LOOK: Final = 2_000
_CUT_TAG: Final = re.compile(r"<(?:!|[^<>\n]{0,200}\Z)")

# Where a call may begin. Each may be cut by the end of the text (`\Z`).
_OBJECT: Final = (
    rf"\{{[{BLANK}{{]*(?:\Z|[\"'“”„‟‘’‚‛/#\\&$]"
    rf"|[^\W\d][\w$\-]*[{BLANK}]*(?:\Z|[:/#]))"
)
_LIST: Final = (
    rf"\[[{BLANK}]*(?:\Z|[{{/#\\&<]|[\w:.\- =]{{1,80}}(?:\Z|[(=<]))"
    r"|\[/?[A-Z_]{1,12}(?:\Z|\])"
)
_OTHERS: Final = r"<(?:[\w|｜/!]|\Z)|◁|\](?:\Z|<)|&(?:\Z|l(?:\Z|t))"
# A name of a tool, behind which no words follow.
_NAME_REST: Final = (
    r"[\s:,>→|*\"'”’;`.\d]{0,40}+(?:\Z|[({<\[]|json\b|\w{1,12}(?:\Z|\())"
)
# Behind the line that opens a code block: a bracket, or a name.
_BLOCK: Final = r"(?:`{3,}|~{3,})[^\n`~]{0,200}(?:\Z|\n\s*(?:\Z|[{\[<`~]|[^\n]{0,140}\Z"
_BACKTICKS: Final = r"`{1,2}\Z|~{1,2}\Z"
_THOUGHTS: Final = r"<(?:[\w|｜/]|\Z)|◁|\[(?:[tT/]|\Z)"


def _beginnings(name: str) -> str:
    return (
        rf"{_OBJECT}|{_LIST}|{_OTHERS}|{name}{_NAME_REST}|{_BLOCK}|[^\n]{{0,40}}?{name}))|{_BACKTICKS}"
        rf"|(?:\A|(?<=\n))(?:{LEAD.pattern})|\A\s*{BARE_HARMONY.pattern}"
    )


class CallReader:
    """Splits one streamed answer into words and calls."""

    def __init__(
        self,
        names: ToolNames,
        *,
        json_only: bool = False,
        text_only: bool = False,
        unknown: bool = False,
        remarks: Remarks = NO_REMARKS,
    ) -> None:
        """Look for calls of the tools that `names` knows.

        With `json_only` calls in other forms are words: somebody asked what they look
        like. With `text_only` all is, but for thoughts. With `unknown` JSON calls of
        tools that do not exist are calls, too: something was to be done. `remarks` are
        the words that take a call back or let it wait.
        """
        self._remarks = remarks
        begin = _THOUGHTS if text_only else _beginnings(names.finder.pattern)
        self._begin = re.compile(begin)
        look = re.compile(rf"{begin}|(?<=\n)(?i:{TURN_WORD.pattern})")
        self._options = CallOptions(names, unknown, json_only, text_only, look)
        # The answer, up to where it was let out or handed over, and how much more has
        # to be there for the rest to be read again.
        self._text = ""
        self._at = self._look_at = 0
        self._has_called = False
        self.has_call = False
        """A call is held that is whole: it acts when it is judged."""
        self.has_ended = False
        """Somebody else's turn was invented: nothing that follows counts."""

    def feed(self, text: str) -> list[Piece]:
        """Take the next part of the answer; return what can be said about it."""
        self._text += text
        pieces: list[Piece] = []
        while not self._has_called and (begin := self._held_from()) > self._at:
            pieces.append(self._text[self._at : begin])
            self._at, self._look_at = begin, 0
        rest = len(self._text) - self._at
        is_closed = rest <= _MAX_LOOK and self._text[-1:] in {*"}])>`▷"}
        if self.has_call or not (rest and (is_closed or rest >= self._look_at)):
            return pieces
        self._look_at = rest + max(rest // 4, _LOOK_AGAIN)
        items = self._read(was_cut=True)
        if self._has_called or not items or items[0].kind is not Kind.THOUGHT:
            return pieces
        source = items[0].source
        if self._text.startswith(source, self._at):  # it was not masked
            self._at, self._look_at = self._at + len(source), 0
            return [*pieces, *items[0].pieces, *self.feed("")]
        return pieces

    def settle(self) -> list[Piece]:
        """Judge the calls that are there now; the answer may go on."""
        if not self.has_call:
            return []
        self._text = unmasked(self._text, self._at)
        items = judged(self._read(was_cut=True), self._remarks, self._text[: self._at])
        if not self.has_ended:
            whole = [n for n, item in enumerate(items) if item.calls]
            items = items[: max(whole, default=len(items)) + 1]
        self._at += sum(len(item.source) for item in items)
        self._has_called, self.has_call = True, False
        return pieces_of(items)

    def finish(self, *, was_cut: bool = False) -> list[Piece]:
        """Judge all that is left, the answer being over; no bracket is added if cut."""
        items = judged(
            self._read(was_cut=was_cut), self._remarks, self._text[: self._at]
        )
        self._at = len(self._text)
        self.has_call = False
        return pieces_of(items)

    def _held_from(self) -> int:
        """Return from where on text has to be held, or its end."""
        text, at, finder = self._text, self._at, self._options.names.finder
        line = text.rfind("\n") + 1
        is_lead = at <= line < len(text) and not self._options.text_only
        is_lead = is_lead and any(lead.startswith(text[line:]) for lead in LEADS)
        while found := self._begin.search(text, at):
            at = found.start()
            if is_lead and at > line:
                return line
            tag = tag_at(text, at)
            if text[at] != "<" or _CUT_TAG.match(text, at):
                return at
            if tag is not None and (tag.kinds or finder.mentioned(text[at : tag.end])):
                return at
            at += 1
        if self._options.text_only:
            return len(text)
        if is_lead:
            return line
        return finder.begun(text, at)

    def _read(self, *, was_cut: bool) -> list[Item]:
        """Read what is held; note whether it holds a call, or an invented turn."""
        text = unmasked(self._text, self._at)
        self._options.was_cut = was_cut
        answer = AnswerText(self._options, text, self._at, behind_call=self._has_called)
        items = answer.read()
        self.has_call = any(item.calls for item in items)
        self.has_ended = any(item.kind is Kind.TURN for item in items)
        return items


_RUN: Final = re.compile(r"`+|~*")
_BEHIND: Final = re.compile(r"[\s\ufeff\u200b-\u200f\u2060}\]),;]+")


class AnswerText:
    """The text of an answer from one position on."""

    def __init__(
        self, options: CallOptions, text: str, at: int, *, behind_call: bool
    ) -> None:
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
        lead = None if is_call or (line and text[at] != "[") else LEAD.match(text, at)
        if lead and text.startswith(("<|", "<｜"), lead.end()):
            return self._drop(at, lead.end(), Kind.TOKEN)
        return end

    def _drop_token(self, at: int, end: int, kind: Kind = Kind.TOKEN) -> int:
        """Drop a token, with the role or channel behind it."""
        role = ROLE.match(self._text, end)
        self._drop(at, role.end() if role else end, kind)
        is_turn = role is None and TURN_WORD.match(self._text, end)
        return self._end(end) if is_turn else self._from

    def _call(self, start: int, at: int, line: str) -> tuple[int, bool]:
        """Take the call at a position; return its end, and whether there is one."""
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
