"""One turn through the Assist pipeline, and everything that could be seen of it."""

import asyncio
from collections.abc import Callable
import contextlib
from dataclasses import asdict, dataclass, field
import time
from typing import Any

from .api import Api
from .errors import HomeError

# Home Assistant itself ends a run after five minutes.
RUN_TIMEOUT = 330
QUIET = 1.0
LONGEST_WAIT = 5.0


@dataclass(slots=True)
class ToolCall:
    """A tool call: as it was executed, and what came of it."""

    name: str
    arguments: dict[str, Any]
    result: dict[str, Any] | None = None
    error: str | None = None


@dataclass(frozen=True, slots=True)
class Change:
    """A transition of an exposed entity."""

    entity_id: str
    before: str | None
    after: str | None
    attributes: dict[str, list[Any]]

    @classmethod
    def from_event(cls, data: dict[str, Any]) -> Change | None:
        """Read a state_changed event; None if nothing changed that one could see."""
        old, new = data["old_state"] or {}, data["new_state"] or {}
        before, after = old.get("attributes", {}), new.get("attributes", {})
        attributes = {
            name: [before.get(name), after.get(name)]
            for name in [*before, *(name for name in after if name not in before)]
            if before.get(name) != after.get(name)
        }
        if old.get("state") == new.get("state") and not attributes:
            return None
        return cls(data["entity_id"], old.get("state"), new.get("state"), attributes)

    def as_json(self) -> dict[str, Any]:
        """Return the change as `scripts/ask --json` prints it."""
        return {
            "entity_id": self.entity_id,
            "from": self.before,
            "to": self.after,
            "attributes": self.attributes,
        }


@dataclass(slots=True)
class Turn:
    """What happened in a turn."""

    text: str
    reply: str = ""
    continue_conversation: bool = False
    error: str | None = None
    tool_calls: list[ToolCall] = field(default_factory=list)
    changes: list[Change] = field(default_factory=list)
    requests: int = 0
    bounces: int = 0
    rescues: int = 0
    first_text_ms: int | None = None
    total_ms: int = 0
    prompt_characters: int = 0
    conversation_id: str | None = None
    decisions: list[str] = field(default_factory=list)

    def as_json(self) -> dict[str, Any]:
        """Return the turn as `scripts/ask --json` prints it."""
        told = asdict(self) | {"changes": [change.as_json() for change in self.changes]}
        del told["conversation_id"], told["decisions"]
        return told


class ChangeLog:
    """The transitions of the exposed entities, as they come in."""

    def __init__(self) -> None:
        self._exposed: set[str] = set()
        self._changes: list[Change] = []
        self._last = 0.0

    async def follow(self, api: Api) -> None:
        """Note every transition from now on."""
        found = await api.command("homeassistant/expose_entity/list")
        self._exposed = {
            entity_id
            for entity_id, assistants in found["exposed_entities"].items()
            if assistants.get("conversation")
        }
        await api.subscribe(
            "subscribe_events", self._on_event, event_type="state_changed"
        )

    def _on_event(self, event: dict[str, Any]) -> None:
        if event["data"]["entity_id"] not in self._exposed:
            return
        if (change := Change.from_event(event["data"])) is not None:
            self._changes.append(change)
            self._last = time.monotonic()

    def clear(self) -> None:
        """Forget what happened before the turn."""
        self._changes = []

    async def settled(self) -> list[Change]:
        """Return the turn's transitions after a second of quiet, or five seconds."""
        now = start = time.monotonic()
        while (quiet := now - max(self._last, start)) < QUIET:
            if now - start >= LONGEST_WAIT:
                break
            await asyncio.sleep(min(QUIET - quiet, start + LONGEST_WAIT - now))
            now = time.monotonic()
        return list(self._changes)


