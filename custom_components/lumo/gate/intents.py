"""What Home Assistant's handler will do with a call of an intent.

Names, areas, floors, domains and device classes are matched by Home Assistant itself.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final

from homeassistant.components.climate import ClimateEntityFeature
from homeassistant.components.homeassistant.exposed_entities import async_should_expose
from homeassistant.core import Context, HomeAssistant, State, split_entity_id
from homeassistant.helpers import area_registry as ar, intent, llm
from homeassistant.util.color import COLORS
import probatio

from ..internals import Steps, steps_of_intent, turns_on_or_off
from .effects import CHANGE, NOTHING, Effect
from .names import given_in, named_in_part
from .places import Scope

# These name timers, not entities: whether one that somebody relies on then rings late,
# or never.
TIMERS: Final[Mapping[str, bool]] = {
    intent.INTENT_START_TIMER: False,
    intent.INTENT_CANCEL_TIMER: True,
    intent.INTENT_CANCEL_ALL_TIMERS: True,
    intent.INTENT_INCREASE_TIMER: False,
    intent.INTENT_DECREASE_TIMER: True,
    intent.INTENT_PAUSE_TIMER: True,
    intent.INTENT_UNPAUSE_TIMER: False,
    intent.INTENT_TIMER_STATUS: False,
}
_SERVICES: Final = {"HassClimateSetTemperature": "set_temperature"}
# What a lamp is set to: a slot -> how the action names it.
_SETTINGS: Final = {
    "brightness": "brightness_pct",
    "color": "color_name",
    "temperature": "color_temp_kelvin",
}
# The domains whose intents find their targets in another way.
_DOMAINS: Final = frozenset({"climate", "humidifier", "media_player", "todo", "vacuum"})
_IN_AREA: Final = frozenset({"climate", "media_player"})
# The slot of a timer's delayed command.
COMMAND: Final = "conversation_command"
TARGET_SLOTS: Final = ("name", "area", "floor", "domain", "device_class")


@dataclass(frozen=True)
class IntentCall:
    """A call of an intent, as its handler will read it."""

    hass: HomeAssistant
    handler: intent.IntentHandler
    slots: Mapping[str, Any]
    llm_context: llm.LLMContext
    is_later: bool = False
    """It runs at a later time: what must be playing may play by then."""
    scope: Scope | None = None
    """What may not be read does not exist."""
    is_invalid: bool = False
    """Its handler will refuse it, so it has no target and does no harm."""

    @property
    def _is_dynamic(self) -> bool:
        return isinstance(self.handler, intent.DynamicServiceIntentHandler)

    @property
    def is_exact(self) -> bool:
        """Return whether the handler acts on all that matches, and on nothing else."""
        handle = intent.DynamicServiceIntentHandler.async_handle
        return self._is_dynamic and type(self.handler).async_handle is handle

    @property
    def has_targets(self) -> bool:
        """Return whether the call acts on entities."""
        if self.handler.intent_type in TIMERS or self.steps is not None:
            return False
        if self.is_invalid:
            return False
        if self.is_exact:
            return self._constraints().has_constraints
        return (
            self._is_dynamic
            or self._owner in _DOMAINS
            or not self.slots.keys().isdisjoint(TARGET_SLOTS)
        )

    @property
    def steps(self) -> Steps | None:
        """Return the steps of an intent script, None for any other intent."""
        return steps_of_intent(self.handler)

    @property
    def is_for_all(self) -> bool:
        """Return whether it turns things on or off, but names none and no kind."""
        return self.is_for_many and not (
            self.slots.get("domain") or self.slots.get("device_class")
        )

    @property
    def is_for_many(self) -> bool:
        """Return whether it turns things on or off, of no or several domains."""
        toggles = self.handler.intent_type == intent.INTENT_TOGGLE
        return (
            (toggles or turns_on_or_off(self.handler))
            and self._name is None
            and len(self.slots.get("domain") or ()) != 1
        )

    @property
    def places(self) -> list[str]:
        """Return the names of its area and its floor."""
        return [str(name) for name in map(self.slots.get, ("area", "floor")) if name]

    @property
    def _owner(self) -> str:
        return type(self.handler).__module__.rpartition(".intent")[0].rpartition(".")[2]

    @cached_property
    def matched(self) -> list[State]:
        """Return the states of the entities that match."""
        found = self._match(self._constraints())
        # Louder is, of several players, only what plays.
        plays = (
            self.handler.intent_type == "HassSetVolumeRelative"
            and not self.is_later
            and self.slots.get("name") is None
        )
        if plays and len(found) > 1:
            found = [state for state in found if state.state == "playing"]
        return found

    def _match(self, wanted: intent.MatchTargetsConstraints) -> list[State]:
        among = [
            item
            for item in self._there
            if not wanted.domains or item.domain in wanted.domains
        ]
        if not among:
            # Home Assistant takes an empty list for all entities.
            return []
        preferences = intent.MatchTargetsPreferences(
            area_id=self.slots.get("preferred_area_id"),
            floor_id=self.slots.get("preferred_floor_id"),
        )
        return intent.async_match_targets(self.hass, wanted, preferences, among).states

    @cached_property
    def _there(self) -> list[State]:
        """Return what may be meant; Home Assistant compares names of hidden things too."""
        assistant, scope = self.llm_context.assistant, self.scope
        return [
            item
            for item in self.hass.states.async_all()
            if not assistant
            or async_should_expose(self.hass, assistant, item.entity_id)
            if scope is None or scope.reads(item.entity_id)
        ]

    def choices(self) -> list[Effect]:
        """Return what it would do to several things of its name: it would be refused."""
        wanted, name = self._constraints(), str(self._name or "")
        if (
            not (self.is_exact or wanted.single_target)
            or not (name or wanted.single_target)
            # It is Home Assistant's word for everything, if it is not written so.
            or name.casefold() == "all"
            # Of several, where it wants one, it tells all.
            or (self.matched and not (wanted.single_target and self.matched[1:]))
        ):
            return []
        several = replace(wanted, allow_duplicate_names=True, single_target=False)
        found = self._match(several)
        areas = ar.async_get(self.hass)
        if not found and name and not any(intent.find_areas(name, areas)):
            found = self.named_in_part(name)
        effects = [
            effect for effect in map(self.effect_on, found) if effect.service != NOTHING
        ]
        return effects if len(effects) > 1 else []

    def named_in_part(self, name: str) -> list[State]:
        """Return what it may be for, and has a name that this is a part of."""
        several = replace(self._constraints(), name=None, allow_duplicate_names=True)
        others = self._match(replace(several, single_target=False))
        return named_in_part(self.hass, name, others)

    def effect_on(self, state: State) -> Effect:
        """Return what the handler does to an entity."""
        service = _SERVICES.get(self.handler.intent_type, CHANGE)
        if isinstance(self.handler, intent.DynamicServiceIntentHandler):
            context = self.llm_context
            call = intent.Intent(
                self.hass,
                context.platform,
                self.handler.intent_type,
                {name: {"value": value} for name, value in self.slots.items()},
                None,
                context.context or Context(),
                context.language or self.hass.config.language,
                context.assistant,
                context.device_id,
            )
            try:
                _, service = self.handler.get_domain_and_service(call, state)
            except intent.IntentError:
                return Effect(state.entity_id, NOTHING)
            if self._is_refused(state, service):
                return Effect(state.entity_id, NOTHING)
            if service == "turn_on" and self.values.get("brightness") == 0:
                service = "turn_off"
        names = _SETTINGS if state.domain == "light" else {}
        data = {names.get(key, key): value for key, value in self.values.items()}
        if color := data.get("color_name"):
            # Home Assistant has made red, green and blue of it.
            found = (name for name, rgb in COLORS.items() if rgb == color)
            data["color_name"] = next(found, color)
        return Effect(state.entity_id, service, data)

    def _is_refused(self, state: State, service: str) -> bool:
        """Return whether Home Assistant's intents turn no such thing on or off."""
        if not turns_on_or_off(self.handler):
            return False
        if state.domain in ("button", "input_button"):
            return service == "turn_off"
        return state.domain not in ("cover", "lock", "valve") and (
            not self.hass.services.has_service(state.domain, service)
        )

    @property
    def values(self) -> dict[str, Any]:
        """Return the slots that do not say which entities are meant."""
        return {
            name: value
            for name, value in self.slots.items()
            if name not in TARGET_SLOTS and not name.startswith("preferred_")
        }

    def narrowed(self, arguments: Mapping[str, Any], entity_id: str) -> dict[str, Any]:
        """Return the arguments for one of the targets alone."""
        rest = {key: arguments[key] for key in arguments if key not in TARGET_SLOTS}
        if self.is_exact:
            # Home Assistant compares fewer names with it.
            rest["domain"] = [split_entity_id(entity_id)[0]]
        return {**rest, "name": entity_id}

    @property
    def _name(self) -> Any:
        name = self.slots.get("name")
        return None if name == "all" else name

    def _constraints(self) -> intent.MatchTargetsConstraints:
        domains = self.slots.get("domain") or getattr(
            self.handler, "required_domains", None
        )
        # Elsewhere an area may be something else, like the one that is to be cleaned.
        in_area = self._is_dynamic or self._owner in _IN_AREA
        wanted = intent.MatchTargetsConstraints(
            name=self._name,
            area_name=self.slots.get("area") if in_area else None,
            floor_name=self.slots.get("floor") if in_area else None,
            domains=set(domains) if domains else None,
            assistant=self.llm_context.assistant,
        )
        if self._is_dynamic:
            wanted.device_classes = set(self.slots.get("device_class") or ()) or None
        elif self._owner in _DOMAINS:
            wanted.domains = {self._owner}
        if self.is_exact:
            wanted.features = getattr(self.handler, "required_features", None)
            if not self.is_later:
                wanted.states = getattr(self.handler, "required_states", None)
        elif self.handler.intent_type in _SERVICES:
            # Home Assistant refuses a call that fits several thermostats.
            wanted.features = ClimateEntityFeature.TARGET_TEMPERATURE
            wanted.single_target = True
        else:
            # Rather too many than too few.
            wanted.allow_duplicate_names = True
        return wanted


def read_intent(
    hass: HomeAssistant,
    tool: llm.Tool,
    arguments: Mapping[str, Any],
    llm_context: llm.LLMContext,
    scope: Scope | None = None,
) -> IntentCall | None:
    """Return what a call means to its intent handler, None if it is no intent."""
    if not isinstance(tool, llm.IntentTool):
        return None
    slots = {name: {"value": value} for name, value in given_in(arguments).items()}
    preferences = llm.async_get_match_preferences(hass, llm_context)
    for name, value in (
        ("preferred_area_id", preferences.area_id),
        ("preferred_floor_id", preferences.floor_id),
    ):
        if value and name in (tool.extra_slots or ()):
            slots[name] = {"value": value}
    for handler in intent.async_get(hass):
        if handler.intent_type == tool.intent_type:
            found = IntentCall(hass, handler, {}, llm_context, scope=scope)
            try:
                slots = handler.async_validate_slots(slots)
            except probatio.Invalid:
                return replace(found, is_invalid=True)
            values = {name: slot["value"] for name, slot in slots.items()}
            return replace(found, slots=values)
    return None
