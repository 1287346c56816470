"""Try Lumo without an account."""

from typing import Any

from homeassistant.config_entries import ConfigFlowResult

from ..const import SignIn
from ..lumo_client.auth import GuestCredential
from .base import SignInSteps, error_key

# Proton counts a guest's requests by a cookie. A second guest would be a second quota,
# so there is one guest in a home.
UNIQUE_ID = "guest"


class GuestSteps(SignInSteps):
    """No form: whether the service answers is all there is to find out."""

    async def async_step_guest(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Create a guest."""
        await self.async_set_unique_id(UNIQUE_ID)
        self._abort_if_unique_id_configured()
        try:
            await self._async_try(lambda http, _endpoints: GuestCredential(http))
        except Exception as err:  # noqa: BLE001 - every failure ends the flow
            return self.async_abort(reason=error_key(err))
        return await self._async_finish(SignIn.GUEST, {}, UNIQUE_ID)
