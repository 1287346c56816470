"""What Home Assistant does when the service or the network fails.

How the client reacts is tested beside the client; here it is what a person sees: the
sentence, the agent's state, requests to sign in again, issues.
"""

from dataclasses import dataclass

from homeassistant.config_entries import ConfigEntryState
from homeassistant.core import HomeAssistant
import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry

from dev.brain.model import Say
from dev.standin import Standin

from .conftest import Script, make_entry, session_data
from .helpers import Impatient, is_available, issues, pass_time, reauth_flows, say

pytestmark = pytest.mark.usefixtures("impatient")


@dataclass(frozen=True, kw_only=True)
class Reaction:
    words: str
    available: bool = True
    reauth: bool = False
    issues: frozenset[str] = frozenset()


AWAY = Reaction(words="later", available=False)
SIGN_IN = Reaction(words="sign in again", available=False, reauth=True)


@pytest.mark.parametrize(
    ("scenario", "reaction"),
    [
        ("quota", Reaction(words="used up")),
        ("rate_limited", Reaction(words="in 61 seconds")),
        ("server_error", AWAY),
        ("rejected", Reaction(words="too busy")),
        ("timeout", Reaction(words="too busy")),
        ("stream_error", Reaction(words="later")),
        (
            "app_version",
            Reaction(
                words="update", available=False, issues=frozenset({"app_version"})
            ),
        ),
        ("forbidden", SIGN_IN),
        ("revoked", SIGN_IN),
        ("unauthorized", AWAY),
        ("cut", Reaction(words="broke off")),
        ("bad_chunk", Reaction(words="damaged")),
        ("content_filter", Reaction(words="cannot help")),
        ("too_long", Reaction(words="too long")),
        ("silent", Reaction(words="did not answer in time", available=False)),
    ],
)
async def test_failed_turn_leads_to_the_right_reaction(
    home: HomeAssistant,
    standin: Standin,
    entry: MockConfigEntry,
    script: Script,
    monkeypatch: pytest.MonkeyPatch,
    scenario: str,
    reaction: Reaction,
) -> None:
    script.plans = [[Say("A long answer that is cut into several pieces.")]] * 4
    standin.scenarios = [scenario]
    if scenario == "silent":
        monkeypatch.setattr(Impatient, "seconds", 0.3)
    assert reaction.words in await say(home)
    monkeypatch.setattr(Impatient, "seconds", 60)
    assert is_available(home) == reaction.available
    assert bool(reauth_flows(home)) == reaction.reauth
    assert issues(home) == reaction.issues

    standin.scenarios = []
    if scenario != "revoked":  # That session is over for good.
        assert await say(home) == "A long answer that is cut into several pieces."
        assert is_available(home)
        assert issues(home) == set()


@pytest.mark.parametrize(
    ("scenario", "state", "found"),
    [
        ("server_error", ConfigEntryState.LOADED, set()),
        ("app_version", ConfigEntryState.LOADED, {"app_version"}),
        ("forbidden", ConfigEntryState.SETUP_ERROR, set()),
        ("revoked", ConfigEntryState.SETUP_ERROR, set()),
        ("unauthorized", ConfigEntryState.LOADED, set()),
    ],
)
async def test_fault_at_set_up(
    home: HomeAssistant,
    standin: Standin,
    scenario: str,
    state: ConfigEntryState,
    found: set[str],
) -> None:
    """The agent is there, or the person is asked to sign in; issues show already."""
    entry = make_entry(session_data(standin))
    entry.add_to_hass(home)
    standin.scenarios = [scenario]
    await home.config_entries.async_setup(entry.entry_id)
    assert entry.state is state
    assert issues(home) == found
    assert len(reauth_flows(home)) == (state is ConfigEntryState.SETUP_ERROR)
    standin.scenarios = []
    if state is ConfigEntryState.LOADED:
        assert not is_available(home)
        await pass_time(home, hours=1, minutes=1)
        assert is_available(home)
        assert issues(home) == set()


async def test_tls_fails(
    home: HomeAssistant, standin: Standin, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody else answers at the address: nothing is said to them."""
    monkeypatch.setenv("LUMO_BASE_URL", standin.base_url.replace("http", "https"))
    entry = make_entry(session_data(standin))
    entry.add_to_hass(home)
    await home.config_entries.async_setup(entry.entry_id)
    assert not is_available(home)
    assert "cannot reach" in await say(home)
