"""An answer that has begun: bytes from the transport, through the parser, to events.

Here everything that an answer may take is held against its limits: how long the next
event may take, how many bytes may come. What is parsed at a time is short, and the event
loop gets its turn in between, however fast the bytes come.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any, Final

from .deadlines import ANSWER_BYTES, Pace
from .errors import AnswerTooLongError, LumoError
from .events import Event
from .stream import StreamParser
from .transport import OpenReply

type RunBlocking = Callable[..., Awaitable[Any]]

# Some milliseconds of parsing, whatever is in it but a picture.
_SLICE_BYTES: Final = 4 * 1024


@dataclass(slots=True, eq=False)
class AnswerStream:
    """Iterates over the events of an answer.

    No generator: one that is left in the middle would be finished by the event loop
    some time later.
    """

    _reply: OpenReply
    _parser: StreamParser
    _pace: Pace
    _run_blocking: RunBlocking = asyncio.to_thread
    _ready: deque[Event] = field(default_factory=deque)
    _chunk: bytes = b""
    _position: int = 0
    _bytes: int = 0
    in_clear: int = 0
    """Events that should have come encrypted and did not."""

    @classmethod
    async def start(
        cls,
        reply: OpenReply,
        parser: StreamParser,
        pace: Pace,
        run_blocking: RunBlocking = asyncio.to_thread,
    ) -> AnswerStream:
        """Return an answer with its first events; nothing is left open on failure."""
        answer = cls(reply, parser, pace, run_blocking)
        try:
            await answer._read()
        except BaseException:
            await answer.aclose()
            raise
        return answer

    def __aiter__(self) -> AnswerStream:
        return self

    async def __anext__(self) -> Event:
        if not self._ready:
            # The wait begins now: what the listener did meanwhile took its own time.
            self._pace.go_on()
            await self._read()
            if not self._ready:
                raise StopAsyncIteration
        return self._ready.popleft()

    async def _read(self) -> None:
        """Read until there are events; after the End there are none."""
        while not self._parser.done:
            try:
                data = await self._next()
            except LumoError:
                if self._parser.complete:
                    break
                raise
            if not data:
                break
            collected = self._parser.collected
            if self._parser.ends_image(data):
                events = await self._run_blocking(self._parser.feed, data)
            else:
                events = self._parser.feed(data)
            if events:
                self._take(events)
                return
            if self._parser.collected != collected:
                self._pace.go_on()
        self._take(self._parser.finish())

    async def _next(self) -> bytes:
        try:
            async with asyncio.timeout_at(self._pace.ends):
                await asyncio.sleep(0)
                if self._position >= len(self._chunk):
                    self._chunk, self._position = await self._reply.read(), 0
        except TimeoutError:
            raise self._pace.error() from None
        data = self._chunk[self._position : self._position + _SLICE_BYTES]
        self._position += len(data)
        self._bytes += len(data)
        if self._bytes > ANSWER_BYTES:
            raise AnswerTooLongError
        return data

    def _take(self, events: list[Event]) -> None:
        self._pace.take(events)
        self.in_clear += sum(getattr(event, "in_clear", False) for event in events)
        self._ready.extend(events)

    async def aclose(self) -> None:
        """Close the stream, cleanly if the answer was read to its end."""
        try:
            if self._parser.ended:
                await self._reply.drain()
        finally:
            await self._reply.aclose()
