"""The chat log as messages for Lumo.

Pure functions of a list of `conversation.Content`. They accept what other agents and
earlier failures left there: a conversation that begins with the assistant, calls of
the built-in agent, two sentences in a row, answers that never came.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from homeassistant.components import conversation
from homeassistant.helpers.json import json_dumps
from homeassistant.util.json import json_loads

from ..internals import FAILED_TURN, SILENT_TURN
from ..lumo_client.messages import (
    AssistantMessage,
    ChatRequest,
    Image,
    Message,
    SystemMessage,
    ToolCallMessage,
    ToolResultMessage,
    UserMessage,
)
from ..tool_calling.json_text import plain_or_text
from ..tool_calling.naming import ToolNames
from ..tool_calling.native import function_result
from ..tool_calling.prompted import RESULT_LIMIT, call_text, inject, joined, result_text
from .model_texts import NO_ANSWER, NO_RESULT

# About 10,000 tokens of earlier exchanges: what was said is bounded by the five
# minutes that Home Assistant keeps a conversation, what tools returned is not.
HISTORY_CHARACTERS: Final = 40_000
# What results shrink to, in characters: those of earlier exchanges at once, those of
# the last one as far as needed.
_SHORT: Final = 1_000
_SHORTER: Final = (8_000, 2_000, 500)
# Of a model's window history and instructions take three quarters, the rest is for
# thinking and the answer. A token is about three characters in the languages of most
# homes, and of JSON.
_CHARACTERS_PER_TOKEN: Final = 3 * 3 / 4
# What was just said is sent even to the smallest model.
_LEAST: Final = 2_000


@dataclass(frozen=True, slots=True)
class OwnSentence:
    """Marks a chat log message as a sentence of ours, not of the model."""

    failed: bool
    """The turn ended in a failure: there is no answer to learn from."""


@dataclass(slots=True)
class _Result:
    """A call's result as it is sent."""

    call: ToolCallMessage
    data: Any
    error: bool
    text: str = ""


@dataclass(slots=True)
class _Exchange:
    """What a person said, if anything, and what came of it."""

    items: list[Message | _Result] = field(default_factory=list)
    answered: bool = False


def history_budget(window: int | None, instructions: int) -> int:
    """Return how many characters of history fit beside these of instructions.

    `window` is the model's, in tokens.
    """
    if window is None:
        return HISTORY_CHARACTERS
    room = int(window * _CHARACTERS_PER_TOKEN) - instructions
    return max(_LEAST, min(HISTORY_CHARACTERS, room))


def to_messages(
    contents: Sequence[conversation.Content],
    *,
    names: ToolNames,
    native: bool,
    instructions: str,
    budget: int = HISTORY_CHARACTERS,
    last_part: str = "",
    pictures: Sequence[Image] = (),
    behind: str = "",
) -> tuple[Message, ...]:
    """Return the messages of a request.

    `contents` is the whole log; the system prompt at its head is not used, it comes as
    `instructions`: injected into the first message that a person spoke, or as a system
    message in native mode. They stand before everything else, and `last_part` with the last
    message that a person spoke, and so do the `pictures`; `behind` stands behind that
    one. Where all has more than `budget` characters,
    results of earlier exchanges shrink, then these are dropped whole from the front;
    the last one always stays, with smaller results if need be.
    """
    converter = _Converter(names, native)
    exchanges = converter.convert(contents)
    for exchange in exchanges[:-1]:
        if not exchange.answered:
            exchange.items.append(AssistantMessage(NO_ANSWER))
    _cut(exchanges, budget, converter)
    messages: list[Message] = []
    spoken: list[int] = []
    for exchange in exchanges:
        if exchange.items and isinstance(exchange.items[0], UserMessage):
            spoken.append(len(messages))
        messages += converter.messages(exchange)

    def put(
        text: str, index: int, images: Sequence[Image] = (), behind: str = ""
    ) -> None:
        message = messages[index]
        assert isinstance(message, UserMessage)
        text = inject(text, message.text)
        text = joined(text, behind) if behind else text
        messages[index] = UserMessage(text, (*message.images, *images))

    if spoken:
        put(last_part, spoken[-1], pictures, behind)
    if native:
        system = [SystemMessage(instructions)] if instructions else []
        return (*system, *messages)
    if spoken and spoken[0] and instructions:
        # The assistant spoke first.
        messages.insert(0, UserMessage(inject(instructions, "")))
    elif spoken:
        put(instructions, spoken[0])
    return tuple(messages)


