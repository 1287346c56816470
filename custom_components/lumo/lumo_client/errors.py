"""Everything that can go wrong between this client and Proton.

The tree; the name says what happened, the short code beside it is the translation key
and what traces print:

* LumoError                      unknown
  x ConfigurationError           configuration
    - EncryptionKeyError         encryption_key
    - GatewayUrlError            gateway_url
      - InsecureUrlError         insecure_url
      - UnconfirmedUrlError      unconfirmed_url
  x LumoConnectionError          cannot_connect
    - LumoTimeoutError           timeout
    - StreamInterruptedError     stream_interrupted
    - ForeignPageError           foreign_page
  x LumoAuthError                invalid_auth
    - UnauthorizedError          unauthorized
    - SessionExpiredError        session_expired
    - ApiKeyInvalidError         api_key_invalid
    - ApiKeyNotRecognisedError   api_key_not_recognised
    - ImportedSessionError       imported_session
    - WrongPasswordError         wrong_password
    - WrongTotpError             wrong_totp
    - TotpFormatError            totp_format
    - SecondFactorUnsupportedError   second_factor_unsupported
    - SingleSignOnError          single_sign_on
    - DeviceVerificationError    device_verification
    - VerificationTokenError     verification_token
    - PasswordVersionError       password_version
    - ChallengeError             sign_in_challenge
      - ModulusError             modulus
    - ServerProofError           server_proof
    - ForbiddenError             forbidden
    - AccountDisabledError       account_disabled
    - HumanVerificationError     human_verification
  x AppVersionError              app_version
  x PlanRequiredError            plan_required
  x QuotaError                   quota
  x RateLimitError               rate_limited
  x ServerError                  server_error
    - BusyError                  busy
  x BadRequestError              bad_request
    - ContextLengthError         context_length
  x ContentFilteredError         content_filtered
  x AnswerTooLongError           too_long
  x TurnOverError                too_slow
  x IntegrityError               integrity
  x ProtocolError                protocol
    - EndpointGoneError          endpoint_gone

The text of an error is ours and safe for any log: no secret, no prompt and no answer is
ever part of it. What the service wrote about the failure is in `detail`, bounded, for
debugging and for a person to read; it is not part of `str()`.
"""

from collections.abc import Sequence
from typing import ClassVar, TypedDict, Unpack

# Enough for any sentence of the service, too little for a whole prompt echoed back.
_DETAIL_LIMIT = 300


class Facts(TypedDict, total=False):
    """What the service told with a failure."""

    status: int | None
    service_code: int | None
    detail: str | None
    retry_after: float | None


class LumoError(Exception):
    """Base class of everything this package raises on purpose.

    `status` is the HTTP status, `service_code` Proton's own code (its `Code` field) and
    `retry_after` the wait it asks for in seconds, each None where there was none.
    """

    code: ClassVar[str] = "unknown"
    default_message: ClassVar[str] = "Talking to Lumo failed"

    def __init__(self, message: str | None = None, **facts: Unpack[Facts]) -> None:
        """Initialize with our own text and what the service said."""
        super().__init__(message or self.default_message)
        self.status = facts.get("status")
        self.service_code = facts.get("service_code")
        self.retry_after = facts.get("retry_after")
        self.detail = _bounded(facts.get("detail"))

    def __str__(self) -> str:
        """Return our text, with the numbers that help a maintainer."""
        numbers = [
            f"{name} {value}"
            for name, value in (("HTTP", self.status), ("code", self.service_code))
            if value is not None
        ]
        text = super().__str__()
        return f"{text} ({', '.join(numbers)})" if numbers else text


class ConfigurationError(LumoError):
    """What the client was given cannot work."""

    code = "configuration"
    default_message = "The Lumo client is configured wrongly"


class EncryptionKeyError(ConfigurationError):
    """The public key of Lumo cannot be used to encrypt to it."""

    code = "encryption_key"
    default_message = "Lumo's public key cannot be used"


