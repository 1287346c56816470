"""Reading the tables of a language: every way to say and to write a phrase."""

from collections.abc import Iterator
from functools import cache
import re
from typing import Final
import unicodedata

APOSTROPHES: Final = re.compile("['’‘`´ʼ]")
# Accents of Latin, Greek and Cyrillic. The marks of other scripts are letters.
ACCENTS: Final = re.compile("[\u0300-\u036f]")
_UMLAUTS: Final = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue"})
# The innermost "(a|b)" or "[a|b]" of a template.
_CHOICE: Final = re.compile(r"\(([^][()]*)\)|\[([^][()]*)\]")


def without_accents(text: str) -> str:
    """Return the text without case, accents and forms of the same character."""
    folded = unicodedata.normalize("NFKD", text.casefold()).casefold()
    return ACCENTS.sub("", folded)


def phrases(templates: str) -> Iterator[str]:
    """Yield every way to say and write the templates, one in a line."""
    for template in templates.splitlines():
        for said in _expand(template):
            yield from spellings(said)


def spellings(said: str) -> set[str]:
    """Return the ways to write a phrase."""
    written = {said, said.translate(_UMLAUTS)}
    return written | {APOSTROPHES.sub("", text) for text in written}


def has_word(text: str, words: str) -> bool:
    """Return whether a text has one of some words, whatever their number or case."""
    return _any_of(words).search(without_accents(text)) is not None


@cache
def _any_of(words: str) -> re.Pattern[str]:
    """Return a pattern for words as the form of a language has them."""
    parts = (
        # A hyphen may be spoken as a pause.
        re.escape(spelling).replace(r"\*", r"\w*").replace(r"\-", "[- ]")
        for word in words.split()
        for spelling in spellings(word)
    )
    every = "|".join(without_accents(part) for part in parts)
    return re.compile(rf"\b(?:{every})(?:e?[sn]|es|e|x)?\b" if words else "(?!)")


def _expand(template: str) -> Iterator[str]:
    """Return all that a template stands for."""
    choice = _CHOICE.search(template)
    if choice is None:
        yield template
        return
    needed, optional = choice.groups()
    said = needed.split("|") if optional is None else ["", *optional.split("|")]
    for text in said:
        yield from _expand(
            f"{template[: choice.start()]}{text}{template[choice.end() :]}"
        )
