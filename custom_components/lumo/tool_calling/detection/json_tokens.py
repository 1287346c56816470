"""What the tokens of JSON look like, as models write it."""

import re
from typing import Final

# Whitespace and what is as good as that: byte order mark, zero-width characters.
BLANK: Final = r"\s\ufeff\u200b-\u200f\u2060"
BLANKS: Final = re.compile(f"[{BLANK}]*")
WORD: Final = re.compile(r"[\w.+\-:]*")
KEY_WORD: Final = re.compile(r"[\w$\-]*")
NUMBER: Final = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?", re.ASCII)
LOOSE_NUMBER: Final = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)
LEADING_ZERO: Final = re.compile(r"[+-]?0\d+$")
NAME: Final = re.compile(r"[^\W\d][\w.:\-]*")
# What a comment does not have that is meant as one: `// turn it off, now`.
MORE_THAN_WORDS: Final = re.compile(r'[{}\[\]":=“”„‟]')
UNESCAPED: Final = re.compile(r'[^\\"]*')

CONSTANTS: Final[dict[str, bool | None]] = {"true": True, "false": False, "null": None}
PYTHON_CONSTANTS: Final = {"True": True, "False": False, "None": None}

# The plain run of a string by what ends it; typographic quotes end one another.
RUNS: Final = {
    '"': re.compile(r'[^"\\]*'),
    "'": re.compile(r"[^'\\]*"),
    "”": re.compile(r"[^“”„‟\\]*"),
    "’": re.compile(r"[^‘’‚‛\\]*"),
}
QUOTES: Final = {
    **dict.fromkeys('"', '"'),
    **dict.fromkeys("'", "'"),
    **dict.fromkeys("“”„‟", "”"),
    **dict.fromkeys("‘’‚‛", "’"),
}
ESCAPES: Final = dict(zip('"\\/bfnrt', '"\\/\b\f\n\r\t', strict=True))


class Bareword(str):
    """A value without quotes that is no number and no constant."""

    __slots__ = ()


def end_of(pattern: re.Pattern[str], text: str, position: int) -> int:
    """Return the end of a match at a position; the pattern takes an empty text as well."""
    found = pattern.match(text, position)
    assert found is not None
    return found.end()
