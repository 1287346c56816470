"""Ways to be known to Lumo. Each is a Credential; signing in makes one.

    guest     no headers; Proton counts requests by a cookie
    session   `x-pm-uid` and a bearer token that is renewed
    api_key   a bearer token that is not

Signing in with a password (SRP) comes beside these: it ends in a Session.
"""

from collections.abc import Mapping
from http.cookiejar import Cookie
from typing import ClassVar, Final, override

import httpx

from .errors import ApiKeyInvalidError
from .session import Session
from .transport import is_header_value
from .wire_json import dump_json, parse_object

# What Lumo sets for a guest; nothing else of the jar is saved.
_GUEST_COOKIES: Final = frozenset({"Session-Id", "Tag"})


class Credential:
    """What the client needs to know about who is asking.

    `encrypted` says whether requests are encrypted to Lumo; no client does that with
    an API key.
    """

    encrypted: ClassVar[bool] = True

    async def headers(self) -> dict[str, str]:
        """Return the headers to send now."""
        return {}

    async def renew(self, rejected: Mapping[str, str]) -> bool:
        """Act on a 401; `rejected` are the headers that were sent.

        Return whether trying once more makes sense. Raises a LumoAuthError if the
        credential is known to be dead, another LumoError if renewing failed.
        """
        return False


class GuestCredential(Credential):
    """A guest: no account.

    The first answer sets a cookie by which Proton counts a guest's requests. It lives
    in the HTTP client's jar; `cookies` gives it out, to be saved and given back after
    a restart: a new one each time would dodge the quota.
    """

    def __init__(
        self, http: httpx.AsyncClient, cookies: Mapping[str, str] | None = None
    ) -> None:
        """Initialize with the HTTP client of this guest alone and saved cookies."""
        self._http = http
        for name, saved in (cookies or {}).items():
            if cookie := _cookie(name, saved):
                http.cookies.jar.set_cookie(cookie)

    @property
    def cookies(self) -> dict[str, str]:
        """Return the guest's cookies, opaque: JSON strings by name."""
        return {
            cookie.name: _saved(cookie)
            for cookie in self._http.cookies.jar
            if cookie.name in _GUEST_COOKIES and cookie.value
        }


class SessionCredential(Credential):
    """Somebody signed in to a Proton account."""

    def __init__(self, session: Session) -> None:
        self.session = session

    @override
    async def headers(self) -> dict[str, str]:
        return self.session.tokens.headers

    @override
    async def renew(self, rejected: Mapping[str, str]) -> bool:
        await self.session.renew(rejected.get("Authorization", ""))
        return True


class ApiKeyCredential(Credential):
    """A key that a person made in Lumo's settings.

    Caution: a string that is not a key is not refused but served as a guest. The
    usage of such an answer has `remaining`, that of a real key has not.
    """

    encrypted: ClassVar = False

    def __init__(self, key: str) -> None:
        """Initialize with the key; raises ApiKeyInvalidError if it cannot be one."""
        key = key.strip()
        if not is_header_value(key):
            raise ApiKeyInvalidError
        self._headers = {"Authorization": f"Bearer {key}"}

    @override
    async def headers(self) -> dict[str, str]:
        return dict(self._headers)

    @override
    async def renew(self, rejected: Mapping[str, str]) -> bool:
        # A refused key stays refused.
        raise ApiKeyInvalidError(status=401)


def _saved(cookie: Cookie) -> str:
    kept = ("value", "domain", "path", "secure", "expires")
    return dump_json({name: getattr(cookie, name) for name in kept})


def _cookie(name: str, saved: str) -> Cookie | None:
    match parse_object(saved):
        case {"value": value, "domain": str(domain), "path": str(path), **facts}:
            pass
        case _:
            return None
    if name not in _GUEST_COOKIES or not is_header_value(value):
        return None
    expires = facts.get("expires")
    return Cookie(
        version=0,
        name=name,
        value=value,
        port=None,
        port_specified=False,
        domain=domain,
        domain_specified=domain.startswith("."),
        domain_initial_dot=domain.startswith("."),
        path=path,
        path_specified=True,
        secure=bool(facts.get("secure")),
        expires=expires if isinstance(expires, int) else None,
        discard=expires is None,
        comment=None,
        comment_url=None,
        rest={},
    )
