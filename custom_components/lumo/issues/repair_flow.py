"""What a person can do about an issue, step by step."""

from typing import Any, Final, cast

from homeassistant.components.repairs import FlowType, RepairsFlow, RepairsFlowResult
from homeassistant.config_entries import (
    SOURCE_RECONFIGURE,
    ConfigEntry,
    ConfigEntryState,
    ConfigFlowContext,
)
from homeassistant.helpers import issue_registry as ir
import probatio

from ..const import CONF_PUBLIC_KEY, DOMAIN, SignIn
from ..internals import async_stop_local_commands, pipelines
from .doors import async_mark_doors
from .problems import FROM_REPAIR, Problem

# The step of the reconfiguration that helps.
_FORMS: Final[dict[str, str]] = {
    Problem.API_KEY_EXPIRING: SignIn.API_KEY,
    Problem.ENCRYPTION_KEY: CONF_PUBLIC_KEY,
    Problem.ENCRYPTION_KEY_EXPIRING: CONF_PUBLIC_KEY,
}


# What a person can choose; without a menu the reconfiguration follows.
_MENUS: Final[dict[str, list[str]]] = {
    Problem.QUOTA: ["look_again", "reconfigure"],
    Problem.UNMARKED_DOORS: ["mark", "leave"],
}


class LumoRepairFlow(RepairsFlow):
    """Explain an issue, and do about it what the person chooses."""

    @property
    def _placeholders(self) -> dict[str, str] | None:
        issue = ir.async_get(self.hass).async_get_issue(DOMAIN, self.issue_id)
        return issue.translation_placeholders if issue else None

    def _about(self, key: str) -> str:
        return str((self.data or {}).get(key))

    @property
    def _entry(self) -> ConfigEntry[Any] | None:
        return self.hass.config_entries.async_get_entry(self._about("entry_id"))

    async def async_step_init(
        self, user_input: dict[str, Any] | None = None
    ) -> RepairsFlowResult:
        """Let the person choose, if there is a choice."""
        options = _MENUS.get(self._about("problem"))
        if options is None:
            return await self.async_step_confirm()
        return self.async_show_menu(
            step_id="init",
            menu_options=options,
            description_placeholders=self._placeholders,
        )

    async def async_step_confirm(
        self, user_input: dict[str, Any] | None = None
    ) -> RepairsFlowResult:
        """Say what will come."""
        if user_input is not None:
            if self._about("problem") == Problem.LOCAL_COMMANDS:
                return await self._async_turn_off()
            return await self.async_step_reconfigure()
        return self.async_show_form(
            step_id="confirm",
            data_schema=probatio.Schema({}),
            description_placeholders=self._placeholders,
        )

    async def async_step_leave(
        self, user_input: dict[str, Any] | None = None
    ) -> RepairsFlowResult:
        """Show this issue no more."""
        registry = ir.async_get(self.hass)
        if registry.async_get_issue(DOMAIN, self.issue_id):
            registry.async_ignore(DOMAIN, self.issue_id, ignore=True)
        # A flow that ends otherwise deletes its issue, and with it that it is ignored.
        return self.async_abort(reason="left")

    async def async_step_reconfigure(
        self, user_input: dict[str, Any] | None = None
    ) -> RepairsFlowResult:
        """Go on with the reconfiguration of the account, at the form that helps."""
        if (entry := self._entry) is None:
            return self.async_abort(reason="account_removed")
        manager = self.hass.config_entries.flow
        context = {"source": SOURCE_RECONFIGURE, "entry_id": entry.entry_id}
        flow = await manager.async_init(
            DOMAIN, context=cast(ConfigFlowContext, {**context, FROM_REPAIR: True})
        )
        form = _FORMS.get(self._about("problem"))
        if form in flow["menu_options"]:
            await manager.async_configure(flow["flow_id"], {"next_step_id": form})
        return self.async_create_entry(
            data={}, next_flow=(FlowType.CONFIG_FLOW, flow["flow_id"])
        )

    async def async_step_look_again(
        self, user_input: dict[str, Any] | None = None
    ) -> RepairsFlowResult:
        """Ask the service whether there are requests again."""
        entry = self._entry
        if entry is None or entry.state is not ConfigEntryState.LOADED:
            return self.async_abort(reason="account_removed")
        await entry.runtime_data.async_refresh()
        if entry.runtime_data.problems.quota_refusals:
            return self.async_abort(reason="quota_still_empty")
        return self.async_create_entry(data={})

    async def _async_turn_off(self) -> RepairsFlowResult:
        for pipeline in pipelines(self.hass):
            if pipeline.id == self._about("pipeline_id"):
                await async_stop_local_commands(self.hass, pipeline)
                return self.async_create_entry(data={})
        return self.async_abort(reason="pipeline_removed")

    async def async_step_mark(
        self, user_input: dict[str, Any] | None = None
    ) -> RepairsFlowResult:
        """Let all agents ask about what looks like doors."""
        async_mark_doors(self.hass)
        return self.async_create_entry(data={})
