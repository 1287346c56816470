"""What is heard of a turn, and seen: the one place that writes into its chat log.

The log's listener (the text-to-speech of a pipeline, or a screen) gets the deltas from
here; a short answer is spoken from the turn's result instead, which is `text`.

* What is heard is cleaned; the log keeps the original.
* On a satellite a phrase, which is in no log, breaks the silence of a slow answer.

      ... the sentence ──2 s──► "One moment." ──► tool, search, second request ...
      ... "It is 21" ──3.5 s──► "I am still on it." ──► " degrees outside." ...

  The pipeline begins to speak at 61 characters, so a phrase is filled up with blanks. A
  blank line before and behind it makes voices that wait for whole sentences speak.
* On a screen a failure before the first word is not shown: the result says it.
"""

from asyncio import TimerHandle
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import aclosing
from itertools import chain, cycle
from typing import Any, Final, Self
from urllib.parse import urlsplit

from homeassistant.components import conversation
from homeassistant.components.conversation.chat_log import AssistantContentDeltaDict

from ..internals import Listener, listener_of, set_listener
from ..lumo_client.events import Event, TextDelta
from ..speech.cleaner import Cleaner
from ..speech.screen import ScreenText
from .history import OwnSentence
from .sentences import awaits_answer
from .turn_context import TurnContext

# Seconds without a sound after the sentence, if a wait is likely.
FIRST_SECONDS: Final = 2.0
# The same in any case, and between two pieces of speech: Voice PE gives up after 5 s
# (esphome/home-assistant-voice-pe#612).
GAP_SECONDS: Final = 3.5
_LOOK_SECONDS: Final = 0.25

# STREAM_RESPONSE_CHARS in assist_pipeline/default_pipeline.py, which imports modules
# for audio.
_SPOKEN_BEYOND: Final = 60
_BREAK: Final = "\n\n"


