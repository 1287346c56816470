"""Whether Lumo can be reached, for the page of system information."""

from typing import Any, Final

from homeassistant.components import system_health
from homeassistant.core import HomeAssistant, callback

from .const import DOMAIN
from .lumo_client.auth import GuestCredential
from .lumo_client.client import LumoClient
from .lumo_client.endpoints import Endpoints
from .lumo_client.errors import ConfigurationError, LumoConnectionError, LumoError
from .lumo_client.transport import RetryPolicy, Timeouts
from .sign_in.connection import async_endpoints, async_http_client, async_probe

# A person looks at the page meanwhile.
_SECONDS: Final = 5.0


@callback
def async_register(
    hass: HomeAssistant, register: system_health.SystemHealthRegistration
) -> None:
    """Register what to show."""
    register.async_register_info(_async_info, "/config/integrations/integration/lumo")


async def _async_info(hass: HomeAssistant) -> dict[str, Any]:
    info: dict[str, Any] = {
        "accounts": len(hass.config_entries.async_entries(DOMAIN)),
        "accounts_in_use": len(hass.config_entries.async_loaded_entries(DOMAIN)),
    }
    try:
        endpoints = await async_endpoints(hass)
    except ConfigurationError as err:
        return {"can_reach_lumo": {"type": "failed", "error": str(err)}, **info}
    return {
        "can_reach_lumo": _async_reach(hass, endpoints),
        "development_server": endpoints.development,
        **info,
    }


async def _async_reach(
    hass: HomeAssistant, endpoints: Endpoints
) -> str | dict[str, str]:
    """Return whether Lumo answers, and no other server in its place.

    Asked without an account, with the user agent of every other call.
    """
    async with async_http_client(hass) as http:
        client = LumoClient(
            http,
            endpoints,
            GuestCredential(http),
            retries=RetryPolicy(attempts=1),
            timeouts=Timeouts(_SECONDS, _SECONDS),
        )
        try:
            await async_probe(client)
        except LumoError as err:
            away = err.code == LumoConnectionError.code
            return {"type": "failed", "error": "unreachable" if away else err.code}
    return "ok"
