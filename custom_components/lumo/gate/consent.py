"""Reading a person's answer to "Shall I unlock Front Door?".

Doors open by what is read here, so only a clear yes is one. The strategy:

* An answer is made of phrases that are known to be parts of answers, and of nothing
  else. One word that is not, a name, a number or a question mark, and the text is no
  answer but a new sentence: `Reply.OTHER`.
* A yes has at least one phrase that says yes by itself, and no word of denial. Around
  it may stand politeness, before it hesitation, behind it the very action that was
  asked about ("yes, unlock it").
* A no has at least one denial. It cancels, as anything but a yes does, so more words
  may stand beside it.
* What people also say to doubt, to put off or to mock ("yeah right", "na ja") is
  neither.

The words are in languages/.
"""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from functools import cache
import re
from typing import Final

from ..languages.form import Language
from ..languages.words import APOSTROPHES, phrases, spellings, without_accents

# Nobody needs more for an answer; a longer text is a new sentence.
MAX_WORDS: Final = 16

# Actions that one says with the same words, by the keys of their sentences.
_SAME_ACTION: Final = {
    "do_unlock": "do_open",
    "do_run_reaching": "do_run",
    "do_run_unknown": "do_run",
}

# A question mark is none of these, nor is anything that may carry a meaning, as 👎.
_PUNCTUATION: Final = re.compile(r"[.,!¡;:…–—-]")
_PLAIN: Final = re.compile(r"[a-z\s]*")

type _Phrase = tuple[str, ...]


class Reply(Enum):
    """What a person answered."""

    YES = "yes"
    NO = "no"
    OTHER = "other"
    """Neither, or not clearly; most often a new sentence."""


class _Part(Enum):
    """What a phrase is to an answer."""

    YES = "yes"
    NO = "no"
    POLITE = "polite"
    HESITATION = "hesitation"
    BESIDE_NO = "beside no"


def read_reply(
    text: str, language: Language, asked: Collection[str] = ("do_unlock", "do_open")
) -> Reply:
    """Read an answer in the language of the conversation.

    `asked` are the keys of the sentences of what was asked about; behind a yes the
    action may be said once more, if it was one kind of action only.
    """
    grammar = _grammar(language)
    words = _words(text)
    if words is None or not 0 < len(words) <= MAX_WORDS or grammar.is_unclear(words):
        return Reply.OTHER
    if grammar.denials.isdisjoint(words) and grammar.is_yes(words, asked):
        return Reply.YES
    return Reply.NO if grammar.is_no(words, asked) else Reply.OTHER


@dataclass(frozen=True, slots=True)
class _Grammar:
    """The phrases of a language."""

    parts: dict[_Phrase, set[_Part]]
    actions: dict[_Phrase, set[str]]
    action_words: dict[str, set[str]]
    denials: frozenset[str]
    unclear: frozenset[_Phrase]
    longest: int

    def is_unclear(self, words: list[str]) -> bool:
        """Return whether a phrase that is no answer stands somewhere."""
        return any(
            phrase in self.unclear
            for start in range(len(words))
            for phrase in self._phrases(words, start)
        )

    def is_yes(self, words: list[str], asked: Collection[str]) -> bool:
        """Return whether all words together are a yes."""
        kinds = _kinds(asked)
        # By place: whether a yes was said, and whether the last word was hesitation.
        states: list[set[tuple[bool, bool]]] = [set() for _ in range(len(words) + 1)]
        states[0].add((False, False))
        for start, here in enumerate(states):
            for phrase in self._phrases(words, start) if here else ():
                there = states[start + len(phrase)]
                parts = self.parts.get(phrase, ())
                if _Part.YES in parts:
                    there.add((True, False))
                if _Part.POLITE in parts:
                    there |= here
                if _Part.HESITATION in parts:
                    there |= {(said, True) for said, _ in here}
                if len(kinds) == 1 and kinds <= self.actions.get(phrase, set()):
                    there |= {(True, False) for said, _ in here if said}
        return (True, False) in states[-1]

    def is_no(self, words: list[str], asked: Collection[str]) -> bool:
        """Return whether all words are such as are said in a no, and one of them is."""
        action_words = frozenset[str]().union(
            *(self.action_words.get(kind, ()) for kind in _kinds(asked))
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


@cache
def _grammar(language: Language) -> _Grammar:
    """Return the phrases of a language, with the ways to write them."""
    denials = frozenset(
        phrase[0] for phrase in _single(language.denials) if len(phrase) == 1
    )
    parts: dict[_Phrase, set[_Part]] = {(word,): {_Part.NO} for word in denials}
    for part, written in (
        (_Part.YES, _cut(phrases(language.yes))),
        (_Part.NO, _cut(phrases(language.no))),
        (_Part.NO, _cut(phrases(language.never_mind))),
        (_Part.POLITE, _cut(phrases(language.polite))),
        (_Part.HESITATION, _single(language.hesitations)),
        (_Part.BESIDE_NO, _single(language.beside_no)),
    ):
        for phrase in written:
            parts.setdefault(phrase, set()).add(part)
    actions: dict[_Phrase, set[str]] = {}
    action_words: dict[str, set[str]] = {}
    for action, text in language.echo.items():
        for phrase in _cut(phrases(text)):
            for kind in _kinds((action,)):
                actions.setdefault(phrase, set()).add(kind)
                action_words.setdefault(kind, set()).update(phrase)
    unclear = frozenset(_cut(phrases(language.unclear)))
    longest = max(map(len, (*parts, *actions, *unclear)), default=0)
    return _Grammar(parts, actions, action_words, denials, unclear, longest)


def _kinds(actions: Iterable[str]) -> set[str]:
    """Return the kinds of actions that are said with different words."""
    return {_SAME_ACTION.get(action, action) for action in actions}


def _single(words: str) -> Iterator[_Phrase]:
    """Return every way to write single words."""
    return _cut(text for word in words.split() for text in spellings(word))


def _cut(texts: Iterable[str]) -> Iterator[_Phrase]:
    """Cut texts into their words."""
    return (tuple(words) for text in texts if (words := _words(text)))


def _words(text: str) -> list[str] | None:
    """Return the words without case and accents; None where there is more than words."""
    # Before normalising, which makes a semicolon of the Greek question mark.
    text = _PUNCTUATION.sub(" ", APOSTROPHES.sub(" ", text))
    text = without_accents(text)
    return text.split() if _PLAIN.fullmatch(text) else None
