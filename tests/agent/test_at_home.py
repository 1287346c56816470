"""Plain commands are done at home, without Lumo, through the gate; all else is Lumo's.

The model says nothing of note: what happens in the house without a request was done at
home, and a sentence that goes to Lumo is told by its request.
"""

from dataclasses import replace
import logging
import re
from typing import Any
from unittest.mock import patch

from homeassistant.components import conversation
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.components.intent import GetStateIntentHandler
from homeassistant.const import CONF_PROMPT
from homeassistant.core import Context
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers.intent import InvalidSlotInfo
import pytest

from custom_components.lumo.abilities.note_store import HOUSE
from custom_components.lumo.agent import at_home, record
from custom_components.lumo.const import (
    CONF_AT_HOME,
    CONF_MEMORY,
    CONF_PLACES,
    MemoryUse,
    Permission,
    ToolCalling,
)
from tests.redteam.entities import Light
from tests.redteam.house import SATELLITE
from tests.redteam.stage import AGENT, ANNA, AUTOMATION, Call, Line, Stage, opened
from tests.sampling import quick_in

pytestmark = pytest.mark.parametrize("mode", [ToolCalling.PRIVATE])

OFF = "turn_off light.kitchen"
# What is no claim to have done anything.
ASKS = ["Which one do you mean?"]
# By language: a sentence, what it does, and all that is heard. `@` is said at the
# satellite in the kitchen.
DONE = {
    "en": """
        Turn off the kitchen light | turn_off light.kitchen | I turned off the kitchen light.
        Good morning Lumo, turn off the kitchen light please | turn_off light.kitchen | I turned off .*
        Set the bedroom thermostat to 21 degrees | set_temperature climate.bedroom 21 | I set .* to 21 degrees.
        Close the bedroom blinds | close_cover cover.bedroom_blinds | I closed the bedroom blinds.
        Lock the front door | lock lock.front_door | I locked the front door.
        Add milk to the shopping list | add_item todo.shopping Milk | Done.
        @Lights off | turn_off light.kitchen, turn_off light.counter | I turned off .*
        @Pause | media_pause media_player.radio | I paused the radio.
        @Volume up | set_volume_level media_player.radio 0.4 | Done.
        @Turn on the fan | turn_on fan.ceiling | I turned on the ceiling fan.
        @Set a timer for 5 minutes | | Planned: Timer, 5 minutes.
        Turn off the kitchen light in 5 minutes | | Planned: turn off Kitchen light, .*
        Is the kitchen light on? | | (Yes|No)
        What time is it? | | .*\\d+:\\d\\d.*
        What is the date? | | .*\\d.*
        @How much time is left on my timer? | | .*
    """,
    "de": """
        Schalte das Kitchen light aus | turn_off light.kitchen | Ich habe .* ausgeschaltet.
        Guten Morgen, schalte bitte Kitchen light aus | turn_off light.kitchen | Ich habe .*
        @Licht aus | turn_off light.kitchen, turn_off light.counter | Ich habe .*
        @Stelle einen Timer auf 5 Minuten | | Geplant: Timer, 5 Minuten.
        Wie spät ist es? | | .*\\d+:\\d\\d.*
    """,
    "fr": """
        Éteins Kitchen light | turn_off light.kitchen | J'ai éteint .*
        Bonjour, éteins Kitchen light s'il te plaît | turn_off light.kitchen | J'ai éteint .*
    """,
    "nl": "Zet Kitchen light uit | turn_off light.kitchen | Ik heb .* uitgezet.",
    "es": "Apaga Kitchen light | turn_off light.kitchen | He apagado .*",
    "it": "Spegni Kitchen light | turn_off light.kitchen | Ho spento .*",
    "pt": "Desliga Kitchen light | turn_off light.kitchen | .*",
    "pl": "Wyłącz Kitchen light | turn_off light.kitchen | .*",
    "sv": "Släck Kitchen light | turn_off light.kitchen | .*",
    "da": "Sluk Kitchen light | turn_off light.kitchen | .*",
    "nb": "Slå av Kitchen light | turn_off light.kitchen | .*",
    "cs": "Vypni Kitchen light | turn_off light.kitchen | .*",
}
LUMO = {
    "en": """
        Turn off all the lights except the kitchen light
        Turn off the kitchen light but not the counter light
        Turn off the kitchen light if nobody is home
        Turn off the kitchen light unless it is dark
        Turn off the kitchen light when I leave
        Don't turn off the kitchen light
        Turn off the kitchen light for 10 minutes
        Turn off the kitchen light and tell me a joke
        Turn off the kitchen light and the hallway light
        And the kitchen light
        Turn off the kitchen light too
        @Turn that one off
        @Close the blinds
        @Turn on the fan here
        @Turn off all fans in this room
        Kitchen light
        Back door
        Add milk and eggs to the shopping list
        Add milk, eggs to the shopping list
        @Play Frozen
        Play jazz on the radio
        Broadcast dinner is ready
        Broadcast dinner is ready in 5 minutes
        Kitchen light in 5 minutes
        Announce that we leave in ten minutes
        Are any windows open?
        Are any doors open?
        Are all the windows closed?
        Which lights are on?
        How many lights are on?
        Is anyone home?
        What's the temperature?
        What's the weather like?
        Turn off the lights
        Start the vacuum
        Unlock the xyzzy
    """,
    "de": """
        Schalte alle Lichter aus außer Kitchen light
        Schalte Kitchen light nicht aus
        Schalte Kitchen light aus, wenn niemand da ist
        Schalte Kitchen light auch aus
        Ist Ann zu Hause?
        @Wie lange läuft die Waschmaschine noch?
        Sind alle Fenster zu?
        Sind Fenster offen?
        Welche Lichter sind an?
        Kitchen light
    """,
    "fr": "N'éteins pas Kitchen light\nÉteins Kitchen light si personne n'est là\nEst-ce que des fenêtres sont ouvertes ?",
    "nl": "Zet Kitchen light niet uit\nZet alles uit behalve Kitchen light\nStaan er ramen open?",
    "es": "No apagues Kitchen light\nApaga todo menos Kitchen light\n¿Hay alguna ventana abierta?",
    "it": "Non spegnere Kitchen light\nSpegni tutto tranne Kitchen light\nC'è qualche finestra aperta?",
    "pt": "Não desligues Kitchen light\nDesliga tudo exceto Kitchen light",
    "pl": "Nie wyłączaj Kitchen light\nWyłącz wszystko oprócz Kitchen light",
    "sv": "Släck inte Kitchen light\nSläck allt utom Kitchen light",
    "da": "Sluk ikke Kitchen light\nSluk alt undtagen Kitchen light",
    "nb": "Ikke slå av Kitchen light\nSlå av alt unntatt Kitchen light",
    "cs": "Nevypínej Kitchen light\nVypni všechno kromě Kitchen light",
}
QUICK = ("en", "de")


