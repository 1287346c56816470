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
from dataclasses import replace
import re
from typing import Any, Final

from homeassistant.core import HomeAssistant, split_entity_id

from ..const import Permission
from ..languages import language_of
from .asks import Ask
from .doors import speak_of
from .earlier import Earlier
from .effects import NOTHING, Effect
from .judged_call import JudgedCall, Target, Verdict
from .mention import Sentence
from .named_by_person import NamedByPerson
from .names import entity_area, name_of, own_names_of, spoken, texts_of
from .notes import NO_COMMANDS, NOT_ALLOWED, ONLY_LEFT, SEVERAL
from .permissions import Rules, permission
from .questions import Questions
from .sensitive import Sensitivity
from .speaker import Speaker
from .within import within

# What is never part of everything.
_NEVER: Final = ("button", "input_button", "scene", "script")
# So many things can be chosen from by ear; so many are named to the model.
_CHOICES: Final = 5
_TOLD: Final = 10
# The words for what else may let somebody in: everything there counts as a door.
_KINDS: Final = {"alarm_control_panel": "alarm", "valve": "valve"}


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
        """Take what the layers look at.

        `chosen` is what the person has just chosen, which is no yes.
        """
        self._hass = hass
        self._rules = rules
        self._speaker = speaker
        self._earlier = earlier
        self.scope = rules.places.scope(hass, speaker)
        self.named_by_person = NamedByPerson(hass, speaker, earlier.last_named, chosen)
        self._sensitivity = Sensitivity(
            hass, rules.sensitive_labels, rules.temperatures
        )
        self._questions = Questions(
            hass, rules, earlier, self.named_by_person, self._sensitivity
        )

    async def async_judge(
        self, case: JudgedCall, *, after_outside: bool = False
    ) -> Verdict:
        """Judge a call. With `after_outside` text from outside is in the conversation."""
        approved = case.approved
        allowed = permission(case.tool, self._rules, self.scope)
        if allowed is Permission.OFF:
            return Verdict(refusal=NOT_ALLOWED)
        if case.has_command:
            return Verdict(refusal=NO_COMMANDS)
        if self.scope is not None and case.scope is None:
            found = within(self.scope, case, self._speaker)
            if isinstance(found, Verdict):
                return found
            case = found
        if not case.own.annotations.read_only and (several := case.choices()):
            return self._choose(case, several)
        if allowed is Permission.ASK and case.own.name not in approved:
            targets, skipped = self._targets(case)
            reached = [target for target in targets if target.entity_id not in skipped]
            return self._conclude(case, self._questions.tool(case, reached))
        ability = case.ability
        if case.own.annotations.read_only:
            if not (after_outside and ability and ability.asks_after_outside):
                return Verdict(runs=(case.arguments,))
        # Strangers may have written what is on a picture. Who looks may look again.
        elif self._earlier.saw_pictures:
            after_outside = True
        ability = None if approved else ability
        if ability and (words := ability.question(self._hass, case.arguments)):
            return self._conclude(case, self._questions.first(case, words))
        is_meant = approved or (ability and ability.is_asked_for)
        after_outside = after_outside and not is_meant
        judge = self._judge_divisible if case.is_divisible else self._judge_whole
        verdict = judge(case, after_outside)
        # What a person has said yes to is not asked about again.
        asks = [replace(ask, entities=ask.entities | approved) for ask in verdict.asks]
        return replace(verdict, asks=tuple(asks))

    def _choose(self, case: JudgedCall, effects: Sequence[Effect]) -> Verdict:
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
                    self._questions.one(case, case.chosen(item.entity_id), item),
                    # Each is said, and must still be called so by then.
                    names=((item.entity_id, thing[0]),),
                )
                for thing in told
                for item in [things[thing]]
            ]
            is_named = self.named_by_person.sentence.names_any(texts_of(case.arguments))
            if not is_named and any(map(self._was_declined, choice)):
                return Verdict(
                    refusal=NOT_ALLOWED, sentence="was_declined", refused=tuple(choice)
                )
            return Verdict(ambiguity=tuple(choice))
        names = [f"{name} ({where})" if where else name for name, where in told[:_TOLD]]
        return Verdict(refusal=f"{SEVERAL} {', '.join(names)}")

    def _judge_whole(self, case: JudgedCall, after_outside: bool) -> Verdict:
        """Judge a call that runs as it is, or not at all."""
        targets = case.targets
        asks = [
            ask for target in targets for ask in self._questions.sensitive(case, target)
        ]
        if not asks and after_outside:
            unnamed = self._questions.unnamed(case)
            asks = [replace(ask, unnamed=True) for ask in unnamed]
        runs, free = ((), ()) if asks else ((case.arguments,), targets)
        return self._conclude(case, asks, runs, free)

    def _judge_divisible(self, case: JudgedCall, after_outside: bool) -> Verdict:
        """Judge a call that can be run for each of its targets alone."""
        targets, skipped = self._targets(case)
        free: list[Target] = []
        asks: list[Ask] = []
        for target in targets:
            entity_id, effect = target.entity_id, target.effect
            if entity_id in skipped or (skipped and effect.service == NOTHING):
                continue
            if found := self._questions.sensitive(case, target):
                asks += found
            elif after_outside and not self.named_by_person.has(entity_id):
                ask = self._questions.one(case, case.narrowed(entity_id), effect)
                asks.append(replace(ask, unnamed=True))
            elif not case.is_narrowly_approved or entity_id in case.approved:
                free.append(target)
        runs = case.runs_for([target.entity_id for target in free]) if free else []
        # Home Assistant does not know the rules of a place.
        by_id = after_outside or case.allowed is not None
        is_all = not asks and len(free) == len(targets)
        if is_all and not (by_id and targets):
            # As it is: what has no target fails by itself, with a reason. Where each
            # target must be named, only those that were looked at run.
            runs = [case.arguments]
        names = tuple(name_of(self._hass, entity_id) for entity_id in skipped)
        if skipped and not (runs or asks):
            return Verdict(refusal=f"{ONLY_LEFT} {', '.join(names)}")
        verdict = self._conclude(case, asks, runs, free)
        return replace(verdict, skipped=(*names, *case.skipped))

    def _targets(self, case: JudgedCall) -> tuple[list[Target], set[str]]:
        """Return what a call acts on, and what of it stays, if it is for everything."""
        targets = case.targets
        return targets, self._left_alone(case, targets) - case.approved

    def _left_alone(self, case: JudgedCall, targets: Sequence[Target]) -> set[str]:
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

        is_door = self._sensitivity.doors.is_door
        return {
            target.entity_id
            for target in targets
            if split_entity_id(target.entity_id)[0] in _NEVER
            or (
                any(is_door(effect.entity_id) for effect in target.reach.effects)
                and not is_meant(target.entity_id)
            )
        }

    def _conclude(
        self,
        case: JudgedCall,
        asks: Sequence[Ask],
        runs: Iterable[dict[str, Any]] = (),
        targets: Iterable[Target] = (),
    ) -> Verdict:
        """Return what becomes of the part that needs a yes, beside what runs."""
        verdict = Verdict(tuple(runs), targets=tuple(targets))
        if not asks:
            return verdict
        asked = replace(verdict, asks=tuple(asks))
        refused = replace(verdict, refusal=NOT_ALLOWED, refused=asked.asks)
        if any(map(self._was_declined, asks)):
            return replace(refused, sentence="was_declined")
        if self._rules.ask_by_phone(self._speaker, asks):
            return asked
        if not self._speaker.is_person:
            if self._rules.unattended:
                more = {ask.arguments_key: ask.arguments for ask in asks}
                runs = (*verdict.runs, *more.values())
                return Verdict(runs, targets=tuple(case.targets))
            return replace(refused, sentence="needs_person")
        if not language_of(self._speaker.language).signed:
            return replace(refused, sentence="cannot_ask")
        return asked

    def _was_declined(self, ask: Ask) -> bool:
        """Return whether the person has just not said yes to it, nor asks for it now."""
        said = self.named_by_person.sentence
        return bool(ask.entities & self._earlier.declined) and not (
            said.points_back or said.names_any((*ask.targets, ask.name))
        )
