"""Two questions to the OpenPGP library: wrap a key, look at a certificate.

Both parse the armored certificate anew: it takes a fifth of a millisecond, and nothing
of the library then crosses a thread. Callers run them outside the event loop.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

from pysequoia import Cert, encrypt
from pysequoia.packet import PacketPile, Tag

from .errors import EncryptionKeyError

# Proton's web client and servers use version 1 (CFB with a modification detection
# code); the production key does not advertise support for version 2.
_SEIPD_VERSION = 1


@dataclass(frozen=True, slots=True)
class PublicKeyInfo:
    """What a person needs to compare or to renew a public key.

    `fingerprint` is the primary key's, upper-case hexadecimal; `expires` is aware, None
    for a key without an end.
    """

    fingerprint: str
    user_ids: tuple[str, ...]
    expires: datetime | None

    def expires_within(self, period: timedelta, now: datetime) -> bool:
        """Return whether the key is expired or will be within the period."""
        return self.expires is not None and self.expires - now <= period


def describe_public_key(armored: str) -> PublicKeyInfo:
    """Return the facts about an armored public key.

    Raises EncryptionKeyError for anything that is not exactly a usable public key.
    """
    cert = _certificate(armored)
    return PublicKeyInfo(
        fingerprint=cert.fingerprint.upper(),
        user_ids=tuple(str(user_id) for user_id in cert.user_ids),
        expires=cert.expiration,
    )


def wrap_key(armored: str, key: bytes) -> bytes:
    """Encrypt a symmetric key to a public key, as a binary OpenPGP message.

    Raises EncryptionKeyError if the public key cannot do that, or only in a form that
    Lumo does not read.
    """
    cert = _certificate(armored)
    try:
        message = encrypt(bytes=key, recipients=[cert], armor=False)
        packets = list(PacketPile.from_bytes(message))
    except (RuntimeError, ValueError, OSError, TypeError) as err:
        raise EncryptionKeyError from err
    if [packet.tag for packet in packets] != [Tag.PKESK, Tag.SEIP] or packets[1].body[
        :1
    ] != bytes([_SEIPD_VERSION]):
        raise EncryptionKeyError("Lumo's public key asks for an unsupported format")
    return message


def _certificate(armored: str) -> Cert:
    """Return the parsed certificate."""
    try:
        cert = Cert.from_bytes(armored.encode())
    except (RuntimeError, ValueError, OSError, TypeError) as err:
        raise EncryptionKeyError("Lumo's public key cannot be read") from err
    if cert.is_revoked:
        raise EncryptionKeyError("Lumo's public key is revoked")
    return cert
