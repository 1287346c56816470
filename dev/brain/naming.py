"""Names as a reply says them: the way the person said them, with an article."""

from collections.abc import Sequence
from typing import Final

from .home import Entity
from .model import Meaning
from .prompt import Prompt
from .text import find_words, fold
from .words import Words

# German articles that stay as they are: as the subject, and as what is acted on. Of the
# others one cannot tell the gender.
_SUBJECT: Final = frozenset({"der", "die", "das"})
_OBJECT: Final = frozenset({"den", "die", "das"})


def say_name(
    names: Sequence[str], meaning: Meaning, words: Words, *, subject: bool = False
) -> str:
    """Return a thing's name as it stands within a sentence.

    Of several names the one that the person used is taken, else the first.
    """
    spoken = tuple(fold(meaning.text).split())
    for name in names:
        start = find_words(tuple(fold(name).split()), spoken)
        if start < 0:
            continue
        if words.code == "de" and start > 0:
            article = spoken[start - 1]
            if article in (_SUBJECT if subject else _OBJECT):
                return f"{article} {name}"
        return called(name, words)
    return called(names[0], words)


def spoken_name(names: Sequence[str], meaning: Meaning) -> str:
    """Return the one of several names that the person used, else the first."""
    spoken = tuple(fold(meaning.text).split())
    used = (
        name for name in names if find_words(tuple(fold(name).split()), spoken) >= 0
    )
    return next(used, names[0])


def called(name: str, words: Words) -> str:
    """Return a name within a sentence; English gives it an article."""
    if words.code != "en" or " " not in name:
        return name
    parts = name.split()
    lowered = [part if part[1:] != part[1:].lower() else part.lower() for part in parts]
    return "the " + " ".join(lowered)


def names_of(name: str, prompt: Prompt) -> tuple[str, ...]:
    """Return all names of what a name means."""
    things: list[Entity] = prompt.home.called(name)
    return things[0].names if things else (name,)


def say_area(area: str, meaning: Meaning, prompt: Prompt) -> str:
    """Return an area the way the person named it."""
    text = meaning.text.casefold()
    for group in prompt.home.area_groups:
        if area in group:
            area = next((name for name in group if name.casefold() in text), area)
    return area.lower() if meaning.language == "en" else area
