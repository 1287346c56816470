"""The forms of an agent's options.

At first sight what everybody decides: name, instructions, what of the home, autonomy.
All else has recommended values; who wants others turns that off and gets a second form,
in sections. A new option is a line in one of them, its default in `const.py`, its
meaning in `agent/options.py`, and its texts.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from homeassistant.const import CONF_LLM_HASS_API, CONF_NAME, CONF_PROMPT
from homeassistant.data_entry_flow import section
from homeassistant.helpers.selector import (
    BooleanSelector,
    EntitySelector,
    EntitySelectorConfig,
    LabelSelector,
    LabelSelectorConfig,
    NumberSelector,
    NumberSelectorConfig,
    NumberSelectorMode,
    SelectOptionDict,
    SelectSelector,
    SelectSelectorConfig,
    SelectSelectorMode,
    TemplateSelector,
    TextSelector,
    TextSelectorConfig,
)
import probatio

from .agent.drawing import ASPECT_RATIOS
from .agent.options import ADVANCED_OPTIONS, MODELS
from .const import (
    CONF_ASPECT_RATIO,
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
    CONF_UNATTENDED,
    CONF_WITHOUT_LUMO,
    DEFAULT_OPTIONS,
    EVERYTHING,
    MAX_ROUNDS_LIMIT,
    Autonomy,
    CleanSpeech,
    InstructionsIn,
    Misrouted,
    Permission,
    QuickConfirmation,
    SceneQuestion,
    ToolCalling,
)

# Proton's own tools that make sense in a home; images are not spoken.
SERVER_TOOLS: Final = (
    "web_search",
    "weather",
    "stock",
    "cryptocurrency",
    "proton_info",
)

# Characters of a request.
BUDGETS: Final = ("12000", "20000", "40000", EVERYTHING)

# What an agent is asked for at first. All else has a recommended value.
FIRST_OPTIONS: Final = (CONF_PROMPT, CONF_LLM_HASS_API, CONF_AUTONOMY)
RECOMMENDED: Final = "recommended"
# Not stored: what looks like a door gets a label that all agents ask about.
MARK_DOORS: Final = "mark_doors"

_MULTILINE = TextSelector(TextSelectorConfig(multiline=True))


def first_schema(apis: Mapping[str, str], *, name: str | None) -> probatio.Schema:
    """Return the first form; `apis` are names by id, `name` is what a new agent has."""
    fields: dict[probatio.Marker, Any] = {}
    if name is not None:
        fields[probatio.Required(CONF_NAME, default=name)] = TextSelector()
    fields |= {
        probatio.Optional(CONF_PROMPT): TemplateSelector(),
        probatio.Optional(CONF_LLM_HASS_API): _api_choice(apis),
        _required(CONF_AUTONOMY): _select(CONF_AUTONOMY, Autonomy),
        probatio.Required(RECOMMENDED, default=True): BooleanSelector(),
    }
    return probatio.Schema(fields)


def task_schema(apis: Mapping[str, str]) -> probatio.Schema:
    """Return the form of an AI task's options; `apis` are names by id."""
    return probatio.Schema(
        {
            _required(CONF_MODEL): _select(CONF_MODEL, MODELS),
            _required(CONF_THINKING): BooleanSelector(),
            _required(CONF_TOOL_CALLING): _select(CONF_TOOL_CALLING, ToolCalling),
            probatio.Optional(CONF_SERVER_TOOLS, default=list): _select(
                CONF_SERVER_TOOLS, SERVER_TOOLS, multiple=True
            ),
            probatio.Optional(CONF_LLM_HASS_API): _api_choice(apis),
            probatio.Required(
                CONF_ASPECT_RATIO, default=ASPECT_RATIOS[0]
            ): SelectSelector(
                SelectSelectorConfig(
                    options=list(ASPECT_RATIOS), mode=SelectSelectorMode.DROPDOWN
                )
            ),
        }
    )


