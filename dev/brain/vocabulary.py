"""The names that a person may use for the things, areas and floors of a home.

Beside the names that the prompt lists these are their last words ("the blinds" where
only one room has any).
"""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

from .home import Entity, Home
from .text import find_words, fold, stems
from .words import Words, words_for

_FLOORS = {"unten": "Erdgeschoss", "oben": "Obergeschoss"}


@dataclass(slots=True)
class Vocabulary:
    """The words for one home in one language. Keys are folded text."""

    home: Home
    words: Words
    names: dict[str, list[Entity]] = field(default_factory=dict)
    """The names that the prompt lists."""
    shorts: dict[str, list[Entity]] = field(default_factory=dict)
    """What else each thing may be called."""
    areas: dict[str, str] = field(default_factory=dict)
    """What an area may be called -> its name."""
    floors: dict[str, str] = field(default_factory=dict)
    written: dict[str, str] = field(default_factory=dict)
    """How a shorter name is written."""


def build(home: Home, language: str) -> Vocabulary:
    """Collect the words for a home in a language."""
    vocabulary = Vocabulary(home, words_for(language))
    for entity in home.entities:
        for name in entity.names:
            vocabulary.names.setdefault(fold(name), []).append(entity)
    for group in home.area_groups:
        for name in group:
            vocabulary.areas.setdefault(fold(name), group[0])
    # The prompt names only the floor where the satellite is.
    floors = {word: _FLOORS.get(word, word.title()) for word in vocabulary.words.floors}
    vocabulary.floors = floors | ({fold(home.floor): home.floor} if home.floor else {})
    _add_shorts(vocabulary)
    return vocabulary


def _add_shorts(vocabulary: Vocabulary) -> None:
    """Add other names, where they mean one thing or one thing per area."""
    found: dict[str, list[Entity]] = defaultdict(list)
    # A script is only meant by its whole name.
    for entity in (item for item in vocabulary.home.entities if not item.tool):
        for written in _last_words(entity):
            short = fold(written)
            vocabulary.written[short] = written
            if short not in vocabulary.names and entity not in found[short]:
                found[short].append(entity)
    # "The light" is any light, also where one is called "Kitchen light".
    kinds = {stems(word) for word, kind in vocabulary.words.domains.items()
             if kind in ("light", "lock")}  # fmt: skip
    for short, entities in found.items():
        if (
            short not in vocabulary.areas
            and short not in vocabulary.words.properties
            and stems(short) not in kinds
            and len({entity.area for entity in entities}) == len(entities)
        ):
            vocabulary.shorts[short] = entities


def _last_words(entity: Entity) -> Iterator[str]:
    for name in entity.names:
        words = name.split()
        for start in range(1, len(words)):
            yield " ".join(words[start:])


def guess_device_class(entity: Entity, words: Words) -> str | None:
    """Guess from its name what kind of cover a thing is; the prompt does not say."""
    if entity.domain != "cover":
        return None
    for name in entity.names:
        own = stems(name)
        for word, kind in words.domains.items():
            domain, _, device_class = kind.partition(" ")
            if domain == "cover" and device_class and find_words(stems(word), own) >= 0:
                return device_class
    return None
