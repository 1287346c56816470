"""Find tool calls in the text of an answer while it streams.

Strategy: text goes in as it comes, pieces come out: text to be shown or spoken, calls,
and calls that were begun but cannot run. Text is let go at once. It is held only from a
character with which a call, or its wrapping, may begin, and let go byte for byte as
soon as it cannot be one any more.

The detector is always in one phase, a method that consumes what it can of the text and
returns how far it came:

    plain -> (fence, tag: body ->) value -> after -> plain
               |                    |
               `-> block (a code    `-> broken (to the end of what cannot be read)
                   block that is text)

Where a phase needs to see more it waits; what it waits with is bounded, and everything
else is looked at once. So the cost is linear in the length of the text, however it is
cut, and the result does not depend on the cuts.

What counts as a call is said in `calls`, what JSON may look like in `json_reader`.
A quotation is no call: in a code span, a table, a block quote, between quotation marks.
"""

from collections.abc import Callable
from dataclasses import dataclass
import re
from typing import Any, Final

from .calls import Found, Names, find_calls, only_the_name_is_bare
from .json_reader import BLANK, JsonReader, read_object
from .openers import (
    MAX_MARKER,
    WAIT,
    Fence,
    Tag,
    Waiting,
    bracket_tag_at,
    end_tag_at,
    fence_at,
    name_at,
    read_parameters,
    tag_at,
)

# Text to be shown or spoken. A plain string, because nearly every chunk becomes one.
Text = str


@dataclass(frozen=True, slots=True)
class DetectedCall:
    """A call that was written as text.

    `name` is as written; `tool` the full name of the tool, None if only the prefix says
    that one of ours is meant; `source` the text it was read from, which calls of one
    array share; `form` is `raw`, `fenced`, `inline` or `tagged`.
    """

    name: str
    tool: str | None
    arguments: dict[str, Any]
    source: str
    form: str
    repaired: bool


@dataclass(frozen=True, slots=True)
class BrokenCall:
    """A call that was begun but cannot run: incomplete or ambiguous.

    Its text is neither shown nor spoken; the model is told the reason.
    """

    name: str | None
    tool: str | None
    reason: str
    source: str


type Piece = Text | DetectedCall | BrokenCall
type _Phase = Callable[[str, int], int]

_TRIGGERS: Final = re.compile(r"[`~<{\[]")
_find_trigger: Final = _TRIGGERS.search
_BLANK: Final = re.compile(f"[{BLANK}]*")
# What a bracket must be followed by, if anything, to open a call or several.
_MAY_OPEN: Final = re.compile(
    rf"\{{[{BLANK}]*(?:\Z|[\"'“”„‟‘’‚‛/#\\\w$])|\[[{BLANK}]*(?:\Z|[{{/#\\])"
)
_RUNS: Final = {char: re.compile(f"{char}+") for char in "`~"}
_BLANK_LINE_START: Final = re.compile(rf"[{BLANK}>*+\-]*(?:\d+[.)])?[{BLANK}]*")
_COMMENT: Final = re.compile(r"//[^\n]*\n|/\*.*?\*/|#[^\n]*\n", re.DOTALL)
_MAX_COMMENT: Final = 500
# In blocks of other languages a # begins a line of code as often as a comment.
_DATA_BLOCK: Final = re.compile(r"(?:json|tool|function|call).*|", re.IGNORECASE)
_SEPARATORS: Final = ",;"
# Behind these an object is part of something else: a quotation, code.
_NOT_BEHIND: Final = frozenset("`\"'“„«‹‘‚(=\\$%")
_MAX_LINE: Final = 32
# What ends a code span that is alone on its line, and what that may begin with.
_SPAN_ENDS: Final = {
    length: re.compile(rf"`{{{length}}}[ \t\r]{{0,20}}(?=\n|\Z)") for length in (1, 2)
}
_SPAN_MAY_END: Final = {
    length: re.compile(rf"`{{0,{length}}}[ \t\r]{{0,20}}\Z") for length in (1, 2)
}
# What may follow a fence on its line.
_FENCE_REST: Final = re.compile(r"[ \t\r]{0,20}([\w+#.\-]{0,20})[ \t\r]{0,20}(\n|\Z)?")
_BRACES_AND_LINES: Final = re.compile(r"[{}]|\n[ \t\r]{0,100}(\n|\Z)?")


