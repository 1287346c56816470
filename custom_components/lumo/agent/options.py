"""What the owner of an agent chose, read from its subentry."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import inf
import re
from typing import Any, Final, Self

from homeassistant.const import CONF_LLM_HASS_API, CONF_PROMPT

from ..const import (
    CONF_AUTONOMY,
    CONF_BOUNCE_TEXT,
    CONF_BUDGET,
    CONF_CAMERAS,
    CONF_CLEAN_SPEECH,
    CONF_CLOSING_QUESTIONS,
    CONF_FEW_REQUESTS,
    CONF_IGNORE_FRAGMENTS,
    CONF_INSTRUCTIONS_IN,
    CONF_MAX_ROUNDS,
    CONF_MAX_TEMPERATURE,
    CONF_MIN_TEMPERATURE,
    CONF_MISROUTED,
    CONF_MODEL,
    CONF_PREFIX,
    CONF_QUICK_CONFIRMATION,
    CONF_REPLACE,
    CONF_SCENE_QUESTION,
    CONF_SENSITIVE_LABELS,
    CONF_SERVER_TOOLS,
    CONF_SHARE_WORDS,
    CONF_STEP_DOWN,
    CONF_TEMPLATE,
    CONF_THINKING,
    CONF_TOOL_CALLING,
    CONF_TOOLS,
    CONF_UNATTENDED,
    CONF_WITHOUT_LUMO,
    DEFAULT_OPTIONS,
    DEFAULT_PREFIX,
    EVERYTHING,
    Autonomy,
    CleanSpeech,
    InstructionsIn,
    Misrouted,
    Permission,
    QuickConfirmation,
    SceneQuestion,
    ToolCalling,
)
from ..gate.permissions import Rules
from ..gate.speaker import Speaker
from ..tool_calling.instructions import DEFAULT_BOUNCE, DEFAULT_TEMPLATE
from ..tool_calling.prompted import check_bounce_template, check_template
from .model_texts import NO_CLOSING

# The agent's choice of model -> the service's name of it. "lumo" is the service's own
# router; a name that it no longer knows is served by its default model.
MODELS = {"automatic": "lumo", "lite": "lumo-lite", "max": "lumo-max"}

# What few people change. It is stored only where it differs, so that an update of the
# integration brings better texts to everyone else.
ADVANCED_OPTIONS: Final[dict[str, Any]] = {
    CONF_BUDGET: "20000",
    CONF_FEW_REQUESTS: 10,
    CONF_STEP_DOWN: True,
    CONF_CLOSING_QUESTIONS: True,
    CONF_MISROUTED: Misrouted.RESCUE.value,
    CONF_PREFIX: DEFAULT_PREFIX,
    CONF_INSTRUCTIONS_IN: InstructionsIn.SPLIT.value,
    CONF_TEMPLATE: DEFAULT_TEMPLATE,
    CONF_BOUNCE_TEXT: DEFAULT_BOUNCE,
    CONF_REPLACE: "",
}

_PREFIX = re.compile(r"[A-Za-z0-9_.:/-]{0,20}")
_ARROW = "=>"

type Replacement = tuple[re.Pattern[str], str]


class OptionProblem(Exception):
    """An option cannot be used; `option` is its key, the text says why."""

    def __init__(self, option: str, reason: str) -> None:
        """Take the option's key and the reason."""
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
    max_rounds: int
    """Answers of the model in one turn, at most."""
    without_lumo: bool
    """Plain commands are carried out by us when Lumo does not answer."""
    ignore_fragments: bool
    """Half a sentence at a satellite is not sent."""
    clean_speech: CleanSpeech
    """Which answers are cleaned for the ear."""
    quick_confirmation: QuickConfirmation
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
    rescues: bool
    """Misrouted calls that are valid run as they are."""
    bounces: bool
    """Misrouted calls that do not run are sent back, once a turn."""
    budget: int | None
    """Characters of a request without the conversation; None: all that there is."""
    prefix: str
    """What marks the home's tools in the prompt; may be empty."""
    instructions_in: InstructionsIn
    """Which sentence of the conversation carries the instructions."""
    template: str
    """Jinja template of the instructions."""
    bounce_text: str
    """Jinja template of what a misrouted call is answered with."""
    replacements: tuple[Replacement, ...]
    """What is rewritten in the home's instructions before they are sent."""

    @classmethod
    def from_subentry(
        cls, data: Mapping[str, Any], *, encrypted: bool, guest: bool = False
    ) -> Self:
        """Read a subentry's data.

        `encrypted` tells whether this account's messages are encrypted to Lumo: the
        automatic choice keeps the tools inside them where they are. `guest`: it has
        few requests, so none is spent on a confirmation.
        """
        options = {**DEFAULT_OPTIONS, **ADVANCED_OPTIONS, **data}
        tool_calling = ToolCalling(options[CONF_TOOL_CALLING])
        if tool_calling is ToolCalling.AUTOMATIC:
            tool_calling = ToolCalling.PRIVATE if encrypted else ToolCalling.NATIVE
        misrouted = Misrouted(options[CONF_MISROUTED])
        autonomy = Autonomy(options[CONF_AUTONOMY])
        confirmation = confirmation_of(options)
        if guest and confirmation is QuickConfirmation.AUTOMATIC:
            confirmation = QuickConfirmation.ALWAYS
        prompt = options[CONF_PROMPT]
        if not options[CONF_CLOSING_QUESTIONS]:
            # Home Assistant puts its own in the place of an empty one.
            prompt = prompt if prompt.strip() else DEFAULT_OPTIONS[CONF_PROMPT]
            prompt = f"{prompt}\n{NO_CLOSING}"
        return cls(
            prompt=prompt,
            # An agent whose APIs were cleared has none: the key is then absent. One
            # that only answers keeps them for the day it may do more again.
            llm_apis=[]
            if autonomy is Autonomy.ANSWERS
            else list(data.get(CONF_LLM_HASS_API, [])),
            native=tool_calling is ToolCalling.NATIVE,
            model=MODELS[options[CONF_MODEL]],
            reasoning_effort="high" if options[CONF_THINKING] else "none",
            server_tools=tuple(options[CONF_SERVER_TOOLS]),
            cameras=tuple(options[CONF_CAMERAS]),
            max_rounds=int(options[CONF_MAX_ROUNDS]),
            without_lumo=options[CONF_WITHOUT_LUMO],
            ignore_fragments=options[CONF_IGNORE_FRAGMENTS],
            clean_speech=CleanSpeech(options[CONF_CLEAN_SPEECH]),
            quick_confirmation=confirmation,
            changes_unasked={
                SceneQuestion.MANY: 5,
                SceneQuestion.ALWAYS: 0,
                SceneQuestion.NEVER: inf,
            }[options[CONF_SCENE_QUESTION]],
            closing_questions=options[CONF_CLOSING_QUESTIONS],
            few_requests=int(options[CONF_FEW_REQUESTS]),
            steps_down=options[CONF_STEP_DOWN],
            autonomy=autonomy,
            permissions={
                tool: Permission(value)
                for tool, value in options.get(CONF_TOOLS, {}).items()
            },
            sensitive_labels=frozenset(options[CONF_SENSITIVE_LABELS]),
            temperatures=(
                options.get(CONF_MIN_TEMPERATURE),
                options.get(CONF_MAX_TEMPERATURE),
            ),
            unattended=options[CONF_UNATTENDED],
            share_words=options[CONF_SHARE_WORDS],
            rescues=misrouted is not Misrouted.BOUNCE,
            bounces=misrouted is not Misrouted.NEVER_BOUNCE,
            budget=None
            if options[CONF_BUDGET] == EVERYTHING
            else int(options[CONF_BUDGET]),
            prefix=options[CONF_PREFIX],
            instructions_in=InstructionsIn(options[CONF_INSTRUCTIONS_IN]),
            template=options[CONF_TEMPLATE],
            bounce_text=options[CONF_BOUNCE_TEXT],
            replacements=read_replacements(options[CONF_REPLACE]),
        )

    def cleans(self, speaker: Speaker) -> bool:
        """Return whether what this person is answered is cleaned for the ear."""
        if self.clean_speech is CleanSpeech.AUTOMATIC:
            return speaker.is_aloud
        return self.clean_speech is CleanSpeech.ALWAYS


