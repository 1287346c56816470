"""What is left of an account's requests, and when a person should hear of it.

The service tells with each answer how many requests are left in each pool, or does not:
then there is no limit, or nobody knows. How many there were at first it never says, so
that is taken to be the most that was seen.
"""

from dataclasses import asdict, dataclass, field
from typing import Final, NamedTuple

from ..lumo_client.events import Limits, Usage

_FEW: Final = 10
# Few are left from this share of the most that was seen, too.
_SHARE: Final = 0.2


class Left(NamedTuple):
    """What is left of a pool."""

    pool: str
    left: int

    def sentence(self) -> str:
        """Return the key of what is said of it; Lite steps in for Max."""
        if not self.left and self.pool == "max":
            return "quota_max"
        return {0: "quota_last", 1: "quota_few_one"}.get(self.left, "quota_few")


@dataclass(slots=True)
class Quota:
    """The pools of one account, by their names: `lite`, `max`."""

    _left: dict[str, int] = field(default_factory=dict)
    _most: dict[str, int] = field(default_factory=dict)
    _told: dict[str, tuple[int, float]] = field(default_factory=dict)
    """What was left when somebody heard of it, and what counted as few."""

    def note(self, limits: Limits | None) -> None:
        """Take what the service told."""
        for pool, left in (asdict(limits) if limits else {}).items():
            if left is None:
                self._left.pop(pool, None)
            elif left > self._told.get(pool, (0, left))[1]:
                self._told.pop(pool, None)
            if left is not None:
                self._left[pool] = left
                self._most[pool] = max(left, self._most.get(pool, 0))

    def few(self, usage: Usage | None) -> Left | None:
        """Return what is left of the pool that an answer came from, if that is little.

        At most ten requests, or a fifth of all. Once, and once that nothing is left, until there are more than a few.
        """
        if usage is None:
            return None
        self.note(usage.remaining)
        pool = usage.category or ""
        left = self._left.get(pool)
        if left is None:
            return None
        few = max(_FEW, self._most[pool] * _SHARE)
        before, _ = self._told.get(pool, (None, few))
        if left > few or before == 0 or (before and left):
            return None
        self._told[pool] = left, few
        return Left(pool, left)

    def left(self, *pools: str) -> int | None:
        """Return how many are left in the fullest of the pools, None if unknown."""
        return max(
            (self._left[pool] for pool in pools if pool in self._left), default=None
        )

    def is_empty(self, pool: str) -> bool:
        """Return whether nothing is left of a pool, as far as is known."""
        return self._left.get(pool) == 0
