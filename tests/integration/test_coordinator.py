"""The coordinator: what turns and polls tell about an account, and what follows."""

from collections.abc import Iterator
import json
from typing import Any

from homeassistant.config_entries import ConfigEntryState
from homeassistant.core import HomeAssistant
from homeassistant.helpers import device_registry as dr
from homeassistant.helpers.httpx_client import create_async_httpx_client
import httpx
import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.lumo.const import DOMAIN
from custom_components.lumo.lumo_client.errors import (
    BusyError,
    ForeignPageError,
    LumoError,
    PlanRequiredError,
    RateLimitError,
    ServerError,
)
from custom_components.lumo.lumo_client.events import Limits, Usage
from dev.brain.model import Say
from dev.standin import Standin
from dev.standin.errors import ApiError

from .conftest import Script, make_entry, session_data
from .helpers import is_available, pass_time, reauth_flows, say, sensor


def key_entry(key: str, **data: Any) -> MockConfigEntry:
    return make_entry(
        {"sign_in": "api_key", "sign_in_id": "first", "api_key": key, **data}
    )


def valid_key(standin: Standin) -> str:
    return standin.accounts_state.valid_key


@pytest.mark.parametrize(
    ("error", "available", "minutes"),
    [
        (None, True, 720),
        (PlanRequiredError(), True, 720),
        (RateLimitError(retry_after=3), True, 720),
        (BusyError(), True, 720),
        (BusyError(status=503), False, 1),
        (ServerError(status=500), False, 1),
        (ForeignPageError(status=403), False, 1),
    ],
)
async def test_turn_decides_when_to_look_again(
    home: HomeAssistant,
    entry: MockConfigEntry,
    error: LumoError | None,
    available: bool,
    minutes: float,
) -> None:
    """Soon if the service is away, rarely if it is there."""
    coordinator = entry.runtime_data
    await coordinator.async_turn_ended(error, None)
    await coordinator.async_turn_ended(error, None)
    assert is_available(home) == available
    assert coordinator.update_interval.total_seconds() == minutes * 60


async def test_availability_is_logged_once_each_way(
    home: HomeAssistant,
    entry: MockConfigEntry,
    script: Script,
    standin: Standin,
    caplog: pytest.LogCaptureFixture,
) -> None:
    script.plans = [[Say("Yes.")]] * 2
    standin.scenarios = ["server_error"]
    for _ in range(3):
        await say(home)
    standin.scenarios = []
    for _ in range(2):
        await say(home)
    lines = [
        record.getMessage()
        for record in caplog.records
        if record.name == "custom_components.lumo" and record.levelname != "DEBUG"
    ]
    assert len([line for line in lines if "Lumo has a problem" in line]) == 1
    assert lines[-1] == "Lumo answers again"
    assert lines.count(lines[-1]) == 1


