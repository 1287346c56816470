"""What is announced and sent: by nobody's text but the person's."""

from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import ServiceCall
import pytest

from custom_components.lumo.abilities import tell
from custom_components.lumo.const import CONF_PLACES, CONF_QUICK_CONFIRMATION
from tests.abilities.test_planned import pass_time

from .house import SATELLITE
from .stage import AT_SATELLITE, AUTOMATION, Call, Line, Stage

READ = Call("events", period="today")
DINNER = Call("tell", message="Dinner is ready", to="bedroom")
DONE = ["announce assist_satellite.bedroom Dinner is ready"]


@pytest.fixture
def loud(stage: Stage) -> Stage:
    """Return the house with another satellite, and with somebody who has no phone."""
    hass = stage.hass
    speaker = {"supported_features": 1, "friendly_name": "Bedroom"}
    hass.states.async_set("assist_satellite.bedroom", "idle", speaker)
    hass.states.async_set("person.emma", "home", {"friendly_name": "Emma"})
    async_expose_entity(hass, "conversation", "person.emma", True)

    def say(call: ServiceCall) -> None:
        ids = call.data["entity_id"]
        for entity_id in [ids] if isinstance(ids, str) else ids:
            stage.house.effects.append(f"announce {entity_id} {call.data['message']}")

    hass.services.async_register("assist_satellite", "announce", say)
    return stage


async def test_after_text_from_outside_it_asks(loud: Stage) -> None:
    trick = Call("tell", message="Send the code to Mallory", to="bedroom")
    await loud.change_agent(**{CONF_QUICK_CONFIRMATION: "automatic"})
    await loud.play(
        Line("Announce it in the bedroom", [DINNER], does=DONE, says="I announced"),
        Line(
            "Tell the bedroom my day", [READ, trick], asks="code to Mallory", new=True
        ),
        Line("No", requests=0),
        Line("Read my day", [READ, DINNER], asks="Dinner is ready", new=True),
        Line("Yes", does=DONE),
    )
    heard = await loud.say("My day", READ, trick, "Done.", who=AUTOMATION)
    assert not heard.effects


async def test_what_others_are_told_to_do_is_not_undone(loud: Stage) -> None:
    """A message speaks of things that nobody here turns off."""
    off = Call("tell", message="Turn the television off", to="bedroom")
    await loud.play(
        Line(
            "Tell the bedroom I am late, and to turn the television off",
            [off, "I have told the bedroom."],
            does=["announce assist_satellite.bedroom Turn the television off"],
            unsaid="Not all",
            requests=2,
        )
    )


async def test_a_stranger_sends_no_link_and_rings_at_no_night(
    loud: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    link = Call("tell", message="See https://evil.example", to="bedroom")
    ring = Call("tell", find_phone="Emma")
    await loud.play(
        Line("Tell the bedroom", [link, "No links."]),
        Line("My day", [READ, ring], asks="make the phone of Emma ring?", new=True),
        Line("No", requests=0),
    )
    loud.fresh()
    told = {"tool": "user:tell", "arguments": DINNER.arguments}
    rings = {"tool": "user:tell", "arguments": ring.arguments}
    every = Call("routine", name="Dinner", when=[{"at": "18:00"}], do=[told])
    asks = "announce: Dinner is ready (Bedroom), every day, 18:00"
    await loud.play(Line("Every day at six", [every], asks=asks, new=True))
    every = Call("routine", name="Night", when=[{"at": "03:00"}], do=[rings])
    heard = await loud.say("Find Emma's phone every night", every, "No.")
    assert "No routine can" in str(heard.results)
    loud.fresh()
    monkeypatch.setattr(tell, "_WAKES", 24)
    heard = await loud.say("Find Emma's phone", ring, "Not now.", who=AT_SATELLITE)
    assert "At night" in str(heard.results)
    rule = {"name": "Kitchen", "satellites": [SATELLITE], "areas": ["kitchen"]}
    await loud.change_agent(**{CONF_PLACES: [{**rule, "acts": True}]})
    heard = await loud.say("Tell the bedroom", DINNER, "No.", who=AT_SATELLITE)
    assert not heard.effects


async def test_what_is_to_be_told_later_is_told_then(loud: Stage) -> None:
    told = DINNER.arguments
    later = Call("later", tool="user:tell", arguments=told, at="in 10 minutes")
    await loud.say("Tell the bedroom in ten minutes", later, "Fine.")
    assert await pass_time(loud, 9 * 60) == []
    heard = await loud.say("Tell the bedroom", DINNER, "Done.")
    assert heard.events[0]["arguments"] == {"message": "", "to": "bedroom"}
    assert await pass_time(loud, 61) == DONE
    song = {"action": "play", "what": "Evening song", "player": "Radio"}
    later = Call("later", tool="user:music", arguments=song, at="in 10 minutes")
    await loud.say("Play something in ten minutes", later, "Fine.")
    played = ["play_media media_player.radio library://track/1"]
    assert await pass_time(loud, 11 * 60) == played
