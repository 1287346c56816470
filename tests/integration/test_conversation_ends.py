"""How a conversation ends that goes wrong: failures, calls without end, no time."""

from unittest.mock import patch

from homeassistant.core import HomeAssistant, ServiceCall
from pytest_homeassistant_custom_component.common import MockConfigEntry

from dev.brain.model import Say
from dev.standin import Standin

from .conftest import Plan, Script
from .conversing import OFF, lumo_trace, say, speech


async def test_failure_is_said_in_the_language_of_the_person(
    home: HomeAssistant, standin: Standin, entry: MockConfigEntry
) -> None:
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
    script.plans = [[OFF], [Say(" ")]]
    result = await say(home, "Turn off the kitchen light")
    assert len(turned_off) == 1
    assert "no answer" in speech(result)
    assert "one action was carried out" in speech(result)
    assert lumo_trace()["error"] == "no_answer"


async def test_time_is_bounded(
    home: HomeAssistant,
    standin: Standin,
    turned_off: list[ServiceCall],
    entry: MockConfigEntry,
    script: Script,
) -> None:
    def act_and_fall_silent(_messages: object) -> Plan:
        if standin.requests[1:]:
            standin.scenarios = ["silent"]
        return [OFF]

    script.rule = act_and_fall_silent
    with patch("custom_components.lumo.agent.turn_context.TURN_SECONDS", 1):
        result = await say(home, "Turn off the kitchen light")
    assert "too long" in speech(result)
    assert "one action was carried out" in speech(result)
