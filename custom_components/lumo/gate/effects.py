"""One action on one entity, as a service call: what is judged, said and verified.

What is known of each domain of Home Assistant are the rows of `domains.toml`.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
import re
import tomllib
from typing import Any, Final

from homeassistant.components.cover import CoverEntityFeature
from homeassistant.core import HomeAssistant, State, split_entity_id
from homeassistant.helpers import entity_registry as er

from .names import option_name, spoken


@dataclass(frozen=True, slots=True, kw_only=True)
class Domain:
    """What is known of a domain. Services are named without it."""

    harmless: Collection[str] | None = None
    """The services that make it safer or stop it; all others are sensitive. None:
    another rule decides, or nothing.
    """
    strengths: Mapping[str, int] = field(default_factory=dict)
    """A state -> how much it guards. Moving to a lower value is sensitive."""
    kind: str = ""
    """The kind of things (`kinds` of a language) that all its entities are."""
    transport: Collection[str] = ()
    """The services that anybody may call for what plays near them."""
    temperatures: Sequence[str] = ()
    """The keys of the temperatures that can be set."""
    highest: float | None = None
    """The highest harmless one in °C; None: the agent's range decides."""
    is_way_in: bool = False
    """Other entities on its device may open it too."""
    opens_beside: bool = False
    """On the device of a way in, any action on it may open that."""
    opens_by_name: bool = False
    """The same, but only if its own name speaks of a door."""
    on: str = "turn_on"
    off: str = "turn_off"
    """The services that "on" and "off" stand for (Home Assistant's intents)."""
    states: Mapping[str, str] = field(default_factory=dict)
    """A requested state -> the service that brings it about."""
    answers: Mapping[str, Collection[str]] = field(default_factory=dict)
    """A service -> the states that confirm it, including being on the way."""
    values: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """A service -> the attribute that shows the value (empty: the state), and the key
    of that value.
    """
    is_switched: bool = False
    is_restorable: bool = False
    """Home Assistant can reproduce its states (its reproduce_state.py)."""
    device_actions: Mapping[str, str] = field(default_factory=dict)
    """A device action that is named differently -> the service."""
    phrases: Mapping[str, str] = field(default_factory=dict)
    """A service -> the key of the words for it."""

    def phrase(self, service: str) -> str:
        """Return the key of the words for an action."""
        usual = "do_set_value" if service in self.values else "do_change"
        return self.phrases.get(service) or _PHRASES.get(service, usual)

    def meaning(self, service: str) -> str:
        """Return the service that "on" or "off" stands for, else the service."""
        return {"turn_on": self.on, "turn_off": self.off}.get(service, service)


_FILE: Final = Path(__file__).with_name("domains.toml").read_text(encoding="utf-8")
_TABLE: Final = tomllib.loads(_FILE)
_PHRASES: Final[Mapping[str, str]] = _TABLE.pop("usual_phrases")
UNFORESEEABLE: Final = frozenset(_TABLE.pop("unforeseeable"))
DOMAINS: Final = {name: Domain(**row) for name, row in _TABLE.items()}
_OTHER: Final = Domain()


def domain_of(name: str) -> Domain:
    """Return what is known of a domain."""
    return DOMAINS.get(name, _OTHER)


# Stands for no action at all.
NOTHING: Final = "nothing"
# Stands for any action.
CHANGE: Final = "change"
# Stands for showing the model what something shows.
LOOK: Final = "look"
# Somebody's phone, so that it is found.
RING: Final = "ring"
# What is set while something is turned on, and the keys of the words for it.
_SETTINGS: Final = {"brightness_pct": "do_set_brightness", "percentage": "do_set_speed"}
# What a lamp is set to beside its brightness, and the units behind them.
_COLORS: Final = {"color_name": "", "color_temp_kelvin": " K"}
# What can be louder, brighter or warmer: the attribute that shows it, in which parts.
_STEPS: Final = {
    "volume_level": ("volume_level", 1),
    "brightness_pct": ("brightness", 2.55),
    "temperature": ("temperature", 1),
}
# A number as scripts and models write it too.
_NUMBER: Final = re.compile(
    r"\s*(?:\{\{)?\s*([+-]?\d{1,9}(?:\.\d{1,9})?)\s*(?:\}\})?\s*"
)

_SAID_NUMBER: Final = re.compile(r"\d+(?:[.,]\d+)?")


