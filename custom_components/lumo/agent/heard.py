"""What is heard of a turn: cleaned for the ear, while the chat log keeps the original.

Two places are spoken. What listens to the log's deltas, the text-to-speech of a pipeline,
speaks longer answers as they come; a short answer is spoken from the turn's result. Here
the listener is given cleaned deltas, and `text` is the same for the result.
"""

from typing import Any, Self

from homeassistant.components import conversation

from ..internals import listener_of, set_listener
from ..lumo_client.events import Event, TextDelta
from ..speech.cleaner import Cleaner
from .history import OwnSentence
from .sentences import awaits_answer
from .turn_context import TurnContext


class Heard:
    """A context: whoever listens to the log's deltas gets what is to be heard."""

    def __init__(self, turn: TurnContext) -> None:
        """Take the turn; on a screen all is heard as it is written."""
        self._turn = turn
        self._log = turn.log
        self._cleaner: Cleaner | None = None
        if turn.speaker.is_aloud:
            self._cleaner = Cleaner(turn.language, self._name_of)
        self._listener = listener_of(self._log)
        self._role = ""
        self._text = ""
        self.is_own = False
        """The next delta is a sentence of ours: clean already, with names as they are."""

    def _name_of(self, entity_id: str) -> str | None:
        state = self._log.hass.states.get(entity_id)
        return state.name if state else None

    def __enter__(self) -> Self:
        """Begin to stand before the listener, if there is something to clean."""
        if self._cleaner:
            self._listener = listener_of(self._log)
            set_listener(self._log, self._on_delta)
        return self

    def __exit__(self, *_: object) -> None:
        if self._cleaner:
            set_listener(self._log, self._listener)

    @property
    def text(self) -> str:
        """Return all that was said; on a screen, what was since the last tool's result."""
        if self._cleaner:
            return self._text.strip()
        said: list[str] = []
        for content in self._turn.contents:
            if isinstance(content, conversation.AssistantContent):
                said += [(content.content or "").strip()]
            elif not self._turn.speaker.is_aloud:
                said = []
        return " ".join(filter(None, said))

    @property
    def awaits_answer(self) -> bool:
        """Return whether a question was asked, whatever we remarked after it."""
        if awaits_answer(self.text):
            return True
        for content in reversed(self._turn.contents):
            if isinstance(content, conversation.AssistantContent) and content.content:
                if content.native != OwnSentence(failed=False):
                    return awaits_answer(content.content)
        return False

    def on_event(self, event: Event | None) -> None:
        """Take an event of the stream: before a wait all words are said."""
        if self._cleaner and not isinstance(event, TextDelta):
            self._give(self._cleaner.release())

    def end_message(self) -> None:
        """Let out what is held of a message that has ended."""
        if self._cleaner:
            self._give(self._cleaner.finish())

    def _give(self, said: str) -> None:
        if said:
            self._hand_on({"content": said})

    def _on_delta(self, _log: conversation.ChatLog, delta: dict[str, Any]) -> None:
        assert self._cleaner
        if role := delta.get("role"):
            self.end_message()
            self._role = role
            if self._text and not self._text[-1].isspace():
                self._text += " "
        if self._role == "assistant" and not self.is_own:
            content = self._cleaner.feed(delta.get("content") or "")
            if delta.get("tool_calls"):
                # What comes before a call is spoken now, and says nothing of its end.
                content += self._cleaner.finish(alone=False)
            delta = {key: value for key, value in delta.items() if key != "content"}
            delta |= {"content": content} if content else {}
        if delta:
            self._hand_on(delta)

    def _hand_on(self, delta: dict[str, Any]) -> None:
        if self._role == "assistant":
            self._text += delta.get("content") or ""
        if self._listener:
            self._listener(self._log, delta)
