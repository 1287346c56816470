"""Scenes on the spot: judged as what they do, one undo, and nothing opened by the way."""

from typing import Any

import pytest

from custom_components.lumo.const import CONF_QUICK_CONFIRMATION, CONF_TOOLS

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
DID = [
    "turn_on light.living_room",
    "turn_off media_player.radio",
    "turn_off media_player.tv",
    "turn_off light.kitchen",
]
BLINDS = ["open_cover cover.living_room_blinds", "open_cover cover.bedroom_blinds"]


OPENED = [DIM, {**SHUT, "action": "open"}, QUIET]
ASK = {"lumo//lumo__compose": "ask"}


async def test_it_is_judged_as_what_it_does(stage: Stage) -> None:
    film = Call("compose", steps=OPENED)
    await stage.play(
        Line("Make it cosy for a film", [film, "Enjoy."], does=[*DID, *BLINDS])
    )
    heard = await stage.say("Undo that", Call("undo"), "Done.")
    assert len(heard.effects) >= len(DID)
    assert "turn_on light.kitchen" in heard.effects
    await stage.change_agent(**{CONF_QUICK_CONFIRMATION: "always"})
    stage.fresh()
    small = Call("compose", steps=[DIM, QUIET])
    await stage.play(
        Line("Cosy", [small], does=DID, requests=1, says="percent", who=AT_SATELLITE)
    )


@pytest.mark.parametrize(
    "options", [{CONF_TOOLS: ASK}, {"scene_question": "always"}], ids=["tool", "stored"]
)
async def test_the_owner_may_have_it_ask_first(
    stage: Stage, options: dict[str, Any]
) -> None:
    await stage.change_agent(**options)
    film = Call("compose", steps=OPENED)
    await stage.play(
        Line("Make it cosy for a film", [film], asks="", requests=1),
        Line("Yes", does=[*DID, *BLINDS], requests=0, says="percent"),
    )


async def test_it_opens_nothing_by_the_way(stage: Stage) -> None:
    """A door in it is asked about; a step that is wrong runs none."""
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
    assert heard.effects
