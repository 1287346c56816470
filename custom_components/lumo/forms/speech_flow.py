"""Speech to text is added by a person, once the socket has let their account in."""

from typing import Any

from homeassistant.config_entries import SubentryFlowResult
from homeassistant.const import CONF_NAME
import probatio

from ..const import SUBENTRY_STT
from ..lumo_client.errors import ConfigurationError, LumoConnectionError, LumoError
from ..sign_in.connection import async_speech_socket
from ..sign_in.ways import free_title
from .base import OptionsFlow


class SpeechFlow(OptionsFlow):
    """Add speech to text, or check the account again."""

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
