"""Narrow a call to what the rules of a place allow (`places.py`).

What remains runs by entity id, as Home Assistant does not know the rules.
"""

from dataclasses import replace
from typing import Final

from .effects import NOTHING
from .intents import TIMERS
from .judged_call import JudgedCall, Target, Verdict
from .names import entity_area, name_of
from .notes import NOT_FROM_HERE, NOTHING_THERE
from .places import Scope
from .speaker import Speaker, area_of

_REFUSED: Final = Verdict(refusal=NOT_FROM_HERE, sentence="not_from_here")
_NOTHING: Final = Verdict(refusal=NOTHING_THERE)


def within(scope: Scope, case: JudgedCall, speaker: Speaker) -> JudgedCall | Verdict:
    """Return what the rules allow of a call whose tool they allow, or a refusal."""
    case = replace(case, scope=scope)
    call = case.intent
    reads_only = case.own.annotations.read_only and call is None
    if reads_only or (case.ability and not case.effects):
        return case
    if call and call.handler.intent_type in TIMERS:
        return case
    if call and call.is_exact and not call.has_targets:
        # It fails by itself: no intent is for all of a home.
        return case
    if not (case.ability or case.script or (call and call.has_targets)):
        return _REFUSED
    return _of_targets(scope, case, speaker)


def _of_targets(
    scope: Scope, case: JudgedCall, speaker: Speaker
) -> JudgedCall | Verdict:
    several, call = case.choices(), case.intent
    targets = list(map(case.target, several)) if several else case.targets
    beyond = {target.entity_id for target in targets if not _is_there(scope, target)}
    there = {
        target.entity_id: target for target in targets if target.entity_id not in beyond
    }
    if not there or not scope.may_act:
        return _REFUSED if any(map(scope.reads, beyond | there.keys())) else _NOTHING
    if not several and case.is_divisible:
        skipped = tuple(
            name_of(scope.hass, target.entity_id)
            for target in targets
            if target.entity_id in beyond
            and scope.reads(target.entity_id)
            and target.effect.service != NOTHING
        )
        return replace(case, allowed=frozenset(there), skipped=skipped)
    if not several and call is None:
        return _REFUSED if beyond else case
    here = area_of(scope.hass, speaker.satellite_id, speaker.device_id)
    near = [key for key in there if here and entity_area(scope.hass, key) == here]
    meant = near or list(there)
    if len(meant) > 1:
        return replace(case, several=tuple(there[key].effect for key in meant))
    arguments = case.narrowed(meant[0])
    return replace(case, arguments=arguments, allowed=frozenset(meant))


def _is_there(scope: Scope, target: Target) -> bool:
    reach = target.reach
    return not reach.unknown and all(
        scope.reads(effect.entity_id) for effect in reach.effects
    )
