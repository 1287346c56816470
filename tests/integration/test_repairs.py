"""Issues come and go by themselves, and say what can be done."""

from datetime import UTC, datetime, timedelta
from typing import Any

from freezegun.api import FrozenDateTimeFactory
from homeassistant.components.repairs import DOMAIN as REPAIRS_DOMAIN
from homeassistant.config_entries import SOURCE_RECONFIGURE
from homeassistant.core import HomeAssistant
from homeassistant.data_entry_flow import FlowResultType
from homeassistant.helpers import issue_registry as ir
from homeassistant.setup import async_setup_component
from homeassistant.util import dt as dt_util
import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.lumo.const import DOMAIN
from custom_components.lumo.issues.problems import Problem, Problems
from custom_components.lumo.lumo_client.endpoints import LUMO_KEY_INFO, LUMO_PUBLIC_KEY
from custom_components.lumo.lumo_client.errors import (
    AppVersionError,
    BadRequestError,
    ContextLengthError,
    EndpointGoneError,
    IntegrityError,
    LumoConnectionError,
    LumoError,
    ProtocolError,
    QuotaError,
)
from custom_components.lumo.lumo_client.events import Limits
from dev.brain.model import Say
from dev.standin import Standin

from .conftest import Script, make_entry, session_data
from .helpers import issues, say

NOW = datetime(2027, 1, 1, tzinfo=UTC)
DAY = timedelta(days=1)


@pytest.mark.parametrize(
    ("failures", "expected"),
    [
        ([], set()),
        ([QuotaError()] * 2, set()),
        ([QuotaError()] * 3, {Problem.QUOTA}),
        ([QuotaError(), QuotaError(), None, QuotaError()], set()),
        ([QuotaError(), LumoConnectionError(), QuotaError(), QuotaError()], {"quota"}),
        ([AppVersionError()], {Problem.APP_VERSION}),
        ([EndpointGoneError()], {Problem.APP_VERSION}),
        ([AppVersionError(), LumoConnectionError()], {Problem.APP_VERSION}),
        ([AppVersionError(), None], set()),
        ([BadRequestError(), ProtocolError()], set()),
        ([BadRequestError(), ProtocolError(), IntegrityError()], {"incompatible"}),
        ([ContextLengthError()] * 5, set()),
    ],
)
def test_problems_follow_from_how_turns_ended(
    failures: list[LumoError | None], expected: set[str]
) -> None:
    """One failure is a sentence; what stays is an issue, until the next answer."""
    problems = Problems()
    for failure in failures:
        problems.after_turn(failure)
    assert problems.current(NOW) == expected


@pytest.mark.parametrize("limits", [None, Limits(lite=0), Limits(lite=5)])
def test_poll_takes_back_only_what_it_can_tell(limits: Limits | None) -> None:
    """The service may refuse a version in the chat alone."""
    problems = Problems(refused_in_poll=True)
    assert problems.current(NOW) == {Problem.APP_VERSION}
    for error in (AppVersionError(), *[QuotaError()] * 3):
        problems.after_turn(error)
    problems.after_poll(limits)
    has_some = limits and limits.lite
    left = set() if has_some else {Problem.QUOTA}
    assert problems.current(NOW) == {Problem.APP_VERSION, *left}


@pytest.mark.parametrize(
    ("left", "expected"),
    [
        (90 * DAY, set()),
        (60 * DAY, {Problem.ENCRYPTION_KEY_EXPIRING}),
        (DAY, {Problem.ENCRYPTION_KEY_EXPIRING}),
        (0 * DAY, {Problem.ENCRYPTION_KEY}),
        (-DAY, {Problem.ENCRYPTION_KEY}),
    ],
)
def test_public_key_runs_out(left: timedelta, expected: set[str]) -> None:
    """It is said sixty days before, and differently when it has happened."""
    assert Problems(key_expires=NOW + left).current(NOW) == expected


@pytest.mark.parametrize(
    ("left", "expected"),
    [
        (8 * DAY, set()),
        (7 * DAY, {Problem.API_KEY_EXPIRING}),
        (-DAY, {Problem.API_KEY_EXPIRING}),
    ],
)
def test_api_key_runs_out(left: timedelta, expected: set[str]) -> None:
    """It is said a week before."""
    assert Problems(api_key_expires=NOW + left).current(NOW) == expected


async def fix(
    hass: HomeAssistant, entry: MockConfigEntry, problem: str
) -> dict[str, Any]:
    assert await async_setup_component(hass, REPAIRS_DOMAIN, {})
    await hass.async_block_till_done()
    manager = hass.data[REPAIRS_DOMAIN]["flow_manager"]
    result: dict[str, Any] = await manager.async_init(
        DOMAIN, context={"issue_id": f"{problem}_{entry.entry_id}"}
    )
    return result


async def go_on(
    hass: HomeAssistant, flow: dict[str, Any], user_input: dict[str, Any]
) -> dict[str, Any]:
    manager = hass.data[REPAIRS_DOMAIN]["flow_manager"]
    result: dict[str, Any] = await manager.async_configure(flow["flow_id"], user_input)
    return result


def assert_reconfigures(
    hass: HomeAssistant, entry: MockConfigEntry, result: dict[str, Any], step: str
) -> None:
    assert result["type"] is FlowResultType.CREATE_ENTRY
    kind, flow_id = result["next_flow"]
    assert kind == "config_flow"
    flow = hass.config_entries.flow.async_get(flow_id)
    assert flow["context"]["source"] == SOURCE_RECONFIGURE
    assert flow["context"]["entry_id"] == entry.entry_id
    assert flow["step_id"] == step
    hass.config_entries.flow.async_abort(flow_id)


