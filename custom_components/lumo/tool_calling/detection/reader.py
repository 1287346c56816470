"""Finds calls in the text of an answer while it streams.

Strategy: words are let out at once, up to the first character with which a call may
begin. From there on text is held until it is clear what it is (`written`). Behind the
first call everything is held: a model writes its calls at the end, and what it writes
behind them says whether they are meant. It is looked at when the answer ends, or when
the agent asks for what is there (`settle`): a call that was closed too early, written
again, only thought of, or followed by somebody else's turn is found by looking at the
finished text (`afterwards`). What was let out is never withdrawn.

What comes out does not depend on how the text was cut: at each position either what
follows cannot change the decision, or more is waited for. The cost is linear: what is
waited for is bounded, read on where it stopped (JSON), or looked at again only when it
has grown by an eighth.
"""

from contextlib import suppress
import html
import re
from typing import Final

from ..naming import ToolNames
from .afterwards import OTHER_TURN, Item, judged
from .json_reader import BLANK, BLANKS, end_of, unescaped
from .markup import (
    LONGEST_END,
    MAX_TAG,
    THOUGHT_END,
    TURN_WORD,
    Fence,
    NeedsMore,
    Tag,
    bracket_at,
    closing_tag,
    fence_at,
    fence_end_at,
    run_at,
    tag_at,
    thought_at,
    turn_at,
)
from .pieces import BrokenCall, Dropped, Piece, Reasoning
from .written import EscapedError, Passed, Place, Read, Written, WrittenCalls

_MAX_LINE: Final = 40
# What is shown in tags, or a comment, is no longer.
_MAX_SHOWN: Final = 4_000
# From this length on what is not clear yet is looked at again only when it has grown.
_LOOK_AGAIN: Final = 400

# What a bracket must be followed by, if anything, to open a call or several.
_OBJECT: Final = (
    rf"\{{[{BLANK}]*"
    rf"(?:\Z|[\"'“”„‟‘’‚‛/#\\&{{]|[^\W\d][\w$\-]*[{BLANK}]*(?:\Z|[:/#])|\$)"
)
_BEGINNINGS: Final = (
    r"`{3}|`{1,2}\Z|~{3}|~{1,2}\Z|<(?:[\w|｜/!]|\Z)|◁|✿|\](?:\Z|<(?:\Z|\]))|&(?:\Z|l(?:\Z|t(?:\Z|;)))"
    rf"|{_OBJECT}|\[[{BLANK}]*(?:\Z|[{{/#\\&A-Za-z])"
)
_IN_BLOCK: Final = r"`{3}|`{1,2}\Z|~{3}|~{1,2}\Z"
_CODE: Final = re.compile(_IN_BLOCK)
_LINE_VALUE: Final = rf"[ \t\ufeff\u200b-\u200f\u2060]*(?:(?=[<\[])|(?={_OBJECT}))"
_VALUE: Final = re.compile(_LINE_VALUE)
# At the start of a line: words that belong to a template's tokens, which are gone.
_LEAD: Final = re.compile(
    r"(?:functools|analysis|commentary|thought|call:)(?=[<\[{])|call:(?=\w)"
)
_LEADS: Final = ("functools", "analysis", "commentary", "thought", "call:")
_CODE_LEAD: Final = re.compile(r"(?:print\(|await )?(?:default_api\.|functions\.)?")
_CODE_LEADS: Final = (
    "print(default_api.",
    "print(functions.",
    "default_api.",
    "await ",
)
# The role or channel behind a token.
_ROLE: Final = re.compile(
    r"\s{0,2}(?:assistant|model|analysis|commentary|final|thought)\b(?!\s+to=)\n?"
)
_MAY_BE_ROLE: Final = re.compile(r"[\s*#>\[(]{0,8}\w{0,14}[*\])]{0,3}\s{0,2}t?o?=?\Z")
# Harmony's channels without their tokens: `analysisI think...assistantfinalIt is off.`
_BARE_HARMONY: Final = re.compile(r"analysis(?=[A-Z])")
_BARE_CHANNEL: Final = re.compile(r"assistant(analysis|commentary|final)(?=[ {A-Z])")
# Tags that a gateway has escaped, MiniMax' name before each of its tags, Qwen's flowers.
_FLOWER: Final = re.compile(r"✿(\w{1,12})✿:?")
_MASKED: Final = re.compile(rf"&lt;[|/]?\w|\]<\]minimax\[>\[|{_FLOWER.pattern}")
_MAY_BE_MASKED: Final = re.compile(
    r"✿\w{0,12}\Z|&(?:l(?:t(?:;[|/]?)?)?)?\Z|\](?:<(?:\](?:m[a-z]{0,6}(?:\[>?)?)?)?)?\Z"
)


