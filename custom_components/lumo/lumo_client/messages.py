"""A request to Lumo: typed messages and tools in, the JSON body out.

Encrypted as Proton's web client writes it, with an empty assistant message for the
answer to come; plain in the ordinary OpenAI form. Behind each call has to stand its
result: the service refuses one without the other.
"""

import base64
from collections.abc import Sequence
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


type Message = (
    SystemMessage | UserMessage | AssistantMessage | ToolCallMessage | ToolResultMessage
)

_ROLES: Final[dict[type, str]] = {
    SystemMessage: "system",
    UserMessage: "user",
    AssistantMessage: "assistant",
    # In the encrypted form.
    ToolCallMessage: "lumo_tool_call",
    ToolResultMessage: "tool",
}


@dataclass(frozen=True, slots=True)
class FunctionTool:
    """A function tool; `parameters` is a JSON schema of an object. Sent unencrypted."""

    name: str
    description: str
    parameters: dict[str, Any]


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """One request. `server_tools` are names of Proton's own, such as `web_search`."""

    messages: tuple[Message, ...]
    model: str = DEFAULT_MODEL
    reasoning_effort: str = "none"
    function_tools: tuple[FunctionTool, ...] = ()
    server_tools: tuple[str, ...] = ()
    max_tokens: int | None = None
    image_aspect_ratio: str | None = None
    """Such as `16:9`."""

    @property
    def images(self) -> list[Image]:
        """Return the pictures that are shown."""
        return [image for message in self.messages for image in _images_of(message)]

    @property
    def draws(self) -> bool:
        """Return whether the model may answer with pictures."""
        return not IMAGE_TOOLS.isdisjoint(self.server_tools)

    @property
    def characters(self) -> int:
        """Return the length of all messages, unencrypted, and of the tool definitions."""
        tools = _tools(self)
        return (
            sum(len(_message_text(message)) for message in self.messages)
            + (len(dump_json(tools)) if tools else 0)
            + IMAGE_CHARACTERS * len(self.images)
        )


def build_body(request: ChatRequest, cipher: RequestCipher | None) -> bytes:
    """Return the JSON body, encrypted if there is a cipher; slow with pictures."""
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
        body["tool_choice"] = "auto"
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
    if request.image_aspect_ratio:
        lumo["image_aspect_ratio"] = request.image_aspect_ratio
    if lumo:
        body["lumo"] = lumo
    return dump_json(body).encode()


def _encrypted_messages(
    messages: Sequence[Message], cipher: RequestCipher
) -> list[dict[str, Any]]:
    plain = [
        (_ROLES[type(item)], _message_text(item), _images_of(item)) for item in messages
    ]
    plain.append(("assistant", "", ()))
    return [
        {"role": role, "content": _content(text, images, cipher), "encrypted": True}
        for role, text, images in plain
    ]


def _plain_messages(messages: Sequence[Message]) -> list[dict[str, Any]]:
    """Return the messages; a call takes the words that were said before it along."""
    written: list[dict[str, Any]] = []
    for message in messages:
        said: dict[str, Any] = {"role": _ROLES[type(message)]}
        if isinstance(message, ToolCallMessage):
            said = {"role": "assistant", "content": ""}
            if written and written[-1]["role"] == "assistant":
                said = written.pop()
            function = {"name": message.name, "arguments": dump_json(message.arguments)}
            call = {"id": message.call_id, "type": "function", "function": function}
            written.append({**said, "tool_calls": [call]})
        elif isinstance(message, ToolResultMessage):
            answered = {"tool_call_id": message.call_id, **said}
            written.append({**answered, "content": well_formed(message.text)})
        else:
            content = _content(message.text, _images_of(message), None)
            written.append({**said, "content": content})
    return written


def _images_of(message: Message) -> Sequence[Image]:
    return message.images if isinstance(message, UserMessage) else ()


def _content(
    text: str, images: Sequence[Image], cipher: RequestCipher | None
) -> str | list[dict[str, Any]]:
    # As the web client has it: encrypted pictures have no type, each part has a flag.
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
