"""Faults that refuse a request before anything is answered."""

from typing import ClassVar

from ..accounts import Accounts, Identity
from ..errors import (
    APP_VERSION_BAD,
    TOO_MANY_REQUESTS,
    ApiError,
    OpenAIError,
    missing_scope,
    quota_exceeded,
    unauthorized,
)
from ..human import Shown
from .base import Scenario, register


class _Refused(Scenario):
    """Each request gets the next of some errors."""

    errors: ClassVar[tuple[ApiError, ...]]

    def next_error(self) -> ApiError:
        """Return the next of them, as if it had never been raised."""
        return self.rotate(*self.errors).with_traceback(None)

    def admit(self, who: Identity, accounts: Accounts) -> None:
        """Refuse."""
        raise self.next_error()


class _RefusedAll(_Refused):
    """So does each sign-in."""

    everywhere = True

    def admit_sign_in(self, name: str, shown: Shown, accounts: Accounts) -> None:
        """Refuse as well."""
        raise self.next_error()

    def admit_refresh(self, uid: str, shown: Shown, accounts: Accounts) -> None:
        """Refuse as well."""
        raise self.next_error()


@register("quota")
class QuotaExceeded(_Refused):
    """No request is left."""

    errors = (quota_exceeded(),)


@register("unauthorized")
class Unauthorized(_Refused):
    """The access token is refused, however often it is renewed."""

    everywhere = True
    errors = (unauthorized(),)


@register("token_expiry")
class TokenExpiry(Scenario):
    """Each session's access token ends once; a refresh helps."""

    def __init__(self) -> None:
        super().__init__()
        self._expired: set[str] = set()

    def admit(self, who: Identity, accounts: Accounts) -> None:
        """Refuse a session's first request."""
        session = who.session
        if session is not None and session.uid not in self._expired:
            self._expired.add(session.uid)
            accounts.expire_access_tokens(session)
            raise unauthorized()


@register("forbidden")
class Forbidden(_Refused):
    """The session lacks a scope."""

    everywhere = True
    errors = (missing_scope("lumo"),)


@register("rate_limited")
class RateLimited(Scenario):
    """Too fast, always."""

    retry_after = "60"

    def admit(self, who: Identity, accounts: Accounts) -> None:
        """Refuse, and say when to come again."""
        raise ApiError(
            429,
            TOO_MANY_REQUESTS,
            "Too many requests. Please try again later.",
            headers={"Retry-After": self.retry_after},
        )


@register("rate_limited_once")
class RateLimitedOnce(RateLimited):
    """Too fast, but only every other request."""

    retry_after = "2"

    def admit(self, who: Identity, accounts: Accounts) -> None:
        """Refuse the first, let the second pass, and so on."""
        if self.rotate(True, False):
            super().admit(who, accounts)


@register("server_error")
class ServerError(_RefusedAll):
    """The service is down; no repetition helps."""

    errors = (
        ApiError(500, 500, "Internal server error"),
        ApiError(503, 503, "Service unavailable"),
    )


@register("app_version")
class AppVersion(_RefusedAll):
    """Whatever version the client names is too old."""

    errors = (
        ApiError(422, APP_VERSION_BAD, "This app is out of date, please update it"),
    )


_LONG = "This model's maximum context length is 131072 tokens."
_BAD = {"object": "error", "type": "BadRequestError", "code": 400, "message": _LONG}


@register("too_long")
class TooLong(_Refused):
    """The conversation is too long, in one of the two shapes."""

    errors = (
        OpenAIError(400, _BAD),
        OpenAIError(
            400, {"error": {"code": "context_length_exceeded", "message": _LONG}}
        ),
    )
