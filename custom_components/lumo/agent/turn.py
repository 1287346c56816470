"""One turn: from what a person said to what is spoken back.

    request -> answer -> deltas -> (Home Assistant runs the tools) -> request ...

until an answer calls nothing. A turn begins with the answer to a question that was asked
before it, if there is one, and may end in a question of its own.

Whatever a person must hear goes through the delta stream, failures too: once speech has
begun, nothing else is heard. Any platform can run a turn over its chat log.
"""

from collections.abc import Sequence

from homeassistant.components import conversation
from homeassistant.components.conversation.chat_log import AssistantContentDeltaDict

from ..context.home import Home
from ..gate.asks import Ask
from ..gate.call_record import CallRecord
from ..gate.consent import Reply
from ..gate.intents import async_is_command
from ..lumo_client.events import Event
from .approved import admit
from .asking import Dialogue
from .away import AWAY_SECONDS, Away
from .calling_off import answer_without_request, has_started
from .choosing import BUDGET, async_describe
from .claims import Claim, ClaimRule
from .confirmation import Confirmation
from .equipment import Equipment
from .heard import Heard
from .log_writer import LogWriter
from .pictures import async_read_attachments
from .question import some_of
from .quoted import QuotedCalls
from .record import TurnRecord
from .request import RequestBuilder, Requests
from .rounds import MAX_ROUNDS, Rounds
from .silence import Silence
from .turn_context import TurnContext


