"""Finds calls in the text of an answer while it streams.

Strategy: words are let out at once, up to the first character with which a call may
begin. From there on text is held until it is clear what it is (`written`). Behind the
first call everything is held: a model writes its calls at the end, and what it writes
behind them says whether they are meant. It is looked at when the answer ends, or when
the agent asks for what is there (`settle`): a call that was closed too early, written
again, only thought of, or followed by somebody else's turn is found by looking at the
finished text (`afterwards`). What was let out is never withdrawn.

What comes out does not depend on how the text was cut: at each position either what
follows cannot change the decision, or more is waited for. What is waited for is bounded,
or looked at again only when it has grown by an eighth.
"""

import html
import re
from typing import Final

from ..naming import ToolNames
from .afterwards import OTHER_TURN, Item, judged
from .json_reader import BLANK, BLANKS, end_of
from .markup import (
    BARE_CHANNEL,
    BARE_HARMONY,
    LEAD,
    LEADS,
    LONGEST_END,
    MASKED,
    MASKS,
    MAX_TAG,
    MAX_TURN,
    MAY_BE_ROLE,
    ROLE,
    THOUGHT_END,
    TURN_WORD,
    Fence,
    NeedsMore,
    Tag,
    closing_tag,
    fence_at,
    fence_end_at,
    run_at,
    tag_at,
    thought_at,
    turn_at,
)
from .pieces import BrokenCall, Dropped, Piece, Reasoning
from .written import CallAt, CallOptions, Place, Written

# What is shown in tags, or a comment, is no longer.
_MAX_SHOWN: Final = 4_000
# From this length on what is not clear yet is looked at again only when it has grown.
_LOOK_AGAIN: Final = 200
# Up to this length also where it ends as a call does, so that a whole one is noticed.
_MAX_LOOK: Final = 2_000

# What a bracket must be followed by, if anything, to open a call or several.
_OBJECT: Final = (
    rf"\{{[{BLANK}]*"
    rf"(?:\Z|[\"'“”„‟‘’‚‛/#\\&{{]|[^\W\d][\w$\-]*[{BLANK}]*(?:\Z|[:/#])|\$)"
)
_BEGINNINGS: Final = (
    r"`{3}|`{1,2}\Z|~{3}|~{1,2}\Z|<(?:[\w|｜/!]|\Z)|◁|\](?:\Z|<)|&(?:\Z|l)"
    rf"|{_OBJECT}|\[[{BLANK}]*(?:\Z|[{{/#\\&A-Za-z])"
)
_CODE: Final = re.compile(r"`{3}|`{1,2}\Z|~{3}|~{1,2}\Z")


