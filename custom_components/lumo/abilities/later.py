"""Later and the alarm clock: what is done, said or rings at a time, or at a change.

A call is judged when it is planned (`planning_judge.py`) and again when it is due; it
is carried out in `agent/approved.py`.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
import re
from typing import Any, ClassVar, Final, override

from homeassistant.core import HomeAssistant
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import llm
from homeassistant.helpers.sun import get_astral_event_next
from homeassistant.util import dt as dt_util

from ..const import DOMAIN
from ..gate.mention import Sentence
from ..gate.names import is_exposed, own_names_of, spoken
from ..gate.own_tool import FROM_OUTSIDE, Arguments, Result, is_private
from ..languages import LANGUAGES
from .ability import Ability, AbilityContext, ahead, schema
from .finder import most_like
from .periods import moment_of, moment_text
from .plans import Plans, ScheduledTask, told
from .triggers import CLOCK, Trigger, async_trigger_of, days_of, spoken_when

# What the judge adds to the arguments of a call that plans: the plan, as it is stored;
# in a question with the call that is judged again after the answer.
PLAN: Final = "plan"
# What a call does: one of these.
_KINDS: Final = ("say", "tool", "cancel")
# What is no part of a plan or of a routine.
NEVER: Final = ("later", "alarm_clock", "undo", "routine", "memory", "HassStartTimer")
MAX_SAY_CHARACTERS: Final = 500
_LONGEST: Final = timedelta(days=366)
_LONGEST_WAIT: Final = timedelta(days=7)
_SNOOZE: Final = "in 10 minutes"
# How long after it was due an alarm can be snoozed.
_LATELY: Final = timedelta(hours=1)


class Later(Ability):
    """Plans calls and reminders, lists and cancels them."""

    name = f"{DOMAIN}__later"
    title = "Later"
    description = (
        "Plan one call of a tool, or a reminder (say), once: at a time, or when an entity "
        "becomes something; only_if: {entity, is} or {sun: down}. Without arguments: "
        "the plans. To change one: cancel, plan anew."
    )
    parameters = schema(
        *("tool", "say", "at: in 10 minutes|19:00|tomorrow 07:00|sunset", "entity"),
        *("becomes: off|not home|above 25", "for: 00:10"),
        "cancel: id|name|last|all|all reminders",
        arguments=dict,
        only_if=dict,
    )
    annotations = llm.ToolAnnotations(
        destructive=False, idempotent=True, open_world=False
    )
    begins = True
    is_personal: ClassVar = True
    lists: ClassVar = True
    unshown: ClassVar = frozenset({"say", PLAN})
    hides: ClassVar = {"HassStartTimer": "conversation_command"}
    rings: ClassVar[bool] = False
    """What it plans is an alarm."""

    def __init__(self, context: AbilityContext) -> None:
        super().__init__(context)
        # A length of time begins when it was asked for, however often a call is judged.
        self.now = dt_util.now()

    @override
    def is_useful(self) -> bool:
        speaker, plans = self.context.speaker, self.context.plans
        return speaker is None or (speaker.is_person and plans is not None)

    @property
    def _plans(self) -> Plans:
        assert self.context.plans is not None
        return self.context.plans

    def kind(self, arguments: Arguments) -> str:
        """Return `say`, `tool`, `cancel`, or nothing: it lists. Raises for several."""
        kinds = [key for key in _KINDS if str(arguments.get(key) or "").strip()]
        if len(kinds) > 1:
            raise HomeAssistantError(f"Either {' or '.join(kinds)}: make two calls.")
        return "".join(kinds)

    @override
    def about(self, arguments: Arguments) -> Sequence[str]:
        cancel = str(arguments.get("cancel") or "").strip()
        plans = self._find(cancel) if cancel else ()
        tools = [", ".join(ask.name for ask in plan.asks) for plan in plans]
        named = zip(plans, tools, strict=True)
        names = [spoken(x.say or ", ".join(x.names) or tool) for x, tool in named]
        whens = [spoken_when(plan.trigger, self.language) for plan in plans]
        return [f"{x} ({y})".strip() for x, y in zip(names, whens, strict=True)]

    def text(self, arguments: Arguments) -> str:
        """Return what is to be said."""
        return str(arguments["say"]).strip()[:MAX_SAY_CHARACTERS]

    async def async_trigger(self, arguments: Arguments) -> Trigger:
        """Return the one trigger of the arguments. Raises HomeAssistantError."""
        now, read = self.now, str(arguments.get("at") or "").strip()
        trigger, only_if = Trigger(), None
        if bool(read) is bool(arguments.get("entity")):
            raise HomeAssistantError("Say when: either at, or entity and becomes.")
        if read.casefold() in ("sunrise", "sunset"):
            at = get_astral_event_next(self.hass, read.casefold())
        elif read:
            at, last = moment_of(read, now)
            if at != last:
                raise HomeAssistantError("Say a time of the day, too: tomorrow 07:00.")
            if at <= now and CLOCK.fullmatch(read):
                at += timedelta(days=1)
            if not now < at <= now + _LONGEST:
                raise HomeAssistantError("That is over, or more than a year away.")
        else:
            at = now + _LONGEST_WAIT
            trigger = await async_trigger_of(self.finder(), arguments)
            state = self.hass.states.get(trigger.entity_id)
            if state and trigger.is_met(state) and not trigger.lasts:
                if state.domain != "person":
                    is_so = f"That is so already: {state.name} is {state.state}."
                    raise HomeAssistantError(f"{is_so} Nothing was planned.")
                # Who says "when I get home" may not have left yet.
                trigger = replace(trigger, anew=True)
        if given := arguments.get("only_if"):
            only_if = await async_trigger_of(self.finder(), given)
        return replace(trigger, at=at.timestamp(), only_if=only_if)

    @override
    async def async_run(self, arguments: Arguments, context: llm.LLMContext) -> Result:
        if cancel := str(arguments.get("cancel") or "").strip():
            chosen = self._find(cancel)
            await self._plans.async_remove([plan.id for plan in chosen])
            return {"cancelled": [self._described(plan) for plan in chosen]}
        if PLAN not in arguments:
            found = self._here()
            is_foreign = any(plan.is_foreign for plan in found)
            more = {FROM_OUTSIDE: True} if is_foreign else {}
            return {"plans": [*map(self._described, found)], **more}
        speaker = self.speaker
        task = {
            **arguments[PLAN],
            "agent": self.context.agent,
            "rings": self.rings,
            "user_id": speaker.user_id,
            # Who signs in may claim to be any satellite.
            "satellite_id": None if speaker.user_id else speaker.satellite_id,
            "device_id": speaker.device_id,
            "language": speaker.language,
            "created": dt_util.utcnow().timestamp(),
        }
        return {"planned": await self._async_add(ScheduledTask.from_json(task))}

    async def _async_add(self, task: ScheduledTask) -> dict[str, Any]:
        plan = await self._plans.async_add(task)
        self.context.on_plan(plan.id)
        return self._described(plan)

    def _find(self, text: str) -> list[ScheduledTask]:
        here, text, now = self._here(), text.casefold(), self.now.timestamp()
        # What the same turn has planned anew is meant by its id alone.
        plans = [x for x in here if x.created < now or x.id == text] or here
        if text == "last" and plans:
            return [max(plans, key=lambda plan: plan.created)]
        is_all, wanted = text.startswith("all"), text.removeprefix("all")
        told = [(plan, f"{self._described(plan)} {plan.names}") for plan in plans]
        found = [plan for plan in plans if plan.id == text] or most_like(told, wanted)
        found = plans if is_all and not wanted else found
        if not found or (len(found) > 1 and not is_all):
            how = "Say which id, or all" if found else "There is no such plan"
            there = str([*map(self._described, found or plans)])
            raise HomeAssistantError(f"{how}. {re.sub("[][{}']", '', there)}")
        return found

    def _here(self) -> list[ScheduledTask]:
        """Return the plans that the person may know: not somebody's reminder."""
        is_free, who = self.context.scope is None, self.speaker
        here = [plan for plan in self._plans if is_free or plan.is_by(who)]
        return [plan for plan in here if plan.asks or plan.is_of(who.user_id)]

    def _described(self, plan: ScheduledTask) -> dict[str, Any]:
        trigger, does = plan.trigger, told(plan.asks)
        row: dict[str, Any] = {"id": plan.id}
        row |= {"does": does} if does else {["reminder", "alarm"][plan.rings]: plan.say}
        if trigger.entity_id or trigger.days or trigger.only_if:
            row["when"] = spoken_when(trigger, LANGUAGES["en"])
        row["until" if trigger.entity_id else "at"] = moment_text(plan.next_at)
        return row


