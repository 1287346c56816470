"""Which tools an agent may use, and which only after a question.

The owner's choice for a tool, stored under its identity, else the rule of its source.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
import re

from homeassistant.helpers import llm

from ..const import Autonomy, Permission
from ..internals import is_script_tool, server_of_tool
from ..languages import language_of
from .intents import TIMERS
from .judged_call import Ask
from .own_tool import OwnTool, unwrapped
from .places import Places, Scope
from .speaker import Speaker

# The integrations whose intents Home Assistant offers by itself. What those of
# intent_script do is judged where they are called, as with scripts.
_OWNERS = (
    "assist_satellite climate fan humidifier intent intent_script lawn_mower light "
    "media_player todo vacuum"
)
_INTENT_OWNERS = frozenset(_OWNERS.split())

# Home Assistant's tools that have the names of all exposed lists in their parameters;
# those that we answer ourselves, or that say nothing of the home.
_OF_LISTS = frozenset({"calendar__get_events", "todo__get_items"})
_VIEWED = frozenset({"homeassistant__GetLiveContext", "llm__GetDateTime"})

_PACKAGE = r"(?:custom_components|homeassistant\.components)\.([^.]+)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """The options of an agent that its calls are judged by."""

    autonomy: Autonomy
    permissions: Mapping[str, Permission]
    """The owner's choices, by the identity of the tool."""
    sensitive_labels: frozenset[str]
    """The ids of labels whose entities always need a question."""
    temperatures: tuple[float | None, float | None]
    """The range that needs no question, in the home's unit; None: the usual one."""
    unattended: bool
    """Where no person can be asked, sensitive calls run instead of being refused."""
    places: Places = field(default_factory=Places)
    phone_person: str = ""
    """The person whose phone is asked where nobody can be asked by voice."""
    phone_for_doors: bool = False
    """What opens or disarms is always asked on that phone."""

    def ask_by_phone(self, speaker: Speaker, asks: Iterable[Ask]) -> bool:
        """Return whether what needs a yes is asked by phone, not by voice."""
        return bool(self.phone_person) and (
            not speaker.is_person
            or not language_of(speaker.language).signed
            or (self.phone_for_doors and any(ask.grants_access for ask in asks))
        )


def identity(tool: llm.Tool) -> str:
    """Return the key of a tool in the options: `mcp/{entry id}/create_ticket`."""
    own = unwrapped(tool)
    server = server_of_tool(own)
    package = re.match(_PACKAGE, type(own).__module__)
    integration = own.integration or (package[1] if package else "")
    return f"{integration}/{server.entry_id if server else ''}/{own.name}"


def source_rule(tool: llm.Tool) -> Permission:
    """Return the rule for a tool without a choice."""
    own = unwrapped(tool)
    # What an MCP server says about its tools is the server's claim.
    is_trusted = own.integration != "mcp" and (
        own.annotations.read_only
        or (isinstance(own, llm.IntentTool) and own.integration in _INTENT_OWNERS)
        # What it does is judged where it is called.
        or is_script_tool(own)
        or isinstance(own, OwnTool)
    )
    return Permission.ON if is_trusted else Permission.ASK


def permission(tool: llm.Tool, rules: Rules, scope: Scope | None = None) -> Permission:
    """Return whether the agent may use the tool, in a turn with a scope."""
    if scope is not None and not _fits(scope, unwrapped(tool)):
        return Permission.OFF
    if rules.autonomy is Autonomy.ANSWERS:
        return Permission.OFF
    if rules.autonomy is Autonomy.READS and not unwrapped(tool).annotations.read_only:
        return Permission.OFF
    return rules.permissions.get(identity(tool), source_rule(tool))


def _fits(scope: Scope, tool: llm.Tool) -> bool:
    """Return whether a tool reads only what is in the scope and can be checked."""
    domain = tool.integration or ""
    if isinstance(tool, OwnTool):
        return True
    if not type(tool).__module__.startswith("homeassistant."):
        return False
    if is_script_tool(tool):
        return scope.reads(f"script.{tool.name.partition('__')[2]}")
    if isinstance(tool, llm.IntentTool):
        if tool.intent_type in TIMERS:
            return scope.may_act
        owned = scope.hass.states.async_entity_ids(domain)
        is_known = domain in _INTENT_OWNERS and any(map(scope.reads, owned))
        return domain == "intent" or is_known
    if tool.name in _OF_LISTS:
        # They name all that is exposed.
        return all(map(scope.reads, scope.hass.states.async_entity_ids(domain)))
    return tool.name in _VIEWED


def offered(
    api: llm.APIInstance, rules: Rules, scope: Scope | None = None
) -> list[llm.Tool]:
    """Return the tools for the model, the first of a name (Home Assistant 2026.10)."""
    tools: dict[str, llm.Tool] = {}
    for tool in api.tools:
        if permission(tool, rules, scope) is not Permission.OFF:
            tools.setdefault(tool.name, tool)
    return list(tools.values())
