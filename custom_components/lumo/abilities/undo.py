"""Undo: bring back what the last turn of a conversation has changed.

States are restored with Home Assistant's own state reproduction. The model calls it
without arguments. The gate, which judges each entity, runs it for some by their ids.
"""

from collections.abc import Mapping
from typing import Any, Final, override

from homeassistant.core import HomeAssistant, State
from homeassistant.helpers import llm
from homeassistant.helpers.state import async_reproduce_state
import probatio

from ..const import DOMAIN
from ..gate.ability import Ability
from ..gate.effects import Effect, effect_of_state
from ..gate.names import name_of
from ..languages import language_of

_ENTITY_IDS: Final = "entity_ids"


class Undo(Ability):
    """Restores what the last turn that acted has changed."""

    # Beside the names of Home Assistant's own tools, an integration's carry its domain.
    name = f"{DOMAIN}__undo"
    title = "Undo"
    description = (
        "Undo what the last request changed in the home: bring the devices back to the "
        "state they had before. Only if the person asks to undo it."
    )
    parameters = probatio.Schema({})
    annotations = llm.ToolAnnotations(idempotent=True, open_world=False)
    is_divisible = True

    @property
    @override
    def is_useful(self) -> bool:
        """Return whether anything was changed."""
        return bool(self.situation.changes)

    @property
    @override
    def is_asked_for(self) -> bool:
        """Return whether a person says "undo that", in whatever words."""
        speaker = self.situation.speaker
        if speaker is None or not speaker.is_person:
            return False
        pattern = language_of(speaker.language).undo
        return pattern.search(speaker.sentence) is not None

    @override
    def effects(
        self, hass: HomeAssistant, arguments: Mapping[str, Any], *, at_once: bool = True
    ) -> list[Effect]:
        """Return the actions that bring the entities back."""
        return [
            effect_of_state(hass, state, at_once=at_once)
            for state in self._chosen(arguments)
        ]

    @override
    def narrowed(self, arguments: Mapping[str, Any], entity_id: str) -> dict[str, Any]:
        """Return the arguments for one of the entities alone."""
        return {_ENTITY_IDS: [entity_id]}

    @override
    async def async_call(
        self,
        hass: HomeAssistant,
        tool_input: llm.ToolInput,
        llm_context: llm.LLMContext,
    ) -> llm.ToolResult:
        """Restore the states."""
        states = self._chosen(tool_input.tool_args)
        await async_reproduce_state(hass, states, context=llm_context.context)
        return llm.ToolResult(
            data={
                "restored": [
                    {"name": name_of(hass, state.entity_id), "state": state.state}
                    for state in states
                ]
            }
        )

    def _chosen(self, arguments: Mapping[str, Any]) -> list[State]:
        """Return the states that a call is to bring back."""
        chosen = arguments.get(_ENTITY_IDS)
        return [
            state
            for state in self.situation.changes
            if chosen is None or state.entity_id in chosen
        ]
