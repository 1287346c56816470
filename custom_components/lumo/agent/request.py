"""What is sent to Lumo in a turn, and the streams of its answers.

A request holds the instructions, the tools, and the conversation so far.
"""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field, replace
import re
from typing import Final

from homeassistant.helpers import llm

from ..abilities.ability import HiddenTool
from ..context.home import Home
from ..internals import split_api_prompt
from ..lumo_client.errors import (
    BadRequestError,
    ContextLengthError,
    QuotaError,
    RateLimitError,
    ServerError,
)
from ..lumo_client.events import (
    End,
    Event,
    FunctionCall,
    Progress,
    ServerToolCall,
    Usage,
)
from ..lumo_client.messages import IMAGE_CHARACTERS, ChatRequest, FunctionTool, Message
from ..tool_calling.native import function_tools
from ..tool_calling.prompted import (
    build_instructions,
    build_last_part,
    joined,
    shared_schemas,
)
from .choosing import Described, async_describe
from .history import HISTORY_CHARACTERS, to_messages
from .model_texts import NO_CLOSING
from .options import MODELS
from .recall import recalled
from .structured import AnswerFormat
from .toolbox import Toolbox
from .turn_context import TurnContext

_NOT_LITERAL: Final = re.compile(r"\{[{%#]")


@dataclass(slots=True, kw_only=True)
class Requests:
    """The requests of one turn, and what they cost."""

    turn: TurnContext
    toolbox: Toolbox
    hidden: dict[str, HiddenTool]
    """What is not described, by name."""
    recent: Sequence[str]
    """The entities that the conversation was about."""
    described: Described = field(default_factory=Described)
    _limit: int = 0
    """The most characters of the conversation, where it has to be less."""
    _is_lite: bool = False
    """Lite answers in place of Max."""
    _is_form_refused: bool = False
    """The form of the answer is told in the text alone."""
    _in_clear: set[tuple[int, str]] = field(default_factory=set)
    """The misrouted calls, by their request and id."""

    async def async_describe(self, budget: int) -> Home | None:
        """Choose what the requests describe from now on, in about so many characters."""
        self.described = await async_describe(
            self.turn, self.toolbox, budget, self.recent
        )
        self.hidden.clear()
        self.hidden.update(self.described.hidden)
        return self.described.home

    async def async_events(
        self, follow_up: tuple[Message, ...], *, must_call: bool
    ) -> AsyncGenerator[Event]:
        """Send a request; yield the events of its answer.

        Until one has begun, if only with a thought, it is sent once more: with less
        where it was too long, after the wait that the service names, if that is short,
        without the hint of the form where it is refused, or to the smaller model where
        the larger has no requests left.
        """
        begun = has_waited = False
        if self.turn.quota.is_empty("max"):
            self._step_down()
        while True:
            try:
                async with aclosing(self._async_send(follow_up, must_call)) as events:
                    async for event in events:
                        begun = begun or not isinstance(event, Progress | Usage | End)
                        yield event
            except ContextLengthError:
                if begun or self._limit:
                    raise
                await self._async_shorten()
            except BadRequestError:
                # It may not take this schema; no other request has one.
                if begun or self._is_form_refused or not self._form:
                    raise
                self._is_form_refused = True
            except QuotaError:
                if begun or not self._step_down():
                    raise
            except (RateLimitError, ServerError) as err:
                wait = err.retry_after
                if (
                    begun
                    or has_waited
                    or wait is None
                    or wait > self.turn.deadlines.retry_after
                ):
                    raise
                has_waited = True
                # With the one that was refused that makes three.
                self.turn.deadlines = replace(self.turn.deadlines, attempts=2)
                self.turn.record.decide(f"waited, as the service asks ({err.code})")
                yield Progress("waiting")
                await asyncio.sleep(wait)
            else:
                return

    async def _async_shorten(self) -> None:
        """Send a quarter of the conversation from now on.

        And half of all else, where the conversation is not most of it.
        """
        self.turn.record.decide("too long for the model, sent with less")
        ledger = self.turn.record.ledger
        conversation, others = ledger.conversation, ledger.others
        self._limit = max(1, conversation // 4)
        if others > conversation:
            await self.async_describe(others // 2)

    @property
    def _model(self) -> str:
        return MODELS["lite"] if self._is_lite else self.turn.options.model

    def _step_down(self) -> bool:
        """Let Lite answer in place of Max; return whether it does so from now on."""
        if self._model != MODELS["max"]:
            return False
        self._is_lite = True
        self.turn.record.decide("no requests are left with Max, Lite answers")
        return True

    @property
    def _form(self) -> AnswerFormat | None:
        """Return the form that is told beside the messages too, as they are in clear."""
        is_told = self._is_form_refused or self.turn.client.credential.encrypted
        return None if is_told else self.turn.answer_format

    def _build(self, follow_up: tuple[Message, ...], must_call: bool) -> ChatRequest:
        """Return a request for the log as it is now, and write it down.

        `follow_up` are messages behind the log's that do not belong to the conversation.
        With `must_call` the model has to call a tool, where the protocol knows that.
        """
        turn, box, options = self.turn, self.toolbox, self.turn.options
        notes = recalled(turn)
        instructions, last_part = self._texts(notes)
        functions = tuple(
            FunctionTool(tool.name, tool.description, tool.parameters)
            for tool in function_tools([*box.always, *box.chosen], box.names)
            if options.native
        )
        request = ChatRequest(
            messages=(),
            model=self._model,
            reasoning_effort=options.reasoning_effort,
            function_tools=functions,
            server_tools=options.server_tools,
            tool_choice="required" if must_call and functions else None,
            response_format=self._form.response_format if self._form else None,
        )
        behind = turn.answer_format.instructions if turn.answer_format else ""
        fixed = sum(map(len, (instructions, last_part, behind))) + request.characters
        pictures = IMAGE_CHARACTERS * len(turn.pictures)
        messages = to_messages(
            turn.log.content,
            names=box.names,
            native=options.native,
            instructions=instructions,
            budget=self._limit or HISTORY_CHARACTERS,
            last_part=last_part,
            pictures=turn.pictures,
            behind=behind,
        )
        request = replace(request, messages=(*messages, *follow_up))
        ledger = turn.record.ledger
        ledger.notes = len(notes)
        ledger.conversation = request.characters - pictures - fixed
        ledger.instructions = max(0, fixed - ledger.tools - ledger.home - ledger.notes)
        self._count(request)
        return request

    def _texts(self, notes: str) -> tuple[str, str]:
        """Return the instructions, and what of them stands with the sentence."""
        box, options, choice = self.toolbox, self.turn.options, self.described.choice
        names, private, api = box.names, not options.native, self.turn.log.llm_api
        fixed, moving = split_system(
            self.turn.system,
            api.api_prompt if api else "",
            options.prompt or llm.DEFAULT_INSTRUCTIONS_PROMPT,
            self.described.api_prompt,
        )
        if self.turn.is_talk:
            fixed = joined(fixed, NO_CLOSING)
        # Without any tool to build on, the chosen ones are all there are.
        tools, more = (box.always, box.chosen) if box.always else (box.chosen, [])
        shared = shared_schemas(tools, names) if private else {}
        last_part = build_last_part(
            joined(names.rewrite(moving, prompted=private), choice.sentence, notes),
            more if private else (),
            names,
            shared=shared,
            reminds=private and bool(tools),
        )
        if not private:
            return joined(names.rewrite(fixed, prompted=False), choice.home), last_part
        return (
            build_instructions(tools, names, fixed, home=choice.home, shared=shared),
            last_part,
        )

    async def _async_send(
        self, follow_up: tuple[Message, ...], must_call: bool
    ) -> AsyncGenerator[Event]:
        request = self._build(follow_up, must_call)
        async with self.turn.client.chat(request, self.turn.deadlines) as events:
            async for event in events:
                self._count_call(event)
                if isinstance(event, Usage):
                    self.turn.quota.note(event.remaining)
                yield event

    def _count(self, request: ChatRequest) -> None:
        """Note what leaves the house."""
        record, pictures = self.turn.record, len(request.images)
        record.requests += 1
        record.prompt_characters += request.characters
        self.turn.conversation_state.earlier.saw_pictures |= bool(pictures)
        record.pictures = pictures

    def _count_call(self, event: Event) -> None:
        """Note a misrouted call: its name was not encrypted."""
        if not isinstance(event, FunctionCall | ServerToolCall) or (
            # Of native functions that is where they belong.
            isinstance(event, FunctionCall) and self.turn.options.native
        ):
            return
        names = self.toolbox.names
        if names.resolve(event.name) or names.has_prefix(event.name):
            # An announcement and its call are one.
            self._in_clear.add((self.turn.record.requests, event.call_id))
            self.turn.record.names_in_clear = len(self._in_clear)


def split_system(
    system: str,
    api_prompt: str,
    template: str,
    shown: str | None = None,
) -> tuple[str, str]:
    """Return what of the system prompt is the same in every turn, and all else.

    Home Assistant joins the owner's instructions, rendered from `template`, the prompt
    of the APIs, the time, and what came with this sentence. What the owner wrote is
    certain to be the same up to the first line that has anything to render. `shown` is
    what stands in place of the APIs' prompt.
    """
    own, found, rest = system.partition(api_prompt) if api_prompt else (system, "", "")
    if found and shown is not None:
        found = shown
    literal, *rendered = _NOT_LITERAL.split(template.replace("\r\n", "\n").strip(), 1)
    if rendered:
        literal = literal[: literal.rfind("\n") + 1].strip()
    if not own.startswith(literal):
        literal = ""
    fixed, device = split_api_prompt(found)
    return joined(literal, fixed), joined(own[len(literal) :], device, rest)
