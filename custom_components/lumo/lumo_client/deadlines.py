"""How long an answer may take, and how long it may be: every limit of a turn.

What counts is what the service says, not that bytes arrive: comments that keep a
connection open extend nothing. Progress and thoughts are something said; they extend the
wait for the first event and for the next one, never the end of the turn.
"""

from dataclasses import dataclass
import math
from typing import Final

# Home Assistant gives up on a pipeline after 300 s, in English.
TURN_SECONDS: Final = 240.0
# Half an hour of listening.
ANSWER_CHARACTERS: Final = 30_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Deadlines:
    """The limits of one answer, times in seconds. The defaults are for a screen.

    Whoever only listens does not know whether anybody is still there, and waits less.
    """

    first: float = 60.0
    """Until the first event that is not progress, each progress beginning it anew."""
    gap: float = 60.0
    """Between two events after that."""
    retry_after: float = 10.0
    """The longest wait named by a 429 that is waited for."""
    until: float = math.inf
    """When the turn is over, on the clock of the event loop."""
    characters: int = ANSWER_CHARACTERS
    """The text of one answer."""


ON_SCREEN: Final = Deadlines()
ALOUD: Final = Deadlines(first=20.0, gap=15.0, retry_after=4.0)
