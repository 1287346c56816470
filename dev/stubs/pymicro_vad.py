"""Stands where Home Assistant expects its speech detector, which text never meets.

The real module has no wheel for Python 3.14 and would need a compiler.
"""


class MicroVad:
    """A detector that detects nothing."""
