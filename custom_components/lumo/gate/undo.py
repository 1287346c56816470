"""Undo: bring back what the last turn of a conversation has changed."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, override

from homeassistant.core import HomeAssistant, State
from homeassistant.helpers import llm
from homeassistant.helpers.state import async_reproduce_state
import probatio

from ..const import DOMAIN
from .effects import Effect, effect_of_state
from .names import name_of
from .targets import Root, root_of

# Beside the names of Home Assistant's own tools, an integration's carry its domain.
UNDO: Final = f"{DOMAIN}__undo"
_ENTITY_IDS: Final = "entity_ids"


class UndoTool(llm.Tool):
    """Restores states with Home Assistant's own state reproduction.

    The model calls it without arguments. The gate, which judges each entity, runs it
    for some entities by their ids.
    """

    name = UNDO
    title = "Undo"
    description = (
        "Undo what the last request changed in the home: bring the devices back to the "
        "state they had before. Only if the person asks to undo it."
    )
    parameters = probatio.Schema({})
    annotations = llm.ToolAnnotations(idempotent=True, open_world=False)
    integration = DOMAIN

    def __init__(self, changes: Sequence[State]) -> None:
        """Take the states as they were before."""
        self.changes = {state.entity_id: state for state in changes}

    def roots(self, hass: HomeAssistant) -> list[Root]:
        """Return what an undo acts on, and how."""
        return [root_of(hass, self.effect_on(hass, item)) for item in self.changes]

    def effect_on(self, hass: HomeAssistant, entity_id: str) -> Effect:
        """Return the action that brings an entity back."""
        return effect_of_state(hass, self.changes[entity_id], at_once=True)

    @staticmethod
    def narrowed(entity_id: str) -> dict[str, Any]:
        """Return the arguments for one of the entities alone."""
        return {_ENTITY_IDS: [entity_id]}

    def chosen(self, arguments: Mapping[str, Any]) -> list[str]:
        """Return the entities that a call is for."""
        chosen = arguments.get(_ENTITY_IDS, self.changes)
        return [entity_id for entity_id in chosen if entity_id in self.changes]

    @override
    async def async_call(
        self,
        hass: HomeAssistant,
        tool_input: llm.ToolInput,
        llm_context: llm.LLMContext,
    ) -> llm.ToolResult:
        """Restore the states."""
        states = [self.changes[item] for item in self.chosen(tool_input.tool_args)]
        await async_reproduce_state(hass, states, context=llm_context.context)
        return llm.ToolResult(
            data={
                "restored": [
                    {"name": name_of(hass, state.entity_id), "state": state.state}
                    for state in states
                ]
            }
        )
