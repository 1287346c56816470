"""The config flow: what the ways to sign in (`sign_in/`) have in common."""

from collections.abc import Mapping
from typing import Any, override

from homeassistant.config_entries import (
    ConfigEntry,
    ConfigFlowResult,
    ConfigSubentryFlow,
)
from homeassistant.core import callback
import probatio

from .const import (
    CONF_SIGN_IN,
    DOMAIN,
    SUBENTRY_AI_TASK,
    SUBENTRY_CONVERSATION,
    SUBENTRY_STT,
    SignIn,
)
from .forms.agent_flow import ConversationFlow
from .forms.other_flows import SpeechFlow, TaskFlow
from .issues.problems import is_other
from .lumo_client.auth import GuestCredential, Session
from .lumo_client.client import LumoClient
from .sign_in.account import AccountSteps
from .sign_in.api_key import ApiKeySteps
from .sign_in.base import error_key
from .sign_in.connection import async_endpoints, async_http_client, async_probe
from .sign_in.existing_session import SessionSteps
from .sign_in.public_key import PublicKeySteps
from .sign_in.ways import CREDENTIALS, credential_of

_PUBLIC_KEY = "public_key"
# A guest cannot be asked to sign in again.
_ACCOUNTS = [way for way, kind in CREDENTIALS.items() if kind is not GuestCredential]
_WITH_SESSION = [way for way, kind in CREDENTIALS.items() if kind is Session]


class LumoConfigFlow(
    AccountSteps, ApiKeySteps, SessionSteps, PublicKeySteps, domain=DOMAIN
):
    """Sign a person in to Lumo."""

    VERSION = 1

    @classmethod
    @callback
    @override
    def async_get_supported_subentry_types(
        cls, config_entry: ConfigEntry
    ) -> dict[str, type[ConfigSubentryFlow]]:
        """Return what can be added; speech to text needs an account."""
        types: dict[str, type[ConfigSubentryFlow]] = {
            SUBENTRY_CONVERSATION: ConversationFlow,
            SUBENTRY_AI_TASK: TaskFlow,
        }
        has_session = config_entry.data.get(CONF_SIGN_IN) in _WITH_SESSION
        if has_session or config_entry.get_subentries_of_type(SUBENTRY_STT):
            types[SUBENTRY_STT] = SpeechFlow
        return types

    async def async_step_user(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Let the person choose a way to sign in."""
        return self.async_show_menu(
            step_id="user", menu_options=[way.value for way in CREDENTIALS]
        )

    async def async_step_guest(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Create a guest; a form is only shown if the service does not answer."""
        if self._entry is None:
            # A second guest would be a second quota.
            await self.async_set_unique_id(SignIn.GUEST.value)
            self._abort_if_unique_id_configured()
        try:
            async with async_http_client(self.hass) as http:
                endpoints = await async_endpoints(self.hass)
                await async_probe(LumoClient(http, endpoints, GuestCredential(http)))
            return await self._async_finish(SignIn.GUEST, {}, SignIn.GUEST.value)
        except Exception as err:  # noqa: BLE001 - shown in the form
            return self._async_show("guest", probatio.Schema({}), error_key(err))

    async def async_step_reauth(
        self, entry_data: Mapping[str, Any]
    ) -> ConfigFlowResult:
        """Begin to sign in again, the way it was done before."""
        if credential_of(entry_data) is GuestCredential:
            return await self.async_step_guest_refused()
        step = getattr(self, f"async_step_{entry_data[CONF_SIGN_IN]}")
        result: ConfigFlowResult = await step()
        return result

    async def async_step_guest_refused(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Let the person choose another way: a guest has nothing to enter again."""
        return self.async_show_menu(
            step_id="guest_refused", menu_options=[way.value for way in _ACCOUNTS]
        )

    async def async_step_reconfigure(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Let the person choose another way to sign in, or another public key."""
        entry = self._get_reconfigure_entry()
        if is_other(entry):
            return self.async_abort(reason="other_integration")
        now = credential_of(entry.data)
        ways = _ACCOUNTS if now is GuestCredential else CREDENTIALS
        options = [way.value for way in ways]
        if now.encrypted:
            options.append(_PUBLIC_KEY)
        return self.async_show_menu(step_id="reconfigure", menu_options=options)
