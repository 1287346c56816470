"""The options of an AI task: a subentry that is added, or changed.

Only what was chosen is stored, so that a task with recommended settings stays with them.
"""

from typing import Any

from homeassistant.config_entries import (
    ConfigEntryState,
    ConfigSubentryFlow,
    SubentryFlowResult,
)
from homeassistant.const import CONF_LLM_HASS_API, CONF_NAME
from homeassistant.helpers.selector import BooleanSelector, TextSelector
import probatio

from ..agent.drawing import ASPECT_RATIOS
from ..agent.options import OptionProblem
from ..agent.phone import async_check_phone
from ..const import CONF_ASPECT_RATIO, CONF_PHONE_PERSON, DEFAULT_OPTIONS
from ..sign_in.ways import task_title
from .fields import RECOMMENDED, task_schema
from .tool_list import api_names


class TaskFlow(ConfigSubentryFlow):
    """Add an AI task, or change its options."""

    _title: str

    async def async_step_init(
        self, user_input: dict[str, Any] | None = None
    ) -> SubentryFlowResult:
        """Ask for its name, and whether the recommended settings will do."""
        entry = self._get_entry()
        if entry.state is not ConfigEntryState.LOADED:
            return self.async_abort(reason="entry_not_loaded")
        if user_input is not None:
            self._title = user_input.get(CONF_NAME, "")
            return (
                self._store({})
                if user_input[RECOMMENDED]
                else await self.async_step_settings()
            )
        fields: dict[probatio.Marker, Any] = {
            probatio.Required(RECOMMENDED, default=not self._stored): BooleanSelector()
        }
        if self._is_new:
            name = task_title(self.hass, entry.title)
            fields = {
                probatio.Required(CONF_NAME, default=name): TextSelector()
            } | fields
        return self.async_show_form(step_id="init", data_schema=probatio.Schema(fields))

    async_step_user = async_step_reconfigure = async_step_init

    async def async_step_settings(
        self, user_input: dict[str, Any] | None = None
    ) -> SubentryFlowResult:
        """Show the settings, and take them."""
        errors: dict[str, str] = {}
        reason = ""
        if user_input is not None:
            usual = {
                **DEFAULT_OPTIONS,
                CONF_LLM_HASS_API: [],
                CONF_PHONE_PERSON: "",
                CONF_ASPECT_RATIO: ASPECT_RATIOS[0],
            }
            try:
                await async_check_phone(self.hass, user_input)
            except OptionProblem as err:
                errors["base"], reason = f"invalid_{err.option}", str(err)
            else:
                return self._store(
                    {
                        key: value
                        for key, value in user_input.items()
                        if usual[key] != value
                    }
                )
        apis = api_names(self.hass)
        stored = self._stored
        if CONF_LLM_HASS_API in stored:
            chosen = [api for api in stored[CONF_LLM_HASS_API] if api in apis]
            stored[CONF_LLM_HASS_API] = chosen
        return self.async_show_form(
            step_id="settings",
            data_schema=self.add_suggested_values_to_schema(
                task_schema(apis), user_input or stored
            ),
            errors=errors,
            description_placeholders={"reason": reason},
        )

    @property
    def _is_new(self) -> bool:
        return self.source == "user"

    @property
    def _stored(self) -> dict[str, Any]:
        return {} if self._is_new else dict(self._get_reconfigure_subentry().data)

    def _store(self, data: dict[str, Any]) -> SubentryFlowResult:
        if self._is_new:
            return self.async_create_entry(title=self._title, data=data)
        return self.async_update_and_abort(
            self._get_entry(), self._get_reconfigure_subentry(), data=data
        )
