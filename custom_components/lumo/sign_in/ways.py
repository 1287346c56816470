"""The ways to sign in, one row each: all that the integration asks about a way."""

from collections.abc import Mapping
from itertools import chain, count
from typing import Any, Final
from urllib.parse import urlsplit

from homeassistant.config_entries import ConfigEntry
from homeassistant.const import CONF_USERNAME
from homeassistant.core import HomeAssistant

from ..const import CONF_BASE_URL, CONF_SIGN_IN, DEFAULT_TITLE, DOMAIN, SignIn
from ..lumo_client.auth import ApiKeyCredential, Credential, GuestCredential, Session

CREDENTIALS: Final[Mapping[SignIn, type[Credential]]] = {
    SignIn.ACCOUNT: Session,
    SignIn.API_KEY: ApiKeyCredential,
    SignIn.SESSION: Session,
    SignIn.GUEST: GuestCredential,
}


def credential_of(data: Mapping[str, Any]) -> type[Credential]:
    """Return with what an entry signs in."""
    return CREDENTIALS[SignIn(data[CONF_SIGN_IN])]


def made_session(data: Mapping[str, Any]) -> bool:
    """Return whether the session was made for an entry, so that it ends with it."""
    return bool(data[CONF_SIGN_IN] == SignIn.ACCOUNT)


def title_of(data: Mapping[str, Any]) -> str:
    """Return what an entry and its first agent are called, unless a person says."""
    name = data.get(CONF_USERNAME)
    if credential_of(data) is ApiKeyCredential:
        # The host of a gateway. Keys of Lumo's have no name that may be shown.
        name = urlsplit(data.get(CONF_BASE_URL, "")).hostname or "API"
    return f"{DEFAULT_TITLE} ({name})" if name else DEFAULT_TITLE


def is_ours(title: str, data: Mapping[str, Any]) -> bool:
    """Return whether an entry's title was made here, and not by a person."""
    made = title_of(data)
    number = title.removeprefix(made).strip()
    return title.startswith(made) and (not number or number.isdecimal())


def free_title(
    hass: HomeAssistant, wanted: str, mine: ConfigEntry | None = None
) -> str:
    """Return a title that no other entry or agent than `mine` has."""
    taken: set[str] = set()
    for entry in hass.config_entries.async_entries(DOMAIN):
        if entry is mine:
            continue
        taken |= {entry.title, *(item.title for item in entry.subentries.values())}
    numbered = (f"{wanted} {number}" for number in count(2))
    return next(title for title in chain([wanted], numbered) if title not in taken)
