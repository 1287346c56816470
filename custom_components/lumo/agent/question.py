"""The words of a question: "Shall I unlock the front door and open the garage?".

Things are called as the person called them, else by a name in their language.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from functools import cache
from itertools import chain
import re
from typing import Final

from homeassistant.core import HomeAssistant

from ..gate.effects import number_of
from ..gate.judged_call import Ambiguity, Ask
from ..gate.names import Detail, entity_area, name_of, own_names_of, spoken
from ..languages import LANGUAGES
from ..languages.form import Language
from ..languages.words import pattern_of, word_patterns
from ..speech.screen import without_marks
from ..text import as_searched
from .sentences import Sentences

# More things of one kind than these are counted.
_COUNTED: Final = 3
_KINDS: Final = frozenset(
    {"n_climate", "n_cover", "n_fan", "n_light", "n_media_player", "n_switch"}
)
# What is not said leaves one.
_GAP: Final = re.compile(r" ?\( *\)|(?<=\() | (?=\))")
LENGTH: Final = {"hours": "h", "minutes": "min", "seconds": "s"}
# The languages that write nouns with capitals, and those that nobody knows.
_CAPITALS: Final = ("", "de")
# The most names that are spoken; the most characters of a name and of arguments.
_NAMES: Final = 8
_NAME: Final = 80
_VALUE: Final = 200


def as_spoken(asks: Iterable[Ask]) -> tuple[Ask, ...]:
    """Return asks in the order in which a question names them."""
    return tuple(chain(*_by_action(sorted(asks, key=lambda ask: not ask.names))))


def can_be_spoken(sentences: Sentences, asks: Iterable[Ask]) -> bool:
    """Return whether a question says all that a yes would allow.

    A person who only listens must not agree to what they did not hear.
    """
    asks = list(asks)
    return actions_text(sentences, asks) == actions_text(sentences, asks, whole=True)


def actions_text(
    sentences: Sentences,
    asks: Iterable[Ask],
    *,
    joint: str = "and_word",
    whole: bool = False,
    on_screen: bool = False,
) -> str:
    """Return what is asked about: "unlock Front Door and open Garage".

    Long lists and values are cut unless `whole`, but everything sensitive is named.
    Marks of Markdown and HTML hide nothing: they are escaped `on_screen`, else removed.
    """

    def short(text: str, limit: int) -> str:
        text = text if whole else _cut(sentences, text, limit)
        return without_marks(text, on_screen)

    actions = []
    for group in _by_action(asks):
        first, name = group[0], short(group[0].name, _NAME)
        if first.server:
            server = short(first.server, _NAME)
            name = sentences("tool_of_server", name=name, server=server)
        # Without a tool's or script's name the action itself says what happens.
        said = _said(sentences, first.details if first.name else ())
        is_number = number_of(first.value) is not None
        value = first.value.replace(".", sentences.decimal if is_number else ".")
        told = ", ".join(filter(None, [value, *map(": ".join, said.items())]))
        value, phrase = short(told, _VALUE), first.phrase
        if phrase not in sentences:
            phrase = "do_use_with" if said else "do_use"
        elif phrase.startswith("do_run") and said:
            name = f"{name} ({value})"
        necessary = {target for ask in group if ask.names for target in ask.targets}
        targets = sorted(
            dict.fromkeys(chain(*(ask.targets for ask in group))),
            key=lambda target: target not in necessary,
        )
        targets = [without_marks(target, on_screen) for target in targets]
        entities = set().union(*(ask.entities for ask in group))
        if not necessary and len(entities) > _COUNTED and kind_of(entities):
            shown = counted(sentences, entities)
        elif whole:
            shown = list_of(sentences, targets, joint)
        else:
            shown = some_of(sentences, targets, at_least=len(necessary), joint=joint)
        # A tool of ours that changes very many things says how many.
        shown = shown or sentences("n_devices", count=name)
        words = {"targets": shown, "name": name, "value": value}
        if first.is_own and phrase == first.phrase:
            said = {x.replace(" ", "_"): short(y, _VALUE) for x, y in said.items()}
            length = " ".join(f"{said[x]} {LENGTH[x]}" for x in LENGTH if x in said)
            words = {"targets": shown if targets else "", "length": length, **said}
        text = _GAP.sub("", " ".join(sentences(phrase, **words).split())).rstrip(" :")
        if first.when:
            text = sentences("later_action", action=text, when=first.when)
        actions.append(text)
    return list_of(sentences, actions, joint)


def counted(sentences: Sentences, entity_ids: Collection[str]) -> str:
    """Return how many things there are, and of what kind: "12 lights"."""
    return sentences(kind_of(entity_ids) or "n_devices", count=str(len(entity_ids)))


def kind_of(entity_ids: Iterable[str]) -> str:
    """Return the key of the words for so many of one kind, if they are of one."""
    domains = {item.partition(".")[0] for item in entity_ids}
    key = f"n_{domains.pop()}" if len(domains) == 1 else ""
    return key if key in _KINDS else ""


def _by_action(asks: Iterable[Ask]) -> list[list[Ask]]:
    """Return the asks in groups that differ in their targets only."""
    groups: dict[object, list[Ask]] = {}
    for ask in asks:
        details = ask.details if ask.name else ()
        key = (ask.phrase, ask.name, ask.server, ask.value, details, ask.when)
        groups.setdefault(key, []).append(ask)
    return [*groups.values()]


def _said(sentences: Sentences, details: Iterable[Detail]) -> dict[str, str]:
    """Return what each argument of a tool says."""
    words = {True: "yes_word", False: "no_word", None: "nothing_word"}
    said: dict[str, str] = {}
    for key, item in details:
        text = item if isinstance(item, str) else sentences(words[item])
        said[key] = f"{said[key]}, {text}" if key in said else text
    return said


def _cut(sentences: Sentences, text: str, limit: int) -> str:
    if len(text) <= limit:
        return text
    more = sentences("more_characters", count=str(len(text) - limit))
    return f"{text[:limit]}… ({more})"


def some_of(
    sentences: Sentences,
    names: Sequence[str],
    *,
    at_least: int = 0,
    joint: str = "and_word",
) -> str:
    """Return a list that is short enough to follow."""
    names = [_cut(sentences, name, _NAME) for name in names]
    shown = max(_NAMES, at_least)
    if len(names) > shown:
        names = [*names[:shown], sentences("n_more", count=str(len(names) - shown))]
    return list_of(sentences, names, joint)


def list_of(sentences: Sentences, items: Sequence[str], joint: str = "and_word") -> str:
    """Return "a, b and c" in the person's language."""
    if len(items) < 2:
        return "".join(items)
    return f"{', '.join(items[:-1])} {sentences(joint)} {items[-1]}"


