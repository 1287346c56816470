"""The options of an agent."""

from typing import Any

from homeassistant.config_entries import SOURCE_USER
from homeassistant.core import HomeAssistant
from homeassistant.data_entry_flow import FlowResultType
import pytest
from pytest_homeassistant_custom_component.common import (
    MockConfigEntry,
    get_schema_suggested_value,
)

from custom_components.lumo.const import DEFAULT_OPTIONS

OPTIONS: dict[str, Any] = {
    "prompt": "Be brief.",
    "llm_hass_api": ["assist"],
    "autonomy": "acts",
    "tool_calling": "native",
    "model": "max",
    "thinking": True,
    "server_tools": ["weather"],
    "max_rounds": 5,
    "quick_confirmation": True,
}

SAFETY: dict[str, Any] = {
    "sensitive_labels": ["careful"],
    "unattended": True,
    "share_words": True,
}

ADVANCED: dict[str, Any] = {
    "misrouted": "bounce",
    "prefix": "home:",
    "instructions_in": "first",
    "template": "{{ tools }} {{ protocol }} {{ home_instructions }}",
    "bounce_text": "Again: {{ call }}",
    "replace": "tool => instrument",
}


async def test_second_agent(home: HomeAssistant, entry: MockConfigEntry) -> None:
    """It gets a name and appears at once."""
    form = await home.config_entries.subentries.async_init(
        (entry.entry_id, "conversation"), context={"source": SOURCE_USER}
    )
    assert form["type"] is FlowResultType.FORM
    result = await home.config_entries.subentries.async_configure(
        form["flow_id"],
        {
            "name": "Butler",
            **OPTIONS,
            "safety": SAFETY,
            "advanced": {"prefix": "user:"},
        },
    )
    assert result["step_id"] == "tools"
    result = await home.config_entries.subentries.async_configure(form["flow_id"], {})
    await home.async_block_till_done()
    assert result["type"] is FlowResultType.CREATE_ENTRY
    assert home.states.get("conversation.butler") is not None
    subentry = list(entry.subentries.values())[-1]
    assert subentry.title == "Butler"
    assert dict(subentry.data) == OPTIONS | SAFETY


async def test_options_are_changed(home: HomeAssistant, entry: MockConfigEntry) -> None:
    """Without tools the key is absent, and the agent is no longer one that controls."""
    [subentry] = entry.subentries.values()
    form = await entry.start_subentry_reconfigure_flow(home, subentry.subentry_id)
    assert form["data_schema"] is not None
    schema = form["data_schema"].schema
    for key, value in DEFAULT_OPTIONS.items():
        where = schema["safety"].schema.schema if key in SAFETY else schema
        assert get_schema_suggested_value(where, key) == value
    values = {
        **OPTIONS,
        "llm_hass_api": [],
        "safety": SAFETY,
        "advanced": {"prefix": "user:"},
    }
    result = await home.config_entries.subentries.async_configure(
        form["flow_id"], values
    )
    await home.async_block_till_done()
    assert result["type"] is FlowResultType.ABORT
    assert result["reason"] == "reconfigure_successful"
    [subentry] = entry.subentries.values()
    assert "llm_hass_api" not in subentry.data
    state = home.states.get("conversation.lumo")
    assert state is not None
    assert state.attributes["supported_features"] == 0


async def test_api_that_is_gone_is_not_offered(
    home: HomeAssistant, entry: MockConfigEntry
) -> None:
    """An MCP server may have been removed."""
    [subentry] = entry.subentries.values()
    home.config_entries.async_update_subentry(
        entry, subentry, data={**subentry.data, "llm_hass_api": ["assist", "mcp-gone"]}
    )
    await home.async_block_till_done()
    form = await entry.start_subentry_reconfigure_flow(home, subentry.subentry_id)
    assert form["data_schema"] is not None
    schema = form["data_schema"].schema
    assert get_schema_suggested_value(schema, "llm_hass_api") == ["assist"]


async def test_account_that_is_not_loaded(
    home: HomeAssistant, entry: MockConfigEntry
) -> None:
    """Its agents cannot be changed."""
    await home.config_entries.async_unload(entry.entry_id)
    result = await home.config_entries.subentries.async_init(
        (entry.entry_id, "conversation"), context={"source": SOURCE_USER}
    )
    assert result["type"] is FlowResultType.ABORT
    assert result["reason"] == "entry_not_loaded"


async def open_options(hass: HomeAssistant, entry: MockConfigEntry) -> Any:
    """Open the options of the first agent."""
    subentry_id = next(iter(entry.subentries))
    return await entry.start_subentry_reconfigure_flow(hass, subentry_id)


async def submit(hass: HomeAssistant, form: Any, advanced: dict[str, Any]) -> Any:
    """Fill in the options, and leave the tools as they are."""
    configure = hass.config_entries.subentries.async_configure
    result = await configure(
        form["flow_id"], {**OPTIONS, "safety": SAFETY, "advanced": advanced}
    )
    if result.get("step_id") == "tools":
        result = await configure(form["flow_id"], {})
    await hass.async_block_till_done()
    return result


async def test_advanced_options_are_stored_where_they_differ(
    home: HomeAssistant, entry: MockConfigEntry
) -> None:
    """And can be set back, each by itself: an emptied template is the default."""
    result = await submit(home, await open_options(home, entry), dict(ADVANCED))
    assert result["reason"] == "reconfigure_successful"
    [subentry] = entry.subentries.values()
    assert dict(subentry.data) == OPTIONS | SAFETY | ADVANCED

    form = await open_options(home, entry)
    restored = {"prefix": "user:", "template": "", "replace": ""}
    await submit(home, form, {**ADVANCED, **restored})
    [subentry] = entry.subentries.values()
    kept = {key: value for key, value in ADVANCED.items() if key not in restored}
    assert dict(subentry.data) == OPTIONS | SAFETY | kept


async def test_emptied_texts(home: HomeAssistant, entry: MockConfigEntry) -> None:
    """An empty prefix is a prefix, an empty template is the default."""
    await submit(home, await open_options(home, entry), {"misrouted": "rescue"})
    [subentry] = entry.subentries.values()
    assert dict(subentry.data) == OPTIONS | SAFETY | {"prefix": ""}


@pytest.mark.parametrize(
    ("option", "value", "reason"),
    [
        ("prefix", "a b", "letters"),
        ("template", "{{ tools", "Line 1"),
        ("template", "no tools", "does not contain the tools"),
        ("template", "{{ 1 / 0 }} {{ tools }}", "division"),
        ("bounce_text", "say it again", "does not contain the call"),
        ("replace", "( => x", "("),
        ("replace", "(a) => \\2", "group"),
        ("replace", "a* => x", "nothing"),
    ],
)
async def test_option_that_cannot_be_used(
    home: HomeAssistant, entry: MockConfigEntry, option: str, value: str, reason: str
) -> None:
    """The form says why, keeps what was entered, and takes a correction."""
    entered = {**ADVANCED, option: value}
    form = await submit(home, await open_options(home, entry), dict(entered))
    assert form["type"] is FlowResultType.FORM
    assert form["errors"] == {"base": f"invalid_{option}"}
    assert reason in form["description_placeholders"]["reason"]
    sections = form["data_schema"].schema
    assert sections["advanced"].options == {"collapsed": False}
    assert sections["safety"].options == {"collapsed": True}
    advanced = sections["advanced"].schema.schema
    assert get_schema_suggested_value(advanced, option) == value
    result = await submit(home, form, dict(ADVANCED))
    assert result["reason"] == "reconfigure_successful"
