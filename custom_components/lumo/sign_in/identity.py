"""Whose sign-in it is: by what its entry is known.

The unique id is Proton's id of the account where it is known. A session that may not
ask for it is known by its own id, an API key by a hash of it, and there is one guest.
"""

import asyncio
import hashlib
from typing import Final

from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant

from ..const import CONF_USER_ID, DOMAIN, LOGGER
from ..lumo_client.errors import LumoError
from ..lumo_client.session import Session

# Proton counts a guest's requests by a cookie. A second guest would be a second quota,
# so there is one guest in a home.
GUEST_ID: Final = "guest"

# The set-up waits for it.
_SECONDS: Final = 5.0

# Half of a SHA-256 in hexadecimal: enough to tell keys apart.
_KEY_ID_LENGTH: Final = 32


def api_key_id(key: str, base_url: str | None) -> str:
    """Return what an API key is known by; the key cannot be read from it.

    Gateways may all take the same word for a key, so their address is part of it.
    """
    text = f"{base_url}\n{key}" if base_url else key
    return f"key-{hashlib.sha256(text.encode()).hexdigest()[:_KEY_ID_LENGTH]}"


async def async_learn_user_id(
    hass: HomeAssistant, entry: ConfigEntry, session: Session
) -> None:
    """Find out whose session it is, if that was not known when it was entered.

    From then on the same account cannot be added once more. Where it was already, both
    entries go on: they have agents of their own that somebody relies on.
    """
    if CONF_USER_ID in entry.data:
        return
    try:
        async with asyncio.timeout(_SECONDS):
            user_id = await session.user_id()
    except LumoError, TimeoutError:
        return
    if user_id is None:
        return
    other = hass.config_entries.async_entry_for_domain_unique_id(DOMAIN, user_id)
    if other is not None and other.entry_id != entry.entry_id:
        LOGGER.warning("Two entries are the same account: they share its requests")
        return
    hass.config_entries.async_update_entry(
        entry, unique_id=user_id, data={**entry.data, CONF_USER_ID: user_id}
    )
