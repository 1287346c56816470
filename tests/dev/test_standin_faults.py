"""Faults and the stream's forms: what a client sees when something goes wrong."""

import asyncio
from collections.abc import Callable

import httpx
import pytest

from .conftest import Starter
from .mini_client import Reply
from .small_brain import PROMPT

SENTENCE = PROMPT + "Turn off the kitchen lights"


@pytest.mark.parametrize(
    ("name", "status", "code", "headers"),
    [
        ("quota", 429, 2028, ()),
        ("unauthorized", 401, 401, ()),
        ("forbidden", 403, 9100, ()),
        ("rate_limited", 429, 2028, ("Retry-After",)),
        ("server_error", 500, 500, ()),
        ("app_version", 422, 5003, ()),
    ],
)
async def test_faults_are_refusals_in_protons_shape(
    standin: Starter, name: str, status: int, code: int, headers: tuple[str, ...]
) -> None:
    """Each time, and without costing quota."""
    running, client = await standin(name)
    for _ in range(2):
        reply = await client.chat("Hello")
        assert reply.status in (status, 503 if name == "server_error" else status)
        assert reply.body["Code"] in (code, reply.status)
        assert all(header in reply.headers for header in headers)
    assert [record["status"] for record in running.requests][0] == status
    running.scenarios = ()
    reply = await client.chat("Hello")
    assert reply.usage is not None
    assert reply.usage["remaining_limits"]["lite"] == 19


async def test_an_expired_token_is_good_after_one_refresh(standin: Starter) -> None:
    """The first request of a session ends its access token."""
    running, client = await standin("token_expiry")
    account = running.accounts[0]
    client.sign_in(account)
    assert (await client.chat("Hello")).status == 401
    assert (await client.chat("Hello")).status == 401
    answer = await client.http.post(
        "/api/auth/refresh",
        json={"UID": account["uid"], "RefreshToken": account["refresh_token"]},
    )
    client.sign_in(account | {"access_token": answer.json()["AccessToken"]})
    assert (await client.chat("Hello")).status == 200


def _broken(reply: Reply) -> bool:
    return reply.broken and not reply.done and reply.finish is None


@pytest.mark.parametrize(
    ("name", "true"),
    [
        ("cut", _broken),
        ("no_done", lambda reply: not reply.done and not reply.broken),
        ("no_usage", lambda reply: reply.done and reply.usage is None),
        ("bad_chunk", lambda reply: reply.problems == ["integrity"] and reply.done),
        ("timeout", lambda reply: reply.problems == ["timeout"] and reply.done),
        ("rejected", lambda reply: reply.problems == ["rejected"]),
        ("stream_error", lambda reply: reply.problems == ["error"]),
        (
            "too_long_stream",
            lambda reply: reply.problems == ["context_length_exceeded"],
        ),
        ("content_filter", lambda reply: reply.finish == "content_filter"),
        ("legacy,timeout", lambda reply: reply.problems == ["timeout"]),
        ("legacy,too_long_stream", lambda reply: reply.problems == ["tool-error"]),
        ("legacy,content_filter", lambda reply: reply.problems == ["harmful"]),
        ("legacy,bad_chunk", lambda reply: reply.problems == ["integrity"]),
        ("reasoning", lambda reply: reply.reasoning.startswith("The user wants")),
    ],
)
async def test_streams_go_wrong_so(
    standin: Starter, name: str, true: Callable[[Reply], bool]
) -> None:
    """After status 200."""
    running, client = await standin(*name.split(","))
    reply = await client.chat("Hello")
    assert reply.status == 200
    assert true(reply)
    assert running.requests[0]["finished"] is not reply.broken


async def test_a_stalled_stream_ends_with_its_client(standin: Starter) -> None:
    """Some text comes, then nothing; the stand-in notices who leaves."""
    running, client = await standin("stalled")
    text = ""
    async with client.http.stream(
        "POST", client.path, json=client.body("Hello"), timeout=0.5
    ) as response:
        lines = response.aiter_lines()
        while True:
            try:
                text += await anext(lines)
            except httpx.ReadTimeout:
                break
    assert '"content"' in text
    assert running.requests[0]["finished"] is False
    async with asyncio.timeout(5):
        await running.close()


async def test_scenarios_change_while_it_runs(standin: Starter) -> None:
    """From another process by HTTP, with everything recorded beside it."""
    running, client = await standin()
    answer = await client.http.post(
        "/__standin__/scenario", json={"scenario": "raw, wrong_name"}
    )
    assert sorted(answer.json()["scenario"]) == ["raw", "wrong_name"]
    reply = await client.chat(SENTENCE)
    assert reply.text.startswith('{"name": "user:hassturnoff"')
    recorded = (await client.http.get("/__standin__/requests")).json()
    assert recorded[0]["messages"][0]["content"] == SENTENCE
    assert (await client.http.get("/__standin__/violations")).json() == []
    wrong = await client.http.post("/__standin__/scenario", json={"scenario": ["x"]})
    assert wrong.status_code == 422
    assert sorted(running.scenarios) == ["raw", "wrong_name"]
    await client.http.delete("/__standin__/requests")
    assert running.requests == []
