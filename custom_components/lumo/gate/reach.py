"""How far an action reaches: what scripts, scenes, groups and helpers do in the end.

Scripts are followed in every branch. What cannot be foreseen, such as a template that
chooses the target, makes the reach unknown; one that chooses lamps or players reaches all.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
import re
from typing import Any, Final

from homeassistant.components.conversation import ConversationEntityFeature
from homeassistant.components.homeassistant.scene import STATES_SCHEMA
from homeassistant.const import ENTITY_MATCH_ALL
from homeassistant.core import HomeAssistant, split_entity_id
from homeassistant.helpers import config_validation as cv, entity_registry as er
from homeassistant.helpers.group import expand_entity_ids
from homeassistant.helpers.target import (
    TargetSelection,
    async_extract_referenced_entity_ids,
)
from homeassistant.helpers.template import Template, is_template_string
import probatio

from .. import internals
from ..const import DOMAIN
from .effects import (
    CHANGE,
    DOMAINS,
    NOTHING,
    UNFORESEEABLE,
    Effect,
    domain_of,
    effect_of_state,
)
from .names import speak_of, texts_of

# What stands for other entities, or runs actions, and is no helper's entity.
CONTAINERS: Final = ("group", "script", "scene", "automation")
# The kinds of steps that only hold others, and where; those that do nothing to an entity
# (cv.determine_script_action).
_BRANCHES: Final = {
    "choose": ("choose", "default"),
    "if": ("then", "else"),
    "parallel": ("parallel",),
    "repeat": ("repeat",),
    "sequence": ("sequence",),
}
_IDLE: Final = frozenset(
    {
        *("condition", "delay", "event", "set_conversation_response", "stop"),
        *("variables", "wait_for_trigger", "wait_template"),
    }
)
_TARGET_KEYS: Final = ("entity_id", "device_id", "area_id", "floor_id", "label_id")
# What others do by a text that these send.
_SENT: Final = frozenset({"mqtt.publish", "remote.send_command"})
_CLOSES: Final = re.compile(r"\b(?:clos\w*|shut)\b", re.IGNORECASE)
# Sentences, or what stands for them, where a player takes media (Amazon's).
_SPOKEN_MEDIA: Final = frozenset({"custom", "routine", "sequence", "skill"})
# The domains whose services do the same to whatever a template chooses, and those of
# their services that do another thing with other data.
_ALIKE: Final = frozenset({"fan", "light", "media_player", "tts"})
_MEDIA: Final = ("media", "media_content_type", "media_content_id")
_GENERIC: Final = ("turn_on", "turn_off", "toggle")
_OF_DATA: Final = frozenset({"play_media", "select_source", "select_sound_mode"})
# Services of scripts that are no script's name.
_SCRIPT_SERVICES: Final = frozenset({"turn_on", "turn_off", "toggle", "reload"})
# Actions of helpers that may run others of theirs too, and the settings with which a
# light may be turned on to nothing.
_NOT_ALONE: Final = frozenset({"set_percentage", "set_temperature", "turn_on"})
_DIMS: Final = ("brightness", "profile", "white")


@dataclass(frozen=True, slots=True)
class Helper:
    """An entity that runs actions or acts on others. None: that cannot be read."""

    actions: Mapping[str, Sequence[Any]] | None = field(default_factory=dict)
    """The steps of each, by its name."""
    members: Sequence[str] | None = ()


def helper_of(hass: HomeAssistant, entity_id: str) -> Helper | None:
    """Return what an entity runs or acts on, None if neither."""
    entity = internals.entity_of(hass, entity_id)
    match internals.integration_of(entity):
        case "template" | "wake_on_lan":
            return Helper(internals.actions_of_helper(entity))
        case "universal":
            players = internals.players_of_player(entity)
            # A template chooses among all of them.
            every = hass.states.async_entity_ids("media_player")
            return Helper(
                internals.actions_of_helper(entity),
                every if players is None else players,
            )
        case "generic_hygrostat" | "generic_thermostat" | "switch" | "switch_as_x":
            switch = internals.switch_of_helper(entity)
            return Helper(members=None if switch is None else [switch])
        case "group":
            return Helper(members=internals.members_of_group(hass, entity_id))
    members = internals.members_of_group(hass, entity_id)
    return None if members is None else Helper(members=members)


class Reach:
    """What actions on entities, and steps of scripts, do in the end."""

    def __init__(
        self,
        hass: HomeAssistant,
        effects: Iterable[Effect] = (),
        steps: Sequence[Any] = (),
    ) -> None:
        self.effects: list[Effect] = []
        """On single entities; a group's members and the group itself."""
        self.unknown = False
        """There is more that cannot be foreseen."""
        self._hass = hass
        self._followed: set[tuple[str, str, str]] = set()
        for effect in effects:
            self._follow(effect)
        self._follow_steps(steps)

    def _follow(self, effect: Effect) -> None:
        self.effects.append(effect)
        key = (effect.entity_id, effect.service, str(effect.data))
        if effect.service == NOTHING or key in self._followed:
            return
        self._followed.add(key)
        match effect.domain, effect.service:
            case "script", "turn_on" | "toggle" | "change":
                steps = internals.steps_of_script(self._hass, effect.entity_id)
                # A script that is not there may be there by then.
                self.unknown |= steps is None
                self._follow_steps(steps or ())
            case "scene", _:
                self._follow_scene(effect.entity_id)
            case "group", _:
                # One that is not there may be there by then.
                self.unknown |= self._hass.states.get(effect.entity_id) is None
                for member in expand_entity_ids(self._hass, [effect.entity_id]):
                    self._follow(replace(effect, entity_id=member))
            case domain, _:
                if domain == "media_player" and _is_spoken(effect.data):
                    self.unknown = True
                if helper := helper_of(self._hass, effect.entity_id):
                    self._follow_helper(helper, effect)

    def _follow_scene(self, entity_id: str) -> None:
        states = internals.states_of_scene(self._hass, entity_id)
        if states is not None:
            for state in states:
                self._follow(effect_of_state(self._hass, state))
            return
        # A scene of a device's own integration: it can do what its devices can.
        entities = er.async_get(self._hass)
        entry = entities.async_get(entity_id)
        if entry is None or entry.config_entry_id is None:
            # Nobody knows whose it is; it may also be made on the way.
            self.unknown = True
            return
        for other in er.async_entries_for_config_entry(entities, entry.config_entry_id):
            if other.domain != "scene":
                self._follow(Effect(other.entity_id, CHANGE))

    def _follow_helper(self, helper: Helper, effect: Effect) -> None:
        """Follow its action of that name, or any that may be meant, and its members."""
        actions, members = helper.actions, helper.members
        if actions is None or members is None:
            self.unknown = True
            return
        service = effect.meaning.removeprefix("alarm_")
        dims = any(key.startswith(_DIMS) for key in map(str, effect.data))
        if service in actions and service not in _NOT_ALONE:
            actions, members = {service: actions[service]}, ()
        elif members and service not in (*actions, CHANGE, "toggle"):
            # What it has no action for is handed on.
            actions = {}
        for name, steps in actions.items():
            if dims or (service, name) != ("turn_on", "turn_off"):
                self._follow_steps(steps)
        for member in members:
            if split_entity_id(member)[0] == effect.domain:
                self._follow(replace(effect, entity_id=member))
            # What is a door itself is judged as that, and its switch is the same door.
            elif domain_of(effect.domain).harmless is None:
                self._follow(Effect(member, CHANGE))

    def _follow_steps(self, steps: Any) -> None:
        for step in steps if isinstance(steps, list | tuple) else cv.ensure_list(steps):
            if not isinstance(step, Mapping):
                self.unknown = True
            elif step.get("enabled") is not False:
                self._follow_step(step)

    def _follow_step(self, step: Mapping[str, Any]) -> None:
        try:
            kind = cv.determine_script_action(dict(step))
        except ValueError:
            kind = ""
        if kind == "call_service":
            self._follow_call(step)
        elif kind == "scene":
            self._follow(Effect(step["scene"], "turn_on"))
        elif kind == "device":
            self._follow_device_action(step)
        elif kind in _BRANCHES:
            for branch in _BRANCHES[kind]:
                self._follow_steps(step.get(branch))
        elif kind not in _IDLE:
            self.unknown = True

    def _follow_device_action(self, step: Mapping[str, Any]) -> None:
        entities = er.async_get(self._hass)
        named = entities.async_get(str(step.get("entity_id")))
        service = str(step.get("type", CHANGE))
        for entry in (
            [named]
            if named
            else er.async_entries_for_device(entities, str(step["device_id"]))
        ):
            services = domain_of(entry.domain).device_actions
            self._follow(Effect(entry.entity_id, services.get(service, service), step))

    def _follow_call(self, step: Mapping[str, Any]) -> None:
        action = step.get("action", step.get("service"))
        # In the order in which Home Assistant lets one replace the other.
        parts = [step.get(key) for key in ("data", "data_template", "target")]
        parts += [{"entity_id": step["entity_id"]}] if "entity_id" in step else []
        data = {
            key: part[key]
            for part in parts
            if isinstance(part, Mapping)
            for key in part
        }
        # A template that is a whole part, or a key: all may be in it.
        whole = [part for part in parts if not isinstance(part, Mapping)]
        is_open = any(map(_has_template, (*data, *whole)))
        if not isinstance(action, str) or _has_template(action):
            self.unknown = True
            return
        domain, _, service = action.strip().lower().partition(".")
        if self._is_unforeseeable(domain, service, data, is_open):
            self.unknown = True
        elif domain == "script" and service not in _SCRIPT_SERVICES:
            # Its entity may have another name.
            entities = er.async_get(self._hass)
            entity_id = entities.async_get_entity_id("script", "script", service)
            self._follow(Effect(entity_id or f"script.{service}", "turn_on", data))
        elif domain == "scene" and service in ("apply", "create"):
            self._follow_states(data)
        else:
            for entity_id in self._targets(domain, data, is_open):
                own, done = split_entity_id(entity_id)[0], service
                if domain == "tts" and own == "media_player":
                    done = "play_media"
                elif domain == "homeassistant" and service in _GENERIC:
                    is_there = self._hass.services.has_service(own, service)
                    done = service if is_there or own == "group" else NOTHING
                self._follow(Effect(entity_id, done, data))

    def _is_unforeseeable(
        self, domain: str, service: str, data: Mapping[Any, Any], is_open: bool
    ) -> bool:
        is_alike = domain in _ALIKE and service not in _OF_DATA
        action = f"{domain}.{service}"
        if action in UNFORESEEABLE or (is_open and not is_alike):
            return True
        texts = [] if domain in (*DOMAINS, *CONTAINERS) else [service]
        if action in _SENT:
            texts = texts_of(data)
        if any(map(_opens, texts)):
            return True
        if action in ("conversation.process", f"{DOMAIN}.ask"):
            agent = self._hass.states.get(str(data.get("agent_id")))
            features = agent.attributes.get("supported_features") if agent else None
            return features is None or bool(
                features & ConversationEntityFeature.CONTROL
            )
        if action == "ai_task.generate_data":
            return not internals.is_task_without_tools(self._hass, data, DOMAIN)
        if domain == "notify":
            # A phone takes commands there.
            free = ("message", "title")
            return _has_template([data[key] for key in data if key not in free])
        return service == "play_media" and _has_template(
            [data.get(key) for key in _MEDIA]
        )

    def _follow_states(self, data: Mapping[Any, Any]) -> None:
        """Follow what brings the states of a scene on the way about."""
        others = data.get("snapshot_entities")
        self.unknown |= _has_template([data.get("entities"), others])
        try:
            for state in STATES_SCHEMA(data.get("entities", {})).values():
                self._follow(effect_of_state(self._hass, state))
        except probatio.Invalid:
            self.unknown = True
        for entity_id in self._entity_ids(others):
            # It will be brought back to a state that it has by then.
            self._follow(Effect(entity_id, CHANGE))

    def _targets(
        self, domain: str, data: Mapping[Any, Any], is_open: bool
    ) -> Iterator[str]:
        hass = self._hass
        selection = {key: data[key] for key in _TARGET_KEYS if key in data}
        players = data.get("media_player_entity_id")
        if is_open or _has_template([selection, players]):
            self.unknown |= domain not in _ALIKE
            if domain in _ALIKE:
                more = ["media_player"] if domain == "tts" else []
                yield from hass.states.async_entity_ids([domain, *more])
            return
        named = self._entity_ids(selection.get("entity_id"))
        if named == ENTITY_MATCH_ALL:
            only = None if domain in ("homeassistant", "group") else domain
            yield from hass.states.async_entity_ids(only)
            return
        selection["entity_id"] = [*named, *self._entity_ids(players)]
        found = async_extract_referenced_entity_ids(
            hass,
            TargetSelection(selection),
            expand_group=False,
            primary_entities_only=False,
        )
        yield from found.referenced
        # An area holds entities of any kind. A service takes those of its own; one of
        # an integration without any entities may take all.
        takes_all = not hass.states.async_entity_ids_count(domain)
        for item in found.indirectly_referenced - found.referenced:
            if takes_all or split_entity_id(item)[0] in (domain, "group"):
                yield item

    def _entity_ids(self, value: Any) -> Sequence[str]:
        """Return entity ids as Home Assistant reads them, or its word for all."""
        try:
            found = cv.comp_entity_ids_or_uuids(value)
            if isinstance(found, str):
                return found if found == ENTITY_MATCH_ALL else ()
            return er.async_validate_entity_ids(er.async_get(self._hass), found)
        except probatio.Invalid:
            self.unknown = True
            return ()


def _has_template(value: Any) -> bool:
    if isinstance(value, Template):
        return True
    if isinstance(value, Mapping):
        return any(map(_has_template, (*value, *value.values())))
    if isinstance(value, list | tuple | set):
        return any(map(_has_template, value))
    return isinstance(value, str) and is_template_string(value)


def _opens(text: str) -> bool:
    words = re.sub(r"[^\w]|_|(?<=[a-z])(?=[A-Z])", " ", text)
    return speak_of([words]) and not _CLOSES.search(words)


def _is_spoken(data: Mapping[str, Any]) -> bool:
    media = data.get("media")
    kind = (media if isinstance(media, Mapping) else data).get("media_content_type")
    return str(kind).strip().lower() in _SPOKEN_MEDIA
