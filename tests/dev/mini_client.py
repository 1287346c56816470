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
    body: Any = None
    lines: list[str] = field(default_factory=list)
    comments: list[str] = field(default_factory=list)
    events: list[dict[str, Any]] = field(default_factory=list)
    text: str = ""
    calls: list[tuple[str, str]] = field(default_factory=list)  # name, arguments
    finish: str | None = None
    done: bool = False
    problems: list[str] = field(default_factory=list)


class MiniClient:
    """Sends a chat, encrypted or in clear; opens what comes back."""

    def __init__(
        self, http: httpx.AsyncClient, key_file: str, *, encrypted: bool = True
    ) -> None:
        self.http = http
        self.encrypted = encrypted
        self._recipient = pysequoia.Cert.from_bytes(Path(key_file).read_bytes())
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
        associated = f"lumo.response.{self.request_id}.chunk".encode()
        try:
            raw = base64.b64decode(text, validate=True)
            return AESGCM(self.key).decrypt(raw[:12], raw[12:], associated).decode()
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
        async with self.http.stream("POST", CHAT, json=body) as response:
            reply.status = response.status_code
            if not response.headers["Content-Type"].startswith("text/event-stream"):
                reply.body = json.loads(await response.aread())
                return reply
            async for line in response.aiter_lines():
                self._line(line.strip(), reply)
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
            reply.done |= event["type"] == "done"
            if event["type"] == "token_data" and event["target"] == "message":
                self._add(event["content"], event.get("encrypted"), reply)
        else:
            self._chunk(event, reply)

    def _chunk(self, event: dict[str, Any], reply: Reply) -> None:
        if error := event.get("error"):
            reply.problems.append(error["code"])
        for choice in event.get("choices", [])[:1]:
            reply.finish = choice.get("finish_reason") or reply.finish
            delta = choice.get("delta", {})
            if (piece := delta.get("content")) is not None:
                self._add(piece, delta.get("encrypted"), reply)
            for call in delta.get("tool_calls", []):
                function = call["function"]
                while len(reply.calls) <= call["index"]:
                    reply.calls.append(("", ""))
                name, arguments = reply.calls[call["index"]]
                reply.calls[call["index"]] = (
                    function.get("name") or name,
                    arguments + function["arguments"],
                )

    def _add(self, piece: str, encrypted: object, reply: Reply) -> None:
        try:
            reply.text += self.open(piece) if encrypted else piece
        except NotAuthenticError:
            reply.problems.append("integrity")

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
