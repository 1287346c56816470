"""What is left of an account, and what its last reply cost."""

import asyncio
from datetime import timedelta
from typing import Any

from homeassistant.core import HomeAssistant, ServiceCall
from homeassistant.helpers import device_registry as dr, entity_registry as er
from homeassistant.util import dt as dt_util
import pytest
from pytest_homeassistant_custom_component.common import (
    MockConfigEntry,
    async_capture_events,
)

from custom_components.lumo.account_state import AccountState
from custom_components.lumo.agent.record import TurnRecord
from custom_components.lumo.const import CONF_SIGN_IN, DOMAIN, EVENT_TURN_ENDED, SignIn
from custom_components.lumo.lumo_client.events import Limits, Usage
from custom_components.lumo.sensor import SENSORS, LumoKeySensor, LumoSensor
from dev.brain.model import Say
from dev.standin import Standin

from .conftest import Script, make_entry, session_data
from .conversing import OFF
from .helpers import pass_time, say, sensor

KEYS = "account/4/personal-access-token"


@pytest.fixture
async def entry(
    home: HomeAssistant, standin: Standin, monkeypatch: pytest.MonkeyPatch
) -> MockConfigEntry:
    """Return a session's entry with all its sensors."""
    for kind in (LumoSensor, LumoKeySensor):
        monkeypatch.setattr(kind, "entity_registry_enabled_default", True)
    entry = make_entry(session_data(standin))
    entry.add_to_hass(home)
    assert await home.config_entries.async_setup(entry.entry_id)
    await home.async_block_till_done(wait_background_tasks=True)
    return entry


def states(hass: HomeAssistant, entry: MockConfigEntry) -> dict[str, str | None]:
    """Return the states of all sensors."""
    return {
        description.key: state.state
        for description in SENSORS
        if (state := sensor(hass, entry, description.key))
    }


async def test_sensors_follow_the_account(
    home: HomeAssistant, standin: Standin, entry: MockConfigEntry, script: Script
) -> None:
    """From the poll, and then from each reply."""
    assert states(home, entry) == {
        "requests_left_lite": "1000",
        "requests_left_max": "200",
        "requests_left_images": "50",
        "last_reply_tokens": "unknown",
        "last_category": "unknown",
        "requests": "0",
        "next_plan": "unknown",
        "input_tokens": "0",
        "output_tokens": "0",
        "names_in_clear": "0",
        "pictures": "0",
        "rescues_share": "unknown",
        "bounces_share": "unknown",
        "first_word": "unknown",
        # Of the only key, nothing this month.
        "key_requests": "0",
        "key_tokens": "0",
    }
    script.plans = [[Say("Yes, it is.")]]
    await say(home)
    after = states(home, entry)
    assert after["requests_left_lite"] == "999"
    assert after["last_category"] == "lite"
    tokens = entry.runtime_data.data.last_tokens
    assert tokens > 0
    assert after["last_reply_tokens"] == str(tokens)
    assert (after["requests"], after["output_tokens"]) == ("1", str(tokens))
    assert after["rescues_share"] == after["bounces_share"] == "0.0"
    assert float(str(after["first_word"])) >= 0


@pytest.mark.parametrize(
    ("scenario", "rescues", "bounces", "shares"),
    [
        ("misrouted", 1, 0, ("50.0", "0.0")),
        ("misrouted_invalid", 0, 1, ("0.0", "33.3")),
    ],
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
    shares: tuple[str, str],
) -> None:
    """In sensors, and in the event: the name was in clear, whatever came of the call."""
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
    assert (after["rescues_share"], after["bounces_share"]) == shares


def test_the_first_word_of_the_last_turn_that_said_one_counts() -> None:
    """However soon it came."""
    state = AccountState()
    for said, known in ((None, None), (1.5, 1.5), (None, 1.5), (0.0, 0.0)):
        state = state.after_turn(TurnRecord(first_word=said))
        assert state.first_word == known


async def test_totals_outlive_a_restart_and_go_with_the_entry(
    home: HomeAssistant, entry: MockConfigEntry, hass_storage: dict[str, Any]
) -> None:
    """They are counted further; a reload writes them."""
    for requests in ("1", "2"):
        await say(home)
        assert states(home, entry)["requests"] == requests
        assert await home.config_entries.async_reload(entry.entry_id)
        assert states(home, entry)["requests"] == requests
    key = f"lumo.{entry.entry_id}.totals"
    assert hass_storage[key]["data"]["requests"] == 2
    await home.config_entries.async_remove(entry.entry_id)
    assert key not in hass_storage


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


