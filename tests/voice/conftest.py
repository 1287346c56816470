"""Satellites that speak to Lumo."""

from homeassistant.core import HomeAssistant
import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry

from dev.standin import Standin
from dev.voice import VoiceKit, async_set_up_voice
from tests.integration.conftest import (  # noqa: F401 # fixtures
    custom_integrations,
    home,
    make_entry,
    script,
    session_data,
    standin,
)
from tests.integration.helpers import AGENT


@pytest.fixture
async def entry(home: HomeAssistant, standin: Standin) -> MockConfigEntry:  # noqa: F811
    """Return a session's entry whose agent confirms plain commands itself."""
    entry = make_entry(session_data(standin), quick_confirmation="automatic")
    entry.add_to_hass(home)
    assert await home.config_entries.async_setup(entry.entry_id)
    await home.async_block_till_done()
    return entry


@pytest.fixture
async def voice(home: HomeAssistant, entry: MockConfigEntry) -> VoiceKit:  # noqa: F811
    """Return two satellites, in the kitchen and in the bedroom."""
    return await async_set_up_voice(home, agent=AGENT)
