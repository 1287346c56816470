"""What is a plain command: all that was said is the command, and it holds now.

"All lamps except the spots", "don't ...", "if ..." and "for ten minutes" are the model's.
"""

from functools import cache
import re
import unicodedata

from ..languages.form import Language
from ..languages.words import (
    APOSTROPHES,
    parts_of,
    pattern_of,
    phrase_patterns,
    words_in,
)
from ..text import as_searched


def bare(sentence: str, language: Language) -> str:
    """Return a sentence without the politeness, and the greeting, around it."""
    text = unicodedata.normalize("NFC", sentence).strip()
    polite = _courtesy(language)
    end = re.search(rf"(?<=\w)\W+{polite}$", text, re.IGNORECASE)
    text = text[: end.start()] if end else text
    begin = re.match(rf"{polite}(?=\w)", text, re.IGNORECASE)
    return text[begin.end() :] if begin else text


def asked_for(sentence: str, language: Language) -> list[str]:
    """Return the parts of a sentence that ask for something, not only politely.

    Where all are polite "Good morning" may be a scene.
    """
    is_polite = re.compile(_courtesy(language)).fullmatch
    parts = parts_of(sentence, language)
    return [part for part in parts if not is_polite(as_searched(part))] or parts


def has_condition(sentence: str, language: Language) -> bool:
    """Return whether it has a word of exception, condition or denial."""
    text = APOSTROPHES.sub("'", as_searched(sentence))
    return words_in(language.conditions, language).search(text) is not None


def has_length(sentence: str, language: Language) -> bool:
    """Return whether it has a unit of time: "in five minutes", "for half an hour"."""
    return _lengths(language).search(as_searched(sentence)) is not None


@cache
def _courtesy(language: Language) -> str:
    polite = (language.polite, *language.hesitations.split(), "lumo")
    patterns = sorted(phrase_patterns("\n".join(polite)), key=len, reverse=True)
    return rf"(?:(?:{'|'.join(patterns)})(?:\W+|$))+"


@cache
def _lengths(language: Language) -> re.Pattern[str]:
    words = "|".join(language.units.get(unit, "") for unit in ("min", "h", "s"))
    return pattern_of(map(re.escape, as_searched(words).strip("|").split("|")))
