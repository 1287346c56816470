"""Reads JSON as models write it, also where it is not complete.

Beside JSON it understands Python's literals, quotes and arguments in a call, trailing
commas, comments, typographic quotes, names without quotes, Markdown's escapes, and
invisible characters. No repair adds, drops or shortens a member.
"""

import html
import math
import re
from typing import Any, Final

from ...text import letters_and_digits
from .call_words import NAME_KEYS

# Whitespace and what is as good as that: byte order mark, zero-width characters.
BLANK: Final = r"\s\ufeff\u200b-\u200f\u2060"
BLANKS: Final = re.compile(f"[{BLANK}]*")
MAX_DEPTH: Final = 64
# A key is a sentence at most: a quote in prose must not swallow the rest of it.
MAX_KEY: Final = 2_000
_MAX_WORD: Final = 300

_KEY_WORD: Final = re.compile(r"[^\W\d][\w$\-]*|\$[\w$\-]*")
_VALUE_WORD: Final = re.compile(r"[\w.+\-][\w.+\-:]*")
_NUMBER: Final = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)
_LEADING_ZERO: Final = re.compile(r"[+-]?0\d+")
_NAME: Final = re.compile(r"[^\W\d][\w.:\-]*")
# What a comment does not have that is meant as one: `// turn it off, now`.
_MORE_THAN_WORDS: Final = re.compile(r'[{}\[\]":=“”„‟]')
_COMMENT: Final = re.compile(r"//[^\n]*\n|#[^\n]*\n|/\*.*?\*/", re.DOTALL)
_CONSTANTS: Final[dict[str, bool | None]] = {
    "true": True,
    "false": False,
    "null": None,
    "True": True,
    "False": False,
    "None": None,
}

# Typographic quotes end one another. JSON may have been escaped once too often; gemma
# writes tokens around texts, which then are as they stand.
_STRING: Final = re.compile(
    r'"(?P<a>(?:[^\\"]|\\.)*+)"|' + r"'(?P<b>(?:[^\\']|\\.)*+)'"
    r"|[“”„‟](?P<c>(?:[^\\“”„‟]|\\.)*+)[“”„‟]|[‘’‚‛](?P<d>(?:[^\\‘’‚‛]|\\.)*+)[‘’‚‛]"
    r'|\\"(?P<escaped>(?:\\\\(?:\\\\|\\"|[^\\])|\\[^"\\]|[^\\])*+)\\"'
    r'|<\|"\|>(?P<raw>.*?)<\|"\|>|<escape>(?P<text>.*?)<escape>'
    r"|&quot;(?P<html>(?:\\&quot;|\\.|(?!&quot;).)*+)&quot;",
    re.DOTALL,
)
# The beginning of one, also where the end of the text cuts it.
_QUOTE: Final = re.compile(r'["\'“”„‟‘’‚‛&]|\\(?:"|\Z)|<(?:\|(?:"|\Z)|e|\Z)')
_CLOSERS: Final = {"{": "}", "[": "]", "(": ")"}
_ESCAPE: Final = re.compile(r"\\(u[0-9a-fA-F]{4}|.)", re.DOTALL)
_BACKSLASH: Final = re.compile(r"\\(.)", re.DOTALL)
_ESCAPES: Final = dict(zip('"\\/bfnrt', '"\\/\b\f\n\r\t', strict=True))
# Between tokens, where line breaks may have been escaped, too.
_BETWEEN: Final = re.compile(rf"(?:[{BLANK}]|\\[nrt])*")

# What may come next.
_START, _KEY, _COLON, _VALUE, _ITEM, _NEXT = range(6)


def end_of(pattern: re.Pattern[str], text: str, at: int) -> int:
    """Return the end of a match at a position; the pattern takes an empty text as well."""
    found = pattern.match(text, at)
    assert found is not None
    return found.end()


