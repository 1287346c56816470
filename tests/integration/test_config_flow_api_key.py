"""Signing in with an API key, of Lumo's or of a gateway."""

from typing import Any
from unittest.mock import patch

from aiohttp.test_utils import TestServer
from homeassistant.core import HomeAssistant
from homeassistant.data_entry_flow import FlowResultType
import pytest

from dev.standin import Standin

from .sign_in_forms import (
    api_key,
    choose,
    credentials,
    make_account,
    sessions_of,
    start_reauth,
    start_reconfigure,
    submit,
    suggested,
)


def filled_in(key: str | None, base_url: str | None = None, **other: Any) -> Any:
    advanced = {"allow_unencrypted": other.pop("allow_unencrypted", False)}
    if base_url:
        advanced["base_url"] = base_url
    values = {"advanced": advanced, **other}
    if key is not None:
        values["api_key"] = key
    return values


async def test_key_is_checked_and_hidden(home: HomeAssistant, standin: Standin) -> None:
    """One short request, and the id of the entry is not the key."""
    key = api_key(standin, "valid")
    form = await choose(home, "api_key")
    assert form["step_id"] == "api_key"
    result = await submit(
        home, form, filled_in(f" {key}\n", api_key_expires="2030-01-31")
    )
    assert result["type"] is FlowResultType.CREATE_ENTRY
    assert result["title"] == "Lumo (API)"
    entry = result["result"]
    assert entry.data["api_key"] == key
    assert entry.data["api_key_expires"] == "2030-01-31"
    assert set(entry.data) == {"sign_in", "sign_in_id", "api_key", "api_key_expires"}
    assert entry.unique_id is not None
    assert entry.unique_id.startswith("key-")
    assert key not in entry.unique_id
    assert entry.state.value == "loaded"
    [request] = standin.requests
    assert request["auth"] == "api_key"


@pytest.mark.long
@pytest.mark.parametrize(
    ("key", "scenario", "error"),
    [
        ("revoked", (), "api_key_invalid"),
        # Served as a guest instead of being refused.
        ("made-up", (), "api_key_not_recognised"),
        ("with a space", (), "api_key_invalid"),
        (" ", (), "api_key_missing"),
        (None, (), "api_key_missing"),
        ("valid", ("quota",), "quota"),
        ("valid", ("server_error",), "server_error"),
    ],
)
async def test_key_that_does_not_work(
    home: HomeAssistant,
    standin: Standin,
    key: str | None,
    scenario: tuple[str, ...],
    error: str,
) -> None:
    """The form says why, and takes another try."""
    if key in ("valid", "revoked"):
        key = api_key(standin, key)
    form = await choose(home, "api_key")
    standin.scenarios = scenario
    form = await submit(home, form, filled_in(key))
    assert form["type"] is FlowResultType.FORM
    assert form["errors"] == {"base": error}
    standin.scenarios = ()
    result = await submit(home, form, filled_in(api_key(standin, "valid")))
    assert result["type"] is FlowResultType.CREATE_ENTRY


async def test_address_of_lumo_is_no_gateway(
    home: HomeAssistant, standin: Standin
) -> None:
    """Entered by hand it changes nothing, and the same key is still the same."""
    form = await choose(home, "api_key")
    result = await submit(
        home,
        form,
        filled_in(api_key(standin, "valid"), f"{standin.base_url}/api/ai/v1/"),
    )
    assert result["type"] is FlowResultType.CREATE_ENTRY
    assert "base_url" not in result["result"].data
    assert result["title"] == "Lumo (API)"


async def test_gateway(
    home: HomeAssistant, standin: Standin, gateway: TestServer
) -> None:
    """Loopback needs no TLS; the address is part of what the entry is known by."""
    form = await choose(home, "api_key")
    address = f"http://127.0.0.1:{gateway.port}/"
    form = await submit(home, form, filled_in("wrong", address))
    assert form["errors"] == {"base": "api_key_invalid"}
    result = await submit(home, form, filled_in("open-sesame", address))
    assert result["type"] is FlowResultType.CREATE_ENTRY
    assert result["title"] == "Lumo (127.0.0.1)"
    entry = result["result"]
    assert entry.data["base_url"] == f"{address}v1"
    assert entry.state.value == "loaded"
    assert standin.requests == []

    # Written in another way it is still the same.
    form = await choose(home, "api_key")
    result = await submit(
        home, form, filled_in("open-sesame", f"{address}v1/chat/completions")
    )
    assert result["reason"] == "already_configured"


@pytest.mark.parametrize(
    ("address", "error"),
    [
        ("gateway", "gateway_url"),
        ("ftp://example.org", "gateway_url"),
        ("https://me:secret@example.org/v1", "gateway_url"),
        ("http://example.org/v1", "insecure_url"),
        ("http://192.168.1.5:3003/v1", "unconfirmed_url"),
    ],
)
async def test_address_that_is_not_safe(
    home: HomeAssistant, standin: Standin, address: str, error: str
) -> None:
    """Nothing is sent there."""
    form = await choose(home, "api_key")
    key = api_key(standin, "valid")
    form = await submit(home, form, filled_in(key, address))
    assert form["errors"] == {"base": error}
    result = await submit(home, form, filled_in(key))
    assert result["type"] is FlowResultType.CREATE_ENTRY