def confirmation_of(data: Mapping[str, Any]) -> QuickConfirmation:
    """Return when success is confirmed quickly.

    Version 0.1.0 stored whether it always is; for all who had not thought about it that
    was no.
    """
    stored = data.get(CONF_QUICK_CONFIRMATION, False)
    if isinstance(stored, bool):
        return QuickConfirmation.ALWAYS if stored else QuickConfirmation.AUTOMATIC
    return QuickConfirmation(stored)


def check_advanced(advanced: Mapping[str, Any]) -> None:
    """Raise OptionProblem for the first advanced option that cannot be used."""
    if not _PREFIX.fullmatch(advanced[CONF_PREFIX]):
        raise OptionProblem(
            CONF_PREFIX, "at most 20 letters, digits and the characters _ . : / -"
        )
    checks = {CONF_TEMPLATE: check_template, CONF_BOUNCE_TEXT: check_bounce_template}
    for option, check in checks.items():
        try:
            check(advanced[option])
        except Exception as err:
            # A template is a program: whatever it does wrong is its author's to read.
            raise OptionProblem(option, str(err) or type(err).__name__) from err
    read_replacements(advanced[CONF_REPLACE])


def read_replacements(text: str) -> tuple[Replacement, ...]:
    """Read lines of `pattern => replacement`; without an arrow the match is deleted.

    Patterns are regular expressions that ignore case. Raises OptionProblem.
    """
    replacements: list[Replacement] = []
    for line in filter(str.strip, text.splitlines()):
        pattern, _, replacement = line.partition(_ARROW)
        try:
            compiled = re.compile(pattern.strip(), re.IGNORECASE)
            # Finds a reference to a group that the pattern does not have.
            re.sub(f"(?:{pattern.strip()})|", replacement.strip(), "")
        except (re.error, IndexError) as err:
            raise OptionProblem(CONF_REPLACE, f"{line.strip()}: {err}") from err
        if compiled.match(""):
            raise OptionProblem(
                CONF_REPLACE, f"{line.strip()}: it also matches where there is nothing"
            )
        replacements.append((compiled, replacement.strip()))
    return tuple(replacements)
