"""Folding texts as people, patterns and programs write them. No Home Assistant."""

import re
from typing import Final
import unicodedata

# Accents of Latin, Greek and Cyrillic. The marks of other scripts are letters.
_ACCENTS: Final = re.compile("[\u0300-\u036f]")
# Letters that are also written without their stroke, or as two.
_LETTERS: Final = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "æ": "ae", "œ": "oe", "ı": "i"}
)
_SEPARATORS: Final = str.maketrans("_-", "  ")
_NO_LETTER_OR_DIGIT: Final = re.compile(r"[\W_]+")


def as_compared(text: str) -> str:
    """Return a text without case and accents; `_` and `-` become one blank."""
    text = text.casefold()
    if not text.isascii():
        text = unicodedata.normalize("NFKD", text).casefold()
        text = unicodedata.normalize("NFKC", _ACCENTS.sub("", text))
        text = text.translate(_LETTERS)
    return " ".join(text.translate(_SEPARATORS).split())


def as_searched(text: str) -> str:
    """Return a text without case, each letter with its accent as one character."""
    return unicodedata.normalize("NFC", text.casefold())


def letters_and_digits(text: str) -> str:
    """Return the letters and digits of a text, without case."""
    return _NO_LETTER_OR_DIGIT.sub("", unicodedata.normalize("NFKC", text).casefold())


def repeats(text: str) -> bool:
    """Return whether a text ends in the same 24 to 200 characters three times."""
    return any(
        text.endswith(stretch * 3) and any(map(str.isalpha, stretch))
        for size in range(24, min(200, len(text) // 3 + 1))
        for stretch in (text[-size:],)
    )
