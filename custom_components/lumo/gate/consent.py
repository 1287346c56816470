"""Reading a person's answer to "Shall I unlock the front door?".

Doors open by what is read here, so only a clear yes is one: an answer consists of known
phrases and the names of what was asked about, with a word of yes, the action or the names,
and no denial. A weak yes ("okay") counts only where it is certainly an answer.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto
from functools import cache
from itertools import dropwhile
import re
from typing import Final

from ..languages.form import Language
from ..languages.words import APOSTROPHES, phrases, spellings
from ..text import as_compared

# A longer text is a new sentence.
MAX_WORDS: Final = 16
# A text of so few words is hardly a new sentence.
_FEW_WORDS: Final = 3
_FIRST_OF_MORE: Final = re.compile(r"\W*\w+[,.!;:]\s")

# Actions that one says with the same words, by the keys of their sentences.
_SAME_ACTION: Final = {
    "do_unlock": "do_open",
    "do_start": "do_run",
    "do_run_reaching": "do_run",
    "do_run_unknown": "do_run",
    "do_use_with": "do_use",
}
# Who asks for one of these does not want the other.
_OPPOSITE: Final = {
    "do_open": ("do_close", "do_lock"),
    "do_turn_on": ("do_turn_off",),
    "do_turn_off": ("do_turn_on",),
}
# What people call the assistant, whatever its owner calls it.
_ASSISTANT: Final = "lumo"

# Without the question mark, and without anything that may carry a meaning, as 👎.
_PUNCTUATION: Final = re.compile(r"[.,!¡;:…–—-]")
_PLAIN: Final = re.compile(r"[a-z0-9\s]*")
WORD: Final = re.compile(r"[a-z]+|[0-9]+")
# Stands for the names of what was asked about, in phrases and in what was said.
_NAMES: Final = "*"

type _Phrase = tuple[str, ...]
type _Token = str | frozenset[int]
"""A word, or the positions of what is named among all that was asked about."""


class Reply(Enum):
    """What a person answered."""

    YES = auto()
    SOME = auto()
    NO = auto()
    AGAIN = auto()
    """Unclear, and too short for a new sentence."""
    OTHER = auto()
    CHOSEN = auto()
    """Some of several things are meant (`chosen.py`), which is no yes."""


@dataclass(frozen=True, slots=True)
class Asked:
    """One of the things that were asked about."""

    action: str
    """The key of the words for what would be done."""
    names: tuple[str, ...] = ()
    """Without names it cannot be told from the others."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What an answer means."""

    reply: Reply
    chosen: frozenset[int] = frozenset()
    """The positions of what is meant among all that was asked about."""


class Part(Enum):
    """What a phrase is in an answer."""

    YES = auto()
    WEAK = auto()
    NO = auto()
    POLITE = auto()
    HESITATION = auto()
    BESIDE_NO = auto()
    UNCLEAR = auto()


def read_answer(
    text: str,
    language: Language,
    asked: Sequence[Asked],
    *,
    is_certain: bool = True,
    assistant: str = "",
) -> Reading:
    """Read an answer. If not `is_certain` that it is one, a weak yes does not count."""
    if not language.yes:
        return Reading(Reply.OTHER)
    few = sum(any(map(str.isalnum, part)) for part in text.split()) <= _FEW_WORDS
    neither = Reading(Reply.AGAIN if few else Reply.OTHER)
    grammar = grammar_of(language)
    words = words_of(text)
    if words is None or not 0 < len(words) <= MAX_WORDS or grammar.is_unclear(words):
        return neither
    if grammar.is_no(words, asked):
        return Reading(Reply.NO)
    if not grammar.denials.isdisjoint(words):
        # "No, Tuesday" is a no, and says more.
        says_more = words[0] in grammar.denials and _FIRST_OF_MORE.match(text)
        return Reading(Reply.OTHER) if says_more else neither
    if not language.signed:
        return Reading(Reply.NO if grammar.is_opposite(words, asked) else Reply.OTHER)
    words = without_address(words, assistant)
    tokens: Sequence[_Token] = words
    # Somebody may have called a door "What".
    if not language.questions.match(text.strip()):
        tokens = grammar.with_names(words, asked)
    said = grammar.assent(tokens, asked)
    if said is None:
        # The "all" in "by all means" does not stand for all things.
        tokens, said = words, grammar.assent(words, asked)
    if said is None:
        return Reading(Reply.NO) if grammar.is_opposite(words, asked) else neither
    if said is Part.UNCLEAR or (said is Part.WEAK and not is_certain):
        return Reading(Reply.AGAIN)
    everything = frozenset(range(len(asked)))
    chosen = _named(tokens) or everything
    return Reading(Reply.YES if chosen == everything else Reply.SOME, chosen)


