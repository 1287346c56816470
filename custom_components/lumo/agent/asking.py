"""Asking a person, and reading the answer. The model has no part in either."""

from collections.abc import Sequence
from enum import Enum, auto

from homeassistant.core import HomeAssistant, State
from homeassistant.helpers import llm

from ..gate.consent import Reply, read_reply
from ..gate.names import name_of
from ..gate.pending import Ask, Kept, Question, answer_deadline
from ..gate.speaker import Speaker
from ..languages import language_of
from .question import question_text
from .sentences import Sentences
from .toolbox import Toolbox


class Decision(Enum):
    """What a sentence means to a question that was asked before it."""

    NONE = auto()
    """Nothing was asked, or too long ago."""
    YES = auto()
    NO = auto()
    OTHER = auto()
    """Something else: not a yes, and a sentence of its own."""


class Dialogue:
    """The question of one turn, and the answer to that of the turn before."""

    def __init__(self, hass: HomeAssistant, speaker: Speaker, kept: Kept) -> None:
        """Take the waiting question; whatever happens, it waits no longer."""
        self._hass = hass
        self._speaker = speaker
        self._kept = kept
        self.question = kept.take_question()
        self.decision = self._decide()
        if self.question and self.decision in (Decision.NO, Decision.OTHER):
            kept.declined = self.question.entities

    def _decide(self) -> Decision:
        question = self.question
        if question is None or question.is_over:
            return Decision.NONE
        if not question.is_for(self._speaker):
            return Decision.OTHER
        asked = {ask.phrase for ask in question.asks}
        match read_reply(
            self._speaker.sentence, language_of(self._speaker.language), asked
        ):
            case Reply.YES:
                return Decision.YES
            case Reply.NO:
                return Decision.NO
        return Decision.OTHER

    @property
    def changes(self) -> tuple[State, ...]:
        """Return what an undo in this turn would bring back.

        A confirmed undo brings back what it was asked for.
        """
        if self.question and self.decision is Decision.YES:
            return self.question.changes
        return self._kept.changes

    def confirmed(self, toolbox: Toolbox) -> list[llm.ToolInput]:
        """Admit the calls that the person has said yes to, each once."""
        if self.question is None or self.decision is not Decision.YES:
            return []
        calls: dict[tuple[str, str], list[Ask]] = {}
        for ask in self.question.asks:
            calls.setdefault((ask.tool, ask.arguments_key), []).append(ask)
        admitted: list[llm.ToolInput] = []
        for asks in calls.values():
            names = (item for ask in asks for item in ask.names)
            if any(name_of(self._hass, entity_id) != name for entity_id, name in names):
                # Another thing has its id, or it has another name: not what was meant.
                continue
            approved = frozenset[str]().union(*(ask.entities for ask in asks))
            if tool_input := toolbox.confirm(asks[0], approved):
                admitted.append(tool_input)
        return admitted

    def ask(self, sentences: Sentences, asks: Sequence[Ask]) -> str:
        """Return a question, and wait for the answer to it."""
        self._kept.question = Question(
            asks=tuple(asks),
            user_id=self._speaker.user_id,
            satellite_id=self._speaker.satellite_id,
            sentence=self._speaker.sentence,
            changes=self.changes,
            expires=answer_deadline(),
        )
        return question_text(sentences, asks)

    def end(self, before: dict[str, State]) -> None:
        """Remember what this turn has changed, by its states before."""
        if before:
            self._kept.changes = tuple(before.values())
        if self.decision is not Decision.NO:
            # What was declined is not asked again in the next turn of the model; this
            # was that turn.
            self._kept.declined = frozenset()
        if self._kept.question:
            self._kept.question = self._kept.question.from_now()
