"""Set: turn on or off, open, close or set one or many things with one call.

`set.toml` has a row for each setting: the service, and the values that it takes.
"""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
import re
import tomllib
from typing import Any, Final, NamedTuple, override

from homeassistant.components.light import brightness_supported
from homeassistant.const import STATE_UNAVAILABLE, UnitOfTemperature
from homeassistant.core import HomeAssistant, State
from homeassistant.exceptions import HomeAssistantError
import probatio

from ..const import DOMAIN
from ..gate.effects import DOMAINS, Effect, domain_of, number_of, value_of
from ..gate.mention import behind_all
from ..gate.names import entity_area, name_of, option_name, own_names_of, speak_of
from ..gate.own_tool import Arguments, Wording
from ..gate.reach import Reach
from ..gate.speaker import area_of
from ..gate.verify import has_answered
from ..languages import language_of
from ..text import as_compared
from .ability import ActingAbility, ActionPlan, can, schema, texts
from .finder import WAYS, Found, UnclearError, nearest, texts_given

_MAX_NAMES: Final = 3
# What is part of everything: of switches only outlets and lamps.
_EVERYTHING: Final = ("fan", "light", "media_player", "switch")
_OPENED: Final = ("cover", "lock", "valve")
_SERVICES: Final = {
    "lawn_mower": {"on": "start_mowing", "off": "dock"},
    "vacuum": {"on": "start", "off": "return_to_base"},
    "lock": {"open": "unlock", "close": "lock", "on": "lock", "off": "unlock"},
}
# What is turned on and off where its kind or name is said.
_SWITCHED: Final = [name for name, row in DOMAINS.items() if row.is_switched]
_SET: Final = "set"
# What a service takes instead of one of its options: any number, or one in percent.
_NUMBERS: Final = ("number", "percent")
_UP: Final = re.compile(r"bright|loud|warm|hot|high|\bup|more|increas|rais|open|\+")
_DOWN: Final = re.compile(
    r"dark|dim|quiet|soft|cool|cold|low|down|less|decreas|reduc|clos|minus|[-−]\s*\d"
)
_LISTS: Final[dict[str, Any]] = dict.fromkeys((*WAYS, "except"), list)
_NUMBER: Final = re.compile(r"\d+(?:[.,]\d+)?")
_RANGE: Final = ("target_temp_low", "target_temp_high")
# A step of what does not say its own.
_FINEST: Final = 0.1

type _Change = Effect | str | None
"""What is done to a thing, why it cannot be done, or None if it is so already."""


class _Row(NamedTuple):
    """A setting of the things of a domain (`set.toml`)."""

    words: Sequence[str]
    domain: str
    service: str
    options: str | Sequence[str] | Mapping[str, Any]
    feature: int = 0
    key: str = ""
    attribute: str = ""
    scale: float = 1
    limits: Sequence[str | int] = (0, 100, 1)
    step: float = 0
    active: str = ""

    @property
    def shown(self) -> Sequence[str]:
        """Return the attribute that shows the value, and the service's key for it."""
        own = (self.attribute, self.key)
        return domain_of(self.domain).values.get(self.service, own)

    def is_of(self, state: State) -> bool:
        if self.domain != state.domain or not can(state, self.feature):
            return False
        if self.key == "brightness_pct":
            return brightness_supported(state.attributes.get("supported_color_modes"))
        return self.options in _NUMBERS or bool(self.options_of(state))

    def options_of(self, state: State) -> Mapping[str, Any]:
        """Return the values that it takes, by the words for them."""
        options = self.options
        if isinstance(options, str):
            options = state.attributes.get(options) or ()
        if isinstance(options, Mapping):
            return options
        return {str(item): item for item in options}


_FILE: Final = Path(__file__).with_suffix(".toml")
_ROWS: Final = tuple(
    _Row(**row) for row in tomllib.loads(_FILE.read_text(encoding="utf-8"))["rows"]
)
_SETTINGS: Final = tuple(dict.fromkeys(row.words[0] for row in _ROWS))


