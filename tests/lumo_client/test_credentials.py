"""Who is asking: sessions that are renewed, keys, the cookie of a guest."""

import httpx
import pytest

from custom_components.lumo.lumo_client.auth import (
    ApiKeyCredential,
    GuestCredential,
    Session,
)
from custom_components.lumo.lumo_client.client import LumoClient
from custom_components.lumo.lumo_client.errors import ApiKeyInvalidError, ServerError

from .asking import CHAT, EVENTS, LIMITS, REFRESH, Connect, ask
from .loopback import ANSWER, LoopbackServer, reply, stream


async def test_an_expired_session_is_renewed_and_the_request_repeated(
    server: LoopbackServer, connect: Connect, signed_in: Session
) -> None:
    server.on(*CHAT, reply(401, {"Code": 401}), stream(*ANSWER))
    server.on(*REFRESH, reply(200, {"AccessToken": "at-2", "RefreshToken": "rt-2"}))
    assert await ask(connect(signed_in)) == EVENTS
    assert server.paths() == ["completions", "refresh", "completions"]
    assert server.seen[0].headers["Authorization"] == "Bearer at-1"
    assert server.seen[2].headers["Authorization"] == "Bearer at-2"
    assert server.seen[2].headers["x-pm-uid"] == "uid-1"


async def test_a_good_session_that_is_refused_is_a_failure_of_the_service(
    server: LoopbackServer, connect: Connect, signed_in: Session
) -> None:
    """Signing in again would not help, so nobody is asked to."""
    server.on(*CHAT, reply(401))
    server.on(*REFRESH, reply(200, {"AccessToken": "at-2", "RefreshToken": "rt-2"}))
    with pytest.raises(ServerError) as caught:
        await ask(connect(signed_in))
    assert caught.value.status == 401
    assert server.paths() == ["completions", "refresh", "completions", "completions"]


async def test_a_dead_key_is_named(server: LoopbackServer, connect: Connect) -> None:
    server.on(*CHAT, reply(401, {"Code": 0, "Error": "Invalid or expired API key"}))
    with pytest.raises(ApiKeyInvalidError):
        await ask(connect(ApiKeyCredential("key")))
    assert len(server.seen) == 1


@pytest.mark.parametrize(
    "key", ["", "  ", "two words", "line\nbreak", "ключ", "a\x00b"]
)
def test_a_key_that_cannot_be_sent_is_refused(key: str) -> None:
    """Before the HTTP library could quote it."""
    with pytest.raises(ApiKeyInvalidError) as error:
        ApiKeyCredential(key)
    assert not key.strip() or key not in repr(error.value) + str(error.value)


async def test_a_cookie_is_only_sent_where_it_came_from(
    server: LoopbackServer, http: httpx.AsyncClient
) -> None:
    """Proton's are not for a development server."""
    server.on(*LIMITS, reply(200, {"limits": {}}))
    cookie = {"value": "a", "domain": "lumo.proton.me", "path": "/"}
    guest = GuestCredential(http, {"Tag": cookie})
    assert guest.cookies == {"Tag": cookie}
    await LumoClient(http, server.endpoints, guest).limits()
    assert "Cookie" not in server.seen[0].headers
