"""Read JSON as models write it, piece by piece.

Strategy: one pushdown automaton that is given text as it comes and builds the value
on the way. Each step consumes at least one character or ends the reading, and nothing
is looked at twice, so the cost is linear however the text is cut. There is no
recursion; nesting is bounded.

Beside JSON it understands what models really write: Python's literals and quotes,
trailing commas, comments, typographic quotes, names without quotes, Markdown's
escapes, a text that was escaped once too often and invisible characters between
tokens. These are repairs of syntax: none adds,
drops or shortens a member. What would need that is a failure, and the caller sees how
far the value was understood.
"""

from collections.abc import Callable
import math
from typing import Any, Final

from .json_tokens import (
    BLANKS,
    CONSTANTS,
    ESCAPES,
    KEY_WORD,
    LEADING_ZERO,
    LOOSE_NUMBER,
    MORE_THAN_WORDS,
    NAME,
    NUMBER,
    PYTHON_CONSTANTS,
    QUOTES,
    RUNS,
    UNESCAPED,
    WORD,
    Bareword,
    end_of,
)

MAX_DEPTH: Final = 64
# A key is a word, not a paragraph: a quote in prose must not swallow the rest of it.
MAX_KEY: Final = 64
_MAX_WORD: Final = 300

# What may come next between tokens.
_START, _FIRST_KEY, _KEY, _COLON, _VALUE, _FIRST_ITEM, _ITEM, _NEXT = range(8)
_WANTS_VALUE: Final = frozenset({_VALUE, _FIRST_ITEM, _ITEM})
_WANTS_KEY: Final = frozenset({_FIRST_KEY, _KEY})

type _Step = Callable[[str, int], int]


