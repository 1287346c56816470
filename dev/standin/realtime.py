"""The socket for speech: `ai/v1/realtime`.

Sound comes in sealed pieces, and text goes out at each commit, in segments that replace
each other or in pieces that are appended. What was said stands in the sound itself, see
`dev/sound.py`. Who may open the socket is not known of the real service: here accounts
may, by headers or by the cookie of a browser.
"""

import asyncio
from typing import Any, Final

from aiohttp import WSMsgType, web

from dev.sound import text_of

from .accounts import Identity
from .chat_request import open_channel
from .connection import Gone, reset
from .encryption import Channel, DecryptError
from .errors import ApiError, missing_scope, unauthorized
from .keys import SERVICE
from .plan import dump
from .routes import add_route

type Json = dict[str, Any]

WORDS_IN_A_SEGMENT: Final = 4
BYTES_IN_A_DELTA: Final = 5
LATE_SECONDS: Final = 0.1


def add_routes(app: web.Application) -> None:
    """Serve the socket."""
    add_route(app, "GET", ("ai/v1/realtime",), realtime)


async def realtime(request: web.Request) -> web.StreamResponse:
    """Listen until the client has heard all, or has left."""
    service = request.app[SERVICE]
    service.counts["realtime"] += 1
    who = _admit(request)
    socket = web.WebSocketResponse(max_msg_size=2**20)
    await socket.prepare(request)
    record: Json = {"auth": who.kind, "language": None, "text": "", "frames": []}
    record["closed"] = asyncio.Event()
    service.speeches.append(record)
    listener = _Listener(request, socket, record)
    try:
        async for message in socket:
            if message.type is not WSMsgType.TEXT:
                service.report("a frame of the socket is no text")
                break
            record["frames"].append(message.data)
            await listener.take(message.json())
    except _Failed as failed:
        if isinstance(failed, _Refused):
            service.report(str(failed))
        await socket.send_json({"type": "error", "message": str(failed)})
    except Gone, ConnectionError:
        pass
    if listener.channel and listener.channel.repeated_iv:
        service.report("an IV was used twice")
    await socket.close()
    record["closed"].set()
    return socket


def _admit(request: web.Request) -> Identity:
    """Say who opens the socket; raise ApiError for those who may not."""
    service = request.app[SERVICE]
    accounts = service.accounts_state
    if "speech_refused" in service.scenarios:
        raise missing_scope("lumo")
    if "speech_open" in service.scenarios:
        return accounts.identify(request)
    if request.headers.get("x-pm-uid") and "speech_cookie" not in service.scenarios:
        return accounts.identify(request)
    for name, token in request.cookies.items():
        session = accounts.sessions.get(name.removeprefix("AUTH-"))
        if session and accounts.now() < session.access_tokens.get(token, 0.0):
            return Identity("session", session.uid, session)
    raise unauthorized()


class _Failed(Exception):
    """The service ends the socket with an error."""


class _Refused(_Failed):
    """Because of what a good client does not send."""


