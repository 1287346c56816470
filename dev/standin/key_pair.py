"""The stand-in's OpenPGP key pair, in the very shape of Lumo's production key.

One Ed25519 primary key and one Curve25519 ECDH subkey, version 4, feature byte 07.
The shape matters: a client may take the first subkey for the encryption key, and an
OpenPGP library chooses the form of the message by the feature byte. A key made by
Sequoia has another subkey first and asks for version 2 of the encrypted data packet,
which the production key does not. So the packets are written here, and Sequoia only
opens what clients send.
"""

import hashlib
import struct
import time

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
import pysequoia

USER_ID = b"Lumo stand-in (development only) <standin@lumo.invalid>"
KEY_LENGTH = 32
# Like the production key's: four years.
VALIDITY_SECONDS = 4 * 365 * 86400

_TAG_SECRET_KEY, _TAG_SECRET_SUBKEY = 5, 7
_TAG_PUBLIC_KEY, _TAG_PUBLIC_SUBKEY = 6, 14
_TAG_SIGNATURE, _TAG_USER_ID = 2, 13
_TAG_ENCRYPTED_DATA = 18
_POSITIVE_CERTIFICATION, _SUBKEY_BINDING = 0x13, 0x18
_EDDSA, _ECDH, _SHA512 = 22, 18, 10
_ED25519_OID = bytes.fromhex("092b06010401da470f01")
_CURVE25519_OID = bytes.fromhex("0a2b060104019755010501")
_KDF_SHA256_AES128 = bytes.fromhex("03010807")


class UnwrapError(Exception):
    """The wrapped key could not be opened, or is not 32 bytes."""


class KeyPair:
    """A fresh key pair: the public half as text, the private half to open keys."""

    def __init__(self) -> None:
        secret, public = _make_packets()
        key = pysequoia.Tsk.from_bytes(secret)
        self._decryptor = key.decryptor()
        self.fingerprint = key.extract_certificate().fingerprint
        self.public_key = pysequoia.armor(public, pysequoia.ArmorKind.PublicKey)

    def unwrap(self, message: bytes) -> bytes:
        """Return the 32 byte key in a binary OpenPGP message, or raise UnwrapError."""
        try:
            opened = pysequoia.decrypt(bytes=message, decryptor=self._decryptor)
        except Exception as error:
            reason = str(error).partition("\n")[0]
            raise UnwrapError(f"the message cannot be opened: {reason}") from error
        key = bytes(opened.bytes or b"")
        if len(key) != KEY_LENGTH:
            raise UnwrapError(f"{KEY_LENGTH} bytes expected, {len(key)} found")
        return key


def data_packet_version(message: bytes) -> int | None:
    """Return the version of the encrypted data packet, None if none is found.

    Proton's web client and the public ones write version 1; whether production takes
    version 2 is not known.
    """
    position = 0
    while position + 2 < len(message):
        tag, length = message[position] & 0x3F, message[position + 1]
        position += 2
        if 192 <= length < 224:
            length = ((length - 192) << 8) + message[position] + 192
            position += 1
        elif length >= 224:  # partial or long: no key of 32 bytes needs that
            return None
        if tag == _TAG_ENCRYPTED_DATA:
            return message[position]
        position += length
    return None


def _make_packets() -> tuple[bytes, bytes]:
    created = int(time.time()) - 60
    signer, receiver = Ed25519PrivateKey.generate(), X25519PrivateKey.generate()
    head = struct.pack(">BI", 4, created)
    primary = (
        head
        + bytes([_EDDSA])
        + _ED25519_OID
        + _mpi(b"\x40" + signer.public_key().public_bytes_raw())
    )
    subkey = (
        head
        + bytes([_ECDH])
        + _CURVE25519_OID
        + _mpi(b"\x40" + receiver.public_key().public_bytes_raw())
        + _KDF_SHA256_AES128
    )

    validity = _subpacket(9, struct.pack(">I", VALIDITY_SECONDS))
    certification = _sign(
        signer,
        _POSITIVE_CERTIFICATION,
        primary,
        struct.pack(">BI", 0xB4, len(USER_ID)) + USER_ID,
        # Key flags, lifetime and preferences as in the production key.
        _subpacket(27, b"\x03")
        + validity
        + _subpacket(11, bytes([9, 8, 7, 2]))
        + _subpacket(34, bytes([2]))
        + _subpacket(21, bytes([10, 9, 8, 11, 2]))
        + _subpacket(22, bytes([2, 3, 1]))
        + _subpacket(30, b"\x07")
        + _subpacket(23, b"\x80"),
    )
    binding = _sign(
        signer,
        _SUBKEY_BINDING,
        primary,
        _hashed_key(subkey),
        _subpacket(27, b"\x0c") + validity,
    )

    # The scalar of this curve is kept big-endian, and clamped.
    scalar = bytearray(receiver.private_bytes_raw())
    scalar[0] &= 248
    scalar[31] = (scalar[31] & 127) | 64
    shared = _packet(_TAG_USER_ID, USER_ID) + _packet(_TAG_SIGNATURE, certification)
    secret = (
        _packet(_TAG_SECRET_KEY, _with_secret(primary, signer.private_bytes_raw()))
        + shared
        + _packet(_TAG_SECRET_SUBKEY, _with_secret(subkey, bytes(reversed(scalar))))
        + _packet(_TAG_SIGNATURE, binding)
    )
    public = (
        _packet(_TAG_PUBLIC_KEY, primary)
        + shared
        + _packet(_TAG_PUBLIC_SUBKEY, subkey)
        + _packet(_TAG_SIGNATURE, binding)
    )
    return secret, public


def _sign(
    signer: Ed25519PrivateKey, kind: int, primary: bytes, signed: bytes, details: bytes
) -> bytes:
    """Return the body of a version 4 signature packet.

    The primary key signs itself and what else is given; its body also has the time.
    """
    whole = _hashed_key(primary)
    fingerprint = hashlib.sha1(whole).digest()
    hashed = (
        _subpacket(33, b"\x04" + fingerprint) + _subpacket(2, primary[1:5]) + details
    )
    head = struct.pack(">BBBBH", 4, kind, _EDDSA, _SHA512, len(hashed)) + hashed
    digest = hashlib.sha512(
        whole + signed + head + struct.pack(">BBI", 4, 0xFF, len(head))
    ).digest()
    signature = signer.sign(digest)
    unhashed = _subpacket(16, fingerprint[-8:])
    return (
        head
        + struct.pack(">H", len(unhashed))
        + unhashed
        + digest[:2]
        + _mpi(signature[:32])
        + _mpi(signature[32:])
    )


def _hashed_key(body: bytes) -> bytes:
    return struct.pack(">BH", 0x99, len(body)) + body


def _with_secret(body: bytes, scalar: bytes) -> bytes:
    number = _mpi(scalar)
    return body + b"\x00" + number + struct.pack(">H", sum(number) % 65536)


def _mpi(value: bytes) -> bytes:
    """Return a multiprecision integer: length in bits, then bytes."""
    value = value.lstrip(b"\x00")
    bits = len(value) * 8 - (8 - value[0].bit_length()) if value else 0
    return struct.pack(">H", bits) + value


def _subpacket(kind: int, body: bytes) -> bytes:
    return bytes([len(body) + 1, kind]) + body


def _packet(tag: int, body: bytes) -> bytes:
    """Return a packet in the new format, with a one or two byte length."""
    if len(body) < 192:
        length = bytes([len(body)])
    else:
        length = bytes([((len(body) - 192) >> 8) + 192, (len(body) - 192) & 0xFF])
    return bytes([0xC0 | tag]) + length + body
