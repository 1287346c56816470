"""Who is asking: a guest, an API key, or a Proton session with its tokens.

A refresh token works once: one refresh runs at a time, and the new pair is saved before
anyone uses it. What its answer means (as Proton's own clients treat it):

    200             new tokens
    409             a race in Proton's database: repeat at once
    429, 503        repeat after a short wait, a few times
    other 4xx       the session is over, unless the code names another reason
    5xx, no answer,
    somebody else's keep the tokens, let a later turn try again

The tokens of a browser's session are renewed by cookies, all others by JSON. Proton's
servers do not take the one for the other.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
import logging
import random
from typing import Any, ClassVar, Final, Literal, override
from urllib.parse import quote, unquote

import httpx

from . import errors
from .endpoints import ACCOUNT_APP_VERSION, LUMO_APP_VERSION, Endpoints
from .replies import HttpReply, error_from_reply, retry_after
from .transport import Transport, is_header_value, read_reply
from .wire_json import dump_json, parse_object, text_of

_LOGGER = logging.getLogger(__name__)

# What Lumo sets for a guest; nothing else of the jar is saved.
_GUEST_COOKIES: Final = frozenset({"Session-Id", "Tag"})
_COOKIE_PARTS: Final = ("value", "domain", "path")

# Any of several addresses is accepted; this is the one of Proton's web client.
_REDIRECT_URI: Final = "https://protonmail.com"

# What Proton's web client calls itself in the refresh cookie of Lumo.
_WEB_CLIENT_ID: Final = "WebLumo"

_ATTEMPTS: Final = 3
_AGAIN: Final = (
    HTTPStatus.CONFLICT,
    HTTPStatus.TOO_MANY_REQUESTS,
    HTTPStatus.SERVICE_UNAVAILABLE,
)
# As in Proton's Python library, when the service names no wait of its own.
BUSY_WAIT: Final = (3.0, 8.0)
_LONGEST_BUSY_WAIT: Final = 15.0

# How long Home Assistant's stop waits for a refresh, and for one that was sent.
STOP_SECONDS: Final = 5.0
SENT_SECONDS: Final = 15.0

# 4xx statuses that do not come from looking at the token.
_NOT_ABOUT_THE_TOKEN: Final = frozenset({407, 408, 425})
# Other reasons than a session that is over.
_NOT_THE_END: Final = (
    errors.AppVersionError
    | errors.ForeignPageError
    | errors.HumanVerificationError
    | errors.RateLimitError
)

type RefreshVariant = Literal["json", "cookie"]


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
        self, http: httpx.AsyncClient, cookies: Mapping[str, Any] | None = None
    ) -> None:
        """Initialize with the HTTP client of this guest alone and saved cookies."""
        self._http = http
        for name, saved in (cookies or {}).items():
            match saved:
                case {"value": value, "domain": domain, "path": path}:
                    http.cookies.set(name, value, domain, path)

    @property
    def cookies(self) -> dict[str, dict[str, str]]:
        """Return the guest's cookies by name: value, domain and path of each."""
        return {
            cookie.name: {key: getattr(cookie, key) for key in _COOKIE_PARTS}
            for cookie in self._http.cookies.jar
            if cookie.name in _GUEST_COOKIES and cookie.value
        }


class ApiKeyCredential(Credential):
    """A key that a person made in Lumo's settings; no other string is refused, either."""

    encrypted: ClassVar = False

    def __init__(self, key: str) -> None:
        """Initialize with the key; raises ApiKeyInvalidError if it cannot be one."""
        key = key.strip()
        if not is_header_value(key):
            raise errors.ApiKeyInvalidError
        self._headers = {"Authorization": f"Bearer {key}"}

    @override
    async def headers(self) -> dict[str, str]:
        return dict(self._headers)

    @override
    async def renew(self, rejected: Mapping[str, str]) -> bool:
        # A refused key stays refused.
        raise errors.ApiKeyInvalidError(status=401)


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
        except errors.UnauthorizedError as err:
            if attempt == 0 and not await credential.renew(headers):
                raise
            # Also what Proton answers to an app version of the wrong product.
            if attempt == 2:
                raise errors.ServerError(**err.facts) from err
    raise AssertionError


