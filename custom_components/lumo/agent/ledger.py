"""What a request is made of: one account of it, for all who ask."""

from dataclasses import dataclass


@dataclass(slots=True)
class Ledger:
    """The parts of a request in characters, and how much was left out of it."""

    instructions: int = 0
    """All that is no other part."""
    tools: int = 0
    """The descriptions of those that are offered."""
    home: int = 0
    notes: int = 0
    conversation: int = 0
    """What was said, the calls and their results."""
    things_left_out: int = 0
    tools_left_out: int = 0

    @property
    def others(self) -> int:
        """Return the characters of all but the conversation."""
        return self.instructions + self.tools + self.home + self.notes
