"""A Proton session: its tokens and how they are renewed.

A refresh token works once. So one refresh runs at a time, everybody else waits for its
result, the new pair is saved before anyone uses it, and a turn that is cancelled while
it waits does not take the answer with it. Where it cannot be saved it is used all the
same: who saves it tries again.

What the answer to a refresh means (as Proton's own clients treat it):

    200             new tokens
    409             a race in Proton's database: repeat at once
    429, 503        repeat after a short wait, a few times
    other 4xx       the session is over, unless the code names another reason
    5xx, no answer,
    somebody else's nothing is known: keep the tokens, let a later turn try again

If the answer was lost, or the process with it before the save, or if the tokens come
from a backup, then the refresh token is used up. Nobody can tell before it is tried:
the old access token goes on being used while it lives, then there is one clear
SessionExpiredError. Only the service says when a token has run out, never a clock.

The tokens of a browser's session are renewed by cookies, all others by JSON. Proton's
servers do not take the one for the other.
"""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
import logging
import random
from typing import Final, Literal
from urllib.parse import quote, unquote

import httpx

from . import errors
from .endpoints import Endpoints
from .replies import HttpReply, error_from_reply, retry_after
from .transport import Transport, is_header_value, read_reply
from .wire_json import dump_json, parse_object, text_of

_LOGGER = logging.getLogger(__name__)

# Any of several addresses is accepted; this is the one of Proton's web client.
_REDIRECT_URI: Final = "https://protonmail.com"

# What Proton's web client calls itself in the refresh cookie of Lumo.
_WEB_CLIENT_ID: Final = "WebLumo"

_RACE_ATTEMPTS: Final = 5
_BUSY_ATTEMPTS: Final = 3
# As in Proton's Python library, when the service names no wait of its own.
_BUSY_WAIT: Final = (3.0, 8.0)
_LONGEST_BUSY_WAIT: Final = 15.0

# 4xx statuses that do not come from looking at the token.
_NOT_ABOUT_THE_TOKEN: Final = frozenset({407, 408, 425})
# Other reasons than a session that is over.
_NOT_THE_END: Final = (
    errors.AppVersionError | errors.HumanVerificationError | errors.RateLimitError
)

type RefreshVariant = Literal["json", "cookie"]


@dataclass(frozen=True, slots=True)
class Tokens:
    """The three strings that are a session. Only `uid` may be shown.

    `variant` is how they are renewed: `cookie` if they come from a browser.
    """

    uid: str
    access_token: str = field(repr=False)
    refresh_token: str = field(repr=False)
    variant: RefreshVariant = field(default="json", repr=False)

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
    """Save no tokens: the session is ended soon, or its holder looks at them."""


