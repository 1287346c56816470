"""Many: turn on, turn off, open, close or set several things with one call.

A step is from each thing's own value, in percent or in the home's degrees.
"""

from collections.abc import Sequence
import re
from typing import Any, Final, NamedTuple, override

from homeassistant.components.light import brightness_supported
from homeassistant.const import STATE_UNAVAILABLE, UnitOfTemperature
from homeassistant.core import HomeAssistant, State
import probatio

from ..const import DOMAIN
from ..gate.effects import Effect, number_of, value_of
from ..gate.mention import words_of
from ..gate.names import entity_area, name_of, own_names_of, speak_of
from ..gate.own_tool import Arguments, Wording
from ..gate.reach import reach_of
from ..gate.speaker import area_of
from ..gate.verify import has_answered
from ..languages import language_of
from ..languages.words import phrases
from .acting import ActingAbility, ActionPlan
from .finder import WAYS, Found, UnclearError, texts_given

_MAX_NAMES: Final = 3
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


class Setting(NamedTuple):
    """What can be set, on which domains."""

    domains: tuple[str, ...]
    step: float
    attribute: str
    one: float = 1
    """What one percent of it is."""
    active: str = ""
    """With several things a step is for those in this state."""


SETTINGS: Final = {
    "brightness": Setting(("light",), 20, "brightness", 2.55, "on"),
    "volume": Setting(("media_player",), 10, "volume_level", 0.01, "playing"),
    "temperature": Setting(("climate",), 1, "temperature"),
    "position": Setting(("cover", "valve"), 20, "current_position"),
}
_UP: Final = re.compile(r"bright|loud|warm|hot|high|\bup|more|increas|rais|open|\+")
_DOWN: Final = re.compile(
    r"dark|dim|quiet|soft|cool|cold|low|down|less|decreas|reduc|clos|minus|[-−]\s*\d"
)
_NUMBER: Final = re.compile(r"\d+(?:[.,]\d+)?")
_RANGE: Final = ("target_temp_low", "target_temp_high")


