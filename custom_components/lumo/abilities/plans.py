"""What is to be done later: judged calls and reminders that wait for their trigger.

A plan is on disk before anybody is told of it. When it is due it is marked on disk
before it runs, so it runs at most once. What came due while Home Assistant was not
running is done if that is not long ago, else reported.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from enum import Enum
from typing import Any, Final, Self

from homeassistant.core import CALLBACK_TYPE, HomeAssistant, callback
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers.event import (
    async_call_later,
    async_track_point_in_utc_time,
    async_track_state_change_event,
)
from homeassistant.helpers.json import json_bytes
from homeassistant.util import dt as dt_util
from homeassistant.util.json import json_loads_object

from ..const import DOMAIN, LOGGER
from ..gate.judged_call import Ask
from ..gate.speaker import Speaker
from ..private_store import PrivateStore
from .triggers import Trigger

MAX_PLANS: Final = 50
# Seconds for which a yes counts that was given when it was planned.
DAY: Final = 24 * 3600
# Seconds after its time in which a plan is still done, and an alarm rings.
_LATE: Final = 15 * 60
_LATE_TO_RING: Final = 10 * 60
# Seconds that an unload waits for what is being carried out.
_PATIENCE: Final = 20


class End(Enum):
    """Why a plan no longer waits; but for the first two the key of a sentence."""

    DUE = "due"
    # What had to be so was not; nobody is told.
    NOT_SO = "not_so"
    MISSED = "later_missed"
    EXPIRED = "later_expired"
    INTERRUPTED = "later_interrupted"
    NOT_STORED = "later_not_stored"


def stored(ask: Ask) -> dict[str, Any]:
    """Return a call, or what a step does, as it is on disk."""
    return {**asdict(ask), "entities": sorted(ask.entities)}


def read_ask(data: Mapping[str, Any]) -> Ask:
    """Return what `stored` was given. Raises KeyError or TypeError if it is none."""
    names, details = (tuple((x, y) for x, y in data[k]) for k in ("names", "details"))
    texts = {"targets": tuple(data["targets"]), "details": details, "names": names}
    return Ask(**{**data, **texts, "entities": frozenset(data["entities"])})


def told(asks: Iterable[Ask]) -> list[str]:
    """Return in English what is done; a sign marks what grants access."""
    words = [
        (
            "⚠" * x.grants_access,
            x.phrase.removeprefix("do_").replace("_", " ") * (not x.is_own),
            *(*x.targets, x.name, x.value, *(str(text) for _, text in x.details)),
            # "+10 min": behind a step that waits.
            x.when * x.when.startswith("+"),
        )
        for x in asks
    ]
    return [" ".join(filter(None, item)) for item in words]


@dataclass(frozen=True, slots=True, kw_only=True)
class ScheduledTask:
    """A plan: a call, or something to be said, and for whom."""

    id: str = ""
    agent: str
    trigger: Trigger
    asks: Sequence[Ask] = ()
    """The calls as they were judged, with the yes that there was for each."""
    opens: bool = False
    """They do something sensitive."""
    say: str = ""
    is_foreign: bool = False
    """What is to be said may be somebody else's words."""
    rings: bool = False
    """It is an alarm."""
    user_id: str | None
    satellite_id: str | None
    device_id: str | None
    language: str
    created: float = 0
    is_running: bool = False

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Read what is on disk. Raises KeyError or TypeError if it is no plan."""
        trigger, asks = Trigger.from_json(data["trigger"]), data.get("asks", ())
        return cls(**{**data, "trigger": trigger, "asks": [*map(read_ask, asks)]})

    def is_by(self, speaker: Speaker) -> bool:
        """Return whether this person planned it."""
        return (self.user_id, self.satellite_id) == speaker.identity

    @property
    def next_at(self) -> datetime:
        """Return when it is due, or stops waiting."""
        return dt_util.utc_from_timestamp(self.trigger.at)

    @property
    def names(self) -> list[str]:
        """Return the names of what it is about."""
        return list(dict.fromkeys(name for ask in self.asks for _, name in ask.names))

    def is_of(self, user_id: str | None) -> bool:
        """Return whether a user may know what is said."""
        return self.user_id in (None, user_id)


class Plans:
    """The plans of an account's agents."""

    def __init__(
        self,
        hass: HomeAssistant,
        entry_id: str,
        end: Callable[[ScheduledTask, End], Awaitable[None]],
        changed: Callable[[], None] = lambda: None,
    ) -> None:
        """Take what carries out a plan that ends, and who is told of changes."""
        self._hass = hass
        self._end = end
        self._changed = changed
        self._store = PrivateStore[dict[str, Any]](hass, f"{DOMAIN}.{entry_id}.later")
        self._plans: dict[str, ScheduledTask] = {}
        self._waiting: dict[str, list[CALLBACK_TYPE]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        # The alarms that rang since the start, and what ends the ringing of each.
        self.rung: dict[str, tuple[ScheduledTask, asyncio.Event]] = {}
        # No id is given twice.
        self._last = 0
        self._is_stopped = False

    def __iter__(self) -> Iterator[ScheduledTask]:
        """Return the plans that wait, the next first."""
        waiting = (plan for plan in self._plans.values() if not plan.is_running)
        return iter(sorted(waiting, key=lambda plan: plan.trigger.at))

    def __len__(self) -> int:
        return len(self._plans)

    async def async_load(self) -> None:
        """Read them; nothing is due before `async_start`."""
        stored = await self._store.async_load() or {}
        self._last = stored.get("last", 0)
        for item in stored.get("plans", ()):
            try:
                plan = ScheduledTask.from_json(item)
            except (KeyError, TypeError) as err:
                LOGGER.warning("A plan cannot be read: %s", type(err).__name__)
            else:
                self._plans[plan.id] = plan

    @callback
    def async_start(self, *_args: Any) -> None:
        """Begin to wait, once everything is there that plans are about."""
        for plan in list(self._plans.values()):
            if plan.is_running and not plan.rings:
                self._finish(plan, End.INTERRUPTED)
            else:
                self._wait(replace(plan, is_running=False))

    async def async_stop(self) -> None:
        """Stop waiting; what is running comes to its end."""
        self._is_stopped = True
        for plan_id in list(self._waiting):
            self._forget(plan_id)
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=_PATIENCE)
        # What still goes on must not write over what comes after.
        await self._store.async_close()

    async def async_add(self, plan: ScheduledTask) -> ScheduledTask:
        """Store a plan; return it with its id. Raises HomeAssistantError."""
        if len(self._plans) >= MAX_PLANS:
            raise HomeAssistantError(f"There are {MAX_PLANS} plans. Cancel some first.")
        self._last += 1
        plan = replace(plan, id=str(self._last))
        self._plans[plan.id] = plan
        if not await self._async_save():
            del self._plans[plan.id]
            raise HomeAssistantError("It could not be stored. Nothing was planned.")
        self._wait(plan)
        return plan

    async def async_skip(self, plan: ScheduledTask, at: float) -> None:
        """Leave out one time, in seconds UTC; a plan that does not recur is deleted."""
        if not plan.trigger.days:
            await self.async_remove([plan.id])
            return
        trigger = replace(plan.trigger, skipped=[*plan.trigger.skipped, at])
        self._forget(plan.id)
        self._wait(replace(plan, trigger=trigger.again(trigger.at - 1)))
        if not await self._async_save():
            raise HomeAssistantError("That could not be stored.")

    async def async_remove(self, plan_ids: Iterable[str]) -> None:
        """Delete plans. Raises as above."""
        for plan_id in {plan.id for plan in self} & {*plan_ids}:
            self._forget(plan_id)
            del self._plans[plan_id]
        if not await self._async_save():
            raise HomeAssistantError("That could not be stored.")

    async def _async_save(self) -> bool:
        self._changed()
        kept = self._plans.values()
        plans = [{**asdict(plan), "asks": [*map(stored, plan.asks)]} for plan in kept]
        data = {"plans": plans, "last": self._last}
        return await self._store.async_save(json_loads_object(json_bytes(data)))

    def _forget(self, plan_id: str) -> None:
        for stop in self._waiting.pop(plan_id, ()):
            stop()

    def _wait(self, plan: ScheduledTask) -> None:
        hass, trigger, since = self._hass, plan.trigger, 0.0
        is_new = not trigger.anew
        self._plans[plan.id] = plan
        if self._is_stopped:
            return

        @callback
        def look(event: Any = None) -> None:
            """End the plan if it is due, at a time or a change; it may be so already."""
            nonlocal since, is_new
            now, condition = dt_util.utcnow(), trigger.only_if
            at = max(now, event if isinstance(event, datetime) else now).timestamp()
            late, is_met = at - trigger.at, trigger.is_met(hass.states.get(thing))
            is_new |= not is_met
            is_met &= is_new
            since = (since or at) if is_met else 0.0
            if late >= 0 and trigger.entity_id:
                self._finish(plan, End.EXPIRED)
            elif late > (_LATE_TO_RING if plan.rings else _LATE):
                self._finish(plan, End.MISSED)
            elif late < 0 and is_met and at < since + trigger.seconds:
                if since == at:
                    stops.append(async_call_later(hass, trigger.seconds, look))
            elif late >= 0 or is_met:
                state = hass.states.get(condition.entity_id) if condition else None
                is_so = not condition or condition.is_met(state)
                self._finish(plan, End.DUE if is_so else End.NOT_SO)

        stops = [async_track_point_in_utc_time(hass, look, plan.next_at)]
        if thing := trigger.entity_id:
            stops.append(async_track_state_change_event(hass, thing, look))
        self._waiting[plan.id] = stops
        look()

    def _finish(self, plan: ScheduledTask, end: End) -> None:
        self._forget(plan.id)
        self._plans[plan.id] = replace(plan, is_running=True)
        if plan.rings:
            self.rung[plan.id] = plan, asyncio.Event()
        task = self._hass.async_create_task(
            self._async_finish(plan, end), f"lumo_plan_{plan.id}"
        )
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _async_finish(self, plan: ScheduledTask, end: End) -> None:
        if not await self._async_save() and end is End.DUE:
            end = End.NOT_STORED
        try:
            await self._end(plan, end)
        finally:
            self._plans.pop(plan.id, None)
            if plan.trigger.days:
                now = max(dt_util.utcnow().timestamp(), plan.trigger.at)
                self._wait(replace(plan, trigger=plan.trigger.again(now)))
            await self._async_save()
