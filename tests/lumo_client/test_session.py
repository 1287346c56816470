"""The life of a session's tokens, with the faults that a year brings."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field

from aiohttp import web
import httpx
import pytest

from custom_components.lumo.lumo_client import auth
from custom_components.lumo.lumo_client.auth import Session, Tokens
from custom_components.lumo.lumo_client.errors import (
    AccountDisabledError,
    AppVersionError,
    ForeignPageError,
    HumanVerificationError,
    LumoConnectionError,
    LumoError,
    ProtocolError,
    RateLimitError,
    ServerError,
    SessionExpiredError,
)

from .loopback import Handler, LoopbackServer, hang, page, reply, reset

OLD = Tokens("uid-1", "at-1", "rt-1")
NEW = Tokens("uid-1", "at-2", "rt-2")
ANSWER = {"Code": 1000, "UID": "uid-1", "AccessToken": "at-2", "RefreshToken": "rt-2"}
OLD_HEADER = {"Authorization": "Bearer at-1"}
# Among them those that would end a session if Proton said them.
PAGES = (400, 401, 403, 404, 407, 409, 422, 429, 451, 511)
REFRESH = ("POST", "auth/v4/refresh")
REVOKE = ("DELETE", "core/v4/auth")


@dataclass
class Disk:
    """Where the tokens are saved; `faults` are raised first."""

    saved: list[Tokens] = field(default_factory=list)
    faults: list[Exception] = field(default_factory=list)

    async def save(self, tokens: Tokens) -> None:
        """Save, after a while."""
        await asyncio.sleep(0)
        if self.faults:
            raise self.faults.pop(0)
        self.saved.append(tokens)


@pytest.fixture
def disk() -> Disk:
    """Return an empty disk."""
    return Disk()


@pytest.fixture
def session(server: LoopbackServer, http: httpx.AsyncClient, disk: Disk) -> Session:
    """Return a session whose access token has expired."""
    return Session(http, server.endpoints, OLD, disk.save)


def gate(handler: Handler) -> tuple[Handler, asyncio.Event, asyncio.Event]:
    """Return a handler that says when it was asked and waits before it answers."""
    asked, go = asyncio.Event(), asyncio.Event()

    async def handle(request: web.Request) -> web.StreamResponse:
        asked.set()
        await go.wait()
        return await handler(request)

    return handle, asked, go


async def settled(session: Session) -> None:
    """Wait for a refresh that nobody else waits for."""
    while session._refreshing:
        await asyncio.sleep(0)


@pytest.mark.parametrize(
    ("answer", "new"),
    [
        (ANSWER, NEW),
        # Only the access token is needed; the rest stays as it was.
        ({"Code": 1000, "AccessToken": "at-2"}, Tokens("uid-1", "at-2", "rt-1")),
    ],
)
async def test_new_tokens_are_saved_and_then_used(
    server: LoopbackServer,
    session: Session,
    disk: Disk,
    answer: dict[str, object],
    new: Tokens,
) -> None:
    """The request is the one that Proton's clients send."""
    server.on(*REFRESH, reply(200, answer))
    renewing = asyncio.create_task(session.renew(OLD_HEADER))
    while not disk.saved:
        assert session.tokens == OLD, "nobody uses what is not saved"
        await asyncio.sleep(0)
    await renewing
    assert disk.saved == [new]
    assert session.tokens == new
    assert session.tokens.headers == {
        "x-pm-uid": "uid-1",
        "Authorization": "Bearer at-2",
    }
    (seen,) = server.seen
    assert seen.body == {
        "UID": "uid-1",
        "RefreshToken": "rt-1",
        "ResponseType": "token",
        "GrantType": "refresh_token",
        "RedirectURI": "https://protonmail.com",
    }
    assert seen.headers["x-pm-uid"] == "uid-1"
    assert seen.headers["x-pm-appversion"].startswith("web-account@")
    assert "Authorization" not in seen.headers


async def test_a_hundred_callers_make_one_refresh(
    server: LoopbackServer, session: Session, disk: Disk
) -> None:
    """Those who wait, and one who comes with the old token afterwards."""
    server.on(*REFRESH, reply(200, ANSWER), reply(422, {"Code": 10013}))
    await asyncio.gather(*(session.renew(OLD_HEADER) for _ in range(100)))
    await session.renew(OLD_HEADER)
    assert server.paths() == ["refresh"]
    assert disk.saved == [NEW]


