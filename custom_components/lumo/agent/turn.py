"""One turn: from what a person said to what is spoken back.

    the answer to a question that was asked before; what is done at home; else
    request -> events -> answer -> deltas -> chat log, where calls run -> request ...

All that a person must hear goes through the delta stream, failures too: once speech has
begun, nothing else is heard.
"""

from collections.abc import Sequence
import logging
from math import ceil
from typing import Final

from homeassistant.components import conversation
from homeassistant.helpers import llm

from ..const import EVENT_QUOTA_LOW
from ..context.titles import known_states
from ..gate.call_record import CallRecord
from ..gate.consent import Reply
from ..gate.judged_call import Ask
from ..gate.notes import stack_of
from ..gate.verify import correct
from ..internals import default_agent
from ..lumo_client.errors import (
    ContentFilteredError,
    LumoError,
    QuotaError,
    RateLimitError,
)
from .approved import admit
from .asking import Dialogue
from .at_home import AtHome
from .calling_off import answer_without_request
from .claims import ClaimRule
from .confirmation import Confirmation
from .history import OwnSentence
from .model_loop import ModelLoop, StoppedError
from .pictures import PictureError, async_read_attachments
from .question import some_of
from .quoted import QuotedCalls
from .reading_ahead import async_read_ahead
from .request import Requests
from .spoken_output import SpokenOutput
from .turn_context import TurnContext
from .turn_tools import tools_for

_LOGGER = logging.getLogger(__name__)

# A wait of so many seconds is told in minutes.
_MINUTES_FROM: Final = 100.0
# After these, things that were done are told by name; and what is said behind that.
_TOLD: Final = {"nothing_changed": "not_all_done", "quick_done": None}


async def async_run_turn(context: TurnContext) -> Turn:
    """Run a turn over a chat log that ends with what was said, and never raise."""
    with SpokenOutput(context) as output:
        dialogue = Dialogue(context)
        dialogue.read()
        turn = Turn(context, output, dialogue)
        await turn.async_run()
    return turn


