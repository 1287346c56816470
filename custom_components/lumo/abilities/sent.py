"""What left the house in a conversation, for who asks. Gone with the conversation."""

from collections import Counter, deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

# So many queries are remembered, and so much of each, in characters.
_QUERIES: Final = 5
_QUERY: Final = 100


@dataclass(slots=True)
class Sent:
    """What left the house in one conversation."""

    requests: int = 0
    is_encrypted: bool = True
    """To Lumo, all but what is in clear."""
    characters: Counter[str] = field(default_factory=Counter)
    """How much of what kind was sent, in characters."""
    pictures: int = 0
    """So many pictures were shown to Lumo."""
    in_clear: Counter[str] = field(default_factory=Counter)
    """How much of this was not encrypted to Lumo."""
    misrouted: dict[str, None] = field(default_factory=dict)
    """The home's tools whose calls came beside the text, their names in clear."""
    queries: deque[str] = field(default_factory=lambda: deque(maxlen=_QUERIES))
    """What Proton's own tools were asked."""

    def add(self, amounts: Mapping[str, int], in_clear: Iterable[str]) -> None:
        """Count a request, by what it is made of."""
        self.requests += 1
        self.characters.update(amounts)
        self.in_clear.update({kind: amounts[kind] for kind in in_clear})

    def add_query(self, tool: str, query: str) -> None:
        """Note a call of one of Proton's own tools."""
        self.queries.append(f"{tool} {query}"[:_QUERY])
