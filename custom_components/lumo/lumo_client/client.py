"""The client: one object per account, used by everything that talks to Lumo."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import aclosing, asynccontextmanager, suppress
from itertools import chain
import random
from typing import Any, Final

import httpx

from . import errors
from .auth import Credential, send_signed
from .deadlines import ANSWER_BYTES, ON_SCREEN, Deadlines, Pace
from .encryption import RequestCipher
from .endpoints import LUMO_APP_VERSION, Endpoints
from .events import Event, Limits, Usage, read_limits
from .messages import ChatRequest, UserMessage, build_body
from .replies import Peer
from .stream import StreamParser
from .transport import ACCEPT_STREAM, OpenReply, Transport, read_reply

# Seconds before the second attempt; twice as many before the third.
RETRY_SECONDS: Final = 0.5
# For requests other than a chat.
_POLL: Final = Deadlines(retry_after=1.0)
_TRANSIENT_STATUSES: Final = frozenset({408, 502, 503, 504})
# A person has waited already, or would get the same answer again.
_LASTING: Final = errors.LumoTimeoutError | errors.ForeignPageError
# Some milliseconds of parsing, then the event loop has its turn.
_SLICE_BYTES: Final = 4 * 1024


class LumoClient:
    """Talks to Lumo for one credential."""

    def __init__(
        self, http: httpx.AsyncClient, endpoints: Endpoints, credential: Credential
    ) -> None:
        """Take an HTTP client of this account alone; it is not closed.

        Raises ConfigurationError if anything but an API key would go to a gateway.
        """
        if endpoints.gateway_url and credential.encrypted:
            raise errors.ConfigurationError("A gateway is only used with an API key")
        self._endpoints = endpoints
        self.credential = credential
        self._peer: Peer = "proton"
        if not credential.encrypted:
            self._peer = "gateway" if endpoints.gateway_url else "api_key"
        self._transport = Transport(http, peer=self._peer)

    def served_as_guest(self, usage: Usage | None) -> bool:
        """Return whether an answer to an API key was counted as a guest's.

        Lumo does not refuse an unknown key: only the usage tells, which has limits then.
        """
        return (
            not self.credential.encrypted
            and self._endpoints.tells_limits
            and usage is not None
            and usage.remaining not in (None, Limits())
        )

    @asynccontextmanager
    async def chat(
        self, request: ChatRequest, deadlines: Deadlines = ON_SCREEN
    ) -> AsyncGenerator[AsyncIterator[Event]]:
        """Send a request; the events of the answer arrive inside the context.

        Until the first event, and only until then, the request may be tried again.
        Leaving closes the stream. An iteration that stops without an error has had an
        End. Raises LumoError; LumoTimeoutError, TurnOverError or AnswerTooLongError for
        a deadline.
        """
        cipher: RequestCipher | None = None
        if self.credential.encrypted:
            cipher = await asyncio.to_thread(
                RequestCipher.create, self._endpoints.public_key
            )
        if request.images:
            body = await asyncio.to_thread(build_body, request, cipher)
        else:
            body = build_body(request, cipher)

        pace = Pace(deadlines, asyncio.get_running_loop().time)

        async def start(headers: dict[str, str]) -> tuple[Event, AsyncGenerator[Event]]:
            reply = await self._transport.open(
                f"{self._endpoints.base_url}/chat/completions",
                {"Accept": ACCEPT_STREAM, **headers},
                body,
                deadlines.connect,
            )
            parser = StreamParser(
                cipher.decrypt if cipher else None, images=request.draws
            )
            # From here on the stream looks at the clock itself: it knows what extends.
            timer.reschedule(None)
            events = _read_answer(reply, parser, pace)
            try:
                return await anext(events), events
            finally:
                timer.reschedule(pace.ends)

        try:
            async with asyncio.timeout_at(pace.ends) as timer:
                first, events = await self._attempt(start, deadlines)
        except TimeoutError:
            raise pace.error() from None
        async with aclosing(events), aclosing(_with(first, events)) as answer:
            yield answer

    async def check_api_key(self) -> None:
        """Ask for one token: only an answer's usage tells about a key. Raises LumoError."""
        request = ChatRequest((UserMessage("Hi"),), max_tokens=1)
        async with self.chat(request) as events:
            usages = [event async for event in events if isinstance(event, Usage)]
        if any(map(self.served_as_guest, usages)):
            raise errors.ApiKeyNotRecognisedError

    async def limits(self) -> Limits:
        """Return the requests left in each pool; a gateway has none."""
        if not self._endpoints.tells_limits:
            # Whether it is there, and accepts the key.
            with suppress(errors.ProtocolError, errors.BadRequestError):
                await self._get("models", "data")
            return Limits()
        body = await self._get("limits", "limits")
        if (limits := read_limits(body.get("limits"))) is None:
            raise errors.ProtocolError("The answer holds no limits")
        return limits

    async def _get(self, path: str, member: str) -> dict[str, Any]:
        url = f"{self._endpoints.base_url}/{path}"

        async def get(headers: dict[str, str]) -> dict[str, Any]:
            reply = await self._transport.request("GET", url, headers)
            return read_reply(reply, member, peer=self._peer)

        return await self._attempt(get)

    async def _attempt[T](
        self,
        send: Callable[[dict[str, str]], Awaitable[T]],
        deadlines: Deadlines = _POLL,
    ) -> T:
        """Return what `send` returns, repeated where that is safe and may help."""
        attempt = 0

        async def repeat(headers: dict[str, str]) -> T:
            nonlocal attempt
            if self.credential.encrypted:
                headers["x-pm-appversion"] = LUMO_APP_VERSION
            while True:
                attempt += 1
                try:
                    return await send(headers)
                except errors.LumoError as err:
                    delay = _retry_delay(err, attempt, deadlines.retry_after)
                    if delay is None or attempt >= deadlines.attempts:
                        raise
                await asyncio.sleep(delay)

        return await send_signed(self.credential, repeat)


