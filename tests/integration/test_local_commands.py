"""Pipelines that act before the agent are pointed out, as long as they do."""

from datetime import timedelta
from typing import Any

from homeassistant.components import assist_pipeline
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.components.repairs import DOMAIN as REPAIRS_DOMAIN
from homeassistant.core import CoreState, HomeAssistant
from homeassistant.data_entry_flow import FlowResultType
from homeassistant.helpers import issue_registry as ir
from homeassistant.setup import async_setup_component
from homeassistant.util import dt as dt_util
import pytest
from pytest_homeassistant_custom_component.common import (
    MockConfigEntry,
    async_fire_time_changed,
)

from custom_components.lumo.const import CONF_AUTONOMY, DOMAIN, Autonomy
from custom_components.lumo.issues.problems import Problem
from dev.standin import Standin

from .conftest import make_entry, session_data
from .helpers import AGENT


@pytest.fixture
async def assist(home: HomeAssistant) -> assist_pipeline.Pipeline:
    """Set up Assist; return its pipeline, which handles nothing locally."""
    assert await async_setup_component(home, "assist_pipeline", {})
    assert await async_setup_component(home, "repairs", {})
    (pipeline,) = assist_pipeline.async_get_pipelines(home)
    return pipeline


async def set_up(home: HomeAssistant, standin: Standin, **options: Any) -> None:
    """Add the account and wait until its agent is there."""
    entry = make_entry(session_data(standin), **options)
    entry.add_to_hass(home)
    assert await home.config_entries.async_setup(entry.entry_id)
    await home.async_block_till_done()


async def use(
    home: HomeAssistant, *, agent: str = AGENT, locally: bool = True, name: str = "Flat"
) -> assist_pipeline.Pipeline:
    (pipeline,) = assist_pipeline.async_get_pipelines(home)
    await assist_pipeline.async_update_pipeline(
        home,
        pipeline,
        name=name,
        conversation_engine=agent,
        conversation_language="*",
        prefer_local_intents=locally,
    )
    await home.async_block_till_done()
    return pipeline


def thing(
    home: HomeAssistant, entity_id: str, name: str, *, exposed: bool = True, **more: Any
) -> None:
    home.states.async_set(entity_id, "on", {"friendly_name": name, **more})
    async_expose_entity(home, "conversation", entity_id, exposed)


async def an_hour_later(home: HomeAssistant) -> None:
    async_fire_time_changed(home, dt_util.utcnow() + timedelta(hours=1, seconds=1))
    await home.async_block_till_done()


def found(home: HomeAssistant) -> list[dict[str, str]]:
    """Return what the issues say that are not ignored."""
    return [
        issue.translation_placeholders or {}
        for (domain, _), issue in ir.async_get(home).issues.items()
        if domain == DOMAIN
        and issue.translation_key == Problem.LOCAL_COMMANDS
        and issue.active
        and issue.dismissed_version is None
    ]


async def fix(home: HomeAssistant) -> Any:
    """Open the repair of the only issue and press its button."""
    ((_, issue_id),) = [
        key
        for key, issue in ir.async_get(home).issues.items()
        if issue.translation_key == Problem.LOCAL_COMMANDS
    ]
    manager = home.data[REPAIRS_DOMAIN]["flow_manager"]
    flow = await manager.async_init(DOMAIN, context={"issue_id": issue_id})
    assert flow["type"] is FlowResultType.FORM
    assert flow["description_placeholders"]["pipeline"] == "Flat"
    result = await manager.async_configure(flow["flow_id"], {})
    await home.async_block_till_done()
    return result


@pytest.mark.parametrize(("language", "expected"), [("de", True), ("fi", False)])
async def test_it_is_for_languages_in_which_the_agent_does_the_same(
    home: HomeAssistant,
    standin: Standin,
    assist: assist_pipeline.Pipeline,
    language: str,
    expected: bool,
) -> None:
    """Elsewhere a person would only wait longer."""
    await set_up(home, standin)
    await use(home)
    (pipeline,) = assist_pipeline.async_get_pipelines(home)
    await assist_pipeline.async_update_pipeline(home, pipeline, language=language)
    await home.async_block_till_done()
    assert found(home) == ([{"name": "Lumo", "pipeline": "Flat"}] if expected else [])


