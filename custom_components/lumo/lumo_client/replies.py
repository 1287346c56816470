"""What a failure of the service means: answers and error events -> error classes.

The code is looked at first, then the shape, and the status last: it is not reliable. A
refusal with neither code nor shape comes from a proxy, a filter or the sign-in page of
a network, and means nothing for a session or a key.
"""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from http import HTTPStatus
import ssl
from time import time
from typing import Any, Final, Literal, TypeIs
from urllib.parse import quote, urlencode

from . import errors
from .wire_json import parse_json, text_of, texts_of

# Proton's codes, as its web client and its Go and Python libraries name them.
_SUCCESS_CODES: Final = frozenset({1000, 1001})
_HUMAN_VERIFICATION: Final = 9001
_ERRORS_BY_CODE: Final[dict[int, type[errors.LumoError]]] = {
    2011: errors.ForbiddenError,  # not allowed
    2028: errors.QuotaError,  # too many requests
    5001: errors.AppVersionError,  # header missing
    5002: errors.AppVersionError,  # unknown product
    5003: errors.AppVersionError,  # too old
    8005: errors.UnauthorizedError,  # access token expired
    9100: errors.ForbiddenError,  # insufficient scope
    9107: errors.ForbiddenError,  # single sign-on wants the password again
    10003: errors.AccountDisabledError,
    10004: errors.PlanRequiredError,
    10013: errors.SessionExpiredError,  # refresh token invalid
    12100: errors.AccountDisabledError,  # restricted state
}

# `error.code` of the OpenAI-like object, in lower case. The first three are those that
# Proton's scheduler sends.
_ERRORS_BY_NAME: Final[dict[str, type[errors.LumoError]]] = {
    "timeout": errors.BusyError,
    "rejected": errors.BusyError,
    "context_length_exceeded": errors.ContextLengthError,
    "content_filter": errors.ContentFilteredError,
    "insufficient_quota": errors.QuotaError,
    "rate_limit_exceeded": errors.RateLimitError,
    "invalid_api_key": errors.UnauthorizedError,
}
_ERRORS_BY_STATUS: Final[dict[int, type[errors.LumoError]]] = {
    HTTPStatus.UNAUTHORIZED: errors.UnauthorizedError,
    HTTPStatus.PAYMENT_REQUIRED: errors.PlanRequiredError,
    HTTPStatus.FORBIDDEN: errors.ForbiddenError,
    HTTPStatus.NOT_FOUND: errors.EndpointGoneError,
    HTTPStatus.REQUEST_TIMEOUT: errors.BusyError,
    HTTPStatus.GONE: errors.EndpointGoneError,
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: errors.ContextLengthError,
    HTTPStatus.TOO_MANY_REQUESTS: errors.RateLimitError,
    HTTPStatus.SERVICE_UNAVAILABLE: errors.BusyError,
    HTTPStatus.GATEWAY_TIMEOUT: errors.BusyError,
}
_PLAIN_REFUSALS: Final = (
    HTTPStatus.UNAUTHORIZED,
    HTTPStatus.NOT_FOUND,
    HTTPStatus.METHOD_NOT_ALLOWED,
)
# Numbers of OpenSSL (x509_vfy.h): not valid yet, and expired.
_WRONG_DATE: Final = frozenset({9, 10})
# A server that does not care says one of these.
_UNSPECIFIC_TYPES: Final = frozenset({"", "text/plain", "application/octet-stream"})

_CONTEXT_LENGTH_WORDS: Final = ("context_length_exceeded", "maximum context length")

_VERIFICATION_PAGE: Final = "https://verify.proton.me/"

# A longer wait is not a limit on bursts: the quota is used up.
_LONGEST_BURST_WAIT: Final = 3600.0


# Who is asked: Proton for a session or a guest, Proton for an API key, somebody else.
type Peer = Literal["proton", "api_key", "gateway"]

_NOTHING: Final[Mapping[str, Any]] = {}


@dataclass(frozen=True, slots=True)
class HttpReply:
    """A whole HTTP answer; it may hold tokens."""

    status: int
    headers: Mapping[str, str] = field(repr=False)
    body: bytes = field(repr=False)

    def json(self) -> dict[str, Any] | None:
        """Return the JSON object in the body, None if there is none."""
        try:
            value = parse_json(self.body)
        except ValueError:
            return None
        return value if isinstance(value, dict) else None

    @property
    def ok(self) -> bool:
        """Return whether the HTTP status says success."""
        return 200 <= self.status < 300


def error_from_certificate(error: BaseException) -> errors.LumoError | None:
    """Return what is wrong with a server's certificate, None for other errors.

    One of an unknown issuer or of another host belongs to a filter.
    """
    cause: BaseException | None = error
    while cause:
        if isinstance(cause, ssl.SSLCertVerificationError):
            if cause.verify_code in _WRONG_DATE:
                return errors.CertificateDateError()
            return errors.ForeignPageError()
        cause = cause.__cause__ or cause.__context__
    return None


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Return the seconds of a Retry-After header; a gateway may send a date."""
    value = headers.get("retry-after", "").strip()
    if value.isascii() and value.isdigit():
        return float(value[:9])
    with suppress(TypeError, ValueError):
        wait = parsedate_to_datetime(value).timestamp() - time()
        return wait if wait > 0 else None
    return None


def is_page(headers: Mapping[str, str]) -> bool:
    """Return whether an answer's headers announce what only a browser can read."""
    kind = headers.get("content-type", "").partition(";")[0].strip().lower()
    coding = headers.get("content-encoding", "").strip().lower()
    is_data = kind.endswith(("json", "event-stream")) or kind in _UNSPECIFIC_TYPES
    return not is_data or coding not in ("", "identity")


