"""What a tool call acts on, found as Home Assistant will find it.

Most calls are intents. Scripts and the tool that calls any action are followed to what
they do; of any other tool only what its arguments name is known.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from homeassistant.core import HomeAssistant, State
from homeassistant.helpers import llm

from ..internals import is_script_tool, player_of_tool, steps_of_intent
from .effects import Effect
from .intents import IntentCall
from .names import name_of
from .reach import Reach, reach_of, reach_of_sequence, reach_of_service
from .texts import texts_of

# The tool of Home Assistant's admin API that calls any service.
CALL_ACTION: Final = "homeassistant__call_action"


@dataclass(frozen=True, slots=True)
class Root:
    """One thing that a call acts on, and what comes of it."""

    entity_id: str
    """The entity, or the name of the action or tool where there is none."""
    name: str
    """What a person calls it."""
    reach: Reach
    """Everything that the call does by way of it."""


def roots_of_call(
    hass: HomeAssistant,
    tool: llm.Tool,
    arguments: Mapping[str, Any],
    call: IntentCall | None,
    llm_context: llm.LLMContext,
    among: list[State],
    *,
    at_once: bool = True,
) -> list[Root]:
    """Return what a call acts on, as far as it concerns some entities.

    `tool` is the tool itself, without wrappers; `call` is what `read_intent` said.
    """
    if entity_id := script_of(tool):
        reach = reach_of(hass, [Effect(entity_id, "turn_on")])
        return [Root(entity_id, tool.title or entity_id, reach)]
    if tool.name == CALL_ACTION:
        action = str(arguments.get("action"))
        data: dict[str, Any] = {}
        for part in (arguments.get("data"), arguments.get("target")):
            data |= part if isinstance(part, dict) else {}
        return [Root(action, action, reach_of_service(hass, action, data))]
    if (player := player_of_tool(hass, tool, arguments, llm_context)) is not None:
        if not player:
            return []
        data = {**arguments, "entity_id": player}
        reach = reach_of_service(hass, "media_player.play_media", data)
        return [Root(player, name_of(hass, player), reach)]
    if call is None:
        effects = _named(among, arguments)
    elif (steps := steps_of_intent(call.handler)) is not None:
        # Its actions, whatever it was called for.
        reach = reach_of_sequence(hass, steps)
        return [Root(tool.name, tool.title or call.handler.intent_type, reach)]
    elif call.has_targets:
        effects = [call.effect_on(hass, state) for state in call.match(hass, among)]
    else:
        effects = []
    return [root_of(hass, replace(effect, at_once=at_once)) for effect in effects]


def script_of(tool: llm.Tool) -> str | None:
    """Return the entity of the script that a tool runs, if it runs one."""
    if not is_script_tool(tool):
        return None
    return f"script.{tool.name.partition('__')[2]}"


def root_of(hass: HomeAssistant, effect: Effect) -> Root:
    """Return an entity with what an action on it does."""
    return Root(
        effect.entity_id, name_of(hass, effect.entity_id), reach_of(hass, [effect])
    )


def _named(among: list[State], arguments: Mapping[str, Any]) -> list[Effect]:
    """Return the entities that the arguments of any tool name."""
    texts = {text.strip().casefold() for text in texts_of(arguments)}
    return [
        Effect(state.entity_id, "change")
        for state in among
        if state.entity_id in texts or state.name.casefold() in texts
    ]