class SpokenOutput:
    """A context in which the log's listener gets what is to be heard."""

    def __init__(self, turn: TurnContext) -> None:
        self._turn, self._log = turn, turn.log
        self._cleaner: Cleaner | None = None
        self._screen: ScreenText | None = None
        if turn.speaker.is_aloud:
            self._cleaner = Cleaner(turn.language, self._name_of)
        elif turn.is_talk:
            self._screen = ScreenText(self._is_source)
        self._listener: Listener | None = None
        self.has_acted: Callable[[], bool] = lambda: False
        """Tells whether a call of this turn has done something."""
        self._role = ""
        self._text = ""
        # What is known of the delta that goes into the log.
        self._is_own = self._is_muted = False
        phrases = ("still_on_it", "takes_longer", "bear_with_me")
        self._phrases = chain(
            [turn.sentences("one_moment")], cycle(map(turn.sentences, phrases))
        )
        self._loop = turn.hass.loop
        self._begun = self._loop.time()
        # It runs on satellites only.
        self._timer: TimerHandle | None = None
        self._given = 0
        self._is_heard = self._is_waiting = False

    def _is_source(self, host: str) -> bool:
        hosts = (urlsplit(url).hostname for url in self._turn.record.sources)
        return host in hosts or host in self._turn.sentence

    def _name_of(self, entity_id: str) -> str | None:
        state = self._log.hass.states.get(entity_id)
        return state.name if state else None

    def __enter__(self) -> Self:
        self._listener = listener_of(self._log)
        set_listener(self._log, self._on_delta)
        if self._listener and self._turn.speaker.satellite_id:
            self._look_in(FIRST_SECONDS)
        return self

    def __exit__(self, *_: object) -> None:
        if self._timer:
            self._timer.cancel()
        set_listener(self._log, self._listener)

    @property
    def text(self) -> str:
        """Return all that was said; on a screen, all since the last tool's result."""
        return self._text.strip()

    @property
    def awaits_answer(self) -> bool:
        """Return whether a question was asked; remarks of ours do not count."""
        if awaits_answer(self.text):
            return True
        for content in reversed(self._turn.contents):
            if isinstance(content, conversation.AssistantContent) and content.content:
                if content.native != OwnSentence(failed=False):
                    return awaits_answer(content.content)
        return False

    async def async_tell(self, text: str, *, failed: bool = False) -> None:
        """Say one of our sentences, as a message of its own."""
        await self.async_speak({"content": text, "native": OwnSentence(failed)})

    async def async_speak(self, delta: AssistantContentDeltaDict) -> None:
        """Add one delta as a message of its own."""

        async def deltas() -> AsyncGenerator[AssistantContentDeltaDict]:
            yield {"role": "assistant"}
            yield delta

        await self.async_add(deltas())

    async def async_add(
        self, deltas: AsyncGenerator[AssistantContentDeltaDict]
    ) -> None:
        """Stream deltas into the chat log until their tool calls have results."""
        async with (
            aclosing(deltas),
            aclosing(self._async_noted(deltas)) as noted,
            aclosing(
                self._log.async_add_delta_content_stream(self._turn.agent_id, noted)
            ) as contents,
        ):
            async for _content in contents:
                pass
        self._end_message()

    async def _async_noted(
        self, deltas: AsyncGenerator[AssistantContentDeltaDict]
    ) -> AsyncGenerator[AssistantContentDeltaDict]:
        """Yield deltas, and note which are ours: the listener cannot see that."""
        turn, record = self._turn, self._turn.record
        async for delta in deltas:
            self._is_own = isinstance(delta.get("native"), OwnSentence)
            is_shown = turn.speaker.is_aloud or record.first_word is not None
            self._is_muted = self._is_own and record.failed and not is_shown
            if delta.get("content") and record.first_word is None:
                record.first_word = round(self._loop.time() - self._begun, 2)
            if delta.get("content"):
                turn.is_untouched = False
            yield delta

    async def async_watch(self, events: AsyncIterator[Event]) -> AsyncGenerator[Event]:
        """Yield the events of an answer, and note when a wait is likely."""
        async for event in events:
            # Progress, thoughts, a search and the end promise no text soon.
            self._is_waiting = not isinstance(event, TextDelta)
            if self._is_waiting and self._cleaner:
                self._say(self._cleaner.release())
            yield event

    def _end_message(self) -> None:
        if self._cleaner:
            # A lone emoji is "Done." only where something was.
            word = None if self.has_acted() else self._turn.sentences("called_off")
            self._say(self._cleaner.finish(alone=word))
        elif self._screen:
            self._say(self._screen.finish())

    def _say(self, text: str) -> None:
        if text:
            self._text += text
            self._hand_on({"content": text})

    def _on_delta(self, _log: conversation.ChatLog, delta: dict[str, Any]) -> None:
        if role := delta.get("role"):
            self._end_message()
            self._role = role
            if role == "tool_result" and not self._cleaner:
                self._text = ""
            if self._text and not self._text[-1].isspace():
                self._text += " "
        if self._role == "assistant":
            delta = {**delta}
            content = delta.pop("content", None) or ""
            # Names in sentences of ours may be marks, and are heard as they are.
            writer = self._screen or (None if self._is_own else self._cleaner)
            content = writer.feed(content) if writer else content
            if writer and delta.get("tool_calls"):
                # What comes before a call is spoken now.
                cleaner = self._cleaner
                content += cleaner.finish(alone="") if cleaner else writer.finish()
            if content and not self._is_muted:
                self._text += content
                delta["content"] = content
        if delta:
            self._hand_on(delta)

    def _hand_on(self, delta: dict[str, Any]) -> None:
        """Hand a delta on, and note whether the pipeline has begun to speak."""
        if self._listener:
            self._listener(self._log, delta)
        content = delta.get("content") or ""
        was_heard = self._is_heard
        if delta.get("tool_calls"):
            self._is_waiting = True
            self._is_heard |= self._given > 0
        self._given += len(content)
        self._is_heard |= self._given > _SPOKEN_BEYOND
        if self._timer and self._is_heard and (content.strip() or not was_heard):
            self._look_in(GAP_SECONDS)

    def _look_in(self, seconds: float) -> None:
        if self._timer:
            self._timer.cancel()
        self._timer = self._loop.call_later(seconds, self._look)

    def _look(self) -> None:
        has_time = self._loop.time() < self._begun + GAP_SECONDS
        if not self._is_heard and not self._is_waiting and has_time:
            self._look_in(_LOOK_SECONDS)
            return
        self._turn.record.decide("the silence was broken")
        text = f"{_BREAK if self._given else ''}{next(self._phrases)}"
        text = text.ljust(_SPOKEN_BEYOND + 1 - self._given) + _BREAK
        self._hand_on({"role": "assistant", "content": text})
