"""Signing in to a Proton account with its password: one attempt, step by step.

    anonymous session -> challenge -> proof -> (second factor) -> signed in

A step that is refused until a human is verified is sent again unchanged. The password
is forgotten as soon as the proofs are computed. Nothing is stored.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import astuple
from functools import partial
from http import HTTPStatus
import logging
import re
from typing import Any, Final

import httpx

from . import errors
from .auth import Session, Tokens, keep_nothing
from .endpoints import ACCOUNT_APP_VERSION, Endpoints
from .srp import Proofs, answer_challenge
from .transport import Transport, is_header_value, read_reply

_LOGGER = logging.getLogger(__name__)

# Makes Proton answer with a challenge, never with an organisation's own sign-in.
_INTENT: Final = "Proton"

_WRONG_PASSWORD_OR_CODE: Final = 8002
# Proton's codes that mean something only while signing in, as in its web client.
_ERRORS_BY_CODE: Final[dict[int, type[errors.LumoError]]] = {
    _WRONG_PASSWORD_OR_CODE: errors.WrongPasswordError,
    8100: errors.SingleSignOnError,
    8101: errors.SingleSignOnError,
    9002: errors.DeviceVerificationError,
    12087: errors.VerificationTokenError,
}

# After these the same step may be taken again; after all others the attempt is over.
STEP_AGAIN: Final = (
    errors.LumoConnectionError,
    errors.RateLimitError,
    errors.ServerError,
    errors.TotpFormatError,
    errors.VerificationTokenError,
)

# The person waits meanwhile.
_REVOKE_SECONDS: Final = 10.0

# Bits of `2FA.Enabled`.
_TOTP: Final = 1
# Six digits, or a recovery code.
_TOTP_CODE: Final = re.compile(r"[0-9A-Za-z]{6,64}")


# None: the password is right, and the code of an authenticator app is still needed.
type Outcome = Tokens | None
type _Step = Callable[[], Awaitable[_Step | Outcome]]


class AccountSignIn:
    """One attempt to sign in; lives as long as the person's form. Raises LumoError.

    After a HumanVerificationError `verify_human` goes on, after an error in
    `STEP_AGAIN` the same method, after all others `start`.
    """

    def __init__(self, http: httpx.AsyncClient, endpoints: Endpoints) -> None:
        self._http = http
        self._transport = Transport(http)
        self._endpoints = endpoints
        self._user_name = ""
        # First of a session without an account, then of the one that it becomes.
        self._tokens: Tokens | None = None
        self._awaits_code = False
        self._verification: Mapping[str, str] = {}
        self._next: _Step | None = None
        # A verification's token and type; the error's traceback has the password.
        self._asked: tuple[str, str] | None = None

    async def start(self, user_name: str, password: str) -> Outcome:
        """Begin, or begin again, with what the person typed."""
        await self.abandon()
        self._user_name = user_name.strip()
        if not self._user_name or not password:
            raise errors.WrongPasswordError("The user name or password is missing")

        return await self._go_on(partial(self._begin, password))

    async def verify_human(self, token: str | None = None) -> Outcome:
        """Repeat the refused step with a verification's token, else the error's own."""
        if self._next is None or self._asked is None:
            raise errors.SessionExpiredError("No sign-in is waiting")
        asked, kind = self._asked
        token = (token or "").strip() or asked
        if not (is_header_value(token) and is_header_value(kind)):
            raise errors.VerificationTokenError
        self._verification = {
            "x-pm-human-verification-token": token,
            "x-pm-human-verification-token-type": kind,
        }
        return await self._go_on(self._next)

    async def second_factor(self, code: str) -> Tokens:
        """Finish with the code of an authenticator app, or a recovery code.

        After a WrongTotpError only `start` helps; a TotpFormatError was not sent.
        """
        if not self._awaits_code:
            raise errors.SessionExpiredError("No sign-in is waiting for a code")
        code = "".join(code.split())
        if not _TOTP_CODE.fullmatch(code):
            raise errors.TotpFormatError
        outcome = await self._go_on(partial(self._confirm, code))
        assert isinstance(outcome, Tokens)
        return outcome

    async def abandon(self) -> None:
        """Forget everything; end a session that was begun but is not signed in."""
        tokens = self._tokens if self._awaits_code else None
        self._forget()
        if tokens:
            await self._revoke(tokens)

    async def _go_on(self, step: _Step) -> Outcome:
        """Take steps until there is an outcome; remember one that may be repeated."""
        while True:
            try:
                result = await step()
            except errors.HumanVerificationError as err:
                self._next = step
                # The page leads to a captcha if that is one of the ways.
                is_captcha = not err.methods or "captcha" in err.methods
                self._asked = err.token, "captcha" if is_captcha else err.methods[0]
                raise
            except STEP_AGAIN:
                if self._next is None and not self._awaits_code:
                    self._forget()
                raise
            except BaseException:
                self._forget()
                raise
            self._next = self._asked = None
            self._verification = {}
            if isinstance(result, Tokens):
                self._forget()
            if result is None or isinstance(result, Tokens):
                return result
            step = result

    def _forget(self) -> None:
        self._next = self._asked = self._tokens = None
        self._awaits_code = False
        self._verification = {}

    async def _begin(self, password: str) -> _Step:
        # A session without an account, which signing in upgrades. Other clients of
        # Proton do without, so a server may lack this call.
        try:
            answer = await self._post(
                "/auth/v4/sessions", {}, {"x-enforce-unauthsession": "true"}
            )
            self._tokens = _read_tokens(answer, None)
        except (errors.ProtocolError, errors.BadRequestError) as err:
            _LOGGER.debug("No anonymous session: %s", err)
        return partial(self._challenge, password)

    async def _challenge(self, password: str) -> _Step:
        answer = await self._post(
            "/auth/v4/info", {"Username": self._user_name, "Intent": _INTENT}
        )
        if "Modulus" not in answer and "SSOChallengeToken" in answer:
            raise errors.SingleSignOnError
        match answer:
            case {
                "Version": int() as version,
                "Modulus": str() as modulus,
                "ServerEphemeral": str() as ephemeral,
                "Salt": str() as salt,
                "SRPSession": str() as session_id,
            }:
                proofs = await asyncio.to_thread(
                    answer_challenge, password, version, modulus, ephemeral, salt
                )
                return partial(self._prove, session_id, proofs)
        raise errors.ProtocolError("The sign-in challenge is incomplete")

    async def _prove(self, srp_session: str, proofs: Proofs) -> Outcome:
        answer = await self._post(
            "/auth/v4",
            {
                "Username": self._user_name,
                "ClientEphemeral": proofs.ephemeral,
                "ClientProof": proofs.proof,
                "SRPSession": srp_session,
            },
        )
        if not proofs.accept(answer.get("ServerProof")):
            with suppress(errors.ProtocolError):
                await self._revoke(_read_tokens(answer, self._tokens))
            raise errors.ServerProofError
        tokens = _read_tokens(answer, self._tokens)
        match answer.get("2FA"):
            case {"Enabled": int() as factors}:
                pass
            case _:
                factors = 0
        if factors & _TOTP:
            self._tokens, self._awaits_code = tokens, True
            return None
        if factors:
            await self._revoke(tokens)
            raise errors.SecondFactorUnsupportedError
        return tokens

    async def _confirm(self, code: str) -> Outcome:
        assert self._tokens
        try:
            await self._post("/auth/v4/2fa", {"TwoFactorCode": code})
        except errors.WrongPasswordError as err:
            raise errors.WrongTotpError(**err.facts) from err
        except errors.ForeignPageError:
            raise  # Says nothing about the session, whatever its status.
        except errors.LumoError as err:
            if err.status == HTTPStatus.UNAUTHORIZED:
                # Whatever the reason, it is not for renewing: the session is gone.
                raise errors.SessionExpiredError(**err.facts) from err
            raise
        return self._tokens

    async def _revoke(self, tokens: Tokens) -> None:
        try:
            async with asyncio.timeout(_REVOKE_SECONDS):
                session = Session(self._http, self._endpoints, tokens, keep_nothing)
                await session.revoke()
        except (errors.LumoError, TimeoutError) as err:
            _LOGGER.debug("A session could not be ended: %s", err)

    async def _post(
        self,
        path: str,
        body: Mapping[str, Any],
        more_headers: Mapping[str, str] | None = None,
    ) -> dict[str, Any]:
        headers = {
            "x-pm-appversion": ACCOUNT_APP_VERSION,
            **(self._tokens.headers if self._tokens else {}),
            **self._verification,
            **(more_headers or {}),
        }
        url = f"{self._endpoints.account_url}{path}"
        reply = await self._transport.request("POST", url, headers, body)
        try:
            return read_reply(reply)
        except errors.LumoError as err:
            if error_class := _ERRORS_BY_CODE.get(err.service_code or 0):
                raise error_class(**err.facts) from None
            raise


def _read_tokens(answer: Mapping[str, Any], upgraded: Tokens | None) -> Tokens:
    old = upgraded or Tokens("", "", "")
    tokens = Tokens(
        uid=answer.get("UID", old.uid),
        access_token=answer.get("AccessToken", old.access_token),
        refresh_token=answer.get("RefreshToken", old.refresh_token),
    )
    if not all(map(is_header_value, astuple(tokens))):
        raise errors.ProtocolError("The answer to a sign-in holds no session")
    return tokens
