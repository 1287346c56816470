"""What Lumo did lately: a bounded record in memory, for who asks why.

Nothing of it is stored: it is gone when the account is unloaded.
"""

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Final

from homeassistant.core import valid_entity_id
from homeassistant.util import dt as dt_util

from .consent import Reply
from .effects import Effect
from .speaker import Speaker

if TYPE_CHECKING:
    from .pending import Ask

# So many calls are remembered.
_CALLS: Final = 50


@dataclass(slots=True)
class Entry:
    """A call that does more than reading, or that came to nothing."""

    title: str
    """What a person calls its tool."""
    speaker: Speaker | None
    at: datetime = field(default_factory=dt_util.utcnow)
    effects: tuple[Effect, ...] = ()
    """What it did, as far as that is known."""
    reached: frozenset[str] = frozenset()
    """What it was to act on; then what it may have, by way of scripts and groups."""
    silent: frozenset[str] = frozenset()
    """Those that did not answer."""
    is_running: bool = False
    """It went on when nobody waited for it any more."""
    confirmed: bool = False
    """A person had said yes to it."""
    asked: tuple[Ask, ...] = ()
    """What a yes was needed for, whether a person was asked or not."""
    reply: Reply | None = None
    """What the person who was asked said."""
    refusal: str = ""
    """Why it, or the rest of it, was not run."""
    failure: str = ""
    """Why it failed."""

    @property
    def entities(self) -> frozenset[str]:
        """Return all that it was about."""
        own = frozenset(effect.entity_id for effect in self.effects)
        found = own.union(self.reached, *(ask.entities for ask in self.asked))
        # A yes may be for a tool, too.
        return frozenset(filter(valid_entity_id, found))


@dataclass(slots=True)
class Journal:
    """The latest calls of an account's agents."""

    since: datetime = field(default_factory=dt_util.utcnow)
    entries: deque[Entry] = field(default_factory=lambda: deque(maxlen=_CALLS))

    def answered(self, asks: Iterable[Ask], reply: Reply) -> None:
        """Note what a person said to a question about some calls."""
        if reply is not Reply.AGAIN:
            for entry in self.entries:
                if any(ask is item for ask in asks for item in entry.asked):
                    entry.reply = reply
