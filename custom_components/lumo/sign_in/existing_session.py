"""Use a session that exists already: pasted as text, or as its three values."""

from collections.abc import Mapping, Sequence
from typing import Any

from homeassistant.config_entries import ConfigFlowResult
from homeassistant.helpers.selector import selector
import probatio

from ..const import (
    CONF_ACCESS_TOKEN,
    CONF_REFRESH_TOKEN,
    CONF_UID,
    CONF_USER_ID,
    SignIn,
)
from ..lumo_client.auth import Tokens
from ..lumo_client.errors import LumoAuthError
from ..lumo_client.imported import parse_imported_sessions
from .base import SignInSteps, error_key, secret
from .session_store import session_data

_CONF_PASTED = "pasted"
_CONF_FROM_BROWSER = "from_browser"

_SCHEMA = probatio.Schema(
    {
        probatio.Optional(probatio.Secret(_CONF_PASTED)): selector(
            {"text": {"multiline": True}}
        ),
        probatio.Optional(CONF_UID): selector({"text": {}}),
        probatio.Optional(probatio.Secret(CONF_ACCESS_TOKEN)): secret(),
        probatio.Optional(probatio.Secret(CONF_REFRESH_TOKEN)): secret(),
        probatio.Optional(_CONF_FROM_BROWSER, default=False): selector({"boolean": {}}),
    }
)


class SessionSteps(SignInSteps):
    """One form serves the first sign-in and a later one."""

    async def async_step_session(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Ask for the session."""
        error = None
        if user_input is not None:
            try:
                sessions = await self.hass.async_add_executor_job(_sessions, user_input)
                data = await self._async_first_accepted(sessions)
                return await self._async_finish(
                    SignIn.SESSION, data, data.get(CONF_USER_ID) or data[CONF_UID]
                )
            except Exception as err:  # noqa: BLE001 - shown in the form
                error = error_key(err)
        return self._async_show(
            "session", _SCHEMA, error, user_input or {CONF_UID: self._stored(CONF_UID)}
        )

    async def _async_first_accepted(self, sessions: Sequence[Tokens]) -> dict[str, Any]:
        """Return the data of the session to use: of an account, if there is one.

        A browser also has sessions that are over, and a guest's; they look the same.
        """
        found: dict[str, Any] | None = None
        failure: LumoAuthError | None = None
        for session in sessions:
            try:
                tokens, user_id = await self._async_accept(session)
            except LumoAuthError as err:
                failure = failure or err
                continue
            data: dict[str, Any] = session_data(tokens, user_id)
            if user_id:
                return data
            found = found or data
        if found is None:
            assert failure is not None
            raise failure
        return found


def _sessions(user_input: Mapping[str, Any]) -> list[Tokens]:
    if not (text := user_input.get(_CONF_PASTED, "").strip()):
        text = "\n".join(f"{name}={value}" for name, value in user_input.items())
    return parse_imported_sessions(text)
