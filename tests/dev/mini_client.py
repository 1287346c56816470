"""A client written from the protocol's description, independent of both sides."""

import base64
from dataclasses import dataclass, field
import json
import os
from pathlib import Path
from typing import Any
import uuid

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
import httpx
import pysequoia

CHAT = "/api/ai/v1/chat/completions"


class NotAuthenticError(Exception):
    """An item of the answer that was not made with this key for this request."""


@dataclass
class Reply:
    status: int = 200
    headers: httpx.Headers = field(default_factory=httpx.Headers)
    body: Any = None
    lines: list[str] = field(default_factory=list)
    comments: list[str] = field(default_factory=list)
    events: list[dict[str, Any]] = field(default_factory=list)
    text: str = ""
    reasoning: str = ""
    calls: list[tuple[str, str]] = field(default_factory=list)  # name, arguments
    images: list[bytes] = field(default_factory=list)
    server: list[dict[str, Any]] = field(default_factory=list)
    finish: str | None = None
    usage: dict[str, Any] | None = None
    done: bool = False
    problems: list[str] = field(default_factory=list)
    broken: bool = False


class MiniClient:
    """Sends a chat, encrypted or in clear; opens what comes back."""

    def __init__(
        self, http: httpx.AsyncClient, key_file: str, *, encrypted: bool = True
    ) -> None:
        self.http = http
        self.encrypted = encrypted
        self.headers: dict[str, str] = {}
        self.path = CHAT
        self._recipient = pysequoia.Cert.from_bytes(Path(key_file).read_bytes())
        self.new_key()

    def new_key(self) -> None:
        self.key = os.urandom(32)
        self.request_id = str(uuid.uuid4())

    def seal(self, text: str | bytes, direction: str = "request.{}.turn") -> str:
        data = text.encode() if isinstance(text, str) else text
        iv = os.urandom(12)
        associated = f"lumo.{direction.format(self.request_id)}".encode()
        return base64.b64encode(
            iv + AESGCM(self.key).encrypt(iv, data, associated)
        ).decode()

    def open(self, text: str) -> str:
        return self.open_bytes(text).decode()

    def open_bytes(self, text: str) -> bytes:
        associated = f"lumo.response.{self.request_id}.chunk".encode()
        try:
            raw = base64.b64decode(text, validate=True)
            return AESGCM(self.key).decrypt(raw[:12], raw[12:], associated)
        except (InvalidTag, ValueError) as error:
            raise NotAuthenticError from error

    def lumo(self) -> dict[str, str]:
        wrapped = pysequoia.encrypt(
            bytes=self.key, recipients=[self._recipient], armor=False
        )
        return {
            "request_key": base64.b64encode(wrapped).decode(),
            "request_id": self.request_id,
        }

    def body(
        self, messages: list[dict[str, Any]] | str, **members: Any
    ) -> dict[str, Any]:
        if isinstance(messages, str):
            messages = [{"role": "user", "content": messages}]
        body: dict[str, Any] = {
            "model": "lumo-lite",
            "messages": messages,
            "stream": True,
            "stream_options": {"include_usage": True},
            "lumo": {"client_type": "frontend", "target": "message"},
        }
        if self.encrypted:
            body["messages"] = [
                {**turn, "content": self.seal(turn["content"]), "encrypted": True}
                for turn in [*messages, {"role": "assistant", "content": ""}]
            ]
            body["lumo"] |= self.lumo()
        body["lumo"] |= members.pop("lumo", {})
        return body | members

    async def chat(self, messages: list[dict[str, Any]] | str, **members: Any) -> Reply:
        return await self.post(self.body(messages, **members))

    async def post(self, body: dict[str, Any]) -> Reply:
        reply = Reply()
        try:
            async with self.http.stream(
                "POST", self.path, json=body, headers=self.headers
            ) as response:
                reply.status = response.status_code
                reply.headers = response.headers
                if not response.headers["Content-Type"].startswith("text/event-stream"):
                    reply.body = json.loads(await response.aread())
                    return reply
                async for line in response.aiter_lines():
                    self._line(line.strip(), reply)
        except httpx.RemoteProtocolError:
            reply.broken = True
        self._finish_calls(reply)
        return reply

    def _line(self, line: str, reply: Reply) -> None:
        if not line:
            return
        reply.lines.append(line)
        if line.startswith(":"):
            reply.comments.append(line[1:].strip())
            return
        data = line.removeprefix("data:").strip()
        if data == "[DONE]":
            reply.done = True
            return
        try:
            event = json.loads(data)
        except ValueError:
            reply.problems.append(line)
            return
        reply.events.append(event)
        if "type" in event:
            self._legacy(event, reply)
        elif str(event.get("object")).startswith("chat.tool_"):
            self._server(event, reply)
        elif event.get("object") == "lumo.image_data":
            self._image(event["image"], reply)
        else:
            self._chunk(event, reply)

    def _chunk(self, event: dict[str, Any], reply: Reply) -> None:
        if error := event.get("error"):
            reply.problems.append(error["code"])
        reply.usage = event.get("usage") or reply.usage
        for choice in event.get("choices", [])[:1]:
            reply.finish = choice.get("finish_reason") or reply.finish
            delta = choice.get("delta", {})
            for member, target in (("content", "text"), ("reasoning", "reasoning")):
                if (piece := delta.get(member)) is not None:
                    self._add(piece, delta.get("encrypted"), target, reply)
            for call in delta.get("tool_calls", []):
                function = call["function"]
                while len(reply.calls) <= call["index"]:
                    reply.calls.append(("", ""))
                name, arguments = reply.calls[call["index"]]
                reply.calls[call["index"]] = (
                    function.get("name") or name,
                    arguments + function["arguments"],
                )

    def _add(self, piece: str, encrypted: object, target: str, reply: Reply) -> None:
        try:
            piece = self.open(piece) if encrypted else piece
        except NotAuthenticError:
            reply.problems.append("integrity")
        else:
            setattr(reply, target, getattr(reply, target) + piece)

    def _image(self, image: dict[str, Any], reply: Reply) -> None:
        try:
            reply.images.append(
                self.open_bytes(image["data"])
                if image.get("encrypted")
                else base64.b64decode(image["data"], validate=True)
            )
        except NotAuthenticError, ValueError:
            reply.problems.append("image")

    def _server(self, event: dict[str, Any], reply: Reply) -> None:
        inner = dict(event.get("tool_call") or event["tool_result"])
        if inner.pop("encrypted", False):
            for member in ("arguments", "parameters", "content"):
                if isinstance(inner.get(member), str):
                    inner[member] = self.open(inner[member])
        reply.server.append(inner)

    def _legacy(self, event: dict[str, Any], reply: Reply) -> None:
        if event["type"] == "done":
            reply.done = True
        elif event["type"] in ("queued", "ingesting"):
            reply.comments.append(event["type"])
        elif event["type"] == "image_data":
            if event["is_final"]:
                self._image(event, reply)
        elif event["type"] == "token_data":
            content = event["content"]
            try:
                content = self.open(content) if event.get("encrypted") else content
            except NotAuthenticError:
                reply.problems.append("integrity")
                return
            if event["target"] == "message":
                reply.text += content
            else:
                reply.server.append({event["target"]: content})
        else:
            reply.problems.append(event["type"])

    def _finish_calls(self, reply: Reply) -> None:
        """Open arguments that are not JSON."""
        for number, (name, arguments) in enumerate(reply.calls):
            try:
                json.loads(arguments)
            except ValueError:
                try:
                    reply.calls[number] = (name, self.open(arguments))
                except NotAuthenticError:
                    reply.problems.append("integrity")
