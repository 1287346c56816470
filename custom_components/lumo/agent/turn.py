"""One turn: from what a person said to what is spoken back.

    request -> answer -> deltas -> (Home Assistant runs the tools) -> request ...

until an answer calls nothing. The ladder for a misrouted call: rescue it; else bounce
it, once a turn; else say that it could not be done. Whatever a person must hear goes
through the delta stream, failures too: once speech has begun, nothing else is heard.
"""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass
import logging

from homeassistant.components import conversation
from homeassistant.components.conversation.chat_log import AssistantContentDeltaDict

from ..lumo_client.client import LumoClient
from ..lumo_client.errors import ContentFilteredError, ContextLengthError, LumoError
from ..lumo_client.events import Limits
from ..lumo_client.messages import (
    AssistantTurn,
    ChatRequest,
    FunctionTool,
    Turn as LumoTurn,
    UserTurn,
)
from ..tool_calling.native import function_tools
from ..tool_calling.prompted import bounce_text, build_instructions
from .answer import Answer, Misrouted
from .history import HISTORY_CHARACTERS, OwnSentence, to_turns
from .options import AgentOptions
from .record import TurnRecord
from .speech import Sentences
from .toolbox import Toolbox

_LOGGER = logging.getLogger(__name__)


@dataclass(slots=True)
class TurnResult:
    """How a turn ended."""

    failed: bool = False
    """It ended without an answer; what was spoken is a sentence of ours."""
    error: LumoError | None = None
    """The failure of the service that ended it, if there was one."""
    limits: Limits | None = None
    """What the service said is left of the account's quota."""


