"""Stands where Home Assistant expects its speech detector.

The real module has no wheel for Python 3.14 and would need a compiler.
"""

# Of a sample of 16 bits; what a room sounds like is far below.
_LOUD = 500


class MicroVad:
    """A detector that takes any loud sound for speech."""

    def Process10ms(self, audio: bytes) -> float:  # the real one's name
        """Return how likely 10 ms (16 kHz, 16 bits, mono) are speech: 0 or 1."""
        return float(any(abs(sample) > _LOUD for sample in memoryview(audio).cast("h")))
