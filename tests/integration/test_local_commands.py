"""Pipelines that act before the agent are pointed out, as long as they do."""

from datetime import timedelta
from typing import Any

from homeassistant.components import assist_pipeline
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.components.repairs import DOMAIN as REPAIRS_DOMAIN
from homeassistant.core import CoreState, HomeAssistant
from homeassistant.data_entry_flow import FlowResultType
from homeassistant.helpers import (
    entity_registry as er,
    issue_registry as ir,
    label_registry as lr,
)
from homeassistant.setup import async_setup_component
from homeassistant.util import dt as dt_util
import pytest
from pytest_homeassistant_custom_component.common import (
    MockConfigEntry,
    async_fire_time_changed,
)

from custom_components.lumo.const import (
    CONF_AUTONOMY,
    CONF_SENSITIVE_LABELS,
    DOMAIN,
    Autonomy,
)
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
    """Let the pipeline use an agent."""
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
    """Put an entity into the home."""
    home.states.async_set(entity_id, "on", {"friendly_name": name, **more})
    async_expose_entity(home, "conversation", entity_id, exposed)


async def an_hour_later(home: HomeAssistant) -> None:
    """Let an hour and a little pass."""
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


async def fix(home: HomeAssistant, choice: str) -> Any:
    """Open the repair of the only issue and choose."""
    ((_, issue_id),) = [
        key
        for key, issue in ir.async_get(home).issues.items()
        if issue.translation_key == Problem.LOCAL_COMMANDS
    ]
    manager = home.data[REPAIRS_DOMAIN]["flow_manager"]
    flow = await manager.async_init(DOMAIN, context={"issue_id": issue_id})
    assert flow["type"] is FlowResultType.MENU
    assert flow["description_placeholders"]["pipeline"] == "Flat"
    result = await manager.async_configure(flow["flow_id"], {"next_step_id": choice})
    await home.async_block_till_done()
    return result


@pytest.mark.parametrize(
    ("entity_id", "more", "expected"),
    [
        ("lock.front_door", {}, True),
        ("alarm_control_panel.house", {}, True),
        ("valve.water", {}, True),
        ("cover.gate", {"device_class": "gate"}, True),
        ("cover.garage", {"device_class": "garage"}, True),
        ("cover.door", {"device_class": "door"}, True),
        ("cover.something", {}, True),
        ("cover.blind", {"device_class": "blind"}, False),
        ("cover.window", {"device_class": "window"}, False),
        ("light.front_door", {}, False),
        ("switch.front_door", {}, False),
        ("climate.hall", {}, False),
    ],
)
async def test_only_what_is_asked_about_is_pointed_out(
    home: HomeAssistant,
    standin: Standin,
    assist: assist_pipeline.Pipeline,
    entity_id: str,
    more: dict[str, Any],
    expected: bool,
) -> None:
    """What a home does with a lamp before the agent is no surprise."""
    thing(home, entity_id, "This one", **more)
    await set_up(home, standin)
    await use(home)
    said = {"name": "Lumo", "pipeline": "Flat", "count": "1", "entities": "This one"}
    assert found(home) == ([said] if expected else [])


async def test_it_follows_the_pipeline(
    home: HomeAssistant, standin: Standin, assist: assist_pipeline.Pipeline
) -> None:
    """Of this agent alone, and while it handles commands locally."""
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


async def test_each_pipeline_has_an_issue_of_its_own(
    home: HomeAssistant,
    standin: Standin,
    assist: assist_pipeline.Pipeline,
    hass_ws_client: Any,
) -> None:
    """It goes with the pipeline."""
    thing(home, "lock.front_door", "Front door")
    await set_up(home, standin)
    await use(home)
    client = await hass_ws_client(home)
    fields = assist.to_json() | {
        "name": "Bedroom",
        "conversation_engine": AGENT,
        "conversation_language": "*",
        "prefer_local_intents": True,
    }
    fields.pop("id")
    await client.send_json_auto_id(
        {"type": "assist_pipeline/pipeline/create", **fields}
    )
    answer = await client.receive_json()
    assert answer["success"]
    await home.async_block_till_done()
    assert {issue["pipeline"] for issue in found(home)} == {"Flat", "Bedroom"}
    await client.send_json_auto_id(
        {
            "type": "assist_pipeline/pipeline/delete",
            "pipeline_id": answer["result"]["id"],
        }
    )
    assert (await client.receive_json())["success"]
    await home.async_block_till_done()
    assert {issue["pipeline"] for issue in found(home)} == {"Flat"}


async def test_it_follows_what_is_exposed(
    home: HomeAssistant, standin: Standin, assist: assist_pipeline.Pipeline
) -> None:
    """At once when the exposure changes; a long list is cut short."""
    thing(home, "lock.front_door", "Front door", exposed=False)
    await set_up(home, standin)
    await use(home)
    assert found(home) == []
    async_expose_entity(home, "conversation", "lock.front_door", True)
    await home.async_block_till_done()
    assert [issue["entities"] for issue in found(home)] == ["Front door"]
    for number in range(20):
        thing(home, f"lock.cellar_{number}", f"Cellar {number:02}")
    await home.async_block_till_done()
    (issue,) = found(home)
    assert issue["count"] == "21"
    assert issue["entities"].startswith("Cellar 00, Cellar 01, ")
    assert issue["entities"].endswith("…")
    for lock in home.states.async_entity_ids("lock"):
        async_expose_entity(home, "conversation", lock, False)
    await home.async_block_till_done()
    assert found(home) == []


