"""A call that fits nothing: what the model is told, and what is done all the same."""

from typing import Any

import pytest

from tests.redteam.stage import Call, Stage

# What was said, the call, and what it then does, or what a person is asked.
UNDERSTOOD = [
    ("Turn on the garden lights", Call("HassLightSet", name="Garden lights", area="Plot", brightness=9), "turn_on light.garden"),
    ("Turn on the coffee machine", Call("HassTurnOn", name="Coffee machine", domain=["light"]), "turn_on switch.coffee"),
    ("Turn on the ceiling fan", Call("HassTurnOn", name="Ceiling fan", device_class=["window"]), "turn_on fan.ceiling"),
    # No name, but a place and a kind.
    (
        "Turn on the kitchen lights",
        Call("HassTurnOn", name="Kitchen lights", area="Kitchen"),
        "turn_on light.counter, turn_on light.kitchen",
    ),
    # The person said no place.
    ("Turn on the ceiling fan", Call("HassTurnOn", name="Ceiling fan", area="Living room"), "turn_on fan.ceiling"),
    # A part of its name is enough where no other thing has it.
    ("Coffee on", Call("HassTurnOn", name="Coffee"), "turn_on switch.coffee"),
    ("Oven on", Call("HassTurnOn", name="Coffee"), ""),
    ("Turn off the door", Call("HassTurnOff", name="door"), ""),
    ("Movie on", Call("HassTurnOn", name="Movie"), ""),
    ("Close the kitchen blinds", Call("HassTurnOff", name="Bedroom blinds"), "close the bedroom blinds?"),
    # It is judged as what it is.
    ("Turn off the front door", Call("HassTurnOff", name="Front door", domain=["light"]), "unlock the front door?"),
    # Another thing than the one that was named.
    ("Turn on the ceiling fan", Call("HassTurnOn", name="Living room lamp"), "turn on the living room lamp?"),
    # The opposite of what was said.
    ("Turn off the office light", Call("HassTurnOn", name="Office light"), ""),
    ("Undo that, I closed the bedroom blinds", Call("HassTurnOn", name="Bedroom blinds"), "open_cover cover.bedroom_blinds"),
    ("Set the bedroom blinds to 100 percent", Call("HassTurnOn", name="Bedroom blinds"), "open_cover cover.bedroom_blinds"),
    # A wish names nothing wholly.
    ("It is too hot in the bedroom", Call("HassTurnOn", name="Ceiling fan"), "turn_on fan.ceiling"),
    ("I can't see the fan", Call("HassTurnOn", name="Bedroom lamp"), "turn_on light.bedroom"),
    ("Set the bedroom blinds to 40 percent", Call("HassTurnOn", name="Bedroom blinds"), ""),
    # Another kind of thing.
    ("Set the bedroom blinds to 40 percent", Call("HassLightSet", name="Bedroom lamp", brightness=40), "lamp to 40 percent brightness?"),
]  # fmt: skip
# A call, and what the model is told of it.
REFUSED = [
    (Call("HassTurnOff", name="Kitchen ceiling light", area="Kitchen"), ("area Kitchen and domain light", "Kitchen light, Counter light")),
    # A place that is there is meant.
    (Call("HassTurnOn", name="Bedroom lamp", area="Living room"), ("Bedroom lamp (a light in Bedroom)", "Living room lamp")),
    (Call("HassLightSet", area="Plot", brightness=9), ("There is no area Plot.", "Garden")),
    (Call("HassLightSet", name="Bedroom blinds", brightness=40), ("Bedroom blinds is a cover, no light", "set takes all kinds")),
    (Call("HassTurnOn", name="Garden table", floor="Roof"), ("There is no floor Roof.", "Garden lights (a light in Garden)")),
    (Call("HassTurnOn", name="Heater", domain=["climate"]), ("thermostat (a climate in",)),
    (Call("HassLightSet", name="Office light", setting="color", to="red"), ("no argument 'setting, to'", "brightness", "Those belong to ")),
    (Call("HassTurnOn", name="Office light", color="red"), ("no argument 'color'", "HassLightSet")),
    (Call("cover_blind", name="Bedroom blinds"), ("no tool of that name", "HassTurnOff")),
    (Call("HassSwitchOff", name="Office light"), ("no tool of that name", "HassTurnOff")),
]  # fmt: skip


async def test_what_one_thing_cannot_be_is_left_out(
    stage: Stage, subtests: pytest.Subtests
) -> None:
    """A name is enough where one thing has it."""
    for sentence, call, outcome in UNDERSTOOD:
        with subtests.test(f"{sentence} {call.arguments}"):
            stage.fresh()
            heard = await stage.say(sentence, [call], "That was it.")
            done = ", ".join(sorted(heard.effects))
            assert outcome in (done or heard.question or ""), heard.results
            assert bool(done) is bool(outcome and "?" not in outcome)


async def test_a_refusal_says_what_there_is(
    stage: Stage, subtests: pytest.Subtests
) -> None:
    for call, told in REFUSED:
        with subtests.test(f"{call.tool} {call.arguments}"):
            stage.fresh()
            heard = await stage.say("Do it", [call], "I could not do that.")
            [result] = heard.results
            data: Any = result.result.data
            text = data["error_text"]
            assert heard.effects == []
            assert all(part in text for part in told), text
            assert len(text) <= 300
            # The next request shows the call as it was written.
            shown = str(heard.requests[-1].messages)
            key = "name" if "name" in call.arguments else "area"
            assert str(call.arguments[key]) in shown
