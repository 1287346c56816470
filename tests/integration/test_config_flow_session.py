"""Signing in with a session that exists already."""

import json
from typing import Any
from unittest.mock import patch
from urllib.parse import quote

from homeassistant.core import HomeAssistant
from homeassistant.data_entry_flow import FlowResultType
import pytest

from dev.standin import Standin
from dev.standin.accounts import Session as StandinSession

from .conftest import account, make_entry
from .sign_in_forms import choose, pasted, start_reauth, submit, suggested


def cookies(session: StandinSession) -> str:
    content = {
        "ResponseType": "token",
        "ClientID": "WebLumo",
        "GrantType": "refresh_token",
        "RefreshToken": session.refresh_token,
        "UID": session.uid,
    }
    return (
        f"AUTH-{session.uid}={session.access_token}; "
        f"REFRESH-{session.uid}={quote(json.dumps(content))}"
    )


def rclone(session: StandinSession) -> str:
    return (
        "[proton]\ntype = protondrive\n"
        f"client_uid = {session.uid}\nclient_access_token = {session.access_token}\n"
        f"client_refresh_token = {session.refresh_token}\n"
        "client_salted_key_pass = c2VjcmV0\n"
    )


async def test_three_values_are_accepted(home: HomeAssistant, standin: Standin) -> None:
    """Spaces around what was pasted do not matter, and no token stays in the entry."""
    form = await choose(home, "session")
    assert form["type"] is FlowResultType.FORM
    values = {key: f" {value}\n" for key, value in pasted(standin).items()}
    result = await submit(home, form, values)
    assert result["type"] is FlowResultType.CREATE_ENTRY
    assert result["title"] == "Lumo"
    entry = result["result"]
    assert entry.unique_id == account(standin)["user_id"]
    assert set(entry.data) == {"sign_in", "sign_in_id", "uid", "user_id"}
    assert home.states.get("conversation.lumo") is not None


@pytest.mark.parametrize(
    ("text", "variant", "title"),
    [(cookies, "cookie", "Lumo"), (rclone, "json", "Lumo")],
)
async def test_text_is_accepted_and_renewed_as_where_it_comes_from(
    home: HomeAssistant,
    standin: Standin,
    hass_storage: dict[str, Any],
    text: Any,
    variant: str,
    title: str,
) -> None:
    """A browser's session is renewed by its cookie, at set-up and later."""
    session = standin.accounts_state.alice
    standin.accounts_state.expire_access_tokens(session)
    form = await choose(home, "session")
    result = await submit(home, form, {"pasted": text(session)})
    assert result["type"] is FlowResultType.CREATE_ENTRY
    assert result["title"] == title
    stored = hass_storage[f"lumo.{result['result'].entry_id}"]["data"]
    assert stored["refresh_variant"] == variant
    assert stored["refresh_token"] == session.refresh_token
    assert "refresh_variant" not in result["result"].data

    standin.accounts_state.expire_access_tokens(session)
    assert await home.config_entries.async_reload(result["result"].entry_id)
    await home.async_block_till_done()
    stored = hass_storage[f"lumo.{result['result'].entry_id}"]["data"]
    assert stored["refresh_variant"] == variant
    assert stored["access_token"] == session.access_token


async def test_session_of_nobody_in_particular_is_passed_over(
    home: HomeAssistant, standin: Standin
) -> None:
    """A browser has one, too, and one that has ended; they look like the others."""
    state = standin.accounts_state
    nobody, ended = state.create_session(), state.create_session()
    state.revoke(ended)
    form = await choose(home, "session")
    text = "\n".join(cookies(item) for item in (ended, nobody, state.alice))
    result = await submit(home, form, {"pasted": text})
    assert result["type"] is FlowResultType.CREATE_ENTRY
    assert result["result"].data["uid"] == state.alice.uid


async def test_session_that_may_not_tell_whose_it_is(
    home: HomeAssistant, standin: Standin
) -> None:
    """It is known by its own id then."""
    nobody = standin.accounts_state.create_session()
    form = await choose(home, "session")
    result = await submit(home, form, {"pasted": cookies(nobody)})
    assert result["type"] is FlowResultType.CREATE_ENTRY
    entry = result["result"]
    assert entry.unique_id == nobody.uid
    assert "user_id" not in entry.data

    # Another session of whoever it is may take its place.
    form = await start_reauth(home, entry)
    assert suggested(form) == {"uid": nobody.uid}
    result = await submit(home, form, pasted(standin))
    assert result["reason"] == "reauth_successful"
    assert entry.unique_id == account(standin)["user_id"]


async def test_session_whose_access_token_has_run_out_is_renewed(
    home: HomeAssistant, standin: Standin, hass_storage: dict[str, Any]
) -> None:
    """The new pair is kept: the pasted one no longer works."""
    form = await choose(home, "session")
    old = pasted(standin)
    result = await submit(home, form, {**old, "access_token": "run-out"})
    assert result["type"] is FlowResultType.CREATE_ENTRY
    stored = hass_storage[f"lumo.{result['result'].entry_id}"]["data"]
    assert stored["refresh_token"] != old["refresh_token"]
    assert stored["refresh_token"] == account(standin)["refresh_token"]


