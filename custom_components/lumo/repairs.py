"""What a person can do about an issue, step by step."""

from typing import Any, Final

from homeassistant.components.repairs import FlowType, RepairsFlow, RepairsFlowResult
from homeassistant.config_entries import (
    SOURCE_RECONFIGURE,
    SOURCE_USER,
    ConfigEntryState,
)
from homeassistant.core import HomeAssistant
from homeassistant.data_entry_flow import FlowResultType
from homeassistant.helpers import issue_registry as ir
import probatio

from .const import CONF_PUBLIC_KEY, DOMAIN, SignIn
from .coordinator import LumoConfigEntry
from .door_issues import async_mark_doors
from .local_commands import async_stop_local_commands
from .other_entries import filled_in
from .problems import (
    LOCAL_COMMANDS,
    OTHER_INTEGRATION,
    UNMARKED_DOORS,
    Problem,
    async_note_repair_flow,
)

# What is to be entered is one choice in the menu of the configuration.
_FORMS: Final[dict[str, str]] = {
    Problem.API_KEY_EXPIRING: SignIn.API_KEY,
    Problem.ENCRYPTION_KEY: CONF_PUBLIC_KEY,
    Problem.ENCRYPTION_KEY_EXPIRING: CONF_PUBLIC_KEY,
}


async def async_create_fix_flow(
    hass: HomeAssistant, issue_id: str, data: dict[str, str | int | float | None] | None
) -> RepairsFlow:
    """Return the flow for an issue."""
    if data and data["problem"] == Problem.QUOTA:
        return QuotaFlow()
    if data and data["problem"] == LOCAL_COMMANDS:
        return LocalCommandsFlow()
    if data and data["problem"] == OTHER_INTEGRATION:
        return OtherEntryFlow()
    if data and data["problem"] == UNMARKED_DOORS:
        return UnmarkedDoorsFlow()
    return ReconfigureFlow()


class _LumoFlow(RepairsFlow):
    """What the flows share: what the issue says."""

    def _placeholders(self) -> dict[str, str] | None:
        """Return the placeholders of the issue, for the steps."""
        issue = ir.async_get(self.hass).async_get_issue(DOMAIN, self.issue_id)
        return issue.translation_placeholders if issue else None

    async def async_step_leave(
        self, user_input: dict[str, Any] | None = None
    ) -> RepairsFlowResult:
        """Show this issue no more."""
        registry = ir.async_get(self.hass)
        if registry.async_get_issue(DOMAIN, self.issue_id):
            registry.async_ignore(DOMAIN, self.issue_id, ignore=True)
        # A flow that ends otherwise deletes its issue, and with it that it is ignored.
        return self.async_abort(reason="left")


class _AccountFlow(_LumoFlow):
    """What they share that are about an account, and end in its configuration."""

    def _entry(self) -> LumoConfigEntry | None:
        """Return the account that the issue is about, None if it was removed."""
        assert self.data is not None
        return self.hass.config_entries.async_get_entry(str(self.data["entry_id"]))

    async def _async_reconfigure(self) -> RepairsFlowResult:
        """Go on with the configuration of the account, at the form that helps.

        The issue is gone with this; it comes back if nothing was changed.
        """
        if (entry := self._entry()) is None:
            return self.async_abort(reason="account_removed")
        assert self.data is not None
        manager = self.hass.config_entries.flow
        flow = await manager.async_init(
            DOMAIN,
            context={"source": SOURCE_RECONFIGURE, "entry_id": entry.entry_id},
        )
        async_note_repair_flow(self.hass, entry.entry_id, flow["flow_id"])
        form = _FORMS.get(str(self.data["problem"]))
        if form in flow["menu_options"]:
            await manager.async_configure(flow["flow_id"], {"next_step_id": form})
        return self.async_create_entry(
            data={}, next_flow=(FlowType.CONFIG_FLOW, flow["flow_id"])
        )


class ReconfigureFlow(_AccountFlow):
    """Explain, then go on with the configuration of the account."""

    async def async_step_init(
        self, user_input: dict[str, Any] | None = None
    ) -> RepairsFlowResult:
        """Begin."""
        return await self.async_step_confirm()

    async def async_step_confirm(
        self, user_input: dict[str, Any] | None = None
    ) -> RepairsFlowResult:
        """Say what will come."""
        if user_input is not None:
            return await self._async_reconfigure()
        return self.async_show_form(
            step_id="confirm",
            data_schema=probatio.Schema({}),
            description_placeholders=self._placeholders(),
        )


