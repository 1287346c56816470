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
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
import re
from typing import Any, Final, NamedTuple

from ..naming import ToolNames
from .call_words import NAME_KEYS, REMARKS, without_separators
from .json_calls import JsonCall, answer_in, find_calls, holds_arguments, is_result
from .json_reader import BLANK, BLANKS, JsonReader, end_of, read_object
from .markup import Tag, closing_tag, tag_at
from .pieces import BrokenCall, Call, DetectedCall
from .spelled import read_parameters

NOT_JSON: Final = "it is not written as JSON"
INCOMPLETE: Final = "incomplete"
# What makes a quotation, or part of code, of what follows.
QUOTES: Final = frozenset("`\"'“„«‹‘‚(=\\$%")
# Blanks, the marks of a block quote, a list's mark.
_LINE_START: Final = re.compile(rf"[{BLANK}>*+\-]*(?:\d+[.)])?[{BLANK}]*")
# `>>>` stands before calls of Functionary.
_QUOTED_LINE: Final = re.compile(r"\s*(?:\||>(?!>>))")


@dataclass(slots=True)
class CallOptions:
    """What is taken for a call."""

    names: ToolNames
    unknown: bool
    """JSON calls of tools that do not exist are calls, too."""
    json_only: bool
    """Calls in other forms are words: somebody asked what they look like."""
    text_only: bool
    begin: re.Pattern[str]
    """Where a call may begin, and where one or somebody's turn, behind a call."""
    begin_behind: re.Pattern[str]
    was_cut: bool = False
    """More may follow what the text ends in."""


class Place(NamedTuple):
    """Where in an answer something stands."""

    line: str
    """What stands before it on its line."""
    last: str
    """The character before it."""
    in_data: bool
    """In no code block, or one of data."""
    behind_call: bool

    @property
    def at_line_start(self) -> bool:
        """Whether nothing but blanks and marks stands before it on its line."""
        return _LINE_START.fullmatch(self.line) is not None

    @property
    def is_quoted(self) -> bool:
        """Whether what begins here is quoted: in quotation marks, a table, a quote."""
        return self.last in QUOTES or _QUOTED_LINE.match(self.line) is not None


@dataclass(slots=True)
class Written:
    """What was read at a position: calls, an answer in JSON, a result, or just words."""

    end: int
    calls: Sequence[Call] = ()
    answer: str | None = None
    is_result: bool = False
    has_arguments: bool = False
    """It is an object that has the arguments of a call, but no name."""
    in_fence: bool = False


# Heads: what stands before the value or the arguments

_MAX_PARTS: Final = 17
_FILLER: Final = re.compile(
    r"print\(|default_api\.|functions\.|tools\.|await |call:|to=|recipient="
    r"|assistant|commentary|functools|function|code|json"
)
_GAP: Final = re.compile(r":\d{1,3}(?!\w)|[:,>→|*\"'”’;`]{1,2}(?!`)|\.\w{1,12}(?=\()")
_FENCE: Final = re.compile(r"`{3,9}\w{0,12}[ \t]{0,9}\r?\n")
_WRITTEN_NAME: Final = re.compile(r"[^\W\d][\w.:/\-]{0,127}")
# `[HassTurnOff(...)]`, `[tool=...`, `[Calling tool: ...`.
_LIST_LEAD: Final = re.compile(
    r"\[\s{0,4}(?:(?:calling|call|using|use|tool|function)(?:[ _]|(?=[:=]))){0,3}[:=]?\s{0,2}",
    re.IGNORECASE,
)


_OBJECT_END: Final = re.compile(r"[\s,]*\)")
_BETWEEN: Final = re.compile(r"[\s,;]*")
_LIST_END: Final = re.compile(r">\s*(?=\])")
# What may follow on the line of a call that is the whole line.
_LINE_REST: Final = re.compile(r"[ \t\r;)\]]{0,20}[`*]{0,3}[ \t\r]{0,20}")
# Where the text of a call ends that cannot be read to its end.
_BROKEN_END: Final = re.compile(r"\n[ \t\r]*\n|\n[ \t]*(?=`{3})|(?=</[\w|｜])|\Z")
# What may stand behind a call that lacks its last brackets.
_CLOSED: Final = re.compile(
    r"\s*(?:(?:`{3,}|\[/\w+\]|<[/|｜][^<>\n]*(?:tool|func|call|invoke|act|end|eo)"
    r"[^<>\n]*>)\s*)*\Z"
)


def read_call(options: CallOptions, text: str, at: int, place: Place) -> Written:
    """Return what stands at a position where something may begin."""
    return _CallAt(options, text, at, place).read()


