"""What the requests of a turn describe of the home, and which tools.

Joins `context`, which chooses, with the turn: what was said and where, which tools
there are and how long each is, and what is always in a request.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Final

from homeassistant.components import conversation
from homeassistant.helpers import llm

from ..abilities.ability import HiddenTool
from ..abilities.find_in_home import FindInHome
from ..const import DOMAIN
from ..context.choice import PromptScope, Said, ToolPart, choose
from ..context.home import Home, async_get_home, make_home
from ..context.static_list import has_list, without_list
from ..gate.own_tool import unwrapped
from ..gate.speaker import area_of
from ..internals import ASSIST_PROMPT, split_api_prompt
from ..tool_calling.instructions import LAST_PART, PROTOCOL, TEMPLATE
from ..tool_calling.json_text import one_line
from ..tool_calling.naming import ToolNames
from ..tool_calling.native import function_tools
from ..tool_calling.prompted import MADE, ToolDefinition, shared_schemas, tool_line
from .ledger import Ledger
from .recall import recalled
from .toolbox import Toolbox
from .turn_context import TurnContext

# Characters of a request without the conversation.
BUDGET: Final = 20_000
# The integrations whose tools any home needs, whatever is said.
_NEEDED: Final = {"climate", "intent", "light", "llm", DOMAIN}
_LIVE_CONTEXT: Final = "homeassistant__GetLiveContext"
# Characters of what stands around a function.
_FUNCTION: Final = 63
# Of what stands around instructions and shared schemas, and of names of tools in them.
_WRAPPERS: Final = 600
# The same where tools are beside the instructions.
_NATIVE_WRAPPERS: Final = 200
# What the exchange before takes, and undoing it. A longer conversation comes on top.
_BEFORE: Final = 800
# So far a prompt may grow and shrink, with the time and the room, and nothing that is
# the same from turn to turn is chosen anew.
_STEP: Final = 500
# They bring tools of the home's own making, and of others.
_MADE: Final = {"intent_script", "mcp", "script"}


@dataclass(frozen=True, slots=True)
class Described:
    """What the requests of a turn describe."""

    choice: PromptScope = field(default_factory=PromptScope)
    home: Home | None = None
    """What the agent may see; None where no API of its own tells it of the home."""
    api_prompt: str | None = None
    """The APIs' prompt without what the choice says instead; None where it stays."""

    @property
    def hidden(self) -> dict[str, HiddenTool]:
        """Return the tools that are left out, by the names that the model calls them."""
        return {
            part.shown: HiddenTool(
                part.name, part.title, "\n".join((part.text, *part.choices))
            )
            for part in self.choice.tools_left_out
        }


async def async_describe(
    turn: TurnContext, toolbox: Toolbox, budget: int, recent: Sequence[str]
) -> Described:
    """Choose what a turn's requests describe, and have the toolbox offer that.

    In `budget` characters. `recent` are the entities that the conversation was about.
    """
    api, options, record = toolbox.api, turn.options, turn.record
    if api is None:
        return Described()
    prompt = api.api_prompt
    home = without = None
    if has_list(prompt):
        home = await async_get_home(turn.hass, turn.speaker.language, turn.scope)
        without = without_list(prompt, is_empty=not home.things)
        if without is None:
            record.decide("Home Assistant's list of the home was not found, it stays")
    if turn.scope is not None:
        # What else the APIs say may be of anything.
        without = f"{ASSIST_PROMPT}\n{split_api_prompt(prompt)[1]}".strip()
    parts = tool_parts(toolbox, native=options.native)
    parts = [item for item in parts if item.name not in toolbox.replaced]
    search = sum(item.characters for item in parts if item.name == FindInHome.name)
    fixed = len(turn.system) - len(prompt) + len(prompt if without is None else without)
    fixed += len(recalled(turn))
    if options.native:
        fixed += _NATIVE_WRAPPERS
    else:
        fixed += len(PROTOCOL) + len(LAST_PART) + len(TEMPLATE) + _WRAPPERS
    said = _said(turn, api, recent)
    choice = choose(
        home if home and without is not None else make_home((), (), (), {}),
        said,
        [item for item in parts if item.name not in toolbox.passing],
        fixed=-(-(fixed + _BEFORE) // _STEP) * _STEP,
        budget=budget,
        search=search,
    )
    if without is None:
        choice = replace(choice, home="")
    passing = toolbox.passing - (set() if choice.is_partial else {FindInHome.name})
    # What is described in every turn comes first, and is the same in each.
    chosen = [item.name for item in parts if item.name in choice.tools - choice.always]
    toolbox.choose(choice.always, (*sorted(passing), *chosen))
    offered = {tool.name for tool in (*toolbox.always, *toolbox.chosen)}
    record.ledger = Ledger(
        tools=sum(item.characters for item in parts if item.name in offered),
        home=len(choice.home) + len(choice.sentence),
        things_left_out=choice.things_left_out,
        tools_left_out=len(choice.tools_left_out),
    )
    return Described(choice, home, without)


def tool_parts(toolbox: Toolbox, *, native: bool) -> list[ToolPart]:
    """Return the tools of a toolbox as parts of a request."""
    names = toolbox.names
    shared = {} if native else shared_schemas(toolbox.definitions, names)
    parts = []
    for definition in toolbox.definitions:
        tool = toolbox.tools[definition.name]
        own = unwrapped(tool)
        domain = own.integration or ""
        parts.append(
            ToolPart(
                name=definition.name,
                shown=names.offered(definition.name)
                if native
                else names.prompted(definition.name),
                arguments=tuple(definition.parameters.get("properties") or ()),
                text=definition.description,
                choices=_choices(definition),
                title=tool.title or "",
                domain=domain,
                characters=_native_characters(definition, names)
                if native
                else len(tool_line(definition, names, shared)) + 1,
                is_needed=own.name == _LIVE_CONTEXT or domain in _NEEDED,
                is_own=domain not in _MADE
                and type(own).__module__.startswith("homeassistant."),
            )
        )
    return parts


@lru_cache(maxsize=MADE)
def _native_characters(definition: ToolDefinition, names: ToolNames) -> int:
    """Return the length of a function's definition, as `lumo_client` wraps it."""
    [function] = function_tools([definition], names)
    described = [function.name, function.description, function.parameters]
    return len(one_line(described, compact=True)) + _FUNCTION


@lru_cache(maxsize=MADE)
def _choices(definition: ToolDefinition) -> tuple[str, ...]:
    """Return what a tool's arguments may be chosen from: the names of lists."""
    properties = definition.parameters.get("properties") or {}
    return tuple(
        str(choice)
        for value in properties.values()
        if isinstance(value, dict)
        for choice in value.get("enum", ())
    )


def _said(turn: TurnContext, api: llm.APIInstance, recent: Sequence[str]) -> Said:
    sentences = [
        content.content
        for content in turn.log.content
        if isinstance(content, conversation.UserContent)
    ]
    area = area_of(turn.hass, turn.speaker.satellite_id, api.llm_context.device_id)
    return Said(
        sentence=turn.sentence,
        before=sentences[-2] if len(sentences) > 1 else "",
        area_id=area.id if area else None,
        recent=recent,
    )
