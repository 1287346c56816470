"""What an answer means, by code, then shape, then status."""

import inspect
import json
from typing import Any

from freezegun import freeze_time
from hypothesis import given, strategies as st
import pytest

from custom_components.lumo.lumo_client import errors
from custom_components.lumo.lumo_client.errors import (
    AccountDisabledError,
    AppVersionError,
    BadRequestError,
    BusyError,
    ContextLengthError,
    EndpointGoneError,
    ForbiddenError,
    ForeignPageError,
    HumanVerificationError,
    LumoError,
    PlanRequiredError,
    QuotaError,
    RateLimitError,
    ServerError,
    SessionExpiredError,
    UnauthorizedError,
)
from custom_components.lumo.lumo_client.replies import (
    HttpReply,
    error_from_reply,
    retry_after,
)


def failure(
    status: int, body: object = None, *, chat: bool = True, **headers: str
) -> LumoError:
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    return error_from_reply(HttpReply(status, sent, data), chat=chat)


def code(number: int, **details: Any) -> dict[str, Any]:
    return {"Code": number, "Error": "Because", "Details": details}


TOO_LONG = "This model's maximum context length is 131072 tokens."


@pytest.mark.parametrize(
    ("status", "body", "expected"),
    [
        (400, code(2000), BadRequestError),
        (422, code(2001), BadRequestError),
        (400, {**code(2000), "Error": TOO_LONG}, ContextLengthError),
        (
            400,
            {
                "object": "error",
                "type": "BadRequestError",
                "code": 400,
                "message": TOO_LONG,
            },
            ContextLengthError,
        ),
        (400, {"error": {"code": "context_length_exceeded"}}, ContextLengthError),
        (400, {"error": {"code": "CONTEXT_LENGTH_EXCEEDED"}}, ContextLengthError),
        (413, b"<html>", ContextLengthError),
        (400, {"error": {"code": "invalid_value"}}, BadRequestError),
        (400, b"", ForeignPageError),
        (418, b"tea", ForeignPageError),
        (401, code(401), UnauthorizedError),
        (401, {"Code": 0, "Error": "Invalid or expired API key"}, UnauthorizedError),
        (401, b"", ForeignPageError),
        (401, {"error": {"code": "invalid_api_key"}}, UnauthorizedError),
        (401, code(5003), AppVersionError),
        (400, code(5001), AppVersionError),
        (403, code(5002), AppVersionError),
        (422, code(5003), AppVersionError),
        (422, code(8005), UnauthorizedError),
        (402, b"", ForeignPageError),
        (402, code(402), PlanRequiredError),
        (422, code(10004), PlanRequiredError),
        (403, b"<html>", ForeignPageError),
        (403, {"error": {"message": "no"}}, ForbiddenError),
        (403, {"error": "no"}, ForeignPageError),
        (407, b"<html>", ForeignPageError),
        (451, b"<html>", ForeignPageError),
        (511, b"<html>", ForeignPageError),
        (403, code(9100), ForbiddenError),
        (422, code(9107), ForbiddenError),
        (422, code(10003), AccountDisabledError),
        (422, code(12100), AccountDisabledError),
        (422, code(10013), SessionExpiredError),
        (404, code(404), EndpointGoneError),
        (404, b"Path not found", ForeignPageError),
        (429, code(2028), QuotaError),
        (422, code(2028), QuotaError),
        (429, b"", QuotaError),
        (408, b"", ForeignPageError),
        (408, code(408), BusyError),
        (503, b"", BusyError),
        (504, code(1), BusyError),
        (500, b"", ServerError),
        (502, b"<html>", ServerError),
        (500, {"error": {"code": "timeout", "type": "server_error"}}, BusyError),
        (503, {"error": {"code": "rejected"}}, BusyError),
        (500, {"error": {"code": "error"}}, ServerError),
        (500, {"error": "text"}, ServerError),
        (302, b"", ForeignPageError),
        (429, b"<html>", QuotaError),
        (429, code(2000), QuotaError),
        (429, {"error": {"code": "rate_limit_exceeded"}}, QuotaError),
        (429, {"error": {"code": "rejected"}}, QuotaError),
        (200, code(2028), QuotaError),
    ],
)
def test_an_answer_has_its_meaning(
    status: int, body: object, expected: type[LumoError]
) -> None:
    """The table."""
    error = failure(status, body)
    assert type(error) is expected
    assert error.status == status


