"""Try Lumo without an account."""

from typing import Any

from homeassistant.config_entries import ConfigFlowResult

from ..connection import async_endpoints
from ..const import SignIn
from ..coordinator import async_probe
from ..lumo_client.auth import GuestCredential
from ..lumo_client.client import LumoClient
from .base import SignInSteps, error_key
from .identity import GUEST_ID


class GuestSteps(SignInSteps):
    """No form: whether the service answers is all there is to find out."""

    async def async_step_guest(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Create a guest."""
        if self._entry is None:
            await self.async_set_unique_id(GUEST_ID)
            self._abort_if_unique_id_configured()
        try:
            async with self._http_client() as http:
                endpoints = await async_endpoints(self.hass)
                await async_probe(LumoClient(http, endpoints, GuestCredential(http)))
        except Exception as err:  # noqa: BLE001 - every failure ends the flow
            return self.async_abort(reason=error_key(err))
        return await self._async_finish(SignIn.GUEST, {}, GUEST_ID)
