"""Asks the model, sets right what it answers, and knows when that must end.

Each is done once a turn:

* a misrouted call that could not be run is to be written again; if there is still none
  that runs, a person hears that it could not be done;
* an answer that claims to have acted when nothing did is doubted (`claims`): the model
  is asked for the call. If there is still none, a person hears that nothing was done;
* so is one that says that it has no such tool;
* an answer that has not the form that is wanted is to be written again.
"""

from collections import Counter
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Final

from homeassistant.components import conversation
from homeassistant.components.conversation.chat_log import AssistantContentDeltaDict

from ..lumo_client.errors import AnswerTooLongError
from ..lumo_client.messages import AssistantMessage, Message, UserMessage
from ..tool_calling.prompted import bounce_text
from ..tool_calling.structured import NoDataError
from .answer import AnswerReader
from .calling_off import remarks_of
from .claims import QUESTION_MARKS, Claim, ClaimRule
from .failures import StoppedError
from .model_texts import DOUBT, EXCUSED, FORM_AGAIN, NO_NAME
from .quoted import QuotedCalls, asks_about_calls
from .request import Requests
from .spoken_output import SpokenOutput
from .toolbox import Toolbox
from .turn_context import TurnContext

# Answers of the model in one turn. A command usually takes two.
MAX_ROUNDS: Final = 10
# The same call with the same result, again and again, will not change by itself.
LOOP: Final = 3
# A call may be refused and corrected twice; after that the model does not get it.
REFUSALS: Final = 3


