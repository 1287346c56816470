"""Who is asking: a guest, an API key, or a session (`session.py`)."""

from collections.abc import Awaitable, Callable, Mapping
from typing import ClassVar, Final, override

import httpx

from .errors import ApiKeyInvalidError, ServerError, UnauthorizedError
from .transport import is_header_value
from .wire_json import dump_json, parse_object

# What Lumo sets for a guest; nothing else of the jar is saved.
_GUEST_COOKIES: Final = frozenset({"Session-Id", "Tag"})


class Credential:
    """Who is asking; `encrypted` says whether requests are encrypted to Lumo."""

    encrypted: ClassVar[bool] = True

    async def headers(self) -> dict[str, str]:
        """Return the headers to send now."""
        return {}

    async def renew(self, rejected: Mapping[str, str]) -> bool:
        """Act on a 401; return whether to try once more. Raises LumoError."""
        return False


class GuestCredential(Credential):
    """A guest, whose requests Proton counts by a cookie that the first answer sets.

    `cookies` is to be saved and given back: a new one would dodge the quota.
    """

    def __init__(
        self, http: httpx.AsyncClient, cookies: Mapping[str, str] | None = None
    ) -> None:
        """Initialize with the HTTP client of this guest alone and saved cookies."""
        self._http = http
        for name, saved in (cookies or {}).items():
            match parse_object(saved):
                case {"value": value, "domain": str(domain), "path": str(path)} if (
                    name in _GUEST_COOKIES and is_header_value(value)
                ):
                    http.cookies.set(name, value, domain, path)

    @property
    def cookies(self) -> dict[str, str]:
        """Return the guest's cookies, opaque: JSON strings by name."""
        return {
            cookie.name: dump_json(
                {key: getattr(cookie, key) for key in ("value", "domain", "path")}
            )
            for cookie in self._http.cookies.jar
            if cookie.name in _GUEST_COOKIES and cookie.value
        }


class ApiKeyCredential(Credential):
    """A key that a person made in Lumo's settings.

    A string that is not a key is not refused but served as a guest.
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


async def send_signed[T](
    credential: Credential, send: Callable[[dict[str, str]], Awaitable[T]]
) -> T:
    """Return what `send` returns for a credential's headers, renewed if need be.

    New headers may be refused at first, so they are sent twice; then ServerError.
    """
    for attempt in range(3):
        headers = await credential.headers()
        try:
            return await send(headers)
        except UnauthorizedError as err:
            if attempt == 0 and not await credential.renew(headers):
                raise
            # Also what Proton answers to an app version of the wrong product.
            if attempt == 2:
                raise ServerError(**err.facts) from err
    raise AssertionError
