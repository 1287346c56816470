"""The steps of a script, and what the service that a step calls acts on.

Only steps that can run are yielded: in every branch, but none that is disabled, and no
condition. Syntax that we do not know is caught elsewhere: Home Assistant says
which entities a script mentions.

Targets are found with Home Assistant's own helpers. Where a template chooses the target,
or what is done, it cannot be foreseen, apart from a few domains whose services do the
same kind of thing to whatever it is: there the call counts for all that the home has.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from homeassistant.components.conversation import ConversationEntityFeature
from homeassistant.const import ENTITY_MATCH_ALL, ENTITY_MATCH_NONE
from homeassistant.core import HomeAssistant, State, split_entity_id, valid_entity_id
from homeassistant.helpers import config_validation as cv, entity_registry as er
from homeassistant.helpers.group import expand_entity_ids
from homeassistant.helpers.target import (
    TargetSelection,
    async_extract_referenced_entity_ids,
)
from homeassistant.helpers.template import Template, is_template_string

from .effects import CHANGE, NOTHING, Effect, effect_of_state

# Where the steps of a step stand.
_BRANCHES: Final = [
    "sequence",
    "then",
    "else",
    "default",
    "choose",
    "parallel",
    "repeat",
]
_CONDITIONS: Final = ("conditions", "if", "while", "until", "wait_for_trigger")
_TARGET_KEYS: Final = ("entity_id", "device_id", "area_id", "floor_id", "label_id")
# Hand a sentence to another assistant, run what cannot be looked into, or make a group
# anew: what that does cannot be foreseen.
_UNFORESEEABLE: Final = frozenset(
    {
        "alexa_devices.send_text_command",
        "assist_satellite.ask_question",
        "assist_satellite.start_conversation",
        "automation.trigger",
        "google_assistant_sdk.send_text_command",
        "group.set",
    }
)
# Sentences, or what stands for them, where a player takes media (Amazon's).
_SPOKEN_MEDIA: Final = frozenset({"custom", "routine", "sequence", "skill"})
# The domains whose services do the same to whatever a template chooses, and what else
# these may reach by it.
_ALIKE: Final[Mapping[str, tuple[str, ...]]] = {
    "fan": ("fan",),
    "light": ("light",),
    "media_player": ("media_player",),
    "tts": ("tts", "media_player"),
}
# What of such a domain is still another thing with other data.
_OF_DATA: Final = frozenset({"play_media", "select_source", "select_sound_mode"})
# Services of Home Assistant that call those of each entity's domain.
_GENERIC: Final = frozenset({"turn_on", "turn_off", "toggle"})
# Services of scripts that are no script's name.
_SCRIPT_SERVICES: Final = frozenset({"turn_on", "turn_off", "toggle", "reload"})


def is_spoken(media: Mapping[str, Any]) -> bool:
    """Return whether what is to be played is a sentence for another assistant."""
    return str(media.get("media_content_type")).strip().lower() in _SPOKEN_MEDIA


class ServiceCall:
    """A call of a service, and what comes of it."""

    def __init__(
        self, hass: HomeAssistant, action: str, parts: Iterable[object]
    ) -> None:
        """Take the service and its data, of which each part may be a template."""
        self._hass = hass
        self._action = action
        self._domain, _, self._service = action.partition(".")
        self._data: dict[Any, Any] = {}
        self._is_open = False
        for part in parts:
            if isinstance(part, Mapping):
                self._data |= part
            elif part is not None:
                # A template: all may be in it.
                self._is_open = True
        self._is_open |= any(map(has_template, self._data))
        self.unknown = False
        """There is more that cannot be foreseen, known when `effects` has ended."""

    def effects(self) -> Iterator[Effect]:
        """Yield what is done to single entities, or to groups, when others have."""
        if self._is_unforeseeable():
            self.unknown = True
        elif self._domain == "script" and self._service not in _SCRIPT_SERVICES:
            yield self._later(self._script(), "turn_on")
        elif self._domain == "scene" and self._service in ("apply", "create"):
            yield from self._states(self._data.get("entities", {}))
            named = cv.ensure_list(self._data.get("snapshot_entities"))
            for entity_id in self._entity_ids(named):
                # It will be brought back to a state that it has by then.
                yield self._later(entity_id, CHANGE)
        elif self._domain == "homeassistant" and self._service in _GENERIC:
            for entity_id in expand_entity_ids(self._hass, list(self._targets())):
                domain = split_entity_id(entity_id)[0]
                is_there = self._hass.services.has_service(domain, self._service)
                yield self._later(entity_id, self._service if is_there else NOTHING)
        else:
            for entity_id in self._targets():
                speaks = self._domain == "tts" and entity_id.startswith("media_player.")
                service = "play_media" if speaks else self._service
                yield self._later(entity_id, service)
            players = cv.ensure_list(self._data.get("media_player_entity_id"))
            for entity_id in () if has_template(players) else self._entity_ids(players):
                yield self._later(entity_id, "play_media")

    def _later(self, entity_id: str, service: str) -> Effect:
        return Effect(entity_id, service, self._data, at_once=False)

    def _is_unforeseeable(self) -> bool:
        """Return whether the call cannot be foreseen, whatever its targets are."""
        data = self._data
        if self._action in _UNFORESEEABLE:
            return True
        if self._action == "conversation.process":
            return self._is_open or self._controls(data.get("agent_id"))
        if self._domain == "notify":
            # A phone takes commands there.
            more = {key: data[key] for key in data if key not in ("message", "title")}
            return self._is_open or has_template(more)
        if self._service == "play_media":
            media = data.get("media")
            media = {**data, **media} if isinstance(media, Mapping) else data
            content_type = media.get("media_content_type")
            chosen = [content_type, media.get("media_content_id")]
            return (
                self._is_open
                or has_template([chosen, media.get("media")])
                or is_spoken(media)
            )
        is_alike = self._domain in _ALIKE and self._service not in _OF_DATA
        return self._is_open and not is_alike

    def _controls(self, agent_id: Any) -> bool:
        state = self._hass.states.get(agent_id) if isinstance(agent_id, str) else None
        features = state.attributes.get("supported_features", 0) if state else None
        return features is None or bool(features & ConversationEntityFeature.CONTROL)

    def _script(self) -> str:
        """Return the script that is called by its name; its entity may have another."""
        entity_id = er.async_get(self._hass).async_get_entity_id(
            "script", "script", self._service
        )
        return entity_id or f"script.{self._service}"

    def _states(self, states: Any) -> Iterator[Effect]:
        """Yield what brings the states about that a scene asks for."""
        if not isinstance(states, Mapping):
            self.unknown = True
            return
        for entity_id, wanted in states.items():
            if has_template(wanted) or not valid_entity_id(str(entity_id)):
                self.unknown = True
                continue
            attributes = wanted if isinstance(wanted, Mapping) else {"state": wanted}
            state = attributes.get("state")
            # YAML reads on and off as truth values.
            if isinstance(state, bool):
                state = "on" if state else "off"
            yield effect_of_state(
                self._hass, State(entity_id, str(state), dict(attributes))
            )

    def _targets(self) -> Iterator[str]:
        hass, domain = self._hass, self._domain
        selection = {key: self._data[key] for key in _TARGET_KEYS if key in self._data}
        players = self._data.get("media_player_entity_id")
        if self._is_open or has_template([selection, players]):
            if domain in _ALIKE:
                yield from hass.states.async_entity_ids(_ALIKE[domain])
            else:
                self.unknown = True
            return
        named = cv.ensure_list(selection.get("entity_id"))
        if any(str(item).strip().lower() == ENTITY_MATCH_ALL for item in named):
            only = None if domain in ("homeassistant", "group") else domain
            yield from hass.states.async_entity_ids(only)
            return
        selection["entity_id"] = list(self._entity_ids(named))
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

    def _entity_ids(self, named: Iterable[Any]) -> Iterator[str]:
        """Yield entity ids as Home Assistant reads them: any case, lists in texts."""
        entities = er.async_get(self._hass)
        for text in named:
            for item in str(text).split(",") if text is not None else ():
                # A registry id stands for an entity id too.
                written = item.strip().lower()
                if entity_id := er.async_resolve_entity_id(entities, written):
                    yield entity_id
                elif written not in ("", ENTITY_MATCH_NONE):
                    self.unknown = True


def steps_of(value: Any) -> Iterator[Mapping[str, Any]]:
    """Yield the steps among some, and those of their branches."""
    for step in value if isinstance(value, list | tuple) else [value]:
        if not isinstance(step, Mapping) or _is_idle(step):
            continue
        yield step
        for branch in _BRANCHES:
            yield from steps_of(step.get(branch))


def action_of(step: Mapping[str, Any]) -> Any:
    """Return the service that a step calls, None if it calls none."""
    return step.get("action", step.get("service", step.get("service_template")))


def only_looked_at(value: Any) -> Iterator[str]:
    """Yield the entities that a script only looks at, or names where it never goes."""
    if isinstance(value, list | tuple):
        for step in value:
            yield from only_looked_at(step)
    elif isinstance(value, Mapping):
        if _is_idle(value):
            yield from _entity_ids(value)
        for key, item in value.items():
            if key in _CONDITIONS:
                yield from _entity_ids(item)
            else:
                yield from only_looked_at(item)


def has_template(value: Any) -> bool:
    """Return whether there is a template anywhere in a value, or in its keys."""
    if isinstance(value, Template):
        return True
    if isinstance(value, Mapping):
        return any(map(has_template, (*value, *value.values())))
    if isinstance(value, list | tuple | set):
        return any(map(has_template, value))
    return isinstance(value, str) and is_template_string(value)


def _is_idle(step: Mapping[str, Any]) -> bool:
    return "condition" in step or step.get("enabled") is False


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
