"""What became of a call, and the latest of them for those who ask why."""

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import chain
from typing import Any, Final, Self

from homeassistant.core import valid_entity_id
from homeassistant.helpers import llm
from homeassistant.util import dt as dt_util

from .consent import Reply
from .effects import Effect
from .judged_call import Ask
from .own_tool import is_private, unwrapped
from .speaker import Speaker

_MAX_CALLS: Final = 50


@dataclass(slots=True)
class CallRecord:
    """A call, and what became of it."""

    name: str
    """The full name of the tool."""
    title: str
    annotations: llm.ToolAnnotations
    is_private: bool
    """Neither events nor logs tell its arguments."""
    speaker: Speaker | None = None
    """Without their sentence if the call is private."""
    at: datetime = field(default_factory=dt_util.utcnow)
    success: bool = False
    """It did something, or has begun to."""
    complete: bool = False
    """It has ended and did all that it was asked for."""
    is_so: bool = False
    """All was so already."""
    told: str = ""
    """What it read, as text."""
    arguments: Mapping[str, Any] = field(default_factory=dict)
    """Those that an event may tell."""
    is_running: bool = False
    """The turn stopped waiting for it, but it went on."""
    targets: Sequence[str] = ()
    """The ids of the entities that it was to act on, as far as they are known."""
    effects: Sequence[Effect] = ()
    """What it did to them, as far as that is known."""
    reached: Sequence[Effect] = ()
    """All that it may have done, also through scripts and groups."""
    silent: frozenset[str] = frozenset()
    skipped: Sequence[str] = ()
    """The names of what it left as it was."""
    at_home: bool = False
    """Home Assistant understood the sentence; Lumo was not asked."""
    confirmed: bool = False
    asked: Sequence[Ask] = ()
    """What needed a yes, whether or not a person was asked."""
    reply: Reply | None = None
    refusal: str = ""
    failure: str = ""

    @classmethod
    def of(
        cls, tool: llm.Tool, speaker: Speaker | None = None, *, at_home: bool = False
    ) -> Self:
        """Return the record of a call that begins now."""
        private = is_private(tool)
        return cls(
            name=tool.name,
            title=tool.title or unwrapped(tool).name,
            annotations=tool.annotations,
            is_private=private,
            at_home=at_home,
            speaker=replace(speaker, sentence="") if speaker and private else speaker,
        )

    @property
    def entities(self) -> frozenset[str]:
        """Return the ids of the entities that it may have changed or asked about."""
        asked = (ask.entities for ask in self.asked)
        reached = (item.entity_id for item in self.reached)
        # A yes may be for a tool, too.
        return frozenset(filter(valid_entity_id, chain(self.targets, reached, *asked)))


@dataclass(slots=True)
class Journal:
    """The latest calls of an account's agents that acted or failed."""

    since: datetime = field(default_factory=dt_util.utcnow)
    records: deque[CallRecord] = field(default_factory=lambda: deque(maxlen=_MAX_CALLS))

    def add(self, record: CallRecord) -> None:
        """Remember what became of a call."""
        if record.refusal or record.failure or not record.annotations.read_only:
            self.records.append(record)

    def answered(self, asks: Iterable[Ask], reply: Reply) -> None:
        """Note what a person said to a question about some calls."""
        if reply is not Reply.AGAIN:
            for record in self.records:
                if any(ask is item for ask in asks for item in record.asked):
                    record.reply = reply
