"""What looks like a door, and covers that nobody knows, are pointed out."""

from typing import Any

from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.config_entries import SOURCE_USER
from homeassistant.core import HomeAssistant
from homeassistant.data_entry_flow import FlowResultType
from homeassistant.helpers import entity_registry as er, issue_registry as ir
from homeassistant.setup import async_setup_component
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.lumo.const import CONF_SENSITIVE_LABELS, DOMAIN
from custom_components.lumo.gate.effects import Effect
from custom_components.lumo.gate.sensitive import Sensitivity
from custom_components.lumo.issues.home_issues import (
    async_look_at_home,
    async_mark_doors,
)
from custom_components.lumo.issues.problems import Problem
from dev.standin import Standin

from .conftest import make_entry, session_data


def put(home: HomeAssistant, entity_id: str, name: str, **more: Any) -> None:
    domain, _, object_id = entity_id.partition(".")
    er.async_get(home).async_get_or_create(
        domain, "test", object_id, suggested_object_id=object_id, original_name=name
    )
    home.states.async_set(entity_id, "off", {"friendly_name": name, **more})
    async_expose_entity(home, "conversation", entity_id, True)


def said(home: HomeAssistant, problem: str) -> str | None:
    """Return of what an issue speaks, None if there is none."""
    issue = ir.async_get(home).async_get_issue(DOMAIN, problem)
    return (issue.translation_placeholders or {})["entities"] if issue else None


async def test_what_looks_like_a_door_is_marked_with_one_click(
    home: HomeAssistant, standin: Standin
) -> None:
    assert await async_setup_component(home, "repairs", {})
    entry = make_entry(session_data(standin))
    entry.add_to_hass(home)
    put(home, "switch.relay", "Gate relay")
    put(home, "button.gate", "Garage")
    put(home, "switch.coffee", "Coffee")
    put(home, "switch.hidden", "Front door")
    async_expose_entity(home, "conversation", "switch.hidden", False)
    assert await home.config_entries.async_setup(entry.entry_id)
    await home.async_block_till_done()
    assert said(home, Problem.UNMARKED_DOORS) == "Garage, Gate relay"
    from homeassistant.components.repairs import DOMAIN as REPAIRS

    manager = home.data[REPAIRS]["flow_manager"]
    flow = await manager.async_init(DOMAIN, data={"issue_id": Problem.UNMARKED_DOORS})
    assert flow["type"] is FlowResultType.MENU
    done = await manager.async_configure(flow["flow_id"], {"next_step_id": "mark"})
    assert done["type"] is FlowResultType.CREATE_ENTRY
    await home.async_block_till_done()
    assert said(home, Problem.UNMARKED_DOORS) is None
    assert asks(home, entry, "switch.relay") == [True]
    assert asks(home, entry, "switch.coffee") == [False]
    await home.config_entries.async_remove(entry.entry_id)


async def test_an_agent_that_is_added_later_asks_about_them_too(
    home: HomeAssistant, standin: Standin
) -> None:
    entry = make_entry(session_data(standin))
    entry.add_to_hass(home)
    put(home, "switch.relay", "Gate relay")
    assert await home.config_entries.async_setup(entry.entry_id)
    await home.async_block_till_done()
    async_mark_doors(home)
    await home.async_block_till_done()
    assert asks(home, entry, "switch.relay") == [True]
    assert said(home, Problem.UNMARKED_DOORS) is None
    form: Any = await home.config_entries.subentries.async_init(
        (entry.entry_id, "conversation"), context={"source": SOURCE_USER}
    )
    await home.config_entries.subentries.async_configure(
        form["flow_id"],
        {"name": "Butler", "llm_hass_api": [], "autonomy": "acts", "recommended": True},
    )
    await home.async_block_till_done()
    assert asks(home, entry, "switch.relay") == [True, True]
    # Whoever takes the label from one of them is told again.
    subentry = list(entry.subentries.values())[-1]
    data = {**subentry.data, CONF_SENSITIVE_LABELS: []}
    home.config_entries.async_update_subentry(entry, subentry, data=data)
    await home.async_block_till_done()
    assert said(home, Problem.UNMARKED_DOORS) == "Gate relay"
    await home.config_entries.async_remove(entry.entry_id)


def asks(home: HomeAssistant, entry: MockConfigEntry, entity_id: str) -> list[bool]:
    """Return for each agent whether it asks before using an entity."""
    return [
        Sensitivity(home, frozenset(subentry.data[CONF_SENSITIVE_LABELS])).is_sensitive(
            Effect(entity_id, "turn_on")
        )
        for subentry in entry.subentries.values()
    ]


async def test_covers_that_nobody_knows_are_listed(home: HomeAssistant) -> None:
    make_entry({}).add_to_hass(home)
    put(home, "cover.one", "Hall 1")
    put(home, "cover.two", "Blinds")
    async_look_at_home(home)
    assert said(home, Problem.UNKNOWN_COVERS) == "Hall 1"
    er.async_get(home).async_update_entity("cover.one", device_class="blind")
    async_look_at_home(home)
    assert said(home, Problem.UNKNOWN_COVERS) is None
