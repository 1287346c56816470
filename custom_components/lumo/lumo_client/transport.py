"""One HTTP request: send it, wait a bounded time, read a bounded answer.

Nothing here repeats a request; who calls knows whether that is safe. Errors of the HTTP
library become LumoErrors without their text: it may hold a header, and so a token.
"""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from http import HTTPStatus
import logging
from math import inf
import random
import re
from typing import Any, Final, TypeIs

import httpx
import orjson

from . import errors
from .addresses import is_confidential
from .log_filter import hide_tokens_in_log
from .replies import (
    HttpReply,
    Peer,
    error_from_certificate,
    error_from_reply,
    error_in,
    is_page,
)

_LOGGER = logging.getLogger(__name__)

# What Proton's web client sends with every API call.
ACCEPT_JSON: Final = "application/vnd.protonmail.v1+json"
ACCEPT_STREAM: Final = "text/event-stream"

# What is not Proton's own of a request is the same for every home: no version of Home
# Assistant. Nothing is asked to be compressed: a little that arrives stays a little.
USER_AGENT: Final = "LumoForHomeAssistant"
_ALWAYS: Final = {"User-Agent": USER_AGENT, "Accept-Encoding": "identity"}

_WRITE_SECONDS: Final = 30.0
# Proton's web client waits no longer than this for a Retry-After.
_LONGEST_WAIT: Final = 9.0

_CANCEL_AGAIN_SECONDS: Final = 0.05

_LARGEST_REPLY: Final = 4 * 1024 * 1024

# Reading the few bytes after the end of an answer lets the connection be used again.
_DRAIN_SECONDS: Final = 0.2


@dataclass(frozen=True, slots=True)
class Timeouts:
    """Seconds to wait, at most: for a connection, for a whole answer that is no stream.

    How long a stream may take is said with each request, see `deadlines`.
    """

    connect: float = 15.0
    reply: float = 30.0


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """When a request that had no answer yet is sent again.

    The wait doubles from `base` seconds and is shortened by chance to as little as
    half, so that clients that failed together do not come back together.
    """

    attempts: int = 3
    base: float = 0.5

    def delay(self, error: errors.LumoError, attempt: int) -> float | None:
        """Return the seconds before the next attempt, None if there must be none.

        `attempt` counts from 1. Time-outs are not repeated: the person has waited. Nor
        is what somebody else answered: they would answer the same again.
        """
        if isinstance(error, errors.ServerError):
            may_pass = error.status in _TRANSIENT_STATUSES
        else:
            may_pass = isinstance(error, errors.LumoConnectionError)
        if attempt >= self.attempts or not may_pass or isinstance(error, _LASTING):
            return None
        if error.retry_after is not None:
            return error.retry_after if error.retry_after <= _LONGEST_WAIT else None
        return self.base * 2.0 ** (attempt - 1) * random.uniform(0.5, 1.0)


_TRANSIENT_STATUSES: Final = frozenset({408, 502, 503, 504})
_LASTING: Final = errors.LumoTimeoutError | errors.ForeignPageError


class OpenReply:
    """A successful answer whose body is still to be read."""

    def __init__(self, response: httpx.Response) -> None:
        self._response = response
        self._chunks = response.aiter_bytes()

    async def read(self) -> bytes:
        """Return the next bytes of the body, empty at its end.

        Raises StreamInterruptedError or LumoTimeoutError if it breaks off.
        """
        try:
            async for chunk in self._chunks:
                if chunk:
                    return chunk
        except httpx.TimeoutException:
            raise errors.LumoTimeoutError(
                "Lumo stopped in the middle of an answer"
            ) from None
        except httpx.HTTPError, httpx.StreamError:
            raise errors.StreamInterruptedError from None
        return b""

    async def drain(self) -> None:
        """Read the end of a complete answer, so that the connection stays of use."""
        try:
            async with asyncio.timeout(_DRAIN_SECONDS):
                while await self.read():
                    pass
        except TimeoutError, errors.LumoError:
            pass

    async def aclose(self) -> None:
        """Close the stream, and the connection if the body was not read to its end.

        The HTTP library's generators are ended by reading on from the closed stream;
        left in the middle, the event loop would end them some time later.
        """
        await self._response.aclose()
        await self.drain()


