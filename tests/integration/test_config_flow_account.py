"""Signing in with a Proton account: password, second factor, human verification."""

import time
from typing import Any

from homeassistant.config_entries import ConfigFlowResult
from homeassistant.core import HomeAssistant
from homeassistant.data_entry_flow import FlowResultType
from homeassistant.helpers.httpx_client import get_async_client
import pytest

from custom_components.lumo.const import DEFAULT_OPTIONS
from dev.standin import Standin
from dev.standin.totp import totp

from .sign_in_forms import (
    choose,
    credentials,
    make_account,
    person,
    sessions_of,
    sign_in,
    start_reauth,
    submit,
    suggested,
)


def code(standin: Standin, name: str) -> str:
    return totp(person(standin, name)["totp_secret"], time.time())


async def open_page(hass: HomeAssistant, form: ConfigFlowResult) -> str:
    """Do what the verification page asks for; return what it shows."""
    placeholders = form["description_placeholders"]
    assert placeholders is not None
    response = await get_async_client(hass).get(placeholders["url"])
    assert response.status_code == 200
    return response.text


@pytest.mark.long
async def test_password_is_enough(
    home: HomeAssistant,
    standin: Standin,
    hass_storage: dict[str, Any],
    caplog: pytest.LogCaptureFixture,
) -> None:
    """An agent works at once, and the password is nowhere."""
    result = await sign_in(home, standin, "alice")
    assert result["type"] is FlowResultType.CREATE_ENTRY
    assert result["title"] == "Lumo (alice)"
    entry = result["result"]
    assert entry.unique_id == person(standin, "alice")["user_id"]
    assert set(entry.data) == {"sign_in", "sign_in_id", "username", "uid", "user_id"}
    [agent, task] = entry.subentries.values()
    assert agent.title == "Lumo (alice)"
    assert agent.data == DEFAULT_OPTIONS
    assert task.title == "Lumo (alice) AI Task"
    assert home.states.get("conversation.lumo_alice") is not None
    stored = hass_storage[f"lumo.{entry.entry_id}"]["data"]
    assert stored["uid"] in sessions_of(standin, "alice")
    password = person(standin, "alice")["password"]
    # The store of the tests logs what it writes.
    log = "\n".join(
        record.getMessage()
        for record in caplog.records
        if not record.name.startswith("pytest_homeassistant_custom_component")
    )
    assert log
    for secret in (password, stored["access_token"], stored["refresh_token"]):
        assert secret not in log
        assert secret not in str(entry.as_dict())
    assert password not in str(hass_storage)


async def test_code_is_asked_for_when_the_account_has_one(
    home: HomeAssistant, standin: Standin
) -> None:
    """Spaces in the code do not matter, and one that cannot be right is not sent."""
    form = await sign_in(home, standin, "carol")
    assert form["type"] is FlowResultType.FORM
    assert form["step_id"] == "totp"
    form = await submit(home, form, {"code": "12"})
    assert form["step_id"] == "totp"
    assert form["errors"] == {"base": "totp_format"}
    now = code(standin, "carol")
    result = await submit(home, form, {"code": f"{now[:3]} {now[3:]}"})
    assert result["type"] is FlowResultType.CREATE_ENTRY
    assert result["title"] == "Lumo (carol)"


async def test_wrong_code_leads_back_to_the_password(
    home: HomeAssistant, standin: Standin
) -> None:
    """Proton has ended the sign-in by then. The name is kept, the password is not."""
    form = await sign_in(home, standin, "carol")
    now = code(standin, "carol")
    wrong = now[:-1] + ("0" if now[-1] != "0" else "1")
    form = await submit(home, form, {"code": wrong})
    assert form["step_id"] == "account"
    assert form["errors"] == {"base": "wrong_totp"}
    assert suggested(form) == {"username": "carol"}
    assert sessions_of(standin, "carol") == []

    form = await submit(home, form, credentials(standin, "carol"))
    assert form["step_id"] == "totp"
    result = await submit(home, form, {"code": code(standin, "carol")})
    assert result["type"] is FlowResultType.CREATE_ENTRY


