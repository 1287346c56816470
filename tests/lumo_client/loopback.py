"""A real HTTP server on loopback that answers as a test tells it to."""

import asyncio
import base64
from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
import json
from typing import Any, Self

from aiohttp import web
from multidict import CIMultiDictProxy
from pysequoia import Tsk, decrypt

from custom_components.lumo.lumo_client.endpoints import Endpoints

type Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


@dataclass(frozen=True)
class Seen:
    """A request that the server received."""

    method: str
    path: str
    headers: CIMultiDictProxy[str]
    body: Any


@dataclass
class LoopbackServer:
    """Answers each request with the next handler of its path, the last one for ever."""

    key: Tsk = field(
        default_factory=lambda: Tsk.generate("Test <test@example.invalid>")
    )
    seen: list[Seen] = field(default_factory=list)
    hung_up: asyncio.Event = field(default_factory=asyncio.Event)
    _handlers: dict[tuple[str, str], deque[Handler]] = field(default_factory=dict)
    _runner: web.AppRunner | None = None
    port: int = 0

    async def __aenter__(self) -> Self:
        app = web.Application()
        app.router.add_route("*", "/{path:.*}", self._handle)
        # Handlers are cancelled when the client hangs up: that is how a test sees it.
        self._runner = web.AppRunner(
            app, handler_cancellation=True, access_log=None, shutdown_timeout=0.1
        )
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0)
        await site.start()
        self.port = self._runner.addresses[0][1]
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._runner
        await self._runner.cleanup()

    @property
    def endpoints(self) -> Endpoints:
        url = f"http://127.0.0.1:{self.port}/api"
        return Endpoints(
            lumo_url=url,
            account_url=url,
            public_key=str(self.key.extract_certificate()),
            development=True,
        )

    def on(self, method: str, path: str, *handlers: Handler) -> None:
        """Answer requests of a path with these handlers, one after the other."""
        self._handlers[method, f"/api/{path}"] = deque(handlers)

    def paths(self) -> list[str]:
        """Return the last part of the path of every request."""
        return [seen.path.rsplit("/", 1)[-1] for seen in self.seen]

    async def _handle(self, request: web.Request) -> web.StreamResponse:
        body = await request.read()
        self.seen.append(
            Seen(
                request.method,
                request.path,
                request.headers,
                json.loads(body) if body else None,
            )
        )
        handlers = self._handlers.get((request.method, request.path))
        if not handlers:
            return web.json_response(envelope(404), status=404)
        handler = handlers.popleft() if len(handlers) > 1 else handlers[0]
        try:
            return await handler(request)
        except asyncio.CancelledError:
            self.hung_up.set()
            raise

    def request_key(self, body: dict[str, Any]) -> bytes:
        wrapped = base64.b64decode(body["lumo"]["request_key"])
        key = decrypt(bytes=wrapped, decryptor=self.key.decryptor()).bytes
        assert key is not None and len(key) == 32
        return key


def envelope(status: int) -> dict[str, object]:
    return {"Code": 1000 if status < 400 else status, "Error": "", "Details": {}}


def reply(
    status: int, body: object = None, headers: dict[str, str] | None = None
) -> Handler:
    """Return a handler that answers with JSON, Proton's envelope without a body."""

    async def handle(_: web.Request) -> web.Response:
        return web.json_response(
            envelope(status) if body is None else body, status=status, headers=headers
        )

    return handle


def page(
    status: int = 200, text: str = "<html>Sign in</html>", kind: str = "text/html"
) -> Handler:
    """Return a handler that answers as a proxy, a filter or a portal does."""

    async def handle(_: web.Request) -> web.Response:
        return web.Response(status=status, text=text, content_type=kind)

    return handle


def stream(*chunks: bytes, then: str = "end") -> Handler:
    """Return a handler that streams chunks and then ends, hangs or breaks."""

    async def handle(request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await response.prepare(request)
        for chunk in chunks:
            await response.write(chunk)
        if then == "hang":
            await asyncio.Event().wait()
        if then == "break":
            assert request.transport
            request.transport.abort()
        return response

    return handle


def hang() -> Handler:
    async def handle(_: web.Request) -> web.StreamResponse:
        await asyncio.Event().wait()
        raise AssertionError

    return handle


def reset() -> Handler:
    """Return a handler that breaks the connection without an answer."""

    async def handle(request: web.Request) -> web.StreamResponse:
        assert request.transport
        request.transport.abort()
        return web.Response()

    return handle


def delta(**members: object) -> bytes:
    return b"data: " + json.dumps({"choices": [{"delta": members}]}).encode() + b"\n\n"


ANSWER = (
    delta(content="It is "),
    delta(content="on."),
    b'data: {"choices":[{"delta":{},"finish_reason":"stop"}]}\n\n',
    b'data: {"choices":[],"usage":{"remaining_limits":{"lite":7,"max":2}}}\n\n',
    b"data: [DONE]\n\n",
)
