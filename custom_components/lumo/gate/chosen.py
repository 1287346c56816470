"""Reading which of several things is meant: "the second", "the floor one", "both".

An answer has words for places, words of names and areas, and filler words; with any other
word it is a new sentence. A choice is no yes.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from functools import cache
import re
from typing import Final

from ..languages.form import Language
from ..languages.words import phrases, spellings
from ..text import as_compared
from .consent import (
    MAX_WORDS,
    WORD,
    Asked,
    Part,
    Reading,
    Reply,
    cut,
    grammar_of,
    read_answer,
    without_address,
    words_of,
)

# How like a word another must be that was misheard.
_LIKE: Final = 0.8
# Words of fewer letters are not taken for parts of others, or for misheard ones.
_SHORT: Final = 4
_IDLE: Final = {Part.YES, Part.WEAK, Part.POLITE, Part.HESITATION}

type _Things = frozenset[int]
"""Positions among what was asked about."""


def read_choice(
    text: str,
    language: Language,
    things: Sequence[Iterable[str]],
    *,
    assistant: str = "",
    exactly: bool = False,
) -> Reading:
    """Read which things, by names and areas, are chosen; `exactly`: no guessing."""
    if not language.yes:
        return Reading(Reply.OTHER)
    plain = read_answer(text, language, [Asked("")], assistant=assistant)
    if plain.reply is Reply.NO:
        return plain
    if plain.reply is Reply.YES:
        return Reading(Reply.AGAIN)
    words = without_address(words_of(text) or [], assistant)
    generic = language.generic.split()
    if (
        not exactly < len(words) <= MAX_WORDS
        or grammar_of(language).is_unclear(words)
        # "Lampe an" is an order.
        or words[-1] in generic
    ):
        return Reading(Reply.OTHER)
    joints = "|".join(set(generic).intersection(language.joints.split()))
    known = _things_by_word(language, things)
    found: _Things = frozenset()
    for part in re.split(rf" (?:{joints}) ", f" {' '.join(words)} "):
        one = _meant(f" {part.strip()} ", language, known, len(things), exactly)
        if one is None:
            return Reading(Reply.OTHER)
        if part.strip() and not one:
            return Reading(Reply.AGAIN)
        found |= one
    return Reading(Reply.CHOSEN, found)


def _meant(
    line: str,
    language: Language,
    known: Mapping[str, _Things],
    count: int,
    exactly: bool,
) -> _Things | None:
    """Return the chosen thing, or all; empty if unclear, None for other words."""
    everything = frozenset(range(count))
    placed: list[_Things] = []
    for phrase, meaning in _phrases(language, count).items():
        if f" {phrase} " not in line:
            continue
        # What is in the name of each tells none of them from another.
        named = {known.get(word, everything) for word in phrase.split()} - {everything}
        if meaning is not None and named - {meaning}:
            # "The second" may be a place, or what one of them is called.
            return frozenset()
        if meaning is not None or not named:
            line = line.replace(f" {phrase} ", " ")
            placed += [meaning] if meaning is not None else []
    found = [everything]
    for word in line.split():
        like = [word] if word in known or exactly else _like(word, known)
        if not known.keys() & like:
            return None
        found.append(frozenset[int]().union(*(known[item] for item in like)))
    meant = everything.intersection(*found, *placed)
    # "First of all" is neither the first nor all.
    is_clear = placed == [everything] or (len(meant) == 1 and everything not in placed)
    return meant if is_clear else frozenset()


def _like(word: str, known: Iterable[str]) -> list[str]:
    """Return the words of which one is a part, or for which it was misheard."""
    words = [item for item in known if min(len(item), len(word)) >= _SHORT]
    return [
        item
        for item in words
        for whole, part in ((item, word), (word, item))
        if whole.startswith(part) or whole.endswith(part)
    ] or get_close_matches(word, words, 1, _LIKE)


def _things_by_word(
    language: Language, things: Sequence[Iterable[str]]
) -> Mapping[str, _Things]:
    numbers = {str(place): said for place, said in enumerate(language.numbers.split())}
    generic = {as_compared(word) for word in language.generic.split()}
    known: dict[str, _Things] = {}
    for place, names in enumerate(things):
        texts = {text for name in names for text in spellings(name.casefold())}
        said = {word for text in texts for word in WORD.findall(as_compared(text))}
        for word in said - generic:
            for item in (word, *numbers.get(word, "-").split("|")):
                known[item] = known.get(item, frozenset()) | {place}
    return known


@cache
def _phrases(language: Language, count: int) -> Mapping[str, _Things | None]:
    """Return what phrases mean among so many things, the longest first."""
    grammar = grammar_of(language)
    idle = (phrase for phrase, parts in grammar.parts.items() if parts & _IDLE)
    found: dict[str, _Things | None] = {
        **dict.fromkeys((*grammar.beside_names, *map(" ".join, idle))),
        **dict.fromkeys(_said(language.choosing)),
        **{
            " ".join(phrase): frozenset(range(count))
            for phrase, number in grammar.all_of.items()
            if number in (0, count)
        },
    }
    *ordinals, last = language.ordinals.split()
    before, *_ = language.before_number.split()
    for place, entry in enumerate(ordinals[:count]):
        # An article is no word for a number.
        number = language.numbers.split()[place + 1].replace("-", "1")
        counted = f"{entry}\n{before} ({place + 1}|{number})"
        found |= dict.fromkeys(_said(counted), frozenset({place}))
    found |= dict.fromkeys(_said(last), frozenset({count - 1}))
    return dict(sorted(found.items(), key=lambda item: -len(item[0])))


def _said(templates: str) -> Iterator[str]:
    return map(" ".join, cut(phrases(templates)))
