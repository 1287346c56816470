"""The actions."""

from contextlib import nullcontext
from typing import Any

from homeassistant.core import Context, HomeAssistant
from homeassistant.exceptions import ServiceValidationError, Unauthorized
from homeassistant.setup import async_setup_component
import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.lumo.abilities import ABILITIES
from custom_components.lumo.services import async_register_services

from .llm_apis import ToyTool, register, register_web


async def list_tools(
    hass: HomeAssistant,
    agent: str = "conversation.lumo",
    context: Context | None = None,
) -> dict[str, Any]:
    response = await hass.services.async_call(
        "lumo",
        "list_tools",
        {"agent_id": agent},
        blocking=True,
        return_response=True,
        context=context,
    )
    assert response is not None
    return dict(response)


async def test_tools_are_listed_with_name_source_and_kind(
    home: HomeAssistant, entry: MockConfigEntry
) -> None:
    assert await async_setup_component(home, "intent", {})
    response = await list_tools(home)
    tools = {tool["name"]: tool for tool in response["tools"]}
    time = tools["llm__GetDateTime"]
    assert time["offered_name"] == "user:GetDateTime"
    assert time["api"] == "assist"
    assert time["kind"] == "reads"
    # Nothing is to be looked at or remembered as long as nobody has chosen that.
    own = [name for name in tools if name.startswith("lumo__")]
    assert len(own) == len(ABILITIES) - 2


async def test_tools_are_listed_with_what_the_agent_may_do(
    home: HomeAssistant, entry: MockConfigEntry
) -> None:
    """A tool that is off has no name for Lumo."""
    register_web(home)
    [subentry] = entry.subentries.values()
    data = {**subentry.data, "llm_hass_api": ["assist", "web"]}

    async def listed(**changes: Any) -> dict[str, Any]:
        home.config_entries.async_update_subentry(
            entry, subentry, data={**data, **changes}
        )
        await home.async_block_till_done()
        response = await list_tools(home)
        return {tool["title"]: tool for tool in response["tools"]}

    tools = await listed()
    for title, expected in {
        "Get date and time": ("assist", "reads", "on"),
        "Turn on": ("assist", "acts", "on"),
        "Find": ("web", "reads", "on"),
        "Order": ("web", "open_world", "ask"),
        "note": ("web", "acts", "ask"),
    }.items():
        tool = tools[title]
        assert (tool["api"], tool["kind"], tool["permission"]) == expected
    assert tools["Order"]["offered_name"] == "user:order"

    tools = await listed(tools={"search//order": "off"})
    assert tools["Order"]["permission"] == "off"
    assert tools["Order"]["offered_name"] is None

    tools = await listed(autonomy="reads")
    reading = [tool for tool in tools.values() if tool["permission"] != "off"]
    assert {tool["kind"] for tool in reading} == {"reads"}
    assert tools["Turn on"]["permission"] == "off"

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
    for off, apis in ((None, ["mcp-one", "mcp-two"]), ("one", ["mcp-two"])):
        tools = {f"mcp/{off}/list": "off"} if off else {}
        home.config_entries.async_update_subentry(
            entry, subentry, data={**data, "tools": tools}
        )
        await home.async_block_till_done()
        response = await list_tools(home)
        offered = [tool for tool in response["tools"] if tool["offered_name"]]
        assert len({tool["name"] for tool in offered}) == len(offered)
        assert {tool["api"] for tool in offered} <= {*apis, None}


async def test_apis_that_cannot_be_used_are_an_error(
    home: HomeAssistant, entry: MockConfigEntry
) -> None:
    [subentry] = entry.subentries.values()
    register_web(home).broken = True
    register(home, "my web", "One")
    register(home, "my-web", "Two")
    for apis, reason in (
        (["assist", "web"], "no connection"),
        (["my web", "my-web"], "unique"),
    ):
        home.config_entries.async_update_subentry(
            entry, subentry, data={**subentry.data, "llm_hass_api": apis}
        )
        await home.async_block_till_done()
        with pytest.raises(ServiceValidationError) as err:
            await list_tools(home)
        assert err.value.translation_key == "tools_not_available"
        assert reason in (err.value.translation_placeholders or {})["reason"]


async def test_wrong_agent_is_refused(
    home: HomeAssistant, entry: MockConfigEntry
) -> None:
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


async def test_only_administrators_may_list_tools(
    home: HomeAssistant, entry: MockConfigEntry
) -> None:
    # The first user owns the home.
    await home.auth.async_create_user("Owner")
    for groups, allowed in ((["system-users"], False), (["system-admin"], True)):
        user = await home.auth.async_create_user("Anna", group_ids=groups)
        with nullcontext() if allowed else pytest.raises(Unauthorized):
            await list_tools(home, context=Context(user_id=user.id))
    assert await list_tools(home)


async def test_action_exists_without_an_account(hass: HomeAssistant) -> None:
    """An automation that uses it can be validated."""
    async_register_services(hass)
    assert hass.services.has_service("lumo", "list_tools")
