"""Undo: bring back what the last turn of a conversation has changed.

States are restored with Home Assistant's own state reproduction. The model calls it
without arguments. The gate, which judges each entity, runs it for some by their ids.
"""

from typing import Any, Final, override

from homeassistant.const import ATTR_ENTITY_ID
from homeassistant.core import HomeAssistant, State
from homeassistant.helpers import llm
from homeassistant.helpers.state import async_reproduce_state
import probatio

from ..const import DOMAIN
from ..gate.domains import domain_of
from ..gate.effects import Effect, effect_of_state
from ..gate.names import name_of
from ..gate.own_tool import Arguments
from ..languages import language_of
from .ability import Ability, AbilityContext

_ENTITY_IDS: Final = "entity_ids"
# What a player has beside the values that are known of its domain.
_VOLUME: Final = {
    "volume_set": ("volume_level", "volume_level"),
    "volume_mute": ("is_volume_muted", "is_volume_muted"),
}


class Undo(Ability):
    """Restores what the last turn that acted has changed."""

    # Beside the names of Home Assistant's own tools, an integration's carry its domain.
    name = f"{DOMAIN}__undo"
    title = "Undo"
    description = "Undo what the last request changed, only if the person asks for it."
    parameters = probatio.Schema({})
    annotations = llm.ToolAnnotations(idempotent=True, open_world=False)
    is_divisible = True

    def __init__(self, context: AbilityContext) -> None:
        super().__init__(context)
        self._known_values: dict[str, list[Effect]] = {}

    @property
    @override
    def is_useful(self) -> bool:
        return bool(self.context.changes or self.context.planned)

    @property
    @override
    def is_asked_for(self) -> bool:
        """Return whether a person says "undo that", in whatever words."""
        speaker = self.context.speaker
        if speaker is None or not speaker.is_person:
            return False
        pattern = language_of(speaker.language).undo
        return pattern.search(speaker.sentence) is not None

    @override
    def effects(self, hass: HomeAssistant, arguments: Arguments) -> list[Effect]:
        """Return the actions that bring the entities back."""
        return [
            effect
            for state in self._chosen(arguments)
            for effect in self._values(hass, state)
            or [effect_of_state(hass, state, at_once=True)]
        ]

    @override
    def narrowed(self, arguments: Arguments, *entity_ids: str) -> dict[str, Any]:
        return {_ENTITY_IDS: list(entity_ids)}

    @override
    async def async_run(
        self, hass: HomeAssistant, arguments: Arguments, context: llm.LLMContext
    ) -> dict[str, Any]:
        if planned := self.context.planned:
            assert self.context.plans
            await self.context.plans.async_remove(planned)
            return {"cancelled": "what was planned"}
        states = self._chosen(arguments)
        others = [state for state in states if not self._values(hass, state)]
        await async_reproduce_state(hass, others, context=context.context)
        for effect in (item for state in states for item in self._values(hass, state)):
            data = {ATTR_ENTITY_ID: effect.entity_id, **effect.data}
            await hass.services.async_call(
                effect.domain,
                effect.service,
                data,
                blocking=True,
                context=context.context,
            )
        return {
            "restored": [
                {"name": name_of(hass, state.entity_id), "state": state.state}
                for state in states
            ]
        }

    def _values(self, hass: HomeAssistant, state: State) -> list[Effect]:
        """Return what sets values back where reproducing the state would not do.

        That sets none of what is off, and lets a player begin its song anew.
        """
        entity_id, is_player = state.entity_id, state.domain == "media_player"
        if entity_id not in self._known_values:
            now, found = hass.states.get(entity_id), []
            if now and now.state == state.state and (is_player or now.state == "off"):
                more = _VOLUME if is_player else {}
                values = {**domain_of(state.domain).values, **more}
                for service, (shown, key) in values.items():
                    value = state.attributes.get(shown)
                    if value not in (None, now.attributes.get(shown)):
                        found.append(Effect(entity_id, service, {key: value}))
            self._known_values[entity_id] = found
        return self._known_values[entity_id]

    def _chosen(self, arguments: Arguments) -> list[State]:
        """Return the states that a call is to bring back."""
        if self.context.planned:
            return []
        chosen = arguments.get(_ENTITY_IDS)
        return [
            state
            for state in self.context.changes
            if chosen is None or state.entity_id in chosen
        ]