class Detector:
    """Splits one streamed answer into text and calls."""

    def __init__(self, names: Names) -> None:
        """Look for calls of the tools that `names` knows."""
        self._names = names
        self._out: list[Piece] = []
        self._phase: _Phase = self._plain
        # Nothing is pending, held or otherwise special: most chunks meet it so.
        self._idle = True
        self._final = False
        self._waiting = False
        # The end of what was fed, not looked at for good yet.
        self._pending = ""
        # What was let out since `_line` and `_last` were brought up to date.
        self._past: list[str] = []
        # The beginning of the current line, the last character let out.
        self._line = ""
        self._last = ""
        # A candidate: what is held since it began, and the blanks between the call
        # before and it.
        self._held: list[str] = []
        self._gap: list[str] = []
        # What is open around the next value, outermost first; the first `_mark` of
        # them are from before the candidate.
        self._wrappers: list[Fence | Tag] = []
        self._mark = 0
        self._name: str | None = None
        self._in_quotes = False
        self._reader = JsonReader(objects_only=True)
        self._is_calls = False
        self._block: Fence | None = None
        self._broken_call: Found | None = None
        self._reason = ""
        self._depth = 0

    def feed(self, chunk: str) -> list[Piece]:
        """Take the next part of the answer; return what can be said about it."""
        if self._idle and _find_trigger(chunk) is None:
            if not chunk:
                return []
            self._past.append(chunk)
            return [chunk]
        return self._run(chunk)

    def finish(self) -> list[Piece]:
        """Say what became of the rest, the answer being complete."""
        self._final = True
        self._run("")
        self._end()
        return self._take()

    def _run(self, chunk: str) -> list[Piece]:
        text = self._pending + chunk if self._pending else chunk
        position, end = 0, len(text)
        self._waiting = False
        while position < end and not self._waiting:
            position = self._phase(text, position)
        self._pending = text[position:] if position else text
        self._idle = not self._pending and self._phase == self._plain
        return [] if self._final else self._take()

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

    # Text

    def _emit(self, text: str) -> None:
        if text:
            self._out.append(text)
            self._past.append(text)

    def _look_back(self) -> None:
        """Bring `_line` and `_last` up to date."""
        if not self._past:
            return
        past = "".join(self._past)
        self._past.clear()
        self._last = past[-1]
        newline = past.rfind("\n")
        if newline >= 0:
            self._line = past[newline + 1 : newline + 1 + _MAX_LINE]
        elif len(self._line) < _MAX_LINE:
            self._line = (self._line + past)[:_MAX_LINE]

    def _at_line_start(self) -> bool:
        """Whether nothing but blanks and a list's mark stands before on the line."""
        return (
            len(self._line) < _MAX_LINE
            and _BLANK_LINE_START.fullmatch(self._line) is not None
        )

    def _in_quotation(self) -> bool:
        """Whether the line belongs to a table or a block quote."""
        return self._line.lstrip()[:1] in {"|", ">"} and bool(self._line.strip())

    def _wait(self, position: int) -> int:
        self._waiting = True
        return position

    def _plain(self, text: str, position: int) -> int:
        """Let text go up to where something may begin."""
        found = _find_trigger(text, position)
        if found is None:
            self._emit(text[position:])
            return len(text)
        start = found.start()
        if start > position:
            self._emit(text[position:start])
        self._look_back()
        return self._begin(text, start)

    def _begin(self, text: str, start: int) -> int:
        """Decide what begins at a trigger outside of everything."""
        char = text[start]
        if self._wrappers:
            # Words stand between a call and the end of its wrapping.
            end = self._closing(text, start, behind_call=False)
            if end is WAIT:
                return self._wait(start)
            if isinstance(end, int):
                self._phase = self._after
                return end
        self._mark = len(self._wrappers)
        quoted = self._in_quotation() or self._last in _NOT_BEHIND
        if char in "`~":
            return self._begin_fence(text, start)
        if char == "<":
            tag = tag_at(text, start, final=self._final)
        elif char == "[":
            tag = bracket_tag_at(text, start, final=self._final)
        else:
            tag = None
        if tag is WAIT:
            return self._wait(start)
        if isinstance(tag, Tag):
            if quoted:
                self._emit(text[start : tag.end])
                return tag.end
            return self._open_tag(text, start, tag)
        if char == "<" or _MAY_OPEN.match(text, start) is None:
            self._emit(char)
            return start + 1
        self._begin_value(start)
        if quoted:
            self._phase = self._passage
        return start

    def _begin_fence(self, text: str, start: int) -> int:
        fence = fence_at(
            text, start, line_start=self._at_line_start(), final=self._final
        )
        if fence is WAIT:
            return self._wait(start)
        if not isinstance(fence, Fence) or self._last == text[start]:
            # Backticks in a sentence.
            end = _end_of_run(text, start)
            self._emit(text[start:end])
            return end
        if self._in_quotation():
            self._emit(text[start : fence.end])
            self._enter_block(fence)
            return fence.end
        self._held.append(text[start : fence.end])
        # One that was never closed ends where the next begins.
        self._wrappers = [w for w in self._wrappers if not isinstance(w, Fence)]
        self._mark = len(self._wrappers)
        self._wrappers.append(fence)
        self._phase = self._body
        return fence.end

    def _open_tag(self, text: str, start: int, tag: Tag) -> int:
        self._held.append(text[start : tag.end])
        self._wrappers.append(tag)
        if tag.name is not None:
            if not self._is_ours(tag.name):
                self._release()
                return tag.end
            self._name = tag.name
        self._phase = self._body
        return tag.end

    def _is_ours(self, name: str) -> bool:
        return self._names.resolve(name) is not None or self._names.has_prefix(name)

    def _release(self) -> None:
        """Let go what was held: it is no call."""
        fences = [w for w in self._wrappers[self._mark :] if isinstance(w, Fence)]
        del self._wrappers[self._mark :]
        self._emit(self._tidy("".join(self._gap)))
        self._emit("".join(self._held))
        self._forget()
        self._in_quotes = False
        block = next((fence for fence in fences if fence.block), None)
        if block is None:
            self._phase = self._plain
        else:
            self._enter_block(block)

    def _forget(self) -> None:
        self._held = []
        self._gap = []
        self._name = None

    def _tidy(self, gap: str) -> str:
        """Return the blanks behind a call without those that it leaves over."""
        self._look_back()
        if self._last and not self._last.isspace():
            return gap
        return gap[_BLANK.match(gap).end() :]  # type: ignore[union-attr] # matches always

    # A code block that is text

    def _enter_block(self, fence: Fence) -> None:
        self._block = fence if fence.block else None
        self._phase = self._in_block if fence.block else self._plain

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
        end = _end_of_run(text, start)
        if end == len(text) and not self._final and end - start < MAX_MARKER:
            return self._wait(start)
        self._look_back()
        closes = (
            self._block.length <= end - start < MAX_MARKER
            and self._at_line_start()
            and (end == len(text) or not (text[end].isalnum() or text[end] == "_"))
        )
        self._emit(text[start:end])
        if closes:
            self._block = None
            self._phase = self._plain
        return end

    # A quoted value

    def _passage(self, text: str, position: int) -> int:
        """Let a value go that is no call, without looking for calls inside."""
        end = self._reader.feed(text, position)
        self._emit(text[position:end])
        if self._reader.done or self._reader.failed is not None:
            self._phase = self._plain
        return end

    # Between the opening of a wrapping and the value

    def _body(self, text: str, position: int) -> int:
        """Look for a value, or for another wrapping."""
        start = self._skip_blank(text, position, self._held)
        if start == len(text):
            return start
        char = text[start]
        inner = self._wrappers[-1]
        if char in "/#":
            return self._skip_comment(text, start)
        if char == "<":
            return self._tag_in_body(text, start)
        if char in "`~" and isinstance(inner, Tag):
            fence = fence_at(text, start, line_start=True, final=self._final)
            if fence is WAIT:
                return self._wait(start)
            if isinstance(fence, Fence) and fence.length >= 3:
                self._held.append(text[start : fence.end])
                self._wrappers.append(fence)
                return fence.end
        elif char == '"' and self._name is None:
            # A JSON text that holds the JSON text of a call.
            if start + 1 == len(text) and not self._final:
                return self._wait(start)
            if text[start + 1 : start + 2] in {"{", "["}:
                self._held.append(char)
                self._in_quotes = True
                return self._begin_value(start + 1)
        elif char == "[" and self._name is None:
            tag = bracket_tag_at(text, start, final=self._final)
            if tag is WAIT:
                return self._wait(start)
            if isinstance(tag, Tag):
                return self._open_tag(text, start, tag)
            return self._begin_value(start)
        elif char == "{":
            return self._begin_value(start)
        elif isinstance(inner, Tag) and self._name is None:
            tag = name_at(text, start, final=self._final)
            if tag is WAIT:
                return self._wait(start)
            if (
                isinstance(tag, Tag)
                and tag.name is not None
                and self._is_ours(tag.name)
            ):
                self._held.append(text[start : tag.end])
                self._name = tag.name
                return tag.end
        return self._reject_body(start)

    def _skip_blank(self, text: str, position: int, kept: list[str]) -> int:
        blank = _BLANK.match(text, position)
        assert blank is not None  # it matches nothing, too
        if blank.end() > position:
            kept.append(text[position : blank.end()])
        return blank.end()

    def _skip_comment(self, text: str, start: int) -> int:
        inner = self._wrappers[-1]
        is_data = isinstance(inner, Tag) or _DATA_BLOCK.fullmatch(inner.tag) is not None
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

    def _tag_in_body(self, text: str, start: int) -> int:
        if self._name is not None:
            self._phase = self._parameters
            return start
        tag = tag_at(text, start, final=self._final)
        if tag is WAIT:
            return self._wait(start)
        if isinstance(tag, Tag):
            return self._open_tag(text, start, tag)
        return self._reject_body(start)

    def _reject_body(self, start: int) -> int:
        """Give up a candidate whose content is something else."""
        if self._name is None:
            self._release()
        else:
            self._break(self._named(None), "arguments that cannot be read")
        return start

    def _begin_value(self, start: int) -> int:
        self._reader = JsonReader(objects_only=True)
        self._is_calls = False
        self._phase = self._value
        return start

    # The arguments as tags

    def _parameters(self, text: str, position: int) -> int:
        """Hold the arguments up to the end of the tag that names the tool."""
        start = text.find("<", position)
        while start >= 0:
            end = end_tag_at(text, start, final=self._final)
            if end is WAIT:
                self._held.append(text[position:start])
                return self._wait(start)
            if isinstance(end, int) and "param" not in text[start:end]:
                self._held.append(text[position:start])
                return self._end_parameters(text, start)
            start = text.find("<", start + 1)
        self._held.append(text[position:])
        return len(text)

    def _end_parameters(self, text: str, start: int) -> int:
        source = "".join(self._held)
        written = re.search(r"<(?:[\w.\-]+:)?(?:param|arg)", source)
        arguments = read_parameters(source[written.start() :] if written else "")
        if arguments is None:
            self._break(self._named(None), "arguments that cannot be read")
        else:
            self._accept([self._named(arguments)], source)
        return start

    def _named(self, arguments: Any) -> Found:
        """Return the call of the tool that a tag names."""
        assert self._name is not None  # only asked where there is one
        tool = self._names.resolve(self._name)
        return Found(self._name, tool, None, arguments, has_arguments=True)

    # A value

    def _value(self, text: str, position: int) -> int:
        """Hold a value until it is complete or cannot be one."""
        reader = self._reader
        end = reader.feed(text, position)
        if end > position:
            self._held.append(text[position:end])
        if reader.done:
            inner = self._wrappers[-1] if len(self._wrappers) > self._mark else None
            if isinstance(inner, Fence) and inner.length < 3:
                self._phase = self._span
            else:
                self._judge()
        elif reader.failed is not None:
            self._judge_failed(text[end : end + 1])
        elif reader.items and not self._is_calls:
            # The first item of an array says what it holds.
            self._is_calls = bool(self._find())
            if not self._is_calls:
                self._release_passage()
        return end

    def _release_passage(self) -> None:
        """Let go an array that holds no calls, the rest of it as it comes."""
        self._release()
        if self._phase == self._plain:
            self._phase = self._passage

    def _find(self) -> list[Found]:
        root = self._reader.root
        if self._name is None:
            return find_calls(root, self._names)
        found = find_calls(root, self._names)
        named = self._named(root)
        # A whole call inside a tag that names its tool already.
        if len(found) == 1 and found[0].tool == named.tool and found[0].has_arguments:
            return found
        return [named]

    def _judge(self) -> None:
        """Take a complete value for what it is."""
        found = self._find()
        if found:
            self._accept(found, "".join(self._held))
        else:
            self._release()

    def _judge_failed(self, char: str) -> None:
        """Take a value that ends before its end."""
        found = self._find()
        if not found:
            self._release()
            return
        # Where the wrapping is closed, or the next call begins, the model had said
        # all it wanted to. Elsewhere that is only sure of arguments that are closed.
        wrapper = self._wrappers[-1] if self._wrappers else None
        is_end = (isinstance(wrapper, Fence) and char == wrapper.char) or (
            isinstance(wrapper, Tag) and char == "<"
        )
        if self._reader.after_member and (
            is_end or all(self._is_closed(call) for call in found)
        ):
            self._accept(found, "".join(self._held), open_too=True)
        else:
            self._break(self._open_call(found), self._reader.failed or "incomplete")

    def _is_closed(self, found: Found) -> bool:
        """Whether all that belongs to a call is there, though brackets may lack."""
        if found.problem is not None and found.node is None:
            return True
        still_open = {id(container) for container in self._reader.stack}
        if found.node is None:
            return id(found.arguments) not in still_open
        if id(found.node) not in still_open:
            return True
        return found.has_arguments and id(found.arguments) not in still_open

    def _open_call(self, found: list[Found]) -> Found:
        """Report the calls that are complete; return the one that is not."""
        complete = [call for call in found if self._is_complete(call)]
        if complete and self._reader.duplicate is None:
            self._report(complete, "".join(self._held))
            rest = [call for call in found if not self._is_complete(call)]
            return rest[0] if rest else Found(None, None, None)
        return found[0]

    def _is_complete(self, found: Found) -> bool:
        still_open = {id(container) for container in self._reader.stack}
        return found.node is not None and id(found.node) not in still_open

    def _accept(
        self, found: list[Found], source: str, *, open_too: bool = False
    ) -> None:
        """Report the calls of a value and go on behind it."""
        self._report(found, source, repaired=open_too)
        self._forget()
        self._phase = self._after

    def _report(
        self, found: list[Found], source: str, *, repaired: bool = False
    ) -> None:
        reader = self._reader
        repaired = repaired or reader.repaired
        for call in found:
            problem = call.problem
            arguments: dict[str, Any] | None = None
            if call.name is None:
                problem = problem or "no name of a tool"
            elif reader.duplicate is not None:
                problem = f"the key {reader.duplicate!r} stands there twice"
            elif not only_the_name_is_bare(call, reader.barewords):
                problem = "text without quotes"
            elif problem is None:
                try:
                    arguments = _arguments(call.arguments)
                except ValueError as err:
                    problem = f"arguments: {err}"
            if arguments is None or call.name is None:
                reason = problem or "incomplete"
                self._out.append(BrokenCall(call.name, call.tool, reason, source))
            else:
                self._out.append(
                    DetectedCall(
                        str(call.name),
                        call.tool,
                        arguments,
                        source,
                        self._form(),
                        repaired,
                    )
                )

    def _form(self) -> str:
        match self._wrappers[:1]:
            case [Tag()]:
                return "tagged"
            case [Fence(length=length)]:
                return "fenced" if length > 2 else "inline"
        return "raw"

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
        if self._phase == self._after:
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
        gap = "".join(self._gap)
        if char in "}]" and not gap.strip():
            # A bracket too many.
            return start + 1
        if char == '"' and self._in_quotes:
            self._in_quotes = False
            return start + 1
        if char in _SEPARATORS and not gap.strip():
            self._gap.append(char)
            return start + 1
        if char not in "`~<{[":
            return self._resume(start)
        end = self._closing(text, start, behind_call=True)
        if end is WAIT:
            return self._wait(start)
        if isinstance(end, int):
            self._gap = []
            return end
        self._mark = len(self._wrappers)
        if char in "`~":
            return self._resume(start)
        if char == "<":
            tag = tag_at(text, start, final=self._final)
        elif char == "[":
            tag = bracket_tag_at(text, start, final=self._final)
        else:
            tag = None
        if tag is WAIT:
            return self._wait(start)
        if isinstance(tag, Tag):
            return self._open_tag(text, start, tag)
        if char == "<" or _MAY_OPEN.match(text, start) is None:
            return self._resume(start)
        return self._begin_value(start)

    def _resume(self, start: int) -> int:
        """Words follow: go on with plain text."""
        self._emit(self._tidy("".join(self._gap)))
        self._forget()
        self._in_quotes = False
        self._phase = self._plain
        return start

    def _closing(
        self, text: str, start: int, *, behind_call: bool
    ) -> int | Waiting | None:
        """Return the end of what closes an open wrapping at `start`."""
        if text[start] in "<[":
            if not behind_call and not any(isinstance(w, Tag) for w in self._wrappers):
                return None
            end = end_tag_at(text, start, final=self._final)
            if isinstance(end, int):
                self._pop(Tag)
            return end
        fences = [w for w in self._wrappers if isinstance(w, Fence)]
        if not fences or text[start] != fences[-1].char:
            return None
        end = _end_of_run(text, start)
        if end - start < 3 and (end < len(text) or self._final):
            return None
        if end - start > MAX_MARKER:
            return None
        # Directly behind a call any fence closes, unless it is clearly a new one.
        rest = _FENCE_REST.match(text, end)
        assert rest is not None  # it matches nothing, too
        if rest.end() == len(text) and rest.group(2) in {"", None} and not self._final:
            return WAIT
        word, line_end = rest.groups()
        if word and line_end is not None:
            return None
        if word and not behind_call:
            return None
        if not word and line_end is None and not behind_call:
            return None
        self._pop(Fence)
        return end

    def _pop(self, kind: type[Fence | Tag]) -> None:
        """Close the innermost wrapping of a kind, and what is open inside of it."""
        for index in reversed(range(len(self._wrappers))):
            if isinstance(self._wrappers[index], kind):
                del self._wrappers[index]
                return

    # What cannot be read

    def _break(self, found: Found, reason: str) -> None:
        """Hold on to the end of something that cannot be read but was a call."""
        self._broken_call = found
        self._reason = reason
        self._depth = sum(type(container) is dict for container in self._reader.stack)
        self._phase = self._broken

    def _broken(self, text: str, position: int) -> int:
        """Look for the end of a broken call: of its wrapping, or of its brackets."""
        wrapper = self._wrappers[-1] if self._wrappers else None
        if isinstance(wrapper, Fence) and wrapper.length > 2:
            return self._broken_to(re.compile(rf"{wrapper.char}+"), text, position)
        if isinstance(wrapper, Tag):
            return self._broken_to(re.compile(r"[<\[]"), text, position)
        return self._broken_raw(text, position)

    def _broken_to(self, mark: re.Pattern[str], text: str, position: int) -> int:
        for found in mark.finditer(text, position):
            start = found.start()
            if text[start] in "<[":
                end = end_tag_at(text, start, final=self._final)
            elif found.end() - start > 2:
                end = found.end()
            else:
                waits = found.end() == len(text) and not self._final
                end = WAIT if waits else None
            if end is None:
                continue
            self._held.append(text[position:start])
            if end is WAIT:
                return self._wait(start)
            self._end_broken()
            return start
        self._held.append(text[position:])
        return len(text)

    def _broken_raw(self, text: str, position: int) -> int:
        for found in _BRACES_AND_LINES.finditer(text, position):
            if found.group() == "{":
                self._depth += 1
            elif found.group() == "}":
                self._depth -= 1
                if self._depth <= 0:
                    self._held.append(text[position : found.end()])
                    self._end_broken()
                    return found.end()
            elif found.group(1) == "\n":
                self._held.append(text[position : found.start()])
                self._end_broken()
                return found.start()
            elif found.group(1) == "" and not self._final:
                self._held.append(text[position : found.start()])
                return self._wait(found.start())
        self._held.append(text[position:])
        return len(text)

    def _end_broken(self) -> None:
        found = self._broken_call
        assert found is not None  # the phase is entered with one
        source = "".join(self._held)
        self._out.append(BrokenCall(found.name, found.tool, self._reason, source))
        self._forget()
        self._phase = self._after

    # The end of the answer

    def _end(self) -> None:
        if self._phase in {self._value, self._parameters}:
            self._end_value()
        elif self._phase == self._span:
            self._judge()
        elif self._phase == self._body:
            if self._name is None:
                self._release()
            else:
                self._broken_call = self._named(None)
                self._reason = "incomplete"
                self._end_broken()
        elif self._phase == self._broken:
            self._end_broken()
        if self._phase == self._after:
            gap = "".join(self._gap)
            if gap.strip(_SEPARATORS + " \t\r\n"):
                self._emit(self._tidy(gap))
        self._forget()

    def _end_value(self) -> None:
        """Take a value that was not finished."""
        if self._phase == self._parameters:
            found = [self._named(None)]
            closed = False
        else:
            found = self._find()
            closed = self._reader.after_member and all(
                self._is_closed(call) for call in found
            )
        if not found:
            self._release()
        elif closed:
            self._accept(found, "".join(self._held), open_too=True)
        else:
            self._broken_call = self._open_call(found)
            self._reason = "incomplete"
            self._end_broken()


def _end_of_run(text: str, start: int) -> int:
    """Return where the run of the character at `start` ends."""
    run = _RUNS[text[start]].match(text, start)
    return run.end() if run is not None else start + 1


def _arguments(value: Any) -> dict[str, Any]:
    """Return arguments as an object; raise ValueError if they are none."""
    if value is None or (isinstance(value, str) and not value.strip()):
        return {}
    if isinstance(value, str):
        return read_object(value)
    if not isinstance(value, dict):
        raise ValueError("no object")  # noqa: TRY004 - as the reader says it
    return value