def worded(
    hass: HomeAssistant, asks: Iterable[Ask], sentence: str, language: Language
) -> list[Ask]:
    """Return asks whose targets are called as the person's sentence calls them."""

    def called_so(ask: Ask) -> tuple[str, ...]:
        names = (names_of(hass, ask, name) for name in ask.targets)
        return tuple(_called(own, sentence, language) for own in names)

    return [replace(ask, targets=called_so(ask)) for ask in asks]


def told_apart(
    hass: HomeAssistant, ambiguity: Ambiguity, sentences: Sentences, language: Language
) -> list[Ask]:
    """Return what is to be chosen from; things of one name are told with their area."""
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
    if not entity_id.startswith(("scene.", "script.")):
        return _called(names, sentence, language)
    # It may be a sentence: "Water the garden".
    said = (x for x in names if x and x.casefold() in sentence.casefold())
    return spoken(next(said, names[0]))


def names_of(hass: HomeAssistant, ask: Ask, name: str) -> tuple[str, ...]:
    """Return a name of what is asked about, and the same thing's other names."""
    same = (x for x in sorted(ask.entities) if name_of(hass, x) == name)
    others = (other for entity_id in same for other in own_names_of(hass, entity_id))
    return tuple(dict.fromkeys((name, *others)))


def _called(names: Sequence[str], sentence: str, language: Language) -> str:
    articles = "|".join(sorted(language.articles))
    for name in filter(None, names):
        found = re.search(
            rf"(?:\b(?P<article>{articles})\s*)?(?<!\w){re.escape(name)}(?!\w)",
            # "L’entrée" is written with either apostrophe.
            sentence.replace("’", "'"),
            re.IGNORECASE,
        )
        if found:
            article = (found["article"] or "").lower() or _article_of(name, language)
            return _with(article, spoken(name), language)
    name = names[0]
    if not _article_of(name, language) and any(
        _article_of(name, other) for other in LANGUAGES.values()
    ):
        # "Front Door" is English: a German alias is understood better.
        name = next((item for item in names if _article_of(item, language)), name)
    return _with_article(name, language)


def _with_article(name: str, language: Language) -> str:
    return _with(_article_of(name, language), name, language)


def _with(article: str, name: str, language: Language) -> str:
    """Return a name behind its article: "the front door", "die Haustür", "the TV"."""
    if article and language.code not in _CAPITALS:
        words = name.split(" ")
        name = " ".join(x.lower() if len(x) > 1 and x.istitle() else x for x in words)
    return f"{article}{name}" if article.endswith("'") else f"{article} {name}".strip()


def _article_of(name: str, language: Language) -> str:
    """Return the article for a name, empty if it has one or its noun is not known."""
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
    # The longest endings first.
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
