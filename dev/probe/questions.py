"""What is asked: some thirty requests, each small, and what is seen of each answer.

The requests are built and read by the integration's own client, so that what holds here
holds for a home; beside its events the raw lines are kept for a look at their form.
"""

import asyncio
import base64
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import chain
import json
from typing import Any, Final

import httpx

from custom_components.lumo.lumo_client.auth import Credential
from custom_components.lumo.lumo_client.encryption import RequestCipher
from custom_components.lumo.lumo_client.endpoints import LUMO_APP_VERSION, Endpoints
from custom_components.lumo.lumo_client.errors import LumoError
from custom_components.lumo.lumo_client.events import Event, TextDelta
from custom_components.lumo.lumo_client.messages import (
    AssistantMessage,
    ChatRequest,
    FunctionTool,
    Image,
    Message,
    ToolCallMessage,
    ToolResultMessage,
    UserMessage,
    build_body,
)
from custom_components.lumo.lumo_client.stream import StreamParser
from custom_components.lumo.lumo_client.transport import USER_AGENT

from .sentences import SENTENCES
from .speech import SILENCE, listen

SECONDS: Final = 120.0

LAMP: Final = FunctionTool(
    "HassTurnOn",
    "Turns on a device",
    {"properties": {"name": {"type": "string"}}, "required": ["name"]},
)
_PRINT: Final = (
    "You control a home. To turn something on, answer with nothing but this code block:\n"
    '```json\n{"name": "user:HassTurnOn", "arguments": {"name": "<its name>"}}\n```'
)
_REMIND: Final = (
    "(Reminder: to turn something on, answer with nothing but the code block.)"
)
_ON: Final = "Turn on the kitchen lamp."
_SEVEN: Final = "Say the word seven."
# Sixteen pixels each way.
_RED: Final = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAIAAACQkWg2AAAAFklEQVR42mP4z8BAEmIY1TCqYfhqAACQ"
    "+f8B8u7oVwAAAABJRU5ErkJggg=="
)


@dataclass(slots=True)
class Seen:
    """What came back. Holds no header and nothing that was sent."""

    status: int = 0
    content_type: str = ""
    values: list[dict[str, Any]] = field(default_factory=list)
    """The JSON objects, of a stream or of a whole answer."""
    comments: list[str] = field(default_factory=list)
    done: bool = False
    """The stream ended with its mark."""
    events: list[Event] = field(default_factory=list)
    error: str | None = None
    """The short code of our client's error."""

    def of[T: Event](self, kind: type[T]) -> list[T]:
        """Return the events of a kind."""
        return [event for event in self.events if isinstance(event, kind)]

    @property
    def text(self) -> str:
        """Return what was said."""
        return "".join(event.text for event in self.of(TextDelta))

    def deltas(self) -> Iterator[dict[str, Any]]:
        """Return the deltas of the chunks."""
        for value in self.values:
            for choice in value.get("choices") or ():
                yield choice.get("delta") or {}


@dataclass(frozen=True, slots=True)
class Question:
    """One request; `path` is below the API's address, the chat call without one.

    Only who has such a credential `needs` to ask it.
    `sound` goes to the socket for speech instead; empty, it is what a person brought.
    """

    chat: ChatRequest | None = None
    path: str = "chat/completions"
    body: dict[str, Any] | None = None
    needs: type[Credential] = Credential
    sound: bytes | None = None


def _chat(*messages: Message, **options: Any) -> Question:
    return Question(ChatRequest(messages=messages, **options))


