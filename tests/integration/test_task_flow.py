"""The AI tasks of an account: made with it, added to older ones, changed by a person."""

from typing import Any

from homeassistant.config_entries import SOURCE_USER
from homeassistant.core import HomeAssistant
from homeassistant.data_entry_flow import FlowResultType
import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.lumo.const import DOMAIN
from dev.standin import Standin

from .conftest import session_data
from .tasks import set_up_task


def tasks(entry: MockConfigEntry) -> dict[str, dict[str, Any]]:
    """Return the options of an account's tasks, by their titles."""
    return {
        subentry.title: dict(subentry.data)
        for subentry in entry.get_subentries_of_type("ai_task_data")
    }


@pytest.fixture
async def entry(home: HomeAssistant, standin: Standin) -> MockConfigEntry:
    return await set_up_task(home, session_data(standin))


async def test_newer_account_is_read(home: HomeAssistant, standin: Standin) -> None:
    """A later minor version only knows more."""
    entry = MockConfigEntry(
        domain=DOMAIN, minor_version=9, data=session_data(standin), title="Lumo"
    )
    entry.add_to_hass(home)
    assert await home.config_entries.async_setup(entry.entry_id)
    assert entry.minor_version == 9
    assert tasks(entry) == {}


async def start(hass: HomeAssistant, entry: MockConfigEntry) -> Any:
    return await hass.config_entries.subentries.async_init(
        (entry.entry_id, "ai_task_data"), context={"source": SOURCE_USER}
    )


async def test_task_is_added(home: HomeAssistant, entry: MockConfigEntry) -> None:
    """Its name is suggested."""
    form = await start(home, entry)
    values = form["data_schema"]({})
    assert values["name"] == "Lumo AI Task 2"
    result = await home.config_entries.subentries.async_configure(
        form["flow_id"], {**values, "name": "Doorbell"}
    )
    await home.async_block_till_done()
    assert result["type"] is FlowResultType.CREATE_ENTRY
    del values["name"]
    assert tasks(entry) == {"Lumo AI Task": {}, "Doorbell": values}
    assert home.states.get("ai_task.doorbell") is not None


async def test_settings_are_stored(home: HomeAssistant, entry: MockConfigEntry) -> None:
    configure = home.config_entries.subentries.async_configure
    [task] = entry.get_subentries_of_type("ai_task_data")
    chosen = {
        "model": "max",
        "thinking": True,
        "server_tools": ["weather"],
        "llm_hass_api": ["assist"],
        "image_aspect_ratio": "16:9",
    }
    form: Any = await entry.start_subentry_reconfigure_flow(home, task.subentry_id)
    assert "name" not in form["data_schema"].schema
    usual = form["data_schema"]({})
    assert usual == {
        "model": "automatic",
        "thinking": False,
        "tool_calling": "automatic",
        "server_tools": [],
        "image_aspect_ratio": "1:1",
    }
    result = await configure(form["flow_id"], {**usual, **chosen})
    await home.async_block_till_done()
    assert result["reason"] == "reconfigure_successful"
    assert tasks(entry) == {"Lumo AI Task": {**usual, **chosen}}
    form = await entry.start_subentry_reconfigure_flow(home, task.subentry_id)
    shown = {
        marker.schema: marker.description["suggested_value"]
        for marker in form["data_schema"].schema
        if marker.description
    }
    assert shown == {**usual, **chosen}
