"""Which agent an action is for."""

from typing import Final

from homeassistant.core import HomeAssistant
from homeassistant.exceptions import ServiceValidationError
from homeassistant.helpers import entity_registry as er

from ..const import DOMAIN
from ..entity import LumoEntity
from ..internals import entity_of

ATTR_AGENT_ID: Final = "agent_id"


def find_entity[T: LumoEntity](hass: HomeAssistant, entity_id: str, kind: type[T]) -> T:
    """Return an agent's entity, else raise ServiceValidationError."""
    found = entity_of(hass, entity_id)
    if isinstance(found, kind):
        return found
    known = er.async_get(hass).async_get(entity_id)
    is_ours = known and known.platform == DOMAIN and known.config_subentry_id
    key = "account_not_loaded" if is_ours and not found else "not_an_agent"
    raise refusal(key, entity_id=entity_id)


def refusal(key: str, **placeholders: str) -> ServiceValidationError:
    """Return the error with a translated sentence."""
    return ServiceValidationError(
        translation_domain=DOMAIN,
        translation_key=key,
        translation_placeholders=placeholders,
    )


def not_available(reason: str) -> ServiceValidationError:
    """Return the error for tools that cannot be used now."""
    return refusal("tools_not_available", reason=reason)
