"""What is to be done later: judged calls that wait for a time or a state.

A plan is on disk before anybody is told of it. When it is due it is first marked, on
disk too, and then carried out: at most once, whatever happens in between. What is due
while Home Assistant is not running is done if that is not long ago, else told.
"""

import asyncio
from collections.abc import (
    Awaitable,
    Callable,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
    Set as AbstractSet,
)
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime
from enum import Enum
from typing import Any, Final, Self

from homeassistant.const import STATE_UNAVAILABLE, STATE_UNKNOWN
from homeassistant.core import CALLBACK_TYPE, HomeAssistant, State, callback
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers.event import (
    async_track_point_in_utc_time,
    async_track_state_change_event,
)
from homeassistant.helpers.storage import Store
from homeassistant.util import dt as dt_util

from ..const import DOMAIN, LOGGER
from ..gate.effects import number_of
from ..gate.pending import Ask

# So many may wait.
MAX_PLANS: Final = 50
# Seconds for which a yes counts that was given when it was planned.
DAY: Final = 24 * 3600
# So many seconds late something is still done.
_LATE: Final = 15 * 60
# Seconds that an unload waits for what is being carried out.
_PATIENCE: Final = 20
_VERSION: Final = 1
# Where what is not in the state itself is measured.
_MEASURED: Final = {"climate": "current_temperature", "weather": "temperature"}


class End(Enum):
    """Why a plan does not wait any more."""

    DUE = "due"
    MISSED = "later_missed"
    """Home Assistant was not running, and it is too late now."""
    EXPIRED = "later_expired"
    """What it waited for has not happened in time."""
    INTERRUPTED = "later_interrupted"
    """Home Assistant ended while it was carried out."""
    NOT_STORED = "later_not_stored"
    """It could not be noted that it is carried out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trigger:
    """A time, or a state of an entity; it happens once."""

    at: float = 0
    """When, in seconds UTC; 0: it waits for a state."""
    note: str = ""
    """What is strange about it."""
    entity_id: str = ""
    name: str = ""
    """What the entity was called."""
    states: Sequence[str] = ()
    """Any of these it must have."""
    leaves: bool = False
    """It must have none of them."""
    above: float | None = None
    below: float | None = None
    seconds: float = 0
    """For so long it must be so."""

    def is_met(self, state: State | None) -> bool:
        """Return whether a state is the one that is waited for."""
        if state is None or state.state in (STATE_UNAVAILABLE, STATE_UNKNOWN):
            return False
        if self.states:
            return (state.state in self.states) is not self.leaves
        key = _MEASURED.get(state.domain)
        value = number_of(state.attributes.get(key) if key else state.state)
        return (
            value is not None
            and (self.above is None or value > self.above)
            and (self.below is None or value < self.below)
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedCall:
    """A call as it was judged."""

    tool: str
    """The identity of the tool."""
    arguments: Mapping[str, Any]
    names: Mapping[str, str]
    """What it is about, by entity id, and what that was called."""
    approved: Sequence[str] = ()
    """What a person said yes to."""
    opens: bool = False
    """It does what is sensitive."""
    does: Sequence[Sequence[str]]
    """What it does: the key of the words, target, name and value, for each."""

    def asks(self, entities: AbstractSet[str] = frozenset()) -> list[Ask]:
        """Return the words for what it does, as a question about it has them."""
        return [
            Ask(
                self.tool,
                dict(self.arguments),
                frozenset(entities),
                phrase=phrase,
                targets=(target,) if target else (),
                name=name,
                value=value,
            )
            for phrase, target, name, value in self.does
        ]


@dataclass(frozen=True, slots=True, kw_only=True)
class ScheduledTask:
    """What is to be done later, or said, and for whom."""

    id: str = ""
    agent: str
    """The id of the agent's subentry."""
    trigger: Trigger
    calls: Sequence[PlannedCall] = ()
    say: str = ""
    is_foreign: bool = False
    """What is to be said may be somebody else's words."""
    user_id: str | None
    satellite_id: str | None
    device_id: str | None
    language: str
    created: float = 0
    expires: float = 0
    """Until when it waits for a state."""
    is_running: bool = False

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Read what is on disk."""
        return cls(
            **{
                **data,
                "trigger": Trigger(**data["trigger"]),
                "calls": [PlannedCall(**item) for item in data["calls"]],
            }
        )

    @property
    def next_at(self) -> datetime:
        """Return when it is due, or will have waited long enough."""
        return dt_util.utc_from_timestamp(self.trigger.at or self.expires)

    @property
    def names(self) -> list[str]:
        """Return what it is about."""
        return list(
            dict.fromkeys(name for call in self.calls for name in call.names.values())
        )

    @property
    def entities(self) -> set[str]:
        """Return what it waits for and what it acts on, as far as that is known."""
        found = {key for call in self.calls for key in call.names}
        return found | ({self.trigger.entity_id} - {""})

    def is_of(self, user_id: str | None) -> bool:
        """Return whether somebody may know what is said: a person's own, or anybody."""
        return self.user_id in (None, user_id)


