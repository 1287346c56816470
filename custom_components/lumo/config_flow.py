"""The config flow: choose how to sign in, then sign in.

Each way has a file of its own in `sign_in`; here is only what they have in common to
the person: the menu, and asking again when a sign-in is no longer accepted.
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
from .sign_in.guest import GuestSteps
from .sign_in.session import SessionSteps
from .subentry_flow import ConversationFlow


class LumoConfigFlow(SessionSteps, GuestSteps, domain=DOMAIN):
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
        if entry_data[CONF_SIGN_IN] == SignIn.GUEST:
            # A guest has nothing to enter: Proton asks for an account now.
            return self.async_abort(reason="guest_refused")
        return await self.async_step_session()
