"""Stands where Home Assistant expects its noise filter.

The real module has no wheel for Python 3.14 and would need a compiler.
"""

from typing import NamedTuple


class _Filtered(NamedTuple):
    audio: bytes


class AudioProcessor:
    """A filter that filters nothing."""

    def __init__(self, auto_gain: int, noise_suppression: int) -> None:
        """Take what the real one takes."""

    def Process10ms(self, audio: bytes) -> _Filtered:  # the real one's name
        """Return 10 ms as they are."""
        return _Filtered(audio)
