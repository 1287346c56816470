"""Finds calls in the text of an answer while it streams.

At a character with which a call may begin stand words, or something else, or more of the
text is needed to tell. Words and thoughts are let out; from the first call on all is
held and read as finished text, so the result does not depend on how the text was cut.
"""

import re
from typing import Final

from ..naming import ToolNames
from .afterwards import NO_REMARKS, Item, Kind, Remarks, joined, judged
from .calls import CODE_LEAD, LEAD, LEADS, Answer, CallAt, at_line_start, is_quoted
from .json_reader import BLANKS, end_of
from .markup import (
    ODD,
    ROLE,
    TURN_LINE,
    Tag,
    closing_tag,
    fence_at,
    fence_end,
    kinds_of,
    tag_at,
    thought_at,
    turn_at,
    unmasked,
)
from .pieces import BrokenCall, Dropped, Piece, Reasoning

# What is held is read again when it has grown by a quarter, up to this length also where
# it ends as a call does.
_MAX_LOOK: Final = 2_000

# Where something else than words may begin, perhaps cut by the end of the text.
_TAGS: Final = r"<(?:[A-Za-z_|｜/!]|\Z)|\[(?:/?[A-Z]|\Z)"
_MARKS: Final = rf"{_TAGS}|[{{\[]|`{{3}}|~{{3}}|(?:\A|(?<=\n))(?:{LEAD.pattern})"
_CUT_MARK: Final = r"(?:\]|&(?:lt?)?|~~?|``?)\Z"
_CUT_TAG: Final = re.compile(r"<[^<>\n]{0,200}\Z|\[/?[A-Z_]{0,12}\Z")
_CUT_FENCE: Final = re.compile(r"(?:`+|~+)[^\n`~{\[]{0,200}\Z")
_CUT_ROLE: Final = re.compile(r"\W{0,8}\w{0,14}(?: \w{0,14})?\W{0,4}\Z")
_RUN: Final = re.compile(r"`+|~*")
_BEHIND: Final = re.compile(r"[\s\ufeff\u200b-\u200f\u2060}\]),;]+")


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
        marks = _TAGS if text_only else rf"{_MARKS}|{names.finder.pattern}"
        self._marks = re.compile(rf"(?P<odd>{ODD})|(?P<cut>{_CUT_MARK})|{marks}")
        behind = rf"(?<=\n)(?i:{TURN_LINE.pattern}|```\w*(?:output|result))"
        self._look = re.compile(rf"{marks}|{behind}")
        self._answer = Answer(names, unknown, json_only, text_only)
        # Up to where it was let out or handed over, where the line there began, and how
        # much more has to be there for the rest to be read again.
        self._text = ""
        self._at = self._line = self._look_at = 0
        self._holds = self._has_called = False
        self.has_call = False
        """A call is held that is whole: it acts when it is judged."""
        self.has_ended = False
        """Somebody else's turn was invented: nothing that follows counts."""

    def feed(self, text: str) -> list[Piece]:
        """Take the next part of the answer; return what can be said about it."""
        self._text += text
        rest = len(self._text) - self._at
        is_closed = rest <= _MAX_LOOK and self._text[-1:] in {*"}])>`▷"}
        if self.has_call or not (is_closed or rest >= self._look_at):
            return []
        items: list[Item] = []
        while not self._holds and (item := self._let_out()):
            items.append(item)
        if self._holds:
            self._read(was_cut=True)
        rest = len(self._text) - self._at
        self._look_at = rest + rest // 4 + 1
        return joined(items)

    def settle(self) -> list[Piece]:
        """Judge the calls that are there now; the answer may go on."""
        if not self.has_call:
            return []
        items = judged(self._read(was_cut=True), self._remarks, self._text[: self._at])
        if not self.has_ended:
            whole = [n for n, item in enumerate(items) if item.calls]
            items = items[: max(whole, default=len(items)) + 1]
        self._text = self._answer.text
        self._at = self._line = self._at + sum(len(item.source) for item in items)
        self._has_called, self.has_call = True, False
        return joined(items)

    def finish(self, *, was_cut: bool = False) -> list[Piece]:
        """Judge all that is left, the answer being over; no bracket is added if cut."""
        items = self._read(was_cut=was_cut)
        items = judged(items, self._remarks, self._text[: self._at])
        self._at, self.has_call = len(self._text), False
        return joined(items)

    def _let_out(self) -> Item | None:
        """Let out what stands next, nothing if it is held, or has to go on first."""
        text, at = self._text, self._at
        found = self._marks.search(text, at)
        begun = self._begun(at)
        read: int | Item | None = min(begun, found.start()) if found else begun
        if found and found.start() == at:
            if found["odd"] or found["cut"]:
                self._holds = found["odd"] is not None
                return None
            self._answer.text, self._answer.was_cut = text, True
            read = AnswerText(self._answer, at, self._line, streams=True).at(at)
        if isinstance(read, int):
            self._at, source = read, text[at:read]
            return Item(source, [source]) if source else None
        said = {Kind.THOUGHT, Kind.THOUGHT_END, Kind.TOKEN}
        if read is None or read.kind not in said:
            self._holds = read is not None
            return None
        self._at = self._line = at + len(read.source)
        return read

    def _begun(self, at: int) -> int:
        """Return where the name of a tool, or a lead, may have begun."""
        text, line = self._text, self._text.rfind("\n") + 1
        if self._answer.text_only:
            return len(text)
        if at <= line < len(text):
            if any(lead.startswith(text[line:]) for lead in LEADS):
                return line
        return self._answer.names.finder.begun(text, at)

    def _read(self, *, was_cut: bool) -> list[Item]:
        """Read what is held; note whether it holds a call, or an invented turn."""
        self._answer.text = unmasked(self._text, self._at)
        self._answer.was_cut, self._answer.has_called = was_cut, self._has_called
        items = AnswerText(self._answer, self._at, self._line).read(self._look)
        self.has_call = any(item.calls for item in items)
        self.has_ended = any(item.kind is Kind.TURN for item in items)
        return items