class _Run:
    def __init__(self, turn: Turn, on_text: Callable[[str], None] | None) -> None:
        self._turn = turn
        self._on_text = on_text
        self._started = time.monotonic()
        self._role: str | None = None
        self._new_message = False
        self._calls: dict[str, ToolCall] = {}
        self.ended = asyncio.Event()

    def on_event(self, event: dict[str, Any]) -> None:
        """Take an event of the pipeline."""
        data = event["data"] or {}
        match event["type"]:
            case "run-start":
                self._turn.conversation_id = data.get("conversation_id")
            case "intent-progress":
                self._on_delta(data.get("chat_log_delta") or {})
            case "intent-end":
                self._on_result(data["intent_output"])
            case "error":
                self._turn.error = data["code"]
                self._say_unless_said(data["message"])
            case "run-end":
                self._turn.total_ms = self.elapsed()
                self.ended.set()

    def elapsed(self) -> int:
        """Return the milliseconds since the run was sent."""
        return round((time.monotonic() - self._started) * 1000)

    def _on_delta(self, delta: dict[str, Any]) -> None:
        if role := delta.get("role"):
            self._role = role
            self._new_message = True
        if self._role == "tool_result":
            self._on_tool_result(delta)
            return
        for call in delta.get("tool_calls") or ():
            if call.get("external"):
                continue  # done elsewhere, recorded only
            found = ToolCall(call["tool_name"], call["tool_args"])
            self._calls[call["id"]] = found
            self._turn.tool_calls.append(found)
        if text := delta.get("content"):
            self._say(text)

    def _say(self, text: str) -> None:
        """Add text as it is heard: a space keeps two messages apart."""
        if self._turn.first_text_ms is None:
            self._turn.first_text_ms = self.elapsed()
        if (
            self._new_message
            and self._turn.reply
            and not self._turn.reply[-1].isspace()
        ):
            text = " " + text
        self._new_message = False
        self._turn.reply += text
        if self._on_text is not None:
            self._on_text(text)

    def _say_unless_said(self, text: str) -> None:
        """Add the speech of the result, which is only spoken if nothing was streamed."""
        if text and not self._turn.reply:
            first = self._turn.first_text_ms
            self._say(text)
            self._turn.first_text_ms = first

    def _on_tool_result(self, delta: dict[str, Any]) -> None:
        call = self._calls.get(delta["tool_call_id"])
        if call is None:
            return
        data = delta["result"]["data"]
        if delta["result"]["error"]:
            call.error = str(data.get("error_text") or data.get("error") or data)
        else:
            call.result = data

    def _on_result(self, output: dict[str, Any]) -> None:
        self._turn.continue_conversation = bool(output.get("continue_conversation"))
        self._turn.conversation_id = output.get("conversation_id")
        response = output["response"]
        if response["response_type"] == "error":
            self._turn.error = response["data"]["code"]
        speech = response.get("speech", {}).get("plain", {}).get("speech", "")
        self._say_unless_said(speech)


class Conversation:
    """Sends sentences through a pipeline, as turns of one conversation."""

    def __init__(
        self,
        api: Api,
        pipeline_id: str,
        changes: ChangeLog,
        patience: int,
        device_id: str | None,
    ) -> None:
        self._timeout = {"timeout": patience} if patience else {}
        self._patience = patience or RUN_TIMEOUT
        self._api = api
        self._pipeline_id = pipeline_id
        self._changes = changes
        self._device_id = device_id
        self._id: str | None = None

    async def ask(
        self, text: str, on_text: Callable[[str], None] | None = None
    ) -> Turn:
        """Say a sentence and return what happened.

        `on_text` is given the reply piece by piece, as it streams. Nothing is raised
        for a turn that fails: its `error` says so.
        """
        turn = Turn(text)
        self._changes.clear()
        run = _Run(turn, on_text)
        try:
            subscription = await self._api.subscribe(
                "assist_pipeline/run",
                run.on_event,
                start_stage="intent",
                end_stage="intent",
                input={"text": text},
                pipeline=self._pipeline_id,
                device_id=self._device_id,
                conversation_id=self._id,
                **self._timeout,
            )
            await self._ended(run)
            self._api.forget(subscription)
            self._id = turn.conversation_id or self._id
            await self._add_trace(turn)
            turn.changes = await self._changes.settled()
        except HomeError as err:
            turn.error = err.code
        except TimeoutError:
            turn.error = "timeout"
        turn.total_ms = turn.total_ms or run.elapsed()
        for call in turn.tool_calls:
            if call.result is None and call.error is None:
                call.error = "no result"
        return turn

    async def _ended(self, run: _Run) -> None:
        ended = asyncio.create_task(run.ended.wait())
        closed = asyncio.create_task(self._api.closed.wait())
        try:
            async with asyncio.timeout(self._patience):
                await asyncio.wait({ended, closed}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (ended, closed):
                task.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await task
        if not run.ended.is_set():
            raise HomeError("Home Assistant ended during the turn")

    async def _add_trace(self, turn: Turn) -> None:
        """Add what only the agent knows, from the trace of the turn."""
        if turn.conversation_id is None:
            return
        trace = await self._api.command(
            "demo_home/turn_trace", conversation_id=turn.conversation_id
        )
        for event in (trace or {}).get("events", ()):
            if found := (event["data"] or {}).get("lumo"):
                turn.requests = found["requests"]
                turn.bounces = found["bounces"]
                turn.rescues = found["rescues"]
                turn.prompt_characters = found["prompt_characters"]
                turn.decisions = found.get("decisions", [])
                turn.error = found["error"] or turn.error
