"""Every place times every fault, over real sockets.

What a person hears, what is asked of them, what is left afterwards, and that the next
sentence works. The table is in `fault_server`, what must come of it in
`docs/faults.md`. The quick run takes a sample of it.
"""

import asyncio
from collections.abc import AsyncGenerator
from typing import Any

from homeassistant.core import HomeAssistant
from homeassistant.data_entry_flow import FlowResultType
import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.lumo.const import DOMAIN
from dev.brain.model import Say
from dev.standin import Standin
from tests.sampling import quick_in

from .conftest import Script, make_entry, session_data
from .fault_server import FAULTS, STREAM_FAULTS, Fault, FaultServer, answer
from .helpers import (
    Impatient,
    expire_access_tokens,
    is_available,
    issues,
    pass_time,
    reauth_flows,
    say,
)
from .sign_in_forms import api_key, choose, credentials, pasted, submit

CHAT, LIMITS, REFRESH, PROOF = (
    "chat/completions",
    "/limits",
    "/auth/v4/refresh",
    "/auth/v4/info",
)
# What the quick tests try: each kind once.
CHATS = {
    "page with status 403",
    "wait of no length",
    "success without content",
    "reset",
    "no HTTP",
}
POLLS = {"page with status 404", "refusal in plain text"}


pytestmark = pytest.mark.usefixtures("impatient")


@pytest.fixture
async def network(
    standin: Standin, monkeypatch: pytest.MonkeyPatch
) -> AsyncGenerator[FaultServer]:
    def hurry(server: FaultServer) -> None:
        # A refresh that fails has failed before the turn gives up on it.
        Impatient.seconds = 1.3 if server.fault else 60.0

    async with FaultServer(int(standin.base_url.rpartition(":")[2]), hurry) as server:
        monkeypatch.setenv("LUMO_BASE_URL", server.url)
        yield server


@pytest.fixture
def ready(network: FaultServer, entry: MockConfigEntry, script: Script) -> FaultServer:
    script.rule = lambda _messages: [Say("Yes.")]
    return network


async def nothing_is_left(home: HomeAssistant) -> None:
    """Assert that the next sentence works and nobody is asked for anything."""
    assert not reauth_flows(home)
    assert issues(home) == set()
    assert await say(home) == "Yes."
    assert is_available(home)
    assert not reauth_flows(home)
    assert issues(home) == set()


@pytest.mark.long
@pytest.mark.parametrize("name", FAULTS)
async def test_set_up(
    home: HomeAssistant,
    standin: Standin,
    network: FaultServer,
    script: Script,
    name: str,
) -> None:
    """The agent is there at once, and comes back by itself."""
    script.rule = lambda _messages: [Say("Yes.")]
    network.break_calls(LIMITS, FAULTS[name])
    entry = make_entry(session_data(standin))
    entry.add_to_hass(home)
    await home.config_entries.async_setup(entry.entry_id)
    assert entry.state.value == "loaded"
    assert not is_available(home)
    assert not reauth_flows(home)
    assert issues(home) == set()
    network.mend()
    await pass_time(home, hours=1, minutes=1)
    assert is_available(home)
    await nothing_is_left(home)


@pytest.mark.long
@pytest.mark.parametrize("name", FAULTS)
async def test_refresh(
    home: HomeAssistant, standin: Standin, ready: FaultServer, name: str
) -> None:
    """The tokens are kept, and traded at the next sentence."""
    token = standin.accounts_state.alice.refresh_token
    expire_access_tokens(standin)
    ready.break_calls(REFRESH, FAULTS[name])
    heard = await say(home)
    assert any(words in heard for words in ("cannot reach", "in time", "later")), heard
    assert "update" not in heard
    assert standin.accounts_state.alice.refresh_token == token
    ready.mend()
    await nothing_is_left(home)
    assert standin.accounts_state.alice.refresh_token != token


@pytest.mark.parametrize("name", quick_in(CHATS, FAULTS))
async def test_chat(home: HomeAssistant, ready: FaultServer, name: str) -> None:
    """One sentence, and one request where repeating it cannot help.

    What only its content tells from an answer of Lumo's is one that breaks off.
    """
    fault = FAULTS[name]
    ready.break_calls(CHAT, fault)
    heard = await say(home)
    assert heard.count(fault.heard) == 1, heard
    assert "update" not in heard
    has_broken_off = "broke off" in heard
    assert ready.hits == (1 if fault.once and not has_broken_off else 3)
    assert is_available(home) is has_broken_off
    ready.mend()
    await nothing_is_left(home)


