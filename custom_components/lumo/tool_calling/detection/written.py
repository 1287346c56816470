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
changes with the text that follows. Only JSON may be long before it is clear, so its
reader goes on where it stopped; all else is bounded, or asked rarely by the caller.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
import re
from typing import Any, Final, NamedTuple

from ..naming import ToolNames
from .call_words import ARGUMENT_KEYS, NAME_KEYS, REMARKS, without_separators
from .json_calls import (
    JsonCall,
    answer_in,
    declares_call,
    find_calls,
    holds_arguments,
    is_result,
)
from .json_reader import BLANK, BLANKS, JsonReader, end_of, is_escaped, read_object
from .markup import Fence, NeedsMore, Tag, bracket_at, closing_tag, fence_end_at, tag_at
from .pieces import BrokenCall, Call, DetectedCall
from .spelled import GEMMA_QUOTE, bracket_end, read_gemma, read_parameters, read_python

NOT_JSON: Final = "it is not written as JSON"
INCOMPLETE: Final = "incomplete"
# A head has no more parts, and no longer blanks.
_MAX_PARTS: Final = 16
_MAX_BLANKS: Final = 400
# What makes a quotation, or part of code, of what follows.
_QUOTES: Final = frozenset("`\"'“„«‹‘‚(=\\$%")
# Blanks, the marks of a block quote, a list's mark.
_LINE_START: Final = re.compile(rf"[{BLANK}>*+\-]*(?:\d+[.)])?[{BLANK}]*")
# `>>>` stands before calls of Functionary.
_QUOTED_LINE: Final = re.compile(r"\s*(?:\||>(?!>>))")


class EscapedError(Exception):
    """The text is escaped from a position on, and has to be read without escapes."""

    def __init__(self, at: int) -> None:
        """Take the position."""
        super().__init__()
        self.at = at


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


@dataclass(slots=True)
class _Head:
    """What stands before the value or the arguments of a call."""

    start: int
    at: int
    """Where it ends."""
    tags_end: int
    """Where the tags and tokens end with which it begins."""
    fence: str = ""
    """The backticks of the code block that is open around the value."""
    parts: int = 0
    name: str | None = None
    name_end: int = 0
    tags: list[Tag] = field(default_factory=list)
    is_call: bool = False
    """A tag, or a bracket, says that a call follows."""
    attributes: dict[str, str] = field(default_factory=dict)
    """Those of the tag that names the tool, but for the name."""
    is_empty: bool = False
    in_list: bool = False

    @property
    def is_marked(self) -> bool:
        """Return whether a tag or token stands before the name or the value."""
        return bool(self.tags) or self.is_call


# What may stand in a head before the name, beside tags and tokens, and behind it.
_FILLERS: Final = (
    *("print(", "default_api.", "functions.", "tools.", "await ", "call:", "to="),
    *("recipient=", "assistant", "commentary", "function", "functools", "code", "json"),
)
_FILLER: Final = re.compile("|".join(map(re.escape, _FILLERS)))
_GAP: Final = re.compile(r":\d{1,3}(?!\w)|[:,>→|*\"'”’;`]{1,2}(?!`)|\.\w{1,12}(?=\()")
_MAY_BE_GAP: Final = re.compile(r"(?:[:,>→|*\"'”’;`]{1,2}|:\d{1,3}|\.\w{0,12})\Z")
_FENCE: Final = re.compile(r"(`{3,})\w{0,12}[ \t]{0,9}\r?\n")
_MAY_BE_FENCE: Final = re.compile(r"`{1,9}\w{0,12}[ \t]{0,9}\r?\Z")
_WRITTEN_NAME: Final = re.compile(r"[^\W\d][\w.:/\-]{0,127}")
# `[HassTurnOff(...)]`, `[tool=...`, `[Calling tool: ...`.
_LIST_LEAD: Final = re.compile(
    r"\[\s{0,4}(?:(?:calling|call|using|use|tool|function)(?:[ _]|(?=[:=]))){0,3}[:=]?\s{0,2}",
    re.IGNORECASE,
)
_MAY_BE_LIST_LEAD: Final = re.compile(
    r"\[\s{0,4}(?:[ctuf][a-z _]{0,20}[:=]?\s{0,2})?\Z", re.IGNORECASE
)
# Kimi K3's tag without its tokens.
_BARE_TAG: Final = re.compile(r"\bcall tool=\"\Z")
_BETWEEN: Final = re.compile(r"[\s,;]*")
_LIST_END: Final = re.compile(r">\s*(?=\])")
# What may follow on the line of a call that is the whole line.
_LINE_REST: Final = re.compile(r"[ \t\r;)\]]{0,20}[`*]{0,3}[ \t\r]{0,20}")


