"""A turn over scripted answers: events in any order that the protocol allows.

`LumoClient` is tested against servers; here its place is taken by the events themselves,
so that a test can say exactly what comes when.
"""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import asynccontextmanager
import json
from pathlib import Path
from typing import Any, cast, override

from homeassistant.components import conversation
from homeassistant.core import HomeAssistant
from homeassistant.helpers import llm

import custom_components.lumo
from custom_components.lumo.agent.conversation_state import ConversationState
from custom_components.lumo.agent.history import OwnSentence
from custom_components.lumo.agent.options import AgentOptions
from custom_components.lumo.agent.record import Quota, TurnRecord
from custom_components.lumo.agent.sentences import Sentences
from custom_components.lumo.agent.turn import Turn, async_run_turn
from custom_components.lumo.agent.turn_context import TurnContext, deadlines_for
from custom_components.lumo.const import (
    CONF_AT_HOME,
    CONF_QUICK_CONFIRMATION,
    CONF_TOOLS,
    DEFAULT_OPTIONS,
    Permission,
    QuickConfirmation,
)
from custom_components.lumo.gate.permissions import identity
from custom_components.lumo.gate.speaker import Speaker
from custom_components.lumo.lumo_client.client import LumoClient
from custom_components.lumo.lumo_client.deadlines import Deadlines
from custom_components.lumo.lumo_client.events import End, Event, TextDelta
from custom_components.lumo.lumo_client.messages import ChatRequest

type Step = Event | BaseException | asyncio.Event
type Answer = str | Sequence[Step]

_WHY = {
    "bounces": "misrouted call bounced",
    "rescues": "misrouted call rescued",
    "doubts": "), asked again",
    "rewrites": "has not the form, asked again",
}
_STRINGS = Path(custom_components.lumo.__file__).parent / "translations" / "en.json"


class ScriptedClient:
    """Answers each request with the next script.

    A string is said whole; an exception is raised; an `asyncio.Event` is waited for.
    """

    def __init__(self, answers: Sequence[Answer]) -> None:
        self._answers = list(answers)
        self.requests: list[ChatRequest] = []
        self.deadlines: list[Deadlines] = []
        self.closed = 0
        """Streams that have been closed."""

    @asynccontextmanager
    async def chat(
        self, request: ChatRequest, deadlines: Deadlines
    ) -> AsyncGenerator[AsyncIterator[Event]]:
        self.requests.append(request)
        self.deadlines.append(deadlines)
        answer = self._answers.pop(0) if self._answers else "Nothing more."
        if isinstance(answer, str):
            answer = [TextDelta(answer), End("stop")]
        try:
            yield self._events(answer)
        finally:
            self.closed += 1

    async def _events(self, steps: Sequence[Step]) -> AsyncIterator[Event]:
        for step in steps:
            if isinstance(step, BaseException):
                raise step
            if isinstance(step, asyncio.Event):
                await step.wait()
            else:
                yield step


class Scene:
    """A turn, and what a person hears of it."""

    def __init__(
        self,
        hass: HomeAssistant,
        api: llm.APIInstance | None,
        sentence: str,
        answers: Sequence[Answer],
        *,
        language: str = "en",
        before: Sequence[conversation.Content] = (),
        conversation_state: ConversationState | None = None,
        satellite: str | None = None,
        deadlines: Deadlines | None = None,
        quota: Quota | None = None,
        **options: Any,
    ) -> None:
        if api is not None:
            api.api.hass = hass
        self.client = ScriptedClient(answers)
        self.spoken: list[str] = []
        self.log = conversation.ChatLog(
            hass,
            "conversation",
            content=[
                conversation.SystemContent(content="You are the home."),
                *before,
                conversation.UserContent(content=sentence),
            ],
            llm_api=api,
            delta_listener=self._note,
        )
        speaker = Speaker("anna", satellite, True, sentence, language)
        self.context = TurnContext(
            client=cast(LumoClient, self.client),
            log=self.log,
            speaker=speaker,
            agent_id="conversation.lumo",
            options=AgentOptions.from_subentry(
                {
                    **DEFAULT_OPTIONS,
                    # What the model answers is scripted.
                    CONF_AT_HOME: False,
                    CONF_QUICK_CONFIRMATION: QuickConfirmation.NEVER,
                    CONF_TOOLS: _all_on(api),
                    **options,
                },
                encrypted=True,
            ),
            sentences=strict_sentences(),
            conversation_state=conversation_state or ConversationState(),
            quota=quota or Quota(),
            deadlines=deadlines or deadlines_for(hass, speaker),
        )
        self.turn: Turn | None = None
        """Known once it has ended."""

    def _note(self, _log: conversation.ChatLog, delta: dict[str, Any]) -> None:
        if delta.get("role") == "assistant":
            self.spoken.append("")
        if text := delta.get("content"):
            self.spoken[-1] += text

    async def run(self) -> str:
        """Run the turn; return what was heard, messages parted by a bar."""
        self.turn = await async_run_turn(self.context)
        # Of what is counted the trace tells why.
        told, trace = " ".join(self.decisions), self.record.as_trace()
        for count, why in _WHY.items():
            assert trace[count] == told.count(why), told
        asked = self.record.as_event()["requests"], trace["requests"]
        assert asked == (len(self.client.requests),) * 2
        sizes = trace["sizes"]
        parts = sum(sizes[x] for x in sizes if "left_out" not in x)
        last = [request.characters for request in self.client.requests][-1:]
        assert [parts] == last or self.record.pictures or not last
        return self.heard

    @property
    def heard(self) -> str:
        """Return what was heard so far, or shown: on a screen the result says a failure."""
        said, last = [text.strip() for text in self.spoken], self.log.content[-1]
        if isinstance(last, conversation.AssistantContent) and (
            last.native == OwnSentence(failed=True) and last.content not in said
        ):
            said.append(last.content or "")
        return " | ".join(filter(None, said))

    @property
    def record(self) -> TurnRecord:
        return self.context.record

    @property
    def decisions(self) -> list[str]:
        return self.record.decisions


def _all_on(api: llm.APIInstance | None) -> dict[str, str]:
    """Return the choice that lets every tool run without a question."""
    if api is None:
        return {}
    return {identity(tool): Permission.ON for tool in api.tools}


class _Sentences(Sentences):
    """Sentences of ours that say which they are; there must be one for each key."""

    @override
    def __call__(self, key: str, **placeholders: str) -> str:
        return self._messages[key]


def strict_sentences() -> Sentences:
    """Return sentences of ours that say which they are; there must be one each."""
    keys = json.loads(_STRINGS.read_text())["exceptions"]
    return _Sentences({key: f"[{key}]" for key in keys})
