"""Changing how an entry signs in, or which public key of Lumo's it trusts."""

import base64
from pathlib import Path

from homeassistant.core import HomeAssistant
from homeassistant.data_entry_flow import FlowResultType
import pysequoia
import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.lumo.lumo_client.endpoints import LUMO_PUBLIC_KEY
from custom_components.lumo.sign_in.connection import async_endpoints
from dev.standin import Standin
from dev.standin.key_pair import KeyPair

from .conftest import make_entry
from .sign_in_forms import (
    credentials,
    make_account,
    pasted,
    person,
    sessions_of,
    start_reauth,
    start_reconfigure,
    submit,
    suggested,
)


def begins_in_the_future() -> str:
    """Return a key whose first day is some decades away."""
    head, _, body = LUMO_PUBLIC_KEY.partition("\n\n")
    packets = bytearray(base64.b64decode(body.partition("\n=")[0]))
    packets[3:7] = (4_000_000_000).to_bytes(4)
    return f"{head}\n\n{base64.encodebytes(packets).decode()}-----END PGP PUBLIC KEY BLOCK-----"


async def make_guest(home: HomeAssistant) -> MockConfigEntry:
    entry = make_entry({"sign_in": "guest", "sign_in_id": "first"})
    entry.add_to_hass(home)
    assert await home.config_entries.async_setup(entry.entry_id)
    await home.async_block_till_done()
    return entry


@pytest.mark.long
async def test_guest_becomes_an_account(home: HomeAssistant, standin: Standin) -> None:
    """That is the point of trying; its agents stay."""
    entry = await make_guest(home)
    agents = dict(entry.subentries)
    menu = await start_reconfigure(home, entry)
    assert menu["type"] is FlowResultType.MENU
    assert menu["menu_options"] == ["account", "api_key", "session", "public_key"]
    form = await submit(home, menu, {"next_step_id": "account"})
    form = await submit(home, form, {"username": "bob", "password": "wrong"})
    assert form["errors"] == {"base": "wrong_password"}
    result = await submit(home, form, credentials(standin, "bob"))
    assert result["reason"] == "reconfigure_successful"
    assert entry.unique_id == person(standin, "bob")["user_id"]
    assert dict(entry.subentries) == agents
    assert entry.state.value == "loaded"


async def test_guest_becomes_an_account_that_is_there_already(
    home: HomeAssistant, standin: Standin
) -> None:
    """Nothing changes, and the session that was made is ended."""
    account = await make_account(home, standin, "bob")
    entry = await make_guest(home)
    menu = await start_reconfigure(home, entry)
    form = await submit(home, menu, {"next_step_id": "account"})
    result = await submit(home, form, credentials(standin, "bob"))
    assert result["errors"] == {"base": "already_configured"}
    assert entry.data["sign_in"] == "guest"
    assert sessions_of(standin, "bob") == [account.data["uid"]]


@pytest.mark.long
async def test_session_becomes_the_account_it_belongs_to(
    home: HomeAssistant, standin: Standin, entry: MockConfigEntry
) -> None:
    """It was pasted, so it is left alone; somebody else's account is refused."""
    imported = entry.data["uid"]
    menu = await start_reconfigure(home, entry)
    form = await submit(home, menu, {"next_step_id": "account"})
    result = await submit(home, form, credentials(standin, "alice"))
    assert result["reason"] == "reconfigure_successful"
    assert entry.unique_id == person(standin, "alice")["user_id"]
    assert imported in sessions_of(standin, "alice")

    menu = await start_reconfigure(home, entry)
    form = await submit(home, menu, {"next_step_id": "account"})
    result = await submit(home, form, credentials(standin, "bob"))
    assert result["errors"] == {"base": "wrong_account"}
    assert sessions_of(standin, "bob") == []


async def test_the_very_session_of_an_account_is_not_ended(
    home: HomeAssistant, standin: Standin
) -> None:
    """Pasting it back must not sign it out."""
    entry = await make_account(home, standin, "bob")
    session = standin.accounts_state.sessions[entry.data["uid"]]
    menu = await start_reconfigure(home, entry)
    form = await submit(home, menu, {"next_step_id": "session"})
    text = f"uid={session.uid}\naccess_token={session.access_token}"
    text += f"\nrefresh_token={session.refresh_token}"
    result = await submit(home, form, {"pasted": text})
    assert result["reason"] == "reconfigure_successful"
    assert sessions_of(standin, "bob") == [session.uid]


