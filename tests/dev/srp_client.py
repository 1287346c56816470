"""The client's side of a sign-in, written from the protocol's description.

As strict as Proton's own clients: the modulus must be signed by Proton, the server must
prove that it knows the verifier.
"""

import base64
from dataclasses import dataclass
import hashlib
import os
from typing import Any

import bcrypt
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
import httpx

from .mini_client import MiniClient

# The raw Ed25519 key of `proton@srp.modulus`.
SIGNER = bytes.fromhex(
    "16ead65d7c234de9aa8c3ec25e35d5c8a7f4a1fee7f42b662fcbfd7a79338201"
)


class RefusedError(Exception):
    """The server is not what it should be."""


def le(data: bytes) -> int:
    """Read a number as the protocol writes it."""
    return int.from_bytes(data, "little")


def wide(number: int) -> bytes:
    """Write a number as the protocol does."""
    return number.to_bytes(256, "little")


def digest(*parts: bytes) -> bytes:
    """Return the hash of 256 bytes."""
    whole = b"".join(parts)
    return b"".join(hashlib.sha512(whole + bytes((n,))).digest() for n in range(4))


def password_hash(password: str, salt: bytes, modulus: bytes) -> bytes:
    """Return `x` of the hash versions 3 and 4."""
    alphabet = "./ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
    bits = "".join(f"{byte:08b}" for byte in salt + b"proton") + "0000"
    text = "".join(alphabet[int(bits[at : at + 6], 2)] for at in range(0, len(bits), 6))
    return digest(
        bcrypt.hashpw(password.encode()[:72], f"$2y$10${text}".encode()), modulus
    )


def verified_modulus(message: str) -> bytes:
    """Return the modulus of a message signed by Proton, or raise RefusedError."""
    head, _, rest = message.partition("\n\n")
    if head.split("\n") != ["-----BEGIN PGP SIGNED MESSAGE-----", "Hash: SHA256"]:
        raise RefusedError("text before the modulus")
    text, _, armor = rest.partition("\n-----BEGIN PGP SIGNATURE-----\n")
    armor, end, after = armor.partition("-----END PGP SIGNATURE-----")
    if not end or after.strip():
        raise RefusedError("text behind the modulus")
    lines = armor.partition("\n\n")[2].split("\n")
    packet = base64.b64decode("".join(line for line in lines if line[:1] != "="))
    body = packet[2:]
    hashed_end = 6 + int.from_bytes(body[4:6])
    signed = body[:hashed_end]
    trailer = b"\x04\xff" + len(signed).to_bytes(4)
    hashed = hashlib.sha256(text.encode() + signed + trailer).digest()
    numbers = body[hashed_end + 2 + 2 :]
    halves = []
    for _ in range(2):
        length = (int.from_bytes(numbers[:2]) + 7) // 8
        halves.append(numbers[2 : 2 + length].rjust(32, b"\x00"))
        numbers = numbers[2 + length :]
    try:
        Ed25519PublicKey.from_public_bytes(SIGNER).verify(b"".join(halves), hashed)
    except InvalidSignature as error:
        raise RefusedError("the modulus is forged") from error
    return base64.b64decode(text)


@dataclass
class Proofs:
    """What a client sends, and what it expects back."""

    ephemeral: bytes
    proof: bytes
    expected: bytes


def prove(info: dict[str, Any], password: str, secret: bytes | None = None) -> Proofs:
    """Answer a challenge, or raise RefusedError."""
    modulus = verified_modulus(info["Modulus"])
    server = base64.b64decode(info["ServerEphemeral"])
    if info["Version"] not in (3, 4):
        raise RefusedError("old password hash")
    if not 1 < le(server) < le(modulus) - 1:
        raise RefusedError("bad ephemeral")
    n, x = (
        le(modulus),
        le(password_hash(password, base64.b64decode(info["Salt"]), modulus)),
    )
    k = le(digest(wide(2), modulus)) % n
    a = le(secret or os.urandom(32))
    ephemeral = wide(pow(2, a, n))
    u = le(digest(ephemeral, server))
    shared = wide(pow((le(server) - k * pow(2, x, n)) % n, (a + u * x) % (n - 1), n))
    proof = digest(ephemeral, server, shared)
    return Proofs(ephemeral, proof, digest(ephemeral, proof, shared))


class SrpClient:
    """Signs in over HTTP."""

    def __init__(self, client: MiniClient, base: str = "/api/auth/v4") -> None:
        self.client = client
        self.base = base
        self.headers: dict[str, str] = {}

    async def call(
        self, path: str, body: dict[str, Any], **headers: str
    ) -> httpx.Response:
        """Post to an auth call; header names are written with underscores."""
        more = {name.replace("_", "-"): value for name, value in headers.items()}
        return await self.client.http.post(
            self.base + path, json=body, headers=self.headers | more
        )

    async def anonymous(self) -> dict[str, Any]:
        answer = await self.client.http.post("/api/auth/v4/sessions", json={})
        body: dict[str, Any] = answer.json()
        self.use(body)
        return body

    def use(self, body: dict[str, Any]) -> None:
        self.headers = {
            "x-pm-uid": body["UID"],
            "Authorization": f"Bearer {body['AccessToken']}",
        }
        self.client.headers = self.headers

    async def info(self, name: str, **headers: str) -> httpx.Response:
        body = {"Username": name, "Intent": "Proton"}
        return await self.call("/info", body, **headers)

    def answer(
        self, name: str, info: dict[str, Any], password: str
    ) -> tuple[dict[str, str], bytes]:
        """Return what to post, and which proof to expect."""
        proofs = prove(info, password)
        body = {
            "Username": name,
            "ClientEphemeral": base64.b64encode(proofs.ephemeral).decode(),
            "ClientProof": base64.b64encode(proofs.proof).decode(),
            "SRPSession": info["SRPSession"],
        }
        return body, proofs.expected

    async def sign_in(self, name: str, password: str) -> httpx.Response:
        """Sign in up to the second factor; check the server's proof."""
        info = await self.info(name)
        if info.status_code != 200:
            return info
        body, expected = self.answer(name, info.json(), password)
        answer = await self.call("", body)
        if answer.status_code == 200:
            if base64.b64decode(answer.json().get("ServerProof", "")) != expected:
                raise RefusedError("wrong server proof")
            self.use(answer.json())
        return answer
