"""The chat log as messages for Lumo, whatever other agents and failures left in it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain
import re
from typing import Any, Final

from homeassistant.components import conversation
from homeassistant.helpers import llm

from ..abilities import ABILITIES
from ..internals import FAILED_TURN, SILENT_TURN, split_api_prompt
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
from ..tool_calling.naming import ToolNames
from ..tool_calling.prompted import (
    RESULT_LIMIT,
    call_text,
    function_result,
    inject,
    joined,
    result_text,
)
from .model_texts import MODEL_TEXTS

# About 10,000 tokens.
HISTORY_CHARACTERS: Final = 40_000
# Characters of a result if there is no room for all of it.
_SHORT: Final = 500
_NOT_LITERAL: Final = re.compile(r"\{[{%#]")


@dataclass(frozen=True, slots=True)
class OwnSentence:
    """Marks a message of the chat log as ours, not the model's."""

    failed: bool
    """The turn ended in a failure: it is no answer."""


@dataclass(slots=True)
class _Result:
    """A call's result; `text` is what is sent of it."""

    call: ToolCallMessage
    data: Any
    error: bool
    text: str = ""


type _Exchange = list[Message | _Result]
"""What a person said, if anything, and what came of it."""


def without_personal(
    contents: Iterable[conversation.Content],
) -> list[conversation.Content]:
    """Return a log without what the integration's tools told one person only."""
    tools = {tool.name for tool in ABILITIES if tool.is_personal}
    return [
        replace(content, result=llm.ToolResult(data={"told": "somebody else"}))
        if isinstance(content, conversation.ToolResultContent)
        and content.tool_name in tools
        else content
        for content in contents
    ]


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

    `contents` is the whole log. In place of its system prompt `instructions` go before
    the first sentence of a person, in native mode into a system message. `last_part`
    goes before the last sentence, `pictures` with it, `behind` after it. To fit into
    `budget` characters, the oldest results are cut, then the oldest exchanges dropped;
    the last one stays.
    """
    exchanges = _exchanges(contents, names, native)
    for exchange in exchanges[:-1]:
        if len(exchange) == 1 and isinstance(exchange[0], UserMessage):
            exchange.append(AssistantMessage(MODEL_TEXTS["no_answer"]))
    _fit(exchanges, budget, names, native)
    spoken = [some for some in exchanges if some and isinstance(some[0], UserMessage)]
    if spoken:
        _put(spoken[-1], last_part, pictures, behind)
    first: list[Message] = []
    if native:
        first = [SystemMessage(instructions)] if instructions else []
    elif spoken and spoken[0] is exchanges[0]:
        _put(spoken[0], instructions)
    elif spoken and instructions:
        # The assistant spoke first.
        first = [UserMessage(inject(instructions, ""))]
    return (*first, *chain(*(_messages(some, names, native) for some in exchanges)))


def _put(
    exchange: _Exchange, text: str, images: Sequence[Image] = (), behind: str = ""
) -> None:
    said = exchange[0]
    assert isinstance(said, UserMessage)
    text = inject(text, said.text)
    text = joined(text, behind) if behind else text
    exchange[0] = UserMessage(text, (*said.images, *images))


def _exchanges(
    contents: Iterable[conversation.Content], names: ToolNames, native: bool
) -> list[_Exchange]:
    exchanges: list[_Exchange] = [[]]
    # Calls whose results have not come yet, with the full names of their tools.
    pending: dict[str, ToolCallMessage] = {}

    def close() -> None:
        # The service refuses a call without a result.
        exchanges[-1].extend(
            _Result(x, MODEL_TEXTS["no_result"], True) for x in pending.values()
        )
        pending.clear()

    for content in contents:
        match content:
            case conversation.UserContent():
                close()
                if exchanges[-1]:
                    exchanges.append([])
                exchanges[-1].append(UserMessage(content.content))
            case conversation.AssistantContent():
                close()
                if _is_worthless(content):
                    continue
                calls = [
                    ToolCallMessage(call.id, call.tool_name, call.tool_args)
                    for call in content.tool_calls or ()
                ]
                pending |= {call.call_id: call for call in calls}
                # The model learns the form of calls from its own history.
                written = () if native else calls
                text = joined(
                    content.content or "",
                    *(call_text(names, call.name, call.arguments) for call in written),
                )
                if text:
                    exchanges[-1].append(AssistantMessage(text))
            case conversation.ToolResultContent():
                if call := pending.pop(content.tool_call_id, None):
                    result = content.result
                    exchanges[-1].append(_Result(call, result.data, result.error))
    close()
    return exchanges


def _fit(
    exchanges: list[_Exchange], budget: int, names: ToolNames, native: bool
) -> None:
    """Cut the oldest results; if that is not enough, drop the oldest exchanges."""

    def room() -> int:
        messages = (_messages(exchange, names, native) for exchange in exchanges)
        return budget - ChatRequest(tuple(chain(*messages))).characters

    def write(item: _Result, limit: int) -> None:
        if native:
            item.text = function_result(item.data, item.error, limit=limit)
        else:
            name = item.call.name
            item.text = result_text(names, name, item.data, item.error, limit=limit)

    results = [item for item in chain(*exchanges) if isinstance(item, _Result)]
    for item in results:
        write(item, _SHORT)
    while len(exchanges) > 1 and room() < 0:
        del exchanges[0]
    for item in reversed(results):
        write(item, RESULT_LIMIT)
        if room() < 0:
            write(item, _SHORT)
            return


def _messages(exchange: _Exchange, names: ToolNames, native: bool) -> list[Message]:
    """Return an exchange as it is sent: in private mode results share a message."""
    messages: list[Message] = []
    shared: list[str] = []
    for item in exchange:
        if not isinstance(item, _Result):
            shared = []
            messages.append(item)
        elif native:
            call = replace(item.call, name=names.offered(item.call.name))
            messages += [call, ToolResultMessage(call.call_id, item.text)]
        else:
            if shared:
                messages.pop()
            shared.append(item.text)
            messages.append(UserMessage("\n\n".join(shared)))
    return messages


def _is_worthless(content: conversation.AssistantContent) -> bool:
    if content.tool_calls:
        return False
    if isinstance(content.native, OwnSentence) and content.native.failed:
        return True
    text = (content.content or "").strip()
    return text == SILENT_TURN or text.startswith(FAILED_TURN)


def split_system(
    system: str, api_prompt: str, template: str, shown: str | None = None
) -> tuple[str, str]:
    """Return what of the system prompt is the same in every turn, and the rest.

    Home Assistant joins the owner's instructions, rendered from `template`, the prompt
    of the APIs, the time, and what came with this sentence. The instructions stay the
    same up to the first line of the template that has anything to render. `shown`
    replaces the APIs' prompt.
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
