"""Undo and why: take back, and tell, what turns and routines have done lately."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Any, ClassVar, Final, override

from homeassistant.core import HomeAssistant, State
from homeassistant.helpers import llm
from homeassistant.helpers.state import async_reproduce_state

from ..const import DOMAIN
from ..gate.call_record import CallRecord
from ..gate.consent import Reply
from ..gate.effects import CHANGE, Effect, domain_of, effect_of_state
from ..gate.judged_call import Ask
from ..gate.names import name_of
from ..gate.own_tool import Arguments, Result
from ..gate.speaker import Speaker, area_of
from ..languages import language_of
from ..speech.words import title_of
from .ability import Ability, schema
from .periods import moment_text

_ENTITY_IDS: Final = "entity_ids"
# What a player has beside the values that are known of its domain.
_VOLUME: Final = {
    "volume_set": ("volume_level", "volume_level"),
    "volume_mute": ("is_volume_muted", "is_volume_muted"),
}
_MAX_SENTENCE_CHARACTERS: Final = 120
_REPLIES: Final = {
    None: "no answer came",
    Reply.YES: "the answer was yes",
    Reply.SOME: "the answer was yes to some of it",
    Reply.NO: "the answer was no",
    Reply.CHOSEN: "one was chosen",
}


class Undo(Ability):
    """Restores what the last turn that acted, or a routine since, has changed."""

    # Beside the names of Home Assistant's own tools, an integration's carry its domain.
    name = f"{DOMAIN}__undo"
    title = "Undo"
    description = (
        "Undo what the last request, or a routine, changed, only if the person asks."
    )
    parameters = schema()
    annotations = llm.ToolAnnotations(idempotent=True, open_world=False)
    is_divisible = True

    @override
    def is_useful(self) -> bool:
        return bool(self._changes or self.context.planned)

    @property
    def _changes(self) -> Sequence[State]:
        """Return the earlier states of what was changed last: by a turn, or a routine."""
        hass, own = self.context.hass, self.context.changes
        runs = self.context.routines.runs if self.context.routines else []
        if hass is None or not runs:
            return own
        there = {state.entity_id for state in self.exposed()}
        left = [state for state in runs[0].changed(hass) if state.entity_id in there]
        now = (hass.states.get(state.entity_id) for state in own)
        is_newer = any(state and state.last_updated > runs[0].at for state in now)
        return own if is_newer else left or own

    @property
    @override
    def is_asked_for(self) -> bool:
        speaker = self.context.speaker
        if speaker is None or not speaker.is_person:
            return False
        return bool(language_of(speaker.language).undo.search(speaker.sentence))

    @override
    def effects(self, arguments: Arguments) -> list[Effect]:
        effects: list[Effect] = []
        for state in self._chosen(arguments):
            usual = effect_of_state(self.hass, state, at_once=True)
            effects += _values(self.hass, state) or [usual]
        return effects

    @override
    def narrowed(self, arguments: Arguments, *entity_ids: str) -> dict[str, Any]:
        return {_ENTITY_IDS: list(entity_ids)}

    @override
    async def async_run(self, arguments: Arguments, context: llm.LLMContext) -> Result:
        if planned := self.context.planned:
            assert self.context.plans is not None
            await self.context.plans.async_remove(planned)
            if self.context.routines is not None:
                await self.context.routines.async_undo(planned)
            return {"done": "What was planned is cancelled, what was deleted is back."}
        hass, states = self.hass, self._chosen(arguments)
        values = {state: _values(hass, state) for state in states}
        others = [state for state in states if not values[state]]
        await async_reproduce_state(hass, others, context=context.context)
        for effect in chain.from_iterable(values.values()):
            await self.async_act(effect, context.context)
        told = [{"name": name_of(hass, x.entity_id), "state": x.state} for x in states]
        return {"restored": told}

    def _chosen(self, arguments: Arguments) -> list[State]:
        chosen = arguments.get(_ENTITY_IDS)
        changes = () if self.context.planned else self._changes
        return [x for x in changes if chosen is None or x.entity_id in chosen]


def _values(hass: HomeAssistant, state: State) -> list[Effect]:
    """Return what sets values back that a reproduced state would not, like a volume."""
    now, is_player = hass.states.get(state.entity_id), state.domain == "media_player"
    if now is None or now.state != state.state or not (is_player or now.state == "off"):
        return []
    values = {**domain_of(state.domain).values, **(_VOLUME if is_player else {})}
    return [
        Effect(state.entity_id, service, {key: state.attributes[shown]})
        for service, (shown, key) in values.items()
        if state.attributes.get(shown) not in (None, now.attributes.get(shown))
    ]


class Why(Ability):
    """Tells what Lumo did and why."""

    name = f"{DOMAIN}__why"
    title = "Why"
    description = "What you did lately, for whom, and why something was not done."
    parameters = schema("name")
    is_personal: ClassVar = True

    @override
    async def async_run(self, arguments: Arguments, context: llm.LLMContext) -> Result:
        journal = self.context.journal
        assert journal
        name = str(arguments.get("name") or "").strip()
        states = self.finder().all({"name": name}) if name else []
        there = {state.entity_id for state in self.exposed()}
        wanted = {state.entity_id for state in states}
        entries = [
            entry
            for entry in reversed(journal.records)
            # What acted on nothing that is exposed is nobody's business.
            if (
                entry.entities & there
                if entry.entities
                else self.context.scope is None or self._is_own(entry.speaker)
            )
            and (not states or entry.entities & wanted)
        ]
        data: dict[str, Any] = {"remembered_since": moment_text(journal.since)}
        told = [*self._by_routines(wanted or there)]
        for entry in entries:
            what = _what(self.hass, entry, there, self._is_own(entry.speaker))
            when, who = moment_text(entry.at), self._who(entry.speaker)
            told.append(f"{when}, {who}: {'; '.join(what)}.")
        nothing = f"Lumo did nothing{' with that' if states else ''}."
        data["latest_first"] = told or [nothing]
        return data

    def _by_routines(self, ids: set[str]) -> Iterator[str]:
        kept = self.context.routines
        for run in kept.runs if kept and self.context.scope is None else ():
            states = (self.hass.states.get(x.entity_id) for x in run.changed(self.hass))
            things = filter(None, states)
            shown = [f"{x.name} is {x.state}" for x in things if x.entity_id in ids]
            if shown:
                alias, when = run.routine.item["alias"], run.routine.when
                what = f"the routine {alias} ({when}): {', '.join(shown)}"
                yield f"{moment_text(run.at)}, {what}."

    def _is_own(self, speaker: Speaker | None) -> bool:
        return bool(speaker and speaker.is_same_person(self.context.speaker))

    def _who(self, speaker: Speaker | None) -> str:
        """Return who spoke and where; a name only if the person is exposed."""
        area, said, who = None, "", "somebody"
        if speaker and self.context.scope is None:
            area = area_of(self.hass, speaker)
        if speaker is None or not speaker.is_person:
            who = "an automation or a script"
        elif self._is_own(speaker):
            who, said = "the person who asks", " ".join(speaker.sentence.split())
        elif speaker.user_id:
            for state in self.exposed("person"):
                if state.attributes.get("user_id") == speaker.user_id:
                    who = name_of(self.hass, state.entity_id)
        where = f", in the {area.name}{',' if said else ''}" if area else ""
        words = f" said “{said[:_MAX_SENTENCE_CHARACTERS]}”" if said else ""
        return f"{who}{where}{words}"


def _what(
    hass: HomeAssistant, entry: CallRecord, there: set[str], is_own: bool
) -> Iterator[str]:
    def names(entity_ids: Iterable[str]) -> str:
        shown = dict.fromkeys(name_of(hass, x) for x in entity_ids if x in there)
        return ", ".join(shown)

    def shown(ask: Ask) -> str:
        # What somebody is reminded of is their own.
        own = ask.name if ask.phrase != "do_remind" else ""
        words = "use" if ask.is_own else _words(ask.phrase)
        return f"{words} {names(sorted(ask.entities)) or own}".rstrip()

    title = title_of(entry.title)
    done: dict[str, list[str]] = {}
    for effect in entry.effects or entry.reached:
        words = title if effect.service == CHANGE else _words(effect.phrase)
        if effect.value:
            words = f"{words.removesuffix(' to')} to {effect.value}"
        done.setdefault(words, []).append(effect.entity_id)
    actions = [f"{words} {item}" for words, ids in done.items() if (item := names(ids))]
    asked = ", ".join(dict.fromkeys(map(shown, entry.asked)))
    if actions:
        how = f"{' at home' * entry.at_home}{' after a yes' * entry.confirmed}"
        yield f"done{how}: {', '.join(actions)}"
        if silent := names(entry.silent):
            yield f"no answer from {silent}"
    elif not asked:
        concerned = names(sorted(entry.targets))
        yield f"{title} ({concerned})" if concerned else title
    if entry.is_running:
        yield "begun, it went on"
    # What a person was asked is theirs; an automation was asked nothing.
    is_told = asked and (is_own or not (entry.speaker and entry.speaker.is_person))
    about = f" ({asked})" if is_told else ""
    if entry.refusal:
        yield f"not done{about}: {entry.refusal}"
    elif asked:
        reply = _REPLIES.get(entry.reply, "the answer was no clear yes")
        yield f"asked first{about}: {reply}"
    if entry.failure:
        yield f"failed: {entry.failure}"


def _words(phrase: str) -> str:
    words = phrase.removeprefix("do_").split("_")
    # Of what is used or run it is said only that it is.
    return words[0] if words[0] in ("use", "run") else " ".join(words)
