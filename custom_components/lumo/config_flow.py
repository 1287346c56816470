"""The config flow: choose how to sign in, then sign in.

Each way has a file of its own in `sign_in`; here is only what they have in common to
the person: the menus, and asking again when a sign-in is no longer accepted.
"""

from collections.abc import Mapping
from typing import Any, override

from homeassistant.config_entries import (
    ConfigEntry,
    ConfigFlowResult,
    ConfigSubentryFlow,
)
from homeassistant.core import callback

from .const import CONF_SIGN_IN, DOMAIN, SUBENTRY_CONVERSATION, SignIn
from .sign_in.account import AccountSteps
from .sign_in.api_key import ApiKeySteps
from .sign_in.existing_session import SessionSteps
from .sign_in.guest import GuestSteps
from .sign_in.public_key import PublicKeySteps
from .subentry_flow import ConversationFlow

_PUBLIC_KEY = "public_key"


class LumoConfigFlow(
    AccountSteps,
    ApiKeySteps,
    SessionSteps,
    GuestSteps,
    PublicKeySteps,
    domain=DOMAIN,
):
    """Sign a person in to Lumo."""

    VERSION = 1
    MINOR_VERSION = 1

    @classmethod
    @callback
    @override
    def async_get_supported_subentry_types(
        cls, config_entry: ConfigEntry
    ) -> dict[str, type[ConfigSubentryFlow]]:
        """Return what an account can have several of."""
        return {SUBENTRY_CONVERSATION: ConversationFlow}

    async def async_step_user(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Let the person choose a way to sign in."""
        return self.async_show_menu(
            step_id="user", menu_options=[way.value for way in SignIn]
        )

    async def async_step_reauth(
        self, entry_data: Mapping[str, Any]
    ) -> ConfigFlowResult:
        """Begin to sign in again, the way it was done before."""
        match entry_data[CONF_SIGN_IN]:
            case SignIn.ACCOUNT:
                return await self.async_step_account()
            case SignIn.API_KEY:
                return await self.async_step_api_key()
            case SignIn.SESSION:
                return await self.async_step_session()
            case _:
                return await self.async_step_guest_refused()

    async def async_step_guest_refused(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Let the person choose another way: a guest has nothing to enter again."""
        return self.async_show_menu(
            step_id="guest_refused",
            menu_options=[way.value for way in SignIn if way != SignIn.GUEST],
        )

    async def async_step_reconfigure(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Let the person choose another way to sign in, or another public key."""
        now = self._get_reconfigure_entry().data[CONF_SIGN_IN]
        options = [
            way.value for way in SignIn if way != SignIn.GUEST or now != SignIn.GUEST
        ]
        if now != SignIn.API_KEY:
            # Nothing is encrypted to Lumo with an API key.
            options.append(_PUBLIC_KEY)
        return self.async_show_menu(step_id="reconfigure", menu_options=options)
