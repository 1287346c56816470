"""Reading the tables of a language: every way to say and to write a phrase."""

from collections.abc import Iterable, Iterator
from functools import cache
import re
from typing import Final

from ..text import as_compared
from .form import Language

APOSTROPHES: Final = re.compile("['’‘`´ʼ]")
_UMLAUTS: Final = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ø": "oe"})
_BETWEEN: Final = re.compile(r"[\n;]")
# A hyphen may be spoken as a pause.
_LETTERS: Final = {" ": r"\s+", "-": "[- ]"}
# The innermost "(a|b)" or "[a|b]" of a template.
_CHOICE: Final = re.compile(r"\(([^][()]*)\)|\[([^][()]*)\]")


def phrases(templates: str) -> Iterator[str]:
    """Yield every way to say and write the templates of lines, or between `;`."""
    for template in _BETWEEN.split(templates):
        for said in _expand(template.strip()):
            yield from spellings(said)


def spellings(said: str) -> set[str]:
    """Return the ways to write a phrase."""
    written = {said, said.translate(_UMLAUTS)}
    return written | {APOSTROPHES.sub("", text) for text in written}


def word_patterns(words: str, language: Language) -> set[str]:
    """Return patterns for words, inflected, with or without their accents."""
    endings = f"(?:{any_of(language.endings.split())})?"
    found: dict[tuple[str, str], set[str]] = {}
    for word in words.split():
        stem = word.strip("*")
        # "Tür" without its dots is the end of many other words, "lås" is another one.
        plain = set() if re.search("[äöüåø]", stem) else {as_compared(stem)}
        begin = r"(?:[^\W_]{3,})?" if word.startswith("*") else ""
        end = r"[^\W_]*" if word.endswith("*") else endings
        found.setdefault((begin, end), set()).update(spellings(stem) | plain)
    return {f"{begin}{any_of(texts)}{end}" for (begin, end), texts in found.items()}


def phrase_pattern(templates: str) -> str:
    """Return a pattern for phrases, with or without their accents."""
    said = {" ".join(text.split()) for text in phrases(templates)} - {""}
    return any_of(said | {as_compared(text) for text in said}) or "(?!)"


def any_of(texts: Iterable[str]) -> str:
    """Return a pattern for any of some texts, longer ones first, each beginning once."""
    rests: dict[str, list[str]] = {}
    for text in texts:
        rests.setdefault(text[:1], []).append(text[1:])
    ends = rests.pop("", None)
    ways = [_LETTERS.get(one, re.escape(one)) + any_of(rests[one]) for one in rests]
    if len(ways) < 2 and not (ways and ends):
        return "".join(ways)
    return f"(?:{'|'.join(ways)}){'?' if ends else ''}"


def pattern_of(patterns: Iterable[str]) -> re.Pattern[str]:
    """Return what finds whole words in a text `as_searched`."""
    found = "|".join(sorted(patterns)) or "(?!)"
    return re.compile(rf"(?<![^\W_])(?:{found})(?![^\W_])")


@cache
def words_in(words: str, language: Language) -> re.Pattern[str]:
    """Return a pattern for words of a language, in a text `as_searched`."""
    return pattern_of(word_patterns(words, language))


def parts_of(sentence: str, language: Language) -> list[str]:
    """Return the parts of a sentence that may ask for different things."""
    return [part.strip() for part in _joint(language).split(sentence) if part.strip()]


@cache
def _joint(language: Language) -> re.Pattern[str]:
    words = "|".join(map(re.escape, language.joints.split())) or "(?!)"
    marks = r"(?:(?<!\d)[,;.:!?]|[,;.:!?](?!\d))+"
    return re.compile(rf"\b(?:{words})\b|{marks}", re.IGNORECASE)


def _expand(template: str) -> Iterator[str]:
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
