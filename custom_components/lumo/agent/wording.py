"""What things are called in a question: as the person did, with an article.

Who says "the front door" or "die Haustür" hears that, though its name is another. Who
did not name it hears its name, with an article where its last or first word tells which;
of a name in another language rather an alias in the own.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache
import re

from homeassistant.core import HomeAssistant

from ..gate.asks import Ambiguity, Ask
from ..gate.names import entity_area, name_of, own_names_of, spoken
from ..languages import LANGUAGES
from ..languages.form import Language
from ..languages.words import pattern_of, word_patterns
from ..text import as_searched
from .sentences import Sentences


def worded(
    hass: HomeAssistant, asks: Iterable[Ask], sentence: str, language: Language
) -> list[Ask]:
    """Return what is asked, with the names of its targets as they are to be spoken.

    `sentence` is what the person had said.
    """
    return [
        replace(
            ask,
            targets=tuple(
                _called(names_of(hass, ask, name), sentence, language)
                for name in ask.targets
            ),
        )
        for ask in asks
    ]


def told_apart(
    hass: HomeAssistant, ambiguity: Ambiguity, sentences: Sentences, language: Language
) -> list[Ask]:
    """Return what is to be chosen from, with names that are not the same.

    One name of several things is told with its area, if it has one.
    """
    counts = Counter(ask.targets for ask in ambiguity)
    told: list[Ask] = []
    for ask in ambiguity:
        [name], [entity_id] = ask.targets, ask.entities
        shown = _with_article(name, language)
        if counts[ask.targets] > 1 and (area := entity_area(hass, entity_id)):
            shown = sentences("name_in_area", name=shown, area=spoken(area.name))
        told.append(replace(ask, targets=(shown,)))
    return told


def called(
    hass: HomeAssistant, entity_id: str, sentence: str, language: Language
) -> str:
    """Return what a thing is called in an answer to a sentence."""
    names = (name_of(hass, entity_id), *own_names_of(hass, entity_id))
    return _called(names, sentence, language)


def names_of(hass: HomeAssistant, ask: Ask, name: str) -> tuple[str, ...]:
    """Return a name of what is asked about, and the others of the same thing."""
    others = (
        other
        for entity_id in sorted(ask.entities)
        if name_of(hass, entity_id) == name
        for other in own_names_of(hass, entity_id)
    )
    return tuple(dict.fromkeys((name, *others)))


def _called(names: Sequence[str], sentence: str, language: Language) -> str:
    articles = "|".join(sorted(language.articles)) or "(?!)"
    for name in names:
        found = re.search(
            rf"(?:\b(?P<article>{articles})\s*)?(?<!\w){re.escape(name)}(?!\w)",
            # "L’entrée" is written with either.
            sentence.replace("’", "'"),
            re.IGNORECASE,
        )
        if name and found and found["article"]:
            return spoken(found[0])
        if name and found:
            return _with_article(spoken(found[0]), language)
    name = names[0]
    if not _article_of(name, language) and any(
        _article_of(name, other) for other in LANGUAGES.values()
    ):
        # "Front Door" is English: a German alias is understood better.
        name = next((item for item in names if _article_of(item, language)), name)
    return _with_article(name, language)


def _with_article(name: str, language: Language) -> str:
    article = _article_of(name, language)
    return f"{article}{name}" if article.endswith("'") else f"{article} {name}".strip()


def _article_of(name: str, language: Language) -> str:
    """Return the article that a name wants, empty if it has one or none is known."""
    words = as_searched(name).split()
    if not words or words[0] in language.generic.split() or "'" in words[0]:
        return ""
    for word in (words[0], words[-1]):
        for article, pattern in _articles(language):
            if pattern.fullmatch(word):
                return article
    return ""


@cache
def _articles(language: Language) -> list[tuple[str, re.Pattern[str]]]:
    """Return what each article stands before, the longest endings first."""
    bare = replace(language, endings="")
    words = [
        (word, article)
        for article, some in language.articles.items()
        for word in some.split()
    ]
    return [
        (article, pattern_of(word_patterns(word, bare)))
        for word, article in sorted(words, key=lambda item: -len(item[0]))
    ]
