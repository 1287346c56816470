"""A voice for tests and benchmarks: satellites that hear and speak, without a sound.

    sound ──► Satellite ──► Ears ──► the agent ──► Voice ──► Satellite
              (a device)    (speech   (a real       (streaming
                            to text)   pipeline)     text to speech)

The sound of a sentence is its text in loud samples, so that a speech detector finds
speech and the recognition its words. What the voice is given is noted piece by piece,
with the time since the end of speech.

    voice = await async_set_up_voice(hass, agent="conversation.lumo")
    heard = await voice["Kitchen"].say("Turn off the kitchen lights")
    assert heard.text == "Done." and not heard.listens
"""

from pathlib import Path
import sys

# Two compiled modules for audio that `assist_pipeline` imports.
sys.path.append(str(Path(__file__).parent.parent / "stubs"))

from .kit import VoiceKit, async_set_up_voice
from .satellite import Heard, Piece, Satellite

__all__ = ["Heard", "Piece", "Satellite", "VoiceKit", "async_set_up_voice"]
