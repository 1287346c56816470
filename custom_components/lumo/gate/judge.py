"""Judge a call: it runs, a person is asked first, or it is refused.

The layers are those of `async_judge`, in its order. A call with harmless and sensitive
targets is split: the harmless ones run, by entity id.
"""

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import replace
from operator import itemgetter
from typing import Any, Final

from homeassistant.core import HomeAssistant, split_entity_id, valid_entity_id
from homeassistant.helpers import llm

from ..const import Autonomy, Permission
from ..languages import language_of
from .effects import NOTHING, Effect, domain_of, value_of, wants_code
from .intents import COMMAND, TARGET_SLOTS, TIMERS, IntentCall, read_intent
from .judged_call import Ask, JudgedCall, Target, Verdict, within
from .named_by_person import NamedByPerson
from .names import details_of, entity_area, name_of, spoken, texts_of
from .notes import NOTES
from .permissions import Rules, permission
from .sensitive import Sensitivity
from .speaker import Earlier, Speaker

_NEVER_PART_OF_EVERYTHING: Final = ("button", "input_button", "scene", "script")
_MAX_CHOICES: Final = 5
_MAX_NAMES: Final = 10


class Judge:
    """Judges the calls of one turn."""

    def __init__(
        self,
        hass: HomeAssistant,
        rules: Rules,
        speaker: Speaker,
        earlier: Earlier,
        chosen: frozenset[str] = frozenset(),
    ) -> None:
        """Take what the layers look at; `chosen` was just chosen, which is no yes."""
        self._hass = hass
        self._rules = rules
        self._speaker = speaker
        self._earlier = earlier
        self.scope = rules.places.scope(hass, speaker)
        self.asks_all = False
        """What acts needs a yes: the sentence only asks."""
        self.named_by_person = NamedByPerson(hass, speaker, earlier.last_named, chosen)
        self._sensitivity = Sensitivity(
            hass, rules.sensitive_labels, rules.temperatures
        )

    def possible(
        self, tool: llm.Tool, arguments: dict[str, Any], llm_context: llm.LLMContext
    ) -> dict[str, Any]:
        """Return the arguments without what the one named thing cannot be."""

        def read(given: dict[str, Any]) -> IntentCall | None:
            return read_intent(self._hass, tool, given, llm_context, self.scope)

        return self.named_by_person.possible(arguments, read)

    def ask_all(self) -> None:
        """From here on, let nothing that acts run without a yes."""
        self.asks_all = True
        speaker = replace(self._speaker, sentence="")
        self.named_by_person = NamedByPerson(self._hass, speaker, frozenset())

    async def async_judge(self, case: JudgedCall) -> Verdict:
        """Judge a call."""
        approved, after_outside = case.approved, case.after_outside
        allowed = permission(case.tool, self._rules, self.scope)
        if allowed is Permission.OFF:
            return Verdict(refusal=NOTES["not_allowed"])
        if case.intent and COMMAND in case.intent.slots:
            # A timer's sentence would run for nobody.
            return Verdict(refusal=NOTES["no_commands"])
        if self.scope is not None and case.scope is None:
            found = within(self.scope, case, self._speaker)
            if isinstance(found, Verdict):
                return found
            # What was matched is matched once more, among what is left.
            await asyncio.sleep(0)
            case = found
        effects: list[Effect] = []
        if not case.own.annotations.read_only:
            if several := case.choices():
                return self._choose(case, several)
            # In a large home it takes long to find what is meant.
            effects = [item for t in case.targets for item in t.reach.effects[:1]]
            await asyncio.sleep(0)
        must_ask = case.must_ask and not approved and self._can_ask(case)
        if must_ask or (allowed is Permission.ASK and case.own.name not in approved):
            asks = self._asked(case, self._targets(case)[0])
            if allowed is Permission.ASK:
                own = {case.own.name}
                each = [replace(ask, entities=ask.entities | own) for ask in asks]
                asks = [replace(ask, unnamed=False) for ask in each]
            return self._conclude(case, asks)
        ability = case.ability
        if case.own.annotations.read_only:
            if not (after_outside and ability and ability.asks_after_outside):
                return Verdict(runs=(case.arguments,))
        # Strangers may have written what is on a picture. Who looks may look again.
        elif self._earlier.saw_pictures:
            after_outside = True
        if effects and all(wants_code(self._hass, effect) for effect in effects):
            return Verdict(refusal=NOTES["no_code"], sentence="no_code")
        is_meant = bool(approved or (ability and ability.is_asked_for))
        if not is_meant and any(map(self.named_by_person.wants_opposite, effects)):
            return Verdict(refusal=NOTES["opposite"])
        ability = None if approved else ability
        if ability and ability.question(case.arguments):
            return self._conclude(case, self._asked(case, case.targets))
        after_outside = (after_outside or self.asks_all) and not is_meant
        judge = self._judge_divisible if case.is_divisible else self._judge_whole
        verdict = judge(case, after_outside)
        # What a person has said yes to is not asked about again.
        asks = [replace(ask, entities=ask.entities | approved) for ask in verdict.asks]
        return replace(verdict, asks=tuple(asks))

    def _can_ask(self, case: JudgedCall) -> bool:
        speaker, is_read = self._speaker, case.own.annotations.read_only
        is_signed = bool(language_of(speaker.language).signed)
        return speaker.is_person and is_signed and not is_read

    def _choose(self, case: JudgedCall, effects: Sequence[Effect]) -> Verdict:
        """Let a person choose, if the choices can be told apart by ear."""
        hass, things = self._hass, dict[tuple[str, str], Effect]()
        for effect in effects:
            area = entity_area(hass, effect.entity_id)
            where = spoken(area.name) if area else ""
            things[name_of(hass, effect.entity_id), where] = effect
        if (
            len(things) == len(effects) <= _MAX_CHOICES
            and self._speaker.is_person
            and language_of(self._speaker.language).yes
        ):
            choice = [
                replace(
                    self._ask(case, case.narrowed(effect.entity_id), effect),
                    # Each is said, and must still be called so by then.
                    names=((effect.entity_id, name),),
                )
                for (name, _), effect in sorted(things.items(), key=itemgetter(0))
            ]
            is_named = self.named_by_person.sentence.names_any(texts_of(case.arguments))
            if not is_named and any(map(self._was_declined, choice)):
                return Verdict(
                    refusal=NOTES["not_allowed"],
                    sentence="was_declined",
                    refused=tuple(choice),
                )
            return Verdict(ambiguity=tuple(choice))
        names = [
            f"{name} ({where})" if where else name for name, where in sorted(things)
        ]
        return Verdict(refusal=f"{NOTES['several']} {', '.join(names[:_MAX_NAMES])}")

    def _judge_whole(self, case: JudgedCall, after_outside: bool) -> Verdict:
        targets = case.targets
        asks = [ask for target in targets for ask in self._sensitive(case, target)]
        if not asks and after_outside:
            asks = [replace(ask, unnamed=True) for ask in self._unnamed(case)]
        if not asks and case.intent:
            asks = [
                self._ask_unnamed(case, target)
                for target in targets
                if self._is_beyond(case, target)
            ]
        runs, free = ((), ()) if asks else ((case.arguments,), targets)
        return self._conclude(case, asks, runs, free)

    def _judge_divisible(self, case: JudgedCall, after_outside: bool) -> Verdict:
        targets, skipped = self._targets(case)
        within = [target for target in targets if not self._is_beyond(case, target)]
        if case.intent and not case.intent.slots.get("name"):
            within = self.named_by_person.nearest(within, case.intent.is_for_all)
        targets = within or targets
        for_all = case.ability and case.ability.is_for_all(case.arguments)
        free: list[Target] = []
        asks: list[Ask] = []
        spared: dict[str, list[Ask]] = {}
        for target in targets:
            entity_id = target.entity_id
            if found := self._sensitive(case, target):
                if for_all or self._is_unmeant(case, entity_id):
                    spared.setdefault(target.name, []).extend(found)
                else:
                    asks += found
            elif not (within or entity_id in case.approved) or (
                after_outside and not self._is_wanted(target)
            ):
                asks.append(self._ask_unnamed(case, target))
            elif not case.is_narrowly_approved or entity_id in case.approved:
                free.append(target)
        runs = case.runs_for([target.entity_id for target in free]) if free else []
        # Home Assistant does not know the rules of a place.
        by_id = after_outside or case.allowed is not None
        is_all = not asks and len(free) == len(case.targets)
        if is_all and not (by_id and free):
            # What has no target fails by itself, with a reason.
            runs = [case.arguments]
        if not (for_all or runs or asks):
            asks, spared = [ask for found in spared.values() for ask in found], {}
        skipped += spared
        if skipped and not (runs or asks):
            return Verdict(refusal=f"{NOTES['only_left']} {', '.join(skipped)}")
        verdict = self._conclude(case, asks, runs, free)
        return replace(verdict, skipped=(*skipped, *case.skipped), spared=tuple(spared))

    def note(self, effects: Iterable[Effect]) -> None:
        """Remember the players that were acted on: the person's from then on."""
        players = (item.entity_id for item in effects if item.domain == "media_player")
        self._earlier.players.update(players)

    def _is_beyond(self, case: JudgedCall, target: Target) -> bool:
        is_one = bool(case.arguments.get("name"))
        effects = target.reach.effects[:1]
        return any(self.named_by_person.is_beyond(item, is_one) for item in effects)

    def _is_wanted(self, target: Target) -> bool:
        players = () if self.asks_all else self._earlier.players
        return self.named_by_person.wants(target.effect, players)

    def _is_unmeant(self, case: JudgedCall, entity_id: str) -> bool:
        """Return whether a call for many things leaves a sensitive one as it is."""
        call, row = case.intent, domain_of(split_entity_id(entity_id)[0])
        if call is None or not call.is_for_many:
            return False
        is_listed = row.harmless is not None and not call.is_for_all
        return not (is_listed or self.named_by_person.says(entity_id, call.places))

    def _targets(self, case: JudgedCall) -> tuple[list[Target], list[str]]:
        """Return what a call acts on, and the names of what it leaves as it is."""
        skipped = self._left_alone(case) - case.approved
        targets = [
            target
            for target in case.targets
            if target.entity_id not in skipped
            and not (skipped and target.effect.service == NOTHING)
        ]
        return targets, [name_of(self._hass, entity_id) for entity_id in skipped]

    def _left_alone(self, case: JudgedCall) -> set[str]:
        """Return the ids of doors that were not named, and of what may do anything."""
        call = case.intent
        if call is None or not call.is_for_all or case.is_narrowly_approved:
            return set()
        is_door = self._sensitivity.doors.is_door
        return {
            target.entity_id
            for target in case.targets
            if split_entity_id(target.entity_id)[0] in _NEVER_PART_OF_EVERYTHING
            or (
                any(is_door(effect.entity_id) for effect in target.reach.effects)
                and not self.named_by_person.says(target.entity_id, call.places)
            )
        }

    def _conclude(
        self,
        case: JudgedCall,
        asks: Sequence[Ask],
        runs: Iterable[dict[str, Any]] = (),
        targets: Iterable[Target] = (),
    ) -> Verdict:
        """Return the verdict for the part that needs a yes, beside what runs."""
        verdict = Verdict(tuple(runs), targets=tuple(targets))
        if not asks:
            return verdict
        asked = replace(verdict, asks=tuple(asks))
        refused = replace(verdict, refusal=NOTES["not_allowed"], refused=asked.asks)
        if any(map(self._was_declined, asks)):
            return replace(refused, sentence="was_declined")
        if self._rules.ask_by_phone(self._speaker, asks):
            return asked
        if not self._speaker.is_person:
            if self._rules.unattended and self._speaker.behind is None:
                more = {ask.arguments_key: ask.arguments for ask in asks}
                runs = (*verdict.runs, *more.values())
                return Verdict(runs, targets=tuple(case.targets))
            return replace(refused, sentence="needs_person")
        if not language_of(self._speaker.language).signed:
            return replace(refused, sentence="cannot_ask")
        return asked

    def _was_declined(self, ask: Ask) -> bool:
        said = self.named_by_person.sentence
        return any(map(ask.is_again, self._earlier.declined)) and not (
            said.points_back or said.names_any((*ask.targets, ask.name))
        )

    def _each(self, case: JudgedCall, targets: Sequence[Target]) -> list[Ask]:
        """Return a question about each target, if each can be told and done alone."""
        asks: list[Ask] = []
        for target in targets:
            if target.reach.effects and target.effect.service == NOTHING:
                continue
            is_told = (case.intent or case.ability) and target.reach.effects
            is_alone = case.is_divisible or len(targets) == 1
            if not (is_told and is_alone and valid_entity_id(target.entity_id)):
                return []
            asks += self._sensitive(case, target) or [self._ask_unnamed(case, target)]
        return [] if any(ask.phrase == "do_change" for ask in asks) else asks

    def _ask_unnamed(self, case: JudgedCall, target: Target) -> Ask:
        is_part, entity_id = case.is_divisible, target.entity_id
        arguments = case.narrowed(entity_id) if is_part else case.arguments
        return replace(self._ask(case, arguments, target.effect), unnamed=True)

    def _ask(self, case: JudgedCall, arguments: dict[str, Any], effect: Effect) -> Ask:
        entities = frozenset({effect.entity_id})
        return self._worded(Ask(case.tool.name, arguments, entities, ""), effect)

    def _worded(self, ask: Ask, effect: Effect) -> Ask:
        return replace(
            ask,
            phrase=effect.phrase,
            targets=(name_of(self._hass, effect.entity_id),),
            name="",
            value=value_of(self._hass, effect)
            or spoken(str(effect.data.get("message", ""))),
        )

    def _sensitive(self, case: JudgedCall, target: Target) -> list[Ask]:
        """Return the questions about what a target reaches, if sensitive or unknown."""
        is_trusted = self._rules.autonomy is Autonomy.TRUSTED
        if is_trusted and not self._rules.phone_for_doors:
            return []
        is_door = self._sensitivity.doors.is_door
        found = [
            effect
            for effect in target.reach.effects
            if effect.entity_id not in case.approved
            and self._sensitivity.is_sensitive(effect)
            and (is_door(effect.entity_id) or not is_trusted)
        ]
        unknown = target.reach.unknown and target.entity_id not in case.approved
        if not found and not unknown:
            return []
        is_part = case.ability or case.is_divisible
        entities = (target.entity_id, *(effect.entity_id for effect in found))
        names = {entity_id: name_of(self._hass, entity_id) for entity_id in entities}
        ask = Ask(
            case.tool.name,
            case.narrowed(target.entity_id) if is_part else case.arguments,
            frozenset(entities),
            phrase="do_run_unknown",
            name=target.name,
            details=tuple(details_of(case.arguments)) if case.script else (),
            names=tuple(names.items()),
            grants_access=unknown or any(is_door(effect.entity_id) for effect in found),
        )
        if not found:
            return [ask]
        domain, is_entity, _ = target.entity_id.partition(".")
        if is_entity and domain not in ("script", "scene"):
            return [self._worded(ask, effect) for effect in found]
        reached = dict.fromkeys(names[effect.entity_id] for effect in found)
        reached.pop(target.name, None)
        phrase = "do_run_reaching" if reached else "do_run"
        return [replace(ask, phrase=phrase, targets=tuple(reached))]

    def _of_tool(self, case: JudgedCall, targets: Sequence[Target]) -> list[Ask]:
        """Return the questions about a tool that asks first, and what it opens."""
        details, about = tuple(details_of(case.arguments)), list[str]()
        if case.phrase and not case.script:
            about += case.ability.about(case.arguments) if case.ability else ()
            about = about or [target.name for target in case.targets]
        ask = Ask(
            case.tool.name,
            case.arguments,
            frozenset({case.own.name}),
            phrase=case.phrase or ("do_use_with" if details else "do_use"),
            targets=tuple(about),
            name=spoken(case.title),
            server=spoken(case.server),
            details=details,
        )
        more = [item for target in targets for item in self._sensitive(case, target)]
        return [ask, *(replace(item, arguments=case.arguments) for item in more)]

    def _asked(self, case: JudgedCall, targets: Sequence[Target]) -> list[Ask]:
        """Return the questions about all that a call does now."""
        words = case.ability and case.ability.question(case.arguments)
        if not (words and words.phrase):
            return self._each(case, targets) or self._of_tool(case, targets)
        ask, *more = self._of_tool(case, targets)
        [arguments] = case.runs_for([target.entity_id for target in targets])
        asks = [replace(ask, **words._asdict(), details=()), *more]
        return [replace(ask, arguments=arguments) for ask in asks]

    def _unnamed(self, case: JudgedCall) -> list[Ask]:
        call, arguments, named = case.intent, case.arguments, self.named_by_person
        said = named.sentence.commands
        [ask] = self._of_tool(case, ())
        if case.ability and case.ability.plays_found and not self.asks_all:
            return []
        undoes = TIMERS.get(call.handler.intent_type) if call else None
        if undoes is not None:
            is_free = not (undoes or self.asks_all) or said.speaks_of_timers
            return [] if is_free or said.names_any(texts_of(arguments)) else [ask]
        if call and call.is_exact and not call.has_targets:
            # It fails by itself: no intent is for all of a home.
            return []
        targets = case.targets if call or case.ability or case.script else []
        # The action of our own tools is one of few words, not free text.
        slots = (*TARGET_SLOTS, "action") if case.ability else TARGET_SLOTS
        free = [
            text
            for key, value in arguments.items()
            if key not in slots
            for text in texts_of(value, numbers=True)
        ]
        # What matters is the item, not the list.
        is_item = all(target.entity_id.startswith("todo.") for target in targets)
        if free and is_item and all(map(said.names, free)):
            return []
        is_free = not (case.ability and case.ability.hands_on)
        if targets and is_free and all(map(self._is_wanted, targets)):
            return []
        ids = frozenset(target.entity_id for target in targets)
        asks = [] if is_item else self._each(case, targets)
        return asks or [replace(ask, entities=ids or ask.entities)]
