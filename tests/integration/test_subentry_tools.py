"""The tools of an agent: the second step of its options."""

from typing import Any

from homeassistant.config_entries import SOURCE_USER
from homeassistant.core import HomeAssistant
from homeassistant.data_entry_flow import FlowResultType
from homeassistant.helpers import llm
from homeassistant.setup import async_setup_component
from homeassistant.util.unit_system import US_CUSTOMARY_SYSTEM
import pytest
from pytest_homeassistant_custom_component.common import (
    MockConfigEntry,
    get_schema_suggested_value,
)
from pytest_homeassistant_custom_component.typing import ClientSessionGenerator

from custom_components.lumo import abilities
from custom_components.lumo.abilities.home_tools import FindInHome
from custom_components.lumo.abilities.lately import Undo

from .agent_form import fill_in, steps_of
from .llm_apis import READS, ToyTool, register, register_web

FIND, ORDER, NOTE = (f"search//{name}" for name in ("find", "order", "note"))
# Ours are always there.
UNDO = "lumo//lumo__undo"
SEEK = "lumo//lumo__find_in_home"

OPTIONS: dict[str, Any] = {
    "prompt": "Be brief.",
    "llm_hass_api": ["web"],
    "autonomy": "acts",
    "tool_calling": "automatic",
    "model": "automatic",
    "thinking": False,
    "server_tools": [],
    "cameras": [],
    "memory": "off",
    "quick_confirmation": "automatic",
    "safety": {"sensitive_labels": [], "unattended": False},
}


@pytest.fixture(autouse=True)
def two_of_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have two tools of our own, however many there are."""
    monkeypatch.setattr(abilities, "ABILITIES", [FindInHome, Undo])


def store(hass: HomeAssistant, entry: MockConfigEntry, **data: Any) -> None:
    [subentry] = entry.subentries.values()
    hass.config_entries.async_update_subentry(
        entry, subentry, data={**subentry.data, **data}
    )


def stored(entry: MockConfigEntry, key: str = "tools") -> Any:
    [subentry] = entry.subentries.values()
    return subentry.data.get(key)


async def submit(hass: HomeAssistant, form: Any, values: dict[str, Any]) -> Any:
    result = await hass.config_entries.subentries.async_configure(
        form["flow_id"], values
    )
    await hass.async_block_till_done()
    return result


async def open_tools(
    hass: HomeAssistant, entry: MockConfigEntry, **options: Any
) -> Any:
    """Fill in the options, and return what comes then."""
    await hass.async_block_till_done()
    form = await entry.start_subentry_reconfigure_flow(
        hass, next(iter(entry.subentries))
    )
    return await fill_in(hass, form, {**OPTIONS, **options})


def choices(form: Any) -> dict[str, str]:
    selector = form["data_schema"].schema["off"]
    return {item["value"]: item["label"] for item in selector.config["options"]}


def preselected(form: Any) -> tuple[Any, Any]:
    """Return the tools that are off, and those that ask first."""
    schema = form["data_schema"].schema
    return (
        get_schema_suggested_value(schema, "off"),
        get_schema_suggested_value(schema, "ask"),
    )


async def test_tools_are_shown_with_source_and_kind(
    home: HomeAssistant, entry: MockConfigEntry
) -> None:
    """What acts and is nobody's we know asks first, before anything was chosen."""
    register_web(home)
    form = await open_tools(home, entry)
    assert form["type"] is FlowResultType.FORM
    assert form["step_id"] == "tools"
    assert form["errors"] == {}
    assert choices(form) == {
        FIND: "Find · Web · reads",
        ORDER: "Order · Web · may reach outside",
        NOTE: "note · Web · acts",
        SEEK: "Find in home · reads",
        UNDO: "Undo · acts",
    }
    assert preselected(form) == ([], [ORDER, NOTE])
    assert form["description_placeholders"] == {
        "apis": "",
        "found": "5",
        "offered": "5",
    }


