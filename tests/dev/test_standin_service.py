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
    """Return the account with a session."""
    return next(item for item in running.accounts if item["kind"] == "session")


def refresh_body(account: dict[str, str]) -> dict[str, str]:
    """Return what a client posts to refresh."""
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


async def test_the_body_needs_no_uid_beside_the_header(standin: Starter) -> None:
    """Nor the header, where the body has it."""
    running, client = await standin()
    body = refresh_body(session(running))
    uid = body.pop("UID")
    answer = await post(
        client, "/api/auth/v4/refresh", json=body, headers={"x-pm-uid": uid}
    )
    body = {"UID": uid, "RefreshToken": answer.json()["RefreshToken"]}
    assert (await post(client, "/auth/refresh", json=body)).status_code == 200


@pytest.mark.parametrize(
    "body", [{}, {"UID": "x", "RefreshToken": "y"}, {"UID": 1, "RefreshToken": None}]
)
async def test_other_refresh_tokens_are_refused(
    standin: Starter, body: dict[str, Any]
) -> None:
    """With the code that means: sign in again."""
    _, client = await standin()
    answer = await post(client, "/api/auth/refresh", json=body)
    assert (answer.status_code, answer.json()["Code"]) == (422, 10013)


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


@pytest.mark.parametrize(
    "headers",
    [
        {"x-pm-uid": "nobody", "Authorization": "Bearer x"},
        {"x-pm-uid": "{uid}", "Authorization": "Bearer x"},
        {"x-pm-uid": "{uid}"},
    ],
)
async def test_a_session_must_be_proved(
    standin: Starter, headers: dict[str, str]
) -> None:
    """401, in Proton's envelope."""
    running, client = await standin()
    client.headers = {
        name: value.format(uid=session(running)["uid"])
        for name, value in headers.items()
    }
    reply = await client.chat("Hello")
    assert (reply.status, reply.body["Code"]) == (401, 401)


async def test_an_access_token_ends_after_its_lifetime(standin: Starter) -> None:
    """And a refresh brings one that does not help for longer."""
    running, client = await standin(options=Options(token_lifetime=0))
    client.sign_in(session(running))
    assert (await client.chat("Hello")).status == 401


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


async def test_an_anonymous_session_works_like_another(standin: Starter) -> None:
    """It chats with a guest's quota and refreshes."""
    running, client = await standin()
    body = (await post(client, "/api/auth/v4/sessions", json={})).json()
    assert body["Code"] == 1000
    client.sign_in({"uid": body["UID"], "access_token": body["AccessToken"]})
    reply = await client.chat("Hello")
    assert reply.usage is not None
    assert reply.usage["remaining_limits"]["lite"] == 19
    assert running.requests[0]["auth"] == "anonymous"
    answer = await post(
        client,
        "/auth/v4/refresh",
        json={"RefreshToken": body["RefreshToken"]},
        headers={"x-pm-uid": body["UID"]},
    )
    assert answer.status_code == 200


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


async def test_a_guest_in_a_hurry_is_slowed_down_if_wanted(standin: Starter) -> None:
    """Ten requests in twenty seconds, whatever the cookie."""
    _, client = await standin(options=Options(burst=True))
    answers = []
    for _ in range(11):
        client.http.cookies.clear()
        answers.append((await client.chat("Hello")).status)
    assert answers == [200] * 10 + [429]


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


@pytest.mark.parametrize("base", ["/api/", "/"])
async def test_the_small_calls_answer(standin: Starter, base: str) -> None:
    """Limits, models, versions, the account, its scopes."""
    running, client = await standin()
    client.sign_in(session(running))

    async def get(path: str) -> Any:
        return (await client.http.get(base + path, headers=client.headers)).json()

    assert (await get("ai/v1/limits"))["limits"]["lite"] == 1000
    models = await get("ai/v1/models")
    assert {"lumo-lite", "lumo-max"} <= {model["id"] for model in models["data"]}
    assert (await get("assets/version.json"))["version"]
    user = await get("core/v4/users")
    assert user["User"]["ID"] == session(running)["user_id"]
    assert "full" in (await get("core/v4/auth/scopes"))["Scopes"]
    storage = await get("lumo/v1/spaces")
    assert (storage["Code"], storage["Details"]["MissingScopes"]) == (9100, ["lumo"])


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("POST", "/api/ai/v1/chat"),
        ("GET", "/nothing"),
        ("POST", "/api/ai/v1/responses"),
    ],
)
async def test_other_paths_are_not_found(
    standin: Starter, method: str, path: str
) -> None:
    """The retired chat path is one of them."""
    _, client = await standin()
    answer = await client.http.request(method, path)
    assert answer.status_code == 404
    assert answer.json()["Error"] == "Path not found"


@pytest.mark.parametrize("body", [b"{", b"[]", b"\xff"])
async def test_a_body_that_is_no_object_is_refused(
    standin: Starter, body: bytes
) -> None:
    """Never a server error."""
    _, client = await standin()
    answer = await client.http.post("/api/ai/v1/chat/completions", content=body)
    assert (answer.status_code, answer.json()["Code"]) == (400, 2000)


async def test_only_this_machine_can_reach_it(standin: Starter) -> None:
    """It listens on the loopback interface."""
    running, _ = await standin()
    assert running.base_url.startswith("http://127.0.0.1:")


@pytest.mark.parametrize(
    ("scenario", "status"),
    [("unauthorized", 401), ("forbidden", 403), ("app_version", 422), ("quota", 200)],
)
async def test_some_faults_hold_beside_the_chat_too(
    standin: Starter, scenario: str, status: int
) -> None:
    """Unless a client shall be set up before it meets them."""
    for everywhere in (True, False):
        running, client = await standin(
            scenario, options=Options(faults_everywhere=everywhere)
        )
        client.sign_in(session(running))
        for path in ("/api/ai/v1/limits", "/api/core/v4/users"):
            answer = await client.http.get(path, headers=client.headers)
            assert answer.status_code == (status if everywhere else 200)
