"""How far an action reaches: what groups, scenes and scripts do in the end.

A script is followed through its steps: each action's targets are found with Home
Assistant's own helpers, scripts that it starts are followed too. Where the target, or
the action itself, is a template, or a sentence is given to an assistant, nobody can say
what will happen: the reach is unknown.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from homeassistant.components.script import entities_in_script
from homeassistant.const import ENTITY_MATCH_ALL, ENTITY_MATCH_NONE
from homeassistant.core import HomeAssistant, State, split_entity_id, valid_entity_id
from homeassistant.helpers import config_validation as cv, entity_registry as er
from homeassistant.helpers.group import expand_entity_ids, get_group_entities
from homeassistant.helpers.target import (
    TargetSelection,
    async_extract_referenced_entity_ids,
)
from homeassistant.helpers.template import Template, is_template_string

from ..internals import members_of_group, states_of_scene, steps_of_script
from .domains import domain_of
from .effects import Effect, effect_of_state
from .sensitive import CONTAINERS

_TARGET_KEYS: Final = ("entity_id", "device_id", "area_id", "floor_id", "label_id")
# Where the steps of a step stand (Home Assistant's script syntax).
_BRANCHES: Final = ("sequence", "then", "else", "default", "choose", "parallel")
_CONDITIONS: Final = ("conditions", "if", "while", "until", "wait_for_trigger")
# Services that hand on to something that cannot be looked into.
_UNKNOWN: Final = frozenset({"automation.trigger", "conversation.process"})
# Services of scripts that are no script's name.
_SCRIPT_SERVICES: Final = frozenset({"turn_on", "turn_off", "toggle", "reload"})


@dataclass(slots=True)
class Reach:
    """What an action does in the end."""

    effects: list[Effect] = field(default_factory=list)
    """On single entities; a group's members and the group itself are all here."""
    unknown: bool = False
    """There is more that cannot be foreseen."""


def reach_of(hass: HomeAssistant, effects: Iterable[Effect]) -> Reach:
    """Return what actions on entities do in the end."""
    follower = _Follower(hass)
    for effect in effects:
        follower.follow(effect)
    return follower.reach


def reach_of_sequence(hass: HomeAssistant, sequence: Sequence[Any]) -> Reach:
    """Return what a sequence of script steps does."""
    follower = _Follower(hass)
    follower.follow_steps(sequence)
    return follower.reach


def reach_of_service(
    hass: HomeAssistant, action: str, data: Mapping[str, Any]
) -> Reach:
    """Return what a call of Home Assistant's service `domain.service` does."""
    return reach_of_sequence(hass, [{"action": action, "data": dict(data)}])


