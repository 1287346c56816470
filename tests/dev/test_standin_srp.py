"""The stand-in's arithmetic against known numbers and the client's."""

import base64
from hashlib import sha256

import pytest

from custom_components.lumo.lumo_client import srp as client
from dev.standin import srp
from dev.standin.totp import is_valid, totp

# One whole handshake: the secrets of both sides are given.
PASSWORD = "correct horse battery staple ☕"
SALT = bytes(range(10))
CLIENT_SECRET = bytes(range(0x41, 0x61))
SERVER_SECRET = bytes(range(0x01, 0x21))
KNOWN = (
    "ab5a010456cadfb3ef1f764bd588478fc47b81c5a7242b0344b92cd9dc5bfa86",
    "1d6c36101421fdd51f409c938138df714c593d3c1b36554dffcb431113d942af",
    "83ee4c24e0992ae27d880d8b592e98d6cc0a0da5b86f00bacceec789df828b40",
    "a2da8ae3b7009351b933476afc8f7cd0b26c5e627176d8c4107a129d65736151",
    "16b2af217bd2645fc76e2640409d5ad7d1b39cebeae6f0d0f3e760efd63185b4",
)


def wide(number: int) -> bytes:
    return number.to_bytes(256, "little")


def test_the_handshake_has_the_known_numbers() -> None:
    """Verifier, both ephemerals, both proofs, by their SHA-256."""
    modulus = client.read_modulus(srp.MODULUS)
    assert modulus == srp.MODULUS_BYTES
    verifier = srp.make_verifier(PASSWORD, SALT)
    handshake = srp.Handshake(verifier, SERVER_SECRET)
    hashed = client.hash_password(PASSWORD, SALT, modulus, 4)
    proofs = client.compute_proofs(
        hashed, modulus, handshake.ephemeral, lambda _: CLIENT_SECRET
    )
    ephemeral, proof = map(base64.b64decode, (proofs.ephemeral, proofs.proof))
    assert handshake.prove(ephemeral, proof) == proofs.server_proof
    found = (wide(verifier), handshake.ephemeral, ephemeral, proof, proofs.server_proof)
    assert tuple(sha256(item).hexdigest() for item in found) == KNOWN


@pytest.mark.parametrize(
    ("at", "code"),
    [
        # RFC 6238, appendix B, the last six digits.
        (59, "287082"),
        (1111111109, "081804"),
        (1111111111, "050471"),
        (1234567890, "005924"),
        (2000000000, "279037"),
        (20000000000, "353130"),
    ],
)
def test_codes_are_those_of_the_standard(at: int, code: str) -> None:
    """They are good one step early and one step late, and no longer."""
    secret = base64.b32encode(b"12345678901234567890").decode()
    assert totp(secret, at) == code
    for off, good in ((0, True), (30, True), (-30, True), (61, False), (-61, False)):
        if at + off < 30:
            continue  # before time began
        assert is_valid(secret, code, at + off) is good
    assert not is_valid(secret, "²" * 6, at)