type Ending = Callable[[ScheduledTask, End], Awaitable[None]]


@dataclass(slots=True)
class Plans:
    """The plans of an account's agents."""

    _hass: HomeAssistant
    _entry_id: str
    _end: Ending
    """Carries a plan out, or tells why not."""
    _changed: Callable[[], None] = lambda: None
    _plans: dict[str, ScheduledTask] = field(default_factory=dict)
    _waiting: dict[str, list[CALLBACK_TYPE]] = field(default_factory=dict)
    _since: dict[str, float] = field(default_factory=dict)
    """Since when it is as a plan waits for."""
    _tasks: set[asyncio.Task[None]] = field(default_factory=set)
    _lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    _last: int = 0
    """The last id that was given; none is given twice."""
    _is_stopped: bool = False

    def __iter__(self) -> Iterator[ScheduledTask]:
        """Return the plans, the next first."""
        waiting = (plan for plan in self._plans.values() if not plan.is_running)
        return iter(sorted(waiting, key=lambda plan: plan.next_at))

    def __len__(self) -> int:
        return len(self._plans)

    def get(self, plan_id: str) -> ScheduledTask | None:
        """Return a plan that waits."""
        found = self._plans.get(plan_id)
        return None if found is None or found.is_running else found

    async def async_load(self) -> None:
        """Read them; nothing is due before `async_start`."""
        stored = await _store(self._hass, self._entry_id).async_load() or {}
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
            if plan.is_running:
                self._finish(plan, End.INTERRUPTED)
            else:
                self._wait(plan)

    async def async_stop(self) -> None:
        """Wait no more; what is being carried out comes to its end."""
        for plan_id in list(self._waiting):
            self._forget(plan_id)
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=_PATIENCE)
        # What still goes on must not write over what comes after.
        self._is_stopped = True

    async def async_add(self, plan: ScheduledTask) -> ScheduledTask:
        """Keep a plan; when this returns it is on disk.

        One with an id replaces the one that has it. Raises HomeAssistantError, in words
        for the model.
        """
        if plan.id and self.get(plan.id) is None:
            raise HomeAssistantError("It is gone, or being done right now.")
        if not plan.id and len(self._plans) >= MAX_PLANS:
            raise HomeAssistantError(f"There are {MAX_PLANS} plans. Cancel some first.")
        if not plan.id:
            self._last += 1
            plan = replace(plan, id=str(self._last))
        before = self._plans.get(plan.id)
        self._plans[plan.id] = plan
        if not await self._async_save():
            self._plans.pop(plan.id)
            if before:
                self._plans[plan.id] = before
            raise HomeAssistantError("It could not be stored. Nothing was planned.")
        self._wait(plan)
        return plan

    async def async_remove(self, plan_ids: Iterable[str]) -> None:
        """Forget plans; when this returns they are gone from disk."""
        for plan_id in plan_ids:
            if self.get(plan_id):
                self._forget(plan_id)
                del self._plans[plan_id]
        if not await self._async_save():
            raise HomeAssistantError("That could not be stored.")

    async def _async_save(self) -> bool:
        """Write them; return whether they are there."""
        if self._is_stopped:
            return False
        self._changed()
        store = _store(self._hass, self._entry_id)
        async with self._lock:
            plans = [_as_json(plan) for plan in self._plans.values()]
            data = {"plans": plans, "last": self._last}
            with suppress(OSError):
                await store.async_save(data)
                return await store.async_load() == data
        return False

    def _forget(self, plan_id: str) -> None:
        self._since.pop(plan_id, None)
        for stop in self._waiting.pop(plan_id, ()):
            stop()

    @callback
    def _wait(self, plan: ScheduledTask) -> None:
        """Wait for what a plan waits for; it may be there."""
        self._forget(plan.id)
        trigger, plan_id = plan.trigger, plan.id

        @callback
        def look(event: Any = None) -> None:
            if plan := self.get(plan_id):
                self._look(plan, event)

        stops = self._waiting.setdefault(plan_id, [])
        if not trigger.at:
            stops.append(
                async_track_state_change_event(self._hass, trigger.entity_id, look)
            )
        stops.append(async_track_point_in_utc_time(self._hass, look, plan.next_at))
        look()

    def _look(self, plan: ScheduledTask, event: object = None) -> None:
        """Look whether a plan is due, and when to look again.

        `event` is the time that has come, or what has changed.
        """
        now, at = dt_util.utcnow().timestamp(), plan.trigger.at
        if isinstance(event, datetime):
            now = max(now, event.timestamp())
        if at:
            if now >= at:
                self._finish(plan, End.DUE if now - at <= _LATE else End.MISSED)
            return
        met_at = self._met_at(plan)
        if now >= plan.expires and (met_at is None or met_at > plan.expires):
            self._finish(plan, End.EXPIRED)
        elif met_at is not None and now >= met_at:
            self._finish(plan, End.DUE)
        else:
            # Another state before then changes when to look.
            stops = self._waiting[plan.id]
            while len(stops) > 2:
                stops.pop()()

            @callback
            def look(now: datetime) -> None:
                if waiting := self.get(plan.id):
                    self._look(waiting, now)

            if met_at is not None:
                then = dt_util.utc_from_timestamp(met_at)
                stops.append(async_track_point_in_utc_time(self._hass, look, then))

    def _met_at(self, plan: ScheduledTask) -> float | None:
        """Return from when on it is long enough as a plan waits for; None: it is not.

        A number changes, and stays above what it was to be above: it counts from when
        it was first seen to be.
        """
        state = self._hass.states.get(plan.trigger.entity_id)
        if state is None or not plan.trigger.is_met(state):
            self._since.pop(plan.id, None)
            return None
        now = dt_util.utcnow().timestamp()
        began = state.last_changed_timestamp if plan.trigger.states else now
        return self._since.setdefault(plan.id, began) + plan.trigger.seconds

    def _finish(self, plan: ScheduledTask, end: End) -> None:
        self._forget(plan.id)
        self._plans[plan.id] = replace(plan, is_running=True)
        task = self._hass.async_create_task(
            self._async_finish(plan, end), f"lumo_plan_{plan.id}"
        )
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _async_finish(self, plan: ScheduledTask, end: End) -> None:
        """Carry a plan out, once: what began is never begun again."""
        if not await self._async_save() and end is End.DUE:
            end = End.NOT_STORED
        try:
            await self._end(plan, end)
        finally:
            self._plans.pop(plan.id, None)
            await self._async_save()


def _store(hass: HomeAssistant, entry_id: str) -> Store[dict[str, Any]]:
    return Store(
        hass, _VERSION, f"{DOMAIN}.{entry_id}.later", private=True, atomic_writes=True
    )


def _as_json(plan: ScheduledTask) -> dict[str, Any]:
    return _plain(asdict(plan))  # type: ignore[no-any-return] # a dict stays one


def _plain(value: Any) -> Any:
    """Return what JSON gives back the same."""
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [_plain(item) for item in value]
    return value if isinstance(value, str | int | float | None) else str(value)


async def async_forget_plans(hass: HomeAssistant, entry_id: str) -> None:
    """Delete the plans of an account."""
    await _store(hass, entry_id).async_remove()
