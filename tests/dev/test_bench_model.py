"""The bench with a small real model: what it makes of a turn."""

import pytest

from dev.bench.model import Sentence, judge
from dev.home import Turn
from dev.home.turn import Change

OFF = Change("light.office_light", "on", "off", {})
LAMP = Change("light.bedroom_lamp", "off", "on", {})
COMMAND = Sentence("Turn off the office light", ("office_light off",))
UNLOCK = Sentence("Unlock the door", asks=True)
HUMID = Sentence("How humid?", says="58")
CALL = '{"name": "user:HassTurnOff", "arguments": {}}'


@pytest.mark.parametrize(
    ("sentence", "turn", "written", "kinds"),
    [
        (COMMAND, Turn("", "Off.", changes=[OFF]), CALL, {"right", "calls lost"}),
        (COMMAND, Turn("", "Off.", changes=[OFF, LAMP]), "", {"wrong act"}),
        (COMMAND, Turn("", "It is off."), "", {"claimed and not done"}),
        (COMMAND, Turn("", "I did not do it."), "", {"nothing done"}),
        (COMMAND, Turn("", "Shall I?", continue_conversation=True), "", {"asked"}),
        (UNLOCK, Turn("", "Shall I?", continue_conversation=True), "", {"right"}),
        (UNLOCK, Turn("", "Ok."), "", {"nothing done"}),
        (HUMID, Turn("", "58 %."), "", {"right"}),
        (HUMID, Turn("", "58 {user:now}"), "", {"right", "read aloud"}),
        (HUMID, Turn("", "the same step."), "", {"nothing done", "same step"}),
    ],
)
def test_judge(sentence: Sentence, turn: Turn, written: str, kinds: set[str]) -> None:
    """Right is what was meant, and nothing else."""
    assert judge(sentence, turn, written) == kinds
