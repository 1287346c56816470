"""Judge a call that makes a routine, by what that will do again and again.

After one yes it is written if it recurs by time or sun, may be undone, and would run now
without a question. All else, and all after text from outside, an administrator approves.
"""

from dataclasses import replace
from typing import Final, override

from homeassistant.exceptions import HomeAssistantError

from ..const import Permission
from ..gate.asks import Ask
from ..gate.domains import domain_of
from ..gate.effects import Effect
from ..gate.judged_call import JudgedCall, Verdict
from ..gate.names import name_of, spoken
from ..gate.notes import NOT_ALLOWED
from ..gate.own_tool import Arguments, is_private
from ..gate.permissions import permission
from ..gate.reach import reach_of
from .ability import ahead
from .planning_judge import PlanningJudge, effects_of
from .routine import DRAFT, ROUTINE, RoutineTool
from .routine_compiler import Config, said_in, steps_of
from .routine_store import MAX_DRAFTS

_RECURS: Final = ("time", "sun")


class RoutineJudge(PlanningJudge):
    """Judges the calls of one turn, those that make routines too."""

    @override
    async def async_judge(
        self, case: JudgedCall, *, after_outside: bool = False
    ) -> Verdict:
        tool, arguments = case.own, case.arguments
        if not isinstance(tool, RoutineTool):
            return await super().async_judge(case, after_outside=after_outside)
        is_off = permission(case.tool, self._rules, self.scope) is Permission.OFF
        if is_off or not self._speaker.is_person or self.scope is not None:
            return Verdict(refusal=NOT_ALLOWED)
        try:
            if arguments.get("do"):
                return await self._async_judge_routine(case, tool, after_outside)
            if not arguments:
                # It only tells what there is.
                return Verdict(runs=({},))
            return await super().async_judge(case, after_outside=after_outside)
        except HomeAssistantError as err:
            return Verdict(refusal=str(err))

    async def _async_judge_routine(
        self, case: JudgedCall, tool: RoutineTool, after_outside: bool
    ) -> Verdict:
        kept = case.arguments
        if not (case.approved and ROUTINE in kept):
            steps, is_free = await self._async_steps(case, tool, after_outside)
            item, when = await tool.async_item(kept, steps)
            if _is_of_today(kept, item["actions"]):
                when = f"{when}, {tool.language.said['things']}"
        else:
            # What was asked about, and nothing else.
            item, when = kept[ROUTINE]["item"], kept[ROUTINE]["when"]
            is_free, after_outside = True, False
        is_free &= all(x["trigger"] in _RECURS for x in item["triggers"])
        own, does, asks = frozenset({tool.name}), list[str](), list[Ask]()
        for step in item["actions"]:
            ask = Ask(case.tool.name, {}, own, "do_remind", when=when)
            if said := spoken(said_in(step)):
                asks.append(replace(ask, name=said))
                does.append(f"“{said}”")
                continue
            for effect in self._effects(step):
                name = name_of(self._hass, effect.entity_id)
                about, names = own | {effect.entity_id}, ((effect.entity_id, name),)
                asks.append(
                    self._worded(replace(ask, entities=about, names=names), effect)
                )
                is_sensitive = self._sensitivity.is_sensitive(effect)
                does.append(f"{'⚠ ' * is_sensitive}{effect.meaning} {name}")
                is_free &= not is_sensitive and _can_undo(effect)
        routine = {"item": item, "when": when, "does": does}
        kept = {**kept, ROUTINE: {**routine, "is_foreign": after_outside}}
        if after_outside or not is_free:
            if len(tool.routines.drafts) >= MAX_DRAFTS:
                raise HomeAssistantError("Too many drafts wait for an administrator.")
            return Verdict(runs=({**kept, DRAFT: True},), sentence="routine_draft")
        if all(ask.entities <= case.approved for ask in asks):
            return Verdict(runs=(kept,))
        return self._conclude(case, [replace(ask, arguments=kept) for ask in asks])

    def _effects(self, step: Config) -> list[Effect]:
        reach = reach_of(self._hass, steps=[step])
        if reach.unknown or not reach.effects:
            raise HomeAssistantError(
                "What this does cannot be foreseen. An administrator has to make it in "
                "Home Assistant."
            )
        return reach.effects

    async def _async_steps(
        self, case: JudgedCall, tool: RoutineTool, after_outside: bool
    ) -> tuple[list[Config], bool]:
        """Return the steps of a routine, and whether all runs without a question now.

        Raises HomeAssistantError for what is refused.
        """
        steps, is_free = list[Config](), True
        for call in tool.steps(case.arguments):
            if isinstance(call, list):
                steps += call
                continue
            own, given = call
            if is_private(own):
                raise HomeAssistantError(NOT_ALLOWED)
            none = frozenset[str]()
            inner = replace(case, tool=ahead(own), arguments=given, approved=none)
            verdict = await super().async_judge(inner, after_outside=after_outside)
            refused = verdict.refusal if not verdict.refused else None
            if verdict.ambiguity or refused:
                names = sorted({x for ask in verdict.ambiguity for x in ask.targets})
                raise HomeAssistantError(refused or f"Which one: {', '.join(names)}?")
            asks = {
                x.arguments_key: x.arguments for x in verdict.asks + verdict.refused
            }
            is_free = is_free and not asks
            found = list[Config]()
            for run in (*verdict.runs, *asks.values()):
                one = replace(inner, arguments=dict(run))
                found += steps_of(self._hass, effects_of(one), run)
                if inner.script and found:
                    found[-1]["data"] = {"variables": dict(run)} if run else {}
            if not found:
                raise HomeAssistantError("Nothing fits, or no routine can do that.")
            steps += found
        return steps, is_free


def _is_of_today(arguments: Arguments, steps: list[Config]) -> bool:
    """Return whether a place or a kind was said, and things are what is written."""
    calls = [step.get("arguments") or {} for step in arguments.get("do") or ()]
    is_wide = any(call and not call.get("name") for call in calls)
    targets = [step.get("target", {}).get("entity_id") or () for step in steps]
    return is_wide and any(len(things) > 1 for things in targets)


def _can_undo(effect: Effect) -> bool:
    return domain_of(effect.domain).is_restorable and effect.domain != "automation"