class GatewayUrlError(ConfigurationError):
    """The address of a gateway is not one."""

    code = "gateway_url"
    default_message = "The address of the gateway is wrong"


class InsecureUrlError(GatewayUrlError):
    """Plain HTTP to an address where anybody may listen."""

    code = "insecure_url"
    default_message = "This address needs https"


class UnconfirmedUrlError(GatewayUrlError):
    """Plain HTTP in the home's own network, which the person has not confirmed."""

    code = "unconfirmed_url"
    default_message = "Plain HTTP to a private address was not confirmed"


class LumoConnectionError(LumoError):
    """No answer: name not found, connection refused or reset, TLS failed."""

    code = "cannot_connect"
    default_message = "Lumo cannot be reached"


class LumoTimeoutError(LumoConnectionError):
    """The service stayed silent for too long."""

    code = "timeout"
    default_message = "Lumo did not answer in time"


class StreamInterruptedError(LumoConnectionError):
    """The answer broke off before its end."""

    code = "stream_interrupted"
    default_message = "Lumo's answer broke off"


class ForeignPageError(LumoConnectionError):
    """Somebody else answered: a proxy, a filter, the sign-in page of a network."""

    code = "foreign_page"
    default_message = "Something else than Lumo answered"


class LumoAuthError(LumoError):
    """The service does not accept who is asking."""

    code = "invalid_auth"
    default_message = "Lumo refused the sign-in"


class UnauthorizedError(LumoAuthError):
    """The service answered 401; with a session, renewing it may help."""

    code = "unauthorized"


class SessionExpiredError(LumoAuthError):
    """The session is over and only signing in again helps."""

    code = "session_expired"
    default_message = "The Proton session is over"


class ApiKeyInvalidError(LumoAuthError):
    """The API key is wrong, revoked or expired."""

    code = "api_key_invalid"
    default_message = "The API key is not valid"


class ApiKeyNotRecognisedError(LumoAuthError):
    """The API key is not refused, but its requests are served as a guest's."""

    code = "api_key_not_recognised"
    default_message = "Lumo does not recognise the API key and serves it as a guest"


class ImportedSessionError(LumoAuthError):
    """What a person pasted is not a whole session.

    `missing` names what was not found: `uid`, `access_token`, `refresh_token`,
    `auth_cookie`, `refresh_cookie`; empty if nothing of a session was found at all.
    """

    code = "imported_session"
    default_message = "The text holds no whole session"

    def __init__(
        self, message: str | None = None, *, missing: Sequence[str] = ()
    ) -> None:
        """Initialize with the names of what is missing."""
        super().__init__(message)
        self.missing = tuple(missing)


class WrongPasswordError(LumoAuthError):
    """The user name or the password is wrong."""

    code = "wrong_password"
    default_message = "The user name or password is wrong"


class WrongTotpError(LumoAuthError):
    """The code of the second factor is wrong: Proton has ended the sign-in."""

    code = "wrong_totp"
    default_message = "The two-factor code is wrong"


class TotpFormatError(LumoAuthError):
    """What was typed can be no code of a second factor; it was not sent."""

    code = "totp_format"
    default_message = "This is not a two-factor code"


class SecondFactorUnsupportedError(LumoAuthError):
    """The account's only second factor is a security key, which needs a browser."""

    code = "second_factor_unsupported"
    default_message = "The account needs a security key to sign in"


class SingleSignOnError(LumoAuthError):
    """The account does not sign in with a password of Proton."""

    code = "single_sign_on"
    default_message = "The account signs in through its organisation"


class DeviceVerificationError(LumoAuthError):
    """Proton wants the sign-in approved on another device."""

    code = "device_verification"
    default_message = "Proton asks to verify this device"


class VerificationTokenError(LumoAuthError):
    """The human verification is not done, or was used up."""

    code = "verification_token"
    default_message = "Proton did not accept the human verification"


class PasswordVersionError(LumoAuthError):
    """The password is stored in a form from before 2018.

    Signing in once on the web brings it up to date.
    """

    code = "password_version"
    default_message = "The account's password needs to be upgraded on the web"


