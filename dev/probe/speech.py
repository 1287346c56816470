"""The socket for speech: who may open it, and what comes back.

Opened and read by the integration's own client; the form of its messages is kept.
"""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
import json
from typing import Any, Final, cast

import aiohttp

from custom_components.lumo.lumo_client.auth import Credential
from custom_components.lumo.lumo_client.endpoints import Endpoints
from custom_components.lumo.lumo_client.errors import LumoError
from custom_components.lumo.lumo_client.realtime import (
    SpeechSocket,
    refuse_all_but_sockets,
)

SILENCE: Final = bytes(16_000)
# Ten milliseconds of sound, as a pipeline gives it: as fast as it is spoken.
_CHUNK: Final = 320
CHUNK_SECONDS = 0.01

type Messages = list[dict[str, Any]]


class _Heard:
    """A socket that notes what comes, and whether all was said before."""

    def __init__(
        self, socket: aiohttp.ClientWebSocketResponse, messages: Messages
    ) -> None:
        self._socket = socket
        self._messages = messages
        self._all_is_said = False

    async def send_str(self, text: str) -> None:
        self._all_is_said = json.loads(text).get("final") is True
        await self._socket.send_str(text)

    async def __aiter__(self) -> AsyncIterator[aiohttp.WSMessage]:
        async for message in self._socket:
            try:
                value = json.loads(message.data)
            except TypeError, ValueError:
                value = None
            if isinstance(value, dict):
                self._messages.append({**value, "behind_the_end": self._all_is_said})
            yield message

    @property
    def close_code(self) -> int | None:
        return self._socket.close_code


async def listen(
    endpoints: Endpoints, credential: Credential, sound: bytes
) -> tuple[bool, str, Messages, str | None]:
    """Return whether the socket opens, the text, the messages, the error."""
    messages: Messages = []

    @asynccontextmanager
    async def connect(
        url: str, headers: Mapping[str, str]
    ) -> AsyncIterator[aiohttp.ClientWebSocketResponse]:
        async with (
            aiohttp.ClientSession(
                cookie_jar=aiohttp.DummyCookieJar(),
                middlewares=(refuse_all_but_sockets,),
            ) as session,
            session.ws_connect(url, headers=headers) as socket,
        ):
            opened.append(True)
            yield cast("aiohttp.ClientWebSocketResponse", _Heard(socket, messages))

    async def spoken() -> AsyncIterator[bytes]:
        for at in range(0, len(sound), _CHUNK):
            yield sound[at : at + _CHUNK]
            await asyncio.sleep(CHUNK_SECONDS)

    opened: list[bool] = []
    try:
        socket = SpeechSocket(endpoints, credential, connect)
        text = await socket.transcribe(spoken(), None)
    except LumoError as err:
        return bool(opened), "", messages, err.code
    return True, text, messages, None
