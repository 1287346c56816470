"""Which agent an action is for."""

from typing import Final

from homeassistant.config_entries import ConfigEntryState, ConfigSubentry
from homeassistant.core import HomeAssistant
from homeassistant.exceptions import ServiceValidationError
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers.entity_platform import async_get_platforms

from ..const import DOMAIN
from ..coordinator import LumoConfigEntry
from ..entity import LumoEntity

ATTR_AGENT_ID: Final = "agent_id"


def find_agent(
    hass: HomeAssistant, entity_id: str
) -> tuple[LumoConfigEntry, ConfigSubentry]:
    """Return the loaded account of an agent, and the agent.

    Raises ServiceValidationError for what is no agent of ours.
    """
    entity = er.async_get(hass).async_get(entity_id)
    if entity is None or entity.platform != DOMAIN or not entity.config_subentry_id:
        raise _not_an_agent(entity_id)
    entry: LumoConfigEntry | None = hass.config_entries.async_get_entry(
        entity.config_entry_id or ""
    )
    if entry is None or entry.state is not ConfigEntryState.LOADED:
        raise ServiceValidationError(
            translation_domain=DOMAIN, translation_key="account_not_loaded"
        )
    return entry, entry.subentries[entity.config_subentry_id]


def find_entity[T: LumoEntity](hass: HomeAssistant, entity_id: str, kind: type[T]) -> T:
    """Return an agent's entity; raise ServiceValidationError if it is none of a kind."""
    find_agent(hass, entity_id)
    for platform in async_get_platforms(hass, DOMAIN):
        if isinstance(entity := platform.entities.get(entity_id), kind):
            return entity
    raise _not_an_agent(entity_id)


def not_available(reason: str) -> ServiceValidationError:
    """Return the error for tools that cannot be used now."""
    return ServiceValidationError(
        translation_domain=DOMAIN,
        translation_key="tools_not_available",
        translation_placeholders={"reason": reason},
    )


def _not_an_agent(entity_id: str) -> ServiceValidationError:
    return ServiceValidationError(
        translation_domain=DOMAIN,
        translation_key="not_an_agent",
        translation_placeholders={"entity_id": entity_id},
    )
