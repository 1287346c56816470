"""The actions of the integration, one file each."""

from homeassistant.core import HomeAssistant, SupportsResponse, callback

from ..const import DOMAIN
from .ask import ASK_SCHEMA, async_ask


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
