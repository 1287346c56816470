"""The options of an AI task: only what differs from the default is stored."""

from typing import Any

from homeassistant.config_entries import SubentryFlowResult
from homeassistant.const import CONF_LLM_HASS_API, CONF_NAME

from ..agent.options import OptionProblem
from ..agent.phone import async_check_phone
from ..agent.pictures import ASPECT_RATIOS
from ..const import CONF_ASPECT_RATIO, CONF_PHONE_PERSON, DEFAULT_OPTIONS
from ..sign_in.ways import free_title
from .base import OptionsFlow
from .fields import task_schema
from .tool_list import api_names

_USUAL = {
    **DEFAULT_OPTIONS,
    CONF_LLM_HASS_API: [],
    CONF_PHONE_PERSON: "",
    CONF_ASPECT_RATIO: ASPECT_RATIOS[0],
}


class TaskFlow(OptionsFlow):
    """Add an AI task, or change its options."""

    async def async_step_init(
        self, user_input: dict[str, Any] | None = None
    ) -> SubentryFlowResult:
        """Show the options, and take them."""
        apis, errors, reason = api_names(self.hass), dict[str, str](), ""
        if user_input is not None:
            try:
                await async_check_phone(self.hass, user_input)
            except OptionProblem as err:
                errors["base"], reason = f"invalid_{err.option}", str(err)
            else:
                title = user_input.pop(CONF_NAME, "")
                chosen = user_input.items()
                return self._save(
                    title, {key: value for key, value in chosen if _USUAL[key] != value}
                )
        shown = user_input or self._stored
        if CONF_LLM_HASS_API in shown:
            chosen_apis = [api for api in shown[CONF_LLM_HASS_API] if api in apis]
            shown = {**shown, CONF_LLM_HASS_API: chosen_apis}
        name = (
            free_title(self.hass, f"{self._get_entry().title} AI Task")
            if self._is_new
            else None
        )
        return self.async_show_form(
            step_id="init",
            data_schema=self.add_suggested_values_to_schema(
                task_schema(apis, name=name), shown
            ),
            errors=errors,
            description_placeholders={"reason": reason},
        )