def test_a_short_wait_means_a_burst_a_long_one_the_quota() -> None:
    burst = failure(429, code(2028), retry_after="20")
    assert isinstance(burst, RateLimitError)
    assert burst.retry_after == 20
    assert isinstance(failure(429, code(2028), retry_after="90000"), QuotaError)
    calm = failure(429, code(429), chat=False)
    assert isinstance(calm, RateLimitError)
    assert calm.retry_after is None


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "7"}, 7),
        ({"retry-after": " 0 "}, 0),
        ({"retry-after": "-1"}, None),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "²"}, None),
        ({"retry-after": "Fri, 31 Dec 1999 23:59:59 GMT"}, None),
    ],
)
def test_the_wait_is_read(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_after(headers) == seconds


@freeze_time("1999-12-31 23:59:49")
def test_a_gateway_may_name_a_date() -> None:
    assert retry_after({"retry-after": "Fri, 31 Dec 1999 23:59:59 GMT"}) == 10


def test_a_verification_brings_what_its_page_needs() -> None:
    error = failure(
        422,
        code(
            9001,
            HumanVerificationToken="chal",
            HumanVerificationMethods=["captcha"],
            WebUrl="https://verify.proton.me/?x=y",
        ),
    )
    assert isinstance(error, HumanVerificationError)
    assert (error.token, error.methods) == ("chal", ("captcha",))
    assert error.web_url == "https://verify.proton.me/?x=y"

    error = failure(
        401,
        code(
            9001,
            HumanVerificationToken="a&b",
            Methods=["captcha", "email"],
            WebUrl="javascript:alert(1)",
        ),
    )
    assert isinstance(error, HumanVerificationError)
    assert error.web_url == (
        "https://verify.proton.me/?methods=captcha,email&token=a%26b"
    )
    assert "a&b" not in str(error) + repr(error)


def test_the_services_words_are_left_out() -> None:
    """They may repeat a prompt."""
    error = failure(400, {**code(2000), "Error": "secret\n" + "x" * 1000})
    assert "secret" not in str(error)
    assert "secret" not in repr(error)
    assert str(error) == "Lumo did not accept the request (HTTP 400, code 2000)"


@given(
    st.integers(100, 599),
    st.one_of(
        st.binary(max_size=50),
        st.dictionaries(
            st.sampled_from(["Code", "Error", "Details", "error", "object", "code"]),
            st.one_of(
                st.none(),
                st.integers(),
                st.text(max_size=5),
                st.dictionaries(
                    st.sampled_from(["code", "message", "Methods", "WebUrl"]),
                    st.one_of(st.integers(), st.text(max_size=5), st.none()),
                ),
            ),
        ).map(lambda value: json.dumps(value).encode()),
    ),
    st.text(max_size=5),
)
def test_any_answer_has_a_meaning(status: int, body: bytes, wait: str) -> None:
    reply = HttpReply(status, {"retry-after": wait}, body)
    assert isinstance(error_from_reply(reply), LumoError)


def test_each_error_has_its_own_code() -> None:
    """It is the key of a sentence; a refusal is raised by its reason."""
    classes = [
        value
        for _, value in inspect.getmembers(errors, inspect.isclass)
        if issubclass(value, LumoError) and value is not errors.LumoAuthError
    ]
    assert len({value.code for value in classes}) == len(classes)
    assert errors.ApiKeyInvalidError.code == "api_key_invalid"
