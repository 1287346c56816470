"""What a person's sentence wants: a question, a statement, or a command.

"Don't ...", "if ...", "all except the spots" and "for ten minutes" are for the model.
"""

from collections.abc import Iterable, Set as AbstractSet
import re
from typing import Final

from ..context.scorer import beginnings
from ..gate.mention import Sentence, verbs_of
from ..languages.form import Language
from ..languages.words import parts_of, words_in
from ..text import as_searched

QUESTION_MARKS: Final = ("?", "？", ";", "؟")
_WORD: Final = re.compile(r"\w+")
_NUMBER: Final = re.compile(r"\d+(?:[.,]\d+)?")
_CLAUSE: Final = re.compile(r"[,.;!]\s+")


def only_asks(sentence: str, language: Language) -> bool:
    """Return whether a sentence is a question. "Can you ...?" is a request."""
    text = sentence.strip("¿¡ ")
    is_plain = text.endswith(QUESTION_MARKS) and rest_of(text, language) == text
    return is_plain or _begins_as_question(text, language)


def changes_nothing(sentence: str, language: Language, words: AbstractSet[str]) -> bool:
    """Return whether a sentence only asks: no part of it orders something.

    `words` are the beginnings of the home's names.
    """
    others = parts_of(sentence, language)[1:]
    text = sentence.strip("¿¡ ")
    # "The TV is on?"
    is_statement = language.talk.match(text) and names_first(text, language, words)
    is_asked = is_statement and text.endswith(QUESTION_MARKS)
    return (
        (_begins_as_question(sentence, language) or bool(is_asked))
        and not language.leaning.search(sentence)
        and not any(
            verbs_of(part, language)
            or (names(part, language, words) and not names_first(part, language, words))
            for part in others
            if not language.questions.match(part)
        )
    )


def _begins_as_question(sentence: str, language: Language) -> bool:
    text, begins = sentence.strip("¿¡ "), language.questions.match
    return bool(begins(text) or begins(rest_of(text, language)))


def rest_of(text: str, language: Language) -> str:
    """Return a sentence without the polite words that it begins with."""
    polite = language.asking.match(text)
    return text[polite.end() :] if polite else text


def order_in(text: str, language: Language) -> str:
    """Return the part of a text that is no talk: "It's dark. Turn on the lamp"."""
    if not language.talk.match(text):
        return text
    begins, *clauses = _CLAUSE.split(text)
    orders = (
        item
        for item in clauses
        for part in parts_of(item, language)
        if verbs_of(part, language) and not language.questions.match(part)
    )
    found = "" if ":" in begins else next(orders, "")
    return found and text[text.index(found, len(begins)) :]


def names(text: str, language: Language, words: AbstractSet[str]) -> bool:
    """Return whether a text names something; `words` begin the home's names."""
    said = Sentence(text, language)
    return bool(
        said.kinds
        or said.speaks_of_timers
        or speaks_of_plans(text, language)
        or not words.isdisjoint(beginnings(text))
    )


def speaks_of_plans(text: str, language: Language) -> bool:
    """Return whether a text speaks of lists, reminders or appointments."""
    found = words_in(language.plans, language).search(as_searched(text))
    return found is not None


def says_state(said: Sentence, states: Iterable[str]) -> bool:
    """Return whether a sentence has a word for a state; `states` are some more."""
    words = " ".join(said.language.states.values()).replace("|", " ").split()
    return said.names_any((*states, *words))


def names_first(text: str, language: Language, words: AbstractSet[str]) -> bool:
    """Return whether a text begins with a name, as "Kitchen temperature" does."""
    generic = language.generic.split()
    first = (word for word in _WORD.findall(text) if word.casefold() not in generic)
    return names(next(first, ""), language, words)


def numbers_in(text: str) -> set[float]:
    """Return the numbers that stand in a text."""
    return {float(item.replace(",", ".")) for item in _NUMBER.findall(text)}
