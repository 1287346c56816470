"""What Lumo did lately, for those who ask why; in memory only."""

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from homeassistant.util import dt as dt_util

from ..gate.asks import Ask
from ..gate.call_record import CallRecord
from ..gate.consent import Reply

_MAX_CALLS: Final = 50


@dataclass(slots=True)
class Journal:
    """The latest calls of an account's agents that acted or failed."""

    since: datetime = field(default_factory=dt_util.utcnow)
    records: deque[CallRecord] = field(default_factory=lambda: deque(maxlen=_MAX_CALLS))

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
