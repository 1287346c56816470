"""What a turn lets a person hear: streamed into the chat log, in order.

Once speech has begun nothing else is heard, so our own sentences go this way too.
"""

from collections.abc import AsyncGenerator
from contextlib import aclosing

from homeassistant.components import conversation
from homeassistant.components.conversation.chat_log import AssistantContentDeltaDict

from ..gate.gate import Gate
from .history import OwnSentence
from .sentences import Sentences


class Voice:
    """Speaks in one turn."""

    def __init__(
        self,
        chat_log: conversation.ChatLog,
        agent_id: str,
        sentences: Sentences,
        gate: Gate,
    ) -> None:
        """Take where to speak, and the gate, which knows what was done."""
        self._log = chat_log
        self._agent_id = agent_id
        self._sentences = sentences
        self._gate = gate

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
        """Add one delta as a message of its own."""

        async def deltas() -> AsyncGenerator[AssistantContentDeltaDict]:
            yield {"role": "assistant"}
            yield delta

        await self.async_add(deltas())

    async def async_tell(self, text: str) -> None:
        """Speak a text of ours that is no failure."""
        await self.async_speak({"content": text, "native": OwnSentence(failed=False)})

    async def async_say(
        self, key: str, *, failed: bool = True, **placeholders: str
    ) -> None:
        """Speak a sentence of ours as a message of its own."""
        await self.async_speak(self.sentence(key, failed=failed, **placeholders))

    def sentence(
        self, key: str, *, failed: bool, **placeholders: str
    ) -> AssistantContentDeltaDict:
        """Return a sentence; one that ends a failed turn says what was done before."""
        text = self._sentences(key, **placeholders)
        if failed and (done := self._done()):
            text = f"{text} {done}"
        return {"content": text, "native": OwnSentence(failed)}

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
