"""Sessions of browsers, lost answers, old backups, and whose session it is."""

import asyncio
import json
import logging
from urllib.parse import quote, unquote

from aiohttp import web
import httpx
import pytest

from custom_components.lumo.lumo_client.auth import Session, Tokens, read_refresh_cookie
from custom_components.lumo.lumo_client.errors import (
    LumoConnectionError,
    LumoError,
    ProtocolError,
    ServerError,
)

from .loopback import Handler, LoopbackServer, reply, reset

OLD = Tokens("uid-1", "at-1", "rt-1")
BROWSERS = Tokens("uid-1", "at-1", "rt-1", "cookie")
COOKIE_REFRESH = ("POST", "auth/refresh")
JSON_REFRESH = ("POST", "auth/v4/refresh")
USER = ("GET", "core/v4/users")
LIMITS = ("GET", "ai/v1/limits")


def content(token: str, **more: str) -> str:
    return quote(json.dumps({"RefreshToken": token, **more}), safe="")


def cookies(*lines: str) -> Handler:
    """Return an answer that sets cookies; its body does not hold the tokens."""

    async def handle(_: web.Request) -> web.Response:
        response = web.json_response({"Code": 1000, "UID": "uid-1", "ExpiresIn": 86399})
        for line in lines:
            response.headers.add("Set-Cookie", line)
        return response

    return handle


NEW_COOKIES = cookies(
    "Session-Id=x; Path=/",
    "AUTH-uid-1=at-2; Path=/api/; Secure; HttpOnly; SameSite=None",
    f"REFRESH-uid-1={content('rt-2')}; Path=/api/auth/refresh; HttpOnly; Max-Age=99",
)


@pytest.fixture
def saved() -> list[Tokens]:
    return []


@pytest.fixture
def browsers(
    server: LoopbackServer, http: httpx.AsyncClient, saved: list[Tokens]
) -> Session:
    async def save(tokens: Tokens) -> None:
        await asyncio.sleep(0)
        saved.append(tokens)

    return Session(http, server.endpoints, BROWSERS, save)


async def test_a_browsers_session_is_renewed_by_its_cookie(
    server: LoopbackServer,
    http: httpx.AsyncClient,
    browsers: Session,
    saved: list[Tokens],
) -> None:
    server.on(*COOKIE_REFRESH, NEW_COOKIES)
    http.cookies.set("REFRESH-uid-1", "stale", domain="127.0.0.1")
    await browsers.renew({"Authorization": "Bearer at-1"})
    assert saved == [Tokens("uid-1", "at-2", "rt-2", "cookie")]
    assert browsers.tokens == saved[0]
    assert {cookie.name for cookie in http.cookies.jar} == {"Session-Id"}
    (seen,) = server.seen
    assert seen.body is None
    assert seen.headers["x-pm-uid"] == "uid-1"
    assert seen.headers["x-pm-appversion"].startswith("web-lumo@")
    assert "Authorization" not in seen.headers
    name, _, value = seen.headers["Cookie"].partition("=")
    assert name == "REFRESH-uid-1"
    assert json.loads(unquote(value)) == {
        "ResponseType": "token",
        "ClientID": "WebLumo",
        "GrantType": "refresh_token",
        "RefreshToken": "rt-1",
        "UID": "uid-1",
    }


@pytest.mark.parametrize(
    ("line", "token"),
    [
        (f'REFRESH-uid-1="{content("rt-2")}"', "rt-2"),
        ("REFRESH-uid-1=unreadable", "rt-1"),
        (f"REFRESH-other={content('rt-2')}", "rt-1"),
    ],
)
async def test_the_access_token_is_what_the_answer_must_set(
    server: LoopbackServer, browsers: Session, line: str, token: str
) -> None:
    """The refresh token stays as it was without another."""
    server.on(*COOKIE_REFRESH, cookies("AUTH-uid-1=at-2", line))
    await browsers.renew({"Authorization": "Bearer at-1"})
    assert browsers.tokens == Tokens("uid-1", "at-2", token, "cookie")


