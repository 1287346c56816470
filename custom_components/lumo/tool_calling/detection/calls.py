"""Reads the call at a position of a text, in whatever form.

    {"name": "HassTurnOff", "arguments": {"area": "Kitchen"}}              most of them
    <tool_call>HassTurnOff<arg_key>area</arg_key>...                       GLM
    <function=HassTurnOff><parameter=area>Kitchen</parameter></function>   Qwen
    <|channel|>commentary to=functions.HassTurnOff<|message|>{...}         gpt-oss
    <|tool_call>call:HassTurnOff{area:<|"|>Kitchen<|"|>}<tool_call|>       gemma
    [HassTurnOff(area="Kitchen")]                                          Llama, LFM

A call is a *head* (tags, tokens, few words, the name of a tool, each optional), and
behind it a value, or arguments in one of the spellings. What stands in a sentence, in
quotation marks, in a table or in code that explains is no call.
"""

from collections.abc import Sequence
from dataclasses import dataclass
import re
from typing import Any, Final

from ...text import letters_and_digits
from ..naming import ToolNames
from .call_words import ARGUMENT_KEYS, NAME_KEYS, REMARKS
from .json_calls import JsonCall, answer_in, find_calls, is_result
from .json_reader import BLANK, BLANKS, JsonReader, end_of, read_object
from .markup import Tag, closes, closing_tag, members, read_elements, tag_at, turn_at
from .pieces import BrokenCall, Call, DetectedCall, Dropped, Piece

# Up to where something was read, and what it is: nothing if it is words.
type Read = tuple[int, Sequence[Piece]]

_NOT_JSON: Final = "it is not written as JSON"
_INCOMPLETE: Final = "incomplete"
# What makes a quotation, or part of code, of what follows.
_QUOTES: Final = frozenset("`\"'“„«‹‘‚(=\\$%")
# Blanks, the marks of a block quote, a list's mark.
_LINE_START: Final = re.compile(rf"[{BLANK}>*+\-]*(?:\d+[.)])?[{BLANK}]*")
# `>>>` stands before calls of Functionary.
_QUOTED_LINE: Final = re.compile(r"\s*(?:\||>(?!>>))")

# Words that belong to tokens of a template, which are gone, at the start of a line; what
# code has before the name of a tool.
LEADS: Final = (
    *("functools", "analysis", "thought", "call:", "functions.", "default_api."),
    *("final<|", "final <|", "commentary<|", "commentary <|", "assistantfinal<|"),
    *("assistantfinal <|", "assistantcommentary<|", "assistantcommentary <|"),
    *("print(default_api.", "assistant<|"),
)
LEAD: Final = re.compile(
    r"(?:functools|analysis|thought|call:)(?=[<\[{])|(?:call:|functions\.|(?:print\()?default_api\.)(?=\w)"
    r"|(?:\[ ?|(?:assistant)?(?:commentary|final) ?|assistant)(?=<[|｜])"
)
CODE_LEAD: Final = re.compile(r"(?:print\()?(?:default_api\.|functions\.)?(?=\w)|")

# What heads are made of, beside tags and the name of a tool.
_MAX_PARTS: Final = 17
_WORDS: Final = re.compile(
    r"`{3,9}\w{0,12}[ \t]{0,9}\r?\n|(?P<calls>default_api\.|functions\.|call:|to=)"
    r"|print\(|await |(?:assistant|commentary|function|code|json)\b"
)
_BEHIND_NAME: Final = re.compile(
    r":\d{1,3}(?!\w)|[:,>→|*\"'”’;`]{1,2}(?!`)|\.\w{1,12}(?=\()|\](?=\s?\{)"
)
_WRITTEN_NAME: Final = re.compile(r"[^\W\d][\w.:/\-]{0,127}")
# One of no tool, where only that can stand.
_UNKNOWN_NAME: Final = re.compile(r"[^\W\d][\w.\-]{0,127}(?=(?::\d+)?\s*[({<\[])")
# `[HassTurnOff(...)]`, `[tool=...`, `[Calling tool: ...`.
_LIST: Final = re.compile(
    r"\[\s{0,4}(?:(?:calling|call|using|use|tool|function)(?:[ _]|(?=[:=]))){0,3}[:=]?\s{0,2}",
    re.IGNORECASE,
)
# A part of a head that the end of the text cuts.
_CUT_PART: Final = re.compile(
    r"\s*(?:<[^<>\n]{0,200}|\[/?[A-Z_]{0,12}|`{1,9}\w{0,12}[ \t]{0,9}\r?|[^\s<]{0,128}\s*)\Z"
)
_OBJECT_END: Final = re.compile(r"[\s,]*\)")
_BETWEEN: Final = re.compile(r"[\s,;]*")
# What may follow on the line of a call that is the whole line.
_LINE_REST: Final = re.compile(r"[ \t\r;.)\]]{0,20}[`*]{0,3}[ \t\r]{0,20}")
# Where the text of a call ends that cannot be read to its end.
_BROKEN_END: Final = re.compile(r"\n[ \t\r]*\n|\n[ \t]*(?=`{3})|(?=</[\w|｜])|\Z")
# What may stand behind a call that lacks its last brackets.
_CLOSED: Final = re.compile(
    r"\s*(?:(?:`{3,}|\[/\w+\]|<[/|｜][^<>\n]*(?:tool|func|call|invoke|act|end|eo)"
    r"[^<>\n]*>)\s*)*\Z"
)


