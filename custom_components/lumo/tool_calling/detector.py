"""Find tool calls in the text of an answer while it streams.

Strategy: text goes in as it comes, pieces come out: text to be shown or spoken, calls,
and calls that were begun but cannot run. Text is let go at once. It is held only from a
character with which a call, or its wrapping, may begin, and let go byte for byte as
soon as it cannot be one any more.

The detector is always in one phase, a method that consumes what it can of the text and
returns how far it came:

    plain -> body (behind a fence or a tag) -> quickly, value -> after -> plain
               |                                  |
               `-> block (a code block            `-> broken (to the end of
                   that is text)                      what cannot be read)

Where a phase needs to see more it waits. What it waits with is bounded, and everything
else is looked at once. So the cost is linear in the length of the text, however it is
cut, and the result does not depend on the cuts.

What counts as a call is said in `calls`, what JSON may look like in `json_reader`.
A quotation is no call: in a code span, a table, a block quote, between quotation marks.
"""

from collections.abc import Callable
import re
from typing import Any, Final

from .calls import Found, Names, find_calls, instructed_call
from .candidate import Candidate
from .json_reader import BLANK, JsonReader
from .json_values import Quick, is_unclosed, is_unread, read_quickly
from .openers import (
    MAX_MARKER,
    WAIT,
    Fence,
    Tag,
    Waiting,
    bracket_tag_at,
    comment_end_at,
    end_of_run,
    end_tag_at,
    fence_at,
    fence_end_at,
    is_end_undecided,
    is_undecided,
    name_at,
    read_parameters,
    tag_at,
)
from .past import Past
from .pieces import BrokenCall, DetectedCall, Piece, Text
from .verdict import needs_only_brackets, split_at_cut, verdicts
from .wreck import End, Wreck, end_of_cut

__all__ = ["BrokenCall", "DetectedCall", "Detector", "Piece", "Text"]

type _Phase = Callable[["Detector", str, int], int]

# What a bracket must be followed by, if anything, to open a call or several.
_OBJECT: Final = (
    rf"\{{[{BLANK}]*"
    rf"(?:\Z|[\"'“”„‟‘’‚‛/#\\]|[^\W\d][\w$\-]*[{BLANK}]*(?:\Z|[:/#])|\$)"
)
_ARRAY: Final = rf"\[[{BLANK}]*(?:\Z|[{{/#\\])"
_MAY_OPEN: Final = re.compile(f"{_OBJECT}|{_ARRAY}")
# What may begin in text, and what may end in a code block that is text. Looking for the
# characters alone is faster, but most of them do not begin anything.
_CHARACTERS: Final = re.compile(r"[`~<{\[]").search
_TRIGGERS: Final = re.compile(
    rf"[`~](?:[`~{{\[]|\Z)|<(?:[\w|｜/]|\Z)|{_OBJECT}|\[[tTfF/]|{_ARRAY}"
).search
_ENDS: Final = {char: re.compile(char).search for char in "`~"}
_BLANK: Final = re.compile(f"[{BLANK}]*")
_SEPARATORS: Final = ",;"
# What ends a code span that is alone on its line, and what that may begin with.
_SPAN_ENDS: Final = {
    length: re.compile(rf"`{{{length}}}[ \t\r]{{0,20}}(?=\n|\Z)") for length in (1, 2)
}
_SPAN_MAY_END: Final = {
    length: re.compile(rf"`{{0,{length}}}[ \t\r]{{0,20}}\Z") for length in (1, 2)
}
_MAX_BATCH: Final = 32


