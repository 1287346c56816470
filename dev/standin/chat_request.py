"""A chat request as the service understands it: read, opened, checked.

The service is tolerant: what it takes without complaint but a good client would not
send is reported as a violation, for tests to look at.
"""

import base64
import binascii
from collections.abc import Callable
import contextlib
from dataclasses import dataclass
import json
import re
from typing import Any
import uuid

from .encryption import Channel, DecryptError
from .errors import INVALID_ATTRIBUTES, INVALID_VALUE, ApiError
from .key_pair import KeyPair, UnwrapError, data_packet_version
from .pictures import SIZES, TOOLS, read_picture

type Json = dict[str, Any]
type Report = Callable[[str], None]

ROLES = frozenset({"system", "user", "assistant", "tool", "lumo_tool_call"})
_FUNCTION_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatRequest:
    """An opened request.

    `messages` are in the service's own form: text contents, and every tool call a
    `lumo_tool_call` with its `tool` result behind it, however they came in. A message
    with pictures has their bytes in `images`.
    """

    model: str
    messages: list[Json]
    function_tools: list[Json]
    server_tools: list[str]
    tool_choice: str | None
    stream: bool
    include_usage: bool
    reasoning: bool
    target: str
    max_tokens: int | None
    aspect_ratio: str | None
    channel: Channel | None

    @property
    def function_names(self) -> frozenset[str]:
        """Return the names of the offered function tools."""
        return frozenset(tool["function"]["name"] for tool in self.function_tools)

    @property
    def conversation(self) -> list[Json]:
        """Return the messages without the empty turn that stands for the answer."""
        messages = self.messages
        if messages and messages[-1] == {"role": "assistant", "content": ""}:
            return messages[:-1]
        return messages


def read_request(body: Json, key_pair: KeyPair, report: Report) -> ChatRequest:
    """Read a request's body; raise ApiError for what the service refuses."""
    missing = [name for name in ("model", "messages") if not body.get(name)]
    if missing:
        raise ApiError(
            422, INVALID_ATTRIBUTES, f"Missing required attributes {','.join(missing)}"
        )
    messages = body["messages"]
    if not isinstance(messages, list) or not all(
        isinstance(message, dict) for message in messages
    ):
        raise ApiError(422, INVALID_VALUE, "Invalid value for messages")
    lumo = body.get("lumo")
    lumo = lumo if isinstance(lumo, dict) else {}
    channel = open_channel(lumo, key_pair, report)
    clear = [_read_message(message, channel, report) for message in messages]
    if channel and channel.repeated_iv:
        report("an IV was used twice")
    function_tools, server_tools = _read_tools(body.get("tools"), report)
    opened = _service_form(clear)
    _check_order(opened, bool(function_tools), report)
    options = body.get("stream_options")
    tool_choice = body.get("tool_choice")
    return ChatRequest(
        model=str(body["model"]),
        messages=opened,
        function_tools=function_tools,
        server_tools=server_tools,
        tool_choice=tool_choice if isinstance(tool_choice, str) else None,
        stream=body.get("stream") is True,
        include_usage=isinstance(options, dict)
        and options.get("include_usage") is True,
        reasoning=body.get("reasoning_effort") in ("low", "medium", "high", "max"),
        target=str(lumo.get("target") or "message"),
        max_tokens=_positive(
            body.get("max_tokens") or body.get("max_completion_tokens")
        ),
        aspect_ratio=_read_aspect(lumo, server_tools, report),
        channel=channel,
    )


def _positive(value: object) -> int | None:
    return value if isinstance(value, int) and value > 0 else None


def open_channel(lumo: Json, key_pair: KeyPair, report: Report) -> Channel | None:
    """Unwrap the request's key; both key and id, or none."""
    wrapped, request_id = lumo.get("request_key"), lumo.get("request_id")
    if not wrapped and not request_id:
        return None
    if not isinstance(wrapped, str) or not isinstance(request_id, str):
        raise ApiError(
            422, INVALID_VALUE, "request_key and request_id must be given together"
        )
    try:
        message = base64.b64decode(wrapped, validate=True)
        key = key_pair.unwrap(message)
    except (binascii.Error, ValueError, UnwrapError) as error:
        raise ApiError(422, INVALID_VALUE, f"Invalid request_key: {error}") from error
    if data_packet_version(message) != 1:
        report("request_key is not in a version 1 encrypted data packet")
    try:
        uuid.UUID(request_id)
    except ValueError:
        report("request_id is not a UUID")
    return Channel(key, request_id)


def _read_message(message: Json, channel: Channel | None, report: Report) -> Json:
    role = "system" if message.get("role") == "developer" else message.get("role")
    if role not in ROLES:
        raise ApiError(422, INVALID_VALUE, f"Invalid role {role}")
    encrypted = message.get("encrypted") is True
    if channel and not encrypted:
        report(f"a {role} message in clear beside a request_key")
    content = message.get("content")
    images: list[bytes] = []
    if isinstance(content, list):
        text = "".join(_read_part(part, channel, images, report) for part in content)
    elif content is None:
        text = ""
    elif isinstance(content, str):
        text = _open_text(content, channel) if encrypted else content
    else:
        raise ApiError(422, INVALID_VALUE, "Invalid value for content")
    if images and role != "user":
        report(f"a picture in a {role} message")
    opened = {**message, "role": role, "content": text}
    return opened | {"images": images} if images else opened


