"""Reading a person's answer to "Shall I unlock the front door?".

Doors open by what is read here, so only a clear yes is one. The strategy:

* An answer is made of phrases that are known to be parts of answers, and of the names
  of what was asked about. One word that is neither, a number or a question mark, and
  the text is no answer.
* A yes is said by a word of yes, or by an echo: the very action that was asked about
  ("unlock it"), or the names ("the front door"). Around it may stand politeness and the
  assistant's name, before it hesitation; no word of denial may stand anywhere. Who names
  some of several things says yes to those only; "unlock it" does not say which.
* A weak yes ("okay", "fine") is one where it is certain that it is an answer.
* A no has at least one denial. It cancels, as anything but a yes does, so more words
  may stand beside it.
* What people also say to doubt, to put off or to mock ("yeah right", "na ja") is
  neither.
* So short a text that it can hardly be anything new is answered by the question again.

The words are in languages/.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cache
import re
from typing import Final

from ..languages.form import Language
from ..languages.words import APOSTROPHES, phrases, spellings, without_accents

# A longer text is a new sentence.
MAX_WORDS: Final = 16
# A text of so few words is hardly a new sentence.
_FEW_WORDS: Final = 3

# Actions that one says with the same words, by the keys of their sentences.
_SAME_ACTION: Final = {
    "do_unlock": "do_open",
    "do_start": "do_run",
    "do_run_reaching": "do_run",
    "do_run_unknown": "do_run",
    "do_use_with": "do_use",
}
# What people call the assistant, whatever its owner calls it.
_ASSISTANT: Final = "lumo"

# Without the question mark, and without anything that may carry a meaning, as 👎.
_PUNCTUATION: Final = re.compile(r"[.,!¡;:…–—-]")
_PLAIN: Final = re.compile(r"[a-z0-9\s]*")
_WORD: Final = re.compile(r"[a-z]+|[0-9]+")
# Stands for the names of what was asked about, in phrases and in what was said.
_NAMES: Final = "*"

type _Phrase = tuple[str, ...]


class Reply(Enum):
    """What a person answered."""

    YES = "yes"
    SOME = "some"
    """A yes for some of the things that were asked about."""
    NO = "no"
    AGAIN = "again"
    """Not clearly anything, and too little for a new sentence."""
    OTHER = "other"
    """A new sentence."""


@dataclass(frozen=True, slots=True)
class Asked:
    """One of the things that were asked about."""

    action: str
    """The key of the words for what would be done."""
    names: tuple[str, ...] = ()
    """What it may be called; without names it cannot be told from the others."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What an answer means."""

    reply: Reply
    chosen: frozenset[int] = frozenset()
    """The places of what the yes is for, among all that was asked about."""


class _Part(Enum):
    """What a phrase is to an answer."""

    YES = "yes"
    WEAK = "weak"
    NO = "no"
    POLITE = "polite"
    HESITATION = "hesitation"
    BESIDE_NO = "beside no"


class _Said(Enum):
    """How far a yes has been said."""

    NOT = 0
    UNCLEARLY = 1
    """As "unlock it" is for two things."""
    WEAKLY = 2
    CLEARLY = 3


def read_answer(
    text: str,
    language: Language,
    asked: Sequence[Asked],
    *,
    is_certain: bool = True,
    assistant: str = "",
) -> Reading:
    """Read an answer in the language of the conversation.

    A weak yes counts if it is certain that the person speaks to the `assistant`, which
    may have a name beside its own.
    """
    if not language.yes:
        return Reading(Reply.OTHER)
    few = sum(any(map(str.isalnum, part)) for part in text.split()) <= _FEW_WORDS
    neither = Reading(Reply.AGAIN if few else Reply.OTHER)
    grammar = _grammar(language)
    words = _words(text)
    if words is None or not 0 < len(words) <= MAX_WORDS or grammar.is_unclear(words):
        return neither
    if grammar.is_no(words, asked):
        return Reading(Reply.NO)
    if not grammar.denials.isdisjoint(words):
        return neither
    names = _Names(grammar, asked)
    for name in (_ASSISTANT, assistant):
        words = _without(words, _words(name) or [])
    tokens, named = names.replace(words)
    if named and language.questions.match(text.strip()):
        # Somebody may have called a door "What".
        named, tokens = [], words
    said = grammar.assent(tokens, named, asked)
    if said is _Said.NOT:
        # The "all" in "by all means" does not stand for all things.
        named, said = [], grammar.assent(words, [], asked)
    if said is _Said.NOT:
        return neither
    if said is _Said.UNCLEARLY or (said is _Said.WEAKLY and not is_certain):
        return Reading(Reply.AGAIN)
    everything = frozenset(range(len(asked)))
    chosen = frozenset[int]().union(*named) or everything
    return Reading(Reply.YES if chosen == everything else Reply.SOME, chosen)