@pytest.fixture
async def home(stage: Stage) -> Stage:
    """Return the house whose agent does plain commands at home."""
    await stage.change_agent(**{CONF_AT_HOME: True})
    return stage


def lines(text: str) -> list[str]:
    """Return what is said, a sentence a line."""
    return [line.strip() for line in text.strip().splitlines()]


@pytest.mark.parametrize("language", quick_in(QUICK, DONE))
async def test_plain_commands_need_no_request(
    home: Stage, language: str, subtests: pytest.Subtests
) -> None:
    """What was seen to happen is heard, in our own words."""
    for line in lines(DONE[language]):
        said, does, heard = (part.strip() for part in line.split("|", 2))
        with subtests.test(said):
            home.fresh()
            who = home.at_satellite if said.startswith("@") else ANNA
            found = await home.say(said.lstrip("@"), who=who, language=language)
            assert sorted(found.effects) == sorted(filter(None, does.split(", ")))
            assert re.fullmatch(heard.replace("\\\\", "\\"), found.text), found.text
            assert not found.requests


@pytest.mark.parametrize("language", quick_in(QUICK, LUMO))
async def test_all_else_goes_to_lumo(
    home: Stage, language: str, subtests: pytest.Subtests
) -> None:
    home.hass.states.async_set("person.ann", "home", {"friendly_name": "Ann"})
    async_expose_entity(home.hass, "conversation", "person.ann", True)
    for line in lines(LUMO[language]):
        with subtests.test(line):
            home.fresh()
            who = home.at_satellite if line.startswith("@") else ANNA
            found = await home.say(line.lstrip("@"), *ASKS, who=who, language=language)
            assert len(found.requests) == 1
            assert not found.effects
            home.model.is_away = True
            home.fresh()
            found = await home.say(line.lstrip("@"), who=who, language=language)
            home.model.is_away = False
            assert not found.effects
            assert found.error, found.text