class _Listener:
    """One utterance: what was heard of it, and what was told."""

    def __init__(
        self, request: web.Request, socket: web.WebSocketResponse, record: Json
    ) -> None:
        self.channel: Channel | None = None
        self._request = request
        self._socket = socket
        self._record = record
        self._service = request.app[SERVICE]
        self._scenarios = self._service.scenarios
        self._sound = bytearray()
        self._is_open = False
        self._told: dict[int, tuple[str, bool]] = {}
        self._appended = 0

    async def take(self, message: Json) -> None:
        """Take a message of the client's."""
        match message:
            case {"type": "session.update"}:
                self._open(message)
            case {"type": "input_audio_buffer.append", "audio": dict() as audio}:
                self._hear(audio)
            case {"type": "input_audio_buffer.commit", "final": bool() as is_final}:
                await self._tell(is_final)
            case _:
                raise _Refused("Unknown message")

    def _open(self, message: Json) -> None:
        session = message.get("session") or {}
        transcription = session.get("input_audio_transcription") or {}
        self._record["language"] = transcription.get("language")
        lumo = message.get("lumo") or {}
        try:
            self.channel = open_channel(
                lumo, self._service.key_pair, self._service.report
            )
        except ApiError as error:
            raise _Refused(str(error)) from error
        if self.channel and lumo.get("encrypted") is not True:
            raise _Refused("A key without `encrypted`")
        self._is_open = True

    def _hear(self, audio: Json) -> None:
        """Take a piece of sound; a text in clear beside a key is refused."""
        if not self._is_open:
            raise _Refused("Sound before the session")
        data = audio.get("data")
        if audio.get("format") != "wav" or not isinstance(data, str):
            raise _Refused("Invalid value for audio")
        if self.channel is None or audio.get("encrypted") is not True:
            raise _Refused("Sound in clear")
        try:
            piece = self.channel.open(data)
        except DecryptError as error:
            raise _Refused(f"Sound could not be decrypted: {error}") from error
        if len(piece) % 2 or piece.startswith(b"RIFF"):
            raise _Refused("Sound is no raw samples")
        self._sound += piece

    async def _tell(self, is_final: bool) -> None:
        await self._break(is_final)
        text = "" if "speech_empty" in self._scenarios else text_of(bytes(self._sound))
        self._record["text"] = text
        if "speech_early" in self._scenarios and is_final:
            return
        if "speech_late" in self._scenarios:
            if not is_final:
                return
            await asyncio.sleep(LATE_SECONDS)
            await self._segments(text, is_final=False)
            await asyncio.sleep(LATE_SECONDS)
        if {"speech_deltas", "speech_both"} & set(self._scenarios):
            await self._deltas(text)
        if "speech_deltas" not in self._scenarios:
            cut = is_final and "speech_cut_late" in self._scenarios
            await self._segments(text, is_final=is_final and not cut)
            if cut:
                raise reset(self._request)
        if is_final and "speech_closes" in self._scenarios:
            await self._socket.close()

    async def _break(self, is_final: bool) -> None:
        if "speech_cut" in self._scenarios:
            raise reset(self._request)
        if "speech_error" in self._scenarios:
            raise _Failed("Transcription failed")
        if "speech_inactive" in self._scenarios and not is_final:
            raise _Failed("Connection closed due to inactivity")
        if "speech_garbage" in self._scenarios:
            await self._socket.send_str("{nonsense")

    async def _segments(self, text: str, *, is_final: bool) -> None:
        """Send what has changed, the last first; what is not final is a guess."""
        words = text.split()
        starts = range(0, len(words), WORDS_IN_A_SEGMENT)
        for number, start in reversed([*enumerate(starts)]):
            said = " ".join(words[start : start + WORDS_IN_A_SEGMENT])
            done = is_final or start + WORDS_IN_A_SEGMENT < len(words)
            now = (said if done else f"{said.lower()} uh", done)
            if self._told.get(number) == now:
                continue
            self._told[number] = now
            await self._send(
                type="transcription.segment",
                segment_id=number,
                is_final=done,
                **self._seal(now[0].encode()),
            )

    async def _deltas(self, text: str) -> None:
        """Send what is new, cut anywhere."""
        new = text.encode()[self._appended :]
        self._appended += len(new)
        for at in range(0, len(new), BYTES_IN_A_DELTA):
            await self._send(
                type="conversation.item.input_audio_transcription.delta",
                delta=self._seal(new[at : at + BYTES_IN_A_DELTA]),
            )

    def _seal(self, text: bytes) -> Json:
        assert self.channel
        if "speech_clear" in self._scenarios:
            return {"text": text.decode(errors="replace")}
        if "speech_damaged" in self._scenarios:
            return {"text": self.channel.seal_badly("uh"), "encrypted": True}
        return {"text": self.channel.seal(text), "encrypted": True}

    async def _send(self, **message: Any) -> None:
        await self._socket.send_str(dump(message))
