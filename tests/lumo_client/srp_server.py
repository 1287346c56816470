"""Proton's side of a sign-in on loopback, with the stand-in's proofs."""

import base64
from dataclasses import dataclass, field
import json
import secrets
from typing import Any

from aiohttp import web

from dev.standin.srp import MODULUS, Handshake, make_verifier

from .loopback import Handler, LoopbackServer

PASSWORD = "correct horse battery staple"
SALT = bytes(range(10))
TOTP = "123456"


def _b64(data: bytes) -> str:
    return base64.b64encode(data).decode()


@dataclass
class SrpServer:
    """One account. `info` and `auth` are laid over the answers of these calls."""

    server: LoopbackServer
    factors: dict[str, Any] | None = None
    info: dict[str, Any] = field(default_factory=dict)
    auth: dict[str, Any] = field(default_factory=dict)
    left_out: frozenset[str] = frozenset()
    human: frozenset[str] = frozenset()
    """Last parts of the paths that are answered only to a human."""
    proof_of_human: str = "challenge-1"
    sessions: dict[str, Handshake] = field(default_factory=dict)
    revoked: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        for method, path, handler in (
            ("POST", "auth/v4/sessions", self._begin),
            ("POST", "auth/v4/info", self._info),
            ("POST", "auth/v4", self._auth),
            ("POST", "auth/v4/2fa", self._second_factor),
            ("DELETE", "core/v4/auth", self._revoke),
        ):
            self.server.on(method, path, self._for_humans(handler))

    def bodies(self, path: str) -> list[dict[str, Any]]:
        """Return the bodies of all requests whose path ends so."""
        return [seen.body for seen in self.server.seen if seen.path.endswith(path)]

    def _for_humans(self, handler: Handler) -> Handler:
        async def handle(request: web.Request) -> web.StreamResponse:
            name = request.path.rsplit("/", 1)[-1]
            if name in self.human:
                proof = request.headers.get("x-pm-human-verification-token")
                if proof is None:
                    return _failure(
                        422,
                        9001,
                        HumanVerificationToken="challenge-1",
                        HumanVerificationMethods=["email", "captcha"],
                        WebUrl="https://verify.proton.me/?token=challenge-1",
                    )
                if proof != self.proof_of_human:
                    return _failure(422, 12087)
                assert request.headers["x-pm-human-verification-token-type"]
                self.human -= {name}
            return await handler(request)

        return handle

    async def _begin(self, request: web.Request) -> web.Response:
        assert request.headers["x-enforce-unauthsession"] == "true"
        return _success(
            UID="uid-anonymous", AccessToken="at-anonymous", RefreshToken="rt-anonymous"
        )

    async def _info(self, request: web.Request) -> web.Response:
        assert request.headers["x-pm-uid"] == "uid-anonymous"
        assert request.headers["Authorization"] == "Bearer at-anonymous"
        handshake = Handshake(make_verifier(PASSWORD, SALT))
        session = secrets.token_hex(8)
        self.sessions[session] = handshake
        return self._answer(
            {
                "Modulus": MODULUS,
                "ServerEphemeral": _b64(handshake.ephemeral),
                "Version": 4,
                "Salt": _b64(SALT),
                "SRPSession": session,
                **self.info,
            }
        )

    async def _auth(self, request: web.Request) -> web.Response:
        assert request.headers["x-pm-uid"] == "uid-anonymous"
        body = json.loads(await request.read())
        if (handshake := self.sessions.pop(body["SRPSession"], None)) is None:
            return _failure(422, 2001)
        told = (body["ClientEphemeral"], body["ClientProof"])
        if (proof := handshake.prove(*map(base64.b64decode, told))) is None:
            return _failure(422, 8002)
        return self._answer(
            {
                "UID": "uid-1",
                "UserID": "user-1",
                "AccessToken": "at-1",
                "RefreshToken": "rt-1",
                "ServerProof": _b64(proof),
                "2FA": self.factors or {"Enabled": 0, "TOTP": 0, "FIDO2": None},
                **self.auth,
            }
        )

    async def _second_factor(self, request: web.Request) -> web.Response:
        assert request.headers["x-pm-uid"] == "uid-1"
        assert request.headers["Authorization"] == "Bearer at-1"
        body = json.loads(await request.read())
        if body != {"TwoFactorCode": TOTP}:
            return _failure(401, 8002)
        return _success(Scopes=["full", "self"])

    async def _revoke(self, request: web.Request) -> web.Response:
        self.revoked.append(request.headers["Authorization"])
        return _success()

    def _answer(self, members: dict[str, Any]) -> web.Response:
        return _success(
            **{key: value for key, value in members.items() if key not in self.left_out}
        )


def _success(**members: Any) -> web.Response:
    return web.json_response({"Code": 1000, **members})


def _failure(status: int, code: int, **details: Any) -> web.Response:
    return web.json_response(
        {"Code": code, "Error": "No", "Details": details}, status=status
    )