async def use_up(hass: HomeAssistant, standin: Standin) -> None:
    """Have three sentences refused because no requests are left."""
    standin.quota.left(standin_identity(standin))
    for pools in standin.quota._left.values():
        pools["lite"] = 0
    for _ in range(3):
        await say(hass)


def standin_identity(standin: Standin) -> Any:
    from dev.standin.accounts import Identity

    session = standin.accounts_state.alice
    return Identity("session", session.uid, session)


async def test_empty_quota_is_looked_at_again_on_demand(
    home: HomeAssistant, standin: Standin, entry: MockConfigEntry
) -> None:
    await use_up(home, standin)
    flow = await fix(home, entry, Problem.QUOTA)
    assert flow["type"] is FlowResultType.MENU
    assert flow["description_placeholders"] == {"name": "Lumo"}
    result = await go_on(home, flow, {"next_step_id": "look_again"})
    assert result["type"] is FlowResultType.ABORT
    assert result["reason"] == "quota_still_empty"
    assert issues(home) == {"quota"}

    for pools in standin.quota._left.values():
        pools["lite"] = 100
    flow = await fix(home, entry, Problem.QUOTA)
    result = await go_on(home, flow, {"next_step_id": "look_again"})
    assert result["type"] is FlowResultType.CREATE_ENTRY
    assert issues(home) == set()
    await entry.runtime_data.async_refresh()
    assert issues(home) == set()


async def test_empty_quota_leads_to_another_sign_in(
    home: HomeAssistant, standin: Standin, entry: MockConfigEntry
) -> None:
    """An account with a larger plan."""
    await use_up(home, standin)
    flow = await fix(home, entry, Problem.QUOTA)
    result = await go_on(home, flow, {"next_step_id": "reconfigure"})
    assert_reconfigures(home, entry, result, "reconfigure")


@pytest.mark.parametrize("step", ["look_again", "reconfigure"])
async def test_account_is_removed_while_its_issue_is_open(
    home: HomeAssistant, standin: Standin, entry: MockConfigEntry, step: str
) -> None:
    """The repair ends, and the issue is gone with the account."""
    await use_up(home, standin)
    flow = await fix(home, entry, Problem.QUOTA)
    await home.config_entries.async_remove(entry.entry_id)
    assert issues(home) == set()
    result = await go_on(home, flow, {"next_step_id": step})
    assert result["reason"] == "account_removed"


@pytest.fixture
def real_key(standin: Standin) -> datetime:
    """Give the stand-in's clients the key of production; return its end."""
    with open(standin.public_key_file, "w", encoding="ascii") as file:  # noqa: PTH123
        file.write(LUMO_PUBLIC_KEY)
    expires = LUMO_KEY_INFO.expires
    assert expires is not None
    return expires


async def test_public_key_that_runs_out_is_announced(
    home: HomeAssistant,
    standin: Standin,
    real_key: datetime,
    freezer: FrozenDateTimeFactory,
) -> None:
    """Found by the poll; the repair leads to where a newer key can be entered."""
    freezer.move_to(real_key - 61 * DAY)
    entry = make_entry(session_data(standin))
    entry.add_to_hass(home)
    assert await home.config_entries.async_setup(entry.entry_id)
    assert issues(home) == set()
    freezer.tick(2 * DAY)
    await entry.runtime_data.async_refresh()
    assert issues(home) == {"encryption_key_expiring"}
    flow = await fix(home, entry, Problem.ENCRYPTION_KEY_EXPIRING)
    assert flow["step_id"] == "confirm"
    assert flow["description_placeholders"] == {"name": "Lumo"}
    result = await go_on(home, flow, {})
    assert_reconfigures(home, entry, result, "public_key")
    # Nothing was changed: it comes back.
    await entry.runtime_data.async_refresh()
    assert issues(home) == {"encryption_key_expiring"}
    freezer.tick(60 * DAY)
    await entry.runtime_data.async_refresh()
    assert issues(home) == {"encryption_key"}
    issue = ir.async_get(home).async_get_issue(
        DOMAIN, f"encryption_key_{entry.entry_id}"
    )
    assert issue is not None
    assert issue.severity is ir.IssueSeverity.ERROR


async def test_api_key_that_runs_out_is_announced(
    home: HomeAssistant, standin: Standin
) -> None:
    day = dt_util.now().date() + timedelta(days=3)
    data = {
        "sign_in": "api_key",
        "sign_in_id": "first",
        "api_key": standin.accounts_state.valid_key,
        "api_key_expires": day.isoformat(),
    }
    entry = make_entry(data)
    entry.add_to_hass(home)
    assert await home.config_entries.async_setup(entry.entry_id)
    assert issues(home) == {"api_key_expiring"}
    flow = await fix(home, entry, Problem.API_KEY_EXPIRING)
    result = await go_on(home, flow, {})
    assert_reconfigures(home, entry, result, "api_key")
    await entry.runtime_data.async_refresh()
    assert issues(home) == {"api_key_expiring"}
    home.config_entries.async_update_entry(
        entry, data={**data, "api_key_expires": "2099-01-01"}
    )
    await home.async_block_till_done()
    assert issues(home) == set()


async def test_refused_version_can_only_be_updated(
    home: HomeAssistant, standin: Standin, entry: MockConfigEntry, script: Script
) -> None:
    """The issue says where, and goes with the account or the next answer."""
    script.plans = [[Say("Yes.")]]
    standin.scenarios = ["app_version"]
    await say(home)
    issue = ir.async_get(home).async_get_issue(DOMAIN, f"app_version_{entry.entry_id}")
    assert issue is not None
    assert not issue.is_fixable
    assert issue.learn_more_url is not None
    assert issue.translation_placeholders == {"name": "Lumo"}
    await home.config_entries.async_unload(entry.entry_id)
    assert issues(home) == set()
