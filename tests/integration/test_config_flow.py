"""The config flow: its menus, what all ways share, and the guest."""

from pathlib import Path

from homeassistant.config_entries import SOURCE_USER
from homeassistant.core import HomeAssistant
from homeassistant.data_entry_flow import FlowResultType
import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.lumo.config_flow import LumoConfigFlow
from custom_components.lumo.const import DEFAULT_OPTIONS, DOMAIN, SignIn
from custom_components.lumo.lumo_client.auth import GuestCredential
from custom_components.lumo.sign_in.ways import CREDENTIALS
from dev.home.lumo import SIGN_INS
from dev.standin import Standin

from .conftest import make_entry
from .sign_in_forms import TEXTS, choose, credentials, pasted, start_reauth, submit

GUEST = {"sign_in": "guest", "sign_in_id": "first"}


async def test_the_guest_comes_last(home: HomeAssistant) -> None:
    """An account is what most people have."""
    menu = await home.config_entries.flow.async_init(
        DOMAIN, context={"source": SOURCE_USER}
    )
    assert menu["type"] is FlowResultType.MENU
    assert menu["menu_options"] == ["account", "api_key", "session", "guest"]


@pytest.mark.parametrize("name", SignIn)
def test_a_way_to_sign_in_is_whole(name: SignIn) -> None:
    """A row, steps, texts, a place in each menu, and a person who tries it."""
    is_guest = CREDENTIALS[name] is GuestCredential
    assert hasattr(LumoConfigFlow, f"async_step_{name}")
    steps = TEXTS["step"]
    assert steps[name]["title"]
    for menu in ("user", "reconfigure", "guest_refused"):
        for part in ("menu_options", "menu_option_descriptions"):
            offered = menu != "guest_refused" or not is_guest
            assert (name in steps[menu][part]) == offered
    assert name in SIGN_INS


async def test_guest_needs_no_form(home: HomeAssistant, standin: Standin) -> None:
    """One choice, and an agent works."""
    result = await choose(home, "guest")
    await home.async_block_till_done()
    assert result["type"] is FlowResultType.CREATE_ENTRY
    assert result["title"] == "Lumo"
    assert result["data"]["sign_in"] == "guest"
    assert result["result"].unique_id == "guest"
    [agent, task] = result["result"].subentries.values()
    assert agent.subentry_type == "conversation"
    assert agent.data == DEFAULT_OPTIONS
    assert home.states.get("conversation.lumo") is not None
    assert task.subentry_type == "ai_task_data"
    assert task.data == {}
    assert home.states.get("ai_task.lumo_ai_task") is not None


async def test_a_home_has_one_guest(home: HomeAssistant, standin: Standin) -> None:
    """A second one would be a second quota."""
    await choose(home, "guest")
    await home.async_block_till_done()
    result = await choose(home, "guest")
    assert result["type"] is FlowResultType.ABORT
    assert result["reason"] == "already_configured"


async def test_guest_when_the_service_is_away(
    home: HomeAssistant, standin: Standin, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A form says so, and takes another try."""
    monkeypatch.setenv("LUMO_BASE_URL", "http://127.0.0.1:9")
    form = await choose(home, "guest")
    assert form["step_id"] == "guest"
    assert form["errors"] == {"base": "cannot_connect"}
    monkeypatch.setenv("LUMO_BASE_URL", standin.base_url)
    result = await submit(home, form, {})
    assert result["type"] is FlowResultType.CREATE_ENTRY


async def test_environment_that_names_half_a_server(
    home: HomeAssistant, standin: Standin, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A stray variable never sends anything anywhere."""
    monkeypatch.delenv("LUMO_PUBLIC_KEY_FILE")
    result = await choose(home, "guest")
    assert result["errors"] == {"base": "configuration"}
    form = await choose(home, "account")
    result = await submit(home, form, credentials(standin, "alice"))
    assert result["errors"] == {"base": "configuration"}


async def test_key_file_that_is_missing(
    home: HomeAssistant,
    standin: Standin,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    """An entry does not start without the key it encrypts to."""
    monkeypatch.setenv("LUMO_PUBLIC_KEY_FILE", str(tmp_path / "missing.asc"))
    entry = make_entry(GUEST)
    entry.add_to_hass(home)
    assert not await home.config_entries.async_setup(entry.entry_id)
    assert entry.state.value == "setup_error"


async def test_guest_that_is_refused_becomes_an_account(
    home: HomeAssistant, standin: Standin
) -> None:
    """It has nothing to enter again, but its agents need not be lost."""
    entry = make_entry(GUEST)
    entry.add_to_hass(home)
    assert await home.config_entries.async_setup(entry.entry_id)
    agents = dict(entry.subentries)
    menu = await start_reauth(home, entry)
    assert menu["type"] is FlowResultType.MENU
    assert menu["menu_options"] == ["account", "api_key", "session"]
    form = await submit(home, menu, {"next_step_id": "account"})
    result = await submit(home, form, credentials(standin, "bob"))
    assert result["reason"] == "reauth_successful"
    assert entry.data["sign_in"] == "account"
    assert entry.title == "Lumo (bob)"
    assert dict(entry.subentries) == agents
    assert entry.state.value == "loaded"


async def test_accounts_without_a_name_are_told_apart(
    home: HomeAssistant, standin: Standin
) -> None:
    """A guest has none, and few sessions tell it: the second one has a number."""
    await choose(home, "guest")
    form = await choose(home, "session")
    await submit(home, form, pasted(standin))
    titles = [entry.title for entry in home.config_entries.async_entries(DOMAIN)]
    assert titles == ["Lumo", "Lumo 2"]
    assert home.states.get("conversation.lumo_2") is not None


@pytest.mark.parametrize("first", ["account", "session"])
async def test_the_same_account_twice_is_refused(
    home: HomeAssistant, standin: Standin, first: str
) -> None:
    values = {"account": credentials(standin, "alice"), "session": pasted(standin)}
    second = "session" if first == "account" else "account"
    form = await choose(home, first)
    result = await submit(home, form, values[first])
    assert result["type"] is FlowResultType.CREATE_ENTRY
    form = await choose(home, second)
    result = await submit(home, form, values[second])
    assert result["type"] is FlowResultType.ABORT
    assert result["reason"] == "already_configured"


async def test_title_that_a_person_has_chosen_stays(
    home: HomeAssistant, standin: Standin, entry: MockConfigEntry
) -> None:
    home.config_entries.async_update_entry(entry, title="The house")
    await home.async_block_till_done()  # it loads again, and then needs no sign-in
    form = await start_reauth(home, entry)
    result = await submit(home, form, pasted(standin))
    assert result["reason"] == "reauth_successful"
    assert entry.title == "The house"
