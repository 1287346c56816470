"""How much each of many short texts has to do with a sentence. No Home Assistant.

BM25 over pieces of words, three characters each (two in scripts without spaces, numbers
whole), in any language. Where documents have names, half of a score is how much of the
best name was said.
"""

from array import array
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import chain
from math import log
import re
from typing import Final

from ..text import as_compared

# As in most search engines; the length of short documents says little.
_K1: Final = 1.5
_B: Final = 0.4
# An alias that repeats its words gains nothing from the third time on.
_MAX_FREQUENCY: Final = 2
# A longer text is told by its rarest pieces; keeps nonsense cheap.
_MAX_PIECES: Final = 160
# What was said before counts as much beside what was said last.
_EARLIER: Final = 0.5

# Thai, Lao, Myanmar, Khmer, Kana, Han.
_UNSPACED: Final = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff"
# From Devanagari to Sinhala: vowels are marks, which are no letters to Python.
_WITH_MARKS: Final = "\u0900-\u0963\u0970-\u0dff"
_WORD: Final = re.compile(
    rf"\d+|[{_UNSPACED}]+|(?:[^\W\d_{_UNSPACED}]|[{_WITH_MARKS}])+"
)
_LONG_WORD: Final = re.compile(r"\w{3,}")
_IS_UNSPACED: Final = re.compile(f"[{_UNSPACED}]")


def pieces(text: str) -> Counter[str]:
    """Return the pieces of a text, and how often each occurs."""
    found: Counter[str] = Counter()
    for word in _WORD.findall(as_compared(text)):
        if word[0].isdigit():
            found[f"#{word.lstrip('0')}"] += 1
        elif _IS_UNSPACED.match(word):
            found.update(word[i : i + 2] for i in range(max(1, len(word) - 1)))
        else:
            padded = f" {word} "
            found.update(padded[i : i + 3] for i in range(len(padded) - 2))
    return found


def beginnings(text: str) -> frozenset[str]:
    """Return how the words of a text begin: all that inflection leaves of them."""
    return frozenset(word.casefold()[:5] for word in _LONG_WORD.findall(text))


class Index:
    """Finds among documents those that a sentence speaks of."""

    def __init__(
        self, documents: Sequence[str], names: Sequence[Iterable[str]] = ()
    ) -> None:
        """Take the documents and their names; 2,000 things take about 0.1 s."""
        self._size = len(documents)
        self._names = Names(names) if names else None
        counts = [pieces(document) for document in documents]
        average = sum(map(len, counts)) / max(1, len(counts)) or 1.0
        where: dict[str, array[int]] = {}
        weights: dict[str, array[float]] = {}
        for position, found in enumerate(counts):
            norm = _K1 * (1 - _B + _B * len(found) / average)
            for piece, count in found.items():
                frequency = min(count, _MAX_FREQUENCY)
                where.setdefault(piece, array("I")).append(position)
                weight = frequency * (_K1 + 1) / (frequency + norm)
                weights.setdefault(piece, array("f")).append(weight)
        self._entries = {
            piece: (_rarity(len(positions), self._size), positions, weights[piece])
            for piece, positions in where.items()
        }

    def rank(self, texts: Sequence[str]) -> list[tuple[int, int]]:
        """Return the best documents' positions for texts, the last one first, with scores.

        100 has all that any document has of it.
        """
        query: dict[str, float] = {}
        for number, text in enumerate(texts):
            for piece in pieces(text):
                query.setdefault(piece, _EARLIER if number else 1.0)
        known = [
            (share * self._entries[piece][0], *self._entries[piece][1:])
            for piece, share in query.items()
            if piece in self._entries
        ]
        known.sort(key=lambda item: -item[0])
        del known[_MAX_PIECES:]
        scores = [0.0] * self._size
        whole = sum(rarity for rarity, *_ in known) * (2 if self._names else 1)
        for rarity, positions, weights in known:
            rarity /= whole
            for position, weight in zip(positions, weights, strict=True):
                scores[position] += rarity * weight
        if self._names:
            for position, share in self._names.shares(texts).items():
                scores[position] += share / 2
        found = [position for position, score in enumerate(scores) if score > 0]
        found.sort(key=lambda position: -scores[position])
        return [
            (position, min(100, round(100 * scores[position]))) for position in found
        ]


class Names:
    """How much of the names of things was said; their rare words count most."""

    def __init__(self, names: Sequence[Iterable[str]]) -> None:
        words = [
            (owner, set(_WORD.findall(as_compared(name))))
            for owner, own in enumerate(names)
            for name in own
        ]
        self._owners = [owner for owner, _ in words]
        self._where: dict[str, array[int]] = {}
        for number, (_, found) in enumerate(words):
            for word in found:
                self._where.setdefault(word, array("I")).append(number)
        self._rarity = {
            word: _rarity(len(numbers), len(words))
            for word, numbers in self._where.items()
        }
        self._wholes = [sum(self._rarity[word] for word in found) for _, found in words]
        self._with_piece: dict[str, list[str]] = {}
        self._lengths = {word: len(pieces(word)) for word in self._where}
        for word in self._where:
            for piece in pieces(word):
                self._with_piece.setdefault(piece, []).append(word)

    def shares(self, texts: Sequence[str]) -> dict[int, float]:
        """Return how much of each thing's best name was said, from 0 to 1."""
        shares: dict[str, float] = {}
        for number, text in enumerate(texts):
            share = _EARLIER if number else 1.0
            words = (self._with_piece.get(piece, ()) for piece in pieces(text))
            for word, hits in Counter(chain.from_iterable(words)).items():
                part = hits / self._lengths[word]
                shares[word] = max(shares.get(word, 0.0), share * part)
        sums = [0.0] * len(self._owners)
        for word, part in shares.items():
            part *= self._rarity[word]
            for number in self._where[word]:
                sums[number] += part
        best: dict[int, float] = {}
        for owner, found, whole in zip(self._owners, sums, self._wholes, strict=True):
            if found and found > best.get(owner, 0.0) * whole:
                best[owner] = found / whole
        return best


def _rarity(some: int, every: int) -> float:
    return log(1 + (every - some + 0.5) / (some + 0.5))