@pytest.mark.long
@pytest.mark.parametrize("name", STREAM_FAULTS)
async def test_answer_that_has_begun(
    home: HomeAssistant, ready: FaultServer, name: str
) -> None:
    """What was said stays said; nothing is asked for twice."""
    fault = STREAM_FAULTS[name]
    ready.break_calls(CHAT, fault, begun=True)
    heard = await say(home)
    assert heard.count(fault.heard) == 1, heard[-300:]
    assert len(heard) < 31_000
    assert ready.hits == 1
    ready.mend()
    await nothing_is_left(home)


@pytest.mark.parametrize("name", quick_in(POLLS, FAULTS))
async def test_poll(
    home: HomeAssistant, ready: FaultServer, entry: MockConfigEntry, name: str
) -> None:
    """The account is away, no more, and the next poll or sentence finds it again."""
    fault = FAULTS[name]
    ready.break_calls(LIMITS, fault)
    await entry.runtime_data.async_refresh()
    assert ready.hits == (1 if fault.once else 3)
    assert not is_available(home)
    assert not reauth_flows(home)
    assert issues(home) == set()
    ready.mend()
    await entry.runtime_data.async_refresh()
    assert is_available(home)
    await nothing_is_left(home)


@pytest.mark.parametrize("wait", ["0", "999999"])
async def test_poll_that_names_a_wait(
    home: HomeAssistant, ready: FaultServer, entry: MockConfigEntry, wait: str
) -> None:
    """It is not obeyed blindly: neither at once nor days later."""
    busy = Fault(answer(503, "{}", "application/json", f"Retry-After: {wait}"), "")
    ready.break_calls(LIMITS, busy)
    await entry.runtime_data.async_refresh()
    hits = ready.hits
    await pass_time(home, seconds=30)
    assert ready.hits == hits
    ready.mend()
    await pass_time(home, hours=1, minutes=1)
    assert is_available(home)


@pytest.mark.long
@pytest.mark.parametrize("name", FAULTS)
async def test_sign_in(
    home: HomeAssistant, standin: Standin, network: FaultServer, name: str
) -> None:
    """The form says what it was, and takes the same again."""
    network.break_calls(PROOF, FAULTS[name])
    filled_in = credentials(standin, "alice")
    form = await submit(home, await choose(home, "account"), filled_in)
    assert form["type"] is FlowResultType.FORM
    assert (form["errors"] or {}).get("base") in {
        "foreign_page",
        "cannot_connect",
        "timeout",
        "stream_interrupted",
        "server_error",
        "busy",
    }
    network.mend()
    assert not (await submit(home, form, filled_in)).get("errors")


@pytest.mark.parametrize("way", ["account", "api_key", "session", "guest"])
async def test_form_behind_a_foreign_page(
    home: HomeAssistant, standin: Standin, network: FaultServer, way: str
) -> None:
    """It says that somebody else answers, and not that a password is wrong."""
    by_way: dict[str, dict[str, Any]] = {
        "account": credentials(standin, "alice"),
        "api_key": {"api_key": api_key(standin, "valid"), "advanced": {}},
        "session": pasted(standin),
        "guest": {},
    }
    network.break_calls("", FAULTS["page with status 403"])
    form = await choose(home, way)
    if way != "guest":
        form = await submit(home, form, by_way[way])
    assert form["errors"] == {"base": "foreign_page"}
    network.mend()
    result = await submit(home, form, by_way[way])
    assert result["type"] is FlowResultType.CREATE_ENTRY


async def test_account_is_removed_in_the_middle_of_an_answer(
    home: HomeAssistant, network: FaultServer, hass_storage: dict[str, Any]
) -> None:
    """The turn ends in a sentence, and brings back nothing that was deleted."""
    entry = make_entry({"sign_in": "guest", "sign_in_id": "first"})
    entry.add_to_hass(home)
    assert await home.config_entries.async_setup(entry.entry_id)
    network.break_calls(CHAT, FAULTS["silence"])
    turn = home.async_create_task(say(home))
    while not network.hits:
        await asyncio.sleep(0.01)
    await home.config_entries.async_remove(entry.entry_id)
    assert "cannot reach" in await turn
    assert not [key for key in hass_storage if key.startswith(DOMAIN)]
    assert not reauth_flows(home)
    assert issues(home) == set()