@dataclass(frozen=True, slots=True)
class Tokens:
    """The three strings that are a session; only `uid` may be shown.

    `refresh_variant` is `cookie` if they come from a browser.
    """

    uid: str
    access_token: str = field(repr=False)
    refresh_token: str = field(repr=False)
    refresh_variant: RefreshVariant = field(default="json", repr=False)

    @property
    def headers(self) -> dict[str, str]:
        """Return the headers that prove the session."""
        return {"x-pm-uid": self.uid, "Authorization": f"Bearer {self.access_token}"}


def read_refresh_cookie(value: str) -> str | None:
    """Return the refresh token in the value of a `REFRESH-` cookie, None without one.

    The value is JSON, URL-encoded once, or not at all if a browser's tools decoded it.
    """
    for _ in range(3):
        content = parse_object(value)
        if content:
            return text_of(content.get("RefreshToken")) or None
        value = unquote(value)
    return None


type TokenSaver = Callable[[Tokens], Awaitable[None]]


async def keep_nothing(_tokens: Tokens) -> None:
    """Save no tokens: the session ends soon, or its holder keeps them."""


class Session(Credential):
    """Holds the tokens of one session and renews them.

    `save` must have the tokens on disk when it returns, or keep them and raise.
    """

    def __init__(
        self,
        http: httpx.AsyncClient,
        endpoints: Endpoints,
        tokens: Tokens,
        save: TokenSaver,
    ) -> None:
        """Initialize with tokens that are already saved."""
        self._http = http
        self._transport = Transport(http)
        self._endpoints = endpoints
        self.tokens = tokens
        self._save = save
        self._over = False
        self._refreshing: asyncio.Task[None] | None = None
        self._is_stopping = self._is_sent = False

    @override
    async def headers(self) -> dict[str, str]:
        """Return the headers that prove the session now."""
        return self.tokens.headers

    @override
    async def renew(self, rejected: Mapping[str, str]) -> bool:
        """Renew the tokens, unless they were renewed since these headers were made.

        Raises SessionExpiredError if only signing in again helps, else LumoError.
        """
        if rejected.get("Authorization") != self.tokens.headers["Authorization"]:
            return True
        if self._over:
            raise errors.SessionExpiredError
        if (task := self._refreshing) is None:
            task = self._refreshing = asyncio.create_task(
                self._refresh(), name="lumo session refresh"
            )
            task.add_done_callback(self._refreshed)
        # Not awaited itself: who waits may be cancelled, the refresh must not be.
        await asyncio.wait([task])
        task.result()
        return True

    async def stop(self) -> None:
        """Wait for a refresh that is under way, without repeating it."""
        self._is_stopping = True
        if task := self._refreshing:
            seconds = SENT_SECONDS if self._is_sent else STOP_SECONDS
            await asyncio.wait([task], timeout=seconds)
            task.cancel()

    async def user_id(self) -> str | None:
        """Return Proton's id of the account, None if it is not told. Raises LumoError."""
        try:
            body = await self._call("GET", "/core/v4/users", "User")
        except errors.ForbiddenError, errors.ProtocolError:
            return None
        user = body.get("User")
        return (text_of(user.get("ID")) or None) if isinstance(user, dict) else None

    async def revoke(self) -> None:
        """End the session on Proton's side, unless it has ended. Raises LumoError."""
        if self._refreshing:
            await asyncio.wait([self._refreshing])
        try:
            await self._call("DELETE", "/core/v4/auth")
        except errors.SessionExpiredError:
            pass
        except errors.ServerError as err:
            if err.status != HTTPStatus.UNAUTHORIZED:
                raise
        self._over = True

    async def _call(self, method: str, path: str, *members: str) -> dict[str, Any]:
        url = f"{self._endpoints.account_url}{path}"

        async def send(headers: dict[str, str]) -> dict[str, Any]:
            reply = await self._transport.request(method, url, self._account(headers))
            return read_reply(reply, *members)

        return await send_signed(self, send)

    def _refreshed(self, task: asyncio.Task[None]) -> None:
        # All who waited may be gone, so the failure is looked at here.
        self._refreshing = None
        if not task.cancelled() and (error := task.exception()):
            _LOGGER.debug("Refreshing the session failed: %s", type(error).__name__)

    async def _refresh(self) -> None:
        tokens = await self._exchange()
        try:
            await self._save(tokens)
        except Exception as err:  # noqa: BLE001 # the old pair is used up already
            _LOGGER.warning("The session could not be stored: %s", type(err).__name__)
        self.tokens = tokens

    async def _exchange(self) -> Tokens:
        attempt = 1
        while True:
            self._is_sent = True
            reply, cookies = await self._ask()
            self._is_sent = reply.ok
            if reply.ok:
                return self._read(reply, cookies)
            error = error_from_reply(reply)
            wait = self._wait_after(reply, error)
            if wait is None or attempt == _ATTEMPTS or self._is_stopping:
                raise self._meaning(error)
            attempt += 1
            await asyncio.sleep(wait)
            if self._is_stopping:
                raise self._meaning(error)

    async def _ask(self) -> tuple[HttpReply, dict[str, str]]:
        uid = self.tokens.uid
        url = f"{self._endpoints.account_url}/auth/v4/refresh"
        headers = self._account({"x-pm-uid": uid})
        body: dict[str, Any] = {
            "UID": uid,
            "RefreshToken": self.tokens.refresh_token,
            "ResponseType": "token",
            "GrantType": "refresh_token",
        }
        if self.tokens.refresh_variant == "cookie":
            content = quote(dump_json({**body, "ClientID": _WEB_CLIENT_ID}), safe="")
            # The path of the browser's refresh cookie is this one.
            url = f"{self._endpoints.lumo_url}/auth/refresh"
            headers["x-pm-appversion"] = LUMO_APP_VERSION
            headers["Cookie"] = f"REFRESH-{uid}={content}"
            body = {}
        else:
            body["RedirectURI"] = _REDIRECT_URI

        reply = await self._transport.request("POST", url, headers, body or None)
        # The tokens live here, not in the jar.
        jar = self._http.cookies.jar
        cookies = {}
        for cookie in list(jar):
            if cookie.name in (f"AUTH-{uid}", f"REFRESH-{uid}"):
                cookies[cookie.name] = (cookie.value or "").strip('"')
                jar.clear(cookie.domain, cookie.path, cookie.name)
        return reply, cookies

    def _wait_after(self, reply: HttpReply, error: errors.LumoError) -> float | None:
        """Return the seconds before another request, None for no other request."""
        if isinstance(error, errors.ForeignPageError) or reply.status not in _AGAIN:
            return None
        if reply.status == HTTPStatus.CONFLICT:
            return 0.0
        wait = retry_after(reply.headers)
        wait = random.uniform(*BUSY_WAIT) if wait is None else wait
        return wait if wait <= _LONGEST_BUSY_WAIT else None

    def _read(self, reply: HttpReply, cookies: Mapping[str, str]) -> Tokens:
        body = read_reply(reply, "AccessToken", "UID")
        old = self.tokens
        uid, access_token = body.get("UID"), body.get("AccessToken")
        refresh_token: str | None = text_of(body.get("RefreshToken"))
        if old.refresh_variant == "cookie":
            uid, access_token = old.uid, cookies.get(f"AUTH-{old.uid}")
            refresh_token = read_refresh_cookie(cookies.get(f"REFRESH-{old.uid}", ""))
        if not is_header_value(access_token):
            raise errors.ProtocolError("The answer to a refresh holds no access token")
        return Tokens(
            uid=uid if is_header_value(uid) else old.uid,
            access_token=access_token,
            refresh_token=refresh_token or old.refresh_token,
            refresh_variant=old.refresh_variant,
        )

    def _meaning(self, error: errors.LumoError) -> errors.LumoError:
        """Return what an unsuccessful answer means, and note a session's end."""
        status = error.status or 0
        if (
            not 400 <= status < 500
            or status in _NOT_ABOUT_THE_TOKEN
            or isinstance(error, _NOT_THE_END)
        ):
            return error
        if status == HTTPStatus.CONFLICT:
            return errors.ServerError(**error.facts)
        self._over = True
        if isinstance(error, errors.LumoAuthError) and not isinstance(
            error, errors.UnauthorizedError
        ):
            return error
        return errors.SessionExpiredError(**error.facts)

    def _account(self, headers: dict[str, str]) -> dict[str, str]:
        return {"x-pm-appversion": ACCOUNT_APP_VERSION, **headers}
