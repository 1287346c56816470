"""What is left of an account's requests, and when a person should hear of it."""

from dataclasses import asdict, dataclass, field
from typing import Final, NamedTuple

from ..lumo_client.events import Limits, Usage

_FEW: Final = 10


class LowQuota(NamedTuple):
    """What is left of a pool."""

    pool: str
    left: int

    def sentence(self) -> str:
        """Return the key of the sentence about it; Lite steps in for Max."""
        if not self.left and self.pool == "max":
            return "quota_max"
        return {0: "quota_last", 1: "quota_few_one"}.get(self.left, "quota_few")


@dataclass(slots=True)
class Quota:
    """The pools of one account, by their names: `lite`, `max`."""

    _left: dict[str, int] = field(default_factory=dict)
    _told: dict[str, int] = field(default_factory=dict)
    """What was left when somebody last heard of it."""

    def note(self, limits: Limits | None) -> None:
        """Note what the service told."""
        for pool, left in (asdict(limits) if limits else {}).items():
            if left is None:
                self._left.pop(pool, None)
                continue
            self._left[pool] = left
            if left > _FEW:
                self._told.pop(pool, None)

    def few(self, usage: Usage | None) -> LowQuota | None:
        """Return what is left of the pool of an answer, if it is to be told.

        That is once at ten requests or fewer, and once at none.
        """
        if usage is None:
            return None
        self.note(usage.remaining)
        pool = usage.category or ""
        left, told = self._left.get(pool), self._told.get(pool)
        if left is None or left > _FEW or told == 0 or (told and left):
            return None
        self._told[pool] = left
        return LowQuota(pool, left)

    def is_empty(self, pool: str) -> bool:
        """Return whether it is known that nothing is left of a pool."""
        return self._left.get(pool) == 0
