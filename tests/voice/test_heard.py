"""What is heard is cleaned, in both places that are spoken; what is kept is not."""

from homeassistant.core import HomeAssistant
import pytest

from dev.brain.model import Call, Say
from dev.voice import VoiceKit
from tests.integration.conftest import Script
from tests.integration.helpers import AGENT

from .test_sessions import LOCK, UNLOCK, house, log_of  # noqa: F401 # a fixture

pytestmark = pytest.mark.timeout(30)


async def test_the_conversation_keeps_what_was_written(
    home: HomeAssistant, voice: VoiceKit, script: Script
) -> None:
    """The next request, too, has it as it was."""
    written = "It is **21 °C**, see [the site](https://a.example) [1]."
    said = []

    def answer(messages: list[dict[str, str]]) -> list[Say]:
        said.append([item["content"] for item in messages if item["role"] != "user"])
        return [Say(written)]

    script.rule = answer
    heard = await voice["Kitchen"].say("How warm is it?")
    assert heard.text == "It is 21 degrees Celsius, see the site."
    assert log_of(home, heard)[-1] == f"assistant: {written}"
    await voice["Kitchen"].say("Really?")
    assert written in said[-1]


async def test_what_comes_before_a_call_and_behind_it(
    voice: VoiceKit, script: Script
) -> None:
    """Is heard in its order, by voices that stream and by others."""
    for streams in (True, False):
        await voice.async_use(agent=AGENT, streams=streams)
        script.plans = [
            [Say("I *look*"), Call("user:GetLiveContext", {})],
            [Say("- lamp\n- fan")],
        ]
        heard = await voice["Kitchen"].say("What is on?")
        assert heard.text == heard.result
        assert heard.text.split() == ["I", "look", "lamp,", "fan."]
        voice["Kitchen"].forget()


@pytest.mark.usefixtures("house")
async def test_our_own_sentences_name_things_without_marks(
    home: HomeAssistant, voice: VoiceKit, script: Script
) -> None:
    home.states.async_set(LOCK, "locked", {"friendly_name": "*Den* 1-2_"})
    script.plans = [[UNLOCK]]
    heard = await voice["Kitchen"].say("Turn it off")
    assert "Den 1-2" in heard.text == heard.result


async def test_a_question_in_marks_is_one(voice: VoiceKit, script: Script) -> None:
    """Its mark is heard last, and the satellite listens."""
    for written in ("**Both?**", "Both? [1]", "Both? 😊", "Both?\n\n【2†source】"):
        script.plans = [[Say(written)]]
        heard = await voice["Kitchen"].say("Turn off the lights")
        assert (heard.text, heard.listens) == ("Both?", True)
        voice["Kitchen"].forget()
