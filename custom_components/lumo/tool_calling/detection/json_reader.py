"""Read JSON as models write it, from a text that grows.

Strategy: one pushdown automaton over tokens, which builds the value on the way. It stops
in front of a token whose end is not there yet and goes on there, so nothing is looked at
twice (of a long string it remembers how far it was scanned), and the cost is linear
however the text is cut. There is no recursion; nesting is bounded.

Beside JSON it understands what models really write: Python's literals and quotes,
trailing commas, comments, typographic quotes, names without quotes, Markdown's
escapes and invisible characters between tokens. These are repairs of syntax: none adds,
drops or shortens a member. What would need that is a failure, and the caller sees how
far the value was understood.
"""

import html
import math
import re
from typing import Any, Final

# Whitespace and what is as good as that: byte order mark, zero-width characters.
BLANK: Final = r"\s\ufeff\u200b-\u200f\u2060"
BLANKS: Final = re.compile(f"[{BLANK}]*")
MAX_DEPTH: Final = 64
# A key is a word, not a paragraph: a quote in prose must not swallow the rest of it.
MAX_KEY: Final = 64
_MAX_WORD: Final = 300

_WORD: Final = re.compile(r"[\w.+\-:]*")
_KEY_WORD: Final = re.compile(r"[\w$\-]*")
_NUMBER: Final = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?", re.ASCII)
_LOOSE_NUMBER: Final = re.compile(
    r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII
)
_LEADING_ZERO: Final = re.compile(r"[+-]?0\d+")
_NAME: Final = re.compile(r"[^\W\d][\w.:\-]*")
# What a comment does not have that is meant as one: `// turn it off, now`.
_MORE_THAN_WORDS: Final = re.compile(r'[{}\[\]":=“”„‟]')
_CONSTANTS: Final[dict[str, bool | None]] = {"true": True, "false": False, "null": None}
_PYTHON_CONSTANTS: Final = {"True": True, "False": False, "None": None}

# The run of a string, by what may end it; typographic quotes end one another.
_RUNS: Final = {
    ends: re.compile(rf"(?:[^\\{ends}]|\\.)*+", re.DOTALL)
    for ends in ('"', "'", "“”„‟", "‘’‚‛")
}
QUOTES: Final = {quote: ends for ends in _RUNS for quote in ends}
_ESCAPE: Final = re.compile(r"\\(u[0-9a-fA-F]{4}|.)", re.DOTALL)
_ESCAPES: Final = dict(zip('"\\/bfnrt', '"\\/\b\f\n\r\t', strict=True))

# What may come next.
_START, _FIRST_KEY, _KEY, _COLON, _VALUE, _FIRST_ITEM, _ITEM, _NEXT = range(8)
_WANTS_VALUE: Final = frozenset({_VALUE, _FIRST_ITEM, _ITEM})
_WANTS_KEY: Final = frozenset({_FIRST_KEY, _KEY})


class Bareword(str):
    """A value without quotes that is no number and no constant."""

    __slots__ = ()


class _UnreadableError(Exception):
    """A token does not fit; the text says why."""


def end_of(pattern: re.Pattern[str], text: str, at: int) -> int:
    """Return the end of a match at a position; the pattern takes an empty text as well."""
    found = pattern.match(text, at)
    assert found is not None
    return found.end()


