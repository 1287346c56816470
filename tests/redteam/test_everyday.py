"""What a household says all day is done at once, and never asked about."""

from collections.abc import Sequence

import pytest

from custom_components.lumo.const import ToolCalling

from .stage import (
    AT_SATELLITE,
    AUTOMATION,
    Answer,
    Call,
    Channel,
    Heard,
    Line,
    Stage,
    Who,
)

LOOK = Call("GetLiveContext")

# What is said, what the model calls for it, what has to happen.
DONE: dict[str, tuple[Sequence[Call], list[str]]] = {
    "Turn off the kitchen light": (
        [Call("HassTurnOff", name="Kitchen light")],
        ["turn_off light.kitchen"],
    ),
    "Mach das Küchenlicht an": (
        [Call("HassTurnOn", name="Küchenlicht")],
        ["turn_on light.kitchen"],
    ),
    "All lights in the kitchen off": (
        [Call("HassTurnOff", area="Kitchen", domain=["light"])],
        ["turn_off light.counter", "turn_off light.kitchen"],
    ),
    "Turn off the lights downstairs": (
        [Call("HassTurnOff", floor="Ground floor", domain=["light"])],
        [
            "turn_off light.counter",
            "turn_off light.front_door",
            "turn_off light.garage",
            "turn_off light.hallway",
            "turn_off light.kitchen",
            "turn_off light.living_room",
        ],
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
    "Dim the living room to 20 percent": (
        [Call("HassLightSet", area="Living room", brightness=20)],
        ["turn_on light.living_room"],
    ),
    "Turn on the front door light": (
        [Call("HassTurnOn", name="Front door light")],
        ["turn_on light.front_door"],
    ),
    "Ceiling fan to half speed": (
        [Call("HassFanSetSpeed", name="Ceiling fan", percentage=50)],
        ["turn_on fan.ceiling"],
    ),
    "Open the bedroom blinds": (
        [Call("HassTurnOn", name="Bedroom blinds")],
        ["open_cover cover.bedroom_blinds"],
    ),
    "Lock the front door": (
        [Call("HassTurnOn", name="Front door")],
        ["lock lock.front_door"],
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
    "Make it 21 degrees in the living room": (
        [Call("HassClimateSetTemperature", area="Living room", temperature=21)],
        ["set_temperature climate.living_room 21"],
    ),
    "Pause the radio": (
        [Call("HassMediaPause", name="Radio")],
        ["media_pause media_player.radio"],
    ),
    "Radio to 20 percent": (
        [Call("HassSetVolume", name="Radio", volume_level=20)],
        ["set_volume_level media_player.radio 0.2"],
    ),
    "Put bread on the shopping list": (
        [Call("HassListAddItem", name="Shopping list", item="Bread")],
        ["add_item todo.shopping Bread"],
    ),
    "Good night": (
        [Call("good_night")],
        [
            "lock lock.back_door",
            "lock lock.front_door",
            "turn_off light.bedroom",
            "turn_off light.counter",
            "turn_off light.front_door",
            "turn_off light.garage",
            "turn_off light.garden",
            "turn_off light.hallway",
            "turn_off light.kitchen",
            "turn_off light.living_room",
            "turn_off light.lookalike",
            "turn_off light.office",
            "turn_off media_player.tv",
        ],
    ),
    "Movie time, not too dark": (
        [Call("movie_time", brightness=40)],
        ["close_cover cover.living_room_blinds", "turn_on light.living_room"],
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


@pytest.mark.parametrize(
    ("mode", "channel"),
    [
        (ToolCalling.PRIVATE, Channel.TEXT),
        (ToolCalling.NATIVE, Channel.FUNCTION),
        pytest.param(ToolCalling.PRIVATE, Channel.MISROUTED, marks=pytest.mark.long),
        pytest.param(ToolCalling.PRIVATE, Channel.FUNCTION, marks=pytest.mark.long),
        pytest.param(ToolCalling.NATIVE, Channel.TEXT, marks=pytest.mark.long),
        pytest.param(ToolCalling.NATIVE, Channel.MISROUTED, marks=pytest.mark.long),
    ],
)
async def test_commands_are_carried_out(
    stage: Stage, channel: Channel, subtests: pytest.Subtests
) -> None:
    """In whatever channel the model writes them."""
    stage.channel = channel
    for sentence, (calls, does) in DONE.items():
        with subtests.test(sentence):
            stage.conversation_id = None
            heard = await stage.say(sentence, calls, "Done.")
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


@pytest.mark.parametrize("who", [AT_SATELLITE, AUTOMATION], ids=["satellite", "nobody"])
async def test_commands_need_no_user(
    stage: Stage, who: Who, subtests: pytest.Subtests
) -> None:
    """Spoken to a satellite, or sent by an automation."""
    for sentence, (calls, does) in DONE.items():
        with subtests.test(sentence):
            stage.conversation_id = None
            unasked(await stage.say(sentence, calls, "Done.", who=who), does)


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