class CallReader:
    """Splits one streamed answer into words and calls."""

    def __init__(
        self,
        names: ToolNames,
        *,
        json_only: bool = False,
        text_only: bool = False,
        unknown: bool = False,
    ) -> None:
        """Look for calls of the tools that `names` knows.

        With `json_only` calls in other forms are words: somebody asked what they look
        like. With `text_only` all is, but for thoughts. With `unknown` JSON calls of
        tools that do not exist are calls, too: something was to be done.
        """
        self._text_only = text_only
        self._options = CallOptions(names, unknown, json_only)
        self._finder = names.finder
        begin = f"{_BEGINNINGS}|{names.finder.pattern}|(?<=\n)(?:{LEAD.pattern})"
        if text_only:
            begin = r"<(?:[\w|｜/]|\Z)|◁|\[[tT/]"
        self._begin = re.compile(begin)
        behind = rf"{begin}|(?<=\n)(?i:{TURN_WORD.pattern})"
        self._begin_behind = self._begin if text_only else re.compile(behind)
        # The answer, up to where it is decided, and how much more has to be there for
        # the rest to be looked at again.
        self._text = ""
        self._at = self._look_at = 0
        # The words that were let out, and blanks, or the opening of a code block, that
        # go out with the words behind them.
        self._said = self._gap = ""
        # The code block that is open; the call in it, if any, takes its end along.
        self._block: Fence | None = None
        self._holds_call = False
        self._in_thought = False
        # Whether it stands directly behind a call or a token, or behind arguments that
        # had no name.
        self._behind = self._at_token = self._loose = False
        self._has_called = False
        # Whether nothing but the end of a call has come since the last words.
        self._orphan = False
        # What has been found since the first call that was not judged yet.
        self._items: list[Item] = []
        self.has_call = False
        """A call is held that is whole: it acts when it is judged."""
        self.has_ended = False
        """Somebody else's turn was invented: nothing that follows counts."""

    def feed(self, text: str) -> list[Piece]:
        """Take the next part of the answer; return what can be said about it."""
        self._text += text
        rest = len(self._text) - self._at
        is_closed = rest <= _MAX_LOOK and self._text[-1:] in {"}", "]", ")", ">", "`"}
        if not self.has_call and (is_closed or rest >= self._look_at):
            self._run(final=False)
        return self._take(settled=False)

    def settle(self) -> list[Piece]:
        """Judge the calls that are there now; the answer may go on."""
        while self.has_call:
            self.has_call = False
            self._run(final=False)
        return self._take(settled=True)

    def finish(self, *, was_cut: bool = False) -> list[Piece]:
        """Judge all that is left, the answer being over; no bracket is added if cut."""
        self._options.was_cut = was_cut
        self.has_call = True
        while self.has_call:
            self.has_call = False
            self._run(final=True)
        if self._gap.strip() and not self.has_ended:
            self._let_out(self._at, self._at)
        if self._orphan and not self._has_called:
            broken = BrokenCall(None, None, "only its end came", "")
            self._items.append(Item("", [broken]))
        return self._take(settled=True)

    def _take(self, *, settled: bool) -> list[Piece]:
        """Return what was found, up to the first call unless calls are judged now."""
        if settled and self.has_ended and self._at < len(self._text):
            source, self._gap = self._gap + self._text[self._at :], ""
            self._items.append(Item(source, [Dropped(source, OTHER_TURN)]))
            self._at = len(self._text)
        held = next((n for n, item in enumerate(self._items) if item.written), None)
        if settled or held is None:
            held = len(self._items)
        found, self._items = self._items[:held], self._items[held:]
        return judged(found)

    def _run(self, *, final: bool) -> None:
        """Take what can be taken of the text, up to a call; hold the rest."""
        try:
            while self._at < len(self._text) and not (self.has_call or self.has_ended):
                self._at = self._step(self._at, final)
            self._look_at = 0
        except NeedsMore:
            rest = len(self._text) - self._at
            self._look_at = rest + rest // 8 if rest > _LOOK_AGAIN else 0

    def _step(self, at: int, final: bool) -> int:
        """Take what stands at a position; return where to go on."""
        if self._in_thought:
            return self._think(at, final)
        if self._behind and (end := self._skip(at, final)) > at:
            return end
        if self._at_token:
            return self._behind_token(at, final)
        is_first = self._block is None or bool(self._gap)
        if is_first and not (self._place().line or self._text_only):
            if (end := self._lead(at, final)) != at or self.has_ended:
                return end
        begin = self._beginning(at, final)
        return self._let_out(at, begin) if begin > at else self._look(at, final)

    # Words

    def _place(self) -> Place:
        """Return where the next character stands."""
        before = self._said + self._gap
        line = "" if self._gap.endswith(LEADS) else before.rpartition("\n")[2]
        return Place(line, before[-1:], self._block, self._has_called)

    def _beginning(self, at: int, final: bool) -> int:
        """Return where something may begin, the end of the text if nowhere."""
        text = self._text
        pattern = self._begin_behind if self._has_called else self._begin
        if self._block and not (self._holds_call or self._block.is_data):
            # In code that is no data only what stands first can be a call.
            if self._gap:
                start = end_of(BLANKS, text, at)
                if start == len(text) and not final:
                    raise NeedsMore
                if pattern.match(text, start) or self._begun(start) == start:
                    return start
            pattern = _CODE
        if (found := pattern.search(text, at)) is not None:
            return found.start()
        return len(text) if final or self._text_only else self._begun(at)

    def _begun(self, start: int) -> int:
        """Return where something begins that the end of a text may cut, or its end."""
        text = self._text
        line = text.rfind("\n") + 1
        if start <= line < len(text):
            if any(lead.startswith(text[line:]) for lead in LEADS):
                return line
            if self._has_called and len(text) - line < MAX_TURN:
                return line
        begun = self._finder.begun(text, start)
        return begun if begun >= 0 else len(text)

    def _let_out(self, at: int, end: int) -> int:
        """Let words go; blanks behind a call or a fence wait for what follows them."""
        source = self._text[at:end]
        if self._gap and at < end and BLANKS.fullmatch(source):
            self._gap += source
            return end
        gap, self._gap = self._gap, ""
        if not self._said or self._said[-1].isspace():
            gap = gap.lstrip()
        self._items.append(Item(source, [gap + source] if gap + source else []))
        self._note(gap + source)
        return end

    def _note(self, words: str) -> None:
        """Remember what was let out."""
        self._said += words
        self._behind = self._at_token = False
        self._orphan = self._orphan and not words.strip()
        self._loose = self._loose and not any(map(str.isalnum, words))

    def _drop(self, at: int, end: int, reason: str = "") -> int:
        """Leave out what is neither words nor a call."""
        source = self._text[at:end]
        self._items.append(Item(source, [Dropped(source, reason)]))
        return end

    # What begins at a position

    def _look(self, at: int, final: bool) -> int:
        """Take what begins at a position."""
        text = self._text
        char = text[at]
        if char in "`~":
            return self._fence(at, final)
        if char in "]&" and not self._text_only:
            return self._unmask(at, final)
        place = self._place()
        tag = tag_at(text, at, final=final)
        if char in "<[◁" and not place.is_quoted and self._block is None:
            if (end := thought_at(text, at, tag, final=final)) is not None:
                self._in_thought = True
                self._items.append(Item(text[at:end], [Reasoning("", text[at:end])]))
                return end
            behind = self._has_called
            if turn_at(text, at, tag, behind_call=behind, final=final):
                self.has_ended = True
                return at
        if self._text_only:
            return self._let_out(at, at + 1)
        if char == "<" and (end := self._tag(at, tag, place, final)) is not None:
            return end
        read = CallAt(self._options, text, at, place, final=final).read()
        if isinstance(read, Written):
            return self._take_written(at, read)
        if tag is not None and tag.is_token and self._block is None:
            self._at_token = True
            return self._drop(at, max(read.end, tag.end))
        self._let_out(at, read.end)
        self._loose = read.has_arguments
        return read.end

    def _take_written(self, at: int, read: Written) -> int:
        """Take a call, or an answer in JSON; an invented result ends the answer."""
        if not read.calls and read.answer is None:
            self.has_ended = True
            return at
        source = self._gap.lstrip() + self._text[at : read.end]
        item = Item(source, after_arguments=self._loose)
        if read.answer is not None:
            item.pieces = [read.answer]
            self._note(read.answer)
        else:
            item.written = read
            item.pieces = [call._replace(source=source) for call in read.calls]
            self.has_call = self._has_called = True
        self._items.append(item)
        self._holds_call = self._block is not None or read.in_fence
        if read.in_fence and self._block is None:
            self._block = Fence(0, "`" * 3, is_data=True)
        self._gap, self._loose, self._behind = "", False, True
        return read.end

    def _tag(self, at: int, tag: Tag | None, place: Place, final: bool) -> int | None:
        """Take a tag with which no call begins; return its end, None for others."""
        text = self._text
        if text.startswith("<!", at):
            return self._shown(at, at + 2, text.find("-->", at) + 3, final)
        if tag is None:
            return None
        if place.is_quoted:
            return self._let_out(at, tag.end)
        if tag.is_shown and not tag.closes:
            close = closing_tag(text, tag.end, [tag])
            return self._shown(at, tag.end, close[1] if close else 0, final)
        if not tag.closes or self._block is not None:
            return None
        if tag.is_thought:
            self._drop(at, tag.end)
            self._items[-1].ends_thought = True
            return tag.end
        is_mentioned = place.last.isspace() and place.line.strip() and not tag.is_token
        if is_mentioned or not (tag.is_call or tag.is_token or tag.is_parameter):
            return None
        self._orphan = not (self._has_called or (tag.is_token and not tag.is_call))
        self._at_token = tag.is_token
        return self._drop(at, tag.end)

    def _shown(self, at: int, begun: int, end: int, final: bool) -> int:
        """Let out what is shown or commented, up to its end."""
        if end <= begun and not final and len(self._text) - at < _MAX_SHOWN:
            raise NeedsMore
        return self._let_out(at, max(begun, end))

    def _fence(self, at: int, final: bool) -> int:
        """Take a run of backticks: what opens or closes a code block, or words."""
        text, block, place = self._text, self._block, self._place()
        run = run_at(text, at)
        if run == len(text) and not final and run - at < MAX_TAG:
            raise NeedsMore
        if block is not None and self._holds_call and text[at] == block.run[0]:
            end = fence_end_at(text, at, behind_call=False, final=final)
            if end is not None:
                return self._close(at, end)
        elif block is not None and not self._holds_call:
            closes = text.startswith(block.run, at) and not place.line.strip()
            if closes and not (text[run : run + 1] or " ").isidentifier():
                self._block = None
            return self._let_out(at, run)
        is_start = place.at_line_start
        fence = fence_at(text, at, at_line_start=is_start, final=final)
        if fence is None or place.last == text[at] or place.is_quoted:
            return self._let_out(at, run)
        self._gap += text[at : fence.end]
        self._block, self._holds_call = fence, False
        return fence.end

    def _close(self, at: int, end: int) -> int:
        self._items.append(Item(self._text[at:end], is_close=True))
        self._block, self._holds_call, self._behind = None, False, True
        return end

    # What stands behind something

    def _skip(self, at: int, final: bool) -> int:
        """Skip what belongs to the call before it; the position if that is nothing."""
        text, block = self._text, self._block
        end = end_of(BLANKS, text, at)
        if end > at or text[at] in "}]),;":
            end = max(end, at + 1)
            self._gap += text[at:end].strip("}]),;")
            self._items.append(Item(text[at:end]))
            return end
        if block is not None and self._holds_call and text[at] == block.run[0]:
            close = fence_end_at(text, at, behind_call=True, final=final)
            return at if close is None else self._close(at, close)
        tag = tag_at(text, at, final=final)
        if tag is None or not tag.closes or tag.is_thought or tag.word == "INST":
            return at
        self._items.append(Item(text[at : tag.end], is_close=True))
        return tag.end

    def _behind_token(self, at: int, final: bool) -> int:
        """Drop a role or channel behind a token; see whether it is somebody else's."""
        text = self._text
        if not final and MAY_BE_ROLE.match(text, at):
            raise NeedsMore
        if found := ROLE.match(text, at):
            return self._drop(at, found.end())
        self.has_ended = TURN_WORD.match(text, at) is not None
        self._at_token = False
        return at

    def _lead(self, at: int, final: bool) -> int:
        """Drop a word that belongs to a template's tokens, or to the code of a call."""
        text = self._text
        if (found := LEAD.match(text, at)) and self._block is None:
            return self._drop(at, found.end())
        if found:
            self._gap += found[0]
            return found.end()
        if not final and any(lead.startswith(text[at : at + 18]) for lead in LEADS):
            raise NeedsMore
        if self._has_called and not self._finder.at(text, at, final=final):
            if not final and len(text) - at < MAX_TURN and text[at] not in "{`<":
                raise NeedsMore
            self.has_ended = TURN_WORD.match(text, at) is not None
        if not (self._said or self._has_called) and BARE_HARMONY.match(text, at):
            if not final:
                raise NeedsMore
            rest = BARE_CHANNEL.sub(r"<|start|>assistant<|channel|>\1<|message|>", text)
            rest = rest[at:].replace("commentary<|message|>", "commentary")
            self._text = f"{text[:at]}<|channel|>{rest}"
        return at

    def _unmask(self, at: int, final: bool) -> int:
        """Take the mask from the rest of the answer, if one begins here."""
        text = self._text
        if MASKED.match(text, at) is None:
            if not final and any(mask.startswith(text[at : at + 13]) for mask in MASKS):
                raise NeedsMore
            return self._let_out(at, at + 1)
        if not final:
            raise NeedsMore
        bare = text[at:].replace("]<]minimax[>[", "")
        self._text = text[:at] + (html.unescape(bare) if "&lt;" in bare else bare)
        return at

    def _think(self, at: int, final: bool) -> int:
        """Take a thought, or as much of it as surely is one."""
        text = self._text
        found = THOUGHT_END.search(text, at)
        end = len(text) - (0 if final else LONGEST_END)
        if found and not found[0] and not final and found.start() > end:
            end, found = found.start(), None
        if found:
            end, self._in_thought, self._at_token = found.end(), False, True
        elif end <= at:
            raise NeedsMore
        thought = text[at : found.start() if found else end]
        self._items.append(Item(text[at:end], [Reasoning(thought, text[at:end])]))
        return end
