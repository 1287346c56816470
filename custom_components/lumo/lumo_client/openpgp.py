"""Two questions to the OpenPGP library: wrap a key, look at a certificate.

Both parse the armored certificate anew: it takes a fifth of a millisecond, and nothing
of the library then crosses a thread. Callers run them outside the event loop.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

from pysequoia import Cert, encrypt
from pysequoia.packet import PacketPile, Tag

from .errors import EncryptionKeyError


@dataclass(frozen=True, slots=True)
class PublicKeyInfo:
    """What a person needs to compare or to renew a public key.

    `fingerprint` is the primary key's, upper-case hexadecimal. The times are aware;
    `expires` is None for a key without an end.
    """

    fingerprint: str
    user_ids: tuple[str, ...]
    created: datetime
    expires: datetime | None

    def expires_within(self, period: timedelta, now: datetime) -> bool:
        """Return whether the key is expired or will be within the period."""
        return self.expires is not None and self.expires - now <= period


def describe_public_key(armored: str) -> PublicKeyInfo:
    """Return the facts about an armored public key.

    Raises EncryptionKeyError for anything that is not exactly a usable public key.
    """
    cert = _certificate(armored)
    if cert.has_secret_keys:
        raise EncryptionKeyError("This is a private key")
    created = next(iter(PacketPile.from_bytes(bytes(cert)))).key_created
    if created is None:
        raise EncryptionKeyError("Lumo's public key has no time of creation")
    return PublicKeyInfo(
        fingerprint=cert.fingerprint.upper(),
        user_ids=tuple(str(user_id) for user_id in cert.user_ids),
        created=created,
        expires=cert.expiration,
    )


def wrap_key(armored: str, key: bytes) -> bytes:
    """Encrypt a symmetric key to a public key, as a binary OpenPGP message.

    The message is one encrypted session key and one integrity-protected packet: in
    version 1 for the production key, as from Proton's web client; in version 2 only if
    the public key says that its holder reads that. Raises EncryptionKeyError if the
    public key cannot be used so.
    """
    cert = _certificate(armored)
    try:
        message = encrypt(bytes=key, recipients=[cert], armor=False)
        tags = [packet.tag for packet in PacketPile.from_bytes(message)]
    except (RuntimeError, ValueError, OSError, TypeError) as err:
        raise EncryptionKeyError from err
    if tags != [Tag.PKESK, Tag.SEIP]:
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
