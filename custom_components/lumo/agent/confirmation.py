"""Say what a turn was seen to do, in place of the model, which costs no request."""

from collections.abc import Collection, Iterable, Sequence
from typing import Final

from homeassistant.components import conversation

from ..abilities.later import AlarmClock, Later
from ..const import QuickConfirmation
from ..gate.call_record import CallRecord
from ..gate.effects import RING, Effect, number_of, numbers_in, value_of
from ..gate.gate import Gate
from ..gate.intents import TIMERS
from ..gate.mention import Sentence, asked_for, bare, has_condition, has_length
from ..gate.names import entity_area, name_of, spoken
from ..languages import LANGUAGES, translated
from ..languages.form import Language
from ..speech.numbers import Numbers
from .approved import plan_text
from .question import LENGTH, called, counted, some_of
from .turn_context import TurnContext

_DID_WITH_VALUE: Final = {
    "do_play_what": "did_play",
    "do_set_brightness": "did_percent",
    "do_set_position": "did_percent",
    "do_set_speed": "did_percent",
    "do_set_temperature": "did_degrees",
    "do_set_value": "did_set_value",
    "do_set_volume_to": "did_percent",
}
# What these did is heard, or there are no words for it.
_WORDLESS: Final = {
    *("do_change", "do_skip", "do_set_volume", "do_louder", "do_quieter"),
}
# The arguments that tell how long.
_SIGNS: Final = {"StartTimer": "", "IncreaseTimer": "+", "DecreaseTimer": "-"}
# More things than these are counted, not named.
_NAMED: Final = 3


class Confirmation:
    """Knows when a turn needs no words of the model, and which sentence is said instead."""

    def __init__(self, turn: TurnContext, gate: Gate, planned: Collection[str]) -> None:
        self._turn = turn
        self._gate = gate
        self._planned = planned
        self._hass = turn.hass
        self._sentences = turn.sentences

    def is_all(
        self, outcomes: Sequence[CallRecord], calls: int, sentence: str = ""
    ) -> bool:
        """Return whether calls did all that a sentence, or the turn's, wants."""
        sentence, language = sentence or self._turn.sentence, self._turn.language
        is_all = may_confirm(sentence, language, outcomes, calls, planned=self._planned)
        return is_all and not self._gate.has_left

    def is_enough(self, outcomes: Sequence[CallRecord], calls: int) -> bool:
        """Return whether these calls did all, and the model's words are not needed."""
        turn, option = self._turn, self._turn.options.quick_confirmation
        if not self.is_all(outcomes, calls) or not is_plain(
            turn.sentence, turn.language, outcomes
        ):
            return False
        pool = turn.record.usage.category if turn.record.usage else None
        if option is QuickConfirmation.ALWAYS or (
            # One more request would only be refused.
            pool and turn.quota.is_empty(pool) and pool != "max"
        ):
            return True
        return (
            option is QuickConfirmation.AUTOMATIC
            and turn.speaker.is_person
            and len({outcome.name for outcome in outcomes}) == 1
            and not turn.language.questions.match(
                asked_for(turn.sentence, turn.language)[0]
            )
        )

    def text(self, outcomes: Iterable[CallRecord]) -> str:
        """Return what was done; things are called as in the sentence that asked."""
        return self._told(outcomes, asked=self._turn.sentence)

    def so_far(self, outcomes: Iterable[CallRecord]) -> str:
        """Return what was done and what the turn has not said yet."""
        said = " ".join(
            content.content or ""
            for content in self._turn.contents
            if isinstance(content, conversation.AssistantContent)
        )
        return self._told(outcomes, said=said.casefold())

    def of_all(self, outcomes: Sequence[CallRecord], calls: int, asked: str) -> str:
        """Return what was done if that is all that a sentence `asked`."""
        is_all = self.is_all(outcomes, calls, asked)
        return self._told(outcomes, asked=asked) if is_all else ""

    def unlike(self, outcomes: Sequence[CallRecord]) -> str:
        """Return what was done if it is another value than was said."""
        sentence, language = self._turn.sentence, self._turn.language
        numbers = {*numbers_in(sentence), *Sentence(sentence, language).numbers}
        given = {x: y for call in outcomes for x, y in call.arguments.items() if y}
        effects = [x for call in outcomes for x in call.effects if "by" not in given]
        values = {number_of(effect.value) for effect in effects} - {None}
        times = " ".join(str(given.get(key)) for key in ("at", *LENGTH))
        # Seven is also seven in the evening.
        values |= numbers_in(times) - {number + 12 for number in numbers} - {0}
        is_so = values <= numbers and all(
            has_length(sentence, language, LENGTH[key]) for key in LENGTH.keys() & given
        )
        is_told = numbers or has_length(sentence, language)
        is_one = len(asked_for(sentence, language)) == 1
        return self.text(outcomes) if is_told and is_one and not is_so else ""

    def _told(
        self, outcomes: Iterable[CallRecord], said: str = "", asked: str | None = None
    ) -> str:
        """Return sentences about what was done and is not in what was `said`.

        With `asked` things are called as there, and many are counted.
        """
        hass, sentences, turn = self._hass, self._sentences, self._turn
        groups: dict[tuple[str, str], dict[str, None]] = {}
        skipped: dict[str, None] = {}
        has_more, plans = False, dict[str, None]()
        for outcome in outcomes:
            is_told = outcome.annotations.read_only or outcome.is_private
            if not outcome.success or is_told:
                continue
            if self._planned and is_plan(outcome):
                mine = (x for x in turn.plans or () if x.id in self._planned)
                texts = (plan_text(sentences, plan, turn.language) for plan in mine)
                plans |= dict.fromkeys(texts)
                continue
            if timer := _timer(outcome, LANGUAGES[translated(turn.speaker.language)]):
                plans[timer] = None
                continue
            has_more |= not outcome.effects
            skipped |= dict.fromkeys(outcome.skipped)
            values = {self._did(effect) for effect in outcome.effects}
            for effect in outcome.effects:
                name, did = name_of(hass, effect.entity_id), self._did(effect)
                color = str(effect.data.get("color_name", ""))
                if did[1] and (len(values) > _NAMED or color not in (asked or color)):
                    # From values of their own, or to a color in English.
                    did = "did_set", ""
                if asked is not None and (
                    effect.phrase in _WORDLESS and did[0] == "did_set"
                ):
                    has_more = True
                elif name not in self._gate.silent and name.casefold() not in said:
                    groups.setdefault(did, {})[effect.entity_id] = None
        told = [
            sentences(key, targets=self._targets(list(entity_ids), asked), value=value)
            for (key, value), entity_ids in groups.items()
        ]
        if plans:
            told.append(sentences("did_plan", plans="; ".join(plans)))
        if has_more:
            # A timer, a list, a script: the person knows which.
            rest = "did_rest" if asked is None else "quick_done"
            told.append(sentences("did_more" if told else rest))
        if skipped:
            told.append(
                sentences("left_alone", targets=some_of(sentences, list(skipped)))
            )
        return " ".join(told)

    def _did(self, effect: Effect) -> tuple[str, str]:
        """Return the key of the words for what was done, and the value in them."""
        key = _DID_WITH_VALUE.get(effect.phrase)
        if key and (value := value_of(self._hass, effect)):
            return key, value
        # Nobody hears here whether a phone rang.
        did = "do_send" if effect.service == RING else effect.phrase
        # What was asked as `do_turn_on` is confirmed as `did_turn_on`.
        did = did.replace("do_", "did_", 1)
        return did if did in self._sentences and not key else "did_set", ""

    def _targets(self, entity_ids: Sequence[str], asked: str | None) -> str:
        """Return the names of things; how many there are if that says more."""
        hass, sentences = self._hass, self._sentences
        if asked is None:
            names = [name_of(hass, item) for item in entity_ids]
        elif len(entity_ids) <= _NAMED:
            names = [called(hass, x, asked, self._turn.language) for x in entity_ids]
        else:
            count = counted(sentences, entity_ids)
            first, *others = [entity_area(hass, item) for item in entity_ids]
            if first is None or any(area != first for area in others):
                return count
            return f"{count} ({spoken(first.name)})"
        return some_of(sentences, list(dict.fromkeys(names)))


