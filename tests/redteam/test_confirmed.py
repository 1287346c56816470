"""What is said in place of the model when a plain command was carried out."""

import re

import pytest

from custom_components.lumo.const import CONF_QUICK_CONFIRMATION
from tests.sampling import some

from .stage import AT_SATELLITE, Call, Stage

LAMP = Call("HassTurnOff", name="Kitchen light")
COOL = Call("HassClimateSetTemperature", area="Living room", temperature=21)
BLIND = Call("HassSetPosition", name="Living room blinds", position=50)
ALL_DOWN = Call("HassTurnOff", floor="Ground floor", domain=["light"])

# Language, what is said, the call, and all that is heard.
COMMANDS = [
    ("en", "Turn off the kitchen light", LAMP, "I turned off the kitchen light."),
    ("en", "Make it 21", COOL, "I set the living room thermostat to 21 degrees."),
    ("de", "Mach 21 Grad", COOL, "Ich habe .* auf 21 Grad gestellt."),
    ("en", "Blinds halfway", BLIND, "I set .*blinds to 50 percent."),
    (
        "en",
        "Stop the blinds",
        Call("HassStopMoving", name="Living room blinds"),
        "I stopped .*blinds.",
    ),
    ("en", "All lights down here off", ALL_DOWN, r"I turned off \d+ lights."),
    ("de", "Alles aus hier unten", ALL_DOWN, r"Ich habe \d+ Lampen ausgeschaltet."),
    ("en", "Time for a movie", Call("movie_time"), "I started Movie time."),
]


async def test_what_changed_is_said_without_the_model(
    stage: Stage, subtests: pytest.Subtests
) -> None:
    await stage.change_agent(**{CONF_QUICK_CONFIRMATION: "automatic"})
    for language, sentence, call, heard in some(COMMANDS):
        with subtests.test(sentence):
            stage.fresh()
            found = await stage.say(
                sentence, call, "Not asked.", who=AT_SATELLITE, language=language
            )
            assert re.fullmatch(heard, found.text), found.text
            assert len(found.requests) == 1
            assert found.effects
            assert not found.error


async def test_what_was_left_is_for_the_model_to_say(stage: Stage) -> None:
    """A call that does less than was asked for is not confirmed by us."""
    await stage.change_agent(**{CONF_QUICK_CONFIRMATION: "always"})
    heard = await stage.say(
        "Turn off everything in the hallway",
        Call("HassTurnOff", area="Hallway"),
        "The doors stay as they are.",
        who=AT_SATELLITE,
    )
    assert heard.effects
    assert heard.results[0].result.data["left_as_they_are"]
    assert heard.text == "The doors stay as they are."
