"""What a person can do about an issue, step by step.

The issue of drafts of routines tells nothing of them: every user can list issues. Its
flow, which Home Assistant opens for administrators alone, shows them.
"""

import re
from typing import Any, Final, cast

from homeassistant.components import persistent_notification
from homeassistant.components.repairs import FlowType, RepairsFlow, RepairsFlowResult
from homeassistant.config_entries import (
    SOURCE_RECONFIGURE,
    ConfigEntry,
    ConfigEntryState,
    ConfigFlowContext,
)
from homeassistant.core import HomeAssistant
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import issue_registry as ir
from homeassistant.util.yaml import dump
import probatio

from .abilities.plans import told
from .abilities.routine_store import Routine, Routines
from .agent.sentences import async_load_sentences
from .const import CONF_PUBLIC_KEY, DEFAULT_TITLE, DOMAIN, SignIn
from .internals import async_stop_local_commands, pipelines
from .issues.home_issues import async_mark_doors
from .issues.problems import FROM_REPAIR, Problem
from .speech.screen import without_marks

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


_DISCARD: Final = "discard"


async def async_tell_made(hass: HomeAssistant, name: str) -> None:
    """Tell administrators of a routine that a person at home has made."""
    sentences = await async_load_sentences(hass, None)
    text = sentences("routine_made", name=without_marks(" ".join(name.split()), True))
    persistent_notification.async_create(hass, text, DEFAULT_TITLE)


class LumoRepairFlow(RepairsFlow):
    """Explain an issue, and do about it what the person chooses."""

    _draft_id = ""
    _draft: Routine | None = None

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
        if self._about("problem") == Problem.ROUTINE_DRAFTS:
            return await self._async_step_draft(user_input)
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

    async def _async_step_draft(
        self, user_input: dict[str, Any] | None
    ) -> RepairsFlowResult:
        """Write or delete the draft that was shown, then show the oldest one."""
        if (entry := self._entry) is None or not hasattr(entry, "runtime_data"):
            return self.async_abort(reason="account_removed")
        routines, draft = cast(Routines, entry.runtime_data.routines), self._draft
        if user_input is not None and draft in routines.drafts.values():
            new = user_input.get(_DISCARD) or draft
            try:
                await routines.async_put(self._draft_id, new, approved=draft)
            except HomeAssistantError as err:
                error = {"error": str(err)}
                return self.async_abort(
                    reason="not_written", description_placeholders=error
                )
        for self._draft_id, draft in routines.drafts.items():
            self._draft = draft
            discard = probatio.Optional(_DISCARD, default=False)
            return self.async_show_form(
                step_id="init",
                data_schema=probatio.Schema({discard: bool}),
                description_placeholders=await self._async_told(draft),
            )
        return self.async_create_entry(data={})

    async def _async_told(self, draft: Routine) -> dict[str, str]:
        """Return what an administrator must know, none of it read as Markdown."""
        user = await self.hass.auth.async_get_user(draft.user_id or "")
        satellite = self.hass.states.get(draft.satellite_id or "")
        who = user.name if user else satellite.name if satellite else None
        text = dump([{**draft.item}])
        # No text in it may end the block.
        fence = "`" * (3 + max(map(len, re.findall("`+", text)), default=0))
        shown = {"sentence": draft.sentence, "person": who or "?", "when": draft.when}
        shown |= {"does": ", ".join(told(draft.does))}
        code = {"yaml": f"{fence}yaml\n{text}{fence}"}
        lines = {key: " ".join(item.split()) for key, item in shown.items()}
        return {key: without_marks(lines[key], True) for key in lines} | code


async def async_create_fix_flow(
    hass: HomeAssistant, issue_id: str, data: dict[str, str | int | float | None] | None
) -> RepairsFlow:
    """Return the flow for an issue."""
    return LumoRepairFlow()
