"""The names that a person may use for the things, areas and floors of a home.

Beside the names that the prompt lists these are: names without the area in front of
them ("the blinds" where only one room has any), and the usual words of the person's
language for things and rooms that are labelled in another.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache

from .home import Entity, Home
from .text import find_words, fold, stems
from .words import FLOORS, LANGUAGES, ROOMS, THINGS, Concept, Words, words_for


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
    spellings: dict[str, str] = field(default_factory=dict)
    """Folded text -> how it is written, where that differs."""

    def key(self, text: str) -> str:
        """Fold a text and remember its spelling."""
        folded = fold(text)
        self.spellings.setdefault(folded, text)
        return folded


def build(home: Home, language: str) -> Vocabulary:
    """Collect the words for a home in a language."""
    words = words_for(language)
    vocabulary = Vocabulary(home, words)
    for entity in home.entities:
        for name in entity.names:
            vocabulary.names.setdefault(fold(name), []).append(entity)
    _add_areas(vocabulary)
    _add_floors(vocabulary)
    _add_shorts(vocabulary)
    return vocabulary


def _matches(concept: Concept, names: Iterable[str]) -> bool:
    """Tell whether one of the names is a word for a concept, in any language."""
    folded = {fold(name) for name in names}
    return any(fold(word) in folded for cell in concept.values() for word in cell)


def _add_areas(vocabulary: Vocabulary) -> None:
    """Add the areas, and rooms that a home may have without a thing in them."""
    code = vocabulary.words.code
    groups = vocabulary.home.area_groups
    for group in groups:
        for name in group:
            vocabulary.areas.setdefault(vocabulary.key(name), group[0])
    for concept in ROOMS:
        own = next((group for group in groups if _matches(concept, group)), None)
        for word in concept[code]:
            name = own[0] if own else _title(word, code)
            vocabulary.areas.setdefault(vocabulary.key(word), name)


def _add_floors(vocabulary: Vocabulary) -> None:
    """Add floors; the prompt names only the one where the satellite is."""
    code, home = vocabulary.words.code, vocabulary.home
    if home.floor:
        vocabulary.floors[vocabulary.key(home.floor)] = home.floor
    labels = home_language(home) or code
    for concept in FLOORS:
        own = home.floor if home.floor and _matches(concept, [home.floor]) else None
        for word in concept[code]:
            name = own or _title(concept[labels][0] if labels != code else word, labels)
            vocabulary.floors.setdefault(vocabulary.key(word), name)


def home_language(home: Home) -> str | None:
    """Return the language in which most rooms are labelled."""
    counts: dict[str, int] = defaultdict(int)
    for group in home.area_groups:
        for language in LANGUAGES:
            if any(fold(group[0]) in map(fold, concept[language]) for concept in ROOMS):
                counts[language] += 1
    return (
        max(counts, key=lambda code: (counts[code], code == "en")) if counts else None
    )


def _title(word: str, language: str) -> str:
    """Write a word as a label."""
    return word.title() if language in ("en", "nl") else word[:1].upper() + word[1:]


def _add_shorts(vocabulary: Vocabulary) -> None:
    """Add other names, where they mean one thing or one thing per area."""
    found: dict[str, list[Entity]] = defaultdict(list)
    for entity in vocabulary.home.entities:
        for spelling in dict.fromkeys(_other_names(entity, vocabulary)):
            short = vocabulary.key(spelling)
            if short and short not in vocabulary.names and entity not in found[short]:
                found[short].append(entity)
    generic = {
        (domain, stems(word))
        for word, (domain, _) in vocabulary.words.domains.items()
        if domain in ("light", "lock")
    }
    for short, entities in found.items():
        domains = {entity.domain for entity in entities}
        if (
            short in vocabulary.areas
            or short in vocabulary.words.properties
            or any((domain, stems(short)) in generic for domain in domains)
        ):
            continue
        if len(entities) == 1 or len({entity.area for entity in entities}) == len(
            entities
        ):
            vocabulary.shorts[short] = entities


def _other_names(entity: Entity, vocabulary: Vocabulary) -> Iterator[str]:
    """Yield names without their area, and names in the person's language."""
    code = vocabulary.words.code
    for name in entity.names:
        words = name.split()
        rest = words
        folded = fold(name).split()
        for area in vocabulary.areas:
            area_words = area.split()
            if folded[: len(area_words)] == area_words and len(words) > len(area_words):
                rest = words[len(area_words) :]
                yield " ".join(rest)
        for start in range(1, len(rest)):
            yield " ".join(rest[start:])
        yield from _translations(words, code)
        if rest != words:
            yield from _translations(rest, code)


def _translations(words: list[str], code: str) -> Iterator[str]:
    """Yield a name in another language, piece by piece: `Bedroom lamp` -> two ways."""
    pieces = _pieces(words)
    if pieces is None:
        return
    options = [concept[code] for concept in pieces]
    if len(options) == 1:
        yield from options[0]
    elif len(options) == 2:
        for first in options[0]:
            for second in options[1]:
                yield f"{first} {second}"
                if code in ("de", "nl"):
                    yield first + second
                    yield f"{first}n{second}"
                if code in ("fr", "es"):
                    yield f"{second} {first}"
                    yield f"{second} de {first}"
                    yield f"{second} de la {first}"
                    yield f"{second} du {first}"


@cache
def _concepts() -> dict[str, Concept]:
    """Return which thing or room each word means, in whatever language."""
    found: dict[str, Concept] = {}
    for concept in (*THINGS, *ROOMS):
        for cell in concept.values():
            for word in cell:
                found.setdefault(fold(word), concept)
    return found


def _pieces(words: list[str]) -> list[Concept] | None:
    """Cut a name into words that are known in other languages; None if it cannot be."""
    pieces: list[Concept] = []
    start = 0
    while start < len(words):
        for length in range(len(words) - start, 0, -1):
            phrase = " ".join(words[start : start + length])
            concept = _concepts().get(fold(phrase))
            if concept is not None:
                pieces.append(concept)
                start += length
                break
        else:
            return None
    return pieces if len(pieces) <= 2 else None


def guess_device_class(entity: Entity, words: Words) -> str | None:
    """Guess from its name what kind of cover a thing is; the prompt does not say."""
    if entity.domain != "cover":
        return None
    for name in entity.names:
        own = stems(name)
        for word, (domain, device_class) in words.domains.items():
            if domain == "cover" and device_class and find_words(stems(word), own) >= 0:
                return device_class
    return None
