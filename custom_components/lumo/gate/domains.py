"""What is known of each domain of Home Assistant: the rows of `domains.toml`."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
import tomllib
from typing import Final


@dataclass(frozen=True, slots=True, kw_only=True)
class Domain:
    """What is known of a domain. Services are named without it."""

    harmless: Collection[str] | None = None
    """The services that make it safer or stop it; all others are sensitive. None:
    another rule decides, or nothing.
    """
    strengths: Mapping[str, int] = field(default_factory=dict)
    """A state -> how much it guards. Moving to a lower value is sensitive."""
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

    def service_for(self, state: str) -> str:
        """Return the service that brings a state about."""
        usual = {"on": self.on, "off": self.off}.get(state, "change")
        return self.states.get(state, usual)

    def meaning(self, service: str) -> str:
        """Return the service that "on" or "off" stands for, else the service."""
        return {"turn_on": self.on, "turn_off": self.off}.get(service, service)


_FILE: Final = Path(__file__).with_suffix(".toml").read_text(encoding="utf-8")
_TABLE: Final = tomllib.loads(_FILE)
_PHRASES: Final[Mapping[str, str]] = _TABLE.pop("usual_phrases")
DOMAINS: Final = {name: Domain(**row) for name, row in _TABLE.items()}
_OTHER: Final = Domain()


def domain_of(name: str) -> Domain:
    """Return what is known of a domain."""
    return DOMAINS.get(name, _OTHER)