class JsonReader:
    """Reads the object, array, or arguments in brackets that begin at a position.

    `root` is the value, `stack` the containers that are still open. `end` is where
    reading ended: behind the value (`done`), at the token that does not fit (`failed`
    says why), or at one that is cut. `problem` says why the value is ambiguous.
    """

    def __init__(self, text: str, at: int = 0) -> None:
        """Read as far as possible; a bracket has to stand at the position."""
        self.root: Any = None
        self.stack: list[Any] = []
        self.done = False
        self.failed: str | None = None
        self.problem: str | None = None
        self._expect = _START
        self._closers: list[str] = []
        self._key = ""
        self._text = text
        end: int | None = at
        try:
            while end is not None and not self.done:
                self.end = end_of(_BETWEEN, text, end)
                end = self._token(self.end) if self.end < len(text) else None
        except ValueError as err:
            self.failed = str(err)
        self.end = end if self.done and end is not None else self.end

    @property
    def after_member(self) -> bool:
        """Whether only brackets are missing: the last member is complete."""
        is_between = self.failed is not None or self.end == len(self._text)
        return self._expect == _NEXT and is_between

    def _token(self, at: int) -> int | None:
        """Take a token; return its end, None if that is not there."""
        text, expect = self._text, self._expect
        char = text[at]
        if found := _STRING.match(text, at):
            return self._string(found)
        if _QUOTE.match(text, at):
            if expect == _KEY and ("\n" in text[at:] or len(text) - at > MAX_KEY):
                raise ValueError("a key too long, or over two lines")
            return None
        if char in ":=":
            self._need(expect == _COLON, "unexpected colon")
            self._expect = _VALUE
        elif char == ",":
            self._need(expect == _NEXT, "unexpected comma")
            self._expect = _KEY if type(self.stack[-1]) is dict else _ITEM
        elif char in "{[" or (char == "(" and expect == _START):
            self._open(char)
        elif char in "}])":
            is_open = bool(self.stack) and self._closers[-1] == char
            self._need(is_open, "unexpected bracket")
            self._need(expect in {_NEXT, _KEY, _ITEM}, "a value is missing")
            self.stack.pop()
            self._closers.pop()
            self._expect = _NEXT
            self.done = not self.stack
        elif found := _COMMENT.match(text, at):
            if _MORE_THAN_WORDS.search(text, at + 1, found.end()):
                self.problem = "a comment holds more than words"
            return found.end()
        elif char in "/#":
            self._need(char == "#" or text[at + 1 : at + 2] in "/*", "unexpected slash")
            return None
        else:
            return self._word(at)
        return at + 1

    def _need(self, fits: bool, reason: str) -> None:
        if not fits:
            raise ValueError(reason)

    def _open(self, char: str) -> None:
        self._need(len(self.stack) < MAX_DEPTH, "nested too deep")
        container: Any = [] if char == "[" else {}
        if self._expect == _START:
            self.root = container
        else:
            self._need(self._expect in {_VALUE, _ITEM}, "unexpected bracket")
            self._take(container)
        self.stack.append(container)
        self._closers.append(_CLOSERS[char])
        self._expect = _ITEM if char == "[" else _KEY

    def _take(self, value: Any) -> None:
        """Take a whole value, or a key."""
        self._need(self._expect in {_KEY, _VALUE, _ITEM}, "unexpected value")
        if self._expect == _KEY:
            self._key, self._expect = value, _COLON
            return
        container = self.stack[-1]
        if type(container) is dict:
            if self._key in container:
                self.problem = f"the key {self._key!r} stands there twice"
            container.setdefault(self._key, value)
        else:
            container.append(value)
        self._expect = _NEXT

    def _string(self, found: re.Match[str]) -> int:
        text: str = found[found.lastgroup or 0]
        if self._expect == _KEY and ("\n" in text or len(text) > MAX_KEY):
            raise ValueError("a key too long, or over two lines")
        if found["escaped"] is not None:
            text = _BACKSLASH.sub(lambda one: _ESCAPES.get(one[1], one[0]), text)
        if found["html"] is not None:
            text = html.unescape(text)
        if "\\" in text and found.lastgroup not in {"raw", "text"}:
            text = _ESCAPE.sub(self._of_escape, text)
            try:
                text = text.encode("utf-16", "surrogatepass").decode("utf-16")
            except UnicodeError as err:
                raise ValueError("half a character") from err
        self._take(text)
        return found.end()

    def _of_escape(self, escape: re.Match[str]) -> str:
        code: str = escape[1]
        if len(code) > 1:
            return chr(int(code[1:], 16))
        self._need(code != "u", "a broken escape")
        # Markdown escapes punctuation; before a letter the backslash was meant.
        return _ESCAPES.get(code, "\\" + code if code.isalnum() else code)

    def _word(self, at: int) -> int | None:
        """Take a number, a constant, or a name without quotes."""
        is_key = self._expect == _KEY
        found = (_KEY_WORD if is_key else _VALUE_WORD).match(self._text, at)
        if found is None or len(found[0]) > _MAX_WORD:
            raise ValueError("unexpected text")
        if found.end() == len(self._text):
            return None
        word: str = found[0]
        value: Any = word
        if is_key or _LEADING_ZERO.fullmatch(word):
            pass  # a code, or part of a number of a phone; who wants a number can read it
        elif word in _CONSTANTS:
            value = _CONSTANTS[word]
        elif _NUMBER.fullmatch(word):
            value = int(word) if word.lstrip("+-").isdigit() else float(word)
            self._need(math.isfinite(value), "a number too large")
        else:
            self._need(_NAME.fullmatch(word) is not None, "neither a number nor a word")
            if letters_and_digits(self._key) not in NAME_KEYS:
                self.problem = f"{word} has no quotes"
        self._take(value)
        return found.end()


def read_json(text: str) -> Any:
    """Return the object or array that a text is; raise ValueError for anything else."""
    reader = JsonReader(text)
    problem = reader.failed or (None if reader.done else "incomplete")
    if problem is None and text[reader.end :].strip():
        problem = "text behind it"
    if problem := problem or reader.problem:
        raise ValueError(problem)
    return reader.root


def read_object(value: Any) -> dict[str, Any]:
    """Return the object that a value or its JSON text is, an empty one for nothing.

    Raises ValueError, with the reason, for anything else.
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
