"""What holds for the entities of every platform, whatever they do."""

import importlib
from typing import Any

from homeassistant.core import HomeAssistant
from homeassistant.helpers import device_registry as dr, entity_registry as er
import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry
import yaml

from custom_components.lumo import PLATFORMS
from custom_components.lumo.const import DEFAULT_OPTIONS, DOMAIN
from dev.standin import Standin

from .conftest import session_data
from .test_translations import FOLDER

SUBENTRIES: tuple[tuple[str, dict[str, Any]], ...] = (
    ("ai_task_data", {}),
    ("conversation", DEFAULT_OPTIONS),
    ("stt", {}),
)


@pytest.fixture
async def entry(home: HomeAssistant, standin: Standin) -> MockConfigEntry:
    """Return an account that is set up, with one subentry of each kind."""
    entry = MockConfigEntry(
        domain=DOMAIN,
        title="Lumo",
        data=session_data(standin),
        subentries_data=[
            {"data": data, "subentry_type": kind, "title": kind, "unique_id": None}
            for kind, data in SUBENTRIES
        ],
    )
    entry.add_to_hass(home)
    assert await home.config_entries.async_setup(entry.entry_id)
    await home.async_block_till_done()
    return entry


async def test_entities_of_each_platform(
    home: HomeAssistant, entry: MockConfigEntry
) -> None:
    """They have an identity, a name of their device, and go when Lumo is away."""
    found = er.async_entries_for_config_entry(er.async_get(home), entry.entry_id)
    assert {item.domain for item in found} == set(PLATFORMS)
    devices = {
        device.id: device
        for device in dr.async_entries_for_config_entry(
            dr.async_get(home), entry.entry_id
        )
    }
    assert len(devices) == 1 + len(SUBENTRIES)
    for item in found:
        assert item.unique_id.startswith((entry.entry_id, *entry.subentries))
        assert item.has_entity_name
        assert item.device_id in devices
        assert devices[item.device_id].entry_type is dr.DeviceEntryType.SERVICE
    shown = [item.entity_id for item in found if not item.disabled]
    assert {entity_id.partition(".")[0] for entity_id in shown} == set(PLATFORMS)

    def away() -> set[str]:
        return {name for name in shown if home.states.is_state(name, "unavailable")}

    assert away() == set()
    entry.runtime_data.async_set_update_error(TimeoutError())
    await home.async_block_till_done()
    assert away() == set(shown) - {
        # What is planned is known without Lumo.
        item.entity_id
        for item in found
        if item.translation_key in ("next_plan", "plans")
    }


async def test_what_home_assistant_has_a_class_for(
    home: HomeAssistant, entry: MockConfigEntry
) -> None:
    """A time and a duration; the others are numbers of things."""
    found = er.async_entries_for_config_entry(er.async_get(home), entry.entry_id)
    assert {
        item.translation_key: item.original_device_class
        for item in found
        if item.original_device_class
    } == {"next_plan": "timestamp", "first_word": "duration"}


@pytest.mark.parametrize("platform", PLATFORMS)
def test_each_platform_says_how_many_updates_run_at_once(platform: str) -> None:
    """They only read what a coordinator knows, so there is no limit."""
    module = importlib.import_module(f"custom_components.lumo.{platform}")
    assert module.PARALLEL_UPDATES == 0


async def test_every_action_is_described(
    home: HomeAssistant, entry: MockConfigEntry
) -> None:
    described = yaml.safe_load((FOLDER / "services.yaml").read_text("utf-8"))
    assert home.services.async_services_for_domain(DOMAIN).keys() == described.keys()
