"""What a person knows about words: a table per language."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import import_module
import re
from typing import Final

from .text import stem

LANGUAGES: Final = ("en", "de")
# Words that make something wait, or forbid it.
WAITS: Final = (
    r"\b(?:later|earlier|before|after|until|till|when|if|unless|once|while|solange|tonight|tomorrow"
    r"|bis|nach|vor|vorher|nachher|danach|spater|fruher|erst|wenn|falls|sobald|bevor|nachdem"
    r"|nachts|abends|morgens|morgen|heute abend|yesterday|gestern|abend|wake|weck\w*|not|never|don|nicht|nie|kein\w*)\b"
)


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
    """Return what words mean, from rows of a meaning, a colon and its words."""
    lines = (line.split(": ") for line in re.split(r"[\n;]", text.strip()))
    return {
        word: meaning.strip() for meaning, words in lines for word in words.split(", ")
    }


def texts(text: str) -> dict[str, str]:
    """Return texts by their keys, from `key: text`, one or more in a line."""
    return dict(
        item.strip().split(": ", 1) for item in re.split(r"\n| \| ", text.strip())
    )


def patterns(text: str) -> tuple[tuple[str, str], ...]:
    """Return patterns and their meanings, from lines of a meaning and a pattern."""
    lines = (line.strip().partition(": ") for line in text.strip().splitlines())
    return tuple((pattern, meaning) for meaning, _, pattern in lines)


def word_set(text: str) -> frozenset[str]:
    """Return the words of a text."""
    return frozenset(text.split())


@lru_cache(maxsize=512)
def _literals(*patterns: str) -> tuple[frozenset[str], tuple[str, ...]]:
    """Return the stems of the words that patterns look for, and how longer ones begin."""
    found = re.findall(r"[a-z]{2,}", re.sub(r"\\[a-zA-Z]", " ", " ".join(patterns)))
    return frozenset(map(stem, found)), tuple(word for word in found if len(word) > 3)


def unexplained(words: Iterable[str], code: str, *patterns: str) -> list[str]:
    """Return the words that say something which nobody here has understood."""
    own, verbs = words_for(code), [row[0] for row in words_for(code).actions]
    said = (own.filler, own.joiners, own.question, own.pronouns, *own.states, *verbs)
    (stems, starts), (more, begins) = _literals(*said), _literals(*patterns)
    hints = stems.union(*(words_for(name).hints for name in LANGUAGES))
    return [
        word
        for word in words
        if not (stem(word) in more or word.startswith(begins))
        and (
            re.fullmatch(WAITS, word)
            or (len(word) > 2 and not {word, stem(word)} & hints)
            and not word.startswith(starts)
        )
    ]


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
