"""What is known of each domain of Home Assistant, one row each.

To add a sensitive domain, add a row: what makes it safer (everything else is then
asked about), what "on" and "off" mean there, which action brings a state about, which
states answer an action, how it is worded, and whether Home Assistant can restore it.
A domain without a row is switched like a lamp, and never sensitive by itself.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final

_OPEN: Final = frozenset({"open", "opening"})
_CLOSED: Final = frozenset({"closed", "closing"})
_MOVING: Final = frozenset({"opening", "closing"})
_PHRASES: Final = {
    "turn_on": "do_turn_on",
    "turn_off": "do_turn_off",
    "toggle": "do_toggle",
    "start": "do_start",
    "start_mowing": "do_start",
    "return_to_base": "do_send_home",
    "dock": "do_send_home",
    "media_pause": "do_pause",
    "media_play": "do_play",
    "media_next_track": "do_skip",
    "media_previous_track": "do_skip",
    "volume_set": "do_set_volume",
    "set_percentage": "do_set_speed",
    "look": "do_look",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Domain:
    """What is known of a domain. Services are named without it."""

    harmless: frozenset[str] | None = None
    """The services that make it safer, or stop it: all others are sensitive. None: it
    is sensitive by another rule, or not at all."""
    strengths: Mapping[str, int] = field(default_factory=dict)
    """A state -> how much it guards: what would guard less is sensitive then."""
    temperatures: tuple[str, ...] = ()
    """The keys of temperatures that it can be set to."""
    is_way_in: bool = False
    """What else is on its device may open it as well."""
    opens_beside: bool = False
    """On the device of a way in, any action on it may open that."""
    opens_by_name: bool = False
    """The same, if its own name speaks of a door."""
    on: str = "turn_on"
    off: str = "turn_off"
    """The services that "on" and "off" stand for (Home Assistant's intents)."""
    states: Mapping[str, str] = field(default_factory=dict)
    """A state that is asked for -> the service that brings it about."""
    answers: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """A service -> the states that answer it: also being on the way."""
    values: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    """A service -> the attribute that shows what was set, empty for the state, and the
    key of that value."""
    is_switched: bool = False
    """It has a plain on and off."""
    is_restorable: bool = False
    """Home Assistant can reproduce its states (its reproduce_state.py)."""
    device_actions: Mapping[str, str] = field(default_factory=dict)
    """An action of its device that has another name -> the service."""
    phrases: Mapping[str, str] = field(default_factory=dict)
    """A service -> the key of the words for it."""

    @property
    def is_judged(self) -> bool:
        """Return whether an action on it can be sensitive for what it is."""
        return self.harmless is not None or bool(self.temperatures)

    def phrase(self, service: str) -> str:
        """Return the key of the words for an action."""
        usual = "do_set_value" if service in self.values else "do_change"
        return self.phrases.get(service) or _PHRASES.get(service, usual)

    def service_for(self, state: str) -> str:
        """Return the service that brings a state about."""
        usual = {"on": self.on, "off": self.off}.get(state, "change")
        return self.states.get(state, usual)

    def meaning(self, service: str) -> str:
        """Return the service that "on" or "off" stands for, else the service."""
        return {"turn_on": self.on, "turn_off": self.off}.get(service, service)


def _opening(name: str) -> Domain:
    opens, closes, moves = f"open_{name}", f"close_{name}", f"set_{name}_position"
    return Domain(
        on=opens,
        off=closes,
        states=dict.fromkeys(_OPEN, opens) | dict.fromkeys(_CLOSED, closes),
        answers={
            opens: _OPEN,
            closes: _CLOSED,
            moves: _MOVING,
            f"stop_{name}": frozenset({"open", "closed"}),
        },
        values={moves: ("current_position", "position")},
        phrases={opens: "do_open", closes: "do_close", moves: "do_set_position"},
    )


_ARM: Final = {
    f"armed_{mode}": f"alarm_arm_{mode}"
    for mode in ("away", "custom_bypass", "home", "night", "vacation")
}
_SWITCHED: Final = Domain(is_switched=True, is_restorable=True)
_SELECT: Final = Domain(is_restorable=True, values={"select_option": ("", "option")})
_NUMBER: Final = Domain(is_restorable=True, values={"set_value": ("", "value")})

DOMAINS: Final[dict[str, Domain]] = {
    **dict.fromkeys(
        [
            "automation",
            "counter",
            "group",
            "input_datetime",
            "input_text",
            "text",
            "timer",
        ],
        Domain(is_restorable=True),
    ),
    "input_boolean": _SWITCHED,
    "input_number": _NUMBER,
    "input_select": _SELECT,
    "number": replace(_NUMBER, opens_beside=True),
    "select": replace(_SELECT, opens_beside=True),
    "humidifier": replace(_SWITCHED, values={"set_mode": ("mode", "mode")}),
    "light": replace(_SWITCHED, opens_by_name=True),
    "fan": replace(
        _SWITCHED,
        opens_by_name=True,
        values={
            "oscillate": ("oscillating", "oscillating"),
            "set_direction": ("direction", "direction"),
            "set_preset_mode": ("preset_mode", "preset_mode"),
        },
        phrases={"oscillate": "do_change"},
    ),
    "water_heater": replace(
        _SWITCHED, values={"set_operation_mode": ("operation_mode", "operation_mode")}
    ),
    **dict.fromkeys(("button", "input_button"), Domain(opens_beside=True)),
    "remote": replace(_SWITCHED, opens_beside=True),
    "alarm_control_panel": Domain(
        harmless=frozenset(_ARM.values()),
        is_way_in=True,
        off="alarm_disarm",
        states={"disarmed": "alarm_disarm", **_ARM},
        strengths={
            "armed_custom_bypass": 1,
            "armed_home": 2,
            "armed_night": 2,
            "armed_away": 3,
            "armed_vacation": 3,
            "arming": 3,
            "pending": 4,
            "triggered": 4,
        },
        answers={
            service: frozenset({state, "arming", "pending"})
            for state, service in _ARM.items()
        },
        is_restorable=True,
        device_actions={
            "disarm": "alarm_disarm",
            "trigger": "alarm_trigger",
            **{
                f"arm_{mode}": f"alarm_arm_{mode}"
                for mode in ("away", "home", "night", "vacation")
            },
        },
        phrases={
            "alarm_disarm": "do_disarm",
            **dict.fromkeys(_ARM.values(), "do_set_value"),
        },
    ),
    "climate": replace(
        _SWITCHED,
        temperatures=("temperature", "target_temp_low", "target_temp_high"),
        values={
            "set_temperature": ("temperature", "temperature"),
            "set_hvac_mode": ("", "hvac_mode"),
            "set_preset_mode": ("preset_mode", "preset_mode"),
            "set_fan_mode": ("fan_mode", "fan_mode"),
            "set_swing_mode": ("swing_mode", "swing_mode"),
        },
        phrases={"set_temperature": "do_set_temperature"},
    ),
    "cover": replace(
        _opening("cover"),
        harmless=frozenset(
            {"close_cover", "close_cover_tilt", "stop_cover", "stop_cover_tilt"}
        ),
        is_way_in=True,
        is_restorable=True,
        device_actions={
            "open": "open_cover",
            "close": "close_cover",
            "stop": "stop_cover",
            "open_tilt": "open_cover_tilt",
            "close_tilt": "close_cover_tilt",
            "set_position": "set_cover_position",
            "set_tilt_position": "set_cover_tilt_position",
        },
    ),
    "lock": Domain(
        harmless=frozenset({"lock"}),
        is_way_in=True,
        on="lock",
        off="unlock",
        states={
            "locked": "lock",
            "locking": "lock",
            "unlocked": "unlock",
            "unlocking": "unlock",
            "open": "open",
            "opening": "open",
        },
        answers={
            "lock": frozenset({"locked", "locking"}),
            "unlock": frozenset({"unlocked", "unlocking", *_OPEN}),
            "open": _OPEN | {"unlocked"},
        },
        is_restorable=True,
        phrases={"lock": "do_lock", "unlock": "do_unlock", "open": "do_open"},
    ),
    "lawn_mower": Domain(
        answers={
            "start_mowing": frozenset({"mowing"}),
            "dock": frozenset({"returning", "docked"}),
        }
    ),
    "media_player": replace(
        _SWITCHED,
        answers={
            "media_pause": frozenset({"paused", "idle", "standby", "off"}),
            "media_play": frozenset({"playing", "buffering"}),
        },
        values={
            "select_source": ("source", "source"),
            "select_sound_mode": ("sound_mode", "sound_mode"),
            "repeat_set": ("repeat", "repeat"),
            "shuffle_set": ("shuffle", "shuffle"),
        },
        phrases=dict.fromkeys(("repeat_set", "shuffle_set"), "do_change"),
    ),
    "siren": Domain(is_switched=True, opens_by_name=True),
    "switch": replace(_SWITCHED, opens_beside=True),
    "vacuum": Domain(
        is_restorable=True,
        answers={
            "start": frozenset({"cleaning"}),
            "return_to_base": frozenset({"returning", "docked"}),
        },
        values={"set_fan_speed": ("fan_speed", "fan_speed")},
    ),
    "valve": replace(
        _opening("valve"), harmless=frozenset({"close_valve", "stop_valve"})
    ),
}
_OTHER: Final = Domain()


def domain_of(name: str) -> Domain:
    """Return what is known of a domain."""
    return DOMAINS.get(name, _OTHER)