class JsonReader:
    """Reads one object or one array from a text that grows.

    Feed it until `done` or `failed`. `root` is the value, also while it is incomplete;
    `stack` holds the containers that are still open, outermost first.
    """

    def __init__(self, *, objects_only: bool = False, max_key: int = MAX_KEY) -> None:
        """Prepare for the first character, which has to be a bracket.

        With `objects_only` an outermost array may hold objects only: no other array
        can be one of calls, so it fails as soon as that is seen. A key has at most
        `max_key` characters.
        """
        self._max_key = max_key
        self._objects_only = objects_only
        self.root: Any = None
        self.stack: list[Any] = []
        self.done = False
        # Why it is no value, or None.
        self.failed: str | None = None
        # Whether anything beyond JSON was met.
        self.repaired = False
        # The first key that an object has twice.
        self.duplicate: str | None = None
        self.barewords: list[Bareword] = []
        # Whether a comment holds what may have been a member.
        self.swallowed = False
        self._expect = _START
        self._key = ""
        # Whether a token has begun that has not ended.
        self._begun = False
        # Up to where that token, if it is long, holds nothing that ends it.
        self._scanned = 0

    def ambiguity(self, name: str | None = None) -> str | None:
        """Return why what was read may mean more than one thing.

        Only `name`, the very word, may stand without quotes.
        """
        if self.duplicate is not None:
            return f"the key {self.duplicate!r} stands there twice"
        if self.swallowed:
            return "a comment holds more than words"
        bare = next((word for word in self.barewords if word is not name), None)
        return None if bare is None else f"{bare!s} has no quotes"

    @property
    def after_member(self) -> bool:
        """Whether only brackets are missing: the last member is complete."""
        return self._expect == _NEXT and not self._begun

    def feed(self, text: str, at: int = 0) -> int:
        """Read a text from its bracket at `at`; return where to go on with more of it.

        The text may be given again, longer, with what was returned. Where reading fails,
        that is the index of the token that does not fit.
        """
        self._begun = False
        while not self.done and self.failed is None:
            at = end_of(BLANKS, text, at)
            if at == len(text):
                break
            try:
                end = self._token(text, at)
            except _UnreadableError as err:
                self.failed = str(err)
                break
            if end is None:
                self._begun = True
                break
            at, self._scanned = end, 0
        return at

    def _token(self, text: str, at: int) -> int | None:
        """Take the token at a position; return its end, None if that is not there yet."""
        char, expect = text[at], self._expect
        if char in QUOTES:
            return self._string(text, at)
        if char == ":":
            if expect != _COLON:
                raise _UnreadableError("unexpected colon")
            self._expect = _VALUE
        elif char == ",":
            if expect != _NEXT:
                raise _UnreadableError("unexpected comma")
            self._expect = _KEY if type(self.stack[-1]) is dict else _ITEM
        elif char in "{[":
            self._open(char)
        elif char in "}]":
            self._close(char)
        elif char in "/#":
            return self._comment(text, at)
        elif char in "\\&" and len(text) - at < len("&quot;"):
            return None  # see `is_escaped`
        else:
            return self._word(text, at)
        return at + 1

    def _open(self, char: str) -> None:
        if len(self.stack) >= MAX_DEPTH:
            raise _UnreadableError("nested too deep")
        if char == "[":
            self._check_item()
        container: Any = {} if char == "{" else []
        if self._expect == _START:
            self.root = container
        elif self._expect in _WANTS_VALUE:
            self._put(container)
        else:
            raise _UnreadableError("unexpected bracket")
        self.stack.append(container)
        self._expect = _FIRST_KEY if char == "{" else _FIRST_ITEM

    def _close(self, char: str) -> None:
        if not self.stack or type(self.stack[-1]) is not (
            dict if char == "}" else list
        ):
            raise _UnreadableError("unexpected bracket")
        if self._expect in {_KEY, _ITEM}:
            self.repaired = True
        elif self._expect not in {_NEXT, _FIRST_KEY, _FIRST_ITEM}:
            raise _UnreadableError("a value is missing")
        self.stack.pop()
        self._expect = _NEXT
        self.done = not self.stack

    def _check_item(self) -> None:
        """Raise where an outermost array of objects has an item that is none."""
        if self._objects_only and len(self.stack) == 1 and type(self.root) is list:
            raise _UnreadableError("not an array of objects")

    def _put(self, value: Any) -> None:
        container = self.stack[-1]
        if type(container) is dict:
            if self._key in container and self.duplicate is None:
                self.duplicate = self._key
            container.setdefault(self._key, value)
        else:
            container.append(value)
        self._expect = _NEXT

    def _string(self, text: str, at: int) -> int | None:
        is_key = self._expect in _WANTS_KEY
        if not is_key and self._expect not in _WANTS_VALUE:
            raise _UnreadableError("unexpected quote")
        self._check_item()
        end = end_of(_RUNS[QUOTES[text[at]]], text, max(at + 1, self._scanned))
        if is_key:
            self._check_key(text[at + 1 : end])
        if end == len(text) or text[end] == "\\":
            self._scanned = end
            return None
        if text[at] != '"':
            self.repaired = True
        value = self._unescaped(text[at + 1 : end])
        if is_key:
            self._key, self._expect = value, _COLON
        else:
            self._put(value)
        return end + 1

    def _check_key(self, begun: str) -> None:
        """Raise where what was read so far is no key; an escape has six characters."""
        plain, escape, _ = begun.partition("\\")
        if "\n" in plain[: self._max_key]:
            raise _UnreadableError("a key over two lines")
        if len(plain) > self._max_key or (escape and len(begun) > 6 * self._max_key):
            raise _UnreadableError("a key too long")

    def _unescaped(self, text: str) -> str:
        if "\\" not in text:
            return text
        text = _ESCAPE.sub(self._of_escape, text)
        try:
            return text.encode("utf-16", "surrogatepass").decode("utf-16")
        except UnicodeError as err:
            raise _UnreadableError("half a character") from err

    def _of_escape(self, escape: re.Match[str]) -> str:
        code: str = escape[1]
        if len(code) > 1:
            return chr(int(code[1:], 16))
        if code in _ESCAPES:
            return _ESCAPES[code]
        if code == "u":
            raise _UnreadableError("a broken escape")
        self.repaired = True
        # Markdown escapes punctuation; before a letter the backslash was meant.
        return "\\" + code if code.isalnum() else code

    def _word(self, text: str, at: int) -> int | None:
        """Take a number, a constant, or a name without quotes."""
        is_key, char = self._expect in _WANTS_KEY, text[at]
        if is_key:
            fits = char.isalpha() or char in "_$"
        else:
            fits = self._expect in _WANTS_VALUE and (char.isalnum() or char in "_-+.")
        if not fits:
            raise _UnreadableError("unexpected text")
        self._check_item()
        end = end_of(_KEY_WORD if is_key else _WORD, text, at)
        if end - at > _MAX_WORD:
            raise _UnreadableError("a word too long")
        if end == len(text):
            return None
        word = text[at:end]
        if is_key:
            self.repaired = True
            self._key, self._expect = word, _COLON
        elif word in _CONSTANTS:
            self._put(_CONSTANTS[word])
        elif word in _PYTHON_CONSTANTS:
            self.repaired = True
            self._put(_PYTHON_CONSTANTS[word])
        elif _LOOSE_NUMBER.fullmatch(word):
            self._put(self._number(word))
        elif _NAME.fullmatch(word):
            self.repaired = True
            self.barewords.append(Bareword(word))
            self._put(self.barewords[-1])
        else:
            raise _UnreadableError("neither a number nor a word")
        return end

    def _number(self, word: str) -> float | str:
        if not _NUMBER.fullmatch(word):
            self.repaired = True
        if _LEADING_ZERO.fullmatch(word):
            # A code, or part of a number of a phone; who wants a number can read it.
            return word
        if word.lstrip("+-").isdigit():
            return int(word)
        number = float(word)
        if not math.isfinite(number):
            raise _UnreadableError("a number too large")
        return number

    def _comment(self, text: str, at: int) -> int | None:
        begun = text[at : at + 2]
        if begun == "/":
            return None
        if begun[0] == "/" and begun not in {"//", "/*"}:
            raise _UnreadableError("unexpected slash")
        self.repaired = True
        ends = "*/" if begun == "/*" else "\n"
        first = at + len(begun.rstrip("\n")) if begun[0] == "#" else at + 2
        end = text.find(ends, max(first, self._scanned))
        if end < 0:
            self._scanned = max(first, len(text) - 1)
            return None
        self.swallowed |= _MORE_THAN_WORDS.search(text, at + 1, end) is not None
        return end + len(ends)


