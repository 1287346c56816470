"""Faults in the life of a session, and what a test can do about time."""

import asyncio
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
import signal
import subprocess
import sys
from typing import Any

import httpx
import pytest

from dev.standin import Options, Standin

from .conftest import Starter
from .mini_client import MiniClient
from .srp_client import SrpClient

REFRESH = "/api/auth/v4/refresh"


def session(running: Standin) -> dict[str, str]:
    """Return the account with a session, tokens as they are now."""
    return next(item for item in running.accounts if item["kind"] == "session")


async def refresh(
    client: MiniClient, account: dict[str, str], **arguments: Any
) -> httpx.Response:
    """Use the refresh token of an account."""
    body = {"UID": account["uid"], "RefreshToken": account["refresh_token"]}
    return await client.http.post(REFRESH, json=body, **arguments)


@pytest.mark.parametrize(
    ("scenario", "status", "headers"),
    [("refresh_conflict", 409, {}), ("refresh_limited", 429, {"Retry-After": "1"})],
)
async def test_a_refused_refresh_can_be_repeated(
    standin: Starter, scenario: str, status: int, headers: dict[str, str]
) -> None:
    """It has not used up the token."""
    running, client = await standin(scenario)
    account = session(running)
    first = await refresh(client, account)
    assert first.status_code == status
    assert {name: first.headers[name] for name in headers} == headers
    assert (await refresh(client, account)).status_code == 200
    assert (running.counts["refresh"], running.counts["refreshed"]) == (2, 1)


@pytest.mark.parametrize("scenario", ["refresh_unavailable", "server_error"])
async def test_tokens_outlive_an_outage(standin: Starter, scenario: str) -> None:
    """The service is down for a while."""
    running, client = await standin(scenario)
    account = session(running)
    for _ in range(2):
        assert (await refresh(client, account)).status_code in (500, 503)
    running.scenarios = ()
    assert (await refresh(client, account)).status_code == 200


async def test_a_lost_answer_has_used_up_the_token(standin: Starter) -> None:
    """The old access token lives on."""
    running, client = await standin("refresh_lost")
    account = session(running)
    with pytest.raises(httpx.RemoteProtocolError):
        await refresh(client, account)
    running.scenarios = ()
    dead = await refresh(client, account)
    assert (dead.status_code, dead.json()["Code"]) == (422, 10013)
    client.sign_in(account)
    assert (await client.chat("Hello")).status == 200


async def test_a_late_answer_has_used_up_the_token(standin: Starter) -> None:
    """Who waits long enough gets it."""
    running, client = await standin("refresh_slow", options=Options(slow_seconds=0.3))
    account = session(running)
    with pytest.raises(httpx.ReadTimeout):
        await refresh(client, account, timeout=0.1)
    assert running.counts["refreshed"] == 1
    assert (await refresh(client, account)).json()["Code"] == 10013
    answer = await refresh(client, session(running))
    assert answer.status_code == 200


async def test_a_refresh_may_ask_for_a_captcha(standin: Starter) -> None:
    """It works once that is solved."""
    running, client = await standin("refresh_verification")
    answer = await refresh(client, session(running))
    assert (answer.status_code, answer.json()["Code"]) == (422, 9001)
    await client.http.get(answer.json()["Details"]["WebUrl"])
    assert (await refresh(client, session(running))).status_code == 200


async def test_a_revoked_session_is_gone_until_somebody_signs_in(
    standin: Starter,
) -> None:
    """Its refresh token is dead; a new sign-in is not affected."""
    running, client = await standin("revoked")
    account = session(running)
    password = running.accounts_state.users[0].password
    client.sign_in(account)
    assert (await client.chat("Hello")).status == 401
    assert (await refresh(client, account)).json()["Code"] == 10013
    answer = await SrpClient(client).sign_in("alice", password)
    assert answer.json()["UserID"] == account["user_id"]
    assert (await client.chat("Hello")).status == 200