async def test_the_answer_is_kept_when_all_callers_are_cancelled(
    server: LoopbackServer, session: Session, disk: Disk
) -> None:
    """A refresh token works once."""
    handler, asked, go = gate(reply(200, ANSWER))
    server.on(*REFRESH, handler)
    caller = asyncio.create_task(session.renew(OLD_HEADER))
    await asked.wait()
    caller.cancel()
    await asyncio.wait([caller])
    go.set()
    await settled(session)
    assert disk.saved == [NEW]
    assert session.tokens == NEW


async def test_a_failure_that_nobody_waits_for_is_not_reported_as_lost(
    server: LoopbackServer, session: Session, caplog: pytest.LogCaptureFixture
) -> None:
    handler, asked, go = gate(reply(500))
    server.on(*REFRESH, handler, reply(200, ANSWER))
    caller = asyncio.create_task(session.renew(OLD_HEADER))
    await asked.wait()
    caller.cancel()
    await asyncio.wait([caller])
    go.set()
    await settled(session)
    await session.renew(OLD_HEADER)
    assert session.tokens == NEW
    assert "never retrieved" not in caplog.text


@pytest.mark.parametrize(
    "handler",
    [
        reply(409),
        reply(429),
        reply(503),
        reply(429, {"Code": 2028}, {"Retry-After": "0"}),
        reply(503, None, {"Retry-After": "0"}),
    ],
)
async def test_a_busy_server_is_asked_again_after_a_short_wait(
    server: LoopbackServer, session: Session, disk: Disk, handler: Handler
) -> None:
    """The wait is the service's, else our own."""
    server.on(*REFRESH, handler, handler, reply(200, ANSWER))
    await session.renew(OLD_HEADER)
    assert disk.saved == [NEW]


@pytest.mark.parametrize(
    ("handler", "requests", "expected"),
    [
        (reply(429), 3, RateLimitError),
        (reply(503), 3, ServerError),
        (reply(409), 3, ServerError),
        (reply(429, None, {"Retry-After": "600"}), 1, RateLimitError),
        (reply(500), 1, ServerError),
        (reply(502), 1, ServerError),
        (reset(), 1, LumoConnectionError),
        (reply(422, {"Code": 5003}), 1, AppVersionError),
        (reply(400, {"Code": 9001, "Details": {}}), 1, HumanVerificationError),
        (reply(408), 1, ServerError),
        (page(), 1, ForeignPageError),
        *((page(status), 1, ForeignPageError) for status in PAGES),
        (reply(404, "Path not found"), 1, ForeignPageError),
        (reply(200, {"portal": "sign in"}), 1, ForeignPageError),
        (reply(200, {"Code": 1000}), 1, ProtocolError),
        (reply(200, {**ANSWER, "AccessToken": "a\nb"}), 1, ProtocolError),
        (reply(200, "text"), 1, ForeignPageError),
        (reply(302), 1, ProtocolError),
    ],
)
async def test_a_failure_that_is_not_the_tokens_keeps_them(
    server: LoopbackServer,
    session: Session,
    disk: Disk,
    handler: Handler,
    requests: int,
    expected: type[LumoError],
) -> None:
    """A later turn tries again, and succeeds."""
    server.on(*REFRESH, handler)
    with pytest.raises(expected) as error:
        await session.renew(OLD_HEADER)
    assert not isinstance(error.value, SessionExpiredError)
    assert len(server.seen) == requests
    assert session.tokens == OLD
    assert disk.saved == []
    server.on(*REFRESH, reply(200, ANSWER))
    await session.renew(OLD_HEADER)
    assert session.tokens == NEW


