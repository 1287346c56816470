"""What is known about an account: what is left, and what was used."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Self

from .agent.record import COUNTED, TurnRecord
from .lumo_client.events import Limits, Usage


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountState:
    """What the coordinator hands out; None is unknown."""

    limits: Limits | None = None
    """Requests left in each pool."""
    totals: Mapping[str, int] = field(default_factory=dict)
    """Sums over all turns since the start; keys as in `COUNTED`."""
    first_word: float | None = None
    """Seconds until the last turn said something."""

    def after_turn(self, record: TurnRecord) -> Self:
        """Return the state after a turn."""
        totals = {key: self.total(key) + getattr(record, key) for key in COUNTED}
        if (first_word := record.first_word) is None:
            first_word = self.first_word
        return replace(self, totals=totals, first_word=first_word)

    def total(self, key: str) -> int:
        """Return how much it was in all turns."""
        return self.totals.get(key, 0)

    def after_reply(self, usage: Usage | None) -> Self:
        """Return the state after a reply; a reply without usage changes nothing."""
        remaining = usage.remaining if usage else None
        return replace(self, limits=remaining or self.limits)
