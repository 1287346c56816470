"""What a turn has to work with: its tools, behind their gate."""

from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

from homeassistant.exceptions import HomeAssistantError

from ..abilities import with_abilities
from ..abilities.ability import AbilityContext, HiddenTool
from ..abilities.note_store import NotesInTurn, owner_of
from ..abilities.planning_judge import PlanningJudge
from ..gate.consent import Reply
from ..gate.gate import Gate
from ..gate.own_tool import are_read
from ..gate.permissions import offered
from ..tool_calling.instructions import PREFIX
from .asking import Dialogue
from .pictures import MAX_PICTURES, PictureError, async_read
from .toolbox import Toolbox
from .turn_context import TurnContext


class TurnTools(NamedTuple):
    """The tools of one turn, and what comes of them beside their results."""

    toolbox: Toolbox
    notes: NotesInTurn | None
    """People's notes; None if the agent keeps none."""
    planned: list[str]
    hidden: dict[str, HiddenTool]


def tools_for(turn: TurnContext, dialogue: Dialogue) -> TurnTools:
    """Return the tools that a turn's options allow, as the answer read before says."""
    state, options, api = turn.conversation_state, turn.options, turn.log.llm_api
    planned: list[str] = []
    hidden: dict[str, HiddenTool] = {}
    known = {tool.name: tool for tool in with_abilities(api).tools} if api else {}

    def has_read_outside() -> bool:
        """Return whether the model has read text from outside; note it if so."""
        earlier = state.earlier
        earlier.read_outside |= turn.record.outside_results > 0
        earlier.read_outside = earlier.read_outside or are_read(turn.log.content, known)
        return earlier.read_outside

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

    notes = _notes_for(turn, dialogue, has_read_outside)
    context = AbilityContext(
        hass=turn.hass,
        speaker=turn.speaker,
        scope=turn.scope,
        changes=dialogue.changes,
        journal=state.journal,
        cameras=options.cameras,
        plans=turn.plans,
        routines=turn.routines,
        planned=state.planned,
        owner_of=options.places.owner_of,
        agent=turn.subentry_id,
        on_plan=planned.append,
        understand=lambda *given: toolbox.understand(*given),  # noqa: PLW0108
        show=async_show,
        notes=notes,
        hidden=hidden,
        offer=lambda name: toolbox.offer(name),  # noqa: PLW0108 # made below
    )
    gate = Gate(
        cause={
            # Home Assistant's logbook reads this one.
            "entity_id": turn.agent_id,
            "agent_id": turn.agent_id,
            "conversation_id": turn.log.conversation_id,
            "user_id": turn.speaker.user_id,
            "satellite_id": turn.speaker.satellite_id,
            **({"confirmed_by": turn.confirmed_by} if turn.confirmed_by else {}),
        },
        # A server's descriptions of its tools are text from outside, too.
        has_read_outside=lambda: has_read_outside() or toolbox.describes_servers,
        speaker=turn.speaker,
        record=state.journal.add,
        until=turn.deadlines.until,
    )
    toolbox = Toolbox(None, gate=gate)
    if api:
        gate.judge = PlanningJudge(
            turn.hass, options, turn.speaker, state.earlier, dialogue.chosen
        )
        whole = with_abilities(api, context)
        # On the function channel the channel says whose a tool is.
        toolbox = Toolbox(
            replace(whole, tools=offered(whole, options, context.scope)),
            prefix="" if options.native else PREFIX,
            gate=gate,
            known=turn.known,
        )
    return TurnTools(toolbox, notes, planned, hidden)


def _notes_for(
    turn: TurnContext, dialogue: Dialogue, has_read_outside: Callable[[], bool]
) -> NotesInTurn | None:
    question = dialogue.question
    if turn.notes is None or owner_of(turn.speaker) is None:
        return None
    is_yes = dialogue.reply in (Reply.YES, Reply.SOME)
    return NotesInTurn(
        notes=turn.notes,
        speaker=turn.speaker,
        sentence=question.speaker.sentence if question and is_yes else turn.sentence,
        before=turn.before,
        conversation_state=turn.conversation_state,
        has_read_outside=lambda: (
            has_read_outside() or turn.conversation_state.earlier.saw_pictures
        ),
    )
