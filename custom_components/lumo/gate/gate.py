"""The gate: no tool runs unless its call passed here.

A call is admitted when it is read, judged when Home Assistant starts it, and run as it
was judged. So whatever reaches a tool by another way, or after the turn, is refused.
"""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
import logging
from math import inf
from typing import Any, Final, override

from homeassistant.core import HomeAssistant, State, valid_entity_id
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import llm
from homeassistant.helpers.json import json_dumps
from homeassistant.util.json import JsonObjectType
import probatio

from ..const import EVENT_TOOL_CALLED, Permission
from ..internals import intent_response
from .call_record import CallRecord
from .effects import Effect, domain_of
from .judge import Judge
from .judged_call import Ambiguity, Ask, JudgedCall, Target, Verdict
from .names import name_of, spoken
from .notes import NOTES, RefusedError, failed, stack_of
from .permissions import source_rule
from .speaker import CallContext, Speaker
from .verify import async_observe, has_answered, is_futile, with_observed

_LOGGER = logging.getLogger(__name__)

# A script may take hours, and a person does not wait for it. The tool goes on.
ACTION_PATIENCE: Final = 10.0
# A tool that is called for its result is worth a longer wait.
RESULT_PATIENCE: Final = 60.0
_MAX_RESULT_CHARACTERS: Final = 100_000
_MAX_FAILURE_CHARACTERS: Final = 150


