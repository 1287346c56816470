"""Whether Lumo can be reached, for the page of system information."""

from typing import Any

from homeassistant.components import system_health
from homeassistant.core import HomeAssistant, callback

from .const import DOMAIN
from .lumo_client.errors import ConfigurationError
from .sign_in.connection import async_endpoints


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
    reached = system_health.async_check_can_reach_url(hass, endpoints.base_url)
    return {
        "can_reach_lumo": reached,
        "development_server": endpoints.development,
        **info,
    }
