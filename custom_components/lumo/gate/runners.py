"""Entities that run actions of their own, or act on other entities.

They are followed as scripts and groups are. Each kind has a reader: it says which steps
an action on the entity runs, and what it does to which others. A reader that cannot read
its entity says so, and then a person is asked.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from homeassistant.core import HomeAssistant
from homeassistant.helpers.entity import Entity
from homeassistant.helpers.group import get_group_entities

from .. import internals
from .domains import domain_of
from .effects import CHANGE, Effect

# What stands for other entities, or runs actions, and is no helper's entity.
CONTAINERS: Final = ("group", "script", "scene", "automation")
# Here an action with one name may carry out another one.
_NOT_ALONE: Final = frozenset({"set_percentage", "set_temperature", "turn_on"})
# With these a light may be turned on to nothing, which turns it off.
_DIMS: Final = ("brightness", "profile", "white")


@dataclass(slots=True)
class Runs:
    """What an action on an entity sets going."""

    steps: list[Any] = field(default_factory=list)
    """As in a script."""
    effects: list[Effect] = field(default_factory=list)
    """On other entities."""
    unknown: bool = False
    """Its effect cannot be read."""


def _universal(hass: HomeAssistant, entity: Entity, effect: Effect) -> Runs:
    """Read a universal player: its commands, else the players behind it."""
    commands = internals.commands_of_player(entity)
    if commands is None:
        return Runs(unknown=True)
    if effect.service in commands and effect.service not in (CHANGE, "toggle"):
        return Runs(list(commands[effect.service]))
    players = internals.players_of_player(entity)
    if players is None:
        players = hass.states.async_entity_ids("media_player")
    runs = Runs(effects=_each(players, effect))
    if effect.service in (CHANGE, "toggle"):
        for steps in commands.values():
            runs.steps += steps
    return runs


def _switch(_hass: HomeAssistant, entity: Entity, effect: Effect) -> Runs:
    """Read what is a switch under another name, or switches another thing.

    What is a door itself is judged as that, and its switch is the same door.
    """
    if domain_of(effect.domain).harmless is not None:
        return Runs()
    switch = internals.switch_of_helper(entity)
    if switch is None:
        return Runs(unknown=True)
    return Runs(effects=_each([switch], replace(effect, service=CHANGE, data={})))


def _group(hass: HomeAssistant, entity: Entity, effect: Effect) -> Runs:
    members = internals.members_of_group(hass, entity.entity_id)
    if members is None:
        return Runs(unknown=True)
    return Runs(effects=_each(members, effect))


def _chosen(actions: Mapping[str, Any] | None, effect: Effect) -> Runs:
    """Return the steps of those actions that a service may end in."""
    if actions is None:
        return Runs(unknown=True)
    service = effect.meaning.removeprefix("alarm_")
    if service in actions and service not in _NOT_ALONE:
        return Runs(list(actions[service]))
    runs = Runs()
    dims = any(key.startswith(_DIMS) for key in map(str, effect.data))
    for name, steps in actions.items():
        if dims or (service, name) != ("turn_on", "turn_off"):
            runs.steps += steps
    return runs


def _each(entity_ids: Iterable[str], effect: Effect) -> list[Effect]:
    return [
        replace(effect, entity_id=item)
        for item in entity_ids
        if item != effect.entity_id
    ]


type _Reader = Callable[[HomeAssistant, Entity, Effect], Runs]
# An integration -> how its entities are read.
_READERS: Final[Mapping[str, _Reader]] = {
    "generic_hygrostat": _switch,
    "generic_thermostat": _switch,
    "group": _group,
    # A light that is made of a switch.
    "switch": _switch,
    "switch_as_x": _switch,
    "template": lambda _, entity, effect: _chosen(
        internals.actions_of_template(entity), effect
    ),
    "universal": _universal,
    "wake_on_lan": lambda _, entity, effect: _chosen(
        internals.off_action_of_computer(entity), effect
    ),
}


class Runners:
    """The entities of a home that run actions, as they are when they are asked for."""

    def __init__(self, hass: HomeAssistant) -> None:
        self._hass = hass
        self._groups = get_group_entities(hass)
        self._entities = internals.entities_by_domain(hass)

    def __contains__(self, entity_id: str) -> bool:
        return self.read(Effect(entity_id, CHANGE)) is not None

    def acting(self) -> list[str]:
        """Return the entities on which an action may set anything going."""
        found = list(self._groups)
        for integration in _READERS:
            entities = internals.entities_of_integration(self._hass, integration)
            found += (
                entity_id
                for entity_id, entity in entities.items()
                # Most template entities only show something.
                if internals.actions_of_template(entity) != {}
            )
        return found

    def read(self, effect: Effect) -> Runs | None:
        """Return what an action sets going, None if its entity runs none."""
        entity_id, domain = effect.entity_id, effect.domain
        if group := self._groups.get(entity_id):
            return _group(self._hass, group, effect)
        # What a person made is followed by its state: it can be made anew.
        if domain == "group":
            return None
        entity = self._entities.get(domain, {}).get(entity_id)
        if entity and (reader := _READERS.get(internals.integration_of(entity))):
            return reader(self._hass, entity, effect)
        return None
