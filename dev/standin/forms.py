"""The two forms of the stream's events: the current one, and the old messages."""

import base64
from collections.abc import Iterator
from typing import Any, Protocol

from .encryption import Channel
from .plan import (
    BadText,
    Comment,
    Done,
    Failure,
    Finish,
    FunctionCall,
    ImageData,
    Json,
    Reasoning,
    ServerCall,
    ServerResult,
    Step,
    Text,
    Usage,
    dump,
)

# A payload: an object to send, a comment, or text to send as it is.
type Payload = Json | str

END_MARK = "data: [DONE]"
BROKEN_LINE = 'data: {"choices":[{"index":0,"delta":{"content":"bro'


class Form(Protocol):
    """Something that turns a step into payloads."""

    def payloads(self, step: Step) -> Iterator[Payload]:
        """Return what to send for a step."""


def sealed_image(image: ImageData, channel: Channel | None) -> Json:
    """Return the members that hold the bytes of a picture."""
    if channel is None or image.damage == "in_clear":
        members: Json = {"data": base64.b64encode(image.data).decode()}
    else:
        seal = channel.seal_badly if image.damage == "sealed_badly" else channel.seal
        members = {"data": seal(image.data), "encrypted": True}
    if image.damage == "cut":
        members["data"] = members["data"][:-5]
    return members


class CurrentForm:
    """Chunks as OpenAI's, and the service's own objects beside them."""

    def __init__(
        self, channel: Channel | None, model: str, target: str, usage: Json
    ) -> None:
        self._channel = channel
        self._model = model
        self._target = target
        self._usage = usage
        self._begun = False

    def payloads(self, step: Step) -> Iterator[Payload]:
        """Return what to send for a step."""
        match step:
            case Comment(text):
                yield f":{text}"
            case Text(text):
                yield self._delta(self._sealed({"content": text}, "content"))
            case Reasoning(text):
                yield self._delta(self._sealed({"reasoning": text}, "reasoning"))
            case BadText() if self._channel is not None:
                bad = self._channel.seal_badly("?")
                yield self._delta({"content": bad, "encrypted": True})
            case BadText():
                yield BROKEN_LINE
            case FunctionCall():
                yield from self._function_call(step)
            case ServerCall(call_id, name, members):
                call: Json = {"id": call_id, "name": name, **(members or {})}
                for member in members or {}:
                    self._seal_member(call, member)
                yield {"object": "chat.tool_call", "tool_call": call}
            case ServerResult(call_id, content):
                result: Json = {"call_id": call_id, "content": content}
                self._seal_member(result, "content")
                yield {"object": "chat.tool_result", "tool_result": result}
            case ImageData(image_id):
                image = {"id": image_id, "seed": 7, **sealed_image(step, self._channel)}
                yield {"object": "lumo.image_data", "image": image}
            case Failure(code, message, kind):
                yield {"error": {"message": message, "type": kind, "code": code}}
            case Finish(reason):
                yield self._chunk({"delta": {}, "finish_reason": reason})
            case Usage():
                yield {
                    "object": "chat.completion.chunk",
                    "model": self._model,
                    "choices": [],
                    "usage": self._usage,
                }
            case Done():
                yield END_MARK

    def _function_call(self, call: FunctionCall) -> Iterator[Payload]:
        """Return a call whole, or name first and then fragments.

        Encrypted arguments are one text: no client has seen them in several.
        """
        fragments: tuple[str, ...] = call.fragments
        if self._channel is not None:
            whole = "".join(fragments)
            seal = self._channel.seal_badly if call.bad else self._channel.seal
            fragments = (seal(whole),)
        elif call.bad:
            fragments = ("".join(fragments)[:-1] + "\x00",)
        for number, fragment in enumerate(fragments):
            function: Json = {"arguments": fragment}
            entry: Json = {"index": call.index, "function": function}
            if number == 0:
                entry |= {"id": call.call_id, "type": "function"}
                function["name"] = call.name
            yield self._delta({"tool_calls": [entry]})

    def _sealed(self, delta: Json, member: str) -> Json:
        if self._channel is not None:
            delta[member] = self._channel.seal(delta[member])
            delta["encrypted"] = True
        return delta

    def _seal_member(self, holder: Json, member: str) -> None:
        if self._channel is None:
            return
        value = holder[member]
        holder[member] = self._channel.seal(
            value if isinstance(value, str) else dump(value)
        )
        holder["encrypted"] = True

    def _delta(self, delta: Json) -> Json:
        if not self._begun:
            self._begun = True
            delta = {"role": "assistant", **delta}
        if self._target != "message":
            delta["target"] = self._target
        return self._chunk({"delta": delta})

    def _chunk(self, choice: Json) -> Json:
        return {
            "id": "chatcmpl-standin",
            "object": "chat.completion.chunk",
            "created": 1,
            "model": self._model,
            "choices": [{"index": 0, **choice}],
        }


class LegacyForm:
    """The message types of before; what they cannot say is said in the current form.

    A call on the service's channel is JSON in messages of target `tool_call`, several
    of them without anything between.
    """

    # Long enough to be seldom whole, short enough to be often split.
    PIECE = 12

    def __init__(
        self, channel: Channel | None, model: str, target: str, usage: Json
    ) -> None:
        self._channel = channel
        self._current = CurrentForm(channel, model, target, usage)
        self._target = target
        self._counts: dict[str, int] = {}

    def payloads(self, step: Step) -> Iterator[Payload]:
        """Return what to send for a step."""
        match step:
            case Comment("queued"):
                yield {"type": "queued"}
            case Comment("ingesting"):
                yield {"type": "ingesting", "target": self._target}
            case Text(text):
                yield self._token(self._target, text)
            case Reasoning(text):
                yield self._token("reasoning", text)
            case BadText() if self._channel is not None:
                message = self._token(self._target, "?")
                yield message | {"content": self._channel.seal_badly("?")}
            case ServerCall(_, _, None):
                pass
            case ServerCall(_, name, members):
                yield from self._tokens(
                    "tool_call", dump({"name": name, **(members or {})})
                )
            case ServerResult(_, content):
                yield from self._tokens("tool_result", content)
            case ImageData(image_id):
                # A preview comes before the picture itself.
                for is_final in (False, True):
                    yield {
                        "type": "image_data",
                        "image_id": image_id,
                        "is_final": is_final,
                        "seed": 7,
                        **sealed_image(step, self._channel),
                    }
            case Failure(code, message, _, "tool-error"):
                yield {
                    "type": "tool-error",
                    "error": {"code": code, "message": message},
                }
            case Failure(legacy=kind):
                yield {"type": kind}
            case Finish("content_filter"):
                yield {"type": "harmful"}
            case Finish():
                pass
            case Done():
                yield {"type": "done"}
            case _:
                yield from self._current.payloads(step)

    def _tokens(self, target: str, text: str) -> Iterator[Json]:
        for start in range(0, len(text), self.PIECE):
            yield self._token(target, text[start : start + self.PIECE])

    def _token(self, target: str, text: str) -> dict[str, Any]:
        count = self._counts[target] = self._counts.get(target, -1) + 1
        message: Json = {
            "type": "token_data",
            "target": target,
            "count": count,
            "content": text,
        }
        if self._channel is not None:
            message |= {"content": self._channel.seal(text), "encrypted": True}
        return message