class _CallAt:
    """Reads the head of a call, and what stands behind it."""

    def __init__(self, options: CallOptions, text: str, at: int, place: Place) -> None:
        self._options, self._names = options, options.names
        self._text, self._at, self._place = text, at, place
        # Where the head ends, and the tags and tokens with which it begins.
        self._end = self._tags_end = at
        self._name: str | None = None
        self._name_end = 0
        self._tags: list[Tag] = []
        # A tag, or a bracket, says that a call follows; the tag that names the tool has
        # other attributes; a bracket opens a list; a code block is open.
        self._is_call = self._has_attributes = self._in_list = self._in_fence = False

    @property
    def _is_marked(self) -> bool:
        return bool(self._tags) or self._is_call

    def read(self) -> Written:
        text, at = self._text, self._at
        if text[at] in "{[" and self._place.is_quoted:
            return Written(max(JsonReader(text, at).end, at + 1))
        self._read_head()
        read = Written(at)
        if self._name is not None:
            read = self._named(self._name)
        elif text[self._end : self._end + 1] in {"{", "["}:
            if self._is_call or self._end == at:
                read = self._value()
        if read.end == at:
            read.end = max(self._tags_end, self._name_end, at + 1)
        return read

    # The head

    def _read_head(self) -> None:
        text = self._text
        for _ in range(_MAX_PARTS):
            at = end_of(BLANKS, text, self._end)
            if at == len(text):
                return
            before, self._end = self._end, at
            end = self._part(at)
            if end is None:
                if text[at] == "(" and before == self._name_end and not self._is_call:
                    self._end = before  # `HassTurnOff (which ...)`
                return
            if text[at] in "<[" and self._tags_end in {self._at, before}:
                self._tags_end = end
            self._end = end

    def _part(self, at: int) -> int | None:
        """Take the part at a position; return its end, None if it is none."""
        text = self._text
        if text[at] in "{(":
            return None
        if text[at] in "<[":
            end = self._tag(at)
            return self._list(at) if end is None and text[at] == "[" else end
        if self._name is None and (end := self._name_at(at)):
            self._name, self._name_end = text[at:end].rstrip(":/."), end
            return end
        if not self._is_marked and (self._name is None or text[at].isalnum()):
            return None
        if self._place.in_data and (fence := _FENCE.match(text, at)):
            self._in_fence = True
            return fence.end()
        found = _GAP.match(text, at) if self._name else None
        if found is None and self._is_marked:
            found = _FILLER.match(text, at)
        return found.end() if found else None

    def _name_at(self, at: int) -> int:
        """Return the end of the tool's name at a position; 0 if there is none.

        Behind a tag it may be a plain word, but none that stands in heads.
        """
        if end := self._names.finder.end(self._text, at):
            return end
        found = _WRITTEN_NAME.match(self._text, at) if self._is_marked else None
        if found is None or _FILLER.fullmatch(found[0]):
            return 0
        is_tool = self._names.resolve(found[0].rstrip(":/.")) is not None
        return found.end() if is_tool or self._names.has_prefix(found[0]) else 0

    def _tag(self, at: int) -> int | None:
        tag = tag_at(self._text, at)
        if tag is None or tag.is_parameter:
            return None
        if tag.closes:
            return tag.end if self._name and "name" in tag.parts else None
        name, has_attributes = self._named_by(tag)
        if self._name is not None and (name or not tag.is_token):
            return None
        if tag.is_thought or tag.is_result or tag.is_shown or tag.word == "INST":
            return None
        if not (tag.is_token or tag.is_call or name):
            return None
        self._tags.append(tag)
        self._is_call |= tag.is_call or name is not None
        if name is not None:
            self._name, self._name_end = name, tag.end
            self._has_attributes = has_attributes
        return tag.end

    def _named_by(self, tag: Tag) -> tuple[str | None, bool]:
        """Return the tool that a tag names, and whether it has other attributes.

        `<function=HassTurnOff>`, `<invoke name="HassTurnOff">`, `<HassTurnOff>`. In tags
        that are not of calls only a name counts that nobody writes by accident.
        """
        finder, names = self._names.finder, self._names
        name = tag.word if finder.is_name(tag.word) else None
        has_others = False
        for key, value in tag.attributes:
            plain = without_separators(key)
            is_tool = finder.is_name(value)
            if tag.is_call and plain in {"", *NAME_KEYS} and not is_tool:
                is_tool = names.has_prefix(value) or names.resolve(value) is not None
                is_tool = is_tool or self._options.unknown
            if name is None and is_tool:
                name = value
            elif plain not in REMARKS | {"type", "string"}:
                has_others = True
        return name, has_others

    def _list(self, at: int) -> int | None:
        lead = end_of(_LIST_LEAD, self._text, at)
        if self._name is not None or not (end := self._name_at(lead)):
            return None
        self._name, self._name_end = self._text[lead:end], end
        self._in_list = self._is_call = True
        return end

    # Arguments behind a name

    def _found(self, end: int, *calls: Call) -> Written:
        return Written(end, calls, in_fence=self._in_fence)

    def _asked_for(self, end: int, reason: str) -> Written:
        """Return a named call that cannot run."""
        name = self._name or ""
        return self._found(end, BrokenCall(name, self._names.resolve(name), reason, ""))

    def _named(self, name: str) -> Written:
        """Read the arguments behind a name, or pass it where it is only mentioned."""
        text, place = self._text, self._place
        # A name may stand alone in a code span, and its arguments behind that.
        in_span = place.last == "`" == text[self._name_end : self._name_end + 1]
        if not self._is_marked and place.is_quoted and not in_span:
            return Written(self._name_end)
        read = self._arguments(name)
        if self._options.json_only and read.calls:
            return Written(read.end)
        if not read.calls or self._is_marked:
            return read
        rest = end_of(_LINE_REST, text, read.end)
        is_line = text[rest : rest + 1] in {"", "\n"}
        is_line = is_line or text.startswith("```", read.end)
        is_alone = place.at_line_start and not place.line[:1].isspace()
        if is_line and is_alone:
            return read
        if is_line or (is_alone and text[rest] in ",="):
            return self._asked_for(read.end, NOT_JSON)
        return Written(read.end)  # it stands in a sentence

    def _arguments(self, name: str) -> Written:
        """Read what stands behind the name of a tool."""
        text = self._text
        char = text[self._end : self._end + 1]
        if self._has_attributes:
            return self._asked_for(_broken_end(text, self._end), NOT_JSON)
        if char == "{":
            return self._value()
        if char == "(":
            return self._pythonic(name)
        if not self._is_call:
            return Written(self._at)
        begin, end = self._end, -1
        if self._in_list and (found := _LIST_END.search(text, begin)):
            end = found.end()
        elif not self._in_list and (close := closing_tag(text, begin, self._tags)):
            end = close[0]
        if end < 0:
            return self._asked_for(_broken_end(text, begin), INCOMPLETE)
        try:
            arguments = read_parameters(text[begin:end])
        except ValueError as err:
            return self._asked_for(end, str(err))
        tool = self._names.resolve(name)
        return self._found(end, DetectedCall(name, tool, arguments, ""))

    def _pythonic(self, name: str) -> Written:
        """Read a call in Python, and those behind it in a list or tag."""
        text, at = self._text, self._end
        calls: list[Call] = []
        while True:
            inner = end_of(BLANKS, text, at + 1)
            is_object = text[inner : inner + 1] == "{"
            reader = JsonReader(text, inner if is_object else at)
            found = _OBJECT_END.match(text, reader.end) if is_object else None
            end = found.end() if found else reader.end
            tool = self._names.resolve(name)
            if not reader.done or (is_object and found is None):
                close = text.find(")", reader.end) + 1
                self._name = name
                broken = self._asked_for(close or _broken_end(text, at), NOT_JSON)
                return self._found(broken.end, *calls, *broken.calls)
            if reader.problem:
                calls.append(BrokenCall(name, tool, reader.problem, ""))
            else:
                calls.append(DetectedCall(name, tool, reader.root, ""))
            begin = end_of(_BETWEEN, text, end)
            at = self._name_at(begin) if self._is_call else 0
            if not at or text[at : at + 1] != "(":
                return self._found(end, *calls)
            name = text[begin:at]

    # JSON

    def _value(self) -> Written:
        """Read the value behind a head: a call, several, or arguments of a named one."""
        text, place = self._text, self._place
        # Of two braces the first was left over from a template.
        begin = self._end + text.startswith("{{", self._end)
        reader = JsonReader(text, begin)
        end = reader.end if reader.done or reader.failed else len(text)
        found = self._find(reader.root)
        if reader.done and found:
            return self._read(end, found, reader)
        root = reader.root
        if reader.failed and not found and isinstance(root, dict):
            # A template that was not filled in was seen.
            if root.get("type") == "function":
                found = [JsonCall(None, None, root)]
        if reader.done and place.at_line_start and place.in_data:
            if place.behind_call and is_result(reader.root):
                return Written(end, is_result=True)
            if (answer := answer_in(reader.root)) is not None:
                return Written(end, answer=answer, in_fence=self._in_fence)
        if not found:
            return Written(end, has_arguments=holds_arguments(reader.root))
        if not self._options.was_cut and _CLOSED.match(text, end):
            if _needs_only_brackets(found, reader):
                return self._read(end, found, reader)
        # A string may have swallowed what follows, so it is looked for from the start.
        reason = reader.failed or INCOMPLETE
        broken = [BrokenCall(call.name, call.tool, reason, "") for call in found]
        return self._found(_broken_end(text, begin), *broken)

    def _find(self, root: Any) -> list[JsonCall]:
        names, name = self._names, self._name
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
        return self._found(end, *calls)


def _broken_end(text: str, at: int) -> int:
    """Return where the text of a call ends that cannot be read."""
    found = _BROKEN_END.search(text, at)
    return found.start() if found else len(text)


def _needs_only_brackets(found: Sequence[JsonCall], reader: JsonReader) -> bool:
    """Return whether all calls of an unfinished value are there, but for brackets.

    That is so if the model closed the arguments. Where it did not, more of them may have
    been to come: an area that would have narrowed down what is switched off.
    """
    still_open = {id(container) for container in reader.stack}
    return reader.after_member and all(
        id(call.arguments if call.has_arguments else call.node) not in still_open
        # It may be one in the arguments that was closed.
        and not any(isinstance(value, dict) for value in _values(call.arguments))
        for call in found
    )


def _values(arguments: Any) -> Iterable[Any]:
    return arguments.values() if isinstance(arguments, dict) else ()
