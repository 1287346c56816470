"""Tools of our own: what an agent can do beside what its LLM APIs offer.

One file a tool: its name, description and schema, what it does, and what the gate must
know of a call of it (`gate/ability.py`). A new one is such a file and a row here; then
it is offered to Lumo, listed with the other tools, and can be switched off like them.
Only the agent's own model sees them: they belong to no LLM API of Home Assistant.
"""

from dataclasses import replace
from typing import Final

from homeassistant.helpers import llm

from ..gate.ability import Ability, Situation
from .undo import Undo

ABILITIES: Final[list[type[Ability]]] = [
    Undo,
]


def with_abilities(
    api: llm.APIInstance, situation: Situation | None = None
) -> llm.APIInstance:
    """Return an API instance with the tools of our own that are useful now.

    Without a situation with all of them. A tool of anybody else that has the name of
    one of ours is left out. An instance without tools stays as it is.
    """
    if not api.tools:
        return api
    own = [ability(situation or Situation()) for ability in ABILITIES]
    names = {tool.name for tool in own}
    return replace(
        api,
        tools=[
            *(tool for tool in api.tools if tool.name not in names),
            *(tool for tool in own if situation is None or tool.is_useful),
        ],
    )
