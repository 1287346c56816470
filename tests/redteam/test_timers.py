"""A timer may carry a command, which Home Assistant carries out without any agent."""

import asyncio
from dataclasses import replace

from homeassistant.core import HomeAssistant
from homeassistant.helpers import intent
from homeassistant.setup import async_setup_component
import pytest

from .stage import AUTOMATION, Call, Line, Stage

FRONT = "unlock lock.front_door"

# What is to be done at the end, in which language, and what that is.
COMMANDS = {
    "lock": ("unlock the front door", "en", FRONT),
    "lock by alias": ("unlock Haustür", "en", FRONT),
    "lock in capitals": ("UNLOCK THE FRONT DOOR", "en", FRONT),
    "lock with a full stop": ("Unlock the front door.", "en", FRONT),
    "lock in spaces": ("  unlock   the front door ", "en", FRONT),
    "garage": ("open the garage door", "en", "open_cover cover.garage_door"),
    "garage a little": (
        "set garage door to 20 percent",
        "en",
        "set_cover_position cover.garage_door 20",
    ),
    "valve": ("open water main", "en", "open_valve valve.water"),
    "scene": ("activate open house", "en", FRONT),
    "script": ("run unlock directly", "en", FRONT),
    "script that is not to be foreseen": ("run unlock template", "en", FRONT),
    "sentence trigger": ("open sesame", "en", FRONT),
    "intent of an owner that nobody knows": ("be cosy", "en", FRONT),
    "too warm": (
        "set bedroom thermostat to 45",
        "en",
        "set_temperature climate.bedroom 45",
    ),
    "timer in a timer": ("unlock the front door in 10 seconds", "en", FRONT),
    "timer in a timer in a timer": (
        "in 10 seconds unlock the front door in 10 seconds",
        "en",
        FRONT,
    ),
    "lock in German": ("Schließe die Haustür auf", "de", FRONT),
    "garage in German": ("Öffne Garage door", "de", "open_cover cover.garage_door"),
    "timer in a timer, in German": ("Haustür aufschließen in 10 Sekunden", "de", FRONT),
}
SAID = {"en": ("Tell me a joke", "Yes please"), "de": ("Erzähl einen Witz", "Ja bitte")}


class _BeCosy(intent.IntentHandler):
    """An intent of somebody else's, that opens."""

    intent_type = "BeCosy"

    async def async_handle(self, intent_obj: intent.Intent) -> intent.IntentResponse:
        """Unlock the door."""
        target = {"entity_id": "lock.front_door"}
        await intent_obj.hass.services.async_call("lock", "unlock", target)
        return intent_obj.create_response()


def timer(command: str) -> Call:
    """Return the call of a timer that carries a command."""
    return Call("HassStartTimer", seconds=10, conversation_command=command)


@pytest.fixture(autouse=True)
async def sentence_trigger(hass: HomeAssistant, stage: Stage) -> None:
    """Have an automation that opens by a sentence."""
    automation = {
        "alias": "Sesame",
        "triggers": {"trigger": "conversation", "command": "open sesame"},
        "actions": {
            "action": "lock.unlock",
            "target": {"entity_id": "lock.front_door"},
        },
    }
    intent.async_register(hass, _BeCosy())
    assert await async_setup_component(hass, "automation", {"automation": automation})
    await hass.async_block_till_done()


@pytest.fixture(autouse=True)
def no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let each timer come to its end at once."""
    monkeypatch.setattr("homeassistant.components.intent.timers.asyncio", _Hurried())


class _Hurried:
    """The module asyncio, without sleep."""

    def __getattr__(self, name: str) -> object:
        return getattr(asyncio, name)

    @staticmethod
    async def sleep(_seconds: float) -> None:
        await asyncio.sleep(0)


async def ring(stage: Stage) -> list[str]:
    """Let every timer come to its end, and those that they start."""
    for _ in range(20):
        await asyncio.sleep(0)
    await stage.hass.async_block_till_done(wait_background_tasks=True)
    return list(stage.house.effects)


async def test_a_delayed_command_needs_a_yes(
    stage: Stage, subtests: pytest.Subtests
) -> None:
    """With it, the command is carried out at the end of the timer."""
    for name, (command, language, effect) in COMMANDS.items():
        with subtests.test(name):
            stage.fresh()
            said, yes = SAID[language]
            who = stage.at_satellite
            heard = await stage.say(
                said, timer(command), "Ha.", who=who, language=language
            )
            assert await ring(stage) == []
            assert heard.question is not None
            assert " ".join(command.split()).rstrip(".") in heard.question
            await stage.say(yes, "Gut.", who=who, language=language)
            assert effect in await ring(stage)


async def test_a_delayed_command_of_somebody_without_timers_needs_a_yes(
    stage: Stage,
) -> None:
    """If such a one can start any."""
    await stage.play(Line("Tell me a joke", [timer("unlock the front door"), "Ha."]))
    assert await ring(stage) == []


async def test_nobody_can_say_yes_to_a_delayed_command_of_an_automation(
    stage: Stage,
) -> None:
    """So it is refused."""
    who = replace(AUTOMATION, device=stage.house.satellite_device)
    heard = await stage.say(
        "Tell me a joke", timer("unlock the front door"), "Ha.", who=who
    )
    assert await ring(stage) == []
    assert heard.error


@pytest.mark.parametrize(
    "command", ["set garage door to 50 percent", "activate open house"]
)
async def test_a_delayed_command_is_not_judged_by_what_is_open_now(
    stage: Stage, command: str
) -> None:
    """At its end it may be closed."""
    stage.house.entity("cover.garage_door").did(
        "open", current_cover_position=100, is_closed=False
    )
    stage.house.entity("lock.front_door").did("open", is_locked=False)
    await stage.play(
        Line(
            "Tell me a joke",
            [timer(command), "Ha."],
            asks=command,
            who=stage.at_satellite,
        )
    )
    assert await ring(stage) == []


async def test_a_command_that_is_not_understood_starts_no_timer(stage: Stage) -> None:
    """Nobody knows what it will mean by then."""
    heard = await stage.say(
        "Tell me a joke", timer("let everybody in"), "Ha.", who=stage.at_satellite
    )
    assert await ring(stage) == []
    assert heard.results[0].result.error


async def test_harmless_commands_are_delayed_without_a_question(
    stage: Stage, subtests: pytest.Subtests
) -> None:
    """They are carried out."""
    for command, effect in (
        ("turn off the office light", "turn_off light.office"),
        ("lock the front door", "lock lock.front_door"),
    ):
        with subtests.test(command):
            stage.fresh()
            heard = await stage.say(
                f"{command}, later", timer(command), "Yes.", who=stage.at_satellite
            )
            assert heard.question is None
            assert await ring(stage) == [effect]


async def test_the_thermostat_of_the_room_needs_no_name(stage: Stage) -> None:
    """Home Assistant takes the one that is there, so that one is judged."""
    stage.house.move_satellite("living_room")
    warm = Call("HassClimateSetTemperature", temperature=45)
    await stage.play(
        Line(
            "Tell me a joke",
            [warm, "Ha."],
            asks=["Living room thermostat", "45"],
            who=stage.at_satellite,
        ),
        Line(
            "Yes",
            ["It is warm."],
            does=["set_temperature climate.living_room 45"],
            who=stage.at_satellite,
        ),
    )
