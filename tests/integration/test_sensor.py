"""What is left of an account, and what its last reply cost."""

import asyncio

from homeassistant.core import HomeAssistant, ServiceCall
from homeassistant.helpers import device_registry as dr, entity_registry as er
import pytest
from pytest_homeassistant_custom_component.common import (
    MockConfigEntry,
    async_capture_events,
)

from custom_components.lumo.const import DOMAIN, EVENT_TURN_ENDED
from custom_components.lumo.lumo_client.events import Limits, Usage
from custom_components.lumo.sensor import NEXT_PLAN, SENSORS, LumoSensor
from dev.brain.model import Say
from dev.standin import Standin

from .conftest import Script, make_entry, session_data
from .conversing import OFF
from .helpers import say, sensor


@pytest.fixture
async def entry(
    home: HomeAssistant, standin: Standin, monkeypatch: pytest.MonkeyPatch
) -> MockConfigEntry:
    monkeypatch.setattr(LumoSensor, "entity_registry_enabled_default", True)
    entry = make_entry(session_data(standin))
    entry.add_to_hass(home)
    assert await home.config_entries.async_setup(entry.entry_id)
    await home.async_block_till_done(wait_background_tasks=True)
    return entry


def states(hass: HomeAssistant, entry: MockConfigEntry) -> dict[str, str | None]:
    return {
        description.key: state.state
        for description in (*SENSORS, NEXT_PLAN)
        if (state := sensor(hass, entry, description.key))
    }


async def test_sensors_follow_the_account(
    home: HomeAssistant, standin: Standin, entry: MockConfigEntry, script: Script
) -> None:
    assert states(home, entry) == {
        "requests_left_lite": "1000",
        "requests_left_max": "200",
        "requests": "0",
        "next_plan": "unknown",
        "misrouted": "0",
        "names_in_clear": "0",
        "first_word": "unknown",
    }
    script.plans = [[Say("Yes, it is.")]]
    await say(home)
    after = states(home, entry)
    assert after["requests_left_lite"] == "999"
    assert (after["requests"], after["misrouted"]) == ("1", "0")
    assert float(str(after["first_word"])) >= 0


@pytest.mark.parametrize(
    ("scenario", "rescues", "bounces"),
    [("misrouted", 1, 0), ("misrouted_invalid", 0, 1)],
)
async def test_misrouted_calls_are_counted(
    home: HomeAssistant,
    standin: Standin,
    entry: MockConfigEntry,
    script: Script,
    turned_off: list[ServiceCall],
    scenario: str,
    rescues: int,
    bounces: int,
) -> None:
    ended = async_capture_events(home, EVENT_TURN_ENDED)
    standin.scenarios = [scenario]
    script.plans = [[OFF]] * (1 + bounces) + [[Say("It is off.")]]
    await say(home, "Turn off the kitchen light")
    [event] = ended
    told = {**event.data}
    assert told.pop("first_word") >= 0
    assert told.pop("output_tokens") > 0
    assert told == {
        "entity_id": "conversation.lumo",
        "requests": 2 + bounces,
        "at_home": 0,
        "input_tokens": 0,
        "rescues": rescues,
        "bounces": bounces,
        "names_in_clear": 1,
        "pictures": 0,
        "error": None,
    }
    after = states(home, entry)
    assert after["requests"] == str(2 + bounces)
    assert after["names_in_clear"] == "1"
    assert after["misrouted"] == "1"


async def test_sums_outlive_a_restart(
    home: HomeAssistant, entry: MockConfigEntry
) -> None:
    """They are counted further, and what is no sum is not restored."""
    await say(home)
    first_word = states(home, entry)["first_word"]
    for requests in ("1", "2"):
        assert states(home, entry)["requests"] == requests
        assert await home.config_entries.async_reload(entry.entry_id)
        assert states(home, entry)["requests"] == requests
        assert states(home, entry)["first_word"] == "unknown" != first_word
        await say(home)


async def test_turn_that_nobody_waits_for_is_counted(
    home: HomeAssistant, standin: Standin, entry: MockConfigEntry
) -> None:
    """Its request was sent."""
    standin.scenarios = ["silent"]
    turn = home.async_create_background_task(say(home), "turn")
    while not standin.requests:
        await asyncio.sleep(0.01)
    turn.cancel()
    with pytest.raises(asyncio.CancelledError):
        await turn
    entry.runtime_data.async_update_listeners()
    assert states(home, entry)["requests"] == "1"


@pytest.mark.parametrize(
    ("limits", "lite", "maximum"),
    [
        (Limits(lite=0, max=3), "0", "3"),
        (Limits(lite=None, max=None), "unknown", "unknown"),
    ],
)
async def test_plan_without_a_limit_is_unknown(
    home: HomeAssistant, entry: MockConfigEntry, limits: Limits, lite: str, maximum: str
) -> None:
    """Zero is a number, none told is not."""
    usage = Usage(completion_tokens=1, category="ultra", remaining=limits)
    await entry.runtime_data.async_turn_ended(None, usage)
    after = states(home, entry)
    assert after["requests_left_lite"] == lite
    assert after["requests_left_max"] == maximum


async def test_account_is_a_device_of_its_own(
    home: HomeAssistant, entry: MockConfigEntry
) -> None:
    registry = er.async_get(home)
    devices = dr.async_entries_for_config_entry(dr.async_get(home), entry.entry_id)
    assert {identifier for device in devices for identifier in device.identifiers} == {
        (DOMAIN, entry.entry_id),
        (DOMAIN, *entry.subentries),
    }
    entities = er.async_entries_for_config_entry(registry, entry.entry_id)
    sensors = [entity for entity in entities if entity.domain == "sensor"]
    assert len(sensors) == len(SENSORS) + 1
    assert {entity.entity_category for entity in sensors} == {None, "diagnostic"}
    assert {entity.config_subentry_id for entity in sensors} == {None}


async def test_rare_sensors_are_disabled_at_first(
    home: HomeAssistant, standin: Standin
) -> None:
    """A person who wants them can enable them."""
    entry = make_entry(session_data(standin))
    entry.add_to_hass(home)
    assert await home.config_entries.async_setup(entry.entry_id)
    assert states(home, entry).keys() == {
        "next_plan",
        "requests_left_lite",
        "requests_left_max",
        "requests",
    }
    state = sensor(home, entry, "requests_left_lite")
    assert state is not None
    assert state.attributes["unit_of_measurement"] == "requests"
    assert state.attributes["friendly_name"] == "Lumo account Requests left, Lite"
