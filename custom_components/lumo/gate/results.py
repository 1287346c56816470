"""What tools return: read, and put together."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from homeassistant.core import HomeAssistant, valid_entity_id
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import intent, llm

from ..internals import intent_response
from .ability import Ability
from .effects import Effect
from .intents import read_intent
from .notes import STOPPED
from .permissions import own_tool
from .reach import reach_of
from .targets import roots_of_call, script_of


class RefusedError(HomeAssistantError):
    """A call was not run. Its name stands in the result, which is all ours."""


def merged(results: Sequence[llm.ToolResult | BaseException]) -> llm.ToolResult:
    """Return one result for a call that was run for its targets one by one.

    Where all have failed the first failure is raised.
    """
    errors = [item for item in results if isinstance(item, BaseException)]
    good = [item for item in results if isinstance(item, llm.ToolResult)]
    if not good:
        if isinstance(errors[0], Exception):
            raise errors[0]
        raise HomeAssistantError(STOPPED)
    first = good[0]
    if len(results) == 1:
        return first
    found = [intent_response(item.data) for item in good]
    responses = [item for item in found if item]
    if len(responses) == len(good):
        response = responses[0]
        response.async_set_results(
            [target for item in responses for target in item.success_results],
            [target for item in responses for target in item.failed_results],
        )
        data: dict[str, Any] = llm.IntentResponseDict(response)
    else:
        data = {"results": [item.data for item in good]}
    if errors:
        data["errors"] = [str(error) for error in errors]
    return llm.ToolResult(data=data, error=all(item.error for item in good))


def failed_targets(result: llm.ToolResult) -> bool:
    """Return whether an intent failed for some of its targets (IntentResponse)."""
    details = result.data.get("data")
    return isinstance(details, dict) and bool(details.get("failed"))


@dataclass(frozen=True, slots=True)
class Acted:
    """What a call has done, as far as that is known."""

    direct: list[Effect]
    """On its own targets. Whether it has happened can be seen."""
    reached: list[Effect]
    """On all that it may have reached, by way of scripts, scenes and groups too."""


def acted_on(
    hass: HomeAssistant,
    tool: llm.Tool,
    runs: Sequence[Mapping[str, Any]],
    result: llm.ToolResult,
    llm_context: llm.LLMContext,
) -> Acted:
    """Return what a call that was run with some arguments has done to which entities."""
    own = own_tool(tool)
    if isinstance(own, Ability):
        # As if it were still to come: by now each state may be the wanted one.
        effects = [
            effect for run in runs for effect in own.effects(hass, run, at_once=False)
        ]
        return Acted(effects, reach_of(hass, effects).effects)
    # They differ in what they are for, not in what they do.
    arguments = runs[0]
    call = read_intent(hass, own, arguments, llm_context)
    if call is None or call.is_scripted:
        roots = roots_of_call(hass, own, arguments, call, llm_context, [])
        return Acted([], [item for root in roots for item in root.reach.effects])
    details: Any = result.data.get("data")
    named: Any = ()
    if isinstance(details, dict):
        # Where one has failed, Home Assistant 2026.10 may take another for it.
        named = [*details.get("success", ()), *details.get("failed", ())]
    effects = [
        call.effect_on(hass, state)
        for target in named
        if target.get("type") == intent.IntentResponseTargetType.ENTITY
        and (state := hass.states.get(str(target.get("id"))))
    ]
    return Acted(effects, reach_of(hass, effects).effects)


def entities_of(
    hass: HomeAssistant,
    tool: llm.Tool,
    runs: Sequence[Mapping[str, Any]],
    llm_context: llm.LLMContext,
) -> list[str]:
    """Return which entities calls will act on, as far as that is known before."""
    own = own_tool(tool)
    if own.annotations.read_only:
        return []
    found: dict[str, None] = {}
    for arguments in runs:
        if isinstance(own, Ability):
            found |= dict.fromkeys(
                effect.entity_id for effect in own.effects(hass, arguments)
            )
            continue
        name = script_of(own) or str(arguments.get("name"))
        if hass.states.get(name):
            found[name] = None
            continue
        call = read_intent(hass, own, arguments, llm_context)
        if call is None or not call.has_targets:
            roots = roots_of_call(hass, own, arguments, call, llm_context, [])
            found |= dict.fromkeys(root.entity_id for root in roots)
        else:
            states = call.match(hass, call.likely(hass))
            found |= dict.fromkeys(state.entity_id for state in states)
    return [item for item in found if valid_entity_id(item)]
