"""Holds requests back until a test lets them go.

So that a client in another process can be killed at a known moment.
"""

import asyncio
from typing import Final, Literal

from aiohttp import web

from .connection import check

type Place = Literal["before", "after"]

# Where each call can be held: before it has any effect, after it has had it.
CALLS: Final = ("refresh",)
PLACES: Final = ("before", "after")


class Gate:
    """Which calls are held where, and how many wait."""

    def __init__(self) -> None:
        self.held: dict[str, Place] = {}
        self.waiting = 0
        self._released = asyncio.Event()
        self._reached = asyncio.Event()

    def hold(self, call: str, place: Place) -> None:
        """Hold a call from now on; raise ValueError for one that cannot be held."""
        if call not in CALLS or place not in PLACES:
            raise ValueError(f"{call}: {place} cannot be held")
        self.held[call] = place

    def release(self) -> None:
        """Let everything go."""
        self.held.clear()
        self._released.set()
        self._released = asyncio.Event()

    async def reached(self) -> None:
        """Wait until something is held."""
        await self._reached.wait()

    async def pass_by(self, request: web.Request, call: str, place: Place) -> None:
        """Wait here if the call is held here; raise Gone if its client has left.

        A client that was killed before its request had an effect has sent none.
        """
        if self.held.get(call) != place:
            return
        self.waiting += 1
        self._reached.set()
        try:
            await self._released.wait()
        finally:
            self.waiting -= 1
            if not self.waiting:
                self._reached.clear()
        check(request)
