"""Entries of another integration with this domain: said, offered, never touched."""

from typing import Any

from homeassistant.config_entries import ConfigEntryState
from homeassistant.core import HomeAssistant
from homeassistant.data_entry_flow import FlowResultType
from homeassistant.helpers import issue_registry as ir
from homeassistant.setup import async_setup_component
import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.lumo.const import DOMAIN
from custom_components.lumo.diagnostics import async_get_config_entry_diagnostics
from dev.standin import Standin

from .helpers import issues
from .sign_in_forms import api_key, choose, start_reconfigure, submit
from .test_repairs import fix, go_on


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
    """Beside it, an account of ours works as ever."""
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


async def test_removing_it_removes_the_issue(
    home: HomeAssistant, standin: Standin, caplog: pytest.LogCaptureFixture
) -> None:
    """It is its owner's to remove."""
    entry = await add_other(home)
    await home.config_entries.async_remove(entry.entry_id)
    assert issues(home) == set()
    assert "Error" not in caplog.text


async def test_its_key_is_used_in_a_new_entry(
    home: HomeAssistant, standin: Standin
) -> None:
    """Once; the old entry stays."""
    key = api_key(standin, "valid")
    entry = await add_other(home, api_key=key, base_url=f"{standin.base_url}/api/ai/v1")
    menu = await fix(home, entry, "other_integration")
    assert menu["menu_options"] == ["take_over", "leave"]
    assert menu["description_placeholders"] == {"name": "Its own"}
    again = await fix(home, entry, "other_integration")
    result = await go_on(home, menu, {"next_step_id": "take_over"})
    await home.async_block_till_done()
    assert result["type"] is FlowResultType.CREATE_ENTRY
    [ours] = home.config_entries.async_loaded_entries(DOMAIN)
    assert ours.version == 1
    assert ours.data["api_key"] == key
    assert "base_url" not in ours.data
    assert entry.data["api_key"] == key
    result = await go_on(home, again, {"next_step_id": "take_over"})
    assert result["reason"] == "taken_over"
    assert len(home.config_entries.async_entries(DOMAIN)) == 2


async def test_key_that_does_not_work_is_shown_in_the_form(
    home: HomeAssistant, standin: Standin
) -> None:
    """Where it can be corrected."""
    entry = await add_other(home, api_key=api_key(standin, "revoked"))
    menu = await fix(home, entry, "other_integration")
    result = await go_on(home, menu, {"next_step_id": "take_over"})
    assert result["next_flow"][0] == "config_flow"
    [form] = home.config_entries.flow.async_progress()
    assert form["flow_id"] == result["next_flow"][1]
    values = {"api_key": api_key(standin, "valid"), "advanced": {}}
    created = await submit(home, form, values)
    assert created["type"] is FlowResultType.CREATE_ENTRY


@pytest.mark.parametrize("data", [{}, {"api_key": ""}, {"api_key": 7}])
async def test_entry_without_a_key_can_only_be_left(
    home: HomeAssistant, standin: Standin, data: dict[str, Any]
) -> None:
    """It is not mentioned again then."""
    entry = await add_other(home, **data)
    menu = await fix(home, entry, "other_integration")
    assert menu["menu_options"] == ["leave"]
    result = await go_on(home, menu, {"next_step_id": "leave"})
    assert result["reason"] == "left"
    issue_id = f"other_integration_{entry.entry_id}"
    issue = ir.async_get(home).async_get_issue(DOMAIN, issue_id)
    assert issue is not None
    assert issue.dismissed_version is not None


async def test_entry_that_is_removed_while_its_repair_is_open(
    home: HomeAssistant, standin: Standin
) -> None:
    """There is nothing to take over then."""
    entry = await add_other(home, api_key="secret")
    menu = await fix(home, entry, "other_integration")
    await home.config_entries.async_remove(entry.entry_id)
    result = await go_on(home, menu, {"next_step_id": "take_over"})
    assert result["reason"] == "entry_removed"
