"""The mathematics of signing in, against vectors of Proton's own clients."""

import base64

from pysequoia import Cert, SignatureMode, Tsk, sign
import pytest

from custom_components.lumo.lumo_client import srp
from custom_components.lumo.lumo_client.errors import (
    PasswordVersionError,
    ServerProofError,
)
from custom_components.lumo.lumo_client.srp import (
    Proofs,
    answer_challenge,
    bcrypt_password,
    compute_proofs,
    expand_hash,
    hash_password,
    read_modulus,
)

from .srp_vectors import vectors

ZERO_SALT = bytes(range(10))


def raw(text: str) -> bytes:
    """Return the bytes in base64."""
    return base64.b64decode(text, validate=True)


def encoded(data: bytes) -> str:
    """Return base64."""
    return base64.b64encode(data).decode()


def number(data: bytes) -> int:
    return int.from_bytes(data, "little")


def verifier(hashed: bytes, modulus: bytes) -> str:
    return encoded(pow(2, number(hashed), number(modulus)).to_bytes(256, "little"))


M1_BYTES = raw(vectors.M1_TEXT)


def test_the_hash_is_four_hashes() -> None:
    assert expand_hash(b"wat").hex() == vectors.EXPAND_HASH_WAT


@pytest.mark.parametrize("version", [3, 4])
def test_a_password_is_hashed_as_the_web_client_does(version: int) -> None:
    """The two versions are the same."""
    salt = raw("u6Jw9fM8sdKHJg==")
    assert (
        bcrypt_password("hello", salt)
        == b"$2y$10$s4Hu7dK6qbIFHl/wZ1PtZefLhPwY3N1.JpfmPmu11YW8/36SXluy."
    )
    assert encoded(hash_password("hello", salt, bytes(256), version)) == (
        vectors.HELLO_HASH
    )


@pytest.mark.parametrize(
    ("signed", "text"),
    [
        (vectors.M1, vectors.M1_TEXT),
        (vectors.M3, vectors.M3_TEXT),
        (vectors.M1.replace("\n", "\r\n"), vectors.M1_TEXT),
        (vectors.M1.rstrip(), vectors.M1_TEXT),
        (f"{vectors.M1}\n \r\n\t", vectors.M1_TEXT),
    ],
)
def test_a_modulus_that_proton_has_signed_is_accepted(signed: str, text: str) -> None:
    assert read_modulus(signed) == raw(text)


@pytest.mark.parametrize(
    "forged",
    [
        vectors.M1.replace("y6Ttuf", "y6Ttug"),
        vectors.M3.replace(vectors.M3_TEXT[:6], "091HBX"),
        vectors.M3.replace(vectors.M3_TEXT, vectors.M3_TEXT[4:]),
        vectors.M1.replace(vectors.M1_TEXT, vectors.M3_TEXT),
        f"{vectors.M1}x",
        f"{vectors.M1}{vectors.M3}",
        f"x{vectors.M1}",
        f"\n{vectors.M1}",
        f"{vectors.M3_TEXT}\n{vectors.M1}",
        vectors.M1.replace(vectors.M1_TEXT, f"{vectors.M1_TEXT}\n{vectors.M1_TEXT}"),
        vectors.M1.replace(vectors.M1_TEXT, f"- {vectors.M1_TEXT}"),
        vectors.M1.replace(vectors.M1_TEXT, f"{vectors.M1_TEXT} "),
        vectors.M1_TEXT,
        vectors.M1.partition("-----BEGIN PGP SIGNATURE")[0],
        vectors.M1.replace("SHA256", "SHA256\nCharset: x"),
        vectors.M1.replace("-----BEGIN PGP SIGNATURE-----", ""),
        vectors.M1.replace("M/j1cjIO", "M/j1cjIP"),
        "",
        "\ud800",
        "☕",
    ],
)
def test_a_modulus_that_proton_has_not_signed_exactly_so_is_refused(
    forged: str,
) -> None:
    """A changed text, somebody's text around it, no signature at all."""
    with pytest.raises(ServerProofError):
        read_modulus(forged)


def sign_with(key: Tsk, text: str) -> str:
    return sign(key.signer(), bytes=text.encode(), mode=SignatureMode.CLEAR).decode()


def test_a_modulus_signed_by_another_key_is_refused() -> None:
    with pytest.raises(ServerProofError):
        read_modulus(sign_with(Tsk.generate("proton@srp.modulus"), vectors.M1_TEXT))


@pytest.mark.parametrize(
    ("text", "accepted"),
    [
        (vectors.M1_TEXT, True),
        (encoded(M1_BYTES[:-1]), False),
        (encoded(M1_BYTES + b"\x80"), False),
        (encoded(M1_BYTES[:-1] + b"\x7f"), False),
        (vectors.M1_TEXT[:-1], False),
    ],
)
def test_a_signed_modulus_must_have_2048_bits(
    monkeypatch: pytest.MonkeyPatch, text: str, accepted: bool
) -> None:
    key = Tsk.generate("Test")
    monkeypatch.setattr(srp, "SRP_MODULUS_KEY", str(key.extract_certificate()))
    signed = sign_with(key, text)
    if accepted:
        assert read_modulus(signed) == M1_BYTES
    else:
        with pytest.raises(ServerProofError):
            read_modulus(signed)


