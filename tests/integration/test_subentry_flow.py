"""The options of an agent."""

from typing import Any

from homeassistant.config_entries import SOURCE_USER
from homeassistant.core import HomeAssistant
from homeassistant.data_entry_flow import FlowResultType, InvalidData
import pytest
from pytest_homeassistant_custom_component.common import (
    MockConfigEntry,
    get_schema_suggested_value,
)

from custom_components.lumo.agent.options import AgentOptions
from custom_components.lumo.const import DEFAULT_OPTIONS
from dev.standin import Standin

from .agent_form import as_shown, fill_in, steps_of
from .conftest import make_entry, session_data

OPTIONS: dict[str, Any] = {
    "prompt": "Be brief.",
    "llm_hass_api": ["assist"],
    "autonomy": "acts",
    "tool_calling": "native",
    "model": "max",
    "thinking": True,
    "server_tools": ["weather"],
    "cameras": ["camera.front_door", "image.doorbell"],
    "memory": "in_clear",
    "plain_commands": False,
    "quick_confirmation": "always",
}

SAFETY: dict[str, Any] = {
    "sensitive_labels": ["careful"],
    "unattended": True,
    "phone_for_doors": False,
}

PLACES: dict[str, Any] = {
    "places": [
        {
            "name": "Children's room",
            "satellites": ["assist_satellite.children"],
            "areas": ["children"],
            "acts": True,
            "owner": "person.mia",
        },
        {"name": "Elsewhere", "acts": False},
    ]
}


TOOLS: dict[str, Any] = {
    "min_temperature": 12.5,
    "tools": {
        "homeassistant//homeassistant__GetLiveContext": "off",
        "intent//intent__HassTurnOn": "ask",
    },
}


@pytest.fixture
async def entry(home: HomeAssistant, standin: Standin) -> MockConfigEntry:
    """Return an entry whose agent is as recommended."""
    usual = {"plain_commands": None, "quick_confirmation": "automatic"}
    entry = make_entry(session_data(standin), **usual)
    entry.add_to_hass(home)
    assert await home.config_entries.async_setup(entry.entry_id)
    await home.async_block_till_done()
    return entry


async def test_second_agent(home: HomeAssistant, entry: MockConfigEntry) -> None:
    """It gets a name and appears at once."""
    form = await home.config_entries.subentries.async_init(
        (entry.entry_id, "conversation"), context={"source": SOURCE_USER}
    )
    assert form["type"] is FlowResultType.FORM
    result = await fill_in(
        home, form, {"name": "Butler", **OPTIONS, "safety": SAFETY, "places": PLACES}
    )
    assert result["step_id"] == "tools"
    result = await home.config_entries.subentries.async_configure(form["flow_id"], {})
    await home.async_block_till_done()
    assert result["type"] is FlowResultType.CREATE_ENTRY
    assert home.states.get("conversation.butler") is not None
    subentry = list(entry.subentries.values())[-1]
    assert subentry.title == "Butler"
    assert dict(subentry.data) == OPTIONS | SAFETY | PLACES, (
        "a new option has a row here"
    )


def schema_of(form: Any) -> Any:
    return form["data_schema"].schema


async def test_new_agent_as_a_copy(home: HomeAssistant, entry: MockConfigEntry) -> None:
    """It shows the options of the other one, which can still be changed."""
    [agent] = entry.get_subentries_of_type("conversation")
    tools = {"intent//intent__HassTurnOn": "off"}
    home.config_entries.async_update_subentry(
        entry, agent, data={**agent.data, **OPTIONS, **SAFETY, "tools": tools}
    )
    await home.async_block_till_done()
    flow = home.config_entries.subentries
    form = await flow.async_init(
        (entry.entry_id, "conversation"), context={"source": SOURCE_USER}
    )
    first = {"name": "Butler", "recommended": False}
    form = await flow.async_configure(
        form["flow_id"], {**first, "copy_of": agent.subentry_id}
    )
    assert form["step_id"] == "init" and "copy_of" not in schema_of(form)
    shown = as_shown(schema_of(form))
    assert shown["prompt"] == OPTIONS["prompt"]
    form = await flow.async_configure(form["flow_id"], {**first, **shown, **first})
    shown = as_shown(schema_of(form))
    form = await flow.async_configure(form["flow_id"], shown)
    if form["type"] is FlowResultType.FORM:
        await flow.async_configure(form["flow_id"], {})
    await home.async_block_till_done()
    made = list(entry.subentries.values())[-1]
    assert made.title == "Butler"
    assert {**made.data} == {**made.data, **OPTIONS, **SAFETY, "tools": tools}