async def test_it_follows_the_home_within_an_hour(
    home: HomeAssistant, standin: Standin, assist: assist_pipeline.Pipeline
) -> None:
    """What nobody reports is seen all the same."""
    thing(home, "cover.drive", "Drive", device_class="shutter")
    await set_up(home, standin)
    await use(home)
    home.states.async_set("cover.drive", "on", {"device_class": "gate"})
    assert found(home) == []
    await an_hour_later(home)
    assert len(found(home)) == 1
    home.states.async_remove("cover.drive")
    await an_hour_later(home)
    assert found(home) == []


async def test_labels_of_the_agent_count(
    home: HomeAssistant, standin: Standin, assist: assist_pipeline.Pipeline
) -> None:
    """An entity with one of them is named whatever it is."""
    registry = er.async_get(home)
    for name, labels in (("oven", {"hot"}), ("lamp", {"nice"})):
        entry = registry.async_get_or_create("switch", "test", name)
        registry.async_update_entity(entry.entity_id, labels=labels)
        thing(home, entry.entity_id, name.title())
    label = lr.async_get(home).async_create("Hot")
    await set_up(home, standin, **{CONF_SENSITIVE_LABELS: [label.label_id]})
    await use(home)
    assert [issue["entities"] for issue in found(home)] == ["Oven"]


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


async def test_a_home_without_assist_has_no_issue(
    home: HomeAssistant, standin: Standin
) -> None:
    """There are no pipelines to look at."""
    thing(home, "lock.front_door", "Front door")
    await set_up(home, standin)
    await an_hour_later(home)
    assert found(home) == []


async def test_the_repair_turns_the_option_off(
    home: HomeAssistant, standin: Standin, assist: assist_pipeline.Pipeline
) -> None:
    """Of this pipeline; everything else about it stays."""
    thing(home, "lock.front_door", "Front door")
    await set_up(home, standin)
    await use(home)
    (before,) = assist_pipeline.async_get_pipelines(home)
    result = await fix(home, "turn_off")
    assert result["type"] is FlowResultType.CREATE_ENTRY
    assert found(home) == []
    (after,) = assist_pipeline.async_get_pipelines(home)
    assert after.to_json() == before.to_json() | {"prefer_local_intents": False}
    await an_hour_later(home)
    assert found(home) == []


async def test_the_repair_can_leave_everything_as_it_is(
    home: HomeAssistant, standin: Standin, assist: assist_pipeline.Pipeline
) -> None:
    """The choice lasts, also when the account is loaded again."""
    thing(home, "lock.front_door", "Front door")
    await set_up(home, standin)
    await use(home)
    result = await fix(home, "leave")
    assert result["type"] is FlowResultType.ABORT
    assert result["reason"] == "left"
    (pipeline,) = assist_pipeline.async_get_pipelines(home)
    assert pipeline.prefer_local_intents
    await an_hour_later(home)
    assert found(home) == []
    (entry,) = home.config_entries.async_entries(DOMAIN)
    await home.config_entries.async_reload(entry.entry_id)
    await home.async_block_till_done()
    assert found(home) == []


@pytest.mark.parametrize("choice", ["turn_off", "leave"])
async def test_the_pipeline_may_be_gone_meanwhile(
    home: HomeAssistant,
    standin: Standin,
    assist: assist_pipeline.Pipeline,
    choice: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The repair ends without harm."""
    thing(home, "lock.front_door", "Front door")
    await set_up(home, standin)
    await use(home)
    manager = home.data[REPAIRS_DOMAIN]["flow_manager"]
    ((_, issue_id),) = ir.async_get(home).issues
    flow = await manager.async_init(DOMAIN, context={"issue_id": issue_id})
    monkeypatch.setattr(assist_pipeline, "async_get_pipelines", lambda _hass: [])
    await an_hour_later(home)
    assert found(home) == []
    result = await manager.async_configure(flow["flow_id"], {"next_step_id": choice})
    assert result["type"] is FlowResultType.ABORT


@pytest.mark.parametrize("ignored", [False, True])
async def test_it_goes_with_the_account(
    home: HomeAssistant,
    standin: Standin,
    assist: assist_pipeline.Pipeline,
    ignored: bool,
) -> None:
    """When it is unloaded for now, and without a trace when it is removed."""
    thing(home, "lock.front_door", "Front door")
    await set_up(home, standin)
    await use(home)
    entry: MockConfigEntry
    (entry,) = home.config_entries.async_entries(DOMAIN)  # type: ignore[assignment] # is one
    if ignored:
        await fix(home, "leave")
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


async def test_names_do_not_reach_the_log(
    home: HomeAssistant,
    standin: Standin,
    assist: assist_pipeline.Pipeline,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """They are for the issue alone."""
    thing(home, "lock.front_door", "Villa Incognita")
    await set_up(home, standin)
    await use(home)
    assert len(found(home)) == 1
    logged = [
        record.getMessage()
        for record in caplog.records
        if record.name.startswith("custom_components.lumo")
    ]
    assert "Incognita" not in " ".join(logged)
