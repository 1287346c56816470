"""What a turn has to work with: its tools, behind their gate."""

from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import llm

from ..abilities import with_abilities
from ..abilities.ability import AbilityContext, HiddenTool
from ..abilities.planning_judge import PlanningJudge
from ..gate.gate import Gate
from ..gate.outside import OutsideTexts
from .asking import Dialogue
from .pictures import MAX_PICTURES, PictureError, async_read
from .recall import notes_for
from .toolbox import Toolbox, fill_toolbox
from .turn_context import TurnContext


class Equipment:
    """The tools of one turn, and what comes of them beside their results."""

    def __init__(self, turn: TurnContext, dialogue: Dialogue) -> None:
        """Offer what the options allow."""
        self._turn = turn
        self._dialogue = dialogue
        self._outside: OutsideTexts | None = None
        self.hidden: dict[str, HiddenTool] = {}
        """What the requests do not describe, by name."""
        self.planned: list[str] = []
        """The ids of what was planned in this turn."""
        self.notes = notes_for(turn, dialogue, self.has_read_outside)
        self.toolbox = self._fill(turn.log.llm_api)

    def _fill(self, api: llm.APIInstance | None) -> Toolbox:
        turn, options, conversation_state = (
            self._turn,
            self._turn.options,
            self._turn.conversation_state,
        )
        if api is None:
            return Toolbox(None)
        context = AbilityContext(
            hass=turn.hass,
            speaker=turn.speaker,
            scope=turn.scope,
            changes=self._dialogue.changes,
            journal=conversation_state.journal,
            sent=conversation_state.sent,
            cameras=options.cameras,
            plans=turn.plans,
            planned=conversation_state.planned,
            agent=turn.subentry_id,
            note_plan=self.planned.append,
            understand=lambda *given: self.toolbox.understand(*given),  # noqa: PLW0108
            show=self._async_show,
            notes=self.notes,
            # What is left out is known once all tools are.
            left_out=True,
            hidden=self.hidden,
            offer=lambda name: self.toolbox.offer(name),  # noqa: PLW0108 # made below
        )
        self._outside = OutsideTexts(
            turn.log.content,
            {tool.name: tool for tool in with_abilities(api).tools},
            conversation_state.earlier,
        )
        judge = PlanningJudge(
            turn.hass,
            options,
            turn.speaker,
            conversation_state.earlier,
            self._dialogue.chosen,
        )
        gate = Gate(
            judge=judge,
            cause=turn.cause,
            has_read_outside=self.has_read_outside,
            speaker=turn.speaker,
            record=conversation_state.journal.add,
            until=turn.deadlines.until,
        )
        return fill_toolbox(api, context, options, gate, turn.known)

    async def _async_show(self, data: bytes, name: str) -> int:
        """Show the model a picture; return which it is, 0 if it cannot be shown."""
        pictures = self._turn.pictures
        if len(pictures) >= MAX_PICTURES:
            raise HomeAssistantError("You have seen as many pictures as you may now.")
        try:
            pictures.append(await async_read(self._turn.hass, data, name))
        except PictureError as err:
            self._turn.record.decide(f"a picture cannot be shown: {err.reason}")
            return 0
        return len(pictures)

    def has_read_outside(self) -> bool:
        """Return whether the model has read text from outside; note it if so."""
        earlier = self._turn.conversation_state.earlier
        earlier.read_outside |= self._turn.record.outside_results > 0
        return self._outside is not None and self._outside.have_been_read()
