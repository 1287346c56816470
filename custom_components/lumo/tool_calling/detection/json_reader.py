"""Read JSON as models write it, also where it is not complete.

Strategy: one pushdown automaton over tokens, which builds the value on the way and stops
in front of a token whose end is not there. There is no recursion; nesting is bounded.

Beside JSON it understands what models really write: Python's literals and quotes,
trailing commas, comments, typographic quotes, names without quotes, Markdown's
escapes, invisible characters between tokens, and arguments as in a call of Python. These are repairs of syntax: none adds,
drops or shortens a member. What would need that is a failure, and the caller sees how
far the value was understood.
"""

import math
import re
from typing import Any, Final

from .call_words import NAME_KEYS, without_separators

# Whitespace and what is as good as that: byte order mark, zero-width characters.
BLANK: Final = r"\s\ufeff\u200b-\u200f\u2060"
BLANKS: Final = re.compile(f"[{BLANK}]*")
MAX_DEPTH: Final = 64
# A key is a sentence at most: a quote in prose must not swallow the rest of it.
MAX_KEY: Final = 2_000
_MAX_WORD: Final = 300

_WORD: Final = re.compile(r"[\w.+\-:]*")
_KEY_WORD: Final = re.compile(r"[\w$\-]*")
_NUMBER: Final = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)
_LEADING_ZERO: Final = re.compile(r"[+-]?0\d+")
_NAME: Final = re.compile(r"[^\W\d][\w.:\-]*")
# What a comment does not have that is meant as one: `// turn it off, now`.
_MORE_THAN_WORDS: Final = re.compile(r'[{}\[\]":=“”„‟]')
_CONSTANTS: Final[dict[str, bool | None]] = {
    "true": True,
    "false": False,
    "null": None,
    "True": True,
    "False": False,
    "None": None,
}

# Strings by what opens them: what may end one (typographic quotes end one another), and
# its run up to there. JSON may have been escaped once too often; gemma writes tokens.
_RUNS: Final = {
    quote: re.compile(rf"(?:[^\\{ends}]|\\.)*+", re.DOTALL)
    for ends in ('"', "'", "“”„‟", "‘’‚‛")
    for quote in ends
} | {
    '\\"': re.compile(r'(?:\\\\(?:\\\\|\\"|[^\\])|\\[^"\\]|[^\\])*+', re.DOTALL),
    '<|"|>': re.compile(r'(?:(?!<\|"\|>).)*+', re.DOTALL),
    "<escape>": re.compile(r"(?:(?!<escape>).)*+", re.DOTALL),
}
_QUOTE: Final = re.compile("|".join(map(re.escape, _RUNS)))
_HALF_QUOTES: Final = {"\\"} | {
    quote[:end] for quote in ('<|"|>', "<escape>") for end in range(1, len(quote))
}
_CLOSERS: Final = {"{": "}", "[": "]", "(": ")"}
_ESCAPE: Final = re.compile(r"\\(u[0-9a-fA-F]{4}|.)", re.DOTALL)
_ESCAPES: Final = dict(zip('"\\/bfnrt', '"\\/\b\f\n\r\t', strict=True))
# Between tokens, where line breaks may have been escaped, too.
_BETWEEN: Final = re.compile(rf"(?:[{BLANK}]|\\[nrt])*")

# What may come next.
_START, _KEY, _COLON, _VALUE, _ITEM, _NEXT = range(6)


class _UnreadableError(Exception):
    """A token does not fit; the text says why."""


def end_of(pattern: re.Pattern[str], text: str, at: int) -> int:
    """Return the end of a match at a position; the pattern takes an empty text as well."""
    found = pattern.match(text, at)
    assert found is not None
    return found.end()