class Turn:
    """Runs one turn over a chat log whose last content is what a person said."""

    def __init__(self, turn: TurnContext) -> None:
        """Prepare a turn; nothing is sent yet."""
        self.context = turn
        self._log = turn.log
        self._speaker = turn.speaker
        self._options = turn.options
        self._sentences = turn.sentences
        self._conversation_state = turn.conversation_state
        self.record = turn.record
        self._silence = Silence(turn)
        self._dialogue = Dialogue(turn)
        self._api = api = turn.log.llm_api
        self._equipment = Equipment(turn, self._dialogue)
        self._toolbox = self._equipment.toolbox
        self._gate = self._toolbox.gate
        self.heard = Heard(turn)
        self._confirmation = Confirmation(turn)
        self._writer = LogWriter(turn, self._gate, self.heard, self._confirmation)
        self._rule: ClaimRule | None = None
        self._away: Away | None = None
        self._is_talk = turn.is_talk
        if self._is_talk and turn.options.without_lumo and api and self._toolbox.tools:
            self._away = Away(turn, api, self._toolbox)
        self._builder = RequestBuilder(turn, self._toolbox, turn.options.model)
        self._requests = Requests(
            turn=turn,
            toolbox=self._toolbox,
            builder=self._builder,
            on_event=self._on_event,
            has_other_way=self._async_has_other_way,
            describe=self._async_describe,
        )

    def _on_event(self, event: Event | None) -> None:
        """Take an event of a stream, None for a wait before there is one."""
        self.heard.on_event(event)
        self._silence.on_event(event)

    @property
    def outcomes(self) -> Sequence[CallRecord]:
        """Return what became of the calls that ran."""
        return self._gate.outcomes

    async def async_run(self) -> TurnRecord:
        """Run the turn to its end. Failures of any kind are in the record."""
        with self._silence, self.heard:
            await self._async_run()
        return self.record

    async def _async_run(self) -> None:
        original = self._log.llm_api
        self._log.llm_api = self._toolbox.api
        try:
            if self.context.approved and self._api:
                return await self._async_run_approved()
            await self._async_prepare()
            if await self._async_take_answer():
                pass
            elif self._is_talk and (sentence := answer_without_request(self.context)):
                self.record.decide(f"no request: {sentence}")
                await self._writer.async_say(sentence, failed=False)
            else:
                await self._async_rounds()
            await self._async_report_silence()
            await self._writer.async_report_quota()
        except Exception as err:  # noqa: BLE001 # spoken, and logged there
            await self._async_tell_notes()
            await self._writer.async_speak(self._writer.failure(err))
        finally:
            self._gate.close()
            self._log.llm_api = original
            self._equipment.has_read_outside()
            self._conversation_state.said = (
                self._speaker if self._speaker.is_person else None
            )
            if self._gate.judge:
                named = filter(
                    self._gate.judge.named_by_person.has, self._gate.acted_on
                )
                self._conversation_state.earlier.last_named = (
                    frozenset(named) or self._conversation_state.earlier.last_named
                )
            self._conversation_state.acted_on.update(self._gate.acted_on)
            self._conversation_state.has_started |= has_started(self._gate.outcomes)
            self._dialogue.end(self._gate.before)
            if self._equipment.planned or self._gate.before:
                self._conversation_state.planned = tuple(self._equipment.planned)
            self._log.async_trace(
                {
                    "stats": {
                        "input_tokens": self.record.input_tokens,
                        "output_tokens": self.record.output_tokens,
                    },
                    "lumo": self.record.as_trace()
                    | self._builder.described.choice.as_trace(),
                }
            )

    async def _async_describe(self, budget: int) -> Home | None:
        """Choose what the requests describe, in so many characters."""
        changed = (state.entity_id for state in self._dialogue.changes)
        costs = self.record.costs
        described = await async_describe(
            self.context,
            self._toolbox,
            budget,
            [
                *self._conversation_state.earlier.last_named,
                *changed,
                *self._conversation_state.acted_on,
            ],
        )
        if budget != BUDGET:
            # The service asked for less.
            self.record.costs = costs
        self._builder.describe(described)
        self._equipment.hidden.clear()
        self._equipment.hidden.update(described.hidden)
        return described.home

    async def _async_prepare(self) -> None:
        """Choose what the requests describe, and who judges their answers by it."""
        turn, toolbox = self.context, self._toolbox
        turn.pictures += await async_read_attachments(turn.hass, turn.attachments)
        home = await self._async_describe(BUDGET)
        if toolbox.acts and turn.answer_format is None:
            self._rule = ClaimRule.for_turn(
                turn.sentence, turn.language, home.words if home else frozenset()
            )
        self._rounds = Rounds(
            turn,
            self._requests,
            toolbox,
            self._writer,
            self._rule,
            QuotedCalls(toolbox, home.full if home else ""),
            self._may_do_without_lumo,
        )

    async def _async_take_answer(self) -> bool:
        """Take the answer to a question; return whether that is all of this turn."""
        reply = self._dialogue.reply
        if reply is Reply.AGAIN:
            if not await async_is_command(self._log.hass, self._speaker):
                self.record.decide("a person was asked again")
                self.record.asked = True
                await self._writer.async_tell(self._dialogue.ask_again())
                return True
            self._dialogue.drop()
            reply = Reply.OTHER
        if reply is Reply.NO:
            self.record.decide("a person said no")
            await self._writer.async_tell(self._dialogue.declined())
            return True
        if reply is Reply.OTHER:
            self.record.decide("a person was asked and did not answer")
        if reply in (None, Reply.OTHER):
            return False
        is_choice = reply is Reply.CHOSEN
        self.record.decide("a person chose" if is_choice else "a person said yes")
        count = await self._async_admit(self._dialogue.approved(self._gate))
        if await self._async_tell_notes() or not count:
            return True
        assert self._dialogue.question is not None
        done = self._confirmation.of_all(
            self._gate.outcomes, count, self._dialogue.question.speaker.sentence
        )
        if done:
            await self._writer.async_tell(done)
        # Else there is more to say, or to do, and the model knows what.
        return bool(done)

    async def _async_admit(self, asks: Sequence[Ask]) -> int:
        """Run calls that a person has approved; return how many, 0 if the turn ends."""
        calls = admit(self._log.hass, self._toolbox, asks)
        if not calls:
            self.record.error = "approved_gone"
            await self._writer.async_say("approved_gone")
            return 0
        await self._writer.async_speak({"tool_calls": calls})
        return 0 if await self._async_ask_person() else len(calls)

    async def _async_run_approved(self) -> None:
        """Run what was approved before this turn; the model is not asked."""
        self.record.decide("a person has approved it before")
        count, outcomes = await self._async_admit(self.context.approved), self.outcomes
        await self._async_tell_notes()
        has_run = count <= len(outcomes) and all(item.success for item in outcomes)
        self.record.has_done_all = not self.record.failed and has_run
        if not count:
            return
        silent = tuple(self._gate.silent)
        if any(outcome.effects for outcome in outcomes):
            done = self._confirmation.text(outcomes, silent=silent)
            if done:
                await self._writer.async_tell(done)
        await self._async_report_silence()

    def _may_do_without_lumo(self) -> bool:
        """Return whether nothing of this turn was heard, run or asked about so far."""
        return self._away is not None and not any(
            content.content or content.tool_calls
            for content in self.context.contents
            if isinstance(content, conversation.AssistantContent)
        )

    async def _async_has_other_way(self) -> bool:
        """Return whether Home Assistant could do by itself what was said."""
        return (
            self._away is not None
            and self._may_do_without_lumo()
            and await self._away.async_understands()
        )

    async def _async_without_lumo(self, failure: AssistantContentDeltaDict) -> None:
        """Do what Home Assistant understands by itself, or speak of the failure."""
        assert self._away is not None
        error, more = self.record.error, ""
        if call := await self._away.async_call():
            self.record.decide("Home Assistant has understood the sentence")
            self.record.error = None
            await self._writer.async_speak({"tool_calls": [call]})
            if await self._async_ask_person():
                return
            if any(outcome.success for outcome in self._gate.outcomes):
                if done := self._done_by_us():
                    text = self._sentences("without_lumo", done=done)
                    await self._writer.async_tell(text)
                return
            self.record.error, more = error, "nothing_changed"
        elif self._away.is_leaning:
            more = "needs_lumo"
        elif self._toolbox.acts and self.context.language.code:
            more = "works_without_lumo"
        if more:
            failure["content"] = f"{failure['content']} {self._sentences(more)}"
        await self._writer.async_speak(failure)

    def _done_by_us(self) -> str:
        """Return what was found out or done, empty if no device has answered."""
        if self._away and self._away.answer:
            return self._away.answer.speech
        silent = tuple(self._gate.silent)
        done = self._confirmation.text(self._gate.outcomes, silent=silent)
        return done or ("" if silent else self._sentences("quick_done"))

    async def _async_rounds(self) -> None:
        """Ask until an answer calls nothing, or until it must end."""
        if self.context.is_away and await self._async_has_other_way():
            self.context.be_brief(AWAY_SECONDS)
        for _round in range(MAX_ROUNDS):
            done = len(self._gate.outcomes)
            answer = await self._rounds.async_next()
            has_told = await self._async_tell_notes()
            if self._rounds.unsaid:
                await self._async_without_lumo(self._rounds.unsaid)
                return
            if self.record.failed or not answer.calls:
                return
            if await self._async_ask_person():
                return
            outcomes, calls = self._gate.outcomes[done:], answer.calls
            if has_told and self._confirmation.is_all(outcomes, calls):
                self.record.decide("a note was told, the model is not asked")
                return
            if (
                self._is_talk
                and not answer.text
                and self._confirmation.is_enough(outcomes, calls)
            ):
                self.record.decide("confirmed without asking the model")
                await self._writer.async_tell(self._confirmation.text(outcomes))
                return
            if ending := self._rounds.ending():
                self.record.decide(f"stopped, {ending.reason}")
                await self._writer.async_say(ending.sentence)
                return
        self.record.decide("stopped, the rounds are used up")
        await self._writer.async_say("too_many_rounds")

    async def _async_ask_person(self) -> bool:
        """Ask about what must not run without a yes; return whether the turn ends."""
        gate, dialogue = self._gate, self._dialogue
        by_phone = not gate.ambiguities and self._options.ask_by_phone(
            self._speaker, gate.asks
        )
        if gate.must_ask:
            reason = await dialogue.async_ask_by_phone(gate.asks) if by_phone else None
            if reason or not (
                by_phone or dialogue.can_ask(gate.asks, gate.ambiguities)
            ):
                gate.sentence = reason or "too_much_to_say"
                gate.asks.clear()
                gate.ambiguities.clear()
        if gate.must_ask:
            self.record.questions += len(gate.asks) + len(gate.ambiguities)
            self.record.decide("a person is asked first")
            if by_phone and self.context.answer_format:
                # Who waits for data gets it; the rest comes with the yes.
                gate.asks.clear()
                return False
            silent = tuple(gate.silent)
            await self._async_report_silence()
            if done := self._confirmation.so_far(gate.outcomes, silent):
                await self._writer.async_tell(done)
            text = "" if by_phone else dialogue.ask(gate.asks, done, gate.ambiguities)
            self.record.asked = not by_phone
            await self._writer.async_tell(text or dialogue.asked_by_phone())
        elif gate.sentence:
            self.record.decide(f"refused: {gate.sentence}")
            self.record.error = gate.sentence
            await self._writer.async_say(gate.sentence)
        return bool(gate.must_ask or gate.sentence)

    async def _async_tell_notes(self) -> bool:
        """Say what was kept and forgotten, so that nothing is done unheard."""
        notes = self._equipment.notes
        unsaid = list(notes.unsaid) if notes else []
        for key, note in unsaid:
            await self._writer.async_say(key, failed=False, note=note)
        if notes:
            del notes.unsaid[: len(unsaid)]
        return bool(unsaid)

    async def _async_report_silence(self) -> None:
        """Say which devices did not answer, if the model has not."""
        silent, self._gate.silent = self._gate.silent, {}
        last = self._log.content[-1]
        said = (isinstance(last, conversation.AssistantContent) and last.content) or ""
        if self._rule and self._rule.judge(said) is not Claim.NONE:
            said = ""
        names = [name for name in silent if name.casefold() not in said.casefold()]
        if names:
            self.record.decide("a device did not answer")
            targets = some_of(self._sentences, names)
            await self._writer.async_say("not_answered", failed=False, targets=targets)
