"""The ways to sign in, one row each: all that the integration asks about a way."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import chain, count
from typing import Any, Final
from urllib.parse import urlsplit

from homeassistant.config_entries import ConfigEntry
from homeassistant.const import CONF_USERNAME
from homeassistant.core import HomeAssistant

from ..const import CONF_BASE_URL, CONF_SIGN_IN, DEFAULT_TITLE, DOMAIN, SignIn
from ..lumo_client.auth import ApiKeyCredential, Credential, GuestCredential
from ..lumo_client.session import Session


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """What is true of one way to sign in."""

    credential: type[Credential]
    session_is_ours: bool = False
    """The session was made for this entry, so it ends with it."""

    @property
    def anonymous(self) -> bool:
        """Return whether there is nothing that could be entered again."""
        return self.credential is GuestCredential


WAYS: Final[Mapping[SignIn, Way]] = {
    SignIn.ACCOUNT: Way(credential=Session, session_is_ours=True),
    SignIn.API_KEY: Way(credential=ApiKeyCredential),
    SignIn.SESSION: Way(credential=Session),
    SignIn.GUEST: Way(credential=GuestCredential),
}


def way_of(data: Mapping[str, Any]) -> Way:
    """Return the way in which an entry was signed in."""
    return WAYS[SignIn(data[CONF_SIGN_IN])]


def title_of(data: Mapping[str, Any]) -> str:
    """Return what an entry and its first agent are called, unless a person says."""
    name = data.get(CONF_USERNAME)
    if way_of(data).credential is ApiKeyCredential:
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