def _retry_delay(
    error: errors.LumoError, attempt: int, longest_named: float
) -> float | None:
    """Return the seconds before another attempt, varied by chance; None: no attempt."""
    if (named := error.retry_after) is not None:
        return named if named <= longest_named else None
    if isinstance(error, errors.ServerError):
        may_pass = error.status in _TRANSIENT_STATUSES
    else:
        may_pass = isinstance(error, errors.LumoConnectionError)
    if not may_pass or isinstance(error, _LASTING):
        return None
    return RETRY_SECONDS * 2.0 ** (attempt - 1) * random.uniform(0.5, 1.0)


async def _with(first: Event, others: AsyncIterator[Event]) -> AsyncGenerator[Event]:
    yield first
    async for event in others:
        yield event


async def _read_answer(
    reply: OpenReply, parser: StreamParser, pace: Pace
) -> AsyncGenerator[Event]:
    chunk = b""
    bytes_left = ANSWER_BYTES
    try:
        while not parser.ended:
            await asyncio.sleep(0)
            try:
                async with asyncio.timeout_at(pace.ends):
                    chunk = chunk or await reply.read()
            except (TimeoutError, errors.LumoError) as err:
                if parser.complete:
                    break
                if isinstance(err, TimeoutError):
                    raise pace.error() from None
                raise
            if not chunk:
                break
            data, chunk = chunk[:_SLICE_BYTES], chunk[_SLICE_BYTES:]
            bytes_left -= len(data)
            if bytes_left < 0:
                raise errors.AnswerTooLongError
            collected = parser.collected
            events = parser.feed(data)
            if parser.ends_image(data):
                image = await asyncio.to_thread(next, events, None)
                events = chain(filter(None, [image]), events)
            for event in events:
                yield event
                # The wait begins now: what the listener did took its own time.
                pace.go_on(event)
            if parser.collected != collected:
                pace.go_on()
        for event in parser.finish():
            yield event
    finally:
        if parser.ended:
            await reply.drain()
        await reply.aclose()
