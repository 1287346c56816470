"""What a person is to be asked about a call, one `Ask` for each thing it would do."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from homeassistant.core import HomeAssistant

from ..const import Autonomy
from .asks import Ask
from .earlier import Earlier
from .effects import Effect, value_of
from .intents import TARGET_SLOTS, TIMERS
from .judged_call import JudgedCall, Target
from .named_by_person import NamedByPerson
from .names import details_of, name_of, spoken, texts_of
from .outside import PLAY, source_of, was_found
from .own_tool import Wording
from .permissions import Rules
from .sensitive import Sensitivity


@dataclass(frozen=True, slots=True)
class Questions:
    """Words the questions of one turn. An empty list: nothing needs a yes."""

    _hass: HomeAssistant
    _rules: Rules
    _earlier: Earlier
    _named_by_person: NamedByPerson
    _sensitivity: Sensitivity

    def one(self, case: JudgedCall, arguments: dict[str, Any], effect: Effect) -> Ask:
        """Return the question about one action of a call."""
        entities = frozenset({effect.entity_id})
        return self.worded(Ask(case.tool.name, arguments, entities, ""), effect)

    def worded(self, ask: Ask, effect: Effect) -> Ask:
        """Return a question in the words for an action."""
        return replace(
            ask,
            phrase=effect.phrase,
            targets=(name_of(self._hass, effect.entity_id),),
            name="",
            value=value_of(self._hass, effect),
        )

    def sensitive(self, case: JudgedCall, target: Target) -> list[Ask]:
        """Return the questions about what is sensitive, or unknown, of what is reached."""
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
        entities = (target.entity_id, *(effect.entity_id for effect in found))
        names = {entity_id: name_of(self._hass, entity_id) for entity_id in entities}
        ask = Ask(
            case.tool.name,
            case.narrowed(target.entity_id),
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
            return [self.worded(ask, effect) for effect in found]
        reached = dict.fromkeys(names[effect.entity_id] for effect in found)
        reached.pop(target.name, None)
        phrase = "do_run_reaching" if reached else "do_run"
        return [replace(ask, phrase=phrase, targets=tuple(reached))]

    def tool(self, case: JudgedCall, targets: Sequence[Target]) -> list[Ask]:
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
        more = [item for target in targets for item in self.sensitive(case, target)]
        return [ask, *(replace(item, arguments=case.arguments) for item in more)]

    def first(self, case: JudgedCall, words: Wording) -> list[Ask]:
        """Return the question about a call of ours; the yes is for what it does now."""
        targets = case.targets
        if words.phrase:
            ask, *asks = self.tool(case, targets)
            asks.insert(0, replace(ask, **words._asdict(), details=()))
        else:
            asks = []
            for target in targets:
                ask = self.one(case, case.arguments, target.effect)
                asks += self.sensitive(case, target) or [ask]
        [arguments] = case.runs_for([target.entity_id for target in targets])
        return [replace(ask, arguments=arguments) for ask in asks]

    def unnamed(self, case: JudgedCall) -> list[Ask]:
        """Return the questions about what the person's own sentence does not name."""
        call, arguments, named = case.intent, case.arguments, self._named_by_person
        [ask] = self.tool(case, ())
        if case.own.name == PLAY:
            if was_found(self._earlier, arguments):
                return []
            shown = (source_of(arguments), arguments.get("player_name"))
            value = ", ".join(filter(None, shown))
            return [replace(ask, phrase="do_use_with", value=value, details=())]
        undoes = TIMERS.get(call.handler.intent_type) if call else None
        if undoes is not None:
            is_free = (
                not undoes
                or named.sentence.speaks_of_timers
                or named.sentence.names_any(texts_of(arguments))
            )
            return [] if is_free else [ask]
        if call and call.is_exact and not call.has_targets:
            # It fails by itself: no intent is for all of a home.
            return []
        targets = case.targets if call or case.ability or case.script else []
        # What a tool of ours does is one of few words, and nobody's text.
        slots = (*TARGET_SLOTS, "action") if case.ability else TARGET_SLOTS
        free = [
            text
            for key, value in arguments.items()
            if key not in slots
            for text in texts_of(value, numbers=True)
        ]
        # What matters is the item, not the list.
        is_item = all(target.entity_id.startswith("todo.") for target in targets)
        if free and is_item and all(map(named.sentence.names, free)):
            return []
        unnamed = [target for target in targets if not named.has(target.entity_id)]
        if targets and not unnamed:
            return []
        ids = frozenset(target.entity_id for target in targets)
        ask = replace(ask, entities=ids or ask.entities)
        if is_item:
            return [ask]
        if call and call.has_targets:
            return [self.worded(ask, target.effect) for target in unnamed]
        phrase = "do_run" if case.script else "do_use_with"
        return [replace(ask, phrase=phrase, value=target.name) for target in unnamed]
