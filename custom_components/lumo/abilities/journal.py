"""What Lumo did lately, and what left the house, for who asks why.

Nothing of it is stored: it is gone when the account is unloaded, or the conversation.
"""

from collections import Counter, deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from homeassistant.util import dt as dt_util

from ..gate.asks import Ask
from ..gate.call_record import CallRecord
from ..gate.consent import Reply

# So many calls are remembered.
_CALLS: Final = 50
# So many queries are remembered, and so much of each, in characters.
_QUERIES: Final = 5
_QUERY: Final = 100


@dataclass(slots=True)
class Journal:
    """The latest calls of an account's agents that did more than reading, or failed."""

    since: datetime = field(default_factory=dt_util.utcnow)
    records: deque[CallRecord] = field(default_factory=lambda: deque(maxlen=_CALLS))

    def add(self, record: CallRecord) -> None:
        """Remember what became of a call."""
        has_failed = record.refusal or record.failure
        if has_failed or not record.annotations.read_only:
            self.records.append(record)

    def answered(self, asks: Iterable[Ask], reply: Reply) -> None:
        """Note what a person said to a question about some calls."""
        if reply is not Reply.AGAIN:
            for record in self.records:
                if any(ask is item for ask in asks for item in record.asked):
                    record.reply = reply


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
