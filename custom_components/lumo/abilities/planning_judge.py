"""Judge a call that plans another one, or makes a routine, by what that will do.

A planned call is judged as if it were made now, and again when it is due
(`agent/approved.py`). A routine is written after one yes if it recurs by time or sun,
may be undone, and would run now without a question. All else, and all after text from
outside, an administrator approves.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from itertools import chain
from typing import Any, Final, override

from homeassistant.core import valid_entity_id
from homeassistant.exceptions import HomeAssistantError
from homeassistant.util import dt as dt_util

from ..const import Autonomy, Permission
from ..gate.effects import NOTHING, Effect, domain_of
from ..gate.judge import Judge
from ..gate.judged_call import Ask, JudgedCall, Verdict
from ..gate.mention import words_of
from ..gate.names import name_of, spoken
from ..gate.notes import NOTES
from ..gate.permissions import identity, permission
from ..gate.reach import Reach
from .ability import ActingAbility
from .later import MAX_SAY_CHARACTERS, PLAN, Later, is_said, understood
from .plans import DAY, stored
from .routine import DELAY, Config, RoutineTool, said_in, steps_of
from .routine_store import MAX_DRAFTS, REPLACES
from .set import Set
from .triggers import LENGTH, Trigger, spoken_length, spoken_when

_FEW: Final = 3
_RECURS: Final = ("time", "template", "sun")
_NOTHING: Final = "Nothing fits, or no routine can do that."
_DELAY_FORM: Final = 'To wait is a step of its own, HH:MM: {"delay":"00:10"}'


class PlanningJudge(Judge):
    """Judges the calls of one turn, those that plan others included."""

    @override
    async def async_judge(self, case: JudgedCall) -> Verdict:
        tool, arguments = case.own, case.arguments
        if not isinstance(tool, Later | RoutineTool):
            is_switch = case.intent or isinstance(tool, Set)
            is_now = is_switch and case.is_divisible and not case.approved
            if is_now and self.named_by_person.sentence.is_delayed:
                return Verdict(refusal=NOTES["too_early"])
            return await super().async_judge(case)
        allowed = permission(case.tool, self._rules, self.scope)
        if allowed is Permission.OFF or not self._speaker.is_person:
            return Verdict(refusal=NOTES["not_allowed"])
        may_run = allowed is Permission.ON or case.approved
        try:
            if isinstance(tool, RoutineTool):
                if self.scope is not None:
                    return Verdict(refusal=NOTES["not_allowed"])
                if arguments.get("do"):
                    return await self._async_judge_routine(case, tool)
            elif may_run and tool.kind(arguments) in ("say", "tool"):
                return await self._async_judge_plan(case, tool)
            if may_run and not arguments:
                # It only tells what there is.
                return Verdict(runs=({},))
            return await super().async_judge(case)
        except HomeAssistantError as err:
            return Verdict(refusal=str(err))

    @override
    def _can_ask(self, case: JudgedCall) -> bool:
        # What fits nothing fails by itself.
        acts = isinstance(case.own, ActingAbility) or case.is_divisible
        return super()._can_ask(case) and bool(case.targets or not acts)

    async def _async_judge_plan(self, case: JudgedCall, tool: Later) -> Verdict:
        """Judge a plan. What opens waits for no condition; a yes holds for a day."""
        given, asked = case.arguments, case.arguments.get(PLAN)
        if asked:
            trigger = Trigger.from_json(asked["trigger"])
        else:
            trigger = await tool.async_trigger(given)
        sentence, is_free = self.named_by_person.sentence, not case.after_outside
        when = spoken_when(trigger, tool.language)
        says_when = is_free or is_said(self._hass, trigger, given, sentence)

        def with_plan(**more: Any) -> dict[str, Any]:
            return {**given, PLAN: {"trigger": asdict(trigger), **more}}

        if tool.kind(given) == "say":
            if case.approved and asked:
                return Verdict(runs=(given,))
            text = tool.text(given)
            # A stranger says nothing in three words, of which the person has said one.
            words = words_of(text)
            is_short = len(words) <= _FEW and sentence.names_any(words)
            # What an alarm says is ours.
            is_alarm = tool.rings and sentence.speaks_of_plans
            is_said_so = is_alarm or is_short or sentence.names(text, in_parts=False)
            is_own = is_free or (says_when and is_said_so)
            run = with_plan(say=text, is_foreign=not is_own)
            if is_own or case.approved:
                return Verdict(runs=(run,))
            own, name = frozenset({tool.name}), spoken(text)
            ask = Ask(case.tool.name, run, own, "do_remind", name=name, when=when)
            return self._conclude(case, [ask])
        fitting = None if asked else given.get("arguments", {})
        later, fitting = understood(tool.context, (asked or given)["tool"], fitting)
        fitting = asked["arguments"] if asked else fitting
        # A yes to planning is none to what is planned.
        approved = case.approved - {tool.name}
        inner = replace(case, tool=later, arguments=fitting, approved=approved)
        verdict = await super().async_judge(inner)
        reaches = [target.reach for target in self._targets(inner)[0]]
        is_sensitive = self._sensitivity.is_sensitive
        opens = any(x.unknown or any(map(is_sensitive, x.effects)) for x in reaches)
        needs_yes = opens or not all(ask.unnamed for ask in verdict.asks)
        tomorrow = dt_util.utcnow().timestamp() + DAY
        may_wait = not opens if trigger.entity_id else trigger.at <= tomorrow
        if needs_yes and not may_wait:
            by_phone = self._rules.phone_person and is_free
            if not by_phone or self._rules.autonomy is Autonomy.TRUSTED:
                return Verdict(refusal=NOTES["not_allowed"], sentence="later_never")
            # Whoever has the phone is asked when it is due.
            more = {ask.arguments_key: ask.arguments for ask in verdict.asks}
            verdict = replace(verdict, runs=(*verdict.runs, *more.values()), asks=())

        def planned(ask: Ask) -> Ask:
            run = with_plan(tool=inner.tool.name, arguments=ask.arguments)
            return replace(ask, tool=case.tool.name, arguments=run, when=when)

        calls = self._planned(inner, verdict.runs)
        if verdict.runs and not calls:
            return Verdict(refusal=NOTES["nothing_fits"])
        if calls and not (says_when or case.approved):
            own = frozenset({inner.own.name})
            about = [(ask, frozenset(dict(ask.names)) or own) for ask in calls]
            more_asks = [
                replace(x, entities=y, names=(), unnamed=True) for x, y in about
            ]
            return self._conclude(case, [*map(planned, [*verdict.asks, *more_asks])])
        task = with_plan(asks=[*map(stored, calls)], opens=opens)
        asks, several = map(planned, verdict.asks), map(planned, verdict.ambiguity)
        verdict = replace(verdict, asks=tuple(asks), ambiguity=tuple(several))
        return replace(verdict, runs=(task,) if calls else (), targets=())

    def _planned(
        self, case: JudgedCall, runs: Sequence[Mapping[str, Any]]
    ) -> list[Ask]:
        """Return calls as they are stored, with their words; none if about nothing."""
        asks: list[Ask] = []
        for arguments in runs:
            run = replace(case, arguments=dict(arguments))
            [ask] = self._of_tool(run, ())
            ask = replace(ask, tool=identity(case.tool), entities=case.approved)
            told = [x.effect.phrase for x in run.targets if x.reach.effects]
            is_told = run.is_divisible or (run.ability and run.ability.hands_on)
            if not is_told and (len(told) != 1 or "do_change" in told or run.script):
                names = self._names(target.entity_id for target in run.targets)
                asks.append(replace(ask, names=names))
                continue
            kinds: dict[tuple[str, str], list[Effect]] = {}
            for effect in _effects_of(run):
                kinds.setdefault((effect.phrase, effect.value), []).append(effect)
            for same in kinds.values():
                names = self._names(effect.entity_id for effect in same)
                ask = replace(self._worded(ask, same[0]), names=names, details=())
                asks.append(replace(ask, targets=tuple(name for _, name in names)))
            if not kinds:
                return []
        return asks

    def _names(self, ids: Iterable[str]) -> tuple[tuple[str, str], ...]:
        found = filter(valid_entity_id, dict.fromkeys(ids))
        return tuple((item, name_of(self._hass, item)) for item in found)

    async def _async_judge_routine(
        self, case: JudgedCall, tool: RoutineTool
    ) -> Verdict:
        given, own = case.arguments, frozenset({tool.name})
        if case.approved and PLAN in given:
            # What was asked about, and nothing else.
            steps = given[PLAN]["routine"]["item"]["actions"]
            things = {x.entity_id for step in steps for x in self._effects(step)}
            if own | things <= case.approved:
                return Verdict(runs=(given,))
            return Verdict(refusal=NOTES["not_allowed"])
        given, routine_id = tool.anew(given, case.after_outside)
        case = replace(case, arguments=given)
        steps, asks, is_free = await self._async_steps(case, tool)
        item, when = await tool.async_item(given, steps)
        is_free &= all(x["trigger"] in _RECURS for x in item["triggers"])
        asks = [replace(ask, when=ask.when or when) for ask in asks]
        if routine_id:
            name = tool.name_of(routine_id)
            asks.insert(0, Ask(case.tool.name, {}, own, REPLACES, name=name))
        is_draft, does = case.after_outside or not is_free, [*map(stored, asks)]
        made = {
            "item": item,
            "when": when,
            "does": does,
            "is_foreign": case.after_outside,
        }
        run = {**given, PLAN: {"id": routine_id, "is_draft": is_draft, "routine": made}}
        if not is_draft:
            return self._conclude(case, [replace(ask, arguments=run) for ask in asks])
        if len(tool.routines.drafts.keys() - {routine_id}) >= MAX_DRAFTS:
            raise HomeAssistantError("Too many drafts wait for an administrator.")
        return Verdict(runs=(run,), sentence="routine_draft")

    def _effects(self, step: Config) -> list[Effect]:
        """Return what a step does, nothing for one that says something or waits."""
        if said_in(step) or DELAY in step:
            return []
        reach = Reach(self._hass, steps=[step])
        if reach.unknown or not reach.effects:
            raise HomeAssistantError(
                "What this does cannot be foreseen. An administrator has to make it in "
                "Home Assistant."
            )
        return reach.effects

    async def _async_steps(
        self, case: JudgedCall, tool: RoutineTool
    ) -> tuple[list[Config], list[Ask], bool]:
        """Return the steps of a routine, what they do, and whether one yes is enough."""
        steps, asks, is_free, since = list[Config](), list[Ask](), True, 0
        whole = Ask(case.tool.name, {}, frozenset({tool.name}), "do_remind")
        for step in case.arguments["do"]:
            if not isinstance(step, dict):
                raise HomeAssistantError("do has objects: tool and arguments, or say.")
            if DELAY in step:
                if len(step) > 1 or not LENGTH.fullmatch(str(step[DELAY])):
                    raise HomeAssistantError(_DELAY_FORM)
                steps.append(step)
                hours, minutes = map(int, step[DELAY].split(":"))
                since += hours * 60 + minutes
                waited = spoken_length(f"{since // 60}:{since % 60}")
                whole = replace(whole, when=waited and f"+{waited}")
                continue
            if say := spoken(str(step.get("say") or ""))[:MAX_SAY_CHARACTERS]:
                steps += tool.saying(say, case.arguments)
                asks.append(replace(whole, name=say))
                continue
            name, given = step.get("tool") or step.get("name"), step.get("arguments")
            own, fitting = understood(tool.context, str(name), given or {})
            inner = replace(case, tool=own, arguments=fitting, approved=frozenset())
            if inner.ability:
                await inner.ability.async_prepare(fitting, case.context.context)
            verdict = await super().async_judge(inner)
            refused = verdict.refusal if not verdict.refused else None
            if verdict.ambiguity or refused:
                names = sorted({x for ask in verdict.ambiguity for x in ask.targets})
                raise HomeAssistantError(refused or f"Which one: {', '.join(names)}?")
            asked = verdict.asks + verdict.refused
            more = {x.arguments_key: x.arguments for x in asked}
            # What is only not named is named by the question about the routine.
            is_free &= all(x.unnamed for x in verdict.asks) and not verdict.refused
            found = list[Config]()
            for run in (*verdict.runs, *more.values()):
                effects = [*_effects_of(replace(inner, arguments=dict(run)))]
                found += steps_of(self._hass, effects, run)
                if inner.script and found:
                    found[-1]["data"] = {"variables": dict(run)} if run else {}
                if inner.ability and inner.ability.hands_on:
                    asks += [self._worded(whole, effect) for effect in effects]
            if not found:
                raise HomeAssistantError(_NOTHING)
            for effect in chain.from_iterable(map(self._effects, found)):
                is_sensitive = self._sensitivity.is_sensitive(effect)
                is_free &= not is_sensitive and effect.domain != "automation"
                is_free &= domain_of(effect.domain).is_restorable
                about = whole.entities | {effect.entity_id}
                ask = replace(self._worded(whole, effect), entities=about)
                ask = replace(ask, names=self._names([effect.entity_id]))
                asks.append(replace(ask, grants_access=is_sensitive))
            steps += found
        if not asks:
            raise HomeAssistantError(_NOTHING)
        return steps, asks, is_free


def _effects_of(case: JudgedCall) -> Iterable[Effect]:
    """Return what a call does by the time that it is made: more may play by then."""
    effects = case.effects
    if not effects and case.intent:
        call = replace(case.intent, is_later=True)
        effects = list(map(call.effect_on, call.matched))
    return (effect for effect in effects if effect.service != NOTHING)
