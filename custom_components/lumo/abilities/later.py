"""Later: one call, or a reminder, at a time or when something becomes so, once.

The call is judged when it is planned (`planning_judge.py`) and again when it is due.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
import re
from typing import Any, ClassVar, Final, NamedTuple, override

from homeassistant.components.zone import ENTITY_ID_HOME
from homeassistant.core import HomeAssistant
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import config_validation as cv, llm
from homeassistant.helpers.sun import get_astral_event_next
from homeassistant.util import dt as dt_util
import probatio

from ..const import DOMAIN
from ..gate.mention import Sentence
from ..gate.names import is_exposed, own_names_of
from ..gate.own_tool import FROM_OUTSIDE, Arguments
from ..languages import LANGUAGES
from ..languages.form import Language
from ..text import as_searched
from .ability import Ability, AbilityContext, ahead, optional_texts
from .changes import async_meant
from .finder import has_like
from .periods import moment_of
from .plans import DAYS, Plans, ScheduledTask, Trigger
from .result_texts import bounded, moment_text, spoken_day

# What the gate adds to the arguments of a call that plans: when, so that "in ten minutes"
# means the same after a question; the call that was judged, by the full name of its
# tool; that call as it is to run; that a reminder may be somebody else's words.
TRIGGER: Final = "trigger"
JUDGED: Final = "judged"
CALL: Final = "call"
FOREIGN: Final = "foreign"
# What a call does: one of these.
_ACTIONS: Final = ("say", "tool", "cancel")
_NEVER: Final = ("later", "alarm_clock", "undo", "HassStartTimer")
_MAX_REMINDER_CHARACTERS: Final = 500
_LONGEST: Final = timedelta(days=366)
_LONGEST_WAIT: Final = timedelta(days=7)
CLOCK: Final = re.compile(r"\d{1,2}:\d\d")
_UNITS: Final = {
    "s": "seconds",
    "m": "minutes",
    "h": "hours",
    "d": "days",
    "w": "weeks",
}
# Those of time in `languages/`.
_TIMES: Final = ("s", "min", "h")
_WORDS: Final = re.compile(r"\d+|[^\W\d_]+|[%°]")
_UNIT: Final = r"s(?:ec(?:ond)?)?|m(?:in(?:ute)?)?|h(?:r|our)?|d(?:ay)?|w(?:eek)?"
_PART: Final = re.compile(rf"(\d+(?:\.\d+)?)\s*({_UNIT})s?(?:,| and)?\s*")
_LENGTH: Final = re.compile(rf"(?:in )?(?:{_PART.pattern})+")


class Delayed(NamedTuple):
    """What a call plans."""

    trigger: Trigger
    say: str
    tool: llm.Tool | None
    """The tool that is to be called; None: something is to be said."""
    arguments: dict[str, Any]


class Later(Ability):
    """Plans calls and reminders, lists and cancels them."""

    name = f"{DOMAIN}__later"
    title = "Later"
    description = (
        "Plan one call of a tool, or a reminder (say): at a time, or when an entity "
        "becomes something, once. Without arguments: the plans. To change one, cancel it "
        "and plan it anew."
    )
    parameters = probatio.Schema(
        {
            probatio.Optional("tool"): cv.string,
            probatio.Optional("arguments"): dict,
            probatio.Optional("only_if", description="{entity, is}"): dict,
            **optional_texts(
                "say",
                at="in 10 minutes|19:00|tomorrow 07:00|sunset",
                entity="",
                becomes="off|not home|above 25",
                cancel="id|name|last|all",
            ),
        }
    )
    annotations = llm.ToolAnnotations(
        destructive=False, idempotent=True, open_world=False
    )
    begins = True
    is_personal: ClassVar = True
    unshown: ClassVar = frozenset({"say"})
    hides: ClassVar[Mapping[str, str]] = {"HassStartTimer": "conversation_command"}
    rings: ClassVar[bool] = False
    """What it plans is an alarm."""

    def __init__(self, context: AbilityContext) -> None:
        super().__init__(context)
        # A length of time begins when it was asked for, however often a call is judged.
        self.now = dt_util.now()

    @property
    @override
    def is_useful(self) -> bool:
        speaker, plans = self.context.speaker, self.context.plans
        return speaker is None or (speaker.is_person and plans is not None)

    @property
    def _plans(self) -> Plans:
        assert self.context.plans is not None
        return self.context.plans

    async def async_read(
        self, hass: HomeAssistant, arguments: Arguments
    ) -> Delayed | None:
        """Return what a call plans, None if nothing. Raises HomeAssistantError."""
        wanted = [key for key in _ACTIONS if str(arguments.get(key) or "").strip()]
        if len(wanted) > 1:
            raise HomeAssistantError(f"Either {' or '.join(wanted)}: make two calls.")
        if wanted in ([], ["cancel"]):
            return None
        if given := arguments.get(TRIGGER):
            trigger = Trigger.from_json(given)
        else:
            trigger = await self.async_trigger(hass, arguments)
            if only_if := arguments.get("only_if"):
                is_so = await async_meant(
                    hass, self.finder(hass), self.speaker, only_if
                )
                trigger = replace(trigger, only_if=is_so)
        if say := str(arguments.get("say") or "").strip()[:_MAX_REMINDER_CHARACTERS]:
            return Delayed(trigger, say, None, {})
        assert self.context.understand
        if judged := arguments.get(JUDGED):
            tool, _ = self.context.understand(judged[0], None)
            inner = judged[1]
        else:
            tool, inner = self.context.understand(
                arguments["tool"], arguments.get("arguments", {})
            )
        if tool.annotations.read_only:
            raise HomeAssistantError("That only reads. Plan a reminder: say.")
        if tool.name.rpartition("__")[2] in _NEVER:
            raise HomeAssistantError("That cannot be planned.")
        return Delayed(trigger, "", ahead(tool), inner)

    async def async_trigger(self, hass: HomeAssistant, arguments: Arguments) -> Trigger:
        """Return the one trigger of the arguments. Raises HomeAssistantError."""
        now, read = self.now, str(arguments.get("at") or "").strip()
        if bool(read) is bool(arguments.get("entity")):
            raise HomeAssistantError("Say when: either at, or entity and becomes.")
        if read:
            at = time_of(hass, read, now)
            if not now < at <= now + _LONGEST:
                raise HomeAssistantError("That is over, or more than a year away.")
            return Trigger(at=at.timestamp())
        trigger = await async_meant(hass, self.finder(hass), self.speaker, arguments)
        trigger = replace(trigger, at=(now + _LONGEST_WAIT).timestamp())
        if (state := hass.states.get(trigger.entity_id)) and trigger.is_met(state):
            raise HomeAssistantError(
                f"That is so already: {state.name} is {state.state}. Nothing was planned."
            )
        return trigger

    @override
    async def async_run(
        self, hass: HomeAssistant, arguments: Arguments, context: llm.LLMContext
    ) -> dict[str, Any]:
        if cancel := str(arguments.get("cancel") or "").strip():
            chosen = self._find(cancel)
            await self._plans.async_remove([plan.id for plan in chosen])
            return {"cancelled": [self._described(plan) for plan in chosen]}
        if TRIGGER not in arguments:
            found = self._here()
            data: dict[str, Any] = {"plans": bounded(list(map(self._described, found)))}
            if any(plan.is_foreign for plan in found):
                data[FROM_OUTSIDE] = True
            return data
        speaker, call = self.speaker, arguments.get(CALL)
        plan = await self._plans.async_add(
            ScheduledTask(
                agent=self.context.agent,
                trigger=Trigger.from_json(arguments[TRIGGER]),
                call=call,
                say=""
                if call
                else str(arguments["say"]).strip()[:_MAX_REMINDER_CHARACTERS],
                is_foreign=bool(arguments.get(FOREIGN)),
                rings=self.rings,
                user_id=speaker.user_id,
                # Who signs in may claim to be any satellite.
                satellite_id=None if speaker.user_id else speaker.satellite_id,
                device_id=speaker.device_id,
                language=speaker.language,
                created=dt_util.utcnow().timestamp(),
            )
        )
        self.context.on_plan(plan.id)
        return {"planned": self._described(plan)}

    def _find(self, text: str) -> list[ScheduledTask]:
        """Return the plans that an id, a name, "last" or "all" stands for."""
        plans = [
            plan for plan in self._here(acts=True) if plan.call or self._may_know(plan)
        ]
        if text == "last" and plans:
            return [max(plans, key=lambda plan: plan.created)]
        found = plans if text == "all" else [plan for plan in plans if plan.id == text]
        found = found or [
            plan for plan in plans if has_like([*plan.names, plan.say], text)
        ]
        if not found:
            there = bounded(list(map(self._described, plans)))
            raise HomeAssistantError(f"There is no such plan. {there}")
        return found

    def _here(self, *, acts: bool = False) -> list[ScheduledTask]:
        """Return the plans that may be told, or changed, by the rules of the place."""
        scope, speaker = self.context.scope, self.speaker
        return [
            plan
            for plan in self._plans
            if scope is None
            or plan.is_by(speaker)
            or (
                plan.entities
                and all(map(scope.acts if acts else scope.reads, plan.entities))
            )
        ]

    def _may_know(self, plan: ScheduledTask) -> bool:
        return plan.is_of(self.speaker.user_id)

    def _described(self, plan: ScheduledTask) -> dict[str, Any]:
        trigger = plan.trigger
        told: dict[str, Any] = {"id": plan.id}
        if plan.say:
            told["say"] = plan.say if self._may_know(plan) else "somebody's reminder"
        elif plan.call:
            told["does"] = [
                " ".join(filter(None, (part[0].removeprefix("do_"), *part[1:])))
                for part in plan.call.does
            ]
        if trigger.entity_id or trigger.days or trigger.only_if:
            told["when"] = spoken_when(trigger, LANGUAGES["en"])
        told["until" if trigger.entity_id else "at"] = moment_text(plan.next_at)
        return told


def is_said(
    hass: HomeAssistant, trigger: Trigger, arguments: Arguments, sentence: Sentence
) -> bool:
    """Return whether a sentence says when: the thing, or all numbers of a time."""
    if trigger.entity_id:
        return is_exposed(hass, trigger.entity_id) and any(
            sentence.names(name, in_parts=False)
            for name in own_names_of(hass, trigger.entity_id)
        )
    numbers = [int(item) for item in re.findall(r"\d+", str(arguments.get("at")))]
    said = _said_numbers(sentence)
    # Seven is also seven in the evening.
    return any(numbers) and all(
        not said.isdisjoint((item, item % 12)) for item in filter(None, numbers)
    )


def _said_numbers(sentence: Sentence) -> set[int]:
    """Return the numbers of a sentence that may be a time: not "to 10 percent"."""
    language = sentence.language
    others = {"%", "°"}.union(
        *(
            (*_WORDS.findall(form)[:1], form.replace(" ", ""))
            for unit, forms in language.units.items()
            if unit.casefold() not in _TIMES
            for form in as_searched(forms).split("|")
        )
    )
    numbers = {
        name: number
        for number, names in enumerate(language.numbers.split())
        for name in as_searched(names).split("|")
    }
    words = _WORDS.findall(as_searched(sentence.text))
    return {
        int(word) if word.isdigit() else numbers[word]
        for word, behind in zip(words, [*words[1:], ""], strict=True)
        if (word.isdigit() or word in numbers) and behind not in others
    }


def _later(text: str, now: datetime) -> datetime | None:
    """Return when "in 10 minutes" or "1 hour 30 minutes" is."""
    if not _LENGTH.fullmatch(text):
        return None
    days = hours = timedelta()
    for number, word in _PART.findall(text):
        length = timedelta(**{_UNITS[word[0]]: float(number)})
        if word[0] in "dw":
            days += length
        else:
            hours += length
    return (now + days).astimezone(UTC) + hours


def time_of(hass: HomeAssistant, text: str, now: datetime) -> datetime:
    """Return a time. Raises HomeAssistantError."""
    folded = text.casefold()
    if later := _later(folded, now):
        return later
    if folded in ("sunrise", "sunset"):
        return get_astral_event_next(hass, folded)
    first, last = moment_of(text, now)
    if first != last:
        raise HomeAssistantError("Say a time of the day, too: tomorrow 07:00.")
    if first <= now and CLOCK.fullmatch(text):
        first += timedelta(days=1)
    return first


def spoken_days(days: Sequence[str], language: Language) -> str:
    """Return "every day", also for no days, or "every Monday, Friday"."""
    names = language.weekdays.split()
    shown = ", ".join(names[DAYS.index(day)] for day in days)
    is_some = 0 < len(days) < len(DAYS)
    return language.said["every" if is_some else "daily"].format(days=shown)


def spoken_if(change: Trigger, language: Language) -> str:
    """Return "only if Door: open" in a language."""
    shown = "" if change.entity_id == ENTITY_ID_HOME else change.shown
    words = language.said["except" if change.leaves else "only"]
    return words.format(state=f"{change.name}: {shown}".rstrip(" :"))


def spoken_when(trigger: Trigger, language: Language) -> str:
    """Return "tomorrow, 07:00" or "when Washer: done", in a language."""
    said = language.said
    if trigger.only_if:
        when = spoken_when(replace(trigger, only_if=None), language)
        return f"{when}, {spoken_if(trigger.only_if, language)}"
    if trigger.days:
        return f"{spoken_days(trigger.days, language)}, {trigger.clock.zfill(5)}"
    if not trigger.entity_id:
        at = dt_util.as_local(dt_util.utc_from_timestamp(trigger.at))
        days = (at.date() - dt_util.now().date()).days
        near = {0: "today", 1: "tomorrow"}.get(days)
        return f"{said[near] if near else spoken_day(at, language)}, {at:%H:%M}"
    shown = "" if trigger.entity_id == ENTITY_ID_HOME else trigger.shown
    key = "unless" if trigger.leaves and shown else "when"
    return said[key].format(name=trigger.name, state=shown).rstrip(" :")
