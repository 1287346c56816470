"""Entries of another integration with this domain: said, never touched."""

from typing import Any

from homeassistant.config_entries import ConfigEntryState
from homeassistant.core import HomeAssistant
from homeassistant.data_entry_flow import FlowResultType
from homeassistant.setup import async_setup_component
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.lumo.const import DOMAIN
from custom_components.lumo.diagnostics import async_get_config_entry_diagnostics
from dev.standin import Standin

from .helpers import issues
from .sign_in_forms import choose, start_reconfigure


async def add_other(hass: HomeAssistant, **data: Any) -> MockConfigEntry:
    """Add an entry of the other integration, as it writes one, and start."""
    entry = MockConfigEntry(
        domain=DOMAIN,
        version=2,
        title="Its own",
        data={"base_url": "", "skip_authentication": False, **data},
        subentries_data=[
            {
                "data": {"prompt": "Be brief.", "model": "its-own", "top_p": 1},
                "subentry_type": "conversation",
                "title": "Agent",
                "unique_id": None,
            },
            {
                "data": {"model": "its-own"},
                "subentry_type": "ai_task_data",
                "title": "Task",
                "unique_id": None,
            },
        ],
    )
    entry.add_to_hass(hass)
    assert await async_setup_component(hass, DOMAIN, {})
    await hass.async_block_till_done()
    return entry


async def test_entry_is_told_and_left_alone(
    home: HomeAssistant, standin: Standin
) -> None:
    entry = await add_other(home, api_key="secret")
    before = entry.as_dict()
    assert entry.state is ConfigEntryState.MIGRATION_ERROR
    assert issues(home) == {"other_integration"}
    diagnostics = await async_get_config_entry_diagnostics(home, entry)
    assert diagnostics["agents"] == []
    assert "secret" not in str(diagnostics)
    step = await start_reconfigure(home, entry)
    assert step["reason"] == "other_integration"
    assert (await choose(home, "guest"))["type"] is FlowResultType.CREATE_ENTRY
    assert {**entry.as_dict(), "modified_at": ""} == {**before, "modified_at": ""}
