"""What the forms of agents and AI tasks have in common."""

from typing import Any

from homeassistant.config_entries import (
    ConfigEntryState,
    ConfigSubentryFlow,
    SubentryFlowResult,
)


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
