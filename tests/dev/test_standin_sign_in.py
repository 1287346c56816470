"""Signing in with a password, call by call."""

import time
from typing import Any

import pytest

from dev.standin import Standin
from dev.standin.totp import totp

from .conftest import Starter
from .srp_client import SrpClient


def account(running: Standin, name: str) -> dict[str, str]:
    return next(
        item
        for item in running.accounts
        if item["kind"] == "account" and item["user_name"] == name
    )


async def signed_in(running: Standin, client: SrpClient, name: str) -> dict[str, Any]:
    """Sign in up to the second factor, and return the answer."""
    answer = await client.sign_in(name, account(running, name)["password"])
    assert answer.status_code == 200, answer.text
    body: dict[str, Any] = answer.json()
    return body


@pytest.mark.parametrize("base", ["/api/", "/"])
@pytest.mark.parametrize("path", ["core/v4/auth", "auth/v4", "auth"])
async def test_a_password_opens_a_session_in_every_spelling(
    standin: Starter, base: str, path: str
) -> None:
    """It chats, and belongs to the account."""
    running, mini = await standin()
    body = await signed_in(running, SrpClient(mini, base + path), "alice")
    assert body["Code"] == 1000
    assert body["UserID"] == account(running, "alice")["user_id"]
    assert body["Scope"].split() == body["Scopes"]
    assert (body["ExpiresIn"], body["TokenType"]) == (86399, "Bearer")
    assert (body["PasswordMode"], body["TemporaryPassword"]) == (1, 0)
    assert body["2FA"] == {"Enabled": 0, "TOTP": 0, "FIDO2": None}
    assert (await mini.chat("Hello")).status == 200
    assert running.requests[0]["auth"] == "session"
    user = await mini.http.get("/api/core/v4/users", headers=mini.headers)
    assert user.json()["User"]["ID"] == body["UserID"]


async def test_an_anonymous_session_is_upgraded(standin: Starter) -> None:
    """It keeps its UID; its tokens of before are refused."""
    running, mini = await standin()
    client = SrpClient(mini)
    anonymous = await client.anonymous()
    body = await signed_in(running, client, "alice")
    assert body["UID"] == anonymous["UID"]
    assert body["AccessToken"] != anonymous["AccessToken"]
    assert (await mini.chat("Hello")).status == 200
    client.use(anonymous)
    assert (await client.info("alice")).status_code == 401


@pytest.mark.parametrize("name", ["alice", "nobody", "alice@elsewhere.invalid"])
async def test_a_wrong_name_looks_like_a_wrong_password(
    standin: Starter, name: str
) -> None:
    """The challenge is answered, always with the same salt; the proof is refused."""
    _, mini = await standin()
    client = SrpClient(mini)
    first, second = [(await client.info(name)).json() for _ in range(2)]
    assert first["Salt"] == second["Salt"]
    assert first["ServerEphemeral"] != second["ServerEphemeral"]
    assert first["SRPSession"] != second["SRPSession"]
    answer = await client.sign_in(name, "a wrong password")
    assert (answer.status_code, answer.json()["Code"]) == (422, 8002)


async def test_an_attempt_is_good_once(standin: Starter) -> None:
    """Neither a right nor a wrong proof can be sent again, nor for another name."""
    running, mini = await standin()
    client = SrpClient(mini)
    password = account(running, "alice")["password"]
    for used, status in ((password, 200), ("wrong", 422)):
        info = (await client.info("alice")).json()
        body, _ = client.answer("alice", info, used)
        other = await client.call("", body | {"Username": "bob"})
        assert (other.status_code, other.json()["Code"]) == (422, 2001)
        assert (await client.call("", body)).status_code == status
        again = await client.call("", body)
        assert (again.status_code, again.json()["Code"]) == (422, 2001)


@pytest.mark.parametrize(
    ("name", "step", "code"),
    [
        ("grace", "auth", 10003),
        ("judy", "auth", 12100),
        ("mallory", "auth", 9002),
        ("heidi", "info", 8100),
    ],
)
async def test_some_owners_are_kept_out(
    standin: Starter, name: str, step: str, code: int
) -> None:
    """With the right password; a wrong one is told first."""
    running, mini = await standin()
    client = SrpClient(mini)
    answer = await client.sign_in(name, account(running, name)["password"])
    assert (answer.status_code, answer.json()["Code"]) == (422, code)
    assert running.counts["auth"] == (step == "auth")
    if step == "auth":
        wrong = await client.sign_in(name, "wrong")
        assert wrong.json()["Code"] == 8002


@pytest.mark.parametrize("name", ["carol", "erin"])
async def test_a_code_completes_the_sign_in(standin: Starter, name: str) -> None:
    """Before it other calls are refused; tokens stay the same."""
    running, mini = await standin()
    client = SrpClient(mini)
    body = await signed_in(running, client, name)
    assert body["2FA"]["Enabled"] & 1
    assert body["2FA"]["TOTP"] == 1
    assert "twofactor" in body["Scopes"]
    for path in ("ai/v1/limits", "core/v4/users"):
        refused = await mini.http.get(f"/api/{path}", headers=mini.headers)
        assert refused.status_code == 403
        assert refused.json()["Details"]["MissingScopes"]
    assert (await mini.chat("Hello")).status == 403
    code = totp(account(running, name)["totp_secret"], time.time())
    done = await client.call("/2fa", {"TwoFactorCode": code})
    assert (done.status_code, done.json()["Code"]) == (200, 1000)
    assert "twofactor" not in done.json()["Scopes"]
    assert (await mini.chat("Hello")).status == 200
    again = await client.call("/2fa", {"TwoFactorCode": code})
    assert again.status_code == 422


@pytest.mark.parametrize(("name", "enabled"), [("dave", 2), ("erin", 3)])
async def test_a_security_key_is_described_for_browsers(
    standin: Starter, name: str, enabled: int
) -> None:
    """Binary values are arrays of numbers."""
    running, mini = await standin()
    client = SrpClient(mini)
    body = await signed_in(running, client, name)
    assert body["2FA"]["Enabled"] == enabled
    options = body["2FA"]["FIDO2"]["AuthenticationOptions"]["publicKey"]
    assert options["rpId"] == "proton.me"
    assert all(isinstance(number, int) for number in options["challenge"])
    key = body["2FA"]["FIDO2"]["RegisteredKeys"][0]
    assert options["allowCredentials"][0]["id"] == key["CredentialID"]
    assert (await client.call("/2fa", {"FIDO2": {}})).status_code == 401
