"""An alarm clock: a plan that rings where it was set, once or on days of the week.

It rings as a timer of the satellite does, with its own sound and button. Whether that
was heard cannot be seen: unless somebody speaks there within a minute it is announced,
then sent to the phone.
"""

import asyncio
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from typing import Any, ClassVar, Final, override

from homeassistant.const import ATTR_ENTITY_ID, STATE_UNAVAILABLE
from homeassistant.core import Event, EventStateChangedData, HomeAssistant, callback
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import entity_registry as er, intent, llm
from homeassistant.helpers.event import async_track_state_change_event
from homeassistant.util import dt as dt_util
import probatio

from ..const import DOMAIN, LOGGER
from ..gate.own_tool import Arguments
from .ability import optional_texts
from .later import CLOCK, TRIGGER, Delayed, Later
from .periods import moment_of
from .plans import DAYS, ScheduledTask, Trigger
from .result_texts import moment_text
from .tell import LOUD, phones_of

# Their timers ring; those of phones and telephones only say so.
_RINGING: Final = ("esphome", "wyoming")
_LISTENS: Final = ("listening", "processing")
# Seconds that somebody has to speak, before the next way is tried.
_PATIENCE: Final = 60
_SNOOZE: Final = "in 10 minutes"
# How long after it was due an alarm can be snoozed.
_LATELY: Final = timedelta(hours=1)


class AlarmClock(Later):
    """Sets alarms; stops, snoozes and skips them."""

    name = f"{DOMAIN}__alarm_clock"
    title = "Alarm clock"
    description = "Wake somebody. skip: next, or at. List, cancel: later."
    parameters = probatio.Schema(
        {
            **optional_texts("at", edit="stop|snooze|skip"),
            probatio.Optional("days", description="mon to sun"): list,
        }
    )
    rings: ClassVar = True

    @override
    async def async_read(
        self, hass: HomeAssistant, arguments: Arguments
    ) -> Delayed | None:
        if arguments.get("edit"):
            return None
        at, days = str(arguments.get("at") or "").strip(), arguments.get("days")
        if given := arguments.get(TRIGGER):
            trigger = Trigger.from_json(given)
        elif not days:
            trigger = await self.async_trigger(hass, {"at": at})
        elif CLOCK.fullmatch(at):
            short = [str(day)[:3].casefold() for day in days]
            recurs = Trigger(at=0, clock=at, days=[x for x in DAYS if x in short])
            trigger = recurs.again(self.now.timestamp())
        else:
            raise HomeAssistantError("With days, at is a time like 07:00.")
        return Delayed(trigger, self.language.said["alarm"], None, {})

    @override
    async def async_run(
        self, hass: HomeAssistant, arguments: Arguments, context: llm.LLMContext
    ) -> dict[str, Any]:
        edit, at = arguments.get("edit"), str(arguments.get("at") or "").strip()
        if not edit:
            told = {**arguments, "say": self.language.said["alarm"]}
            return await super().async_run(hass, told, context)
        if edit == "skip":
            return await self._async_skip(at)
        oldest, rung = dt_util.utcnow() - _LATELY, self._plans.rung.values()
        mine = [x for x in rung if self._may_know(x[0]) and x[0].next_at >= oldest]
        if not mine:
            raise HomeAssistantError("No alarm rings or has just rung.")
        for _, awake in mine:
            awake.set()
        if edit == "stop":
            return {"done": "It is quiet."}
        trigger = await self.async_trigger(hass, {"at": at or _SNOOZE})
        last, _ = max(mine, key=lambda item: item[0].trigger.at)
        plan = await self._plans.async_add(replace(last, trigger=trigger))
        self.context.on_plan(plan.id)
        return {"rings_again": moment_text(plan.next_at)}

    async def _async_skip(self, at: str) -> dict[str, Any]:
        """Leave out the next alarm, or the next one on a day or at a time."""
        alarms = [x for x in self._here(acts=True) if x.rings and self._may_know(x)]
        first, last = moment_of(at, self.now) if at else (self.now, self.now)

        def is_meant(plan: ScheduledTask) -> bool:
            due = dt_util.as_local(plan.next_at)
            return not at or first <= due <= last or f"{due:%H:%M}" == at.zfill(5)

        if not (found := [plan for plan in alarms if is_meant(plan)]):
            there = [moment_text(plan.next_at) for plan in alarms]
            raise HomeAssistantError(f"None rings then. Next: {', '.join(there)}.")
        told = {"skipped": moment_text(found[0].next_at)}
        if not found[0].trigger.days:
            await self._plans.async_remove([found[0].id])
            return told
        plan = await self._plans.async_skip(found[0])
        return {**told, "next": moment_text(plan.next_at)}


async def async_ring(
    hass: HomeAssistant,
    plan: ScheduledTask,
    text: str,
    awake: asyncio.Event,
    owner: str | None,
) -> bool:
    """Ring until somebody is awake; return whether anything was reached.

    The `text` is said and sent; `owner` is the person whose satellite it is, if known.
    """

    @callback
    def on_change(event: Event[EventStateChangedData]) -> None:
        state = event.data["new_state"]
        if state and state.state in _LISTENS:
            awake.set()

    stop = async_track_state_change_event(hass, plan.satellite_id or (), on_change)
    is_reached = False
    try:
        for way in (_async_start_timer, _async_announce, _async_send):
            try:
                async with asyncio.timeout(_PATIENCE):
                    await way(hass, plan, text, owner)
            except Exception as err:  # noqa: BLE001 # the next way is tried
                LOGGER.debug("An alarm cannot ring so: %s", type(err).__name__)
                continue
            is_reached = True
            with suppress(TimeoutError):
                async with asyncio.timeout(_PATIENCE):
                    await awake.wait()
            if awake.is_set():
                break
    finally:
        stop()
    return is_reached


async def _async_start_timer(
    hass: HomeAssistant, plan: ScheduledTask, *_more: Any
) -> None:
    known = er.async_get(hass).async_get(plan.satellite_id or "")
    if known is None or known.platform not in _RINGING:
        raise HomeAssistantError("Its timers do not ring.")
    slots = {"seconds": {"value": 1}, "name": {"value": plan.say}}
    await intent.async_handle(
        hass,
        DOMAIN,
        intent.INTENT_START_TIMER,
        slots,
        language=plan.language,
        device_id=known.device_id,
    )


async def _async_announce(
    hass: HomeAssistant, plan: ScheduledTask, text: str, _owner: str | None
) -> None:
    state = hass.states.get(plan.satellite_id or "")
    if state is None or state.state == STATE_UNAVAILABLE:
        raise HomeAssistantError("No satellite is there.")
    data = {ATTR_ENTITY_ID: state.entity_id, "message": text}
    await hass.services.async_call("assist_satellite", "announce", data, blocking=True)


async def _async_send(
    hass: HomeAssistant, plan: ScheduledTask, text: str, owner: str | None
) -> None:
    people = [
        state
        for state in hass.states.async_all("person")
        if (plan.user_id and state.attributes.get("user_id") == plan.user_id)
        or state.entity_id == owner
    ]
    actions = [action for state in people for action in phones_of(hass, state)]
    if not actions:
        raise HomeAssistantError("There is no phone.")
    data = {"message": text, "data": LOUD}
    calls = (hass.services.async_call("notify", x, data, True) for x in actions)
    await asyncio.gather(*calls)
