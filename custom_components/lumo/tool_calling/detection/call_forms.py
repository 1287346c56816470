"""Calls that are not JSON: `HassTurnOff(area="Kitchen")` and what models write so.

Nothing of the kind is asked for, but it is meant as a call, and read aloud it would be
gibberish. What is looked for is the name of an offered tool that nobody writes by
accident (with the prefix, or in CamelCase) in the position of a call: in front of a
bracket, of a value on the next line, of `Arguments:`.
"""

import ast
from collections.abc import Iterable
from enum import Enum
import math
import re
from typing import Any, Final
import warnings

from .json_reader import MAX_DEPTH, read_object
from .json_tokens import BLANK, end_of
from .openers import NeedsMore

MAX_FORM: Final = 4_000
# Names longer than this are not looked for.
_MAX_NAME: Final = 100


class NameFinder:
    """Finds the names of tools in text, as far as nobody writes them by accident."""

    def __init__(self, names: Iterable[str]) -> None:
        spelled = sorted({n for n in names if n and len(n) < _MAX_NAME}, key=len)
        longest_first = "|".join(map(re.escape, reversed(spelled))) or "(?!)"
        self._name: Final = re.compile(rf"(?<![^\W_])(?:{longest_first})(?!\w)")
        self._beginnings: Final = {n[:end] for n in spelled for end in range(1, len(n))}
        self._patterns: Final[dict[str, re.Pattern[str]]] = {}
        self._longest: Final = max(map(len, spelled), default=0)

    def find(
        self, text: str, position: int, before: str, others: str = "(?!)"
    ) -> tuple[int, bool]:
        """Return where a name or one of `others` begins first; -1 if nowhere.

        Also returns whether it is a name, perhaps one that is not complete. `before` is
        the character before the text, `others` a pattern. Both are looked for at once,
        so that nothing is looked at twice.
        """
        if position == 0 and before.isalnum():
            # The rest of a word.
            while position < len(text) and text[position].isalnum():
                position += 1
        pattern = self._patterns.get(others)
        if pattern is None:
            pattern = re.compile(f"(?P<name>{self._name.pattern})|{others}")
            self._patterns[others] = pattern
        found = pattern.search(text, position)
        if found is not None and found["name"]:
            return found.start(), True
        start = -1 if found is None else found.start()
        # A name may begin at the end, and `others` may stand in it.
        for begun in range(max(position, len(text) - self._longest), len(text)):
            if begun >= start >= 0:
                break
            if text[begun:] in self._beginnings:
                if begun == 0 or not text[begun - 1].isalnum():
                    return begun, True
        return start, False

    def mentioned(self, text: str) -> bool:
        """Return whether a text holds a name."""
        return self._name.search(text) is not None

    def is_name(self, text: str) -> bool:
        """Return whether a text is a name."""
        return self._name.fullmatch(text) is not None

    def calls(self, text: str) -> bool:
        """Return whether a text begins with a name and a bracket."""
        found = self._name.match(text)
        return found is not None and text[found.end() :].lstrip()[:1] in {"(", "{"}

    def at(self, text: str, position: int, *, final: bool) -> str | None:
        """Return the name at a position; raise NeedsMore if that is not clear yet."""
        found = self._name.match(text, position)
        if found is not None and (final or found.end() < len(text)):
            return found.group()
        rest = text[position : position + self._longest + 1]
        if not final and (found or not rest or rest in self._beginnings):
            raise NeedsMore
        return None


# What may stand between a fence and the name.
_LEADS: Final = (
    *("print(", "print(default_api.", "default_api.", "functions.", "tools.", "await "),
    *("tool: ", "tool_name: ", "function: ", "action: ", "name: ", "call: ", "call:"),
    *("Tool: ", "Function: ", "Action: ", "- tool: ", "- name: ", "- function: "),
)
_LEAD_BEGINNINGS: Final = {lead[:end] for lead in _LEADS for end in range(len(lead))}
# The same in a tag, where a token or a word or two may: `commentary to=functions.`.
_TAG_LEAD: Final = re.compile(r"[^\n{}()\[\]`]{0,80}")


def name_in_wrapping(
    text: str, start: int, names: NameFinder, *, tag: bool, final: bool
) -> int | None:
    """Return where the name of a tool begins with which the content at `start` does."""
    if tag:
        lead = end_of(_TAG_LEAD, text, start)
        named, _ = names.find(text[start:lead], 0, "")
        if named >= 0 and names.at(text, start + named, final=final):
            return start + named
        if len(text) == lead < start + 80 and not final:
            raise NeedsMore
        return None
    ends = [start + len(lead) for lead in _LEADS if text.startswith(lead, start)]
    for end in (*ends, start):
        if names.at(text, end, final=final):
            return end
    if not final and text[start:] in _LEAD_BEGINNINGS:
        raise NeedsMore
    return None


_BEFORE_MEMBER: Final = re.compile(r"[\s\[(,]*(?:[\"']?name[\"']?\s*[:=]\s*)?[\"']")
_BEHIND_MEMBER: Final = re.compile(r"[\"']\s{0,4},")
_MAY_BE_BEHIND_MEMBER: Final = re.compile(r"(?:[\"']\s{0,4})?\Z")


