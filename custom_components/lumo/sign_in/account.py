"""Sign in to a Proton account with user name, password and second factor.

An entry stores the tokens of the session, never the password.
"""

from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from typing import Any, override

from homeassistant.config_entries import ConfigFlowResult
from homeassistant.const import CONF_CODE, CONF_PASSWORD, CONF_TOKEN, CONF_USERNAME
from homeassistant.core import callback
import probatio

from ..const import SignIn
from ..lumo_client.auth import Tokens
from ..lumo_client.errors import HumanVerificationError, SessionExpiredError
from ..lumo_client.password_sign_in import STEP_AGAIN, AccountSignIn, Outcome
from .base import SignInSteps, error_key, line, secret
from .connection import async_endpoints, async_http_client
from .session_store import async_sign_out, session_data

_SCHEMA = probatio.Schema(
    {
        probatio.Required(CONF_USERNAME): line("username"),
        probatio.Required(probatio.Secret(CONF_PASSWORD)): secret("current-password"),
    }
)
_TOTP_SCHEMA = probatio.Schema(
    {probatio.Required(probatio.Secret(CONF_CODE)): line("one-time-code")}
)
_VERIFICATION_SCHEMA = probatio.Schema(
    {probatio.Optional(probatio.Secret(CONF_TOKEN)): line("off")}
)


class AccountSteps(SignInSteps):
    """account -> [human_verification] -> [totp] -> [human_verification].

    What ends the attempt leads back to `account`, with the reason.
    """

    _sign_in: AccountSignIn | None = None
    _closing: AsyncExitStack | None = None
    _user_name: str | None = None
    _verification_url: str

    async def async_step_account(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Ask for user name and password."""
        if user_input is None:
            self._user_name = self._stored(CONF_USERNAME)
            return self._show_account()
        self._user_name = user_input[CONF_USERNAME].strip()
        return await self._async_advance(
            lambda attempt: attempt.start(
                user_input[CONF_USERNAME], user_input[CONF_PASSWORD]
            ),
            self._show_account,
        )

    async def async_step_human_verification(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Show where to prove to be a human, and go on after that."""
        if user_input is None:
            return self._show_human_verification()
        return await self._async_advance(
            lambda attempt: attempt.verify_human(user_input.get(CONF_TOKEN)),
            self._show_human_verification,
        )

    async def async_step_totp(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Ask for the code of the authenticator app."""
        if user_input is None:
            return self._show_totp()
        return await self._async_advance(
            lambda attempt: attempt.second_factor(user_input[CONF_CODE]),
            self._show_totp,
        )

    async def _async_sign_in(self) -> AccountSignIn:
        """Return the attempt; one HTTP client with its cookies serves all of it."""
        if self._sign_in is None:
            endpoints = await async_endpoints(self.hass)
            self._closing = AsyncExitStack()
            http = await self._closing.enter_async_context(async_http_client(self.hass))
            self._sign_in = AccountSignIn(http, endpoints)
            self._closing.push_async_callback(self._sign_in.abandon)
        return self._sign_in

    async def _async_advance(
        self,
        step: Callable[[AccountSignIn], Awaitable[Outcome]],
        show_again: Callable[[str], ConfigFlowResult],
    ) -> ConfigFlowResult:
        try:
            outcome = await step(await self._async_sign_in())
        except HumanVerificationError as err:
            self._verification_url = err.web_url
            return self._show_human_verification()
        except SessionExpiredError:
            return self._show_account("sign_in_expired")
        except Exception as err:  # noqa: BLE001 - shown in the form
            if isinstance(err, STEP_AGAIN):
                return show_again(error_key(err))
            return self._show_account(error_key(err))
        if outcome is None:
            return self._show_totp()
        try:
            return await self._async_signed_in(outcome)
        except Exception as err:  # noqa: BLE001 - shown in the form
            return self._show_account(error_key(err))

    async def _async_signed_in(self, tokens: Tokens) -> ConfigFlowResult:
        assert self._user_name is not None
        try:
            tokens, user_id = await self._async_accept(tokens)
            data = session_data(tokens, user_id)
            data[CONF_USERNAME] = self._user_name
            return await self._async_finish(SignIn.ACCOUNT, data, user_id or tokens.uid)
        except Exception:
            await async_sign_out(self.hass, tokens)
            raise

    def _show_account(self, error: str | None = None) -> ConfigFlowResult:
        return self._async_show(
            "account", _SCHEMA, error, {CONF_USERNAME: self._user_name}
        )

    def _show_totp(self, error: str | None = None) -> ConfigFlowResult:
        return self._async_show("totp", _TOTP_SCHEMA, error)

    def _show_human_verification(self, error: str | None = None) -> ConfigFlowResult:
        return self._async_show(
            "human_verification",
            _VERIFICATION_SCHEMA,
            error,
            placeholders={"url": self._verification_url},
        )

    @callback
    @override
    def async_remove(self) -> None:
        if self._closing is not None:
            self.hass.async_create_background_task(
                self._closing.aclose(), "lumo sign-in ends", eager_start=False
            )
        self._sign_in = self._closing = None
