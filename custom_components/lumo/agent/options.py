"""What the owner of an agent chose, read from its subentry."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from homeassistant.const import CONF_LLM_HASS_API, CONF_PROMPT

from ..const import (
    CONF_MAX_ROUNDS,
    CONF_MODEL,
    CONF_SERVER_TOOLS,
    CONF_THINKING,
    CONF_TOOL_CALLING,
    DEFAULT_OPTIONS,
    ToolCalling,
)

# The agent's choice of model -> the service's name of it. "lumo" is the service's own
# router; a name that it no longer knows is served by its default model.
MODELS = {"automatic": "lumo", "lite": "lumo-lite", "max": "lumo-max"}


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentOptions:
    """The options of one conversation agent."""

    prompt: str
    """Instructions, a Home Assistant template."""
    llm_apis: list[str]
    """Ids of the LLM APIs whose tools are offered."""
    native: bool
    """Tools travel in clear beside the messages instead of inside them."""
    model: str
    """The service's name of the model."""
    reasoning_effort: str
    """The service's word for how long the model thinks."""
    server_tools: tuple[str, ...]
    """Proton's own tools that the model may use."""
    max_rounds: int
    """Answers of the model in one turn, at most."""

    @classmethod
    def from_subentry(cls, data: Mapping[str, Any], *, encrypted: bool) -> Self:
        """Read a subentry's data.

        `encrypted` tells whether this account's messages are encrypted to Lumo: the
        automatic choice keeps the tools inside them where they are.
        """
        options = {**DEFAULT_OPTIONS, **data}
        tool_calling = ToolCalling(options[CONF_TOOL_CALLING])
        if tool_calling is ToolCalling.AUTOMATIC:
            tool_calling = ToolCalling.PRIVATE if encrypted else ToolCalling.NATIVE
        return cls(
            prompt=options[CONF_PROMPT],
            # An agent whose APIs were cleared has none: the key is then absent.
            llm_apis=list(data.get(CONF_LLM_HASS_API, [])),
            native=tool_calling is ToolCalling.NATIVE,
            model=MODELS[options[CONF_MODEL]],
            reasoning_effort="high" if options[CONF_THINKING] else "none",
            server_tools=tuple(options[CONF_SERVER_TOOLS]),
            max_rounds=int(options[CONF_MAX_ROUNDS]),
        )