@dataclass(slots=True)
class Answer:
    """The text of an answer, and what is taken for a call in it: see `CallReader`."""

    names: ToolNames
    unknown: bool
    json_only: bool
    text_only: bool
    text: str = ""
    was_cut: bool = False
    """More may follow what the text ends in."""
    has_called: bool = False


def at_line_start(line: str) -> bool:
    """Return whether only blanks and marks stand before something on its line."""
    return _LINE_START.fullmatch(line) is not None


def is_quoted(line: str) -> bool:
    """Return whether what follows on a line is quoted: by marks, or in a table."""
    return line[-1:] in _QUOTES or _QUOTED_LINE.match(line) is not None


class CallAt:
    """The call at a position: its head, and what stands behind it."""

    def __init__(self, answer: Answer, at: int, line: str) -> None:
        self._answer, self._line = answer, line
        self._names, self._text = answer.names, answer.text
        lead = None if line else LEAD.match(answer.text, at)
        # Where the head begins and ends.
        self._begin = self._end = lead.end() if lead else at
        self._name: str | None = None
        self._name_end = 0
        self._tags: list[Tag] = []
        # A tag, or a bracket, says that a call follows, of whatever tool; the tag that
        # names the tool has other attributes; a bracket opens a list.
        self._is_call, self._is_certain = False, answer.unknown
        self._has_attributes = self._in_list = False
        self.is_open = False
        """More text may make a call of what are words."""

    def read(self) -> Read:
        """Return what stands there: calls, an answer in JSON, a result, or words."""
        text, at = self._text, self._begin
        if text[at] in "{[" and is_quoted(self._line):
            return max(self._json(at).end, at + 1), []
        self._read_head()
        read = None
        if self._name is not None:
            read = self._named(self._name)
        elif self._is_call or self._end == at:
            read = self._value() if text[self._end : self._end + 1] in {*"{["} else None
        self._open(self._end)
        return read or (max(self._name_end, at + 1), [])

    def _open(self, at: int) -> None:
        self.is_open |= _CUT_PART.match(self._text, at) is not None

    def _json(self, at: int) -> JsonReader:
        reader = JsonReader(self._text, at)
        self.is_open |= not (reader.done or reader.failed)
        return reader

    # The head

    def _read_head(self) -> None:
        text = self._text
        for _ in range(_MAX_PARTS):
            at = end_of(BLANKS, text, self._end)
            end = self._part(at) if at < len(text) else None
            if end is None:
                if text[at : at + 1] != "(" or self._is_call or at == self._name_end:
                    self._end = at  # not `HassTurnOff (which ...)`
                return
            self._end = end

    def _part(self, at: int) -> int | None:
        """Take the part at a position; return its end, None if it is none."""
        text = self._text
        if text[at] in "<[" and (end := self._tag(at)):
            return end
        if self._name is None and (found := _LIST.match(text, at)):
            self._open(found.end())
            if end := self._name_at(found.end()):
                self._in_list = self._is_call = True
                return self._take_name(found.end(), end)
        if self._name is None and (end := self._name_at(at)):
            return self._take_name(at, end)
        if self._name and (found := _BEHIND_NAME.match(text, at)):
            return found.end()
        if found := _WORDS.match(text, at):
            if found["calls"]:
                self._is_call = self._is_certain = True
            return found.end()
        if self._name is None and self._is_call and self._is_certain:
            if found := _UNKNOWN_NAME.match(text, at):
                return self._take_name(at, found.end())
        return None

    def _take_name(self, at: int, end: int) -> int:
        self._name, self._name_end = self._text[at:end].rstrip(":/."), end
        return end

    def _name_at(self, at: int) -> int:
        """Return the end of the tool's name, behind a tag also a plain word; else 0."""
        if end := self._names.finder.end(self._text, at):
            return end
        found = _WRITTEN_NAME.match(self._text, at)
        if found is None or not (self._tags or self._is_call):
            return 0
        is_tool = self._names.resolve(found[0].rstrip(":/.")) is not None
        return found.end() if is_tool or self._names.has_prefix(found[0]) else 0

    def _tag(self, at: int) -> int | None:
        """Take a tag of the head; return its end."""
        tag = tag_at(self._text, at)
        if tag is None or turn_at(self._text, at, was_cut=self._answer.was_cut):
            return None
        if tag.word == "server_name":
            close = closing_tag(self._text, tag.end, [tag])
            self.is_open |= close is None
            return close[1] if close and not tag.closes else None
        names_it = "name" in tag.parts
        if tag.closes:
            return tag.end if self._name and names_it else None
        name, has_attributes = self._named_by(tag)
        is_call = "call" in tag.kinds or name is not None
        if "parameter" in tag.kinds:
            wraps = letters_and_digits(tag.word) in ARGUMENT_KEYS and not tag.rest
            fits = self._name is not None and wraps
        elif self._name is None:
            fits = is_call or "token" in tag.kinds or (names_it and self._is_call)
        else:
            resolve = self._names.resolve
            is_same = name is None or resolve(name) == resolve(self._name)
            fits = is_same and (is_call or "token" in tag.kinds)
        if not fits:
            return None
        self._tags.append(tag)
        self._is_call |= is_call
        self._is_certain |= tag.kinds >= {"call", "token"}
        if name is not None:
            self._name, self._name_end = name, tag.end
            self._has_attributes = has_attributes
        return tag.end

    def _named_by(self, tag: Tag) -> tuple[str | None, bool]:
        """Return the tool that a tag names, and whether it has other attributes."""
        finder, names = self._names.finder, self._names
        name = tag.word if finder.is_name(tag.word) else None
        has_others = False
        for key, value in tag.attributes:
            plain = letters_and_digits(key)
            is_tool = finder.is_name(value)
            if "call" in tag.kinds and plain in {"", *NAME_KEYS} and not is_tool:
                is_tool = names.has_prefix(value) or names.resolve(value) is not None
                is_tool = is_tool or self._answer.unknown or "token" in tag.kinds
            if name is None and is_tool:
                name = value
            elif plain not in REMARKS | {"type", "string"}:
                has_others = True
        return name, has_others

    # Arguments behind a name

    def _asked_for(self, end: int, reason: str, name: str | None = None) -> Read:
        name = name or self._name or ""
        return end, [BrokenCall(name, self._names.resolve(name), reason, "")]

    def _named(self, name: str) -> Read | None:
        """Read the arguments behind a name, or pass it where it is only mentioned."""
        text, line, is_marked = self._text, self._line, self._tags or self._is_call
        # A name may stand alone in a code span, and its arguments behind that.
        in_span = line[-1:] == "`" == text[self._name_end : self._name_end + 1]
        if not is_marked and is_quoted(line) and not in_span:
            return None
        read = self._arguments(name)
        if read is None or (is_marked and not self._answer.json_only):
            return read
        rest = end_of(_LINE_REST, text, read[0])
        is_line = text[rest : rest + 1] in {"", "\n", "<"}
        is_alone = at_line_start(line) and not line[:1].isspace()
        if self._answer.json_only:
            return read[0], []
        if is_line and is_alone:
            return read
        if is_line or (is_alone and text[rest] in ",="):
            return self._asked_for(read[0], _NOT_JSON)
        return read[0], []  # it stands in a sentence

    def _arguments(self, name: str) -> Read | None:
        text, begin = self._text, self._end
        char = text[begin : begin + 1]
        if self._has_attributes:
            return self._asked_for(_broken_end(text, begin), _NOT_JSON)
        if char == "{":
            return self._value()
        if char == "(":
            return self._pythonic(name)
        if not self._is_call:
            return None
        try:
            items, end = read_elements(text, begin)
            arguments = members(items)
            close = end_of(BLANKS, text, end)
            tag = tag_at(text, close)
            is_closed = self._in_list and text.startswith("]", close)
            if is_closed and not items:
                return None  # a link
            if is_closed or closes(tag, self._tags):
                tool = self._names.resolve(name)
                return close, [DetectedCall(name, tool, arguments, "")]
            reason = _INCOMPLETE
        except ValueError as err:
            reason = str(err)
        found = closing_tag(text, begin, self._tags)
        return self._asked_for(found[0] if found else _broken_end(text, begin), reason)

    def _pythonic(self, name: str) -> Read:
        """Read a call in Python, and those behind it in a list or tag."""
        text, at = self._text, self._end
        calls: list[Call] = []
        while True:
            inner = end_of(BLANKS, text, at + 1)
            is_object = text[inner : inner + 1] == "{"
            reader = JsonReader(text, inner if is_object else at)
            found = _OBJECT_END.match(text, reader.end) if is_object else None
            end = found.end() if found else reader.end
            if not reader.done or (is_object and found is None):
                end = text.find(")", reader.end) + 1 or _broken_end(text, at)
                return end, [*calls, *self._asked_for(end, _NOT_JSON, name)[1]]
            call = JsonCall(name, self._names.resolve(name), None, reader.root)
            calls.append(_called(call, reader.problem))
            begin = end_of(_BETWEEN, text, end)
            at = self._name_at(begin) if self._is_call else 0
            if not at or text[at : at + 1] != "(":
                return end, calls
            name = text[begin:at]

    # JSON

    def _value(self) -> Read | None:
        """Read the value behind a head: a call, several, or arguments of a named one."""
        text = self._text
        # Of two braces the first was left over from a template.
        begin = self._end + text.startswith("{{", self._end)
        reader = self._json(begin)
        end = reader.end if reader.done or reader.failed else len(text)
        root, found = reader.root, self._find(reader.root)
        match root:
            case {"type": "function"} if reader.failed and not found:
                # A template that was not filled in was seen.
                found = [JsonCall(None, None, root)]
        if not found:
            is_line = reader.done and at_line_start(self._line)
            if is_line and self._answer.has_called and is_result(root):
                return end, [Dropped("", "a result")]
            answer = answer_in(root) if is_line else None
            return end, [] if answer is None else [answer]
        is_closed = not self._answer.was_cut and _CLOSED.match(text, end)
        problem = reader.problem
        if not (reader.done or (is_closed and _needs_only_brackets(found, reader))):
            problem = reader.failed or _INCOMPLETE
            # A string may have swallowed what follows: it is looked for from the start.
            end = _broken_end(text, begin)
        return end, [_called(call, problem) for call in found]

    def _find(self, root: Any) -> list[JsonCall]:
        names, name = self._names, self._name
        if name is None:
            return find_calls(root, names, unknown=self._answer.unknown)
        tool = names.resolve(name)
        # A whole call may stand behind a head that names its tool already.
        found = find_calls(root, names)
        if len(found) == 1 and found[0].tool == tool and found[0].has_arguments:
            return found
        return [JsonCall(name, tool, None, root, has_arguments=True)]


def _called(call: JsonCall, problem: str | None) -> Call:
    problem = problem or call.problem
    try:
        arguments = read_object(call.arguments)
    except ValueError as err:
        arguments, problem = {}, problem or f"arguments: {err}"
    if problem or call.name is None:
        return BrokenCall(call.name, call.tool, problem or "no name of a tool", "")
    return DetectedCall(call.name, call.tool, arguments, "")


def _broken_end(text: str, at: int) -> int:
    found = _BROKEN_END.search(text, at)
    return found.start() if found else len(text)


def _needs_only_brackets(found: Sequence[JsonCall], reader: JsonReader) -> bool:
    """Return whether the model closed the arguments of all calls.

    Where it did not, more may have been to come: an area that narrows what is meant.
    """
    still_open = {id(container) for container in reader.stack}
    return reader.after_member and all(
        id(call.arguments if call.has_arguments else call.node) not in still_open
        # It may be one in the arguments that was closed.
        and not (
            isinstance(call.arguments, dict)
            and any(isinstance(value, dict) for value in call.arguments.values())
        )
        for call in found
    )
