"""The gate: no tool runs unless its call passed here.

A call is judged when it is read, and only the call that was judged can run: the gate
knows it by its id. So whatever reaches a tool by another way, or after the turn, is
refused.
"""

import asyncio
from dataclasses import dataclass
import logging
from typing import override

from homeassistant.core import HomeAssistant
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import llm
from homeassistant.util.json import JsonObjectType
import probatio

_LOGGER = logging.getLogger(__name__)

# A script may wait for hours; the person who speaks does not. The tool goes on.
ACTION_PATIENCE = 10.0
# What is asked for its result is worth waiting for, if not for ever.
RESULT_PATIENCE = 60.0


@dataclass(slots=True)
class Outcome:
    """What became of a call that ran."""

    tool: llm.Tool
    success: bool
    """It did something, or will have."""
    complete: bool = False
    """It has ended, and did all it was asked for."""


class Gate:
    """The calls of one turn that may run, and what became of them."""

    def __init__(self) -> None:
        """Begin a turn: nothing may run yet."""
        self._allowed: set[str] = set()
        self._refusals: dict[str, str] = {}
        self.outcomes: list[Outcome] = []

    def allow(self, call_id: str) -> None:
        """Let the call run, once."""
        self._allowed.add(call_id)

    def close(self) -> None:
        """End the turn: what has not begun to run never will."""
        self._allowed.clear()

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
        """Run a call that is allowed; raise HomeAssistantError for any other.

        Every failure of the tool becomes a HomeAssistantError too: that is what the
        chat log turns into a result, anything else would end the turn.
        """
        if reason := self._refusals.get(tool_input.id):
            raise HomeAssistantError(reason)
        if tool_input.id not in self._allowed:
            raise HomeAssistantError("This call is not allowed.")
        self._allowed.discard(tool_input.id)
        outcome = Outcome(tool, success=False)
        self.outcomes.append(outcome)
        task = hass.async_create_task(
            tool.async_call(hass, tool_input, llm_context),
            name=f"lumo_tool_{tool_input.id}",
        )
        task.add_done_callback(_log_failure)
        for_result = tool.annotations.read_only or tool.integration == "mcp"
        try:
            async with asyncio.timeout(
                RESULT_PATIENCE if for_result else ACTION_PATIENCE
            ):
                result = await asyncio.shield(task)
        except TimeoutError as err:
            if task.done() or for_result:
                raise HomeAssistantError("The tool did not answer in time.") from err
            outcome.success = True
            return llm.ToolResult(
                data={"status": "started", "note": "still running, not finished"}
            )
        except HomeAssistantError, probatio.Invalid:
            raise
        except Exception as err:
            _LOGGER.debug("Tool %s failed", tool.name, exc_info=True)
            raise HomeAssistantError(
                f"The tool failed ({type(err).__name__}); "
                "the names or values in the call may not exist."
            ) from err
        outcome.success = not (isinstance(result, llm.ToolResult) and result.error)
        outcome.complete = outcome.success and not _failed_targets(result)
        return result


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


class UnknownTool(llm.Tool):
    """Stands for a tool that was called but does not exist, to answer the call."""

    integration = "lumo"

    def __init__(self, name: str, gate: Gate) -> None:
        """Take the name that was called."""
        self.name = name
        self._gate = gate

    @override
    async def async_call(
        self,
        hass: HomeAssistant,
        tool_input: llm.ToolInput,
        llm_context: llm.LLMContext,
    ) -> llm.ToolResult | JsonObjectType:
        """Refuse, with the gate's reason."""
        return await self._gate.async_run(self, hass, tool_input, llm_context)


def _failed_targets(result: llm.ToolResult | JsonObjectType) -> bool:
    """Return whether an intent failed for some of its targets (IntentResponse)."""
    data = result.data if isinstance(result, llm.ToolResult) else result
    details = data.get("data")
    return isinstance(details, dict) and bool(details.get("failed"))


def _log_failure(task: asyncio.Task[object]) -> None:
    """Take a tool's failure, which nobody else may be there to take any more."""
    if not task.cancelled() and (err := task.exception()):
        _LOGGER.debug("A tool failed: %s", type(err).__name__)
