"""The config flow: every way in, every failure, and asking again."""

from pathlib import Path
from typing import Any
from unittest.mock import patch

from homeassistant.config_entries import SOURCE_USER, ConfigFlowResult
from homeassistant.core import HomeAssistant
from homeassistant.data_entry_flow import FlowResultType
import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.lumo.const import DEFAULT_OPTIONS, DOMAIN
from dev.standin import Standin

from .conftest import account, make_entry


def pasted(standin: Standin) -> dict[str, str]:
    """Return what a person pastes."""
    session = account(standin)
    return {key: session[key] for key in ("uid", "access_token", "refresh_token")}


async def choose(hass: HomeAssistant, way: str) -> ConfigFlowResult:
    """Open the flow and choose a way to sign in."""
    menu = await hass.config_entries.flow.async_init(
        DOMAIN, context={"source": SOURCE_USER}
    )
    assert menu["type"] is FlowResultType.MENU
    # The guest comes last.
    assert menu["menu_options"] == ["session", "guest"]
    return await hass.config_entries.flow.async_configure(
        menu["flow_id"], {"next_step_id": way}
    )


async def submit(
    hass: HomeAssistant, step: ConfigFlowResult, values: dict[str, Any]
) -> ConfigFlowResult:
    """Fill in a form."""
    result = await hass.config_entries.flow.async_configure(step["flow_id"], values)
    await hass.async_block_till_done()
    return result


async def test_guest_needs_no_form(home: HomeAssistant, standin: Standin) -> None:
    """One choice, and an agent works."""
    result = await choose(home, "guest")
    await home.async_block_till_done()
    assert result["type"] is FlowResultType.CREATE_ENTRY
    assert result["data"]["sign_in"] == "guest"
    [subentry] = result["result"].subentries.values()
    assert subentry.subentry_type == "conversation"
    assert subentry.data == DEFAULT_OPTIONS
    assert home.states.get("conversation.lumo") is not None


async def test_a_home_has_one_guest(home: HomeAssistant, standin: Standin) -> None:
    """A second one would be a second quota."""
    await choose(home, "guest")
    await home.async_block_till_done()
    result = await choose(home, "guest")
    assert result["type"] is FlowResultType.ABORT
    assert result["reason"] == "already_configured"


async def test_session_is_accepted(home: HomeAssistant, standin: Standin) -> None:
    """Spaces around what was pasted do not matter, and no token stays in the entry."""
    form = await choose(home, "session")
    assert form["type"] is FlowResultType.FORM
    values = {key: f" {value}\n" for key, value in pasted(standin).items()}
    result = await submit(home, form, values)
    assert result["type"] is FlowResultType.CREATE_ENTRY
    entry = result["result"]
    assert entry.unique_id == pasted(standin)["uid"]
    assert set(entry.data) == {"sign_in", "sign_in_id", "uid"}
    assert home.states.get("conversation.lumo") is not None


async def test_session_whose_access_token_has_run_out_is_renewed(
    home: HomeAssistant, standin: Standin, hass_storage: dict[str, Any]
) -> None:
    """The new pair is kept: the pasted one no longer works."""
    form = await choose(home, "session")
    old = pasted(standin)
    result = await submit(home, form, {**old, "access_token": "run out"})
    assert result["type"] is FlowResultType.CREATE_ENTRY
    stored = hass_storage[f"lumo.{result['result'].entry_id}"]["data"]
    assert stored["refresh_token"] != old["refresh_token"]
    assert stored["refresh_token"] == account(standin)["refresh_token"]


@pytest.mark.parametrize(
    ("scenario", "change", "error"),
    [
        ((), {"access_token": "x", "refresh_token": "y"}, "session_expired"),
        (("forbidden",), {}, "forbidden"),
        (("app_version",), {}, "app_version"),
    ],
)
async def test_refused_session_can_be_corrected(
    home: HomeAssistant,
    standin: Standin,
    scenario: tuple[str, ...],
    change: dict[str, str],
    error: str,
) -> None:
    """The form says why, keeps what was entered, and takes another try."""
    standin.scenarios = scenario
    form = await choose(home, "session")
    result = await submit(home, form, {**pasted(standin), **change})
    assert result["type"] is FlowResultType.FORM
    assert result["errors"] == {"base": error}

    standin.scenarios = ()
    result = await submit(home, result, pasted(standin))
    assert result["type"] is FlowResultType.CREATE_ENTRY


async def test_service_that_is_away(
    home: HomeAssistant, standin: Standin, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both ways say so."""
    values = pasted(standin)
    monkeypatch.setenv("LUMO_BASE_URL", "http://127.0.0.1:9")
    form = await choose(home, "session")
    result = await submit(home, form, values)
    assert result["errors"] == {"base": "cannot_connect"}
    guest = await choose(home, "guest")
    assert guest["type"] is FlowResultType.ABORT
    assert guest["reason"] == "cannot_connect"
    monkeypatch.setenv("LUMO_BASE_URL", standin.base_url)
    result = await submit(home, result, values)
    assert result["type"] is FlowResultType.CREATE_ENTRY


async def test_environment_that_names_half_a_server(
    home: HomeAssistant, standin: Standin, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A stray variable never sends anything anywhere."""
    monkeypatch.delenv("LUMO_PUBLIC_KEY_FILE")
    result = await choose(home, "guest")
    assert result["reason"] == "configuration"


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


async def test_the_same_session_twice_is_refused(
    home: HomeAssistant, standin: Standin, entry: MockConfigEntry
) -> None:
    """Two holders of one session would sign each other out."""
    form = await choose(home, "session")
    result = await submit(home, form, pasted(standin))
    assert result["type"] is FlowResultType.ABORT
    assert result["reason"] == "already_configured"


async def test_signing_in_again(
    home: HomeAssistant, standin: Standin, entry: MockConfigEntry
) -> None:
    """The same form, with the session's id filled in; the agent comes back."""
    form = await entry.start_reauth_flow(home)
    assert form["step_id"] == "session"
    result = await submit(home, form, pasted(standin))
    assert result["type"] is FlowResultType.ABORT
    assert result["reason"] == "reauth_successful"
    assert entry.state.value == "loaded"
    assert "refresh_token" not in entry.data


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


async def test_another_account_is_refused(
    home: HomeAssistant, standin: Standin, entry: MockConfigEntry
) -> None:
    """Signing in again must not change whose agent this is."""
    form = await entry.start_reauth_flow(home)
    with patch("custom_components.lumo.sign_in.base.LumoClient.limits"):
        result = await submit(home, form, {**pasted(standin), "uid": "another"})
    assert result["type"] is FlowResultType.ABORT
    assert result["reason"] == "wrong_account"


async def test_guest_has_nothing_to_sign_in_with(
    home: HomeAssistant, standin: Standin
) -> None:
    """It is told to use an account."""
    entry = make_entry({"sign_in": "guest", "sign_in_id": "first"})
    entry.add_to_hass(home)
    result = await entry.start_reauth_flow(home)
    assert result["type"] is FlowResultType.ABORT
    assert result["reason"] == "guest_refused"


async def test_key_file_that_is_missing(
    home: HomeAssistant,
    standin: Standin,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    """An entry does not start without the key it encrypts to."""
    monkeypatch.setenv("LUMO_PUBLIC_KEY_FILE", str(tmp_path / "missing.asc"))
    entry = make_entry({"sign_in": "guest", "sign_in_id": "first"})
    entry.add_to_hass(home)
    assert not await home.config_entries.async_setup(entry.entry_id)
    assert entry.state.value == "setup_error"
