"""Undo: bring back what the last turn of a conversation, or a routine, has changed."""

from collections.abc import Sequence
from itertools import chain
from typing import Any, Final, override

from homeassistant.core import HomeAssistant, State
from homeassistant.helpers import llm
from homeassistant.helpers.state import async_reproduce_state
import probatio

from ..const import DOMAIN
from ..gate.effects import Effect, domain_of, effect_of_state
from ..gate.names import name_of
from ..gate.own_tool import Arguments
from ..languages import language_of
from .ability import Ability, async_act

_ENTITY_IDS: Final = "entity_ids"
# What a player has beside the values that are known of its domain.
_VOLUME: Final = {
    "volume_set": ("volume_level", "volume_level"),
    "volume_mute": ("is_volume_muted", "is_volume_muted"),
}


class Undo(Ability):
    """Restores what the last turn that acted, or a routine since, has changed."""

    # Beside the names of Home Assistant's own tools, an integration's carry its domain.
    name = f"{DOMAIN}__undo"
    title = "Undo"
    description = (
        "Undo what the last request, or a routine, changed, only if the person asks."
    )
    parameters = probatio.Schema({})
    annotations = llm.ToolAnnotations(idempotent=True, open_world=False)
    is_divisible = True

    @property
    @override
    def is_useful(self) -> bool:
        return bool(self._changes or self.context.planned)

    @property
    def _changes(self) -> Sequence[State]:
        """Return the earlier states of what was changed last: by a turn, or a routine."""
        hass, own = self.context.hass, self.context.changes
        runs = self.context.routines.runs if self.context.routines else []
        if hass is None or not runs:
            return own
        there = {state.entity_id for state in self.exposed(hass)}
        left = [state for state in runs[0].changed(hass) if state.entity_id in there]
        now = (hass.states.get(state.entity_id) for state in own)
        is_newer = any(state and state.last_updated > runs[0].at for state in now)
        return own if is_newer else left or own

    @property
    @override
    def is_asked_for(self) -> bool:
        speaker = self.context.speaker
        if speaker is None or not speaker.is_person:
            return False
        pattern = language_of(speaker.language).undo
        return pattern.search(speaker.sentence) is not None

    @override
    def effects(self, hass: HomeAssistant, arguments: Arguments) -> list[Effect]:
        return [
            effect
            for state in self._chosen(arguments)
            for effect in _values(hass, state)
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
            assert self.context.plans is not None
            await self.context.plans.async_remove(planned)
            for routine_id in planned:
                if self.context.routines and routine_id in self.context.routines.made:
                    await self.context.routines.async_delete(routine_id)
            return {"cancelled": "what was planned"}
        states = self._chosen(arguments)
        values = {state: _values(hass, state) for state in states}
        others = [state for state in states if not values[state]]
        await async_reproduce_state(hass, others, context=context.context)
        for effect in chain.from_iterable(values.values()):
            await async_act(hass, effect, context.context)
        return {
            "restored": [
                {"name": name_of(hass, state.entity_id), "state": state.state}
                for state in states
            ]
        }

    def _chosen(self, arguments: Arguments) -> list[State]:
        if self.context.planned:
            return []
        chosen = arguments.get(_ENTITY_IDS)
        return [
            state
            for state in self._changes
            if chosen is None or state.entity_id in chosen
        ]


def _values(hass: HomeAssistant, state: State) -> list[Effect]:
    """Return what sets values back that a reproduced state would not, like a volume."""
    now, is_player = hass.states.get(state.entity_id), state.domain == "media_player"
    if now is None or now.state != state.state or not (is_player or now.state == "off"):
        return []
    values = {**domain_of(state.domain).values, **(_VOLUME if is_player else {})}
    return [
        Effect(state.entity_id, service, {key: state.attributes[shown]})
        for service, (shown, key) in values.items()
        if state.attributes.get(shown) not in (None, now.attributes.get(shown))
    ]