async def test_locks_ask_and_a_yes_opens_once(home: Stage) -> None:
    """No request for any of it; nobody is there to ask: nothing."""
    await home.play(
        Line("Unlock the front door", asks="front door", requests=0),
        Line("Yes", does=["unlock lock.front_door"], requests=0),
        Line("Open the garage door", asks="garage door", requests=0, new=True),
        Line("No", requests=0),
        Line("Unlock the front door", who=AUTOMATION, new=True),
    )


async def test_the_rules_of_tools_hold(home: Stage) -> None:
    """What is off is Lumo's to say; what asks first asks."""
    await home.permit(Permission.ASK, "HassTurnOff")
    await home.play(Line("Turn off the kitchen light", asks="turn off", requests=0))
    await home.permit(Permission.OFF, "HassTurnOff")
    await home.play(Line("Turn off the kitchen light", ASKS, requests=1, new=True))


@pytest.mark.parametrize(
    ("prompt", "sentence", "requests"),
    [
        ("You are a butler. The lamp is the one by the bed.", "Turn off {}", 1),
        ("You are a butler.", "Turn off {}", 0),
        ("In the kitchen speak softly.", "Turn off {}", 1),
    ],
)
async def test_instructions_may_say_what_is_meant(
    home: Stage, prompt: str, sentence: str, requests: int
) -> None:
    """A sentence that shares a word for a thing or room with them goes to Lumo."""
    await home.change_agent(**{CONF_PROMPT: prompt})
    lamp = "the bedroom lamp" if "lamp" in prompt else "the kitchen light"
    await home.play(
        Line(
            sentence.format(lamp),
            ASKS,
            does=[] if requests else [OFF],
            requests=requests,
        )
    )


async def test_after_a_question_of_lumos_a_thing_is_named(home: Stage) -> None:
    """Models end with "Anything else?"; what is named is a command all the same."""
    here = home.at_satellite
    await home.play(
        Line("Tell me a joke", ["Ha. The fan or the lights?"], who=here),
        Line("Lights off", ASKS, requests=1, who=here),
        Line("Tell me a joke", ["Ha. Anything else?"], who=here),
        Line("Turn off the kitchen light", does=[OFF], requests=0, who=here),
    )


async def test_what_was_done_is_known_to_all_who_ask(home: Stage) -> None:
    """Lumo hears of it with the next request; the event, `why` and the sensor tell it."""
    [done, asked] = await home.play(
        Line("Turn off the kitchen light", does=[OFF], requests=0),
        Line(
            "Why is the kitchen light off?", [Call("why", name="Kitchen light"), "So."]
        ),
    )
    assert [event["at_home"] for event in done.events] == [True]
    assert not any(event.get("at_home") for event in asked.events)
    assert "I turned off the kitchen light." in str(asked.requests[0].messages)
    assert "done at home: turn off Kitchen light" in str(asked.results[-1].result.data)
    [sensor] = [
        state
        for state in home.hass.states.async_all("sensor")
        if "done_at_home" in state.attributes
    ]
    assert sensor.attributes["done_at_home"] == 1


