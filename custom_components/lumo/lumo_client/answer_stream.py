"""An answer that has begun: bytes from the transport, through the parser, to events.

How long the next event may take, and how many bytes may come, is checked here.
"""

import asyncio
from collections.abc import AsyncGenerator
from typing import Final

from .deadlines import ANSWER_BYTES, Pace
from .errors import AnswerTooLongError, LumoError
from .events import Event
from .stream import StreamParser
from .transport import OpenReply

# Some milliseconds of parsing, then the event loop has its turn.
_SLICE_BYTES: Final = 4 * 1024


async def read_answer(
    reply: OpenReply, parser: StreamParser, pace: Pace
) -> AsyncGenerator[Event]:
    """Yield the events of an answer, then close the reply. Raises LumoError."""
    chunk = b""
    bytes_left = ANSWER_BYTES
    collected = 0
    try:
        while not parser.done:
            await asyncio.sleep(0)
            try:
                chunk = chunk or await _read(reply, pace)
            except LumoError:
                if parser.complete:
                    break
                raise
            if not chunk:
                break
            data, chunk = chunk[:_SLICE_BYTES], chunk[_SLICE_BYTES:]
            bytes_left -= len(data)
            if bytes_left < 0:
                raise AnswerTooLongError
            if parser.ends_image(data):
                events = await asyncio.to_thread(parser.feed, data)
            else:
                events = parser.feed(data)
            pace.take(events)
            for event in events:
                yield event
            if events or parser.collected != collected:
                # The wait begins now: what the listener did took its own time.
                pace.go_on()
                collected = parser.collected
        while events := parser.finish():
            for event in events:
                yield event
    finally:
        if parser.ended:
            await reply.drain()
        await reply.aclose()


async def _read(reply: OpenReply, pace: Pace) -> bytes:
    try:
        async with asyncio.timeout_at(pace.ends):
            return await reply.read()
    except TimeoutError:
        raise pace.error() from None
