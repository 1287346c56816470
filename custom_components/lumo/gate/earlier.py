"""What the gate knows of the earlier turns of a conversation."""

from dataclasses import dataclass, field


@dataclass(slots=True)
class Earlier:
    """What came before; the gate adds what was read."""

    declined: frozenset[str] = frozenset()
    """The entities and tools of the last question, unless the answer was yes."""
    last_named: frozenset[str] = frozenset()
    """What the last call acted on that the person's words had named: "it"."""
    players: set[str] = field(default_factory=set)
    read_outside: bool = False
    saw_pictures: bool = False