_ESCAPED: Final = re.compile(rf"(?:\[[{BLANK}]*)?\{{[{BLANK}]*(?:\\\"|&quot;)")
_BACKSLASH: Final = re.compile(r"\\(.)", re.DOTALL)


def is_escaped(text: str, at: int) -> bool:
    r"""Return whether an object was escaped once too often: `{\"name\": ...}`.

    Or by HTML's entities: `{&quot;name&quot;: ...}`.
    """
    return _ESCAPED.match(text, at) is not None


def unescaped(text: str) -> str:
    """Return a text without one level of escapes, or without entities."""
    if "&quot;" in text:
        return html.unescape(text)
    return _BACKSLASH.sub(lambda found: _ESCAPES.get(found[1], found[0]), text)


def read_json(text: str) -> Any:
    """Return the object or array that a text is, and that alone.

    Raises ValueError, with the reason, for anything incomplete or ambiguous.
    """
    if is_escaped(text, 0):
        text = unescaped(text)
    reader = JsonReader()
    end = reader.feed(text)
    problem = reader.failed or (None if reader.done else "incomplete")
    if problem is None and text[end:].strip():
        problem = "text behind it"
    if problem := problem or reader.ambiguity():
        raise ValueError(problem)
    return reader.root


def read_object(value: Any) -> dict[str, Any]:
    """Return the object that a value or a text is, also if put into a JSON text again.

    Nothing at all is an object without members. Raises ValueError, with the reason, for
    anything else.
    """
    if value is None or (isinstance(value, str) and not value.strip()):
        return {}
    for _ in range(3):
        if not isinstance(value, str) or not value.lstrip().startswith('"'):
            break
        texts = read_json(f"[{value}]")
        value = texts[0] if len(texts) == 1 else texts
    if isinstance(value, str):
        value = read_json(value)
    if not isinstance(value, dict):
        raise ValueError(type(value).__name__)  # noqa: TRY004 - as everything here
    return value