class ChallengeError(LumoAuthError):
    """It is not safe to answer the server's sign-in challenge."""

    code = "sign_in_challenge"
    default_message = "The server's sign-in challenge is not valid"


class ModulusError(ChallengeError):
    """The modulus of the challenge is not signed by Proton."""

    code = "modulus"
    default_message = "The server's modulus is not signed by Proton"


class ServerProofError(LumoAuthError):
    """The server did not prove that it knows the account."""

    code = "server_proof"
    default_message = "The server could not prove that it is Proton's"


class ForbiddenError(LumoAuthError):
    """The session or key may not use this."""

    code = "forbidden"
    default_message = "This sign-in may not use Lumo"


class AccountDisabledError(LumoAuthError):
    """The account is disabled or restricted by Proton."""

    code = "account_disabled"
    default_message = "The Proton account is disabled or restricted"


class HumanVerificationError(LumoAuthError):
    """Proton wants to see a human first.

    `web_url` is the page to open, `token` what a retry sends back in
    `x-pm-human-verification-token`, with one of `methods` as its type.
    """

    code = "human_verification"
    default_message = "Proton asks for a human verification"

    def __init__(
        self,
        message: str | None = None,
        *,
        token: str,
        methods: Sequence[str],
        web_url: str,
        **facts: Unpack[Facts],
    ) -> None:
        """Initialize with what the verification page needs."""
        super().__init__(message, **facts)
        self.token = token
        self.methods = tuple(methods)
        self.web_url = web_url


class AppVersionError(LumoError):
    """Proton refuses the app version this client names."""

    code = "app_version"
    default_message = "Proton no longer accepts this version of the client"


class PlanRequiredError(LumoError):
    """The account's plan does not include this."""

    code = "plan_required"
    default_message = "This needs a paid plan"


class RateLimitError(LumoError):
    """Too many requests in a short time."""

    code = "rate_limited"
    default_message = "Too many requests to Lumo in a short time"


class QuotaError(LumoError):
    """The number of requests the account or guest has is used up."""

    code = "quota"
    default_message = "The quota of Lumo requests is used up"


class ServerError(LumoError):
    """The service failed."""

    code = "server_error"
    default_message = "Lumo had an internal error"


class BusyError(ServerError):
    """The service has no capacity for the request now."""

    code = "busy"
    default_message = "Lumo is too busy"


class BadRequestError(LumoError):
    """The service does not understand the request: a defect of this client."""

    code = "bad_request"
    default_message = "Lumo did not accept the request"


class ContextLengthError(BadRequestError):
    """The conversation is longer than the model can read."""

    code = "context_length"
    default_message = "The conversation is too long for Lumo"


class ContentFilteredError(LumoError):
    """The service will not help with this."""

    code = "content_filtered"
    default_message = "Lumo will not help with this request"


class AnswerTooLongError(LumoError):
    """The answer is longer than the limit."""

    code = "too_long"
    default_message = "Lumo's answer did not end"


class TurnOverError(LumoError):
    """The time for the whole turn is used up."""

    code = "too_slow"
    default_message = "Lumo took too long"


class IntegrityError(LumoError):
    """A part of the answer could not be decrypted: nothing of it may be trusted."""

    code = "integrity"
    default_message = "A part of Lumo's answer could not be decrypted"


class ProtocolError(LumoError):
    """The service answered something this client cannot read."""

    code = "protocol"
    default_message = "Lumo answered in an unexpected way"


class EndpointGoneError(ProtocolError):
    """The path does not exist any more: the client is too old."""

    code = "endpoint_gone"
    default_message = "Lumo's service has moved, this client needs an update"


def _bounded(text: str | None) -> str | None:
    """Return the service's text in one printable line of limited length."""
    if not text:
        return None
    line = "".join(char if char.isprintable() else " " for char in text[:_DETAIL_LIMIT])
    return line.strip() or None
