"""Finds calls in the text of an answer while it streams.

Words are let out up to the first place where a call may begin, a test that rather holds
too much. From there on all is held and read as finished text (`answer_text`), so the
result does not depend on how the text was cut.
"""

import re
from typing import Final

from ..naming import ToolNames
from .afterwards import NO_REMARKS, Item, Kind, Remarks, judged, pieces_of
from .answer_text import AnswerText
from .calls import CallOptions
from .json_reader import BLANK
from .markup import BARE_HARMONY, LEAD, LEADS, TURN_WORD, tag_at, unmasked
from .pieces import Piece

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
    rf"\[[{BLANK}]*(?:\Z|[{{/#\\&]|[\w:.\- =]{{1,80}}(?:\Z|[(=<]))"
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
        while found := self._begin.search(text, at):
            at = found.start()
            tag = tag_at(text, at)
            if text[at] != "<" or _CUT_TAG.match(text, at):
                return at
            if tag is not None and (tag.kinds or finder.mentioned(text[at : tag.end])):
                return at
            at += 1
        if self._options.text_only:
            return len(text)
        line = text.rfind("\n") + 1
        if at <= line < len(text):
            if any(lead.startswith(text[line:]) for lead in LEADS):
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