@dataclass(frozen=True, slots=True)
class Effect:
    """One action on one entity."""

    entity_id: str
    service: str
    """Without its domain: `unlock`, `set_cover_position`."""
    data: Mapping[str, Any] = field(default_factory=dict)

    @property
    def domain(self) -> str:
        """Return the entity's domain."""
        return split_entity_id(self.entity_id)[0]

    @property
    def meaning(self) -> str:
        """Return the service that "on" or "off" stands for, else the service."""
        return domain_of(self.domain).meaning(self.service)

    @property
    def phrase(self) -> str:
        """Return the key of the words for it."""
        if self._colors:
            return "do_set_value"
        for key, phrase in _SETTINGS.items() if self.meaning == "turn_on" else ():
            if key in self.data:
                return phrase
        if self._volume_percent is not None:
            return "do_set_volume_to"
        if step := str(self.data.get("volume_step", "")):
            return "do_quieter" if step.startswith(("-", "down")) else "do_louder"
        if self.meaning == "play_media" and self.value:
            return "do_play_what"
        return domain_of(self.domain).phrase(self.meaning)

    @property
    def _colors(self) -> list[str]:
        found = [f"{self.data[x]}{_COLORS[x]}" for x in _COLORS if x in self.data]
        return found if self.meaning == "turn_on" else []

    @property
    def _volume_percent(self) -> float | None:
        level = number_of(self.data.get("volume_level"))
        return None if level is None or self.meaning != "volume_set" else 100 * level

    @property
    def value(self) -> str:
        """Return what it is set to, for the words."""
        match self.data:
            case {"media": {"metadata": {"title": title}}}:
                return str(title)
        row = domain_of(self.domain)
        if self._volume_percent is not None:
            return f"{self._volume_percent:.0f}"
        if colors := self._colors:
            percent = self.data.get("brightness_pct")
            return ", ".join(colors if percent is None else [*colors, f"{percent} %"])
        for key in (
            "position",
            "brightness_pct",
            "percentage",
            *domain_of("climate").temperatures,
            *row.values.get(self.meaning, ())[1:],
        ):
            if (value := self.data.get(key)) is not None:
                high = self.data.get("target_temp_high")
                is_range = key == "target_temp_low" and high is not None
                return "–".join(map(_written, (value, high) if is_range else (value,)))
        return ""


def _written(value: Any) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    return f"{value:g}" if isinstance(value, float) else str(value)


def number_of(value: Any) -> float | None:
    """Return a number, also one written as text or as `{{ 21 }}`."""
    if isinstance(value, bool):
        return None
    found = _NUMBER.fullmatch(str(getattr(value, "template", value)))
    return float(found[1]) if found else None


def numbers_in(text: str) -> set[float]:
    """Return the numbers that stand in a text."""
    return {float(item.replace(",", ".")) for item in _SAID_NUMBER.findall(text)}


def value_of(hass: HomeAssistant, effect: Effect) -> str:
    """Return what an action sets, as spoken."""
    row, value = domain_of(effect.domain), effect.value
    for state, service in row.states.items() if row.strengths else ():
        if service == effect.meaning:
            # How an alarm panel is armed says the service itself.
            value = state
    shown, _ = row.values.get(effect.meaning, ("", ""))
    return spoken(option_name(hass, effect.entity_id, shown, value))


def way_of(hass: HomeAssistant, effect: Effect) -> str:
    """Return whether it sets a number `up` or `down`, else an empty text."""
    if effect.meaning in ("volume_up", "volume_down"):
        return effect.meaning.removeprefix("volume_")
    state = hass.states.get(effect.entity_id)
    for key, (shown, one) in _STEPS.items() if state else ():
        wanted = number_of(effect.data.get(key))
        now = number_of(state.attributes.get(shown)) if state else None
        if wanted is not None and now is not None and wanted * one != now:
            return "up" if wanted * one > now else "down"
    return ""


def effect_of_state(
    hass: HomeAssistant, state: State, *, at_once: bool = False
) -> Effect:
    """Return the action that brings an entity into a state, now or at any time.

    What is reproduced decides, not the state's name: something "closed" with a position
    above 0 is opened (Home Assistant's reproduce_state.py). Of several actions it is
    the one that opens.
    """
    row = domain_of(state.domain)
    entity_id, wanted = state.entity_id, state.attributes
    if any(wanted.get(key) is not None for key in row.temperatures):
        return Effect(entity_id, "set_temperature", dict(wanted))
    now = hass.states.get(entity_id) if at_once else None
    services = {"on": row.on, "off": row.off, **row.states}
    service, moves = services.get(state.state, CHANGE), f"set_{state.domain}_position"
    if moves in row.values:
        position, tilt = (
            wanted.get("current_position"),
            wanted.get("current_tilt_position"),
        )
        if tilt is not None and number_of(tilt) != 0:
            service = row.on
        elif position is not None and _can_be_set(now):
            return Effect(entity_id, moves, {"position": position})
        elif position is not None and number_of(position) != 0:
            # What cannot be set to a position is opened.
            service = row.on
    elif state.domain == "media_player" and state.state != "off" and not at_once:
        # What it plays, its source and its volume are brought back too.
        service = CHANGE
    data = dict(wanted) if state.domain in ("light", "media_player") else {}
    return Effect(entity_id, service, data)


def _can_be_set(state: State | None) -> bool:
    if state is None or state.state not in ("open", "closed"):
        return False
    # Covers and valves have the same number for it.
    features = state.attributes.get("supported_features", 0)
    return bool(features & CoverEntityFeature.SET_POSITION)


def wants_code(hass: HomeAssistant, effect: Effect) -> bool:
    """Return whether a lock or alarm panel wants a code that it does not know itself."""
    state = hass.states.get(effect.entity_id)
    if state is None or effect.domain not in ("alarm_control_panel", "lock"):
        return False
    key = "code_arm_required" if "_arm_" in effect.meaning else "code_format"
    entry = er.async_get(hass).async_get(effect.entity_id)
    knows_it = entry and "default_code" in entry.options.get(effect.domain, ())
    return bool(state.attributes.get(key)) and not knows_it