@dataclass(slots=True)
class ModelLoop:
    """The answers of the model in one turn."""

    _turn: TurnContext
    _requests: Requests
    _toolbox: Toolbox
    _output: SpokenOutput
    _rule: ClaimRule | None
    """Judges claims; None where any is fine."""
    _quoted: QuotedCalls
    _rounds: int = 0
    _refusals: Counter[str] = field(default_factory=Counter)
    """How many answers had calls of a tool refused."""

    async def async_next(self) -> AnswerReader:
        """Return the next answer, set right; what it says is in the chat log.

        Raises StoppedError where there is none that may stand, and what the service
        raises.
        """
        if self._rounds:
            self._check()
        self._rounds += 1
        answer = await self._async_settle(await self._async_ask())
        return await self._async_take_data(answer)

    def _check(self) -> None:
        """Raise StoppedError if there is no further round."""
        if max(self._refusals.values(), default=0) >= REFUSALS:
            self._stop("calls were refused too often", "misrouted")
        if is_looping(self._turn.contents):
            self._stop("the same call had the same result", "call_loop")
        if self._turn.hass.loop.time() > self._turn.deadlines.until:
            self._stop("the time is used up", "too_slow")
        if self._rounds == MAX_ROUNDS:
            self._stop("the rounds are used up", "too_many_rounds")

    def _stop(self, reason: str, key: str) -> None:
        self._turn.record.decide(f"stopped, {reason}")
        raise StoppedError(key)

    async def _async_settle(self, answer: AnswerReader) -> AnswerReader:
        """Never let an answer stand that claims to have acted when nothing did.

        Nor one that says that the tools are not there.
        """
        if answer.claim is Claim.NONE:
            return answer
        if not self._turn.record.doubts:
            claimed, answer = answer, await self._async_doubt(answer)
            if answer.claim is Claim.NONE and claimed.claim is Claim.DONE:
                await self._async_correct(claimed, answer)
        if answer.claim is Claim.POSSIBLE and answer.held:
            await self._output.async_speak({"content": answer.held})
        elif answer.claim is Claim.DONE:
            raise StoppedError("nothing_done")
        elif answer.claim is Claim.EXCUSE:
            raise StoppedError("misrouted")
        return answer

    async def _async_doubt(self, answer: AnswerReader) -> AnswerReader:
        """Ask for the call that an answer claims to have made, or says it cannot."""
        self._turn.record.doubts += 1
        excused = answer.claim is Claim.EXCUSE
        self._turn.record.decide(
            "an excuse without a call, asked again"
            if excused
            else f"success without a call ({answer.claim.value}), asked again"
        )
        # What is only possible may have been a question: no call is forced by it.
        return await self._async_ask(
            _follow_up(answer, EXCUSED if excused else DOUBT),
            must_call=answer.claim is Claim.DONE,
        )

    async def _async_correct(self, claimed: AnswerReader, answer: AnswerReader) -> None:
        """Say that a claim was wrong that the answer after it no longer makes."""
        sentences = self._turn.sentences
        if answer.calls:
            return
        if claimed.text:
            await self._output.async_tell(sentences("nothing_done_after_all"))
        elif not answer.said.rstrip().endswith(QUESTION_MARKS):
            # After a question it would close the conversation, and nobody has heard the
            # claim that it corrects.
            await self._output.async_tell(sentences("nothing_changed"))

    async def _async_take_data(self, answer: AnswerReader) -> AnswerReader:
        """Take the data out of an answer that must have a form, or have it written so."""
        turn, record = self._turn, self._turn.record
        while turn.answer_format and not answer.calls:
            try:
                turn.data = await turn.answer_format.async_read(answer.written)
                break
            except NoDataError as err:
                request = FORM_AGAIN.format(reason=err)
            if record.rewrites:
                record.decide("the answer has not the form, given up")
                raise StoppedError("wrong_form", is_error=True)
            record.rewrites += 1
            record.decide("the answer has not the form, asked again")
            answer = await self._async_ask((UserMessage(request),))
        return answer

    async def _async_ask(
        self, follow_up: tuple[Message, ...] = (), *, must_call: bool = False
    ) -> AnswerReader:
        """Return an answer in which no call is misrouted; one is to be written again."""
        answer = await self._async_answer(follow_up, must_call=must_call)
        if answer.bounce and not answer.calls and not self._turn.record.bounces:
            self._turn.record.bounces += 1
            self._turn.record.decide("misrouted call bounced")
            request = bounce_text(
                self._toolbox.names,
                answer.bounce.name or NO_NAME,
                answer.bounce.arguments,
            )
            answer = await self._async_answer(_follow_up(answer, request))
        if answer.bounce and not answer.calls:
            self._turn.record.decide("misrouted call given up")
            raise StoppedError("misrouted")
        return answer

    async def _async_answer(
        self, follow_up: tuple[Message, ...], *, must_call: bool = False
    ) -> AnswerReader:
        """Send one request and stream its answer into the chat log."""
        turn, toolbox = self._turn, self._toolbox
        self._quoted.look_at(turn.log.content)
        answer = AnswerReader(
            toolbox,
            turn.record,
            native=turn.options.native,
            rule=self._rule.behind(toolbox.gate.outcomes) if self._rule else None,
            quoted=self._quoted,
            explains=asks_about_calls(turn.sentence, turn.language, toolbox.names),
            is_command=self._rule is not None,
            verbatim=not turn.is_talk,
            remarks=remarks_of(turn.language),
        )
        await self._output.async_add(self._async_deltas(answer, follow_up, must_call))
        self._refusals.update(answer.refused)
        return answer

    async def _async_deltas(
        self, answer: AnswerReader, follow_up: tuple[Message, ...], must_call: bool
    ) -> AsyncGenerator[AssistantContentDeltaDict]:
        """Yield the deltas of one answer."""
        yield {"role": "assistant"}
        requested = self._requests.async_events(follow_up, must_call=must_call)
        try:
            async with (
                aclosing(requested),
                aclosing(self._output.async_watch(requested)) as events,
                aclosing(answer.async_deltas(events)) as deltas,
            ):
                async for delta in deltas:
                    yield delta
            self._check_end(answer)
        except Exception:
            if answer.said.strip():
                # What it was about to do is not known.
                self._turn.is_untouched = False
            # Home Assistant keeps what came, and waits for the results of its calls.
            yield {"role": "assistant"}
            raise

    def _check_end(self, answer: AnswerReader) -> None:
        """Raise an error if nothing, or not all, came of an answer."""
        if self._turn.answer_format or answer.calls or answer.bounce:
            return
        if not answer.said.strip():
            self._turn.record.decide("the answer was empty")
            raise StoppedError("no_answer", is_error=True)
        if answer.was_cut and not self._turn.is_talk:
            # A person notices that something is missing, a program does not.
            raise AnswerTooLongError


def is_looping(contents: Sequence[conversation.Content]) -> bool:
    """Return whether too many of a turn's answers brought one call and one result."""
    calls: dict[str, str] = {}
    answer = 0
    seen: set[tuple[int, str]] = set()
    for content in contents:
        if isinstance(content, conversation.AssistantContent):
            # One answer may well call the same thing often: the next track, thrice.
            answer += 1
            for call in content.tool_calls or ():
                calls[call.id] = f"{call.tool_name} {call.tool_args}"
        elif isinstance(content, conversation.ToolResultContent):
            if call_key := calls.get(content.tool_call_id):
                seen.add((answer, f"{call_key} {content.result.data}"))
    counts = Counter(step for _, step in seen)
    return any(count >= LOOP for count in counts.values())


def _follow_up(answer: AnswerReader, request: str) -> tuple[Message, ...]:
    """Return what the model said and what it is told about it."""
    said = (AssistantMessage(answer.said),) if answer.said else ()
    return (*said, UserMessage(request))
