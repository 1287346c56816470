"""The tools that an agent finds through its LLM APIs, as a person chooses among them."""

from dataclasses import dataclass, replace
import logging

from homeassistant.components.conversation import DOMAIN as CONVERSATION_DOMAIN
from homeassistant.core import Context, HomeAssistant
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import llm

from ..abilities import with_abilities
from ..abilities.look import Look
from ..abilities.memory import Memory
from ..agent.options import AgentOptions
from ..agent.toolbox import Toolbox
from ..const import DOMAIN, Permission
from ..gate.own_tool import unwrapped
from ..gate.permissions import identity, offered, permission, source_rule
from ..internals import api_id_of_server

_LOGGER = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedTool:
    """A tool with its permission."""

    identity: str
    name: str
    """Home Assistant's name for it."""
    offered_name: str | None
    """How Lumo is to write it; None if it is not offered."""
    title: str
    api: llm.API | None
    """None if it is our own."""
    kind: str
    """`reads`, `acts` or `open_world`."""
    rule: Permission
    permission: Permission


def make_context(hass: HomeAssistant, context: Context) -> llm.LLMContext:
    """Return the context in which a person looks at the tools."""
    return llm.LLMContext(
        platform=DOMAIN,
        context=context,
        language=hass.config.language,
        assistant=CONVERSATION_DOMAIN,
        device_id=None,
    )


def api_names(hass: HomeAssistant) -> dict[str, str]:
    """Return the names of the APIs, by id, those of unreached MCP servers too."""
    names = {api.id: api.name for api in llm.async_get_apis(hass)}
    for entry in hass.config_entries.async_entries("mcp", include_disabled=False):
        names.setdefault(api_id_of_server(entry), entry.title)
    return names


async def async_list_tools(
    hass: HomeAssistant, options: AgentOptions, person: Context
) -> tuple[list[ListedTool], dict[str, str]]:
    """Return the tools that an agent finds, and why some APIs cannot be read, by id."""
    context = make_context(hass, person)
    apis: dict[str, llm.APIInstance] = {}
    failed: dict[str, str] = {}
    for api_id in options.llm_apis:
        try:
            apis[api_id] = merged = await llm.async_get_api(hass, api_id, context)
        except Exception as err:
            # Anybody may register an API; a broken one must not hide the others.
            _LOGGER.debug("LLM API %s cannot be read", api_id, exc_info=True)
            failed[api_id] = str(err) or type(err).__name__
    if not apis:
        return [], failed
    if len(apis) > 1:
        try:
            merged = await llm.async_get_api(hass, list(apis), context)
        except (HomeAssistantError, ValueError) as err:
            # Home Assistant finds ids or names that cannot be told apart.
            return [], dict.fromkeys(options.llm_apis, str(err))
    merged = with_abilities(merged)
    unused = {Look.name: not options.cameras, Memory.name: not options.remembers}
    merged = replace(merged, tools=[x for x in merged.tools if not unused.get(x.name)])
    origins: dict[str, llm.API] = {}
    for api in apis.values():
        for tool in api.tools:
            origins.setdefault(identity(tool), api.api)
    usable = offered(merged, options)
    names = Toolbox(replace(merged, tools=usable)).names
    written = names.offered if options.native else names.prompted
    listed: list[ListedTool] = []
    for tool in merged.tools:
        known_by = identity(tool)
        acts = "open_world" if tool.annotations.open_world else "acts"
        listed.append(
            ListedTool(
                identity=known_by,
                name=tool.name,
                offered_name=written(tool.name)
                if any(tool is item for item in usable)
                else None,
                title=tool.title or unwrapped(tool).name,
                api=origins.get(known_by),
                kind="reads" if tool.annotations.read_only else acts,
                rule=source_rule(tool),
                permission=permission(tool, options),
            )
        )
    return listed, failed
