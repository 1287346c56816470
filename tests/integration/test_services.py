"""The tools that an agent finds, and its actions."""

from homeassistant.core import HomeAssistant
from homeassistant.exceptions import ServiceValidationError
from homeassistant.setup import async_setup_component
import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.lumo.abilities import ABILITIES
from custom_components.lumo.forms.tool_list import ListedTool
from custom_components.lumo.services import async_register_services

from .llm_apis import ToyTool, list_tools, register, register_web


async def test_tools_are_listed_with_what_the_agent_may_do(
    home: HomeAssistant, entry: MockConfigEntry
) -> None:
    """And with their source and kind; a tool that is off is not offered."""
    assert await async_setup_component(home, "intent", {})
    register_web(home)
    [subentry] = entry.subentries.values()
    data = {**subentry.data, "llm_hass_api": ["assist", "web"]}

    async def listed(**changes: object) -> dict[str, ListedTool]:
        home.config_entries.async_update_subentry(
            entry, subentry, data={**data, **changes}
        )
        await home.async_block_till_done()
        return {tool.title: tool for tool in (await list_tools(home)).values()}

    tools = await listed()
    for title, expected in {
        "Get date and time": ("assist", "reads", "on"),
        "Turn on": ("assist", "acts", "on"),
        "Find": ("web", "reads", "on"),
        "Order": ("web", "open_world", "ask"),
        "note": ("web", "acts", "ask"),
    }.items():
        tool = tools[title]
        api = tool.api.id if tool.api else None
        assert (api, tool.kind, tool.permission) == expected
        assert tool.is_offered
    # Nothing is to be looked at or remembered as long as nobody has chosen that.
    own = [tool for tool in tools.values() if tool.api is None]
    assert len(own) == len(ABILITIES) - 2

    tools = await listed(tools={"search//order": "off"})
    assert tools["Order"].permission == "off"
    assert not tools["Order"].is_offered

    tools = await listed(autonomy="reads")
    reading = [tool for tool in tools.values() if tool.permission != "off"]
    assert {tool.kind for tool in reading} == {"reads"}
    assert tools["Turn on"].permission == "off"

    assert await listed(autonomy="answers") == {}


async def test_servers_of_the_same_title_with_the_same_tool(
    home: HomeAssistant, entry: MockConfigEntry
) -> None:
    """2026.10 cannot tell their tools apart: then only the first is offered."""
    for server in ("one", "two"):
        tool = ToyTool("list", integration="mcp")
        vars(tool)["config_entry"] = MockConfigEntry(entry_id=server)
        register(home, f"mcp-{server}", "MCP", tool)
    [subentry] = entry.subentries.values()
    data = {**subentry.data, "llm_hass_api": ["mcp-one", "mcp-two"]}
    for off, apis in ((None, {"mcp-one", "mcp-two"}), ("one", {"mcp-two"})):
        tools = {f"mcp/{off}/list": "off"} if off else {}
        home.config_entries.async_update_subentry(
            entry, subentry, data={**data, "tools": tools}
        )
        await home.async_block_till_done()
        offered = [
            tool for tool in (await list_tools(home)).values() if tool.is_offered
        ]
        assert offered
        assert {tool.api.id for tool in offered if tool.api} <= apis


async def test_an_account_that_is_not_loaded_is_not_asked(
    home: HomeAssistant, entry: MockConfigEntry
) -> None:
    """Its agents are known, and said to be away."""
    await home.config_entries.async_unload(entry.entry_id)
    data = {"agent_id": "conversation.lumo", "sentence": "Hello"}
    with pytest.raises(ServiceValidationError) as err:
        await home.services.async_call("lumo", "ask", data, blocking=True)
    assert err.value.translation_key == "account_not_loaded"


async def test_action_exists_without_an_account(hass: HomeAssistant) -> None:
    """An automation that uses it can be validated."""
    async_register_services(hass)
    assert hass.services.has_service("lumo", "ask")
