"""Asking a person, and reading the answer. The model has no part in either."""

from collections.abc import Sequence
from dataclasses import replace

from homeassistant.core import HomeAssistant, State
from homeassistant.helpers import llm

from ..gate.consent import Asked, Reading, Reply, read_answer
from ..gate.names import name_of, own_names_of
from ..gate.pending import Ask, Kept, Question, answer_deadline
from ..gate.speaker import Speaker
from ..languages import language_of
from .question import actions_text, question_text
from .sentences import Sentences
from .toolbox import Toolbox
from .wording import worded


class Dialogue:
    """The question of one turn, and the answer to that of the turn before."""

    def __init__(
        self, hass: HomeAssistant, speaker: Speaker, kept: Kept, agent_id: str
    ) -> None:
        """Take the waiting question; whatever happens, it waits no longer."""
        self._hass = hass
        self._speaker = speaker
        self._kept = kept
        self._agent_id = agent_id
        self._new: Question | None = None
        self.question = kept.take_question()
        self._reading = self._read()
        if self.question and self._reading:
            self._decline(self.question, self._reading)
        elif kept.declined and self._read_answer(kept.declined_asks).chosen:
            # "No." "Unlock it." It is asked for after all, so it is asked about again.
            kept.declined = frozenset()

    @property
    def reply(self) -> Reply | None:
        """Return what the sentence is to the question; None if none waited for it."""
        return self._reading.reply if self._reading else None

    def _read(self) -> Reading | None:
        question = self.question
        if question is None or question.is_over:
            return None
        if not question.is_for(self._speaker):
            return Reading(Reply.OTHER)
        reading = self._read_answer(question.asks)
        if reading.reply is Reply.AGAIN and question.repeated:
            return Reading(Reply.OTHER)
        return reading

    def _read_answer(self, asks: Sequence[Ask]) -> Reading:
        """Read what is said as an answer to a question about some calls."""
        agent = self._hass.states.get(self._agent_id)
        return read_answer(
            self._speaker.sentence,
            language_of(self._speaker.language),
            [Asked(ask.phrase, self._names(ask)) for ask in asks],
            # A satellite hears the television too.
            is_certain=self._speaker.satellite_id is None
            or all(ask.unnamed for ask in asks),
            assistant=agent.name if agent else "",
        )

    def _names(self, ask: Ask) -> tuple[str, ...]:
        """Return what a person may call the thing that was asked about."""
        if not ask.name and len(ask.targets) != 1:
            return ()
        shown = ask.name or ask.targets[0]
        more = (
            name
            for entity_id in sorted(ask.entities)
            if name_of(self._hass, entity_id) == shown
            for name in own_names_of(self._hass, entity_id)
        )
        return (shown, *more)

    def _decline(self, question: Question, reading: Reading) -> None:
        """Remember what there is no yes for: it is not asked about again at once."""
        if reading.reply is not Reply.AGAIN:
            others = tuple(
                ask
                for place, ask in enumerate(question.asks)
                if place not in reading.chosen
            )
            self._kept.declined_asks = others
            self._kept.declined = frozenset[str]().union(
                *(ask.entities for ask in others)
            )

    def drop(self) -> None:
        """Take the sentence for a new one, not for an answer to be given again."""
        assert self.question is not None
        self._reading = Reading(Reply.OTHER)
        self._decline(self.question, self._reading)

    @property
    def changes(self) -> tuple[State, ...]:
        """Return what an undo in this turn would bring back.

        A confirmed undo brings back what it was asked for.
        """
        if self.question and self.reply in (Reply.YES, Reply.SOME):
            return self.question.changes
        return self._kept.changes

    def confirmed(self, toolbox: Toolbox) -> list[llm.ToolInput]:
        """Admit the calls that the person has said yes to, each once."""
        if self.question is None or self._reading is None:
            return []
        calls: dict[tuple[str, str], list[Ask]] = {}
        for place in sorted(self._reading.chosen):
            ask = self.question.asks[place]
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

    def ask(self, sentences: Sentences, asks: Sequence[Ask], done: str) -> str:
        """Return a question, and wait for the answer to it.

        `done` says what was done without it, which is told again with a no.
        """
        self._new = self._kept.question = Question(
            asks=tuple(asks),
            user_id=self._speaker.user_id,
            satellite_id=self._speaker.satellite_id,
            sentence=self._speaker.sentence,
            changes=self.changes,
            done=done,
            expires=answer_deadline(),
        )
        return self._question_text(sentences)

    def declined(self, sentences: Sentences) -> str:
        """Return what is said to a no: what stays undone, and what was done."""
        assert self.question is not None
        actions = actions_text(sentences, self._worded(self.question))
        text = sentences("declined", actions=actions)
        return f"{text} {self.question.done}".strip()

    def ask_again(self, sentences: Sentences) -> str:
        """Return the question once more, for the same person."""
        assert self.question is not None
        self._new = self._kept.question = replace(self.question, repeated=True)
        return self._question_text(sentences)

    def _question_text(self, sentences: Sentences) -> str:
        assert self._new is not None
        return question_text(sentences, self._worded(self._new))

    def _worded(self, question: Question) -> list[Ask]:
        """Return what was asked, in the words of the person who is asked."""
        language = language_of(self._speaker.language)
        return worded(self._hass, question.asks, question.sentence, language)

    def end(self, before: dict[str, State]) -> None:
        """Remember what this turn has changed, by its states before."""
        if before:
            self._kept.changes = tuple(before.values())
        if self.reply is not Reply.NO:
            # What was declined is not asked again in the next turn of the model; this
            # was that turn.
            self._kept.declined = frozenset()
        if self._new and self._kept.question is self._new:
            # Another turn, at the same time, may have asked its own.
            self._kept.question = self._new.from_now()
