"""Drafts of routines. Their issue has only a number: every user can list issues.

All else stands in the flow, which Home Assistant opens for administrators alone.
"""

import re
from typing import Any, cast

from homeassistant.components import persistent_notification
from homeassistant.components.repairs import RepairsFlow, RepairsFlowResult
from homeassistant.core import HomeAssistant, callback
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import issue_registry as ir
from homeassistant.util.yaml import dump
import probatio

from ..abilities.plans import told
from ..abilities.routine_store import Routine, Routines
from ..agent.sentences import async_load_sentences
from ..const import DEFAULT_TITLE, DOMAIN
from .problems import Problem, async_show

_DISCARD = "discard"


@callback
def async_show_drafts(hass: HomeAssistant, entry_id: str, count: int) -> None:
    """Show how many drafts wait, or that none does."""
    # What an account's turns and polls show anew is under its bare id.
    problem, about = Problem.ROUTINE_DRAFTS, f"of_{entry_id}"
    if not count:
        ir.async_delete_issue(hass, DOMAIN, f"{problem}_{about}")
        return
    data, said = {"entry_id": entry_id}, {"count": str(count)}
    async_show(hass, problem, about, data=data, placeholders=said)


async def async_tell_made(hass: HomeAssistant, name: str) -> None:
    """Tell administrators of a routine that a person at home has made."""
    sentences = await async_load_sentences(hass, None)
    text = sentences("routine_made", name=_escaped(name))
    persistent_notification.async_create(hass, text, DEFAULT_TITLE)


class RoutineRepairFlow(RepairsFlow):
    """Show the drafts one by one: each is written, or deleted."""

    _draft_id = ""

    async def async_step_init(
        self, user_input: dict[str, Any] | None = None
    ) -> RepairsFlowResult:
        """Show the oldest draft, or do what was decided about it."""
        entry_id = str((self.data or {}).get("entry_id"))
        entry = self.hass.config_entries.async_get_entry(entry_id)
        if entry is None or not hasattr(entry, "runtime_data"):
            return self.async_abort(reason="account_removed")
        routines = cast(Routines, entry.runtime_data.routines)
        draft = routines.drafts.get(self._draft_id)
        if draft and user_input is not None:
            try:
                if user_input.get(_DISCARD):
                    await routines.async_discard(self._draft_id)
                else:
                    await routines.async_approve(self._draft_id)
            except HomeAssistantError as err:
                error = {"error": str(err)}
                return self.async_abort(
                    reason="not_written", description_placeholders=error
                )
        for self._draft_id, draft in routines.drafts.items():
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
        return {key: _escaped(item) for key, item in shown.items()} | code


def _escaped(text: str) -> str:
    return re.sub(r"([\\\[\]<>*_`#|])", r"\\\1", " ".join(text.split()))
