"""The modulus as somebody else would sign it: in every way like Proton, but the key."""

import base64
import hashlib

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from .srp import MODULUS

_LINE_LENGTH = 60
_PACKET_TAG = 0xC2


def sign_modulus(signer: Ed25519PrivateKey) -> str:
    """Return Proton's modulus with another signature under it.

    All fields of Proton's signature stay, the time and the id of the key included.
    """
    head, _, armor = MODULUS.partition("Comment: https://protonmail.com\n\n")
    lines = armor.splitlines()
    packet = base64.b64decode("".join(line for line in lines if line[0] not in "=-"))
    body = packet[2:]
    fields = body[: 6 + int.from_bytes(body[4:6])]
    text = head.splitlines()[3].encode()
    digest = hashlib.sha256(
        text + fields + b"\x04\xff" + len(fields).to_bytes(4)
    ).digest()
    signature = signer.sign(digest)
    numbers = b"".join(_mpi(half) for half in (signature[:32], signature[32:]))
    body = fields + b"\x00\x00" + digest[:2] + numbers
    forged = bytes([_PACKET_TAG, len(body)]) + body
    encoded = base64.b64encode(forged).decode()
    return "\n".join(
        [
            head + "Comment: https://protonmail.com\n",
            *(
                encoded[at : at + _LINE_LENGTH]
                for at in range(0, len(encoded), _LINE_LENGTH)
            ),
            "=" + base64.b64encode(_crc24(forged).to_bytes(3)).decode(),
            *lines[-1:],
            "",
        ]
    )


def _mpi(value: bytes) -> bytes:
    number = int.from_bytes(value)
    length = number.bit_length()
    return length.to_bytes(2) + number.to_bytes((length + 7) // 8)


def _crc24(data: bytes) -> int:
    """Return the checksum of an armor (RFC 4880, 6.1)."""
    crc = 0xB704CE
    for byte in data:
        crc ^= byte << 16
        for _ in range(8):
            crc <<= 1
            if crc & 0x1000000:
                crc ^= 0x1864CFB
    return crc