async def test_code_that_comes_too_late(home: HomeAssistant, standin: Standin) -> None:
    """The session it belongs to is gone: begin again, and say so."""
    form = await sign_in(home, standin, "carol")
    state = standin.accounts_state
    for uid in sessions_of(standin, "carol"):
        state.revoke(state.sessions[uid])
    form = await submit(home, form, {"code": code(standin, "carol")})
    assert form["step_id"] == "account"
    assert form["errors"] == {"base": "sign_in_expired"}
    form = await submit(home, form, credentials(standin, "carol"))
    result = await submit(home, form, {"code": code(standin, "carol")})
    assert result["type"] is FlowResultType.CREATE_ENTRY


@pytest.mark.long
async def test_human_verification(home: HomeAssistant, standin: Standin) -> None:
    """A link, then continue: the same attempt goes on."""
    form = await sign_in(home, standin, "frank")
    assert form["step_id"] == "human_verification"
    assert form["errors"] == {}
    # Too quick: nobody has opened the page.
    form = await submit(home, form, {})
    assert form["step_id"] == "human_verification"
    assert form["errors"] == {"base": "verification_token"}
    await open_page(home, form)
    challenges = standin.counts["info"]
    result = await submit(home, form, {})
    assert result["type"] is FlowResultType.CREATE_ENTRY
    assert standin.counts["info"] == challenges


async def test_page_that_is_loaded_anew_shows_where_the_person_was(
    home: HomeAssistant, standin: Standin
) -> None:
    """The attempt lives in the flow, not in the browser."""
    standin.scenarios = ("captcha_first",)
    form = await sign_in(home, standin, "carol")
    flow = home.config_entries.flow
    again = await flow.async_configure(form["flow_id"])
    assert again["step_id"] == "human_verification"
    assert again["description_placeholders"] == form["description_placeholders"]
    await open_page(home, again)
    await submit(home, again, {})
    again = await flow.async_configure(form["flow_id"])
    assert again["step_id"] == "totp"
    result = await submit(home, again, {"code": code(standin, "carol")})
    assert result["type"] is FlowResultType.CREATE_ENTRY


async def test_human_verification_with_the_token_that_the_page_shows(
    home: HomeAssistant, standin: Standin
) -> None:
    """Sometimes the original token is not enough."""
    standin.scenarios = ("composite_token",)
    form = await sign_in(home, standin, "frank")
    page = await open_page(home, form)
    form = await submit(home, form, {})
    assert form["errors"] == {"base": "verification_token"}
    token = page.partition("<code>")[2].partition("</code>")[0]
    result = await submit(home, form, {"token": f" {token}\n"})
    assert result["type"] is FlowResultType.CREATE_ENTRY


async def test_account_that_cannot_be_used_so(
    home: HomeAssistant, standin: Standin
) -> None:
    """The form says why, and takes another account."""
    form = await choose(home, "account")
    for name, error in (
        ("dave", "second_factor_unsupported"),
        ("grace", "account_disabled"),
        ("heidi", "single_sign_on"),
        ("ivan", "password_version"),
        ("judy", "account_disabled"),
        ("mallory", "device_verification"),
    ):
        form = await submit(home, form, credentials(standin, name))
        assert form["step_id"] == "account"
        assert form["errors"] == {"base": error}, name
        assert sessions_of(standin, name) == []
    result = await submit(home, form, credentials(standin, "alice"))
    assert result["type"] is FlowResultType.CREATE_ENTRY


