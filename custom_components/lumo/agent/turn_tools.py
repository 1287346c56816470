"""What a turn has to work with: its tools, behind their gate."""

from typing import NamedTuple

from homeassistant.exceptions import HomeAssistantError

from ..abilities import with_abilities
from ..abilities.ability import AbilityContext, HiddenTool
from ..abilities.note_store import NotesInTurn
from ..abilities.planning_judge import PlanningJudge
from ..gate.gate import Gate
from ..gate.outside import OutsideTexts
from .asking import Dialogue
from .pictures import MAX_PICTURES, PictureError, async_read
from .recall import notes_for
from .toolbox import Toolbox, fill_toolbox
from .turn_context import TurnContext


class TurnTools(NamedTuple):
    """The tools of one turn, and what comes of them beside their results."""

    toolbox: Toolbox
    notes: NotesInTurn | None
    """What people had kept; None where the agent does not do that."""
    planned: list[str]
    """The ids of what was planned in this turn."""
    hidden: dict[str, HiddenTool]
    """What the requests do not describe, by name."""


def tools_for(turn: TurnContext, dialogue: Dialogue) -> TurnTools:
    """Return what the options of a turn allow, as the answer to a question leaves it."""
    state, options, api = turn.conversation_state, turn.options, turn.log.llm_api
    planned: list[str] = []
    hidden: dict[str, HiddenTool] = {}
    outside = OutsideTexts(
        turn.log.content,
        {tool.name: tool for tool in with_abilities(api).tools} if api else {},
        state.earlier,
    )

    def has_read_outside() -> bool:
        """Return whether the model has read text from outside; note it if so."""
        state.earlier.read_outside |= turn.record.outside_results > 0
        return outside.have_been_read()

    async def async_show(data: bytes, name: str) -> int:
        """Show the model a picture; return which it is, 0 if it cannot be shown."""
        if len(turn.pictures) >= MAX_PICTURES:
            raise HomeAssistantError("You have seen as many pictures as you may now.")
        try:
            turn.pictures.append(await async_read(turn.hass, data, name))
        except PictureError as err:
            turn.record.decide(f"a picture cannot be shown: {err.reason}")
            return 0
        return len(turn.pictures)

    notes = notes_for(turn, dialogue, has_read_outside)
    context = AbilityContext(
        hass=turn.hass,
        speaker=turn.speaker,
        scope=turn.scope,
        changes=dialogue.changes,
        journal=state.journal,
        cameras=options.cameras,
        plans=turn.plans,
        planned=state.planned,
        agent=turn.subentry_id,
        on_plan=planned.append,
        understand=lambda *given: toolbox.understand(*given),  # noqa: PLW0108
        show=async_show,
        notes=notes,
        # What is left out is known once all tools are.
        left_out=True,
        hidden=hidden,
        offer=lambda name: toolbox.offer(name),  # noqa: PLW0108 # made below
    )
    gate = Gate(
        cause=turn.cause,
        # So is what a server says of its tools, where a request describes them.
        has_read_outside=lambda: has_read_outside() or toolbox.describes_servers,
        speaker=turn.speaker,
        record=state.journal.add,
        until=turn.deadlines.until,
    )
    toolbox = Toolbox(None, gate=gate)
    if api is None:
        return TurnTools(toolbox, notes, planned, hidden)
    gate.judge = PlanningJudge(
        turn.hass, options, turn.speaker, state.earlier, dialogue.chosen
    )
    toolbox = fill_toolbox(api, context, options, gate, turn.known)
    return TurnTools(toolbox, notes, planned, hidden)
