"""Ending at Proton what signing in has begun there."""

from typing import Any

from homeassistant.core import HomeAssistant
import pytest

from custom_components.lumo.const import DOMAIN
from dev.standin import Standin

from .conftest import make_entry
from .sign_in_forms import make_account, sessions_of


async def test_removing_an_account_while_proton_is_away(
    home: HomeAssistant,
    standin: Standin,
    monkeypatch: pytest.MonkeyPatch,
    hass_storage: dict[str, Any],
    caplog: pytest.LogCaptureFixture,
) -> None:
    """It is removed all the same, and the log says what is left to do."""
    entry = await make_account(home, standin, "bob")
    monkeypatch.setenv("LUMO_BASE_URL", "http://127.0.0.1:9")
    await home.config_entries.async_remove(entry.entry_id)
    await home.async_block_till_done()
    assert home.config_entries.async_entries(DOMAIN) == []
    assert f"lumo.{entry.entry_id}" not in hass_storage
    assert "could not be ended at Proton" in caplog.text


async def test_removing_an_account_that_was_never_set_up(
    home: HomeAssistant, standin: Standin
) -> None:
    """Its session is still where the sign-in left it."""
    state = standin.accounts_state
    session = state.create_session(state.find_user("bob"))
    entry = make_entry(
        {
            "sign_in": "account",
            "sign_in_id": "first",
            "uid": session.uid,
            "access_token": session.access_token,
            "refresh_token": session.refresh_token,
        }
    )
    entry.add_to_hass(home)
    await home.config_entries.async_remove(entry.entry_id)
    await home.async_block_till_done()
    assert sessions_of(standin, "bob") == []