class QuotaFlow(_AccountFlow):
    """Look whether there are requests again, or use another account."""

    async def async_step_init(
        self, user_input: dict[str, Any] | None = None
    ) -> RepairsFlowResult:
        """Let the person choose."""
        return self.async_show_menu(
            step_id="init",
            menu_options=["look_again", "reconfigure"],
            description_placeholders=self._placeholders(),
        )

    async def async_step_look_again(
        self, user_input: dict[str, Any] | None = None
    ) -> RepairsFlowResult:
        """Ask the service what is left."""
        entry = self._entry()
        if entry is None or entry.state is not ConfigEntryState.LOADED:
            return self.async_abort(reason="account_removed")
        coordinator = entry.runtime_data
        await coordinator.async_refresh()
        limits = coordinator.data.limits
        if not coordinator.last_update_success or limits is None or limits.lite == 0:
            return self.async_abort(reason="quota_still_empty")
        coordinator.problems.quota_refusals = 0
        return self.async_create_entry(data={})

    async def async_step_reconfigure(
        self, user_input: dict[str, Any] | None = None
    ) -> RepairsFlowResult:
        """Go on with the configuration of the account."""
        return await self._async_reconfigure()


class LocalCommandsFlow(_LumoFlow):
    """Send all sentences of a pipeline to the agent, or leave it as it is."""

    async def async_step_init(
        self, user_input: dict[str, Any] | None = None
    ) -> RepairsFlowResult:
        """Let the person choose."""
        return self.async_show_menu(
            step_id="init",
            menu_options=["turn_off", "leave"],
            description_placeholders=self._placeholders(),
        )

    async def async_step_turn_off(
        self, user_input: dict[str, Any] | None = None
    ) -> RepairsFlowResult:
        """Turn the pipeline's option off."""
        assert self.data is not None
        if not await async_stop_local_commands(
            self.hass, str(self.data["pipeline_id"])
        ):
            return self.async_abort(reason="pipeline_removed")
        return self.async_create_entry(data={})


class UnmarkedDoorsFlow(_LumoFlow):
    """Let all agents ask about what looks like doors, or leave it as it is."""

    async def async_step_init(
        self, user_input: dict[str, Any] | None = None
    ) -> RepairsFlowResult:
        """Let the person choose."""
        return self.async_show_menu(
            step_id="init",
            menu_options=["mark", "leave"],
            description_placeholders=self._placeholders(),
        )

    async def async_step_mark(
        self, user_input: dict[str, Any] | None = None
    ) -> RepairsFlowResult:
        """Mark them."""
        async_mark_doors(self.hass)
        return self.async_create_entry(data={})


class OtherEntryFlow(_LumoFlow):
    """Use the key of an entry that is not ours in one that is, or leave it."""

    async def async_step_init(
        self, user_input: dict[str, Any] | None = None
    ) -> RepairsFlowResult:
        """Let the person choose."""
        return self.async_show_menu(
            step_id="init",
            menu_options=["take_over", "leave"] if self._filled_in() else ["leave"],
            description_placeholders=self._placeholders(),
        )

    async def async_step_take_over(
        self, user_input: dict[str, Any] | None = None
    ) -> RepairsFlowResult:
        """Fill in our form with what the other entry has."""
        if (values := self._filled_in()) is None:
            return self.async_abort(reason="entry_removed")
        manager = self.hass.config_entries.flow
        flow = await manager.async_init(DOMAIN, context={"source": SOURCE_USER})
        for step in ({"next_step_id": SignIn.API_KEY.value}, values):
            flow = await manager.async_configure(flow["flow_id"], step)
        match flow["type"]:
            case FlowResultType.FORM:
                # It says what is wrong, and can be corrected.
                return self.async_create_entry(
                    data={}, next_flow=(FlowType.CONFIG_FLOW, flow["flow_id"])
                )
            case FlowResultType.ABORT:
                return self.async_abort(reason="taken_over")
            case _:
                return self.async_create_entry(data={})

    def _filled_in(self) -> dict[str, Any] | None:
        assert self.data is not None
        entry_id = str(self.data["entry_id"])
        entry = self.hass.config_entries.async_get_entry(entry_id)
        return filled_in(entry) if entry else None
