"""Scenes on the spot: one question, one yes, one undo, and nothing opened by the way."""

from typing import Any

import pytest

from custom_components.lumo.const import (
    CONF_QUICK_CONFIRMATION,
    CONF_SCENE_QUESTION,
    SceneQuestion,
)

from .stage import AT_SATELLITE, AUTOMATION, Call, Line, Stage

DIM: dict[str, Any] = {
    "action": "set",
    "setting": "brightness",
    "to": 20,
    "name": "Living room lamp",
}
SHUT: dict[str, Any] = {"action": "close", "kind": "blind"}
QUIET: dict[str, Any] = {
    "action": "off",
    "name": ["Radio", "Television", "Kitchen light"],
}
FILM = Call("compose", steps=[DIM, SHUT, QUIET])
DID = [
    "turn_on light.living_room",
    "turn_off media_player.radio",
    "turn_off media_player.tv",
    "turn_off light.kitchen",
]
BLINDS = ["open_cover cover.living_room_blinds", "open_cover cover.bedroom_blinds"]


async def test_it_is_said_back_run_and_undone_as_one(stage: Stage) -> None:
    """With all that it would change, and no request for the yes."""
    film = Call("compose", steps=[DIM, {**SHUT, "action": "open"}, QUIET])
    await stage.play(
        Line(
            "Make it cosy for a film",
            [film],
            asks=["20 percent", "open the Living room blinds", "turn off", "Radio"],
            requests=1,
        ),
        Line("Yes", does=[*DID, *BLINDS], requests=0, says="percent"),
    )
    heard = await stage.say("Undo that", Call("undo"), "Done.")
    assert len(heard.effects) >= len(DID)
    assert "turn_on light.kitchen" in heard.effects


async def test_a_part_of_it_may_be_chosen(stage: Stage) -> None:
    """What there is no yes for is not done."""
    film = Call("compose", steps=[DIM, {**SHUT, "action": "open"}, QUIET])
    await stage.play(
        Line("Make it cosy", [film], asks="Radio"),
        Line("Only the kitchen light", [], does=["turn_off light.kitchen"]),
    )


async def test_the_owner_says_when_it_is_asked(stage: Stage) -> None:
    """Few things are not asked about, unless always; many, unless never."""
    small = Call("compose", steps=[DIM, QUIET])
    large = Call("compose", steps=[DIM, {**SHUT, "action": "open"}, QUIET])
    await stage.play(Line("Cosy", [small, "Enjoy."], does=DID))
    for choice, call, asks in (
        (SceneQuestion.ALWAYS, small, "Radio"),
        (SceneQuestion.NEVER, large, None),
    ):
        await stage.change_agent(**{CONF_SCENE_QUESTION: choice.value})
        stage.fresh()
        does = [] if asks else [*DID, *BLINDS]
        await stage.play(Line("Cosy", [call, "Enjoy."], does=does, asks=asks))
    await stage.change_agent(**{CONF_QUICK_CONFIRMATION: "always"})
    stage.fresh()
    await stage.play(
        Line("Cosy", [small], does=DID, requests=1, says="percent", who=AT_SATELLITE)
    )


@pytest.mark.parametrize("choice", [SceneQuestion.NEVER, SceneQuestion.MANY])
async def test_it_opens_nothing_by_the_way(stage: Stage, choice: SceneQuestion) -> None:
    """A door in it is asked about; a step that is wrong runs none."""
    await stage.change_agent(**{CONF_SCENE_QUESTION: choice.value})
    lock = {"action": "off", "name": "Front door"}
    await stage.play(
        Line(
            "Cosy",
            [Call("compose", steps=[DIM, lock])],
            does=["turn_on light.living_room"],
            asks="unlock the Front door",
            unasked="lamp",
        ),
        Line("No", requests=0),
        Line(
            "Cosy", [Call("compose", steps=[DIM, {"action": "open", "area": "Garage"}])]
        ),
        Line("Cosy", [Call("compose", steps=[DIM, {**QUIET, "except": "nobody"}])]),
    )
    stage.fresh()
    many = [DIM, lock, QUIET, {**SHUT, "action": "open"}]
    heard = await stage.say("Cosy", Call("compose", steps=many), "Ok.", who=AUTOMATION)
    assert not any("lock" in effect for effect in heard.effects)
    assert bool(heard.effects) is (choice is SceneQuestion.NEVER)