@pytest.mark.parametrize(
    ("handler", "expected"),
    [
        (reply(422, {"Code": 10013, "Error": "Invalid"}), SessionExpiredError),
        (reply(400, {"Code": 10013}), SessionExpiredError),
        (reply(400, {"Code": 2000}), SessionExpiredError),
        (reply(400, None), SessionExpiredError),
        (reply(401, {"Code": 401}), SessionExpiredError),
        (reply(403, {"Code": 9100}), LumoError),
        (reply(404, {"Code": 10013}), SessionExpiredError),
        (reply(422, {"Code": 10003}), AccountDisabledError),
    ],
)
async def test_a_refused_token_ends_the_session_for_good(
    server: LoopbackServer,
    session: Session,
    handler: Handler,
    expected: type[LumoError],
) -> None:
    """The service is not asked a second time."""
    server.on(*REFRESH, handler)
    with pytest.raises(expected):
        await session.renew(OLD_HEADER)
    with pytest.raises(SessionExpiredError):
        await session.renew(OLD_HEADER)
    assert len(server.seen) == 1


async def test_tokens_that_cannot_be_saved_are_used(
    server: LoopbackServer, session: Session, disk: Disk
) -> None:
    """The old refresh token is used up, so the new pair must not be forgotten."""
    server.on(*REFRESH, reply(200, ANSWER), reply(422, {"Code": 10013}))
    disk.faults = [OSError("full")]
    for _ in range(2):
        await session.renew(OLD_HEADER)
        assert session.tokens == NEW
    assert disk.saved == []
    assert len(server.seen) == 1


async def test_a_session_is_revoked(server: LoopbackServer, session: Session) -> None:
    server.on(*REVOKE, reply(200, {"Code": 1000}))
    await session.revoke()
    (seen,) = server.seen
    assert seen.headers["Authorization"] == "Bearer at-1"
    assert seen.headers["x-pm-uid"] == "uid-1"
    with pytest.raises(SessionExpiredError):
        await session.renew(OLD_HEADER)


async def test_a_session_with_an_expired_access_token_is_revoked_too(
    server: LoopbackServer, session: Session
) -> None:
    """401 may only mean that the token is old."""
    server.on(*REVOKE, reply(401), reply(200, {"Code": 1000}))
    server.on(*REFRESH, reply(200, ANSWER))
    await session.revoke()
    assert [seen.method for seen in server.seen] == ["DELETE", "POST", "DELETE"]
    assert server.seen[-1].headers["Authorization"] == "Bearer at-2"


@pytest.mark.parametrize("refresh", [reply(422, {"Code": 10013}), reply(200, ANSWER)])
async def test_a_session_that_is_gone_counts_as_revoked(
    server: LoopbackServer, session: Session, refresh: Handler
) -> None:
    server.on(*REVOKE, reply(401))
    server.on(*REFRESH, refresh)
    await session.revoke()


@pytest.mark.parametrize("show", [repr, str])
def test_tokens_do_not_show_their_secrets(show: Callable[[object], str]) -> None:
    assert show(OLD) == "Tokens(uid='uid-1')"


@pytest.mark.parametrize(
    ("handler", "pause", "saved"),
    [
        (reply(200, ANSWER), 0.4, [NEW]),
        (hang(), 0.05, []),
        # Nothing is sent any more.
        (reply(503, None, {"Retry-After": "9"}), 0.05, []),
        (reply(503), 0, []),
    ],
    ids=["answered", "hangs", "waits", "waited"],
)
async def test_a_stop_waits_for_a_refresh(
    server: LoopbackServer,
    session: Session,
    disk: Disk,
    monkeypatch: pytest.MonkeyPatch,
    handler: Handler,
    pause: float,
    saved: list[Tokens],
) -> None:
    """Its answer is the only copy of the session; but not for ever."""
    monkeypatch.setattr(auth, "STOP_SECONDS", 0.3)
    monkeypatch.setattr(auth, "SENT_SECONDS", 0.6)
    monkeypatch.setattr(auth, "BUSY_WAIT", (0.1, 0.1))
    await session.stop()  # Without a refresh it ends at once.
    session._is_stopping = False
    answer, asked, go = gate(handler)
    server.on(*REFRESH, answer)
    caller = asyncio.create_task(session.renew(OLD_HEADER))
    await asked.wait()
    asyncio.get_running_loop().call_later(pause, go.set)
    await asyncio.sleep(0.05 if not pause else 0)
    await asyncio.wait_for(session.stop(), 5)
    await asyncio.wait([caller])
    assert disk.saved == saved
    assert len(server.seen) == 1
