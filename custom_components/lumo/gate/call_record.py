"""What became of a call."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Self

from homeassistant.core import valid_entity_id
from homeassistant.helpers import llm
from homeassistant.util import dt as dt_util

from .asks import Ask
from .consent import Reply
from .effects import Effect
from .own_tool import is_private, unwrapped
from .speaker import Speaker


@dataclass(slots=True)
class CallRecord:
    """A call, and what became of it."""

    name: str
    """The full name of the tool."""
    title: str
    """What a person calls it."""
    integration: str | None
    annotations: llm.ToolAnnotations
    is_private: bool
    """Nobody is told what it was called with."""
    speaker: Speaker | None = None
    """Who was behind it; without words, if it is private."""
    at: datetime = field(default_factory=dt_util.utcnow)
    success: bool = False
    """It did something, or will have."""
    complete: bool = False
    """It has ended, and did all it was asked for."""
    is_running: bool = False
    """It went on when nobody waited for it any more."""
    targets: Sequence[str] = ()
    """The entities that it was to act on, as far as that is known."""
    effects: Sequence[Effect] = ()
    """What it did to these, as far as that is known."""
    reached: Sequence[Effect] = ()
    """All that it may have done, by way of scripts and groups too."""
    silent: frozenset[str] = frozenset()
    """The entities that did not answer."""
    skipped: Sequence[str] = ()
    """The names of what a tool of ours has left as it is."""
    at_home: bool = False
    """Lumo was not asked: Home Assistant has understood the sentence."""
    confirmed: bool = False
    """A person had said yes to it."""
    asked: Sequence[Ask] = ()
    """What a yes was needed for, whether a person was asked or not."""
    reply: Reply | None = None
    """What the person who was asked said."""
    refusal: str = ""
    """Why it, or the rest of it, was not run."""
    failure: str = ""
    """Why it failed."""

    @classmethod
    def of(
        cls, tool: llm.Tool, speaker: Speaker | None = None, *, at_home: bool = False
    ) -> Self:
        """Return the record of a call that begins now."""
        private = is_private(tool)
        return cls(
            name=tool.name,
            title=tool.title or unwrapped(tool).name,
            integration=tool.integration,
            annotations=tool.annotations,
            is_private=private,
            at_home=at_home,
            speaker=replace(speaker, sentence="") if speaker and private else speaker,
        )

    @property
    def acted_on(self) -> frozenset[str]:
        """Return the entities that it may have changed."""
        effects = (effect.entity_id for effect in (*self.effects, *self.reached))
        return frozenset((*self.targets, *effects))

    @property
    def entities(self) -> frozenset[str]:
        """Return the entities that it was about."""
        found = self.acted_on.union(*(ask.entities for ask in self.asked))
        # A yes may be for a tool, too.
        return frozenset(filter(valid_entity_id, found))