async def test_options_are_changed(home: HomeAssistant, entry: MockConfigEntry) -> None:
    [subentry] = entry.subentries.values()
    form = await entry.start_subentry_reconfigure_flow(home, subentry.subentry_id)
    assert form["data_schema"] is not None
    values = {**OPTIONS, "llm_hass_api": [], "safety": SAFETY, "places": PLACES}
    result = await fill_in(home, form, values)
    assert result["type"] is FlowResultType.ABORT
    assert result["reason"] == "reconfigure_successful"
    [subentry] = entry.subentries.values()
    assert "llm_hass_api" not in subentry.data
    state = home.states.get("conversation.lumo")
    assert state is not None
    assert state.attributes["supported_features"] == 0


@pytest.mark.parametrize(
    ("stored", "prompt", "chosen", "holds"),
    [
        # Whoever changes the instructions alone leaves it to them.
        ({}, "Be brief.", True, False),
        ({}, DEFAULT_OPTIONS["prompt"], True, True),
        ({"prompt": "Be brief."}, DEFAULT_OPTIONS["prompt"], False, True),
        # What was chosen holds, whatever they are.
        ({"prompt": "Be brief."}, "Be brief.", True, True),
        ({"plain_commands": True}, "Be brief.", True, True),
        ({}, DEFAULT_OPTIONS["prompt"], False, False),
    ],
)
async def test_instructions_turn_plain_commands_at_home_off(
    home: HomeAssistant,
    entry: MockConfigEntry,
    stored: dict[str, Any],
    prompt: str,
    chosen: bool,
    holds: bool,
) -> None:
    """The form shows what holds, and can turn it on all the same."""
    [subentry] = entry.subentries.values()
    data = {key: subentry.data[key] for key in subentry.data if key != "plain_commands"}
    home.config_entries.async_update_subentry(entry, subentry, data={**data, **stored})
    await home.async_block_till_done()
    form = await open_options(home, entry)
    schema = form["data_schema"].schema
    shown = "plain_commands" in stored or "prompt" not in stored
    assert get_schema_suggested_value(schema, "plain_commands") is shown
    values = {"prompt": prompt, "llm_hass_api": ["assist"], "autonomy": "acts"}
    await home.config_entries.subentries.async_configure(
        form["flow_id"], {**values, "plain_commands": chosen, "recommended": True}
    )
    await home.async_block_till_done()
    [subentry] = entry.subentries.values()
    assert AgentOptions.from_subentry(subentry.data, encrypted=True).at_home is holds


@pytest.mark.parametrize(
    "rule",
    [
        {"acts": False},
        {"name": "Hall", "satellites": ["light.kitchen"]},
        {"name": "Hall", "may_do": "anything"},
    ],
)
async def test_rule_that_cannot_be_used(
    home: HomeAssistant, entry: MockConfigEntry, rule: dict[str, Any]
) -> None:
    """Home Assistant does not take it."""
    [subentry] = entry.subentries.values()
    form = await entry.start_subentry_reconfigure_flow(home, subentry.subentry_id)
    values = {**OPTIONS, "safety": SAFETY, "places": {"places": [rule]}}
    with pytest.raises(InvalidData):
        await fill_in(home, form, values)


async def test_first_sight(home: HomeAssistant, entry: MockConfigEntry) -> None:
    """What everybody decides; all else is as recommended, and not even shown."""
    form = await home.config_entries.subentries.async_init(
        (entry.entry_id, "conversation"), context={"source": SOURCE_USER}
    )
    assert form["data_schema"] is not None
    schema = form["data_schema"].schema
    assert [marker.schema for marker in schema] == [
        "name",
        "copy_of",
        "prompt",
        "llm_hass_api",
        "autonomy",
        "plain_commands",
        "recommended",
    ]
    # Told from the agent that is there.
    assert form["data_schema"]({"recommended": True})["name"] == "Lumo 2"
    for key in ("prompt", "llm_hass_api", "autonomy"):
        assert get_schema_suggested_value(schema, key) == DEFAULT_OPTIONS[key]
    assert get_schema_suggested_value(schema, "plain_commands") is True
    assert get_schema_suggested_value(schema, "recommended") is True
    result = await home.config_entries.subentries.async_configure(
        form["flow_id"],
        {
            "name": "Butler",
            "prompt": "Be brief.",
            "llm_hass_api": ["assist"],
            "autonomy": "reads",
            "recommended": True,
        },
    )
    await home.async_block_till_done()
    assert result["type"] is FlowResultType.CREATE_ENTRY
    subentry = list(entry.subentries.values())[-1]
    assert dict(subentry.data) == {
        **DEFAULT_OPTIONS,
        "prompt": "Be brief.",
        "autonomy": "reads",
    }


