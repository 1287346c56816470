"""The gate: no tool runs unless its call passed here.

A call is admitted when it is read, judged when Home Assistant starts it, and run as it
was judged. So whatever reaches a tool by another way, or after the turn, is refused.

    admitted? -> judge -> refused        an error result for the model
                       -> to be asked    a result that says so; the turn asks
                       -> runs           event, tool, a look at what came of it
"""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field, replace
import logging
from math import inf
from typing import Any, Final, override

from homeassistant.core import Context, HomeAssistant, State
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import llm
from homeassistant.util.json import JsonObjectType
import probatio

from ..const import EVENT_TOOL_CALLED
from . import notes
from .domains import domain_of
from .effects import Effect
from .judge import Judge, Verdict
from .log import stack_of
from .pending import Ask
from .permissions import own_tool
from .results import RefusedError, acted_on, entities_of, failed_targets, merged
from .verify import async_observe, with_observed

_LOGGER = logging.getLogger(__name__)

# A script may take hours, and a person does not wait for it. The tool goes on.
ACTION_PATIENCE: Final = 10.0
# A tool that is called for its result is worth a longer wait.
RESULT_PATIENCE: Final = 60.0


@dataclass(slots=True)
class Outcome:
    """What became of a call that ran."""

    tool: llm.Tool
    success: bool
    """It did something, or will have."""
    complete: bool = False
    """It has ended, and did all it was asked for."""
    effects: Sequence[Effect] = ()
    """What it did to which entities, as far as that is known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cause:
    """Who is behind the calls of a turn, for the event that tells of them."""

    agent_id: str
    conversation_id: str
    user_id: str | None = None
    satellite_id: str | None = None
    sentence: str | None = None
    """What the person said, if the owner of the agent wants it told."""


@dataclass(slots=True)
class Gate:
    """The calls of one turn that may run, and what became of them.

    Without a judge nothing may.
    """

    judge: Judge | None = None
    cause: Cause | None = None
    has_read_outside: Callable[[], bool] = lambda: False
    """Whether the model has read a text from outside the home."""
    until: float = inf
    """When the turn is over, on the clock of the event loop: nothing is waited for."""

    outcomes: list[Outcome] = field(default_factory=list)
    asks: list[Ask] = field(default_factory=list)
    """What a person must be asked about before it can run."""
    sentence: str | None = None
    """The key of a sentence about a refusal that ends the turn."""
    silent: dict[str, None] = field(default_factory=dict)
    """The names of targets that did not answer."""
    before: dict[str, State] = field(default_factory=dict)
    """The states, before, of what was acted on."""
    acted_on: dict[str, None] = field(default_factory=dict)
    """The targets of the calls that ran."""
    _admitted: dict[str, frozenset[str]] = field(default_factory=dict)
    _refusals: dict[str, str] = field(default_factory=dict)

    def allow(self, call_id: str, approved: frozenset[str] = frozenset()) -> None:
        """Admit a call, once. `approved` is what a person has said yes to."""
        self._admitted[call_id] = approved

    def close(self) -> None:
        """End the turn: what has not begun to run never will."""
        self._admitted.clear()

    def refuse(self, call_id: str, reason: str) -> None:
        """Answer the call with an error that the model can understand."""
        self._refusals[call_id] = reason

    async def async_run(
        self,
        tool: llm.Tool,
        hass: HomeAssistant,
        tool_input: llm.ToolInput,
        llm_context: llm.LLMContext,
    ) -> llm.ToolResult | JsonObjectType:
        """Judge and run a call; raise RefusedError for one that may not.

        Every failure of the tool becomes a HomeAssistantError too: that is what the
        chat log turns into a result, anything else would end the turn.
        """
        if reason := self._refusals.get(tool_input.id):
            raise RefusedError(reason)
        approved = self._admitted.pop(tool_input.id, None)
        if approved is None or self.judge is None:
            raise RefusedError(notes.NOT_ALLOWED)
        verdict = await self._async_judge(tool, tool_input, llm_context, approved)
        self.asks += verdict.asks
        self.sentence = self.sentence or verdict.sentence
        if not verdict.runs:
            if verdict.refusal:
                raise RefusedError(verdict.refusal)
            return llm.ToolResult(data=dict(notes.WAITING))
        llm_context = self._tell(
            hass, tool, tool_input, llm_context, verdict.runs, bool(approved)
        )
        if EVENT_TOOL_CALLED in hass.bus.async_listeners():
            # A listener to the event may have changed what the call would find.
            again = await self._async_judge(tool, tool_input, llm_context, approved)
            if again.runs != verdict.runs:
                raise RefusedError(notes.NOT_ALLOWED)
        result = await self._async_run_all(
            tool, hass, tool_input, llm_context, verdict.runs
        )
        if verdict.asks:
            result.data["rest"] = notes.REST_WAITING
        elif verdict.refusal:
            result.data["rest"] = notes.REST_REFUSED
        if verdict.left:
            result.data["left_as_they_are"] = list(verdict.left)
        return result

    async def _async_judge(
        self,
        tool: llm.Tool,
        tool_input: llm.ToolInput,
        llm_context: llm.LLMContext,
        approved: frozenset[str],
    ) -> Verdict:
        """Judge a call; what cannot be judged does not run."""
        assert self.judge is not None
        try:
            return await self.judge.async_judge(
                tool,
                tool_input.tool_args,
                llm_context,
                approved=approved,
                after_outside=self.has_read_outside(),
            )
        except Exception as err:
            _LOGGER.error(
                "Unexpected %s in judging a call:\n%s",
                type(err).__name__,
                stack_of(err),
            )
            raise RefusedError(notes.NOT_ALLOWED) from err

    async def _async_run_all(
        self,
        tool: llm.Tool,
        hass: HomeAssistant,
        tool_input: llm.ToolInput,
        llm_context: llm.LLMContext,
        runs: tuple[dict[str, Any], ...],
    ) -> llm.ToolResult:
        """Run a tool, for all its targets at once or for one by one."""
        outcome = Outcome(tool, success=False)
        self.outcomes.append(outcome)
        acts = not tool.annotations.read_only
        states = {state.entity_id: state for state in hass.states.async_all()}
        # Each begins at once, up to its first action.
        tasks = [
            hass.async_create_task(
                self._async_call(
                    tool, hass, replace(tool_input, tool_args=run), llm_context, outcome
                )
            )
            for run in runs
        ]
        results = await asyncio.gather(*tasks, return_exceptions=True)
        result = merged(results)
        still_running = outcome.success
        outcome.success = still_running or not result.error
        if not acts or result.error:
            outcome.complete = not (result.error or still_running)
            return result
        acted = acted_on(hass, tool, runs, result, llm_context)
        outcome.effects = acted.direct
        self.acted_on |= dict.fromkeys(effect.entity_id for effect in acted.direct)
        observed = await async_observe(hass, acted.direct, states)
        if observed.states:
            self.silent |= with_observed(hass, result.data, observed)
        for effect in acted.reached:
            state = states.get(effect.entity_id)
            if state and domain_of(effect.domain).is_restorable:
                self.before.setdefault(effect.entity_id, state)
        outcome.complete = observed.complete and not (
            still_running
            or failed_targets(result)
            or any(isinstance(item, BaseException) for item in results)
        )
        return result

    def _tell(
        self,
        hass: HomeAssistant,
        tool: llm.Tool,
        tool_input: llm.ToolInput,
        llm_context: llm.LLMContext,
        runs: tuple[dict[str, Any], ...],
        confirmed: bool,
    ) -> llm.LLMContext:
        """Fire the event that tells of a call; return the context to run it in.

        What the call changes has the event's context, so Home Assistant's logbook
        shows the one as the cause of the other.
        """
        person = llm_context.context
        context = Context(
            user_id=person.user_id if person else None,
            parent_id=person.id if person else None,
        )
        data: dict[str, Any] = {
            "tool": tool.name,
            "title": tool.title or own_tool(tool).name,
            "arguments": tool_input.tool_args,
            "entity_ids": entities_of(hass, tool, runs, llm_context),
            "confirmed": confirmed,
        }
        if self.cause:
            # Home Assistant's logbook looks for an event's entity under that name.
            told = {"entity_id": self.cause.agent_id, **asdict(self.cause)}
            if told["sentence"] is None:
                del told["sentence"]
            data = told | data
        hass.bus.async_fire(EVENT_TOOL_CALLED, data, context=context)
        return replace(llm_context, context=context)

    async def _async_call(
        self,
        tool: llm.Tool,
        hass: HomeAssistant,
        tool_input: llm.ToolInput,
        llm_context: llm.LLMContext,
        outcome: Outcome,
    ) -> llm.ToolResult:
        """Call a tool; do not wait longer for it than a person would."""
        task = hass.async_create_task(
            tool.async_call(hass, tool_input, llm_context),
            name=f"lumo_tool_{tool_input.id}",
        )
        task.add_done_callback(_log_failure)
        for_result = tool.annotations.read_only or tool.integration == "mcp"
        patience = RESULT_PATIENCE if for_result else ACTION_PATIENCE
        try:
            async with asyncio.timeout_at(min(hass.loop.time() + patience, self.until)):
                result = await asyncio.shield(task)
        except TimeoutError as err:
            if task.done() or for_result:
                raise HomeAssistantError(notes.NO_RESULT) from err
            outcome.success = True
            return llm.ToolResult(data=dict(notes.STILL_RUNNING))
        except HomeAssistantError, probatio.Invalid:
            raise
        except Exception as err:
            _LOGGER.debug("Tool %s failed", tool.name, exc_info=True)
            raise HomeAssistantError(notes.failed(err)) from err
        return result if isinstance(result, llm.ToolResult) else llm.ToolResult(result)


class GatedTool(llm.Tool):
    """A tool behind the gate."""

    def __init__(self, tool: llm.Tool, gate: Gate) -> None:
        """Stand before the tool, for one turn."""
        self.name = tool.name
        self.title = tool.title
        self.description = tool.description
        self.parameters = tool.parameters
        self.annotations = tool.annotations
        self.integration = tool.integration
        self._tool = tool
        self._gate = gate

    @override
    async def async_call(
        self,
        hass: HomeAssistant,
        tool_input: llm.ToolInput,
        llm_context: llm.LLMContext,
    ) -> llm.ToolResult | JsonObjectType:
        """Call the tool if the gate lets the call through."""
        return await self._gate.async_run(self._tool, hass, tool_input, llm_context)


class UnknownTool(GatedTool):
    """Stands for a tool that was called but does not exist: the gate says why."""

    integration = "lumo"

    def __init__(self, name: str, gate: Gate) -> None:
        """Take the name that was called."""
        self.name = name
        self._tool = self
        self._gate = gate


def _log_failure(task: asyncio.Task[object]) -> None:
    """Retrieve the exception of a tool, as the turn may be over by then."""
    if not task.cancelled() and (err := task.exception()):
        _LOGGER.debug("A tool failed: %s", type(err).__name__)
