"""How many requests are left: per category and holder, as the service counts them."""

from collections import defaultdict, deque
from collections.abc import Callable, Mapping
import time
from typing import Any, Final

from .accounts import Identity
from .errors import TOO_MANY_REQUESTS, ApiError, quota_exceeded

CATEGORIES: Final = ("lite", "max", "images")
# Observed with guests: about ten requests in twenty seconds, then 429.
BURST_REQUESTS: Final = 10
BURST_SECONDS: Final = 20.0


class Quota:
    """The pools of everyone; an API key has none."""

    def __init__(
        self,
        guest: int,
        session: Mapping[str, int],
        *,
        burst: bool = False,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._guest = dict.fromkeys(CATEGORIES, guest)
        self._session = dict(session)
        self._burst = burst
        self._clock = clock
        self._left: dict[str, dict[str, int]] = {}
        self._recent: defaultdict[str, deque[float]] = defaultdict(deque)

    def left(self, who: Identity) -> dict[str, int] | None:
        """Return what is left in each pool, None where nothing is counted."""
        if who.kind == "api_key":
            return None
        full = self._session if who.kind == "session" else self._guest
        return self._left.setdefault(who.bucket, dict(full))

    def take(self, who: Identity, category: str, address: str) -> None:
        """Count a request, or raise ApiError (429)."""
        left = self.left(who)
        if left is None:
            return
        if self._burst and who.kind != "session":
            self._count_burst(address)
        if left[category] <= 0:
            raise quota_exceeded()
        left[category] -= 1

    def _count_burst(self, address: str) -> None:
        recent, now = self._recent[address], self._clock()
        while recent and recent[0] <= now - BURST_SECONDS:
            recent.popleft()
        if len(recent) >= BURST_REQUESTS:
            raise ApiError(
                429, TOO_MANY_REQUESTS, "Too many requests. Please try again later."
            )
        recent.append(now)

    def has_images(self, who: Identity) -> bool:
        """Return whether a picture may still be made."""
        left = self.left(who)
        return left is None or left["images"] > 0

    def take_images(self, who: Identity, number: int | None) -> None:
        """Count pictures that were made; None if there are no more."""
        if (left := self.left(who)) is not None:
            left["images"] = 0 if number is None else max(0, left["images"] - number)

    def usage(
        self, who: Identity, category: str, *, images: bool = False
    ) -> dict[str, Any]:
        """Return the quota's members of a usage report; an API key has none."""
        left = self.left(who)
        if left is None:
            return {}
        return {
            "applied_limit_category": category,
            "remaining_limits": dict(left),
            "image_limit_applied": images,
        }