class Turn:
    """The steps of one turn."""

    def __init__(
        self, context: TurnContext, output: SpokenOutput, dialogue: Dialogue
    ) -> None:
        tools = tools_for(context, dialogue)
        self.context = context
        self.output = output
        self.record = context.record
        self._log = context.log
        self._sentences = context.sentences
        self._state = context.conversation_state
        self._dialogue = dialogue
        self._tools = tools
        self._toolbox = tools.toolbox
        self._gate = tools.toolbox.gate
        self.outcomes: Sequence[CallRecord] = self._gate.outcomes
        """What became of the calls that ran."""
        output.has_acted = lambda: self._gate.has_acted
        self._confirmation = Confirmation(context, self._gate, tools.planned)
        self._rule: ClaimRule | None = None
        self._home: AtHome | None = None
        api = context.log.llm_api
        if context.is_talk and api and default_agent(context.hass):
            self._home = AtHome(context, api, self._toolbox)
        self._requests = Requests(
            turn=context,
            toolbox=self._toolbox,
            hidden=tools.hidden,
            recent=[
                *self._state.earlier.last_named,
                *(state.entity_id for state in dialogue.changes),
                *self._state.acted_on,
            ],
        )

    async def async_run(self) -> None:
        """Run the turn to its end, and remember what the next one needs of it."""
        for data, entity_ids in self._state.late:
            correct(self.context.hass, data, entity_ids)
        original = self._log.llm_api
        self._log.llm_api = self._toolbox.api
        try:
            try:
                await self._async_run(original)
            except Exception as err:  # noqa: BLE001 # spoken, and logged there
                await self._async_fail(err)
            await self._async_report_silence()
            await self._async_report_quota()
        finally:
            self._log.llm_api = original
            self._end()

    def _end(self) -> None:
        gate, state = self._gate, self._state
        gate.close()
        # By the next turn the tool that was read may be gone.
        gate.has_read_outside()
        speaker = self.context.speaker
        state.said = speaker if speaker.is_person else None
        if gate.judge:
            named = frozenset(filter(gate.judge.named_by_person.has, gate.acted_on))
            state.earlier.last_named = named or state.earlier.last_named
        state.acted_on.update(gate.acted_on)
        state.has_acted |= gate.has_acted
        state.late = gate.late
        self._dialogue.end(gate.before)
        if self._tools.planned or gate.before:
            state.planned = tuple(self._tools.planned)
        record, choice = self.record, self._requests.choice
        tokens = ("input_tokens", "output_tokens")
        stats = {key: getattr(record, key) for key in tokens}
        self._log.async_trace(
            {"stats": stats, "lumo": record.as_trace() | {**choice.chosen}}
        )

    async def _async_run(self, api: llm.APIInstance | None) -> None:
        if self.context.approved and api:
            await self._async_run_approved()
            return
        if self._home:
            await self._home.async_read()
        if await self._async_take_answer():
            pass
        elif self.context.is_talk and (key := answer_without_request(self.context)):
            self.record.decide(f"no request: {key}")
            # "Please say it again."
            self.record.asked = key == "not_all_heard"
            await self.output.async_tell(self._sentences(key))
        else:
            if self._home and await self._home.async_is_first():
                self.record.decide("done at home")
                if await self._async_do_at_home(self._home):
                    return
            await self._async_ask_model()

    async def _async_take_answer(self) -> bool:
        """Take the answer to a question; return whether that is all of this turn."""
        reply, dialogue = self._dialogue.reply, self._dialogue
        if reply is Reply.AGAIN:
            if not (self._home and self._home.recognized):
                self.record.decide("a person was asked again")
                self.record.asked = True
                await self.output.async_tell(dialogue.ask_again())
                return True
            dialogue.drop()
            reply = Reply.OTHER
        if reply is Reply.NO:
            self.record.decide("a person said no")
            await self.output.async_tell(dialogue.declined())
            return True
        if reply is Reply.OTHER:
            self.record.decide("a person was asked and did not answer")
        if reply in (None, Reply.OTHER):
            return False
        is_choice = reply is Reply.CHOSEN
        self.record.decide("a person chose" if is_choice else "a person said yes")
        count = await self._async_run_calls(dialogue.approved(self._gate))
        if await self._async_tell_notes() or not count:
            return True
        assert dialogue.question is not None
        done = self._confirmation.of_all(
            self.outcomes, count, dialogue.question.speaker.sentence
        )
        if done:
            await self.output.async_tell(done)
        # Else there is more to say or to do, and the model knows what.
        return bool(done)

    async def _async_run_calls(self, asks: Sequence[Ask]) -> int:
        """Run calls that a person has approved; return how many, 0 if the turn ends."""
        calls = admit(self._log.hass, self._toolbox, asks)
        if not calls:
            raise StoppedError("approved_gone", is_error=True)
        await self.output.async_speak({"tool_calls": calls})
        return 0 if await self._async_ask_person() else len(calls)

    async def _async_run_approved(self) -> None:
        self.record.decide("a person has approved it before")
        count = await self._async_run_calls(self.context.approved)
        await self._async_tell_notes()
        outcomes = self.outcomes
        has_run = count <= len(outcomes) and all(x.success or x.is_so for x in outcomes)
        self.record.has_done_all = not self.record.failed and has_run
        if count and any(outcome.effects for outcome in outcomes):
            if done := self._confirmation.text(outcomes):
                await self.output.async_tell(done)

    async def _async_ask_model(self) -> None:
        context, gate, confirmation = self.context, self._gate, self._confirmation
        context.pictures += await async_read_attachments(
            context.hass, context.attachments
        )
        home = await self._requests.async_describe()
        if self._toolbox.acts and context.answer_format is None:
            asks_state = self._home is not None and self._home.asks_state
            states = known_states(context.hass, context.speaker.language)
            said = (context.sentence, context.language, home, asks_state, states)
            # Each name of a large home is read.
            self._rule = await context.hass.async_add_executor_job(
                ClaimRule.for_turn, *said
            )
        self._rule = await async_read_ahead(
            context, self._toolbox, self.output, home, self._rule
        )
        quoted = QuotedCalls(self._toolbox, home.full if home else "")
        loop = ModelLoop(
            context, self._requests, self._toolbox, self.output, self._rule, quoted
        )
        usual = context.deadlines
        if self._home and self._home.understands:
            context.deadlines = usual.brief
        while True:
            done = len(gate.outcomes)
            answer = await loop.async_next()
            context.deadlines = usual
            has_told = await self._async_tell_notes()
            if not answer.calls or await self._async_ask_person():
                return
            outcomes, calls = gate.outcomes[done:], answer.calls
            if context.is_talk and (seen := confirmation.unlike(outcomes)):
                self.record.decide("what was done is not what was said")
                await self.output.async_tell(seen)
                return
            if has_told and confirmation.is_all(outcomes, calls):
                self.record.decide("a note was told, the model is not asked")
                return
            if (
                context.is_talk
                and not answer.text
                and confirmation.is_enough(outcomes, calls)
            ):
                self.record.decide("confirmed without asking the model")
                await self.output.async_tell(confirmation.text(outcomes))
                return

    async def _async_fail(self, err: Exception) -> None:
        context, record = self.context, self.record
        await self._async_tell_notes()
        acts = [item for item in self.outcomes if not item.annotations.read_only]
        if isinstance(err, QuotaError) and context.is_talk:
            done = self._confirmation.of_all(acts, len(acts), context.sentence)
            if done:
                record.failure = err
                record.decide("no requests are left, but all was done")
                await self.output.async_tell(f"{done} {self._sentences('quota_last')}")
                return
        text, more = _sentence_of(context, err), None
        is_of_service = isinstance(err, LumoError) and not _is_refusal(context, err)
        if isinstance(err, StoppedError):
            is_of_service = err.key in ("no_answer", "unread")
        if self._home and context.is_untouched and is_of_service:
            more = await self._async_without_lumo(self._home)
            if more is None:
                return
        elif isinstance(err, StoppedError) and err.key in _TOLD:
            if done := self._confirmation.text(acts):
                text, more = done, (key := _TOLD[err.key]) and self._sentences(key)
                if more and done == self._sentences("quick_done"):
                    text, more = more, None
            elif self._gate.silent:
                return
        elif acted := sum(outcome.success for outcome in acts):
            key = "done_one" if acted == 1 else "done_several"
            more = self._sentences(key, count=str(acted))
        await self.output.async_tell(
            f"{text} {more}" if more else text, failed=not _is_refusal(context, err)
        )

    async def _async_do_at_home(self, home: AtHome, key: str = "") -> bool:
        """Do what was understood at home; return whether that is all of this turn."""
        gate, self.record.at_home = self._gate, 1
        if call := home.admit_call():
            gate.at_home = True
            await self.output.async_speak({"tool_calls": [call]})
            gate.at_home = False
            if await self._async_ask_person():
                return True
            reply = home.reply(self.outcomes)
        else:
            reply = await home.async_answer()
        if reply == "":
            reply = self._confirmation.text(self.outcomes)
            reply = reply or ("" if gate.silent else self._sentences("quick_done"))
        self.record.at_home = int(reply is not None)
        if reply:
            text = self._sentences(key, done=reply) if key else reply
            await self.output.async_tell(text)
        return reply is not None

    async def _async_without_lumo(self, home: AtHome) -> str | None:
        """Do it at home; return what is to be said beside a failure, None if it is done."""
        error = self.record.error
        if home.understands:
            self.record.decide("Home Assistant has understood the sentence")
            self.record.error = None
            if await self._async_do_at_home(home, "without_lumo"):
                return None
            self.record.error = error
            return self._sentences("nothing_changed") if self.outcomes else ""
        if home.is_leaning and error != "unread":
            return self._sentences("needs_lumo")
        if self._toolbox.acts and self.context.language.code and error != "unread":
            return self._sentences("works_without_lumo")
        return ""

    async def _async_ask_person(self) -> bool:
        """Ask about what must not run without a yes; return whether the turn ends."""
        gate, dialogue, context = self._gate, self._dialogue, self.context
        by_phone = not gate.ambiguities and context.options.ask_by_phone(
            context.speaker, gate.asks
        )
        if gate.must_ask:
            reason = await dialogue.async_ask_by_phone(gate.asks) if by_phone else None
            if reason or not (
                by_phone or dialogue.can_ask(gate.asks, gate.ambiguities)
            ):
                gate.sentence = reason or "too_much_to_say"
                gate.asks.clear()
                gate.ambiguities.clear()
        if is_draft := gate.sentence == "routine_draft":
            self.record.decide("an administrator is asked")
            await self.output.async_tell(dialogue.draft())
        if gate.must_ask:
            self.record.questions += len(gate.asks) + len(gate.ambiguities)
            self.record.decide("a person is asked first")
            if by_phone and context.answer_format:
                # Who waits for data gets it; the rest comes with the yes.
                gate.asks.clear()
                return False
            done = self._confirmation.so_far(gate.outcomes)
            await self._async_report_silence()
            if done:
                await self.output.async_tell(done)
            if by_phone and context.by_phone:
                name = context.by_phone.phones.name
                text = self._sentences("asked_by_phone", name=name)
            else:
                text = dialogue.ask(gate.asks, done, gate.ambiguities)
            self.record.asked = not by_phone
            await self.output.async_tell(text)
        elif gate.sentence and not is_draft:
            self.record.decide(f"refused: {gate.sentence}")
            await self._async_fail(StoppedError(gate.sentence, is_error=True))
        return bool(gate.must_ask or gate.sentence)

    async def _async_tell_notes(self) -> bool:
        if not (notes := self._tools.notes):
            return False
        unsaid = list(notes.unsaid)
        for key, note in unsaid:
            await self.output.async_tell(self._sentences(key, note=note))
        del notes.unsaid[: len(unsaid)]
        return bool(unsaid)

    async def _async_report_silence(self) -> None:
        silent, self._gate.silent = self._gate.silent, {}
        last = self._log.content[-1]
        said = (isinstance(last, conversation.AssistantContent) and last.content) or ""
        is_own = isinstance(getattr(last, "native", None), OwnSentence)
        said = said if is_own or not self._rule or self._rule.is_honest(said) else ""
        may_tell = self.context.is_talk and not self._gate.must_ask
        left = [x for call in self.outcomes for x in call.skipped if may_tell]
        for key, every in (("not_answered", silent), ("left_alone", left)):
            if names := [x for x in every if x.casefold() not in said.casefold()]:
                if every is silent:
                    self.record.decide("a device did not answer")
                targets = some_of(self._sentences, names)
                await self.output.async_tell(self._sentences(key, targets=targets))

    async def _async_report_quota(self) -> None:
        """Say once that few requests are left, unless a question waits."""
        context, record = self.context, self.record
        if record.failed or record.failure or record.asked or not context.is_talk:
            # After a program's turn the next person hears of it.
            return
        if self.output.awaits_answer or not (few := context.quota.few(record.usage)):
            return
        pool, left = few
        event = {"entity_id": context.agent_id, "pool": pool, "left": left}
        context.hass.bus.async_fire(EVENT_QUOTA_LOW, event)
        record.decide(f"{left} requests are left of {pool}")
        # After Max, Lite steps in.
        last = "quota_max" if pool == "max" else "quota_last"
        key = {0: last, 1: "quota_few_one"}.get(left, "quota_few")
        await self.output.async_tell(self._sentences(key, count=str(left)))


