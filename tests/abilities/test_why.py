"""Who asks why hears what is theirs to hear, and what really happened."""

from typing import Any

from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
import pytest

from custom_components.lumo.const import Permission
from custom_components.lumo.gate import verify
from tests.redteam.stage import (
    ANNA,
    AT_SATELLITE,
    AUTOMATION,
    BEN,
    CLAIMING,
    Call,
    Line,
    Stage,
    Who,
)

OFFICE = Call("HassTurnOn", name="Office light")
FRONT = Call("HassTurnOff", name="Front door")
LIT = ["turn_on light.office"]


async def why(stage: Stage, who: Who = ANNA, **arguments: Any) -> dict[str, Any]:
    """Ask why; return what the model is told."""
    heard = await stage.say(
        "Why did you do that?", Call("why", **arguments), "So.", who=who
    )
    [result] = heard.results
    assert not heard.question
    return dict(result.result.data)


async def latest(stage: Stage, who: Who = ANNA, **arguments: Any) -> str:
    """Return what is told of the latest call, without its time."""
    told = (await why(stage, who, **arguments))["latest_first"][0]
    return str(told).split(", ", 3)[3]


async def test_what_came_of_each_call(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, subtests: pytest.Subtests
) -> None:
    """Of what was done, asked about, refused, and what did not answer."""
    monkeypatch.setattr(verify, "PATIENCE", 0.1)
    lamp = {"entity_id": "light.living_room"}
    await stage.hass.services.async_call("light", "turn_off", lamp, blocking=True)
    await stage.permit(Permission.ASK, "HassListAddItem")
    milk = Call("HassListAddItem", item="Secret milk", name="Shopping list")
    # A sentence, the call, a yes or no to the question, and what is told of the latest.
    for sentence, call, answer, told in (
        ("Office on", OFFICE, "", "done: turn on Office light."),
        ("Relax", Call("HassTurnOn", name="Relax"), "", "done: turn on Relax."),
        ("Unlock", FRONT, "", "asked first (unlock Front door): no answer came."),
        ("Open", FRONT, "No", "asked first (unlock Front door): the answer was no."),
        ("Unlock", FRONT, "Yes", "done after a yes: unlock Front door."),
        (
            "Warm",
            Call(
                "HassClimateSetTemperature", name="Bedroom thermostat", temperature=21
            ),
            "",
            "done: set temperature to 21 Bedroom thermostat.",
        ),
        (
            "Buy it",
            milk,
            "No",
            "asked first (use Add to-do list item): the answer was no.",
        ),
        ("On", Call("HassTurnOn", name="Nothing"), "", "turn on; failed: "),
        ("Garden", Call("HassTurnOff", name="Garden lights"), "", "done: turn off Gar"),
    ):
        with subtests.test(sentence):
            stage.conversation_id = None
            if sentence == "Garden":
                stage.house.entity("light.garden").stuck = True
            await stage.say(sentence, call, "Done.")
            if answer:
                await stage.say(answer, "Done.")
            said = answer if answer == "Yes" else sentence
            stage.conversation_id = None
            assert (await latest(stage)).startswith(
                f"the person who asks said “{said}”: {told}"
            )
    assert "no answer from Garden lights" in await latest(stage)
    assert (await latest(stage, name="scene.relax")).endswith("done: turn on Relax.")
    # The scene has reached it.
    data = await why(stage, name="living room lamp")
    assert data["latest_first"][0].endswith("done: turn on Relax.")
    data = await why(stage, name="Bedroom lamp")
    assert data["latest_first"] == ["Lumo did nothing with that."]
    stage.conversation_id = None
    await stage.say("Open it", FRONT, who=AUTOMATION)
    stage.conversation_id = None
    assert "nobody was there to be asked" in await latest(stage, name="front door")
    # Gone with the account.
    await stage.restart()
    assert (await why(stage))["latest_first"] == ["Lumo did nothing."]


async def test_what_was_said_is_told_to_who_said_it(stage: Stage) -> None:
    """To others: who, where, and what was done; a name only of a person exposed."""
    kitchen = stage.at_satellite
    # Who spoke, who asks, and how the answer begins.
    for who, asks, told in (
        (ANNA, ANNA, "the person who asks said “My secret”: "),
        (ANNA, BEN, "somebody: "),
        (ANNA, kitchen, "somebody: "),
        (kitchen, kitchen, "the person who asks, in the Kitchen, said “My secret”: "),
        (kitchen, ANNA, "somebody, in the Kitchen: "),
        (AUTOMATION, AUTOMATION, "an automation or a script: "),
        (AUTOMATION, ANNA, "an automation or a script: "),
        # Who signs in may claim to be any satellite.
        (kitchen, Who("ben", AT_SATELLITE.satellite), "somebody, in the Kitchen: "),
        (CLAIMING, CLAIMING, "an automation or a script: "),
    ):
        stage.conversation_id = None
        await stage.say("My secret", OFFICE, "Done.", who=who)
        stage.conversation_id = None
        assert (await latest(stage, asks)) == f"{told}done: turn on Office light."
    anna = next(
        user.id
        for user in await stage.hass.auth.async_get_users()
        if user.name == "Anna"
    )
    stage.hass.states.async_set(
        "person.anna", "home", {"friendly_name": "Anna B", "user_id": anna}
    )
    for exposed in (False, True):
        async_expose_entity(stage.hass, "conversation", "person.anna", exposed)
        stage.conversation_id = None
        await stage.say("My secret", OFFICE, "Done.")
        stage.conversation_id = None
        who_it_was = "Anna B" if exposed else "somebody"
        assert await latest(stage, BEN) == f"{who_it_was}: done: turn on Office light."


async def test_what_somebody_was_asked_is_told_to_nobody_else(stage: Stage) -> None:
    """They hear that there was a question, and what the answer was."""
    await stage.play(Line("Open", [FRONT], asks="Front door"), Line("No", requests=0))
    for who, asked in ((ANNA, " (unlock Front door)"), (BEN, "")):
        stage.conversation_id = None
        told = await latest(stage, who)
        assert told.endswith(f"asked first{asked}: the answer was no.")


async def test_asking_why_changes_nothing(stage: Stage) -> None:
    """What was told can be done again, and no door is opened by it."""
    await stage.play(
        Line("Office light on", [OFFICE, "Done."], does=LIT),
        Line("Tell me the reason", [Call("why"), OFFICE, "Done."], does=LIT),
        Line("Unlock the front door", [FRONT], asks="Front door"),
        Line("No", requests=0),
        Line("Tell me the reason", [Call("why"), FRONT, "So."], says="did not agree"),
    )
    # What is not exposed is not told, nor by its id.
    async_expose_entity(stage.hass, "conversation", "light.office", False)
    told = (await why(stage))["latest_first"]
    assert len(told) == 2
    assert all("Front door" in line for line in told)
    data = await why(stage, name="light.office")
    assert "Nothing of that kind" in data["error_text"]
