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
from dataclasses import dataclass
from functools import cached_property
import logging
import traceback

from homeassistant.components import conversation
from homeassistant.components.conversation.chat_log import AssistantContentDeltaDict

from ..lumo_client.client import LumoClient
from ..lumo_client.errors import ContentFilteredError, ContextLengthError, LumoError
from ..lumo_client.events import Usage
from ..lumo_client.messages import AssistantTurn, Turn as LumoTurn, UserTurn
from ..tool_calling.prompted import bounce_text
from .answer import Answer
from .claims import QUESTION_MARKS, Claim, ClaimRule
from .endings import REFUSALS, TURN_SECONDS, is_looping, may_confirm
from .history import OwnSentence
from .options import AgentOptions
from .quoted import QuotedCalls
from .record import TurnRecord
from .request import RequestBuilder
from .speech import Sentences
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


@dataclass(slots=True)
class TurnResult:
    """How a turn ended."""

    failed: bool = False
    """It ended without an answer; what was spoken is a sentence of ours."""
    error: LumoError | None = None
    """The failure of the service that ended it, if there was one."""
    usage: Usage | None = None
    """What the last answer cost, and what it said is left of the account's quota."""


class Turn:
    """Runs one turn over a chat log whose last content is what a person said."""

    def __init__(
        self,
        client: LumoClient,
        chat_log: conversation.ChatLog,
        user_input: conversation.ConversationInput,
        options: AgentOptions,
        sentences: Sentences,
    ) -> None:
        """Prepare a turn; nothing is sent yet."""
        self._client = client
        self._log = chat_log
        self._begin = len(chat_log.content)
        self._sentence = user_input.text
        self._agent_id = user_input.agent_id
        self._options = options
        self._sentences = sentences
        # Function definitions have no prefix: the channel says whose they are.
        prefix = "" if options.native else options.prefix
        self._toolbox = Toolbox(chat_log.llm_api, prefix=prefix)
        self._rule = (
            ClaimRule.for_turn(
                user_input.text,
                user_input.language,
                chat_log.llm_api.api_prompt if chat_log.llm_api else "",
            )
            if self._toolbox.acts
            else None
        )
        self._quoted = QuotedCalls(self._toolbox)
        self._doubted = False
        self._refusals: Counter[str] = Counter()
        self.record = TurnRecord()
        self.result = TurnResult()

    @cached_property
    def _requests(self) -> RequestBuilder:
        """Return what builds the requests.

        Made with the first of them: what is wrong with a template is a failure of the
        turn, with a sentence like any other.
        """
        return RequestBuilder(self._log, self._toolbox, self._options)

    async def async_run(self) -> TurnResult:
        """Run the turn to its end. Failures of any kind are in the result."""
        original = self._log.llm_api
        self._log.llm_api = self._toolbox.api
        try:
            await self._async_rounds()
        except Exception as err:  # noqa: BLE001 # spoken, and logged there
            await self._async_speak(self._on_failure(err))
        finally:
            self._toolbox.gate.close()
            self._log.llm_api = original
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
            outcomes = self._toolbox.gate.outcomes[done:]
            if (
                self._options.quick_confirmation
                and not answer.text
                and may_confirm(self._sentence, outcomes, answer.calls)
            ):
                self.record.decide("confirmed without asking the model")
                await self._async_say("quick_done", failed=False)
                return
            if max(self._refusals.values(), default=0) >= REFUSALS:
                self.record.decide("stopped, calls were refused too often")
                await self._async_say("misrouted")
                return
            if is_looping(self._log.content[self._begin :]):
                self.record.decide("stopped, the same call had the same result again")
                await self._async_say("call_loop")
                return
            if loop.time() > deadline:
                self.record.decide("stopped, the time is used up")
                await self._async_say("too_slow")
                return
        self.record.decide("stopped, the rounds are used up")
        await self._async_say("too_many_rounds")

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
            await self._async_say("misrouted")
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
            await self._async_speak({"content": answer.held})
        elif answer.claim is Claim.DONE:
            await self._async_say("nothing_done")
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
            await self._async_say("nothing_done_after_all", failed=False)
        elif not answer.said.rstrip().endswith(QUESTION_MARKS):
            # Behind a question it would close the conversation, and it goes without
            # saying: nobody heard the claim.
            await self._async_say("nothing_changed", failed=False)

    async def _async_ask(
        self, follow_up: tuple[LumoTurn, ...] = (), *, must_call: bool = False
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
        await self._async_add(self._async_deltas(answer, follow_up, must_call))
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
        self, answer: Answer, follow_up: tuple[LumoTurn, ...], must_call: bool
    ) -> AsyncGenerator[AssistantContentDeltaDict]:
        """Yield the deltas of one answer; a failure ends it with a sentence."""
        yield {"role": "assistant"}
        try:
            async with aclosing(
                self._async_events(answer, follow_up, must_call)
            ) as deltas:
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
                yield self._own_sentence("no_answer", failed=True)

    async def _async_events(
        self, answer: Answer, follow_up: tuple[LumoTurn, ...], must_call: bool
    ) -> AsyncGenerator[AssistantContentDeltaDict]:
        """Send the request, once more with less history where it was too long."""
        while True:
            try:
                stream = self._async_stream(answer, follow_up, must_call)
                async with aclosing(stream) as deltas:
                    async for delta in deltas:
                        yield delta
            except ContextLengthError:
                if answer.begun or not self._requests.shorten():
                    raise
                self.record.decide("too long for the model, sent with less history")
            else:
                return

    async def _async_stream(
        self, answer: Answer, follow_up: tuple[LumoTurn, ...], must_call: bool
    ) -> AsyncGenerator[AssistantContentDeltaDict]:
        request = self._requests.build(follow_up, must_call=must_call)
        self.record.requests += 1
        self.record.prompt_characters += request.characters
        async with self._client.chat(request) as events:
            async for event in events:
                if isinstance(event, Usage):
                    self.result.usage = event
                for delta in answer.on_event(event):
                    yield delta
                if answer.complete:
                    self.record.decide("the rest of the answer is an apology, closed")
                    return
        for delta in answer.finish():
            yield delta

    def _on_failure(self, err: Exception) -> AssistantContentDeltaDict:
        """Return the sentence for a failure."""
        refused = isinstance(err, ContentFilteredError)
        if isinstance(err, LumoError):
            code = err.code
            self.result.error = None if refused else err
        else:
            code = "unknown"
            # Where it happened, without what: its text may quote the home.
            where = "".join(traceback.format_tb(err.__traceback__))
            _LOGGER.error("Unexpected %s in a turn:\n%s", type(err).__name__, where)
        if not refused:
            self._fail(code)
        self.record.decide(f"the answer failed: {code}")
        return self._own_sentence(code, failed=not refused)

    def _fail(self, code: str) -> None:
        """Note that the turn ended without an answer."""
        self.result.failed = True
        self.record.error = code

    async def _async_say(self, key: str, *, failed: bool = True) -> None:
        """Speak a sentence of ours as a message of its own."""
        await self._async_speak(self._own_sentence(key, failed=failed))

    async def _async_speak(self, delta: AssistantContentDeltaDict) -> None:
        """Add one delta as a message of its own."""

        async def deltas() -> AsyncGenerator[AssistantContentDeltaDict]:
            yield {"role": "assistant"}
            yield delta

        await self._async_add(deltas())

    async def _async_add(
        self, deltas: AsyncGenerator[AssistantContentDeltaDict]
    ) -> None:
        """Stream deltas into the chat log; Home Assistant runs their tool calls."""
        async with (
            aclosing(deltas),
            aclosing(
                self._log.async_add_delta_content_stream(self._agent_id, deltas)
            ) as contents,
        ):
            async for _content in contents:
                pass

    def _own_sentence(self, key: str, *, failed: bool) -> AssistantContentDeltaDict:
        """Return a sentence; one that ends a failed turn says what was done before."""
        text = self._sentences(key)
        if failed and (done := self._done()):
            text = f"{text} {done}"
        return {"content": text, "native": OwnSentence(failed)}

    def _done(self) -> str:
        """Return a sentence on what the turn did before it stopped, or nothing."""
        acted = sum(
            outcome.success and not outcome.tool.annotations.read_only
            for outcome in self._toolbox.gate.outcomes
        )
        if not acted:
            return ""
        key = "done_one" if acted == 1 else "done_several"
        return self._sentences(key, count=str(acted))


def _follow_up(answer: Answer, request: str) -> tuple[LumoTurn, ...]:
    """Return what the model said and what it is told about it."""
    said = (AssistantTurn(answer.said),) if answer.said else ()
    return (*said, UserTurn(request))