@pytest.mark.parametrize("strict", [False, True])
async def test_a_captcha_may_be_asked_for_in_use(
    standin: Starter, strict: bool
) -> None:
    """Until it is solved; in the strict form the token must be shown once."""
    running, client = await standin(
        "human_verification_strict" if strict else "human_verification"
    )
    client.sign_in(session(running))
    reply = await client.chat("Hello")
    assert (reply.status, reply.body["Code"]) == (422, 9001)
    details = reply.body["Details"]
    again = await client.chat("Hello")
    token = details["HumanVerificationToken"]
    assert again.body["Details"]["HumanVerificationToken"] == token
    await client.http.get(details["WebUrl"])
    if strict:
        assert (await client.chat("Hello")).status == 422
        client.headers = client.headers | {
            "x-pm-human-verification-token": token,
            "x-pm-human-verification-token-type": "captcha",
        }
    assert (await client.chat("Hello")).status == 200
    client.sign_in(session(running))
    assert (await client.chat("Hello")).status == 200


@pytest.mark.parametrize(
    ("scenario", "days", "status"), [("clock_off", 1, 401), ("clock_behind", -1, 200)]
)
async def test_a_clock_may_be_wrong_by_a_day(
    standin: Starter, scenario: str, days: int, status: int
) -> None:
    """In the header and in what is said of new tokens, which are good."""
    running, client = await standin(scenario)
    account = session(running)
    client.sign_in(account)
    assert (await client.chat("Hello")).status == status
    answer = await refresh(client, account)
    date = parsedate_to_datetime(answer.headers["Date"])
    off = date - datetime.now(UTC) - timedelta(days=days)
    assert abs(off) < timedelta(minutes=1)
    assert answer.json()["ExpiresIn"] == 86399 + days * 86400
    client.sign_in(account | {"access_token": answer.json()["AccessToken"]})
    assert (await client.chat("Hello")).status == 200
    running.scenarios = ()
    assert (await refresh(client, session(running))).json()["ExpiresIn"] == 86399


@pytest.mark.parametrize(
    ("scenario", "error"),
    [
        ("reset", httpx.ReadError),
        ("half_header", httpx.RemoteProtocolError),
        ("half_header_silent", httpx.ReadTimeout),
    ],
)
async def test_connections_break(
    standin: Starter, scenario: str, error: type[Exception]
) -> None:
    """For every call, or for the chat alone; the stand-in itself can be asked."""
    for everywhere in (True, False):
        running, client = await standin(
            scenario, options=Options(faults_everywhere=everywhere)
        )
        client.sign_in(session(running))
        with pytest.raises(error):
            await client.http.post(client.path, json=client.body("Hello"), timeout=0.5)
        if everywhere:
            with pytest.raises(error):
                await refresh(client, session(running), timeout=0.5)
        else:
            assert (await refresh(client, session(running))).status_code == 200
        assert (await client.http.get("/__standin__/violations")).json() == []
        running.scenarios = ()
        client.sign_in(session(running))
        assert (await client.chat("Hello")).status == 200
        async with asyncio.timeout(5):
            await running.close()


async def test_refreshes_are_counted(standin: Starter) -> None:
    """Those that came and those that worked; forgetting begins anew."""
    running, client = await standin()
    account = session(running)
    counts = "/__standin__/counts"
    empty = {"refresh": 0, "refreshed": 0}
    assert (await client.http.get(counts)).json() == empty
    await refresh(client, account)
    await refresh(client, account)
    counted = (await client.http.get(counts)).json()
    assert counted == {"refresh": 2, "refreshed": 1}
    await client.http.delete("/__standin__/requests")
    assert (await client.http.get(counts)).json() == empty


