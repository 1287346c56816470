"""Encryption between this client and Lumo ("user to Lumo").

AES-256-GCM under a fresh key for each request, wrapped to Lumo's OpenPGP key; layout
and associated data are those of Proton's web client. Roles, tool definitions, tool
names and numbers are not encrypted by this protocol.

The armored certificate is parsed each time, in a fifth of a millisecond: nothing of the
library crosses a thread. It takes five megabytes, which an API key never needs.
"""

import base64
import binascii
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
import os
from typing import TYPE_CHECKING, Final
import uuid

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from .errors import EncryptionKeyError, IntegrityError
from .wire_json import well_formed

if TYPE_CHECKING:
    from pysequoia import Cert

KEY_BYTES: Final = 32
IV_BYTES: Final = 12
TAG_BYTES: Final = 16

# What the OpenPGP library raises for what it cannot read or use.
OPENPGP_ERRORS: Final = (RuntimeError, ValueError, OSError, TypeError)


class RequestCipher:
    """The key of one request: encrypts its turns and decrypts the answer's parts.

    `request_id` and `request_key` (base64 of the wrapped key) go into the body.
    """

    __slots__ = ("_aead", "_request_ad", "_response_ad", "request_id", "request_key")

    def __init__(self, key: bytes, request_id: str, wrapped_key: bytes) -> None:
        self._aead = AESGCM(key)
        self._request_ad = f"lumo.request.{request_id}.turn".encode("ascii")
        self._response_ad = f"lumo.response.{request_id}.chunk".encode("ascii")
        self.request_id = request_id
        self.request_key = base64.b64encode(wrapped_key).decode("ascii")

    @classmethod
    def create(cls, public_key: str) -> RequestCipher:
        """Return a cipher with a new key and id. Raises EncryptionKeyError.

        Takes most of a millisecond of CPU: run it outside the event loop.
        """
        key = os.urandom(KEY_BYTES)
        return cls(key, str(uuid.uuid4()), wrap_key(public_key, key))

    def encrypt(self, text: str) -> str:
        """Return the wire value of one turn's text."""
        return self.seal(well_formed(text).encode())

    def seal(self, data: bytes, iv: bytes | None = None) -> str:
        """Return the wire value of the data; an IV must never serve twice."""
        iv = iv or os.urandom(IV_BYTES)
        sealed = iv + self._aead.encrypt(iv, data, self._request_ad)
        return base64.b64encode(sealed).decode("ascii")

    def decrypt(self, value: str) -> bytes:
        """Return the content of one part of the answer, else raise IntegrityError."""
        try:
            sealed = binascii.a2b_base64(value, strict_mode=True)
            return self._aead.decrypt(
                sealed[:IV_BYTES], sealed[IV_BYTES:], self._response_ad
            )
        except (InvalidTag, ValueError) as err:
            raise IntegrityError from err


def looks_encrypted(value: str) -> bool:
    """Return whether a value without a flag has the form of a ciphertext."""
    try:
        sealed = binascii.a2b_base64(value, strict_mode=True)
    except ValueError:
        return False
    return len(sealed) >= IV_BYTES + TAG_BYTES


@dataclass(frozen=True, slots=True)
class PublicKeyInfo:
    """What a person needs to compare or to renew a public key."""

    fingerprint: str
    """Upper-case hexadecimal."""
    created: datetime
    expires: datetime | None
    """None without an end."""


def describe_public_key(armored: str) -> PublicKeyInfo:
    """Return the facts about an armored public key. Raises EncryptionKeyError.

    Loads a library the first time: run it outside the event loop.
    """
    from pysequoia.packet import PacketPile, Tag  # noqa: PLC0415

    with _usable():
        cert = _certificate(armored)
        primary = next(iter(PacketPile.from_bytes(armored.encode())), None)
        if not primary or primary.tag != Tag.PublicKey or not primary.key_created:
            raise EncryptionKeyError("This is not a public key")
        return PublicKeyInfo(
            fingerprint=cert.fingerprint.upper(),
            created=primary.key_created,
            expires=cert.expiration,
        )


def wrap_key(armored: str, key: bytes) -> bytes:
    """Return a key, encrypted to a public key in OpenPGP. Raises EncryptionKeyError."""
    from pysequoia import encrypt  # noqa: PLC0415
    from pysequoia.packet import PacketPile, Tag  # noqa: PLC0415

    with _usable():
        message = encrypt(bytes=key, recipients=[_certificate(armored)], armor=False)
        tags = [packet.tag for packet in PacketPile.from_bytes(message)]
    if tags != [Tag.PKESK, Tag.SEIP]:
        raise EncryptionKeyError("Lumo's public key asks for an unsupported format")
    return message


@contextmanager
def _usable() -> Iterator[None]:
    """Raise EncryptionKeyError where the library fails: it reads a key part by part."""
    try:
        yield
    except OPENPGP_ERRORS as err:
        raise EncryptionKeyError from err


def _certificate(armored: str) -> Cert:
    from pysequoia import Cert  # noqa: PLC0415

    cert = Cert.from_bytes(armored.encode())
    if cert.is_revoked:
        raise EncryptionKeyError("Lumo's public key is revoked")
    return cert
