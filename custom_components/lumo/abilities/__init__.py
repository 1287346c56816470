"""Our own tools: what an agent can do beside what its LLM APIs offer.

`home_tools.py` answers for tools of Home Assistant. A HomeAssistantError that
is raised here is in words for the model.
"""

from dataclasses import replace
from typing import Final

from homeassistant.helpers import llm

from .ability import Ability, AbilityContext
from .calculate import Calculate
from .calendars import ChangeEvent, CreateEvent, Events
from .change_list import ChangeList
from .forecast import Forecast
from .history import History
from .home_tools import FindInHome
from .lately import Undo, Why
from .later import AlarmClock, Later
from .look import Look
from .memory import Memory
from .music import Music
from .routine import RoutineTool
from .set import Set
from .tell import Tell

ABILITIES: Final[list[type[Ability]]] = [
    AlarmClock,
    Calculate,
    ChangeEvent,
    ChangeList,
    CreateEvent,
    Events,
    FindInHome,
    History,
    Forecast,
    Later,
    Look,
    Memory,
    Music,
    RoutineTool,
    Set,
    Tell,
    Undo,
    Why,
]


def with_abilities(
    api: llm.APIInstance, context: AbilityContext | None = None
) -> llm.APIInstance:
    """Return an API with those of our tools that are useful now, by default all."""
    if not api.tools:
        return api
    own = [ability(context or AbilityContext()) for ability in ABILITIES]
    names = {tool.name for tool in own}
    others = [tool for tool in api.tools if tool.name not in names]
    useful = [tool for tool in own if context is None or tool.is_useful()]
    return replace(api, tools=[*others, *useful])
