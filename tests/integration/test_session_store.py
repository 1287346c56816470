"""Where tokens live: crashes lose nothing, the newer pair wins."""

from typing import Any

from homeassistant.core import HomeAssistant
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.lumo.lumo_client.auth import Tokens
from custom_components.lumo.sign_in.session_store import SessionStore
from dev.standin import Standin

from .conftest import make_entry, session_data

DATA = {
    "sign_in": "session",
    "sign_in_id": "first",
    "uid": "u",
    "access_token": "a1",
    "refresh_token": "r1",
}


def entry_with(hass: HomeAssistant, data: dict[str, Any]) -> MockConfigEntry:
    entry = make_entry(data)
    entry.add_to_hass(hass)
    return entry


async def test_tokens_move_out_of_the_entry(
    hass: HomeAssistant, hass_storage: dict[str, Any]
) -> None:
    """They are on disk before they leave the entry."""
    entry = entry_with(hass, DATA)
    tokens = await SessionStore(hass, entry.entry_id).async_tokens(entry)
    assert tokens == Tokens("u", "a1", "r1")
    assert entry.data == {"sign_in": "session", "sign_in_id": "first", "uid": "u"}
    assert hass_storage[f"lumo.{entry.entry_id}"]["data"]["refresh_token"] == "r1"


async def test_newer_tokens_win_over_what_a_crash_left_in_the_entry(
    hass: HomeAssistant, hass_storage: dict[str, Any]
) -> None:
    """The entry was not written yet when the machine stopped."""
    entry = entry_with(hass, DATA)
    store = SessionStore(hass, entry.entry_id)
    await store.async_tokens(entry)
    await store.async_save_tokens(Tokens("u", "a2", "r2"))
    hass.config_entries.async_update_entry(entry, data=DATA)
    tokens = await SessionStore(hass, entry.entry_id).async_tokens(entry)
    assert tokens == Tokens("u", "a2", "r2")
    assert "refresh_token" not in entry.data


async def test_new_sign_in_wins_over_the_store(hass: HomeAssistant) -> None:
    """Tokens of a sign-in that is over are replaced."""
    entry = entry_with(hass, DATA)
    await SessionStore(hass, entry.entry_id).async_tokens(entry)
    again = DATA | {"sign_in_id": "second", "access_token": "a9", "refresh_token": "r9"}
    hass.config_entries.async_update_entry(entry, data=again)
    tokens = await SessionStore(hass, entry.entry_id).async_tokens(entry)
    assert tokens == Tokens("u", "a9", "r9")


async def test_guest_keeps_its_quota_over_a_restart(
    home: HomeAssistant, standin: Standin
) -> None:
    """A new cookie at each start would dodge it."""
    entry = make_entry({"sign_in": "guest", "sign_in_id": "first"})
    entry.add_to_hass(home)
    assert await home.config_entries.async_setup(entry.entry_id)
    coordinator = entry.runtime_data
    await coordinator.async_turn_ended(None, None)
    cookies = await coordinator.store.async_cookies()
    assert "Session-Id" in cookies
    assert await home.config_entries.async_reload(entry.entry_id)
    assert await entry.runtime_data.store.async_cookies() == cookies


async def test_refresh_does_not_reload_the_entry(
    home: HomeAssistant, standin: Standin
) -> None:
    """The agent that speaks at this moment is not taken away."""
    entry = make_entry(session_data(standin) | {"access_token": "run out"})
    entry.add_to_hass(home)
    assert await home.config_entries.async_setup(entry.entry_id)
    coordinator = entry.runtime_data
    await coordinator.async_refresh()
    assert entry.runtime_data is coordinator
