"""Breaks the silence on a satellite while an answer takes its time.

What is said here goes past the chat log, straight to who listens to its deltas: the
text-to-speech of the pipeline. It is no part of the answer. So nothing that reads the
log takes it for a claim or for what was done, and the model never reads it.

    ... the sentence ──2 s──► "One moment." ──► tool, search, second request ...
    ... "It is 21" ──3.5 s──► "I am still on it." ──► " degrees outside." ...

The pipeline begins to speak at 61 characters, so a phrase is filled up with blanks. A
blank line before and behind it makes voices that wait for whole sentences speak what
they have.
"""

from asyncio import TimerHandle
from itertools import chain, cycle
from typing import Any, Final, Self

from homeassistant.components import conversation

from ..internals import listener_of, set_listener
from ..lumo_client.events import Event, TextDelta
from .turn_context import TurnContext

# Seconds without a sound after the sentence, where a wait is likely.
FIRST_SECONDS: Final = 2.0
# And in any case, and between two pieces of speech: Voice PE gives up after 5 s
# (esphome/home-assistant-voice-pe#612).
GAP_SECONDS: Final = 3.5
_LOOK_SECONDS: Final = 0.25

# STREAM_RESPONSE_CHARS in assist_pipeline/default_pipeline.py; importing it would
# import modules for audio.
_SPOKEN_BEYOND: Final = 60
_BREAK: Final = "\n\n"


class Silence:
    """Listens to what one turn gives to speech, and speaks where that is nothing.

    A context: whoever listens to the log's deltas is listened for, and put back.
    """

    def __init__(self, turn: TurnContext) -> None:
        """Take the turn, which begins now; without a satellite do nothing."""
        self._log = turn.log
        self._record = turn.record
        self._listener = listener_of(turn.log) if turn.speaker.satellite_id else None
        phrases = ("still_on_it", "takes_longer", "bear_with_me")
        self._phrases = chain(
            [turn.sentences("one_moment")], cycle(map(turn.sentences, phrases))
        )
        self._loop = turn.hass.loop
        self._begun = self._loop.time()
        self._timer: TimerHandle | None = None
        self._role: str | None = None
        self._given = ""
        self._is_heard = False
        self._is_waiting = False

    def __enter__(self) -> Self:
        if self._listener:
            set_listener(self._log, self._on_delta)
            self._look_in(FIRST_SECONDS)
        return self

    def __exit__(self, *_: object) -> None:
        if self._timer:
            self._timer.cancel()
            set_listener(self._log, self._listener)

    def on_event(self, event: Event | None) -> None:
        """Take an event of the stream, None for a wait before there is a stream.

        Whatever is not text promises none soon: progress, thoughts, a search, and the
        end, after which tools run or another request follows.
        """
        self._is_waiting = not isinstance(event, TextDelta)

    def _look_in(self, seconds: float) -> None:
        if self._timer:
            self._timer.cancel()
        self._timer = self._loop.call_later(seconds, self._look)

    def _on_delta(self, log: conversation.ChatLog, delta: dict[str, Any]) -> None:
        """Hand a delta on, and know whether it is heard, as the pipeline does."""
        assert self._listener
        self._listener(log, delta)
        self._role = delta.get("role") or self._role
        content = delta.get("content") if self._role == "assistant" else None
        was_heard = self._is_heard
        if delta.get("tool_calls"):
            self._is_waiting = True
            self._is_heard |= bool(self._given)
        self._given += content or ""
        self._is_heard |= len(self._given) > _SPOKEN_BEYOND
        if self._is_heard and ((content and content.strip()) or not was_heard):
            self._look_in(GAP_SECONDS)

    def _look(self) -> None:
        """Speak if it is time to, else look again soon."""
        has_time = self._loop.time() < self._begun + GAP_SECONDS
        if not self._is_heard and not self._is_waiting and has_time:
            self._look_in(_LOOK_SECONDS)
            return
        phrase = next(self._phrases)
        self._record.decide("the silence was broken")
        text = f"{_BREAK if self._given else ''}{phrase}"
        text = text.ljust(_SPOKEN_BEYOND + 1 - len(self._given)) + _BREAK
        begins = {} if self._role == "assistant" else {"role": "assistant"}
        self._on_delta(self._log, {**begins, "content": text})
