"""What an agent keeps of its conversations: what waits, what was done, what was sent.

Nothing of it is stored: after a restart no question waits any more.
"""

from dataclasses import dataclass, field, replace
from time import monotonic
from typing import Final

from homeassistant.core import State

from ..abilities.journal import Journal
from ..gate.asks import Ambiguity, Ask
from ..gate.earlier import Earlier
from ..gate.speaker import Speaker

# How long a yes counts, from the end of the question.
ANSWER_SECONDS: Final = 30
# Home Assistant drops a conversation five minutes after its last sentence.
_KEPT_SECONDS: Final = 600.0


@dataclass(frozen=True, slots=True)
class Question:
    """What a person was asked."""

    asks: tuple[Ask, ...]
    """What needs a yes, asked about once there is nothing to choose."""
    speaker: Speaker
    """Who was asked, and what they had said."""
    changes: tuple[State, ...]
    """What could be undone when the question was asked."""
    done: str
    """What was done without it, in sentences."""
    expires: float = field(default_factory=lambda: monotonic() + ANSWER_SECONDS)
    """On the monotonic clock: no correction of the time of day makes it longer."""
    repeated: bool = False
    """It was asked a second time, and never is a third time."""
    ambiguities: tuple[Ambiguity, ...] = ()
    """Asked one by one. What is chosen is a new call, and needs its own yes."""

    @property
    def shown(self) -> tuple[Ask, ...]:
        """Return what it is about now: what needs a yes, or the first choice."""
        return self.ambiguities[0] if self.ambiguities else self.asks

    @property
    def is_over(self) -> bool:
        """Return whether it was asked too long ago."""
        return monotonic() >= self.expires

    def from_now(self) -> Question:
        """Return the same question, asked just now."""
        return replace(self, expires=monotonic() + ANSWER_SECONDS)


@dataclass(slots=True)
class ConversationState:
    """What an agent keeps of one conversation, beside its text."""

    earlier: Earlier = field(default_factory=Earlier)
    """What the gate needs of it."""
    question: Question | None = None
    declined_asks: tuple[Ask, ...] = ()
    """What was asked about last, and not answered by a yes."""
    changes: tuple[State, ...] = ()
    """The states, before, of what the last turn that acted has changed."""
    planned: tuple[str, ...] = ()
    """The ids of the plans that this turn has made, if nothing acted since."""
    acted_on: set[str] = field(default_factory=set)
    """All that its calls have acted on."""
    has_started: bool = False
    """A call began something that has no state to look at."""
    journal: Journal = field(default_factory=Journal)
    """What the account's agents did lately."""
    said: Speaker | None = None
    """Who spoke last, if that was a person, and what they said."""
    noted: str = ""
    """The last note that was kept here: "forget that"."""
    last_used: float = field(default_factory=monotonic)


@dataclass(slots=True)
class Conversations:
    """What an agent keeps of its conversations."""

    _journal: Journal
    """What all agents of an account write in."""
    _conversations: dict[str, ConversationState] = field(default_factory=dict)

    def of(self, conversation_id: str) -> ConversationState:
        """Return what is kept of a conversation; forget those that are over."""
        self.forget()
        found = self._conversations.setdefault(
            conversation_id, ConversationState(journal=self._journal)
        )
        found.last_used = monotonic()
        return found

    def forget(self) -> None:
        """Forget the conversations that are over."""
        now = monotonic()
        self._conversations = {
            key: item
            for key, item in self._conversations.items()
            if now - item.last_used < _KEPT_SECONDS
        }
