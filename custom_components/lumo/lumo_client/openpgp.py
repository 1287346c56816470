"""OpenPGP: wrap a key, describe one, check a modulus.

The armored certificate is parsed each time, in a fifth of a millisecond: nothing of the
library crosses a thread. Call these functions outside the event loop.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
import re
from typing import Final

from pysequoia import Cert, encrypt, verify
from pysequoia.packet import PacketPile, Tag

from .errors import EncryptionKeyError, ServerProofError

# "proton@srp.modulus", as in Proton's web client and its Python library: signs the
# moduli of sign-ins. Fingerprint 248097092B458509C508DAC0350585C4E9518F26, no end.
SRP_MODULUS_KEY: Final = (
    Path(__file__).with_name("srp_modulus_key.asc").read_text("ascii")
)

# What the library raises for what it cannot read or use.
_LIBRARY_ERRORS: Final = (RuntimeError, ValueError, OSError, TypeError)

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
class PublicKeyInfo:
    """What a person needs to compare or to renew a public key.

    `fingerprint` is upper-case hexadecimal; `expires` is None without an end.
    """

    fingerprint: str
    user_ids: tuple[str, ...]
    created: datetime
    expires: datetime | None


def describe_public_key(armored: str) -> PublicKeyInfo:
    """Return the facts about an armored public key. Raises EncryptionKeyError."""
    with _usable():
        cert = _certificate(armored)
        primary = next(iter(PacketPile.from_bytes(armored.encode())), None)
        if not primary or primary.tag != Tag.PublicKey or not primary.key_created:
            raise EncryptionKeyError("This is not a public key")
        return PublicKeyInfo(
            fingerprint=cert.fingerprint.upper(),
            user_ids=tuple(str(user_id) for user_id in cert.user_ids),
            created=primary.key_created,
            expires=cert.expiration,
        )


def wrap_key(armored: str, key: bytes) -> bytes:
    """Return a symmetric key, encrypted to a public key: a binary OpenPGP message.

    In the form of Proton's web client. Raises EncryptionKeyError.
    """
    with _usable():
        cert = _certificate(armored)
        message = encrypt(bytes=key, recipients=[cert], armor=False)
        tags = [packet.tag for packet in PacketPile.from_bytes(message)]
    if tags != [Tag.PKESK, Tag.SEIP]:
        raise EncryptionKeyError("Lumo's public key asks for an unsupported format")
    return message


def open_modulus(signed: str) -> str:
    """Return the base64 text of a modulus that Proton has signed.

    Raises ServerProofError for anything but exactly one such message.
    """
    if (shape := _SIGNED_MODULUS.fullmatch(signed)) is None:
        raise ServerProofError("The server's modulus is not exactly one signed message")
    cert = Cert.from_bytes(SRP_MODULUS_KEY.encode())
    try:
        verified = verify(bytes=signed.encode(), store=lambda _ids: [cert])
    except _LIBRARY_ERRORS as err:
        raise ServerProofError from err
    # What was signed, not what the shape shows: they must not differ either.
    text = (verified.bytes or b"").decode(errors="replace").strip()
    if not verified.valid_sigs or text != shape["text"]:
        raise ServerProofError
    return text


@contextmanager
def _usable() -> Iterator[None]:
    """Raise EncryptionKeyError where the library fails: it reads a key part by part."""
    try:
        yield
    except _LIBRARY_ERRORS as err:
        raise EncryptionKeyError from err


def _certificate(armored: str) -> Cert:
    cert = Cert.from_bytes(armored.encode())
    if cert.is_revoked:
        raise EncryptionKeyError("Lumo's public key is revoked")
    return cert
