"""One turn: from what a person said to what is spoken back.

    request -> answer -> deltas -> (Home Assistant runs the tools) -> request ...

until an answer calls nothing. Two things are set right on the way, each once a turn:

* a misrouted call: rescue it; else bounce it; else say that it could not be done;
* a success that is claimed though nothing was called: ask for the call; else say that
  nothing was done.

Whatever a person must hear goes through the delta stream, failures too: once speech has
begun, nothing else is heard.
"""

from collections import Counter
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import replace
import logging

from homeassistant.components import conversation
from homeassistant.components.conversation.chat_log import AssistantContentDeltaDict
from homeassistant.helpers import llm

from ..const import Autonomy
from ..gate.gate import Cause, Gate
from ..gate.judge import Judge
from ..gate.log import stack_of
from ..gate.outside import has_read_outside
from ..gate.pending import Kept
from ..gate.permissions import offered
from ..gate.speaker import Speaker
from ..gate.undo import UndoTool
from ..lumo_client.client import LumoClient
from ..lumo_client.errors import ContentFilteredError, LumoError
from ..lumo_client.messages import AssistantMessage, Message, UserMessage
from ..tool_calling.prompted import bounce_text
from .answer import Answer
from .asking import Decision, Dialogue
from .claims import QUESTION_MARKS, Claim, ClaimRule
from .endings import REFUSALS, TURN_SECONDS, is_looping, may_confirm
from .exchange import Exchange
from .log_writer import Voice
from .options import AgentOptions
from .question import some_of
from .quoted import QuotedCalls
from .record import TurnRecord, TurnResult
from .request import RequestBuilder
from .sentences import Sentences
from .toolbox import Toolbox

_LOGGER = logging.getLogger(__name__)

# Said to the model, never spoken.
DOUBT = (
    "No call has changed anything in the home. If something was to be done, call the "
    "tool for it now. If nothing was, or no tool can do it, say that plainly and do not "
    "claim that it is done."
)

# Stands for the name of a misrouted call that had none.
_NO_NAME = "tool_name"


