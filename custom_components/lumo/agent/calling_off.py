"""What ends a turn without a request: "never mind", "stop", half a sentence."""

from functools import cache
import re
from string import whitespace
from typing import Final

from homeassistant.components import conversation
from homeassistant.util import dt as dt_util

from ..gate.names import entity_area
from ..gate.speaker import area_of
from ..languages import EN
from ..languages.form import Language
from ..languages.words import APOSTROPHES, phrase_pattern
from ..text import as_searched
from ..tool_calling.detection.afterwards import Remarks
from .sentences import awaits_answer
from .turn_context import TurnContext

# What speech-to-text makes of silence.
_NOTHING: Final = f"{whitespace}.,…"
# Without the question mark: a question calls nothing off.
_MARKS: Final = re.compile(r"[\s.,!¡;:…–—-]+")
_LONGEST: Final = 80
_ASSISTANT: Final = "lumo"

# Seconds in which "stop" may mean a plan.
_LATELY: Final = 3600


def answer_without_request(turn: TurnContext) -> str | None:
    """Return the key of the answer to a turn's sentence, None if Lumo is asked."""
    sentence, language = turn.sentence, turn.language
    if not sentence.strip(_NOTHING):
        return "nothing_heard"
    made = turn.conversation_state.noted or turn.conversation_state.planned
    if made and _is_whole(sentence, language, language.never_mind, ""):
        # "Forget that" means the note, or the plan.
        return None
    said = (
        content.content
        for content in reversed(turn.log.content)
        if isinstance(content, conversation.AssistantContent) and content.content
    )
    answers = awaits_answer(next(said, ""))
    # "Stop" may be for what this conversation has begun, for a plan, or for the music.
    may_stop = (
        turn.conversation_state.has_acted or _has_planned(turn) or _hears_music(turn)
    )
    if calls_off(sentence, language, answers=answers) or (
        stops(sentence, language) and (answers or not may_stop)
    ):
        return "called_off"
    if turn.speaker.satellite_id and is_fragment(sentence, language, answers=answers):
        return "not_all_heard"
    return None


def calls_off(sentence: str, language: Language, *, answers: bool = False) -> bool:
    """Return whether a sentence wants nothing more: "never mind", "thanks, that's all".

    With `answers` a question of the model waits: "okay, thanks" is an answer to it.
    """
    beside = "" if answers else language.weak_yes
    phrases = f"{language.never_mind}\n{language.nothing_more}"
    return _is_whole(sentence, language, phrases, beside)


def stops(sentence: str, language: Language) -> bool:
    """Return whether a sentence is "stop", alone."""
    return _is_whole(sentence, language, language.stop, "")


def remarks_of(language: Language) -> Remarks:
    """Return the words around a call that tell whether it is meant."""
    # Models fall into English.
    languages = (language, EN)
    return Remarks(
        [item.withdrawals for item in languages],
        [item.closings for item in languages],
        [item.refusals for item in languages],
    )


def is_fragment(sentence: str, language: Language, *, answers: bool = False) -> bool:
    """Return whether a sentence is a lone filler word, or breaks off.

    With `answers` a question of the model waits: "bueno" is an answer to it. Before a
    question mark nothing breaks off: "na und?"
    """
    # "Apaga-o" does not end with an article.
    said = re.findall(r"[\w'’]+(?:-\w+)*", as_searched(sentence))
    fillers = language.hesitations.split()
    return bool(said) and (
        (said[-1] in language.unfinished.split() and "?" not in sentence)
        or (not answers and all(word in fillers for word in "-".join(said).split("-")))
    )


def _hears_music(turn: TurnContext) -> bool:
    """Return whether music plays where the person is; anywhere if that is not known."""
    hass = turn.hass
    here = area_of(hass, turn.speaker)
    return any(
        state.state == "playing" and here in (None, entity_area(hass, state.entity_id))
        for state in hass.states.async_all("media_player")
    )


def _has_planned(turn: TurnContext) -> bool:
    now = dt_util.utcnow().timestamp()
    return any(
        plan.is_by(turn.speaker) and now - plan.created < _LATELY
        for plan in turn.plans or ()
    )


def _is_whole(sentence: str, language: Language, core: str, beside: str) -> bool:
    text = _MARKS.sub(" ", APOSTROPHES.sub("'", as_searched(sentence))).strip()
    pattern = _pattern(language, core, beside)
    return len(text) <= _LONGEST and pattern.fullmatch(text) is not None


@cache
def _pattern(language: Language, core: str, beside: str) -> re.Pattern[str]:
    hesitations = "\n".join(language.hesitations.split())
    wanted = phrase_pattern(core)
    # None of them is one of what is wanted, so that none stands in it twice.
    others = phrase_pattern(f"{language.polite}\n{beside}\n{hesitations}\n{_ASSISTANT}")
    return re.compile(rf"(?:{others} )*{wanted}(?: (?:{wanted}|{others}))*")
