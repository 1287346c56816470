"""What a person knows about words: a table per language."""

from dataclasses import dataclass
from functools import cache
from importlib import import_module
import re
from typing import Final

LANGUAGES: Final = ("en", "de")


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """The words of one language. Patterns are applied to folded text (`text.fold`)."""

    code: str
    hints: frozenset[str]
    """Words that are frequent in this language and rare in the others."""
    filler: str
    """Politeness and padding, removed before a sentence is understood."""
    joiners: str
    """Words between two commands; applied to the sentence as it was written."""
    question: str
    actions: tuple[tuple[str, str], ...]
    """Pattern and action, the more special first."""
    pronouns: str
    here: str
    floors: tuple[str, ...]
    domains: dict[str, str]
    """Word for a kind of device -> domain, and device class if it says one."""
    properties: dict[str, str]
    """Word for what is measured or detected -> domain and device class."""
    states: dict[str, str]
    """Word for a state that is asked for -> the state."""
    colors: dict[str, str]
    smalltalk: tuple[tuple[str, str], ...]
    levels: dict[str, str]
    """Words for a percentage."""
    state_words: dict[str, str]
    """State, or `device class:state` -> how it is said."""
    domain_words: dict[str, str]
    """Domain -> its plural with the article, as a reply says it."""
    replies: dict[str, str]


def table(text: str) -> dict[str, str]:
    """Return what words mean, from lines of a meaning, a colon and its words."""
    lines = (line.split(": ") for line in text.strip().splitlines())
    return {
        word: meaning.strip() for meaning, words in lines for word in words.split(", ")
    }


def patterns(text: str) -> tuple[tuple[str, str], ...]:
    """Return patterns and their meanings, from lines of a meaning and a pattern."""
    lines = (line.strip().partition(": ") for line in text.strip().splitlines())
    return tuple((pattern, meaning) for meaning, _, pattern in lines)


def word_set(text: str) -> frozenset[str]:
    """Return the words of a text."""
    return frozenset(text.split())


@cache
def words_for(language: str) -> Words:
    """Return the table of a language, English for one that has none."""
    code = language if language in LANGUAGES else "en"
    words = import_module(f".words_{code}", __package__).WORDS
    assert isinstance(words, Words)
    return words


NUMBER: Final = re.compile(
    r"(?<![\w.])(-?\d+(?:\.\d+)?)(?=\s*(%|°\s*c?|°\s*f|[^\W\d]+)?)"
)
