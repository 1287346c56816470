"""Find what a sentence speaks of: things, areas, floors, kinds of things."""

from collections.abc import Collection
from dataclasses import dataclass, field
from difflib import SequenceMatcher
import re
from typing import Final

from .home import Entity
from .text import find_words, fold, stem, stems
from .vocabulary import Vocabulary

_EVERYTHING: Final = re.compile(
    r"\b(everything|all|every|each|alle[nrsm]?|alles|samtliche|jede[nrs]?|tout(es?)?|tous"
    r"|todas?|todos?|allemaal|overal|everywhere|uberall|partout|de la maison|de la casa"
    r"|in the (whole )?house|im (ganzen )?haus|in huis)\b"
)
_ENOUGH_ALIKE: Final = 0.82
"""How alike two words must be to count as one misheard or mistyped."""


@dataclass(slots=True)
class Target:
    """What was found. A text that says nothing of a kind leaves the field empty."""

    entities: list[Entity] = field(default_factory=list)
    area: str | None = None
    floor: str | None = None
    domain: str | None = None
    device_class: str | None = None
    everything: bool = False
    here: bool = False
    rest: tuple[str, ...] = ()
    """Stems of the words that are still unexplained, fillers left out."""

    @property
    def empty(self) -> bool:
        """Tell whether nothing was found."""
        return not (
            self.entities or self.area or self.floor or self.domain or self.everything
        )


class _Words:
    """The words of a sentence, which are crossed out as they are explained."""

    def __init__(self, text: str) -> None:
        self.written = list(fold(text).split())
        self.words = [stem(word) for word in self.written]

    def take(self, needle: tuple[str, ...]) -> bool:
        """Cross out a run of words; tell whether it was there."""
        start = find_words(needle, tuple(self.words))
        if start < 0:
            return False
        self.words[start : start + len(needle)] = [""] * len(needle)
        return True

    def left(self, ignored: Collection[str]) -> tuple[str, ...]:
        """Return the words that are left and not to be ignored."""
        return tuple(
            word
            for word, written in zip(self.words, self.written, strict=True)
            if word and written not in ignored and not word[0].isdigit()
        )


def find_target(
    text: str,
    vocabulary: Vocabulary,
    *,
    domains: Collection[str] | None = None,
    single_words: bool = True,
    fuzzy: bool = True,
) -> Target:
    """Find what a text speaks of.

    Only things of the given domains count, if any are given. Without `single_words` a
    name of one word is not looked for, since it may be meant as a kind of thing.
    """
    words = _Words(text)
    target = Target(everything=bool(_EVERYTHING.search(fold(text))))
    target.here = bool(re.search(vocabulary.words.here, fold(text)))
    _take_names(words, target, vocabulary, vocabulary.names, domains, single_words)
    _take_places(words, target, vocabulary)
    if not target.entities:
        _take_names(words, target, vocabulary, vocabulary.shorts, domains, single_words)
    _take_compounds(words, target, vocabulary, domains)
    _take_domain(words, target, vocabulary)
    ignored = vocabulary.words.stop_words
    target.rest = words.left(ignored)
    if fuzzy and not target.entities and not target.domain and target.rest:
        target.rest = words.left(ignored | vocabulary.words.hints)
        _take_similar(words, target, vocabulary, domains)
        target.rest = words.left(ignored)
    if len(target.entities) > 1:
        target.entities = _nearest(target, vocabulary)
    return target


def _take_names(
    words: _Words,
    target: Target,
    vocabulary: Vocabulary,
    names: dict[str, list[Entity]],
    domains: Collection[str] | None,
    single_words: bool,
) -> None:
    """Find names, the longest first."""
    present = set(words.words)
    candidates = sorted(
        ((stems(name), entities) for name, entities in names.items()),
        key=lambda item: -len(item[0]),
    )
    for name, entities in candidates:
        if not name or name[0] not in present or (len(name) == 1 and not single_words):
            continue
        fitting = [
            entity for entity in entities if domains is None or entity.domain in domains
        ]
        if fitting and words.take(name):
            target.entities.extend(
                item for item in fitting if item not in target.entities
            )