class Set(ActingAbility):
    """Acts on all that is of some kinds, in some places, with exceptions."""

    name = f"{DOMAIN}__set"
    title = "Switch and set devices"
    description = (
        "Turn on or off, open, close or set one or many devices: to a value (a wrong one "
        "lists the possible ones) or by a step (+10, -2, warmer). except: what stays. "
        "kind: domain or device class. area may be here. Doors only by name. A mood or "
        "scene without a name here is several calls."
    )
    parameters = schema(
        *(f"setting: {'|'.join(_SETTINGS)}", "to", "by"),
        action=probatio.In(["on", "off", "open", "close", _SET]),
        **_LISTS,
    )
    replaces = frozenset(
        {
            "climate__HassClimateSetTemperature",
            # Home Assistant's own name for it.
            "humidifier__HassHumidifierMode",
            "intent__HassSetPosition",
            "media_player__HassSetVolume",
            "media_player__HassSetVolumeRelative",
        }
    )

    @override
    def question(self, arguments: Arguments) -> Wording | None:
        """Ask about everything, unless the person says so or it is set nearby."""
        effects = self.planned(arguments).effects
        is_everything = not any(texts_given(arguments, way) for way in WAYS)
        if len(effects) < 2 or not is_everything or self.is_for_all(arguments):
            return None
        speaker = self.context.speaker
        area = speaker and area_of(self.hass, speaker)
        places = (entity_area(self.hass, effect.entity_id) for effect in effects)
        is_said = any(arguments.get(key) for key in (*WAYS, "except"))
        if arguments.get("action", _SET) == _SET and (
            is_said or (area and all(place == area for place in places))
        ):
            return None
        if len(effects) <= _MAX_NAMES:
            return Wording()
        values = {(effect.phrase, value_of(self.hass, effect)) for effect in effects}
        phrase, value = values.pop() if len(values) == 1 else ("do_change", "")
        return Wording(phrase, name=str(len(effects)), value=value)

    @override
    def is_for_all(self, arguments: Arguments) -> bool:
        speaker = self.context.speaker
        if arguments.get("action") != "off" or speaker is None or not speaker.is_person:
            return False
        if any(texts_given(arguments, way) for way in WAYS):
            return False
        return bool(behind_all(speaker.sentence, language_of(speaker.language)))

    @override
    def plan(self, arguments: Arguments) -> ActionPlan:
        given, action = texts(arguments), arguments.get("action") or _SET
        is_power = given.get("name") and given.get("setting") in ("power", "state")
        if is_power and given.get("to") in ("on", "off"):
            action = given.pop("to")
        if action != _SET and ("to" in given or "by" in given):
            raise UnclearError('A value or a step needs the action "set".')
        setting = as_compared(given.get("setting", ""))
        to, by = given.get("to", ""), given.get("by", "")
        is_option = to != "" and not to[0].isdigit()
        finder = self.finder(self.exposed(*_domains(action, setting, "name" in given)))
        found = finder.find(arguments, nearby=action == _SET, doors=is_option)
        for name, ids in found.several.items():
            if len(texts_given(arguments, "name")) > 1:
                things = " or ".join(f"{name_of(self.hass, i)} ({i})" for i in ids)
                raise UnclearError(f"{name} may be {things}. Ask which.")
        if action == _SET:
            changes = _set(self.hass, found, setting, to, by)
            if is_option:
                # What does not know it is not meant.
                changes = {x: y for x, y in changes.items() if isinstance(y, Effect)}
        else:
            is_ahead = self.context.is_ahead
            changes = {item: _switched(item, action, is_ahead) for item in found.states}
        skipped: list[str] = []
        if action in ("on", "off") and not texts_given(arguments, "kind"):
            others = [item for item in changes if not _is_usual(self.hass, item, found)]
            changed = [item for item in others if changes.pop(item)]
            skipped = [item.name for item in changed if item.domain not in _OPENED]
        gone = (item for item in changes if item.state == STATE_UNAVAILABLE)
        changes |= dict.fromkeys(gone, "is not available")
        effects = [item for item in changes.values() if isinstance(item, Effect)]
        effects = _without_groups(self.hass, effects, found)
        already = [item for item in changes if changes[item] is None]
        # An option without a name or place is for one of them.
        is_for_one = is_option and not any(texts_given(arguments, way) for way in WAYS)
        failed = [f"{x.name} {y}" for x, y in changes.items() if isinstance(y, str)]
        return ActionPlan(
            tuple(effects),
            failed=tuple(failed),
            details={
                "left_as_they_are": skipped,
                "already_so": [] if effects else [item.name for item in already],
            },
            is_choice=len(effects) > 1 and bool(found.several or is_for_one),
        )


