"""A request to Lumo: typed messages and tools in, the JSON body out.

Encrypted as Proton's web client writes it, with an empty assistant message for the
answer to come; plain in the ordinary OpenAI form. The service refuses a result without
its call, and a call without its result.
"""

import base64
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from .encryption import RequestCipher
from .wire_json import dump_json, well_formed

# The default of Proton's web client, and the one with the larger quota.
DEFAULT_MODEL: Final = "lumo-lite"

# The web client reckons 2,000 tokens an image, whatever its size.
IMAGE_CHARACTERS: Final = 6_000

# Proton's own tools that make pictures.
IMAGE_TOOLS: Final = frozenset({"generate_image", "edit_image"})

_NO_RESULT: Final = '{"error":"The tool returned no result."}'


@dataclass(frozen=True, slots=True)
class SystemMessage:
    """Instructions to the model."""

    text: str


@dataclass(frozen=True, slots=True)
class Image:
    """A picture for the model to look at, such as `image/jpeg`."""

    data: bytes = field(repr=False)
    media_type: str


@dataclass(frozen=True, slots=True)
class UserMessage:
    """What a person said, and the pictures that were shown with it."""

    text: str
    images: tuple[Image, ...] = ()


@dataclass(frozen=True, slots=True)
class AssistantMessage:
    """What the model said."""

    text: str


@dataclass(frozen=True, slots=True)
class ToolCallMessage:
    """A call the model made over the native channel."""

    call_id: str
    name: str
    arguments: dict[str, Any]


@dataclass(frozen=True, slots=True)
class ToolResultMessage:
    """The answer to a call, as free text."""

    call_id: str
    text: str


type _Said = SystemMessage | UserMessage | AssistantMessage
type Message = _Said | ToolCallMessage | ToolResultMessage

_ROLES: Final[dict[type, str]] = {
    SystemMessage: "system",
    UserMessage: "user",
    AssistantMessage: "assistant",
}


@dataclass(frozen=True, slots=True)
class FunctionTool:
    """A tool of ours; `parameters` is a JSON schema of an object. Sent unencrypted."""

    name: str
    description: str
    parameters: dict[str, Any]


@dataclass(frozen=True, slots=True)
class ResponseFormat:
    """The JSON schema of an answer; the service does not always keep it."""

    name: str
    schema: dict[str, Any]


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """One request. `server_tools` are names of Proton's own, such as `web_search`.

    `tool_choice` is `auto` if not given. `image_aspect_ratio` is like `16:9`.
    """

    messages: tuple[Message, ...]
    model: str = DEFAULT_MODEL
    reasoning_effort: str = "none"
    function_tools: tuple[FunctionTool, ...] = ()
    server_tools: tuple[str, ...] = ()
    tool_choice: str | None = None
    max_tokens: int | None = None
    response_format: ResponseFormat | None = None
    image_aspect_ratio: str | None = None

    @property
    def images(self) -> list[Image]:
        """Return the pictures that are shown."""
        users = [item for item in self.messages if isinstance(item, UserMessage)]
        return [image for message in users for image in message.images]

    @property
    def draws(self) -> bool:
        """Return whether the model may answer with pictures."""
        return not IMAGE_TOOLS.isdisjoint(self.server_tools)

    @property
    def characters(self) -> int:
        """Return the length of all messages, in clear, and of the tool definitions."""
        messages = sum(len(_message_text(message)) for message in self.messages)
        tools = _tools(self)
        return (
            messages
            + (len(dump_json(tools)) if tools else 0)
            + IMAGE_CHARACTERS * len(self.images)
        )


def build_body(request: ChatRequest, cipher: RequestCipher | None) -> bytes:
    """Return the JSON body, encrypted if there is a cipher; slow with pictures.

    The form of an answer cannot be encrypted, so it is left out beside a cipher.
    """
    body: dict[str, Any] = {
        "model": request.model,
        "messages": _encrypted_messages(request.messages, cipher)
        if cipher
        else _plain_messages(request.messages),
        "stream": True,
        "stream_options": {"include_usage": True},
        "reasoning_effort": request.reasoning_effort,
    }
    if tools := _tools(request):
        body["tools"] = tools
        body["tool_choice"] = request.tool_choice or "auto"
    if request.max_tokens is not None:
        body["max_tokens"] = request.max_tokens
    # Lumo's own extension of the OpenAI form; clients with a key leave it out.
    lumo: dict[str, Any] = {}
    if cipher:
        lumo = {
            "client_type": "frontend",
            "target": "message",
            "request_key": cipher.request_key,
            "request_id": cipher.request_id,
        }
    elif form := request.response_format:
        body["response_format"] = {
            "type": "json_schema",
            "json_schema": {"name": form.name, "schema": form.schema},
        }
    if request.image_aspect_ratio:
        lumo["image_aspect_ratio"] = request.image_aspect_ratio
    if lumo:
        body["lumo"] = lumo
    return dump_json(body).encode()


