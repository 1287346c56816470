"""What a turn lets a person hear: streamed into the chat log, in order.

Once speech has begun nothing else is heard, so our own sentences go this way too.
"""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass
import logging
from math import ceil
from typing import Final

from homeassistant.components.conversation.chat_log import AssistantContentDeltaDict

from ..const import EVENT_QUOTA_LOW
from ..gate.call_record import CallRecord
from ..gate.gate import Gate
from ..gate.notes import stack_of
from ..internals import listener_of, set_listener
from ..lumo_client.errors import (
    ContentFilteredError,
    LumoError,
    QuotaError,
    RateLimitError,
)
from .confirmation import Confirmation
from .heard import Heard
from .history import OwnSentence
from .pictures import PictureError
from .turn_context import TurnContext

_LOGGER = logging.getLogger(__name__)

# A wait of so many seconds is told in minutes.
_MINUTES_FROM: Final = 100.0


@dataclass(slots=True)
class LogWriter:
    """Writes what is said in one turn."""

    _turn: TurnContext
    _gate: Gate
    """Knows what was done."""
    _heard: Heard
    _confirmation: Confirmation

    async def async_add(
        self, deltas: AsyncGenerator[AssistantContentDeltaDict]
    ) -> None:
        """Stream deltas into the chat log; Home Assistant runs their tool calls."""
        async with (
            aclosing(deltas),
            aclosing(self._async_noted(deltas)) as noted,
            aclosing(
                self._turn.log.async_add_delta_content_stream(
                    self._turn.agent_id, noted
                )
            ) as contents,
        ):
            async for _content in contents:
                pass
        self._heard.end_message()

    async def _async_noted(
        self, deltas: AsyncGenerator[AssistantContentDeltaDict]
    ) -> AsyncGenerator[AssistantContentDeltaDict]:
        """Yield deltas, and tell which are ours: their listeners cannot know."""
        turn, log = self._turn, self._turn.log
        async for delta in deltas:
            own, listener = delta.get("native"), listener_of(log)
            self._heard.is_own = isinstance(own, OwnSentence)
            silent = turn.record.first_word is None and not turn.speaker.is_aloud
            if silent and self._heard.is_own and turn.record.failed:
                # The result says it, as an error: a screen would show it twice.
                set_listener(log, None)
            if delta.get("content"):
                turn.note_word()
            try:
                yield delta
            finally:
                set_listener(log, listener)

    async def async_speak(self, delta: AssistantContentDeltaDict) -> None:
        """Add one delta as a separate message."""

        async def deltas() -> AsyncGenerator[AssistantContentDeltaDict]:
            yield {"role": "assistant"}
            yield delta

        await self.async_add(deltas())

    async def async_tell(self, text: str) -> None:
        """Speak one of our texts that does not report a failure."""
        await self.async_speak({"content": text, "native": OwnSentence(failed=False)})

    async def async_say(
        self, key: str, *, failed: bool = True, **placeholders: str
    ) -> None:
        """Speak one of our sentences as a separate message."""
        await self.async_speak(self.sentence(key, failed=failed, **placeholders))

    def sentence(
        self, key: str, *, failed: bool, **placeholders: str
    ) -> AssistantContentDeltaDict:
        """Return a sentence; one that ends a failed turn says what was done before."""
        text = self._turn.sentences(key, **placeholders)
        if failed and (done := self._done()):
            text = f"{text} {done}"
        return {"content": text, "native": OwnSentence(failed)}

    def failure(self, err: Exception) -> AssistantContentDeltaDict:
        """Note a failure that ends the turn, and return the sentence for it."""
        record = self._turn.record
        acts = self._acts
        is_data = not self._turn.is_talk
        if (isinstance(err, QuotaError) and not is_data) and (
            done := self._confirmation.of_all(acts, len(acts), self._turn.sentence)
        ):
            record.failure = err
            record.decide("no requests are left, but all was done")
            text = f"{done} {self._turn.sentences('quota_last')}"
            return {"content": text, "native": OwnSentence(failed=False)}
        if isinstance(err, PictureError):
            record.error = err.reason
            record.decide(f"a picture cannot be shown: {err.reason}")
            return self.sentence(err.reason, failed=True, **err.placeholders)
        code = err.code if isinstance(err, LumoError) else "unknown"
        # That it will not help with something is an answer, but no data.
        refused = isinstance(err, ContentFilteredError) and not is_data
        if not refused:
            record.error = code
        if not isinstance(err, LumoError):
            _LOGGER.error(
                "Unexpected %s in a turn:\n%s", type(err).__name__, stack_of(err)
            )
        elif not refused:
            record.failure = err
        record.decide(f"the answer failed: {code}")
        wait = err.retry_after if isinstance(err, RateLimitError) else None
        if wait is None:
            return self.sentence(code, failed=not refused)
        if wait < _MINUTES_FROM:
            return self.sentence(
                "wait_seconds", failed=True, count=str(max(ceil(wait), 1) + 1)
            )
        return self.sentence("wait_minutes", failed=True, count=str(ceil(wait / 60)))

    async def async_report_quota(self) -> None:
        """Say once that few requests are left, where nothing else is to be answered."""
        turn, record = self._turn, self._turn.record
        if record.failed or record.failure or record.asked or self._heard.awaits_answer:
            return
        if not turn.is_talk:
            return  # The next person hears of it.
        if few := turn.quota.few(record.usage):
            turn.hass.bus.async_fire(
                EVENT_QUOTA_LOW, {"entity_id": turn.agent_id, **few._asdict()}
            )
            record.decide(f"{few.left} requests are left of {few.pool}")
            await self.async_say(few.sentence(), failed=False, count=str(few.left))

    @property
    def _acts(self) -> list[CallRecord]:
        """Return what became of the calls that do more than reading."""
        return [
            outcome
            for outcome in self._gate.outcomes
            if not outcome.annotations.read_only
        ]

    def _done(self) -> str:
        """Return a sentence on what the turn did before it stopped, or nothing."""
        acted = sum(outcome.success for outcome in self._acts)
        if not acted:
            return ""
        key = "done_one" if acted == 1 else "done_several"
        return self._turn.sentences(key, count=str(acted))
