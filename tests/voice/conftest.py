"""Satellites that speak to Lumo."""

from homeassistant.core import HomeAssistant
import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry

from dev.voice import VoiceKit, async_set_up_voice
from tests.integration.conftest import custom_integrations, entry, home, script, standin  # noqa: F401 # fixtures
from tests.integration.helpers import AGENT


@pytest.fixture
async def voice(home: HomeAssistant, entry: MockConfigEntry) -> VoiceKit:  # noqa: F811
    """Return two satellites, in the kitchen and in the bedroom."""
    return await async_set_up_voice(home, agent=AGENT)