def _domains(action: str, setting: str, has_name: bool) -> Iterable[str]:
    if action in ("open", "close"):
        return _OPENED
    if action != _SET:
        return (*_SWITCHED, *_SERVICES, *_OPENED)
    rows = [row for row in _ROWS if has_name or not setting or setting in row.words]
    if not rows:
        known = nearest(setting, _SETTINGS)
        raise HomeAssistantError(f"There is no setting {setting}. {known}")
    return {row.domain: None for row in rows}


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


def _switched(state: State, action: str, is_ahead: bool) -> _Change:
    usual = {"on": "turn_on", "off": "turn_off"}.get(action, f"{action}_{state.domain}")
    effect = Effect(state.entity_id, _SERVICES.get(state.domain, {}).get(action, usual))
    is_so = has_answered(state, effect)
    if effect.meaning.startswith("open_"):
        # Halfway open is not open.
        is_so &= state.attributes.get("current_position") in (None, 100)
    return None if is_so and not is_ahead else effect


def _without_groups(
    hass: HomeAssistant, effects: Sequence[Effect], found: Found
) -> list[Effect]:
    meant = {effect.entity_id for effect in effects} | {*found.excepted}
    kept = []
    for effect in effects:
        reached = Reach(hass, [effect]).effects
        members = {item.entity_id for item in reached} - {effect.entity_id}
        is_named = effect.entity_id in found.named
        if is_named and not members.isdisjoint(found.excepted):
            name = name_of(hass, effect.entity_id)
            raise UnclearError(f"{name} has an exception in it. Name its members.")
        if is_named or members.isdisjoint(meant):
            kept.append(effect)
    return kept


def _set(
    hass: HomeAssistant, found: Found, setting: str, to: str, by: str
) -> dict[State, _Change]:
    """Return what sets things `to` a value or changes them `by` a step, or why not."""
    if bool(to) is bool(by):
        raise UnclearError('Say "to" or "by".')
    meant = {state: _meant(state, setting, by) for state in found.states}
    able = {state: rows for state, rows in meant.items() if rows}
    if not able:
        has = [row.words[0] for state in meant for row in _rows_of(state)]
        problem = f"It has no {setting or 'such value'}."
        colors = " HassLightSet sets colors." if "color" in setting else ""
        raise HomeAssistantError(f"{problem} {nearest(setting, has)}{colors}")
    if not setting and len({state.domain for state in able}) > 1:
        raise UnclearError('Say one "setting".')
    if (by or setting == "volume") and len(able) > 1:
        is_down = bool(to or _DOWN.search(by.casefold()))
        able = {
            state: rows
            for state, rows in able.items()
            if state.state == rows[0].active
            or (is_down and state.entity_id in found.named)
        } or able
    changes: dict[State, _Change] = {
        state: _effect(hass, state, rows, to, by) for state, rows in able.items()
    }
    reasons = [f"{x.name} {why}" for x, why in changes.items() if isinstance(why, str)]
    if to and len(reasons) == len(changes):
        raise HomeAssistantError(reasons[0])
    unable = (x for x in meant if not meant[x] and x.entity_id in found.named)
    return changes | dict.fromkeys(unable, f"has no {setting}")


def _rows_of(state: State) -> list[_Row]:
    return [row for row in _ROWS if row.is_of(state)]


def _meant(state: State, setting: str, by: str) -> list[_Row]:
    """Return the settings that a word stands for; a select or number has only one."""
    rows = [row for row in _rows_of(state) if not by or row.options in _NUMBERS]
    named = [row for row in rows if not setting or setting in row.words]
    return named or [row for row in rows if row.words[0] in ("option", "value")]