class Session:
    """Holds the tokens of one session and renews them.

    `save` must have the tokens on disk when it returns, or keep them and raise.
    """

    def __init__(
        self,
        http: httpx.AsyncClient,
        endpoints: Endpoints,
        tokens: Tokens,
        save: TokenSaver,
        *,
        busy_wait: tuple[float, float] = _BUSY_WAIT,
    ) -> None:
        """Initialize with tokens that are already saved."""
        self._http = http
        self._transport = Transport(http)
        self._endpoints = endpoints
        self.tokens = tokens
        """The tokens in use."""
        self._save = save
        self._busy_wait = busy_wait
        self._over = False
        self._refreshing: asyncio.Task[None] | None = None

    async def renew(self, rejected: str) -> None:
        """Renew the tokens after the service refused an `Authorization` header.

        Returns at once if the tokens were renewed since that header was made. Raises
        SessionExpiredError if only signing in again helps, and other LumoErrors if it
        may work later.
        """
        if rejected != self.tokens.headers["Authorization"]:
            return None
        if self._over:
            raise errors.SessionExpiredError
        if joined := self._refreshing:
            await asyncio.wait([joined])
            if not isinstance(joined.exception(), errors.LumoTimeoutError):
                return joined.result()
            # Somebody else's, begun when nobody answered yet.
        if (task := self._refreshing) is None:
            task = self._refreshing = asyncio.create_task(
                self._refresh(), name="lumo session refresh"
            )
            task.add_done_callback(self._refreshed)
        # Not awaited itself: the cancellation of one who waits must not reach it.
        await asyncio.wait([task])
        return task.result()

    async def settle(self) -> None:
        """Wait until no refresh is under way, whatever its result."""
        if self._refreshing is not None:
            await asyncio.wait([self._refreshing])

    async def user_id(self) -> str | None:
        """Return Proton's id of the account, None if the session may not ask for it.

        Raises a LumoError if nothing was found out.
        """
        try:
            body = read_reply(await self._call("GET", "/core/v4/users"), "User")
        except errors.ForbiddenError, errors.ProtocolError:
            return None
        user = body.get("User")
        return (text_of(user.get("ID")) or None) if isinstance(user, dict) else None

    async def revoke(self) -> None:
        """End the session on Proton's side; it is no failure if it had ended before.

        Raises a LumoError if that could not be made sure.
        """
        await self.settle()
        with suppress(errors.SessionExpiredError, errors.UnauthorizedError):
            read_reply(await self._call("DELETE", "/core/v4/auth"))
        self._over = True

    async def _call(self, method: str, path: str) -> HttpReply:
        url = f"{self._endpoints.account_url}{path}"
        headers = self._account(self.tokens.headers)
        reply = await self._transport.request(method, url, headers)
        if not reply.ok and isinstance(
            error_from_reply(reply), errors.UnauthorizedError
        ):
            # Only the access token may have expired, not the session.
            await self.renew(headers["Authorization"])
            headers = self._account(self.tokens.headers)
            reply = await self._transport.request(method, url, headers)
        return reply

    def _refreshed(self, task: asyncio.Task[None]) -> None:
        """Forget the refresh; look at its failure, as all who waited may be gone."""
        self._refreshing = None
        if not task.cancelled() and (error := task.exception()):
            _LOGGER.debug("Refreshing the session failed: %s", type(error).__name__)

    async def _refresh(self) -> None:
        """Trade the refresh token for new tokens, save them, use them."""
        tokens = await self._exchange()
        try:
            await self._save(tokens)
        except Exception as err:  # noqa: BLE001 # the old pair is used up already
            _LOGGER.warning("The session could not be stored: %s", type(err).__name__)
        self.tokens = tokens

    async def _exchange(self) -> Tokens:
        """Ask for new tokens until there is an answer that means something."""
        races = waits = 0
        while True:
            if self.tokens.variant == "cookie":
                reply = await self._ask_by_cookie()
            else:
                reply = await self._ask()
            if reply.ok:
                return self._read(reply)
            error = error_from_reply(reply)
            if isinstance(error, errors.ForeignPageError):
                raise error
            if reply.status == 409 and races + 1 < _RACE_ATTEMPTS:
                races += 1
                continue
            if reply.status in (429, 503) and waits + 1 < _BUSY_ATTEMPTS:
                wait = retry_after(reply.headers)
                if wait is None:
                    wait = random.uniform(*self._busy_wait)
                if wait <= _LONGEST_BUSY_WAIT:
                    waits += 1
                    await asyncio.sleep(wait)
                    continue
            raise self._failure(reply, error)

    async def _ask(self) -> HttpReply:
        """Ask for new tokens, as clients do that hold them."""
        return await self._transport.request(
            "POST",
            f"{self._endpoints.account_url}/auth/v4/refresh",
            self._account({"x-pm-uid": self.tokens.uid}),
            {
                "UID": self.tokens.uid,
                "RefreshToken": self.tokens.refresh_token,
                "ResponseType": "token",
                "GrantType": "refresh_token",
                "RedirectURI": _REDIRECT_URI,
            },
        )

    async def _ask_by_cookie(self) -> HttpReply:
        """Ask for new tokens, as Proton's web client does."""
        uid = self.tokens.uid
        content = dump_json(
            {
                "ResponseType": "token",
                "ClientID": _WEB_CLIENT_ID,
                "GrantType": "refresh_token",
                "RefreshToken": self.tokens.refresh_token,
                "UID": uid,
            }
        )
        reply = await self._transport.request(
            "POST",
            # The path of the browser's refresh cookie is this one.
            f"{self._endpoints.lumo_url}/auth/refresh",
            {
                "x-pm-appversion": self._endpoints.lumo_app_version,
                "x-pm-uid": uid,
                "Cookie": f"REFRESH-{uid}={quote(content, safe='')}",
            },
        )
        # The tokens are kept in one place only, which is not the jar.
        jar = self._http.cookies.jar
        for cookie in list(jar):
            if cookie.name in (f"AUTH-{uid}", f"REFRESH-{uid}"):
                jar.clear(cookie.domain, cookie.path, cookie.name)
        return reply

    def _read(self, reply: HttpReply) -> Tokens:
        body = read_reply(reply, "AccessToken", "UID")
        if self.tokens.variant == "cookie":
            return self._read_cookies(reply)
        access_token = body.get("AccessToken")
        uid = body.get("UID")
        if not is_header_value(access_token):
            raise errors.ProtocolError("The answer to a refresh holds no access token")
        return Tokens(
            uid=uid if is_header_value(uid) else self.tokens.uid,
            access_token=access_token,
            # Another client of Lumo also keeps the old one if no new one comes.
            refresh_token=text_of(body.get("RefreshToken"))
            or self.tokens.refresh_token,
        )

    def _read_cookies(self, reply: HttpReply) -> Tokens:
        cookies = reply.cookies()
        access_token = cookies.get(f"AUTH-{self.tokens.uid}")
        if not is_header_value(access_token):
            raise errors.ProtocolError("The answer to a refresh sets no access token")
        content = cookies.get(f"REFRESH-{self.tokens.uid}", "")
        return replace(
            self.tokens,
            access_token=access_token,
            refresh_token=read_refresh_cookie(content) or self.tokens.refresh_token,
        )

    def _failure(self, reply: HttpReply, error: errors.LumoError) -> errors.LumoError:
        """Return what an unsuccessful answer means here, and note a session's end."""
        if not 400 <= reply.status < 500 or reply.status in _NOT_ABOUT_THE_TOKEN:
            return error
        if reply.status == 409:
            return errors.ServerError(status=409, service_code=error.service_code)
        if isinstance(error, _NOT_THE_END):
            return error
        self._over = True
        if isinstance(error, errors.LumoAuthError) and not isinstance(
            error, errors.UnauthorizedError
        ):
            return error
        return errors.SessionExpiredError(**error.facts | {"status": reply.status})

    def _account(self, headers: dict[str, str]) -> dict[str, str]:
        return {"x-pm-appversion": self._endpoints.account_app_version, **headers}
