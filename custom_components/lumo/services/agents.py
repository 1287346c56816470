"""Which agent an action is for."""

from typing import Final

from homeassistant.config_entries import ConfigEntryState, ConfigSubentry
from homeassistant.core import HomeAssistant
from homeassistant.exceptions import ServiceValidationError
from homeassistant.helpers import entity_registry as er

from ..const import DOMAIN
from ..coordinator import LumoConfigEntry

ATTR_AGENT_ID: Final = "agent_id"


def find_agent(
    hass: HomeAssistant, entity_id: str
) -> tuple[LumoConfigEntry, ConfigSubentry]:
    """Return the loaded account of an agent, and the agent.

    Raises ServiceValidationError for what is no agent of ours.
    """
    entity = er.async_get(hass).async_get(entity_id)
    if entity is None or entity.platform != DOMAIN or not entity.config_subentry_id:
        raise ServiceValidationError(
            translation_domain=DOMAIN,
            translation_key="not_an_agent",
            translation_placeholders={"entity_id": entity_id},
        )
    entry: LumoConfigEntry | None = hass.config_entries.async_get_entry(
        entity.config_entry_id or ""
    )
    if entry is None or entry.state is not ConfigEntryState.LOADED:
        raise ServiceValidationError(
            translation_domain=DOMAIN, translation_key="account_not_loaded"
        )
    return entry, entry.subentries[entity.config_subentry_id]
