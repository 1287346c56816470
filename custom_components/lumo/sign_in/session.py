"""Use a session that exists already: its UID and its two tokens, pasted."""

from collections.abc import Mapping
from typing import Any

from homeassistant.config_entries import SOURCE_REAUTH, ConfigFlowResult
from homeassistant.helpers.selector import (
    TextSelector,
    TextSelectorConfig,
    TextSelectorType,
)
import probatio

from ..const import CONF_ACCESS_TOKEN, CONF_REFRESH_TOKEN, CONF_UID, SignIn
from ..lumo_client.auth import SessionCredential
from ..lumo_client.session import Session, Tokens
from .base import SignInSteps, error_key

_SECRET = TextSelector(
    TextSelectorConfig(type=TextSelectorType.PASSWORD, autocomplete="off")
)
_SCHEMA = probatio.Schema(
    {
        probatio.Required(CONF_UID): TextSelector(),
        probatio.Required(CONF_ACCESS_TOKEN): _SECRET,
        probatio.Required(CONF_REFRESH_TOKEN): _SECRET,
    }
)


class SessionSteps(SignInSteps):
    """One form serves the first sign-in and a later one."""

    async def async_step_session(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Ask for the session."""
        errors: dict[str, str] = {}
        if user_input is not None:
            try:
                tokens = await self._async_accepted(user_input)
            except Exception as err:  # noqa: BLE001 - shown in the form
                errors["base"] = error_key(err)
            else:
                return await self._async_finish(
                    SignIn.SESSION,
                    {
                        CONF_UID: tokens.uid,
                        CONF_ACCESS_TOKEN: tokens.access_token,
                        CONF_REFRESH_TOKEN: tokens.refresh_token,
                    },
                    tokens.uid,
                )
        suggested = user_input
        if suggested is None and self.source == SOURCE_REAUTH:
            suggested = {CONF_UID: self._get_reauth_entry().data.get(CONF_UID)}
        return self.async_show_form(
            step_id="session",
            data_schema=self.add_suggested_values_to_schema(_SCHEMA, suggested),
            errors=errors,
        )

    async def _async_accepted(self, user_input: Mapping[str, str]) -> Tokens:
        """Return the session's tokens once the service has accepted them.

        They may differ from what was pasted: an access token that has run out is
        renewed on the way, and only the new pair works from then on.
        """
        latest = Tokens(
            uid=user_input[CONF_UID].strip(),
            access_token=user_input[CONF_ACCESS_TOKEN].strip(),
            refresh_token=user_input[CONF_REFRESH_TOKEN].strip(),
        )

        async def keep(tokens: Tokens) -> None:
            nonlocal latest
            latest = tokens

        await self._async_try(
            lambda http, endpoints: SessionCredential(
                Session(http, endpoints, latest, keep)
            )
        )
        return latest
