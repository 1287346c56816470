"""The logbook tells what an agent did, where, and for whom."""

from datetime import timedelta
import logging
from types import SimpleNamespace
from typing import Any

from homeassistant.core import Context, HomeAssistant
from homeassistant.setup import async_setup_component
from homeassistant.util import dt as dt_util
import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry, MockUser
from pytest_homeassistant_custom_component.components.recorder.common import (
    async_wait_recording_done,
)

from custom_components.lumo.const import DOMAIN, EVENT_TOOL_CALLED
from custom_components.lumo.logbook import async_describe_events

from .helpers import AGENT

CALL = {
    "entity_id": AGENT,
    "agent_id": AGENT,
    "conversation_id": "abc",
    "tool": "intent__HassTurnOff",
    "title": "Turn off",
    "arguments": {"area": "Hallway"},
    "entity_ids": ["lock.front_door"],
    "confirmed": True,
    "user_id": None,
    "satellite_id": None,
}


@pytest.fixture(autouse=True)
def custom_integrations(
    caplog: pytest.LogCaptureFixture,
    recorder_db_url: str,
    enable_custom_integrations: None,
) -> None:
    """Let Home Assistant find this integration; a recorder wants to be first."""
    # They tell every statement, also when the test is over and nobody reads it.
    for name in ("sqlalchemy.engine", "homeassistant.components.recorder"):
        caplog.set_level(logging.WARNING, name)


@pytest.fixture
def names(hass: HomeAssistant) -> None:
    """Give the home an agent, a door and some lamps."""
    for entity_id, name in (
        (AGENT, "Butler"),
        ("lock.front_door", "Front door"),
        ("assist_satellite.hall", "Hall satellite"),
        *((f"light.lamp_{number}", f"Lamp {number}") for number in range(9)),
    ):
        hass.states.async_set(entity_id, "on", {"friendly_name": name})


def described(hass: HomeAssistant, data: dict[str, Any]) -> dict[str, Any]:
    describe: dict[str, Any] = {}
    async_describe_events(
        hass, lambda domain, event, how: describe.update({f"{domain} {event}": how})
    )
    how = describe.pop(f"{DOMAIN} {EVENT_TOOL_CALLED}")
    assert not describe
    result: dict[str, Any] = how(SimpleNamespace(data=data))
    return result


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({}, "used Turn off: Front door, after a spoken yes"),
        ({"confirmed": False}, "used Turn off: Front door"),
        (
            {"satellite_id": "assist_satellite.hall", "confirmed": False},
            "used Turn off: Front door, through Hall satellite",
        ),
        (
            {"entity_ids": ["light.gone", "light.lamp_1"], "confirmed": False},
            "used Turn off: light.gone, Lamp 1",
        ),
        (
            {
                "entity_ids": [f"light.lamp_{number}" for number in range(9)],
                "confirmed": False,
            },
            "used Turn off: Lamp 0, Lamp 1, Lamp 2, Lamp 3 and 5 more",
        ),
        ({"entity_ids": [], "confirmed": False}, "used Turn off: Hallway"),
        (
            {"entity_ids": [], "arguments": {}, "title": None, "confirmed": False},
            "used intent__HassTurnOff",
        ),
    ],
)
@pytest.mark.usefixtures("names")
def test_what_a_line_says(
    hass: HomeAssistant, data: dict[str, Any], message: str
) -> None:
    """The tool, what it acted on, and on whose word."""
    line = described(hass, CALL | data)
    assert line == {"name": "Butler", "message": message, "entity_id": AGENT}


def test_an_event_without_data_is_still_a_line(hass: HomeAssistant) -> None:
    """It says as much as it knows."""
    assert described(hass, {}) == {
        "name": "Lumo",
        "message": "used a tool",
        "entity_id": None,
    }


@pytest.fixture
async def logbook(recorder_mock: Any, hass: HomeAssistant, hass_ws_client: Any) -> Any:
    # What describes events is found among the integrations that are loaded.
    assert await async_setup_component(hass, "homeassistant", {})
    assert await async_setup_component(hass, "conversation", {})
    assert await async_setup_component(hass, DOMAIN, {})
    assert await async_setup_component(hass, "logbook", {})
    MockConfigEntry(domain=DOMAIN).add_to_hass(hass)
    await hass.async_block_till_done()
    begin = dt_util.utcnow() - timedelta(minutes=1)

    async def ask(**what: Any) -> list[dict[str, Any]]:
        await async_wait_recording_done(hass)
        client = await hass_ws_client()
        await client.send_json_auto_id(
            {"type": "logbook/get_events", "start_time": begin.isoformat(), **what}
        )
        answer = await client.receive_json()
        assert answer["success"]
        rows: list[dict[str, Any]] = answer["result"]
        return rows

    return ask


async def act(hass: HomeAssistant, user: MockUser) -> None:
    hass.states.async_set(AGENT, "unknown", {"friendly_name": "Butler"})
    hass.states.async_set("lock.front_door", "locked", {"friendly_name": "Front door"})
    await hass.async_block_till_done()
    context = Context(user_id=user.id, parent_id=Context(user_id=user.id).id)

    async def unlock(call: Any) -> None:
        hass.states.async_set(
            "lock.front_door",
            "unlocked",
            {"friendly_name": "Front door"},
            context=call.context,
        )

    hass.services.async_register("lock", "unlock", unlock)
    hass.bus.async_fire(EVENT_TOOL_CALLED, CALL | {"user_id": user.id}, context=context)
    await hass.services.async_call(
        "lock",
        "unlock",
        {"entity_id": "lock.front_door"},
        blocking=True,
        context=context,
    )
    await hass.async_block_till_done()


async def test_the_change_is_attributed_to_the_agent_and_the_person(
    logbook: Any, hass: HomeAssistant, hass_admin_user: MockUser, entity_registry: Any
) -> None:
    """Home Assistant finds the agent's calls by the entity id in the event."""
    (entry,) = hass.config_entries.async_entries(DOMAIN)
    entity = entity_registry.async_get_or_create(
        "conversation", DOMAIN, "agent", config_entry=entry, suggested_object_id="lumo"
    )
    assert entity.entity_id == AGENT
    await act(hass, hass_admin_user)
    rows = await logbook()
    (call,) = (row for row in rows if row.get("domain") == DOMAIN)
    assert call["name"] == "Butler"
    assert call["message"] == "used Turn off: Front door, after a spoken yes"
    assert call["entity_id"] == AGENT
    assert call["context_user_id"] == hass_admin_user.id
    for page in (rows, await logbook(entity_ids=["lock.front_door"])):
        (change,) = (row for row in page if row.get("state") == "unlocked")
        assert change["context_user_id"] == hass_admin_user.id
        assert change["context_event_type"] == EVENT_TOOL_CALLED
        assert change["context_domain"] == DOMAIN
        assert change["context_name"] == "Butler"
        assert change["context_message"] == call["message"]
        assert change["context_entity_id"] == AGENT
    rows = await logbook(entity_ids=[AGENT])
    assert call["message"] in {row.get("message") for row in rows}