class AlarmClock(Later):
    """Sets alarms; stops, snoozes and skips them."""

    name = f"{DOMAIN}__alarm_clock"
    title = "Alarm clock"
    description = "Wake somebody, list alarms. days: mon ... skip: next, or at."
    parameters = schema("at", "edit: stop|snooze|skip", days=list)
    rings: ClassVar = True

    @override
    def kind(self, arguments: Arguments) -> str:
        return "say" if arguments and not arguments.get("edit") else ""

    @override
    def text(self, arguments: Arguments) -> str:
        return self.language.said["alarm"]

    @override
    async def async_trigger(self, arguments: Arguments) -> Trigger:
        at, days = str(arguments.get("at") or "").strip(), arguments.get("days")
        if not days:
            return await super().async_trigger({"at": at})
        if not CLOCK.fullmatch(at):
            raise HomeAssistantError("With days, at is a time like 07:00.")
        return Trigger(clock=at, days=days_of(days)).again(self.now.timestamp())

    @override
    async def async_run(self, arguments: Arguments, context: llm.LLMContext) -> Result:
        edit, at = arguments.get("edit"), str(arguments.get("at") or "").strip()
        if not edit:
            return await super().async_run(arguments, context)
        if edit == "skip":
            return await self._async_skip(at)
        oldest, rung = dt_util.utcnow() - _LATELY, self._plans.rung.values()
        own = [x for x in rung if x[0].is_of(self.speaker.user_id)]
        mine = [x for x in own if x[0].next_at >= oldest]
        if not mine:
            raise HomeAssistantError("No alarm rings or has just rung.")
        for _, awake in mine:
            awake.set()
        if edit == "stop":
            return {"done": "It is not repeated."}
        trigger = await self.async_trigger({"at": at or _SNOOZE})
        last, _ = max(mine, key=lambda item: item[0].trigger.at)
        for plan, _ in mine:
            # It is snoozed once.
            del self._plans.rung[plan.id]
        return {"rings_again": await self._async_add(replace(last, trigger=trigger))}

    async def _async_skip(self, at: str) -> dict[str, Any]:
        alarms = self._here()
        first, last = moment_of(at, self.now) if at else (self.now, self.now)
        for plan, due in ((x, due) for x in alarms for due in x.trigger.week()):
            if not at or first <= due <= last or f"{due:%H:%M}" == at.zfill(5):
                await self._plans.async_skip(plan, due.timestamp())
                left = [*map(self._described, self._here())]
                return {"skipped": moment_text(due), "alarms": left}
        there = ", ".join(moment_text(plan.next_at) for plan in alarms)
        raise HomeAssistantError(f"None rings then. Next: {there}.")

    @override
    def _here(self) -> list[ScheduledTask]:
        return [plan for plan in super()._here() if plan.rings]


def understood(
    context: AbilityContext, name: str, arguments: object
) -> tuple[llm.Tool, dict[str, Any]]:
    """Return a tool and fitting arguments for a later call. Raises HomeAssistantError."""
    assert context.understand
    tool, fitting = context.understand(name, arguments)
    if tool.annotations.read_only:
        raise HomeAssistantError("That only reads. To tell something later: say.")
    if is_private(tool) or tool.name.rpartition("__")[2] in NEVER:
        raise HomeAssistantError("That cannot be a part of a plan or a routine.")
    return ahead(tool), fitting


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
    # Seven is also seven in the evening.
    return any(numbers) and all(
        not sentence.numbers.isdisjoint((item, item % 12))
        for item in filter(None, numbers)
    )
