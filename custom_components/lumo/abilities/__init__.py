"""Tools of our own: what an agent can do beside what its LLM APIs offer.

One file a tool: its name, description and schema, what it does, and what the gate must
know of a call of it (`gate/own_tool.py`). A new one is such a file and a row here; then
it is offered to Lumo, listed with the other tools, and can be switched off like them.
Only the agent's own model sees them: they belong to no LLM API of Home Assistant.
`live_context.py` and `matching.py` are no tools: they answer for some of Home Assistant's.
"""

from dataclasses import replace
from typing import Final

from homeassistant.helpers import llm

from ..gate.own_tool import unwrapped
from ..gate.places import Scope
from .ability import Ability, AbilityContext
from .change_list import ChangeList
from .compose import Compose
from .create_event import CreateEvent
from .events import Events
from .find_in_home import FindInHome
from .forecast import Forecast
from .history import History
from .later import Later
from .live_context import LIVE_CONTEXT, LiveContextTool
from .look import Look
from .many import Many
from .matching import MatchingTool
from .memory import Memory
from .set import Set
from .undo import Undo
from .why import Why

ABILITIES: Final[list[type[Ability]]] = [
    ChangeList,
    Compose,
    CreateEvent,
    Events,
    FindInHome,
    History,
    Forecast,
    Later,
    Look,
    Many,
    Memory,
    Set,
    Undo,
    Why,
]


def with_abilities(
    api: llm.APIInstance, context: AbilityContext | None = None
) -> llm.APIInstance:
    """Return an API instance with the tools of our own that are useful now.

    Without a context with all of them. A tool of anybody else that has the name of
    one of ours is left out. An instance without tools stays as it is.
    """
    if not api.tools:
        return api
    own = [ability(context or AbilityContext()) for ability in ABILITIES]
    names = {tool.name for tool in own}
    return replace(
        api,
        tools=[
            *(tool for tool in api.tools if tool.name not in names),
            *(tool for tool in own if context is None or tool.is_useful),
        ],
    )


def answering(tool: llm.Tool, scope: Scope | None = None) -> llm.Tool:
    """Return what is run for a tool: it, or what answers better in a large home.

    An intent that matches nothing says what there is. With a `scope`, of what may be
    read.
    """
    own = unwrapped(tool)
    if isinstance(own, llm.IntentTool):
        return MatchingTool(tool, scope)
    return LiveContextTool(tool, scope) if own.name == LIVE_CONTEXT else tool
