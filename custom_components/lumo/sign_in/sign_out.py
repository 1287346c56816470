"""End a session at Proton that is no longer needed.

Only one that was made here: one that was pasted has another holder.
"""

import asyncio
from typing import Final

from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant

from ..const import LOGGER
from ..lumo_client.errors import LumoError
from ..lumo_client.session import Session, Tokens, keep_nothing
from .connection import async_endpoints, async_http_client
from .session_store import SessionStore
from .ways import made_session

# A person waits for it when an entry is removed.
_SECONDS: Final = 5.0


async def async_own_session(hass: HomeAssistant, entry: ConfigEntry) -> Tokens | None:
    """Return the session that an entry has made at Proton, if any."""
    if not made_session(entry.data):
        return None
    return await SessionStore(hass, entry.entry_id).async_latest_tokens(entry)


async def async_sign_out(hass: HomeAssistant, tokens: Tokens) -> None:
    """End a session, if Proton can be reached soon; else it ends by itself one day."""
    try:
        async with asyncio.timeout(_SECONDS), async_http_client(hass) as http:
            endpoints = await async_endpoints(hass)
            await Session(http, endpoints, tokens, keep_nothing).revoke()
    except (LumoError, TimeoutError) as err:
        LOGGER.warning(
            "The session could not be ended at Proton (%s); it can be ended there in "
            "the settings of the account",
            err if isinstance(err, LumoError) else "no answer in time",
        )