@pytest.mark.long
@pytest.mark.parametrize(
    ("before", "submitted", "after"),
    [
        # Only what differs is stored.
        ({}, {"off": [FIND], "ask": [ORDER]}, {FIND: "off", NOTE: "on"}),
        ({FIND: "off", NOTE: "on"}, {"off": [], "ask": [ORDER, NOTE]}, None),
        # In both lists it is off, as the form says.
        ({}, {"off": [ORDER], "ask": [ORDER, NOTE]}, {ORDER: "off"}),
        # A list that is not sent was not touched.
        ({FIND: "off"}, {}, {FIND: "off"}),
        # The server of what is not found may be back tomorrow.
        (
            {"mcp/gone/list": "on", "search//old": "off"},
            {"off": [], "ask": [NOTE]},
            {"mcp/gone/list": "on", "search//old": "off", ORDER: "on"},
        ),
    ],
)
async def test_what_is_stored(
    home: HomeAssistant,
    entry: MockConfigEntry,
    before: dict[str, str],
    submitted: dict[str, Any],
    after: dict[str, str] | None,
) -> None:
    register_web(home)
    store(home, entry, tools=before)
    form = await open_tools(home, entry)
    result = await submit(home, form, submitted)
    assert result["reason"] == "reconfigure_successful"
    assert stored(entry) == after
    form = await open_tools(home, entry)
    off, ask = preselected(form)
    values = {ORDER: "ask", NOTE: "ask", **(after or {})}
    assert off == [tool for tool in (FIND, ORDER, NOTE) if values.get(tool) == "off"]
    assert ask == [tool for tool in (FIND, ORDER, NOTE) if values.get(tool) == "ask"]


async def test_new_agent_is_stored_with_its_tools(
    home: HomeAssistant, entry: MockConfigEntry
) -> None:
    register_web(home)
    form = await home.config_entries.subentries.async_init(
        (entry.entry_id, "conversation"), context={"source": SOURCE_USER}
    )
    form = await fill_in(home, form, {"name": "Butler", **OPTIONS})
    assert form["step_id"] == "tools"
    assert len(entry.subentries) == 1
    result = await submit(home, form, {"off": [ORDER], "ask": []})
    assert result["type"] is FlowResultType.CREATE_ENTRY
    subentry = list(entry.subentries.values())[-1]
    assert subentry.title == "Butler"
    assert subentry.data["tools"] == {ORDER: "off", NOTE: "on"}
    assert home.states.get("conversation.butler") is not None


async def test_nothing_is_stored_before_the_end(
    home: HomeAssistant, entry: MockConfigEntry
) -> None:
    register_web(home)
    [before] = [dict(item.data) for item in entry.subentries.values()]
    wrong = {**OPTIONS["safety"], "min_temperature": 25, "max_temperature": 20}
    form = await open_tools(home, entry, safety=wrong, prompt="Changed.")
    assert form["step_id"] == "settings"
    assert form["errors"] == {"base": "invalid_min_temperature"}
    safety = {**wrong, "max_temperature": 28}
    form = await fill_in(home, form, {**OPTIONS, "safety": safety})
    assert form["step_id"] == "tools"
    assert [dict(item.data) for item in entry.subentries.values()] == [before]
    await submit(home, form, {"off": [ORDER]})
    assert stored(entry, "prompt") == "Changed."
    assert stored(entry, "max_temperature") == 28
    assert stored(entry) == {ORDER: "off"}


async def test_agent_that_only_reads_has_a_choice_of_what_reads(
    home: HomeAssistant, entry: MockConfigEntry
) -> None:
    """What was chosen for the others stays, for the day it may act again."""
    register_web(home)
    store(home, entry, tools={ORDER: "on", FIND: "ask"})
    form = await open_tools(home, entry, autonomy="reads")
    assert choices(form).keys() == {FIND, SEEK}
    assert preselected(form) == ([], [FIND])
    assert form["description_placeholders"]["found"] == "2"
    await submit(home, form, {"off": [FIND], "ask": []})
    assert stored(entry) == {ORDER: "on", FIND: "off"}


async def test_agent_that_only_answers_has_no_choice(
    home: HomeAssistant, entry: MockConfigEntry
) -> None:
    """It keeps its APIs and choices, and uses none; the entity says so."""
    register_web(home)
    store(home, entry, tools={ORDER: "on"})
    result = await open_tools(home, entry, autonomy="answers")
    assert result["reason"] == "reconfigure_successful"
    assert stored(entry) == {ORDER: "on"}
    assert stored(entry, "llm_hass_api") == ["web"]
    state = home.states.get("conversation.lumo")
    assert state is not None
    assert state.attributes["supported_features"] == 0


