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

from .calls import Found, Names, find_calls
from .json_reader import BLANK, JsonReader
from .json_values import Quick, may_be_value, read_quickly
from .openers import (
    MAX_MARKER,
    WAIT,
    Fence,
    Tag,
    Waiting,
    bracket_tag_at,
    end_of_run,
    end_tag_at,
    fence_at,
    fence_end_at,
    may_be_fence,
    may_be_tag,
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

_find_trigger: Final = re.compile(r"[`~<{\[]").search
_BLANK: Final = re.compile(f"[{BLANK}]*")
# What a bracket must be followed by, if anything, to open a call or several.
_MAY_OPEN: Final = re.compile(
    rf"\{{[{BLANK}]*(?:\Z|[\"'“”„‟‘’‚‛/#\\]|[^\W\d][\w$\-]*[{BLANK}]*(?:\Z|[:/#])|\$)"
    rf"|\[[{BLANK}]*(?:\Z|[{{/#\\])"
)
_COMMENT: Final = re.compile(r"//[^\n]*\n|/\*.*?\*/|#[^\n]*\n", re.DOTALL)
_MAX_COMMENT: Final = 500
# In blocks of other languages a # begins a line of code as often as a comment.
_DATA_BLOCK: Final = re.compile(r"(?:json|tool|function|call).*|", re.IGNORECASE)
_SEPARATORS: Final = ",;"
# What ends a code span that is alone on its line, and what that may begin with.
_SPAN_ENDS: Final = {
    length: re.compile(rf"`{{{length}}}[ \t\r]{{0,20}}(?=\n|\Z)") for length in (1, 2)
}
_SPAN_MAY_END: Final = {
    length: re.compile(rf"`{{0,{length}}}[ \t\r]{{0,20}}\Z") for length in (1, 2)
}
# What most often stands behind a call.
_may_be_end: Final = re.compile(
    r"\s{0,50}(?:`{1,2}|~{1,2}|(?:`{3,50}|~{3,50})[\w+#.\-]{0,18})?"
).fullmatch
_MAX_BATCH: Final = 32
# No call is wrapped deeper.
_MAX_WRAPPERS: Final = 8


class Detector:
    """Splits one streamed answer into text and calls."""

    def __init__(self, names: Names) -> None:
        """Look for calls of the tools that `names` knows."""
        self._names = names
        self._out: list[Piece] = []
        self._past = Past()
        self._phase: _Phase = Detector._plain
        # Nothing is pending or held: most chunks meet it so.
        self._idle = True
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
        # A candidate: what is held since it began, and what stood between the call
        # before and it.
        self._held: list[str] = []
        self._gap: list[str] = []
        # What is open around the next value, outermost first; the first `_mark` of
        # them are from before the candidate.
        self._wrappers: list[Fence | Tag] = []
        self._mark = 0
        # The tool that a tag names, its arguments being the value.
        self._name: str | None = None
        self._in_quotes = False
        self._reader = JsonReader()
        self._flawless = JsonReader()
        self._is_calls = False
        self._block: Fence | None = None
        self._wreck = Wreck(Found(None, None, None), "", None)

    def feed(self, chunk: str) -> list[Piece]:
        """Take the next part of the answer; return what can be said about it."""
        if self._idle:
            found = _find_trigger(chunk)
            if found is None:
                if not chunk:
                    return []
                self._past.note(chunk)
                return [chunk]
            start = found.start()
            if may_be_fence(chunk, start):
                # Most fences come in several chunks.
                self._idle = False
                self._pending = chunk[start:]
                self._undecided = may_be_fence
                if not start:
                    return []
                self._past.note(chunk[:start])
                return [chunk[:start]]
        elif self._undecided is not None:
            text = self._pending + chunk
            if self._undecided(text):
                self._pending = text
                return []
        batch = self._batch
        if batch is not None:
            batch.append(chunk)
            is_small = len(chunk) < _MAX_BATCH and len(batch) < _MAX_BATCH
            if is_small and "}" not in chunk and "]" not in chunk:
                return []
            chunk = "".join(batch)
        self._run(chunk)
        return self._take()

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
        self._idle = self._phase is Detector._plain and not self._pending
        if self._phase is Detector._after and not self._pending:
            self._undecided = _may_be_end
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
        found = _find_trigger(text, position)
        if found is None:
            self._emit(text[position:])
            return len(text)
        start = found.start()
        if start > position:
            self._emit(text[position:start])
        self._past.look()
        char = text[start]
        if self._wrappers:
            # Words stand between a call and the end of its wrapping.
            end = self._closing(text, start, behind_call=False)
            if end is WAIT:
                return self._wait(start, may_be_fence)
            if end is not None:
                self._phase = Detector._after
                return end
        self._mark = len(self._wrappers)
        if char in "`~":
            return self._begin_fence(text, start)
        tag = self._tag(text, start)
        if tag is WAIT:
            return self._wait(start, may_be_tag)
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
        """Begin to hold: behind a tag, or at the bracket of a value."""
        if tag is None:
            self._phase = Detector._quickly
            return start
        self._held.append(text[start : tag.end])
        self._wrappers.append(tag)
        if tag.name is not None:
            self._name = tag.name
        self._phase = Detector._body
        if len(self._wrappers) - self._mark > _MAX_WRAPPERS or not self._is_ours():
            self._release()
        return tag.end

    def _is_ours(self) -> bool:
        """Whether the tool that a tag names is one of ours, if it names one."""
        name = self._name
        return (
            name is None
            or self._names.resolve(name) is not None
            or self._names.has_prefix(name)
        )

    def _begin_fence(self, text: str, start: int) -> int:
        fence = fence_at(
            text, start, line_start=self._past.at_line_start, final=self._final
        )
        if fence is WAIT:
            return self._wait(start, may_be_fence)
        if fence is None or self._past.last == text[start]:
            # Backticks in a sentence.
            end = end_of_run(text, start)
            self._emit(text[start:end])
            return end
        if self._past.in_quoted_line:
            self._emit(text[start : fence.end])
            self._enter_block(fence)
            return fence.end
        if self._wrappers:
            # One that was never closed ends where the next begins.
            self._wrappers = [w for w in self._wrappers if not isinstance(w, Fence)]
            self._mark = len(self._wrappers)
        self._held.append(text[start : fence.end])
        self._wrappers.append(fence)
        self._phase = Detector._body
        return fence.end

    def _release(self) -> None:
        """Let go what was held: it is no call."""
        opened = self._wrappers[self._mark :]
        del self._wrappers[self._mark :]
        if self._gap:
            self._emit(self._past.tidy("".join(self._gap)))
        self._emit("".join(self._held))
        self._forget()
        self._in_quotes = False
        self._phase = Detector._plain
        for wrapper in opened:
            if isinstance(wrapper, Fence) and wrapper.block:
                self._enter_block(wrapper)
                break

    def _forget(self) -> None:
        self._held = []
        self._gap = []
        self._name = None

    # A code block that is text

    def _enter_block(self, fence: Fence) -> None:
        self._block = fence if fence.block else None
        self._phase = Detector._in_block if fence.block else Detector._plain

    def _in_block(self, text: str, position: int) -> int:
        """Let a code block go; nothing in it is a call."""
        assert self._block is not None  # the phase is entered with one
        char = self._block.char
        start = text.find(char, position)
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
            self._block = None
            self._phase = Detector._plain
        return end

    # A value that is text

    def _passage(self, text: str, position: int) -> int:
        """Let a value go, without looking for calls inside."""
        end = self._reader.feed(text, position)
        self._emit(text[position:end])
        if self._reader.done or self._reader.failed is not None:
            self._phase = Detector._plain
        return end

    # Between the opening of a wrapping and the value

    def _body(self, text: str, position: int) -> int:
        """Look for a value, or for another wrapping."""
        start = self._skip_blank(text, position, self._held)
        if start == len(text):
            return start
        char = text[start]
        named = self._name is not None
        inner = self._wrappers[-1]
        found: Fence | Tag | Waiting | None = None
        if char == "{" or (char == "[" and not named):
            found = self._tag(text, start)
            if found is None:
                self._phase = Detector._quickly
                return start
        elif char in "/#":
            return self._skip_comment(text, start)
        elif char == "<":
            if named:
                self._phase = Detector._parameters
                return start
            found = tag_at(text, start, final=self._final)
        elif char == '"' and not named:
            # A JSON text that holds the JSON text of a call.
            if start + 1 == len(text) and not self._final:
                return self._wait(start)
            if text.startswith(("{", "["), start + 1):
                self._held.append(char)
                self._in_quotes = True
                self._phase = Detector._quickly
                return start + 1
        elif isinstance(inner, Tag):
            if char in "`~":
                found = fence_at(text, start, line_start=True, final=self._final)
            elif not named:
                found = name_at(text, start, final=self._final)
        if found is WAIT:
            return self._wait(start)
        if isinstance(found, Tag):
            return self._begin(text, start, found)
        if found is not None and found.length > 2:
            self._held.append(text[start : found.end])
            self._wrappers.append(found)
            return found.end
        return self._reject_body(start)

    def _skip_blank(self, text: str, position: int, kept: list[str]) -> int:
        blank = _BLANK.match(text, position)
        assert blank is not None  # it matches nothing, too
        if blank.end() > position:
            kept.append(text[position : blank.end()])
        return blank.end()

    def _skip_comment(self, text: str, start: int) -> int:
        inner = self._wrappers[-1]
        is_data = isinstance(inner, Tag) or _DATA_BLOCK.fullmatch(inner.tag)
        if text[start] == "#" and not is_data:
            return self._reject_body(start)
        comment = _COMMENT.match(text, start)
        if comment is not None and comment.end() - start <= _MAX_COMMENT:
            self._held.append(comment.group())
            return comment.end()
        begun = text[start] == "#" or text[start + 1 : start + 2] in {"", "/", "*"}
        if begun and not self._final and len(text) - start < _MAX_COMMENT:
            return self._wait(start)
        return self._reject_body(start)

    def _reject_body(self, start: int) -> int:
        """Give up a candidate whose content is something else."""
        if self._name is None:
            self._release()
        else:
            self._break(self._named(None), "arguments that cannot be read")
        return start

    # Arguments as tags

    def _parameters(self, text: str, position: int) -> int:
        """Hold the arguments up to the end of the tag that names the tool."""
        start = text.find("<", position)
        while start >= 0:
            end = end_tag_at(text, start, final=self._final)
            if end is WAIT:
                self._held.append(text[position:start])
                return self._wait(start)
            if end is not None and "param" not in text[start:end]:
                self._held.append(text[position:start])
                self._take_parameters()
                return start
            start = text.find("<", start + 1)
        self._held.append(text[position:])
        return len(text)

    def _take_parameters(self) -> None:
        source = "".join(self._held)
        arguments = read_parameters(source)
        if arguments is None:
            self._break(self._named(None), "arguments that cannot be read")
        else:
            self._reader = self._flawless
            self._accept([self._named(arguments)], source)

    def _named(self, arguments: Any) -> Found:
        """Return the call of the tool that a tag names."""
        assert self._name is not None  # only asked where there is one
        tool = self._names.resolve(self._name)
        return Found(self._name, tool, None, arguments, has_arguments=True)

    # A value

    def _quickly(self, text: str, position: int) -> int:
        """Take a value that is short and flawless; leave any other to the reader."""
        read = read_quickly(text, position)
        if isinstance(read, Quick):
            if read is not Quick.ODD and not self._final:
                if read is Quick.BEGUN:
                    return self._wait(position, may_be_value)
                self._may_batch = True
                return self._wait(position)
            self._reader = JsonReader(objects_only=True)
            self._is_calls = False
            self._phase = Detector._value
            return position
        value, end = read
        self._held.append(text[position:end])
        self._flawless.root = value
        self._reader = self._flawless
        self._take_value()
        return end

    def _value(self, text: str, position: int) -> int:
        """Hold a value until it is complete or cannot be one."""
        reader = self._reader
        end = reader.feed(text, position)
        if end > position:
            self._held.append(text[position:end])
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
                    if self._phase is Detector._plain:
                        self._phase = Detector._passage
                    return end
            self._may_batch = bool(reader.root)
        return end

    def _find(self) -> list[Found]:
        root = self._reader.root
        found = find_calls(root, self._names)
        if self._name is None:
            return found
        named = self._named(root)
        # A whole call may stand inside a tag that names its tool already.
        if len(found) == 1 and found[0].tool == named.tool and found[0].has_arguments:
            return found
        return [named]

    def _take_value(self) -> None:
        """Go on behind a complete value."""
        inner = self._wrappers[-1] if len(self._wrappers) > self._mark else None
        if isinstance(inner, Fence) and inner.length < 3:
            self._phase = Detector._span
        else:
            self._judge()

    def _judge(self) -> None:
        """Take a complete value for what it is."""
        found = self._find()
        if found:
            self._accept(found, "".join(self._held))
        else:
            self._release()

    def _take_failed(self, char: str) -> None:
        """Take a value that cannot be read on at a character."""
        found = self._find()
        if not found:
            self._release()
            return
        # Where the wrapping is closed the model had said all it wanted to say.
        wrapper = self._wrappers[-1] if self._wrappers else None
        is_end = (isinstance(wrapper, Fence) and char == wrapper.char) or (
            isinstance(wrapper, Tag) and char == "<"
        )
        if needs_only_brackets(found, self._reader) or (
            is_end and self._reader.after_member
        ):
            self._accept(found, "".join(self._held), repaired=True)
        else:
            self._break(self._cut(found), self._reader.failed or "")

    def _cut(self, found: list[Found]) -> Found:
        """Report the calls that are whole; return the one that is not."""
        whole, cut = split_at_cut(found, self._reader)
        if whole:
            self._report(whole, "".join(self._held))
        return cut

    def _accept(
        self, found: list[Found], source: str, *, repaired: bool = False
    ) -> None:
        """Report the calls of a value and go on behind it."""
        self._report(found, source, repaired=repaired)
        self._forget()
        del self._wrappers[:-_MAX_WRAPPERS]
        self._phase = Detector._after

    def _report(
        self, found: list[Found], source: str, *, repaired: bool = False
    ) -> None:
        match self._wrappers[:1]:
            case [Tag()]:
                form = "tagged"
            case [Fence(length=length)]:
                form = "fenced" if length > 2 else "inline"
            case _:
                form = "raw"
        self._out.extend(
            verdicts(found, self._reader, source=source, form=form, repaired=repaired)
        )

    def _span(self, text: str, position: int) -> int:
        """Take a value in a code span: a call only if the line holds nothing else."""
        fence = self._wrappers[-1]
        assert isinstance(fence, Fence)  # the phase is entered with one
        if not self._final and _SPAN_MAY_END[fence.length].match(text, position):
            return self._wait(position)
        if _SPAN_ENDS[fence.length].match(text, position) is None:
            self._release()
            return position
        self._judge()
        if self._phase is Detector._after:
            self._wrappers.pop()
            return position + fence.length
        return position

    # Behind a call

    def _after(self, text: str, position: int) -> int:
        """Drop what closes the wrapping; look for another call or for words."""
        start = self._skip_blank(text, position, self._gap)
        if start == len(text):
            return start
        char = text[start]
        if char not in "`~<{[":
            return self._after_words(char, start)
        end = self._closing(text, start, behind_call=True)
        if end is WAIT:
            return self._wait(start, may_be_fence)
        if end is not None:
            self._gap = []
            return end
        if char in "`~":
            return self._resume(start)
        tag = self._tag(text, start)
        if tag is WAIT:
            return self._wait(start, may_be_tag)
        if tag is None and (char == "<" or not _MAY_OPEN.match(text, start)):
            return self._resume(start)
        self._mark = len(self._wrappers)
        return self._begin(text, start, tag)

    def _after_words(self, char: str, start: int) -> int:
        """Drop what belongs to the call; go on with text at anything else."""
        if char == '"' and self._in_quotes:
            self._in_quotes = False
            return start + 1
        if char in "}],;" and not "".join(self._gap).strip():
            if char in _SEPARATORS:
                self._gap.append(char)
            # Else a bracket too many.
            return start + 1
        return self._resume(start)

    def _resume(self, start: int) -> int:
        """Words follow: go on with plain text."""
        self._emit(self._past.tidy("".join(self._gap)))
        self._forget()
        self._in_quotes = False
        self._phase = Detector._plain
        return start

    def _closing(
        self, text: str, start: int, *, behind_call: bool
    ) -> int | Waiting | None:
        """Return the end of what closes an open wrapping at `start`."""
        kind: type[Fence | Tag] = Fence if text[start] in "`~" else Tag
        index = len(self._wrappers) - 1
        while index >= 0 and not isinstance(self._wrappers[index], kind):
            index -= 1
        end: int | Waiting | None = None
        if kind is Fence:
            fence = self._wrappers[index] if index >= 0 else None
            if isinstance(fence, Fence) and fence.char == text[start]:
                end = fence_end_at(
                    text, start, behind_call=behind_call, final=self._final
                )
        elif index >= 0 or behind_call:
            end = end_tag_at(text, start, final=self._final)
        if isinstance(end, int) and index >= 0:
            del self._wrappers[index]
        return end

    # What cannot be read

    def _break(self, call: Found, reason: str) -> None:
        """Hold on to the end of something that cannot be read but was a call."""
        wrapper = self._wrappers[-1] if self._wrappers else None
        depth = sum(type(container) is dict for container in self._reader.stack)
        self._wreck = Wreck(call, reason, wrapper, depth)
        self._phase = Detector._broken

    def _broken(self, text: str, position: int) -> int:
        """Hold a broken call up to its end."""
        extent, end = self._wreck.extent(text, position, final=self._final)
        self._held.append(text[position:extent])
        if end is End.WAITS:
            return self._wait(extent)
        if end is End.FOUND:
            self._end_broken()
        return extent

    def _end_broken(self) -> None:
        self._out.append(self._wreck.piece("".join(self._held)))
        self._forget()
        self._phase = Detector._after

    # The end of the answer

    def _end(self) -> None:
        """Decide about what was not finished."""
        phase = self._phase
        if phase is Detector._value:
            self._end_value()
        elif phase is Detector._span:
            self._judge()
        elif phase is Detector._body and self._name is None:
            self._release()
        elif phase is Detector._body or phase is Detector._parameters:
            self._break(self._named(None), "incomplete")
        if self._phase is Detector._broken:
            self._end_broken()
        if self._phase is Detector._after:
            gap = "".join(self._gap)
            if gap.strip(_SEPARATORS + " \t\r\n"):
                self._emit(self._past.tidy(gap))

    def _end_value(self) -> None:
        found = self._find()
        if not found:
            self._release()
        elif needs_only_brackets(found, self._reader):
            self._accept(found, "".join(self._held), repaired=True)
        else:
            source = "".join(self._held)
            wrapper = self._wrappers[-1] if self._wrappers else None
            end, rest = end_of_cut(source, wrapper)
            self._break(self._cut(found), "incomplete")
            self._held = [source[:end]]
            self._end_broken()
            self._emit(self._past.tidy(source[rest:]))