class Transport:
    """Sends requests with one HTTP client.

    Without TLS only to this machine: a request may carry a session, and nobody should
    have to think of that elsewhere. A gateway's API key is the exception.
    """

    def __init__(
        self,
        http: httpx.AsyncClient,
        timeouts: Timeouts | None = None,
        *,
        peer: Peer = "proton",
    ) -> None:
        """Initialize with the client to use; it is not closed here."""
        self._http = http
        self._peer = peer
        self._timeouts = timeouts or Timeouts()
        hide_tokens_in_log()

    async def open(
        self, url: str, headers: Mapping[str, str], body: bytes, connect: float = inf
    ) -> OpenReply:
        """Post a request and return its answer when the headers say success.

        Waits so many seconds to connect, then as long as it is not cancelled. Raises the LumoError that the answer,
        or its absence, stands for.
        """
        response = await self._send("POST", url, headers, body, connect=connect)
        # Proton's own is 200; other successes would have no answer in them.
        if response.status_code == HTTPStatus.OK and not is_page(response.headers):
            return OpenReply(response)
        reply = await self._read(response)
        if response.is_success:
            raise errors.ForeignPageError(status=reply.status)
        _LOGGER.debug("The chat call was answered with HTTP %d", reply.status)
        raise error_from_reply(reply, chat=True, peer=self._peer)

    async def request(
        self,
        method: str,
        url: str,
        headers: Mapping[str, str],
        body: Mapping[str, Any] | None = None,
        on_sent: Callable[[], None] | None = None,
    ) -> HttpReply:
        """Send a request and return its whole answer, successful or not.

        `on_sent` is called when there is a connection and the request goes out. Raises
        LumoConnectionError if there was no answer.
        """
        response = await self._send(
            method,
            url,
            {"Accept": ACCEPT_JSON, **headers},
            None if body is None else orjson.dumps(body),
            self._timeouts.reply,
            on_sent,
        )
        return await self._read(response)

    async def _send(
        self,
        method: str,
        url: str,
        headers: Mapping[str, str],
        body: bytes | None,
        seconds: float | None = None,
        on_sent: Callable[[], None] | None = None,
        connect: float = inf,
    ) -> httpx.Response:
        if self._peer != "gateway" and not is_confidential(url):
            raise errors.ConfigurationError("The address of the service needs https")
        headers = {**_ALWAYS, **headers}
        if body is not None:
            headers["Content-Type"] = "application/json"

        async def trace(event: str, _info: object) -> None:
            if on_sent and event.endswith("send_request_headers.started"):
                on_sent()

        connect = min(connect, self._timeouts.connect)
        timeout = httpx.Timeout(
            connect=connect,
            read=seconds,
            write=_WRITE_SECONDS,
            pool=connect,
        )
        try:
            request = self._http.build_request(
                method,
                url,
                headers=headers,
                content=body,
                timeout=timeout,
                extensions={"trace": trace} if on_sent else None,
            )
            return await self._headers(request, seconds)
        except TimeoutError, httpx.TimeoutException:
            raise errors.LumoTimeoutError from None
        except httpx.LocalProtocolError, httpx.InvalidURL:
            raise errors.ConfigurationError("A request could not be sent") from None
        except httpx.ProxyError:
            # It was there, and would not let the request through.
            raise errors.ForeignPageError from None
        except httpx.ConnectError as err:
            if certificate_error := error_from_certificate(err):
                raise certificate_error from None
            raise errors.LumoConnectionError from None
        except httpx.HTTPError, httpx.StreamError:
            raise errors.LumoConnectionError from None
        except RuntimeError:
            if not self._http.is_closed:
                raise
            raise errors.LumoConnectionError(
                "The client was closed meanwhile"
            ) from None

    async def _headers(
        self, request: httpx.Request, seconds: float | None
    ) -> httpx.Response:
        """Return the answer as soon as its headers are there.

        In a task of its own: a cancellation that arrives just as a connection is made
        gets lost in the HTTP library, so it must be possible to repeat it.
        """
        task = asyncio.create_task(
            self._http.send(request, stream=True, follow_redirects=False)
        )
        try:
            if (await asyncio.wait([task], timeout=seconds))[0]:
                return task.result()
        except asyncio.CancelledError:
            await _end(task)
            raise
        await _end(task)
        raise TimeoutError

    async def _read(self, response: httpx.Response) -> HttpReply:
        body = bytearray()
        stream = OpenReply(response)
        try:
            async with asyncio.timeout(self._timeouts.reply):
                while (
                    not is_page(response.headers)
                    and len(body) <= _LARGEST_REPLY
                    and (chunk := await stream.read())
                ):
                    body += chunk
        except TimeoutError, errors.LumoConnectionError:
            # The status of a failure is enough to name it.
            if response.is_success:
                raise errors.LumoConnectionError from None
        finally:
            await stream.aclose()
        if len(body) > _LARGEST_REPLY and response.is_success:
            raise errors.ProtocolError("Lumo sent too long an answer")
        return HttpReply(
            response.status_code,
            response.headers,
            bytes(body),
        )


async def _end(task: asyncio.Task[httpx.Response]) -> None:
    """Cancel a request until it has ended, and close its answer if it has one."""
    while not task.done():
        task.cancel()
        await asyncio.wait([task], timeout=_CANCEL_AGAIN_SECONDS)
    if not task.cancelled() and task.exception() is None:
        await task.result().aclose()


def read_reply(
    reply: HttpReply, *members: str, peer: Peer = "proton"
) -> dict[str, Any]:
    """Return the JSON object of a successful answer; raise the error of another.

    A 2xx with a code of failure in Proton's envelope is a failure too. What has neither
    that envelope's code nor one of the expected members did not come from Proton; a
    gateway may answer other JSON.
    """
    if not reply.ok:
        raise error_from_reply(reply, peer=peer)
    body = reply.json()
    if body is None or body.keys().isdisjoint(("Code", *members)):
        if peer == "gateway" and not is_page(reply.headers):
            raise errors.ProtocolError(status=reply.status)
        raise errors.ForeignPageError(status=reply.status)
    if error := error_in(body):
        raise error
    return body


def is_header_value(value: object) -> TypeIs[str]:
    """Return whether a token can be sent in a header.

    Anything else is refused before the HTTP library sees it, as that would quote it.
    """
    return isinstance(value, str) and _TOKEN.fullmatch(value) is not None


_TOKEN: Final = re.compile(r"[!-~]+")
