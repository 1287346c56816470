"""Speech becomes text over a socket: what the stand-in hears, and what goes wrong."""

import asyncio
import base64
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
import io
import wave

import aiohttp
from aiohttp import web
import httpx
import pytest

from custom_components.lumo.lumo_client import realtime
from custom_components.lumo.lumo_client.auth import Session, Tokens, keep_nothing
from custom_components.lumo.lumo_client.endpoints import Endpoints
from custom_components.lumo.lumo_client.errors import (
    AnswerTooLongError,
    ConfigurationError,
    ForbiddenError,
    IntegrityError,
    LumoConnectionError,
    LumoError,
    LumoTimeoutError,
    ProtocolError,
    ServerError,
    StreamInterruptedError,
)
from custom_components.lumo.lumo_client.realtime import (
    Patience,
    SpeechSocket,
    refuse_all_but_sockets,
    transcription_language,
)
from dev.sound import sound_of
from dev.standin import Standin, start

HASTY = Patience(connect=5, late=0.3, quiet=0.2, final=0.01)
SENTENCE = (
    "Turn off the kitchen lights, but leave on the one under the hob, größte Mühe"
)
# With a second of humming behind it.
LONG = sound_of(SENTENCE) + b"\x7f\x7f" * 16_000


@asynccontextmanager
async def connect(
    url: str, headers: Mapping[str, str]
) -> AsyncIterator[aiohttp.ClientWebSocketResponse]:
    async with (
        aiohttp.ClientSession(middlewares=(refuse_all_but_sockets,)) as session,
        session.ws_connect(
            url, headers=headers, timeout=aiohttp.ClientWSTimeout(ws_close=0.05)
        ) as socket,
    ):
        yield socket


@pytest.fixture(autouse=True)
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait less for what does not come."""
    monkeypatch.setattr(realtime, "PATIENCE", HASTY)


@pytest.fixture
async def standin(socket_enabled: None) -> AsyncGenerator[Standin]:
    async with await start() as running:
        yield running


def endpoints_of(standin: Standin, lumo_url: str | None = None) -> Endpoints:
    url = f"{standin.base_url}/api"
    return Endpoints(
        lumo_url=lumo_url or url,
        account_url=url,
        public_key=standin.key_pair.public_key,
        development=True,
    )


@pytest.fixture
async def http() -> AsyncIterator[httpx.AsyncClient]:
    async with httpx.AsyncClient(verify=False) as client:
        yield client


@pytest.fixture
def alice(standin: Standin, http: httpx.AsyncClient) -> Session:
    session = standin.accounts_state.alice
    tokens = Tokens(session.uid, session.access_token, session.refresh_token)
    return Session(http, endpoints_of(standin), tokens, keep_nothing)


@pytest.fixture
def speech(standin: Standin, alice: Session) -> SpeechSocket:
    return SpeechSocket(endpoints_of(standin), alice, connect)


async def spoken(
    sound: bytes, size: int = 320, pause: float = 0
) -> AsyncIterator[bytes]:
    """Return sound as a pipeline gives it: ten milliseconds at a time.

    With a pause, in seconds, before the last of it.
    """
    for at in range(0, len(sound), size):
        if at + size >= len(sound):
            await asyncio.sleep(pause)
        yield sound[at : at + size]
        await asyncio.sleep(0)


@pytest.mark.parametrize(
    "scenario",
    [
        [],
        ["speech_deltas"],
        ["speech_both"],
        ["speech_late"],
        ["speech_closes"],
        ["speech_closes", "speech_deltas"],
    ],
    ids="-".join,
)
async def test_what_is_said_is_understood(
    standin: Standin, speech: SpeechSocket, scenario: list[str]
) -> None:
    standin.scenarios = scenario
    sound = sound_of(SENTENCE)
    assert await speech.transcribe(spoken(sound), "de") == SENTENCE
    [record] = standin.speeches
    assert (record["auth"], record["language"]) == ("session", "de")
    assert standin.violations == []
    frames = "".join(record["frames"])
    assert frames.count('"final":false') == (len(sound) - 1) // 2560 // 12
    assert frames.count('"final":true') == 1
    for at in range(0, len(sound) - 48, 48):
        piece = sound[at : at + 48]
        assert piece.decode("latin-1") not in frames
        assert base64.b64encode(piece).decode() not in frames


FAILURES: list[tuple[str, type[LumoError]]] = [
    ("speech_cut", StreamInterruptedError),
    ("speech_cut_late", StreamInterruptedError),
    ("speech_error", ServerError),
    ("speech_inactive", LumoConnectionError),
    ("speech_garbage", ProtocolError),
    ("speech_clear", IntegrityError),
    ("speech_damaged", IntegrityError),
    ("speech_refused", ForbiddenError),
]


@pytest.mark.parametrize(("scenario", "error"), FAILURES)
async def test_what_goes_wrong_is_an_error(
    standin: Standin, speech: SpeechSocket, scenario: str, error: type[LumoError]
) -> None:
    standin.scenarios = [scenario]
    with pytest.raises(error):
        await speech.transcribe(spoken(LONG, pause=0.05), "en")
    assert standin.counts["realtime"] == 1
    assert standin.violations == []


@pytest.mark.parametrize(
    ("scenario", "sound"),
    [([], bytes(3200)), (["speech_empty"], sound_of(SENTENCE)), ([], b"")],
    ids=["silence", "another rate", "nothing"],
)
async def test_nothing_heard_is_no_text(
    standin: Standin, speech: SpeechSocket, scenario: list[str], sound: bytes
) -> None:
    standin.scenarios = scenario
    assert await speech.transcribe(spoken(sound), None) == ""
    assert standin.speeches[0]["language"] is None


def wav(sound: bytes) -> bytes:
    """Return sound as a file."""
    file = io.BytesIO()
    with wave.open(file, "wb") as writer:
        writer.setnchannels(1)
        writer.setsampwidth(2)
        writer.setframerate(16_000)
        writer.writeframes(sound)
    return file.getvalue()


@pytest.mark.parametrize("size", [44, 4096])
async def test_the_header_of_a_file_is_no_sound(
    standin: Standin, speech: SpeechSocket, size: int
) -> None:
    file = wav(sound_of("Stop"))
    assert await speech.transcribe(spoken(file, size), "en") == "Stop"
    assert standin.violations == []


async def test_nobody_speaks_for_ever(
    speech: SpeechSocket, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A minute is the limit, here three seconds."""
    assert realtime._LONGEST == 60 * 32_000
    monkeypatch.setattr(realtime, "_LONGEST", 3 * 32_000)
    with pytest.raises(AnswerTooLongError):
        await speech.transcribe(spoken(bytes(4 * 32_000), 32_000), None)


