"""What the owner of an agent chose, read from its subentry."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from homeassistant.const import CONF_LLM_HASS_API, CONF_PROMPT

from .. import const
from ..gate.permissions import Rules
from ..gate.places import Places

# The agent's choice of model -> the service's name of it. "lumo" is the service's own
# router; a name that it no longer knows is served by its default model.
MODELS = {"automatic": "lumo", "lite": "lumo-lite", "max": "lumo-max"}
# Our tools under which choices are stored; the first is now a part of the second.
_COMPOSE, _MANY, _SET = (
    f"{const.DOMAIN}//{const.DOMAIN}__{name}" for name in ("compose", "many", "set")
)


class OptionProblem(Exception):
    """An option cannot be used; `option` is its key, the text says why."""

    def __init__(self, option: str, reason: str) -> None:
        super().__init__(reason)
        self.option = option


def is_instructed(data: Mapping[str, Any]) -> bool:
    """Return whether an agent's owner has changed its instructions."""
    usual = const.DEFAULT_OPTIONS[CONF_PROMPT]
    return str(data.get(CONF_PROMPT, usual)).strip() not in ("", usual.strip())


def is_at_home(data: Mapping[str, Any]) -> bool:
    """Return whether an agent does plain commands at home."""
    # With instructions of its owner it does not: Home Assistant's matcher reads none.
    return bool(data.get(const.CONF_AT_HOME, not is_instructed(data)))


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentOptions(Rules):
    """The options of one conversation agent."""

    prompt: str
    llm_apis: list[str]
    """Ids of the LLM APIs whose tools are offered."""
    native: bool
    """Tools travel unencrypted beside the messages instead of inside them."""
    model: str
    """The service's name of the model."""
    reasoning_effort: str
    """The service's word for how much the model thinks."""
    server_tools: tuple[str, ...]
    """Proton's own tools that the model may use."""
    cameras: tuple[str, ...]
    remembers: bool
    """People's notes are kept, and shown to the model."""
    at_home: bool
    """What Home Assistant understands is done without asking Lumo."""
    quick_confirmation: const.QuickConfirmation
    """When we confirm a plain success instead of asking the model for words."""

    @classmethod
    def from_subentry(
        cls, data: Mapping[str, Any], *, encrypted: bool, guest: bool = False
    ) -> Self:
        """Read a subentry's data.

        If the account's messages are `encrypted`, the automatic choice keeps the tools
        inside them. A `guest` has few requests, so none is spent on a confirmation.
        """
        options = {**const.DEFAULT_OPTIONS, **data}
        tool_calling = const.ToolCalling(options[const.CONF_TOOL_CALLING])
        native = tool_calling is const.ToolCalling.NATIVE
        if tool_calling is const.ToolCalling.AUTOMATIC:
            native = not encrypted
        memory = const.MemoryUse(options[const.CONF_MEMORY])
        autonomy = const.Autonomy(options[const.CONF_AUTONOMY])
        confirmation = options[const.CONF_QUICK_CONFIRMATION]
        if confirmation not in [*const.QuickConfirmation]:
            confirmation = const.QuickConfirmation.AUTOMATIC
        if guest and confirmation == const.QuickConfirmation.AUTOMATIC:
            confirmation = const.QuickConfirmation.ALWAYS
        tools = {**options.get(const.CONF_TOOLS, {})}
        # What were tools of their own once: the strictest choice holds, but who wanted
        # no scenes is only asked.
        is_asked = options.get("scene_question") == "always"
        is_asked |= tools.pop(_COMPOSE, const.Permission.ON) != const.Permission.ON
        stored = {tools.pop(_MANY, None), tools.get(_SET)}
        stored |= {const.Permission.ASK} if is_asked else set()
        if stricter := [one for one in const.Permission if one in stored]:
            tools[_SET] = stricter[0]
        return cls(
            prompt=options[CONF_PROMPT],
            # An agent that only answers keeps its APIs for the day it may do more.
            llm_apis=[]
            if autonomy is const.Autonomy.ANSWERS
            else list(data.get(CONF_LLM_HASS_API, [])),
            native=native,
            model=MODELS[options[const.CONF_MODEL]],
            reasoning_effort="high" if options[const.CONF_THINKING] else "none",
            server_tools=tuple(options[const.CONF_SERVER_TOOLS]),
            cameras=tuple(options[const.CONF_CAMERAS]),
            # Native calls have their arguments in clear.
            remembers=memory is const.MemoryUse.IN_CLEAR
            or (memory is const.MemoryUse.ON and encrypted and not native),
            at_home=is_at_home(data),
            quick_confirmation=const.QuickConfirmation(confirmation),
            autonomy=autonomy,
            permissions={key: const.Permission(value) for key, value in tools.items()},
            sensitive_labels=frozenset(options[const.CONF_SENSITIVE_LABELS]),
            temperatures=(
                options.get(const.CONF_MIN_TEMPERATURE),
                options.get(const.CONF_MAX_TEMPERATURE),
            ),
            unattended=options[const.CONF_UNATTENDED],
            places=Places.from_options(options),
            phone_person=options.get(const.CONF_PHONE_PERSON) or "",
            phone_for_doors=options[const.CONF_PHONE_FOR_DOORS],
        )
