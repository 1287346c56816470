"""Reads the call that stands at a position of a text, in whatever form.

Models write calls as JSON, as JSON behind a name, as Python, or as tags:

    {"name": "HassTurnOff", "arguments": {"area": "Kitchen"}}              most of them
    <tool_call>HassTurnOff<arg_key>area</arg_key>...                       GLM
    <function=HassTurnOff><parameter=area>Kitchen</parameter></function>   Qwen
    <|channel|>commentary to=functions.HassTurnOff<|message|>{...}         gpt-oss
    <|tool_call>call:HassTurnOff{area:<|"|>Kitchen<|"|>}<tool_call|>       gemma
    [HassTurnOff(area="Kitchen")]                                          Llama, LFM

There is no parser for each. A call is a *head* (tags, tokens, few words, the name of a
tool, each of them optional), and behind it a value, or arguments in one of the
spellings. What stands in a sentence, in quotation marks, in a table or in code that
explains is no call.

Strategy: `read` looks at one position of the text so far and answers `Written` (a call,
up to its end), `Passed` (words, up to there), or raises NeedsMore. An answer never
changes with the text that follows. What may be long before it is clear is looked at again
by the caller only when it has grown.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
import re
from typing import Any, Final, NamedTuple

from ..naming import ToolNames
from .call_words import ARGUMENT_KEYS, without_separators
from .heads import Head
from .json_calls import (
    JsonCall,
    answer_in,
    declares_call,
    find_calls,
    holds_arguments,
    is_result,
)
from .json_reader import BLANK, JsonReader, end_of, read_object
from .markup import Fence, NeedsMore, closing_tag, fence_end_at, tag_at
from .pieces import BrokenCall, Call, DetectedCall
from .spelled import GEMMA_QUOTE, bracket_end, read_gemma, read_parameters, read_python

NOT_JSON: Final = "it is not written as JSON"
INCOMPLETE: Final = "incomplete"
# What makes a quotation, or part of code, of what follows.
_QUOTES: Final = frozenset("`\"'“„«‹‘‚(=\\$%")
# Blanks, the marks of a block quote, a list's mark.
_LINE_START: Final = re.compile(rf"[{BLANK}>*+\-]*(?:\d+[.)])?[{BLANK}]*")
# `>>>` stands before calls of Functionary.
_QUOTED_LINE: Final = re.compile(r"\s*(?:\||>(?!>>))")


class Place(NamedTuple):
    """Where in an answer something stands."""

    line: str
    """The beginning of what stands before it on its line."""
    last: str
    """The character before it."""
    block: Fence | None
    """The code block around it."""
    behind_call: bool
    """A call stands before it in the answer."""

    @property
    def at_line_start(self) -> bool:
        """Whether nothing but blanks and marks stands before it on its line."""
        return _LINE_START.fullmatch(self.line) is not None

    @property
    def is_quoted(self) -> bool:
        """Whether what begins here is quoted: in quotation marks, a table, a quote."""
        return self.last in _QUOTES or _QUOTED_LINE.match(self.line) is not None


class Passed(NamedTuple):
    """Words, up to where something else may begin."""

    end: int
    has_arguments: bool = False
    """They are an object that has the arguments of a call, but no name."""


@dataclass(slots=True)
class Written:
    """What was read at a position: calls, an answer in JSON, or an invented result."""

    end: int
    calls: Sequence[Call] = ()
    answer: str | None = None
    supplied: bool = False
    """A bracket was missing, and has been added."""
    trailing: bool = False
    """Members stand behind the arguments."""
    wrapped: bool = False
    """Something is open around it that will be closed."""
    in_fence: bool = False


type Read = Written | Passed


# Kimi K3's tag without its tokens.
_BARE_TAG: Final = re.compile(r"\bcall tool=\"\Z")
_BETWEEN: Final = re.compile(r"[\s,;]*")
_LIST_END: Final = re.compile(r">\s*(?=\])")
# What may follow on the line of a call that is the whole line.
_LINE_REST: Final = re.compile(r"[ \t\r;)\]]{0,20}[`*]{0,3}[ \t\r]{0,20}")
# Where the text of a call ends that cannot be read to its end.
_BROKEN_END: Final = re.compile(r"\n[ \t\r]{0,100}\n|\n[ \t]*(?=`{3})|(?=</[\w|｜])")


@dataclass(slots=True)
class CallOptions:
    """What is taken for a call."""

    names: ToolNames
    unknown: bool = False
    """JSON calls of tools that do not exist are calls, too."""
    json_only: bool = False
    """Calls in other forms are words: somebody asked what they look like."""
    was_cut: bool = False
    """The answer was cut off: what it ends in may have had more members."""


class CallAt:
    """Reads what stands at one position of a text, where a beginning was found."""

    def __init__(
        self, options: CallOptions, text: str, at: int, place: Place, *, final: bool
    ) -> None:
        """Look at a text so far, which is all of it if `final`."""
        self._options, self._text, self._at = options, text, at
        self._place, self._final = place, final

    def read(self) -> Read:
        """Return what it is. Raises NeedsMore."""
        text, at = self._text, self._at
        if text[at] in "{[" and self._place.is_quoted:
            return Passed(max(self._json(at).end, at + 1))
        head = self._head = Head(
            self._options.names,
            text,
            at,
            self._place.block.run if self._place.block else "",
            unknown=self._options.unknown,
            final=self._final,
        )
        read: Read = Passed(at)
        if head.name is not None:
            read = self._named(head.name)
        elif text[head.at : head.at + 1] in {"{", "["}:
            if head.is_call or head.at == at:
                read = self._value()
        if isinstance(read, Written) or read.end > at:
            return read
        return Passed(max(head.tags_end, head.name_end, at + 1))

    def _found(self, end: int, *calls: Call) -> Written:
        in_fence = bool(self._head.fence)
        wrapped = in_fence or self._head.is_marked
        return Written(end, calls, wrapped=wrapped, in_fence=in_fence)

    def _asked_for(self, end: int, reason: str) -> Written:
        """Return a named call that cannot run."""
        name = self._head.name or ""
        tool = self._options.names.resolve(name)
        return self._found(end, BrokenCall(name, tool, reason, ""))

    def _broken_end(self, at: int) -> int:
        found = _BROKEN_END.search(self._text, at)
        if found is None and not self._final:
            raise NeedsMore
        return len(self._text) if found is None else found.start()

    # Arguments behind a name

    def _named(self, name: str) -> Read:
        """Read the arguments behind a name, or pass it where it is only mentioned."""
        text, head, place = self._text, self._head, self._place
        # A name may stand alone in a code span, and its arguments behind that.
        in_span = place.last == "`" == text[head.name_end : head.name_end + 1]
        if not head.is_marked and place.is_quoted and not in_span:
            if _BARE_TAG.search(place.line) is None:
                return Passed(head.name_end)
            return self._asked_for(self._broken_end(head.name_end), NOT_JSON)
        read = self._arguments(name)
        if self._options.json_only and isinstance(read, Written):
            return Passed(read.end)
        if isinstance(read, Passed) or head.is_marked:
            return read
        rest = end_of(_LINE_REST, text, read.end)
        if rest == len(text) and not self._final:
            raise NeedsMore
        is_line = text[rest : rest + 1] in {"", "\n"}
        is_line = is_line or text.startswith("```", read.end)
        is_alone = place.at_line_start and not place.line[:1].isspace()
        if is_line and is_alone:
            return read
        if is_line or (is_alone and text[rest] in ",="):
            return self._asked_for(read.end, NOT_JSON)
        return Passed(read.end)  # it stands in a sentence

    def _arguments(self, name: str) -> Read:
        """Read what stands behind the name of a tool."""
        text, head = self._text, self._head
        char = "" if head.is_empty else text[head.at : head.at + 1]
        if char == "{" and not head.attributes:
            return self._value()
        if char == "(":
            return self._pythonic(name)
        if not head.is_call:
            return Passed(head.start)
        if head.is_empty:
            end: int | None = head.at
        elif head.in_list:
            found = _LIST_END.search(text, head.at)
            end = None if found is None else found.end()
        else:
            close = closing_tag(text, head.at, head.tags)
            end = None if close is None else close[0]
        return self._spelled(name, head.at, end, read_parameters)

    def _pythonic(self, name: str) -> Written:
        """Read a call in Python, and those behind it in a list or tag."""
        text, at = self._text, self._head.at
        calls: list[Call] = []
        while True:
            read = self._spelled(name, at, bracket_end(text, at), read_python)
            calls += read.calls
            if not self._head.is_call:
                break
            begin = end_of(_BETWEEN, text, read.end)
            at = self._head.name_at(begin)
            if max(begin, at) == len(text) and not self._final:
                raise NeedsMore
            if not at or text[at : at + 1] != "(":
                break
            name = text[begin:at]
        return self._found(read.end, *calls)

    def _spelled(
        self,
        name: str,
        at: int,
        end: int | None,
        read: Callable[[str], dict[str, Any]],
    ) -> Written:
        """Return the call whose arguments stand at a position, up to `end`."""
        if end is None:
            if not self._final:
                raise NeedsMore
            return self._asked_for(self._broken_end(at), INCOMPLETE)
        try:
            arguments = read(self._text[at:end]) if end > at else {}
            arguments = _with_attributes(arguments, self._head.attributes)
        except ValueError as err:
            return self._asked_for(end, str(err) or NOT_JSON)
        tool = self._options.names.resolve(name)
        return self._found(end, DetectedCall(name, tool, arguments, ""))

    # JSON

    def _json(self, at: int) -> JsonReader:
        reader = JsonReader(self._text, at)
        if not (self._final or reader.done or reader.failed):
            raise NeedsMore
        return reader

    def _value(self) -> Read:
        """Read the value behind a head: a call, several, or arguments of a named one."""
        text, head, place = self._text, self._head, self._place
        # Of two braces the first was left over from a template.
        begin = head.at + text.startswith("{{", head.at)
        reader = self._json(begin)
        end = reader.end if reader.done or reader.failed else len(text)
        if reader.failed and head.name and GEMMA_QUOTE.match(text, end):
            return self._spelled(head.name, begin, bracket_end(text, begin), read_gemma)
        found = self._find(reader.root)
        if reader.done:
            if found:
                return self._read(end, found, reader)
            if place.at_line_start and (not place.block or place.block.is_data):
                if place.behind_call and is_result(reader.root):
                    return Written(end)
                if (answer := answer_in(reader.root)) is not None:
                    return Written(end, answer=answer, in_fence=bool(head.fence))
        elif not found and declares_call(reader.root):
            found = [JsonCall(None, None, reader.root, problem="no name of a tool")]
        if not found:
            return Passed(end, holds_arguments(reader.root))
        is_end = self._closes(end) if reader.failed else not self._options.was_cut
        if is_end and _needs_only_brackets(found, reader):
            read = self._read(end, found, reader)
            read.supplied = True
            return read
        # A string may have swallowed what follows, so it is looked for from the start.
        reason = reader.failed or INCOMPLETE
        broken = [BrokenCall(call.name, call.tool, reason, "") for call in found]
        return self._found(self._broken_end(begin), *broken)

    def _find(self, root: Any) -> list[JsonCall]:
        names, name = self._options.names, self._head.name
        if name is None:
            return find_calls(root, names, unknown=self._options.unknown)
        tool = names.resolve(name)
        # A whole call may stand behind a head that names its tool already.
        found = find_calls(root, names)
        if len(found) == 1 and found[0].tool == tool and found[0].has_arguments:
            return found
        return [JsonCall(name, tool, None, root, has_arguments=True)]

    def _read(self, end: int, found: Sequence[JsonCall], reader: JsonReader) -> Written:
        """Return the calls of a value that was read to its end."""
        calls: list[Call] = []
        for call in found:
            arguments: dict[str, Any] = {}
            problem = reader.problem or call.problem
            try:
                arguments = read_object(call.arguments)
            except ValueError as err:
                problem = problem or f"arguments: {err}"
            if problem or call.name is None:
                reason = problem or "no name of a tool"
                calls.append(BrokenCall(call.name, call.tool, reason, ""))
            else:
                calls.append(DetectedCall(call.name, call.tool, arguments, ""))
        read = self._found(end, *calls)
        read.trailing = any(call.trailing for call in found)
        return read

    def _closes(self, at: int) -> bool:
        """Return whether the end of what stands around a value is at a position."""
        text, final = self._text, self._final
        if self._head.fence and text[at] == "`":
            return fence_end_at(text, at, behind_call=False, final=final) is not None
        tag = tag_at(text, at, final=final) if self._head.is_marked else None
        return tag is not None and tag.closes and tag.is_call


def _with_attributes(
    arguments: dict[str, Any], attributes: Mapping[str, str]
) -> dict[str, Any]:
    """Return arguments with those that stand in the tag before them."""
    for key, value in attributes.items():
        is_all = without_separators(key) in ARGUMENT_KEYS
        more = read_object(value) if is_all else {key: value}
        if not arguments.keys().isdisjoint(more):
            raise ValueError("an argument twice")
        arguments = arguments | more
    return arguments


def _needs_only_brackets(found: Sequence[JsonCall], reader: JsonReader) -> bool:
    """Return whether all calls of an unfinished value are there, but for brackets.

    That is so if the model closed the arguments. Where it did not, more of them may have
    been to come: an area that would have narrowed down what is switched off.
    """
    still_open = {id(container) for container in reader.stack}
    for call in found:
        if call.node is not None and not call.has_arguments:
            if id(call.node) in still_open:
                return False
        elif id(call.arguments) in still_open:
            return False
        elif isinstance(call.arguments, dict) and any(
            isinstance(value, dict) for value in call.arguments.values()
        ):
            # It may be that one that was closed.
            return False
    return reader.after_member