class _Follower:
    """Follows actions to their ends, each script and scene once."""

    def __init__(self, hass: HomeAssistant) -> None:
        self._hass = hass
        self._groups = get_group_entities(hass)
        self._followed: set[tuple[str, str, bool, str]] = set()
        self.reach = Reach()

    def follow(self, effect: Effect) -> None:
        """Follow an action on an entity."""
        self.reach.effects.append(effect)
        if effect.domain not in CONTAINERS and effect.entity_id not in self._groups:
            return
        data = "" if effect.domain in ("script", "scene") else str(effect.data)
        key = (effect.entity_id, effect.service, effect.at_once, data)
        if key in self._followed:
            return
        self._followed.add(key)
        match effect.domain, effect.service:
            case "script", "turn_on" | "toggle" | "change":
                self._follow_script(effect.entity_id)
            case "scene", _:
                self._follow_scene(effect.entity_id)
            case "automation", "trigger":
                self.reach.unknown = True
            case _:
                for member in self._members(effect.entity_id):
                    if member != effect.entity_id:
                        self.follow(replace(effect, entity_id=member))

    def _members(self, entity_id: str) -> Iterable[str]:
        """Return the members of a group: made by a person, or by an integration."""
        members = members_of_group(self._hass, entity_id)
        if members is not None:
            return members
        return expand_entity_ids(self._hass, [entity_id])

    def _follow_script(self, entity_id: str) -> None:
        steps = steps_of_script(self._hass, entity_id)
        if steps is None:
            # It may be there by then.
            self.reach.unknown = True
            return
        before = len(self.reach.effects)
        self.follow_steps(steps)
        seen = {effect.entity_id for effect in self.reach.effects[before:]}
        seen |= set(_mentioned_in_conditions(steps))
        # Home Assistant knows more of its syntax than we do: what it finds there and
        # we did not is something, if not known what.
        for missed in set(entities_in_script(self._hass, entity_id)) - seen:
            if valid_entity_id(missed):
                self._later(missed, "change")

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
                self._later(other.entity_id, "change")

    def _later(
        self, entity_id: str, service: str, data: Mapping[str, Any] | None = None
    ) -> None:
        """Follow an action that happens when others have."""
        self.follow(Effect(entity_id, service, data or {}, at_once=False))

    def follow_steps(self, steps: Any) -> None:
        """Follow the steps of a script."""
        for step in steps if isinstance(steps, list | tuple) else [steps]:
            if not isinstance(step, Mapping) or "condition" in step:
                continue
            if step.get("enabled") is not False:
                self._follow_step(step)

    def _follow_step(self, step: Mapping[str, Any]) -> None:
        action = step.get("action", step.get("service", step.get("service_template")))
        if isinstance(action, Template):
            self.reach.unknown = True
        elif isinstance(action, str):
            self._follow_service(action.lower(), step)
        elif isinstance(scene := step.get("scene"), str):
            self._later(scene, "turn_on")
        elif "device_id" in step and "domain" in step:
            self._follow_device_action(step)
        if "repeat" in step:
            self._follow_step(step["repeat"])
        for branch in _BRANCHES:
            if branch in step:
                self.follow_steps(step[branch])

    def _follow_device_action(self, step: Mapping[str, Any]) -> None:
        """Follow an action of a device (Home Assistant's device automations)."""
        entities = er.async_get(self._hass)
        named = entities.async_get(str(step.get("entity_id")))
        service = str(step.get("type", "change"))
        for entry in (
            [named]
            if named
            else er.async_entries_for_device(entities, str(step["device_id"]))
        ):
            services = domain_of(entry.domain).device_actions
            self._later(entry.entity_id, services.get(service, service), step)

    def _follow_service(self, action: str, step: Mapping[str, Any]) -> None:
        """Follow a call of a service."""
        domain, _, service = action.partition(".")
        named = {"entity_id": step["entity_id"]} if "entity_id" in step else None
        parts = [named, *map(step.get, ("data", "data_template", "target"))]
        if action in _UNKNOWN or any(isinstance(part, Template) for part in parts):
            self.reach.unknown = True
            return
        data: dict[Any, Any] = {}
        for part in parts:
            if isinstance(part, Mapping):
                data |= part
        if any(map(_has_template, data)):
            # Which key that will be is not known.
            self.reach.unknown = True
        if domain == "script" and service not in _SCRIPT_SERVICES:
            self._follow_script_service(service)
            return
        if domain == "scene" and service in ("apply", "create"):
            self._follow_states(data.get("entities", {}))
            for entity_id in self._entity_ids(
                cv.ensure_list(data.get("snapshot_entities"))
            ):
                # It will be brought back to a state that it has by then.
                self._later(entity_id, "change")
            return
        for entity_id in self._targets(domain, data):
            self._later(entity_id, service, data)

    def _follow_script_service(self, service: str) -> None:
        """Follow a script that is called by its name; it may have another entity id."""
        entity_id = er.async_get(self._hass).async_get_entity_id(
            "script", "script", service
        )
        self._later(entity_id or f"script.{service}", "turn_on")

    def _follow_states(self, states: Any) -> None:
        """Follow the states that `scene.apply` asks for."""
        if not isinstance(states, Mapping):
            self.reach.unknown = True
            return
        for entity_id, wanted in states.items():
            state = wanted.get("state") if isinstance(wanted, Mapping) else wanted
            if isinstance(state, Template) or not valid_entity_id(str(entity_id)):
                self.reach.unknown = True
                continue
            attributes = wanted if isinstance(wanted, Mapping) else {}
            # YAML reads on and off as truth values.
            if isinstance(state, bool):
                state = "on" if state else "off"
            self.follow(
                effect_of_state(
                    self._hass, State(entity_id, str(state), dict(attributes))
                )
            )

    def _targets(self, domain: str, data: Mapping[str, Any]) -> Iterator[str]:
        """Yield the entities that a service is called for."""
        selection = {key: data[key] for key in _TARGET_KEYS if key in data}
        if _has_template(selection):
            self.reach.unknown = True
            return
        named = cv.ensure_list(selection.get("entity_id"))
        if any(str(item).strip().lower() == ENTITY_MATCH_ALL for item in named):
            only = None if domain in ("homeassistant", "group") else domain
            yield from self._hass.states.async_entity_ids(only)
            return
        selection["entity_id"] = list(self._entity_ids(named))
        found = async_extract_referenced_entity_ids(
            self._hass,
            TargetSelection(selection),
            expand_group=False,
            primary_entities_only=False,
        )
        yield from found.referenced
        # An area holds entities of any kind. A service takes those of its own; one of
        # an integration without any entities may take all.
        takes_all = not self._hass.states.async_entity_ids_count(domain)
        for item in found.indirectly_referenced - found.referenced:
            if takes_all or split_entity_id(item)[0] in (domain, "group"):
                yield item

    def _entity_ids(self, named: Iterable[Any]) -> Iterator[str]:
        """Yield entity ids as Home Assistant reads them: any case, lists in texts."""
        entities = er.async_get(self._hass)
        for text in named:
            for item in str(text).split(",") if text is not None else ():
                # A registry id stands for an entity id too.
                entry = entities.async_get(item.strip())
                entity_id = entry.entity_id if entry else item.strip().lower()
                if valid_entity_id(entity_id):
                    yield entity_id
                elif entity_id not in ("", ENTITY_MATCH_NONE):
                    self.reach.unknown = True


def _has_template(value: Any) -> bool:
    """Return whether there is a template anywhere in a value."""
    if isinstance(value, Template):
        return True
    if isinstance(value, Mapping):
        return any(map(_has_template, value.values()))
    if isinstance(value, list | tuple | set):
        return any(map(_has_template, value))
    return isinstance(value, str) and is_template_string(value)


def _mentioned_in_conditions(steps: Any) -> Iterator[str]:
    """Yield the entities that a script only looks at, or names where it never goes."""
    if isinstance(steps, list | tuple):
        for step in steps:
            yield from _mentioned_in_conditions(step)
    elif isinstance(steps, Mapping):
        if "condition" in steps or steps.get("enabled") is False:
            yield from _entity_ids(steps)
        for key, value in steps.items():
            if key in _CONDITIONS:
                yield from _entity_ids(value)
            else:
                yield from _mentioned_in_conditions(value)


def _entity_ids(value: Any) -> Iterator[str]:
    """Yield everything under any key `entity_id`."""
    if isinstance(value, Mapping):
        for key, item in value.items():
            if key == "entity_id":
                yield from map(str, cv.ensure_list(item))
            else:
                yield from _entity_ids(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _entity_ids(item)