def may_confirm(
    sentence: str,
    language: Language,
    outcomes: Sequence[CallRecord],
    calls: int,
    *,
    planned: Collection[str] = (),
) -> bool:
    """Return whether some calls did, or `planned`, all that a sentence asked for.

    Every call acted in the home, and there were as many as the sentence has parts.
    """
    return (
        0 < len(asked_for(sentence, language)) <= calls == len(outcomes)
        and all(item.complete or (planned and is_plan(item)) for item in outcomes)
        and not any(
            outcome.annotations.read_only or outcome.annotations.open_world
            for outcome in outcomes
        )
    )


def is_plain(sentence: str, language: Language, outcomes: Sequence[CallRecord]) -> bool:
    """Return whether a sentence has no condition and no length that calls may miss."""
    text = bare(sentence, language)
    is_timed = any(is_plan(x) or x.name.rpartition("__")[2] in TIMERS for x in outcomes)
    is_open = has_length(text, language) and not is_timed
    return not (is_open or has_condition(text, language))


def is_plan(outcome: CallRecord) -> bool:
    """Return whether a call has planned something."""
    return outcome.success and outcome.name in (Later.name, AlarmClock.name)


def _timer(call: CallRecord, language: Language) -> str:
    """Return what a timer was set to or changed by: "Timer, 5 minutes"."""
    sign, unit = _SIGNS.get(call.name.rpartition("Hass")[2]), Numbers(language).unit
    told = ((call.arguments.get(key), LENGTH[key]) for key in LENGTH)
    length = " ".join(f"{n} {unit(key, str(n))}" for n, key in told if number_of(n))
    word = language.timers.split()[0].strip("*").capitalize()
    return f"{word}, {sign}{length}" if length and sign is not None else ""
