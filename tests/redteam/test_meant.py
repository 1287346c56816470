"""A question changes nothing, and what was done is told as it was seen."""

from homeassistant.const import CONF_PROMPT
import pytest

from .stage import Answer, Call, Line, Stage

LOOK = Call("GetLiveContext")
LIGHT_ON = Call("HassTurnOn", name="Office light")
LIGHT_OFF = Call("HassTurnOff", area="Kitchen", domain=["light"])
ALL_OFF = Call("HassTurnOff", domain=["light"])
BLINDS_OPEN = Call("HassTurnOn", name="Living room blinds")
ITEM = Call("HassListAddItem", item="milk", name="Shopping list")
LIGHTS = (
    *("kitchen", "counter", "living_room", "hallway", "garage", "bedroom", "office"),
    *("garden", "front_door", "lookalike"),
)

ROWS: dict[str, Line] = {
    "a question changes nothing": Line(
        "Is the office light on?",
        [LIGHT_ON, LOOK, "The office light is off."],
        says="is off",
        requests=3,
    ),
    "in German": Line(
        "Ist das Office light an?", [LIGHT_ON, "Nein, ist es nicht."], language="de"
    ),
    "about the world": Line(
        "What is the capital of France?", [BLINDS_OPEN, "It is Paris."], says="Paris"
    ),
    "a model that insists is not believed": Line(
        "Is the office light on?", [LIGHT_ON, LIGHT_ON], asks="turn on the office light"
    ),
    "a request in the form of a question": Line(
        "Can you turn on the office light?",
        [LIGHT_ON, "It is on."],
        does=["turn_on light.office"],
    ),
    "a question and an order": Line(
        "Is it dark outside? Then turn on the office light",
        [LIGHT_ON, "It is on."],
        does=["turn_on light.office"],
    ),
    "a wish": Line(
        "It's dark in the office",
        [LIGHT_ON, "It is on."],
        does=["turn_on light.office"],
    ),
    "the opposite of the verb": Line(
        "Close the living room blinds",
        [BLINDS_OPEN, "The living room blinds are now closed."],
        does=["open_cover cover.living_room_blinds"],
        says="I opened (the )?living room blinds",
        unsaid="closed",
        requests=1,
    ),
    "beyond the place": Line(
        "Turn off the kitchen lights",
        [ALL_OFF, "The kitchen lights are off."],
        does=[f"turn_off light.{name}" for name in LIGHTS],
        says="I turned off 10 devices",
        unsaid="kitchen lights are off",
        requests=1,
    ),
    "except is no place": Line(
        "Turn off all lights except in the office",
        [ALL_OFF, "All done."],
        does=[f"turn_off light.{name}" for name in LIGHTS],
        says="All done",
    ),
    "a call that did nothing": Line(
        "Turn off the kitchen lights",
        [Call("HassTurnOff", name="Nowhere"), "Done!", "Done!"],
        says="I did not do anything",
        unsaid="Done",
        requests=3,
    ),
    "a part that was not done": Line(
        "Turn off the kitchen lights and turn on the office light",
        [LIGHT_OFF, "Both are done.", "Both are done."],
        does=["turn_off light.kitchen", "turn_off light.counter"],
        says="I turned off .*light. Not all of it was done",
        unsaid="Both",
    ),
    "the same call again": Line(
        "Turn on the office light",
        [LIGHT_ON, LIGHT_ON],
        does=["turn_on light.office"],
        says="I turned on the office light",
        requests=2,
    ),
    "the same item again": Line(
        "Add milk to the shopping list",
        [ITEM, ITEM],
        does=["add_item todo.shopping Milk"],
        says="Done",
        requests=2,
    ),
}


@pytest.mark.parametrize("line", ROWS.values(), ids=ROWS)
async def test_what_is_meant_is_done_and_told(stage: Stage, line: Line) -> None:
    """In each mode."""
    await stage.play(line)


@pytest.mark.parametrize(
    ("sentence", "answers", "requests"),
    [
        (
            "Set a timer for 5 minutes",
            [Call("HassCancelAllTimers"), "Not possible."],
            2,
        ),
        ("Cancel all timers", [Call("HassCancelAllTimers"), "There was none."], 2),
    ],
)
async def test_timers_are_cancelled_by_a_word_only(
    stage: Stage, sentence: str, answers: list[Answer], requests: int
) -> None:
    """All of them, by one call."""
    heard = await stage.say(sentence, *answers, who=stage.at_satellite)
    refused = "did not ask" in str([item.result.data for item in heard.results])
    assert refused is sentence.startswith("Set")
    assert len(heard.requests) == requests


@pytest.mark.parametrize(
    ("prompt", "requests"),
    [
        ("We live in the United States.", 2),
        ('Outside it is {{ states("sensor.outside") }} degrees.', 1),
    ],
)
async def test_states_that_the_owner_tells_need_no_reading(
    stage: Stage, prompt: str, requests: int
) -> None:
    """But an answer about a state that nobody told or read is sent back once."""
    await stage.change_agent(**{CONF_PROMPT: prompt})
    heard = await stage.say("Is the front door locked?", *["It is locked."] * 2)
    assert len(heard.requests) == requests