def is_member(text: str, end: int, *, line: str, final: bool) -> bool:
    """Return whether a quoted name is part of a call in JSON that lost its beginning.

    `line` is what stands before it.
    """
    if _BEFORE_MEMBER.fullmatch(line) is None:
        return False
    if not final and _MAY_BE_BEHIND_MEMBER.match(text, end):
        raise NeedsMore
    return _BEHIND_MEMBER.match(text, end) is not None


class Kind(Enum):
    """What stands behind the name."""

    BRACKET = "in brackets"
    OBJECT = "an object"
    LABELLED = "members, one a line"


_MARKS: Final = "`*\"'”’"
_GAP: Final = re.compile(rf"(?:[{BLANK}:：,;；=>→|*\"'”’–—-]|`(?!``)){{0,60}}")
_DIRECTLY: Final = re.compile(rf"[{_MARKS}]{{0,3}}(?:\.\w{{0,12}})?")
_LABELS: Final = (
    *("arguments", "argument", "args", "parameters", "params", "kwargs", "input"),
    *("inputs", "action input", "action_input", "json"),
    *("with", "with arguments", "with args", "with parameters"),
)
_LABEL_BEGINNINGS: Final = {lb[:end] for lb in _LABELS for end in range(1, len(lb) + 1)}
_WORDS: Final = re.compile(r"[A-Za-z]+(?:[ _][A-Za-z]*)?")
_TOKENS: Final = re.compile(
    r"(?:<[|｜][\w▁ ]{1,30}[|｜]>\w{0,10}\s?|✿\w{1,12}✿\s?){1,3}"
)
_TOKEN_BEGINNING: Final = re.compile(
    r"(?:<[|｜]?[\w▁ ]{0,30}[|｜]?|✿\w{0,12}|~{1,2})\Z"
)
_FENCE: Final = re.compile(r"(?:`{3,}|~{3,})\w{0,12}\s{0,4}")
_MEMBER: Final = re.compile(r"\n[ \t-]{0,8}(\w[\w ]{0,30})(?:=|:[ \t\n])")
_MEMBER_BEGINNING: Final = re.compile(r"(?:\n[ \t-]{0,8}(?:\w[\w ]{0,30}:?)?)?\Z")
# Arguments behind a name with which the line begins: ` area="Kitchen"`, ` --area`, or
# one on the next line. Other words may follow a name in a sentence, too.
_NOTHING: Final = re.compile(r"[\W\d_]*")
_GIVEN: Final = re.compile(
    r"(?:[:,]? {1,3}(?=--|[a-z_]{1,30}=)|[:`*]{0,3}[ \t]{0,3}\r?\n[ \t-]{0,8})"
    r"(--)?([a-z_]{1,30})(?:=|:\s|(?(1) |(?!)))"
)
_GIVEN_BEGINNING: Final = re.compile(
    r"(?:[:,]? {0,3}-{0,2}[a-z_]{0,30}=?"
    r"|[:`*]{0,3}[ \t]{0,3}\r?(?:\n[ \t-]{0,8}[a-z_]{0,30}:?)?)\Z"
)
# What a list of tools says about one.
_ABOUT: Final = frozenset({"description", "purpose", "example", "usage", "result"})
# Before the name, on its line.
_NAME_LABEL: Final = re.compile(
    r"\W*(?:tool|function|action|call|name|service|(?:tool|function)[ _]name)\W*[:=]\W*",
    re.IGNORECASE,
)


def kind_behind(
    text: str, end: int, *, line: str, final: bool
) -> tuple[Kind, int] | None:
    """Return what makes a call of a name, and where it begins, behind the name's end.

    `line` is what stands before it: `Tool: `, `<`.
    """
    labelled = _NAME_LABEL.fullmatch(line) is not None
    if line.endswith("<") and text[end : end + 1] in {" ", "\n", ">", "/"}:
        return Kind.LABELLED, end
    if text.startswith("<", end) and _NAME_TAG.search(line):
        return Kind.LABELLED, end
    position = end_of(_DIRECTLY, text, end)
    if text.startswith("(", position):
        return Kind.BRACKET, position
    if position == len(text) and not final:
        raise NeedsMore
    position = end_of(_GAP, text, end)
    if labelled and (member := _MEMBER.match(text, _line_end(text, end))) is not None:
        if member[1].lower() not in _ABOUT:
            return Kind.LABELLED, position
    if _NOTHING.fullmatch(line) is not None:
        given = _GIVEN.match(text, end)
        if given is not None and given[2] not in _ABOUT:
            return Kind.LABELLED, end
        if given is None and not final and _GIVEN_BEGINNING.match(text, end):
            raise NeedsMore
    is_labelled = False
    words = _WORDS.match(text, position)
    if words is not None and (
        text[end:position].strip(" ")
        or words.group()[0].isupper()
        or words.group()[0] in "wj"
    ):
        label = words.group().lower()
        if words.end() == len(text) and not final and label in _LABEL_BEGINNINGS:
            raise NeedsMore
        label = label.rstrip("_ ")
        first = label.partition(" ")[0]
        if label not in _LABELS and first not in _LABELS:
            label = ""
        if label:
            position += len(label if label in _LABELS else first)
            gap, position = position, end_of(_GAP, text, position)
            is_labelled = not {":", "="}.isdisjoint(text[gap:position])
    for part in (_TOKENS, _FENCE):
        if (found := part.match(text, position)) is not None:
            is_labelled |= part is _TOKENS
            position = end_of(_GAP, text, found.end())
    if text.startswith("{", position):
        return Kind.OBJECT, position
    if labelled and text.startswith("[", position):
        return Kind.LABELLED, position
    if position == len(text) or _TOKEN_BEGINNING.match(text, position):
        if not final and position - end < 200:
            raise NeedsMore
    if labelled and not final and _MEMBER_BEGINNING.match(text, _line_end(text, end)):
        raise NeedsMore
    return (Kind.LABELLED, position) if is_labelled else None


