"""Use an API key of Lumo's, or of an OpenAI-compatible gateway in its place."""

import hashlib
from typing import Any

from homeassistant.config_entries import SOURCE_REAUTH, ConfigFlowResult
from homeassistant.const import CONF_API_KEY
from homeassistant.data_entry_flow import section
from homeassistant.helpers.selector import selector
import probatio

from ..const import CONF_ALLOW_UNENCRYPTED, CONF_API_KEY_EXPIRES, CONF_BASE_URL, SignIn
from ..lumo_client.auth import ApiKeyCredential
from ..lumo_client.client import LumoClient
from .base import SignInError, SignInSteps, error_key, secret
from .connection import async_endpoints, async_http_client

_CONF_ADVANCED = "advanced"

_GATEWAY = probatio.Schema(
    {
        probatio.Optional(CONF_BASE_URL): selector({"text": {"type": "url"}}),
        probatio.Optional(CONF_ALLOW_UNENCRYPTED, default=False): selector(
            {"boolean": {}}
        ),
    }
)
_SCHEMA = probatio.Schema(
    {
        # Empty keeps the key when the address stays.
        probatio.Optional(probatio.Secret(CONF_API_KEY)): secret(),
        probatio.Optional(CONF_API_KEY_EXPIRES): selector({"date": {}}),
        probatio.Required(_CONF_ADVANCED): section(_GATEWAY, {"collapsed": True}),
    }
)


class ApiKeySteps(SignInSteps):
    """One form serves the first key, the next one, and another address."""

    async def async_step_api_key(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Ask for the key."""
        error = None
        if user_input is not None:
            try:
                data = await self._async_checked(user_input)
                unique_id = _unique_id(data[CONF_API_KEY], data.get(CONF_BASE_URL))
                return await self._async_finish(SignIn.API_KEY, data, unique_id)
            except Exception as err:  # noqa: BLE001 - shown in the form
                error = error_key(err)
        return self._async_show(
            "api_key", _SCHEMA, error, user_input or self._filled_in()
        )

    def _filled_in(self) -> dict[str, Any]:
        shown = {
            _CONF_ADVANCED: {
                CONF_BASE_URL: self._stored(CONF_BASE_URL),
                CONF_ALLOW_UNENCRYPTED: self._stored(CONF_ALLOW_UNENCRYPTED) or False,
            }
        }
        if self.source != SOURCE_REAUTH:
            # A key that is asked for again has another end.
            shown[CONF_API_KEY_EXPIRES] = self._stored(CONF_API_KEY_EXPIRES)
        return shown

    async def _async_checked(self, user_input: dict[str, Any]) -> dict[str, Any]:
        """Return an entry's data once the key works. Raises LumoError or SignInError."""
        advanced = user_input[_CONF_ADVANCED]
        endpoints = await async_endpoints(
            self.hass,
            {
                CONF_BASE_URL: advanced.get(CONF_BASE_URL, "").strip(),
                CONF_ALLOW_UNENCRYPTED: advanced[CONF_ALLOW_UNENCRYPTED],
            },
        )
        key = user_input.get(CONF_API_KEY, "").strip()
        if (
            not key
            and self.source != SOURCE_REAUTH
            and endpoints.gateway_url == self._stored(CONF_BASE_URL)
        ):
            # One that is stored was meant for the address beside it.
            key = self._stored(CONF_API_KEY)
        if not key:
            raise SignInError("api_key_missing")
        data: dict[str, Any] = {CONF_API_KEY: key}
        if expires := user_input.get(CONF_API_KEY_EXPIRES):
            data[CONF_API_KEY_EXPIRES] = expires
        if endpoints.gateway_url is not None:
            data[CONF_BASE_URL] = endpoints.gateway_url
            data[CONF_ALLOW_UNENCRYPTED] = advanced[CONF_ALLOW_UNENCRYPTED]
        async with async_http_client(self.hass) as http:
            await LumoClient(http, endpoints, ApiKeyCredential(key)).check_api_key()
        return data


def _unique_id(key: str, base_url: str | None) -> str:
    """Return a hash of an API key, and of its gateway: several may share a key."""
    text = f"{base_url}\n{key}" if base_url else key
    return f"key-{hashlib.sha256(text.encode()).hexdigest()[:32]}"
