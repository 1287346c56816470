"""Errors in Proton's shapes, and the middleware that sends them.

Everything but the chat answers errors as `{"Code", "Error", "Details"}`; the codes are
those of Proton's web client and of the public clients.
"""

from collections.abc import Awaitable, Callable, Mapping
import json
from typing import Any

from aiohttp import web

type Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]

INVALID_ATTRIBUTES = 2000
INVALID_VALUE = 2001
TOO_MANY_REQUESTS = 2028
APP_VERSION_BAD = 5003
WRONG_PASSWORD = 8002
USE_SSO = 8100
HUMAN_VERIFICATION_REQUIRED = 9001
DEVICE_VERIFICATION_REQUIRED = 9002
INSUFFICIENT_SCOPE = 9100
ACCOUNT_DISABLED = 10003
REFRESH_TOKEN_INVALID = 10013
VERIFICATION_TOKEN_INVALID = 12087
ACCOUNT_RESTRICTED = 12100


class ApiError(Exception):
    """An answer that ends a request: status, Proton's envelope, headers."""

    def __init__(
        self,
        status: int,
        code: int,
        text: str,
        details: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(text)
        self.status = status
        self.headers = headers
        self.body: dict[str, Any] = {
            "Code": code,
            "Error": text,
            "Details": dict(details or {}),
        }

    def response(self) -> web.Response:
        """Return the answer."""
        return web.json_response(self.body, status=self.status, headers=self.headers)


class OpenAIError(ApiError):
    """An answer in the shape that the inference part of the service uses."""

    def __init__(self, status: int, body: dict[str, Any]) -> None:
        super().__init__(status, 0, "")
        self.body = body


def unauthorized() -> ApiError:
    """Return the answer to a missing, expired or revoked access token."""
    return ApiError(401, 401, "Invalid access token")


def missing_scope(scope: str) -> ApiError:
    """Return the answer to a session that lacks a scope."""
    return ApiError(
        403,
        INSUFFICIENT_SCOPE,
        "Access token does not have sufficient scope",
        {"MissingScopes": [scope]},
    )


def quota_exceeded() -> ApiError:
    """Return the answer to a request that no quota is left for."""
    return ApiError(
        429, TOO_MANY_REQUESTS, "Too many requests. Please try again later."
    )


@web.middleware
async def envelope(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Send errors in Proton's shape, unknown paths included."""
    try:
        return await handler(request)
    except ApiError as error:
        return error.response()
    except web.HTTPNotFound:
        return ApiError(404, 404, "Path not found").response()
    except web.HTTPMethodNotAllowed as error:
        return ApiError(
            405, 405, "Method not allowed", headers={"Allow": error.headers["Allow"]}
        ).response()
    except web.HTTPRequestEntityTooLarge:
        return ApiError(413, 413, "Request body too large").response()


async def json_body(request: web.Request) -> dict[str, Any]:
    """Return the JSON object of a request, empty without one; raise ApiError."""
    if not (raw := await request.read()).strip():
        return {}
    try:
        body = json.loads(raw)
    except ValueError as error:
        raise ApiError(400, INVALID_ATTRIBUTES, "Invalid JSON") from error
    if not isinstance(body, dict):
        raise ApiError(400, INVALID_ATTRIBUTES, "Invalid input")
    return body
