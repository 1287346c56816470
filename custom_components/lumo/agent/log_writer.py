"""What a turn lets a person hear: streamed into the chat log, in order.

Once speech has begun nothing else is heard, so our own sentences go this way too.
"""

from collections.abc import AsyncGenerator
from contextlib import aclosing
import logging
from math import ceil
from typing import Final

from homeassistant.components import conversation
from homeassistant.components.conversation.chat_log import AssistantContentDeltaDict

from ..gate.gate import Gate
from ..gate.log import stack_of
from ..lumo_client.errors import ContentFilteredError, LumoError, RateLimitError
from .history import OwnSentence
from .record import TurnRecord
from .sentences import Sentences

_LOGGER = logging.getLogger(__name__)

# A wait of so many seconds is told in minutes.
_MINUTES_FROM: Final = 100.0


class LogWriter:
    """Writes what is said in one turn."""

    def __init__(
        self,
        chat_log: conversation.ChatLog,
        agent_id: str,
        sentences: Sentences,
        gate: Gate,
        record: TurnRecord,
    ) -> None:
        """Take where to write, and the gate, which knows what was done."""
        self._log = chat_log
        self._agent_id = agent_id
        self._sentences = sentences
        self._gate = gate
        self._record = record

    async def async_add(
        self, deltas: AsyncGenerator[AssistantContentDeltaDict]
    ) -> None:
        """Stream deltas into the chat log; Home Assistant runs their tool calls."""
        async with (
            aclosing(deltas),
            aclosing(
                self._log.async_add_delta_content_stream(self._agent_id, deltas)
            ) as contents,
        ):
            async for _content in contents:
                pass

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
        text = self._sentences(key, **placeholders)
        if failed and (done := self._done()):
            text = f"{text} {done}"
        return {"content": text, "native": OwnSentence(failed)}

    def failure(self, err: Exception) -> AssistantContentDeltaDict:
        """Note a failure that ends the turn, and return the sentence for it."""
        code = err.code if isinstance(err, LumoError) else "unknown"
        # That it will not help with something is an answer.
        refused = isinstance(err, ContentFilteredError)
        if not refused:
            self._record.error = code
        if not isinstance(err, LumoError):
            _LOGGER.error(
                "Unexpected %s in a turn:\n%s", type(err).__name__, stack_of(err)
            )
        elif not refused:
            self._record.failure = err
        self._record.decide(f"the answer failed: {code}")
        wait = err.retry_after if isinstance(err, RateLimitError) else None
        if wait is None:
            return self.sentence(code, failed=not refused)
        if wait < _MINUTES_FROM:
            return self.sentence(
                "wait_seconds", failed=True, count=str(max(ceil(wait), 1) + 1)
            )
        return self.sentence("wait_minutes", failed=True, count=str(ceil(wait / 60)))

    def _done(self) -> str:
        """Return a sentence on what the turn did before it stopped, or nothing."""
        acted = sum(
            outcome.success and not outcome.tool.annotations.read_only
            for outcome in self._gate.outcomes
        )
        if not acted:
            return ""
        key = "done_one" if acted == 1 else "done_several"
        return self._sentences(key, count=str(acted))
