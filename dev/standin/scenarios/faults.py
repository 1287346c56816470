"""Faults that refuse a request before anything is answered."""

from ..accounts import Accounts, Identity
from ..errors import (
    APP_VERSION_BAD,
    INSUFFICIENT_SCOPE,
    TOO_MANY_REQUESTS,
    ApiError,
    OpenAIError,
    quota_exceeded,
    unauthorized,
)
from ..human import Shown
from .base import Scenario, register


@register("quota")
class QuotaExceeded(Scenario):
    """No request is left."""

    def admit(self, who: Identity, accounts: Accounts) -> None:
        """Refuse."""
        raise quota_exceeded()


@register("unauthorized")
class Unauthorized(Scenario):
    """The access token is refused, however often it is renewed."""

    everywhere = True

    def admit(self, who: Identity, accounts: Accounts) -> None:
        """Refuse."""
        raise unauthorized()


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
class Forbidden(Scenario):
    """The session lacks a scope."""

    everywhere = True

    def admit(self, who: Identity, accounts: Accounts) -> None:
        """Refuse."""
        raise ApiError(
            403,
            INSUFFICIENT_SCOPE,
            "Access token does not have sufficient scope",
            {"MissingScopes": ["lumo"]},
        )


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
class ServerError(Scenario):
    """The service is down; no repetition helps."""

    everywhere = True

    def admit(self, who: Identity, accounts: Accounts) -> None:
        """Refuse with the next of the usual answers."""
        raise self._next()

    def admit_sign_in(self, name: str, shown: Shown, accounts: Accounts) -> None:
        """Refuse as well."""
        raise self._next()

    def admit_refresh(self, uid: str, shown: Shown, accounts: Accounts) -> None:
        """Refuse as well."""
        raise self._next()

    def _next(self) -> ApiError:
        return self.rotate(
            ApiError(500, 500, "Internal server error"),
            ApiError(503, 503, "Service unavailable"),
        )


@register("app_version")
class AppVersion(Scenario):
    """Whatever version the client names is too old."""

    everywhere = True

    def admit(self, who: Identity, accounts: Accounts) -> None:
        """Refuse."""
        raise self._refusal()

    def admit_sign_in(self, name: str, shown: Shown, accounts: Accounts) -> None:
        """Refuse as well."""
        raise self._refusal()

    def admit_refresh(self, uid: str, shown: Shown, accounts: Accounts) -> None:
        """Refuse as well."""
        raise self._refusal()

    def _refusal(self) -> ApiError:
        return ApiError(
            422, APP_VERSION_BAD, "This app is out of date, please update it"
        )


@register("too_long")
class TooLong(Scenario):
    """The conversation is too long."""

    def admit(self, who: Identity, accounts: Accounts) -> None:
        """Refuse with one of the two shapes."""
        text = "This model's maximum context length is 131072 tokens."
        raise self.rotate(
            OpenAIError(
                400,
                {
                    "object": "error",
                    "type": "BadRequestError",
                    "code": 400,
                    "message": text,
                },
            ),
            OpenAIError(
                400, {"error": {"code": "context_length_exceeded", "message": text}}
            ),
        )
