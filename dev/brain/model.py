"""The values that the parts of the brain hand to each other."""

from dataclasses import dataclass, field, replace
import re
from typing import Any

_NAME_SEPARATOR = re.compile(r"__|[:./]")


@dataclass(frozen=True, slots=True)
class Offered:
    """A tool as it was offered; its name is written back with its prefix."""

    name: str
    description: str = ""
    parameters: dict[str, Any] = field(default_factory=dict)

    @property
    def short(self) -> str:
        """The name's last segment, which says what the tool does."""
        return short_name(self.name)

    @property
    def properties(self) -> dict[str, Any]:
        """The schemas of the tool's arguments."""
        properties = self.parameters.get("properties")
        return properties if isinstance(properties, dict) else {}


@dataclass(frozen=True, slots=True)
class Say:
    """Words to answer with."""

    text: str


@dataclass(frozen=True, slots=True)
class Call:
    """A call of an offered tool."""

    name: str
    arguments: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Result:
    """What a tool answered: data as it came, or an error's text."""

    data: Any = None
    error: str | None = None
    call: Call | None = None
    """The call it belongs to, where the conversation says so."""


@dataclass(frozen=True, slots=True)
class Meaning:
    """What one part of a sentence asks for.

    The intent is one of Home Assistant's (`HassTurnOff`) or our own (`whats_on`).
    """

    intent: str
    slots: dict[str, Any] = field(default_factory=dict)
    text: str = ""
    language: str = "en"

    def with_slots(self, **slots: Any) -> Meaning:
        """Return the same meaning with some slots changed; None removes one."""
        merged = {**self.slots, **slots}
        return replace(
            self,
            slots={key: value for key, value in merged.items() if value is not None},
        )


def short_name(name: str) -> str:
    """Return the last segment of a tool's name, without namespace and prefix."""
    return (
        [part for part in _NAME_SEPARATOR.split(name) if part][-1:][0] if name else ""
    )
