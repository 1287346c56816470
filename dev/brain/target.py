"""Find what a sentence speaks of: things, areas, floors, kinds of things."""

from collections.abc import Collection
from dataclasses import dataclass, field
import re
from typing import Final

from .home import Entity
from .text import find_words, fold, stem, stems
from .vocabulary import Vocabulary

EVERYTHING: Final = re.compile(
    r"\b(everything|all|every|each|alle[nrsm]?|alles|samtliche|jede[nrs]?"
    r"|everywhere|uberall|in the (whole )?house|im (ganzen )?haus)\b"
)


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
    left: list[str] = field(default_factory=list)  # The words that name nothing.

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


def find_target(
    text: str,
    vocabulary: Vocabulary,
    *,
    domains: Collection[str] | None = None,
    single_words: bool = True,
) -> Target:
    """Find what a text speaks of.

    Only things of the given domains count, if any are given. Without `single_words` a
    name of one word is not looked for, since it may be meant as a kind of thing.
    """
    words = _Words(text)
    target = Target(everything=bool(EVERYTHING.search(fold(text))))
    target.here = bool(re.search(vocabulary.words.here, fold(text)))
    _take_names(words, target, vocabulary, vocabulary.names, domains, single_words)
    _take_places(words, target, vocabulary)
    if not target.entities:
        _take_names(words, target, vocabulary, vocabulary.shorts, domains, single_words)
    if target.area and (there := [x for x in target.entities if x.is_in(target.area)]):
        target.entities = there
    _take_domain(words, target, vocabulary)
    if target.floor and len(target.entities) > 1:
        # "The blinds downstairs" are all of that kind there, not each that is called so.
        first, target.entities = target.entities[0], []
        target.domain, target.device_class = first.domain, first.device_class
    both = zip(words.written, words.words, strict=True)
    target.left = [word for word, is_left in both if is_left]
    return target


def _take_names(
    words: _Words,
    target: Target,
    vocabulary: Vocabulary,
    names: dict[str, list[Entity]],
    domains: Collection[str] | None,
    single_words: bool,
) -> None:
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
    for places, attribute in ((vocabulary.floors, "floor"), (vocabulary.areas, "area")):
        for place in sorted(places, key=lambda item: -len(item.split())):
            if getattr(target, attribute) is None and words.take(stems(place)):
                setattr(target, attribute, places[place])


def _take_domain(words: _Words, target: Target, vocabulary: Vocabulary) -> None:
    """Find a kind of thing, the one of most words first."""
    kinds, said = vocabulary.words.domains.items(), " ".join(words.written)
    for word, kind in sorted(kinds, key=lambda item: -len(item[0].split())):
        # A stem alone is not enough: "schalte" is no "schalter".
        if word in said and words.take(stems(word)) and target.domain is None:
            target.domain, _, device_class = kind.partition(" ")
            target.device_class = device_class or None