def _line_end(text: str, position: int) -> int:
    """Return the end of blanks and marks at a position, within the line."""
    end = min(position + 60, len(text))
    while position < end and text[position] in " \t\r`*\"',;":
        position += 1
    return position


# The tag around a name: `<tool_name>`.
_NAME_TAG: Final = re.compile(r"<(?:tool|function|action|name)\w*>\Z")
_CLOSING: Final = {")": "(", "]": "[", "}": "{"}


class FormReader:
    """Finds the end of a call that is not JSON, without understanding it."""

    def __init__(self, *, bracket: bool) -> None:
        """Read to the closing bracket, or without one to an empty line."""
        self._is_open = bracket
        self._stack: list[str] = []
        self._quote = ""
        self._line_end = self._escaped = False
        self._run = 0
        self._size = 0
        self.done = False
        # Whether all brackets were closed.
        self.whole = False

    def feed(self, text: str, position: int) -> int:
        """Read on; return the end of what belongs to the call."""
        for index in range(position, len(text)):
            char = text[index]
            self._size += 1
            if char == "\n" and self._line_end:
                self.done = True
                return index
            if not char.isspace() or char == "\n":
                self._line_end = char == "\n"
            self._run = self._run + 1 if char in "`~" else 0
            if self._run == 3:
                self.done = True
                return index + 1
            if self._size > MAX_FORM:
                self.done = True
                return index
            if self._escaped or char == "\\":
                self._escaped = not self._escaped
            elif self._quote:
                if char == self._quote:
                    self._quote = ""
            elif char in "\"'":
                if self._is_open:
                    self._quote = char
            elif char in "([{":
                self._stack.append(char)
            elif char in _CLOSING and self._is_open:
                if self._stack.pop() != _CLOSING[char]:
                    self.done = True
                    return index + 1
                if not self._stack:
                    self.done = self.whole = True
                    return index + 1
        return len(text)


def read_arguments(kind: Kind, text: str) -> dict[str, Any]:
    """Return the arguments in brackets, or of an object; ValueError if not literal."""
    if kind is Kind.OBJECT or text[1:-1].lstrip(" \n\t").startswith("{"):
        return read_object(text if kind is Kind.OBJECT else text[1:-1].strip())
    try:
        with warnings.catch_warnings(action="ignore", category=SyntaxWarning):
            call = ast.parse(f"f{text}", mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as err:
        raise ValueError("no literal arguments") from err
    if not isinstance(call, ast.Call) or call.args:
        raise ValueError("arguments without names")
    arguments: dict[str, Any] = {}
    for keyword in call.keywords:
        if keyword.arg is None or keyword.arg in arguments:
            raise ValueError("arguments without names, or twice")
        arguments[keyword.arg] = _literal(keyword.value, 0)
    if text.count("#") != str(arguments).count("#"):
        raise ValueError("a comment")
    return arguments


_NAMED_CONSTANTS: Final = {"true": True, "false": False, "null": None}


def _literal(node: ast.expr, depth: int) -> Any:
    if depth > MAX_DEPTH:
        raise ValueError("nested too deep")
    match node:
        case ast.Constant(value=str() | bool() | int() | None as value):
            return value
        case ast.Constant(value=float() as value) if math.isfinite(value):
            return value
        case ast.UnaryOp(
            op=ast.USub(), operand=ast.Constant(value=int() | float() as value)
        ):
            return -value
        case ast.Name(id=name) if name in _NAMED_CONSTANTS:
            return _NAMED_CONSTANTS[name]
        case ast.List(elts=items) | ast.Tuple(elts=items):
            return [_literal(item, depth + 1) for item in items]
        case ast.Dict(keys=keys, values=values):
            members = {
                str(_literal(key, depth + 1)): _literal(value, depth + 1)
                for key, value in zip(keys, values, strict=True)
                if isinstance(key, ast.Constant)
            }
            if len(members) == len(keys):
                return members
    raise ValueError("not a literal")
