"""The actions of the integration."""

import json
from typing import Any

from homeassistant.components.conversation import DOMAIN as CONVERSATION_DOMAIN
from homeassistant.config_entries import ConfigEntryState, ConfigSubentry
from homeassistant.core import (
    HomeAssistant,
    ServiceCall,
    ServiceResponse,
    SupportsResponse,
    callback,
)
from homeassistant.exceptions import HomeAssistantError, ServiceValidationError
from homeassistant.helpers import config_validation as cv, entity_registry as er, llm
from homeassistant.util import slugify
import probatio

from .agent.options import AgentOptions
from .agent.toolbox import Toolbox
from .const import DOMAIN
from .coordinator import LumoConfigEntry
from .tool_calling.native import function_tools
from .tool_calling.prompted import tool_line

SERVICE_LIST_TOOLS = "list_tools"
ATTR_AGENT_ID = "agent_id"


@callback
def async_register_services(hass: HomeAssistant) -> None:
    """Register the actions, once for all accounts."""
    hass.services.async_register(
        DOMAIN,
        SERVICE_LIST_TOOLS,
        _async_list_tools,
        schema=probatio.Schema({probatio.Required(ATTR_AGENT_ID): cv.entity_id}),
        supports_response=SupportsResponse.ONLY,
    )


async def _async_list_tools(call: ServiceCall) -> ServiceResponse:
    """Return the tools that an agent offers to Lumo, as it would now."""
    hass = call.hass
    entry, subentry = _agent(hass, call.data[ATTR_AGENT_ID])
    options = AgentOptions.from_subentry(
        subentry.data, encrypted=entry.runtime_data.client.credential.encrypted
    )
    context = llm.LLMContext(
        platform=DOMAIN,
        context=call.context,
        language=hass.config.language,
        assistant=CONVERSATION_DOMAIN,
        device_id=None,
    )
    tools: list[dict[str, Any]] = []
    if options.llm_apis:
        try:
            api = await llm.async_get_api(hass, options.llm_apis, context)
            sources = await _async_sources(hass, options.llm_apis, context)
        except HomeAssistantError as err:
            raise ServiceValidationError(
                translation_domain=DOMAIN,
                translation_key="tools_not_available",
                translation_placeholders={"reason": str(err)},
            ) from err
        tools = _describe(api, options, sources)
    return {
        "tools": tools,
        "characters": sum(tool["characters"] for tool in tools),
    }


def _agent(
    hass: HomeAssistant, entity_id: str
) -> tuple[LumoConfigEntry, ConfigSubentry]:
    """Return what stands behind an agent's entity; it must be loaded."""
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


async def _async_sources(
    hass: HomeAssistant, api_ids: list[str], context: llm.LLMContext
) -> dict[str, str]:
    """Return for each tool, under any name it may have here, the API it is from."""
    sources: dict[str, str] = {}
    for api_id in api_ids:
        api = await llm.async_get_api(hass, api_id, context)
        for tool in api.tools:
            sources.setdefault(tool.name, api_id)
            # With several APIs Home Assistant puts a name before: the API's name in
            # 2026.10, its id in 2026.11.
            for name in (api.api.name, api_id):
                sources[f"{slugify(name)}__{tool.name}"] = api_id
    return sources


def _describe(
    api: llm.APIInstance, options: AgentOptions, sources: dict[str, str]
) -> list[dict[str, Any]]:
    """Return one row a tool."""
    toolbox = Toolbox(api, prefix=options.prefix)
    names = toolbox.names
    rows: list[dict[str, Any]] = []
    for tool, definition in zip(api.tools, toolbox.definitions, strict=True):
        if options.native:
            [function] = function_tools([definition], names)
            shown = json.dumps(
                [function.name, function.description, function.parameters]
            )
        else:
            shown = tool_line(definition, names)
        rows.append(
            {
                "offered_name": names.offered(tool.name)
                if options.native
                else names.prompted(tool.name),
                "name": tool.name,
                "api": sources.get(tool.name),
                "kind": _kind(tool.annotations),
                "characters": len(shown),
            }
        )
    return rows


def _kind(annotations: llm.ToolAnnotations) -> str:
    """Return what a tool does, in one word."""
    if annotations.read_only:
        return "reads"
    return "open_world" if annotations.open_world else "acts"