async def test_api_without_tools_needs_no_second_step(
    home: HomeAssistant, entry: MockConfigEntry
) -> None:
    """There is nothing to choose."""
    register(home, "web", "Web")
    result = await open_tools(home, entry)
    assert result["reason"] == "reconfigure_successful"


async def test_api_that_cannot_be_read_is_named(
    home: HomeAssistant, entry: MockConfigEntry
) -> None:
    """The others are shown, and nothing is lost."""
    register_web(home)
    register(home, "far", "Far away", ToyTool("signal")).broken = True
    store(home, entry, tools={"search//signal": "on"})
    form = await open_tools(home, entry, llm_hass_api=["far", "web"])
    assert form["errors"] == {"base": "tools_not_readable"}
    assert form["description_placeholders"]["apis"] == "Far away"
    assert choices(form).keys() == {FIND, ORDER, NOTE, SEEK, UNDO}
    await submit(home, form, {"off": [NOTE]})
    assert stored(entry) == {"search//signal": "on", NOTE: "off"}
    assert stored(entry, "llm_hass_api") == ["far", "web"]


async def test_apis_that_cannot_be_used_together(
    home: HomeAssistant, entry: MockConfigEntry
) -> None:
    """Home Assistant cannot tell their ids apart: that is said of both."""
    register(home, "my web", "One", ToyTool("find"))
    register(home, "my-web", "Two", ToyTool("find"))
    form = await open_tools(home, entry, llm_hass_api=["my web", "my-web"])
    assert form["errors"] == {"base": "tools_not_readable"}
    assert form["description_placeholders"]["apis"] == "One, Two"


async def test_apis_with_the_same_tool_have_one_choice(
    home: HomeAssistant, entry: MockConfigEntry
) -> None:
    """Whatever name Home Assistant gives them then."""
    register(home, "one", "One", ToyTool("find", "Find"))
    register(home, "two", "Two", ToyTool("find", "Find"))
    form = await open_tools(home, entry, llm_hass_api=["one", "two"])
    assert [label.split(" · ")[:2] for label in choices(form).values()] == [
        ["Find", "One"],
        ["Find in home", "reads"],
        ["Undo", "acts"],
    ]
    await submit(home, form, {"off": [FIND]})
    assert stored(entry) == {FIND: "off"}


async def test_server_that_was_not_reached_stays_chosen(
    home: HomeAssistant, entry: MockConfigEntry
) -> None:
    """Its API does not exist yet, but its entry does."""
    MockConfigEntry(domain="mcp", title="Tickets", entry_id="t1").add_to_hass(home)
    MockConfigEntry(domain="mcp", title="Wiki", data={"slug": "wiki"}).add_to_hass(home)
    store(home, entry, llm_hass_api=["mcp-t1", "mcp-wiki", "mcp-gone"])
    await home.async_block_till_done()
    subentry_id = next(iter(entry.subentries))
    form = await entry.start_subentry_reconfigure_flow(home, subentry_id)
    assert form["data_schema"] is not None
    chosen = get_schema_suggested_value(form["data_schema"].schema, "llm_hass_api")
    assert chosen == ["mcp-t1", "mcp-wiki"]
    form = await fill_in(home, form, {**OPTIONS, "llm_hass_api": chosen})
    assert form["description_placeholders"]["apis"] == "Tickets, Wiki"
    await submit(home, form, {})
    assert stored(entry, "llm_hass_api") == ["mcp-t1", "mcp-wiki"]


async def test_tools_of_the_home(home: HomeAssistant, entry: MockConfigEntry) -> None:
    """Home Assistant's own tools are on; together with others they stay theirs."""
    assert await async_setup_component(home, "intent", {})
    register_web(home)
    alone = await open_tools(home, entry, llm_hass_api=["assist"])
    assert preselected(alone) == ([], [])
    assert "llm//llm__GetDateTime" in choices(alone)
    both = await open_tools(home, entry, llm_hass_api=["assist", "web"])
    assert choices(both).keys() == {*choices(alone), FIND, ORDER, NOTE}
    [assist] = [api.name for api in llm.async_get_apis(home) if api.id == "assist"]
    label = choices(both)["llm//llm__GetDateTime"]
    assert label == f"Get date and time · {assist} · reads"


