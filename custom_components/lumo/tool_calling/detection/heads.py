"""What stands before the value or the arguments of a call: tags, tokens, the name."""

import re
from typing import Final

from ..naming import ToolNames
from .call_words import NAME_KEYS, REMARKS, without_separators
from .json_reader import BLANKS, end_of
from .markup import NeedsMore, Tag, tag_at

# A head has no more parts, no longer blanks, and no longer part but tags and names.
_MAX_PARTS: Final = 17
_MAX_BLANKS: Final = 400
_MAX_PART: Final = 40

# What may stand before the name, beside tags and tokens, and behind it.
_FILLERS: Final = (
    *("print(", "default_api.", "functions.", "tools.", "await ", "call:", "to="),
    *("recipient=", "assistant", "commentary", "function", "functools", "code", "json"),
)
_FILLER: Final = re.compile("|".join(map(re.escape, _FILLERS)))
_GAP: Final = re.compile(r":\d{1,3}(?!\w)|[:,>→|*\"'”’;`]{1,2}(?!`)|\.\w{1,12}(?=\()")
_FENCE: Final = re.compile(r"(`{3,9})\w{0,12}[ \t]{0,9}\r?\n")
_WRITTEN_NAME: Final = re.compile(r"[^\W\d][\w.:/\-]{0,127}")
# `[HassTurnOff(...)]`, `[tool=...`, `[Calling tool: ...`.
_LIST_LEAD: Final = re.compile(
    r"\[\s{0,4}(?:(?:calling|call|using|use|tool|function)(?:[ _]|(?=[:=]))){0,3}[:=]?\s{0,2}",
    re.IGNORECASE,
)


class Head:
    """What stands before a value or arguments, all of it optional."""

    def __init__(
        self,
        names: ToolNames,
        text: str,
        start: int,
        fence: str,
        *,
        unknown: bool,
        final: bool,
    ) -> None:
        """Read it from a position on, in a code block with these backticks, if any.

        With `unknown` a tag may name a tool that does not exist.
        """
        self._names, self._unknown = names, unknown
        self._text, self._final = text, final
        self.start = self.at = start
        """Where it begins and ends."""
        self.tags_end = start
        """Where the tags and tokens end with which it begins."""
        self.fence = fence
        """The backticks of the code block that is open around the value."""
        self.name: str | None = None
        self.name_end = 0
        self.tags: list[Tag] = []
        self.is_call = False
        """A tag, or a bracket, says that a call follows."""
        self.attributes: dict[str, str] = {}
        """Those of the tag that names the tool, but for the name."""
        self.is_empty = False
        """That tag closes itself."""
        self.in_list = False
        """It begins with a bracket, behind which stands the name."""
        self._read()

    @property
    def is_marked(self) -> bool:
        """Whether a tag or token stands before the name or the value."""
        return bool(self.tags) or self.is_call

    def name_at(self, at: int) -> int:
        """Return the end of the tool's name at a position; 0 if there is none.

        Behind a tag it may be a plain word, but none that stands in heads.
        """
        text, names = self._text, self._names
        if name := names.finder.at(text, at, final=self._final):
            return at + len(name)
        found = _WRITTEN_NAME.match(text, at) if self.is_marked else None
        if found is None:
            return 0
        if found.end() == len(text) and not self._final:
            raise NeedsMore
        if found[0] in _FILLERS:
            return 0
        is_tool = names.resolve(found[0].rstrip(":/.")) is not None
        return found.end() if is_tool or names.has_prefix(found[0]) else 0

    def _read(self) -> None:
        text = self._text
        for _ in range(_MAX_PARTS):
            at = end_of(BLANKS, text, self.at)
            if at == len(text):
                if not self._final and at - self.at < _MAX_BLANKS:
                    raise NeedsMore
                return
            before, self.at = self.at, at
            end = self._part(at)
            if end is None:
                if text[at] == "(" and before == self.name_end and not self.is_call:
                    self.at = before  # `HassTurnOff (which ...)`
                return
            if text[at] in "<[" and self.tags_end in {self.start, before}:
                self.tags_end = end
            self.at = end

    def _part(self, at: int) -> int | None:
        """Take the part at a position; return its end, None if it is none."""
        text = self._text
        if text[at] in "{(":
            return None
        if text[at] in "<[" and (end := self._tag(at)) is not None:
            return end
        if text[at] in "<[":
            return self._list(at) if text[at] == "[" else None
        if self.name is None and (end := self.name_at(at)):
            self.name, self.name_end = text[at:end].rstrip(":/."), end
            return end
        if not self.is_marked and (self.name is None or text[at].isalnum()):
            return None
        self._need(at)
        if text[at] == "`" and not self.fence and (fence := _FENCE.match(text, at)):
            self.fence = fence[1]
            return fence.end()
        found = _GAP.match(text, at) if self.name else None
        if found is None and self.is_marked:
            found = _FILLER.match(text, at)
        return found.end() if found else None

    def _need(self, at: int) -> None:
        """Wait until the part at a position is there, whatever it is."""
        if not self._final and len(self._text) - at < _MAX_PART:
            raise NeedsMore

    def _tag(self, at: int) -> int | None:
        tag = tag_at(self._text, at, final=self._final)
        if tag is None or tag.is_parameter:
            return None
        if tag.closes:
            return tag.end if self.name and "name" in tag.parts else None
        name, attributes = self._named_by(tag)
        if self.name is not None and (name or not tag.is_token):
            return None
        if tag.is_thought or tag.is_result or tag.is_shown or tag.word == "INST":
            return None
        if not (tag.is_token or tag.is_call or name):
            return None
        self.tags.append(tag)
        self.is_call |= tag.is_call or name is not None
        if name is not None:
            self.name, self.name_end = name, tag.end
            self.attributes, self.is_empty = attributes, tag.is_empty
        return tag.end

    def _named_by(self, tag: Tag) -> tuple[str | None, dict[str, str]]:
        """Return the tool that a tag names, and its other attributes.

        `<function=HassTurnOff>`, `<invoke name="HassTurnOff">`, `<HassTurnOff>`. In tags
        that are not of calls only a name counts that nobody writes by accident.
        """
        finder = self._names.finder
        name, others = None, {}
        for key, value in tag.attributes:
            plain = without_separators(key)
            is_key = tag.is_call and plain in {"", *NAME_KEYS}
            if name is None and (
                finder.is_name(value) or (is_key and self._is_tool(value))
            ):
                name = value
            elif plain not in REMARKS | {"type", "string"}:
                others[key] = value
        if name is None and finder.is_name(tag.word):
            name = tag.word
        return name, others

    def _is_tool(self, name: str) -> bool:
        """Return whether a tool is meant by a name where one is expected."""
        is_offered = self._names.resolve(name) is not None
        return is_offered or self._unknown or self._names.has_prefix(name)

    def _list(self, at: int) -> int | None:
        text = self._text
        if self.name is not None:
            return None
        self._need(at)
        lead = end_of(_LIST_LEAD, text, at)
        if end := self.name_at(lead):
            self.name, self.name_end = text[lead:end], end
            self.in_list = self.is_call = True
            return end
        return None
