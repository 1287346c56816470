"""The forms of an agent's options."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from homeassistant.const import CONF_LLM_HASS_API, CONF_NAME, CONF_PROMPT
from homeassistant.data_entry_flow import section
from homeassistant.helpers.selector import (
    BooleanSelector,
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

from .agent.options import ADVANCED_OPTIONS, MODELS
from .const import (
    CONF_AUTONOMY,
    CONF_BOUNCE_TEXT,
    CONF_INSTRUCTIONS_IN,
    CONF_MAX_ROUNDS,
    CONF_MAX_TEMPERATURE,
    CONF_MIN_TEMPERATURE,
    CONF_MISROUTED,
    CONF_MODEL,
    CONF_PREFIX,
    CONF_QUICK_CONFIRMATION,
    CONF_REPLACE,
    CONF_SENSITIVE_LABELS,
    CONF_SERVER_TOOLS,
    CONF_SHARE_WORDS,
    CONF_TEMPLATE,
    CONF_THINKING,
    CONF_TOOL_CALLING,
    CONF_UNATTENDED,
    DEFAULT_OPTIONS,
    DEFAULT_TITLE,
    MAX_ROUNDS_LIMIT,
    Autonomy,
    InstructionsIn,
    Misrouted,
    Permission,
    ToolCalling,
)

# Proton's own tools that make sense in a home; images are not spoken.
SERVER_TOOLS: Final = [
    "web_search",
    "weather",
    "stock",
    "cryptocurrency",
    "proton_info",
]

SECTION_SAFETY: Final = "safety"
SECTION_ADVANCED: Final = "advanced"

_MULTILINE = TextSelector(TextSelectorConfig(multiline=True))


def options_schema(
    apis: Mapping[str, str],
    *,
    new: bool,
    temperature_unit: str,
    open_section: str | None = None,
) -> probatio.Schema:
    """Return the form of the options; `apis` are names by id."""
    fields: dict[probatio.Marker, Any] = {}
    if new:
        fields[probatio.Required(CONF_NAME, default=DEFAULT_TITLE)] = TextSelector()
    fields |= {
        probatio.Optional(CONF_PROMPT): TemplateSelector(),
        probatio.Optional(CONF_LLM_HASS_API): SelectSelector(
            SelectSelectorConfig(
                options=[
                    SelectOptionDict(value=api_id, label=name)
                    for api_id, name in apis.items()
                ],
                multiple=True,
                mode=SelectSelectorMode.LIST,
            )
        ),
        _required(CONF_AUTONOMY): _select(
            CONF_AUTONOMY, Autonomy, mode=SelectSelectorMode.LIST
        ),
        _required(CONF_TOOL_CALLING): _select(CONF_TOOL_CALLING, ToolCalling),
        _required(CONF_MODEL): _select(CONF_MODEL, MODELS),
        _required(CONF_THINKING): BooleanSelector(),
        probatio.Optional(CONF_SERVER_TOOLS, default=list): _select(
            CONF_SERVER_TOOLS, SERVER_TOOLS, multiple=True
        ),
        _required(CONF_QUICK_CONFIRMATION): BooleanSelector(),
        _required(CONF_MAX_ROUNDS): NumberSelector(
            NumberSelectorConfig(
                min=1, max=MAX_ROUNDS_LIMIT, mode=NumberSelectorMode.BOX
            )
        ),
        probatio.Required(SECTION_SAFETY): section(
            _safety_schema(temperature_unit),
            {"collapsed": open_section != SECTION_SAFETY},
        ),
        probatio.Required(SECTION_ADVANCED): section(
            _advanced_schema(), {"collapsed": open_section != SECTION_ADVANCED}
        ),
    }
    return probatio.Schema(fields)


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


def _safety_schema(temperature_unit: str) -> probatio.Schema:
    temperature = NumberSelector(
        NumberSelectorConfig(
            step=0.5, mode=NumberSelectorMode.BOX, unit_of_measurement=temperature_unit
        )
    )
    return probatio.Schema(
        {
            probatio.Optional(CONF_SENSITIVE_LABELS, default=list): LabelSelector(
                LabelSelectorConfig(multiple=True)
            ),
            probatio.Optional(CONF_MIN_TEMPERATURE): temperature,
            probatio.Optional(CONF_MAX_TEMPERATURE): temperature,
            _required(CONF_UNATTENDED): BooleanSelector(),
            _required(CONF_SHARE_WORDS): BooleanSelector(),
        }
    )


def _advanced_schema() -> probatio.Schema:
    return probatio.Schema(
        {
            _required(CONF_MISROUTED): _select(CONF_MISROUTED, Misrouted),
            probatio.Optional(CONF_PREFIX): TextSelector(),
            _required(CONF_INSTRUCTIONS_IN): _select(
                CONF_INSTRUCTIONS_IN, InstructionsIn
            ),
            probatio.Optional(CONF_TEMPLATE): _MULTILINE,
            probatio.Optional(CONF_BOUNCE_TEXT): _MULTILINE,
            probatio.Optional(CONF_REPLACE): _MULTILINE,
        }
    )


def _required(option: str) -> probatio.Required:
    defaults = {**DEFAULT_OPTIONS, **ADVANCED_OPTIONS}
    return probatio.Required(option, default=defaults[option])


def _select(
    key: str,
    options: Iterable[str],
    *,
    multiple: bool = False,
    mode: SelectSelectorMode | None = None,
) -> SelectSelector:
    if mode is None:
        mode = SelectSelectorMode.LIST if multiple else SelectSelectorMode.DROPDOWN
    return SelectSelector(
        SelectSelectorConfig(
            options=[str(option) for option in options],
            translation_key=key,
            multiple=multiple,
            mode=mode,
        )
    )