class _Grammar:
    def __init__(self, language: Language) -> None:
        single = {item[0] for item in _single(language.denials) if len(item) == 1}
        self.denials = frozenset(single)
        self.parts = self._read_parts(language)
        self.actions: dict[_Phrase, frozenset[str]] = {}
        plural: set[_Phrase] = set()
        for action, text in language.echo.items():
            them = {*_with_slot(text, (_NAMES, *phrases(language.them)))}
            plural |= them
            for phrase in them.union(_with_slot(text, phrases(language.it))):
                _add(self.actions, phrase, *actions_in((action,)))
        self.words_of_actions: dict[str, set[str]] = {}
        for phrase, actions in self.actions.items():
            for word in phrase:
                self.words_of_actions.setdefault(word, set()).update(actions)
        self.singular = self.actions.keys() - plural
        """The phrases for actions that speak of one thing, without its name."""
        all_of = dict.fromkeys(cut(phrases(language.all_of.replace("#", ""))), 0)
        for number, entry in enumerate(language.numbers.split()):
            for word in entry.split("|"):
                for phrase in cut(phrases(language.all_of.replace("#", word))):
                    all_of.setdefault(phrase, number)
        self.all_of = dict.fromkeys(cut(phrases(language.both)), 2) | all_of
        """By the number of things that is said, 0 without one."""
        self.only = frozenset(phrase[0] for phrase in _single(language.only))
        generic = (phrase[0] for phrase in _single(language.generic))
        self.beside_names = self.only.union(generic)
        self.longest = max(map(len, (*self.parts, *self.actions)), default=0)

    def _read_parts(self, language: Language) -> dict[_Phrase, frozenset[Part]]:
        # "And" stands between two names as well as between two actions: more has to
        # follow.
        joints = {*language.joints.split()} & {*language.generic.split()}
        parts: dict[_Phrase, frozenset[Part]] = {}
        for part, written in (
            (Part.NO, ((word,) for word in self.denials)),
            (Part.YES, cut(phrases(language.yes))),
            (Part.WEAK, cut(phrases(language.weak_yes))),
            (Part.NO, cut(phrases(language.no))),
            (Part.NO, cut(phrases(language.never_mind))),
            (Part.POLITE, cut(phrases(language.polite))),
            (Part.HESITATION, _single(language.hesitations)),
            (Part.HESITATION, _single(" ".join(joints))),
            (Part.BESIDE_NO, _single(language.beside_no)),
            (Part.UNCLEAR, cut(phrases(language.unclear))),
        ):
            for phrase in written:
                _add(parts, phrase, part)
        return parts

    def is_opposite(self, words: list[str], asked: Sequence[Asked]) -> bool:
        """Return whether they ask for the opposite: "lock the door" to unlocking it."""
        if any(Part.YES in self.parts.get((word,), ()) for word in words):
            return False
        forms: Sequence[Sequence[_Token]] = (self.with_names(words, asked), words)
        kinds = actions_in(item.action for item in asked)
        return any(
            self.assent(form, [replace(item, action=other) for item in asked])
            for other in {other for kind in kinds for other in _OPPOSITE.get(kind, ())}
            for form in forms
        )

    def is_unclear(self, words: list[str]) -> bool:
        return any(
            Part.UNCLEAR in self.parts.get(tuple(words[start:end]), ())
            for start in range(len(words))
            for end in range(start + 1, start + self.longest + 1)
        )

    def assent(self, tokens: Sequence[_Token], asked: Sequence[Asked]) -> Part | None:
        """Return how far all words together are a yes, None if they are not."""

        def said(phrase: _Phrase, at: range) -> Part | None:
            parts = self.parts.get(phrase, frozenset())
            of = _named(tokens[at.start : at.stop])
            kinds = actions_in(
                item.action for place, item in enumerate(asked) if place in of or not of
            )
            does = self.actions.get(phrase, frozenset())
            echoes = kinds and kinds <= does and (of or len(kinds) == 1)
            is_vague = phrase in self.singular and _count(asked) > 1
            if (echoes and not is_vague) or Part.YES in parts or phrase == (_NAMES,):
                return Part.YES
            if echoes or Part.WEAK in parts:
                return Part.WEAK if Part.WEAK in parts else Part.UNCLEAR
            # Who ends with "and" or "well" has not said it yet.
            is_idle = Part.HESITATION in parts and at.stop < len(tokens)
            return Part.POLITE if is_idle or Part.POLITE in parts else None

        words = [word if isinstance(word, str) else _NAMES for word in tokens]
        found = self._read(words, said)
        how = (Part.YES, Part.WEAK, Part.UNCLEAR)
        return next((part for part in how if part in found), None)

    def is_no(self, words: list[str], asked: Sequence[Asked]) -> bool:
        """Return whether all words may stand in a no, and one of them is one."""
        kinds = actions_in(item.action for item in asked)

        def says_no(phrase: _Phrase, _: range) -> bool | None:
            parts = self.parts.get(phrase, frozenset())
            is_of_action = len(phrase) == 1 and not kinds.isdisjoint(
                self.words_of_actions.get(phrase[0], ())
            )
            return Part.NO in parts if parts or is_of_action else None

        return any(self._read(words, says_no))

    def _read[T](
        self, words: list[str], meaning: Callable[[_Phrase, range], T | None]
    ) -> list[T]:
        """Return what the longest phrases mean, nothing if a word is in none."""
        found: list[T] = []
        known = 0
        for start in range(len(words)):
            if start > known:
                return []
            for end in range(min(start + self.longest, len(words)), known, -1):
                meant = meaning(tuple(words[start:end]), range(start, end))
                if meant is not None:
                    found.append(meant)
                    known = end
                    break
        return found if known == len(words) else []

    def with_names(self, words: list[str], asked: Sequence[Asked]) -> list[_Token]:
        """Return the words with one token for each list of names."""
        things: dict[_Phrase, frozenset[int]] = {}
        for place, item in enumerate(asked):
            written = (x for name in item.names for x in spellings(name.casefold()))
            for name in cut(written):
                bare = tuple(dropwhile(self.beside_names.__contains__, name))
                for known in {name, bare} - {()}:
                    things[known] = things.get(known, frozenset()) | {place}
        count = _count(asked)
        if count > 1:
            for phrase, number in self.all_of.items():
                if number in (0, count):
                    things[phrase] = frozenset(range(len(asked)))
        longest = max(map(len, things), default=0)
        tokens: list[_Token] = []
        while words:
            sizes = range(min(longest, len(words)), 0, -1)
            size = next((n for n in sizes if tuple(words[:n]) in things), 1)
            found = things.get(tuple(words[:size]))
            beside = set[_Token]()
            while found and tokens and tokens[-1] in self.beside_names:
                beside.add(tokens.pop())
            last = tokens[-1] if tokens else ""
            if found and isinstance(last, frozenset):
                if self.only.isdisjoint(beside):
                    found |= last
                    tokens.pop()
                else:
                    # "Both, just the front door" takes something back.
                    tokens.append("")
            tokens.append(found or words[0])
            words = words[size:]
        return tokens


