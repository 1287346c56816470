"""Trust a newer public key of Lumo's, after a person has seen its fingerprint.

The key comes with the integration and is never fetched. If Proton replaces it before an
update is there, a person can enter the new one.
"""

from typing import Any

from homeassistant.config_entries import ConfigFlowResult
from homeassistant.helpers.selector import selector
import probatio

from ..const import CONF_PUBLIC_KEY
from ..lumo_client.encryption import (
    KEY_BYTES,
    PublicKeyInfo,
    describe_public_key,
    wrap_key,
)
from ..lumo_client.errors import LumoError
from .base import SignInSteps
from .connection import async_endpoints

_SCHEMA = probatio.Schema(
    {probatio.Optional(CONF_PUBLIC_KEY): selector({"text": {"multiline": True}})}
)


class PublicKeySteps(SignInSteps):
    """Enter a key, look at it, use it; an empty form goes back to the built-in one."""

    _public_key: str
    _public_key_info: PublicKeyInfo

    async def async_step_public_key(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Ask for the key."""
        entry = self._get_reconfigure_entry()
        error = None
        fingerprint = "-"
        try:
            endpoints = await async_endpoints(self.hass)
            built_in = await self._async_describe(endpoints.public_key)
        except LumoError as err:
            error = err.code
        else:
            fingerprint = _grouped(built_in.fingerprint)
            if user_input is not None:
                if not (text := user_input.get(CONF_PUBLIC_KEY, "").strip()):
                    data = dict(entry.data)
                    data.pop(CONF_PUBLIC_KEY, None)
                    return self._async_update_entry(entry, data=data)
                if not (error := await self._async_take(text, built_in)):
                    return await self.async_step_public_key_confirm()
        return self._async_show(
            "public_key",
            _SCHEMA,
            error,
            user_input or entry.data,
            {"fingerprint": fingerprint},
        )

    async def async_step_public_key_confirm(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Show what was entered, and use it."""
        if user_input is not None:
            entry = self._get_reconfigure_entry()
            return self._async_update_entry(
                entry, data={**entry.data, CONF_PUBLIC_KEY: self._public_key}
            )
        info = self._public_key_info
        return self.async_show_form(
            step_id="public_key_confirm",
            description_placeholders={
                "fingerprint": _grouped(info.fingerprint),
                "expires": str(info.expires.date()) if info.expires else "-",
            },
        )

    async def _async_take(self, text: str, built_in: PublicKeyInfo) -> str | None:
        """Take a key that can be used; else return the translation key of the error."""
        try:
            info = await self._async_describe(text)
            await self.hass.async_add_executor_job(wrap_key, text, bytes(KEY_BYTES))
        except LumoError:
            return "public_key_unusable"
        if info.created < built_in.created:
            return "public_key_older"
        self._public_key, self._public_key_info = text, info
        return None

    async def _async_describe(self, armored: str) -> PublicKeyInfo:
        return await self.hass.async_add_executor_job(describe_public_key, armored)


def _grouped(fingerprint: str) -> str:
    return " ".join(fingerprint[i : i + 4] for i in range(0, len(fingerprint), 4))
