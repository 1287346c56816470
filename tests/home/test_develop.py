"""What `scripts/develop` tells whoever has started it."""

from dev.develop import welcome
from dev.standin.accounts import Accounts


def test_everybody_who_can_sign_in_is_listed_with_what_is_needed() -> None:
    accounts = Accounts(60).describe()
    told = welcome("http://127.0.0.1:8123", "conversation.lumo", accounts)
    for item in accounts:
        for key in ("user_name", "password", "totp_secret", "api_key"):
            assert item.get(key, "") in told
    for text in ("http://127.0.0.1:8123", "conversation.lumo", "the kitchen lights"):
        assert text in told
    assert not any(item.get("refresh_token", "none") in told for item in accounts)


def test_the_stand_in_knows_the_same_people_at_each_start() -> None:
    """What was written down yesterday signs in today; sessions are new."""
    first, second = Accounts(60).describe(), Accounts(60).describe()
    assert first[1:] == second[1:]
    assert first[0]["kind"] == "session"
    assert first[0]["refresh_token"] != second[0]["refresh_token"]
