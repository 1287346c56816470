"""Many: turn on, turn off, open, close or set several things with one call.

Home Assistant's tools know no exceptions, no lists of places and, but for volume, no
steps. What is meant is found in `finder.py`, what is set in `steps.py`.
"""

from collections.abc import Sequence
from typing import Any, Final, override

from homeassistant.components.climate import ClimateEntityFeature
from homeassistant.components.media_player import MediaPlayerEntityFeature
from homeassistant.const import STATE_UNAVAILABLE
from homeassistant.core import HomeAssistant, State
import probatio

from ..const import DOMAIN
from ..gate.doors import speak_of
from ..gate.effects import Effect
from ..gate.names import entity_area, name_of, own_names_of
from ..gate.own_tool import Arguments, Wording
from ..gate.reach import reach_of
from ..gate.speaker import area_of
from ..gate.verify import has_answered
from .acting import ActingAbility, ActionPlan
from .finder import WAYS, Finder, Found, UnclearError, texts_given
from .steps import SETTINGS, effect_of, step_of

# What is part of everything: of switches only outlets and lamps.
_EVERYTHING: Final = ("fan", "light", "media_player", "switch")
# What is turned on and off beside it, where its kind or name is said.
_SWITCHED: Final = (
    *_EVERYTHING,
    "climate",
    "humidifier",
    "input_boolean",
    "lawn_mower",
    "remote",
    "siren",
    "vacuum",
    "water_heater",
)
_OPENED: Final = ("cover", "lock", "valve")
_SERVICES: Final = {
    "lawn_mower": {"on": "start_mowing", "off": "dock"},
    "vacuum": {"on": "start", "off": "return_to_base"},
    "lock": {"open": "unlock", "close": "lock", "on": "lock", "off": "unlock"},
}
# Not all of these can be turned on and off.
_FEATURES: Final = {
    "climate": ClimateEntityFeature,
    "media_player": MediaPlayerEntityFeature,
}


class Many(ActingAbility):
    """Acts on all that is of some kinds, in some places, but for some of it."""

    name = f"{DOMAIN}__many"
    title = "Many devices"
    description = (
        "Turn on or off, open, close or set one or many devices, to a value or by a step "
        "(by: +10, -2, warmer). except: what stays. kind: domain or device class. area "
        "may be here. Doors only by name."
    )
    parameters = probatio.Schema(
        {
            probatio.Required("action"): probatio.In(
                ["on", "off", "open", "close", "set"]
            ),
            **{
                probatio.Optional(key): list
                for key in ("name", "area", "floor", "kind", "except")
            },
            probatio.Optional("setting"): probatio.In(list(SETTINGS)),
            probatio.Optional("to"): probatio.Coerce(float),
            probatio.Optional("by"): str,
        }
    )
    replaces = frozenset(
        {
            "climate__HassClimateSetTemperature",
            "intent__HassSetPosition",
            "media_player__HassSetVolume",
            "media_player__HassSetVolumeRelative",
        }
    )

    @override
    def question(self, hass: HomeAssistant, arguments: Arguments) -> Wording | None:
        """Return how many things everything is.

        To set all that has a setting may be meant: it is where one speaks, or said.
        """
        plan = self.planned(hass, arguments)
        is_everything = not any(texts_given(arguments, way) for way in WAYS)
        if len(plan.effects) < 2 or not is_everything:
            return None
        if arguments["action"] != "set":
            return Wording(plan.effects[0].phrase, value=str(len(plan.effects)))
        speaker = self.context.speaker
        area = speaker and area_of(hass, speaker.satellite_id, speaker.device_id)
        places = (entity_area(hass, effect.entity_id) for effect in plan.effects)
        is_said = any(arguments.get(key) for key in (*WAYS, "except"))
        if is_said or (area and all(place == area for place in places)):
            return None
        return Wording("do_change", value=str(len(plan.effects)))

    @override
    def plan(self, hass: HomeAssistant, arguments: Arguments) -> ActionPlan:
        action = arguments["action"]
        if action != "set" and (arguments.get("to") or arguments.get("by")):
            raise UnclearError('A value or a step needs the action "set".')
        there = self.exposed(hass, *_domains(arguments))
        finder = Finder(hass, there, self.context.speaker)
        found = finder.find(arguments, nearby=action == "set", doors=False)
        for name, ids in found.several.items():
            if len(texts_given(arguments, "name")) > 1:
                things = " or ".join(f"{name_of(hass, i)} ({i})" for i in ids)
                raise UnclearError(f"{name} may be {things}. Ask which.")
        changes: dict[State, Effect | str | None]
        if action == "set":
            changes = _set(hass, found, arguments)
        else:
            is_ahead = self.context.is_ahead
            changes = {item: _switched(item, action, is_ahead) for item in found.states}
        left: list[str] = []
        if action in ("on", "off") and not texts_given(arguments, "kind"):
            others = [item for item in changes if not _is_usual(hass, item, found)]
            left = [
                item.name
                for item in others
                if isinstance(changes.pop(item), Effect) and item.domain not in _OPENED
            ]
        gone = (item for item in changes if item.state == STATE_UNAVAILABLE)
        changes |= dict.fromkeys(gone, "is not available")
        effects = [item for item in changes.values() if isinstance(item, Effect)]
        effects = _without_groups(hass, effects, found)
        already = [item for item in changes if changes[item] is None]
        told: dict[str, Any] = {
            "not_done": [
                f"{item.name} {why}"
                for item, why in changes.items()
                if isinstance(why, str)
            ],
            "left_as_they_are": left,
            "already_so": [] if effects else [item.name for item in already],
        }
        return ActionPlan(
            tuple(effects),
            details=told,
            already=tuple(item.entity_id for item in already),
            is_choice=bool(found.several) and len(effects) > 1,
        )


