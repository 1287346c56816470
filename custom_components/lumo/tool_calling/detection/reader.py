"""Finds calls in the text of an answer while it streams.

Strategy: words are let out at once, up to the first place where a call may begin: a
cheap test that rather holds too much. From there on everything is held, and read as one
text (`answer_text`) when the answer ends, or when the agent asks for what is there
(`settle`). A call that was closed too early, written again, only thought of, or
followed by somebody else's turn is then found by looking at the finished text
(`afterwards`). What was let out is never withdrawn.

What comes out does not depend on how the text was cut: a place that was passed is passed
whatever follows. That a whole call is held is noticed on the way; nothing else depends
on it.
"""

import re
from typing import Final

from ..naming import ToolNames
from .afterwards import NO_REMARKS, Item, Remarks, judged, pieces_of
from .answer_text import AnswerText
from .calls import QUOTES, CallOptions
from .json_reader import BLANK
from .markup import (
    BARE_HARMONY,
    LEAD,
    LEADS,
    TURN_WORD,
    Tag,
    tag_at,
    thought_at,
    unmasked,
)
from .name_finder import NameFinder
from .pieces import Piece, Reasoning

# What is held is looked at again when it has grown by a quarter, and so many characters;
# up to this length also where it ends as a call does.
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


def _beginnings(finder: NameFinder) -> str:
    name = finder.pattern
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
        begin = r"<(?:[\w|｜/]|\Z)|◁|\[(?:[tT/]|\Z)"
        behind = begin
        if not text_only:
            begin = _beginnings(names.finder)
            behind = rf"{begin}|(?<=\n)(?i:{TURN_WORD.pattern})"
        self._begin = re.compile(begin)
        self._options = CallOptions(
            names, unknown, json_only, text_only, self._begin, re.compile(behind)
        )
        # The answer, up to where it was let out or handed over, and how much more has
        # to be there for the rest to be looked at again.
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
            self._at = begin
            self._look_at = 0
        rest = len(self._text) - self._at
        is_closed = rest <= _MAX_LOOK and self._text[-1:] in {*"}])>`▷"}
        if self.has_call or not (rest and (is_closed or rest >= self._look_at)):
            return pieces
        self._look_at = rest + max(rest // 4, _LOOK_AGAIN)
        thought = None if self._has_called or self._is_quoted() else self._thought()
        if thought is not None:
            return [*pieces, thought, *self.feed("")]
        self._read(was_cut=True)
        return pieces

    def settle(self) -> list[Piece]:
        """Judge the calls that are there now; the answer may go on."""
        if not self.has_call:
            return []
        self._text = unmasked(self._text, self._at)
        items = judged(self._read(was_cut=True), self._remarks)
        if not self.has_ended:
            whole = [n for n, item in enumerate(items) if item.calls]
            items = items[: max(whole, default=len(items)) + 1]
        self._at += sum(len(item.source) for item in items)
        self._has_called, self.has_call = True, False
        return pieces_of(items)

    def finish(self, *, was_cut: bool = False) -> list[Piece]:
        """Judge all that is left, the answer being over; no bracket is added if cut."""
        items = judged(self._read(was_cut=was_cut), self._remarks)
        self._at = len(self._text)
        self.has_call = False
        return pieces_of(items)

    def _held_from(self) -> int:
        """Return from where on text has to be held, or its end."""
        text, at = self._text, self._at
        while found := self._begin.search(text, at):
            at = found.start()
            tag = tag_at(text, at)
            if text[at] != "<" or _CUT_TAG.match(text, at):
                return at
            if tag is not None and self._is_telling(tag, text[at : tag.end]):
                return at
            at += 1
        if self._options.text_only:
            return len(text)
        line = text.rfind("\n") + 1
        if at <= line < len(text):
            if any(lead.startswith(text[line:]) for lead in LEADS):
                return line
        return self._options.names.finder.begun(text, at)

    def _is_telling(self, tag: Tag, source: str) -> bool:
        """Return whether a tag may be part of a call, a thought or somebody's turn."""
        is_call = tag.is_call or tag.is_result or tag.is_shown or tag.is_parameter
        is_call = is_call or self._options.names.finder.mentioned(source)
        return (
            tag.is_token or tag.is_thought or (is_call and not self._options.text_only)
        )

    def _is_quoted(self) -> bool:
        return self._text[self._at - 1 : self._at] in QUOTES

    def _thought(self) -> Reasoning | None:
        """Take the thought that is held, if it has ended."""
        text, at = self._text, self._at
        found = thought_at(text, at)
        if found is None or not found[2]:
            return None
        self._at, self._look_at = found[2], 0
        return Reasoning(text[found[0] : found[1]], text[at : found[2]])

    def _read(self, *, was_cut: bool) -> list[Item]:
        """Read what is held; note whether it holds a call, or an invented turn."""
        text = unmasked(self._text, self._at)
        self._options.was_cut = was_cut
        answer = AnswerText(self._options, text, self._at, behind_call=self._has_called)
        items = answer.read()
        self.has_call = any(item.calls for item in items)
        self.has_ended = answer.has_ended
        return items