def _cut(exchanges: list[_Exchange], budget: int, converter: _Converter) -> None:
    """Bring the exchanges within the budget, the oldest first."""
    sizes = [converter.characters(exchange) for exchange in exchanges]

    def shrink(index: int, limit: int) -> None:
        exchange = exchanges[index]
        for item in exchange.items:
            if sum(sizes) > budget and isinstance(item, _Result):
                converter.write(item, limit)
                sizes[index] = converter.characters(exchange)

    for index in range(len(exchanges) - 1):
        shrink(index, _SHORT)
    while len(exchanges) > 1 and sum(sizes) > budget:
        del exchanges[0], sizes[0]
    for limit in _SHORTER:
        shrink(-1, limit)


class _Converter:
    """Cuts the log where a person speaks, and converts each part."""

    def __init__(self, names: ToolNames, native: bool) -> None:
        self._names = names
        self._native = native
        # Calls whose results have not been met yet, with the full names of their tools.
        self._pending: dict[str, ToolCallMessage] = {}
        self._exchange = _Exchange()

    def convert(self, contents: Iterable[conversation.Content]) -> list[_Exchange]:
        """Return the exchanges of a log, at least one."""
        exchanges = [self._exchange]
        for content in contents:
            if isinstance(content, conversation.SystemContent):
                continue
            if isinstance(content, conversation.UserContent):
                self._close()
                if self._exchange.items:
                    self._exchange = _Exchange()
                    exchanges.append(self._exchange)
                self._exchange.items.append(UserMessage(content.content))
            elif isinstance(content, conversation.AssistantContent):
                self._close()
                self._add_answer(content)
            elif call := self._pending.pop(content.tool_call_id, None):
                self._add_result(call, content.result.data, content.result.error)
        self._close()
        return exchanges

    def _add_answer(self, content: conversation.AssistantContent) -> None:
        """Add what the model, or another agent, said and called."""
        if _worthless(content):
            return
        self._exchange.answered = True
        text = (content.content or "").strip()
        calls = [
            ToolCallMessage(call.id, call.tool_name, _plain(call.tool_args))
            for call in content.tool_calls or ()
        ]
        self._pending.update((call.call_id, call) for call in calls)
        if not self._native:
            # Calls are shown in the very form that the instructions ask for: the
            # model learns from its own history.
            parts = [text] if text else []
            parts += [
                call_text(self._names, call.name, call.arguments) for call in calls
            ]
            text = "\n\n".join(parts)
        if text:
            self._exchange.items.append(AssistantMessage(text))

    def _add_result(self, call: ToolCallMessage, data: Any, error: bool) -> None:
        result = _Result(call, _plain(data), error)
        self.write(result, RESULT_LIMIT)
        self._exchange.items.append(result)

    def write(self, result: _Result, limit: int) -> None:
        """Write a result with at most about so many characters of data."""
        result.text = (
            function_result(result.data, result.error, limit=limit)
            if self._native
            else result_text(
                self._names, result.call.name, result.data, result.error, limit=limit
            )
        )

    def characters(self, exchange: _Exchange) -> int:
        """Return how long an exchange is as it is sent."""
        return ChatRequest(tuple(self.messages(exchange))).characters

    def messages(self, exchange: _Exchange) -> list[Message]:
        """Return an exchange as it is sent.

        In native mode a call stands just before its result; in private mode it stands
        in the answer, and results that follow each other share a turn.
        """
        messages: list[Message] = []
        shared: list[str] = []
        for item in exchange.items:
            if not isinstance(item, _Result):
                shared = []
                messages.append(item)
            elif self._native:
                call = replace(item.call, name=self._names.offered(item.call.name))
                messages += [call, ToolResultMessage(call.call_id, item.text)]
            else:
                if shared:
                    messages.pop()
                shared.append(item.text)
                messages.append(UserMessage("\n\n".join(shared)))
        return messages

    def _close(self) -> None:
        """Give calls that were cut off a result: a call without one is refused."""
        for call in self._pending.values():
            self._add_result(call, NO_RESULT, True)
        self._pending.clear()


def _worthless(content: conversation.AssistantContent) -> bool:
    """Return whether a message holds nothing that the model should see."""
    if content.tool_calls:
        return False
    if isinstance(content.native, OwnSentence) and content.native.failed:
        return True
    text = (content.content or "").strip()
    return not text or text == SILENT_TURN or text.startswith(FAILED_TURN)


def _plain(data: Any) -> Any:
    """Return a tool's data as plain JSON values."""
    try:
        return json_loads(json_dumps(data))
    except ValueError, TypeError:
        # Other people's tools: numbers beyond 64 bits, objects of any kind.
        return plain_or_text(data)