async def test_who_stops_in_the_middle_leaves_nothing(
    standin: Standin, speech: SpeechSocket
) -> None:
    """The socket is closed at once."""
    begun = asyncio.Event()

    async def endless() -> AsyncIterator[bytes]:
        while True:
            yield bytes(2560)
            begun.set()
            await asyncio.sleep(0.001)

    speaking = asyncio.create_task(speech.transcribe(endless(), None))
    await begun.wait()
    speaking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await speaking
    [record] = standin.speeches
    await record["closed"].wait()


async def test_an_old_token_is_renewed_once(
    standin: Standin, speech: SpeechSocket
) -> None:
    standin.accounts_state.expire_access_tokens(standin.accounts_state.alice)
    said = spoken(sound_of("Stop"))
    assert await speech.transcribe(said, "en") == "Stop"
    assert standin.counts["realtime"] == 2


async def test_nobody_there_is_told_from_a_refusal(
    standin: Standin, alice: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A port where nobody listens, and one that never answers."""
    endpoints = endpoints_of(standin, lumo_url="http://127.0.0.1:9/api")
    with pytest.raises(LumoConnectionError):
        await SpeechSocket(endpoints, alice, connect).check()
    kept: list[object] = []
    silent = await asyncio.start_server(
        lambda *streams: kept.append(streams), "127.0.0.1", 0
    )
    port = silent.sockets[0].getsockname()[1]
    endpoints = replace(endpoints, lumo_url=f"http://127.0.0.1:{port}/api")
    monkeypatch.setattr(realtime, "PATIENCE", replace(HASTY, connect=0.05))
    with pytest.raises(LumoTimeoutError):
        await SpeechSocket(endpoints, alice, connect).check()
    silent.close()


async def test_a_redirect_is_not_followed(
    standin: Standin, alice: Session, socket_enabled: None
) -> None:
    """The token would go there as well."""
    asked: list[str] = []

    async def redirect(request: web.BaseRequest) -> web.Response:
        asked.append(request.path)
        return web.Response(status=307, headers={"Location": "/elsewhere"})

    server = await asyncio.get_running_loop().create_server(
        web.Server(redirect), "127.0.0.1", 0
    )
    port = server.sockets[0].getsockname()[1]
    endpoints = endpoints_of(standin, lumo_url=f"http://127.0.0.1:{port}/api")
    with pytest.raises(LumoError):
        await SpeechSocket(endpoints, alice, connect).transcribe(
            spoken(bytes(320)), None
        )
    assert asked == ["/api/ai/v1/realtime"]
    server.close()


LUMO = Endpoints(
    lumo_url="https://lumo.proton.me/api",
    account_url="https://account.proton.me/api",
    public_key="",
)


@pytest.mark.parametrize(
    ("lumo_url", "expected"),
    [
        ("https://lumo.proton.me/api", "wss://lumo-api.proton.me/api/ai/v1/realtime"),
        (
            "https://lumo.some.proton.black/api",
            "wss://lumo-api.some.proton.black/api/ai/v1/realtime",
        ),
        ("http://127.0.0.1:1234/api", "ws://127.0.0.1:1234/api/ai/v1/realtime"),
        ("https://[::1]:1234/api", "wss://[::1]:1234/api/ai/v1/realtime"),
    ],
)
def test_the_socket_is_beside_lumo(lumo_url: str, expected: str) -> None:
    assert replace(LUMO, lumo_url=lumo_url).realtime_url == expected


@pytest.mark.parametrize(
    "endpoints",
    [
        replace(LUMO, lumo_url="http://lumo.proton.me/api"),
        LUMO.for_gateway("https://gateway.example/v1"),
    ],
)
def test_nobody_else_hears_what_is_said(endpoints: Endpoints) -> None:
    with pytest.raises(ConfigurationError):
        _ = endpoints.realtime_url


TAGS = {
    "de-CH": "de", "de_AT": "de", "es-419": "es", "pt-BR": "pt", "it": "it",
    "fil-PH": "fil", "tl": "fil", "zh-Hans": "zh", "zh-TW": "zh", "zh-HK": "yue",
    "zh-Hant-HK": "yue", "yue": "yue", "nb": None, "uk": None, "sr-Latn": None, "": None,
}  # fmt: skip


@pytest.mark.parametrize(("tag", "expected"), TAGS.items())
def test_languages_have_their_code(tag: str, expected: str | None) -> None:
    assert transcription_language(tag) == expected
