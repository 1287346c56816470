"""Speech to text over Lumo's socket, while the person speaks.

    us      session.update               the sealed key of the utterance, the language
    us      input_audio_buffer.append    a piece of sound, sealed on its own
    us      input_audio_buffer.commit    each second, and with `final` at the end
    Lumo    transcription.segment        `text` replaces that of its `segment_id`
    Lumo    conversation.item.input_audio_transcription.delta
                                         `delta.text` is appended; ignored beside segments

The sound is raw (16 bits, little endian, mono, 16 kHz) and always sealed. Unencrypted
text is refused: what is heard becomes a command. From Proton's web client; unverified
is who may open the socket, and what comes behind the final commit.
"""

import asyncio
from collections.abc import AsyncIterable, AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlsplit

import aiohttp

from . import errors
from .auth import Credential, Session, send_signed
from .encryption import RequestCipher
from .endpoints import LUMO_APP_VERSION, Endpoints
from .replies import HttpReply, error_from_certificate, error_from_reply
from .transport import USER_AGENT
from .wire_json import TextJoiner, dump_json, parse_json, text_of

_SECOND: Final = 2 * 16_000
"""Bytes of sound."""
# About what Proton's web client sends at once, and how often it asks for a result.
_PIECE: Final = _SECOND * 8 // 100
_PIECES_A_COMMIT: Final = 12
_LONGEST: Final = 60 * _SECOND
# Characters of a minute of speech, several times over.
_LONGEST_TEXT: Final = 10_000
# The utterance, and its beginning and end.
_CONNECTION_SECONDS: Final = 90.0
_LARGEST: Final = 64 * 1024
"""Bytes of an answer that is a refusal."""
# How a service ends a socket that did what it was for, without a code too (RFC 6455).
_GOOD_CLOSES: Final = frozenset({0, 1000, 1001, 1005})

# The languages of the model behind it; any other is left for it to find out.
_CODES: Final = (
    "ar cs da de el en es fa fi fil fr hi hu id it "
    "ja ko mk ms nl pl pt ro ru sv th tr vi yue zh"
)
LANGUAGES: Final = tuple(_CODES.split())


def transcription_language(tag: str) -> str | None:
    """Return what Lumo calls a language by its tag, None if it has to find out."""
    base, *rest = tag.lower().replace("_", "-").split("-")
    if base == "zh" and "hk" in rest:
        return "yue"
    base = "fil" if base == "tl" else base
    return base if base in LANGUAGES else None


@dataclass(frozen=True, slots=True)
class Patience:
    """Seconds to wait, at most: to connect, and behind the final commit."""

    connect: float = 10.0
    late: float = 5.0
    """For the first text, and for one that may still change."""
    quiet: float = 1.2
    """For another one, where nothing says whether there will be."""
    final: float = 0.08
    """For another one, once all that was said is final."""


PATIENCE = Patience()

type Connect = Callable[
    [str, Mapping[str, str]],
    AbstractAsyncContextManager[aiohttp.ClientWebSocketResponse],
]


async def refuse_all_but_sockets(
    request: aiohttp.ClientRequest, handler: aiohttp.ClientHandlerType
) -> aiohttp.ClientResponse:
    """Raise the LumoError of an answer that opens no socket; a middleware for aiohttp.

    No redirect is followed: a token would go there as well.
    """
    response = await handler(request)
    if response.status == 101:
        return response
    body = await response.content.read(_LARGEST)
    response.close()
    if response.status == 401:
        raise errors.UnauthorizedError(status=401)
    reply = HttpReply(response.status, response.headers, body)
    raise error_from_reply(reply, peer="gateway")


