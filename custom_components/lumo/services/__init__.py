"""The actions of the integration, one file each."""

from homeassistant.core import HomeAssistant, SupportsResponse, callback
from homeassistant.helpers.service import async_register_admin_service

from ..const import DOMAIN
from .ask import ASK_SCHEMA, async_ask
from .list_tools import LIST_TOOLS_SCHEMA, async_list_tools_of


@callback
def async_register_services(hass: HomeAssistant) -> None:
    """Register the actions, once for all accounts."""
    hass.services.async_register(
        DOMAIN,
        "ask",
        async_ask,
        schema=ASK_SCHEMA,
        supports_response=SupportsResponse.OPTIONAL,
    )
    async_register_admin_service(
        hass,
        DOMAIN,
        "list_tools",
        async_list_tools_of,
        schema=LIST_TOOLS_SCHEMA,
        supports_response=SupportsResponse.ONLY,
    )
