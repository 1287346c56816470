"""Faults of a sign-in: what a client must refuse, and what refuses the client."""

import base64
import secrets
from typing import Any

from ..accounts import Accounts
from ..errors import TOO_MANY_REQUESTS, ApiError
from ..human import Shown
from .base import Scenario, register

RETRY_AFTER = "30"


@register("wrong_server_proof")
class WrongServerProof(Scenario):
    """The server does not know the password either."""

    def change_proof(self, answer: dict[str, Any]) -> None:
        """Replace the proof by random bytes."""
        answer["ServerProof"] = base64.b64encode(secrets.token_bytes(256)).decode()


@register("no_server_proof")
class NoServerProof(Scenario):
    """The server does not even try to prove anything."""

    def change_proof(self, answer: dict[str, Any]) -> None:
        """Leave the proof away."""
        del answer["ServerProof"]


@register("forged_modulus")
class ForgedModulus(Scenario):
    """The modulus is another one than the signature is for."""

    def change_challenge(self, answer: dict[str, Any]) -> None:
        """Change a letter of the text."""
        answer["Modulus"] = answer["Modulus"].replace("\ny6Ttuf", "\ny6Ttug")


@register("text_around_modulus")
class TextAroundModulus(Scenario):
    """There is text that the signature is not for, behind it or before it."""

    def change_challenge(self, answer: dict[str, Any]) -> None:
        """Add it."""
        modulus, text = answer["Modulus"], "A" * 344 + "\n"
        answer["Modulus"] = self.rotate(modulus + text, text + modulus)


@register("zero_ephemeral")
class ZeroEphemeral(Scenario):
    """The server's ephemeral is 0, so that any password would do."""

    def change_challenge(self, answer: dict[str, Any]) -> None:
        """Replace it."""
        answer["ServerEphemeral"] = base64.b64encode(bytes(256)).decode()


@register("sign_in_limited")
class SignInLimited(Scenario):
    """There were too many attempts."""

    def admit_sign_in(self, name: str, shown: Shown, accounts: Accounts) -> None:
        """Refuse, and say when to come again."""
        raise ApiError(
            429,
            TOO_MANY_REQUESTS,
            "Too many recent logins",
            headers={"Retry-After": RETRY_AFTER},
        )


@register("captcha_first")
class CaptchaFirst(Scenario):
    """Everybody must solve a captcha before there is a challenge."""

    def admit_sign_in(self, name: str, shown: Shown, accounts: Accounts) -> None:
        """Refuse until then."""
        accounts.humans.demand(f"name {name}", shown)


@register("composite_token")
class CompositeToken(Scenario):
    """After a captcha only the longer token that its page shows is good."""

    def begin(self, accounts: Accounts) -> None:
        """Refuse the original token from now on."""
        accounts.humans.composite_only = True
