"""A call of an intent: what Home Assistant's handler will do with it.

Name, area, floor, domain and device class are matched with Home Assistant's own
matching, against a chosen set of entities. That set may be small: an entity is matched
by what it is itself, so nothing is missed by leaving others out.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from hassil.recognize import RecognizeResult
from homeassistant.components import conversation
from homeassistant.components.climate import ClimateEntityFeature
from homeassistant.core import Context, HomeAssistant, State, split_entity_id
from homeassistant.helpers import (
    area_registry as ar,
    entity_registry as er,
    floor_registry as fr,
    intent,
    llm,
)
from homeassistant.helpers.target import (
    TargetSelection,
    async_extract_referenced_entity_ids,
)
import probatio

from ..internals import default_agent, steps_of_intent, turns_on_or_off
from .domains import DOMAINS
from .effects import NOTHING, Effect
from .speaker import Speaker

# These name timers, not entities.
TIMERS: Final = frozenset(
    {
        intent.INTENT_START_TIMER,
        intent.INTENT_CANCEL_TIMER,
        intent.INTENT_CANCEL_ALL_TIMERS,
        intent.INTENT_INCREASE_TIMER,
        intent.INTENT_DECREASE_TIMER,
        intent.INTENT_PAUSE_TIMER,
        intent.INTENT_UNPAUSE_TIMER,
        intent.INTENT_TIMER_STATUS,
    }
)
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
_LOUDER: Final = "HassSetVolumeRelative"
_TOGGLE: Final = intent.INTENT_TOGGLE
# The domains with services that Home Assistant's own intents call.
_FORESEEABLE: Final = frozenset({"homeassistant", "lawn_mower", *DOMAINS})
# The slot of a timer's delayed command.
COMMAND: Final = "conversation_command"
TARGET_SLOTS: Final = ("name", "area", "floor", "domain", "device_class")


class UnforeseeableError(Exception):
    """What a command will do cannot be foreseen."""


@dataclass(frozen=True, slots=True)
class IntentCall:
    """A call of an intent, as its handler will read it."""

    handler: intent.IntentHandler
    slots: Mapping[str, Any]
    llm_context: llm.LLMContext
    is_later: bool = False
    """It is carried out some time: other things may have a name by then."""

    @property
    def is_exact(self) -> bool:
        """Return whether the handler is known to act on all that matches, now."""
        return (
            not self.is_later
            and isinstance(self.handler, intent.DynamicServiceIntentHandler)
            and type(self.handler).async_handle
            is intent.DynamicServiceIntentHandler.async_handle
        )

    @property
    def has_targets(self) -> bool:
        """Return whether the call acts on entities."""
        if not self.is_about_entities:
            return False
        return not self.is_exact or self._constraints().has_constraints

    @property
    def is_about_entities(self) -> bool:
        """Return whether the intent is about entities, named or not."""
        if self.handler.intent_type in TIMERS or self.is_scripted:
            return False
        return (
            self._owner in _DOMAINS
            or isinstance(self.handler, intent.DynamicServiceIntentHandler)
            or any(slot in self.slots for slot in TARGET_SLOTS)
        )

    @property
    def is_scripted(self) -> bool:
        """Return whether it is an intent script: it does what its author wrote."""
        return steps_of_intent(self.handler) is not None

    @property
    def is_foreseeable(self) -> bool:
        """Return whether the handler is one of Home Assistant's own."""
        module = type(self.handler).__module__
        if module == intent.__name__:
            # Any integration may use this class for a service that it defines.
            return getattr(self.handler, "domain", None) in _FORESEEABLE
        return module.startswith("homeassistant.components.")

    @property
    def is_for_all(self) -> bool:
        """Return whether it turns things on or off of which it names none, nor a kind.

        Buttons, scenes, scripts, and what lets somebody in, are not meant by that.
        """
        return (
            (turns_on_or_off(self.handler) or self.handler.intent_type == _TOGGLE)
            and not self.is_later
            and self._slot("name") in (None, "all")
            and not self._slot("domain")
            and not self._slot("device_class")
        )

    @property
    def places(self) -> list[str]:
        """Return the names of the area and of the floor that it is about."""
        return [str(name) for name in map(self._slot, ("area", "floor")) if name]

    @property
    def _is_of_players_that_play(self) -> bool:
        """Return whether, of several players, only those are meant that play."""
        return (
            self.handler.intent_type == _LOUDER
            and not self.is_later
            and self._slot("name") is None
        )

    @property
    def _owner(self) -> str:
        """Return the integration that the handler is from."""
        module = type(self.handler).__module__.rpartition(".intent")[0]
        return module.rpartition(".")[2]

    def match(
        self, hass: HomeAssistant, among: list[State] | None = None
    ) -> list[State]:
        """Return the entities that match, of some or of all."""
        if among is not None and not among:
            # Home Assistant takes an empty list for all entities.
            return []
        of_players = self._is_of_players_that_play
        found = intent.async_match_targets(
            hass,
            self._constraints(),
            self._preferences(),
            hass.states.async_all("media_player") if of_players else among,
        ).states
        if not of_players:
            return found
        if len(found) > 1:
            found = [state for state in found if state.state == "playing"]
        return [state for state in found if among is None or state in among]

    def likely(self, hass: HomeAssistant) -> list[State]:
        """Return few entities among which all that match usually are.

        Comparing a home's every name and area takes longer than anything else the gate
        does. Good enough to say what else a call is about, not to judge it.
        """
        name = str(self._slot("name") or "").strip().casefold()
        if name and name != "all":
            entries = er.async_get(hass).entities.values()
            aliased = {
                entry.entity_id
                for entry in entries
                if any(str(alias).casefold() == name for alias in entry.aliases)
            }
            return [
                state
                for state in hass.states.async_all()
                if state.name.casefold() == name
                or state.entity_id in aliased
                or state.entity_id == name
            ]
        selection: dict[str, list[str]] = {}
        if area := self._slot("area"):
            areas = intent.find_areas(area, ar.async_get(hass))
            selection["area_id"] = [item.id for item in areas]
        elif floor := self._slot("floor"):
            floors = intent.find_floors(floor, fr.async_get(hass))
            selection["floor_id"] = [item.floor_id for item in floors]
        else:
            return hass.states.async_all(self._slot("domain"))
        found = async_extract_referenced_entity_ids(
            hass, TargetSelection(selection), primary_entities_only=False
        )
        return [
            state
            for entity_id in found.indirectly_referenced
            if (state := hass.states.get(entity_id))
        ]

    def effect_on(self, hass: HomeAssistant, state: State) -> Effect:
        """Return what the handler does to an entity."""
        service = _SERVICES.get(self.handler.intent_type, "change")
        if isinstance(self.handler, intent.DynamicServiceIntentHandler):
            context = self.llm_context
            try:
                _, service = self.handler.get_domain_and_service(
                    intent.Intent(
                        hass,
                        context.platform,
                        self.handler.intent_type,
                        dict(self.slots),
                        None,
                        context.context or Context(),
                        context.language or hass.config.language,
                        context.assistant,
                        context.device_id,
                    ),
                    state,
                )
            except intent.IntentError:
                return Effect(state.entity_id, NOTHING)
            if self._is_refused(hass, state, service):
                return Effect(state.entity_id, NOTHING)
            if service == "turn_on" and self.values.get("brightness") == 0:
                service = "turn_off"
        names = _SETTINGS if state.domain == "light" else {}
        data = {names.get(key, key): value for key, value in self.values.items()}
        return Effect(state.entity_id, service, data)

    def _is_refused(self, hass: HomeAssistant, state: State, service: str) -> bool:
        """Return whether Home Assistant turns no such thing on or off (its intents)."""
        if self.is_later or not turns_on_or_off(self.handler):
            return False
        if state.domain in ("button", "input_button"):
            return service == "turn_off"
        return state.domain not in ("cover", "lock", "valve") and (
            not hass.services.has_service(state.domain, service)
        )

    @property
    def values(self) -> dict[str, Any]:
        """Return the slots without what only says which entities are meant."""
        return {
            name: slot["value"]
            for name, slot in self.slots.items()
            if name not in TARGET_SLOTS and not name.startswith("preferred_")
        }

    def narrowed(self, arguments: Mapping[str, Any], entity_id: str) -> dict[str, Any]:
        """Return the arguments for one of the targets alone."""
        return {
            **{key: arguments[key] for key in arguments if key not in TARGET_SLOTS},
            "name": entity_id,
            # Home Assistant compares fewer names with it.
            "domain": [split_entity_id(entity_id)[0]],
        }

    def _slot(self, name: str) -> Any:
        return self.slots.get(name, {}).get("value")

    def _constraints(self) -> intent.MatchTargetsConstraints:
        name = self._slot("name")
        domains = self._slot("domain") or getattr(
            self.handler, "required_domains", None
        )
        dynamic = isinstance(self.handler, intent.DynamicServiceIntentHandler)
        # Elsewhere an area may be something else, like the one that is to be cleaned.
        in_area = dynamic or self._owner in _IN_AREA
        wanted = intent.MatchTargetsConstraints(
            name=None if name == "all" else name,
            area_name=self._slot("area") if in_area else None,
            floor_name=self._slot("floor") if in_area else None,
            domains=set(domains) if domains else None,
            assistant=self.llm_context.assistant,
        )
        if dynamic:
            wanted.device_classes = set(self._slot("device_class") or ()) or None
        elif self._owner in _DOMAINS:
            wanted.domains = {self._owner}
        if self.is_exact:
            wanted.features = getattr(self.handler, "required_features", None)
            wanted.states = getattr(self.handler, "required_states", None)
        elif not self.is_later and self.handler.intent_type in _SERVICES:
            # Home Assistant refuses a call that fits several thermostats.
            wanted.features = ClimateEntityFeature.TARGET_TEMPERATURE
            wanted.single_target = True
        else:
            # Rather too many than too few.
            wanted.allow_duplicate_names = True
        return wanted

    def _preferences(self) -> intent.MatchTargetsPreferences:
        return intent.MatchTargetsPreferences(
            area_id=self._slot("preferred_area_id"),
            floor_id=self._slot("preferred_floor_id"),
        )