async def test_event_of_a_failure_has_its_code(
    home: HomeAssistant, standin: Standin, entry: MockConfigEntry
) -> None:
    """And no words."""
    ended = async_capture_events(home, EVENT_TURN_ENDED)
    standin.scenarios = ["quota"]
    await say(home, "Tell me of the moon")
    [event] = ended
    assert event.data["error"] == "quota"
    assert "moon" not in str(event.data)


async def test_reply_without_numbers_changes_no_limit(
    home: HomeAssistant, standin: Standin, entry: MockConfigEntry, script: Script
) -> None:
    """Some answers have no usage at all."""
    standin.scenarios = ["no_usage"]
    script.plans = [[Say("Yes.")]]
    assert await say(home) == "Yes."
    assert states(home, entry)["requests_left_lite"] == "1000"


@pytest.mark.parametrize(
    ("limits", "lite", "maximum"),
    [
        (Limits(lite=0, max=3), "0", "3"),
        (Limits(lite=None, max=None), "unknown", "unknown"),
    ],
)
async def test_plan_without_a_limit_is_unknown(
    home: HomeAssistant,
    entry: MockConfigEntry,
    limits: Limits,
    lite: str,
    maximum: str,
) -> None:
    """Zero is a number, none told is not."""
    usage = Usage(completion_tokens=1, category="ultra", remaining=limits)
    await entry.runtime_data.async_turn_ended(None, usage)
    after = states(home, entry)
    assert after["requests_left_lite"] == lite
    assert after["requests_left_max"] == maximum
    # A pool that Proton adds later is not an error.
    assert after["last_category"] == "other"


async def test_account_is_a_device_of_its_own(
    home: HomeAssistant, entry: MockConfigEntry
) -> None:
    """Beside the one of its agent; its entities are diagnostic."""
    registry = er.async_get(home)
    devices = dr.async_entries_for_config_entry(dr.async_get(home), entry.entry_id)
    assert {identifier for device in devices for identifier in device.identifiers} == {
        (DOMAIN, entry.entry_id),
        (DOMAIN, *entry.subentries),
    }
    entities = er.async_entries_for_config_entry(registry, entry.entry_id)
    sensors = [entity for entity in entities if entity.domain == "sensor"]
    assert len(sensors) == len(SENSORS)
    assert {entity.entity_category for entity in sensors} == {
        None,
        "diagnostic",
    }
    assert {entity.config_subentry_id for entity in sensors} == {None}


async def test_keys_are_told_by_their_names(
    home: HomeAssistant,
    standin: Standin,
    entry: MockConfigEntry,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """What was used in this month, and nothing once that is no longer told."""
    first = dt_util.utcnow().date().replace(day=1)
    day = {"TokenCount": 70, "ApiCalls": 2}
    standin.key_usage[standin.accounts_state.valid_key] = {
        f"{first}": day,
        f"{first - timedelta(days=1)}": day,
    }
    await pass_time(home, hours=13)
    for key, number in (("key_requests", 2), ("key_tokens", 70)):
        assert (state := sensor(home, entry, key))
        assert state.state == str(number)
        assert state.attributes["keys"]["Key 1"] == number
    assert KEYS in caplog.text
    for session in standin.accounts_state.sessions.values():
        session.user = None
    await pass_time(home, hours=13)
    assert states(home, entry)["key_tokens"] == "unknown"


async def test_only_an_owner_is_told_of_keys(
    home: HomeAssistant, standin: Standin
) -> None:
    """A guest has none."""
    entry = make_entry({CONF_SIGN_IN: SignIn.GUEST.value})
    entry.add_to_hass(home)
    assert await home.config_entries.async_setup(entry.entry_id)
    entities = er.async_entries_for_config_entry(er.async_get(home), entry.entry_id)
    names = {item.unique_id.removeprefix(f"{entry.entry_id}_") for item in entities}
    assert {item.key for item in SENSORS} - names == {"key_requests", "key_tokens"}


async def test_rare_sensors_are_disabled_at_first(
    home: HomeAssistant, standin: Standin, caplog: pytest.LogCaptureFixture
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
    assert KEYS not in caplog.text
    state = sensor(home, entry, "requests_left_lite")
    assert state is not None
    assert state.attributes["unit_of_measurement"] == "requests"
    assert state.attributes["friendly_name"] == "Lumo Requests left, Lite"