NOTE = "the washing is done on Mondays"
WAYS: list[tuple[str, Any, str]] = [
    ("Turn off the kitchen light", "", "done at home"),
    ("Unlock the front door", "", "done at home|a person is asked first"),
    (
        f"Remember that {NOTE}", Call("memory", action="remember", text=NOTE),
        "a person was asked and did not answer|call detected in the text|a note was told, the model is not asked",
    ),
    ("Which lights are on?", "All are on.", "read before the model was asked"),
    ("Close the bedroom blinds", None, "the answer failed: cannot_connect|Home Assistant has understood the sentence"),
]  # fmt: skip


async def test_the_log_tells_the_way_of_a_turn(
    home: Stage, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG, record.__name__)
    await home.change_agent(**{CONF_MEMORY: MemoryUse.ON})
    for sentence, answer, _ in WAYS:
        if answer is None:
            await home.change_agent(**{CONF_AT_HOME: False})
            home.model.is_away = True
        await home.say(sentence, answer or "")
    told = [item.message for item in caplog.records if item.name == record.__name__]
    assert told == [decided for *_, way in WAYS for decided in way.split("|")]


async def test_what_fails_is_lumos_to_explain(home: Stage) -> None:
    """It sees the call and its failure; nobody hears that it was done."""
    broken = HomeAssistantError("It is broken")
    with patch.object(Light, "async_turn_off", side_effect=broken):
        heard = await home.say("Turn off the kitchen light", "The light does not work.")
    assert heard.text == "The light does not work."
    assert len(heard.requests) == 1
    for error in (broken, InvalidSlotInfo("odd")):
        home.fresh()
        with patch.object(GetStateIntentHandler, "async_handle", side_effect=error):
            heard = await home.say("Is the kitchen light on?", "I cannot see it.")
        assert heard.text == "I cannot see it."
    for state in ("unavailable", "unknown"):
        home.fresh()
        home.hass.states.async_set("light.kitchen", state)
        heard = await home.say("Is the kitchen light on?", "I cannot see it.")
        assert heard.text == "I cannot see it."


async def test_an_intent_that_somebody_has_replaced_is_not_asked(home: Stage) -> None:
    """Nobody knows what a script of the owner, or another integration, makes of it."""
    replaced: list[tuple[Any, str, Any]] = [
        (GetStateIntentHandler, "__module__", "custom_components.other"),
        (at_home, "steps_of_intent", lambda _handler: []),
        (at_home, "permission", lambda *_given: Permission.ASK),
    ]
    for how in replaced:
        home.fresh()
        with patch.object(*how):
            heard = await home.say("Is the kitchen light on?", *ASKS * 2)
        assert heard.requests


async def test_what_would_be_refused_is_not_tried(home: Stage) -> None:
    """Lumo reads no failure that nobody asked it about."""
    rule = {"name": "Kitchen", "satellites": [SATELLITE], "areas": ["kitchen"]}
    await home.change_agent(**{CONF_PLACES: [{**rule, "acts": True}]})
    for sentence, requests in (("Office light off", 1), ("Kitchen light off", 0)):
        heard = await home.say(sentence, "I may not.", who=home.at_satellite)
        assert (len(heard.requests), bool(heard.results)) == (requests, not requests)
        sent = str(heard.requests)
        assert "Bedroom lamp" not in sent and ("Counter light" in sent) == requests


WAITING = {
    "en": """
        Lights off; Louder; Close the blinds; Next song; Fan on; Set a timer
        What time is it; Turn off the kitchen light; Everything off; Coffee on
        Close the garage; Turn it all off
    """,
    "de": "Alles aus; Kaffee an; Garage zu; Überspringen; Schalte alles ab",
    "fr": "Éteins tout; Éteins la cuisine; Muet; Ferme le garage",
    "nl": "Alles uit; Koffie aan; Garage dicht; Stil",
    "es": "Apaga todo; Apaga la cocina; Silencio; Cierra el garaje",
}
UNLOCK = Call("HassTurnOff", name="Front door", domain=["lock"])