async def test_poll_that_comes_too_often_leaves_the_account_as_it_is(
    home: HomeAssistant,
    standin: Standin,
    entry: MockConfigEntry,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The service is there: it only has no time."""

    def refuse(_who: object) -> None:
        raise ApiError(429, 2028, "Too many", headers={"Retry-After": "60"})

    monkeypatch.setattr(standin, "refuse_beside_chat", refuse)
    coordinator = entry.runtime_data
    await coordinator.async_refresh()
    assert is_available(home)
    assert coordinator.data.limits == Limits(1000, 200, 50)


async def test_retry_after_of_a_poll_is_honoured(
    home: HomeAssistant,
    standin: Standin,
    entry: MockConfigEntry,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The service knows best when it will be back."""
    asked = []

    def refuse(_who: object) -> None:
        asked.append(1)
        raise ApiError(503, 503, "Maintenance", headers={"Retry-After": "1800"})

    monkeypatch.setattr(standin, "refuse_beside_chat", refuse)
    await entry.runtime_data.async_refresh()
    assert not is_available(home)
    assert len(asked) == 1
    await pass_time(home, minutes=25)
    assert len(asked) == 1
    await pass_time(home, minutes=31)
    assert len(asked) == 2


async def test_api_key_is_used(
    home: HomeAssistant, standin: Standin, script: Script
) -> None:
    entry = key_entry(valid_key(standin))
    entry.add_to_hass(home)
    assert await home.config_entries.async_setup(entry.entry_id)
    script.plans = [[Say("Yes.")]]
    assert await say(home) == "Yes."
    assert standin.requests[-1]["auth"] == "api_key"
    state = sensor(home, entry, "requests_left_lite")
    assert state is not None and state.state == "unknown"
    assert not reauth_flows(home)


async def test_api_key_that_is_served_as_a_guest_is_asked_for_again(
    home: HomeAssistant, standin: Standin, script: Script
) -> None:
    """The service does not say that it does not know the key."""
    entry = key_entry(valid_key(standin))
    entry.add_to_hass(home)
    assert await home.config_entries.async_setup(entry.entry_id)
    standin.accounts_state.api_keys.clear()
    script.plans = [[Say("Yes.")]] * 2
    for _ in range(2):
        await say(home)
    assert len(reauth_flows(home)) == 1
    assert not is_available(home)


@pytest.mark.parametrize("remaining", [None, Limits()])
async def test_api_key_without_limits_is_a_key(
    home: HomeAssistant, standin: Standin, remaining: Limits | None
) -> None:
    """The service may say that there are none, or say nothing."""
    entry = key_entry(valid_key(standin))
    entry.add_to_hass(home)
    assert await home.config_entries.async_setup(entry.entry_id)
    usage = Usage(completion_tokens=1, remaining=remaining)
    await entry.runtime_data.async_turn_ended(None, usage)
    assert not reauth_flows(home)
    assert is_available(home)


async def test_wrong_environment_is_no_reason_to_try_again(
    home: HomeAssistant, standin: Standin, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The reason is shown with the entry."""
    monkeypatch.delenv("LUMO_PUBLIC_KEY_FILE")
    entry = make_entry(session_data(standin))
    entry.add_to_hass(home)
    await home.config_entries.async_setup(entry.entry_id)
    assert entry.state is ConfigEntryState.SETUP_ERROR
    assert entry.reason is not None and "belong together" in entry.reason


@pytest.fixture
def clients(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[httpx.AsyncClient]]:
    made: list[httpx.AsyncClient] = []

    def keep(*args: Any, **kwargs: Any) -> httpx.AsyncClient:
        client: httpx.AsyncClient = create_async_httpx_client(*args, **kwargs)
        made.append(client)
        return client

    monkeypatch.setattr(
        "custom_components.lumo.coordinator.create_async_httpx_client", keep
    )
    yield made
    assert all(client.is_closed for client in made)


@pytest.mark.long
@pytest.mark.parametrize("scenario", ["", "server_error", "revoked"])
async def test_connections_are_closed_however_an_account_ends(
    home: HomeAssistant,
    standin: Standin,
    clients: list[httpx.AsyncClient],
    scenario: str,
) -> None:
    """Reloaded, failed at set-up, removed: one client at a time, none is left."""
    entry = make_entry(session_data(standin))
    entry.add_to_hass(home)
    standin.scenarios = [scenario] if scenario else []
    for _ in range(2):
        await home.config_entries.async_setup(entry.entry_id)
        await home.config_entries.async_reload(entry.entry_id)
        assert sum(not client.is_closed for client in clients) <= 1
        await home.config_entries.async_unload(entry.entry_id)
        assert all(client.is_closed for client in clients)
    assert len(clients) >= 2
    await home.config_entries.async_remove(entry.entry_id)


async def test_two_accounts_share_nothing(
    home: HomeAssistant, standin: Standin, clients: list[httpx.AsyncClient]
) -> None:
    first = make_entry(session_data(standin))
    second = make_entry({"sign_in": "guest", "sign_in_id": "x"})
    for entry in (first, second):
        entry.add_to_hass(home)
    assert await home.config_entries.async_setup(first.entry_id)
    await home.async_block_till_done()
    assert len(clients) == 2
    jars = [{cookie.name for cookie in client.cookies.jar} for client in clients]
    assert sorted(map(len, jars)) == [0, 2]
    assert first.runtime_data.data.limits != second.runtime_data.data.limits
    for entry in (first, second):
        assert await home.config_entries.async_unload(entry.entry_id)


async def test_removed_account_is_signed_out_if_it_was_signed_in_here(
    home: HomeAssistant, standin: Standin, hass_storage: dict[str, Any]
) -> None:
    """A session that was pasted has another holder, who keeps it."""
    for way, ended in (("session", False), ("account", True)):
        entry = make_entry(session_data(standin) | {"sign_in": way})
        entry.add_to_hass(home)
        assert await home.config_entries.async_setup(entry.entry_id)
        await home.config_entries.async_remove(entry.entry_id)
        session = standin.accounts_state.alice
        assert (session.uid not in standin.accounts_state.sessions) == ended
        assert f"{DOMAIN}.{entry.entry_id}" not in hass_storage
        assert session.refresh_token not in json.dumps(hass_storage)


@pytest.mark.parametrize(
    ("choice", "name"), [("automatic", "Lumo"), ("max", "Lumo Max")]
)
async def test_agent_says_which_model_it_has(
    home: HomeAssistant, standin: Standin, choice: str, name: str
) -> None:
    """By the name that Proton gives it."""
    entry = make_entry(session_data(standin), model=choice)
    entry.add_to_hass(home)
    assert await home.config_entries.async_setup(entry.entry_id)
    device = dr.async_get(home).async_get_device_by_identifier(
        (DOMAIN, next(iter(entry.subentries))), entry.entry_id
    )
    assert device is not None
    assert device.model == name


async def test_account_whose_tokens_are_gone_asks_to_sign_in(
    home: HomeAssistant, standin: Standin
) -> None:
    """The entry came from a backup without the private file."""
    data = session_data(standin)
    del data["access_token"], data["refresh_token"]
    entry = make_entry(data)
    entry.add_to_hass(home)
    await home.config_entries.async_setup(entry.entry_id)
    await home.async_block_till_done()
    assert entry.state is ConfigEntryState.SETUP_ERROR
    assert len(reauth_flows(home)) == 1


async def test_guest_may_be_refused_the_limits(
    home: HomeAssistant, standin: Standin
) -> None:
    """That says nothing about whether it may talk, and how much is left stays open."""
    entry = make_entry({"sign_in": "guest", "sign_in_id": "x"})
    entry.add_to_hass(home)
    standin.scenarios = ["forbidden"]
    assert await home.config_entries.async_setup(entry.entry_id)
    assert entry.runtime_data.data.limits is None
    assert is_available(home)
