"""A server on loopback that stands before the stand-in and answers in its place.

One kind of call is answered by a fault, written to the socket byte by byte as it is;
everything else goes on to the stand-in.
"""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
import gzip
from http import HTTPStatus
import re
from typing import Final, Self

type Act = Callable[[asyncio.StreamWriter], Awaitable[None]]

_PAGE: Final = (
    "<!doctype html>\n<html>\n<style>:root {}</style>\nSign in here\n</html>\n"
)
_STREAM_HEAD: Final = (
    b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"
)
_FIRST_EVENT: Final = b'data: {"choices":[{"delta":{"content":"Well, "}}]}\n\n'


@dataclass(frozen=True, slots=True)
class Fault:
    """What happens to a call; `heard` is part of what a person hears of it in a chat."""

    act: Act
    heard: str = "cannot reach Lumo"
    once: bool = True
    """It is asked for once in a turn."""


def raw(data: bytes) -> Act:
    async def act(writer: asyncio.StreamWriter) -> None:
        writer.write(data)

    return act


def answer(
    status: int, body: bytes | str = _PAGE, kind: str = "text/html", *more: str
) -> Act:
    data = body.encode() if isinstance(body, str) else body
    phrase = HTTPStatus(status).phrase if status in set(HTTPStatus) else "Other"
    lines = [f"HTTP/1.1 {status} {phrase}", f"Content-Length: {len(data)}", *more]
    if kind:
        lines.append(f"Content-Type: {kind}")
    return raw("\r\n".join([*lines, "Connection: close", "", ""]).encode() + data)


def forever(chunk: bytes, seconds: float = 0.01, before: bytes = b"") -> Act:
    """Return what writes the same again and again until nobody listens."""

    async def act(writer: asyncio.StreamWriter) -> None:
        writer.write(before)
        while not writer.is_closing():
            writer.write(chunk)
            await writer.drain()
            await asyncio.sleep(seconds)

    return act


async def _reset(writer: asyncio.StreamWriter) -> None:
    writer.transport.abort()


async def _reset_later(writer: asyncio.StreamWriter) -> None:
    await writer.drain()
    await asyncio.sleep(0.02)
    writer.transport.abort()


def _stream(*lines: bytes) -> Act:
    return raw(_STREAM_HEAD + b"".join(lines))


_SLOW: Final = "did not answer in time"
_BUSY: Final = "try again later"
_CUT: Final = "broke off"
_JSON: Final = "application/json"

# Statuses with a page of somebody else's.
_PAGES: Final = (
    200, 201, 203, 300, 301, 302, 303, 307, 308, 400, 401, 402, 403, 404, 405, 406, 407,
    408, 409, 410, 418, 421, 422, 425, 426, 428, 431, 451, 499, 511,
)  # fmt: skip

# What can happen to any call.
FAULTS: Final[dict[str, Fault]] = {
    **{f"page with status {status}": Fault(answer(status)) for status in _PAGES},
    "page with status 500": Fault(answer(500), _BUSY),
    "page with status 502": Fault(answer(502), _BUSY, once=False),
    "page with status 503": Fault(answer(503), _BUSY, once=False),
    "wait of no length": Fault(answer(503, "{}", _JSON, "Retry-After: 0"), _BUSY, once=False),
    "page that calls itself plain text": Fault(answer(200, kind="text/plain"), _CUT),
    "page that calls itself a stream": Fault(answer(200, kind="text/event-stream"), _CUT),
    "page without a type": Fault(answer(200, kind=""), _CUT),
    "success without content": Fault(answer(204, "", "")),
    "part of a stream": Fault(answer(206, "data: {}\n\n", "text/event-stream")),
    "page that calls itself JSON": Fault(answer(200, kind=_JSON), _CUT),
    "refusal without a body": Fault(answer(403, "", "")),
    "refusal in plain text": Fault(answer(401, "Unauthorized", "text/plain")),
    "refusal in JSON of somebody else's": Fault(answer(403, '{"blocked": true}', _JSON)),
    "refusal in JSON with an error text": Fault(answer(401, '{"error": "no"}', _JSON)),
    "refusal in JSON that is a list": Fault(answer(403, "[]", _JSON)),
    "code that is no number": Fault(answer(401, '{"Code": "401"}', _JSON)),
    "JSON of somebody else's": Fault(answer(200, '{"portal": "sign in"}', _JSON), _CUT),
    "compressed answer": Fault(answer(200, gzip.compress(b"{}"), _JSON, "Content-Encoding: gzip")),
    "picture": Fault(answer(200, b"\x89PNG", "image/png")),
    "reset": Fault(_reset, once=False),
    "closed at once": Fault(raw(b""), once=False),
    "half a header": Fault(raw(b"HTTP/1.1 200 OK\r\nContent-Ty"), once=False),
    "no HTTP": Fault(raw(b"SSH-2.0-OpenSSH_9.9\r\n\r\n"), once=False),
    "header without an end": Fault(forever(b"X-Drip: 1\r\n", 0.01, b"HTTP/1.1 200 OK\r\n"), _SLOW),
    "silence": Fault(forever(b"", 0.05), _SLOW),
}  # fmt: skip