async def test_private_address_that_is_allowed(
    home: HomeAssistant, standin: Standin
) -> None:
    """The entry remembers that the person has allowed it."""
    form = await choose(home, "api_key")
    with (
        patch(
            "custom_components.lumo.sign_in.api_key.LumoClient.check_api_key"
        ) as check,
        patch("custom_components.lumo.async_setup_entry", return_value=True),
    ):
        result = await submit(
            home,
            form,
            filled_in("key", "http://192.168.1.5:3003", allow_unencrypted=True),
        )
    check.assert_awaited_once()
    assert result["type"] is FlowResultType.CREATE_ENTRY
    data = result["result"].data
    assert data["base_url"] == "http://192.168.1.5:3003/v1"
    assert data["allow_unencrypted"] is True


async def test_new_key_when_the_old_one_ends(
    home: HomeAssistant, standin: Standin
) -> None:
    """The agents stay. The form is empty: the old key is of no use."""
    form = await choose(home, "api_key")
    old = api_key(standin, "valid")
    result = await submit(home, form, filled_in(old, api_key_expires="2030-01-31"))
    entry = result["result"]
    agents, known_by = dict(entry.subentries), entry.unique_id
    standin.accounts_state.api_keys[old] = False
    form = await start_reauth(home, entry)
    assert form["step_id"] == "api_key"
    assert suggested(form) == {}
    form = await submit(home, form, filled_in(None))
    assert form["errors"] == {"base": "api_key_missing"}
    new = standin.accounts_state.create_api_key()
    result = await submit(home, form, filled_in(new))
    assert result["reason"] == "reauth_successful"
    assert entry.data["api_key"] == new
    assert "api_key_expires" not in entry.data
    assert entry.unique_id != known_by
    assert dict(entry.subentries) == agents
    assert entry.state.value == "loaded"


async def test_key_of_another_entry_is_refused(
    home: HomeAssistant, standin: Standin
) -> None:
    """Two entries with one key would be the same account twice."""
    keys = [api_key(standin, "valid"), standin.accounts_state.create_api_key()]
    entries = []
    for key in keys:
        form = await choose(home, "api_key")
        entries.append((await submit(home, form, filled_in(key)))["result"])
    form = await start_reauth(home, entries[0])
    result = await submit(home, form, filled_in(keys[1]))
    assert result["errors"] == {"base": "already_configured"}
    assert entries[0].data["api_key"] == keys[0]


async def test_key_stays_when_only_its_end_changes(
    home: HomeAssistant, standin: Standin
) -> None:
    """It was shown once, nobody has it any more."""
    key = api_key(standin, "valid")
    form = await choose(home, "api_key")
    result = await submit(home, form, filled_in(key, api_key_expires="2030-01-31"))
    entry = result["result"]
    menu = await start_reconfigure(home, entry)
    # Nothing is encrypted to Lumo's public key with an API key.
    assert menu["menu_options"] == ["account", "api_key", "session", "guest"]
    form = await submit(home, menu, {"next_step_id": "api_key"})
    assert suggested(form) == {"api_key_expires": "2030-01-31"}
    result = await submit(home, form, filled_in(None, api_key_expires="2031-01-31"))
    assert result["reason"] == "reconfigure_successful"
    assert entry.data["api_key"] == key
    assert entry.data["api_key_expires"] == "2031-01-31"


async def test_stored_key_goes_to_no_other_address(
    home: HomeAssistant, standin: Standin, gateway: TestServer
) -> None:
    address = f"http://127.0.0.1:{gateway.port}/v1"
    form = await choose(home, "api_key")
    result = await submit(home, form, filled_in(api_key(standin, "valid")))
    entry = result["result"]
    for key, there, others in (
        (None, None, [address, "https://lumo.invalid/v1"]),
        ("open-sesame", address, ["", address.replace("127.0.0.1", "127.0.0.2")]),
    ):
        menu = await start_reconfigure(home, entry)
        form = await submit(home, menu, {"next_step_id": "api_key"})
        if key:
            result = await submit(home, form, filled_in(key, there))
            assert result["reason"] == "reconfigure_successful"
            menu = await start_reconfigure(home, entry)
            form = await submit(home, menu, {"next_step_id": "api_key"})
        for other in others:
            form = await submit(home, form, filled_in(None, other))
            assert form["errors"] == {"base": "api_key_missing"}
        result = await submit(home, form, filled_in(None, there))
        assert result["reason"] == "reconfigure_successful"


async def test_from_an_account_to_a_key_and_back(
    home: HomeAssistant, standin: Standin
) -> None:
    """The agents stay, and sessions that are not needed are ended."""
    entry = await make_account(home, standin, "bob")
    agents = dict(entry.subentries)
    menu = await start_reconfigure(home, entry)
    form = await submit(home, menu, {"next_step_id": "api_key"})
    result = await submit(home, form, filled_in(api_key(standin, "valid")))
    assert result["reason"] == "reconfigure_successful"
    assert entry.data["sign_in"] == "api_key"
    assert entry.title == "Lumo (API)"
    assert str(entry.unique_id).startswith("key-")
    assert set(entry.data) == {"sign_in", "sign_in_id", "api_key"}
    assert entry.state.value == "loaded"
    assert sessions_of(standin, "bob") == []

    menu = await start_reconfigure(home, entry)
    form = await submit(home, menu, {"next_step_id": "account"})
    result = await submit(home, form, credentials(standin, "bob"))
    assert result["reason"] == "reconfigure_successful"
    assert "api_key" not in entry.data
    assert entry.title == "Lumo (bob)"
    assert entry.state.value == "loaded"
    assert sessions_of(standin, "bob") == [entry.data["uid"]]
    assert dict(entry.subentries) == agents
