"""The people who have an account, one for each way in which a sign-in can go.

They are the same at each start, with their passwords, secrets and identifiers: what was
written down yesterday signs in today.
"""

import base64
from dataclasses import dataclass
import hashlib
import secrets
from typing import Any, Final, Literal

from . import srp

# totp, security_key: asks for these; human_verification: after a captcha only;
# disabled, restricted, new_device: never; sso: by single sign-on only; old_password:
# with a password hash of the time before 2018.
type Manner = Literal[
    "plain",
    "totp",
    "security_key",
    "totp_and_security_key",
    "human_verification",
    "disabled",
    "restricted",
    "new_device",
    "sso",
    "old_password",
]

_TOTP: Final = 1
_SECURITY_KEY: Final = 2


@dataclass(frozen=True, slots=True)
class User:
    """A Proton account."""

    name: str
    password: str
    manner: Manner = "plain"

    @property
    def user_id(self) -> str:
        """Return the account's identifier."""
        return base64.urlsafe_b64encode(_bytes_of(self.name, "id", 24)).decode()

    @property
    def totp_secret(self) -> str:
        """Return twenty bytes in base32, as authenticator apps take them, or nothing."""
        if not self.manner.startswith("totp"):
            return ""
        return base64.b32encode(_bytes_of(self.name, "totp", 20)).decode()

    @property
    def salt(self) -> bytes:
        """Return the salt of the password's hash."""
        return _bytes_of(self.name, "salt", srp.SALT_LENGTH)

    @property
    def verifier(self) -> int:
        """Return what proofs are checked with; the first time takes bcrypt's time."""
        return srp.make_verifier(self.password, self.salt)

    @property
    def second_factors(self) -> int:
        """Return the bit mask of what is asked after the password."""
        return (_TOTP if self.totp_secret else 0) + (
            _SECURITY_KEY if "security_key" in self.manner else 0
        )

    @property
    def two_factor_info(self) -> dict[str, Any]:
        """Return the account's second factors as the answer to a sign-in has them.

        Binary values are arrays of numbers, as in the browser's own interface.
        """
        key_id = list(self.salt)
        options = {
            "publicKey": {
                "challenge": list(secrets.token_bytes(32)),
                "rpId": "proton.me",
                "timeout": 60000,
                "allowCredentials": [{"id": key_id, "type": "public-key"}],
                "userVerification": "discouraged",
            }
        }
        registered = {
            "AttestationFormat": "packed",
            "CredentialID": key_id,
            "Name": "Blue key",
            "Flags": 0,
        }
        has_key = bool(self.second_factors & _SECURITY_KEY)
        return {
            "Enabled": self.second_factors,
            "TOTP": int(bool(self.totp_secret)),
            "FIDO2": {"AuthenticationOptions": options, "RegisteredKeys": [registered]}
            if has_key
            else None,
        }

    def describe(self) -> dict[str, str]:
        """Return what a tester needs to sign in."""
        described = {
            "kind": "account",
            "user_name": self.name,
            "password": self.password,
            "user_id": self.user_id,
            "manner": self.manner,
        }
        if self.totp_secret:
            described["totp_secret"] = self.totp_secret
        return described

    def as_dict(self) -> dict[str, Any]:
        """Return the account as `core/v4/users` shows it."""
        return {
            "ID": self.user_id,
            "Name": self.name,
            "DisplayName": self.name.title(),
            "Email": f"{self.name}@proton.me",
            "Type": 1,
            "Subscribed": 0,
            "Delinquent": 0,
        }


def make_users() -> list[User]:
    """Return everybody; the first two are like most people."""
    return [
        User("alice", "correct horse battery staple"),
        # More bytes than bcrypt reads, the last of which cut a character in two.
        User(
            "bob",
            "a password is longer than it looks, where letters are umlauts: äöüäöü",
        ),
        User("carol", "carols password", "totp"),
        User("dave", "daves password", "security_key"),
        User("erin", "erins password", "totp_and_security_key"),
        User("frank", "franks password ☕", "human_verification"),
        User("grace", "graces password", "disabled"),
        User("heidi", "heidis password", "sso"),
        User("ivan", "ivans password", "old_password"),
        User("judy", "judys password", "restricted"),
        User("mallory", "mallorys password", "new_device"),
    ]


def _bytes_of(name: str, what: str, length: int) -> bytes:
    return hashlib.shake_256(f"{name}'s {what}".encode()).digest(length)
