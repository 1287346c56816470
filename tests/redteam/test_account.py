"""What ran is told once, with its cause; what did not is not told; what came of it is.

And undoing passes the same gate.
"""

from dataclasses import replace

import pytest

from custom_components.lumo.gate import verify

from .house import SATELLITE
from .stage import ANNA, AT_SATELLITE, AUTOMATION, BEN, Call, Line, Stage

FRONT = Call("HassTurnOff", name="Front door")
GARAGE = Call("HassTurnOn", name="Garage door")
LAMP = Call("HassTurnOff", name="Kitchen light")
UNDO = Call("undo")


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait for nothing that does not answer."""
    monkeypatch.setattr(verify, "PATIENCE", 0.05)


async def test_each_call_that_runs_is_told_once(stage: Stage) -> None:
    heard = await stage.say(
        "Make it cosy",
        [
            LAMP,
            FRONT,
            Call("HassUnlock", name="Front door"),
            Call("HassLightSet", name="Office light", brightness=900),
            Call("HassTurnOn", name="Office light"),
        ],
    )
    ids = [tuple(event["entity_ids"]) for event in heard.events]
    assert sorted(ids) == [("light.kitchen",), ("light.office",)]
    assert not any(event["confirmed"] for event in heard.events)
    assert (await stage.say("No")).events == []
    heard = await stage.say("Make it cosy", FRONT, "Done.", who=AUTOMATION)
    assert heard.events == []
    heard = await stage.say("Unlock the front door", FRONT)
    assert heard.events == []
    [event] = (await stage.say("Yes", "Done.")).events
    assert event["confirmed"]
    assert event["entity_ids"] == ["lock.front_door"]
    assert event["agent_id"] == "conversation.lumo"
    assert event["conversation_id"] == stage.conversation_id


async def test_the_part_of_a_call_that_runs_is_told(stage: Stage) -> None:
    """The rest when it does."""
    call = Call("HassTurnOn", area="Garage", domain=["light", "cover"])
    [event] = (await stage.say("Make it cosy", call)).events
    assert event["entity_ids"] == ["light.garage"]
    [event] = (await stage.say("Yes", "Done.")).events
    assert event["entity_ids"] == ["cover.garage_door"]


async def test_who_spoke_is_told_and_not_what_was_said(stage: Stage) -> None:
    for who in (ANNA, AT_SATELLITE, AUTOMATION, replace(ANNA, satellite=SATELLITE)):
        stage.fresh()
        heard = await stage.say("Make it cosy, my darling", LAMP, "Done.", who=who)
        [event] = heard.events
        assert (event["user_id"] is None) == (who.user is None)
        assert event["satellite_id"] == who.satellite
        assert "darling" not in str(event)


@pytest.mark.usefixtures("hasty")
async def test_a_lamp_that_does_not_answer_is_said(stage: Stage) -> None:
    stage.house.entity("light.office").stuck = True
    both = [LAMP, Call("HassTurnOff", name="Office light")]
    heard = await stage.say("Turn off the lights", both, "They are off.")
    told = "I turned off the kitchen light. | No answer from Office light yet."
    assert heard.text == told
    assert any("no_answer_yet" in result.result.data for result in heard.results)
    assert "no_answer_yet" in str(heard.requests[-1].messages)
    # It answers later; then Lumo knows.
    stage.house.entity("light.office").stuck = False
    stage.house.entity("light.office").did("turn_off", is_on=False)
    again = await stage.say("Hello", "Hello.")
    assert "no_answer_yet" not in str(again.requests[0].messages)


@pytest.mark.usefixtures("hasty")
async def test_a_lock_that_is_jammed_is_not_done(stage: Stage) -> None:
    lock = stage.house.entity("lock.front_door")
    for stuck, state in ((True, None), (False, "jammed")):
        stage.fresh()
        await stage.play(Line("Unlock the front door", [FRONT], asks="Front door"))
        lock.stuck = stuck
        lock.jams = state is not None
        heard = await stage.say("Yes", "Hm.")
        assert heard.effects == ["unlock lock.front_door"]
        assert "Done" not in heard.text
        if stuck:
            assert "No answer from Front door yet" in heard.text
        else:
            assert "jammed" in str(heard.results[0].result.data)
    lock.jams = False


CLOSE_GARAGE = Call("HassTurnOff", name="Garage door")


async def test_undoing_passes_the_gate(stage: Stage) -> None:
    """Undoing that the garage was closed is to open it."""
    stage.house.entity("cover.garage_door").did(
        "open", current_cover_position=100, is_closed=False
    )
    await stage.play(
        Line(
            "Close the garage and turn off the kitchen light",
            [[CLOSE_GARAGE, LAMP], "Done."],
            does=["close_cover cover.garage_door", "turn_off light.kitchen"],
        ),
        Line(
            "Undo that",
            [UNDO, "Done."],
            does=["turn_on light.kitchen"],
            asks="Garage door",
            unasked="Kitchen",
        ),
        Line("Yes", ["Done."], does=["set_cover_position cover.garage_door 100"]),
    )


async def test_undoing_a_lock_unlocks_it(stage: Stage) -> None:
    lock = Call("HassTurnOn", name="Front door")
    stage.house.entity("lock.front_door").did("unlocked", is_locked=False)
    await stage.play(
        Line("Lock the front door", [lock, "Done."], does=["lock lock.front_door"]),
        Line("Undo that", [UNDO], asks="Front door"),
        Line("No", requests=0),
        Line("Hello", [UNDO, "Hi."]),
    )
    stage.fresh()
    await stage.play(
        Line("Unlock the front door", [FRONT], asks="Front door"),
        Line("Yes", ["Done."], does=["unlock lock.front_door"]),
        Line("Undo that", [UNDO, "Done."], does=["lock lock.front_door"]),
    )


async def test_undoing_is_of_one_conversation(
    stage: Stage, subtests: pytest.Subtests
) -> None:
    """Another has nothing to undo, nor has one after a restart."""
    close = Line(
        "Close the garage",
        [CLOSE_GARAGE, "Done."],
        does=["close_cover cover.garage_door"],
    )
    for name in ("another conversation", "another user", "nobody", "restart"):
        with subtests.test(name):
            stage.fresh()
            stage.house.entity("cover.garage_door").did(
                "open", current_cover_position=100, is_closed=False
            )
            await stage.play(close)
            conversation_id = stage.conversation_id
            who = {"another user": BEN, "nobody": AUTOMATION}.get(name, ANNA)
            if name == "another conversation":
                stage.conversation_id = None
            if name == "restart":
                await stage.restart()
            heard = await stage.say("Undo that", UNDO, UNDO, "Done.", who=who)
            assert heard.effects == []
            stage.conversation_id = conversation_id


async def test_undo_takes_no_orders(stage: Stage) -> None:
    """It restores what was changed, whatever the model writes beside it."""
    await stage.play(
        Line("Make it dark", [LAMP, "Done."], does=["turn_off light.kitchen"])
    )
    heard = await stage.say(
        "Undo that",
        Call("undo", entity_ids=["lock.front_door", "cover.garage_door"]),
        Call("undo", entity_ids=["lock.front_door"], state="unlocked"),
        "Done.",
    )
    assert set(heard.effects) <= {"turn_on light.kitchen"}
