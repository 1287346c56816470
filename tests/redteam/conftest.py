"""The house, its agent in each mode, and a model that says what a test wants."""

from collections.abc import AsyncGenerator
from unittest.mock import AsyncMock

from homeassistant.config_entries import ConfigFlow
from homeassistant.core import HomeAssistant
import pytest
from pytest_homeassistant_custom_component.common import (
    MockConfigEntry,
    mock_config_flow,
)

from custom_components.lumo import coordinator
from custom_components.lumo.const import (
    CONF_SENSITIVE_LABELS,
    CONF_SIGN_IN,
    CONF_SIGN_IN_ID,
    CONF_TOOL_CALLING,
    SignIn,
    ToolCalling,
)
from custom_components.lumo.conversation import LumoConversationEntity
from tests.integration.conftest import make_entry

from .entities import DOMAIN
from .house import HOT, House
from .stage import Model, Stage


@pytest.fixture(autouse=True)
def custom_integrations(
    enable_custom_integrations: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Let Home Assistant find this integration, which reads no sentences ahead."""
    monkeypatch.setattr(LumoConversationEntity, "_async_warm", AsyncMock())


@pytest.fixture(
    params=[
        ToolCalling.PRIVATE,
        pytest.param(ToolCalling.NATIVE, marks=pytest.mark.long),
    ]
)
def mode(request: pytest.FixtureRequest) -> ToolCalling:
    """Return how tools are called; the great tables choose for themselves."""
    value: ToolCalling = request.param
    return value


class _NoFlow(ConfigFlow):
    """The house is not set up by anybody."""


@pytest.fixture
async def house(hass: HomeAssistant) -> AsyncGenerator[House]:
    """Return the house, built."""
    with mock_config_flow(DOMAIN, _NoFlow):
        house = House(hass)
        await house.async_build()
        yield house


@pytest.fixture
async def stage(
    hass: HomeAssistant,
    house: House,
    mode: ToolCalling,
    monkeypatch: pytest.MonkeyPatch,
) -> AsyncGenerator[Stage]:
    model = Model(native=mode is ToolCalling.NATIVE)
    monkeypatch.setattr(coordinator, "LumoClient", model.client)
    entry: MockConfigEntry = make_entry(
        {CONF_SIGN_IN: SignIn.GUEST.value, CONF_SIGN_IN_ID: "redteam"},
        **{
            CONF_TOOL_CALLING: mode.value,
            CONF_SENSITIVE_LABELS: [HOT],
        },
    )
    entry.add_to_hass(hass)
    assert await hass.config_entries.async_setup(entry.entry_id)
    await hass.async_block_till_done()
    stage = Stage(hass, house, model, entry)
    yield stage
    stage.close()