@dataclass(slots=True)
class Gate:
    """The calls of one turn that may run, and their outcomes; without a judge none."""

    judge: Judge | None = None
    cause: Mapping[str, str | None] = field(default_factory=dict)
    """Who is behind each call, for its event."""
    has_read_outside: Callable[[], bool] = lambda: False
    speaker: Speaker | None = None
    record: Callable[[CallRecord], None] = lambda _record: None
    at_home: bool = False
    """Home Assistant understood the person's own words as these calls."""
    until: float = inf
    """When the turn ends, in seconds of the event loop's clock."""

    outcomes: list[CallRecord] = field(default_factory=list)
    asks: list[Ask] = field(default_factory=list)
    ambiguities: list[Ambiguity] = field(default_factory=list)
    sentence: str | None = None
    """The key of our sentence about a refusal that ends the turn."""
    silent: dict[str, Effect] = field(default_factory=dict)
    """What was done to targets that have not answered, by their names."""
    late: list[tuple[dict[str, Any], frozenset[str]]] = field(default_factory=list)
    """Results that tell of them, with the ids of what was observed."""
    before: dict[str, State] = field(default_factory=dict)
    """The earlier states of what was acted on."""
    acted_on: dict[str, None] = field(default_factory=dict)
    asks_first: set[str] = field(default_factory=set)
    """The ids of the calls that the model itself asked about: they need a yes."""
    _admitted: dict[str, frozenset[str]] = field(default_factory=dict)
    _refusals: dict[str, str] = field(default_factory=dict)
    _judging: asyncio.Lock = field(default_factory=asyncio.Lock)

    @property
    def must_ask(self) -> bool:
        """Return whether a person must be asked before all of it can run."""
        return bool(self.asks or self.ambiguities)

    def allow(self, call_id: str, approved: frozenset[str] = frozenset()) -> None:
        """Admit a call, once. `approved` is what a person has said yes to."""
        self._admitted[call_id] = approved

    def close(self) -> None:
        """End the turn: nothing starts after this."""
        self._admitted.clear()

    @property
    def has_acted(self) -> bool:
        """Return whether a call has done more than reading."""
        return any(x.success and not x.annotations.read_only for x in self.outcomes)

    @property
    def has_left(self) -> bool:
        """Return whether its calls did only a part of "all the lights"."""
        calls, judge = self.outcomes, self.judge
        done = {entity_id for call in calls for entity_id in call.entities}
        return bool(judge and judge.named_by_person.leaves(done, judge.scope))

    def is_silent(self, hass: HomeAssistant) -> bool:
        """Return whether something has not answered yet; what has now is left out."""
        for name, effect in [*self.silent.items()]:
            state = hass.states.get(effect.entity_id)
            if state and has_answered(state, effect):
                del self.silent[name]
        return bool(self.silent)

    def refuse(self, call_id: str, reason: str) -> None:
        """Answer the call with an error for the model."""
        self._refusals[call_id] = reason

    async def async_run(
        self,
        tool: llm.Tool,
        hass: HomeAssistant,
        tool_input: llm.ToolInput,
        llm_context: llm.LLMContext,
    ) -> llm.ToolResult | JsonObjectType:
        """Judge and run a call. Raises RefusedError, or HomeAssistantError if it fails."""
        call = CallRecord.of(tool, self.speaker, at_home=self.at_home)
        case = JudgedCall(hass, tool, tool_input.tool_args, llm_context)
        try:
            return await self._async_run_judged(case, tool_input, call)
        except RefusedError as err:
            call.refusal = call.refusal or str(err)
            raise
        except (HomeAssistantError, probatio.Invalid) as err:
            # What others say about a failure is not ours to repeat.
            is_trusted = source_rule(tool) is Permission.ON and not call.is_private
            said = spoken(str(err))[:_MAX_FAILURE_CHARACTERS] if is_trusted else ""
            call.failure = said or NOTES["unknown"]
            raise
        finally:
            self.record(call)

    async def _async_run_judged(
        self, case: JudgedCall, tool_input: llm.ToolInput, call: CallRecord
    ) -> llm.ToolResult:
        if reason := self._refusals.get(tool_input.id):
            raise RefusedError(reason)
        approved = self._admitted.pop(tool_input.id, None)
        if approved is None or self.judge is None:
            raise RefusedError(NOTES["not_allowed"])
        case = replace(
            case,
            approved=approved,
            must_ask=tool_input.id in self.asks_first,
            after_outside=not self.at_home and self.has_read_outside(),
        )
        await self._async_prepare(case)
        # Others have their turn in it, but no other call of this turn.
        async with self._judging:
            verdict = await self._async_judge(case)
            self.asks += verdict.asks
            if verdict.ambiguity:
                self.ambiguities.append(verdict.ambiguity)
            call.asked = verdict.asks or verdict.refused or verdict.ambiguity
            call.confirmed = bool(approved)
            call.refusal = NOTES["reasons"].get(
                verdict.sentence or "", verdict.refusal or ""
            )
            self.sentence = self.sentence or verdict.sentence
            if not verdict.runs:
                if verdict.refusal:
                    raise RefusedError(verdict.refusal)
                note = NOTES["choosing"] if verdict.ambiguity else NOTES["waiting"]
                return llm.ToolResult(data=dict(note))
            case = self._tell(case, verdict.targets, call)
            if EVENT_TOOL_CALLED in case.hass.bus.async_listeners():
                # A listener to the event may have changed what the call would find.
                again = await self._async_judge(case)
                if again.runs != verdict.runs:
                    raise RefusedError(NOTES["not_allowed"])
        result = await self._async_run_all(case, tool_input, verdict, call)
        if verdict.asks:
            result.data["rest"] = NOTES["rest_waiting"]
        elif verdict.refusal:
            result.data["rest"] = NOTES["rest_refused"]
        if verdict.skipped:
            result.data["left_as_they_are"] = list(verdict.skipped)
        return result

    async def _async_prepare(self, case: JudgedCall) -> None:
        if case.ability is None:
            return
        hass, person = case.hass, case.context.context
        until = min(hass.loop.time() + ACTION_PATIENCE, self.until)
        try:
            async with asyncio.timeout_at(until):
                await case.ability.async_prepare(case.arguments, person)
        except TimeoutError as err:
            raise HomeAssistantError(NOTES["no_result"]) from err
        except Exception as err:
            raise HomeAssistantError(failed(err)) from err

    async def _async_judge(self, case: JudgedCall) -> Verdict:
        assert self.judge is not None
        try:
            return await self.judge.async_judge(case)
        except Exception as err:
            _LOGGER.error(
                "Unexpected %s in judging a call:\n%s",
                type(err).__name__,
                stack_of(err),
            )
            raise RefusedError(NOTES["not_allowed"]) from err

    async def _async_run_all(
        self,
        case: JudgedCall,
        tool_input: llm.ToolInput,
        verdict: Verdict,
        call: CallRecord,
    ) -> llm.ToolResult:
        runs, hass = verdict.runs, case.hass
        self.outcomes.append(call)
        states = {state.entity_id: state for state in hass.states.async_all()}
        effects = [effect for item in verdict.targets for effect in item.reach.effects]
        if effects and all(is_futile(effect, states) for effect in effects):
            raise HomeAssistantError(f"{name_of(hass, effects[0].entity_id)} is off.")
        inputs = [replace(tool_input, tool_args=run) for run in runs]
        # Each begins at once, up to its first action.
        tasks = [
            hass.async_create_task(self._async_call(case, item, call))
            for item in inputs
        ]
        results = await asyncio.gather(*tasks, return_exceptions=True)
        result = _merged(results)
        slots: Any = result.data.get("speech_slots")
        if isinstance(slots, dict) and slots.get("canceled") == 0:
            raise HomeAssistantError(NOTES["no_timer"])
        call.success = call.is_running or not result.error
        call.failure = NOTES["unknown"] if result.error else ""
        is_all = not (
            result.error or call.is_running or verdict.refusal or verdict.skipped
        )
        if case.ability and case.ability.lists and not any(case.arguments.values()):
            call.annotations = replace(call.annotations, read_only=True)
        if call.annotations.read_only or result.error:
            call.complete = is_all
            call.told = str(result.data)
            return result
        if case.script and not result.data.get("result"):
            # All that there is to say is that it ran.
            call.annotations = replace(call.annotations, open_world=False)
        call.skipped = verdict.spared
        call.effects, call.reached = case.done(verdict.targets, result)
        self.acted_on |= dict.fromkeys(effect.entity_id for effect in call.effects)
        if self.judge:
            self.judge.note(call.reached)
        observed = await async_observe(hass, call.effects, states)
        call.silent = observed.silent
        unheard = (item for item in call.effects if item.entity_id in call.silent)
        self.silent |= {name_of(hass, item.entity_id): item for item in unheard}
        if observed.states:
            with_observed(hass, result.data, observed)
            if observed.silent:
                self.late.append((result.data, frozenset(observed.states)))
        for effect in call.reached:
            state = states.get(effect.entity_id)
            if state and domain_of(effect.domain).is_restorable:
                self.before.setdefault(effect.entity_id, state)
        details: Any = result.data.get("data")
        if case.ability:
            skipped: Any = result.data.get("left_as_they_are", ())
            # What else is to be said of it, the model says.
            call.skipped = (*call.skipped, *skipped)
            # One that acts on nothing has done nothing.
            begins = case.ability.begins
            has_done = begins or bool(result.data.get("done"))
            call.is_so = call.success and {*result.data} == {"done", "already_so"}
            call.success = call.success and (has_done or bool(call.effects))
            is_all = is_all and call.success and not (begins or "failed" in result.data)
        call.complete = (
            is_all
            and observed.complete
            and not any(isinstance(item, BaseException) for item in results)
            # An intent that failed for some of its targets (IntentResponse).
            and not (isinstance(details, dict) and details.get("failed"))
        )
        return result

    def _tell(
        self, case: JudgedCall, targets: Sequence[Target], call: CallRecord
    ) -> JudgedCall:
        """Fire the event; the logbook then shows the call as the cause of its changes."""
        context = CallContext(case.context.context, self.speaker)
        ids = [target.entity_id for target in targets]
        call.targets = list(dict.fromkeys(filter(valid_entity_id, ids)))
        data: dict[str, Any] = {
            **self.cause,
            "tool": case.tool.name,
            "title": call.title,
            "arguments": case.arguments,
            "entity_ids": call.targets,
            "confirmed": bool(case.approved),
        }
        if self.at_home:
            data["at_home"] = True
        if call.is_private:
            data["arguments"] = {}
        elif case.ability:
            blank = dict.fromkeys(case.ability.unshown & case.arguments.keys(), "")
            data["arguments"] = {**case.arguments, **blank}
        call.arguments = data["arguments"]
        case.hass.bus.async_fire(EVENT_TOOL_CALLED, data, context=context)
        return replace(case, context=replace(case.context, context=context))

    async def _async_call(
        self, case: JudgedCall, tool_input: llm.ToolInput, call: CallRecord
    ) -> llm.ToolResult:
        hass, tool = case.hass, case.tool
        task = hass.async_create_task(
            tool.async_call(hass, tool_input, case.context),
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
                raise HomeAssistantError(NOTES["no_result"]) from err
            call.is_running = True
            return llm.ToolResult(data=dict(NOTES["still_running"]))
        except HomeAssistantError, probatio.Invalid:
            raise
        except Exception as err:
            _LOGGER.debug("Tool %s failed", tool.name, exc_info=True)
            raise HomeAssistantError(failed(err)) from err
        if not isinstance(result, llm.ToolResult):
            result = llm.ToolResult(result)
        if case.ability is None and case.intent is None:
            # A server may return anything.
            result = replace(result, data=_bounded(result.data))
        return result


class GatedTool(llm.Tool):
    """A tool behind the gate."""

    def __init__(self, tool: llm.Tool, gate: Gate) -> None:
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
    """A tool that was called but does not exist: the gate says why."""

    integration = "lumo"

    def __init__(self, name: str, gate: Gate) -> None:
        self.name = name
        self._tool = self
        self._gate = gate


def _merged(results: Sequence[llm.ToolResult | BaseException]) -> llm.ToolResult:
    """Return one result for a call that ran once per target; raise if all failed."""
    errors = [item for item in results if isinstance(item, BaseException)]
    good = [item for item in results if isinstance(item, llm.ToolResult)]
    if not good:
        if isinstance(errors[0], Exception):
            raise errors[0]
        raise HomeAssistantError(NOTES["stopped"])
    first = good[0]
    if len(results) == 1:
        return first
    responses = [found for item in good if (found := intent_response(item.data))]
    data: dict[str, Any] = {"results": [item.data for item in good]}
    if len(responses) == len(good):
        response = responses[0]
        response.async_set_results(
            [target for item in responses for target in item.success_results],
            [target for item in responses for target in item.failed_results],
        )
        data = llm.IntentResponseDict(response)
    if errors:
        data["errors"] = [str(error) for error in errors]
    return llm.ToolResult(data=data, error=all(item.error for item in good))


def _bounded(data: Any) -> Any:
    try:
        text = json_dumps(data)
    except TypeError, ValueError:
        return {"result": str(type(data))}
    return (
        data
        if len(text) <= _MAX_RESULT_CHARACTERS
        else {"result": text[:_MAX_RESULT_CHARACTERS]}
    )


def _log_failure(task: asyncio.Task[object]) -> None:
    """Retrieve the exception of a tool that may outlive the turn."""
    if not task.cancelled() and (err := task.exception()):
        _LOGGER.debug("A tool failed: %s", type(err).__name__)