@pytest.mark.parametrize(
    "handler",
    [
        cookies(),
        cookies(f"REFRESH-uid-1={content('rt-2')}"),
        cookies("AUTH-other=at-2"),
        cookies("AUTH-uid-1=; Path=/"),
        cookies("AUTH-uid-1=deleted; expires=Thu, 01-Jan-1970; Max-Age=0"),
        cookies("AUTH-uid-1"),
    ],
)
async def test_an_answer_without_an_access_token_is_a_failure(
    server: LoopbackServer, browsers: Session, saved: list[Tokens], handler: Handler
) -> None:
    server.on(*COOKIE_REFRESH, handler)
    with pytest.raises(ProtocolError):
        await browsers.renew({"Authorization": "Bearer at-1"})
    assert browsers.tokens == BROWSERS
    assert saved == []


@pytest.mark.parametrize(
    ("value", "token"),
    [
        (content("rt", UID="x"), "rt"),
        ('{"RefreshToken": "rt"}', "rt"),
        (quote(content("rt")), "rt"),
        (json.dumps('{"RefreshToken":"rt"}'), "rt"),
        (content(""), None),
        ('{"RefreshToken": 7}', None),
        ("{}", None),
        ("rt", None),
        ("", None),
        ("%", None),
        ("%FF%00", None),
    ],
)
def test_a_refresh_cookie_is_read_however_it_is_encoded(
    value: str, token: str | None
) -> None:
    assert read_refresh_cookie(value) == token


@pytest.fixture
def session(server: LoopbackServer, http: httpx.AsyncClient) -> Session:
    async def save(_: Tokens) -> None:
        await asyncio.sleep(0)

    return Session(http, server.endpoints, OLD, save)


@pytest.mark.parametrize(
    ("handler", "expected"),
    [
        (reply(200, {"Code": 1000, "User": {"ID": "user-1", "Name": "a"}}), "user-1"),
        (reply(200, {"Code": 1000, "User": {"ID": ""}}), None),
        (reply(200, {"Code": 1000, "User": []}), None),
        (reply(200, {"Code": 1000}), None),
        (reply(403, {"Code": 9100, "Details": {"MissingScopes": ["user"]}}), None),
        (reply(404), None),
        # So that the same account is not set up twice.
        (reply(401), ServerError),
        (reply(500), ServerError),
        (reset(), LumoConnectionError),
    ],
)
async def test_a_session_tells_whose_it_is_if_it_may(
    server: LoopbackServer,
    session: Session,
    handler: Handler,
    expected: str | type[LumoError] | None,
) -> None:
    """Imported ones may lack the scope."""
    server.on(*USER, handler)
    server.on(*JSON_REFRESH, reply(200, {"Code": 1000, "AccessToken": "at-2"}))
    if isinstance(expected, type):
        with pytest.raises(expected):
            await session.user_id()
        return
    assert await session.user_id() == expected
    (seen,) = server.seen
    assert seen.headers["x-pm-uid"] == "uid-1"
    assert seen.headers["Authorization"] == "Bearer at-1"
    assert seen.headers["x-pm-appversion"].startswith("web-account@")


async def test_no_token_is_shown_or_logged(
    server: LoopbackServer, browsers: Session, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    server.on(
        *COOKIE_REFRESH,
        NEW_COOKIES,
        reset(),
        reply(422, {"Code": 10013, "Error": "rt-2"}),
    )
    shown = [repr(browsers), repr(browsers.tokens)]
    await browsers.renew({"Authorization": "Bearer at-1"})
    for _ in range(2):
        with pytest.raises(LumoError) as error:
            await browsers.renew({"Authorization": "Bearer at-2"})
        shown += [str(error.value), repr(error.value)]
    text = "\n".join([*shown, repr(browsers.tokens), caplog.text])
    assert "set-cookie: ***" in text, "the HTTP library has written its headers"
    for secret in ("at-1", "rt-1", "at-2", "rt-2"):
        assert secret not in text