def test_the_key_of_the_moduli_is_protons() -> None:
    """By its fingerprint in Proton's Python library."""
    cert = Cert.from_bytes(srp.SRP_MODULUS_KEY.encode())
    assert cert.fingerprint == "248097092b458509c508dac0350585c4e9518f26"
    assert cert.expiration is None


def test_the_proofs_are_those_of_the_web_client() -> None:
    hashed = hash_password("123", raw("u6Jw9fM8sdKHJg=="), M1_BYTES, 4)
    assert encoded(hashed) == vectors.PROOF_X
    proofs = compute_proofs(
        hashed, M1_BYTES, raw(vectors.PROOF_B), lambda _: raw(vectors.PROOF_SECRET)
    )
    assert proofs.ephemeral == vectors.PROOF_A
    assert proofs.proof == vectors.PROOF_CLIENT
    assert encoded(proofs.server_proof) == vectors.PROOF_SERVER
    assert proofs.accept(vectors.PROOF_SERVER)
    assert encoded(
        expand_hash(raw(vectors.PROOF_A) + raw(vectors.PROOF_B) + raw(vectors.PROOF_S))
    ) == (vectors.PROOF_CLIENT)


@pytest.mark.parametrize(
    "given",
    [
        None,
        "",
        7,
        vectors.PROOF_CLIENT,
        vectors.PROOF_SERVER[:-4],
        vectors.PROOF_SERVER.replace("Z", "Y", 1),
        f" {vectors.PROOF_SERVER}",
        "☕",
        raw(vectors.PROOF_SERVER),
    ],
)
def test_any_other_server_proof_is_refused(given: object) -> None:
    assert not Proofs("", "", raw(vectors.PROOF_SERVER)).accept(given)


def test_the_verifier_of_the_web_client_is_reproduced() -> None:
    """What the server stores of password 123."""
    salt = raw("SzHkg+YYA/eN1A==")
    assert (
        bcrypt_password("123", salt)
        == b"$2y$10$QxFie8WW.9cLzF/wZ1PtZeQ3yVUTAJ9ZP1ktOB1tB.8dMfeOOpC7O"
    )
    hashed = hash_password("123", salt, M1_BYTES, 4)
    assert verifier(hashed, M1_BYTES) == vectors.VERIFIER_123


@pytest.mark.parametrize(
    ("password", "salt", "text", "modulus", "expected"),
    [[*case.values()][1:] for case in vectors.VERIFIERS],
    ids=[case["name"] for case in vectors.VERIFIERS],
)
def test_the_verifiers_of_the_python_library_are_reproduced(
    password: str, salt: str, text: str, modulus: str, expected: str
) -> None:
    assert bcrypt_password(password, raw(salt)).decode() == text
    hashed = hash_password(password, raw(salt), bytes.fromhex(modulus), 4)
    assert verifier(hashed, bytes.fromhex(modulus)) == expected


@pytest.mark.parametrize(("password", "text"), vectors.BCRYPT_CORNERS)
def test_a_long_password_is_cut_to_72_bytes(password: str, text: str) -> None:
    """Also inside a character: so do Proton's clients."""
    assert bcrypt_password(password, ZERO_SALT).decode() == text


def test_half_a_surrogate_pair_in_a_password_is_replaced_as_browsers_do() -> None:
    """No error of the encoder, which would quote the password."""
    assert bcrypt_password("a\ud800", ZERO_SALT) == bcrypt_password(
        "a\ufffd", ZERO_SALT
    )


def test_an_empty_password_is_refused() -> None:
    """As in Proton's Python library."""
    with pytest.raises(ValueError, match="empty"):
        hash_password("", ZERO_SALT, M1_BYTES, 4)


@pytest.mark.parametrize(
    ("version", "salt", "expected"),
    [
        *((version, ZERO_SALT, PasswordVersionError) for version in (-1, 0, 2, 5)),
        *((4, bytes(length), ServerProofError) for length in (0, 9, 11, 16)),
    ],
)
def test_an_unknown_version_or_salt_is_refused(
    version: int, salt: bytes, expected: type[Exception]
) -> None:
    """Older versions are upgraded by signing in on the web."""
    with pytest.raises(expected):
        hash_password("123", salt, M1_BYTES, version)


N = number(M1_BYTES)


@pytest.mark.parametrize(
    "ephemeral",
    [
        *(
            value.to_bytes(256, "little")
            for value in (0, 1, N - 1, N, N + 1, 2**2048 - 1)
        ),
        b"",
        bytes(255),
        (2).to_bytes(255, "little"),
        (2).to_bytes(257, "little"),
    ],
)
def test_an_ephemeral_value_out_of_range_is_refused(ephemeral: bytes) -> None:
    """Zero would make every password right."""
    with pytest.raises(ServerProofError):
        compute_proofs(bytes(256), M1_BYTES, ephemeral)


def test_neither_challenge_nor_proofs_show_what_they_hold() -> None:
    proofs = answer_challenge("123", 4, vectors.M1, vectors.PROOF_B, "u6Jw9fM8sdKHJg==")
    assert repr(proofs) == "Proofs()"