class JsonReader:
    """Reads one object or one array from text that comes in pieces.

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
        # How many items of an outermost array are complete.
        self.items = 0
        self._expect = _START
        self._key = ""
        self._step: _Step = self._between
        self._parts: list[str] = []
        self._size = 0
        self._quote = ""
        self._is_key = False
        self._surrogates = False
        self._escape = ""
        self._comment = ""
        self._escaped = False
        self._escaped_backslash = False

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
        return self._expect == _NEXT and self._step == self._between

    @property
    def _wants_object(self) -> bool:
        """Whether an item of an outermost array of objects comes next."""
        return self._objects_only and len(self.stack) == 1 and type(self.root) is list

    def feed(self, text: str, start: int = 0) -> int:
        """Read on from `start`; return the index after the last character used.

        Where reading fails, this is the index of the character that does not fit.
        """
        position, end = start, len(text)
        while position < end and not self.done and self.failed is None:
            if self._escaped:
                position = self._unescape(text, position)
            else:
                position = self._step(text, position)
        return position

    # Between tokens

    def _between(self, text: str, position: int) -> int:
        position = end_of(BLANKS, text, position)
        if position == len(text):
            return position
        char = text[position]
        expect = self._expect
        if char in QUOTES:
            return self._begin_string(char, position)
        if char == ":":
            if expect != _COLON:
                return self._fail("unexpected colon", position)
            self._expect = _VALUE
        elif char == ",":
            if expect != _NEXT:
                return self._fail("unexpected comma", position)
            self._expect = _KEY if type(self.stack[-1]) is dict else _ITEM
        elif char in "{[":
            return self._open(char, position)
        elif char in "}]":
            return self._close(char, position)
        elif char in "/#":
            self.repaired = True
            self._comment = char
            self._step = self._in_comment
        elif char == "\\":
            return self._begin_escaped(position)
        elif expect in _WANTS_VALUE or expect in _WANTS_KEY:
            return self._begin_word(char, position)
        else:
            return self._fail("unexpected text", position)
        return position + 1

    def _fail(self, reason: str, position: int) -> int:
        self.failed = reason
        return position

    def _open(self, char: str, position: int) -> int:
        if len(self.stack) >= MAX_DEPTH:
            return self._fail("nested too deep", position)
        if char == "[" and self._wants_object:
            return self._fail("not an array of objects", position)
        container: Any = {} if char == "{" else []
        if self._expect == _START:
            self.root = container
        elif self._expect in _WANTS_VALUE:
            self._put(container)
        else:
            return self._fail("unexpected bracket", position)
        self.stack.append(container)
        self._expect = _FIRST_KEY if char == "{" else _FIRST_ITEM
        return position + 1

    def _close(self, char: str, position: int) -> int:
        if not self.stack:
            return self._fail("unexpected bracket", position)
        wanted = dict if char == "}" else list
        expect = self._expect
        if type(self.stack[-1]) is not wanted:
            return self._fail("unexpected bracket", position)
        if expect in {_KEY, _ITEM}:
            self.repaired = True
        elif expect not in {_NEXT, _FIRST_KEY, _FIRST_ITEM}:
            return self._fail("a value is missing", position)
        self.stack.pop()
        self._expect = _NEXT
        if not self.stack:
            self.done = True
        elif len(self.stack) == 1 and type(self.root) is list:
            self.items += 1
        return position + 1

    def _put(self, value: Any) -> None:
        container = self.stack[-1]
        if type(container) is dict:
            if self._key in container and self.duplicate is None:
                self.duplicate = self._key
            container.setdefault(self._key, value)
        else:
            container.append(value)
        self._expect = _NEXT

    # Strings

    def _begin_string(self, char: str, position: int) -> int:
        self._is_key = self._expect in _WANTS_KEY
        if not self._is_key and self._expect not in _WANTS_VALUE:
            return self._fail("unexpected quote", position)
        if self._wants_object:
            return self._fail("not an array of objects", position)
        self._quote = QUOTES[char]
        if char != '"':
            self.repaired = True
        self._parts = []
        self._size = 0
        self._surrogates = False
        self._step = self._in_string
        return position + 1

    def _in_string(self, text: str, position: int) -> int:
        run = RUNS[self._quote].match(text, position)
        assert run is not None  # it also matches the empty text
        end = run.end()
        if end > position:
            part = text[position:end]
            if self._is_key:
                room = self._max_key - self._size
                newline = part.find("\n", 0, room)
                if newline >= 0:
                    return self._fail("a key over two lines", position + newline)
                if len(part) > room:
                    return self._fail("a key too long", position + room)
                self._size += len(part)
            self._parts.append(part)
            if end == len(text):
                return end
        if text[end] == "\\":
            self._escape = ""
            self._step = self._in_escape
            return end + 1
        value = self._parts[0] if len(self._parts) == 1 else "".join(self._parts)
        self._parts = []
        if self._surrogates:
            try:
                value = value.encode("utf-16", "surrogatepass").decode("utf-16")
            except UnicodeError:
                return self._fail("half a character", end)
        self._step = self._between
        if self._is_key:
            self._key = value
            self._expect = _COLON
        else:
            self._put(value)
        return end + 1

    def _in_escape(self, text: str, position: int) -> int:
        char = text[position]
        escape = self._escape
        if escape:  # u and up to three digits
            if char not in "0123456789abcdefABCDEF":
                return self._fail("a broken escape", position)
            self._escape = escape = escape + char
            if len(escape) < 5:
                return position + 1
            code = int(escape[1:], 16)
            self._surrogates |= 0xD800 <= code < 0xE000
            part = chr(code)
        elif char == "u":
            self._escape = char
            return position + 1
        elif char in ESCAPES:
            part = ESCAPES[char]
        else:
            self.repaired = True
            # Markdown escapes punctuation; before a letter the backslash was meant.
            part = "\\" + char if char.isalnum() else char
        self._parts.append(part)
        self._step = self._in_string
        return position + 1

    # Words: numbers, constants, names without quotes

    def _begin_word(self, char: str, position: int) -> int:
        if self._wants_object:
            return self._fail("not an array of objects", position)
        self._is_key = self._expect in _WANTS_KEY
        if self._is_key:
            fits = char.isalpha() or char in "_$"
        else:
            fits = char.isalnum() or char in "_-+."
        if not fits:
            return self._fail("unexpected text", position)
        self._parts = []
        self._size = 0
        self._step = self._in_word
        return position

    def _in_word(self, text: str, position: int) -> int:
        end = end_of(KEY_WORD if self._is_key else WORD, text, position)
        if end > position:
            room = _MAX_WORD - self._size
            if end - position > room:
                return self._fail("a word too long", position + room)
            self._size += end - position
            self._parts.append(text[position:end])
            if end == len(text):
                return end
        word = "".join(self._parts)
        self._step = self._between
        if self._is_key:
            self.repaired = True
            self._key = word
            self._expect = _COLON
        elif word in CONSTANTS:
            self._put(CONSTANTS[word])
        elif word in PYTHON_CONSTANTS:
            self.repaired = True
            self._put(PYTHON_CONSTANTS[word])
        elif LOOSE_NUMBER.fullmatch(word):
            return self._put_number(word, end)
        elif NAME.fullmatch(word):
            self.repaired = True
            self.barewords.append(Bareword(word))
            self._put(self.barewords[-1])
        else:
            return self._fail("neither a number nor a word", end)
        return end

    def _put_number(self, word: str, end: int) -> int:
        if not NUMBER.fullmatch(word):
            self.repaired = True
        if LEADING_ZERO.match(word):
            # A code, or part of a number of a phone; who wants a number can read it.
            self._put(word)
            return end
        number: int | float
        if word.lstrip("+-").isdigit():
            number = int(word)
        else:
            number = float(word)
            if not math.isfinite(number):
                return self._fail("a number too large", end)
        self._put(number)
        return end

    # Comments

    def _in_comment(self, text: str, position: int) -> int:
        if self._comment == "/":
            if text[position] not in "/*":
                return self._fail("unexpected slash", position)
            self._comment = "#" if text[position] == "/" else "/*"
            return position + 1
        ends = "\n" if self._comment == "#" else "*"
        end = position if self._comment == "/**" else text.find(ends, position)
        comment = text[position : end if end >= 0 else len(text)]
        self.swallowed |= MORE_THAN_WORDS.search(comment) is not None
        if end < 0:
            return len(text)
        if self._comment == "/*":
            self._comment = "/**"
            return end + 1
        if self._comment == "/**" and text[end] != "/":
            if text[end] != "*":
                self._comment = "/*"
                return end
            return end + 1
        self._step = self._between
        return end + 1

    # A text that was escaped once too often: {\"name\": \"...\"}

    def _begin_escaped(self, position: int) -> int:
        is_first = self._expect in {_FIRST_KEY, _FIRST_ITEM}
        if self._escaped or not is_first or self.root not in ({}, [], [{}]):
            return self._fail("unexpected backslash", position)
        self.repaired = True
        self._escaped = True
        return position

    def _unescape(self, text: str, position: int) -> int:
        """Take one level of escapes off and read what is left."""
        if self._escaped_backslash:
            self._escaped_backslash = False
            char = text[position]
            self._feed_part(ESCAPES.get(char, "\\" + char))
            return position if self.failed is not None else position + 1
        end = end_of(UNESCAPED, text, position)
        if end > position:
            return position + self._feed_part(text[position:end])
        if text[position] == '"':
            return self._fail("unexpected quote", position)
        self._escaped_backslash = True
        return position + 1

    def _feed_part(self, part: str) -> int:
        position, end = 0, len(part)
        while position < end and not self.done and self.failed is None:
            position = self._step(part, position)
        return position


def read_json(text: str) -> Any:
    """Return the object or array that a text is, and that alone.

    Raises ValueError, with the reason, for anything incomplete or ambiguous.
    """
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
