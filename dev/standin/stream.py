"""Delivers a plan: as server-sent events, or as one object."""

import asyncio
from collections.abc import Callable, Iterator
import itertools
import json
from typing import Any

from aiohttp import web

from .connection import Gone, check, hang_up, silence
from .encryption import Channel
from .forms import Form, Payload
from .plan import (
    BadText,
    Drop,
    Failure,
    Finish,
    FunctionCall,
    Hang,
    Json,
    Pause,
    Reasoning,
    Step,
    Text,
)

type Framing = Callable[[str], Iterator[bytes]]


def plain_framing(line: str) -> Iterator[bytes]:
    """Send each line with an empty one behind it, in one write."""
    yield f"{line}\n\n".encode()


def wild_framing() -> Framing:
    """Use every liberty: CRLF, no empty line, bare JSON, writes that end anywhere."""
    turns = itertools.count()

    def frame(line: str) -> Iterator[bytes]:
        turn = next(turns)
        if turn % 4 == 1 and line.startswith("data: {"):
            line = line.removeprefix("data: ")
        if turn % 5 == 2:
            line = line.replace("data: ", "data:", 1)
        raw = line.encode() + (b"\n\n", b"\r\n\r\n", b"\n")[turn % 3]
        cuts = [0, 3 + turn % 7, len(raw) // 2, len(raw)]
        for start, end in itertools.pairwise(sorted(cuts)):
            if piece := raw[start:end]:
                yield piece

    return frame


class Delivery:
    """Sends a plan's steps to one client."""

    def __init__(self, request: web.Request) -> None:
        self._request = request

    async def stream(
        self, plan: list[Step], form: Form, framing: Framing
    ) -> tuple[web.StreamResponse, bool]:
        """Send a plan as events; say whether it arrived to its end."""
        response = web.StreamResponse(
            headers={
                "Content-Type": "text/event-stream; charset=utf-8",
                "Cache-Control": "no-cache",
            }
        )
        try:
            # Headers wait for the first step that is no waiting, as the service's do.
            for step in plan:
                if not response.prepared and not isinstance(step, Pause | Hang):
                    await response.prepare(self._request)
                if isinstance(step, Drop):
                    await response.write(b'data: {"choices":[{"index":0,"del')
                await self._wait(step)
                for payload in form.payloads(step):
                    for piece in framing(_line(payload)):
                        check(self._request)
                        await response.write(piece)
                        # Let each write travel alone, as the service's do.
                        await asyncio.sleep(0)
            await response.write_eof()
        except Gone, ConnectionResetError:
            hang_up(self._request)
            return response, False
        return response, True

    async def wait_for_object(self, plan: list[Step]) -> None:
        """Take the time that a plan takes, without sending anything."""
        try:
            for step in plan:
                await self._wait(step)
        except Gone:
            hang_up(self._request)

    async def _wait(self, step: Step) -> None:
        match step:
            case Pause(seconds):
                await silence(self._request, seconds)
            case Hang():
                await silence(self._request, None)
            case Drop():
                raise Gone


def _line(payload: Payload) -> str:
    if isinstance(payload, str):
        return payload
    return f"data: {json.dumps(payload, separators=(',', ':'), ensure_ascii=False)}"


def completion(
    plan: list[Step], channel: Channel | None, model: str, usage: Json
) -> Json:
    """Return a plan as one `chat.completion` object, or as an error object."""
    if failure := next((step for step in plan if isinstance(step, Failure)), None):
        return {
            "error": {
                "message": failure.message,
                "type": failure.kind,
                "code": failure.code,
            }
        }
    text = "".join(step.text for step in plan if isinstance(step, Text))
    thoughts = "".join(step.text for step in plan if isinstance(step, Reasoning))
    bad = any(
        isinstance(step, BadText) or (isinstance(step, FunctionCall) and step.bad)
        for step in plan
    )

    def sealed(value: str) -> str:
        if channel is None:
            return value
        return channel.seal_badly(value) if bad else channel.seal(value)

    message: dict[str, Any] = {"role": "assistant", "content": sealed(text)}
    if channel is not None:
        message["encrypted"] = True
    if thoughts:
        message["reasoning"] = sealed(thoughts)
    if calls := [step for step in plan if isinstance(step, FunctionCall)]:
        message["content"] = sealed(text) if text else None
        message["tool_calls"] = [
            {
                "id": call.call_id,
                "type": "function",
                "function": {
                    "name": call.name,
                    "arguments": sealed("".join(call.fragments)),
                },
            }
            for call in calls
        ]
    reason = next((step.reason for step in plan if isinstance(step, Finish)), "stop")
    return {
        "id": "chatcmpl-standin",
        "object": "chat.completion",
        "created": 1,
        "model": model,
        "choices": [{"index": 0, "message": message, "finish_reason": reason}],
        "usage": usage,
    }
