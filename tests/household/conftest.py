"""The household's house on the red team's stage."""

from collections.abc import AsyncGenerator
from typing import Any

from homeassistant.components.recorder import Recorder
from homeassistant.core import HomeAssistant
import pytest
from pytest_homeassistant_custom_component.common import mock_config_flow

from custom_components.lumo.const import (
    CONF_MEMORY,
    CONF_QUICK_CONFIRMATION,
    MemoryUse,
    QuickConfirmation,
)
from tests.redteam.entities import DOMAIN
from tests.redteam.fixtures import clock, custom_integrations, mode, stage
from tests.redteam.shared_house import NoFlow
from tests.redteam.stage import Stage

from .house import PAST, Household

__all__ = ["clock", "custom_integrations", "mode", "stage"]


@pytest.fixture
def recorder_config() -> dict[str, Any]:
    """Record what has a past; nothing else is to be waited for."""
    return {"include": {"entities": list(PAST)}}


@pytest.fixture
async def house(
    recorder_mock: Recorder, hass: HomeAssistant
) -> AsyncGenerator[Household]:
    """Return the house, built, with a past."""
    with mock_config_flow(DOMAIN, NoFlow):
        house = Household(hass)
        await house.async_build()
        await recorder_mock.async_block_till_done()
        yield house


@pytest.fixture
async def household(stage: Stage) -> Stage:
    """Return the stage; what was done is confirmed without asking the model."""
    await stage.change_agent(
        **{
            CONF_QUICK_CONFIRMATION: QuickConfirmation.ALWAYS.value,
            CONF_MEMORY: MemoryUse.IN_CLEAR.value,
        }
    )
    return stage