class Many(ActingAbility):
    """Acts on all that is of some kinds, in some places, with exceptions."""

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
    # Home Assistant takes no notice of the one, and nobody says the other.
    hides = {
        f"HassMedia{name}": "is_volume_muted" if "Player" in name else "device_class"
        for name in (
            "PlayerMute",
            "PlayerUnmute",
            "Next",
            "Previous",
            "Pause",
            "Unpause",
        )
    }

    @override
    def question(self, hass: HomeAssistant, arguments: Arguments) -> Wording | None:
        """Ask about everything, unless the person says so or it is set nearby."""
        effects = self.planned(hass, arguments).effects
        is_everything = not any(texts_given(arguments, way) for way in WAYS)
        if len(effects) < 2 or not is_everything or self.is_for_all(hass, arguments):
            return None
        speaker = self.context.speaker
        area = speaker and area_of(hass, speaker.satellite_id, speaker.device_id)
        places = (entity_area(hass, effect.entity_id) for effect in effects)
        is_said = any(arguments.get(key) for key in (*WAYS, "except"))
        if arguments["action"] == "set" and (
            is_said or (area and all(place == area for place in places))
        ):
            return None
        if len(effects) <= _MAX_NAMES:
            return Wording()
        values = {(effect.phrase, value_of(hass, effect)) for effect in effects}
        phrase, value = values.pop() if len(values) == 1 else ("do_change", "")
        return Wording(phrase, name=str(len(effects)), value=value)

    @override
    def is_for_all(self, hass: HomeAssistant, arguments: Arguments) -> bool:
        speaker = self.context.speaker
        if arguments["action"] != "off" or speaker is None or not speaker.is_person:
            return False
        if any(texts_given(arguments, way) for way in WAYS):
            return False
        language = language_of(speaker.language)
        said = f" {' '.join(words_of(speaker.sentence))} "
        every = phrases(language.all_of.replace("#", ""))
        return any(f" {' '.join(words_of(phrase))} " in said for phrase in every)

    @override
    def plan(self, hass: HomeAssistant, arguments: Arguments) -> ActionPlan:
        action = arguments["action"]
        if action != "set" and (arguments.get("to") or arguments.get("by")):
            raise UnclearError('A value or a step needs the action "set".')
        finder = self.finder(hass, *_domains(arguments))
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
        skipped: list[str] = []
        if action in ("on", "off") and not texts_given(arguments, "kind"):
            others = [item for item in changes if not _is_usual(hass, item, found)]
            skipped = [
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
            "left_as_they_are": skipped,
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
        return [domain for row in rows for domain in row.domains]
    return [*_OPENED] if action in ("open", "close") else [*_SWITCHED, *_OPENED]


def _is_usual(hass: HomeAssistant, state: State, found: Found) -> bool:
    return state.entity_id in found.named or (
        state.domain in _EVERYTHING
        and (
            state.domain != "switch"
            or state.attributes.get("device_class") == "outlet"
            or speak_of(own_names_of(hass, state.entity_id), "light")
        )
        and not speak_of(own_names_of(hass, state.entity_id), "always_on")
    )


def _switched(state: State, action: str, is_ahead: bool) -> Effect | str | None:
    """Return what turns a thing on or off, opens or closes it; None if it is so."""
    usual = {"on": "turn_on", "off": "turn_off"}.get(action, f"{action}_{state.domain}")
    service = _SERVICES.get(state.domain, {}).get(action, usual)
    effect = Effect(state.entity_id, service)
    is_so = has_answered(state, effect)
    if effect.meaning.startswith("open_"):
        # Halfway open is not open.
        is_so &= state.attributes.get("current_position") in (None, 100)
    return None if is_so and not is_ahead else effect


def _set(
    hass: HomeAssistant, found: Found, arguments: Arguments
) -> dict[State, Effect | str | None]:
    to, text, states = arguments.get("to"), arguments.get("by", ""), found.states
    here = {state.domain for state in states}
    fitting = [key for key, row in SETTINGS.items() if not here.isdisjoint(row.domains)]
    setting = arguments.get("setting") or fitting[0]
    if len(fitting) != 1 or (to is None) is (not text):
        raise UnclearError('Say one "setting", and "to" or "by".')
    if to is not None and to < 0 and setting != "temperature":
        raise UnclearError('"to" is from 0 to 100; a step goes into "by".')
    by = 0.0 if to is not None else _step_of(hass, setting, text)
    active = SETTINGS[setting].active
    if to is None and len(states) > 1 and active:
        states = [
            state
            for state in states
            if state.state == active or (by < 0 and state.entity_id in found.named)
        ] or states
    return {state: _effect_of(state, setting, to=to, by=by) for state in states}


def _without_groups(
    hass: HomeAssistant, effects: Sequence[Effect], found: Found
) -> list[Effect]:
    meant = {effect.entity_id for effect in effects} | {*found.excepted}
    kept = []
    for effect in effects:
        members = members_of(hass, effect)
        if effect.entity_id not in found.named:
            if members.isdisjoint(meant):
                kept.append(effect)
        elif members.isdisjoint(found.excepted):
            kept.append(effect)
        else:
            name = name_of(hass, effect.entity_id)
            raise UnclearError(f"{name} has an exception in it. Name its members.")
    return kept


def members_of(hass: HomeAssistant, effect: Effect) -> set[str]:
    """Return the ids of what an action on a group, or its like, acts on."""
    reached = {item.entity_id for item in reach_of(hass, [effect]).effects}
    return reached - {effect.entity_id}


def _step_of(hass: HomeAssistant, setting: str, text: str) -> float:
    """Return the step that a text like "+10 %", "-2" or "a bit warmer" means."""
    text, usual = text.casefold(), SETTINGS[setting].step
    is_degrees = setting == "temperature"
    unit = hass.config.units.temperature_unit
    if is_degrees and unit == UnitOfTemperature.FAHRENHEIT:
        usual *= 2
    number = _NUMBER.search(text)
    if number and not (is_degrees and "%" in text):
        usual = float(number[0].replace(",", "."))
        if not is_degrees and usual < 1:
            # A share, as Home Assistant counts volume.
            usual *= 100
    if _DOWN.search(text):
        return -usual
    if number or _UP.search(text):
        return usual
    raise UnclearError('Say in "by" how far, like "+10" or "-10".')


def _effect_of(
    state: State, setting: str, *, to: float | None, by: float
) -> Effect | str:
    """Return what sets a value, or changes it by a step; else why it cannot."""
    attributes, entity_id = state.attributes, state.entity_id
    has = not attributes.keys().isdisjoint((SETTINGS[setting].attribute, *_RANGE))
    if setting == "brightness":
        has = brightness_supported(attributes.get("supported_color_modes"))
    # A player that is off does not show its volume.
    if not has and setting != "volume":
        return f"has no {setting}"
    if setting == "temperature":
        return _warmed(state, to, by)
    is_lamp = setting == "brightness"
    if to is None:
        now = number_of(attributes.get(SETTINGS[setting].attribute))
        if is_lamp and state.state != "on":
            now = 0
        if now is None or (is_lamp and now == 0 and by < 0):
            return "is off" if state.state == "off" else f"does not say its {setting}"
        now = round(now / SETTINGS[setting].one)
        # What is dimmed stays on.
        value = min(max(now + by, 1 if is_lamp else 0), 100)
        if value == now:
            return f"is at {now} % already"
    else:
        value = min(to * 100 if to < 1 else to, 100)
    if setting == "volume":
        return Effect(entity_id, "volume_set", {"volume_level": value / 100})
    if setting == "position":
        service = f"set_{state.domain}_position"
        return Effect(entity_id, service, {"position": round(value)})
    if not value:
        return Effect(entity_id, "turn_off")
    return Effect(entity_id, "turn_on", {"brightness_pct": round(value)})


def _warmed(state: State, to: float | None, by: float) -> Effect | str:
    attributes, entity_id = state.attributes, state.entity_id
    one = number_of(attributes.get("temperature"))
    values = {
        key: value
        for key in (("temperature",) if one is not None else _RANGE)
        if (value := number_of(attributes.get(key))) is not None
    }
    if to is not None and one is None and values:
        return "has a range of temperatures"
    if to is not None:
        return Effect(entity_id, "set_temperature", {"temperature": to})
    if state.state == "off":
        return "is off"
    least, most = attributes.get("min_temp", -100), attributes.get("max_temp", 200)
    unit = number_of(attributes.get("target_temp_step")) or 0.1
    by = max(by, unit) if by > 0 else min(by, -unit)
    data = {
        key: min(max(round(round((value + by) / unit) * unit, 2), least), most)
        for key, value in values.items()
    }
    if not data or data == values:
        return "is at its limit" if data else "has no temperature to go from"
    return Effect(entity_id, "set_temperature", data)
