"""U2L encryption as the service does it: open turns, seal pieces of the answer.

AES-256-GCM; on the wire base64 of IV (12 bytes), ciphertext, tag (16 bytes). The
associated data binds each item to the request id and to its direction.
"""

import base64
import binascii
import os

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

IV_LENGTH = 12
TAG_LENGTH = 16


class DecryptError(Exception):
    """A turn that is not what it claims to be."""


class Channel:
    """The encryption of one request and its answer."""

    def __init__(self, key: bytes, request_id: str) -> None:
        self._cipher = AESGCM(key)
        self._request = f"lumo.request.{request_id}.turn".encode()
        self._response = f"lumo.response.{request_id}.chunk".encode()
        self.seen: set[bytes] = set()
        self.repeated_iv = False

    def open(self, text: str) -> bytes:
        """Decrypt what the client sent, or raise DecryptError."""
        try:
            sealed = base64.b64decode(text, validate=True)
        except (binascii.Error, ValueError) as error:
            raise DecryptError("not base64") from error
        if len(sealed) < IV_LENGTH + TAG_LENGTH:
            raise DecryptError("too short")
        iv = sealed[:IV_LENGTH]
        self.repeated_iv |= iv in self.seen
        self.seen.add(iv)
        try:
            return self._cipher.decrypt(iv, sealed[IV_LENGTH:], self._request)
        except InvalidTag as error:
            raise DecryptError("authentication failed") from error

    def seal(self, data: str | bytes) -> str:
        """Encrypt a piece of the answer."""
        return self._seal(data, self._response)

    def seal_badly(self, data: str | bytes) -> str:
        """Encrypt a piece so that the client's check of it must fail."""
        return self._seal(data, self._response + b".tampered")

    def _seal(self, data: str | bytes, associated: bytes) -> str:
        if isinstance(data, str):
            data = data.encode()
        iv = os.urandom(IV_LENGTH)
        return base64.b64encode(
            iv + self._cipher.encrypt(iv, data, associated)
        ).decode()
