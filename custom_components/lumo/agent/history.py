"""The chat log as messages for Lumo.

Pure functions of a list of `conversation.Content`. They accept what other agents and
earlier failures left there: a conversation that begins with the assistant, calls of
the built-in agent, two sentences in a row, answers that never came.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from homeassistant.components import conversation
from homeassistant.helpers.json import json_dumps
from homeassistant.util.json import json_loads

from ..internals import FAILED_TURN, SILENT_TURN
from ..lumo_client.messages import (
    AssistantMessage,
    Message,
    SystemMessage,
    ToolCallMessage,
    ToolResultMessage,
    UserMessage,
)
from ..tool_calling.json_text import plain_or_text
from ..tool_calling.naming import ToolNames
from ..tool_calling.native import function_result
from ..tool_calling.prompted import call_text, inject, result_text
from .model_texts import NO_ANSWER, NO_RESULT

# About 10,000 tokens of earlier exchanges: what was said is bounded by the five
# minutes that Home Assistant keeps a conversation, what tools returned is not.
HISTORY_CHARACTERS = 40_000


@dataclass(frozen=True, slots=True)
class OwnSentence:
    """Marks a chat log message as a sentence of ours, not of the model."""

    failed: bool
    """The turn ended in a failure: there is no answer to learn from."""


@dataclass(slots=True)
class _Exchange:
    """What a person said and what came of it."""

    messages: list[Message] = field(default_factory=list)
    spoken: int | None = None
    """Index of the message that a person spoke."""
    answered: bool = False

    @property
    def characters(self) -> int:
        return sum(_characters(message) for message in self.messages)


def to_messages(
    contents: Sequence[conversation.Content],
    *,
    names: ToolNames,
    native: bool,
    instructions: str,
    budget: int = HISTORY_CHARACTERS,
    inject_into_first: bool = False,
) -> tuple[Message, ...]:
    """Return the messages of a request.

    `contents` is the whole log; the system prompt at its head is not used, it comes as
    `instructions`: injected into the last message that a person spoke (or the first), or
    as a system message in native mode. Whole exchanges are dropped from the front until
    the rest has at most `budget` characters; the last one always stays.
    """
    exchanges = _Converter(names, native).convert(contents)
    total = sum(exchange.characters for exchange in exchanges)
    while len(exchanges) > 1 and total > budget:
        total -= exchanges.pop(0).characters
    for exchange in exchanges[:-1]:
        if not exchange.answered:
            exchange.messages.append(AssistantMessage(NO_ANSWER))
    messages = [message for exchange in exchanges for message in exchange.messages]
    if native:
        return (
            (SystemMessage(instructions), *messages)
            if instructions
            else tuple(messages)
        )
    spoken = [
        index
        for index, message in enumerate(_spoken_messages(exchanges))
        if isinstance(message, UserMessage)
    ]
    if spoken:
        index = spoken[0 if inject_into_first else -1]
        message = messages[index]
        assert isinstance(message, UserMessage)
        messages[index] = UserMessage(inject(instructions, message.text))
    return tuple(messages)


@dataclass(frozen=True, slots=True)
class _PendingCall:
    """A call whose result has not been met yet."""

    call_id: str
    name: str
    arguments: dict[str, Any]


def _spoken_messages(exchanges: Iterable[_Exchange]) -> Iterator[Message | None]:
    """Yield for each message the message itself if a person spoke it, else None."""
    for exchange in exchanges:
        for index, message in enumerate(exchange.messages):
            yield message if index == exchange.spoken else None


class _Converter:
    """Cuts the log where a person speaks, and converts each part."""

    def __init__(self, names: ToolNames, native: bool) -> None:
        self._names = names
        self._native = native
        self._pending: dict[str, _PendingCall] = {}
        self._exchange = _Exchange()

    def convert(self, contents: Iterable[conversation.Content]) -> list[_Exchange]:
        """Return the exchanges of a log, at least one."""
        exchanges = [self._exchange]
        for content in contents:
            if isinstance(content, conversation.SystemContent):
                continue
            if isinstance(content, conversation.UserContent):
                self._close()
                if self._exchange.messages:
                    self._exchange = _Exchange()
                    exchanges.append(self._exchange)
                self._exchange.spoken = len(self._exchange.messages)
                self._exchange.messages.append(UserMessage(content.content))
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
            _PendingCall(call.id, call.tool_name, _plain(call.tool_args))
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
            self._exchange.messages.append(AssistantMessage(text))

    def _add_result(self, call: _PendingCall, data: Any, error: bool) -> None:
        """Add the result of a call; in native mode the call itself just before it."""
        data = _plain(data)
        messages = self._exchange.messages
        if self._native:
            name = self._names.offered(call.name)
            messages.append(ToolCallMessage(call.call_id, name, call.arguments))
            messages.append(
                ToolResultMessage(call.call_id, function_result(data, error))
            )
            return
        text = result_text(self._names, call.name, data, error)
        last = len(messages) - 1
        if last >= 0 and last != self._exchange.spoken:
            previous = messages[last]
            if isinstance(previous, UserMessage):
                messages[last] = UserMessage(f"{previous.text}\n\n{text}")
                return
        messages.append(UserMessage(text))

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


def _characters(message: Message) -> int:
    if isinstance(message, ToolCallMessage):
        return len(message.name) + len(json_dumps(message.arguments))
    return len(message.text)
