"""The server's side of signing in with a password: SRP-6a as Proton's clients speak it.

All numbers are 256 bytes, little-endian. The modulus and its signature are Proton's
own, public constants, so that a client which checks the signature accepts them.
"""

import base64
from functools import cache
import hashlib
import hmac
import secrets
from typing import Final

import bcrypt

LENGTH: Final = 256
SALT_LENGTH: Final = 10
GENERATOR: Final = 2
# The versions 3 and 4 of the password hash are the same; older ones used the name.
HASH_VERSION: Final = 4
# What bcrypt reads; version 5 of its package refuses longer passwords.
PASSWORD_LENGTH: Final = 72

MODULUS_ID: Final = "standin-modulus-1"
MODULUS: Final = """-----BEGIN PGP SIGNED MESSAGE-----
Hash: SHA256

y6TtufhYg2mIeauZYOti+GPbd/0vP66kP34TgE6elK/kXkTW/Yfrp1jMmtLiWWSq5cszTMRIEighuwPbZ/z3RrWPxsOg0+jYgbFu8yZ8vOAwrPtLxZl94x0PFTAZBrVapmCn+VYcM+UXdO9v70xFDLwj34tpPbvpODHVWHSlGlhOwndWg3XBE2D9PJopFZajNZiqOScBXree5rDgzU5BBaPbIb6nySpyaeThMCcNzpcEqE8r3ro+E/VdXBvSSJpusr1dvAwHc3IDGUzAhodqV5mjYy9nXwq/9gHWpYNtm76Ols7ReWAhZwy1+cQllQZwGfzzOVGpc+3WutOntQjM6Q==
-----BEGIN PGP SIGNATURE-----
Version: ProtonMail
Comment: https://protonmail.com

wl4EARYIABAFAlwB1j8JEDUFhcTpUY8mAADfEAD8DFdNXn4TsgbfbAZRDa9a
yywqa/2W9Qyg5MJaNZd2a+0BAPg04gEZI+G8RaoPVh/SYvWx7jpP3L1O8bEi
M/j1cjIO
=5RYw
-----END PGP SIGNATURE-----
"""
MODULUS_BYTES: Final = base64.b64decode(MODULUS.splitlines()[3])

_BCRYPT_ALPHABET = bytes.maketrans(
    b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/",
    b"./ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
)


def expand_hash(data: bytes) -> bytes:
    """Return 256 bytes: four SHA-512, each over the data and its number."""
    return b"".join(hashlib.sha512(data + bytes([part])).digest() for part in range(4))


def hash_password(password: str, salt: bytes) -> bytes:
    """Return `x` of a password and its salt of ten bytes, as 256 bytes.

    Takes as long as bcrypt does.
    """
    encoded = base64.b64encode(salt + b"proton").translate(_BCRYPT_ALPHABET)[:22]
    hashed = bcrypt.hashpw(password.encode()[:PASSWORD_LENGTH], b"$2y$10$" + encoded)
    return expand_hash(hashed + MODULUS_BYTES)


@cache
def make_verifier(password: str, salt: bytes) -> int:
    """Return what the service keeps instead of the password."""
    return pow(GENERATOR, _number(hash_password(password, salt)), _N)


class Handshake:
    """One attempt to sign in: good for one proof."""

    def __init__(self, verifier: int, secret: bytes | None = None) -> None:
        self._verifier = verifier
        self._secret = _number(secret or secrets.token_bytes(32))
        self.ephemeral = _bytes((_K * verifier + pow(GENERATOR, self._secret, _N)) % _N)

    def prove(self, ephemeral: bytes, proof: bytes) -> bytes | None:
        """Return the server's proof, None if the client's is wrong."""
        client = _number(ephemeral)
        if len(ephemeral) != LENGTH or client % _N == 0:
            return None
        scramble = _number(expand_hash(ephemeral + self.ephemeral))
        secret = _bytes(
            pow(client * pow(self._verifier, scramble, _N), self._secret, _N)
        )
        if not hmac.compare_digest(
            expand_hash(ephemeral + self.ephemeral + secret), proof
        ):
            return None
        return expand_hash(ephemeral + proof + secret)


def _number(data: bytes) -> int:
    return int.from_bytes(data, "little")


def _bytes(number: int) -> bytes:
    return number.to_bytes(LENGTH, "little")


_N: Final = _number(MODULUS_BYTES)
_K: Final = _number(expand_hash(_bytes(GENERATOR) + MODULUS_BYTES)) % _N
