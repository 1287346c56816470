"""The actions of the integration."""

from homeassistant.config_entries import ConfigEntryState, ConfigSubentry
from homeassistant.core import (
    HomeAssistant,
    ServiceCall,
    ServiceResponse,
    SupportsResponse,
    callback,
)
from homeassistant.exceptions import HomeAssistantError, ServiceValidationError
from homeassistant.helpers import config_validation as cv, entity_registry as er
from homeassistant.helpers.service import async_register_admin_service
import probatio

from .agent.options import AgentOptions
from .const import DOMAIN
from .context.home import async_get_home
from .coordinator import LumoConfigEntry
from .tool_list import async_list_tools, async_read_apis, make_context, total

SERVICE_LIST_TOOLS = "list_tools"
ATTR_AGENT_ID = "agent_id"


@callback
def async_register_services(hass: HomeAssistant) -> None:
    """Register the actions, once for all accounts."""
    async_register_admin_service(
        hass,
        DOMAIN,
        SERVICE_LIST_TOOLS,
        _async_list_tools,
        schema=probatio.Schema({probatio.Required(ATTR_AGENT_ID): cv.entity_id}),
        supports_response=SupportsResponse.ONLY,
    )


async def _async_list_tools(call: ServiceCall) -> ServiceResponse:
    """Return the tools that an agent finds, and what it offers to Lumo, now.

    For administrators: the tools tell of the home, its scripts and its servers.
    """
    hass = call.hass
    entry, subentry = _agent(hass, call.data[ATTR_AGENT_ID])
    options = AgentOptions.from_subentry(
        subentry.data, encrypted=entry.runtime_data.client.credential.encrypted
    )
    context = make_context(hass, call.context)
    apis, failed = await async_read_apis(hass, options.llm_apis, context)
    if failed:
        raise _not_available(next(iter(failed.values())))
    try:
        tools = await async_list_tools(hass, apis, options, context)
    except HomeAssistantError as err:
        raise _not_available(str(err)) from err
    home = await async_get_home(hass, hass.config.language)
    return {
        "tools": [
            {
                "offered_name": tool.offered_name,
                "name": tool.name,
                "title": tool.title,
                "api": tool.api.id if tool.api else None,
                "kind": tool.kind,
                "permission": tool.permission.value,
                "characters": tool.characters,
            }
            for tool in tools
        ],
        "characters": total(tools),
        "home": {"things": len(home.things), "characters": len(home.full)},
        "last_request": {**entry.runtime_data.sizes.get(subentry.subentry_id, {})},
    }


def _not_available(reason: str) -> ServiceValidationError:
    return ServiceValidationError(
        translation_domain=DOMAIN,
        translation_key="tools_not_available",
        translation_placeholders={"reason": reason},
    )


def _agent(
    hass: HomeAssistant, entity_id: str
) -> tuple[LumoConfigEntry, ConfigSubentry]:
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