class Detector:
    """Splits one streamed answer into text and calls."""

    def __init__(self, names: Names) -> None:
        """Look for calls of the tools that `names` knows."""
        self._names = names
        self._out: list[Piece] = []
        self._past = Past()
        self._candidate = Candidate()
        self._phase: _Phase = Detector._plain
        # Nothing is pending or held, so a chunk without a trigger is let go at once.
        self._idle = True
        self._find_character = _CHARACTERS
        self._final = False
        self._waiting = False
        # The end of what was fed, not looked at for good yet.
        self._pending = ""
        # Matches what is pending as long as more text of that kind decides nothing.
        self._undecided: Callable[[str], object] | None = None
        # Inside of a value, small chunks are collected up to what may be its end. That
        # only begins when it has a key, so what is no value is noticed before.
        self._batch: list[str] | None = None
        self._may_batch = False
        # Whether the beginning of the value has been found to be JSON.
        self._goes_on = False
        self._reader = JsonReader()
        # Stands for the reader of a value that needed none.
        self._flawless = JsonReader()
        # Whether the first item of an array was a call.
        self._is_calls = False
        # The code block that is text.
        self._block: Fence | None = None
        self._wreck = Wreck(Found(None, None, None), "", None)

    def feed(self, chunk: str) -> list[Piece]:
        """Take the next part of the answer; return what can be said about it."""
        if self._idle:
            found = self._find_character(chunk)
            if found is not None and self._block is None:
                found = _TRIGGERS(chunk, found.start())
            if found is None:
                if not chunk:
                    return []
                self._past.note(chunk)
                return [chunk]
            start = found.start()
            if self._block is None and is_undecided(chunk[start:]):
                # Most fences and tags come in several chunks.
                self._idle = False
                self._pending = chunk[start:]
                self._undecided = is_undecided
                if not start:
                    return []
                self._past.note(chunk[:start])
                return [chunk[:start]]
        elif self._undecided is not None:
            text = self._pending + chunk
            if undecided := self._undecided(text):
                self._pending = text
                if undecided is Quick.GOES_ON:
                    self._goes_on = True
                    self._undecided = None
                    self._batch = []
                return []
        elif (batch := self._batch) is not None:
            batch.append(chunk)
            if len(batch) < _MAX_BATCH and len(chunk) < _MAX_BATCH:
                if "}" not in chunk and "]" not in chunk:
                    return []
            chunk = "".join(batch)
            if self._phase is Detector._quickly:
                text = self._pending + chunk
                if is_unclosed(text):
                    self._pending = text
                    batch.clear()
                    return []
        self._run(chunk)
        return self._take() if self._out else []

    def finish(self) -> list[Piece]:
        """Say what became of the rest, the answer being complete."""
        self._final = True
        self._run("".join(self._batch or ()))
        self._end()
        return self._take()

    def _run(self, chunk: str) -> None:
        text = self._pending + chunk if self._pending else chunk
        position, end = 0, len(text)
        self._waiting = self._may_batch = False
        self._undecided = None
        while position < end and not self._waiting:
            position = self._phase(self, text, position)
        self._pending = text[position:] if position else text
        phase = self._phase
        self._idle = not self._pending and (
            phase is Detector._plain or phase is Detector._in_block
        )
        if phase is Detector._after and not self._pending:
            self._undecided = is_end_undecided
        self._batch = [] if self._may_batch else None

    def _take(self) -> list[Piece]:
        """Return the pieces found so far, neighbouring texts joined."""
        out, self._out = self._out, []
        if len(out) < 2:
            return out
        pieces: list[Piece] = []
        texts: list[str] = []
        for piece in out:
            if isinstance(piece, str):
                texts.append(piece)
                continue
            if texts:
                pieces.append("".join(texts))
                texts = []
            pieces.append(piece)
        if texts:
            pieces.append("".join(texts))
        return pieces

    def _emit(self, text: str) -> None:
        if text:
            self._out.append(text)
            self._past.note(text)

    def _wait(
        self, position: int, undecided: Callable[[str], object] | None = None
    ) -> int:
        """Wait for more text, at least while `undecided` matches what is there."""
        self._waiting = True
        self._undecided = undecided
        return position

    # Text

    def _plain(self, text: str, position: int) -> int:
        """Let text go up to where something may begin."""
        found = _TRIGGERS(text, position)
        if found is None:
            self._emit(text[position:])
            return len(text)
        start = found.start()
        if start > position:
            self._emit(text[position:start])
        self._past.look()
        char = text[start]
        if self._candidate.wrappers:
            # Words stand between a call and the end of its wrapping.
            end = self._closing(text, start, behind_call=False)
            if end is WAIT:
                return self._wait(start, is_undecided)
            if end is not None:
                self._phase = Detector._after
                return end
        self._candidate.begin()
        if char in "`~":
            return self._begin_fence(text, start)
        tag = self._tag(text, start)
        if tag is WAIT:
            return self._wait(start, is_undecided)
        if tag is None and (char == "<" or not _MAY_OPEN.match(text, start)):
            self._emit(char)
            return start + 1
        if not self._past.in_quotation:
            return self._begin(text, start, tag)
        if tag is None:
            self._reader = JsonReader(objects_only=True)
            self._phase = Detector._passage
            return start
        self._emit(text[start : tag.end])
        return tag.end

    def _tag(self, text: str, start: int) -> Tag | Waiting | None:
        """Return the opening tag at a bracket."""
        if text[start] == "<":
            return tag_at(text, start, final=self._final)
        if text[start] == "[":
            return bracket_tag_at(text, start, final=self._final)
        return None

    def _begin(self, text: str, start: int, tag: Tag | None) -> int:
        """Hold a tag, or begin with a value at its bracket."""
        if tag is None:
            self._phase = Detector._quickly
            return start
        candidate = self._candidate
        candidate.open(tag, text[start : tag.end])
        self._phase = Detector._body
        name = candidate.name
        if candidate.is_too_deep or not (
            name is None
            or self._names.resolve(name) is not None
            or self._names.has_prefix(name)
        ):
            self._release()
        return tag.end

    def _begin_fence(self, text: str, start: int) -> int:
        past = self._past
        fence = fence_at(text, start, line_start=past.at_line_start, final=self._final)
        if fence is WAIT:
            return self._wait(start, is_undecided)
        if fence is None or past.last == text[start]:
            # Backticks in a sentence.
            end = end_of_run(text, start)
            self._emit(text[start:end])
            return end
        if past.in_quoted_line:
            self._emit(text[start : fence.end])
            self._enter(fence if fence.block else None)
            return fence.end
        self._candidate.begin_fence()
        behind = text[fence.end : fence.end + 1]
        if behind.isalnum():
            # As `_body` would find.
            self._emit(text[start : fence.end])
            self._enter(fence if fence.block else None)
            return fence.end
        self._candidate.open(fence, text[start : fence.end])
        self._phase = Detector._quickly if behind == "{" else Detector._body
        return fence.end

    def _release(self) -> None:
        """Let go what was held: it is no call."""
        candidate = self._candidate
        if candidate.gap:
            self._emit(self._past.tidy("".join(candidate.gap)))
        self._emit(candidate.text)
        self._enter(candidate.reject())

    # A code block, or a value, that is text

    def _enter(self, block: Fence | None) -> None:
        """Go on with text, in a code block if there is one."""
        self._block = block
        self._phase = Detector._plain if block is None else Detector._in_block
        self._find_character = _CHARACTERS if block is None else _ENDS[block.char]

    def _in_block(self, text: str, position: int) -> int:
        """Let a code block go; nothing in it is a call."""
        assert self._block is not None  # the phase is entered with one
        start = text.find(self._block.char, position)
        if start < 0:
            self._emit(text[position:])
            return len(text)
        if start > position:
            self._emit(text[position:start])
        end = end_of_run(text, start)
        if end == len(text) and not self._final and end - start < MAX_MARKER:
            return self._wait(start)
        self._past.look()
        closes = (
            self._block.length <= end - start < MAX_MARKER
            and self._past.at_line_start
            and (end == len(text) or not (text[end].isalnum() or text[end] == "_"))
        )
        self._emit(text[start:end])
        if closes:
            self._enter(None)
        return end

    def _passage(self, text: str, position: int) -> int:
        """Let a value go that is no call, without looking for calls inside."""
        end = self._reader.feed(text, position)
        self._emit(text[position:end])
        if self._reader.done or self._reader.failed is not None:
            self._phase = Detector._plain
        return end

    # Between the opening of a wrapping and the value

    def _body(self, text: str, position: int) -> int:
        """Look for a value, or for another wrapping."""
        candidate = self._candidate
        start = self._skip_blank(text, position, candidate.held)
        if start == len(text):
            return start
        char = text[start]
        named = candidate.name is not None
        found: Fence | Tag | Waiting | int | None = None
        if char == "{":
            self._phase = Detector._quickly
            return start
        if char == "[" and not named:
            found = bracket_tag_at(text, start, final=self._final)
            if found is None:
                self._phase = Detector._quickly
                return start
        elif char == "<" and named:
            self._phase = Detector._parameters
            return start
        elif char == "<":
            found = tag_at(text, start, final=self._final)
        elif char in "/#":
            found = comment_end_at(text, start, candidate.inner, final=self._final)
        elif char == '"' and not named:
            # A JSON text that holds the JSON text of a call.
            if start + 1 == len(text) and not self._final:
                found = WAIT
            elif text.startswith(("{", "["), start + 1):
                candidate.in_quotes = True
                self._phase = Detector._quickly
                found = start + 1
        elif isinstance(candidate.inner, Tag):
            if char in "`~":
                found = fence_at(text, start, line_start=True, final=self._final)
            elif not named:
                found = name_at(text, start, final=self._final)
        if found is WAIT:
            return self._wait(start)
        if isinstance(found, int):
            candidate.held.append(text[start:found])
            return found
        if isinstance(found, Tag):
            return self._begin(text, start, found)
        if found is not None and found.length > 2:
            candidate.open(found, text[start : found.end])
            return found.end
        if named:
            self._break(self._named(None), "arguments that cannot be read")
        else:
            self._release()
        return start

    def _skip_blank(self, text: str, position: int, kept: list[str]) -> int:
        if "!" <= text[position] <= "~":
            return position
        blank = _BLANK.match(text, position)
        assert blank is not None  # it matches nothing, too
        if blank.end() > position:
            kept.append(text[position : blank.end()])
        return blank.end()

    # Arguments as tags

    def _parameters(self, text: str, position: int) -> int:
        """Hold the arguments up to the end of the tag that names the tool."""
        held = self._candidate.held
        start = text.find("<", position)
        while start >= 0:
            end = end_tag_at(text, start, final=self._final)
            if end is WAIT:
                held.append(text[position:start])
                return self._wait(start)
            if end is not None and "param" not in text[start:end]:
                held.append(text[position:start])
                self._take_parameters()
                return start
            start = text.find("<", start + 1)
        held.append(text[position:])
        return len(text)

    def _take_parameters(self) -> None:
        arguments = read_parameters(self._candidate.text)
        if arguments is None:
            self._break(self._named(None), "arguments that cannot be read")
        else:
            self._reader = self._flawless
            self._accept([self._named(arguments)])

    def _named(self, arguments: Any) -> Found:
        """Return the call of the tool that a tag names."""
        name = self._candidate.name
        assert name is not None  # only asked where there is one
        tool = self._names.resolve(name)
        return Found(name, tool, None, arguments, has_arguments=True)

    # A value

    def _quickly(self, text: str, position: int) -> int:
        """Take a value that is short and flawless; leave any other to the reader."""
        read = read_quickly(text, position, goes_on=self._goes_on)
        self._goes_on = read is Quick.GOES_ON
        if isinstance(read, Quick):
            if read is not Quick.ODD and not self._final:
                self._may_batch = self._goes_on
                return self._wait(position, None if self._may_batch else is_unread)
            self._reader = JsonReader(objects_only=True)
            self._is_calls = False
            self._phase = Detector._value
            return position
        value, end = read
        candidate = self._candidate
        candidate.held.append(text[position:end])
        call = instructed_call(value, self._names)
        if call is not None and candidate.name is None and candidate.span is None:
            self._out.append(
                DetectedCall(*call, candidate.text, candidate.form, repaired=False)
            )
            candidate.accept()
            self._phase = Detector._after
            return end
        self._flawless.root = value
        self._reader = self._flawless
        self._take_value()
        return end

    def _value(self, text: str, position: int) -> int:
        """Hold a value until it is complete or cannot be one."""
        reader = self._reader
        end = reader.feed(text, position)
        if end > position:
            self._candidate.held.append(text[position:end])
        if reader.done:
            self._take_value()
        elif reader.failed is not None:
            self._take_failed(text[end : end + 1])
        else:
            if reader.items and not self._is_calls:
                # The first item of an array says what it holds.
                self._is_calls = bool(self._find())
                if not self._is_calls:
                    self._release()
                    if self._block is None:
                        self._phase = Detector._passage
                    return end
            self._may_batch = bool(reader.root)
        return end

    def _find(self) -> list[Found]:
        root = self._reader.root
        found = find_calls(root, self._names)
        if self._candidate.name is None:
            return found
        named = self._named(root)
        # A whole call may stand inside a tag that names its tool already.
        if len(found) == 1 and found[0].tool == named.tool and found[0].has_arguments:
            return found
        return [named]

    def _take_value(self) -> None:
        """Go on behind a complete value."""
        if self._candidate.span is not None:
            self._phase = Detector._span
        else:
            self._judge()

    def _judge(self) -> None:
        """Take a complete value for what it is."""
        if found := self._find():
            self._accept(found)
        else:
            self._release()

    def _take_failed(self, char: str) -> None:
        """Take a value that cannot be read on at a character."""
        found = self._find()
        if not found:
            self._release()
            return
        # Where the wrapping is closed the model had said all it wanted to say.
        wrapper = self._candidate.inner
        is_end = (isinstance(wrapper, Fence) and char == wrapper.char) or (
            isinstance(wrapper, Tag) and char == "<"
        )
        if needs_only_brackets(found, self._reader) or (
            is_end and self._reader.after_member
        ):
            self._accept(found, repaired=True)
        else:
            self._break(self._cut(found), self._reader.failed or "")

    def _cut(self, found: list[Found]) -> Found:
        """Report the calls that are whole; return the one that is not.

        What was held is the source of the whole ones, if there are any.
        """
        whole, cut = split_at_cut(found, self._reader)
        if whole:
            self._report(whole)
            self._candidate.held = []
        return cut

    def _accept(self, found: list[Found], *, repaired: bool = False) -> None:
        """Report the calls of a value and go on behind it."""
        self._report(found, repaired=repaired)
        self._candidate.accept()
        self._phase = Detector._after

    def _report(self, found: list[Found], *, repaired: bool = False) -> None:
        source, form = self._candidate.text, self._candidate.form
        self._out.extend(
            verdicts(found, self._reader, source=source, form=form, repaired=repaired)
        )

    def _span(self, text: str, position: int) -> int:
        """Take a value in a code span: a call only if the line holds nothing else."""
        span = self._candidate.span
        assert span is not None  # the phase is entered with one
        if not self._final and _SPAN_MAY_END[span.length].match(text, position):
            return self._wait(position)
        if _SPAN_ENDS[span.length].match(text, position) is None:
            self._release()
            return position
        self._judge()
        if self._phase is Detector._after:
            self._candidate.wrappers.pop()
            return position + span.length
        return position

    # Behind a call

    def _after(self, text: str, position: int) -> int:
        """Drop what closes the wrapping; look for another call or for words."""
        if (
            text[-1] in "`~\n</"
            and not self._final
            and is_end_undecided(text, position)
        ):
            return self._wait(position, is_end_undecided)
        start = self._skip_blank(text, position, self._candidate.gap)
        if start == len(text):
            return start
        char = text[start]
        if char in '"}],;':
            return self._after_value(char, start)
        if char not in "`~<{[":
            return self._resume(start)
        end = self._closing(text, start, behind_call=True)
        if end is WAIT:
            return self._wait(start, is_end_undecided)
        if end is not None:
            self._candidate.gap = []
            return end
        if char in "`~":
            return self._resume(start)
        tag = self._tag(text, start)
        if tag is WAIT:
            return self._wait(start, is_undecided)
        if tag is None and (char == "<" or not _MAY_OPEN.match(text, start)):
            return self._resume(start)
        self._candidate.begin()
        return self._begin(text, start, tag)

    def _after_value(self, char: str, start: int) -> int:
        """Drop a mark that belongs to the value before it."""
        candidate = self._candidate
        if char == '"' and candidate.in_quotes:
            candidate.in_quotes = False
            return start + 1
        if char != '"' and not "".join(candidate.gap).strip():
            if char in _SEPARATORS:
                candidate.gap.append(char)
            # Else a bracket too many.
            return start + 1
        return self._resume(start)

    def _resume(self, start: int) -> int:
        """Words follow: go on with plain text."""
        candidate = self._candidate
        self._emit(self._past.tidy("".join(candidate.gap)))
        candidate.gap = []
        candidate.in_quotes = False
        self._phase = Detector._plain
        return start

    def _closing(
        self, text: str, start: int, *, behind_call: bool
    ) -> int | Waiting | None:
        """Return the end of what closes an open wrapping at `start`."""
        wrappers = self._candidate.wrappers
        end: int | Waiting | None = None
        index: int | None
        if text[start] in "`~":
            index = self._candidate.innermost(Fence)
            if index is None:
                return None
            fence = wrappers[index]
            if isinstance(fence, Fence) and fence.char == text[start]:
                end = fence_end_at(
                    text, start, behind_call=behind_call, final=self._final
                )
        else:
            index = self._candidate.innermost(Tag)
            if index is not None or behind_call:
                end = end_tag_at(text, start, final=self._final)
        if isinstance(end, int) and index is not None:
            del wrappers[index]
        return end

    # What cannot be read

    def _break(self, call: Found, reason: str) -> None:
        """Hold on to the end of something that cannot be read but was a call."""
        depth = sum(type(container) is dict for container in self._reader.stack)
        self._wreck = Wreck(call, reason, self._candidate.inner, depth)
        self._phase = Detector._broken

    def _broken(self, text: str, position: int) -> int:
        """Hold a broken call up to its end."""
        extent, end = self._wreck.extent(text, position, final=self._final)
        self._candidate.held.append(text[position:extent])
        if end is End.WAITS:
            return self._wait(extent)
        if end is End.FOUND:
            self._end_broken()
        return extent

    def _end_broken(self) -> None:
        self._out.append(self._wreck.piece(self._candidate.text))
        self._candidate.accept()
        self._phase = Detector._after

    # The end of the answer

    def _end(self) -> None:
        """Decide about what was not finished."""
        candidate = self._candidate
        phase = self._phase
        if phase is Detector._value:
            self._end_value()
        elif phase is Detector._span:
            self._judge()
        elif phase is Detector._body and candidate.name is None:
            self._release()
        elif phase is Detector._body or phase is Detector._parameters:
            self._break(self._named(None), "incomplete")
        if self._phase is Detector._broken:
            self._end_broken()
        if self._phase is Detector._after:
            gap = "".join(candidate.gap)
            if gap.strip(_SEPARATORS + " \t\r\n"):
                self._emit(self._past.tidy(gap))

    def _end_value(self) -> None:
        candidate = self._candidate
        found = self._find()
        if not found:
            self._release()
        elif needs_only_brackets(found, self._reader):
            self._accept(found, repaired=True)
        else:
            source = candidate.text
            end, rest = end_of_cut(source, candidate.inner)
            candidate.held = [source[:end]]
            self._break(self._cut(found), "incomplete")
            self._end_broken()
            self._emit(self._past.tidy(source[rest:]))
