"""The actions."""

from typing import Any

from homeassistant.core import HomeAssistant
from homeassistant.exceptions import ServiceValidationError
from homeassistant.setup import async_setup_component
import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.lumo.services import async_register_services
from dev.standin import Standin

from .conftest import make_entry, session_data


async def list_tools(
    hass: HomeAssistant, agent: str = "conversation.lumo"
) -> dict[str, Any]:
    """Call the action."""
    response = await hass.services.async_call(
        "lumo",
        "list_tools",
        {"agent_id": agent},
        blocking=True,
        return_response=True,
    )
    assert response is not None
    return dict(response)


async def test_tools_are_listed_with_name_source_kind_and_size(
    home: HomeAssistant, entry: MockConfigEntry
) -> None:
    """As the agent would offer them now."""
    assert await async_setup_component(home, "intent", {})
    response = await list_tools(home)
    tools = {tool["name"]: tool for tool in response["tools"]}
    time = tools["llm__GetDateTime"]
    assert time["offered_name"] == "user:GetDateTime"
    assert time["api"] == "assist"
    assert time["kind"] == "reads"
    assert response["characters"] == sum(t["characters"] for t in tools.values()) > 0


async def test_native_names_have_no_prefix(
    home: HomeAssistant, standin: Standin
) -> None:
    """They are shown as the request offers them."""
    entry = make_entry(session_data(standin), tool_calling="native")
    entry.add_to_hass(home)
    assert await home.config_entries.async_setup(entry.entry_id)
    response = await list_tools(home)
    assert "GetDateTime" in [tool["offered_name"] for tool in response["tools"]]


async def test_agent_that_only_talks_has_none(
    home: HomeAssistant, standin: Standin
) -> None:
    """An empty list, not an error."""
    entry = make_entry(session_data(standin))
    entry.add_to_hass(home)
    [subentry] = entry.subentries.values()
    data = {key: value for key, value in subentry.data.items() if key != "llm_hass_api"}
    home.config_entries.async_update_subentry(entry, subentry, data=data)
    assert await home.config_entries.async_setup(entry.entry_id)
    assert await list_tools(home) == {"tools": [], "characters": 0}


async def test_wrong_agent_is_refused(
    home: HomeAssistant, entry: MockConfigEntry
) -> None:
    """With the reason, for each way to be wrong."""
    with pytest.raises(ServiceValidationError) as err:
        await list_tools(home, "conversation.home_assistant")
    assert err.value.translation_key == "not_an_agent"

    [subentry] = entry.subentries.values()
    home.config_entries.async_update_subentry(
        entry, subentry, data={**subentry.data, "llm_hass_api": ["gone"]}
    )
    await home.async_block_till_done()
    with pytest.raises(ServiceValidationError) as err:
        await list_tools(home)
    assert err.value.translation_key == "tools_not_available"

    await home.config_entries.async_unload(entry.entry_id)
    with pytest.raises(ServiceValidationError) as err:
        await list_tools(home)
    assert err.value.translation_key == "account_not_loaded"


async def test_action_exists_without_an_account(hass: HomeAssistant) -> None:
    """An automation that uses it can be validated."""
    async_register_services(hass)
    assert hass.services.has_service("lumo", "list_tools")