def _read_part(
    part: object, channel: Channel | None, images: list[bytes], report: Report
) -> str:
    if not isinstance(part, dict):
        raise ApiError(422, INVALID_VALUE, "Invalid value for content")
    if isinstance(image := part.get("image_url"), dict):
        images.append(read_picture(image, channel, report))
        return ""
    text = str(part.get("text", ""))
    if part.get("encrypted") is True:
        return _open_text(text, channel)
    if channel:
        report("a text part in clear beside a request_key")
    return text


def _read_aspect(lumo: Json, server_tools: list[str], report: Report) -> str | None:
    if (ratio := lumo.get("image_aspect_ratio")) is None:
        return None
    if ratio not in SIZES:
        report(f"there is no image_aspect_ratio {ratio!r}")
        return None
    if not set(TOOLS) & set(server_tools):
        report("an image_aspect_ratio without a tool that makes pictures")
    return str(ratio)


def _open(sealed: str, channel: Channel | None) -> bytes:
    if channel is None:
        raise ApiError(422, INVALID_VALUE, "Encrypted message without request_key")
    try:
        return channel.open(sealed)
    except DecryptError as error:
        raise ApiError(
            422, INVALID_VALUE, f"Message could not be decrypted: {error}"
        ) from error


def _open_text(sealed: str, channel: Channel | None) -> str:
    try:
        return _open(sealed, channel).decode()
    except UnicodeDecodeError as error:
        raise ApiError(422, INVALID_VALUE, "Message is not UTF-8") from error


def _read_tools(tools: object, report: Report) -> tuple[list[Json], list[str]]:
    functions: list[Json] = []
    servers: list[str] = []
    if tools is None:
        tools = []
    if not isinstance(tools, list):
        raise ApiError(422, INVALID_VALUE, "Invalid value for tools")
    for tool in tools:
        if isinstance(tool, str):
            servers.append(tool)
            continue
        if not isinstance(tool, dict):
            raise ApiError(422, INVALID_VALUE, "Invalid value for tools")
        function = tool.get("function")
        if not isinstance(function, dict):
            if "parameters" not in tool and "description" not in tool:
                servers.append(str(tool.get("name")))
                continue
            function = {key: tool[key] for key in tool if key != "type"}
        name = function.get("name")
        if not isinstance(name, str) or not name:
            raise ApiError(422, INVALID_VALUE, "Invalid value for tools")
        if not _FUNCTION_NAME.fullmatch(name):
            report(f"function name {name!r} is not made of letters, digits, _ and -")
        parameters = function.get("parameters")
        if parameters is not None and (
            not isinstance(parameters, dict) or parameters.get("type") != "object"
        ):
            report(f"the parameters of {name} are no object schema")
        functions.append({"type": "function", "function": function})
    names = [tool["function"]["name"] for tool in functions]
    for name in {name for name in names if names.count(name) > 1}:
        report(f"function {name} is offered twice")
    return functions, servers


def _service_form(messages: list[Json]) -> list[Json]:
    """Turn OpenAI's tool calls into the service's own turns.

    An assistant message with `tool_calls` becomes its text and one `lumo_tool_call`
    for each call, each followed by the result that carries its id.
    """
    results = {
        message["tool_call_id"]: message["content"]
        for message in messages
        if message["role"] == "tool" and message.get("tool_call_id")
    }
    turns: list[Json] = []
    placed: set[str] = set()
    for message in messages:
        role, content = message["role"], message["content"]
        calls = message.get("tool_calls")
        if role == "assistant" and isinstance(calls, list) and calls:
            if content:
                turns.append({"role": role, "content": content})
            for call in calls:
                turns.append({"role": "lumo_tool_call", "content": _call_text(call)})
                if (call_id := call.get("id")) in results:
                    turns.append({"role": "tool", "content": results[call_id]})
                    placed.add(call_id)
        elif role != "tool" or message.get("tool_call_id") not in placed:
            turns.append(
                {
                    key: message[key]
                    for key in ("role", "content", "images")
                    if key in message
                }
            )
    return turns


def _call_text(call: Json) -> str:
    function = call.get("function") or {}
    arguments = function.get("arguments")
    if isinstance(arguments, str):
        with contextlib.suppress(ValueError):
            arguments = json.loads(arguments or "{}")
    return json.dumps(
        {
            "id": call.get("id"),
            "name": function.get("name"),
            "arguments": arguments or {},
        }
    )


def _check_order(messages: list[Json], tools: bool, report: Report) -> None:
    """Report tool turns out of place: each call is followed by its result."""
    before = ""
    for number, message in enumerate(messages):
        role = message["role"]
        if role == "tool" and before != "lumo_tool_call":
            report(f"message {number}: a tool result without its call before it")
        if before == "lumo_tool_call" and role != "tool":
            report(f"message {number}: a call without its result behind it")
        if role == "lumo_tool_call":
            if not tools:
                report(f"message {number}: a tool call, but no function tool offered")
            try:
                call = json.loads(message["content"])
                fine = isinstance(call["name"], str) and isinstance(
                    call["arguments"], dict
                )
            except ValueError, TypeError, KeyError:
                fine = False
            if not fine:
                report(f"message {number}: a tool call without name and arguments")
        before = role
    if before == "lumo_tool_call":
        report("the conversation ends in a call without its result")
