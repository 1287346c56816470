"""The stand-in's OpenPGP key: as the production key is, and as clients use it."""

import base64
import hashlib
import os

from cryptography.hazmat.decrepit.ciphers.modes import CFB
from cryptography.hazmat.primitives.asymmetric.x25519 import (
    X25519PrivateKey,
    X25519PublicKey,
)
from cryptography.hazmat.primitives.ciphers import Cipher
from cryptography.hazmat.primitives.ciphers.algorithms import AES
from cryptography.hazmat.primitives.keywrap import aes_key_wrap
import pysequoia
from pysequoia.packet import Packet, PacketPile
import pytest

from dev.standin.key_pair import KeyPair, UnwrapError, data_packet_version

KEY = bytes(range(32))
PUBLIC_KEY, SIGNATURE, USER_ID, PUBLIC_SUBKEY = 6, 2, 13, 14


def dearmored(text: str) -> bytes:
    """Return the bytes in an armored block."""
    body = text.partition("\n\n")[2].partition("\n=")[0]
    return base64.b64decode(body)


def packets(pair: KeyPair) -> list[Packet]:
    """Return the packets of the public key."""
    return list(PacketPile.from_bytes(dearmored(pair.public_key)))


def by_hand(pair: KeyPair, key: bytes) -> bytes:
    """Wrap a key with nothing but primitives, for the first subkey.

    As clients do that bring no OpenPGP library: one packet with the session key, one
    with the data, version 1.
    """
    body = next(p.body for p in packets(pair) if int(p.tag) == PUBLIC_SUBKEY)
    fingerprint = hashlib.sha1(b"\x99" + len(body).to_bytes(2) + body).digest()
    point = body[6 + 1 + body[6] :]
    assert point[2] == 0x40
    recipient = X25519PublicKey.from_public_bytes(point[3:35])
    ephemeral = X25519PrivateKey.generate()
    oid = bytes.fromhex("0a2b060104019755010501")
    kek = hashlib.sha256(
        b"\x00\x00\x00\x01"
        + ephemeral.exchange(recipient)
        + oid
        + b"\x12\x03\x01\x08\x07Anonymous Sender    "
        + fingerprint
    ).digest()[:16]
    session_key = os.urandom(32)
    plain = b"\x09" + session_key + (sum(session_key) % 65536).to_bytes(2)
    wrapped = aes_key_wrap(kek, plain + b"\x05" * 5)
    first = (
        b"\x03"
        + fingerprint[-8:]
        + b"\x12\x01\x07\x40"
        + ephemeral.public_key().public_bytes_raw()
        + b"\x30"
        + wrapped
    )
    prefix = os.urandom(16)
    data = prefix + prefix[-2:] + bytes.fromhex("cb26620000000000")
    data += key + b"\xd3\x14"
    data += hashlib.sha1(data).digest()
    encryptor = Cipher(AES(session_key), CFB(bytes(16))).encryptor()
    second = b"\x01" + encryptor.update(data) + encryptor.finalize()
    return (
        b"\xc1" + bytes([len(first)]) + first + b"\xd2" + bytes([len(second)]) + second
    )


def test_it_has_the_packets_of_the_production_key() -> None:
    """A client may take the first subkey, and choose the form by the features."""
    found = packets(KeyPair())
    assert [int(packet.tag) for packet in found] == [
        PUBLIC_KEY,
        USER_ID,
        SIGNATURE,
        PUBLIC_SUBKEY,
        SIGNATURE,
    ]
    assert [packet.body[5] for packet in (found[0], found[3])] == [22, 18]
    assert all(packet.body[0] == 4 for packet in found if int(packet.tag) != USER_ID)
    assert bytes.fromhex("021e07") in found[2].body


def test_libraries_take_it_and_write_version_1() -> None:
    """The same 179 bytes as for the production key."""
    pair = KeyPair()
    recipient = pysequoia.Cert.from_bytes(pair.public_key.encode())
    assert recipient.fingerprint == pair.fingerprint
    assert recipient.expiration is not None
    message = pysequoia.encrypt(bytes=KEY, recipients=[recipient], armor=False)
    assert len(message) == 179
    assert data_packet_version(message) == 1
    assert pair.unwrap(message) == KEY


def test_a_message_made_by_hand_opens() -> None:
    """With each of several keys: their numbers may begin with zeros."""
    for _ in range(20):
        pair = KeyPair()
        message = by_hand(pair, KEY)
        assert pair.unwrap(message) == KEY
        assert data_packet_version(message) == 1


@pytest.mark.parametrize("length", [0, 16, 31, 33])
def test_a_key_of_another_length_is_refused(length: int) -> None:
    """Exactly 32 bytes."""
    pair = KeyPair()
    recipient = pysequoia.Cert.from_bytes(pair.public_key.encode())
    message = pysequoia.encrypt(
        bytes=bytes(length), recipients=[recipient], armor=False
    )
    with pytest.raises(UnwrapError, match="32 bytes"):
        pair.unwrap(message)


@pytest.mark.parametrize("message", [b"", b"x", bytes(200), b"\xc1\x5e" + bytes(94)])
def test_what_is_no_message_is_refused(message: bytes) -> None:
    """With a reason of one line."""
    with pytest.raises(UnwrapError) as caught:
        KeyPair().unwrap(message)
    assert "\n" not in str(caught.value)


def test_a_message_for_another_key_is_refused() -> None:
    """Each stand-in has its own."""
    with pytest.raises(UnwrapError):
        KeyPair().unwrap(by_hand(KeyPair(), KEY))