class WrittenCalls:
    """Reads calls of the tools that `names` knows; see the module."""

    def __init__(self, names: ToolNames, *, unknown: bool, json_only: bool) -> None:
        """With `unknown` JSON calls of tools that do not exist are calls, too.

        With `json_only` calls of other forms are words: somebody asked for them.
        """
        self._names = names
        self._finder = names.finder
        self._unknown = unknown
        self._json_only = json_only
        self._json = JsonReader()
        self._json_at = self._json_end = -1
        self.was_cut = False
        """The answer was cut off: what it ends in may have had more members."""

    def forget(self) -> None:
        """Take the next text for another one."""
        self._json_at = -1

    def read(self, text: str, at: int, place: Place, *, final: bool) -> Read:
        """Read what stands at a position, where a beginning was found."""
        if text[at] in "{[" and place.is_quoted:
            return Passed(max(self._feed(text, at, final)[1], at + 1))
        head = self._head(text, at, place, final)
        if head.name is not None:
            read = self._named(text, head, place, final)
        elif text[head.at : head.at + 1] in {"{", "["} and (
            head.is_call or not head.parts
        ):
            read = self._value(text, head, place, final)
        else:
            read = Passed(at)
        if isinstance(read, Written) or read.end > at:
            return read
        return Passed(max(head.tags_end, head.name_end, at + 1))

    # Heads

    def _head(self, text: str, start: int, place: Place, final: bool) -> _Head:
        """Read what may stand before a value or arguments."""
        fence = place.block.run if place.block is not None else ""
        head = _Head(start, start, start, fence)
        while head.parts <= _MAX_PARTS:
            at = end_of(BLANKS, text, head.at)
            if at == len(text):
                if not final and at - head.at < _MAX_BLANKS:
                    raise NeedsMore
                break
            before, head.at = head.at, at
            end = self._part(text, at, head, final)
            if end is None:
                if (
                    before == head.name_end < at
                    and text[at] == "("
                    and not head.is_call
                ):
                    head.at = before  # `HassTurnOff (which ...)`
                break
            if text[at] in "<[" and head.tags_end in {start, before}:
                head.tags_end = end
            head.at = end
            head.parts += 1
        return head

    def _part(self, text: str, at: int, head: _Head, final: bool) -> int | None:
        """Take the part of a head at a position; return its end, None if it is none."""
        if text[at] in "{(":
            return None
        if text[at] == "<":
            return self._tag_part(text, at, head, final)
        if text[at] == "[":
            return self._bracket_part(text, at, head, final)
        if text[at] == "`" and (head.name or head.is_marked) and not head.fence:
            if not final and _MAY_BE_FENCE.match(text, at):
                raise NeedsMore
            if fence := _FENCE.match(text, at):
                head.fence = fence[1]
                return fence.end()
        if head.name is None:
            if end := self._name_end(text, at, head, final):
                head.name, head.name_end = text[at:end].rstrip(":/."), end
                return end
            return self._filler_end(text, at, final) if head.is_marked else None
        if not final and _MAY_BE_GAP.match(text, at):
            raise NeedsMore
        if found := _GAP.match(text, at):
            return found.end()
        return self._filler_end(text, at, final) if head.is_marked else None

    def _filler_end(self, text: str, at: int, final: bool) -> int | None:
        if (found := _FILLER.match(text, at)) is not None:
            return found.end()
        begun = text[at : at + 12]
        if not final and any(filler.startswith(begun) for filler in _FILLERS):
            raise NeedsMore
        return None

    def _tag_part(self, text: str, at: int, head: _Head, final: bool) -> int | None:
        tag = tag_at(text, at, final=final)
        if tag is None or tag.is_parameter:
            # But for GLM's stray `</arg_value>` behind a name.
            stray = (
                tag is not None and tag.closes and at == head.name_end and head.is_call
            )
            return tag.end if tag is not None and stray else None
        if tag.closes:
            return tag.end if head.name and "name" in tag.parts else None
        name, attributes = self._named_by(tag)
        if head.name is not None and (name or not tag.is_token):
            return None
        if tag.is_thought or tag.is_result or tag.is_shown:
            return None
        if not (tag.is_token or tag.is_call or name):
            return None
        head.tags.append(tag)
        head.is_call |= tag.is_call or name is not None
        if name is not None:
            head.name, head.name_end = name, tag.end
            head.attributes, head.is_empty = attributes, tag.is_empty
        return tag.end

    def _named_by(self, tag: Tag) -> tuple[str | None, dict[str, str]]:
        """Return the tool that a tag names, and its other attributes.

        `<function=HassTurnOff>`, `<invoke name="HassTurnOff">`, `<HassTurnOff>`. In tags
        that are not of calls only a name counts that nobody writes by accident.
        """
        name, others = None, {}
        for key, value in tag.attributes:
            plain = without_separators(key)
            is_key = tag.is_call and plain in {"", *NAME_KEYS}
            if name is None and (
                self._finder.is_name(value) or (is_key and self._is_tool(value))
            ):
                name = value
            elif plain not in REMARKS | {"type", "string"}:
                others[key] = value
        if name is None and self._finder.is_name(tag.word):
            name = tag.word
        return name, others

    def _is_tool(self, name: str) -> bool:
        """Return whether a tool is meant by a name where one is expected."""
        is_offered = self._names.resolve(name) is not None
        return is_offered or self._unknown or self._names.has_prefix(name)

    def _bracket_part(self, text: str, at: int, head: _Head, final: bool) -> int | None:
        if found := bracket_at(text, at, final=final):
            word, closes, end = found
            if closes or word in {"inst", "think", "tool_results"}:
                return None
            head.is_call = True
            return end_of(re.compile(r"\w*"), text, end) if word == "call_id" else end
        if head.name is not None:
            return None
        if not final and _MAY_BE_LIST_LEAD.match(text, at):
            raise NeedsMore
        lead = end_of(_LIST_LEAD, text, at)
        if end := self._name_end(text, lead, head, final):
            head.name, head.name_end = text[lead:end], end
            head.in_list = head.is_call = True
            return end
        return None

    def _name_end(self, text: str, at: int, head: _Head, final: bool) -> int:
        """Return the end of the tool's name at a position; 0 if there is none.

        Behind a tag it may be a plain word, but none that stands in heads.
        """
        if name := self._finder.at(text, at, final=final):
            return at + len(name)
        found = _WRITTEN_NAME.match(text, at) if head.is_marked else None
        if found is None:
            return 0
        if found.end() == len(text) and not final:
            raise NeedsMore
        if found[0] in _FILLERS:
            return 0
        is_tool = self._names.resolve(found[0].rstrip(":/.")) is not None
        return found.end() if is_tool or self._names.has_prefix(found[0]) else 0

    # Arguments behind a name

    def _named(self, text: str, head: _Head, place: Place, final: bool) -> Read:
        """Read the arguments behind a name, or pass it where it is only mentioned."""
        # A name may stand alone in a code span, and its arguments behind that.
        in_span = place.last == "`" == text[head.name_end : head.name_end + 1]
        if not head.is_marked and place.is_quoted and not in_span:
            if _BARE_TAG.search(place.line) is None:
                return Passed(head.name_end)
            end = self._extent(text, head.name_end, head, 0, final)
            return self._asked_for(text, head, end, NOT_JSON)
        read = self._arguments(text, head, place, final)
        if self._json_only and head.name is not None and isinstance(read, Written):
            return Passed(read.end)
        if isinstance(read, Passed) or head.is_marked:
            return read
        rest = end_of(_LINE_REST, text, read.end)
        if rest == len(text) and not final:
            raise NeedsMore
        is_line = text[rest : rest + 1] in {"", "\n"} or text.startswith(
            "```", read.end
        )
        is_alone = place.at_line_start and not place.line[:1].isspace()
        if is_line and is_alone:
            return read
        if is_line or (is_alone and text[rest] in ",="):
            return self._asked_for(text, head, read.end, NOT_JSON)
        return Passed(read.end)  # it stands in a sentence

    def _arguments(self, text: str, head: _Head, place: Place, final: bool) -> Read:
        """Read what stands behind the name of a tool."""
        at = head.at
        char = "" if head.is_empty else text[at : at + 1]
        if char == "{" and not head.attributes:
            return self._value(text, head, place, final)
        if char == "(":
            read = self._spelled(text, head, bracket_end(text, at), read_python, final)
            return self._more(text, head, read, final) if head.is_call else read
        if not head.is_call:
            return Passed(head.start)
        if head.is_empty:
            end: int | None = at
        elif head.in_list:
            found = _LIST_END.search(text, at)
            end = None if found is None else found.end()
        else:
            close = closing_tag(text, at, head.tags)
            end = None if close is None else close[0]
        return self._spelled(text, head, end, read_parameters, final)

    def _more(self, text: str, head: _Head, read: Written, final: bool) -> Written:
        """Read what else is called behind a call in a list or a tag."""
        at = end_of(_BETWEEN, text, read.end)
        end = self._name_end(text, at, head, final)
        if max(at, end) == len(text) and not final:
            raise NeedsMore
        if not end or text[end : end + 1] != "(":
            return read
        other = replace(head, name=text[at:end], name_end=end, at=end)
        close = bracket_end(text, end)
        more = self._spelled(text, other, close, read_python, final)
        more.calls = [*read.calls, *more.calls]
        return self._more(text, head, more, final)

    def _spelled(
        self,
        text: str,
        head: _Head,
        end: int | None,
        read: Callable[[str], dict[str, Any]],
        final: bool,
    ) -> Written:
        """Return the call whose arguments stand behind a head, up to `end`."""
        if end is None:
            if not final:
                raise NeedsMore
            end = self._extent(text, head.at, head, 0, final)
            return self._asked_for(text, head, end, INCOMPLETE)
        try:
            arguments = _with_attributes(
                read(text[head.at : end]) if end > head.at else {}, head.attributes
            )
        except ValueError as err:
            return self._asked_for(text, head, end, str(err) or NOT_JSON)
        assert head.name is not None
        tool, source = self._names.resolve(head.name), text[head.start : end]
        form = "tagged" if read is read_parameters else "function"
        call = DetectedCall(
            head.name, tool, arguments, source, form, repaired=form != "tagged"
        )
        return self._of(head, end, [call])

    def _asked_for(self, text: str, head: _Head, end: int, reason: str) -> Written:
        """Return a named call that cannot run, up to its end."""
        tool = self._names.resolve(head.name or "")
        source = text[head.start : end]
        return self._of(head, end, [BrokenCall(head.name, tool, reason, source)])

    def _of(self, head: _Head, end: int, calls: Sequence[Call]) -> Written:
        fence = bool(head.fence)
        return Written(end, calls, wrapped=fence or head.is_marked, in_fence=fence)

    # JSON

    def _value(self, text: str, head: _Head, place: Place, final: bool) -> Read:
        """Read the value behind a head: a call, several, or arguments of a named one."""
        # Of two braces the first was left over from a template.
        head.at += text.startswith("{{", head.at)
        if is_escaped(text, head.at):
            raise EscapedError(head.at)
        reader, end = self._feed(text, head.at, final)
        if reader.failed and head.name is not None and GEMMA_QUOTE.match(text, end):
            return self._spelled(
                text, head, bracket_end(text, head.at), read_gemma, final
            )
        found = self._find(reader.root, head.name)
        if reader.done:
            if found:
                return self._read(text, end, found, head, reader)
            if place.at_line_start and (not place.block or place.block.is_data):
                if place.behind_call and is_result(reader.root):
                    return Written(end)
                if (answer := answer_in(reader.root)) is not None:
                    return Written(end, answer=answer, in_fence=bool(head.fence))
        elif not found and declares_call(reader.root):
            found = [JsonCall(None, None, reader.root, problem="no name of a tool")]
        if not found:
            return Passed(end, holds_arguments(reader.root))
        is_end = _closes(text, end, head, final) if reader.failed else not self.was_cut
        if is_end and _needs_only_brackets(found, reader):
            read = self._read(text, end, found, head, reader, supplied=True)
            read.supplied = True
            return read
        return self._damaged(text, end, found, head, reader, final)

    def _feed(self, text: str, at: int, final: bool) -> tuple[JsonReader, int]:
        """Read JSON on from where it was read before; return the reader and its end."""
        if self._json_at != at:
            self._json, self._json_at = JsonReader(objects_only=True), at
            self._json_end = at
        reader = self._json
        self._json_end = reader.feed(text, self._json_end)
        if reader.done or reader.failed is not None:
            return reader, self._json_end
        if not final:
            raise NeedsMore
        return reader, len(text)

    def _find(self, root: Any, name: str | None) -> list[JsonCall]:
        if name is None:
            return find_calls(root, self._names, unknown=self._unknown)
        tool = self._names.resolve(name)
        # A whole call may stand behind a head that names its tool already.
        found = find_calls(root, self._names)
        if len(found) == 1 and found[0].tool == tool and found[0].has_arguments:
            return found
        return [JsonCall(name, tool, None, root, has_arguments=True)]

    def _read(
        self,
        text: str,
        end: int,
        found: Sequence[JsonCall],
        head: _Head,
        reader: JsonReader,
        *,
        supplied: bool = False,
    ) -> Written:
        """Return the calls of a value that was read to its end."""
        source = text[head.start : end]
        form = "tagged" if head.is_marked else "fenced" if head.fence else "raw"
        calls: list[Call] = []
        for call in found:
            arguments: dict[str, Any] = {}
            problem = reader.ambiguity(call.name) or call.problem
            if problem is None:
                try:
                    arguments = read_object(call.arguments)
                except ValueError as err:
                    problem = f"arguments: {err}"
            if problem is not None or call.name is None:
                reason = problem or "no name of a tool"
                calls.append(BrokenCall(call.name, call.tool, reason, source))
                continue
            repaired = supplied or reader.repaired
            name = str(call.name)
            calls.append(
                DetectedCall(name, call.tool, arguments, source, form, repaired)
            )
        read = self._of(head, end, calls)
        read.trailing = any(call.trailing for call in found)
        return read

    def _damaged(
        self,
        text: str,
        end: int,
        found: Sequence[JsonCall],
        head: _Head,
        reader: JsonReader,
        final: bool,
    ) -> Written:
        """Return the calls of a value that cannot be read to its end."""
        whole: Sequence[JsonCall] = ()
        if reader.failed is None:
            # Those are whole that were closed before the cut.
            still_open = {id(container) for container in reader.stack}
            whole = [c for c in found if c.node and id(c.node) not in still_open]
            found = [c for c in found if c not in whole] or [JsonCall(None, None, None)]
            end = _cut_end(text, head)
        else:
            depth = sum(type(container) is dict for container in reader.stack)
            end = self._extent(text, end, head, depth, final)
            # A string may have swallowed what follows.
            end = min(end, _cut_end(text, head))
        source = text[head.start : end]
        reason = reader.failed or INCOMPLETE
        calls = list(self._read(text, end, whole, head, reader).calls)
        calls += [BrokenCall(c.name, c.tool, reason, source) for c in found]
        return self._of(head, end, calls)

    def _extent(self, text: str, at: int, head: _Head, depth: int, final: bool) -> int:
        """Return where the text of a call ends that cannot be read, from `at` on.

        That is the end of its wrapping, or, without one, the brace that closes it or an
        empty line.
        """
        end = -1
        if head.fence:
            end = text.find("```", at)
        elif head.tags:
            end = (closing_tag(text, at, head.tags) or (-1, -1))[0]
        else:
            for found in _BRACES_AND_LINES.finditer(text, at):
                depth += {"{": 1, "}": -1}.get(found[0], 0)
                if found[0] not in "{}" or (found[0] == "}" and depth <= 0):
                    end = found.end() if found[0] == "}" else found.start()
                    break
        if end < 0 and not final:
            raise NeedsMore
        return end if end >= 0 else len(text)


_BRACES_AND_LINES: Final = re.compile(r"[{}]|\n[ \t\r]{0,100}\n")
_CLOSING_LINE: Final = re.compile(r"\n[ \t]*(?=`{3,}[ \t\r]*(?:\n|\Z))")
_EMPTY_LINE: Final = re.compile(r"\n[ \t\r]{0,100}\n")


def _cut_end(text: str, head: _Head) -> int:
    """Return where a value ends that was cut: a string may have swallowed what follows."""
    found = (_CLOSING_LINE if head.fence else _EMPTY_LINE).search(text, head.at)
    return len(text) if found is None else found.start()


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


def _closes(text: str, at: int, head: _Head, final: bool) -> bool:
    """Return whether the whole end of what stands around a value is at a position."""
    if head.fence and text[at] == "`":
        return fence_end_at(text, at, behind_call=False, final=final) is not None
    if head.is_marked and text[at] == "<":
        tag = tag_at(text, at, final=final)
        return tag is not None and tag.closes and tag.is_call
    if head.is_marked and text[at] == "[":
        found = bracket_at(text, at, final=final)
        return found is not None and found[1]
    return False


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
