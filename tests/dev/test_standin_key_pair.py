"""The stand-in's OpenPGP key: as the production key is, and as clients use it."""

import base64

import pysequoia
from pysequoia.packet import Packet, PacketPile
import pytest

from dev.standin.key_pair import KeyPair, UnwrapError, data_packet_version

KEY = bytes(range(32))
PUBLIC_KEY, SIGNATURE, USER_ID, PUBLIC_SUBKEY = 6, 2, 13, 14


def dearmored(text: str) -> bytes:
    body = text.partition("\n\n")[2].partition("\n=")[0]
    return base64.b64decode(body)


def packets(pair: KeyPair) -> list[Packet]:
    return list(PacketPile.from_bytes(dearmored(pair.public_key)))


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


def sealed(pair: KeyPair, key: bytes) -> bytes:
    """Encrypt a key as a library does."""
    recipient = pysequoia.Cert.from_bytes(pair.public_key.encode())
    assert recipient.fingerprint == pair.fingerprint
    assert recipient.expiration is not None
    return pysequoia.encrypt(bytes=key, recipients=[recipient], armor=False)


def test_libraries_take_it_and_write_version_1() -> None:
    """The same 179 bytes as for the production key."""
    pair = KeyPair()
    message = sealed(pair, KEY)
    assert len(message) == 179
    assert data_packet_version(message) == 1
    assert pair.unwrap(message) == KEY


@pytest.mark.parametrize(
    ("key", "told"), [(bytes(31), "32 bytes"), (bytes(33), "32 bytes"), (None, None)]
)
def test_another_key_is_refused(key: bytes | None, told: str | None) -> None:
    """One of another length, and one for another stand-in."""
    pair = KeyPair()
    message = sealed(KeyPair(), KEY) if key is None else sealed(pair, key)
    with pytest.raises(UnwrapError, match=told):
        pair.unwrap(message)
