"""Judge a call that makes another one later, by that one, as if it were made now.

What runs is the call as it was judged: with its targets, by their ids and the names that
they had. It is judged once more when it is due (`agent/due.py`).
"""

from dataclasses import replace
from typing import Any, override

from homeassistant.core import valid_entity_id
from homeassistant.exceptions import HomeAssistantError

from ..const import Autonomy, Permission
from ..gate.effects import NOTHING, Effect
from ..gate.judge import Judge, Verdict
from ..gate.judged_call import JudgedCall
from ..gate.names import name_of, spoken, texts_of
from ..gate.notes import NOT_ALLOWED, NOTHING_FITS
from ..gate.pending import Ask
from ..gate.permissions import identity, is_private, permission
from .later import CALLS, FOREIGN, JUDGED, Delayed, Later
from .plans import PlannedCall


class PlanningJudge(Judge):
    """Judges the calls of one turn, those for later too."""

    @override
    async def async_judge(
        self, case: JudgedCall, *, after_outside: bool = False
    ) -> Verdict:
        """Judge a call, or the one that it makes later."""
        allowed = permission(self._api, case.tool, self._rules, self.scope)
        if isinstance(later := case.own, Later) and (
            allowed is Permission.ON or (allowed is Permission.ASK and case.approved)
        ):
            try:
                delayed = await later.async_delayed(self._hass, case.arguments)
            except HomeAssistantError as err:
                return Verdict(refusal=str(err))
            if delayed:
                return await self._async_judge_later(case, delayed, after_outside)
            if not case.arguments:
                # It only tells what there is.
                return Verdict(runs=({},))
        return await super().async_judge(case, after_outside=after_outside)

    async def _async_judge_later(
        self, case: JudgedCall, later: Delayed, after_outside: bool
    ) -> Verdict:
        """Judge a call by the one that it makes later, as if that were made now.

        What opens is never done on a condition, and a yes holds for a day.
        """
        if not self._speaker.is_person:
            return Verdict(refusal=NOT_ALLOWED)
        sentence = self.named_by_person.sentence
        is_said = not after_outside or case.approved or later.is_said(sentence)
        if later.tool is None:
            is_named = not after_outside or sentence.names(later.say, in_parts=False)
            if case.approved or (is_said and is_named):
                return Verdict(runs=({**case.arguments, **later.kept},))
            ask = Ask(
                case.tool.name,
                {**case.arguments, **later.kept, FOREIGN: after_outside},
                frozenset({case.own.name}),
                phrase="do_remind",
                name=spoken(later.say),
                when=later.when,
            )
            return self._conclude((), [ask])
        if is_private(later.tool):
            # It is for what is said now.
            return Verdict(refusal=NOT_ALLOWED)
        # A yes to planning is none to what is planned.
        approved = case.approved - {case.own.name}
        inner = replace(
            case, tool=later.tool, arguments=later.arguments, approved=approved
        )
        verdict = await super().async_judge(inner, after_outside=after_outside)
        opens = self._opens(inner)
        needs_yes = opens or not all(ask.unnamed for ask in verdict.asks)
        if needs_yes and not (later.in_a_day and not (opens and later.on_condition)):
            by_phone = self._rules.phone_person and not after_outside
            if not by_phone or self._rules.autonomy is Autonomy.TRUSTED:
                return Verdict(refusal=NOT_ALLOWED, sentence="later_never")
            # Whoever has the phone is asked when it is due.
            more = {ask.arguments_key: ask.arguments for ask in verdict.asks}
            verdict = replace(verdict, runs=(*verdict.runs, *more.values()), asks=())

        def wrapped(arguments: dict[str, Any]) -> dict[str, Any]:
            judged = [inner.tool.name, arguments]
            return {**case.arguments, **later.kept, JUDGED: judged}

        def asked(ask: Ask) -> Ask:
            arguments = wrapped(ask.arguments)
            return replace(
                ask, tool=case.tool.name, arguments=arguments, when=later.when
            )

        calls = [
            call
            for run in verdict.runs
            for call in self._planned(replace(inner, arguments=run))
        ]
        if verdict.runs and not calls:
            return Verdict(refusal=NOTHING_FITS)
        asks = list(map(asked, verdict.asks))
        if calls and not is_said:
            asks += [
                asked(replace(ask, unnamed=True))
                for call in calls
                for ask in call.asks(frozenset(call.names) or {inner.own.name})
            ]
            return self._conclude((), asks)
        runs = [{**wrapped(inner.arguments), CALLS: calls}] if calls else []
        return replace(
            verdict,
            runs=tuple(runs),
            asks=tuple(asks),
            ambiguity=tuple(map(asked, verdict.ambiguity)),
        )

    def _opens(self, case: JudgedCall) -> bool:
        """Return whether a call does what is sensitive, whatever the agent may do."""
        targets, skipped = self._targets(case)
        return any(
            target.reach.unknown or any(map(self._sensitivity.is_sensitive, effects))
            for target in targets
            if target.entity_id not in skipped
            for effects in [target.reach.effects]
        )

    def _planned(self, case: JudgedCall) -> list[PlannedCall]:
        """Return a call as it is kept: what it is about now is what it is for then."""
        effects: list[Effect] = []
        if case.is_divisible:
            effects = case.effects()
            if not effects and case.intent:
                # What must be playing to be paused may play by then.
                call = replace(case.intent, is_later=True)
                effects = list(map(call.effect_on, call.match()))
            effects = [item for item in effects if item.service != NOTHING]
            if not effects:
                return []
        by_id = {item.entity_id: item for item in effects}
        runs = case.runs_for(list(by_id)) if by_id else [case.arguments]
        planned = []
        for run in runs:
            part = replace(case, arguments=run)
            ids = list(by_id) if len(runs) == 1 else [run["name"]]
            ids = ids or part.known_targets()
            asks = [
                self._questions.one(part, run, by_id[item]) for item in ids if by_id
            ]
            about = filter(valid_entity_id, (*ids, *case.approved))
            planned.append(
                PlannedCall(
                    tool=identity(self._api, case.tool),
                    arguments=run,
                    names={item: name_of(self._hass, item) for item in about},
                    approved=sorted(case.approved),
                    opens=self._opens(case),
                    does=[
                        (ask.phrase, "".join(ask.targets), ask.name, ask.value)
                        for ask in asks
                    ]
                    or [_used(part)],
                )
            )
        return planned


def _used(case: JudgedCall) -> tuple[str, str, str, str]:
    """Return the words for a call that is not told of by its targets."""
    value = ", ".join(texts_of(case.arguments, numbers=True))
    phrase = "do_run" if case.script else "do_use_with" if value else "do_use"
    return phrase, "", spoken(case.title), spoken(value)
