"""The house, its agent in each mode, and a model that says what a test wants."""

import asyncio
from collections.abc import AsyncGenerator, Iterator
from unittest.mock import AsyncMock

from freezegun import freeze_time
from homeassistant.core import HomeAssistant
from homeassistant.runner import configure_event_loop as configure_event_loop_of_home
from homeassistant.util import dt as dt_util
import pytest
import pytest_asyncio
from pytest_homeassistant_custom_component.common import MockConfigEntry

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

from .house import HOT, House
from .shared_house import SharedHouse
from .stage import Clock, Model, Stage

# What a conftest takes all of, with a star.
__all__ = [
    "_function_scoped_runner",
    "clock",
    "configure_event_loop",
    "custom_integrations",
    "hass",
    "house",
    "mode",
    "reset_globals",
    "shared_house",
    "stage",
    "verify_cleanup",
]


def _is_shared(request: pytest.FixtureRequest) -> bool:
    names = request.fixturenames
    return "house" in names and "recorder_mock" not in names


# Tests that share a house share a loop. The plugin looks what each test leaves behind;
# in a house that goes on there is always something.


@pytest.fixture
def _function_scoped_runner(request: pytest.FixtureRequest) -> asyncio.Runner:
    """Return what runs coroutines: that of the file for who shares its house."""
    scope = "module" if _is_shared(request) else "function"
    found: asyncio.Runner = request.getfixturevalue(f"_{scope}_scoped_runner")
    return found


@pytest.fixture(autouse=True)
def configure_event_loop(request: pytest.FixtureRequest) -> None:
    if not _is_shared(request):
        request.getfixturevalue("configure_event_loop")


@pytest.fixture(autouse=True)
def verify_cleanup(request: pytest.FixtureRequest) -> None:
    if not _is_shared(request):
        request.getfixturevalue("verify_cleanup")


@pytest.fixture(autouse=True)
def reset_globals(request: pytest.FixtureRequest) -> None:
    if not _is_shared(request):
        request.getfixturevalue("reset_globals")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def shared_house() -> AsyncGenerator[SharedHouse]:
    configure_event_loop_of_home(asyncio.get_running_loop())
    shared = SharedHouse()
    yield shared
    await shared.async_end()


@pytest.fixture
async def house(
    request: pytest.FixtureRequest, shared_house: SharedHouse
) -> AsyncGenerator[House]:
    """Return the house of the file, as it was built, and as the file's `furnish` left it."""
    yield await shared_house.async_get(getattr(request.module, "furnish", None))
    await shared_house.async_put_back()


@pytest.fixture
def clock(request: pytest.FixtureRequest, house: House) -> Iterator[Clock]:
    """Return the clock of the house: frozen, and then it goes on."""
    if _is_shared(request):
        shared: SharedHouse = request.getfixturevalue("shared_house")
        yield shared.clock
        return
    with freeze_time(dt_util.utcnow(), tick=True, real_asyncio=True) as clock:
        yield clock


@pytest.fixture
def hass(request: pytest.FixtureRequest) -> HomeAssistant:
    """Return the house's Home Assistant, or one without a house."""
    if _is_shared(request):
        house: House = request.getfixturevalue("house")
        return house.hass
    own: HomeAssistant = request.getfixturevalue("hass")
    return own


@pytest.fixture(autouse=True)
def custom_integrations(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Let Home Assistant find this integration, which reads no sentences ahead."""
    if "hass" in request.fixturenames and not _is_shared(request):
        if "recorder_mock" in request.fixturenames:
            request.getfixturevalue("async_test_recorder")  # It comes first.
        request.getfixturevalue("enable_custom_integrations")
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


@pytest.fixture
async def stage(
    hass: HomeAssistant,
    house: House,
    mode: ToolCalling,
    clock: Clock,
    monkeypatch: pytest.MonkeyPatch,
) -> AsyncGenerator[Stage]:
    model = Model(native=mode is ToolCalling.NATIVE)
    monkeypatch.setattr(coordinator, "LumoClient", model.client)
    entry: MockConfigEntry = make_entry(
        {CONF_SIGN_IN: SignIn.GUEST.value, CONF_SIGN_IN_ID: "redteam"},
        **{CONF_TOOL_CALLING: mode.value, CONF_SENSITIVE_LABELS: [HOT]},
    )
    entry.add_to_hass(hass)
    assert await hass.config_entries.async_setup(entry.entry_id)
    await hass.async_block_till_done()
    stage = Stage(hass, house, model, entry, clock)
    yield stage
    await stage.async_close()
