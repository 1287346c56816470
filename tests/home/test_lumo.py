"""How the harness sets Lumo up: who signs in, what a form gets back."""

import pytest

from dev.home import SetupError
from dev.home.servers import LumoServer


@pytest.mark.parametrize(
    ("environ", "sign_in", "expected"),
    [
        (
            {"LUMO_SESSION": "u, a,r"},
            "session",
            {"uid": "u", "access_token": "a", "refresh_token": "r"},
        ),
        ({"LUMO_API_KEY": "k"}, "api_key", {"api_key": "k"}),
        (
            {"LUMO_ACCOUNT": "me:pass:word,", "LUMO_TOTP_SECRET": "s"},
            "account",
            {"user_name": "me", "password": "pass:word,", "totp_secret": "s"},
        ),
        ({"LUMO_API_KEY": "k"}, "session", None),
    ],
)
def test_the_environment_says_who_can_sign_in(
    environ: dict[str, str], sign_in: str, expected: dict[str, str] | None
) -> None:
    server = {"LUMO_BASE_URL": "http://127.0.0.1:1", "LUMO_PUBLIC_KEY_FILE": "key"}
    assert LumoServer.from_environment(environ) is None
    lumo = LumoServer.from_environment(environ | server)
    assert lumo is not None
    assert lumo.find(sign_in) == expected


@pytest.mark.parametrize("wrong", [{"LUMO_SESSION": "a,b"}, {"LUMO_ACCOUNT": "me"}])
def test_a_person_who_is_half_there_is_an_error(wrong: dict[str, str]) -> None:
    """It says which variable."""
    server = {"LUMO_BASE_URL": "http://127.0.0.1:1", "LUMO_PUBLIC_KEY_FILE": "key"}
    with pytest.raises(SetupError, match=next(iter(wrong))):
        LumoServer.from_environment(wrong | server)


def test_the_first_who_can_sign_in_is_taken() -> None:
    """A revoked key cannot; a name chooses."""
    accounts = [
        {"kind": "session", "refresh_token": "r", "user_name": "a"},
        {"kind": "api_key", "api_key": "old", "state": "revoked"},
        {"kind": "api_key", "api_key": "new", "state": "valid"},
        {"kind": "account", "password": "p", "user_name": "a"},
        {"kind": "account", "password": "q", "user_name": "b"},
    ]
    lumo = LumoServer(base_url="x", public_key_file="y", accounts=accounts)
    assert lumo.find("session") == accounts[0]
    assert lumo.find("api_key") == accounts[2]
    assert lumo.find("account") == accounts[3]
    assert lumo.find("account", "b") == accounts[4]
    assert lumo.find("account", "c") is None