class Turn:
    """Runs one turn over a chat log whose last content is what a person said."""

    def __init__(
        self,
        client: LumoClient,
        chat_log: conversation.ChatLog,
        agent_id: str,
        options: AgentOptions,
        sentences: Sentences,
    ) -> None:
        """Prepare a turn; nothing is sent yet."""
        self._client = client
        self._log = chat_log
        self._agent_id = agent_id
        self._options = options
        self._sentences = sentences
        self._toolbox = Toolbox(chat_log.llm_api)
        self._budget = HISTORY_CHARACTERS
        self._instructions = self._build_instructions()
        self._tools = self._build_function_tools()
        self.record = TurnRecord()
        self.result = TurnResult()

    async def async_run(self) -> TurnResult:
        """Run the turn to its end. Failures of the service are in the result."""
        original = self._log.llm_api
        self._log.llm_api = self._toolbox.api
        try:
            await self._async_rounds()
        finally:
            self._log.llm_api = original
            self._log.async_trace({"lumo": self.record.as_trace()})
        return self.result

    async def _async_rounds(self) -> None:
        """Ask until an answer calls nothing, or the rounds are used up."""
        for _round in range(self._options.max_rounds):
            answer = await self._async_ask()
            if answer.bounce and not answer.calls and not self.result.failed:
                answer = await self._async_bounce(answer)
            if self.result.failed or not answer.calls:
                return
        self.record.decide("stopped, the rounds are used up")
        await self._async_say("too_many_rounds")

    async def _async_bounce(self, answer: Answer) -> Answer:
        """Have a misrouted call written again, once a turn."""
        misrouted = answer.bounce
        if misrouted and not self.record.bounces:
            self.record.bounces += 1
            self.record.decide("misrouted call bounced")
            answer = await self._async_ask(bounce=(answer, misrouted))
        if answer.bounce and not answer.calls and not self.result.failed:
            self.record.decide("misrouted again, given up")
            await self._async_say("misrouted")
        return answer

    async def _async_ask(
        self, bounce: tuple[Answer, Misrouted] | None = None
    ) -> Answer:
        """Send one request and stream its answer into the chat log."""
        answer = Answer(
            self._toolbox,
            self.record,
            native=self._options.native,
        )
        await self._async_add(self._async_deltas(answer, bounce))
        if answer.limits:
            self.result.limits = answer.limits
        return answer

    async def _async_deltas(
        self, answer: Answer, bounce: tuple[Answer, Misrouted] | None
    ) -> AsyncGenerator[AssistantContentDeltaDict]:
        """Yield the deltas of one answer; a failure ends it with a sentence."""
        yield {"role": "assistant"}
        try:
            async with aclosing(self._async_events(answer, bounce)) as deltas:
                async for delta in deltas:
                    yield delta
        except LumoError as err:
            for delta in self._on_failure(answer, err):
                yield delta
        else:
            if not (answer.text.strip() or answer.calls or answer.bounce):
                self.record.decide("the answer was empty")
                self._fail("no_answer")
                yield self._own_sentence("no_answer", failed=True)

    async def _async_events(
        self, answer: Answer, bounce: tuple[Answer, Misrouted] | None
    ) -> AsyncGenerator[AssistantContentDeltaDict]:
        """Send the request, once more with less history where it was too long."""
        begun = False
        try:
            async with aclosing(self._async_stream(answer, bounce)) as deltas:
                async for delta in deltas:
                    begun = True
                    yield delta
        except ContextLengthError:
            if begun or self._budget < HISTORY_CHARACTERS:
                raise
        else:
            return
        self._budget = HISTORY_CHARACTERS // 4
        self.record.decide("too long for the model, sent again with less history")
        async with aclosing(self._async_stream(answer, bounce)) as deltas:
            async for delta in deltas:
                yield delta

    async def _async_stream(
        self, answer: Answer, bounce: tuple[Answer, Misrouted] | None
    ) -> AsyncGenerator[AssistantContentDeltaDict]:
        request = self._request(bounce)
        self.record.requests += 1
        self.record.prompt_characters += request.characters
        async with self._client.chat(request) as events:
            async for event in events:
                for delta in answer.on_event(event):
                    yield delta
                if answer.complete:
                    self.record.decide("the rest of the answer is an apology, closed")
                    return
        for delta in answer.finish():
            yield delta

    def _on_failure(
        self, answer: Answer, err: LumoError
    ) -> list[AssistantContentDeltaDict]:
        """Return the sentence for a failure, in a message of its own."""
        refused = isinstance(err, ContentFilteredError)
        if not refused:
            self.result.error = err
            self._fail(err.code)
        self.record.decide(f"the answer failed: {err.code}")
        sentence = self._own_sentence(err.code, failed=not refused)
        # A new message waits for the results of the calls before it.
        return [{"role": "assistant", **sentence}]

    def _fail(self, code: str) -> None:
        """Note that the turn ended without an answer."""
        self.result.failed = True
        self.record.error = code

    async def _async_say(self, key: str) -> None:
        """Speak a sentence of ours as a message of its own."""

        async def deltas() -> AsyncGenerator[AssistantContentDeltaDict]:
            sentence = self._own_sentence(key, failed=True)
            yield {"role": "assistant", **sentence}

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

    def _request(self, bounce: tuple[Answer, Misrouted] | None) -> ChatRequest:
        turns: tuple[LumoTurn, ...] = to_turns(
            self._log.content,
            names=self._toolbox.names,
            native=self._options.native,
            instructions=self._instructions,
            budget=self._budget,
        )
        if bounce:
            answer, misrouted = bounce
            if answer.text:
                turns += (AssistantTurn(answer.text),)
            turns += (
                UserTurn(
                    bounce_text(
                        self._toolbox.names,
                        misrouted.tool or misrouted.name,
                        misrouted.arguments,
                    )
                ),
            )
        return ChatRequest(
            turns=turns,
            model=self._options.model,
            reasoning_effort=self._options.reasoning_effort,
            function_tools=self._tools,
            server_tools=self._options.server_tools,
        )

    def _build_instructions(self) -> str:
        head = self._log.content[0]
        system = head.content if isinstance(head, conversation.SystemContent) else ""
        names = self._toolbox.names
        if self._options.native:
            return names.rewrite(system, prompted=False)
        return build_instructions(self._toolbox.definitions, names, system)

    def _build_function_tools(self) -> tuple[FunctionTool, ...]:
        if not self._options.native:
            return ()
        return tuple(
            FunctionTool(tool.name, tool.description, tool.parameters)
            for tool in function_tools(self._toolbox.definitions, self._toolbox.names)
        )
