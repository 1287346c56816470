"""The options of an agent: a subentry that is added, or changed."""

from collections.abc import Iterable
from typing import Any

from homeassistant.config_entries import (
    ConfigEntryState,
    ConfigSubentryFlow,
    SubentryFlowResult,
)
from homeassistant.const import CONF_LLM_HASS_API, CONF_NAME, CONF_PROMPT
from homeassistant.data_entry_flow import section
from homeassistant.helpers import llm
from homeassistant.helpers.selector import (
    BooleanSelector,
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

from .agent.options import MODELS, OptionProblem, check_advanced
from .const import (
    ADVANCED_OPTIONS,
    CONF_BOUNCE_TEXT,
    CONF_INSTRUCTIONS_IN,
    CONF_MAX_ROUNDS,
    CONF_MISROUTED,
    CONF_MODEL,
    CONF_PREFIX,
    CONF_QUICK_CONFIRMATION,
    CONF_REPLACE,
    CONF_SERVER_TOOLS,
    CONF_TEMPLATE,
    CONF_THINKING,
    CONF_TOOL_CALLING,
    DEFAULT_OPTIONS,
    DEFAULT_TITLE,
    MAX_ROUNDS_LIMIT,
    InstructionsIn,
    Misrouted,
    ToolCalling,
)

# Proton's own tools that make sense in a home; images are not spoken.
SERVER_TOOLS = ["web_search", "weather", "stock", "cryptocurrency", "proton_info"]

_ADVANCED = "advanced"
_RESTORE = "restore"
_MULTILINE = TextSelector(TextSelectorConfig(multiline=True))


class ConversationFlow(ConfigSubentryFlow):
    """Add an agent, or change its options."""

    async def async_step_user(
        self, user_input: dict[str, Any] | None = None
    ) -> SubentryFlowResult:
        """Add an agent."""
        return await self.async_step_init(user_input)

    async def async_step_reconfigure(
        self, user_input: dict[str, Any] | None = None
    ) -> SubentryFlowResult:
        """Change an agent."""
        return await self.async_step_init(user_input)

    async def async_step_init(
        self, user_input: dict[str, Any] | None = None
    ) -> SubentryFlowResult:
        """Show the options, and store them."""
        if self._get_entry().state is not ConfigEntryState.LOADED:
            return self.async_abort(reason="entry_not_loaded")
        errors: dict[str, str] = {}
        reason = ""
        if user_input is not None:
            try:
                return self._store(user_input)
            except OptionProblem as err:
                errors["base"] = f"invalid_{err.option}"
                reason = str(err)
        apis = llm.async_get_apis(self.hass)
        return self.async_show_form(
            step_id="init",
            data_schema=self.add_suggested_values_to_schema(
                _schema(apis, new=self._is_new), user_input or self._suggested(apis)
            ),
            errors=errors,
            description_placeholders={"reason": reason},
        )

    @property
    def _is_new(self) -> bool:
        return self.source == "user"

    def _suggested(self, apis: list[llm.API]) -> dict[str, Any]:
        """Return what the form shows at first: what holds now."""
        stored = {} if self._is_new else dict(self._get_reconfigure_subentry().data)
        options = {**DEFAULT_OPTIONS, **stored}
        known = {api.id for api in apis}
        chosen = (
            options[CONF_LLM_HASS_API]
            if self._is_new
            else stored.get(CONF_LLM_HASS_API, [])
        )
        return {
            **options,
            CONF_LLM_HASS_API: [api for api in chosen if api in known],
            _ADVANCED: {**ADVANCED_OPTIONS, **stored},
        }

    def _store(self, user_input: dict[str, Any]) -> SubentryFlowResult:
        """Store what was entered; raises OptionProblem."""
        data = dict(user_input)
        advanced = data.pop(_ADVANCED)
        restore = set(advanced.pop(_RESTORE, ()))
        # A text that was emptied is empty; only a template means nothing then.
        advanced = {**dict.fromkeys(ADVANCED_OPTIONS, ""), **advanced}
        for option, default in ADVANCED_OPTIONS.items():
            if option in restore or (
                option in (CONF_TEMPLATE, CONF_BOUNCE_TEXT) and not advanced[option]
            ):
                advanced[option] = default
        check_advanced(advanced)
        data |= {
            option: value
            for option, value in advanced.items()
            if value != ADVANCED_OPTIONS[option]
        }
        # Without an API the key is absent: such an agent only talks.
        if not data.get(CONF_LLM_HASS_API):
            data.pop(CONF_LLM_HASS_API, None)
        data[CONF_MAX_ROUNDS] = int(data[CONF_MAX_ROUNDS])
        if self._is_new:
            return self.async_create_entry(title=data.pop(CONF_NAME), data=data)
        return self.async_update_and_abort(
            self._get_entry(), self._get_reconfigure_subentry(), data=data
        )


def _schema(apis: list[llm.API], *, new: bool) -> probatio.Schema:
    """Return the form."""
    fields: dict[probatio.Marker, Any] = {}
    if new:
        fields[probatio.Required(CONF_NAME, default=DEFAULT_TITLE)] = TextSelector()
    fields |= {
        probatio.Optional(CONF_PROMPT): TemplateSelector(),
        probatio.Optional(CONF_LLM_HASS_API): SelectSelector(
            SelectSelectorConfig(
                options=[
                    SelectOptionDict(value=api.id, label=api.name) for api in apis
                ],
                multiple=True,
                mode=SelectSelectorMode.LIST,
            )
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
        probatio.Required(_ADVANCED): section(
            probatio.Schema(
                {
                    _required(CONF_MISROUTED): _select(CONF_MISROUTED, Misrouted),
                    probatio.Optional(CONF_PREFIX): TextSelector(),
                    _required(CONF_INSTRUCTIONS_IN): _select(
                        CONF_INSTRUCTIONS_IN, InstructionsIn
                    ),
                    probatio.Optional(CONF_TEMPLATE): _MULTILINE,
                    probatio.Optional(CONF_BOUNCE_TEXT): _MULTILINE,
                    probatio.Optional(CONF_REPLACE): _MULTILINE,
                    probatio.Optional(_RESTORE, default=list): _select(
                        _RESTORE, ADVANCED_OPTIONS, multiple=True
                    ),
                }
            ),
            {"collapsed": True},
        ),
    }
    return probatio.Schema(fields)


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
