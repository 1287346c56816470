"""One call that is to be judged."""

from dataclasses import dataclass
from typing import Any

from homeassistant.core import HomeAssistant, State
from homeassistant.helpers import intent, llm

from ..internals import server_of_tool
from .ability import Ability
from .effects import Effect
from .intents import COMMAND, IntentCall


@dataclass(frozen=True, slots=True)
class Case:
    """One call to be judged."""

    tool: llm.Tool
    """As it is offered."""
    own: llm.Tool
    """The tool itself."""
    arguments: dict[str, Any]
    intent: IntentCall | None
    context: llm.LLMContext
    approved: frozenset[str]

    @property
    def ability(self) -> Ability | None:
        """Return the tool if it is one of our own."""
        return self.own if isinstance(self.own, Ability) else None

    @property
    def title(self) -> str:
        """Return what a person calls the tool."""
        name = self.intent.handler.intent_type if self.intent else self.own.name
        return self.own.title or name.rpartition("__")[2].replace("_", " ")

    @property
    def server(self) -> str:
        """Return the name of the server that runs the tool, empty for a tool at home.

        Its owner may have named it; else it is what the server calls itself.
        """
        if self.own.integration != "mcp":
            return ""
        server = server_of_tool(self.own)
        return (server.title if server else "") or "MCP"

    @property
    def delayed_command(self) -> str:
        """Return the sentence that a timer carries out at its end, if it has one."""
        if self.intent and self.intent.handler.intent_type == intent.INTENT_START_TIMER:
            return str(self.arguments.get(COMMAND) or "").strip()
        return ""

    def narrowed(self, entity_id: str) -> dict[str, Any]:
        """Return the arguments for one target, where the call can be divided."""
        if self.ability:
            return self.ability.narrowed(self.arguments, entity_id)
        if self.intent and self.intent.is_exact:
            return self.intent.narrowed(self.arguments, entity_id)
        return self.arguments

    @property
    def is_divisible(self) -> bool:
        """Return whether it can be run for each of its targets alone."""
        if self.ability:
            return self.ability.is_divisible
        return bool(self.intent and self.intent.is_exact and self.intent.has_targets)

    @property
    def is_narrowly_approved(self) -> bool:
        """Return whether a yes was for some targets, and not for the whole call."""
        return bool(self.approved) and self.own.name not in self.approved

    def effect_on(self, hass: HomeAssistant, entity_id: str) -> Effect:
        """Return what it does to one of its targets, where it can be divided."""
        if self.ability:
            [effect, *_] = self.ability.effects(hass, self.narrowed(entity_id))
            return effect
        state = hass.states.get(entity_id)
        assert self.intent is not None
        assert state is not None
        return self.intent.effect_on(hass, state)

    def targets(
        self, hass: HomeAssistant, among: list[State] | None = None
    ) -> list[str]:
        """Return the entities that it acts on, where it can be divided.

        Quicker where some of them are known to be `among` a few.
        """
        if self.ability:
            effects = self.ability.effects(hass, self.arguments)
            return [effect.entity_id for effect in effects]
        assert self.intent is not None
        if among is None:
            return [state.entity_id for state in self.intent.match(hass)]
        likely = {state.entity_id: state for state in self.intent.likely(hass)}
        likely |= {state.entity_id: state for state in among}
        matched = self.intent.match(hass, list(likely.values()))
        return [state.entity_id for state in matched]