@pytest.mark.long
@pytest.mark.parametrize(
    ("scenario", "error"),
    [
        ("wrong_server_proof", "server_proof"),
        ("no_server_proof", "server_proof"),
        ("forged_modulus", "server_proof"),
        ("text_around_modulus", "server_proof"),
        ("zero_ephemeral", "server_proof"),
        ("sign_in_limited", "rate_limited"),
    ],
)
async def test_sign_in_that_is_not_safe_or_not_possible_now(
    home: HomeAssistant, standin: Standin, scenario: str, error: str
) -> None:
    """The form says why, and takes another try."""
    standin.scenarios = (scenario,)
    form = await sign_in(home, standin, "bob")
    assert form["step_id"] == "account"
    assert form["errors"] == {"base": error}
    assert suggested(form) == {"username": "bob"}
    standin.scenarios = ()
    result = await submit(home, form, credentials(standin, "bob"))
    assert result["type"] is FlowResultType.CREATE_ENTRY


async def test_wrong_password(home: HomeAssistant, standin: Standin) -> None:
    """No difference is made between a wrong name and a wrong password."""
    form = await choose(home, "account")
    for name in ("alice", "nobody", " "):
        form = await submit(home, form, {"username": name, "password": "wrong"})
        assert form["errors"] == {"base": "wrong_password"}, name
    result = await submit(home, form, credentials(standin, "alice"))
    assert result["type"] is FlowResultType.CREATE_ENTRY


@pytest.mark.long
async def test_the_same_account_twice_leaves_no_session(
    home: HomeAssistant, standin: Standin
) -> None:
    """The one that was made to find out is ended; the first one stays."""
    entry = await make_account(home, standin, "bob")
    result = await sign_in(home, standin, "bob")
    assert result["type"] is FlowResultType.ABORT
    assert result["reason"] == "already_configured"
    assert sessions_of(standin, "bob") == [entry.data["uid"]]


async def test_sign_in_that_is_given_up_leaves_no_session(
    home: HomeAssistant, standin: Standin
) -> None:
    """Closing the dialog at the code ends what was begun."""
    form = await sign_in(home, standin, "carol")
    assert len(sessions_of(standin, "carol")) == 1
    home.config_entries.flow.async_abort(form["flow_id"])
    await home.async_block_till_done(wait_background_tasks=True)
    assert sessions_of(standin, "carol") == []


@pytest.mark.long
async def test_signing_in_again(home: HomeAssistant, standin: Standin) -> None:
    """The name is filled in, the agents stay, the former session is ended."""
    entry = await make_account(home, standin, "bob")
    agents = dict(entry.subentries)
    former = entry.data["uid"]
    form = await start_reauth(home, entry)
    assert form["step_id"] == "account"
    assert suggested(form) == {"username": "bob"}
    form = await submit(home, form, {"username": "bob", "password": "wrong"})
    assert form["errors"] == {"base": "wrong_password"}
    result = await submit(home, form, credentials(standin, "bob"))
    assert result["type"] is FlowResultType.ABORT
    assert result["reason"] == "reauth_successful"
    assert entry.data["uid"] != former
    assert sessions_of(standin, "bob") == [entry.data["uid"]]
    assert dict(entry.subentries) == agents
    assert entry.state.value == "loaded"
    assert "refresh_token" not in entry.data


@pytest.mark.long
async def test_signing_in_again_as_somebody_else_is_refused(
    home: HomeAssistant, standin: Standin
) -> None:
    """The stranger's session is ended, and the form asks for the right account."""
    entry = await make_account(home, standin, "bob")
    before = dict(entry.data)
    strangers = sessions_of(standin, "alice")
    form = await start_reauth(home, entry)
    result = await submit(home, form, credentials(standin, "alice"))
    assert result["step_id"] == "account"
    assert result["errors"] == {"base": "wrong_account"}
    assert dict(entry.data) == before
    assert sessions_of(standin, "alice") == strangers
    assert sessions_of(standin, "bob") == [entry.data["uid"]]
    assert list(entry.async_get_active_flows(home, {"reauth"}))
    result = await submit(home, result, credentials(standin, "bob"))
    assert result["reason"] == "reauth_successful"