def _entries(
    messages: Sequence[Message],
) -> Iterator[_Said | tuple[ToolCallMessage, str]]:
    """Yield what was said, and each call with its result; no empty turns."""
    results: dict[int, str] = {}
    waiting: defaultdict[str, list[int]] = defaultdict(list)
    for number, message in enumerate(messages):
        if isinstance(message, ToolCallMessage):
            waiting[message.call_id].append(number)
        elif isinstance(message, ToolResultMessage) and waiting[message.call_id]:
            results[waiting[message.call_id].pop(0)] = message.text
    for number, message in enumerate(messages):
        if isinstance(message, ToolCallMessage):
            yield message, results.get(number, _NO_RESULT)
        elif isinstance(message, SystemMessage | UserMessage) or (
            isinstance(message, AssistantMessage) and message.text
        ):
            yield message


def _encrypted_messages(
    messages: Sequence[Message], cipher: RequestCipher
) -> list[dict[str, Any]]:
    plain: list[tuple[str, str, tuple[Image, ...]]] = []
    for entry in _entries(messages):
        if isinstance(entry, tuple):
            call, result = entry
            plain += [("lumo_tool_call", _message_text(call), ()), ("tool", result, ())]
        else:
            images = entry.images if isinstance(entry, UserMessage) else ()
            plain.append((_ROLES[type(entry)], entry.text, images))
    plain.append(("assistant", "", ()))
    return [
        {"role": role, "content": _content(text, images, cipher), "encrypted": True}
        for role, text, images in plain
    ]


def _plain_messages(messages: Sequence[Message]) -> list[dict[str, Any]]:
    """Return the messages; a call takes the words that were said before it along."""
    written: list[dict[str, Any]] = []
    for entry in _entries(messages):
        if not isinstance(entry, tuple):
            images = entry.images if isinstance(entry, UserMessage) else ()
            content = _content(entry.text, images, None)
            written.append({"role": _ROLES[type(entry)], "content": content})
            continue
        call, result = entry
        said = {"role": "assistant", "content": ""}
        if written and written[-1]["role"] == "assistant":
            said = written.pop()
        function = {"name": call.name, "arguments": dump_json(call.arguments)}
        tool_call = {"id": call.call_id, "type": "function", "function": function}
        answer = {"tool_call_id": call.call_id, "content": well_formed(result)}
        written += [{**said, "tool_calls": [tool_call]}, {"role": "tool", **answer}]
    return written


def _content(
    text: str, images: Sequence[Image], cipher: RequestCipher | None
) -> str | list[dict[str, Any]]:
    """Return the content of a message, in parts if pictures are shown with it.

    As the web client has it, encrypted pictures have no type, and each part has a flag.
    """
    text = cipher.encrypt(text) if cipher else well_formed(text)
    if not images:
        return text
    flag = {"encrypted": True} if cipher else {}
    parts: list[dict[str, Any]] = [{"type": "text", "text": text, **flag}]
    for image in images:
        if cipher:
            url = f"data:application/octet-stream;base64,{cipher.seal(image.data)}"
        else:
            data = base64.b64encode(image.data).decode("ascii")
            url = f"data:{image.media_type};base64,{data}"
        parts.append({"type": "image_url", "image_url": {"url": url, **flag}})
    return parts


def _message_text(message: Message) -> str:
    if isinstance(message, ToolCallMessage):
        return dump_json(
            {
                "id": message.call_id,
                "name": message.name,
                "arguments": message.arguments,
            }
        )
    return message.text


def _tools(request: ChatRequest) -> list[dict[str, Any]]:
    tools: list[dict[str, Any]] = [{"name": name} for name in request.server_tools]
    tools.extend(
        {
            "type": "function",
            "function": {
                "name": tool.name,
                "description": tool.description,
                # The members that Proton's web client adds where they are missing.
                "parameters": {"type": "object", "properties": {}, **tool.parameters},
            },
        }
        for tool in request.function_tools
    )
    return tools
