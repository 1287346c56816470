"""The kit itself: what is said is understood, and what is spoken is heard."""

from hypothesis import given, strategies as st
import pytest

from dev.brain.model import Say
from dev.sound import sound_of, text_of
from dev.voice import VoiceKit
from tests.integration.conftest import Script
from tests.integration.helpers import AGENT


@given(st.text(max_size=20))
def test_the_sound_of_a_text_is_understood(text: str) -> None:
    assert text_of(sound_of(text)) == text


@pytest.mark.long
@pytest.mark.parametrize("stops", [True, False])
async def test_a_short_answer_is_one_piece(
    voice: VoiceKit, script: Script, stops: bool
) -> None:
    """The end of speech is the sound's end, or found by the speech detector."""
    script.plans = [[Say("It is five o'clock.")]]
    heard = await voice["Kitchen"].say("What time is it?", stops=stops)
    assert [piece.text for piece in heard.pieces] == ["It is five o'clock."]
    assert ("stt-vad-end" in heard.times) is not stops
    assert not (heard.listens or heard.streamed or heard.error)
    assert voice["Kitchen"].state == "idle"


async def test_a_long_answer_is_spoken_while_it_is_written(
    voice: VoiceKit, script: Script
) -> None:
    """Piece by piece, from the sixty-first character on."""
    words = [f"Word {number} of the answer. " for number in range(20)]
    script.plans = [[Say(word) for word in words]]
    heard = await voice["Kitchen"].say("Tell me a story")
    assert heard.streamed and len(heard.pieces) > 5
    assert heard.text == "".join(words).strip() == heard.result.strip()
    assert heard.pieces[0].seconds <= heard.times["intent-end"]
    assert len(heard.gaps) == len(heard.pieces)


async def test_a_voice_that_wants_the_whole_text_gets_it(
    voice: VoiceKit, script: Script
) -> None:
    await voice.async_use(agent=AGENT, streams=False)
    script.plans = [[Say("A long answer. "), Say("It goes on. " * 20)]]
    heard = await voice["Kitchen"].say("Tell me a story")
    assert [piece.text.strip() for piece in heard.pieces] == [heard.result.strip()]
    assert not heard.streamed


async def test_the_same_answer_is_heard_twice(voice: VoiceKit, script: Script) -> None:
    """Home Assistant keeps no speech between the runs of the kit."""
    script.rule = lambda _messages: [Say("Yes, what is it?")]
    for _time in range(2):
        heard = await voice["Bedroom"].say("Hello")
        assert (heard.text, heard.listens) == ("Yes, what is it?", True)


async def test_nothing_recognised_is_an_error_and_no_turn(
    voice: VoiceKit, script: Script
) -> None:
    heard = await voice["Bedroom"].say("")
    assert heard.error == "stt-no-text-recognized"
    assert not heard.pieces
