"""Whether Lumo can be reached, for the page of system information."""

from typing import Any

from homeassistant.components import system_health
from homeassistant.core import HomeAssistant, callback

from .connection import async_endpoints
from .const import DOMAIN
from .lumo_client.errors import ConfigurationError


@callback
def async_register(
    hass: HomeAssistant, register: system_health.SystemHealthRegistration
) -> None:
    """Register what to show."""
    register.async_register_info(_async_info, "/config/integrations/integration/lumo")


async def _async_info(hass: HomeAssistant) -> dict[str, Any]:
    """Return whether Lumo is there, and how it is used here."""
    info: dict[str, Any] = {
        "accounts": len(hass.config_entries.async_entries(DOMAIN)),
        "accounts_in_use": len(hass.config_entries.async_loaded_entries(DOMAIN)),
    }
    try:
        endpoints = await async_endpoints(hass)
    except ConfigurationError as err:
        return {"can_reach_lumo": {"type": "failed", "error": str(err)}, **info}
    return {
        "can_reach_lumo": system_health.async_check_can_reach_url(
            hass, endpoints.lumo_url
        ),
        "development_server": endpoints.development,
        **info,
    }
