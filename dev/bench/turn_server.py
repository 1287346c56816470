"""A server for the turn benchmark: fixed answers, and a note of when each part left.

It runs in a process of its own, so that its work is not counted as the integration's.
Both processes read the same clock (CLOCK_MONOTONIC). A number sent over the pipe says
how many seconds a connection takes to open from now on, and that each answer closes its
own; no number that they stay open.
"""

import asyncio
import base64
from collections.abc import Sequence
import json
from multiprocessing.connection import Connection
from pathlib import Path
import time
from typing import Any
from weakref import WeakSet

from aiohttp import web

from dev.standin.encryption import Channel
from dev.standin.errors import Handler
from dev.standin.key_pair import KeyPair

WORDS = ["The ", "kitchen ", "lights ", "are ", "off, ", "and ", "so ", "is ", "it. "]
PAUSE = 0.005


def serve(pipe: Connection, key_file: str, words: Sequence[str] = WORDS) -> None:
    """Serve until the other end of the pipe closes; send a note for each request."""
    asyncio.run(_serve(pipe, key_file, words))


async def _serve(pipe: Connection, key_file: str, words: Sequence[str]) -> None:
    keys = KeyPair()
    connect_seconds: float | None = None
    connected: WeakSet[Any] = WeakSet()
    await asyncio.to_thread(Path(key_file).write_text, keys.public_key)

    async def chat(request: web.Request) -> web.StreamResponse:
        notes: dict[str, Any] = {"request": time.perf_counter(), "chunks": []}
        body = await request.json()
        channel = None
        if lumo := body.get("lumo"):
            key = keys.unwrap(base64.b64decode(lumo["request_key"]))
            channel = Channel(key, lumo["request_id"])
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        if connect_seconds:
            response.force_close()
        await response.prepare(request)
        for word in words:
            await asyncio.sleep(PAUSE)
            delta: dict[str, Any] = {"content": word}
            if channel:
                delta = {"content": channel.seal(word), "encrypted": True}
            chunk = {"choices": [{"index": 0, "delta": delta}]}
            notes["chunks"].append(time.perf_counter())
            await response.write(f"data: {json.dumps(chunk)}\n\n".encode())
        await asyncio.sleep(PAUSE)
        end = {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}
        notes["end"] = time.perf_counter()
        await response.write(f"data: {json.dumps(end)}\n\ndata: [DONE]\n\n".encode())
        pipe.send(notes)
        return response

    async def limits(_request: web.Request) -> web.Response:
        return web.json_response({"limits": {"lite": 99, "max": 9, "images": 9}})

    @web.middleware
    async def shake_hands(request: web.Request, handler: Handler) -> web.StreamResponse:
        if connect_seconds and request.transport not in connected:
            connected.add(request.transport)
            await asyncio.sleep(connect_seconds)
        return await handler(request)

    app = web.Application(client_max_size=2**26, middlewares=[shake_hands])
    app.router.add_post("/api/ai/v1/chat/completions", chat)
    app.router.add_get("/api/ai/v1/limits", limits)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    pipe.send(runner.addresses[0][1])
    told: object = None
    while told != "stop":
        while not pipe.poll():
            await asyncio.sleep(0.05)
        if isinstance(told := pipe.recv(), float):
            connect_seconds = told or None
            pipe.send(told)
    await runner.cleanup()