def _is_refusal(turn: TurnContext, err: Exception) -> bool:
    """Return whether Lumo will not help: that answers a person, but not a program."""
    return isinstance(err, ContentFilteredError) and turn.is_talk


def _sentence_of(turn: TurnContext, err: Exception) -> str:
    """Note in a turn's record what has ended it; return the sentence about it."""
    record, sentences = turn.record, turn.sentences
    if isinstance(err, StoppedError):
        if err.is_error:
            record.error = err.key
        return sentences(err.key)
    if isinstance(err, PictureError):
        record.error = err.reason
        record.decide(f"a picture cannot be shown: {err.reason}")
        return sentences(err.reason, **err.placeholders)
    code = err.code if isinstance(err, LumoError) else "unknown"
    record.decide(f"the answer failed: {code}")
    if not _is_refusal(turn, err):
        record.error = code
        record.failure = err if isinstance(err, LumoError) else None
    if not isinstance(err, LumoError):
        _LOGGER.error("Unexpected %s in a turn:\n%s", type(err).__name__, stack_of(err))
    wait = err.retry_after if isinstance(err, RateLimitError) else None
    if wait is None:
        return sentences(code)
    if wait < _MINUTES_FROM:
        return sentences("wait_seconds", count=str(max(ceil(wait), 1) + 1))
    return sentences("wait_minutes", count=str(ceil(wait / 60)))
