"""The options of an agent: a subentry that is added, or changed."""

from typing import Any

from homeassistant.config_entries import (
    ConfigEntryState,
    ConfigSubentryFlow,
    SubentryFlowResult,
)
from homeassistant.const import CONF_LLM_HASS_API, CONF_NAME, CONF_PROMPT
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
)
import probatio

from .agent.options import MODELS
from .const import (
    CONF_MAX_ROUNDS,
    CONF_MODEL,
    CONF_SERVER_TOOLS,
    CONF_THINKING,
    CONF_TOOL_CALLING,
    DEFAULT_OPTIONS,
    DEFAULT_TITLE,
    MAX_ROUNDS_LIMIT,
    ToolCalling,
)

# Proton's own tools that make sense in a home; images are not spoken.
SERVER_TOOLS = ["web_search", "weather", "stock", "cryptocurrency", "proton_info"]


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
        new = self.source == "user"
        if user_input is not None:
            # Without an API the key is absent: that is how an agent that only talks
            # differs from one that has never been asked.
            if not user_input.get(CONF_LLM_HASS_API):
                user_input.pop(CONF_LLM_HASS_API, None)
            user_input[CONF_MAX_ROUNDS] = int(user_input[CONF_MAX_ROUNDS])
            if new:
                return self.async_create_entry(
                    title=user_input.pop(CONF_NAME), data=user_input
                )
            return self.async_update_and_abort(
                self._get_entry(), self._get_reconfigure_subentry(), data=user_input
            )
        apis = llm.async_get_apis(self.hass)
        suggested = dict(
            DEFAULT_OPTIONS if new else self._get_reconfigure_subentry().data
        )
        known = {api.id for api in apis}
        suggested[CONF_LLM_HASS_API] = [
            api for api in suggested.get(CONF_LLM_HASS_API, []) if api in known
        ]
        return self.async_show_form(
            step_id="init",
            data_schema=self.add_suggested_values_to_schema(
                _schema(apis, new=new), suggested
            ),
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
        probatio.Required(
            CONF_TOOL_CALLING, default=DEFAULT_OPTIONS[CONF_TOOL_CALLING]
        ): _select(CONF_TOOL_CALLING, [mode.value for mode in ToolCalling]),
        probatio.Required(CONF_MODEL, default=DEFAULT_OPTIONS[CONF_MODEL]): _select(
            CONF_MODEL, list(MODELS)
        ),
        probatio.Required(
            CONF_THINKING, default=DEFAULT_OPTIONS[CONF_THINKING]
        ): BooleanSelector(),
        probatio.Optional(CONF_SERVER_TOOLS, default=list): _select(
            CONF_SERVER_TOOLS, SERVER_TOOLS, multiple=True
        ),
        probatio.Required(
            CONF_MAX_ROUNDS, default=DEFAULT_OPTIONS[CONF_MAX_ROUNDS]
        ): NumberSelector(
            NumberSelectorConfig(
                min=1, max=MAX_ROUNDS_LIMIT, mode=NumberSelectorMode.BOX
            )
        ),
    }
    return probatio.Schema(fields)


def _select(key: str, options: list[str], *, multiple: bool = False) -> SelectSelector:
    return SelectSelector(
        SelectSelectorConfig(
            options=options,
            translation_key=key,
            multiple=multiple,
            mode=SelectSelectorMode.LIST if multiple else SelectSelectorMode.DROPDOWN,
        )
    )
