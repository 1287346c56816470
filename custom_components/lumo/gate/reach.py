"""How far an action reaches: what groups, scenes, scripts and helpers do in the end.

A script is followed through its steps, and what they act on is followed too: scripts
that it starts, groups, entities that run actions of their own. Where the target, or the
action itself, is a template, or a sentence is given to an assistant, what will happen
cannot be foreseen: the reach is unknown.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from homeassistant.components.script import entities_in_script
from homeassistant.core import HomeAssistant, valid_entity_id
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers.group import expand_entity_ids
from homeassistant.helpers.template import Template

from ..internals import states_of_scene, steps_of_script
from .domains import domain_of
from .effects import CHANGE, NOTHING, Effect, effect_of_state
from .runners import CONTAINERS, Runners
from .service_calls import ServiceCall, action_of, is_spoken, only_looked_at, steps_of


@dataclass(slots=True)
class Reach:
    """What an action does in the end."""

    effects: list[Effect] = field(default_factory=list)
    """On single entities; a group's members and the group itself are all here."""
    unknown: bool = False
    """There is more that cannot be foreseen."""


def reach_of(
    hass: HomeAssistant, effects: Iterable[Effect] = (), steps: Sequence[Any] = ()
) -> Reach:
    """Return what actions on entities, and steps of scripts, do in the end."""
    follower = _Follower(hass)
    for effect in effects:
        follower.follow(effect)
    follower.follow_steps(steps)
    return follower.reach


class _Follower:
    """Follows actions to their ends, each script and scene once."""

    def __init__(self, hass: HomeAssistant) -> None:
        self._hass = hass
        self._runners = Runners(hass)
        self._followed: set[tuple[str, str, bool, str]] = set()
        self.reach = Reach()

    def follow(self, effect: Effect) -> None:
        self.reach.effects.append(effect)
        if effect.domain == "media_player" and is_spoken(effect.data):
            self.reach.unknown = True
        runs = self._runners.read(effect)
        if effect.service == NOTHING or (
            runs is None and effect.domain not in CONTAINERS
        ):
            return
        data = "" if effect.domain in ("script", "scene") else str(effect.data)
        key = (effect.entity_id, effect.service, effect.at_once, data)
        if key in self._followed:
            return
        self._followed.add(key)
        if runs is not None:
            self.reach.unknown |= runs.unknown
            self.follow_steps(runs.steps)
            for other in runs.effects:
                self.follow(other)
            return
        match effect.domain, effect.service:
            case "script", "turn_on" | "toggle" | "change":
                self._follow_script(effect.entity_id)
            case "scene", _:
                self._follow_scene(effect.entity_id)
            case "automation", "trigger":
                self.reach.unknown = True
            case "group", _:
                self._follow_group(effect)

    def _follow_group(self, effect: Effect) -> None:
        """Follow what is done to the members of a group that a person made."""
        if self._hass.states.get(effect.entity_id) is None:
            # It may be there by then.
            self.reach.unknown = True
        for member in expand_entity_ids(self._hass, [effect.entity_id]):
            if member != effect.entity_id:
                self.follow(replace(effect, entity_id=member))

    def _follow_script(self, entity_id: str) -> None:
        steps = steps_of_script(self._hass, entity_id)
        if steps is None:
            # It may be there by then.
            self.reach.unknown = True
            return
        before = len(self.reach.effects)
        self.follow_steps(steps)
        seen = {effect.entity_id for effect in self.reach.effects[before:]}
        seen |= set(only_looked_at(steps))
        # Home Assistant knows more of its syntax than we do: what it finds there and
        # we did not is something, if not known what.
        for missed in set(entities_in_script(self._hass, entity_id)) - seen:
            if valid_entity_id(missed):
                self._later(missed, CHANGE)

    def _follow_scene(self, entity_id: str) -> None:
        states = states_of_scene(self._hass, entity_id)
        if states is not None:
            for state in states:
                self.follow(effect_of_state(self._hass, state))
            return
        # A scene of a device's own integration: it can do what its devices can.
        entities = er.async_get(self._hass)
        entry = entities.async_get(entity_id)
        if entry is None or entry.config_entry_id is None:
            # Nobody knows whose it is; it may also be made on the way.
            self.reach.unknown = True
            return
        for other in er.async_entries_for_config_entry(entities, entry.config_entry_id):
            if other.domain != "scene":
                self._later(other.entity_id, CHANGE)

    def _later(
        self, entity_id: str, service: str, data: Mapping[str, Any] | None = None
    ) -> None:
        self.follow(Effect(entity_id, service, data or {}, at_once=False))

    def follow_steps(self, steps: Any) -> None:
        for step in steps_of(steps):
            action = action_of(step)
            if isinstance(action, Template):
                self.reach.unknown = True
            elif isinstance(action, str):
                self._follow_service(action.strip().lower(), step)
            elif isinstance(scene := step.get("scene"), str):
                self._later(scene, "turn_on")
            elif "device_id" in step and "domain" in step:
                self._follow_device_action(step)

    def _follow_service(self, action: str, step: Mapping[str, Any]) -> None:
        named = {"entity_id": step["entity_id"]} if "entity_id" in step else None
        # In the order in which Home Assistant lets one replace the other.
        parts = [*map(step.get, ("data", "data_template", "target")), named]
        call = ServiceCall(self._hass, action, parts)
        for effect in call.effects():
            self.follow(effect)
        self.reach.unknown |= call.unknown

    def _follow_device_action(self, step: Mapping[str, Any]) -> None:
        """Follow an action of a device (Home Assistant's device automations)."""
        entities = er.async_get(self._hass)
        named = entities.async_get(str(step.get("entity_id")))
        service = str(step.get("type", CHANGE))
        for entry in (
            [named]
            if named
            else er.async_entries_for_device(entities, str(step["device_id"]))
        ):
            services = domain_of(entry.domain).device_actions
            self._later(entry.entity_id, services.get(service, service), step)