async def test_new_pair_of_a_failed_attempt_is_used_in_the_next(
    home: HomeAssistant, standin: Standin
) -> None:
    """What was pasted has been used up by then."""
    form = await choose(home, "session")
    old = {**pasted(standin), "access_token": "run-out"}
    standin.scenarios = ("forbidden",)
    result = await submit(home, form, old)
    assert result["errors"] == {"base": "forbidden"}
    assert account(standin)["refresh_token"] != old["refresh_token"]
    standin.scenarios = ()
    result = await submit(home, result, old)
    assert result["type"] is FlowResultType.CREATE_ENTRY


@pytest.mark.parametrize(
    ("scenario", "values", "error"),
    [
        ((), {}, "imported_session"),
        ((), {"pasted": "good morning"}, "imported_session"),
        ((), {"pasted": "AUTH-abcdef=half"}, "imported_session"),
        ((), {"uid": "u", "access_token": "a"}, "imported_session"),
        (
            (),
            {"uid": "u", "access_token": "a", "refresh_token": "r"},
            "session_expired",
        ),
        (("forbidden",), None, "forbidden"),
        (("app_version",), None, "app_version"),
    ],
)
async def test_refused_session_can_be_corrected(
    home: HomeAssistant,
    standin: Standin,
    scenario: tuple[str, ...],
    values: dict[str, str] | None,
    error: str,
) -> None:
    """The form says why, keeps what was entered, and takes another try."""
    standin.scenarios = scenario
    form = await choose(home, "session")
    values = pasted(standin) if values is None else values
    result = await submit(home, form, values)
    assert result["type"] is FlowResultType.FORM
    assert result["errors"] == {"base": error}
    assert suggested(result) == {**values, "from_browser": False}

    standin.scenarios = ()
    result = await submit(home, result, pasted(standin))
    assert result["type"] is FlowResultType.CREATE_ENTRY


async def test_unexpected_error(
    home: HomeAssistant, standin: Standin, caplog: pytest.LogCaptureFixture
) -> None:
    """A defect of ours is logged, and the form is still there."""
    form = await choose(home, "session")
    with patch(
        "custom_components.lumo.sign_in.base.LumoClient.limits",
        side_effect=RuntimeError("a defect"),
    ):
        result = await submit(home, form, pasted(standin))
    assert result["errors"] == {"base": "unknown"}
    assert "a defect" in caplog.text
    assert account(standin)["refresh_token"] not in caplog.text
    result = await submit(home, result, pasted(standin))
    assert result["type"] is FlowResultType.CREATE_ENTRY


async def test_signing_in_again_after_the_set_up_failed(
    home: HomeAssistant, standin: Standin
) -> None:
    """An entry that is not loaded has no listener: the flow reloads it."""
    good = pasted(standin)
    entry = make_entry(
        {"sign_in": "session", "sign_in_id": "first", "uid": good["uid"]}
    )
    entry.add_to_hass(home)
    assert not await home.config_entries.async_setup(entry.entry_id)
    [flow] = home.config_entries.flow.async_progress()
    assert flow["context"]["source"] == "reauth"
    result = await home.config_entries.flow.async_configure(flow["flow_id"], good)
    await home.async_block_till_done()
    assert result["reason"] == "reauth_successful"
    assert entry.state.value == "loaded"


async def test_session_of_another_account_is_refused(
    home: HomeAssistant, standin: Standin
) -> None:
    """Signing in again must not change whose agent this is."""
    state = standin.accounts_state
    form = await choose(home, "session")
    entry = (await submit(home, form, pasted(standin)))["result"]
    before = dict(entry.data)
    bob = state.create_session(state.find_user("bob"))
    form = await start_reauth(home, entry)
    result = await submit(home, form, {"pasted": rclone(bob)})
    assert result["step_id"] == "session"
    assert result["errors"] == {"base": "wrong_account"}
    assert list(entry.async_get_active_flows(home, {"reauth"}))
    assert dict(entry.data) == before
    # It was pasted, so it is not ours to end.
    assert bob.uid in state.sessions


async def test_account_is_still_known_when_a_session_does_not_tell(
    home: HomeAssistant, standin: Standin
) -> None:
    """The person says that it is the same; the next sign-in is checked again."""
    form = await choose(home, "session")
    entry = (await submit(home, form, pasted(standin)))["result"]
    nobody = standin.accounts_state.create_session()
    form = await start_reauth(home, entry)
    result = await submit(home, form, {"pasted": cookies(nobody)})
    assert result["reason"] == "reauth_successful"
    assert entry.data["uid"] == nobody.uid
    assert entry.unique_id == entry.data["user_id"] == account(standin)["user_id"]
