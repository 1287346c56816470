"""The page of system information says whether Lumo is there."""

import socket

from homeassistant.components.system_health import get_info
from homeassistant.core import HomeAssistant
from homeassistant.setup import async_setup_component
import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry

from dev.standin import Standin

from .conftest import make_entry
from .test_translations import ENGLISH


async def test_lumo_is_there(
    home: HomeAssistant, standin: Standin, entry: MockConfigEntry
) -> None:
    make_entry({"sign_in": "guest", "sign_in_id": "x"}).add_to_hass(home)
    assert await async_setup_component(home, "system_health", {})
    info = (await get_info(home))["lumo"]
    assert info == {
        "can_reach_lumo": "ok",
        "development_server": True,
        "accounts": 2,
        "accounts_in_use": 1,
    }
    assert info.keys() == ENGLISH["system_health"]["info"].keys()


async def test_lumo_is_away(
    home: HomeAssistant,
    standin: Standin,
    entry: MockConfigEntry,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It is said, not raised."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    monkeypatch.setenv("LUMO_BASE_URL", f"http://127.0.0.1:{port}")
    assert await async_setup_component(home, "system_health", {})
    info = (await get_info(home))["lumo"]
    assert info["can_reach_lumo"] == "Failed: unreachable"


async def test_wrong_environment_is_named(
    home: HomeAssistant,
    standin: Standin,
    entry: MockConfigEntry,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Half a development server is none."""
    monkeypatch.delenv("LUMO_PUBLIC_KEY_FILE")
    assert await async_setup_component(home, "system_health", {})
    info = (await get_info(home))["lumo"]
    assert "belong together" in info["can_reach_lumo"]
