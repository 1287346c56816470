"""SRP-6a as Proton speaks it: prove a password without sending it.

The names are those of the standard: `N` modulus, `g` generator, `a`/`A` and `b`/`B` the
secret and public halves of both sides, `x` the hashed password, `u` the scrambler, `S`
the shared secret. All numbers are little-endian, 256 bytes on the wire, and `H` is four
SHA-512 in a row. Facts: Proton's web client and its Python library.

Pure functions that take a tenth of a second: call them outside the event loop.
"""

import base64
from collections.abc import Callable
from dataclasses import dataclass, field
import hashlib
import hmac
from pathlib import Path
import re
import secrets
from typing import Final

import bcrypt

from .encryption import OPENPGP_ERRORS
from .errors import PasswordVersionError, ServerProofError
from .wire_json import well_formed

_LENGTH: Final = 256
_GENERATOR: Final = 2

# Versions 0 to 2 also hash the user name, and were dropped in 2018.
_PASSWORD_VERSIONS: Final = frozenset({3, 4})
_SALT_LENGTH: Final = 10
_SALT_SUFFIX: Final = b"proton"
_BCRYPT_PREFIX: Final = b"$2y$10$"
# What bcrypt looks at; the library refuses more instead of ignoring it.
_BCRYPT_LONGEST: Final = 72
_BCRYPT_ALPHABET: Final = bytes.maketrans(
    b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/",
    b"./ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
)

# "proton@srp.modulus", as in Proton's web client and its Python library: signs the
# moduli of sign-ins. Fingerprint 248097092B458509C508DAC0350585C4E9518F26, no end.
SRP_MODULUS_KEY: Final = (
    Path(__file__).with_name("srp_modulus_key.asc").read_text("ascii")
)

# One clear-signed message, one line of base64, nothing around it: the library would
# also take text before or after the message, or a second message, without a word.
_SIGNED_MODULUS: Final = re.compile(
    r"-----BEGIN PGP SIGNED MESSAGE-----\r?\n"
    r"(?:Hash: [A-Z0-9, ]+\r?\n)+"
    r"\r?\n"
    r"(?P<text>[A-Za-z0-9+/]+={0,2})\r?\n"
    r"-----BEGIN PGP SIGNATURE-----\r?\n"
    r"(?:[A-Za-z]+: [ -~]*\r?\n)*"
    r"\r?\n"
    r"(?:[A-Za-z0-9+/=]+\r?\n)+"
    r"-----END PGP SIGNATURE-----\s*"
)


@dataclass(frozen=True, slots=True)
class Proofs:
    """The answer to a challenge, in base64, and the one that the server must give."""

    ephemeral: str = field(repr=False)
    proof: str = field(repr=False)
    server_proof: bytes = field(repr=False)

    def accept(self, server_proof: object) -> bool:
        """Return whether this, in base64, is the server's proof."""
        if not isinstance(server_proof, str):
            return False
        try:
            given = base64.b64decode(server_proof, validate=True)
        except ValueError:
            return False
        return hmac.compare_digest(given, self.server_proof)


def answer_challenge(
    password: str, version: int, modulus: str, server_ephemeral: str, salt: str
) -> Proofs:
    """Return the proofs for a password and a challenge as it came from the server.

    Raises ServerProofError if answering could give the password away,
    PasswordVersionError, or ValueError without a password.
    """
    n = read_modulus(modulus)
    hashed = hash_password(password, _decode(salt), n, version)
    return compute_proofs(hashed, n, _decode(server_ephemeral))


def read_modulus(signed: str) -> bytes:
    """Return the modulus in exactly one message that Proton has signed.

    Another modulus would let its maker find out the password: ServerProofError.
    """
    if (shape := _SIGNED_MODULUS.fullmatch(signed)) is None:
        raise ServerProofError("The server's modulus is not exactly one signed message")
    # It takes five megabytes.
    from pysequoia import Cert, verify  # noqa: PLC0415

    cert = Cert.from_bytes(SRP_MODULUS_KEY.encode())
    try:
        verified = verify(bytes=signed.encode(), store=lambda _ids: [cert])
    except OPENPGP_ERRORS as err:
        raise ServerProofError from err
    # What was signed, not what the shape shows: they must not differ either.
    text = (verified.bytes or b"").decode(errors="replace").strip()
    if not verified.valid_sigs or text != shape["text"]:
        raise ServerProofError
    modulus = _decode(text)
    if len(modulus) != _LENGTH or not modulus[-1] & 0x80:
        raise ServerProofError("The server's modulus does not have 2048 bits")
    return modulus


def hash_password(password: str, salt: bytes, modulus: bytes, version: int) -> bytes:
    """Return `x`. The user name is not part of it."""
    if version not in _PASSWORD_VERSIONS:
        raise PasswordVersionError
    if len(salt) != _SALT_LENGTH:
        raise ServerProofError("The salt of the password has an unknown length")
    return expand_hash(bcrypt_password(password, salt) + modulus)


def bcrypt_password(password: str, salt: bytes) -> bytes:
    """Return the text of bcrypt, with its prefix."""
    if not password:
        raise ValueError("The password is empty")
    encoded = base64.b64encode(salt + _SALT_SUFFIX).translate(_BCRYPT_ALPHABET)
    return bcrypt.hashpw(
        well_formed(password).encode()[:_BCRYPT_LONGEST], _BCRYPT_PREFIX + encoded[:22]
    )


def expand_hash(data: bytes) -> bytes:
    """Return the 256 bytes of `H`."""
    return b"".join(hashlib.sha512(data + bytes([part])).digest() for part in range(4))


def compute_proofs(
    hashed_password: bytes,
    modulus: bytes,
    server_ephemeral: bytes,
    random_bytes: Callable[[int], bytes] = secrets.token_bytes,
) -> Proofs:
    """Return the proofs, for an `a` of random bytes."""
    n = _number(modulus)
    b_public = _number(server_ephemeral)
    if len(server_ephemeral) != _LENGTH or not 1 < b_public < n - 1:
        raise ServerProofError("The server's ephemeral value is out of range")
    multiplier = _number(expand_hash(_bytes(_GENERATOR) + modulus)) % n
    x = _number(hashed_password)
    u = 0
    while not u:
        a = _number(random_bytes(_LENGTH))
        client_ephemeral = _bytes(pow(_GENERATOR, a, n))
        u = _number(expand_hash(client_ephemeral + server_ephemeral))
    base = (b_public - multiplier * pow(_GENERATOR, x, n)) % n
    shared = _bytes(pow(base, (a + u * x) % (n - 1), n))
    client_proof = expand_hash(client_ephemeral + server_ephemeral + shared)
    return Proofs(
        ephemeral=base64.b64encode(client_ephemeral).decode(),
        proof=base64.b64encode(client_proof).decode(),
        server_proof=expand_hash(client_ephemeral + client_proof + shared),
    )


def _number(data: bytes) -> int:
    return int.from_bytes(data, "little")


def _bytes(number: int) -> bytes:
    return number.to_bytes(_LENGTH, "little")


def _decode(text: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except ValueError as err:
        raise ServerProofError from err
