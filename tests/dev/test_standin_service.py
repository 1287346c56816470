"""Everything beside the chat: sessions, guests, keys, quota, paths."""

from http.cookies import SimpleCookie
import json
from typing import Any
from urllib.parse import quote, unquote

import httpx
import pytest

from dev.standin import Options, Standin

from .conftest import Starter
from .mini_client import MiniClient


def session(running: Standin) -> dict[str, str]:
    return next(item for item in running.accounts if item["kind"] == "session")


def refresh_body(account: dict[str, str]) -> dict[str, str]:
    return {
        "UID": account["uid"],
        "RefreshToken": account["refresh_token"],
        "ResponseType": "token",
        "GrantType": "refresh_token",
        "RedirectURI": "https://protonmail.com",
    }


async def post(client: MiniClient, path: str, **arguments: Any) -> httpx.Response:
    """Post as a client whose cookies are only those given here."""
    client.http.cookies.clear()
    return await client.http.post(path, **arguments)


@pytest.mark.parametrize("base", ["/api/", "/"])
@pytest.mark.parametrize(
    "path", ["auth/v4/refresh", "auth/refresh", "core/v4/auth/refresh"]
)
async def test_a_refresh_token_is_good_once(
    standin: Starter, base: str, path: str
) -> None:
    """A new pair, and the old refresh token is dead; old access tokens live on."""
    running, client = await standin()
    account = session(running)
    headers = {"x-pm-uid": account["uid"]}
    answer = await post(
        client, base + path, json=refresh_body(account), headers=headers
    )
    body = answer.json()
    assert (answer.status_code, body["Code"], body["UID"]) == (
        200,
        1000,
        account["uid"],
    )
    assert body["RefreshToken"] != account["refresh_token"]
    assert body["AccessToken"] != account["access_token"]
    assert body["ExpiresIn"] == 86399
    again = await post(client, base + path, json=refresh_body(account), headers=headers)
    assert (again.status_code, again.json()["Code"]) == (422, 10013)
    for token in (account["access_token"], body["AccessToken"]):
        client.sign_in(account | {"access_token": token})
        assert (await client.chat("Hello")).status == 200
    account["refresh_token"] = body["RefreshToken"]
    third = await post(client, base + path, json=refresh_body(account), headers=headers)
    assert third.status_code == 200


async def test_a_browser_refreshes_with_cookies(standin: Starter) -> None:
    """Tokens come and go as cookies; the body has none."""
    running, client = await standin()
    account = session(running)
    uid = account["uid"]
    content = {"RefreshToken": account["refresh_token"], "UID": uid}
    answer = await post(
        client,
        "/api/auth/refresh",
        headers={
            "x-pm-uid": uid,
            "Cookie": f"REFRESH-{uid}={quote(json.dumps(content))}",
        },
    )
    assert "AccessToken" not in answer.json()
    cookies: SimpleCookie = SimpleCookie()
    for value in answer.headers.get_list("Set-Cookie"):
        cookies.load(value)
    fresh = json.loads(unquote(cookies[f"REFRESH-{uid}"].value))
    assert fresh["RefreshToken"] not in ("", account["refresh_token"])
    assert cookies[f"REFRESH-{uid}"]["path"] == "/api/auth/refresh"
    client.http.cookies.clear()
    client.headers = {
        "x-pm-uid": uid,
        "Cookie": f"AUTH-{uid}={cookies[f'AUTH-{uid}'].value}",
    }
    assert (await client.chat("Hello")).status == 200
    assert running.requests[-1]["auth"] == "session"


@pytest.mark.parametrize("path", ["core/v4/auth", "auth/v4", "auth"])
async def test_a_revoked_session_is_gone(standin: Starter, path: str) -> None:
    """Its tokens are refused from then on, and so is its end."""
    running, client = await standin()
    account = session(running)
    client.sign_in(account)
    answer = await client.http.delete(f"/api/{path}", headers=client.headers)
    assert (answer.status_code, answer.json()) == (200, {"Code": 1000})
    assert (await client.chat("Hello")).status == 401
    answer = await client.http.delete(f"/api/{path}", headers=client.headers)
    assert answer.status_code == 401
    answer = await post(client, "/api/auth/refresh", json=refresh_body(account))
    assert answer.json()["Code"] == 10013


async def test_a_guest_has_twenty_requests_in_each_category(standin: Starter) -> None:
    """Counted by the cookie; a guest without it is a new one."""
    _, client = await standin(options=Options(guest_quota=2))
    first = await client.chat("Hello")
    assert {"Session-Id", "Tag"} <= set(client.http.cookies)
    assert first.usage == {
        "completion_tokens": len(first.events) - 2,
        "applied_limit_category": "lite",
        "remaining_limits": {"lite": 1, "max": 2, "images": 2},
        "image_limit_applied": False,
    }
    assert (await client.chat("Hello")).status == 200
    third = await client.chat("Hello")
    assert (third.status, third.body["Code"]) == (429, 2028)
    strong = await client.chat("Hello", model="lumo-max")
    assert strong.usage is not None
    assert strong.usage["applied_limit_category"] == "max"
    limits = await client.http.get("/api/ai/v1/limits")
    assert limits.json()["limits"] == {"lite": 0, "max": 1, "images": 2}
    client.http.cookies.clear()
    assert (await client.chat("Hello")).status == 200
    assert Options().guest_quota == 20


async def test_a_valid_key_is_told_by_what_usage_lacks(standin: Starter) -> None:
    """Valid: no limits; revoked: 401; unknown: served as a guest."""
    running, client = await standin(encrypted=False)
    keys = {
        item["state"]: item["api_key"]
        for item in running.accounts
        if item["kind"] == "api_key"
    } | {"unknown": "-"}
    seen: dict[str, Any] = {}
    for state, key in keys.items():
        client.headers = {"Authorization": f"Bearer {key}"}
        seen[state] = await client.chat("Hello", model="anything")
        models = await client.http.get("/api/ai/v1/models", headers=client.headers)
        assert models.status_code == 200
    assert "remaining_limits" not in seen["valid"].usage
    assert seen["valid"].usage["total_tokens"] > 0
    assert seen["valid"].events[0]["model"] == "lumo-lite"
    assert seen["revoked"].status == 401
    assert seen["revoked"].body["Code"] == 0
    assert seen["unknown"].usage["remaining_limits"]["lite"] == 19


@pytest.mark.parametrize(
    ("scenario", "status"),
    [("unauthorized", 401), ("forbidden", 403), ("app_version", 422), ("quota", 200)],
)
async def test_some_faults_hold_beside_the_chat_too(
    standin: Starter, scenario: str, status: int
) -> None:
    for everywhere in (True, False):
        running, client = await standin(
            scenario, options=Options(faults_everywhere=everywhere)
        )
        client.sign_in(session(running))
        for path in ("/api/ai/v1/limits", "/api/core/v4/users"):
            answer = await client.http.get(path, headers=client.headers)
            assert answer.status_code == (status if everywhere else 200)