class SpeechSocket:
    """Turns speech into text for one credential.

    `connect` opens a socket without cookies, by way of `refuse_all_but_sockets`.
    """

    def __init__(
        self, endpoints: Endpoints, credential: Credential, connect: Connect
    ) -> None:
        self._url = endpoints.realtime_url
        self._endpoints = endpoints
        self._credential = credential
        self._connect = connect

    async def check(self) -> None:
        """Send half a second of silence. Raises LumoError."""

        async def silence() -> AsyncIterator[bytes]:
            yield bytes(_SECOND // 2)

        await self.transcribe(silence(), None)

    async def transcribe(
        self, audio: AsyncIterable[bytes], language: str | None
    ) -> str:
        """Return what is said in raw or WAV sound, empty for silence. Raises LumoError."""
        cipher = await asyncio.to_thread(
            RequestCipher.create, self._endpoints.public_key
        )

        async def connect(signed: dict[str, str]) -> aiohttp.ClientWebSocketResponse:
            return await stack.enter_async_context(
                self._connect(self._url, self._headers() | signed)
            )

        try:
            async with asyncio.timeout(_CONNECTION_SECONDS), AsyncExitStack() as stack:
                async with asyncio.timeout(PATIENCE.connect):
                    socket = await send_signed(self._credential, connect)
                return await _Utterance(socket, cipher).run(audio, language)
        except TimeoutError:
            raise errors.LumoTimeoutError from None
        except (aiohttp.ClientError, OSError) as err:
            # Without its text, which may hold a header.
            raise (error_from_certificate(err) or errors.LumoConnectionError()) from err

    def _headers(self) -> dict[str, str]:
        """Return the other headers: for a session the cookie too, as browsers do."""
        headers = {"User-Agent": USER_AGENT}
        if self._credential.encrypted:
            headers["x-pm-appversion"] = LUMO_APP_VERSION
        if isinstance(self._credential, Session):
            tokens = self._credential.tokens
            page = urlsplit(self._endpoints.lumo_url)
            headers["Cookie"] = f"AUTH-{tokens.uid}={tokens.access_token}"
            headers["Origin"] = f"{page.scheme}://{page.netloc}"
        return headers


class Transcript:
    """The text of one utterance so far. `decrypt` opens a text, or raises LumoError."""

    def __init__(self, decrypt: Callable[[str], bytes]) -> None:
        self._decrypt = decrypt
        self._segments: dict[str, str] = {}
        self._open: set[str] = set()
        self._joiner = TextJoiner()
        self._appended = ""
        self.is_idle = False
        """The service ends the connection because it has heard nothing for long."""

    def take(self, message: bytes | str) -> bool:
        """Take a message; return whether it held text. Raises LumoError."""
        try:
            value = parse_json(message)
        except ValueError:
            value = None
        match value:
            case {"type": "transcription.segment"}:
                self._take_segment(value)
            case {"type": "conversation.item.input_audio_transcription.delta"}:
                self._appended += self._joiner.add(self._read(value.get("delta")))
            case {"type": "error"}:
                self._fail(value)
                return False
            case {"type": str()}:
                return False
            case _:
                raise errors.ProtocolError("A message of the socket is no event")
        if len(self.text) > _LONGEST_TEXT:
            raise errors.AnswerTooLongError
        return True

    @property
    def text(self) -> str:
        """Return the segments in the order of their ids, else the deltas."""
        order = list(self._segments)
        if all(map(str.isdecimal, order)):
            order.sort(key=lambda number: (len(number), number))
        texts = (self._segments[number].strip() for number in order)
        return " ".join(filter(None, texts)) or self._appended.strip()

    @property
    def is_open(self) -> bool:
        """Return whether a segment may still change."""
        return bool(self._open)

    @property
    def is_final(self) -> bool:
        """Return whether there are segments, none of which will change."""
        return bool(self._segments) and not self._open

    def _take_segment(self, value: dict[str, Any]) -> None:
        number = value.get("segment_id")
        if not isinstance(number, int | str):
            raise errors.ProtocolError("A part of the transcript has no number")
        number, text = str(number), self._read(value).decode(errors="replace")
        if value.get("is_final") is True:
            self._open.discard(number)
        elif number in self._segments and number not in self._open:
            # A guess that was on its way when it was known.
            return
        else:
            self._open.add(number)
        self._segments[number] = text

    def _read(self, part: object) -> bytes:
        match part:
            case {"text": ""}:
                return b""
            case {"text": str(sealed), "encrypted": True}:
                return self._decrypt(sealed)
            case {"text": str()}:
                raise errors.IntegrityError("A part of the transcript came unencrypted")
        raise errors.ProtocolError("A part of the transcript has no text")

    def _fail(self, value: dict[str, Any]) -> None:
        error = value.get("error")
        text = text_of(value.get("message")) or text_of(
            error.get("message") if isinstance(error, dict) else None
        )
        if "inactivity" not in text.lower():
            raise errors.ServerError
        self.is_idle = True


class _Utterance:
    def __init__(
        self, socket: aiohttp.ClientWebSocketResponse, cipher: RequestCipher
    ) -> None:
        self._socket = socket
        self._cipher = cipher
        self._transcript = Transcript(cipher.decrypt)
        self._all_is_said = False
        self._has_ended = False
        self._is_news = asyncio.Event()

    async def run(self, audio: AsyncIterable[bytes], language: str | None) -> str:
        session = {"input_audio_transcription": {"language": language}}
        await self._send(
            "session.update",
            **({"session": session} if language else {}),
            lumo={
                "request_key": self._cipher.request_key,
                "request_id": self._cipher.request_id,
                "encrypted": True,
            },
        )
        try:
            async with asyncio.TaskGroup() as group:
                hearing = group.create_task(self._hear())
                if await self._speak(audio):
                    await self._wait_for_the_end()
                hearing.cancel()
        except ExceptionGroup as failures:
            raise failures.exceptions[0] from None
        return self._transcript.text

    async def _send(self, kind: str, **members: object) -> None:
        await self._socket.send_str(dump_json({"type": kind, **members}))

    async def _speak(self, audio: AsyncIterable[bytes]) -> bool:
        count = length = 0
        async for piece in _pieces(audio):
            if count and count % _PIECES_A_COMMIT == 0:
                # The final commit must have something new.
                await self._send("input_audio_buffer.commit", final=False)
            count += 1
            length += len(piece)
            if length > _LONGEST:
                raise errors.AnswerTooLongError("Nobody stopped speaking for a minute")
            sealed = self._cipher.seal(piece)
            await self._send(
                "input_audio_buffer.append",
                audio={"format": "wav", "data": sealed, "encrypted": True},
            )
        if count:
            # First, as the answer may be here when the commit is sent.
            self._all_is_said = True
            await self._send("input_audio_buffer.commit", final=True)
        return bool(count)

    async def _hear(self) -> None:
        async for message in self._socket:
            if message.type is aiohttp.WSMsgType.ERROR:
                raise errors.StreamInterruptedError
            if self._transcript.take(message.data) and self._all_is_said:
                self._is_news.set()
            if self._transcript.is_idle:
                break
        is_whole = self._transcript.is_final or (
            not self._transcript.is_open
            if self._transcript.is_idle
            else self._socket.close_code in _GOOD_CLOSES
        )
        if not self._all_is_said or not is_whole:
            raise errors.StreamInterruptedError
        self._has_ended = True
        self._is_news.set()

    async def _wait_for_the_end(self) -> None:
        """Wait for late texts. Raises LumoTimeoutError if one stays unfinished."""
        transcript = self._transcript
        has_news = False
        while not self._has_ended:
            wait = PATIENCE.late
            if has_news and transcript.is_final:
                wait = PATIENCE.final
            elif transcript.text and not transcript.is_open:
                # Half a sentence is worse than a wait, so without news a longer one.
                wait = PATIENCE.quiet if has_news else PATIENCE.late / 2
            try:
                async with asyncio.timeout(wait):
                    await self._is_news.wait()
            except TimeoutError:
                break
            self._is_news.clear()
            has_news = True
        if transcript.is_open and not has_news:
            raise errors.LumoTimeoutError


async def _pieces(audio: AsyncIterable[bytes]) -> AsyncIterator[bytes]:
    rest = bytearray()
    is_first = True
    async for chunk in audio:
        if is_first and chunk.startswith(b"RIFF"):
            # Its last part is the name of what follows and its length.
            chunk = chunk[chunk.find(b"data") + 8 :]
        is_first = False
        rest += chunk
        while len(rest) >= _PIECE:
            yield bytes(rest[:_PIECE])
            del rest[:_PIECE]
    if len(rest) > 1:
        yield bytes(rest[: len(rest) // 2 * 2])
