"""The routines that were made here, and the drafts that wait for an administrator.

A routine is an automation in `automations.yaml`, of which all else stays byte for byte;
a draft is nowhere but here. Home Assistant's editor writes that file too, whole, under
a lock that nobody else can take (`homeassistant/components/config/view.py`).
"""

from asyncio import Lock, sleep as async_sleep
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime, timedelta
import os
from pathlib import Path
import re
from typing import Any, Final, Literal, NamedTuple, Self

from homeassistant.components.automation import (
    DOMAIN as AUTOMATION,
    EVENT_AUTOMATION_TRIGGERED,
)
from homeassistant.config import AUTOMATION_CONFIG_PATH
from homeassistant.const import ATTR_ENTITY_ID, STATE_UNAVAILABLE
from homeassistant.core import Event, HomeAssistant, State, callback
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import entity_registry as er
from homeassistant.util import dt as dt_util
from homeassistant.util.file import WriteError, write_utf8_file_atomic
from homeassistant.util.ulid import ulid_now
from homeassistant.util.yaml import dump
import yaml

from ..const import DOMAIN
from ..gate.effects import domain_of
from ..gate.judged_call import Ask
from ..gate.reach import Reach
from ..internals import entity_of
from ..private_store import PrivateStore
from .plans import read_ask, stored

MAX_DRAFTS: Final = 20
DELETES: Final = "do_delete"
# What is replaced is told, and no part of what is written; drafts of the first release
# say that it is deleted.
REPLACES: Final = "do_replace"
# Seconds for which a draft waits.
_WAITS: Final = 30 * 24 * 3600
# Seconds between the looks for it: the editor may write the file without it.
_LOOKS: Final = (1.0, 4.0)
# The most runs that are known, and for how long.
_RUNS: Final = 20
_LATELY: Final = timedelta(hours=24)
_LOADER: Final[Any] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_LIST: Final = "tag:yaml.org,2002:seq"
_EMPTY: Final = re.compile(r"\[\]\s*\Z")

# What files of the first release have, too, with all of them in one.
_GONE: Final = ("is_draft", "replaces")

type Item = Mapping[str, Any]
"""An automation without its id."""


class FileError(HomeAssistantError):
    """The file is none that can be edited; the text says why, for the model."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Routine:
    """A routine, or the draft of one."""

    item: Item
    when: str
    does: Sequence[Ask]
    """What it does; of a draft also what it replaces."""
    is_foreign: bool
    """Text from strangers may have asked for it."""
    agent: str
    """The id of the subentry of the agent that was asked for it."""
    user_id: str | None
    satellite_id: str | None
    sentence: str
    created: float = field(default_factory=lambda: dt_util.utcnow().timestamp())

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Read what is on disk. Raises KeyError or TypeError if it is none."""
        known = {key: data[key] for key in data if key not in _GONE}
        return cls(**{**known, "does": [*map(read_ask, data["does"])]})

    def is_of(self, user_id: str | None) -> bool:
        """Return whether a user may know what it says, and withdraw it as a draft."""
        return self.user_id in (None, user_id)


class Run(NamedTuple):
    """A run of a routine, with the states of what it acts on before."""

    at: datetime
    context_id: str
    routine: Routine
    before: Sequence[State]

    def changed(self, hass: HomeAssistant) -> Iterator[State]:
        """Yield the earlier states of what is still as the run has left it."""
        for state in self.before:
            now = hass.states.get(state.entity_id)
            if now and self.context_id in (now.context.id, now.context.parent_id):
                yield state


