"""A call, as far as the rules of a place allow it (`places.py`).

What it acts on in the end, by whatever way, must be allowed. A call for several things
is narrowed to those that are, and runs by their entity ids: Home Assistant, which does
not know the rules, finds nothing else then. What cannot be looked at beforehand does not
run.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from ..internals import player_of_tool
from .effects import NOTHING, Effect
from .intents import TIMERS
from .judged_call import JudgedCall
from .names import entity_area, name_of
from .notes import NOT_FROM_HERE, NOTHING_THERE
from .places import Scope
from .reach import reach_of
from .speaker import Speaker, area_of

_PLAYER: Final = ("player_name", "player_area", "player_floor")


@dataclass(frozen=True, slots=True)
class Within:
    """What of a call may be judged further."""

    case: JudgedCall | None = None
    """None: nothing of it."""
    several: Sequence[Effect] = ()
    """What it would do to several things that it does not tell apart."""
    refusal: str = ""
    """What the model is told of a call that is refused."""
    sentence: str | None = None
    """The key of our sentence about that."""
    skipped: tuple[str, ...] = ()
    """The names of what may only be read, and stays as it is."""


_REFUSED: Final = Within(refusal=NOT_FROM_HERE, sentence="not_from_here")
_NOTHING: Final = Within(refusal=NOTHING_THERE)


def within(scope: Scope, case: JudgedCall, speaker: Speaker) -> Within:
    """Return what of a call the rules allow. It is of a tool that they allow."""
    own, call = case.own, case.intent
    if case.ability:
        # What it reads, it has from its context.
        if own.annotations.read_only:
            return Within(case)
        effects = case.effects
        return _of_targets(scope, case, effects, speaker) if effects else Within(case)
    if call is None:
        return _of_tool(scope, case)
    if call.handler.intent_type in TIMERS:
        # Who carries a command out later knows no rules.
        return _REFUSED if case.delayed_command else Within(case)
    if not call.has_targets:
        # Where it names nothing, it is for nothing: no intent is for all of a home.
        return _NOTHING if call.is_exact else _REFUSED
    return _of_targets(scope, case, case.effects, speaker)


def _of_tool(scope: Scope, case: JudgedCall) -> Within:
    """Return what is allowed of a call that is no intent, and of no tool of ours."""
    found = player_of_tool(scope.hass, case.own, case.arguments, case.context)
    if found is not None:
        reads_only = case.own.annotations.read_only
        if not found or not scope.reads(found):
            return _NOTHING
        if not reads_only and not _allows(scope, case, [Effect(found, "play_media")]):
            return _REFUSED
        given = case.arguments.items()
        rest = {key: value for key, value in given if key not in _PLAYER}
        return Within(replace(case, arguments={**rest, "player_name": found}))
    if case.script:
        effects = [Effect(case.script, "turn_on")]
        return Within(case) if _allows(scope, case, effects) else _REFUSED
    # Those that are offered at all read what is theirs.
    return Within(case) if case.own.annotations.read_only else _REFUSED


def _of_targets(
    scope: Scope, case: JudgedCall, effects: Sequence[Effect], speaker: Speaker
) -> Within:
    fitting = case.choices()
    by_target: dict[str, list[Effect]] = {}
    for effect in fitting or effects:
        by_target.setdefault(effect.entity_id, []).append(effect)
    good = [key for key, does in by_target.items() if _allows(scope, case, does)]
    if not good:
        known = any(map(scope.reads, by_target))
        return _REFUSED if known else _NOTHING
    if not fitting and case.is_divisible:
        skipped = tuple(
            name_of(scope.hass, key)
            for key, does in by_target.items()
            if key not in good and scope.reads(key) and does[0].service != NOTHING
        )
        if case.ability and len(good) < len(by_target):
            [arguments] = case.runs_for(good)
            case = replace(case, arguments=arguments)
        return Within(replace(case, allowed=frozenset(good)), skipped=skipped)
    if case.ability and not fitting:
        return Within(case) if len(good) == len(by_target) else _REFUSED
    if len(good) > 1:
        good = _nearer(scope, good, speaker)
    if len(good) > 1:
        return Within(several=[by_target[key][0] for key in good])
    arguments = case.chosen(good[0])
    return Within(replace(case, arguments=arguments, allowed=frozenset(good)))


def _allows(scope: Scope, case: JudgedCall, effects: Iterable[Effect]) -> bool:
    """Return whether all that actions do in the end is allowed, and known."""
    reach = reach_of(scope.hass, effects)
    may = scope.reads if case.own.annotations.read_only else scope.acts
    return not reach.unknown and all(may(effect.entity_id) for effect in reach.effects)


def _nearer(scope: Scope, entity_ids: list[str], speaker: Speaker) -> list[str]:
    """Return those that are where the person speaks, if any are."""
    here = area_of(scope.hass, speaker.satellite_id, speaker.device_id)
    near = [
        item for item in entity_ids if here and entity_area(scope.hass, item) == here
    ]
    return near or entity_ids