def _unmasked(text: str) -> str:
    """Return a text without what stands around its characters or tags."""
    if _MASKED.match(text) is None:
        return unescaped(text)
    text = _FLOWER.sub(r"<|\1|>", text.replace("]<]minimax[>[", ""))
    return html.unescape(text) if "&lt;" in text else text


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
        self._written = WrittenCalls(names, unknown=unknown, json_only=json_only)
        self._finder = names.finder
        name = names.finder.pattern
        begin = f"{_BEGINNINGS}|{name}|(?<=\n)(?:{_LEAD.pattern})"
        if text_only:
            begin = r"<(?:[\w|｜/]|\Z)|◁|\[[tT/]"
        self._plain = re.compile(begin)
        self._data = re.compile(rf"{_IN_BLOCK}|{name}|(?<=\n){_LINE_VALUE}")
        # What is not decided yet, and how long it has to be to be looked at again.
        self._text = ""
        self._look_at = 0
        # What stands before it: a character, the beginning of its line, and the last
        # character that was let out.
        self._before = self._line = self._last = ""
        # Blanks, or the opening of a code block, that go out with the words behind them.
        self._gap = ""
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
        if not self._text and self._is_plain(text):
            # Most of what is said: nothing is held, and nothing may begin.
            self._note(text)
            self._before = text[-1]
            return [text]
        self._text += text
        if not self.has_call and len(self._text) >= self._look_at:
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
        self._written.was_cut = was_cut
        self.has_call = True
        while self.has_call:
            self.has_call = False
            self._run(final=True)
        if self._gap.strip():
            self._let_out(0, 0)
        if self._orphan and not self._has_called:
            self._items.append(
                Item("", [BrokenCall(None, None, "only its end came", "")])
            )
        return self._take(settled=True)

    def _is_plain(self, text: str) -> bool:
        """Return whether nothing begins in a text, and nothing is open around it."""
        return bool(
            text
            and self._last
            and not (self._behind or self._at_token or self._in_thought or self._gap)
            and not (self._block or self.has_ended)
            and self._plain.search(text) is None
            and (self._line or _LEAD.match(text) is None)
            and self._begun(text, 0) == len(text)
        )

    def _take(self, *, settled: bool) -> list[Piece]:
        """Return what was found, up to the first call unless calls are judged now."""
        if settled and self.has_ended and self._text:
            self._drop(0, len(self._text), OTHER_TURN)
            self._text = ""
        held = next((n for n, item in enumerate(self._items) if item.written), None)
        if settled or held is None:
            held = len(self._items)
        found, self._items = self._items[:held], self._items[held:]
        return judged(found)

    def _run(self, *, final: bool) -> None:
        """Take what can be taken of the text, up to a call; hold the rest."""
        at = 0
        try:
            while at < len(self._text) and not (self.has_call or self.has_ended):
                at = self._step(at, final)
            self._look_at = 0
        except NeedsMore:
            rest = len(self._text) - at
            self._look_at = rest + rest // 8 if rest > _LOOK_AGAIN else 0
        if at:
            self._before, self._text = self._text[at - 1], self._text[at:]
            self._written.forget()

    def _step(self, at: int, final: bool) -> int:
        """Take what stands at a position; return where to go on."""
        if self._in_thought:
            return self._think(at, final)
        if self._behind and (end := self._skip(at, final)) > at:
            return end
        if self._at_token:
            return self._behind_token(at, final)
        if not (self._line or self._block or self._text_only):
            if (end := self._lead(at, final)) != at:
                return end
        if self._block is not None and not (self._line.strip() or self._holds_call):
            if (end := self._code_lead(at, final)) > at:
                return end
        begin = self._beginning(at, final)
        return self._let_out(at, begin) if begin > at else self._look(at, final)

    # Words

    def _beginning(self, at: int, final: bool) -> int:
        """Return where something may begin, the end of the text if nowhere."""
        text, start, pattern = self._text, at, self._plain
        if self._block is not None and not self._holds_call:
            # In code that is no data only what stands first can be a call.
            pattern = self._data if self._block.is_data else _CODE
            if self._gap:
                start = end_of(BLANKS, text, at)
                if start == len(text) and not final:
                    raise NeedsMore
                if _VALUE.match(text, start) or self._finder.at(
                    text, start, final=final
                ):
                    return start
            elif self._block.is_data and not self._line.strip():
                if (found := _VALUE.match(text, at)) is not None:
                    return found.end()
        if at == 0 and self._before.isalnum():
            # The rest of a word.
            while start < len(text) and text[start].isalnum():
                start += 1
        found = pattern.search(text, start)
        begin = len(text) if found is None else found.start()
        if found is not None and not found[0].strip():
            begin = found.end()  # a value at the start of a line in a block of data
        is_over = final or self._text_only or found is not None
        return begin if is_over else self._begun(text, start)

    def _begun(self, text: str, start: int) -> int:
        """Return where something begins that the end of a text may cut, or its end."""
        begun = self._finder.begun(text, start)
        line = text.rfind("\n", start) + 1
        if line or not self._line:
            line = max(line, start)
            if line < len(text) and any(
                lead.startswith(text[line:]) for lead in _LEADS
            ):
                return line
        return begun if begun >= 0 else len(text)

    def _let_out(self, at: int, end: int) -> int:
        """Let words go; blanks behind a call or a fence wait for what follows them."""
        source = self._text[at:end]
        if self._gap and at < end and BLANKS.fullmatch(source):
            self._gap += source
            return end
        gap, self._gap = self._gap, ""
        if not self._last or self._last.isspace():
            gap = gap.lstrip()
        self._items.append(Item(source, [gap + source] if gap + source else []))
        if source:
            self._note(source)
        return end

    def _note(self, words: str) -> None:
        """Remember where on its line the next character stands."""
        self._last = words[-1]
        self._behind = self._at_token = False
        self._orphan = self._orphan and not words.strip()
        self._loose = self._loose and not any(map(str.isalnum, words))
        _, newline, line = words.rpartition("\n")
        self._line = (line if newline else self._line + line)[:_MAX_LINE]

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
        place = Place(self._line, self._last, self._block, self._has_called)
        tag = tag_at(text, at, final=final) if char == "<" else None
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
        read = self._read(at, place, final)
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
            self._text = self._text[:at] + self._gap + self._text[at:]
            self.has_ended, self._gap = True, ""
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
        is_mentioned = self._last.isspace() and self._line.strip() and not tag.is_token
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
        text, block = self._text, self._block
        run = run_at(text, at)
        if block is not None and self._holds_call and text[at] == block.run[0]:
            end = fence_end_at(text, at, behind_call=False, final=final)
            if end is not None:
                return self._close(at, end)
        elif block is not None and not self._holds_call:
            if run == len(text) and not final and run - at < MAX_TAG:
                raise NeedsMore
            closes = text.startswith(block.run, at) and not self._line.strip()
            if closes and not (text[run : run + 1] or " ").isidentifier():
                self._block = None
            return self._let_out(at, run)
        place = Place(self._line, self._last, None, self._has_called)
        is_start = place.at_line_start
        fence = fence_at(text, at, at_line_start=is_start, final=final)
        if fence is None or self._last == text[at] or place.is_quoted:
            if run == len(text) and not final and run - at < MAX_TAG:
                raise NeedsMore
            return self._let_out(at, run)
        self._gap += text[at : fence.end]
        self._block, self._holds_call, self._line = fence, False, ""
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
        if text[at] == "<":
            tag = tag_at(text, at, final=final)
            end = tag.end if tag and tag.closes and not tag.is_thought else at
        elif text[at] == "[" and (found := bracket_at(text, at, final=final)):
            end = found[2] if found[1] and "call" in found[0] else at
        if end > at:
            self._items.append(Item(text[at:end], is_close=True))
        return end

    def _behind_token(self, at: int, final: bool) -> int:
        """Drop a role or channel behind a token; see whether it is somebody else's."""
        text = self._text
        if not final and _MAY_BE_ROLE.match(text, at):
            raise NeedsMore
        if found := _ROLE.match(text, at):
            return self._drop(at, found.end())
        self.has_ended = TURN_WORD.match(text, at) is not None
        self._at_token = False
        return at

    def _lead(self, at: int, final: bool) -> int:
        """Drop a word at the start of the answer that belongs to a template's tokens."""
        text = self._text
        if found := _LEAD.match(text, at):
            return self._drop(at, found.end())
        if not final and any(lead.startswith(text[at : at + 12]) for lead in _LEADS):
            raise NeedsMore
        if not (self._last or self._has_called) and _BARE_HARMONY.match(text, at):
            if not final:
                raise NeedsMore
            rest = _BARE_CHANNEL.sub(
                r"<|start|>assistant<|channel|>\1<|message|>", text
            )
            rest = rest[at:].replace("commentary<|message|>", "commentary")
            self._text = f"{text[:at]}<|channel|>{rest}"
        return at

    def _code_lead(self, at: int, final: bool) -> int:
        """Hold what code has before the name of a tool: `print(default_api.`."""
        end = end_of(_CODE_LEAD, self._text, at)
        if end > at and self._finder.at(self._text, end, final=final):
            self._gap += self._text[at:end]
            return end
        begun = self._text[at : at + 18]
        if not final and any(lead.startswith(begun) for lead in _CODE_LEADS):
            raise NeedsMore
        return at

    def _read(self, at: int, place: Place, final: bool) -> Read:
        """Read what may be a call, also where it is masked or escaped.

        Then the rest of the answer is read without the mask, if that is a call.
        """
        text, begin = self._text, at
        if not final and _MAY_BE_MASKED.match(text, at):
            raise NeedsMore
        if _MASKED.match(text, at) is None:
            try:
                return self._written.read(text, at, place, final=final)
            except EscapedError as err:
                begin = err.at
        if not final:
            raise NeedsMore
        bare = text[:begin] + (_unmasked(text[begin:]) or " ")
        self._written.forget()
        with suppress(EscapedError):
            read = self._written.read(bare, at, place, final=True)
            if isinstance(read, Written):
                self._text = bare
                return read
        self._written.forget()
        return Passed(begin + 1)

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