class Routines:
    """The routines of an account's agents, and drafts, by the ids that they will have."""

    def __init__(
        self,
        hass: HomeAssistant,
        entry_id: str,
        changed: Callable[[str, Routine | None], None] = lambda _id, _new: None,
    ) -> None:
        """Take who is told of changes: with what a person has asked for, and its id."""
        self._hass = hass
        self._path = hass.config.path(AUTOMATION_CONFIG_PATH)
        self._changed = changed
        self._made: dict[str, Routine] = {}
        self._drafts: dict[str, Routine] = {}
        self._before: dict[str, tuple[Routine | None, Routine | None]] = {}
        self._runs = deque[Run](maxlen=_RUNS)
        self._lock = Lock()
        self._stop: Callable[[], None] = lambda: None
        self.store = PrivateStore[dict[str, Any]](hass, f"{DOMAIN}.{entry_id}.routines")

    async def async_load(self) -> None:
        """Read them, and watch them run; what cannot be read is left out."""
        rows = await self.store.async_load() or {}
        made = rows.get("made", rows)
        drafts = {**rows.get("drafts", {})}
        for key, data in [*made.items()]:
            # In files of the first release drafts stand among them.
            if isinstance(data, dict) and data.get("is_draft"):
                changes = (x for x in data.get("replaces", ()) if x in made)
                drafts[next(changes, f"{DOMAIN}_{key}")] = made.pop(key)
        for some, kept in ((made, self._made), (drafts, self._drafts)):
            for routine_id, data in some.items():
                with suppress(KeyError, TypeError):
                    kept[routine_id] = Routine.from_json(data)
        listen = self._hass.bus.async_listen
        self._stop = listen(EVENT_AUTOMATION_TRIGGERED, self._on_run)
        self._changed("", None)

    async def async_stop(self) -> None:
        """Watch and write no more."""
        self._stop()
        await self.store.async_close()

    @callback
    def _on_run(self, event: Event) -> None:
        """Remember a run, and how things were: nothing of it is done yet."""
        hass = self._hass
        known = er.async_get(hass).async_get(event.data[ATTR_ENTITY_ID])
        if known and (routine := self._made.get(known.unique_id)):
            effects = Reach(hass, steps=routine.item["actions"]).effects
            states = map(hass.states.get, {x.entity_id: None for x in effects})
            before = [x for x in states if x and domain_of(x.domain).is_restorable]
            self._runs.append(Run(event.time_fired, event.context.id, routine, before))

    @property
    def runs(self) -> list[Run]:
        """Return the runs of the last day, the latest first."""
        oldest = dt_util.utcnow() - _LATELY
        return [run for run in reversed(self._runs) if run.at >= oldest]

    @property
    def made(self) -> dict[str, Routine]:
        """Return those that Home Assistant has."""
        return {key: x for key, x in self._made.items() if self.entity(key)}

    @property
    def drafts(self) -> dict[str, Routine]:
        """Return those that still wait, the oldest first."""
        oldest = dt_util.utcnow().timestamp() - _WAITS
        return {key: x for key, x in self._drafts.items() if x.created >= oldest}

    def entity(self, routine_id: str) -> str | None:
        """Return the entity of a routine that Home Assistant can run."""
        registry = er.async_get(self._hass)
        found = registry.async_get_entity_id(AUTOMATION, AUTOMATION, routine_id)
        state = self._hass.states.get(found) if found else None
        return None if state is None or state.state == STATE_UNAVAILABLE else found

    def is_as(self, routine_id: str, item: Item) -> bool:
        """Return whether Home Assistant has a routine as it was made here."""
        entity = entity_of(self._hass, self.entity(routine_id) or "")
        return bool(getattr(entity, "raw_config", None) == {"id": routine_id, **item})

    async def async_put(
        self,
        routine_id: str,
        new: Routine | Literal[True] | None,
        draft: Routine | None = None,
        *,
        approved: Routine | None = None,
    ) -> str:
        """Have this routine in force under an id, and let this draft wait; None: none.

        True: the one that is. Without an id it gets one, which is returned. What an
        administrator has `approved` must still wait. Raises HomeAssistantError; then all
        is as it was.
        """
        async with self._lock:
            before = self.made.get(routine_id), self.drafts.get(routine_id)
            made, waits = before
            new = made if new is True else new
            if approved not in (None, waits):
                raise HomeAssistantError("That does not wait any more.")
            routine_id = routine_id or f"{DOMAIN}_{ulid_now()}"
            if new and new is not made:
                await self._async_write(routine_id, new.item, made)
                does = [x for x in new.does if x.phrase not in (DELETES, REPLACES)]
                new = replace(new, does=does)
            elif new is not made:
                await self._async_edit(routine_id, None)
            for kept, routine in ((self._made, new), (self._drafts, draft)):
                kept.pop(routine_id, None)
                if routine:
                    kept[routine_id] = routine
            self._before[routine_id] = before
            await self._async_save()
        asked_for = new if new is not made and not approved else None
        self._changed(routine_id, draft if draft and draft is not waits else asked_for)
        return routine_id

    async def async_undo(self, ids: Iterable[str]) -> None:
        """Have of some ids what was there before the last change; raises as above."""
        for routine_id in self._before.keys() & {*ids}:
            await self.async_put(routine_id, *self._before[routine_id])

    async def _async_write(
        self, routine_id: str, item: Item, made: Routine | None
    ) -> None:
        """Write an automation, and wait until Home Assistant has it."""
        reason = "Home Assistant or its editor did not take it"
        before = made.item if made else None
        if self.entity(routine_id) and not (before and self.is_as(routine_id, before)):
            raise HomeAssistantError("Another has that id, or it was changed by hand.")
        try:
            await self._async_edit(routine_id, item)
            for seconds in _LOOKS:
                await async_sleep(seconds)
                own = self._path, routine_id, item
                is_there = await self._hass.async_add_executor_job(has, *own)
                if not is_there or not self.is_as(routine_id, item):
                    await self._async_edit(routine_id, before)
                    break
            else:
                return
        except FileError as err:
            reason = str(err)
        raise HomeAssistantError(
            f"Nothing was written: automations.yaml cannot be edited, {reason}. On a "
            "screen show this, to be copied into Home Assistant's editor:\n"
            f"{dump([{**item}])}"
        )

    async def _async_edit(self, routine_id: str, item: Item | None) -> None:
        hass = self._hass
        await hass.async_add_executor_job(edit, self._path, routine_id, item)
        data = {"id": routine_id}
        await hass.services.async_call(AUTOMATION, "reload", data, blocking=True)
        registry = er.async_get(hass)
        entity_id = registry.async_get_entity_id(AUTOMATION, AUTOMATION, routine_id)
        if item is None and entity_id:
            registry.async_remove(entity_id)

    async def _async_save(self) -> None:
        """Write what is kept; what the disk does not take is kept until a restart."""
        rows: dict[str, dict[str, Any]] = {"made": {}, "drafts": {}}
        for row, kept in zip(rows.values(), (self._made, self.drafts), strict=True):
            for key, x in kept.items():
                row[key] = {**asdict(x), "does": [*map(stored, x.does)]}
        await self.store.async_save(rows)


