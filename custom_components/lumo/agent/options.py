"""What the owner of an agent chose, read from its subentry."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import inf
from typing import Any, Final, Self

from homeassistant.const import CONF_LLM_HASS_API, CONF_PROMPT

from .. import const
from ..gate.permissions import Rules
from ..gate.places import Places
from ..gate.speaker import Speaker
from .model_texts import NO_CLOSING

# The agent's choice of model -> the service's name of it. "lumo" is the service's own
# router; a name that it no longer knows is served by its default model.
MODELS = {"automatic": "lumo", "lite": "lumo-lite", "max": "lumo-max"}

# What few people change. It is stored only where it differs, so that an update of the
# integration brings better texts to everyone else.
ADVANCED_OPTIONS: Final[dict[str, Any]] = {
    const.CONF_BUDGET: "20000",
    const.CONF_FEW_REQUESTS: 10,
    const.CONF_STEP_DOWN: True,
    const.CONF_PHONE_FOR_DOORS: False,
    const.CONF_CLOSING_QUESTIONS: True,
}


class OptionProblem(Exception):
    """An option cannot be used; `option` is its key, the text says why."""

    def __init__(self, option: str, reason: str) -> None:
        super().__init__(reason)
        self.option = option


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentOptions(Rules):
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
    cameras: tuple[str, ...]
    """The entities whose pictures the model may look at."""
    remembers: bool
    """Notes of people are kept, and told to the model."""
    without_lumo: bool
    """Plain commands are carried out by us when Lumo does not answer."""
    ignore_fragments: bool
    """Half a sentence at a satellite is not sent."""
    clean_speech: const.CleanSpeech
    """Which answers are cleaned for the ear."""
    quick_confirmation: const.QuickConfirmation
    """When a plain success is confirmed by us, without asking the model for words."""
    changes_unasked: float
    """So many things a scene on the spot may change without a question."""
    closing_questions: bool
    """An answer may end by offering more: "Anything else?"."""
    few_requests: int
    """From so many requests left a person hears of it; 0: from none."""
    steps_down: bool
    """Where the pool of Lumo Max is empty, Lumo Lite answers."""
    share_words: bool
    """The event and the logbook carry what the person said."""
    budget: int | None
    """Characters of a request without the conversation; None: all that there is."""

    @classmethod
    def from_subentry(
        cls, data: Mapping[str, Any], *, encrypted: bool, guest: bool = False
    ) -> Self:
        """Read a subentry's data.

        `encrypted` tells whether this account's messages are encrypted to Lumo: the
        automatic choice keeps the tools inside them where they are. `guest`: it has
        few requests, so none is spent on a confirmation.
        """
        options = {**const.DEFAULT_OPTIONS, **ADVANCED_OPTIONS, **data}
        tool_calling = const.ToolCalling(options[const.CONF_TOOL_CALLING])
        native = tool_calling is const.ToolCalling.NATIVE
        if tool_calling is const.ToolCalling.AUTOMATIC:
            native = not encrypted
        memory = const.MemoryUse(options[const.CONF_MEMORY])
        autonomy = const.Autonomy(options[const.CONF_AUTONOMY])
        confirmation = confirmation_of(options)
        if guest and confirmation is const.QuickConfirmation.AUTOMATIC:
            confirmation = const.QuickConfirmation.ALWAYS
        prompt = options[CONF_PROMPT]
        if not options[const.CONF_CLOSING_QUESTIONS]:
            # Home Assistant puts its own in the place of an empty one.
            prompt = prompt if prompt.strip() else const.DEFAULT_OPTIONS[CONF_PROMPT]
            prompt = f"{prompt}\n{NO_CLOSING}"
        return cls(
            prompt=prompt,
            # An agent whose APIs were cleared has none: the key is then absent. One
            # that only answers keeps them for the day it may do more again.
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
            without_lumo=options[const.CONF_WITHOUT_LUMO],
            ignore_fragments=options[const.CONF_IGNORE_FRAGMENTS],
            clean_speech=const.CleanSpeech(options[const.CONF_CLEAN_SPEECH]),
            quick_confirmation=confirmation,
            changes_unasked={
                const.SceneQuestion.MANY: 5,
                const.SceneQuestion.ALWAYS: 0,
                const.SceneQuestion.NEVER: inf,
            }[options[const.CONF_SCENE_QUESTION]],
            closing_questions=options[const.CONF_CLOSING_QUESTIONS],
            few_requests=int(options[const.CONF_FEW_REQUESTS]),
            steps_down=options[const.CONF_STEP_DOWN],
            autonomy=autonomy,
            permissions={
                tool: const.Permission(value)
                for tool, value in options.get(const.CONF_TOOLS, {}).items()
            },
            sensitive_labels=frozenset(options[const.CONF_SENSITIVE_LABELS]),
            temperatures=(
                options.get(const.CONF_MIN_TEMPERATURE),
                options.get(const.CONF_MAX_TEMPERATURE),
            ),
            unattended=options[const.CONF_UNATTENDED],
            places=Places.from_options(
                options[const.CONF_PLACES], options[const.CONF_ONLY_PLACES]
            ),
            phone_person=options.get(const.CONF_PHONE_PERSON) or "",
            phone_for_doors=options[const.CONF_PHONE_FOR_DOORS],
            share_words=options[const.CONF_SHARE_WORDS],
            budget=None
            if options[const.CONF_BUDGET] == const.EVERYTHING
            else int(options[const.CONF_BUDGET]),
        )

    def cleans(self, speaker: Speaker) -> bool:
        """Return whether what this person is answered is cleaned for the ear."""
        if self.clean_speech is const.CleanSpeech.AUTOMATIC:
            return speaker.is_aloud
        return self.clean_speech is const.CleanSpeech.ALWAYS


def confirmation_of(data: Mapping[str, Any]) -> const.QuickConfirmation:
    """Return when success is confirmed quickly.

    Version 0.1.0 stored whether it always is; for all who had not thought about it that
    was no.
    """
    kinds = const.QuickConfirmation
    stored = data.get(const.CONF_QUICK_CONFIRMATION, False)
    if isinstance(stored, bool):
        return kinds.ALWAYS if stored else kinds.AUTOMATIC
    return kinds(stored)