async def test_request_to_sign_in_again_is_settled_by_another_way(
    home: HomeAssistant, standin: Standin, entry: MockConfigEntry
) -> None:
    """What it asks for has been given."""
    menu = await start_reconfigure(home, entry)
    await start_reauth_beside(home, entry)
    form = await submit(home, menu, {"next_step_id": "session"})
    result = await submit(home, form, pasted(standin))
    assert result["reason"] == "reconfigure_successful"
    assert home.config_entries.flow.async_progress() == []


async def start_reauth_beside(home: HomeAssistant, entry: MockConfigEntry) -> None:
    """Let an entry ask to sign in again while its menu is open."""
    await home.config_entries.flow.async_init(
        "lumo",
        context={"source": "reauth", "entry_id": entry.entry_id},
        data=entry.data,
    )


async def test_newer_public_key_is_used_after_a_look_at_it(
    home: HomeAssistant, standin: Standin, entry: MockConfigEntry
) -> None:
    """The key survives signing in again, and can be taken back."""
    newer = KeyPair()
    menu = await start_reconfigure(home, entry)
    form = await submit(home, menu, {"next_step_id": "public_key"})
    assert form["step_id"] == "public_key"
    assert suggested(form) == {}
    confirm = await submit(home, form, {"public_key": f"\n{newer.public_key}\n"})
    assert confirm["step_id"] == "public_key_confirm"
    seen = confirm["description_placeholders"]
    assert seen is not None
    assert seen["fingerprint"].replace(" ", "") == newer.fingerprint.upper()
    assert seen["expires"] > "2026"
    assert "public_key" not in entry.data
    result = await submit(home, confirm, {})
    assert result["reason"] == "reconfigure_successful"
    assert entry.runtime_data.endpoints.public_key == newer.public_key.strip()

    form = await start_reauth(home, entry)
    await submit(home, form, pasted(standin))
    assert entry.runtime_data.endpoints.public_key == newer.public_key.strip()

    menu = await start_reconfigure(home, entry)
    form = await submit(home, menu, {"next_step_id": "public_key"})
    assert suggested(form) == {"public_key": newer.public_key.strip()}
    result = await submit(home, form, {})
    assert result["reason"] == "reconfigure_successful"
    assert "public_key" not in entry.data
    assert entry.runtime_data.endpoints.public_key != newer.public_key.strip()


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("hello", "public_key_unusable"),
        (LUMO_PUBLIC_KEY[:-200], "public_key_unusable"),
        (str(pysequoia.Tsk.generate("A <a@lumo.invalid>")), "public_key_unusable"),
        (begins_in_the_future(), "public_key_unusable"),
        # The key of production is older than the one that the stand-in has just made.
        (LUMO_PUBLIC_KEY, "public_key_older"),
    ],
    ids=["no key", "half a key", "private", "of the future", "older"],
)
async def test_public_key_that_is_refused(
    home: HomeAssistant, standin: Standin, entry: MockConfigEntry, text: str, error: str
) -> None:
    """The form says why, and takes another try."""
    menu = await start_reconfigure(home, entry)
    form = await submit(home, menu, {"next_step_id": "public_key"})
    form = await submit(home, form, {"public_key": text})
    assert form["errors"] == {"base": error}
    confirm = await submit(home, form, {"public_key": KeyPair().public_key})
    assert (await submit(home, confirm, {}))["type"] is FlowResultType.ABORT


async def test_key_added_by_hand_does_not_outlive_an_update(
    hass: HomeAssistant, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The key that the integration brings is the newer one then."""
    built_in = KeyPair().public_key
    file = tmp_path / "key.asc"
    file.write_text(built_in, encoding="ascii")
    monkeypatch.setenv("LUMO_BASE_URL", "http://127.0.0.1:9")
    monkeypatch.setenv("LUMO_PUBLIC_KEY_FILE", str(file))
    endpoints = await async_endpoints(hass, {"public_key": LUMO_PUBLIC_KEY})
    assert endpoints.public_key == built_in