def _domains(arguments: Arguments) -> list[str]:
    action, setting = arguments["action"], arguments.get("setting")
    if action == "set":
        rows = [SETTINGS[setting]] if setting else SETTINGS.values()
        return [domain for domains, _ in rows for domain in domains]
    return [*_OPENED] if action in ("open", "close") else [*_SWITCHED, *_OPENED]


def _is_usual(hass: HomeAssistant, state: State, found: Found) -> bool:
    """Return whether a thing is part of everything, or is meant by its name."""
    return state.entity_id in found.named or (
        state.domain in _EVERYTHING
        and (
            state.domain != "switch"
            or state.attributes.get("device_class") == "outlet"
            or speak_of(own_names_of(hass, state.entity_id), "light")
        )
    )


def _switched(state: State, action: str, is_ahead: bool) -> Effect | str | None:
    """Return what turns a thing on or off, opens or closes it; None if it is so.

    What `is_ahead` may not be so any more by then.
    """
    usual = {"on": "turn_on", "off": "turn_off"}.get(action, f"{action}_{state.domain}")
    service = _SERVICES.get(state.domain, {}).get(action, usual)
    effect = Effect(state.entity_id, service)
    features = state.attributes.get("supported_features", 0)
    known = _FEATURES.get(state.domain)
    if known and not features & known[effect.service.upper()]:
        return f"cannot be turned {action}"
    is_so = has_answered(state, effect)
    if effect.meaning.startswith("open_"):
        # Halfway open is not open.
        is_so &= state.attributes.get("current_position") in (None, 100)
    return None if is_so and not is_ahead else effect


def _set(
    hass: HomeAssistant, found: Found, arguments: Arguments
) -> dict[State, Effect | str | None]:
    """Return what sets each thing to a value, or moves it on by a step.

    Of several things a step is for the lamps that are on, and the players that play.
    """
    to, text, states = arguments.get("to"), arguments.get("by", ""), found.states
    here = {state.domain for state in states}
    fitting = [key for key, (some, _) in SETTINGS.items() if not here.isdisjoint(some)]
    setting = arguments.get("setting") or fitting[0]
    if len(fitting) != 1 or (to is None) is (not text):
        raise UnclearError('Say one "setting", and "to" or "by".')
    if to is not None and to < 0 and setting != "temperature":
        raise UnclearError('"to" is from 0 to 100; a step goes into "by".')
    by = 0.0 if to is not None else step_of(hass, setting, text)
    active = {"brightness": "on", "volume": "playing"}.get(setting)
    if to is None and len(states) > 1 and active:
        states = [
            state
            for state in states
            if state.state == active or (by < 0 and state.entity_id in found.named)
        ] or states
    return {state: effect_of(state, setting, to=to, by=by) for state in states}


def _without_groups(
    hass: HomeAssistant, effects: Sequence[Effect], found: Found
) -> list[Effect]:
    """Return the effects without those of groups, where their members are meant.

    A group with an exception in it would act on that too: one that was named is not
    turned into some of its members.
    """
    meant = {effect.entity_id for effect in effects} | {*found.excepted}
    kept = []
    for effect in effects:
        members = members_of(hass, effect)
        is_named = effect.entity_id in found.named
        if is_named and members & {*found.excepted}:
            name = name_of(hass, effect.entity_id)
            raise UnclearError(f"{name} has an exception in it. Name its members.")
        if is_named or not members & meant:
            kept.append(effect)
    return kept


def members_of(hass: HomeAssistant, effect: Effect) -> set[str]:
    """Return the ids of what an action on a group, or its like, acts on."""
    reached = {item.entity_id for item in reach_of(hass, [effect]).effects}
    return reached - {effect.entity_id}
