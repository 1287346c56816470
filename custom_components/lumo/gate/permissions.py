"""Which tools an agent may use, and which only after a question.

Two things decide: the rule of a tool's source, and what the owner chose for the tool.
A choice is stored under the tool's *identity*, which must be the same whether the
agent has one LLM API or several, on every release of Home Assistant, and after a
restart. The tool's name is not: with several APIs Home Assistant 2026.10 puts the
API's name before every tool's, and 2026.11 the API's id before those that collide.

    mcp/01JD…/create_ticket     a tool of a config entry: an MCP server's
    light//light__HassLightSet  a tool that an integration adds to anybody's API: Home
                                Assistant wants the integration's name before it
    search/search-web/find      a tool of an API that its integration registered
"""

from collections.abc import Iterable

from homeassistant.helpers import llm
import slugify as unicode_slug

from ..const import Autonomy, Permission
from ..internals import apis_of, server_of_tool
from .ability import Ability
from .rules import Rules

# The integrations whose intents Home Assistant offers by itself. What those of
# intent_script do is judged where they are called, as with scripts.
_INTENT_OWNERS = frozenset(
    {
        "assist_satellite",
        "climate",
        "fan",
        "humidifier",
        "intent",
        "intent_script",
        "lawn_mower",
        "light",
        "media_player",
        "todo",
        "vacuum",
    }
)
# Home Assistant's own tools that act and are no intents. What a script does is judged
# where it is called.
_TRUSTED_MODULES = (
    "homeassistant.components.media_player.llm",
    "homeassistant.components.script.llm",
)
_STRICTNESS = list(Permission)


def own_tool(tool: llm.Tool) -> llm.Tool:
    """Return the tool itself, without the names that Home Assistant put before."""
    while isinstance(tool, llm.NamespacedTool):
        tool = tool.tool
    return tool


def identity(api: llm.APIInstance, tool: llm.Tool) -> str:
    """Return what the tool is known by in the options."""
    possible = identities(api, tool)
    if len(possible) == 1:
        return possible[0]
    # One of several APIs of the same integration, and nothing tells which.
    own = own_tool(tool)
    return f"{own.integration or ''}/?/{own.name}"


def identities(api: llm.APIInstance, tool: llm.Tool) -> list[str]:
    """Return what the tool may be known by: one identity, if it can be told.

    When several APIs are merged, Home Assistant 2026.11 does not say which of them a
    tool is from. Then it may be from any API that its integration registered.
    """
    own = own_tool(tool)
    integration = own.integration or ""
    if server := server_of_tool(own):
        return [f"{integration}/{server.entry_id}/{own.name}"]
    owned: list[str] = []
    if not own.name.startswith(f"{integration}__"):
        apis = apis_of(api)
        if isinstance(tool, llm.NamespacedTool):
            apis = [item for item in apis if tool.namespace in _namespaces(item)]
        owned = [item.id for item in apis if _integration(item) == integration]
    return [f"{integration}/{api_id}/{own.name}" for api_id in owned or [""]]


def source_rule(tool: llm.Tool) -> Permission:
    """Return what holds for a tool for which nothing was chosen."""
    own = own_tool(tool)
    module = type(own).__module__
    # What an MCP server says about its tools is the server's claim.
    if own.integration == "mcp":
        return Permission.ASK
    if own.annotations.read_only:
        return Permission.ON
    if isinstance(own, llm.IntentTool) and own.integration in _INTENT_OWNERS:
        return Permission.ON
    if module in _TRUSTED_MODULES or isinstance(own, Ability):
        return Permission.ON
    return Permission.ASK


def permission(api: llm.APIInstance, tool: llm.Tool, rules: Rules) -> Permission:
    """Return whether the agent may use the tool."""
    if rules.autonomy is Autonomy.ANSWERS:
        return Permission.OFF
    if rules.autonomy is Autonomy.READS and not own_tool(tool).annotations.read_only:
        return Permission.OFF
    rule = source_rule(tool)
    return strictest(rules.permissions.get(key, rule) for key in identities(api, tool))


def offered(api: llm.APIInstance, rules: Rules) -> list[llm.Tool]:
    """Return the tools that the model is told about.

    No two have the same name: on Home Assistant 2026.10 two servers of the same title
    may bring such, and it would run the first, whichever was meant.
    """
    tools: dict[str, llm.Tool] = {}
    for tool in api.tools:
        if permission(api, tool, rules) is not Permission.OFF:
            tools.setdefault(tool.name, tool)
    return list(tools.values())


def strictest(permissions: Iterable[Permission]) -> Permission:
    """Return the strictest of some permissions."""
    return min(permissions, key=_STRICTNESS.index)


def _namespaces(api: llm.API) -> tuple[str, str]:
    """Return what Home Assistant may put before the names of an API's tools."""
    return unicode_slug.slugify(api.name), unicode_slug.slugify(api.id)


def _integration(api: llm.API) -> str:
    """Return the integration that registered an API."""
    for package in ("custom_components.", "homeassistant.components."):
        module = type(api).__module__
        if module.startswith(package):
            return module.removeprefix(package).partition(".")[0]
    return ""
