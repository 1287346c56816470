"""A spoken sentence becomes a command: from a satellite over Lumo's socket to a lamp."""

from homeassistant.core import HomeAssistant, ServiceCall
from pytest_homeassistant_custom_component.common import MockConfigEntry

from dev.brain.model import Call, Say
from dev.standin import Standin
from dev.voice import VoiceKit
from tests.integration.conftest import Script, turned_off  # noqa: F401 # a fixture
from tests.integration.helpers import AGENT
from tests.integration.test_stt import EARS, add, hasty  # noqa: F401 # a fixture


async def test_a_lamp_goes_off_by_voice_alone(
    home: HomeAssistant,
    entry: MockConfigEntry,
    voice: VoiceKit,
    standin: Standin,
    script: Script,
    turned_off: list[ServiceCall],  # noqa: F811 # the fixture
) -> None:
    await add(home, entry)
    await voice.async_use(agent=AGENT, ears=EARS + "_2")
    script.plans = [
        [Call("HassTurnOff", {"name": "Kitchen light"})],
        [Say("It is off.")],
    ]
    heard = await voice["Kitchen"].say("Turn off the kitchen light", stops=False)
    assert heard.error is None and heard.text
    assert [call.data["entity_id"] for call in turned_off] == [["light.kitchen"]]
    assert standin.speeches[-1]["text"] == "Turn off the kitchen light"
    assert standin.violations == []
    # Silence is no turn.
    asked = len(standin.requests)
    heard = await voice["Bedroom"].say("")
    assert heard.error == "stt-stream-failed"
    assert len(standin.requests) == asked