def section_fields(
    temperature_unit: str, *, doors: bool = True
) -> dict[str, dict[probatio.Marker, Any]]:
    """Return all other options, by the section of the form that they stand in.

    With `doors` there are some that are not marked.
    """
    mark: dict[probatio.Marker, Any] = {
        probatio.Optional(MARK_DOORS, default=False): BooleanSelector()
    }
    temperature = NumberSelector(
        NumberSelectorConfig(
            step=0.5, mode=NumberSelectorMode.BOX, unit_of_measurement=temperature_unit
        )
    )
    return {
        "answers": {
            _required(CONF_MODEL): _select(CONF_MODEL, MODELS),
            _required(CONF_STEP_DOWN): BooleanSelector(),
            _required(CONF_FEW_REQUESTS): NumberSelector(
                NumberSelectorConfig(min=0, mode=NumberSelectorMode.BOX)
            ),
            _required(CONF_THINKING): BooleanSelector(),
            _required(CONF_WITHOUT_LUMO): BooleanSelector(),
            _required(CONF_IGNORE_FRAGMENTS): BooleanSelector(),
            _required(CONF_CLEAN_SPEECH): _select(CONF_CLEAN_SPEECH, CleanSpeech),
            _required(CONF_QUICK_CONFIRMATION): _select(
                CONF_QUICK_CONFIRMATION, QuickConfirmation
            ),
            _required(CONF_CLOSING_QUESTIONS): BooleanSelector(),
            _required(CONF_MAX_ROUNDS): NumberSelector(
                NumberSelectorConfig(
                    min=1, max=MAX_ROUNDS_LIMIT, mode=NumberSelectorMode.BOX
                )
            ),
        },
        "tool_use": {
            _required(CONF_TOOL_CALLING): _select(CONF_TOOL_CALLING, ToolCalling),
            probatio.Optional(CONF_SERVER_TOOLS, default=list): _select(
                CONF_SERVER_TOOLS, SERVER_TOOLS, multiple=True
            ),
            probatio.Optional(CONF_CAMERAS, default=list): EntitySelector(
                EntitySelectorConfig(domain=["camera", "image"], multiple=True)
            ),
        },
        "safety": {
            probatio.Optional(CONF_SENSITIVE_LABELS, default=list): LabelSelector(
                LabelSelectorConfig(multiple=True)
            ),
            **(mark if doors else {}),
            probatio.Optional(CONF_MIN_TEMPERATURE): temperature,
            probatio.Optional(CONF_MAX_TEMPERATURE): temperature,
            _required(CONF_SCENE_QUESTION): _select(CONF_SCENE_QUESTION, SceneQuestion),
            _required(CONF_UNATTENDED): BooleanSelector(),
            _required(CONF_SHARE_WORDS): BooleanSelector(),
        },
        "advanced": {
            _required(CONF_BUDGET): _select(CONF_BUDGET, BUDGETS),
            _required(CONF_MISROUTED): _select(CONF_MISROUTED, Misrouted),
            probatio.Optional(CONF_PREFIX): TextSelector(),
            _required(CONF_INSTRUCTIONS_IN): _select(
                CONF_INSTRUCTIONS_IN, InstructionsIn
            ),
            probatio.Optional(CONF_TEMPLATE): _MULTILINE,
            probatio.Optional(CONF_BOUNCE_TEXT): _MULTILINE,
            probatio.Optional(CONF_REPLACE): _MULTILINE,
        },
    }


def settings_schema(
    temperature_unit: str, wrong: str | None, *, doors: bool
) -> probatio.Schema:
    """Return the form of all other options; open is the section of a wrong one."""
    sections = section_fields(temperature_unit, doors=doors)
    return probatio.Schema(
        {
            probatio.Required(name): section(
                probatio.Schema(fields),
                {"collapsed": wrong not in [marker.schema for marker in fields]},
            )
            for name, fields in sections.items()
        }
    )


def tools_schema(labels: Sequence[SelectOptionDict]) -> probatio.Schema:
    """Return the form of the tools: a choice of those that are not simply on."""
    if not labels:
        return probatio.Schema({})
    choice = SelectSelector(
        SelectSelectorConfig(
            options=labels, multiple=True, mode=SelectSelectorMode.DROPDOWN
        )
    )
    return probatio.Schema(
        {
            probatio.Optional(permission.value): choice
            for permission in (Permission.OFF, Permission.ASK)
        }
    )


def _api_choice(apis: Mapping[str, str]) -> SelectSelector:
    return SelectSelector(
        SelectSelectorConfig(
            options=[
                SelectOptionDict(value=api_id, label=name)
                for api_id, name in apis.items()
            ],
            multiple=True,
            mode=SelectSelectorMode.LIST,
        )
    )


def _required(option: str) -> probatio.Required:
    defaults = {**DEFAULT_OPTIONS, **ADVANCED_OPTIONS}
    return probatio.Required(option, default=defaults[option])


def _select(
    key: str, options: Iterable[str], *, multiple: bool = False
) -> SelectSelector:
    return SelectSelector(
        SelectSelectorConfig(
            options=[str(option) for option in options],
            translation_key=key,
            multiple=multiple,
            mode=SelectSelectorMode.LIST if multiple else SelectSelectorMode.DROPDOWN,
        )
    )
