"""What a person's own sentence names: things, kinds of things, "it".

Once text from outside was read into a conversation, an action on something that the
person did not name is asked about first. The author of that text must not gain by a
generous reading, so a name counts as said only with all of its significant words:

* case, accents and punctuation do not matter, nor do articles and the like;
* a word may be inflected ("Lampen" for "Lampe") and words may be compounded or taken
  apart ("Küchenlampe" for "Küche Lampe", "Lampe in der Küche" for "Küchenlampe");
* numbers are exact, and stand by the word they belong to: "set lamp 2 to 1 percent"
  does not name "Lamp 1". So does a last single letter, as in "Lamp A";
* a name that stands in the sentence word by word is always named, and a name in a
  script that is not Latin is searched as it is, for there words have other borders.

A sentence is prepared once, and asked for a thousand names: its words are found by
themselves and by their stems. Taking words apart costs more, so it is done so often at
most; what is longer than anybody speaks is not looked at. Both only ever name less.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from itertools import pairwise
import re
from typing import Final
import unicodedata

from ..languages.form import Language
from ..languages.words import parts_of, pattern_of, phrase_patterns, word_patterns
from ..text import as_compared, as_searched

# How far a part of a compound may stand behind another: "Lampe hinten in der Küche".
APART: Final = 4
# What is looked at, of a sentence and of a name.
MAX_CHARACTERS: Final = 2000
MAX_WORDS: Final = 300
MAX_NAME: Final = 200
MAX_NAME_WORDS: Final = 16
MAX_LETTERS: Final = 40
# How many steps may be spent on taking words apart, for one sentence.
MAX_STEPS: Final = 100_000

_TOKEN: Final = re.compile(r"\d+|[^\W\d_]+")
_POSSESSIVE: Final = re.compile(r"(?<=\w)['’ʼ]s\b")


class Sentence:
    """What a person said, prepared for looking up names in it."""

    def __init__(self, text: str, language: Language) -> None:
        self.language = language
        self.steps = 0
        """How much was spent on taking words apart."""
        self._raw = text[:MAX_CHARACTERS]
        self._rules = _rules(language)
        self._text = _fold(self._raw)
        self._words = _TOKEN.findall(self._text)[:MAX_WORDS]
        self._line = f" {' '.join(self._words)} "
        self._places: dict[str, set[int]] = {}
        self._stems: dict[str, set[int]] = {}
        # What a compound in a name may be put together of, by how it begins.
        self._parts: dict[str, dict[str, None]] = {}
        for place, word in enumerate(self._words):
            self._places.setdefault(word, set()).add(place)
            for stem in self._rules.stems(word):
                self._stems.setdefault(stem, set()).add(place)
            if _may_be_part(word) and word not in self._rules.generic:
                self._parts.setdefault(word[:3], {})[word] = None
        self._known: dict[str, bool] = {}

    @property
    def text(self) -> str:
        """Return what was said."""
        return self._raw

    def names_any(self, names: Iterable[str]) -> bool:
        """Return whether it names one of these."""
        return any(map(self.names, names))

    def names(self, name: str) -> bool:
        """Return whether all significant words of the name were said."""
        if name not in self._known:
            found = _name(name, self.language)
            self._known[name] = found is not None and self._names(found)
        return self._known[name]

    def quotes(self, text: str) -> bool:
        """Return whether a text stands in it, word by word."""
        words = _TOKEN.findall(_fold(text))
        return bool(words) and f" {' '.join(words)} " in self._line

    def has_words(self, text: str, others: frozenset[str]) -> bool:
        """Return whether each word of a text was said, or is one of the others."""
        words = _TOKEN.findall(_fold(text))
        return not others.issuperset(words) and all(
            word in others or self.names(word) for word in words
        )

    @cached_property
    def kinds(self) -> frozenset[str]:
        """Return the kinds of things that it speaks of, in other words than questions."""
        spoken = [as_searched(clause) for clause in self._clauses]
        return frozenset(
            kind
            for kind, pattern in _kinds(self.language).items()
            if any(map(pattern.search, spoken))
        )

    @cached_property
    def points_back(self) -> bool:
        """Return whether it has a word like "it", for what was spoken of before."""
        return any(map(self.language.pronouns.search, self._clauses))

    @cached_property
    def speaks_of_timers(self) -> bool:
        """Return whether it has a word for timers."""
        words = pattern_of(word_patterns(self.language.timers, self.language))
        return words.search(as_searched(self._raw)) is not None

    @cached_property
    def about_places(self) -> Sentence:
        """Return its commands, with "Küche" for "Küchenlicht", to look for areas in."""
        said = " . ".join(self._clauses)
        more = _compounds(self.language).findall(as_searched(said))
        return Sentence(" . ".join((said, *more)), self.language)

    @cached_property
    def _clauses(self) -> list[str]:
        """Return its parts that ask nothing: what is asked about is not to be acted on."""
        clauses = parts_of(self._raw, self.language)
        return [item for item in clauses if not self.language.questions.match(item)]

    def _names(self, name: _Name) -> bool:
        if f" {' '.join(name.words)} " in self._line:
            return True
        if name.text and self._has_text(name.text):
            return True
        found = self._find(name) if name.plain else None
        if found is None:
            return False
        places = dict(zip(name.plain, found, strict=True))
        return all(self._has_label(name.words, index, places) for index in name.labels)

    def _has_text(self, text: str) -> bool:
        # Greek and Cyrillic words have other endings, but no other beginnings.
        joined = unicodedata.name(text[0], "").startswith(("GREEK", "CYRILLIC"))
        start = self._text.find(text)
        while start >= 0:
            if start == 0 or not joined or not self._text[start - 1].isalnum():
                return True
            start = self._text.find(text, start + 1)
        return False

    def _find(self, name: _Name) -> list[set[int]] | None:
        words = [name.words[index] for index in name.plain]
        found = [self._places_of(word) for word in words]
        if len(words) > 1 and not all(found):
            for said in {
                said for word in words for said in self._parts.get(word[:3], ())
            }:
                compound = self._compose(said, words)
                for index, word in enumerate(words):
                    if word in compound:
                        found[index] |= self._places[said]
        for index, word in enumerate(words):
            if not found[index] and _may_be_part(word):
                begin = {word[start : start + 3] for start in range(len(word) - 2)}
                parts = [part for key in begin for part in self._parts.get(key, ())]
                found[index] = self._find_parts(self._compose(word, parts))
            if not found[index]:
                return None
        return found

    def _places_of(self, word: str) -> set[int]:
        found = self._places.get(word, set()) | self._stems.get(word, set())
        for stem in self._rules.stems(word):
            # Of two endings only those of cases may stand for each other.
            found |= (self._stems if "~" in stem else self._places).get(stem, set())
        return found

    def _find_parts(self, parts: tuple[str, ...]) -> set[int]:
        """Return where the parts of a compound were said, if they belong together.

        They do in "living room", and the other way round in "Lampe in der Küche"; a
        "bed in the living room" is no bedroom.
        """
        places: set[int] = set()
        for first, second in pairwise(parts):
            behind = self._places[second]
            together: set[int] = set()
            for place in self._places[first]:
                near = behind.intersection({*range(place - APART, place), place + 1})
                together |= {place, *near} if near else near
            if not together:
                return set()
            places |= together
        return places

    def _has_label(
        self, words: tuple[str, ...], index: int, places: dict[int, set[int]]
    ) -> bool:
        """Return whether a number stands by its word, as it does in the name."""
        label = words[index]
        before = [other for other in places if other < index]
        if not before:
            following = places[min(places)]
            return any(
                place > 0 and self._words[place - 1] == label for place in following
            )
        for place in places[max(before)]:
            for said in self._words[place + 1 :]:
                said = self._rules.numbers.get(said, said)
                if said == label:
                    return True
                if not said.isdigit() and said not in self._rules.before_number:
                    break
        return False

    def _compose(self, word: str, parts: Iterable[str]) -> tuple[str, ...]:
        """Return the parts that a compound is made of; none if it is not made of them."""
        candidates = [part for part in parts if 3 <= len(part) < len(word)]
        # From the end, so that each rest of the word is looked at once.
        rests: dict[int, tuple[str, ...]] = {}
        for start in range(len(word) - 3, -1, -1):
            rest = word[start:]
            for part in candidates:
                self.steps += 1
                if self.steps > MAX_STEPS:
                    return ()
                if start and self._rules.same(rest, part):
                    rests[start] = (part,)
                elif match := self._rules.begin(word, start, part, rests):
                    rests[start] = match
                if start in rests:
                    break
        return rests.get(0, ())


@dataclass(frozen=True, slots=True)
class _Name:
    words: tuple[str, ...]
    plain: tuple[int, ...]
    """The places of its significant words."""
    labels: tuple[int, ...]
    """The places of its numbers, and of a last single letter."""
    text: str
    """What is searched as it is."""


@lru_cache(maxsize=4096)
def _name(name: str, language: Language) -> _Name | None:
    if len(name) > MAX_NAME:
        return None
    text = _fold(name)
    words = tuple(_TOKEN.findall(text))
    if not 0 < len(words) <= MAX_NAME_WORDS:
        return None
    labels = tuple(
        index
        for index, word in enumerate(words)
        if word.isdigit()
        or (len(word) == 1 and word.isascii() and 0 < index == len(words) - 1)
    )
    generic = _rules(language).generic
    plain = tuple(
        index
        for index, word in enumerate(words)
        if index not in labels and word not in generic
    )
    return _Name(words, plain, labels, text.strip() if _other_script(text) else "")


class _Rules:
    def __init__(self, language: Language) -> None:
        self.generic = _folded_words(language.generic)
        self.before_number = _folded_words(language.before_number)
        self.numbers = {
            _fold(word): str(number)
            for number, entry in enumerate(language.numbers.split())
            for word in entry.split("|")
        }
        self.endings = _folded_words(language.endings)
        # A word of three letters takes fewer: else a car is named by every word that
        # begins like it.
        self.short_endings = _folded_words(language.short_endings)
        # Each with the number of its class.
        self.cases = frozenset(
            (ending, number)
            for number, endings in enumerate(language.cases.split("|"))
            for ending in _folded_words(endings)
        )
        self.links = ("", *language.links.split())

    def stems(self, word: str) -> set[str]:
        """Return what the word may be an inflected form of.

        A stem with a tilde may take each of the endings of that class of cases.
        """
        if not word.isascii() or word.isdigit() or len(word) > MAX_LETTERS:
            return set()
        found = {
            word[: -len(ending)] for ending in self.endings if word.endswith(ending)
        }
        found = {
            stem
            for stem in found
            if len(stem) > 3 or (len(stem) == 3 and word[3:] in self.short_endings)
        }
        if word.endswith("ces") and len(word) > 4:
            found.add(f"{word[:-3]}z")
        return found | {
            f"{word[: -len(case)]}~{number}"
            for case, number in self.cases
            if word.endswith(case)
            and len(word) > len(case) + (2 if case in self.short_endings else 3)
        }

    def same(self, first: str, second: str) -> bool:
        if first == second:
            return True
        stems, others = self.stems(first), self.stems(second)
        cases = {stem for stem in stems & others if "~" in stem}
        return second in stems or first in others or bool(cases)

    def begin(
        self, word: str, start: int, part: str, rests: dict[int, tuple[str, ...]]
    ) -> tuple[str, ...]:
        """Return the parts of the rest of a word, if one begins there."""
        # An e at the end of a part is often lost: Schule, Schulhof; so is what stands
        # for an article: köket, kökslampa.
        for stem in {part, part.removesuffix("e"), *self.stems(part)}:
            if len(stem) < 3 or not word.startswith(stem, start):
                continue
            end = start + len(stem)
            for link in self.links:
                if word.startswith(link, end) and (rest := rests.get(end + len(link))):
                    return (part, *rest)
        return ()


@cache
def _rules(language: Language) -> _Rules:
    return _Rules(language)


def _folded_words(text: str) -> frozenset[str]:
    return frozenset(_fold(text).split())


@cache
def _kinds(language: Language) -> dict[str, re.Pattern[str]]:
    """Return what speaks of each kind of things."""
    return {
        kind: pattern_of(
            [*word_patterns(words, language), *phrase_patterns(language.changes[kind])]
        )
        for kind, words in language.kinds.items()
    }


@cache
def _compounds(language: Language) -> re.Pattern[str]:
    """Return what finds the beginning of a compound like "Küchenlicht"."""
    words = " ".join(language.kinds.values())
    heads = " ".join(word.strip("*") for word in words.split() if word[0] == "*")
    ends = "|".join(sorted(word_patterns(heads, language))) or "(?!)"
    return re.compile(rf"(?<![^\W_])([^\W_]{{3,{MAX_LETTERS}}}?)(?:{ends})(?![^\W_])")


def _may_be_part(word: str) -> bool:
    return 3 <= len(word) <= MAX_LETTERS and not word.isdigit()


def _fold(text: str) -> str:
    """Return the text without case, accents and forms of the same character."""
    return _POSSESSIVE.sub("", as_compared(text))


def _other_script(text: str) -> bool:
    return not text.isascii() and any(
        char.isalpha() and not unicodedata.name(char, "").startswith("LATIN")
        for char in text
    )
