"""What a person's sentence wants: a question, a statement, or a command.

"Don't ...", "if ...", "all except the spots" and "for ten minutes" are for the model.
"""

from collections.abc import Iterable, Mapping, Set as AbstractSet
import re
from typing import Final, NamedTuple

from ..context.home import Home
from ..context.scorer import beginnings
from ..gate.mention import Sentence, has_condition, kinds_in, verbs_of
from ..gate.named_by_person import KINDS
from ..languages.form import Language
from ..languages.words import parts_of

QUESTION_MARKS: Final = ("?", "？", ";", "؟")
_WORD: Final = re.compile(r"\w+")
_CLAUSE: Final = re.compile(r"[,.;!]\s+")

# What is no device: timers, lists, appointments.
KEPT: Final = "kept"
# The kinds of things (`kinds` of a language) that an entity of a domain may be.
DONE_AS: Final[Mapping[str, AbstractSet[str]]] = {
    **{domain: {kind} for domain, kind in KINDS.items()},
    "cover": {"blind", "door"},
    "media_player": {"music", "tv"},
    "todo": {KEPT},
    "calendar": {KEPT},
}


class Named(NamedTuple):
    """What a part of a sentence names."""

    kinds: AbstractSet[str] = frozenset()
    things: AbstractSet[str] = frozenset()
    """The ids of the things that it calls by their names."""
    has_area: bool = False
    elsewhere: AbstractSet[str] = frozenset()
    """The ids of the things that are in other areas than those that it names."""
    called: AbstractSet[str] = frozenset()
    """The names of these things, else of the areas."""

    def covers(self, entity_id: str, kinds: AbstractSet[str] | None) -> bool:
        """Return whether it can mean an entity (a timer has none) of these kinds, if known."""
        return entity_id in self.things or (
            entity_id not in self.elsewhere
            and (self.has_area or not (self.things and entity_id))
            and (not (self.kinds and kinds) or not self.kinds.isdisjoint(kinds or ()))
        )


def only_asks(sentence: str, language: Language) -> bool:
    """Return whether a sentence is a question. "Can you ...?" is a request."""
    text = sentence.strip("¿¡ ")
    is_plain = text.endswith(QUESTION_MARKS) and rest_of(text, language) == text
    return is_plain or _begins_as_question(text, language)


def changes_nothing(sentence: str, language: Language, words: AbstractSet[str]) -> bool:
    """Return whether a sentence orders nothing; `words` begin the home's names."""
    text = sentence.strip("¿¡ ")
    if begins := language.questions.match(rest_of(text, language)):
        # "Can you tell me, whether it is on?" is one part.
        text = text.replace(begins[0], begins[0].replace(",", ""))
    first, *others = parts = parts_of(text, language) or [""]
    # "It is gone, can you make it ring?" "Where is it? Make it ring."
    orders = [rest for x in parts if (rest := rest_of(x, language)) not in ("", x)]
    behind = map(str.strip, text.split("?")[1:])
    orders += [x for x in behind if x and not language.talk.match(x)]
    # "The TV is on?" "Anyone home?"
    is_statement = language.talk.match(first) and names_first(text, language, words)
    is_bare = not (names(text, language, words) or verbs_of(text, language))
    is_asked = text.endswith(QUESTION_MARKS) and (is_statement or is_bare)
    return (
        (_begins_as_question(sentence, language) or bool(is_asked))
        and not language.leaning.search(sentence)
        and all(map(language.questions.match, orders))
        and not any(
            verbs_of(part, language)
            or (names(part, language, words) and not names_first(part, language, words))
            for part in others
            # "What happens if I turn it off?"
            if not (
                language.questions.match(part)
                or has_condition(part.partition(" ")[0], language)
            )
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
    is_kept = said.speaks_of_timers or said.speaks_of_plans
    return bool(said.kinds or is_kept or not words.isdisjoint(beginnings(text)))


def names_first(text: str, language: Language, words: AbstractSet[str]) -> bool:
    """Return whether a text begins with a name, as "Kitchen temperature" does."""
    generic = language.generic.split()
    first = (word for word in _WORD.findall(text) if word.casefold() not in generic)
    return names(next(first, ""), language, words)


def says_state(said: Sentence, states: Iterable[str]) -> bool:
    """Return whether a text has the name of a state, one of `states` or our own."""
    words = " ".join(said.language.states.values()).replace("|", " ").split()
    return said.names_any((*states, *words))


def named_in(said: Sentence, home: Home | None) -> Named:
    """Return what a sentence, or a part of one, names of a home."""
    kinds = set(said.kinds)
    if said.speaks_of_timers or said.speaks_of_plans:
        kinds |= {KEPT}
    text, language = said.text, said.language
    starts = [item.start() for item in _WORD.finditer(text)][1:]
    told = any(language.questions.match(text, start) for start in starts)
    told &= not text.endswith(QUESTION_MARKS)
    # "Jonas is allergic" is the reason of another part.
    if home is None or (told and names_first(text, language, home.words)):
        return Named()
    areas = {
        area
        for area in home.areas
        if said.names_any((*area.names, *(area.floor.names if area.floor else ())))
    }
    begins = beginnings(said.text)
    things = {
        thing
        for thing in home.things
        if not (kinds and DONE_AS.get(thing.domain, kinds).isdisjoint(kinds))
        and said.names_any(thing.names)
        and not begins.isdisjoint(beginnings(" ".join(thing.names)))
    }
    elsewhere = {
        thing.entity_id
        for thing in home.things
        if areas and thing.area and thing.area not in areas
    }
    if "tv" in kinds:
        players = (x for x in home.things if x.domain == "media_player")
        things |= {x for x in players if "tv" in kinds_in(" ".join(x.names), language)}
    called = {name for item in things or areas for name in item.names}
    return Named(kinds, {x.entity_id for x in things}, bool(areas), elsewhere, called)