def error_from_reply(
    reply: HttpReply, *, chat: bool = False, peer: Peer = "proton"
) -> errors.LumoError:
    """Return the error that an unsuccessful answer stands for.

    On the chat call, 429 means that the quota is used up unless a short wait is named.
    """
    status = reply.status
    facts = {"status": status, "retry_after": retry_after(reply.headers)}
    body = reply.json() or {}
    if chat and status == HTTPStatus.TOO_MANY_REQUESTS:
        return _error(errors.QuotaError, facts)
    is_ours = _is_code(body.get("Code")) or (
        (chat or peer != "proton")
        and (isinstance(body.get("error"), dict) or _is_flat(body))
    )
    if not (
        is_ours
        or (status >= 500 and status != HTTPStatus.NETWORK_AUTHENTICATION_REQUIRED)
        or (chat and status == HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
        # Every gateway has its own way to say that it knows a key or a call not.
        or (
            peer == "gateway"
            and status in _PLAIN_REFUSALS
            and not is_page(reply.headers)
        )
    ):
        return errors.ForeignPageError(status=status)
    return error_in(body, facts) or _error_from_status(facts)


def error_in(
    body: dict[str, Any], known: Mapping[str, Any] = _NOTHING
) -> errors.LumoError | None:
    """Return the error in a JSON object, if any; `known` is what the HTTP answer tells."""
    code, text = body.get("Code"), body.get("Error")
    is_envelope = _is_code(code)
    if not is_envelope:
        error = body.get("error")
        if _is_flat(body) and not isinstance(error, dict):
            error = body
        if not error:
            return None
        if not isinstance(error, dict):
            error = {"message": error}
        code, text = error.get("code"), error.get("message")
    if _is_code(code) and code in _SUCCESS_CODES:
        return None
    facts = dict(known)
    if isinstance(code, str) and (kind := _ERRORS_BY_NAME.get(code.lower())):
        return _error(kind, facts)
    if _is_code(code) and (is_envelope or code >= 1000):
        facts["service_code"] = code
        if code == _HUMAN_VERIFICATION:
            return _human_verification(body.get("Details"), facts)
        if kind := _ERRORS_BY_CODE.get(code):
            return _error(kind, facts)
    elif _is_code(code) and 400 <= code < 600:
        facts["status"] = facts.get("status") or code
    if facts.get("status") == HTTPStatus.TOO_MANY_REQUESTS and not is_envelope:
        return _error(errors.QuotaError, facts)
    if any(words in text_of(text).lower() for words in _CONTEXT_LENGTH_WORDS):
        return _error(errors.ContextLengthError, facts)
    return _error_from_status(facts)


def _error_from_status(facts: Mapping[str, Any]) -> errors.LumoError:
    # Without one it is a failure inside a stream, and so of the service.
    status = facts.get("status") or 500
    kind = _ERRORS_BY_STATUS.get(status, errors.BadRequestError)
    if status < 400:
        kind = errors.ProtocolError
    elif status >= 500 and kind is errors.BadRequestError:
        kind = errors.ServerError
    return _error(kind, facts)


def _error(kind: type[errors.LumoError], facts: Mapping[str, Any]) -> errors.LumoError:
    """Return an error, with the wait only where waiting helps."""
    # The service never says when a quota returns: a short wait means a burst.
    wait = facts.get("retry_after")
    if kind is errors.QuotaError and wait is not None and wait <= _LONGEST_BURST_WAIT:
        kind = errors.RateLimitError
    if not issubclass(kind, errors.RateLimitError | errors.ServerError):
        wait = None
    return kind(**{**facts, "retry_after": wait})


def _human_verification(
    details: object, facts: Mapping[str, Any]
) -> errors.HumanVerificationError:
    details = details if isinstance(details, dict) else {}
    token = text_of(details.get("HumanVerificationToken"))
    # Proton's Python library reads the second spelling.
    methods = texts_of(details.get("HumanVerificationMethods")) or texts_of(
        details.get("Methods")
    )
    url = text_of(details.get("WebUrl"))
    if not url.startswith(("https://", "http://")):
        query = {"methods": ",".join(methods), "token": token}
        url = f"{_VERIFICATION_PAGE}?{urlencode(query, safe=',', quote_via=quote)}"
    error = errors.HumanVerificationError(**facts)
    error.token, error.methods, error.web_url = token, methods, url
    return error


def _is_code(value: object) -> TypeIs[int]:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_flat(body: Mapping[str, Any]) -> bool:
    return body.get("object") == "error"
