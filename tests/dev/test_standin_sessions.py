"""Faults in the life of a session, and what a test can do about time."""

import asyncio
import signal
import subprocess
import sys
from typing import Any

import httpx
import pytest

from dev.standin import Standin

from .conftest import Starter
from .mini_client import MiniClient

REFRESH = "/api/auth/v4/refresh"


def session(running: Standin) -> dict[str, str]:
    """Return the account with a session, tokens as they are now."""
    return next(item for item in running.accounts if item["kind"] == "session")


async def refresh(
    client: MiniClient, account: dict[str, str], **arguments: Any
) -> httpx.Response:
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