@pytest.mark.long
@pytest.mark.parametrize("where", ["app", "satellite"])
async def test_while_a_question_waits_a_command_is_a_command(
    home: Stage, where: str, subtests: pytest.Subtests
) -> None:
    """The question is gone with it: a later yes opens nothing."""
    who = home.at_satellite if where == "satellite" else ANNA
    for language, said in WAITING.items():
        for sentence in ";".join(lines(said)).split(";"):
            with subtests.test(sentence):
                home.fresh()
                asked = await home.say("Door!", UNLOCK, who=who, language=language)
                assert asked.question
                heard = await home.say(sentence, "Well.", who=who, language=language)
                assert heard.question is None
                assert heard.effects or heard.text
                yes = await home.say("Yes", "What?", who=who)
                assert not opened(yes.effects)


async def test_the_opposite_is_a_no_and_noise_is_asked_about_once(home: Stage) -> None:
    """Nothing of it opens anything."""
    asks = Line("Unlock the front door", asks="front door", new=True)
    for said in ("Lock the door", "Lock it", "Lock the front door", "Close the door"):
        await home.play(asks, Line(said, requests=0, says="will not"), Line("Yes"))
    await home.play(
        asks, Line("Whatever you", asks="front door"), Line("Whatever you"), Line("Yes")
    )
    # Short as it is, a name alone of a scene is a command.
    relax = Line("Relax", requests=0, does=["turn_on light.living_room"])
    await home.play(asks, relax, Line("Yes"))
    # Another kind of thing is another matter.
    await home.play(asks, Line("The music", ASKS, requests=1))


async def test_what_lumo_would_know_better_goes_to_lumo(home: Stage) -> None:
    """A note, and what an automation tells the agent beside a sentence."""
    await home.change_agent(memory="in_clear")
    said = Line("Turn off the kitchen light", ASKS, requests=1, new=True)
    done = replace(said, does=[OFF], requests=0)
    for note, line in (("The light is the one by the sink", said), ("Tea", done)):
        vars(home.entry.runtime_data.notes)["_all"] = {HOUSE: [note]}
        await home.play(line)
    home.fresh()
    home.model.requests = []
    more = "The person was asked which light is too bright."
    given = (home.hass, said.sentence, None, Context(), "en", AGENT)
    await conversation.async_converse(*given, extra_system_prompt=more)
    assert len(home.model.requests) == 1


async def test_a_custom_sentence_keeps_its_own_reply(home: Stage) -> None:
    """What it opens is asked about all the same."""
    await home.play(
        Line("Make me laugh", says=r"^A lamp walks into a bar\.$", requests=0),
        Line("Open sesame", asks="Front door", requests=0, new=True),
        Line("Yes", does=["unlock lock.front_door"]),
        # Nobody handles it.
        Line("Be cosy", ASKS, requests=1, new=True),
    )


async def test_a_note_is_told_when_it_is_kept(home: Stage) -> None:
    """In words of ours, and Lumo is not asked for more."""
    await home.change_agent(memory="in_clear")
    note = Call("memory", action="remember", text="tea is at five")
    said = Line("Remember that tea is at five", [note], says="tea is at five")
    await home.play(replace(said, requests=1))


async def test_what_was_planned_last_is_undone(home: Stage) -> None:
    plans = home.entry.runtime_data.plans
    await home.play(Line("Turn off the kitchen light in 5 minutes", requests=0))
    assert len([*plans]) == 1
    await home.play(Line("Undo that", [Call("undo"), "Cancelled."], requests=2))
    assert not [*plans]


async def test_a_turn_leaves_to_the_next_what_it_did(home: Stage) -> None:
    """The one before keeps its names if nothing has one now."""
    agent: Any = home.hass.data["conversation"].get_entity(AGENT)
    await home.play(Line("Turn off the kitchen light", does=[OFF], requests=0))
    for sentence in ("Tell me a joke", "Well"):
        state = agent._conversations.of(home.conversation_id)
        assert state.earlier.last_named == state.acted_on == {"light.kitchen"}
        assert [item.entity_id for item in state.changes] == ["light.kitchen"]
        assert state.has_acted and state.said.user_id and not state.planned
        await home.play(Line(sentence, ["Ha."]))
        assert state.said.sentence == sentence
