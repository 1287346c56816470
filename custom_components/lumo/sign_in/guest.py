"""Try Lumo without an account."""

from typing import Any, Final

from homeassistant.config_entries import ConfigFlowResult
import probatio

from ..const import SignIn
from ..lumo_client.auth import GuestCredential
from ..lumo_client.client import LumoClient
from .base import SignInSteps, error_key
from .connection import async_endpoints, async_http_client, async_probe

# The unique id: a second guest would be a second quota.
_GUEST: Final = "guest"


class GuestSteps(SignInSteps):
    """A form is only shown if the service does not answer."""

    async def async_step_guest(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Create a guest."""
        if self._entry is None:
            await self.async_set_unique_id(_GUEST)
            self._abort_if_unique_id_configured()
        try:
            async with async_http_client(self.hass) as http:
                endpoints = await async_endpoints(self.hass)
                await async_probe(LumoClient(http, endpoints, GuestCredential(http)))
            return await self._async_finish(SignIn.GUEST, {}, _GUEST)
        except Exception as err:  # noqa: BLE001 - shown in the form
            return self._async_show("guest", probatio.Schema({}), error_key(err))
