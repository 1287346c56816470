"""Vectors computed apart from this code, and what must not be accepted."""

import base64

from hypothesis import given, strategies as st
from pysequoia import Cert, Tsk, decrypt
from pysequoia.packet import PacketPile
import pytest

from custom_components.lumo.lumo_client.encryption import (
    RequestCipher,
    describe_public_key,
    wrap_key,
)
from custom_components.lumo.lumo_client.endpoints import LUMO_KEY_INFO, LUMO_PUBLIC_KEY
from custom_components.lumo.lumo_client.errors import EncryptionKeyError, IntegrityError

KEY = bytes(range(32))
REQUEST_ID = "01234567-89ab-4cde-8f01-23456789abcd"
CIPHER = RequestCipher(KEY, REQUEST_ID, b"wrapped")

REQUEST_VECTORS = {
    "user turn": (
        "000102030405060708090a0b",
        "Turn on the kitchen light, please. ☕".encode(),
        "AAECAwQFBgcICQoLE3ekdeWKrDv5KfKr2oAMDuuz6RScEjgUTEvF9XEMYcFkPo4eN1T19DWnJhBB0C5YZs9Ve5nM",
    ),
    "tool call turn": (
        "18191a1b1c1d1e1f20212223",
        b'{"id":"call_0","name":"HassTurnOn","arguments":{"name":"kitchen light"}}',
        "GBkaGxwdHh8gISIjaD0pdPlzRyxgb9GWY/nsbH6YlyO5aNdMAgRT1PlNrCUcTQL5wvpDqcuUh1fW/XGu31mPO71OMY4QVxTyxVrYFVKj8D9V1hASTnvKQuVaznumjj03R9Qp6g==",
    ),
    "image": (
        "5455565758595a5b5c5d5e5f",
        bytes.fromhex("89504e470d0a1a0a"),
        "VFVWV1hZWltcXV5f55PR/R0KZubYDpwZ0j3I3u7R6agpVFlB",
    ),
}
CONTENT = "MDEyMzQ1Njc4OTo74EBDpf4pY9lgo0A2ZOkOhyPnSO8="
ARGUMENTS = "PD0+P0BBQkNERUZHDPxXkZkq942OyQZYTSIZT4Vw8hJK+QI0cFj3ldVW/7PLcJ9G1eSgVQ=="
REASONING = "SElKS0xNTk9QUVJTmkXuQwCSfD34N1YTGlNCbI8BFQ1lcpePQXdXMRLg"


@pytest.mark.parametrize(
    ("iv", "data", "wire"), REQUEST_VECTORS.values(), ids=REQUEST_VECTORS
)
def test_a_part_of_a_request_is_encrypted_as_proton_does(
    iv: str, data: bytes, wire: str
) -> None:
    """The vectors of a request."""
    assert CIPHER.seal(data, bytes.fromhex(iv)) == wire


@pytest.mark.parametrize(
    ("wire", "text"),
    [
        (CONTENT, b"Sure"),
        (ARGUMENTS, b'{"name":"kitchen light"}'),
        (REASONING, b"The user wants"),
    ],
)
def test_a_part_of_an_answer_is_decrypted(wire: str, text: bytes) -> None:
    """The vectors of an answer."""
    assert CIPHER.decrypt(wire) == text


@pytest.mark.parametrize(
    "wire",
    [
        *(wire for _, _, wire in REQUEST_VECTORS.values()),
        CONTENT[:-4] + "AAA=",
        CONTENT[:20],
        CONTENT[:-1],
        "",
        "not base64",
        "☕",
        "AAAA",
    ],
)
def test_what_was_not_encrypted_for_this_answer_is_refused(wire: str) -> None:
    """A turn of the request played back included."""
    with pytest.raises(IntegrityError):
        CIPHER.decrypt(wire)


def test_another_request_cannot_be_answered_with_this_one() -> None:
    """The request id is part of what is authenticated."""
    other = RequestCipher(KEY, REQUEST_ID.replace("0", "1"), b"")
    with pytest.raises(IntegrityError):
        other.decrypt(CONTENT)


def test_a_key_wrapped_to_us_opens_to_the_cipher_that_is_used() -> None:
    """The wrapped key is the one that encrypts, and each cipher has another."""
    own = Tsk.generate("Test <test@example.invalid>")
    public_key = str(own.extract_certificate())
    first, second = RequestCipher.create(public_key), RequestCipher.create(public_key)
    assert first.request_id != second.request_id
    opened = decrypt(
        bytes=base64.b64decode(first.request_key), decryptor=own.decryptor()
    )
    assert opened.bytes is not None
    again = RequestCipher(opened.bytes, first.request_id, b"")
    iv = bytes(12)
    assert again.seal(b"on", iv) == first.seal(b"on", iv)
    assert second.seal(b"on", iv) != first.seal(b"on", iv)


def test_wrapping_to_lumo_gives_the_packets_that_lumo_reads() -> None:
    """PKESK version 3 to the encryption subkey, SEIPD version 1, 179 bytes in all."""
    message = wrap_key(LUMO_PUBLIC_KEY, KEY)
    assert len(message) == 179
    assert message[:12].hex() == "c15e03e7df128a8fc5de0412"
    assert message[96:99].hex() == "d25101"


def test_the_production_key_is_the_known_one() -> None:
    """What no start reads in it is what the library reads."""
    assert describe_public_key(LUMO_PUBLIC_KEY) == LUMO_KEY_INFO
    assert LUMO_KEY_INFO.fingerprint == "F032A1169DDFF8EDA728E59A9A74C3EF61514A2A"


@pytest.mark.parametrize("text", ["", "no key", LUMO_PUBLIC_KEY[:200], "☕", "\udc00"])
def test_a_public_key_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(EncryptionKeyError):
        describe_public_key(text)
    with pytest.raises(EncryptionKeyError):
        wrap_key(text, KEY)


def test_a_revoked_key_and_one_that_cannot_encrypt_are_refused() -> None:
    """The OpenPGP library itself would encrypt to a revoked key."""
    own = Tsk.generate("Test <test@example.invalid>")
    cert = own.extract_certificate()
    revocation = bytes(cert.revoke(own.certifier()))
    primary, *rest = (bytes(packet) for packet in PacketPile.from_bytes(bytes(cert)))
    revoked = Cert.from_bytes(primary + revocation + b"".join(rest))
    for unusable in (revoked, Cert.from_bytes(primary + b"".join(rest[:3]))):
        with pytest.raises(EncryptionKeyError):
            wrap_key(str(unusable), KEY)


@given(st.text())
def test_decrypting_anything_raises_nothing_but_an_integrity_error(text: str) -> None:
    with pytest.raises(IntegrityError):
        CIPHER.decrypt(text)
