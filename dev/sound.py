"""Sounds that are understood without a model: the text of a sentence in loud samples.

A speech detector finds speech in them, and what listens the words: the ears of the voice
kit, and the socket of the stand-in.
"""

from typing import Final

SAMPLE_RATE: Final = 16_000
# Ten milliseconds, as Home Assistant's speech detection takes them.
_CHUNK: Final = SAMPLE_RATE // 100 * 2
# As long as a command must last for it: a second.
_SPEECH: Final = SAMPLE_RATE * 2
# A loud sample that is no text.
_HUM: Final = b"\x7f\x7f"


def sound_of(text: str) -> bytes:
    """Return the sound of a sentence: 16 kHz, 16 bits, mono."""
    sound = b"".join(
        # Half a byte in the loud half of a sample, whose other half says that it is one.
        bytes((0x7E, 0x40 + (byte >> 4), 0x7E, 0x40 + (byte & 15)))
        for byte in text.encode()
    )
    length = max(len(sound), _SPEECH)
    length += -length % _CHUNK
    return sound + _HUM * ((length - len(sound)) // 2)


def text_of(sound: bytes) -> str:
    """Return the text in a sound, without a character at its end that is not whole."""
    halves = [
        sound[at + 1] - 0x40 for at in range(0, len(sound) - 1, 2) if sound[at] == 0x7E
    ]
    pairs = zip(halves[::2], halves[1::2], strict=False)
    return bytes(high << 4 | low for high, low in pairs).decode(errors="ignore")
