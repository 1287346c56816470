"""Ask a person, and read the answer. The model has no part in either."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain
from time import monotonic

from homeassistant.core import State

from ..gate.chosen import read_choice
from ..gate.consent import Asked, Reading, Reply, actions_in, read_answer
from ..gate.gate import Gate
from ..gate.judged_call import Ambiguity, Ask
from ..gate.mention import Sentence, verbs_of
from ..gate.names import entity_area
from .calling_off import calls_off
from .conversation_state import ANSWER_SECONDS, Question
from .phone import PhoneError, async_ask
from .question import (
    actions_text,
    as_spoken,
    can_be_spoken,
    names_of,
    told_apart,
    worded,
)
from .turn_context import TurnContext


class Dialogue:
    """The question of one turn, and the answer to that of the turn before."""

    def __init__(self, turn: TurnContext) -> None:
        self._turn = turn
        self._hass = turn.hass
        self._state = turn.conversation_state
        self._new: Question | None = None
        self.question: Question | None = None
        """The one that waited when the turn began."""
        self._reading: Reading | None = None

    def read(self) -> None:
        """Read the sentence as the answer to the question, which waits no longer."""
        state = self._state
        self.question, state.question = state.question, None
        self._reading = self._read()
        if self.question and self._reading:
            self._note(self.question, self._reading)
        elif state.declined_asks and self._read_answer(state.declined_asks).chosen:
            # "No." "Unlock it." It is wanted after all, so it is asked about again.
            state.earlier.declined = ()

    @property
    def reply(self) -> Reply | None:
        """Return what the sentence is to the question; None if none waited for it."""
        return self._reading.reply if self._reading else None

    def _read(self) -> Reading | None:
        question = self.question
        if question is None or question.is_over:
            return None
        if not question.speaker.is_same_person(self._turn.speaker):
            return Reading(Reply.OTHER)
        asks, is_choice = question.shown, bool(question.ambiguities)
        reading = Reading(Reply.OTHER) if is_choice else self._read_answer(asks)
        if reading.reply in (Reply.AGAIN, Reply.OTHER):
            if calls_off(self._turn.sentence, self._turn.language, answers=True):
                return Reading(Reply.NO)
            chosen = self._read_choice(asks, exactly=not is_choice)
            if is_choice:
                reading = chosen
            elif self._turn.language.signed and 0 < len(chosen.chosen) < len(asks):
                # "The second", of several doors, is a yes for that.
                reading = Reading(Reply.SOME, chosen.chosen)
        if reading.reply is Reply.AGAIN and (
            question.repeated or self._names_another(question)
        ):
            return Reading(Reply.OTHER)
        return reading

    def draft(self) -> str:
        """Return what the drafts of this sentence do, and who must approve them."""
        turn = self._turn
        assert turn.routines
        drafts = turn.routines.drafts.values()
        own = turn.sentence, turn.speaker.user_id
        does = [ask for x in drafts if (x.sentence, x.user_id) == own for ask in x.does]
        asks = worded(turn.hass, does, turn.sentence, turn.language)
        text = f"{actions_text(turn.sentences, asks)}. " if asks else ""
        return text[:1].upper() + text[1:] + turn.sentences("routine_draft")

    def _read_answer(self, asks: Sequence[Ask]) -> Reading:
        return read_answer(
            self._turn.sentence,
            self._turn.language,
            [Asked(ask.phrase, self._names(ask)) for ask in asks],
            # A satellite hears the television too.
            is_certain=self._turn.speaker.satellite_id is None
            or all(ask.unnamed for ask in asks),
            assistant=self._assistant,
        )

    def _read_choice(self, asks: Sequence[Ask], *, exactly: bool) -> Reading:
        names = [self._names(ask) for ask in asks]
        if not all(names) or (exactly and len({own[0] for own in names}) < len(asks)):
            # Their order is not that in which they were spoken.
            return Reading(Reply.OTHER)
        return read_choice(
            self._turn.sentence,
            self._turn.language,
            [(*own, *self._areas(ask)) for own, ask in zip(names, asks, strict=True)],
            assistant=self._assistant,
            exactly=exactly,
        )

    def _areas(self, ask: Ask) -> Iterator[str]:
        for entity_id in ask.entities:
            if area := entity_area(self._hass, entity_id):
                yield from (area.name, *area.aliases)

    @property
    def _assistant(self) -> str:
        agent = self._hass.states.get(self._turn.agent_id)
        return agent.name if agent else ""

    @property
    def chosen(self) -> frozenset[str]:
        """Return the entities that the sentence chooses; that is no yes."""
        asks = self._meant if self.reply is Reply.CHOSEN else ()
        return frozenset(chain(*(ask.entities for ask in asks)))

    @property
    def _meant(self) -> list[Ask]:
        """Return what of the question the sentence says yes to, or chooses."""
        assert self.question and self._reading
        return [self.question.shown[place] for place in sorted(self._reading.chosen)]

    def _names(self, ask: Ask) -> tuple[str, ...]:
        if not ask.name and len(ask.targets) != 1:
            return ()
        return names_of(self._hass, ask, ask.name or ask.targets[0])

    def _note(self, question: Question, reading: Reading) -> None:
        """Remember what got no yes: it is not asked about again at once."""
        self._state.journal.answered(question.shown, reading.reply)
        if reading.reply is Reply.AGAIN:
            return
        if not question.ambiguities:
            skipped = (
                ask for i, ask in enumerate(question.asks) if i not in reading.chosen
            )
            self._state.declined_asks = tuple(skipped)
            self._state.earlier.declined = self._state.declined_asks
        elif reading.reply is Reply.NO:
            self._state.declined_asks = ()
            self._state.earlier.declined = question.shown

    def _names_another(self, question: Question) -> bool:
        """Return whether it names a plan, another action or another kind of thing."""
        language, text = self._turn.language, self._turn.sentence
        asked = " ".join(name for ask in question.shown for name in self._names(ask))
        said = Sentence(text, language)
        actions = actions_in(verbs_of(text, language, of_thing=True))
        actions -= actions_in(ask.phrase for ask in question.shown)
        kinds = said.kinds - {"door"} - Sentence(asked, language).kinds
        return bool(kinds or actions or said.speaks_of_timers or said.speaks_of_plans)

    def drop(self) -> None:
        """Take the sentence as a new one, not as an unclear answer."""
        assert self.question is not None
        self._reading = Reading(Reply.OTHER)
        self._note(self.question, self._reading)

    @property
    def changes(self) -> tuple[State, ...]:
        """Return what an undo, or one that was asked about, brings back."""
        if self.question and self.reply in (Reply.YES, Reply.SOME):
            return self.question.changes
        return self._state.changes

    def approved(self, gate: Gate) -> list[Ask]:
        """Return the calls that the person has chosen or said yes to."""
        if self.question is None or self.reply is not Reply.CHOSEN:
            return self._meant
        # A choice is no yes, and the others are still to be made.
        gate.ambiguities += self.question.ambiguities[1:]
        gate.asks += self.question.asks
        return [replace(ask, entities=frozenset()) for ask in self._meant]

    def ask(
        self, asks: Sequence[Ask], done: str, ambiguities: Sequence[Ambiguity] = ()
    ) -> str:
        """Return a question, and wait for its answer; after a no `done` is said again."""
        speaker = self._turn.speaker
        if self.question and self.reply is Reply.CHOSEN:
            # "The second" says nothing without the sentence before it.
            speaker = replace(speaker, sentence=self.question.speaker.sentence)
        self._new = self._state.question = Question(
            asks=as_spoken(asks),
            ambiguities=tuple(map(as_spoken, ambiguities)),
            speaker=speaker,
            changes=self.changes,
            done=done,
        )
        return self._text("question", self._new)

    def can_ask(self, asks: Iterable[Ask], ambiguities: Iterable[Ambiguity]) -> bool:
        """Return whether a question would tell this person all that it is about."""
        return self._turn.speaker.satellite_id is None or can_be_spoken(
            self._turn.sentences, [*asks, *chain(*ambiguities)]
        )

    async def async_ask_by_phone(self, asks: Sequence[Ask]) -> str | None:
        """Ask on a phone; return the key of a sentence if that is not possible."""
        turn = self._turn
        try:
            turn.by_phone = await async_ask(
                self._hass,
                turn.options.phone_person,
                asks,
                turn.speaker,
                turn.sentences,
                turn.agent_id,
            )
        except PhoneError as err:
            return err.reason
        return None

    def declined(self) -> str:
        """Return what is said after a no: what stays undone, and what was done."""
        assert self.question is not None
        return f"{self._text('declined', self.question)} {self.question.done}".strip()

    def ask_again(self) -> str:
        """Return the question once more, for the same person."""
        assert self.question is not None
        self._new = self._state.question = replace(self.question, repeated=True)
        return self._text("question", self._new)

    def _text(self, key: str, question: Question) -> str:
        hass, language = self._hass, self._turn.language
        sentences = self._turn.sentences
        if question.ambiguities:
            asks = told_apart(hass, question.shown, sentences, language)
        else:
            asks = worded(hass, question.asks, question.speaker.sentence, language)
        joint = "or_word" if question.ambiguities else "and_word"
        text = actions_text(
            sentences, asks, joint=joint, on_screen=not self._turn.speaker.is_aloud
        )
        return sentences(key, actions=text)

    def end(self, before: dict[str, State]) -> None:
        """End the turn; `before` are the states of what it changed."""
        if before:
            self._state.changes = tuple(before.values())
        if self.reply is not Reply.NO:
            # The model's next turn, in which what was declined is not asked, was this.
            self._state.earlier.declined = ()
        if self._new and self._state.question is self._new:
            # Else another turn, at the same time, has asked its own.
            expires = monotonic() + ANSWER_SECONDS
            self._state.question = replace(self._new, expires=expires)