async def test_it_follows_the_pipeline(
    home: HomeAssistant, standin: Standin, assist: assist_pipeline.Pipeline
) -> None:
    thing(home, "lock.front_door", "Front door")
    await set_up(home, standin)
    assert found(home) == []
    await use(home, locally=False)
    assert found(home) == []
    await use(home)
    assert [issue["pipeline"] for issue in found(home)] == ["Flat"]
    await use(home, name="House")
    assert [issue["pipeline"] for issue in found(home)] == ["House"]
    await use(home, agent="conversation.home_assistant")
    assert found(home) == []


async def test_it_follows_the_home_within_an_hour(
    home: HomeAssistant, standin: Standin
) -> None:
    """What nobody reports is seen all the same; a long list is cut short."""
    await set_up(home, standin)
    for number in range(20):
        thing(home, f"cover.cellar_{number}", f"Cellar {number:02}")
    await an_hour_later(home)
    [issue] = [
        issue.translation_placeholders or {}
        for (domain, _), issue in ir.async_get(home).issues.items()
        if domain == DOMAIN
    ]
    assert issue["count"] == "20"
    assert issue["entities"].startswith("Cellar 00, Cellar 01, ")
    assert issue["entities"].endswith("…")
    for cover in home.states.async_entity_ids("cover"):
        home.states.async_remove(cover)
    await an_hour_later(home)
    assert not ir.async_get(home).issues


async def test_an_agent_that_asks_nothing_has_no_issue(
    home: HomeAssistant, standin: Standin, assist: assist_pipeline.Pipeline
) -> None:
    """It would act without a question as well."""
    thing(home, "lock.front_door", "Front door")
    await set_up(home, standin, **{CONF_AUTONOMY: Autonomy.TRUSTED.value})
    await use(home)
    assert found(home) == []


async def test_nothing_is_looked_at_before_the_home_has_started(
    home: HomeAssistant, standin: Standin, assist: assist_pipeline.Pipeline
) -> None:
    """While it starts, half of the entities are missing."""
    home.set_state(CoreState.starting)
    thing(home, "lock.front_door", "Front door")
    await set_up(home, standin)
    await use(home)
    assert found(home) == []
    home.set_state(CoreState.not_running)
    await home.async_start()
    await home.async_block_till_done()
    assert len(found(home)) == 1


async def test_the_repair_turns_the_option_off(
    home: HomeAssistant, standin: Standin, assist: assist_pipeline.Pipeline
) -> None:
    thing(home, "lock.front_door", "Front door")
    await set_up(home, standin)
    await use(home)
    (before,) = assist_pipeline.async_get_pipelines(home)
    result = await fix(home)
    assert result["type"] is FlowResultType.CREATE_ENTRY
    assert found(home) == []
    (after,) = assist_pipeline.async_get_pipelines(home)
    assert after.to_json() == before.to_json() | {"prefer_local_intents": False}
    await an_hour_later(home)
    assert found(home) == []


@pytest.mark.parametrize("ignored", [False, True])
async def test_it_goes_with_the_account(
    home: HomeAssistant,
    standin: Standin,
    assist: assist_pipeline.Pipeline,
    ignored: bool,
) -> None:
    thing(home, "lock.front_door", "Front door")
    await set_up(home, standin)
    await use(home)
    entry: MockConfigEntry
    (entry,) = home.config_entries.async_entries(DOMAIN)  # type: ignore[assignment] # is one
    if ignored:
        ((_, issue_id),) = ir.async_get(home).issues
        ir.async_ignore_issue(home, DOMAIN, issue_id, True)
    await home.config_entries.async_unload(entry.entry_id)
    assert found(home) == []
    async_expose_entity(home, "conversation", "lock.front_door", False)
    async_expose_entity(home, "conversation", "lock.front_door", True)
    await home.async_block_till_done()
    assert found(home) == []
    await home.config_entries.async_setup(entry.entry_id)
    await home.async_block_till_done()
    assert len(found(home)) == (0 if ignored else 1)
    await home.config_entries.async_remove(entry.entry_id)
    assert not [key for key in ir.async_get(home).issues if key[0] == DOMAIN]