def read_intent(
    hass: HomeAssistant,
    tool: llm.Tool,
    arguments: Mapping[str, Any],
    llm_context: llm.LLMContext,
) -> IntentCall | None:
    """Return what a call means to its intent handler, None if it is no intent."""
    if not isinstance(tool, llm.IntentTool):
        return None
    slots = {
        name: {"value": value}
        for name, value in arguments.items()
        if not intent.is_blank_slot_value(value)
    }
    preferences = llm.async_get_match_preferences(hass, llm_context)
    for name, value in (
        ("preferred_area_id", preferences.area_id),
        ("preferred_floor_id", preferences.floor_id),
    ):
        if value and name in (tool.extra_slots or ()):
            slots[name] = {"value": value}
    return _intent_call(hass, tool.intent_type, slots, llm_context)


async def async_is_command(hass: HomeAssistant, speaker: Speaker) -> bool:
    """Return whether Home Assistant's own agent would understand a sentence."""
    sentence, language = speaker.sentence, speaker.language
    try:
        return await _async_recognize(hass, sentence, language, None) is not None
    except UnforeseeableError:
        return True


async def async_read_command(
    hass: HomeAssistant, command: str, llm_context: llm.LLMContext
) -> IntentCall | None:
    """Return what a sentence means to Home Assistant's own agent.

    That agent carries out a timer's delayed command. None if it does not understand
    it. Raises UnforeseeableError where a sentence trigger would take it, or an intent
    of which nobody knows whose it is.
    """
    language = llm_context.language or hass.config.language
    result = await _async_recognize(hass, command, language, llm_context.device_id)
    if result is None:
        return None
    slots = {
        entity.name: {"value": entity.value} for entity in result.entities.values()
    }
    if COMMAND in slots:
        # A timer that carries a command in turn.
        raise UnforeseeableError
    call = _intent_call(hass, result.intent.name, slots, llm_context)
    if call is None:
        return None
    if not call.is_foreseeable:
        raise UnforeseeableError
    return replace(call, is_later=True)


async def _async_recognize(
    hass: HomeAssistant, sentence: str, language: str, device_id: str | None
) -> RecognizeResult | None:
    """Return what Home Assistant's own agent understands."""
    if (agent := default_agent(hass)) is None:
        return None
    user_input = conversation.ConversationInput(
        text=sentence,
        context=Context(),
        conversation_id=None,
        device_id=device_id,
        satellite_id=None,
        language=language,
        agent_id=conversation.HOME_ASSISTANT_AGENT,
    )
    if await agent.async_recognize_sentence_trigger(user_input) is not None:
        raise UnforeseeableError
    result = await agent.async_recognize_intent(user_input)
    return None if result is None or result.unmatched_entities else result


def _intent_call(
    hass: HomeAssistant,
    intent_type: str,
    slots: dict[str, Any],
    llm_context: llm.LLMContext,
) -> IntentCall | None:
    handler = next(
        (item for item in intent.async_get(hass) if item.intent_type == intent_type),
        None,
    )
    if handler is None:
        return None
    try:
        slots = handler.async_validate_slots(slots)
    except probatio.Invalid:
        # The handler will refuse it, so it has no target and does no harm.
        slots = {}
    return IntentCall(handler, slots, llm_context)