@dataclass(frozen=True, slots=True)
class _Grammar:
    """The phrases of a language."""

    parts: Mapping[_Phrase, set[_Part]]
    actions: Mapping[_Phrase, set[str]]
    action_words: Mapping[str, set[str]]
    singular: frozenset[_Phrase]
    """The phrases for actions that speak of one thing, without its name."""
    denials: frozenset[str]
    unclear: frozenset[_Phrase]
    both: frozenset[_Phrase]
    all_of: Mapping[_Phrase, int]
    """By the number of things that is said, 0 without one."""
    beside_names: frozenset[str]
    only: frozenset[str]
    longest: int

    def is_unclear(self, words: list[str]) -> bool:
        """Return whether a phrase that is no answer stands somewhere."""
        return any(
            phrase in self.unclear
            for start in range(len(words))
            for phrase in self._phrases(words, start)
        )

    def assent(
        self,
        tokens: list[str],
        named: list[frozenset[int]],
        asked: Sequence[Asked],
    ) -> _Said:
        """Return how far all words together are a yes.

        `named` is what each place of names stands for.
        """
        places = iter(named)
        things = [next(places) if word == _NAMES else frozenset() for word in tokens]
        # By place: how far a yes was said, and whether the last word was hesitation.
        states: list[set[tuple[_Said, bool]]] = [set() for _ in range(len(tokens) + 1)]
        states[0].add((_Said.NOT, False))
        for start, here in enumerate(states):
            for phrase in self._phrases(tokens, start) if here else ():
                end = start + len(phrase)
                there = states[end]
                parts = self.parts.get(phrase, ())
                of = frozenset[int]().union(*things[start:end])
                kinds = _kinds(
                    item.action
                    for place, item in enumerate(asked)
                    if place in of or not of
                )
                does = self.actions.get(phrase, set())
                echoes = kinds and kinds <= does and (of or len(kinds) == 1)
                if echoes and not (phrase in self.singular and _count(asked) > 1):
                    there.add((_Said.CLEARLY, False))
                elif echoes:
                    there |= {
                        (_at_least(_Said.UNCLEARLY, said), False) for said, _ in here
                    }
                if _Part.YES in parts or phrase == (_NAMES,):
                    there.add((_Said.CLEARLY, False))
                if _Part.WEAK in parts:
                    there |= {
                        (_at_least(_Said.WEAKLY, said), False) for said, _ in here
                    }
                if _Part.POLITE in parts:
                    there |= here
                if _Part.HESITATION in parts:
                    there |= {(said, True) for said, _ in here}
        ends = {said for said, hesitates in states[-1] if not hesitates}
        return max(ends, key=lambda said: said.value, default=_Said.NOT)

    def is_no(self, words: list[str], asked: Sequence[Asked]) -> bool:
        """Return whether all words are such as are said in a no, and one of them is."""
        kinds = _kinds(item.action for item in asked)
        action_words = frozenset[str]().union(
            *(self.action_words.get(kind, ()) for kind in kinds)
        )
        # By place: whether it was said.
        states: list[set[bool]] = [set() for _ in range(len(words) + 1)]
        states[0].add(False)
        for start, here in enumerate(states):
            for phrase in self._phrases(words, start) if here else ():
                there = states[start + len(phrase)]
                parts = self.parts.get(phrase, ())
                if _Part.NO in parts:
                    there.add(True)
                if parts or (len(phrase) == 1 and phrase[0] in action_words):
                    there |= here
        return True in states[-1]

    def _phrases(self, words: list[str], start: int) -> Iterator[_Phrase]:
        """Return what begins at a place, as long as a phrase can be."""
        for end in range(start + 1, min(start + self.longest, len(words)) + 1):
            yield tuple(words[start:end])


class _Names:
    """The names of what was asked about, to be found in an answer."""

    def __init__(self, grammar: _Grammar, asked: Sequence[Asked]) -> None:
        """Read them as answers are read."""
        self._grammar = grammar
        self._things: dict[_Phrase, set[int]] = {}
        for place, item in enumerate(asked):
            for name in item.names:
                for words in _cut(spellings(name.casefold())):
                    self._things.setdefault(words, set()).add(place)
                    if bare := self._bare(words):
                        self._things.setdefault(bare, set()).add(place)
        count = _count(asked)
        everything = set(range(len(asked)))
        if count > 1:
            for phrase, number in grammar.all_of.items():
                if number in (0, count):
                    self._things[phrase] = everything
        if count == 2:
            self._things |= dict.fromkeys(grammar.both, everything)
        self._longest = max(map(len, self._things), default=0)

    def replace(self, words: list[str]) -> tuple[list[str], list[frozenset[int]]]:
        """Return the words with one token for each list of names, and what each means.

        "Only the front door and the garage" is one token.
        """
        tokens: list[str] = []
        named: list[frozenset[int]] = []
        place = 0
        while place < len(words):
            size = next(
                (
                    size
                    for size in range(self._longest, 0, -1)
                    if tuple(words[place : place + size]) in self._things
                ),
                0,
            )
            if not size:
                tokens.append(words[place])
                place += 1
                continue
            beside = []
            while tokens and tokens[-1] in self._grammar.beside_names:
                beside.append(tokens.pop())
            if tokens and tokens[-1] == _NAMES:
                # "Both, just the front door" takes something back: it is no answer.
                tokens += self._grammar.only.intersection(beside)
            found = frozenset(self._things[tuple(words[place : place + size])])
            if tokens and tokens[-1] == _NAMES:
                named[-1] |= found
            else:
                tokens.append(_NAMES)
                named.append(found)
            place += size
        return tokens, named

    def _bare(self, words: _Phrase) -> _Phrase:
        """Return a name without the articles around it."""
        beside = self._grammar.beside_names
        inner = list(words)
        while inner and inner[0] in beside:
            del inner[0]
        return tuple(inner)


