"""Whether a person's own sentence names something of the home.

Once text from outside was read into a conversation, an action on something that the
person did not name is asked about first. Whoever wrote that text must not gain by a
generous reading, so a name counts as said only with all of its significant words:

* case, accents and punctuation do not matter, nor do articles and the like;
* a word may be inflected ("Lampen" for "Lampe") and words may be compounded or taken
  apart ("Küchenlampe" for "Küche Lampe", "Lampe in der Küche" for "Küchenlampe");
* numbers are exact, and stand by the word they belong to: "set lamp 2 to 1 percent"
  does not name "Lamp 1". So does a last single letter, as in "Lamp A";
* a name that stands in the sentence word by word is always named, and a name in a
  script that is not Latin is searched as it is, for there words have other borders.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
import re
from typing import Final
import unicodedata

from ..languages.form import Language
from ..languages.words import ACCENTS

_TOKEN: Final = re.compile(r"\d+|[^\W\d_]+")
_POSSESSIVE: Final = re.compile(r"(?<=\w)['’ʼ]s\b")
_WITHOUT_ACCENT: Final = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "æ": "ae", "œ": "oe", "ı": "i"}
)
# How far a part of a compound may stand behind another: "Lampe hinten in der Küche".
APART: Final = 4


def mentions(sentence: str, names: Iterable[str], language: Language) -> bool:
    """Return whether the sentence names one of these: names, aliases, areas, floors."""
    said = _Said(sentence, _rules(language))
    return any(said.names(name) for name in names)


@dataclass(frozen=True, slots=True)
class _Rules:
    """What a language does to names, folded."""

    generic: frozenset[str]
    before_number: frozenset[str]
    numbers: dict[str, str]
    endings: frozenset[str]
    # A word of three letters takes fewer: else a car is named by every word that
    # begins like it.
    short_endings: frozenset[str]
    cases: frozenset[str]
    links: tuple[str, ...]


@cache
def _rules(language: Language) -> _Rules:
    def words(text: str) -> frozenset[str]:
        return frozenset(_fold(text).split())

    return _Rules(
        generic=words(language.generic),
        before_number=words(language.before_number),
        numbers={
            _fold(word): str(number)
            for number, entry in enumerate(language.numbers.split())
            for word in entry.split("|")
        },
        endings=words(language.endings),
        short_endings=words(language.short_endings),
        cases=words(language.cases),
        links=("", *language.links.split()),
    )


class _Said:
    """A sentence, prepared for looking up names in it."""

    def __init__(self, sentence: str, rules: _Rules) -> None:
        """Fold it and cut it into words."""
        self._rules = rules
        self._text = _fold(sentence)
        self._words = _TOKEN.findall(self._text)
        # What a compound in a name may be put together of.
        self._parts: dict[str, list[int]] = {}
        for position, word in enumerate(self._words):
            if (
                len(word) >= 3
                and word not in self._rules.generic
                and not word.isdigit()
            ):
                self._parts.setdefault(word, []).append(position)

    def names(self, name: str) -> bool:
        """Return whether all significant words of the name were said."""
        text = _fold(name)
        words = _TOKEN.findall(text)
        if not words or not self._words:
            return False
        if self._has_run(words) or (_other_script(text) and self._has_text(text)):
            return True
        labels = {
            index
            for index, word in enumerate(words)
            if word.isdigit()
            or (len(word) == 1 and word.isascii() and 0 < index == len(words) - 1)
        }
        plain = [
            index
            for index, word in enumerate(words)
            if index not in labels and word not in self._rules.generic
        ]
        if not plain:
            return False
        found = self._find([words[index] for index in plain])
        if found is None:
            return False
        places = dict(zip(plain, found, strict=True))
        return all(self._has_label(words, index, places) for index in labels)

    def _has_run(self, words: list[str]) -> bool:
        """Return whether the words stand in the sentence, one behind the other."""
        size = len(words)
        return any(
            self._words[start : start + size] == words
            for start in range(len(self._words) - size + 1)
        )

    def _has_text(self, text: str) -> bool:
        """Return whether the sentence contains a name in another script."""
        text = text.strip()
        start = self._text.find(text)
        while start >= 0:
            # Greek and Cyrillic words have other endings, but no other beginnings.
            if (
                start == 0
                or not unicodedata.name(text[0], "").startswith(("GREEK", "CYRILLIC"))
                or not self._text[start - 1].isalnum()
            ):
                return True
            start = self._text.find(text, start + 1)
        return False

    def _find(self, words: list[str]) -> list[set[int]] | None:
        """Return where each word was said, None if one was not."""
        found: list[set[int]] = [set() for _ in words]
        for position, said in enumerate(self._words):
            for index, word in enumerate(words):
                if _same(said, word, self._rules):
                    found[index].add(position)
            compound = _compose(said, words, self._rules) if len(words) > 1 else ()
            for index, word in enumerate(words):
                if word in compound:
                    found[index].add(position)
        for index, word in enumerate(words):
            if not found[index]:
                found[index] = self._find_parts(
                    _compose(word, self._parts, self._rules)
                )
        return found if all(found) else None

    def _find_parts(self, parts: tuple[str, ...]) -> set[int]:
        """Return where the parts of a compound were said, if they belong together.

        They do in "living room", and the other way round in "Lampe in der Küche"; a
        "bed in the living room" is no bedroom.
        """
        places: set[int] = set()
        for first, second in pairwise(parts):
            behind = set(self._parts[second])
            together: set[int] = set()
            for place in self._parts[first]:
                near = behind.intersection({*range(place - APART, place), place + 1})
                together |= {place, *near} if near else near
            if not together:
                return set()
            places |= together
        return places

    def _has_label(
        self, words: list[str], index: int, places: dict[int, set[int]]
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


def _fold(text: str) -> str:
    """Return the text without case, accents and forms of the same character."""
    text = unicodedata.normalize("NFKD", text).casefold()
    text = unicodedata.normalize("NFKC", ACCENTS.sub("", text))
    return _POSSESSIVE.sub("", text).translate(_WITHOUT_ACCENT)


def _other_script(text: str) -> bool:
    """Return whether the text has a letter that is not Latin."""
    return not text.isascii() and any(
        char.isalpha() and not unicodedata.name(char, "").startswith("LATIN")
        for char in text
    )


def _same(first: str, second: str, rules: _Rules) -> bool:
    """Return whether two words are the same but for an ending."""
    if first == second:
        return True
    if not (first.isascii() and second.isascii()) or first.isdigit():
        return False
    short, long = sorted((first, second), key=len)
    if len(short) < 3:
        return False
    if long.startswith(short):
        endings = rules.endings if len(short) > 3 else rules.short_endings
        return long[len(short) :] in endings
    if short.endswith("z") and long == f"{short[:-1]}ces":
        return True
    return (
        len(short) > 5
        and short[:-2] == long[:-2]
        and {short[-2:], long[-2:]} <= rules.cases
    )


def _compose(word: str, parts: Iterable[str], rules: _Rules) -> tuple[str, ...]:
    """Return the parts that a compound is made of; none if it is not made of them."""
    candidates = [part for part in parts if 3 <= len(part) < len(word)]
    # From the end, so that each rest of the word is looked at once.
    rests: dict[int, tuple[str, ...]] = {}
    for start in range(len(word) - 3, -1, -1):
        rest = word[start:]
        for part in candidates:
            if start and _same(rest, part, rules):
                rests[start] = (part,)
                break
            # An e at the end of a part is often lost: Schule, Schulhof.
            for stem in (part, part.removesuffix("e")):
                if not rest.startswith(stem) or len(stem) < 3:
                    continue
                end = start + len(stem)
                links = [
                    end + len(link)
                    for link in rules.links
                    if word.startswith(link, end)
                ]
                match = next((rests[next_] for next_ in links if next_ in rests), None)
                if match is not None:
                    rests[start] = (part, *match)
                    break
            if start in rests:
                break
    return rests.get(0, ())
