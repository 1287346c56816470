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
from itertools import pairwise
import re
from typing import Final
import unicodedata

_TOKEN: Final = re.compile(r"\d+|[^\W\d_]+")
_POSSESSIVE: Final = re.compile(r"(?<=\w)['’ʼ]s\b")
# Accents of Latin, Greek and Cyrillic. The marks of other scripts are letters.
_ACCENTS: Final = re.compile("[\u0300-\u036f]")
_WITHOUT_ACCENT: Final = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "æ": "ae", "œ": "oe", "ı": "i"}
)


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Words that a name may have and a sentence leave out, or the other way round.
_GENERIC: Final = _words(
    "the a an of my our your in and s"
    " der die das dem den des ein eine einen einem einer im am vom von zum zur und"
    " mein meine meinem meinen meiner unser unsere"
    " le la les l un une du de d des au aux et dans mon ma mes notre nos"
    " het een van mijn onze ons en"
    " el los las una del al y mi mis nuestra nuestro"
)
# Stand between a word and its number: "lamps 1 and 2", "lamp number 2".
_BEFORE_NUMBER: Final = _words(
    "number no nr num nummer numero and or und oder et ou en of y o"
)
# Those that are articles as well are missing: "schalte Lampe ein" names no first lamp.
_NUMBER_WORDS: Final = {
    word: str(number)
    for number, words in enumerate(
        (
            "zero null nul cero",
            "one eins uno",
            "two zwei zwo deux twee dos",
            "three drei trois drie tres",
            "four vier quatre cuatro",
            "five funf cinq vijf cinco",
            "six sechs zes seis",
            "seven sieben sept zeven siete",
            "eight acht huit ocho",
            "nine neun neuf negen nueve",
            "ten zehn dix tien diez",
        )
    )
    for word in words.split()
}
# How far a part of a compound may stand behind another: "Lampe hinten in der Küche".
APART: Final = 4
# What German and Dutch put between the parts of a compound.
_LINKS: Final = ("", "n", "en", "s", "es", "er", "e", "ns")
# Endings of plurals and cases. A word of three letters takes fewer: else a car is named
# by every word that begins like it.
_ENDINGS: Final = _words("s es e en n er ern em x")
_SHORT_ENDINGS: Final = _words("s es e en")
# Both words may have one of their own: "Kleines Bad", "im kleinen Bad".
_CASES: Final = _words("es en er em")


def mentions(sentence: str, names: Iterable[str]) -> bool:
    """Return whether the sentence names one of these: names, aliases, areas, floors."""
    said = _Said(sentence)
    return any(said.names(name) for name in names)


class _Said:
    """A sentence, prepared for looking up names in it."""

    def __init__(self, sentence: str) -> None:
        """Fold it and cut it into words."""
        self._text = _fold(sentence)
        self._words = _TOKEN.findall(self._text)
        # What a compound in a name may be put together of.
        self._parts: dict[str, list[int]] = {}
        for position, word in enumerate(self._words):
            if len(word) >= 3 and word not in _GENERIC and not word.isdigit():
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
            if index not in labels and word not in _GENERIC
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
                if _same(said, word):
                    found[index].add(position)
            compound = _compose(said, words) if len(words) > 1 else ()
            for index, word in enumerate(words):
                if word in compound:
                    found[index].add(position)
        for index, word in enumerate(words):
            if not found[index]:
                found[index] = self._find_parts(_compose(word, self._parts))
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
                said = _NUMBER_WORDS.get(said, said)
                if said == label:
                    return True
                if not said.isdigit() and said not in _BEFORE_NUMBER:
                    break
        return False


def _fold(text: str) -> str:
    """Return the text without case, accents and forms of the same character."""
    text = unicodedata.normalize("NFKD", text).casefold()
    text = unicodedata.normalize("NFKC", _ACCENTS.sub("", text))
    return _POSSESSIVE.sub("", text).translate(_WITHOUT_ACCENT)


def _other_script(text: str) -> bool:
    """Return whether the text has a letter that is not Latin."""
    return not text.isascii() and any(
        char.isalpha() and not unicodedata.name(char, "").startswith("LATIN")
        for char in text
    )


def _same(first: str, second: str) -> bool:
    """Return whether two words are the same but for an ending."""
    if first == second:
        return True
    if not (first.isascii() and second.isascii()) or first.isdigit():
        return False
    short, long = sorted((first, second), key=len)
    if len(short) < 3:
        return False
    if long.startswith(short):
        return long[len(short) :] in (_ENDINGS if len(short) > 3 else _SHORT_ENDINGS)
    if short.endswith("z") and long == f"{short[:-1]}ces":
        return True
    return (
        len(short) > 5 and short[:-2] == long[:-2] and {short[-2:], long[-2:]} <= _CASES
    )


def _compose(word: str, parts: Iterable[str]) -> tuple[str, ...]:
    """Return the parts that a compound is made of; none if it is not made of them."""
    candidates = [part for part in parts if 3 <= len(part) < len(word)]
    # From the end, so that each rest of the word is looked at once.
    rests: dict[int, tuple[str, ...]] = {}
    for start in range(len(word) - 3, -1, -1):
        rest = word[start:]
        for part in candidates:
            if start and _same(rest, part):
                rests[start] = (part,)
                break
            # An e at the end of a part is often lost: Schule, Schulhof.
            for stem in (part, part.removesuffix("e")):
                if not rest.startswith(stem) or len(stem) < 3:
                    continue
                end = start + len(stem)
                links = [
                    end + len(link) for link in _LINKS if word.startswith(link, end)
                ]
                match = next((rests[next_] for next_ in links if next_ in rests), None)
                if match is not None:
                    rests[start] = (part, *match)
                    break
            if start in rests:
                break
    return rests.get(0, ())