def _effect(
    hass: HomeAssistant, state: State, rows: Sequence[_Row], to: str, by: str
) -> Effect | str:
    reason, text = "", as_compared(to)
    for row in rows:
        if row.options in _NUMBERS:
            found = _number(hass, state, row, to, by)
            if isinstance(found, Effect):
                return found
            reason = reason or found
        shown, key = row.shown
        known: dict[str, Any] = {}
        for word, item in row.options_of(state).items():
            option = option_name(hass, state.entity_id, shown, word)
            known |= {as_compared(option): item, as_compared(word): item}
        value = known.get(text, known.get(text.removesuffix("ing")))
        if value is not None:
            data = {key: value} if key else {}
            return Effect(state.entity_id, row.service.format(value), data)
    options = [word for row in rows for word in row.options_of(state)]
    return reason or f"does not take {to}. {nearest(to, options)}"


def _number(
    hass: HomeAssistant, state: State, row: _Row, to: str, by: str
) -> Effect | str:
    attributes, (shown, key) = state.attributes, row.shown
    is_lamp, is_off = row.domain == "light", state.state in ("off", STATE_UNAVAILABLE)
    low, high, unit = (
        item if isinstance(item, int) else float(attributes.get(item, _FINEST))
        for item in row.limits
    )
    values = {key: attributes.get(shown) if shown else state.state}
    if row.domain == "climate" and values[key] is None:
        values = {item: attributes.get(item) for item in _RANGE}
    read = {item: number_of(value) for item, value in values.items()}
    now = {item: x * row.scale for item, x in read.items() if x is not None}
    if to:
        number = _read(hass, state, row, to)
        if number is None or not low <= number <= high:
            return f'takes numbers from {low:g} to {high:g}; a step goes into "by".'
        if now and key not in now:
            return "has a range of temperatures"
        changed = {key: number}
    else:
        step = _step_of(hass, row, unit, by)
        if is_lamp and is_off and step > 0:
            now = {key: 0}
        elif is_off or not now:
            return "is off" if is_off else f"does not say its {row.words[0]}"
        # What is dimmed stays on.
        low = 1 if is_lamp else low
        changed = {
            item: min(max(round(round((value + step) / unit) * unit, 2), low), high)
            for item, value in now.items()
        }
        if changed == now:
            return "is at its limit"
    if is_lamp and not changed[key]:
        return Effect(state.entity_id, "turn_off")
    if key == "volume_level":
        changed[key] /= 100
    data = {item: int(x) if x == int(x) else x for item, x in changed.items()}
    return Effect(state.entity_id, row.service, data)


def _read(hass: HomeAssistant, state: State, row: _Row, text: str) -> float | None:
    """Return the number in a text like "2,5 kW", "30 %" or, of one, "0.3"."""
    degrees = hass.config.units.temperature_unit if row.domain == "climate" else ""
    unit = state.attributes.get("unit_of_measurement") or degrees
    # 1,000 may be one, or a thousand.
    written = re.sub(r",(?!\d{3}\b)", ".", text).removesuffix(unit)
    number = number_of(written.rstrip("%° "))
    if number and row.options == "percent" and 0 < number < 1:
        number *= 100
    return number


def _step_of(hass: HomeAssistant, row: _Row, unit: float, text: str) -> float:
    """Return the step that a text like "+10 %", "-2" or "a bit warmer" means."""
    text, usual = text.casefold(), row.step or unit
    is_degrees, units = row.domain == "climate", hass.config.units
    if is_degrees and units.temperature_unit == UnitOfTemperature.FAHRENHEIT:
        usual *= 2
    number = _NUMBER.search(text)
    if number and not (is_degrees and "%" in text):
        usual = float(number[0].replace(",", "."))
        if row.options == "percent" and usual < 1:
            # A share, as Home Assistant counts volume.
            usual *= 100
    usual = max(usual, unit)
    if _DOWN.search(text):
        return -usual
    if number or _UP.search(text):
        return usual
    raise UnclearError('Say in "by" how far, like "+10" or "-10".')
