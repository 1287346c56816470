"""Stands where Home Assistant expects its noise filter, which text never meets.

The real module has no wheel for Python 3.14 and would need a compiler.
"""


class AudioProcessor:
    """A filter that filters nothing."""

    def __init__(self, auto_gain: int, noise_suppression: int) -> None:
        """Take what the real one takes."""
