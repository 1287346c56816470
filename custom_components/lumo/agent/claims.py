"""Whether an answer claims that something in the home was done, or cannot be.

Models say "Done, I turned off the lights" without having called anything, or "I don't
have access to that tool" of one that was offered. The turn asks here, while no call has
run; if the answer claims success, or excuses itself so, the model is asked once more.

A language with `claims_states` has patterns of what assistants say when they have acted;
a negation, a condition, an offer or "already" claims nothing. In others few plain words
are known, so the structure of the turn counts: what was said names something of the home
and is answered by one short sentence, neither is a question, and nothing was called yet
(behind a call that failed an honest answer looks the same).

A question about a state is never looked at: nothing may be switched because of one.
"""

from collections.abc import Iterable, Set as AbstractSet
from dataclasses import dataclass, replace
from enum import Enum
import re
from typing import Final

from ..context.scorer import beginnings
from ..gate.call_record import CallRecord
from ..languages import EN
from ..languages.form import Language

# Home Assistant begins to speak after as many characters
# (STREAM_RESPONSE_CHARS in assist_pipeline); an opening that is held is no longer.
OPENING_CHARACTERS: Final = 60

QUESTION_MARKS: Final = ("?", "？", ";", "؟")
_SENTENCE_END: Final = re.compile(r"(?<=[.!?。！？])(?:\s+|$)|\n+")
# Code is written for a person, not done.
_CODE: Final = re.compile(r"(`{3,}|~{3,}).*?(?:\1|\Z)", re.DOTALL)
# What has been done is said within this. Where the home was not spoken of, an answer
# that is longer tells something else: a story may have doors that are closed.
CLAIM_CHARACTERS: Final = 400


class Claim(Enum):
    """What an answer says about having acted."""

    NONE = "none"
    DONE = "done"
    """It says so."""
    POSSIBLE = "possible"
    """The structure of the turn suggests it; in this language no words tell."""
    EXCUSE = "excuse"
    """It says that there is no tool, or no access to it."""


def person_asks(sentence: str, language: Language) -> bool:
    """Return whether a person asks about something; speech has no question marks."""
    text = sentence.strip()
    # "Can you turn it off?" is a command, but that one had better not be nudged.
    return text.endswith(QUESTION_MARKS) or bool(language.questions.match(text))


@dataclass(frozen=True, slots=True)
class ClaimRule:
    """Judges the answers of one turn."""

    language: Language
    names_the_home: bool
    """What was said names an entity or area of the home."""
    after_reading: bool = False
    """A call has read something, which the answer may be about."""

    @classmethod
    def for_turn(
        cls, sentence: str, language: Language, home: AbstractSet[str]
    ) -> ClaimRule | None:
        """Return the rule for what a person said; None where it asks a question.

        `home` is how the words begin that name its things and areas.
        """
        if person_asks(sentence, language):
            return None
        return cls(language, not home.isdisjoint(beginnings(sentence)))

    def behind(self, outcomes: Iterable[CallRecord]) -> ClaimRule | None:
        """Return the rule for an answer behind some calls, None if it may claim all."""
        reads, acts = False, False
        for outcome in outcomes:
            is_read = outcome.annotations.read_only
            if outcome.success and not is_read:
                return None
            reads |= outcome.success
            acts |= not is_read
        if acts and not self.knows_claims:
            return None
        return replace(self, after_reading=reads)

    @property
    def knows_claims(self) -> bool:
        """Return whether claims can be told from other answers by their words."""
        return self.language.claims_states is not None

    def judge(self, answer: str) -> Claim:
        """Judge an answer, or its beginning."""
        text = _CODE.sub("", answer.strip())
        if len(text) > CLAIM_CHARACTERS and not self.names_the_home:
            return Claim.NONE
        text = text[:CLAIM_CHARACTERS]
        # Models fall into English, whatever is spoken to them.
        languages = {self.language, EN}
        if any(self._claims(text, language) for language in languages):
            return Claim.DONE
        # What offers something else is an answer.
        offers = answer.rstrip().endswith(QUESTION_MARKS)
        if not offers and any(item.excuses.search(text) for item in languages):
            return Claim.EXCUSE
        if self.knows_claims or self.after_reading:
            return Claim.NONE
        short = len(text) <= OPENING_CHARACTERS and len(_sentences(text)) == 1
        if self.names_the_home and short and not text.endswith(QUESTION_MARKS):
            return Claim.POSSIBLE
        return Claim.NONE

    def _claims(self, text: str, language: Language) -> bool:
        done = [language.claims, None if self.after_reading else language.claims_states]
        exception = language.claims_nothing
        return any(
            any(pattern.search(sentence) for pattern in done if pattern)
            and not (exception and exception.search(sentence))
            for sentence in _sentences(text)
        )


class Opening:
    """Holds the beginning of an answer until it is clear that it claims nothing."""

    def __init__(self, rule: ClaimRule | None) -> None:
        """Take the rule of the answer; without one nothing is held."""
        self._rule = rule
        self.held = ""
        """What was not let out; after the end of the answer, what never will be."""

    def feed(self, text: str) -> str:
        """Take what was said; return what may be heard of it now."""
        if self._rule is None:
            return text
        # Beyond that the verdict stands until the end.
        is_open = len(self.held) <= CLAIM_CHARACTERS
        self.held += text
        return self.release() if is_open and opening_is_complete(self.held) else ""

    def release(self) -> str:
        """Return what is held, and hold nothing more, unless it claims something."""
        if self._rule is None or self._rule.judge(self.held) is not Claim.NONE:
            return ""
        held, self.held, self._rule = self.held, "", None
        return held


def opening_is_complete(opening: str) -> bool:
    """Return whether there is enough of an answer to judge its beginning."""
    text = opening.lstrip()
    if len(text) >= OPENING_CHARACTERS:
        return True
    end = _SENTENCE_END.search(text)
    return end is not None and end.end() < len(text)


def _sentences(text: str) -> list[str]:
    return [part for part in _SENTENCE_END.split(text) if part.strip()]
