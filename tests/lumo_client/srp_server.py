"""Proton's side of a sign-in on loopback, with real proofs.

Written from the protocol, apart from the client's side: only bcrypt is the same.
"""

import base64
from dataclasses import dataclass, field
import hashlib
import json
import secrets
from typing import Any

from aiohttp import web
import bcrypt

from .loopback import Handler, LoopbackServer
from .srp_vectors import vectors

PASSWORD = "correct horse battery staple"
SALT = bytes(range(10))
TOTP = "123456"


def _hash(*parts: bytes) -> bytes:
    data = b"".join(parts)
    return b"".join(hashlib.sha512(data + bytes((i,))).digest() for i in range(4))


def _int(data: bytes) -> int:
    return int.from_bytes(data, "little")


def _raw(number: int) -> bytes:
    return number.to_bytes(256, "little")


def _b64(data: bytes) -> str:
    return base64.b64encode(data).decode()


_N_BYTES = base64.b64decode(vectors.M1_TEXT)
_N = _int(_N_BYTES)
# The salt of bytes 0 to 9 and the word, in the alphabet of bcrypt.
_BCRYPT_SALT = b"$2y$10$..CA.uOD/eaGAV/wZ1PtZe"


def _verifier(password: str) -> int:
    text = bcrypt.hashpw(password.encode()[:72], _BCRYPT_SALT)
    return pow(2, _int(_hash(text, _N_BYTES)), _N)


_VERIFIER = _verifier(PASSWORD)


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
    sessions: dict[str, int] = field(default_factory=dict)
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
        b = _int(secrets.token_bytes(32))
        session = secrets.token_hex(8)
        self.sessions[session] = b
        return self._answer(
            {
                "Modulus": vectors.M1,
                "ServerEphemeral": _b64(self._ephemeral(b)),
                "Version": 4,
                "Salt": _b64(SALT),
                "SRPSession": session,
                **self.info,
            }
        )

    def _ephemeral(self, b: int) -> bytes:
        k = _int(_hash(_raw(2), _N_BYTES)) % _N
        return _raw((k * _VERIFIER + pow(2, b, _N)) % _N)

    async def _auth(self, request: web.Request) -> web.Response:
        assert request.headers["x-pm-uid"] == "uid-anonymous"
        body = json.loads(await request.read())
        if (b := self.sessions.pop(body["SRPSession"], None)) is None:
            return _failure(422, 2001)
        a_public = base64.b64decode(body["ClientEphemeral"])
        b_public = self._ephemeral(b)
        assert _int(a_public) % _N != 0
        u = _int(_hash(a_public, b_public))
        shared = _raw(pow(_int(a_public) * pow(_VERIFIER, u, _N) % _N, b, _N))
        proof = _hash(a_public, b_public, shared)
        if base64.b64decode(body["ClientProof"]) != proof:
            return _failure(422, 8002)
        return self._answer(
            {
                "UID": "uid-1",
                "UserID": "user-1",
                "AccessToken": "at-1",
                "RefreshToken": "rt-1",
                "ServerProof": _b64(_hash(a_public, proof, shared)),
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
