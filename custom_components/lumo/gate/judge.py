"""Judge a call: it runs, a person must be asked first, or it is refused.

Layers, each able to stop a call by itself:

1. the tool: off, or "ask first" (permissions);
2. what the call does in the end: sensitive, or not to be foreseen;
3. text from outside that was read into the conversation: what the person's own
   sentence did not name is asked about;
4. a call to which the person has just not said yes is not asked about again;
5. a question needs a person, and a language in which a yes is understood.

A call with harmless and sensitive targets is split: the harmless ones run, by entity id,
and the question is about the rest.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from homeassistant.core import HomeAssistant
from homeassistant.helpers import llm

from ..const import Autonomy, Permission
from ..languages import language_of
from .bulk import left_alone
from .case import Case
from .effects import NOTHING
from .intents import (
    TARGET_SLOTS,
    TIMERS,
    UnforeseeableError,
    async_read_command,
    read_intent,
)
from .names import name_of, spoken
from .notes import NO_SUCH_COMMAND, NOT_ALLOWED, ONLY_LEFT
from .outside import PLAY, source_of, undoes_timers, was_found
from .pending import Ask, Kept
from .permissions import own_tool, permission
from .rules import Rules
from .sensitive import Sensitivity
from .speaker import Speaker
from .targets import Root, root_of, roots_of_call, script_of
from .texts import details_of, texts_of
from .wanted import Wanted


@dataclass(frozen=True, slots=True)
class Verdict:
    """What becomes of a call."""

    runs: tuple[dict[str, Any], ...] = ()
    """The arguments to run the tool with, now."""
    asks: tuple[Ask, ...] = ()
    """What a person is to be asked."""
    refusal: str | None = None
    """What the model is told if some of it is refused."""
    sentence: str | None = None
    """The key of our sentence about the refusal; None: the model may word it."""
    left: tuple[str, ...] = ()
    """The names of what the call leaves as it is, as it is about everything."""


class Judge:
    """Judges the calls of one turn."""

    def __init__(
        self,
        hass: HomeAssistant,
        api: llm.APIInstance,
        rules: Rules,
        speaker: Speaker,
        kept: Kept,
    ) -> None:
        """Take what the layers look at. `api` is Home Assistant's own instance."""
        self._hass = hass
        self._api = api
        self._rules = rules
        self._speaker = speaker
        self._language = language_of(speaker.language)
        self._wanted = Wanted(hass, speaker, kept.wanted)
        self._kept = kept
        self._sensitivity = Sensitivity(
            hass, rules.sensitive_labels, rules.temperatures
        )

    async def async_judge(
        self,
        tool: llm.Tool,
        arguments: dict[str, Any],
        context: llm.LLMContext,
        *,
        approved: frozenset[str] = frozenset(),
        after_outside: bool = False,
    ) -> Verdict:
        """Judge a call.

        `approved` is what a person has just said yes to. With `after_outside` text from
        outside is in the conversation.
        """
        own = own_tool(tool)
        allowed = permission(self._api, tool, self._rules)
        if allowed is Permission.OFF:
            return Verdict(refusal=NOT_ALLOWED)
        case = Case(
            tool,
            own,
            arguments,
            read_intent(self._hass, own, arguments, context),
            context,
            approved,
        )
        if allowed is Permission.ASK and own.name not in approved:
            roots = self._roots(case)
            left = self._left_alone(case, roots)
            reached = [root for root in roots if root.entity_id not in left]
            return self._conclude((), self._ask_tool(case, reached))
        if own.annotations.read_only:
            return Verdict(runs=(arguments,))
        is_meant = approved or (case.ability and case.ability.is_asked_for)
        after_outside = after_outside and not is_meant
        if command := case.delayed_command:
            verdict = await self._async_judge_command(case, command, after_outside)
        elif case.is_divisible:
            verdict = self._judge_divisible(case, after_outside)
        else:
            verdict = self._judge_whole(case, after_outside)
        # What a person has said yes to is not asked about again.
        asks = [replace(ask, entities=ask.entities | approved) for ask in verdict.asks]
        return replace(verdict, asks=tuple(asks))

    def _judge_whole(self, case: Case, after_outside: bool) -> Verdict:
        """Judge a call that runs as it is, or not at all."""
        roots = self._roots(case)
        asks = [ask for root in roots for ask in self._ask_sensitive(case, root)]
        if not asks and after_outside:
            asks = [
                replace(ask, unnamed=True) for ask in self._ask_unnamed(case, roots)
            ]
        return self._conclude(() if asks else (case.arguments,), asks)

    def _judge_divisible(self, case: Case, after_outside: bool) -> Verdict:
        """Judge a call that can be run for each of its targets alone."""
        roots = self._roots(case)
        left = self._left_alone(case, roots)
        sensitive = {
            root.entity_id: found
            for root in roots
            if root.entity_id not in left and (found := self._ask_sensitive(case, root))
        }
        if not (sensitive or left or after_outside or case.is_narrowly_approved):
            return Verdict(runs=(case.arguments,))
        # Of several things with one name Home Assistant may choose another one.
        known = map(self._hass.states.get, (root.entity_id for root in roots))
        targets = case.targets(self._hass, list(filter(None, known)))
        if after_outside and not targets:
            targets = case.targets(self._hass)
        runs: list[dict[str, Any]] = []
        asks: list[Ask] = []
        for target in targets:
            if target in left or (
                left and case.effect_on(self._hass, target).service == NOTHING
            ):
                continue
            if target in sensitive:
                asks += sensitive[target]
            elif after_outside and not self._wanted.has(target):
                asks.append(self._ask_about(case, target))
            elif not case.is_narrowly_approved or target in case.approved:
                runs.append(case.narrowed(target))
        is_all = not asks and len(runs) == len(targets)
        if is_all and not (after_outside and targets):
            # As it is: what has no target fails by itself, with a reason. Where each
            # target must be named, only those that were looked at run.
            runs = [case.arguments]
        names = tuple(name_of(self._hass, target) for target in left)
        if left and not (runs or asks):
            return Verdict(refusal=f"{ONLY_LEFT} {', '.join(names)}")
        return replace(self._conclude(runs, asks), left=names)

    def _roots(self, case: Case) -> list[Root]:
        if case.ability:
            return case.ability.roots(self._hass, case.arguments)
        return roots_of_call(
            self._hass,
            case.own,
            case.arguments,
            case.intent,
            case.context,
            self._sensitivity.candidates(),
        )

    def _left_alone(self, case: Case, roots: Sequence[Root]) -> set[str]:
        """Return what a call for everything leaves as it is."""
        return left_alone(self._hass, case, self._sensitivity, roots, self._speaker)

    def _ask_sensitive(self, case: Case, root: Root) -> list[Ask]:
        """Return what must be asked about one of a call's targets."""
        if self._rules.autonomy is Autonomy.TRUSTED:
            return []
        found = [
            effect
            for effect in root.reach.effects
            if effect.entity_id not in case.approved
            and self._sensitivity.is_sensitive(effect)
        ]
        unknown = root.reach.unknown and root.entity_id not in case.approved
        if not found and not unknown:
            return []
        ask = Ask(
            tool=case.tool.name,
            arguments=case.narrowed(root.entity_id),
            entities=frozenset(
                {root.entity_id, *(effect.entity_id for effect in found)}
            ),
            phrase="do_run_unknown",
            name=root.name,
            details=tuple(details_of(case.arguments)) if script_of(case.own) else (),
            names=tuple(
                (item, name_of(self._hass, item))
                for item in (root.entity_id, *(effect.entity_id for effect in found))
            ),
        )
        names = tuple(
            dict.fromkeys(name_of(self._hass, effect.entity_id) for effect in found)
        )
        runs_actions = root.entity_id.partition(".")[0] in ("script", "scene")
        if not found:
            return [ask]
        if runs_actions or "." not in root.entity_id:
            reached = tuple(name for name in names if name != root.name)
            phrase = "do_run_reaching" if reached else "do_run"
            return [replace(ask, phrase=phrase, targets=reached)]
        return [
            replace(
                ask,
                phrase=effect.phrase,
                targets=(name_of(self._hass, effect.entity_id),),
                name="",
                value=effect.value,
            )
            for effect in found
        ]

    def _ask_tool(self, case: Case, roots: Sequence[Root]) -> list[Ask]:
        """Return the question about a tool that asks first, and what else it opens."""
        details = tuple(details_of(case.arguments))
        ask = Ask(
            tool=case.tool.name,
            arguments=case.arguments,
            entities=frozenset({case.own.name}),
            phrase="do_use_with" if details else "do_use",
            name=spoken(case.title),
            server=spoken(case.server),
            details=details,
        )
        more = [item for root in roots for item in self._ask_sensitive(case, root)]
        return [ask, *(replace(item, arguments=case.arguments) for item in more)]

    def _ask_about(self, case: Case, entity_id: str) -> Ask:
        """Return the question about a target that the sentence did not name."""
        effect = case.effect_on(self._hass, entity_id)
        return Ask(
            tool=case.tool.name,
            arguments=case.narrowed(entity_id),
            entities=frozenset({entity_id}),
            phrase=effect.phrase,
            targets=(name_of(self._hass, entity_id),),
            value=effect.value,
            unnamed=True,
        )

    def _ask_unnamed(self, case: Case, roots: Sequence[Root]) -> list[Ask]:
        """Return questions about what the sentence did not name, for a whole call."""
        call = case.intent
        if case.own.name == PLAY:
            if was_found(self._kept, case.arguments):
                return []
            [ask] = self._ask_tool(case, ())
            player = case.arguments.get("player_name")
            shown = ", ".join(filter(None, (source_of(case.arguments), player)))
            return [replace(ask, phrase="do_use_with", value=shown, details=())]
        if call and call.handler.intent_type in TIMERS:
            if (
                not undoes_timers(call.handler.intent_type)
                or self._wanted.sentence.speaks_of_timers
                or self._wanted.sentence.names_any(texts_of(case.arguments))
            ):
                return []
            return self._ask_tool(case, ())
        if call and call.has_targets:
            states = call.match(self._hass)
            effects = [call.effect_on(self._hass, state) for state in states]
            roots = [root_of(self._hass, effect) for effect in effects]
        if call and call.is_exact and not call.has_targets:
            # It fails by itself: no intent is for all of a home.
            return []
        free = [
            text
            for key, value in case.arguments.items()
            if key not in TARGET_SLOTS
            for text in texts_of(value, numbers=True)
        ]
        is_item = not roots or case.own.integration == "todo"
        if free and is_item and all(map(self._wanted.sentence.names, free)):
            return []
        unnamed = [root for root in roots if not self._wanted.has(root.entity_id)]
        if roots and not unnamed:
            return []
        [ask, *_] = self._ask_tool(case, ())
        if not roots:
            return [ask]
        ask = replace(ask, entities=frozenset(root.entity_id for root in roots))
        if case.own.integration == "todo":
            # What matters is the item, not the list.
            return [ask]
        if call and call.has_targets:
            return [
                replace(
                    ask,
                    phrase=root.reach.effects[0].phrase,
                    targets=(root.name,),
                    name="",
                    value=root.reach.effects[0].value,
                )
                for root in unnamed
            ]
        phrase = "do_run" if script_of(case.own) else "do_use_with"
        return [replace(ask, phrase=phrase, value=root.name) for root in unnamed]

    async def _async_judge_command(
        self, case: Case, command: str, after_outside: bool
    ) -> Verdict:
        """Judge a timer by the command that Home Assistant will carry out at its end."""
        unknown = False
        roots: list[Root] = []
        try:
            meant = await async_read_command(self._hass, command, case.context)
        except UnforeseeableError:
            unknown = True
        else:
            if meant is None:
                return Verdict(refusal=NO_SUCH_COMMAND)
            candidates = self._sensitivity.candidates()
            roots = roots_of_call(
                self._hass, case.own, {}, meant, case.context, candidates, at_once=False
            )
        found = [ask for root in roots for ask in self._ask_sensitive(case, root)]
        key = f"{case.own.name}: {command.casefold()}"
        unnamed = after_outside and not self._wanted.sentence.names(command)
        if key in case.approved or not (found or unknown or unnamed):
            return Verdict(runs=(case.arguments,))
        ask = Ask(
            tool=case.tool.name,
            arguments=case.arguments,
            entities=frozenset({key}).union(*(ask.entities for ask in found)),
            phrase="do_delayed",
            targets=tuple(name for ask in found for name in (*ask.targets, ask.name)),
            value=spoken(command),
        )
        return self._conclude((), [ask])

    def _conclude(self, runs: Iterable[dict[str, Any]], asks: Sequence[Ask]) -> Verdict:
        """Ask, if that is possible."""
        runs = tuple(runs)
        if not asks:
            return Verdict(runs=runs)
        if any(self._was_declined(ask) for ask in asks):
            return Verdict(runs, refusal=NOT_ALLOWED, sentence="was_declined")
        if not self._speaker.is_person:
            if self._rules.unattended:
                more = {ask.arguments_key: ask.arguments for ask in asks}
                return Verdict((*runs, *more.values()))
            return Verdict(runs, refusal=NOT_ALLOWED, sentence="needs_person")
        if not self._language.yes:
            return Verdict(runs, refusal=NOT_ALLOWED, sentence="cannot_ask")
        return Verdict(runs, tuple(asks))

    def _was_declined(self, ask: Ask) -> bool:
        """Return whether the person has just not said yes to it, nor asks for it now."""
        said = self._wanted.sentence
        return bool(ask.entities & self._kept.declined) and not (
            said.points_back or said.names_any((*ask.targets, ask.name))
        )

    def wanted(self, entity_ids: Iterable[str]) -> frozenset[str]:
        """Return what of it the person's own words wanted."""
        return frozenset(filter(self._wanted.has, entity_ids))