@pytest.mark.parametrize(
    ("language", "label"),
    [
        ("en-GB", "reads"),
        ("de", "liest"),
        ("fr-CA", "lit"),
        # A language that this integration does not speak.
        ("fi", "reads"),
    ],
)
async def test_labels_are_in_the_language_of_the_home(
    home: HomeAssistant, entry: MockConfigEntry, language: str, label: str
) -> None:
    home.config.language = language
    register(home, "web", "Web", ToyTool("find", "Find", annotations=READS))
    form = await open_tools(home, entry)
    assert choices(form)[FIND] == f"Find · Web · {label}"


async def post(client: Any, path: str, **data: Any) -> Any:
    url = f"/api/config/config_entries/subentries/flow{path}"
    response = await client.post(url, json=data)
    assert response.status == 200
    return await response.json()


async def test_tools_for_administrators(
    home: HomeAssistant, entry: MockConfigEntry, hass_client: ClientSessionGenerator
) -> None:
    register_web(home).for_admin = True
    form = await open_tools(home, entry)
    assert form["errors"] == {"base": "tools_not_readable"}

    assert await async_setup_component(home, "config", {})
    client = await hass_client()
    apis = ["web"]
    if administration := getattr(llm, "LLM_API_HOME_ASSISTANT", None):
        apis.append(administration)
    form = await post(client, "", handler=[entry.entry_id, "conversation"])
    steps = steps_of({"name": "Butler", **OPTIONS, "llm_hass_api": apis})
    form = await post(client, f"/{form['flow_id']}", **steps["init"])
    form = await post(client, f"/{form['flow_id']}", **steps["settings"])
    assert form["step_id"] == "tools"
    assert form["errors"] == {}
    off, ask = form["data_schema"]
    assert off["name"] == "off"
    asking = ask["description"]["suggested_value"]
    assert {ORDER, NOTE} <= set(asking)
    if administration:
        assert "homeassistant//homeassistant__call_action" in asking
        assert "homeassistant//homeassistant__render_template" not in asking


@pytest.mark.parametrize(
    ("entered", "reason"),
    [
        ({"min_temperature": 20, "max_temperature": 20}, "20 °C ≥ 20 °C"),
        ({"min_temperature": 21.5, "max_temperature": 20}, "21.5 °C ≥ 20 °C"),
        ({"min_temperature": 31}, "31 °C ≥ 30 °C"),
        ({"max_temperature": 4}, "5 °C ≥ 4 °C"),
    ],
)
async def test_range_without_a_temperature(
    home: HomeAssistant, entry: MockConfigEntry, entered: dict[str, float], reason: str
) -> None:
    """The form says so, and what an empty field means."""
    register(home, "web", "Web")
    form = await open_tools(home, entry, safety={**OPTIONS["safety"], **entered})
    assert form["errors"] == {"base": "invalid_min_temperature"}
    placeholders = form["description_placeholders"]
    assert placeholders["reason"] == reason
    assert (placeholders["lowest"], placeholders["highest"]) == ("5 °C", "30 °C")
    sections = form["data_schema"].schema
    assert sections["safety"].options == {"collapsed": False}
    safety = sections["safety"].schema.schema
    for key, value in entered.items():
        assert get_schema_suggested_value(safety, key) == value


async def test_range_in_the_unit_of_the_home(
    home: HomeAssistant, entry: MockConfigEntry
) -> None:
    """A range may be open at one end, and an emptied field is empty."""
    home.config.units = US_CUSTOMARY_SYSTEM
    register(home, "web", "Web")
    safety = {**OPTIONS["safety"], "max_temperature": 77}
    await open_tools(home, entry, safety=safety)
    assert stored(entry, "max_temperature") == 77
    assert stored(entry, "min_temperature") is None
    form = await open_tools(home, entry, safety={**safety, "min_temperature": 78})
    placeholders = form["description_placeholders"]
    assert placeholders["reason"] == "78 °F ≥ 77 °F"
    assert (placeholders["lowest"], placeholders["highest"]) == ("41 °F", "86 °F")
    await fill_in(home, form, OPTIONS)
    assert stored(entry, "max_temperature") is None


async def test_variables_of_the_instructions_are_shown(
    home: HomeAssistant, entry: MockConfigEntry
) -> None:
    subentry_id = next(iter(entry.subentries))
    form = await entry.start_subentry_reconfigure_flow(home, subentry_id)
    assert form["description_placeholders"] is not None
    assert form["description_placeholders"]["speaker"] == "`{{ speaker }}`"
