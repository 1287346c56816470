"""Everything that can go wrong between this client and Proton.

`code` is the translation key: the class's name without `Lumo` and `Error` unless given.
The text is safe for any log: no secret, no prompt, and no words of the service.
"""

import re
from typing import Any, ClassVar


class LumoError(Exception):
    """Talking to Lumo failed.

    `service_code` is Proton's own code, `retry_after` the wait it asks for in seconds.
    """

    code: ClassVar[str] = "unknown"

    def __init_subclass__(cls) -> None:
        if "code" not in cls.__dict__:
            name = cls.__name__.removeprefix("Lumo").removesuffix("Error")
            cls.code = re.sub(r"\B[A-Z]", r"_\g<0>", name).lower()

    def __init__(
        self,
        message: str | None = None,
        *,
        status: int | None = None,
        service_code: int | None = None,
        retry_after: float | None = None,
    ) -> None:
        # The text is the first line of the docstring.
        super().__init__(message or (self.__doc__ or "").splitlines()[0].rstrip("."))
        self.status = status
        self.service_code = service_code
        self.retry_after = retry_after

    @property
    def facts(self) -> dict[str, Any]:
        """Return the numbers to hand on to another error of the same failure."""
        return {"status": self.status, "service_code": self.service_code}

    def __str__(self) -> str:
        numbers = [
            f"{name} {value}"
            for name, value in (("HTTP", self.status), ("code", self.service_code))
            if value is not None
        ]
        text = super().__str__()
        return f"{text} ({', '.join(numbers)})" if numbers else text


class ConfigurationError(LumoError):
    """The Lumo client is configured wrongly."""


class EncryptionKeyError(ConfigurationError):
    """Lumo's public key cannot be used."""


class GatewayUrlError(ConfigurationError):
    """The address of the gateway is wrong."""


class InsecureUrlError(GatewayUrlError):
    """Plain HTTP to an address where anybody may listen."""


class UnconfirmedUrlError(GatewayUrlError):
    """Plain HTTP to a private address was not confirmed."""


class LumoConnectionError(LumoError):
    """Lumo cannot be reached."""

    code = "cannot_connect"


class LumoTimeoutError(LumoConnectionError):
    """Lumo did not answer in time."""


class StreamInterruptedError(LumoConnectionError):
    """Lumo's answer broke off."""


class ForeignPageError(LumoConnectionError):
    """Something else answered: a proxy, a filter, the sign-in page of a network."""


class CertificateDateError(ForeignPageError):
    """The certificate of Lumo's server is not valid today; the clock may be wrong."""


class LumoAuthError(LumoError):
    """Lumo refused the sign-in: raised as one of its subclasses, which say why."""

    code = "unauthorized"


class UnauthorizedError(LumoAuthError):
    """Lumo refused the sign-in; a session may be renewed."""


class SessionExpiredError(LumoAuthError):
    """The Proton session is over."""


class ApiKeyInvalidError(LumoAuthError):
    """The API key is not valid, or not any more."""


class ApiKeyNotRecognisedError(LumoAuthError):
    """Lumo does not recognise the API key and serves it as a guest."""


class ImportedSessionError(LumoAuthError):
    """The text holds no whole session."""


class WrongPasswordError(LumoAuthError):
    """The user name or password is wrong."""


class WrongTotpError(LumoAuthError):
    """The two-factor code is wrong, and Proton has ended the sign-in."""


class TotpFormatError(LumoAuthError):
    """The text is not a two-factor code; it was not sent."""


class SecondFactorUnsupportedError(LumoAuthError):
    """The account needs a security key to sign in, and so a browser."""


class SingleSignOnError(LumoAuthError):
    """The account signs in through its organisation."""


class DeviceVerificationError(LumoAuthError):
    """Proton asks to verify this device."""


class VerificationTokenError(LumoAuthError):
    """The human verification is not done, or was used up."""


class PasswordVersionError(LumoAuthError):
    """The password has a form from before 2018; signing in on the web renews it."""


class ServerProofError(LumoAuthError):
    """The server could not prove that it is Proton's: its challenge, or its answer."""


class ForbiddenError(LumoAuthError):
    """The sign-in may not use Lumo."""


class AccountDisabledError(LumoAuthError):
    """The Proton account is disabled or restricted."""


class HumanVerificationError(LumoAuthError):
    """Proton asks for a human verification.

    `web_url` is the page to open. A retry sends `token` back, with one of `methods`.
    """

    token = ""
    methods: tuple[str, ...] = ()
    web_url = ""


class AppVersionError(LumoError):
    """Proton no longer accepts this version of the client."""


class PlanRequiredError(LumoError):
    """The account's plan does not include what was asked for."""


class RateLimitError(LumoError):
    """Too many requests to Lumo in a short time."""

    code = "rate_limited"


class QuotaError(LumoError):
    """The quota of Lumo requests is used up."""


class ServerError(LumoError):
    """Lumo had an internal error."""

    code = "server_error"


class BusyError(ServerError):
    """Lumo is too busy."""


class BadRequestError(LumoError):
    """Lumo did not accept the request."""


class ContextLengthError(BadRequestError):
    """The conversation is too long for Lumo."""


class ContentFilteredError(LumoError):
    """Lumo will not help with this request."""


class AnswerTooLongError(LumoError):
    """Lumo's answer did not end."""

    code = "too_long"


class TurnOverError(LumoError):
    """Lumo took too long."""

    code = "too_slow"


class IntegrityError(LumoError):
    """A part of Lumo's answer could not be decrypted: nothing of it may be trusted."""


class ProtocolError(LumoError):
    """Lumo answered in an unexpected way."""


class EndpointGoneError(ProtocolError):
    """Lumo's service has moved; this client needs an update."""


class ImageError(ProtocolError):
    """The picture that Lumo sent is damaged or too large."""
