"""What can happen to a connection, whatever is asked over it."""

import asyncio
import contextlib
import socket
import struct

from aiohttp import web

from .errors import Handler
from .keys import SERVICE
from .routes import CONTROL

# How often a silent connection is looked at: is its client still there?
POLL_SECONDS = 0.05

_HALF_HEADER = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Len"


class Gone(Exception):
    """There will be no answer: the client has left, or the connection was ended."""


@web.middleware
async def connection_faults(
    request: web.Request, handler: Handler
) -> web.StreamResponse:
    """Let scenarios break the connection, before or while a request is answered."""
    service = request.app[SERVICE]
    try:
        if not request.path.startswith(CONTROL):
            await _shake_hands(request)
            chat = request.path.endswith("/chat/completions")
            for scenario in service.active:
                if chat or service.options.faults_everywhere:
                    await scenario.connect(request)
        return await handler(request)
    except Gone:
        hang_up(request)
        return web.Response()  # which nobody gets


async def _shake_hands(request: web.Request) -> None:
    """Let a connection that is new take its time, as TCP and TLS do."""
    service = request.app[SERVICE]
    transport = request.transport
    if transport is None or transport in service.connected:
        return
    service.connected.add(transport)
    service.connections += 1
    if service.options.connect_seconds:
        await silence(request, service.options.connect_seconds)


def hang_up(request: web.Request) -> Gone:
    """End a connection as one that is closed."""
    if (transport := request.transport) is not None:
        transport.close()
    return Gone()


def reset(request: web.Request) -> Gone:
    """End a connection as one that breaks: the client's kernel gets a reset."""
    if (transport := request.transport) is not None:
        with contextlib.suppress(OSError):
            transport.get_extra_info("socket").setsockopt(
                socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0)
            )
        transport.abort()
    return Gone()


def send_half_header(request: web.Request) -> None:
    """Send a header that ends in the middle of a line."""
    if (transport := request.transport) is not None:
        transport.write(_HALF_HEADER)


def check(request: web.Request) -> None:
    """Raise Gone if the client has left, or the stand-in closes."""
    transport = request.transport
    if transport is None or transport.is_closing():
        raise Gone
    if request.app[SERVICE].closing.is_set():
        raise Gone


async def silence(request: web.Request, seconds: float | None) -> None:
    """Wait, but not for a client that has left; for ever without a time."""
    loop = asyncio.get_running_loop()
    end = None if seconds is None else loop.time() + seconds
    while end is None or loop.time() < end:
        check(request)
        left = POLL_SECONDS if end is None else min(POLL_SECONDS, end - loop.time())
        await asyncio.sleep(max(left, 0))
