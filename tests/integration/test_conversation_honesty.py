"""Nobody hears of what was not done, and nothing is done that was only asked."""

from typing import Any

from homeassistant.core import HomeAssistant, ServiceCall
import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry

from dev.brain.model import Say
from dev.standin import Standin

from .conftest import Script
from .conversing import OFF, lumo_trace, say

CLAIM = "Done, I turned off the kitchen light."
LATE_CLAIM = (
    "That is a good idea, since the evening is bright and the room is empty anyway. "
    "I have turned off the kitchen light, and I hope that you enjoy the evening."
)


@pytest.mark.parametrize(
    ("plans", "heard", "never_heard", "switched", "requests"),
    [
        pytest.param(
            [[Say(CLAIM)], [OFF], [Say("It is off.")]],
            ["It is off."],
            ["Done", "not do"],
            1,
            3,
            id="asked again it calls",
        ),
        pytest.param(
            [[Say(CLAIM)], [Say(CLAIM)]],
            ["I did not do anything."],
            ["Done, I"],
            0,
            2,
            id="asked again it claims the same",
        ),
        pytest.param(
            [[Say(CLAIM)], [Say("I cannot reach that light.")]],
            ["I cannot reach that light."],
            ["Done, I", "anything"],
            0,
            2,
            id="asked again it is honest",
        ),
        pytest.param(
            [[Say(LATE_CLAIM)], [Say(LATE_CLAIM)]],
            ["good idea", "I did not do anything."],
            [],
            0,
            2,
            id="what was spoken is corrected aloud",
        ),
        pytest.param(
            [[OFF], [Say(CLAIM)]],
            ["Done, I turned off"],
            ["not do"],
            1,
            2,
            id="a true claim is left alone",
        ),
        pytest.param(
            [[Say("Hello, how are you today?")]],
            ["Hello"],
            [],
            0,
            1,
            id="small talk costs nothing",
        ),
    ],
)
async def test_nobody_hears_done_when_nothing_was_done(
    home: HomeAssistant,
    standin: Standin,
    turned_off: list[ServiceCall],
    entry: MockConfigEntry,
    script: Script,
    plans: list[Any],
    heard: list[str],
    never_heard: list[str],
    switched: int,
    requests: int,
) -> None:
    """An invented success is asked for once more, then denied."""
    script.plans = plans
    spoken: list[str] = []
    result = await say(home, "Turn off the kitchen light", spoken=spoken)
    for words in heard:
        assert words in "".join(spoken)
    for words in never_heard:
        assert words not in "".join(spoken)
    assert len(turned_off) == switched
    assert lumo_trace()["requests"] == requests
    assert result.response.response_type.value != "error"
