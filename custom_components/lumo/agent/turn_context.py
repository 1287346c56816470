"""What every part of a turn works with."""

from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Protocol

from homeassistant.components import conversation
from homeassistant.core import HomeAssistant

from ..abilities.note_store import Notes
from ..abilities.plans import Plans
from ..abilities.routine_store import Routines
from ..gate.judged_call import Ask
from ..gate.places import Scope
from ..gate.speaker import Speaker
from ..languages import language_of
from ..languages.form import Language
from ..lumo_client.deadlines import ALOUD, ON_SCREEN, TURN_SECONDS, Deadlines
from ..lumo_client.events import Event
from ..lumo_client.messages import ChatRequest, Image
from .conversation_state import ConversationState
from .history import without_personal
from .options import AgentOptions
from .phone import PhoneQuestion
from .record import Quota, TurnRecord
from .sentences import Sentences
from .structured import AnswerFormat
from .toolbox import KnownTools


class Service(Protocol):
    """Answers requests."""

    def chat(
        self, request: ChatRequest, deadlines: Deadlines
    ) -> AbstractAsyncContextManager[AsyncIterator[Event]]:
        """Send a request; its events arrive inside the context. Raises LumoErrors."""


@dataclass(kw_only=True)
class TurnContext:
    """What a turn is given, and its record. The turn begins when it is made."""

    client: Service
    log: conversation.ChatLog
    """Its last content is what a person said."""
    speaker: Speaker
    agent_id: str
    options: AgentOptions
    sentences: Sentences
    conversation_state: ConversationState
    deadlines: Deadlines
    known: KnownTools = field(default_factory=dict)
    pictures: list[Image] = field(default_factory=list)
    quota: Quota = field(default_factory=Quota)
    approved: Sequence[Ask] = ()
    """What a person has approved before; it runs, and the model is not asked."""
    confirmed_by: str = ""
    """The person entity that approved it by phone, if any."""
    by_phone: PhoneQuestion | None = None
    """The question that this turn has asked on a phone."""
    subentry_id: str = ""
    plans: Plans | None = None
    """None if nothing can be planned."""
    routines: Routines | None = None
    """None if no routine can be made."""
    notes: Notes | None = None
    """None if the agent keeps none."""
    answer_format: AnswerFormat | None = None
    """The form that the answer must have; it is then data, and nothing is said."""
    data: Any = None
    verbatim: bool = False
    """The answer is for a program."""
    record: TurnRecord = field(default_factory=TurnRecord)
    is_untouched: bool = True
    """Nothing was said, and no call that acts was made, in this turn so far."""

    def __post_init__(self) -> None:
        self._begin = len(self.log.content)
        said = self.conversation_state.said
        if said is None or not said.is_same_person(self.speaker):
            self.log.content[:] = without_personal(self.log.content)

    @cached_property
    def scope(self) -> Scope | None:
        """Return what may be read and acted on; None for all that is exposed."""
        return self.options.places.scope(self.hass, self.speaker)

    @property
    def is_talk(self) -> bool:
        """Return whether what is said is for a person, and so is the answer."""
        return not self.verbatim and self.answer_format is None

    @property
    def hass(self) -> HomeAssistant:
        """Return Home Assistant."""
        return self.log.hass

    @property
    def sentence(self) -> str:
        """Return what the person said."""
        return self.speaker.sentence

    @property
    def before(self) -> str:
        """Return what the same person said before in this conversation."""
        last, now = self.conversation_state.said, self.speaker
        return last.sentence if last and last.is_same_person(now) else ""

    @property
    def language(self) -> Language:
        """Return the language that is spoken."""
        return language_of(self.speaker.language)

    @property
    def system(self) -> str:
        """Return the system prompt, as Home Assistant has joined it."""
        head = self.log.content[0]
        return head.content if isinstance(head, conversation.SystemContent) else ""

    @property
    def attachments(self) -> Sequence[conversation.Attachment]:
        """Return the files that the person attached."""
        return getattr(self.log.content[self._begin - 1], "attachments", None) or ()

    @property
    def contents(self) -> Sequence[conversation.Content]:
        """Return what this turn has added to the log."""
        return self.log.content[self._begin :]


def deadlines_for(hass: HomeAssistant, speaker: Speaker) -> Deadlines:
    """Return the deadlines of a turn that begins now."""
    usual = ALOUD if speaker.satellite_id else ON_SCREEN
    return replace(usual, until=hass.loop.time() + TURN_SECONDS)