# What can happen to an answer that has begun.
STREAM_FAULTS: Final[dict[str, Fault]] = {
    "cut": Fault(raw(b""), _CUT),
    "cut in a line": Fault(raw(b'data: {"choices":[{"del'), _CUT),
    "reset": Fault(_reset_later, _CUT),
    "silence": Fault(forever(b"", 0.05), _SLOW),
    "keep-alive for ever": Fault(forever(b": keep-alive\n\n"), _SLOW),
    "empty lines for ever": Fault(forever(b"\n"), _SLOW),
    "empty pieces for ever": Fault(
        forever(b'data: {"choices":[{"delta":{"content":""}}]}\n\n'), _SLOW
    ),
    "a byte at a time": Fault(forever(b"x"), _SLOW),
    "page": Fault(raw(_PAGE.encode()), _CUT),
    "lines that are no JSON": Fault(raw(b"data: {no}\n\n" * 5), _CUT),
    "zero bytes": Fault(raw(bytes(5000)), _CUT),
    "one line of a megabyte": Fault(raw(b"data: " + b"x" * 2**20), "do not understand"),
    "text for ever": Fault(
        forever(b'data: {"choices":[{"delta":{"content":"la la "}}]}\n\n' * 99, 0),
        # What repeats itself ends.
        "Well, la",
    ),
    "error": Fault(raw(b'data: {"error":{"code":"error"}}\n\n'), "later"),
    "busy": Fault(raw(b'data: {"error":{"code":"rejected"}}\n\n'), "too busy"),
    "piece that is not authentic": Fault(
        raw(b'data: {"choices":[{"delta":{"content":"AAAA","encrypted":true}}]}\n\n'),
        "damaged",
    ),
}


class FaultServer:
    """Answers calls whose path ends in `place` with a fault, hands on all others."""

    def __init__(self, port: int, changed: Callable[[FaultServer], None]) -> None:
        self._changed = changed
        self._upstream = port
        self._server: asyncio.Server | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self.place = ""
        self.fault: Fault | None = None
        self.begun = False
        """The fault happens to an answer that has begun."""
        self.hits = 0

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._server
        self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    @property
    def url(self) -> str:
        assert self._server
        return f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"

    def break_calls(self, place: str, fault: Fault, *, begun: bool = False) -> None:
        self.place, self.fault, self.begun, self.hits = place, fault, begun, 0
        self._changed(self)

    def refuse(self) -> None:
        """Accept no connection from now on."""
        assert self._server
        self._server.close()

    def mend(self) -> None:
        self.fault = None
        self._changed(self)

    async def _accept(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        task = asyncio.current_task()
        assert task
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        with suppress(OSError, asyncio.IncompleteReadError):
            head = await reader.readuntil(b"\r\n\r\n")
            length = re.search(rb"(?i)content-length: (\d+)", head)
            body = await reader.readexactly(int(length[1])) if length else b""
            if self.fault and head.split(b" ")[1].decode().endswith(self.place):
                self.hits += 1
                if self.begun:
                    writer.write(_STREAM_HEAD + _FIRST_EVENT)
                await self.fault.act(writer)
            else:
                await self._hand_on(head, body, writer)
        writer.close()

    async def _hand_on(
        self, head: bytes, body: bytes, writer: asyncio.StreamWriter
    ) -> None:
        """Ask the stand-in, once for each connection."""
        upstream, out = await asyncio.open_connection("127.0.0.1", self._upstream)
        head = re.sub(rb"(?i)\r\nconnection: [^\r]*", b"", head)
        out.write(head[:-2] + b"Connection: close\r\n\r\n" + body)
        while data := await upstream.read(65536):
            writer.write(data)
            await writer.drain()
        out.close()