class AnswerText:
    """The text of an answer from one position on."""

    def __init__(
        self, answer: Answer, at: int, line: int, *, streams: bool = False
    ) -> None:
        self._answer, self._text, self._streams = answer, answer.text, streams
        # From where on it is read, and where the line began.
        self._at, self._line = at, line

    def read(self, marks: re.Pattern[str]) -> list[Item]:
        """Return what it is made of."""
        text, items, begin, at = self._text, list[Item](), self._at, self._at
        behind = self._answer.has_called
        while at < len(text):
            read: int | Item | None = self._closing(at) if behind else None
            if read is None:
                if (found := marks.search(text, at)) is None:
                    break
                at = found.start()
                read, behind = self.at(at), False
            if not isinstance(read, Item):
                at = read or at + 1
                continue
            if begin < at:
                items.append(Item(text[begin:at], [text[begin:at]]))
            items.append(read)
            at = begin = self._line = at + len(read.source)
            self._answer.has_called |= read.kind is Kind.CALL
            behind = behind or read.kind in {Kind.CALL, Kind.ANSWER}
        if begin < len(text):
            items.append(Item(text[begin:], [text[begin:]]))
        said = [item.kind for item in items if item.source.strip()]
        if said and said[-1] is Kind.ORPHAN and not self._answer.has_called:
            items.append(Item("", [BrokenCall(None, None, "only its end came", "")]))
        return items

    def at(self, at: int) -> int | Item | None:
        """Return what stands there: words, up to where, or something else; None if open."""
        text = self._text
        line = text[max(text.rfind("\n", 0, at) + 1, self._line) : at]
        if text[at] in "`~":
            return self._fence(at, line)
        if text.startswith("<!", at):
            end = text.find("-->", at) + 3
            return end if end > 2 else None
        tag = tag_at(text, at)
        if tag is None and self._streams and _CUT_TAG.match(text, at):
            return None
        if is_quoted(line):
            return tag.end if tag else self._call(at, at, line)
        cut, called = self._answer.was_cut, self._answer.has_called
        if turn_at(text, at, was_cut=cut, behind_call=called, line=line):
            return self._end(at)
        if tag is not None:
            return self._tag(tag, at, line)
        if self._answer.text_only or text[at] == "<":
            return at + 1
        read = self._call(at, at, line)
        lead = None if line and text[at] != "[" else LEAD.match(text, at)
        if lead and isinstance(read, int) and text[lead.end()] == "<":
            return self._token(at, lead.end(), Kind.TOKEN)
        return read

    def _tag(self, tag: Tag, at: int, line: str) -> int | Item | None:
        text, streams, is_token = self._text, self._streams, "token" in tag.kinds
        if found := thought_at(text, at):
            begin, close, end = found
            if streams and not end:
                return None
            source = text[at : end or len(text)]
            return Item(source, [Reasoning(text[begin:close], source)], Kind.THOUGHT)
        if self._answer.text_only and "thought" not in tag.kinds:
            return at + 1
        if "shown" in tag.kinds and not tag.closes:
            closing = closing_tag(text, tag.end, [tag])
            return closing[1] if closing else None if streams else tag.end
        if streams and (tag.closes or is_token) and _CUT_ROLE.match(text, tag.end):
            return None
        if tag.closes and "thought" in tag.kinds:
            return self._token(at, tag.end, Kind.THOUGHT_END)
        is_mentioned = line[-1:].isspace() and line.strip() and not is_token
        if (
            tag.closes
            and tag.kinds & {"call", "token", "parameter"}
            and not is_mentioned
        ):
            kind = Kind.ORPHAN if "call" in tag.kinds else Kind.TOKEN
            return self._token(at, tag.end, kind)
        read = self._call(at, at, line)
        if is_token and isinstance(read, int):
            return self._token(at, max(read, tag.end), Kind.TOKEN)
        return read

    def _end(self, at: int) -> Item:
        """Return somebody else's turn, or a result: nothing behind it counts."""
        source = self._text[at:]
        return Item(source, [Dropped(source, "somebody else's turn")], Kind.TURN)

    def _token(self, at: int, end: int, kind: Kind) -> Item:
        """Return a token that is dropped, with the role or channel behind it."""
        role = ROLE.match(self._text, end)
        source = self._text[at : role.end() if role and not role["other"] else end]
        return Item(source, [Dropped(source, "")], kind)

    def _call(self, start: int, at: int, line: str) -> int | Item | None:
        """Return the call at a position, whose text begins at a start, or words."""
        call = CallAt(self._answer, at, line)
        end, pieces = call.read()
        source = self._text[start:end]
        match pieces:
            case []:
                return None if self._streams and call.is_open else end
            case [Dropped()]:
                return self._end(start)
            case [str()]:
                return Item(source, [*pieces], Kind.ANSWER)
        calls = [x._replace(source=source) for x in pieces if not isinstance(x, str)]
        return Item(source, [*calls], Kind.CALL)

    def _fence(self, at: int, line: str) -> int | Item | None:
        """Return what a run of backticks opens: a code block, or words."""
        text, end = self._text, end_of(_RUN, self._text, at)
        if self._streams and _CUT_FENCE.match(text, at):
            return None
        fence = fence_at(text, at, at_line_start=at_line_start(line))
        if fence is None or is_quoted(line):
            return end
        if self._answer.has_called and "result" in kinds_of(fence.info.split("_")):
            return self._end(at)
        first = end_of(BLANKS, text, fence.end)
        if first == len(text):
            return None if self._streams else end
        read = self._call(at, end_of(CODE_LEAD, text, first), "")
        if not isinstance(read, int) or fence.is_data:
            return first if isinstance(read, int) else read
        end = fence_end(text, fence.end, fence.run)
        return None if self._streams and end == len(text) else end

    def _closing(self, at: int) -> Item | None:
        """Return what belongs to the call before a position."""
        text = self._text
        if found := _BEHIND.match(text, at):
            return Item(found[0])
        end, fence = end_of(_RUN, text, at), fence_at(text, at, at_line_start=False)
        if end - at < 3 or (fence and fence.info):
            tag = tag_at(text, at)
            if tag is None or not tag.closes or "thought" in tag.kinds or tag.is_turn:
                return None
            end = tag.end
        return Item(text[at:end], kind=Kind.CLOSE)
