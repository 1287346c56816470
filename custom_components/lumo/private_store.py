"""A private file that is written at once and read back."""

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from homeassistant.core import HomeAssistant
from homeassistant.helpers.storage import Store

_VERSION = 1


class PrivateStore[T: Mapping[str, Any]]:
    """One file of an account that only Home Assistant's own user may read.

    Home Assistant's store only logs a failure, so each write is read back.
    """

    def __init__(self, hass: HomeAssistant, key: str) -> None:
        self._lock = asyncio.Lock()
        self._is_closed = False
        self._store = Store[T](hass, _VERSION, key, private=True, atomic_writes=True)

    async def async_load(self) -> T | None:
        """Return what is in the file, None if there is none."""
        return await self._store.async_load()

    async def async_save(self, data: T) -> bool:
        """Write the file; return whether it holds this now."""
        async with self._lock:
            if self._is_closed:
                return False
            with suppress(OSError):
                await self._store.async_save(data)
                return await self._store.async_load() == data
        return False

    async def async_close(self) -> None:
        """Write no more."""
        async with self._lock:
            self._is_closed = True

    async def async_remove(self) -> None:
        """Delete the file."""
        await self._store.async_remove()
