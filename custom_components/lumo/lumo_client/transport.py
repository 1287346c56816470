"""One HTTP request: send it, wait and read within bounds. Nothing is repeated here.

Errors of the HTTP library become LumoErrors without their text: it may hold a token.
"""

import asyncio
from collections.abc import Mapping
from http import HTTPStatus
import logging
import re
from typing import Any, Final, TypeIs

import httpx

from . import errors
from .endpoints import is_confidential
from .replies import (
    HttpReply,
    Peer,
    error_from_certificate,
    error_from_reply,
    error_in,
    is_page,
)
from .wire_json import dump_json

_LOGGER = logging.getLogger(__name__)

# What Proton's web client sends with every API call.
ACCEPT_JSON: Final = "application/vnd.protonmail.v1+json"
ACCEPT_STREAM: Final = "text/event-stream"

# The same for every home: no version of Home Assistant.
USER_AGENT: Final = "LumoForHomeAssistant"
# Nothing is compressed: a small answer must not become a large one.
_ALWAYS: Final = {"User-Agent": USER_AGENT, "Accept-Encoding": "identity"}

# To connect, and for a whole answer other than a stream.
CONNECT_SECONDS: Final = 15.0
REPLY_SECONDS: Final = 30.0
_WRITE_SECONDS: Final = 30.0

_CANCEL_AGAIN_SECONDS: Final = 0.05

_LARGEST_REPLY: Final = 4 * 1024 * 1024

# Reading the few bytes after the end of an answer lets the connection be used again.
_DRAIN_SECONDS: Final = 0.2

_COOKIES: Final = re.compile("set-cookie.*", re.IGNORECASE | re.DOTALL)


class OpenReply:
    """A successful answer whose body is still to be read."""

    def __init__(self, response: httpx.Response) -> None:
        self._response = response
        self._chunks = response.aiter_bytes()

    async def read(self) -> bytes:
        """Return the next bytes, empty at the end. Raises LumoConnectionError."""
        try:
            async for chunk in self._chunks:
                if chunk:
                    return chunk
        except httpx.HTTPError, httpx.StreamError:
            raise errors.StreamInterruptedError from None
        return b""

    async def drain(self) -> None:
        """Read the end of a complete answer: the connection can be used again."""
        try:
            async with asyncio.timeout(_DRAIN_SECONDS):
                while await self.read():
                    pass
        except TimeoutError, errors.LumoError:
            pass

    async def aclose(self) -> None:
        """Close the stream, and the connection if the body was not read to its end."""
        await self._response.aclose()
        # Ends the HTTP library's generators now, not when the event loop finds them.
        await self.drain()


class Transport:
    """Sends requests with one HTTP client, which is not closed here.

    Without TLS only to this machine, or to a gateway: a request may carry a session.
    """

    def __init__(self, http: httpx.AsyncClient, *, peer: Peer = "proton") -> None:
        self._http = http
        self._peer = peer

    async def open(
        self, url: str, headers: Mapping[str, str], body: bytes, connect: float
    ) -> OpenReply:
        """Post a request; return the answer once its headers say success, else LumoError.

        Waits `connect` seconds for a connection, then until cancelled.
        """
        response = await self._send("POST", url, headers, body, connect)
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
    ) -> HttpReply:
        """Return the whole answer, successful or not. Raises LumoConnectionError."""
        response = await self._send(
            method,
            url,
            {"Accept": ACCEPT_JSON, **headers},
            None if body is None else dump_json(body).encode(),
            CONNECT_SECONDS,
            REPLY_SECONDS,
        )
        return await self._read(response)

    async def _send(
        self,
        method: str,
        url: str,
        headers: Mapping[str, str],
        body: bytes | None,
        connect: float,
        seconds: float | None = None,
    ) -> httpx.Response:
        if self._peer != "gateway" and not is_confidential(url):
            raise errors.ConfigurationError("The address of the service needs https")
        headers = {**_ALWAYS, **headers}
        if body is not None:
            headers["Content-Type"] = "application/json"

        timeout = httpx.Timeout(
            connect=connect, read=None, write=_WRITE_SECONDS, pool=connect
        )
        try:
            request = self._http.build_request(
                method, url, headers=headers, content=body, timeout=timeout
            )
            async with asyncio.timeout(seconds):
                return await self._headers(request)
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

    async def _headers(self, request: httpx.Request) -> httpx.Response:
        # The HTTP library loses some cancellations: a task can be cancelled again.
        task = asyncio.create_task(
            self._http.send(request, stream=True, follow_redirects=False)
        )
        try:
            await asyncio.wait([task])
        except asyncio.CancelledError:
            await _end(task)
            raise
        return task.result()

    async def _read(self, response: httpx.Response) -> HttpReply:
        body = bytearray()
        stream = OpenReply(response)
        try:
            async with asyncio.timeout(REPLY_SECONDS):
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
        return HttpReply(response.status_code, response.headers, bytes(body))


async def _end(task: asyncio.Task[httpx.Response]) -> None:
    """Cancel a request until it has ended, and close its answer if it has one."""
    while not task.done():
        task.cancel()
        await asyncio.wait([task], timeout=_CANCEL_AGAIN_SECONDS)
    if not task.cancelled() and task.exception() is None:
        await task.result().aclose()


def _without_cookies(record: logging.LogRecord) -> bool:
    """Hide what follows the first cookie: a session or a guest is known by one."""
    record.msg = _COOKIES.sub("set-cookie: ***", str(record.msg))
    return True


# Their debug level, which `default: debug` turns on, writes the headers of answers.
for _library in ("httpcore", "httpcore2"):
    for _protocol in ("http11", "http2"):
        logging.getLogger(f"{_library}.{_protocol}").addFilter(_without_cookies)


def read_reply(
    reply: HttpReply, *members: str, peer: Peer = "proton"
) -> dict[str, Any]:
    """Return the JSON object of a successful answer, else raise its LumoError.

    JSON with neither the envelope's code nor an expected member is not Proton's.
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
    """Return whether a token fits in a header; the HTTP library would quote another."""
    return isinstance(value, str) and _TOKEN.fullmatch(value) is not None


_TOKEN: Final = re.compile(r"[!-~]+")
