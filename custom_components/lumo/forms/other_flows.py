"""The forms of AI tasks and of speech to text, and what they share with an agent's."""

from typing import Any

from homeassistant.config_entries import (
    ConfigEntryState,
    ConfigSubentryFlow,
    SubentryFlowResult,
)
from homeassistant.const import CONF_LLM_HASS_API, CONF_NAME
import probatio

from ..agent.options import OptionProblem
from ..agent.phone import async_check_phone
from ..const import SUBENTRY_STT
from ..lumo_client.errors import ConfigurationError, LumoConnectionError, LumoError
from ..sign_in.connection import async_speech_socket
from ..sign_in.ways import free_title
from .fields import task_schema
from .tool_list import api_names


class OptionsFlow(ConfigSubentryFlow):
    """Add what has options, or change them: a subentry whose first step is `init`."""

    async def async_step_user(
        self, user_input: dict[str, Any] | None = None
    ) -> SubentryFlowResult:
        """Begin, if the account is in use."""
        if self._get_entry().state is not ConfigEntryState.LOADED:
            return self.async_abort(reason="entry_not_loaded")
        return await self.async_step_init(user_input)

    async_step_reconfigure = async_step_user

    async def async_step_init(
        self, user_input: dict[str, Any] | None = None
    ) -> SubentryFlowResult:
        """Show the first form, and take it."""
        raise NotImplementedError

    @property
    def _is_new(self) -> bool:
        return self.source == "user"

    @property
    def _stored(self) -> dict[str, Any]:
        return {} if self._is_new else dict(self._get_reconfigure_subentry().data)

    def _save(self, title: str, data: dict[str, Any]) -> SubentryFlowResult:
        if self._is_new:
            return self.async_create_entry(title=title, data=data)
        return self.async_update_and_abort(
            self._get_entry(), self._get_reconfigure_subentry(), data=data
        )


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
                return self._save(user_input.pop(CONF_NAME, ""), user_input)
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


class SpeechFlow(OptionsFlow):
    """Add speech to text once the socket lets the account in, or check that again."""

    async def async_step_init(
        self, user_input: dict[str, Any] | None = None
    ) -> SubentryFlowResult:
        """Say what it is; check the account when that is confirmed."""
        entry = self._get_entry()
        if self._is_new and entry.get_subentries_of_type(SUBENTRY_STT):
            return self.async_abort(reason="already_configured")
        errors: dict[str, str] = {}
        if user_input is not None:
            try:
                await async_speech_socket(self.hass, entry).check()
            except ConfigurationError:
                errors["base"] = "gateway"
            except LumoConnectionError:
                errors["base"] = "cannot_connect"
            except LumoError:
                errors["base"] = "refused"
            else:
                return self._save(user_input.get(CONF_NAME, ""), {})
        name = free_title(self.hass, f"{entry.title} speech to text")
        marker = probatio.Required(CONF_NAME, default=name)
        return self.async_show_form(
            step_id="user" if self._is_new else "reconfigure",
            data_schema=probatio.Schema({marker: str} if self._is_new else {}),
            errors=errors,
        )