QUESTIONS: Final[dict[str, Question]] = {
    "models": Question(path="models"),
    "limits": Question(path="limits"),
    "unknown path": Question(path="nothing-is-here"),
    "no messages": Question(body={"model": "lumo-lite", "stream": True}),
    "hello": _chat(UserMessage(_SEVEN)),
    "function": _chat(UserMessage(_ON), function_tools=(LAMP,)),
    "result": _chat(
        UserMessage(_ON),
        ToolCallMessage("call_1", LAMP.name, {"name": "kitchen lamp"}),
        ToolResultMessage("call_1", '{"success": true}'),
        function_tools=(LAMP,),
    ),
    "printed, last": _chat(UserMessage("Hello."), UserMessage(f"{_PRINT}\n\n{_ON}")),
    "printed, first": _chat(UserMessage(f"{_PRINT}\n\nHello."), UserMessage(_ON)),
    "printed, split": _chat(
        UserMessage(f"{_PRINT}\n\nHello."), AssistantMessage("Hello."),
        UserMessage(f"{_REMIND}\n\n{_ON}"),
    ),
    "thinking": _chat(UserMessage(_SEVEN), reasoning_effort="high"),
    "max": _chat(UserMessage(_SEVEN), model="lumo-max"),
    "web search": _chat(
        UserMessage("Search the web for Proton and say its country in a word."),
        server_tools=("web_search",),
    ),
    "picture": _chat(UserMessage("Say the colour of this picture.", (Image(_RED, "image/png"),))),
    "drawing": _chat(
        UserMessage("Make a picture of a red circle with the tool generate_image."),
        server_tools=("generate_image",), image_aspect_ratio="16:9",
    ),
    "socket": Question(sound=SILENCE),
    "speech": Question(sound=b""),
    **{item.says: Question(item.request) for item in SENTENCES},
}  # fmt: skip


async def ask_all(
    http: httpx.AsyncClient,
    endpoints: Endpoints,
    credential: Credential,
    *,
    speech: bytes = b"",
    pause: float = 0,
    tell: Callable[[str], None] = lambda _: None,
) -> dict[str, Seen]:
    """Ask every question once, one after the other, with a pause between them."""
    seen: dict[str, Seen] = {}
    for name, question in QUESTIONS.items():
        if not isinstance(credential, question.needs):
            seen[name] = Seen()
            continue
        if seen:
            await asyncio.sleep(pause)
        tell(name)
        seen[name] = await ask(http, endpoints, credential, question, speech)
    return seen


async def ask(
    http: httpx.AsyncClient,
    endpoints: Endpoints,
    credential: Credential,
    question: Question,
    speech: bytes = b"",
) -> Seen:
    """Send one request and look at its answer; failures are part of what is seen."""
    if question.sound is not None:
        return await _speak(endpoints, credential, question.sound or speech)
    seen = Seen()
    headers = {"User-Agent": USER_AGENT, "Accept-Encoding": "identity"}
    headers |= await credential.headers()
    if credential.encrypted:
        headers["x-pm-appversion"] = LUMO_APP_VERSION
    cipher = None
    body: bytes | None = None
    if question.body is not None:
        body = json.dumps(question.body).encode()
    elif question.chat is not None:
        if credential.encrypted:
            cipher = RequestCipher.create(endpoints.public_key)
        body = build_body(question.chat, cipher)
    if body is not None:
        headers |= {"Content-Type": "application/json", "Accept": "text/event-stream"}
    parser = StreamParser(cipher.decrypt if cipher else None, images=True)
    url = f"{endpoints.base_url}/{question.path}"
    try:
        async with (
            asyncio.timeout(SECONDS),
            http.stream(
                "POST" if body else "GET",
                url,
                headers=headers,
                content=body,
                timeout=SECONDS,
            ) as response,
        ):
            seen.status = response.status_code
            seen.content_type = response.headers.get("content-type", "").partition(";")[
                0
            ]
            data = await response.aread()
    except (httpx.HTTPError, TimeoutError) as err:
        seen.error = type(err).__name__
        return seen
    _look_at_lines(seen, data)
    if question.chat is not None and response.is_success:
        try:
            seen.events.extend(chain(parser.feed(data), parser.finish()))
        except LumoError as err:
            seen.error = err.code
    return seen


async def _speak(endpoints: Endpoints, credential: Credential, sound: bytes) -> Seen:
    seen = Seen()
    if sound:
        is_open, text, seen.values, seen.error = await listen(
            endpoints, credential, sound
        )
        seen.status = 200 if is_open else 403
        seen.events = [TextDelta(text)] if text else []
    return seen


def _look_at_lines(seen: Seen, data: bytes) -> None:
    for line in data.decode(errors="replace").splitlines():
        text = line.strip().removeprefix("data:").strip()
        if line.startswith(":"):
            seen.comments.append(line[1:].strip())
        elif text == "[DONE]":
            seen.done = True
        elif text.startswith("{"):
            try:
                seen.values.append(json.loads(text))
            except ValueError, RecursionError:
                continue
