"""The action that lists the tools of an agent."""

from typing import Final

from homeassistant.core import ServiceCall, ServiceResponse
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import config_validation as cv
import probatio

from ..entity import LumoEntity
from ..forms.tool_list import async_list_tools, async_read_apis, make_context
from .agents import ATTR_AGENT_ID, find_entity, not_available

_SHOWN: Final = ("offered_name", "name", "title", "kind")
LIST_TOOLS_SCHEMA: Final = probatio.Schema(
    {probatio.Required(ATTR_AGENT_ID): cv.entity_id}
)


async def async_list_tools_of(call: ServiceCall) -> ServiceResponse:
    """Return the tools that an agent finds and offers, for administrators."""
    hass = call.hass
    agent = find_entity(hass, call.data[ATTR_AGENT_ID], LumoEntity)
    options = agent.options
    context = make_context(hass, call.context)
    apis, failed = await async_read_apis(hass, options.llm_apis, context)
    if failed:
        raise not_available(next(iter(failed.values())))
    try:
        tools = await async_list_tools(hass, apis, options, context)
    except HomeAssistantError as err:
        raise not_available(str(err)) from err
    return {
        "tools": [
            {
                **{key: getattr(tool, key) for key in _SHOWN},
                "api": tool.api.id if tool.api else None,
                "permission": tool.permission.value,
            }
            for tool in tools
        ],
    }
