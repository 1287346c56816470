"""A request to Lumo: typed messages and tools in, the JSON body out.

The body is written in one place and in one of two forms:

* encrypted, as Proton's web client writes it: every message is encrypted, a tool call
  is a message of its own (role `lumo_tool_call`, which Lumo turns back into a call), its
  result follows at once (role `tool`; order alone links the two), and an empty
  assistant message at the end stands for the answer to come;
* plain, the ordinary OpenAI form, for API keys: `assistant` messages with `tool_calls`,
  then `tool` messages with a `tool_call_id`.

One request never mixes the two. In both, an orphan (a result whose call was trimmed
away, a call whose result never came) would make the service refuse the request: results
without a call are left out, calls without a result get one that says so.
"""

import base64
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import orjson

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


type Message = (
    SystemMessage | UserMessage | AssistantMessage | ToolCallMessage | ToolResultMessage
)


@dataclass(frozen=True, slots=True)
class FunctionTool:
    """A tool of ours, offered natively; `parameters` is a JSON schema of an object.

    Definitions travel unencrypted beside the encrypted messages.
    """

    name: str
    description: str
    parameters: dict[str, Any]


@dataclass(frozen=True, slots=True)
class ResponseFormat:
    """The form that an answer is to have, a JSON schema.

    A hint that the service does not always keep. It travels unencrypted.
    """

    name: str
    schema: dict[str, Any]


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """One request. `server_tools` are names of Proton's own, such as `web_search`.

    `tool_choice` is `auto` where tools are offered and nothing else is said.
    `image_aspect_ratio` is that of a picture which the model makes, such as `16:9`.
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
        """Return the length of all messages in clear plus the tool definitions.

        A picture counts as what a model needs to see it.
        """
        messages = sum(len(_message_text(message)) for message in self.messages)
        tools = _tools(self)
        return (
            messages
            + (len(dump_json(tools)) if tools else 0)
            + IMAGE_CHARACTERS * len(self.images)
        )


def build_body(request: ChatRequest, cipher: RequestCipher | None) -> bytes:
    """Return the JSON body, encrypted if there is a cipher.

    What cannot be encrypted but tells of the question, the form of the answer, is left
    out beside a cipher. With pictures it takes some milliseconds for each megabyte: run
    it outside the event loop.
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
    try:
        return orjson.dumps(body)
    except TypeError:
        return dump_json(body).encode()


@dataclass(slots=True)
class _Turn:
    """What was said, the calls that the model made with it, and what came back."""

    role: str
    text: str = ""
    images: tuple[Image, ...] = ()
    calls: list[ToolCallMessage] = field(default_factory=list)
    results: dict[int, str] = field(default_factory=dict)

    def answer(self, message: ToolResultMessage) -> None:
        for position, call in enumerate(self.calls):
            if call.call_id == message.call_id and position not in self.results:
                self.results[position] = message.text
                return

    def answered(self) -> Iterator[tuple[ToolCallMessage, str]]:
        for position, call in enumerate(self.calls):
            yield call, self.results.get(position, _NO_RESULT)


def _encrypted_messages(
    messages: Sequence[Message], cipher: RequestCipher
) -> list[dict[str, Any]]:
    plain: list[tuple[str, str, tuple[Image, ...]]] = []
    for turn in _turns(messages):
        if turn.text or not turn.calls:
            plain.append((turn.role, turn.text, turn.images))
        for call, result in turn.answered():
            plain += [("lumo_tool_call", _message_text(call), ()), ("tool", result, ())]
    plain.append(("assistant", "", ()))
    return [
        {"role": role, "content": _content(text, images, cipher), "encrypted": True}
        for role, text, images in plain
    ]


def _content(
    text: str, images: Sequence[Image], cipher: RequestCipher | None
) -> str | list[dict[str, Any]]:
    """Return the content of a message, in parts if pictures are shown with it.

    Encrypted pictures are bytes of no type; each part says that it is encrypted, and so
    does the message around it, as the web client has it.
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


def _plain_messages(messages: Sequence[Message]) -> list[dict[str, Any]]:
    written: list[dict[str, Any]] = []
    for turn in _turns(messages):
        content = _content(turn.text, turn.images, None)
        said: dict[str, Any] = {"role": turn.role, "content": content}
        written.append(said)
        for call, result in turn.answered():
            function = {"name": call.name, "arguments": dump_json(call.arguments)}
            said.setdefault("tool_calls", []).append(
                {"id": call.call_id, "type": "function", "function": function}
            )
            written.append(
                {
                    "role": "tool",
                    "tool_call_id": call.call_id,
                    "content": well_formed(result),
                }
            )
    return written


def _turns(messages: Sequence[Message]) -> list[_Turn]:
    """Put calls with their results and with the words said before them.

    A call after a result begins a new turn: it was made knowing that result. A turn of
    the model without words and calls says nothing; at the end it would be the answer to
    come.
    """
    turns = [_Turn("assistant")]
    for message in messages:
        match message:
            case ToolCallMessage():
                if turns[-1].role != "assistant" or turns[-1].results:
                    turns.append(_Turn("assistant"))
                turns[-1].calls.append(message)
            case ToolResultMessage():
                turns[-1].answer(message)
            case AssistantMessage(text):
                turns.append(_Turn("assistant", text))
            case SystemMessage(text):
                turns.append(_Turn("system", text))
            case UserMessage(text, images):
                turns.append(_Turn("user", text, images))
    return [
        turn for turn in turns if turn.role != "assistant" or turn.text or turn.calls
    ]


def _message_text(message: Message) -> str:
    """Return the text of a message as it is counted and, encrypted, sent."""
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
