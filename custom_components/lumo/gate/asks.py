"""What a person is asked about a call before it runs."""

from dataclasses import dataclass
import json
from typing import Any

from .names import Detail


@dataclass(frozen=True, slots=True)
class Ask:
    """A call that waits for a yes, and what a person is asked about it."""

    tool: str
    """The full name of the tool."""
    arguments: dict[str, Any]
    entities: frozenset[str]
    """What the yes is for: nothing else may be acted on."""
    phrase: str
    """The key of the words for the action."""
    targets: tuple[str, ...] = ()
    name: str = ""
    """The script or tool, where the words say one."""
    value: str = ""
    server: str = ""
    """Where the tool runs, if that is not at home."""
    details: tuple[Detail, ...] = ()
    """The arguments, where a yes is for all that they say."""
    names: tuple[tuple[str, str], ...] = ()
    """What the entities were called when it was asked."""
    when: str = ""
    unnamed: bool = False
    """It is only asked about because the person did not name it."""
    grants_access: bool = False
    """It lets somebody in or disarms, or may do so."""

    @property
    def arguments_key(self) -> str:
        """Return the same text for the same arguments."""
        return json.dumps(self.arguments, sort_keys=True, default=str)


type Ambiguity = tuple[Ask, ...]
"""The calls of which only some are meant, in the order in which they are spoken."""