@pytest.mark.long
@pytest.mark.parametrize(
    "changed",
    [
        {"thinking": True},
        {"sensitive_labels": ["careful"]},
        {"max_temperature": 25},
        {"unattended": True},
        {"tools": {"intent//intent__HassTurnOn": "ask"}},
    ],
)
async def test_agent_with_settings_of_its_own(
    home: HomeAssistant, entry: MockConfigEntry, changed: dict[str, Any]
) -> None:
    """It opens with the switch off; turning that on sets everything back."""
    [subentry] = entry.subentries.values()
    data = {**subentry.data, "prompt": "Be brief.", **changed}
    home.config_entries.async_update_subentry(entry, subentry, data=data)
    await home.async_block_till_done()
    form = await open_options(home, entry)
    schema = form["data_schema"].schema
    assert get_schema_suggested_value(schema, "recommended") is False
    result = await home.config_entries.subentries.async_configure(
        form["flow_id"],
        {
            "prompt": "Be brief.",
            "llm_hass_api": ["assist"],
            "autonomy": "acts",
            "plain_commands": False,
            "recommended": True,
        },
    )
    await home.async_block_till_done()
    assert result["reason"] == "reconfigure_successful"
    [subentry] = entry.subentries.values()
    assert dict(subentry.data) == {**DEFAULT_OPTIONS, "prompt": "Be brief."}


async def test_settings_show_what_holds(
    home: HomeAssistant, entry: MockConfigEntry
) -> None:
    form = await open_options(home, entry)
    form = await home.config_entries.subentries.async_configure(
        form["flow_id"], steps_of({"autonomy": "acts", "safety": {}})["init"]
    )
    assert form["step_id"] == "settings"
    shown: dict[str, Any] = {}
    assert form["data_schema"] is not None
    for part in form["data_schema"].schema.values():
        assert part.options == {"collapsed": True}
        fields = part.schema.schema
        shown |= {key.schema: get_schema_suggested_value(fields, key) for key in fields}
    first = ("prompt", "llm_hass_api", "autonomy")
    assert shown == {
        **{key: value for key, value in DEFAULT_OPTIONS.items() if key not in first},
        "min_temperature": None,
        "phone_person": None,
        "max_temperature": None,
    }


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


@pytest.mark.parametrize("changed", [{}, {**OPTIONS, **SAFETY, **PLACES, **TOOLS}])
async def test_forms_change_nothing_by_themselves(
    home: HomeAssistant, entry: MockConfigEntry, changed: dict[str, Any]
) -> None:
    """Submitted as they are shown, they store what was stored."""
    [subentry] = entry.subentries.values()
    before = {**subentry.data, **changed}
    home.config_entries.async_update_subentry(entry, subentry, data=before)
    await home.async_block_till_done()
    form = await open_options(home, entry)
    while form["type"] is FlowResultType.FORM:
        form = await home.config_entries.subentries.async_configure(
            form["flow_id"], as_shown(schema_of(form))
        )
    await home.async_block_till_done()
    [subentry] = entry.subentries.values()
    assert dict(subentry.data) == {
        **DEFAULT_OPTIONS,
        **before,
        # Home Assistant's field of a template drops the last line's end.
        "prompt": before["prompt"].strip(),
    }


async def test_option_of_another_version_is_ignored(
    home: HomeAssistant, entry: MockConfigEntry
) -> None:
    """The agent is as recommended, and its form does not store the option again."""
    [subentry] = entry.subentries.values()
    data = {**subentry.data, "prefix": "home:", "max_rounds": 1}
    home.config_entries.async_update_subentry(entry, subentry, data=data)
    await home.async_block_till_done()
    form = await open_options(home, entry)
    shown = as_shown(schema_of(form))
    assert shown["recommended"] is True
    configure = home.config_entries.subentries.async_configure
    result = await configure(form["flow_id"], shown)
    assert result["reason"] == "reconfigure_successful"
    [subentry] = entry.subentries.values()
    assert not {"prefix", "max_rounds"} & subentry.data.keys()
