"""How long an answer may take, and how long it may be: every limit of a turn.

What counts is what the service says: comments that keep a connection open extend
nothing. Progress and thoughts extend the wait for the next event, never the turn.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
import math
from typing import Final

from .errors import LumoError, LumoTimeoutError, TurnOverError
from .events import Event, Progress, ReasoningDelta, Usage

# Home Assistant gives up on a pipeline after 300 s, in English.
TURN_SECONDS: Final = 240.0
# Half an hour of listening.
ANSWER_CHARACTERS: Final = 30_000
# An answer of that length, each character an encrypted event of its own, with thoughts.
ANSWER_BYTES: Final = 32 * 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Deadlines:
    """The limits of one answer, times in seconds. The defaults are for a screen.

    A person who only listens waits less: nothing shows that something is coming.
    """

    first: float = 60.0
    """Until the first event that is not progress, each progress beginning it anew."""
    gap: float = 60.0
    """Between two events after that."""
    retry_after: float = 10.0
    """The longest wait that the service may ask for before another attempt."""
    until: float = math.inf
    """When the turn is over, on the clock of the event loop."""
    attempts: int = 3
    """How often a request that has no answer yet is sent."""
    connect: float = 15.0

    @property
    def brief(self) -> Deadlines:
        """Return the limits of an answer that is not essential."""
        return replace(self, connect=3.0, first=min(6.0, self.first), attempts=1)


ON_SCREEN: Final = Deadlines()
ALOUD: Final = Deadlines(first=20.0, gap=15.0, retry_after=4.0)


class Pace:
    """Says until when the next event is waited for."""

    def __init__(self, deadlines: Deadlines, clock: Callable[[], float]) -> None:
        self._deadlines = deadlines
        self._clock = clock
        self._begun = False
        self.ends = 0.0
        self.go_on()

    def go_on(self, event: Event | None = None) -> None:
        """Begin the wait anew, after an event or a piece of one."""
        if event and not isinstance(event, Progress | ReasoningDelta | Usage):
            self._begun = True
        wait = self._deadlines.gap if self._begun else self._deadlines.first
        self.ends = min(self._clock() + wait, self._deadlines.until)

    def error(self) -> LumoError:
        """Return what the end of the wait means."""
        is_turn_over = self.ends == self._deadlines.until
        return TurnOverError() if is_turn_over else LumoTimeoutError()
