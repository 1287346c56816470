"""Signing in with a user name and a password, and with a one-time code.

The proofs are real ones. Whatever is wrong with a name or a password shows when the
proof is checked: names that nobody has are challenged as well.
"""

import asyncio
import base64
import binascii
from dataclasses import dataclass
import hashlib
import hmac
import secrets
import time
from typing import Any, Final

from aiohttp import web

from . import srp
from .accounts import Session
from .auth import token_answer
from .errors import (
    ACCOUNT_DISABLED,
    ACCOUNT_RESTRICTED,
    DEVICE_VERIFICATION_REQUIRED,
    INVALID_ATTRIBUTES,
    INVALID_VALUE,
    USE_SSO,
    WRONG_PASSWORD,
    ApiError,
    json_body,
)
from .human import Shown
from .keys import SERVICE
from .routes import add_route, auth_spellings
from .totp import is_valid
from .users import User

# What an account of the time before 2018 has.
OLD_HASH_VERSION: Final = 2
# Attempts that are begun and never ended are forgotten in the end.
MAX_ATTEMPTS: Final = 1000

# What keeps an account's owner out although the password is right.
_REFUSALS: Final = {
    "disabled": (ACCOUNT_DISABLED, "This account has been disabled"),
    "restricted": (ACCOUNT_RESTRICTED, "This account is in a restricted state"),
    "new_device": (DEVICE_VERIFICATION_REQUIRED, "Device verification required"),
}


@dataclass(frozen=True, slots=True)
class Attempt:
    """What was begun for a user name; nobody may have it."""

    name: str
    user: User | None
    handshake: srp.Handshake


class Attempts:
    """The attempts to sign in, by their SRP session; each is good once."""

    def __init__(self) -> None:
        self._open: dict[str, Attempt] = {}
        self._secret = secrets.token_bytes(32)

    def begin(self, attempt: Attempt) -> str:
        """Keep an attempt and return its SRP session."""
        if len(self._open) >= MAX_ATTEMPTS:
            del self._open[next(iter(self._open))]
        srp_session = secrets.token_hex(16)
        self._open[srp_session] = attempt
        return srp_session

    def find(self, srp_session: str, name: str) -> Attempt:
        """Return an attempt, or raise ApiError for one that is over or another's."""
        attempt = self._open.get(srp_session)
        if attempt is None or attempt.name != name:
            raise ApiError(422, INVALID_VALUE, "Invalid SRP session")
        return attempt

    def end(self, srp_session: str) -> None:
        """Forget an attempt."""
        self._open.pop(srp_session, None)

    def invented_salt(self, name: str) -> bytes:
        """Return the salt of a user who does not exist: always the same one."""
        digest = hmac.digest(self._secret, name.lower().encode(), hashlib.sha256)
        return digest[: srp.SALT_LENGTH]


def add_routes(app: web.Application) -> None:
    """Serve the calls of a sign-in."""
    add_route(app, "GET", auth_spellings("modulus"), modulus)
    add_route(app, "POST", auth_spellings("info"), challenge)
    add_route(app, "POST", auth_spellings(), prove)
    add_route(app, "POST", auth_spellings("2fa"), second_factor)


async def modulus(request: web.Request) -> web.Response:
    """Return the modulus, for a new password."""
    return web.json_response(
        {"Code": 1000, "Modulus": srp.MODULUS, "ModulusID": srp.MODULUS_ID}
    )


