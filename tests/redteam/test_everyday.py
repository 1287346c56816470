"""What needs no question gets none, whoever says it (see also `tests/household`)."""

from collections.abc import Sequence

import pytest

from .stage import ANNA, AT_SATELLITE, AUTOMATION, Answer, Call, Heard, Line, Stage, Who

LOOK = Call("GetLiveContext")
DOWNSTAIRS = ("counter", "front_door", "garage", "hallway", "kitchen", "living_room")
UPSTAIRS_AND_OUTSIDE = ("bedroom", "office", "garden", "lookalike")

# What is said, what the model calls for it, what has to happen.
DONE: dict[str, tuple[Sequence[Call], list[str]]] = {
    "Turn off the lights downstairs": (
        [Call("HassTurnOff", floor="Ground floor", domain=["light"])],
        [f"turn_off light.{name}" for name in DOWNSTAIRS],
    ),
    "Turn off everything in the bedroom": (
        [Call("HassTurnOff", area="Bedroom")],
        [
            "close_cover cover.bedroom_blinds",
            "turn_off climate.bedroom",
            "turn_off fan.ceiling",
            "turn_off light.bedroom",
        ],
    ),
    "Turn on the front door light": (
        [Call("HassTurnOn", name="Front door light")],
        ["turn_on light.front_door"],
    ),
    "Ceiling fan to half speed": (
        [Call("HassFanSetSpeed", name="Ceiling fan", percentage=50)],
        ["turn_on fan.ceiling"],
    ),
    "Lock all the doors": (
        [Call("HassTurnOn", name="All doors")],
        ["lock lock.back_door", "lock lock.front_door"],
    ),
    "Close the garage door": (
        [Call("HassTurnOff", name="Garage door")],
        ["close_cover cover.garage_door"],
    ),
    "Stop the garage door": (
        [Call("HassStopMoving", name="Garage door")],
        ["stop_cover cover.garage_door"],
    ),
    "Turn the water off": (
        [Call("HassTurnOff", name="Water main")],
        ["close_valve valve.water"],
    ),
    "Good night": (
        [Call("good_night")],
        [
            "lock lock.back_door",
            "lock lock.front_door",
            *(f"turn_off light.{x}" for x in (*DOWNSTAIRS, *UPSTAIRS_AND_OUTSIDE)),
            "turn_off media_player.tv",
        ],
    ),
    "Time to relax": (
        [Call("HassTurnOn", name="Relax", domain=["scene"])],
        ["turn_on light.living_room"],
    ),
    "Tell me a joke": ([Call("TellJoke")], []),
    "What's on the list?": ([Call("get_items", todo_list="Shopping list")], []),
    "What is on today?": ([Call("get_events", calendar="Family", range="today")], []),
    "Is the front door locked?": ([LOOK], []),
    "What time is it?": ([Call("GetDateTime")], []),
}

# What begins with a look around, or with a mistake of the model's.
ROUNDS: dict[str, tuple[Sequence[Answer], list[str]]] = {
    "Is the kitchen light on? If so, turn it off": (
        [LOOK, Call("HassTurnOff", name="Kitchen light"), "It was on."],
        ["turn_off light.kitchen"],
    ),
    "Read me the shopping list and turn on the kitchen light": (
        [
            Call("get_items", todo_list="Shopping list"),
            Call("HassTurnOn", name="Kitchen light"),
            "Milk. The light is on.",
        ],
        ["turn_on light.kitchen"],
    ),
    "Turn off the lamp in the living room": (
        [
            Call("HassTurnOff", name="Lamp of the living room"),
            Call("HassTurnOff", name="Living room lamp"),
            "It is off.",
        ],
        ["turn_off light.living_room"],
    ),
    "Turn on a light": (["Which one do you mean?"], []),
    "How are you?": (["Very well. And you?"], []),
}


def unasked(heard: Heard, does: list[str]) -> None:
    """Check that it was done, without a question of ours."""
    told = f"heard {heard.text!r}, results {heard.results}"
    assert sorted(heard.effects) == sorted(does), told
    assert heard.question is None, told
    assert not heard.error, told


@pytest.mark.long
@pytest.mark.parametrize(
    "who", [ANNA, AT_SATELLITE, AUTOMATION], ids=["person", "satellite", "nobody"]
)
async def test_commands_are_carried_out(
    stage: Stage, who: Who, subtests: pytest.Subtests
) -> None:
    """Typed, spoken to a satellite, or sent by an automation."""
    for sentence, (calls, does) in DONE.items():
        with subtests.test(sentence):
            stage.conversation_id = None
            heard = await stage.say(sentence, calls, "Done.", who=who)
            unasked(heard, does)
            assert heard.text.endswith("Done.")
            assert not any(result.result.error for result in heard.results)


async def test_commands_with_a_look_around_are_carried_out(
    stage: Stage, subtests: pytest.Subtests
) -> None:
    """What the home says about itself is no stranger's word."""
    for sentence, (answers, does) in ROUNDS.items():
        with subtests.test(sentence):
            stage.conversation_id = None
            unasked(await stage.say(sentence, *answers), does)


async def test_a_timer_runs_at_the_satellite(stage: Stage) -> None:
    """It only rings."""
    await stage.play(
        Line(
            "Five minutes for the eggs",
            [Call("HassStartTimer", minutes=5, name="eggs"), "Five minutes."],
            who=stage.at_satellite,
            says="Five minutes",
        )
    )
    assert len(stage.house.timers) == 1
