"""Judge a call: it runs, a person must be asked first, or it is refused.

Layers, each able to stop a call by itself:

1. the tool: off, or "ask first" (permissions);
2. the place: what may be read and acted on from where the person speaks (within);
3. what it is about: where several things fit, a person chooses, and what they choose
   is judged as a new call;
4. what the call does in the end: sensitive, or not to be foreseen;
5. text from outside that was read into the conversation: what the person's own
   sentence did not name is asked about;
6. a call to which the person has just not said yes is not asked about again;
7. a question needs a person, and a language in which a yes is understood.

A call with harmless and sensitive targets is split: the harmless ones run, by entity id,
and the question is about the rest.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
import re
from typing import Any, Final

from homeassistant.core import HomeAssistant, split_entity_id
from homeassistant.helpers import llm

from ..const import Autonomy, Permission
from ..languages import language_of
from .ability import Wording
from .case import Case, Root
from .doors import speak_of
from .effects import NOTHING, Effect, value_of
from .intents import TARGET_SLOTS, TIMERS, UnforeseeableError, async_read_command
from .mention import Sentence
from .names import details_of, entity_area, name_of, own_names_of, spoken, texts_of
from .notes import NO_SUCH_COMMAND, NOT_ALLOWED, ONLY_LEFT, SEVERAL
from .outside import PLAY, source_of, was_found
from .pending import Ask, Choice, Kept
from .permissions import Rules, permission
from .places import View
from .sensitive import Sensitivity
from .speaker import Speaker
from .wanted import Wanted
from .within import within

# What is never part of everything.
_NEVER: Final = ("button", "input_button", "scene", "script")
# So many things can be chosen from by ear; so many are named to the model.
_CHOICES: Final = 5
_TOLD: Final = 10
# The words for what else may let somebody in: everything there counts as a door.
_KINDS: Final = {"alarm_control_panel": "alarm", "valve": "valve"}


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
    choice: Choice = ()
    """The calls that a person is to choose from."""
    refused: tuple[Ask, ...] = ()
    """What nobody is asked about, and so not done."""
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
        chosen: frozenset[str] = frozenset(),
    ) -> None:
        """Take what the layers look at. `api` is Home Assistant's own instance.

        `chosen` is what the person has just chosen, which is no yes.
        """
        self._hass = hass
        self._api = api
        self._rules = rules
        self._speaker = speaker
        self._kept = kept
        self.view = rules.places.view(hass, speaker)
        self.wanted = Wanted(hass, speaker, kept.wanted, chosen)
        self._sensitivity = Sensitivity(
            hass, rules.sensitive_labels, rules.temperatures
        )

    async def async_judge(self, case: Case, *, after_outside: bool = False) -> Verdict:
        """Judge a call. With `after_outside` text from outside is in the conversation."""
        approved = case.approved
        allowed = permission(self._api, case.tool, self._rules, self.view)
        if allowed is Permission.OFF:
            return Verdict(refusal=NOT_ALLOWED)
        if self.view is not None and case.view is None:
            return await self._async_judge_within(case, self.view, after_outside)
        if not case.own.annotations.read_only and (fitting := case.choices()):
            return self._choose(case, fitting)
        if allowed is Permission.ASK and case.own.name not in approved:
            roots, left = self._roots(case)
            reached = [root for root in roots if root.entity_id not in left]
            return self._conclude((), self._ask_tool(case, reached))
        ability = case.ability
        if case.own.annotations.read_only:
            if not (after_outside and ability and ability.asks_after_outside):
                return Verdict(runs=(case.arguments,))
        # Strangers may have written what is on a picture. Who looks may look again.
        elif self._kept.sent.pictures:
            after_outside = True
        ability = None if approved else ability
        if ability and (words := ability.question(self._hass, case.arguments)):
            return self._conclude((), self._ask_first(case, words))
        is_meant = approved or (ability and ability.is_asked_for)
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

    async def _async_judge_within(
        self, case: Case, view: View, after_outside: bool
    ) -> Verdict:
        """Judge what the rules of a place leave of a call."""
        found = within(view, replace(case, view=view), self._speaker)
        if found.several:
            return self._choose(replace(case, view=view), found.several)
        if found.case is None:
            return Verdict(refusal=found.refusal, sentence=found.sentence)
        verdict = await self.async_judge(found.case, after_outside=after_outside)
        return replace(verdict, left=(*verdict.left, *found.left))

    def _choose(self, case: Case, effects: Sequence[Effect]) -> Verdict:
        """Let a person choose, if they can be told what there is to choose from."""
        hass, things = self._hass, dict[tuple[str, str], Effect]()
        for effect in effects:
            area = entity_area(hass, effect.entity_id)
            where = spoken(area.name) if area else ""
            things[name_of(hass, effect.entity_id), where] = effect
        told = sorted(things)
        if (
            len(told) == len(effects) <= _CHOICES
            and self._speaker.is_person
            and language_of(self._speaker.language).yes
        ):
            choice = [
                replace(
                    self._ask_one(case, case.chosen(item.entity_id), item),
                    # Each is said, and must still be called so by then.
                    names=((item.entity_id, thing[0]),),
                )
                for thing in told
                for item in [things[thing]]
            ]
            is_named = self.wanted.sentence.names_any(texts_of(case.arguments))
            if not is_named and any(map(self._was_declined, choice)):
                return Verdict(
                    refusal=NOT_ALLOWED, sentence="was_declined", refused=tuple(choice)
                )
            return Verdict(choice=tuple(choice))
        names = [f"{name} ({where})" if where else name for name, where in told[:_TOLD]]
        return Verdict(refusal=f"{SEVERAL} {', '.join(names)}")

    def _judge_whole(self, case: Case, after_outside: bool) -> Verdict:
        """Judge a call that runs as it is, or not at all."""
        roots = case.roots(self._sensitivity.candidates())
        asks = [ask for root in roots for ask in self._ask_sensitive(case, root)]
        if not asks and after_outside:
            asks = [
                replace(ask, unnamed=True) for ask in self._ask_unnamed(case, roots)
            ]
        return self._conclude(() if asks else (case.arguments,), asks)

    def _judge_divisible(self, case: Case, after_outside: bool) -> Verdict:
        """Judge a call that can be run for each of its targets alone."""
        roots, left = self._roots(case)
        sensitive = {
            root.entity_id: found
            for root in roots
            if root.entity_id not in left and (found := self._ask_sensitive(case, root))
        }
        # Home Assistant does not know the rules of a place.
        by_id = after_outside or case.allowed is not None
        if not (sensitive or left or by_id or case.is_narrowly_approved):
            return Verdict(runs=(case.arguments,))
        # Of several things with one name Home Assistant may choose another one.
        known = map(self._hass.states.get, (root.entity_id for root in roots))
        effects = case.effects(list(filter(None, known)))
        if by_id and not effects:
            effects = case.effects()
        free: list[str] = []
        asks: list[Ask] = []
        for effect in effects:
            target = effect.entity_id
            if target in left or (left and effect.service == NOTHING):
                continue
            if target in sensitive:
                asks += sensitive[target]
            elif after_outside and not self.wanted.has(target):
                ask = self._ask_one(case, case.narrowed(target), effect)
                asks.append(replace(ask, unnamed=True))
            elif not case.is_narrowly_approved or target in case.approved:
                free.append(target)
        runs = case.runs_for(free) if free else []
        is_all = not asks and len(free) == len(effects)
        if is_all and not (by_id and effects):
            # As it is: what has no target fails by itself, with a reason. Where each
            # target must be named, only those that were looked at run.
            runs = [case.arguments]
        names = tuple(name_of(self._hass, target) for target in left)
        if left and not (runs or asks):
            return Verdict(refusal=f"{ONLY_LEFT} {', '.join(names)}")
        return replace(self._conclude(runs, asks), left=names)

    def _roots(self, case: Case) -> tuple[list[Root], set[str]]:
        """Return what a call acts on, and what of it stays, if it is for everything."""
        roots = case.roots(self._sensitivity.candidates())
        return roots, self._left_alone(case, roots) - case.approved

    def _left_alone(self, case: Case, roots: Sequence[Root]) -> set[str]:
        """Return what a call for "everything" leaves as it is.

        Where neither the call nor the sentence names doors or their like, "turn off
        everything downstairs" is about lamps and sockets. Buttons, scenes and scripts
        do anything at all, so they are never part of everything.
        """
        call = case.intent
        if call is None or not call.is_for_all or case.is_narrowly_approved:
            return set()
        # "Everything in the garage" does not speak of its door.
        places = "|".join(map(re.escape, call.places)) or "(?!)"
        said = re.sub(places, " ", self._speaker.sentence, flags=re.IGNORECASE)
        sentence = Sentence(said, language_of(self._speaker.language))

        def is_meant(entity_id: str) -> bool:
            domain = split_entity_id(entity_id)[0]
            return (
                sentence.names_any(own_names_of(self._hass, entity_id))
                or (domain == "cover" and speak_of([said], "blind"))
                or speak_of([said], _KINDS.get(domain, "door"))
            )

        doors = self._sensitivity.doors
        found = {
            root.entity_id
            for root in roots
            if any(doors.is_door(effect.entity_id) for effect in root.reach.effects)
            and not is_meant(root.entity_id)
        }
        never = call.match(self._hass.states.async_all(_NEVER))
        return found.union(state.entity_id for state in never)

    def _ask_one(self, case: Case, arguments: dict[str, Any], effect: Effect) -> Ask:
        """Return the question about one action of a call."""
        entities = frozenset({effect.entity_id})
        return self._worded(Ask(case.tool.name, arguments, entities, ""), effect)

    def _worded(self, ask: Ask, effect: Effect) -> Ask:
        return replace(
            ask,
            phrase=effect.phrase,
            targets=(name_of(self._hass, effect.entity_id),),
            name="",
            value=value_of(self._hass, effect),
        )

    def _ask_sensitive(self, case: Case, root: Root) -> list[Ask]:
        is_trusted = self._rules.autonomy is Autonomy.TRUSTED
        if is_trusted and not self._rules.phone_for_doors:
            return []
        is_door = self._sensitivity.doors.is_door
        found = [
            effect
            for effect in root.reach.effects
            if effect.entity_id not in case.approved
            and self._sensitivity.is_sensitive(effect)
            and (is_door(effect.entity_id) or not is_trusted)
        ]
        unknown = root.reach.unknown and root.entity_id not in case.approved
        if not found and not unknown:
            return []
        entities = (root.entity_id, *(effect.entity_id for effect in found))
        names = {entity_id: name_of(self._hass, entity_id) for entity_id in entities}
        ask = Ask(
            case.tool.name,
            case.narrowed(root.entity_id),
            frozenset(entities),
            phrase="do_run_unknown",
            name=root.name,
            details=tuple(details_of(case.arguments)) if case.script else (),
            names=tuple(names.items()),
            opens=unknown or any(is_door(effect.entity_id) for effect in found),
        )
        if not found:
            return [ask]
        domain, is_entity, _ = root.entity_id.partition(".")
        if is_entity and domain not in ("script", "scene"):
            return [self._worded(ask, effect) for effect in found]
        reached = dict.fromkeys(names[effect.entity_id] for effect in found)
        reached.pop(root.name, None)
        phrase = "do_run_reaching" if reached else "do_run"
        return [replace(ask, phrase=phrase, targets=tuple(reached))]

    def _ask_tool(self, case: Case, roots: Sequence[Root]) -> list[Ask]:
        """Return the question about a tool that asks first, and what else it opens."""
        details = tuple(details_of(case.arguments))
        ask = Ask(
            case.tool.name,
            case.arguments,
            frozenset({case.own.name}),
            phrase="do_use_with" if details else "do_use",
            name=spoken(case.title),
            server=spoken(case.server),
            details=details,
        )
        more = [item for root in roots for item in self._ask_sensitive(case, root)]
        return [ask, *(replace(item, arguments=case.arguments) for item in more)]

    def _ask_first(self, case: Case, words: Wording) -> list[Ask]:
        """Return the question about a call of ours; the yes is for what it does now."""
        roots = case.roots(self._sensitivity.candidates())
        if words.phrase:
            ask, *asks = self._ask_tool(case, roots)
            asks.insert(0, replace(ask, **words._asdict(), details=()))
        else:
            asks = []
            for root in roots:
                ask = self._ask_one(case, case.arguments, root.reach.effects[0])
                asks += self._ask_sensitive(case, root) or [ask]
        [arguments] = case.runs_for([root.entity_id for root in roots])
        return [replace(ask, arguments=arguments) for ask in asks]

    def _ask_unnamed(self, case: Case, roots: Sequence[Root]) -> list[Ask]:
        call, arguments, sentence = case.intent, case.arguments, self.wanted.sentence
        [ask] = self._ask_tool(case, ())
        if case.own.name == PLAY:
            if was_found(self._kept, arguments):
                return []
            shown = (source_of(arguments), arguments.get("player_name"))
            value = ", ".join(filter(None, shown))
            return [replace(ask, phrase="do_use_with", value=value, details=())]
        undoes = TIMERS.get(call.handler.intent_type) if call else None
        if undoes is not None:
            is_free = (
                not undoes
                or sentence.speaks_of_timers
                or sentence.names_any(texts_of(arguments))
            )
            return [] if is_free else [ask]
        if call and call.has_targets:
            roots = case.roots_of(case.effects())
        elif call and call.is_exact:
            # It fails by itself: no intent is for all of a home.
            return []
        # What a tool of ours does is one of few words, and nobody's text.
        targets = (*TARGET_SLOTS, "action") if case.ability else TARGET_SLOTS
        free = [
            text
            for key, value in arguments.items()
            if key not in targets
            for text in texts_of(value, numbers=True)
        ]
        # What matters is the item, not the list.
        is_item = all(root.entity_id.startswith("todo.") for root in roots)
        if free and is_item and all(map(sentence.names, free)):
            return []
        unnamed = [root for root in roots if not self.wanted.has(root.entity_id)]
        if not unnamed:
            return [] if roots else [ask]
        ask = replace(ask, entities=frozenset(root.entity_id for root in roots))
        if is_item:
            return [ask]
        if call and call.has_targets:
            return [self._worded(ask, root.reach.effects[0]) for root in unnamed]
        phrase = "do_run" if case.script else "do_use_with"
        return [replace(ask, phrase=phrase, value=root.name) for root in unnamed]

    async def _async_judge_command(
        self, case: Case, command: str, after_outside: bool
    ) -> Verdict:
        """Judge a timer by the command that Home Assistant will carry out at its end."""
        roots: list[Root] = []
        unknown = False
        try:
            meant = await async_read_command(self._hass, command, case.context)
        except UnforeseeableError:
            unknown = True
        else:
            if meant is None:
                return Verdict(refusal=NO_SUCH_COMMAND)
            roots = case.roots_of_intent(meant, self._sensitivity.candidates())
        found = [ask for root in roots for ask in self._ask_sensitive(case, root)]
        key = f"{case.own.name}: {command.casefold()}"
        unnamed = after_outside and not self.wanted.sentence.names(command)
        if key in case.approved or not (found or unknown or unnamed):
            return Verdict(runs=(case.arguments,))
        ask = Ask(
            case.tool.name,
            case.arguments,
            frozenset({key}).union(*(ask.entities for ask in found)),
            phrase="do_delayed",
            targets=tuple(name for ask in found for name in (*ask.targets, ask.name)),
            value=spoken(command),
            opens=unknown or any(ask.opens for ask in found),
        )
        return self._conclude((), [ask])

    def _conclude(self, runs: Iterable[dict[str, Any]], asks: Sequence[Ask]) -> Verdict:
        runs = tuple(runs)
        if not asks:
            return Verdict(runs=runs)
        refused = Verdict(runs, refusal=NOT_ALLOWED, refused=tuple(asks))
        if any(map(self._was_declined, asks)):
            return replace(refused, sentence="was_declined")
        if self._rules.ask_by_phone(self._speaker, asks):
            return Verdict(runs, tuple(asks))
        if not self._speaker.is_person:
            if self._rules.unattended:
                more = {ask.arguments_key: ask.arguments for ask in asks}
                return Verdict((*runs, *more.values()))
            return replace(refused, sentence="needs_person")
        if not language_of(self._speaker.language).signed:
            return replace(refused, sentence="cannot_ask")
        return Verdict(runs, tuple(asks))

    def _was_declined(self, ask: Ask) -> bool:
        """Return whether the person has just not said yes to it, nor asks for it now."""
        said = self.wanted.sentence
        return bool(ask.entities & self._kept.declined) and not (
            said.points_back or said.names_any((*ask.targets, ask.name))
        )
