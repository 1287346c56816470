"""Judge a call that plans another one by that one, as if it were made now.

It is judged again when it is due (`agent/approved.py`).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any, Final, override

from homeassistant.core import valid_entity_id
from homeassistant.exceptions import HomeAssistantError
from homeassistant.util import dt as dt_util

from ..const import Autonomy, Permission
from ..gate.asks import Ask
from ..gate.effects import NOTHING, Effect
from ..gate.judge import Judge
from ..gate.judged_call import JudgedCall, Verdict
from ..gate.mention import words_of
from ..gate.names import name_of, spoken, texts_of
from ..gate.notes import NOT_ALLOWED, NOTHING_FITS
from ..gate.own_tool import is_private
from ..gate.permissions import identity, permission
from ..languages import LANGUAGES, translated
from .later import CALL, FOREIGN, JUDGED, TRIGGER, Delayed, Later, is_said, spoken_when
from .plans import DAY, PlannedCall

_FEW: Final = 3


class PlanningJudge(Judge):
    """Judges the calls of one turn, those that plan others included."""

    @override
    async def async_judge(
        self, case: JudgedCall, *, after_outside: bool = False
    ) -> Verdict:
        later = case.own
        allowed = permission(case.tool, self._rules, self.scope)
        if isinstance(later, Later) and (
            allowed is Permission.ON or (allowed is Permission.ASK and case.approved)
        ):
            try:
                delayed = await later.async_read(self._hass, case.arguments)
            except HomeAssistantError as err:
                return Verdict(refusal=str(err))
            if delayed:
                return await self._async_judge_later(case, delayed, after_outside)
            if not case.arguments:
                # It only tells what there is.
                return Verdict(runs=({},))
        return await super().async_judge(case, after_outside=after_outside)

    async def _async_judge_later(
        self, case: JudgedCall, delayed: Delayed, after_outside: bool
    ) -> Verdict:
        """Judge a planned call. What opens waits for no condition; a yes holds for a day."""
        if not self._speaker.is_person:
            return Verdict(refusal=NOT_ALLOWED)
        trigger, sentence = delayed.trigger, self.named_by_person.sentence
        kept = {**case.arguments, TRIGGER: asdict(trigger)}
        when = spoken_when(trigger, LANGUAGES[translated(self._speaker.language)])
        says_when = (
            not after_outside
            or bool(case.approved)
            or is_said(self._hass, trigger, case.arguments, sentence)
        )
        if delayed.tool is None:
            # A stranger says nothing in three words, of which the person has said one.
            words = words_of(delayed.say)
            is_named = (
                not after_outside
                or sentence.names(delayed.say, in_parts=False)
                or (len(words) <= _FEW and sentence.names_any(words))
            )
            if case.approved or (says_when and is_named):
                return Verdict(runs=(kept,))
            ask = Ask(
                case.tool.name,
                {**kept, FOREIGN: after_outside},
                frozenset({case.own.name}),
                phrase="do_remind",
                name=spoken(delayed.say),
                when=when,
            )
            return self._conclude(case, [ask])
        if is_private(delayed.tool):
            # It is for what is said now.
            return Verdict(refusal=NOT_ALLOWED)
        # A yes to planning is none to what is planned.
        approved = case.approved - {case.own.name}
        inner = replace(
            case, tool=delayed.tool, arguments=delayed.arguments, approved=approved
        )
        verdict = await super().async_judge(inner, after_outside=after_outside)
        opens = self._opens(inner)
        needs_yes = opens or not all(ask.unnamed for ask in verdict.asks)
        in_a_day = trigger.at <= dt_util.utcnow().timestamp() + DAY
        if trigger.entity_id:
            in_a_day = not opens
        if needs_yes and not in_a_day:
            by_phone = self._rules.phone_person and not after_outside
            if not by_phone or self._rules.autonomy is Autonomy.TRUSTED:
                return Verdict(refusal=NOT_ALLOWED, sentence="later_never")
            # Whoever has the phone is asked when it is due.
            more = {ask.arguments_key: ask.arguments for ask in verdict.asks}
            verdict = replace(verdict, runs=(*verdict.runs, *more.values()), asks=())

        def planned(ask: Ask) -> Ask:
            judged = [inner.tool.name, ask.arguments]
            return replace(
                ask, tool=case.tool.name, arguments={**kept, JUDGED: judged}, when=when
            )

        call = self._planned(inner, verdict.runs, opens)
        if verdict.runs and call is None:
            return Verdict(refusal=NOTHING_FITS)
        asks = [*verdict.asks]
        if call and not says_when:
            about = frozenset(call.names) or frozenset({inner.own.name})
            asks += [
                replace(ask, arguments=dict(run), entities=about, unnamed=True)
                for run in call.runs
                for ask in call.asks()
            ]
            return self._conclude(case, list(map(planned, asks)))
        return replace(
            verdict,
            runs=({**kept, CALL: call},) if call else (),
            asks=tuple(map(planned, asks)),
            ambiguity=tuple(map(planned, verdict.ambiguity)),
            targets=(),
        )

    def _opens(self, case: JudgedCall) -> bool:
        """Return whether a call does something sensitive, whatever the agent may do."""
        targets, _ = self._targets(case)
        return any(
            target.reach.unknown
            or any(map(self._sensitivity.is_sensitive, target.reach.effects))
            for target in targets
        )

    def _planned(
        self, case: JudgedCall, runs: Sequence[Mapping[str, Any]], opens: bool
    ) -> PlannedCall | None:
        """Return a call as it is stored, None if it is about nothing."""
        if not runs:
            return None
        names: dict[str, str] = {}
        does: list[tuple[str, str, str, str]] = []
        for arguments in runs:
            run = replace(case, arguments=dict(arguments))
            effects = list(effects_of(run)) if run.is_divisible else []
            if run.is_divisible and not effects:
                return None
            for effect in effects:
                ask = self._ask(run, run.arguments, effect)
                does.append((ask.phrase, "".join(ask.targets), ask.name, ask.value))
            found = [item.entity_id for item in effects or run.targets]
            about = filter(valid_entity_id, (*found, *case.approved))
            names |= {item: name_of(self._hass, item) for item in about}
        return PlannedCall(
            tool=identity(case.tool),
            runs=runs,
            names=names,
            approved=sorted(case.approved),
            opens=opens,
            does=does or [_used(case)],
        )


def effects_of(case: JudgedCall) -> Iterable[Effect]:
    """Return what a call does by the time that it is made: more may play by then."""
    effects = case.effects
    if not effects and case.intent:
        call = replace(case.intent, is_later=True)
        effects = list(map(call.effect_on, call.matched))
    return (effect for effect in effects if effect.service != NOTHING)


def _used(case: JudgedCall) -> tuple[str, str, str, str]:
    """Return the words for a call that is not told by its targets."""
    value = ", ".join(texts_of(case.arguments, numbers=True))
    phrase = "do_run" if case.script else "do_use_with" if value else "do_use"
    return phrase, "", spoken(case.title), spoken(value)
