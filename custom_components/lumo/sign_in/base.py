"""What every way to sign in needs of the config flow."""

from collections.abc import Callable
from typing import Any

from homeassistant.config_entries import SOURCE_REAUTH, ConfigFlow, ConfigFlowResult
from homeassistant.helpers.httpx_client import create_async_httpx_client
from homeassistant.util.ulid import ulid_now
import httpx

from ..const import (
    CONF_SIGN_IN,
    CONF_SIGN_IN_ID,
    DEFAULT_OPTIONS,
    DEFAULT_TITLE,
    LOGGER,
    SUBENTRY_CONVERSATION,
    SignIn,
)
from ..coordinator import async_endpoints, async_probe
from ..lumo_client.auth import Credential
from ..lumo_client.client import LumoClient
from ..lumo_client.endpoints import Endpoints
from ..lumo_client.errors import LumoError


class SignInSteps(ConfigFlow):
    """The part of the config flow that the ways to sign in share."""

    async def _async_try(
        self, make_credential: Callable[[httpx.AsyncClient, Endpoints], Credential]
    ) -> None:
        """Raise LumoError if the credential is not accepted, or nobody answers."""
        http = create_async_httpx_client(self.hass, auto_cleanup=False)
        try:
            endpoints = await async_endpoints(self.hass)
            client = LumoClient(
                http,
                endpoints,
                make_credential(http, endpoints),
                run_blocking=self.hass.async_add_executor_job,
            )
            await async_probe(client)
        finally:
            await httpx.AsyncClient.aclose(http)

    async def _async_finish(
        self, way: SignIn, data: dict[str, Any], unique_id: str
    ) -> ConfigFlowResult:
        """Store a sign-in that works: a new entry, or the one that asked again."""
        await self.async_set_unique_id(unique_id)
        data = {CONF_SIGN_IN: way.value, CONF_SIGN_IN_ID: ulid_now(), **data}
        if self.source == SOURCE_REAUTH:
            self._abort_if_unique_id_mismatch(reason="wrong_account")
            entry = self._get_reauth_entry()
            # A loaded entry reloads by its own listener, a failed one has none yet.
            if entry.update_listeners:
                return self.async_update_and_abort(entry, data=data)
            return self.async_update_reload_and_abort(entry, data=data)
        self._abort_if_unique_id_configured()
        return self.async_create_entry(
            title=DEFAULT_TITLE,
            data=data,
            subentries=[
                {
                    "subentry_type": SUBENTRY_CONVERSATION,
                    "data": DEFAULT_OPTIONS,
                    "title": DEFAULT_TITLE,
                    "unique_id": None,
                }
            ],
        )


def error_key(err: Exception) -> str:
    """Return the key of the sentence that a form shows for a failure."""
    if isinstance(err, LumoError):
        return err.code
    LOGGER.exception("Unexpected error while signing in")
    return "unknown"