async def test_options_change_while_it_runs(standin: Starter) -> None:
    """Tokens from then on live as long as is said."""
    running, client = await standin()
    path = "/__standin__/options"
    changed = await client.http.post(path, json={"token_lifetime": 0.5})
    assert changed.json()["token_lifetime"] == 0.5
    body = (await refresh(client, session(running))).json()
    assert body["ExpiresIn"] == 0
    running.accounts_state.clock_offset = 1
    client.sign_in(session(running) | {"access_token": body["AccessToken"]})
    assert (await client.chat("Hello")).status == 401
    for wrong in ({"guest_quota": 1}, {"slow_seconds": "x"}, {"token_lifetime": True}):
        assert (await client.http.post(path, json=wrong)).status_code == 422
    assert (await client.http.get(path)).json()["slow_seconds"] == 45


@pytest.mark.parametrize("place", ["before", "after"])
async def test_a_refresh_can_be_held(standin: Starter, place: str) -> None:
    """Its token is used up behind the effect, not before it."""
    running, client = await standin()
    account = session(running)
    await client.http.post("/__standin__/hold", json={"refresh": place})
    async with asyncio.TaskGroup() as group:
        waiting = group.create_task(refresh(client, account))
        reached = await client.http.get("/__standin__/hold?reached=1")
        assert reached.json() == {"hold": {"refresh": place}, "waiting": 1}
        assert running.counts["refreshed"] == (place == "after")
        assert not waiting.done()
        await client.http.post("/__standin__/release")
    assert waiting.result().status_code == 200
    state = (await client.http.get("/__standin__/hold")).json()
    assert state == {"hold": {}, "waiting": 0}


@pytest.mark.parametrize(("place", "status"), [("before", 200), ("after", 422)])
async def test_a_client_can_be_killed_at_a_known_moment(
    standin: Starter, place: str, status: int
) -> None:
    """Before the effect of its refresh: as if it was never sent; after it: lost."""
    running, client = await standin()
    account = session(running)
    await client.http.post("/__standin__/hold", json={"refresh": place})
    code = (
        "import httpx, sys\n"
        f"httpx.post(sys.argv[1] + {REFRESH!r}, timeout=60,"
        " json={'UID': sys.argv[2], 'RefreshToken': sys.argv[3]})"
    )
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", code, running.base_url),
        *(account["uid"], account["refresh_token"]),
        stderr=subprocess.DEVNULL,
    )
    await client.http.get("/__standin__/hold?reached=1", timeout=60)
    process.send_signal(signal.SIGKILL)
    await process.wait()
    await client.http.post("/__standin__/release")
    assert (await refresh(client, account)).status_code == status


@pytest.mark.parametrize("body", [{"refresh": "x"}, {"x": "before"}, {"refresh": 1}])
async def test_other_things_cannot_be_held(
    standin: Starter, body: dict[str, Any]
) -> None:
    """It says so."""
    _, client = await standin()
    answer = await client.http.post("/__standin__/hold", json=body)
    assert answer.status_code == 422


async def test_it_ends_while_something_is_held(standin: Starter) -> None:
    """Nobody has to release."""
    running, client = await standin()
    await client.http.post("/__standin__/hold", json={"refresh": "after"})
    waiting = asyncio.create_task(refresh(client, session(running)))
    await client.http.get("/__standin__/hold?reached=1")
    async with asyncio.timeout(5):
        await running.close()
        with pytest.raises(httpx.HTTPError):
            await waiting


@pytest.mark.long
async def test_a_hundred_turns_see_one_token_end(standin: Starter) -> None:
    """Each is refused, and one refresh is enough for all."""
    running, client = await standin()
    account = session(running)
    running.accounts_state.expire_access_tokens(
        running.accounts_state.sessions[account["uid"]]
    )
    client.sign_in(account)
    replies = await asyncio.gather(*(client.chat("Hello") for _ in range(100)))
    assert {reply.status for reply in replies} == {401}
    body = (await refresh(client, account)).json()
    client.sign_in(account | {"access_token": body["AccessToken"]})
    replies = await asyncio.gather(*(client.chat("Hello") for _ in range(100)))
    assert {reply.status for reply in replies} == {200}
    assert running.counts["refresh"] == 1
    assert running.counts["chat"] == 200
