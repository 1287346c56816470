"""How a conversation ends that goes wrong: failures, calls without end, no time."""

from itertools import cycle
from unittest.mock import patch

from homeassistant.core import HomeAssistant, ServiceCall
import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry

from dev.brain.model import Call, Say
from dev.standin import Standin

from .conftest import Plan, Script
from .conversing import AGENT, OFF, lumo_trace, say, speech


@pytest.mark.parametrize(
    ("scenario", "code", "words"),
    [
        ("quota", "quota", "used up"),
        ("rate_limited", "rate_limited", "in 61 seconds"),
        ("server_error", "server_error", "later"),
        ("app_version", "app_version", "update"),
        ("forbidden", "forbidden", "sign in"),
        ("revoked", "session_expired", "sign in"),
        # Signing in again would not help.
        ("unauthorized", "server_error", "later"),
        ("cut", "stream_interrupted", "try again"),
        ("bad_chunk", "integrity", "damaged"),
    ],
)
async def test_failure_is_a_sentence(
    home: HomeAssistant,
    standin: Standin,
    entry: MockConfigEntry,
    script: Script,
    scenario: str,
    code: str,
    words: str,
) -> None:
    """It says what happened and what to do, and is marked as an error."""
    standin.scenarios = [scenario]
    script.plans = [[Say("This answer is long enough to be cut into several pieces.")]]
    result = await say(home, "Tell me a story")
    assert result.response.response_type.value == "error"
    assert words in speech(result).lower()
    assert lumo_trace()["error"] == code


async def test_failure_is_said_in_the_language_of_the_person(
    home: HomeAssistant, standin: Standin, entry: MockConfigEntry
) -> None:
    """With any region, and in English where there are no sentences of ours."""
    standin.scenarios = ["quota"]
    assert "aufgebraucht" in speech(await say(home, "Hallo", language="de-CH"))
    spoken: list[str] = []
    said = speech(await say(home, "Hei", language="fi", spoken=spoken))
    assert "used up" in said
    assert not spoken  # A screen would show it twice, as what was said and as an error.


async def test_failure_after_an_action_says_that_it_was_done(
    home: HomeAssistant,
    standin: Standin,
    turned_off: list[ServiceCall],
    entry: MockConfigEntry,
    script: Script,
) -> None:
    """Each ending says what was done."""
    script.plans = [[OFF], [Say(" ")]]
    result = await say(home, "Turn off the kitchen light")
    assert len(turned_off) == 1
    assert "no answer" in speech(result)
    assert "one action was carried out" in speech(result)
    assert lumo_trace()["error"] == "no_answer"


async def test_session_that_is_over_asks_to_sign_in_again(
    home: HomeAssistant, standin: Standin, entry: MockConfigEntry
) -> None:
    """Once, not with every sentence."""
    standin.scenarios = ["revoked"]
    await say(home, "Hello")
    await say(home, "Hello")
    flows = home.config_entries.flow.async_progress()
    assert [flow["context"]["source"] for flow in flows] == ["reauth"]


async def test_agent_is_unavailable_while_the_service_is_away(
    home: HomeAssistant, standin: Standin, entry: MockConfigEntry
) -> None:
    """And comes back with the first answer."""
    standin.scenarios = ["server_error"]
    await say(home, "Hello")
    state = home.states.get(AGENT)
    assert state is not None and state.state == "unavailable"
    standin.scenarios = []
    await say(home, "Hello")
    state = home.states.get(AGENT)
    assert state is not None and state.state != "unavailable"


@pytest.mark.parametrize(
    ("different", "words", "requests"),
    [
        (12, "too many steps. Before that, 10 actions were carried out", 10),
        (3, "I turned off the kitchen light.", 4),
    ],
)
async def test_model_that_never_stops_calling_is_stopped(
    home: HomeAssistant,
    entry: MockConfigEntry,
    turned_off: list[ServiceCall],
    script: Script,
    different: int,
    words: str,
    requests: int,
) -> None:
    """The rounds are bounded, and a call that was made is not made once more."""
    calls = cycle(
        Call("user:HassTurnOff", {"name": "Kitchen light", "domain": ["light"] * n})
        for n in range(1, different + 1)
    )
    script.rule = lambda _messages: [next(calls)]
    result = await say(home, "Turn off the kitchen light")
    assert words in speech(result)
    assert lumo_trace()["requests"] == requests


async def test_calls_that_are_refused_again_and_again_are_given_up(
    home: HomeAssistant, standin: Standin, entry: MockConfigEntry, script: Script
) -> None:
    """The same one a second time is enough."""
    script.rule = lambda _messages: [Call("user:GetLiveContext", {"where": "x"})]
    standin.scenarios = ["clean"]
    result = await say(home, "Look around")
    assert "could not use the tools" in speech(result)
    assert lumo_trace()["requests"] == 2


async def test_time_is_bounded(
    home: HomeAssistant,
    standin: Standin,
    turned_off: list[ServiceCall],
    entry: MockConfigEntry,
    script: Script,
) -> None:
    """However many rounds are left, and in the middle of an answer."""

    def act_and_fall_silent(_messages: object) -> Plan:
        if standin.requests[1:]:
            standin.scenarios = ["silent"]
        return [OFF]

    script.rule = act_and_fall_silent
    with patch("custom_components.lumo.agent.turn_context.TURN_SECONDS", 1):
        result = await say(home, "Turn off the kitchen light")
    assert "too long" in speech(result)
    assert "one action was carried out" in speech(result)
