"""What ran is told once, with its cause; what did not is not told; what came of it is.

And undoing passes the same gate.
"""

from collections.abc import AsyncGenerator
from dataclasses import replace

from homeassistant.core import Event, HomeAssistant, callback
import pytest

from custom_components.lumo.const import EVENT_TOOL_CALLED
from custom_components.lumo.gate import verify

from .house import SATELLITE
from .stage import ANNA, AT_SATELLITE, AUTOMATION, BEN, Call, Line, Stage

FRONT = Call("HassTurnOff", name="Front door")
GARAGE = Call("HassTurnOn", name="Garage door")
LAMP = Call("HassTurnOff", name="Kitchen light")
UNDO = Call("undo")


@pytest.fixture
async def told(hass: HomeAssistant, stage: Stage) -> AsyncGenerator[list[Event]]:
    """Return the events that tell of calls."""
    events: list[Event] = []

    @callback
    def keep(event: Event) -> None:
        events.append(event)

    stop = hass.bus.async_listen(EVENT_TOOL_CALLED, keep)
    yield events
    stop()


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait for nothing that does not answer."""
    monkeypatch.setattr(verify, "PATIENCE", 0.05)


async def test_each_call_that_runs_is_told_once(
    stage: Stage, told: list[Event]
) -> None:
    """And no other: neither refused, nor asked about, nor unknown, nor failed to read."""
    await stage.say(
        "Make it cosy",
        [
            LAMP,
            FRONT,
            Call("HassUnlock", name="Front door"),
            Call("HassLightSet", name="Office light", brightness=900),
            Call("HassTurnOn", name="Office light"),
        ],
    )
    assert sorted(tuple(event.data["entity_ids"]) for event in told) == [
        ("light.kitchen",),
        ("light.office",),
    ]
    assert not any(event.data["confirmed"] for event in told)
    told.clear()
    await stage.say("No")
    assert told == []
    await stage.say("Make it cosy", FRONT, "Done.", who=AUTOMATION)
    assert told == []
    await stage.play(
        Line("Unlock the front door", [FRONT], asks="Front door", new=True)
    )
    assert told == []
    await stage.say("Yes", "Done.")
    (event,) = told
    assert event.data["confirmed"]
    assert event.data["entity_ids"] == ["lock.front_door"]
    assert event.data["agent_id"] == "conversation.lumo"
    assert event.data["conversation_id"] == stage.conversation_id


async def test_the_part_of_a_call_that_runs_is_told(
    stage: Stage, told: list[Event]
) -> None:
    """The rest when it does."""
    await stage.say(
        "Make it cosy",
        Call("HassTurnOn", area="Garage", domain=["light", "cover"]),
    )
    (event,) = told
    assert event.data["entity_ids"] == ["light.garage"]
    told.clear()
    await stage.say("Yes", "Done.")
    (event,) = told
    assert event.data["entity_ids"] == ["cover.garage_door"]


async def test_what_changes_has_the_context_of_its_event(
    hass: HomeAssistant, stage: Stage, told: list[Event]
) -> None:
    """Whose parent is the person's, so that Home Assistant shows both."""
    for call, entity_id in ((LAMP, "light.kitchen"), (FRONT, "lock.front_door")):
        told.clear()
        await stage.say("Make it cosy", call, "Done.")
        if not told:
            await stage.say("Yes", "Done.")
        (event,) = told
        state = hass.states.get(entity_id)
        assert state is not None
        assert state.context.id == event.context.id
        assert state.context.user_id == event.context.user_id
        assert event.context.user_id is not None
        assert event.context.user_id == event.data["user_id"]
        assert event.context.parent_id is not None


async def test_who_spoke_is_told(stage: Stage, told: list[Event]) -> None:
    """As far as it is known."""
    for who in (ANNA, AT_SATELLITE, AUTOMATION, replace(ANNA, satellite=SATELLITE)):
        stage.fresh()
        told.clear()
        await stage.say("Make it cosy", LAMP, "Done.", who=who)
        (event,) = told
        assert (event.data["user_id"] is None) == (who.user is None)
        assert event.data["satellite_id"] == who.satellite


async def test_words_are_not_told(stage: Stage, told: list[Event]) -> None:
    """Others can read the event."""
    await stage.say("Make it cosy, my darling", LAMP, "Done.")
    assert "sentence" not in told[0].data
    assert "darling" not in str(told[0].as_dict())


@pytest.mark.usefixtures("hasty")
async def test_a_lamp_that_does_not_answer_is_said(stage: Stage) -> None:
    """By its name; one that does is not."""
    stage.house.entity("light.office").stuck = True
    both = [LAMP, Call("HassTurnOff", name="Office light")]
    heard = await stage.say("Turn off the lights", both, "They are off.")
    assert "No answer from Office light yet" in heard.text
    assert "Kitchen light" not in heard.text
    assert any("no_answer_yet" in result.result.data for result in heard.results)


@pytest.mark.usefixtures("hasty")
async def test_a_lock_that_is_jammed_is_not_done(stage: Stage) -> None:
    """Also after a yes."""
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
            "Close the garage",
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
    """So it is asked about; the other way round it is not."""
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
        Line("Make it dark", [LAMP, "Done."], does=["turn_off light.kitchen"]),
    )
    heard = await stage.say(
        "Undo that",
        Call("undo", entity_ids=["lock.front_door", "cover.garage_door"]),
        Call("undo", entity_ids=["lock.front_door"], state="unlocked"),
        "Done.",
    )
    assert set(heard.effects) <= {"turn_on light.kitchen"}