def _take_places(words: _Words, target: Target, vocabulary: Vocabulary) -> None:
    """Find a floor and an area."""
    for places, attribute in ((vocabulary.floors, "floor"), (vocabulary.areas, "area")):
        for place in sorted(places, key=lambda item: -len(item.split())):
            if getattr(target, attribute) is None and words.take(stems(place)):
                setattr(target, attribute, places[place])


def _take_compounds(
    words: _Words,
    target: Target,
    vocabulary: Vocabulary,
    domains: Collection[str] | None,
) -> None:
    """Find words that are made of a room or a name and a kind: `Küchenlicht`."""
    kinds = {stem(word): kind for word, kind in vocabulary.words.domains.items()}
    for position, word in enumerate(words.words):
        for length in range(4, len(word) - 2):
            head, tail = words.written[position][:length], word[length:]
            kind = kinds.get(tail)
            if kind is None:
                continue
            area = _head(head, vocabulary.areas)
            entities = _head(head, vocabulary.names)
            if area and not target.area:
                target.area = vocabulary.areas[area]
                target.domain, target.device_class = kind
                words.words[position] = ""
            elif entities and not target.entities:
                target.entities = [
                    entity
                    for entity in vocabulary.names[entities]
                    if domains is None or entity.domain in domains
                ]
                words.words[position] = ""


def _head(head: str, names: Collection[str]) -> str | None:
    """Return the name that begins a compound, with or without a linking letter."""
    for name in (head, head.removesuffix("n"), head.removesuffix("s"), head + "e"):
        if name in names and len(name) >= 4:
            return name
    return head[:-1] + "e" if head[:-1] + "e" in names else None


def _take_domain(words: _Words, target: Target, vocabulary: Vocabulary) -> None:
    """Find a kind of thing."""
    kinds = sorted(
        vocabulary.words.domains.items(), key=lambda item: -len(item[0].split())
    )
    for word, (domain, device_class) in kinds:
        if words.take(stems(word)) and target.domain is None:
            target.domain, target.device_class = domain, device_class


def _take_similar(
    words: _Words,
    target: Target,
    vocabulary: Vocabulary,
    domains: Collection[str] | None,
) -> None:
    """Find a thing some words of which were said, or said a little differently."""
    rest = target.rest
    best, best_score = [], 0.0
    for name, entities in (*vocabulary.names.items(), *vocabulary.shorts.items()):
        fitting = [
            item for item in entities if domains is None or item.domain in domains
        ]
        if not fitting:
            continue
        own = stems(name)
        if all(item.tool for item in fitting) and not set(own) <= set(rest):
            continue  # A script is run by its name, not by something like it.
        alike = [
            max((_alike(word, other) for other in own), default=0.0) for word in rest
        ]
        hits = [value for value in alike if value >= _ENOUGH_ALIKE]
        score = sum(hits) / len(own) if hits else 0.0
        if 2 * len(hits) < len(rest):
            continue
        if score > best_score:
            best, best_score = list(fitting), score
        elif score == best_score and hits:
            best.extend(item for item in fitting if item not in best)
    if best_score >= 0.5 and (len(best) == 1 or best_score >= 0.99):
        target.entities = best
        taken = {
            other for entity in best for name in entity.names for other in stems(name)
        }
        for position, word in enumerate(words.words):
            if any(_alike(word, other) >= _ENOUGH_ALIKE for other in taken):
                words.words[position] = ""


def _alike(word: str, other: str) -> float:
    """Return how alike two words are, from 0 to 1."""
    if word == other:
        return 1.0
    if min(len(word), len(other)) < 4 or abs(len(word) - len(other)) > 2:
        return 0.0
    matcher = SequenceMatcher(None, word, other, autojunk=False)
    return matcher.ratio() if matcher.quick_ratio() >= _ENOUGH_ALIKE else 0.0


def _nearest(target: Target, vocabulary: Vocabulary) -> list[Entity]:
    """Of things with the same name keep the one in the area that is meant."""
    chosen: list[Entity] = []
    area = target.area or vocabulary.home.area
    for entity in target.entities:
        twins = [item for item in target.entities if item.names == entity.names]
        here = [item for item in twins if area and item.is_in(area)]
        keep = here[0] if here else twins[0]
        if keep not in chosen:
            chosen.append(keep)
    return chosen