class JsonReader:
    """Reads the object, array, or arguments in brackets that begin at a position.

    `root` is the value, also where it is incomplete; `stack` holds the containers that
    are still open, outermost first. `end` is where reading ended: behind the value
    (`done`), at the token that does not fit (`failed`), or at one that is cut.
    """

    def __init__(self, text: str, at: int = 0) -> None:
        """Read as far as possible; a bracket has to stand at the position."""
        self.root: Any = None
        self.stack: list[Any] = []
        self.done = False
        # Why it is no value, or None.
        self.failed: str | None = None
        # Why it may mean more than one thing, or None.
        self.problem: str | None = None
        self._expect = _START
        self._closers: list[str] = []
        self._key = ""
        self._text = text
        self.end = at
        try:
            self._read()
        except _UnreadableError as err:
            self.failed = str(err)

    @property
    def after_member(self) -> bool:
        """Whether only brackets are missing: the last member is complete."""
        is_between = self.failed is not None or self.end == len(self._text)
        return self._expect == _NEXT and is_between

    def _read(self) -> None:
        end: int | None = self.end
        while end is not None and not self.done:
            self.end = end_of(_BETWEEN, self._text, end)
            end = self._token(self.end) if self.end < len(self._text) else None
        self.end = end if end is not None else self.end

    def _token(self, at: int) -> int | None:
        """Take the token at a position; return its end, None if that is not there."""
        text, expect = self._text, self._expect
        char = text[at]
        if opening := _QUOTE.match(text, at):
            return self._string(text, at, opening[0])
        if char in ":=":
            if expect != _COLON:
                raise _UnreadableError("unexpected colon")
            self._expect = _VALUE
        elif char == ",":
            if expect != _NEXT:
                raise _UnreadableError("unexpected comma")
            self._expect = _KEY if type(self.stack[-1]) is dict else _ITEM
        elif char in "{[" or (char == "(" and self._expect == _START):
            self._open(char)
        elif char in "}])":
            self._close(char)
        elif char in "/#":
            return self._comment(text, at)
        elif text[at:] in _HALF_QUOTES:
            return None
        else:
            return self._word(text, at)
        return at + 1

    def _open(self, char: str) -> None:
        if len(self.stack) >= MAX_DEPTH:
            raise _UnreadableError("nested too deep")
        container: Any = [] if char == "[" else {}
        if self._expect == _START:
            self.root = container
        elif self._expect in {_VALUE, _ITEM}:
            self._put(container)
        else:
            raise _UnreadableError("unexpected bracket")
        self.stack.append(container)
        self._closers.append(_CLOSERS[char])
        self._expect = _ITEM if char == "[" else _KEY

    def _close(self, char: str) -> None:
        if not self.stack or self._closers[-1] != char:
            raise _UnreadableError("unexpected bracket")
        if self._expect not in {_NEXT, _KEY, _ITEM}:
            raise _UnreadableError("a value is missing")
        self.stack.pop()
        self._closers.pop()
        self._expect = _NEXT
        self.done = not self.stack

    def _put(self, value: Any) -> None:
        container = self.stack[-1]
        if type(container) is dict:
            if self._key in container:
                self.problem = f"the key {self._key!r} stands there twice"
            container.setdefault(self._key, value)
        else:
            container.append(value)
        self._expect = _NEXT

    def _string(self, text: str, at: int, opening: str) -> int | None:
        if self._expect not in {_KEY, _VALUE, _ITEM}:
            raise _UnreadableError("unexpected quote")
        begin = at + len(opening)
        end = end_of(_RUNS[opening], text, begin)
        content = text[begin:end]
        if self._expect == _KEY and ("\n" in content or len(content) > MAX_KEY):
            raise _UnreadableError("a key too long, or over two lines")
        width = len(opening)
        if len(text) - end < width or (width == 1 and text[end] == "\\"):
            return None
        if opening == '\\"':
            content = _BACKSLASH.sub(_without_backslash, content)
        value = content if opening[0] == "<" else self._unescaped(content)
        if self._expect == _KEY:
            self._key, self._expect = value, _COLON
        else:
            self._put(value)
        return end + width

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
        # Markdown escapes punctuation; before a letter the backslash was meant.
        return "\\" + code if code.isalnum() else code

    def _word(self, text: str, at: int) -> int | None:
        """Take a number, a constant, or a name without quotes."""
        is_key, char = self._expect == _KEY, text[at]
        if is_key:
            fits = char.isalpha() or char in "_$"
        else:
            fits = self._expect in {_VALUE, _ITEM} and (
                char.isalnum() or char in "_-+."
            )
        if not fits:
            raise _UnreadableError("unexpected text")
        end = end_of(_KEY_WORD if is_key else _WORD, text, at)
        if end - at > _MAX_WORD:
            raise _UnreadableError("a word too long")
        if end == len(text):
            return None
        word = text[at:end]
        if is_key:
            self._key, self._expect = word, _COLON
        elif word in _CONSTANTS:
            self._put(_CONSTANTS[word])
        elif _NUMBER.fullmatch(word):
            self._put(self._number(word))
        elif _NAME.fullmatch(word):
            if without_separators(self._key) not in NAME_KEYS:
                self.problem = f"{word} has no quotes"
            self._put(word)
        else:
            raise _UnreadableError("neither a number nor a word")
        return end

    def _number(self, word: str) -> float | str:
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
        ends = "*/" if begun == "/*" else "\n"
        first = at + len(begun.rstrip("\n")) if begun[0] == "#" else at + 2
        end = text.find(ends, first)
        if end < 0:
            return None
        if _MORE_THAN_WORDS.search(text, at + 1, end):
            self.problem = "a comment holds more than words"
        return end + len(ends)


_BACKSLASH: Final = re.compile(r"\\(.)", re.DOTALL)


def _without_backslash(escape: re.Match[str]) -> str:
    return _ESCAPES.get(escape[1], escape[0])


def read_json(text: str) -> Any:
    """Return the object or array that a text is, and that alone.

    Raises ValueError, with the reason, for anything incomplete or ambiguous.
    """
    reader = JsonReader(text)
    problem = reader.failed or (None if reader.done else "incomplete")
    if problem is None and text[reader.end :].strip():
        problem = "text behind it"
    if problem := problem or reader.problem:
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