class Turn:
    """Runs one turn over a chat log whose last content is what a person said."""

    def __init__(
        self,
        client: LumoClient,
        chat_log: conversation.ChatLog,
        user_input: conversation.ConversationInput,
        options: AgentOptions,
        sentences: Sentences,
        kept: Kept,
    ) -> None:
        """Prepare a turn; nothing is sent yet."""
        self._log = chat_log
        self._begin = len(chat_log.content)
        self._sentence = user_input.text
        self._agent_id = user_input.agent_id
        self._options = options
        self._sentences = sentences
        self._kept = kept
        self.record = TurnRecord()
        self.result = TurnResult()
        speaker = Speaker.of(chat_log.hass, user_input)
        self._dialogue = Dialogue(chat_log.hass, speaker, kept)
        self._toolbox = self._fill_toolbox(chat_log.llm_api, speaker)
        self._voice = Voice(chat_log, self._agent_id, sentences, self._toolbox.gate)
        self._rule = (
            ClaimRule.for_turn(
                user_input.text,
                user_input.language,
                chat_log.llm_api.api_prompt if chat_log.llm_api else "",
            )
            if self._toolbox.acts
            else None
        )
        self._exchange = Exchange(
            client,
            lambda: RequestBuilder(chat_log, self._toolbox, options),
            self.record,
            self.result,
        )
        self._quoted = QuotedCalls(self._toolbox)
        self._doubted = False
        self._refusals: Counter[str] = Counter()

    def _fill_toolbox(self, api: llm.APIInstance | None, speaker: Speaker) -> Toolbox:
        """Return the tools of this turn, behind their gate."""
        # Function definitions have no prefix: the channel says whose they are.
        prefix = "" if self._options.native else self._options.prefix
        if api is None:
            return Toolbox(None, prefix=prefix)
        tools = offered(api, self._options)
        if self._dialogue.changes and self._options.autonomy is not Autonomy.READS:
            tools.append(UndoTool(self._dialogue.changes))
        gate = Gate(
            judge=Judge(self._log.hass, api, self._options, speaker, self._kept),
            cause=Cause(
                agent_id=self._agent_id,
                conversation_id=self._log.conversation_id,
                user_id=speaker.user_id,
                satellite_id=speaker.satellite_id,
                sentence=speaker.sentence if self._options.share_words else None,
            ),
            has_read_outside=self._has_read_outside,
        )
        return Toolbox(replace(api, tools=tools), prefix=prefix, gate=gate)

    def _has_read_outside(self) -> bool:
        return bool(
            self._kept.read_outside
            or self.record.outside_results
            or has_read_outside(self._log.content, self._toolbox.tools)
        )

    async def async_run(self) -> TurnResult:
        """Run the turn to its end. Failures of any kind are in the result."""
        original = self._log.llm_api
        self._log.llm_api = self._toolbox.api
        gate = self._toolbox.gate
        try:
            if not await self._async_take_answer():
                await self._async_rounds()
            await self._async_report_silence()
        except Exception as err:  # noqa: BLE001 # spoken, and logged there
            await self._voice.async_speak(self._on_failure(err))
        finally:
            gate.close()
            self._log.llm_api = original
            self._kept.read_outside |= self.record.outside_results > 0
            self._dialogue.end(gate.before)
            self._log.async_trace(
                {"stats": self.record.as_stats(), "lumo": self.record.as_trace()}
            )
        return self.result

    async def _async_rounds(self) -> None:
        """Ask until an answer calls nothing, or until it must end."""
        loop = self._log.hass.loop
        deadline = loop.time() + TURN_SECONDS
        for _round in range(self._options.max_rounds):
            done = len(self._toolbox.gate.outcomes)
            answer = await self._async_bounce(await self._async_ask())
            answer = await self._async_settle(answer)
            if self.result.failed or not answer.calls:
                return
            if await self._async_ask_person():
                return
            outcomes = self._toolbox.gate.outcomes[done:]
            if (
                self._options.quick_confirmation
                and not answer.text
                and may_confirm(self._sentence, outcomes, answer.calls)
            ):
                self.record.decide("confirmed without asking the model")
                await self._voice.async_say("quick_done", failed=False)
                return
            if max(self._refusals.values(), default=0) >= REFUSALS:
                self.record.decide("stopped, calls were refused too often")
                await self._voice.async_say("misrouted")
                return
            if is_looping(self._log.content[self._begin :]):
                self.record.decide("stopped, the same call had the same result again")
                await self._voice.async_say("call_loop")
                return
            if loop.time() > deadline:
                self.record.decide("stopped, the time is used up")
                await self._voice.async_say("too_slow")
                return
        self.record.decide("stopped, the rounds are used up")
        await self._voice.async_say("too_many_rounds")

    async def _async_take_answer(self) -> bool:
        """Take the answer to a question; return whether that is all of this turn."""
        match self._dialogue.decision:
            case Decision.NO:
                self.record.decide("a person said no")
                await self._voice.async_say("declined", failed=False)
                return True
            case Decision.OTHER:
                self.record.decide("a person was asked and did not say yes")
                return False
            case Decision.NONE:
                return False
        self.record.decide("a person said yes")
        calls = self._dialogue.confirmed(self._toolbox)
        if not calls:
            self._fail("not_allowed")
            await self._voice.async_say("not_allowed")
            return True
        await self._voice.async_speak({"tool_calls": calls})
        if await self._async_ask_person():
            return True
        assert self._dialogue.question is not None
        outcomes = self._toolbox.gate.outcomes
        if may_confirm(self._dialogue.question.sentence, outcomes, len(calls)):
            await self._voice.async_say("quick_done", failed=False)
            return True
        # There is more to say, or more was asked for: the model knows.
        return False

    async def _async_ask_person(self) -> bool:
        """Ask about what must not run without a yes; return whether the turn ends."""
        gate = self._toolbox.gate
        if gate.asks:
            self.record.questions += len(gate.asks)
            self.record.decide("a person is asked first")
            await self._async_report_silence()
            text = self._dialogue.ask(self._sentences, gate.asks)
            self.result.asked = True
            await self._voice.async_tell(text)
        elif gate.sentence:
            self.record.decide(f"refused: {gate.sentence}")
            self._fail(gate.sentence)
            await self._voice.async_say(gate.sentence)
        return bool(gate.asks or gate.sentence)

    async def _async_report_silence(self) -> None:
        """Say which devices did not answer, if the model has not."""
        silent, self._toolbox.gate.silent = self._toolbox.gate.silent, {}
        last = self._log.content[-1]
        said = (isinstance(last, conversation.AssistantContent) and last.content) or ""
        if self._rule and self._rule.judge(said) is not Claim.NONE:
            said = ""
        names = [name for name in silent if name.casefold() not in said.casefold()]
        if names:
            self.record.decide("a device did not answer")
            targets = some_of(self._sentences, names)
            await self._voice.async_say("not_answered", failed=False, targets=targets)

    async def _async_bounce(self, answer: Answer) -> Answer:
        """Have a misrouted call written again, once a turn.

        If there is still none that runs, a person hears that.
        """
        if not answer.bounce or answer.calls or self.result.failed:
            return answer
        misrouted = answer.bounce
        if not self.record.bounces and self._options.bounces:
            self.record.bounces += 1
            self.record.decide("misrouted call bounced")
            request = bounce_text(
                self._toolbox.names,
                misrouted.tool or misrouted.name or _NO_NAME,
                misrouted.arguments,
                self._options.bounce_text,
            )
            answer = await self._async_ask(_follow_up(answer, request))
        if answer.bounce and not answer.calls and not self.result.failed:
            self.record.decide("misrouted call given up")
            await self._voice.async_say("misrouted")
        return answer

    async def _async_settle(self, answer: Answer) -> Answer:
        """Never let an answer stand that claims to have acted when nothing did.

        The model is asked for the call, once a turn. If there is still none, a person
        hears that nothing was done.
        """
        if answer.claim is Claim.NONE:
            return answer
        if not self._doubted:
            claimed, answer = answer, await self._async_doubt(answer)
            if answer.calls or answer.bounce or self.result.failed:
                return answer
            if answer.claim is Claim.NONE and claimed.claim is Claim.DONE:
                await self._async_correct(claimed, answer)
        if answer.claim is Claim.POSSIBLE and answer.held:
            await self._voice.async_speak({"content": answer.held})
        elif answer.claim is Claim.DONE:
            await self._voice.async_say("nothing_done")
        return answer

    async def _async_doubt(self, answer: Answer) -> Answer:
        """Ask for the call that an answer claims to have made."""
        self._doubted = True
        self.record.doubts += 1
        self.record.decide(
            f"success without a call ({answer.claim.value}), asked again"
        )
        # What is only possible may have been a question: no call is forced by it.
        return await self._async_bounce(
            await self._async_ask(
                _follow_up(answer, DOUBT), must_call=answer.claim is Claim.DONE
            )
        )

    async def _async_correct(self, claimed: Answer, answer: Answer) -> None:
        """Say that a claim was wrong that the answer after it no longer makes."""
        if claimed.text:
            await self._voice.async_say("nothing_done_after_all", failed=False)
        elif not answer.said.rstrip().endswith(QUESTION_MARKS):
            # Behind a question it would close the conversation, and it goes without
            # saying: nobody heard the claim.
            await self._voice.async_say("nothing_changed", failed=False)

    async def _async_ask(
        self, follow_up: tuple[Message, ...] = (), *, must_call: bool = False
    ) -> Answer:
        """Send one request and stream its answer into the chat log."""
        self._quoted.look_at(self._log.content)
        answer = Answer(
            self._toolbox,
            self.record,
            native=self._options.native,
            rescues=self._options.rescues,
            rule=self._rule_now,
            quoted=self._quoted,
        )
        await self._voice.async_add(self._async_deltas(answer, follow_up, must_call))
        self._refusals.update(answer.refused)
        return answer

    @property
    def _has_acted(self) -> bool:
        """Return whether a call has changed anything in this turn."""
        return any(
            outcome.success and not outcome.tool.annotations.read_only
            for outcome in self._toolbox.gate.outcomes
        )

    @property
    def _rule_now(self) -> ClaimRule | None:
        """Return the rule for the next answer, None where it may claim anything."""
        if self._has_acted or self._rule is None:
            return None
        tried = any(
            not outcome.tool.annotations.read_only
            for outcome in self._toolbox.gate.outcomes
        )
        return None if tried and not self._rule.knows_claims else self._rule

    async def _async_deltas(
        self, answer: Answer, follow_up: tuple[Message, ...], must_call: bool
    ) -> AsyncGenerator[AssistantContentDeltaDict]:
        """Yield the deltas of one answer; a failure ends it with a sentence."""
        yield {"role": "assistant"}
        try:
            stream = self._exchange.async_stream(answer, follow_up, must_call)
            async with aclosing(stream) as deltas:
                async for delta in deltas:
                    yield delta
        except Exception as err:  # noqa: BLE001 # spoken, and logged there
            # A new message waits for the results of the calls before it.
            yield {"role": "assistant"}
            yield self._on_failure(err)
        else:
            if not (answer.said.strip() or answer.calls or answer.bounce):
                self.record.decide("the answer was empty")
                self._fail("no_answer")
                yield self._voice.sentence("no_answer", failed=True)

    def _on_failure(self, err: Exception) -> AssistantContentDeltaDict:
        """Return the sentence for a failure."""
        refused = isinstance(err, ContentFilteredError)
        if isinstance(err, LumoError):
            code = err.code
            self.result.error = None if refused else err
        else:
            code = "unknown"
            _LOGGER.error(
                "Unexpected %s in a turn:\n%s", type(err).__name__, stack_of(err)
            )
        if not refused:
            self._fail(code)
        self.record.decide(f"the answer failed: {code}")
        return self._voice.sentence(code, failed=not refused)

    def _fail(self, code: str) -> None:
        """Note that the turn ended without an answer."""
        self.result.failed = True
        self.record.error = code


def _follow_up(answer: Answer, request: str) -> tuple[Message, ...]:
    """Return what the model said and what it is told about it."""
    said = (AssistantMessage(answer.said),) if answer.said else ()
    return (*said, UserMessage(request))