async def challenge(request: web.Request) -> web.Response:
    """Begin an attempt."""
    service = request.app[SERVICE]
    service.counts["info"] += 1
    body = await json_body(request)
    name = _text(body, "Username")
    holder = _holder(request)
    service.admit_sign_in(name, request)
    user = service.accounts_state.find_user(name)
    if user is not None and user.manner == "sso" and body.get("Intent") != "SSO":
        raise ApiError(422, USE_SSO, "Please sign in with SSO")
    verifier = secrets.randbits(srp.LENGTH * 8 - 1)
    if user is not None:
        verifier = await asyncio.to_thread(lambda: user.verifier)
    handshake = srp.Handshake(verifier)
    salt = user.salt if user else service.attempts.invented_salt(name)
    old = user is not None and user.manner == "old_password"
    answer: dict[str, Any] = {
        "Code": 1000,
        "Modulus": srp.MODULUS,
        "ServerEphemeral": _base64(handshake.ephemeral),
        "Version": OLD_HASH_VERSION if old else srp.HASH_VERSION,
        "Salt": _base64(salt),
        "SRPSession": service.attempts.begin(Attempt(name, user, handshake)),
    }
    if holder is not None and holder.user is not None:
        answer["2FA"] = holder.user.two_factor_info
    for scenario in service.active:
        scenario.change_challenge(answer)
    return web.json_response(answer)


async def prove(request: web.Request) -> web.Response:
    """Check the client's proof, answer with the server's, and begin a session."""
    service = request.app[SERVICE]
    service.counts["auth"] += 1
    body = await json_body(request)
    name = _text(body, "Username")
    srp_session = _text(body, "SRPSession")
    ephemeral, proof = _bytes(body, "ClientEphemeral"), _bytes(body, "ClientProof")
    holder = _holder(request)
    service.admit_sign_in(name, request)
    attempt = service.attempts.find(srp_session, name)
    user = attempt.user
    if user is not None and user.manner == "human_verification":
        # Before the attempt is over: it is what the token is bound to.
        service.accounts_state.humans.demand(srp_session, Shown.of(request))
    service.attempts.end(srp_session)
    server_proof = await asyncio.to_thread(attempt.handshake.prove, ephemeral, proof)
    if user is None or server_proof is None or user.manner == "old_password":
        raise ApiError(
            422, WRONG_PASSWORD, "Incorrect login credentials. Please try again"
        )
    if user.manner in _REFUSALS:
        raise ApiError(422, *_REFUSALS[user.manner])
    session = service.accounts_state.sign_in(user, holder)
    answer = token_answer(session, service.accounts_state.expires_in) | {
        "ServerProof": _base64(server_proof),
        "PasswordMode": 1,
        "TemporaryPassword": 0,
        "EventID": secrets.token_urlsafe(24),
        "2FA": user.two_factor_info,
    }
    for scenario in service.active:
        scenario.change_proof(answer)
    return web.json_response(answer)


async def second_factor(request: web.Request) -> web.Response:
    """Check a one-time code; a wrong one ends the session."""
    service = request.app[SERVICE]
    service.counts["2fa"] += 1
    session = service.accounts_state.session_of(request, halfway=True)
    body = await json_body(request)
    if not session.halfway or session.user is None:
        raise ApiError(422, INVALID_VALUE, "No second factor is asked for")
    if "FIDO2" not in body:
        _text(body, "TwoFactorCode")
    code = str(body.get("TwoFactorCode", ""))
    secret = session.user.totp_secret
    if not secret or not is_valid(secret, code, time.time()):
        service.accounts_state.revoke(session)
        raise ApiError(401, WRONG_PASSWORD, "Incorrect code. Please try again")
    session.halfway = False
    return web.json_response(
        {
            "Code": 1000,
            "Scope": " ".join(session.scopes),
            "Scopes": list(session.scopes),
        }
    )


def _holder(request: web.Request) -> Session | None:
    """Return the session in which a sign-in happens; none is fine, a dead one not."""
    if not request.headers.get("x-pm-uid"):
        return None
    return request.app[SERVICE].accounts_state.session_of(request, halfway=True)


def _text(body: dict[str, Any], name: str) -> str:
    value = body.get(name)
    if not isinstance(value, str) or not value:
        raise ApiError(400, INVALID_ATTRIBUTES, f"Missing required attributes {name}")
    return value


def _bytes(body: dict[str, Any], name: str) -> bytes:
    """Return the bytes of a base64 text that a request must have."""
    try:
        return base64.b64decode(_text(body, name), validate=True)
    except binascii.Error as error:
        raise ApiError(422, INVALID_VALUE, f"Invalid {name}") from error


def _base64(data: bytes) -> str:
    return base64.b64encode(data).decode()