def _add[T](meanings: dict[_Phrase, frozenset[T]], phrase: _Phrase, *more: T) -> None:
    """Add to what a phrase means: thousands of phrases share a few sets."""
    meanings[phrase] = _shared(meanings.get(phrase, frozenset()).union(more))


@cache
def _shared[T](items: frozenset[T]) -> frozenset[T]:
    return items


@cache
def grammar_of(language: Language) -> _Grammar:
    """Return how answers are made in a language."""
    return _Grammar(language)


def _named(tokens: Iterable[_Token]) -> frozenset[int]:
    return frozenset(place for x in tokens if not isinstance(x, str) for place in x)


def actions_in(actions: Iterable[str]) -> set[str]:
    """Return the actions, one for those that one says with the same words."""
    return {_SAME_ACTION.get(action, action) for action in actions}


def _count(asked: Sequence[Asked]) -> int:
    """Return how many things were asked about, as a person counts them."""
    return len({item.names or place for place, item in enumerate(asked)})


def _with_slot(templates: str, things: Iterable[str]) -> Iterator[_Phrase]:
    """Yield phrases for an action, for anything that it can be done to."""
    things = [thing.strip().replace(_NAMES, "0") for thing in things]
    for text in phrases(templates):
        for thing in things if "~" in text else ("",):
            if words := words_of(text.replace("~", thing)):
                yield tuple(_NAMES if word == "0" else word for word in words)


def _single(words: str) -> Iterator[_Phrase]:
    return cut(text for word in words.split() for text in spellings(word))


def cut(texts: Iterable[str]) -> Iterator[_Phrase]:
    """Yield the words of each text that is made of words alone."""
    return (tuple(words) for text in texts if (words := words_of(text)))


def without_address(words: list[str], assistant: str) -> list[str]:
    """Return the words without the assistant's names, each removed once."""
    for name in (words_of(_ASSISTANT), words_of(assistant)):
        size = len(name or ())
        for start in range(len(words) - size + 1) if 0 < size < len(words) else ():
            if words[start : start + size] == name:
                words = [*words[:start], *words[start + size :]]
                break
    return words


def words_of(text: str) -> list[str] | None:
    """Return the words without case and accents; None if there is more than words."""
    # Before normalising, which makes a semicolon of the Greek question mark.
    text = _PUNCTUATION.sub(" ", APOSTROPHES.sub(" ", text))
    text = as_compared(text)
    return WORD.findall(text) if _PLAIN.fullmatch(text) else None
