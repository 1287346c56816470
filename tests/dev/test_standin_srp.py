"""The stand-in's arithmetic against published vectors and an independent client."""

import base64
from hashlib import sha256
from typing import Any

from hypothesis import given, settings, strategies as st
import pytest

from dev.standin import srp
from dev.standin.totp import is_valid, totp

from . import srp_client

# One whole handshake: the secrets of both sides are given.
PASSWORD = "correct horse battery staple ☕"
SALT = bytes(range(10))
CLIENT_SECRET = bytes(range(0x41, 0x61))
SERVER_SECRET = bytes(range(0x01, 0x21))


def test_the_handshake_has_the_known_numbers() -> None:
    """Verifier, both ephemerals, both proofs, by their SHA-256."""
    verifier = srp.make_verifier(PASSWORD, SALT)
    assert sha256(srp_client.wide(verifier)).hexdigest() == (
        "ab5a010456cadfb3ef1f764bd588478fc47b81c5a7242b0344b92cd9dc5bfa86"
    )
    handshake = srp.Handshake(verifier, SERVER_SECRET)
    assert sha256(handshake.ephemeral).hexdigest() == (
        "1d6c36101421fdd51f409c938138df714c593d3c1b36554dffcb431113d942af"
    )
    proofs = srp_client.prove(info(handshake, SALT), PASSWORD, CLIENT_SECRET)
    assert sha256(proofs.ephemeral).hexdigest() == (
        "83ee4c24e0992ae27d880d8b592e98d6cc0a0da5b86f00bacceec789df828b40"
    )
    assert sha256(proofs.proof).hexdigest() == (
        "a2da8ae3b7009351b933476afc8f7cd0b26c5e627176d8c4107a129d65736151"
    )
    proof = handshake.prove(proofs.ephemeral, proofs.proof)
    assert proof == proofs.expected
    assert sha256(proofs.expected).hexdigest() == (
        "16b2af217bd2645fc76e2640409d5ad7d1b39cebeae6f0d0f3e760efd63185b4"
    )


def info(handshake: srp.Handshake, salt: bytes) -> dict[str, Any]:
    """Return a challenge as the service sends it."""
    return {
        "Modulus": srp.MODULUS,
        "ServerEphemeral": base64.b64encode(handshake.ephemeral).decode(),
        "Version": 4,
        "Salt": base64.b64encode(salt).decode(),
    }


def test_the_modulus_is_signed_by_proton() -> None:
    """A strict client takes it, and nothing else."""
    assert srp_client.verified_modulus(srp.MODULUS) == srp.MODULUS_BYTES
    for wrong in (
        srp.MODULUS.replace("y6Ttuf", "y6Ttug"),
        srp.MODULUS + "A",
        "A\n" + srp.MODULUS,
    ):
        with pytest.raises(srp_client.RefusedError):
            srp_client.verified_modulus(wrong)


@settings(max_examples=10, deadline=None)
@given(st.integers(2, 2**2000), st.binary(min_size=1, max_size=256))
def test_only_the_right_proof_is_accepted(verifier: int, wrong: bytes) -> None:
    """Whoever does not know the password cannot make one."""
    handshake = srp.Handshake(verifier)
    assert handshake.prove(srp_client.wide(4), wrong) is None
    assert handshake.prove(srp_client.wide(4), wrong.ljust(256, b"\x00")) is None


@pytest.mark.parametrize("multiple", [0, 1])
def test_an_ephemeral_of_zero_is_refused(multiple: int) -> None:
    """With it the shared secret would be 0, whatever the password."""
    ephemeral = srp_client.wide(multiple * srp_client.le(srp.MODULUS_BYTES))
    handshake = srp.Handshake(srp.make_verifier("x", SALT))
    known = srp_client.digest(ephemeral, handshake.ephemeral, bytes(256))
    assert handshake.prove(ephemeral, known) is None


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
