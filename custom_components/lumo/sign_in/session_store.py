"""What an account must remember across restarts: tokens, or a guest's cookies.

A change of an entry's data reloads it, so tokens live in a private file. What a full
disk does not take stays in memory until it can be written.

A session that was made here and is no longer needed is ended at Proton; one that was
pasted has another holder.
"""

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict
from typing import Any, Final

from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant
from homeassistant.util.hass_dict import HassKey

from ..const import (
    CONF_ACCESS_TOKEN,
    CONF_REFRESH_TOKEN,
    CONF_REFRESH_VARIANT,
    CONF_SIGN_IN_ID,
    CONF_UID,
    CONF_USER_ID,
    DOMAIN,
    LOGGER,
)
from ..lumo_client.auth import Session, Tokens, keep_nothing
from ..lumo_client.errors import LumoError
from ..private_store import PrivateStore
from .connection import async_endpoints, async_http_client
from .ways import made_session

_COOKIES = "cookies"
# What could not be written, by entry.
_UNSAVED: HassKey[dict[str, dict[str, Any]]] = HassKey(f"{DOMAIN}_unsaved_sessions")
# What an entry holds until it is set up, named as in `Tokens`; its uid may stay.
_TOKEN_KEYS = (CONF_ACCESS_TOKEN, CONF_REFRESH_TOKEN, CONF_REFRESH_VARIANT)
# A person waits for the end of a session when an entry is removed.
_SIGN_OUT_SECONDS: Final = 5.0


class SessionStore:
    """The private file of one config entry."""

    def __init__(self, hass: HomeAssistant, entry_id: str) -> None:
        self._hass = hass
        self._entry_id = entry_id
        self._unsaved = hass.data.setdefault(_UNSAVED, {})
        self._sign_in_id: str | None = None
        self._cookies: dict[str, dict[str, str]] = {}
        self._store = PrivateStore[dict[str, Any]](hass, f"{DOMAIN}.{entry_id}")

    async def async_tokens(self, entry: ConfigEntry) -> Tokens | None:
        """Return the session's tokens, moved here from a fresh sign-in."""
        self._sign_in_id = entry.data[CONF_SIGN_IN_ID]
        tokens = await self.async_latest_tokens(entry)
        if tokens and CONF_REFRESH_TOKEN in entry.data:
            with suppress(OSError):
                await self.async_save_tokens(tokens)
                data = dict(entry.data)
                for key in _TOKEN_KEYS:
                    data.pop(key, None)
                self._hass.config_entries.async_update_entry(entry, data=data)
        return tokens

    async def async_latest_tokens(self, entry: ConfigEntry) -> Tokens | None:
        """Return the newest tokens of an entry, in which a crash may have left old ones."""
        data: Mapping[str, Any] = (
            self._unsaved.get(self._entry_id) or await self._store.async_load() or {}
        )
        if (
            CONF_REFRESH_TOKEN in entry.data
            and data.get(CONF_SIGN_IN_ID) != entry.data[CONF_SIGN_IN_ID]
        ):
            data = entry.data
        if CONF_REFRESH_TOKEN not in data:
            return None
        keys = (CONF_UID, *_TOKEN_KEYS)
        return Tokens(**{key: data[key] for key in keys if key in data})

    async def async_save_tokens(self, tokens: Tokens) -> None:
        """Write the tokens to disk. Raises OSError if they are not there then."""
        self._unsaved[self._entry_id] = {
            CONF_SIGN_IN_ID: self._sign_in_id,
            **session_data(tokens),
        }
        if not await self.async_save_again():
            raise OSError("The session could not be stored")

    async def async_save_again(self) -> bool:
        """Write what could not be written; return whether nothing is left."""
        if (data := self._unsaved.get(self._entry_id)) is None:
            return True
        is_saved = await self._store.async_save(data)
        if is_saved and self._unsaved.get(self._entry_id) is data:
            del self._unsaved[self._entry_id]
        return is_saved

    async def async_cookies(self) -> dict[str, dict[str, str]]:
        """Return the guest's cookies, by which Proton counts its requests."""
        self._cookies = (await self._store.async_load() or {}).get(_COOKIES, {})
        return self._cookies

    async def async_save_cookies(self, cookies: dict[str, dict[str, str]]) -> None:
        """Write the guest's cookies to disk if they are new."""
        if cookies != self._cookies:
            self._cookies = cookies
            await self._store.async_save({_COOKIES: cookies})

    async def async_remove(self) -> None:
        """Delete the file."""
        self._unsaved.pop(self._entry_id, None)
        await self._store.async_remove()


def session_data(tokens: Tokens, user_id: str | None = None) -> dict[str, str]:
    """Return the entry's data for a new session."""
    data = asdict(tokens)
    return data if user_id is None else {**data, CONF_USER_ID: user_id}


async def async_own_session(hass: HomeAssistant, entry: ConfigEntry) -> Tokens | None:
    """Return the session that an entry has made at Proton, if any."""
    if not made_session(entry.data):
        return None
    return await SessionStore(hass, entry.entry_id).async_latest_tokens(entry)


async def async_sign_out(hass: HomeAssistant, tokens: Tokens) -> None:
    """End a session, if Proton can be reached soon; else it ends by itself one day."""
    try:
        async with asyncio.timeout(_SIGN_OUT_SECONDS), async_http_client(hass) as http:
            endpoints = await async_endpoints(hass)
            await Session(http, endpoints, tokens, keep_nothing).revoke()
    except (LumoError, TimeoutError) as err:
        LOGGER.warning(
            "The session could not be ended at Proton (%s); it can be ended there in "
            "the settings of the account",
            err if isinstance(err, LumoError) else "no answer in time",
        )
