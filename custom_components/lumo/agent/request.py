"""What is sent to Lumo in a turn, and the streams of its answers.

A request holds the instructions, the tools, and the conversation so far.
"""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from functools import cached_property

from homeassistant.components import conversation
from homeassistant.components.conversation.chat_log import AssistantContentDeltaDict

from ..lumo_client.client import LumoClient
from ..lumo_client.deadlines import Deadlines
from ..lumo_client.errors import ContextLengthError, RateLimitError
from ..lumo_client.events import Usage
from ..lumo_client.messages import ChatRequest, FunctionTool, Message
from ..tool_calling.native import function_tools
from ..tool_calling.prompted import build_instructions
from .answer import AnswerReader
from .history import HISTORY_CHARACTERS, to_messages
from .options import AgentOptions
from .record import TurnRecord
from .toolbox import Toolbox


class RequestBuilder:
    """Builds the requests of one turn. Instructions and tools are made once."""

    def __init__(
        self, chat_log: conversation.ChatLog, toolbox: Toolbox, options: AgentOptions
    ) -> None:
        """Read the system prompt and the tools."""
        self._log = chat_log
        self._names = toolbox.names
        self._options = options
        self._budget = HISTORY_CHARACTERS
        head = chat_log.content[0]
        system = head.content if isinstance(head, conversation.SystemContent) else ""
        for pattern, replacement in options.replacements:
            system = pattern.sub(replacement, system)
        self._functions: tuple[FunctionTool, ...] = ()
        if options.native:
            self._instructions = toolbox.names.rewrite(system, prompted=False)
            self._functions = tuple(
                FunctionTool(tool.name, tool.description, tool.parameters)
                for tool in function_tools(toolbox.definitions, toolbox.names)
            )
        else:
            self._instructions = build_instructions(
                toolbox.definitions, toolbox.names, system, options.template
            )

    def build(
        self, follow_up: tuple[Message, ...] = (), *, must_call: bool = False
    ) -> ChatRequest:
        """Return a request for the log as it is now.

        `follow_up` are messages behind the log's that do not belong to the conversation.
        With `must_call` the model has to call a tool, where the protocol knows that.
        """
        messages = to_messages(
            self._log.content,
            names=self._names,
            native=self._options.native,
            instructions=self._instructions,
            budget=self._budget,
            inject_into_first=self._options.inject_into_first,
        )
        return ChatRequest(
            messages=(*messages, *follow_up),
            model=self._options.model,
            reasoning_effort=self._options.reasoning_effort,
            function_tools=self._functions,
            server_tools=self._options.server_tools,
            tool_choice="required" if must_call and self._functions else None,
        )

    def shorten(self) -> bool:
        """Use less history from now on; return whether there is any less."""
        if self._budget < HISTORY_CHARACTERS:
            return False
        self._budget = HISTORY_CHARACTERS // 4
        return True


class Requests:
    """The requests of one turn, and what they cost."""

    def __init__(
        self,
        client: LumoClient,
        chat_log: conversation.ChatLog,
        toolbox: Toolbox,
        options: AgentOptions,
        record: TurnRecord,
        deadlines: Deadlines,
    ) -> None:
        """Prepare; nothing is sent yet."""
        self._client = client
        self._log = chat_log
        self._toolbox = toolbox
        self._options = options
        self._record = record
        self._deadlines = deadlines

    @cached_property
    def _builder(self) -> RequestBuilder:
        """Return what builds the requests.

        Made with the first of them: what is wrong with a template is a failure of the
        turn, with a sentence like any other.
        """
        return RequestBuilder(self._log, self._toolbox, self._options)

    async def async_stream(
        self, answer: AnswerReader, follow_up: tuple[Message, ...], must_call: bool
    ) -> AsyncGenerator[AssistantContentDeltaDict]:
        """Send a request.

        It is sent once more with less history where it was too long, or after the wait
        that the service names, if that is short.
        """
        has_waited = False
        while True:
            try:
                stream = self._async_stream_once(answer, follow_up, must_call)
                async with aclosing(stream) as deltas:
                    async for delta in deltas:
                        yield delta
            except ContextLengthError:
                if answer.begun or not self._builder.shorten():
                    raise
                self._record.decide("too long for the model, sent with less history")
            except RateLimitError as err:
                wait = err.retry_after
                if (
                    answer.begun
                    or has_waited
                    or wait is None
                    or wait > self._deadlines.retry_after
                ):
                    raise
                has_waited = True
                self._record.decide("too many requests at once, waited")
                await asyncio.sleep(wait)
            else:
                return

    async def _async_stream_once(
        self, answer: AnswerReader, follow_up: tuple[Message, ...], must_call: bool
    ) -> AsyncGenerator[AssistantContentDeltaDict]:
        request = self._builder.build(follow_up, must_call=must_call)
        self._record.requests += 1
        self._record.prompt_characters += request.characters
        async with self._client.chat(request, self._deadlines) as events:
            async for event in events:
                if isinstance(event, Usage):
                    self._record.usage = event
                for delta in answer.on_event(event):
                    yield delta
                if answer.complete:
                    self._record.decide("the rest of the answer is an apology, closed")
                    return
        for delta in answer.finish():
            yield delta
