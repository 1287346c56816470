"""Scenes on the spot: judged as what they do, one undo, and nothing opened by the way."""

from custom_components.lumo.const import CONF_QUICK_CONFIRMATION

from .stage import AT_SATELLITE, AUTOMATION, Call, Line, Stage

DIM = Call("set", setting="brightness", to=20, name="Living room lamp")
OPEN = Call("set", action="open", kind="blind")
QUIET = Call("set", action="off", name=["Radio", "Television", "Kitchen light"])
LOCK = Call("set", action="off", name="Front door")
DID = [
    "turn_on light.living_room",
    "turn_off media_player.radio",
    "turn_off media_player.tv",
    "turn_off light.kitchen",
]
BLINDS = ["open_cover cover.living_room_blinds", "open_cover cover.bedroom_blinds"]


async def test_it_is_judged_as_what_it_does(stage: Stage) -> None:
    film = [DIM, OPEN, QUIET]
    await stage.play(
        Line("Make it cosy for a film", [film, "Enjoy."], does=[*DID, *BLINDS])
    )
    heard = await stage.say("Undo that", Call("undo"), "Done.")
    assert len(heard.effects) >= len(DID)
    assert "turn_on light.kitchen" in heard.effects
    await stage.change_agent(**{CONF_QUICK_CONFIRMATION: "always"})
    stage.fresh()
    await stage.play(
        Line(
            "Cosy",
            [[DIM, QUIET]],
            does=DID,
            requests=1,
            says="percent",
            who=AT_SATELLITE,
        )
    )


async def test_it_opens_nothing_by_the_way(stage: Stage) -> None:
    """A door in it is asked about."""
    await stage.play(
        Line(
            "Cosy",
            [[DIM, LOCK]],
            does=["turn_on light.living_room"],
            asks="unlock the Front door",
            unasked="lamp",
        ),
        Line("No", requests=0),
    )
    stage.fresh()
    heard = await stage.say("Cosy", [DIM, LOCK, QUIET, OPEN], "Ok.", who=AUTOMATION)
    assert not any("lock" in effect for effect in heard.effects)
    assert heard.effects