@cache
def _grammar(language: Language) -> _Grammar:
    """Return the phrases of a language, with the ways to write them."""
    denials = frozenset(
        phrase[0] for phrase in _single(language.denials) if len(phrase) == 1
    )
    parts: dict[_Phrase, set[_Part]] = {(word,): {_Part.NO} for word in denials}
    for part, written in (
        (_Part.YES, _cut(phrases(language.yes))),
        (_Part.WEAK, _cut(phrases(language.weak_yes))),
        (_Part.NO, _cut(phrases(language.no))),
        (_Part.NO, _cut(phrases(language.never_mind))),
        (_Part.POLITE, _cut(phrases(language.polite))),
        (_Part.HESITATION, _single(language.hesitations)),
        # "And": more has to follow.
        (_Part.HESITATION, _single(" ".join(_common(language)))),
        (_Part.BESIDE_NO, _single(language.beside_no)),
    ):
        for phrase in written:
            parts.setdefault(phrase, set()).add(part)
    actions: dict[_Phrase, set[str]] = {}
    action_words: dict[str, set[str]] = {}
    plural: set[_Phrase] = set()
    for action, text in language.echo.items():
        them = {*_with_slot(text, (_NAMES, *phrases(language.them)))}
        plural |= them
        for phrase in them.union(_with_slot(text, phrases(language.it))):
            for kind in _kinds((action,)):
                actions.setdefault(phrase, set()).add(kind)
                action_words.setdefault(kind, set()).update(phrase)
    unclear = frozenset(_cut(phrases(language.unclear)))
    all_of = dict.fromkeys(_cut(phrases(language.all_of.replace("#", ""))), 0)
    for number, entry in enumerate(language.numbers.split()):
        for word in entry.split("|"):
            for phrase in _cut(phrases(language.all_of.replace("#", word))):
                all_of.setdefault(phrase, number)
    only = frozenset(phrase[0] for phrase in _single(language.only))
    return _Grammar(
        parts,
        actions,
        action_words,
        frozenset(actions.keys() - plural),
        denials,
        unclear,
        frozenset(_cut(phrases(language.both))),
        all_of,
        only.union(phrase[0] for phrase in _single(language.generic)),
        only,
        max(map(len, (*parts, *actions, *unclear)), default=0),
    )


def _common(language: Language) -> set[str]:
    """Return the words that stand between two names as well as between two actions."""
    return {*language.joints.split()} & {*language.generic.split()}


def _kinds(actions: Iterable[str]) -> set[str]:
    """Return the kinds of actions that are said with different words."""
    return {_SAME_ACTION.get(action, action) for action in actions}


def _count(asked: Sequence[Asked]) -> int:
    """Return how many things were asked about, as a person counts them."""
    return len({item.names or place for place, item in enumerate(asked)})


def _at_least(least: _Said, said: _Said) -> _Said:
    return max(least, said, key=lambda item: item.value)


def _with_slot(templates: str, things: Iterable[str]) -> Iterator[_Phrase]:
    """Yield phrases for an action, for anything that it can be done to."""
    things = [thing.strip().replace(_NAMES, "0") for thing in things]
    for text in phrases(templates):
        for thing in things if "~" in text else ("",):
            if words := _words(text.replace("~", thing)):
                yield tuple(_NAMES if word == "0" else word for word in words)


def _single(words: str) -> Iterator[_Phrase]:
    """Yield every way to write single words."""
    return _cut(text for word in words.split() for text in spellings(word))


def _cut(texts: Iterable[str]) -> Iterator[_Phrase]:
    """Cut texts into their words."""
    return (tuple(words) for text in texts if (words := _words(text)))


def _without(words: list[str], name: list[str]) -> list[str]:
    """Return what else was said than the assistant's name, once."""
    size = len(name)
    for start in range(len(words) - size + 1) if name and len(words) > size else ():
        if words[start : start + size] == name:
            return [*words[:start], *words[start + size :]]
    return words


def _words(text: str) -> list[str] | None:
    """Return the words without case and accents; None where there is more than words."""
    # Before normalising, which makes a semicolon of the Greek question mark.
    text = _PUNCTUATION.sub(" ", APOSTROPHES.sub(" ", text))
    text = without_accents(text)
    return _WORD.findall(text) if _PLAIN.fullmatch(text) else None
