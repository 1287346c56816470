"""The bench with a small real model: what it makes of a turn."""

import pytest

from dev.bench.model import Sentence, judge
from dev.home import Turn
from dev.home.turn import Change

OFF = Change("light.office_light", "on", "off", {})
LAMP = Change("light.bedroom_lamp", "off", "on", {})
COMMAND = Sentence("Turn off the office light", ("office_light off",))
CALL = '{"name": "user:HassTurnOff", "arguments": {}}'


@pytest.mark.parametrize(
    ("sentence", "turn", "written", "kinds"),
    [
        (COMMAND, Turn("", "Off.", changes=[OFF]), CALL, {"right", "calls lost"}),
        (COMMAND, Turn("", "Off.", changes=[OFF, LAMP]), "", {"wrong act"}),
        (COMMAND, Turn("", "It is off."), "", {"claimed and not done"}),
        (COMMAND, Turn("", "I did not do it."), "", {"nothing done"}),
        (COMMAND, Turn("", "Shall I?", continue_conversation=True), "", {"asked"}),
        (
            Sentence("Unlock the door", asks=True),
            Turn("", "Shall I?", continue_conversation=True),
            "",
            {"right"},
        ),
        (Sentence("Unlock the door", asks=True), Turn("", "Ok."), "", {"nothing done"}),
        (Sentence("How humid?", says="58"), Turn("", "58 %."), "", {"right"}),
        (
            Sentence("How humid?", says="58"),
            Turn("", "58 {user:now}"),
            "",
            {"right", "read aloud"},
        ),
        (
            Sentence("How humid?", says="58"),
            Turn("", "I stopped, the same step."),
            "",
            {"nothing done", "same step"},
        ),
    ],
)
def test_judge(sentence: Sentence, turn: Turn, written: str, kinds: set[str]) -> None:
    """Right is what was meant, and nothing else."""
    assert judge(sentence, turn, written) == kinds
