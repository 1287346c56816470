"""Asks the model, and sets right what it answers.

Each is done once a turn:

* a misrouted call that could not be run is to be written again; if there is still none
  that runs, a person hears that it could not be done;
* an answer that claims to have acted when nothing did is doubted: the model is asked
  for the call. If there is still none, a person hears that nothing was done;
* so is one that says that it has no such tool.
"""

from collections import Counter
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import replace

from homeassistant.components import conversation
from homeassistant.components.conversation.chat_log import AssistantContentDeltaDict

from ..lumo_client.messages import AssistantMessage, Message, UserMessage
from ..tool_calling.prompted import bounce_text
from .answer import AnswerReader
from .claims import QUESTION_MARKS, Claim, ClaimRule
from .log_writer import LogWriter
from .model_texts import DOUBT, EXCUSED, NO_NAME
from .options import AgentOptions
from .quoted import QuotedCalls
from .record import TurnRecord
from .request import Requests
from .toolbox import Toolbox


class Rounds:
    """The answers of the model in one turn."""

    def __init__(
        self,
        chat_log: conversation.ChatLog,
        requests: Requests,
        toolbox: Toolbox,
        options: AgentOptions,
        rule: ClaimRule | None,
        writer: LogWriter,
        record: TurnRecord,
        *,
        explains: bool = False,
    ) -> None:
        """Prepare; nothing is asked yet.

        `rule` judges claims, None where any is fine. `explains`: the person asked how
        tools are called, so an answer may show that.
        """
        self._log = chat_log
        self._requests = requests
        self._toolbox = toolbox
        self._options = options
        self._rule = rule
        self._writer = writer
        self._record = record
        self._quoted = QuotedCalls(toolbox)
        self._explains = explains
        self.refusals: Counter[str] = Counter()
        """How many answers had calls of a tool refused."""

    async def async_next(self) -> AnswerReader:
        """Return the next answer, set right; what it says is in the chat log."""
        answer = await self._async_bounce(await self._async_ask())
        return await self._async_settle(answer)

    async def _async_bounce(self, answer: AnswerReader) -> AnswerReader:
        """Have a misrouted call written again."""
        if not answer.bounce or answer.calls or self._record.failed:
            return answer
        misrouted = answer.bounce
        if not self._record.bounces and self._options.bounces:
            self._record.bounces += 1
            self._record.decide("misrouted call bounced")
            request = bounce_text(
                self._toolbox.names,
                misrouted.tool or misrouted.name or NO_NAME,
                misrouted.arguments,
                self._options.bounce_text,
            )
            answer = await self._async_ask(_follow_up(answer, request))
        if answer.bounce and not answer.calls and not self._record.failed:
            self._record.decide("misrouted call given up")
            await self._writer.async_say("misrouted")
        return answer

    async def _async_settle(self, answer: AnswerReader) -> AnswerReader:
        """Never let an answer stand that claims to have acted when nothing did.

        Nor one that says that the tools are not there.
        """
        if answer.claim is Claim.NONE:
            return answer
        if not self._record.doubts:
            claimed, answer = answer, await self._async_doubt(answer)
            if answer.calls or answer.bounce or self._record.failed:
                return answer
            if answer.claim is Claim.NONE and claimed.claim is Claim.DONE:
                await self._async_correct(claimed, answer)
        if answer.claim is Claim.POSSIBLE and answer.held:
            await self._writer.async_speak({"content": answer.held})
        elif answer.claim is Claim.DONE:
            await self._writer.async_say("nothing_done")
        elif answer.claim is Claim.EXCUSE:
            await self._writer.async_say("misrouted")
        return answer

    async def _async_doubt(self, answer: AnswerReader) -> AnswerReader:
        """Ask for the call that an answer claims to have made, or says it cannot."""
        self._record.doubts += 1
        excused = answer.claim is Claim.EXCUSE
        self._record.decide(
            "an excuse without a call, asked again"
            if excused
            else f"success without a call ({answer.claim.value}), asked again"
        )
        # What is only possible may have been a question: no call is forced by it.
        return await self._async_bounce(
            await self._async_ask(
                _follow_up(answer, EXCUSED if excused else DOUBT),
                must_call=answer.claim is Claim.DONE,
            )
        )

    async def _async_correct(self, claimed: AnswerReader, answer: AnswerReader) -> None:
        """Say that a claim was wrong that the answer after it no longer makes."""
        if claimed.text:
            await self._writer.async_say("nothing_done_after_all", failed=False)
        elif not answer.said.rstrip().endswith(QUESTION_MARKS):
            # After a question it would close the conversation, and nobody has heard the
            # claim that it corrects.
            await self._writer.async_say("nothing_changed", failed=False)

    async def _async_ask(
        self, follow_up: tuple[Message, ...] = (), *, must_call: bool = False
    ) -> AnswerReader:
        """Send one request and stream its answer into the chat log."""
        self._quoted.look_at(self._log.content)
        answer = AnswerReader(
            self._toolbox,
            self._record,
            native=self._options.native,
            rescues=self._options.rescues,
            rule=self._rule_now,
            quoted=self._quoted,
            explains=self._explains,
        )
        await self._writer.async_add(self._async_deltas(answer, follow_up, must_call))
        self.refusals.update(answer.refused)
        return answer

    @property
    def _rule_now(self) -> ClaimRule | None:
        """Return the rule for the next answer, None where it may claim anything."""
        outcomes = self._toolbox.gate.outcomes
        reads = [item for item in outcomes if item.tool.annotations.read_only]
        acts = [item for item in outcomes if not item.tool.annotations.read_only]
        if self._rule is None or any(outcome.success for outcome in acts):
            return None
        if acts and not self._rule.knows_claims:
            return None
        has_read = any(outcome.success for outcome in reads)
        return replace(self._rule, after_reading=has_read)

    async def _async_deltas(
        self, answer: AnswerReader, follow_up: tuple[Message, ...], must_call: bool
    ) -> AsyncGenerator[AssistantContentDeltaDict]:
        """Yield the deltas of one answer; a failure ends it with a sentence."""
        yield {"role": "assistant"}
        try:
            stream = self._requests.async_stream(answer, follow_up, must_call)
            async with aclosing(stream) as deltas:
                async for delta in deltas:
                    yield delta
        except Exception as err:  # noqa: BLE001 # spoken, and logged there
            # A new message waits for the results of the calls before it.
            yield {"role": "assistant"}
            yield self._writer.failure(err)
        else:
            if not (answer.said.strip() or answer.calls or answer.bounce):
                self._record.decide("the answer was empty")
                self._record.error = "no_answer"
                yield self._writer.sentence("no_answer", failed=True)


def _follow_up(answer: AnswerReader, request: str) -> tuple[Message, ...]:
    """Return what the model said and what it is told about it."""
    said = (AssistantMessage(answer.said),) if answer.said else ()
    return (*said, UserMessage(request))
