"""Questions that wait for a yes, and what else an agent keeps of its conversations.

Nothing of it is stored: after a restart no question waits any more.
"""

from dataclasses import dataclass, field, replace
import json
from time import monotonic
from typing import Any, Final

from homeassistant.core import State

from .journal import Journal
from .names import Detail
from .sent import Sent
from .speaker import Speaker

# How long a yes counts, from the end of the question.
ANSWER_SECONDS: Final = 30
# Home Assistant drops a conversation five minutes after its last sentence.
_KEPT_FOR: Final = 600.0


@dataclass(frozen=True, slots=True)
class Ask:
    """A call that waits for a yes, and what a person is asked about it."""

    tool: str
    """The full name of the tool."""
    arguments: dict[str, Any]
    entities: frozenset[str]
    """What the yes is for: nothing else may be acted on."""
    phrase: str
    """The key of the words for the action."""
    targets: tuple[str, ...] = ()
    """Names of what is acted on."""
    name: str = ""
    """The script or tool, where the words say one."""
    value: str = ""
    server: str = ""
    """Where the tool runs, if that is not at home."""
    details: tuple[Detail, ...] = ()
    """The arguments, where a yes is for all that they say."""
    names: tuple[tuple[str, str], ...] = ()
    """What the entities were called when it was asked."""
    when: str = ""
    """When it is done, if that is later."""
    unnamed: bool = False
    """It is only asked about because the person did not name it."""
    grants_access: bool = False
    """It lets somebody in or disarms, or may do so."""

    @property
    def arguments_key(self) -> str:
        """Return what is the same for the same arguments."""
        return json.dumps(self.arguments, sort_keys=True, default=str)


type Ambiguity = tuple[Ask, ...]
"""The calls of which only some are meant, in the order in which they are spoken."""


@dataclass(frozen=True, slots=True)
class Question:
    """What a person was asked."""

    asks: tuple[Ask, ...]
    """What needs a yes, asked about once there is nothing to choose."""
    user_id: str | None
    satellite_id: str | None
    sentence: str
    """What the person had said."""
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

    def is_for(self, speaker: Speaker) -> bool:
        """Return whether a speaker is the person who was asked."""
        asked = (self.user_id, self.satellite_id)
        return speaker.is_person and asked == (speaker.user_id, speaker.satellite_id)

    def from_now(self) -> Question:
        """Return the same question, asked just now."""
        return replace(self, expires=monotonic() + ANSWER_SECONDS)


@dataclass(slots=True)
class ConversationState:
    """What an agent keeps of one conversation, beside its text."""

    question: Question | None = None
    declined: frozenset[str] = frozenset()
    """The entities and tools of the last question, if it was not answered by a yes."""
    declined_asks: tuple[Ask, ...] = ()
    """What was asked about them."""
    changes: tuple[State, ...] = ()
    """The states, before, of what the last turn that acted has changed."""
    planned: tuple[str, ...] = ()
    """The ids of the plans that this turn has made, if nothing acted since."""
    last_named: frozenset[str] = frozenset()
    """What the last call acted on that a person's own words had named: "it"."""
    acted_on: set[str] = field(default_factory=set)
    """All that its calls have acted on."""
    has_started: bool = False
    """A call began something that has no state to look at."""
    read_outside: bool = False
    """The model has read a text from outside."""
    found_media: dict[tuple[str, str], None] = field(default_factory=dict)
    """The ids and types of what was found by searches for media, the latest last."""
    journal: Journal = field(default_factory=Journal)
    """What the account's agents did lately."""
    sent: Sent = field(default_factory=Sent)
    """What left the house."""
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
            if now - item.last_used < _KEPT_FOR
        }