def edit(path: str, routine_id: str, item: Item | None) -> None:
    """Add an automation to a file, or replace or delete the one with that id.

    It blocks. Raises FileError; then the file is as it was.
    """
    real = Path(os.path.realpath(path))
    text = _read(real)
    new = edited(text, routine_id, item)
    if not os.access(real, os.W_OK):
        raise FileError("it is read-only")
    if _read(real) != text:
        raise FileError("something else is writing it")
    try:
        write_utf8_file_atomic(str(real), new.encode(), mode="wb")
    except WriteError as err:
        raise FileError("it cannot be replaced") from err
    if _read(real) != new:
        raise FileError("something else is writing it")


def has(path: str, routine_id: str, item: Item) -> bool:
    """Return whether an automation is in a file, as it was written. It blocks."""
    text = _read(Path(path))
    return edited(text, routine_id, item) == text


def edited(text: str, routine_id: str, item: Item | None) -> str:
    """Return the text with an automation, where that of its id was; None: without it.

    Raises FileError for what is no plain list of blocks.
    """
    root, spans = _parsed(text)
    end = "\r\n" if "\r\n" in text else "\n"
    is_flow = item is not None and root is not None and root.flow_style
    lines = (_EMPTY.sub("", text) if is_flow else text).splitlines(keepends=True)
    first, last = spans.get(routine_id, (len(lines), len(lines)))
    new, ids = "".join(lines[:first]), spans.keys() - {routine_id}
    if item is not None:
        ids |= {routine_id}
        new += end if new and not new.endswith("\n") else ""
        indent = " " * (0 if root is None or is_flow else root.start_mark.column)
        own = dump([{"id": routine_id, **item}]).splitlines()
        new += "".join(f"{indent}{line}{end}" for line in own)
    new += "".join(lines[last:])
    new += "" if _parsed(new)[0] else f"[]{end}"
    others = len(root.value if root else ()) - len(spans)
    root, spans = _parsed(new)
    if spans.keys() != ids or len(root.value) != len(ids) + others:
        raise FileError("it is no plain list")
    return new


def _read(path: Path) -> str:
    try:
        return path.read_bytes().decode()
    except (OSError, UnicodeDecodeError) as err:
        raise FileError("it cannot be read") from err


def _parsed(text: str) -> tuple[Any, dict[str, tuple[int, int]]]:
    """Return the list, and the first line and that behind each automation with an id.

    What stands between two of them, comments and blank lines, is of neither.
    """
    try:
        root: Any = yaml.compose(text, Loader=_LOADER)
    except yaml.YAMLError as err:
        raise FileError("it is no plain list") from err
    if root is not None and (root.tag != _LIST or (root.flow_style and root.value)):
        raise FileError("it is no plain list")
    nodes, lines = root.value if root else [], text.splitlines()
    starts = [*(node.start_mark.line for node in nodes), len(lines)]
    spans: dict[str, tuple[int, int]] = {}
    for node, first, last in zip(nodes, starts, starts[1:], strict=False):
        while last > first + 1 and lines[last - 1].strip()[:1] in ("", "#"):
            last -= 1
        pairs = node.value if isinstance(node, yaml.MappingNode) else ()
        spans |= {x.value: (first, last) for key, x in pairs if key.value == "id"}
    return root, spans
