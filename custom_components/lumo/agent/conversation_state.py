"""What an agent keeps of its conversations, until Home Assistant restarts."""

from dataclasses import dataclass, field
from time import monotonic
from typing import Any, Final

from homeassistant.core import State

from ..gate.call_record import Journal
from ..gate.judged_call import Ambiguity, Ask
from ..gate.speaker import Earlier, Speaker

# How long a yes counts, from the end of the question.
ANSWER_SECONDS: Final = 30
# Home Assistant drops a conversation after five minutes.
_KEPT_SECONDS: Final = 600.0


@dataclass(frozen=True, slots=True)
class Question:
    """A question to a person."""

    asks: tuple[Ask, ...]
    """The calls that need a yes, asked about once nothing is to be chosen."""
    speaker: Speaker
    changes: tuple[State, ...]
    done: str
    """Sentences about what was done without it."""
    expires: float = field(default_factory=lambda: monotonic() + ANSWER_SECONDS)
    """On the monotonic clock, which nobody corrects."""
    repeated: bool = False
    """It was asked a second time, which is the last."""
    ambiguities: tuple[Ambiguity, ...] = ()
    """Asked one by one. What is chosen is a new call, and needs its own yes."""

    @property
    def shown(self) -> tuple[Ask, ...]:
        """Return what it is about now: the first choice, else what needs a yes."""
        return self.ambiguities[0] if self.ambiguities else self.asks

    @property
    def is_over(self) -> bool:
        """Return whether it was asked too long ago."""
        return monotonic() >= self.expires


@dataclass(slots=True)
class ConversationState:
    """What an agent keeps of one conversation beside its text."""

    earlier: Earlier = field(default_factory=Earlier)
    """What the gate needs of it."""
    question: Question | None = None
    declined_asks: tuple[Ask, ...] = ()
    """What was asked about last and got no yes."""
    changes: tuple[State, ...] = ()
    """The states, before, of what the last turn that acted has changed."""
    planned: tuple[str, ...] = ()
    """The ids of the plans that the last turn made, if nothing has acted since."""
    acted_on: set[str] = field(default_factory=set)
    """All entities that its calls have acted on."""
    late: list[tuple[dict[str, Any], frozenset[str]]] = field(default_factory=list)
    """Results in its log that tell of things which had not answered yet."""
    has_acted: bool = False
    """A call did more than reading."""
    journal: Journal = field(default_factory=Journal)
    """What the account's agents did lately."""
    said: Speaker | None = None
    """The last person who spoke, with what they said."""
    noted: str = ""
    """The last note that was kept here, for "forget that"."""
    last_used: float = field(default_factory=monotonic)


@dataclass(slots=True)
class Conversations:
    """What an agent keeps of its conversations."""

    _journal: Journal
    _conversations: dict[str, ConversationState] = field(default_factory=dict)

    def of(self, conversation_id: str) -> ConversationState:
        """Return the state of a conversation, and forget those that are over."""
        now = monotonic()
        self._conversations = {
            key: item
            for key, item in self._conversations.items()
            if now - item.last_used < _KEPT_SECONDS
        }
        found = self._conversations.setdefault(
            conversation_id, ConversationState(journal=self._journal)
        )
        found.last_used = now
        return found
