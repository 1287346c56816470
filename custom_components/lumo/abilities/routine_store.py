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
from typing import Any, Final, NamedTuple, Self

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
from homeassistant.util.yaml import dump, parse_yaml
import yaml

from ..const import DOMAIN
from ..gate.effects import domain_of
from ..gate.judged_call import Ask
from ..gate.reach import Reach
from ..internals import entity_of
from ..private_store import PrivateStore
from .plans import read_ask, stored

MAX_DRAFTS: Final = 20
# The key of the words for what is replaced: it is no part of what is written.
DELETES: Final = "do_delete"
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
    is_draft: bool
    is_foreign: bool
    """Text from strangers may have asked for it."""
    agent: str
    """The id of the subentry of the agent that was asked for it."""
    user_id: str | None
    satellite_id: str | None
    sentence: str
    replaces: Sequence[str] = ()
    """The ids of the drafts, and of the routine, that it takes the place of."""
    created: float = field(default_factory=lambda: dt_util.utcnow().timestamp())

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Read what is on disk. Raises KeyError or TypeError if it is none."""
        return cls(**{**data, "does": [*map(read_ask, data["does"])]})

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
    """The routines of an account's agents."""

    def __init__(
        self,
        hass: HomeAssistant,
        entry_id: str,
        changed: Callable[[str], None] = lambda _new: None,
    ) -> None:
        """Take who is told of changes: with the id of what a person has asked for."""
        self._hass = hass
        self._changed = changed
        self._routines: dict[str, Routine] = {}
        self._deleted: dict[str, Routine] = {}
        self._runs = deque[Run](maxlen=_RUNS)
        self._lock = Lock()
        self._stop: Callable[[], None] = lambda: None
        self.store = PrivateStore[dict[str, Any]](hass, f"{DOMAIN}.{entry_id}.routines")

    async def async_load(self) -> None:
        """Read them, and watch them run; what cannot be read is left out."""
        for routine_id, data in (await self.store.async_load() or {}).items():
            with suppress(KeyError, TypeError):
                self._routines[routine_id] = Routine.from_json(data)
        listen = self._hass.bus.async_listen
        self._stop = listen(EVENT_AUTOMATION_TRIGGERED, self._on_run)
        self._changed("")

    async def async_stop(self) -> None:
        """Watch and write no more."""
        self._stop()
        await self.store.async_close()

    @callback
    def _on_run(self, event: Event) -> None:
        """Remember a run, and how things were: nothing of it is done yet."""
        hass = self._hass
        known = er.async_get(hass).async_get(event.data[ATTR_ENTITY_ID])
        if known and (routine := self._routines.get(known.unique_id)):
            effects = Reach(hass, steps=routine.item["actions"]).effects
            states = (hass.states.get(effect.entity_id) for effect in effects)
            before = [x for x in states if x and domain_of(x.domain).is_restorable]
            self._runs.append(Run(event.time_fired, event.context.id, routine, before))

    @property
    def runs(self) -> list[Run]:
        """Return the runs of the last day, the latest first."""
        oldest = dt_util.utcnow() - _LATELY
        return [run for run in reversed(self._runs) if run.at >= oldest]

    @property
    def made(self) -> dict[str, Routine]:
        """Return those that Home Assistant has, by their ids."""
        return {key: x for key, x in self._routines.items() if self.entity(key)}

    @property
    def drafts(self) -> dict[str, Routine]:
        """Return those that still wait, the oldest first, by their ids."""
        oldest = dt_util.utcnow().timestamp() - _WAITS
        every = self._routines.items()
        return {k: x for k, x in every if x.is_draft and x.created >= oldest}

    @property
    def kept(self) -> dict[str, Routine]:
        """Return both, by their ids."""
        return self.made | self.drafts

    def entity(self, routine_id: str) -> str | None:
        """Return the entity of a routine that Home Assistant can run."""
        registry = er.async_get(self._hass)
        found = registry.async_get_entity_id(AUTOMATION, AUTOMATION, routine_id)
        state = self._hass.states.get(found) if found else None
        return None if state is None or state.state == STATE_UNAVAILABLE else found

    def is_as_made(self, routine_id: str, item: Item | None = None) -> bool:
        """Return whether Home Assistant has a routine as it was made here."""
        entity = entity_of(self._hass, self.entity(routine_id) or "")
        item = {"id": routine_id, **(item or self._routines[routine_id].item)}
        return bool(getattr(entity, "raw_config", None) == item)

    async def async_add_draft(self, draft: Routine) -> None:
        """Keep a draft, in place of those that it replaces."""
        self._forget_drafts(draft.replaces)
        self._routines[draft_id := ulid_now()] = draft
        await self._async_save(draft_id)

    def _forget_drafts(self, ids: Iterable[str]) -> None:
        for draft_id in self.drafts.keys() & {*ids}:
            del self._routines[draft_id]

    async def async_approve(self, draft_id: str) -> None:
        """Write what an administrator approves, once. Raises HomeAssistantError."""
        draft = self._routines.pop(draft_id)
        try:
            await self.async_write(draft)
        except HomeAssistantError:
            self._routines[draft_id] = draft
            raise

    async def async_write(self, routine: Routine) -> str:
        """Write a routine, and wait until Home Assistant has it; return its id.

        That of the routine that it replaces is kept. Raises HomeAssistantError; then all
        is as it was.
        """
        item, made = routine.item, self.made
        ids = [x for x in routine.replaces if x in made]
        routine_id, *_ = *ids, f"{DOMAIN}_{ulid_now()}"
        before = made[routine_id].item if ids else None
        if routine_id in made and not (before and self.is_as_made(routine_id)):
            raise HomeAssistantError("Another has that id, or it was changed by hand.")
        try:
            async with self._lock:
                await self._async_edit(routine_id, item)
                for seconds in _LOOKS:
                    await async_sleep(seconds)
                    await self._async_look(routine_id, item, before)
        except FileError as err:
            raise HomeAssistantError(
                f"Nothing was written: automations.yaml cannot be edited, {err}. On a "
                "screen show this, to be copied into Home Assistant's editor:\n"
                f"{dump([{**item}])}"
            ) from err
        if before:
            self._deleted[routine_id] = made[routine_id]
        self._forget_drafts(routine.replaces)
        does = [ask for ask in routine.does if ask.phrase != DELETES]
        written = replace(routine, is_draft=False, does=does, replaces=())
        self._routines[routine_id] = written
        await self._async_save("" if routine.is_draft else routine_id)
        return routine_id

    async def _async_look(self, routine_id: str, item: Item, old: Item | None) -> None:
        look = self._hass.async_add_executor_job(has, self._path, routine_id, item)
        if not await look or not self.is_as_made(routine_id, item):
            await self._async_edit(routine_id, old)
            raise FileError("Home Assistant or its editor did not take it")

    async def async_delete(self, routine_id: str) -> None:
        """Delete a draft, or a routine, from the registry too; raises as above."""
        if routine_id in self.made:
            async with self._lock:
                await self._async_edit(routine_id, None)
        self._deleted[routine_id] = self._routines.pop(routine_id)
        await self._async_save()

    async def async_undo(self, ids: Iterable[str]) -> None:
        """Bring back what was changed or deleted of some ids, else delete it.

        Raises HomeAssistantError.
        """
        for routine_id in ids:
            before = self._deleted.pop(routine_id, None)
            if before and before.is_draft:
                await self.async_add_draft(before)
            elif before:
                await self.async_write(replace(before, replaces=[routine_id]))
            elif routine_id in self.made:
                await self.async_delete(routine_id)

    @property
    def _path(self) -> str:
        return self._hass.config.path(AUTOMATION_CONFIG_PATH)

    async def _async_edit(self, routine_id: str, item: Item | None) -> None:
        hass = self._hass
        await hass.async_add_executor_job(edit, self._path, routine_id, item)
        data = {"id": routine_id}
        await hass.services.async_call(AUTOMATION, "reload", data, blocking=True)
        registry = er.async_get(hass)
        entity_id = registry.async_get_entity_id(AUTOMATION, AUTOMATION, routine_id)
        if item is None and entity_id:
            registry.async_remove(entity_id)

    async def _async_save(self, new: str = "") -> None:
        """Write what is kept; what the disk does not take is kept until a restart."""
        drafts, every = self.drafts, self._routines.items()
        kept = {key: x for key, x in every if key in drafts or not x.is_draft}
        does = {key: [*map(stored, x.does)] for key, x in kept.items()}
        rows = {key: {**asdict(x), "does": does[key]} for key, x in kept.items()}
        await self.store.async_save(rows)
        self._changed(new)


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
    first, last = _spans(text).get(routine_id, (0, 0))
    found = parse_yaml("\n".join(text.splitlines()[first:last]))
    return found == [{"id": routine_id, **item}]


def edited(text: str, routine_id: str, item: Item | None) -> str:
    """Return the text with an automation, where that of its id was; None: without it.

    Raises FileError for what is no plain list of blocks.
    """
    root, spans = _root(text), _spans(text)
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
    new += "" if _root(new) else f"[]{end}"
    others = len(root.value if root else ()) - len(spans)
    if _spans(new).keys() != ids or len(_root(new).value) != len(ids) + others:
        raise FileError("it is no plain list")
    return new


def _read(path: Path) -> str:
    try:
        return path.read_bytes().decode()
    except (OSError, UnicodeDecodeError) as err:
        raise FileError("it cannot be read") from err


def _root(text: str) -> Any:
    try:
        root: Any = yaml.compose(text, Loader=_LOADER)
    except yaml.YAMLError as err:
        raise FileError("it is no plain list") from err
    if root is not None and (root.tag != _LIST or (root.flow_style and root.value)):
        raise FileError("it is no plain list")
    return root


def _spans(text: str) -> dict[str, tuple[int, int]]:
    """Return the first line of each automation that has an id, and that behind it.

    What stands between two of them, comments and blank lines, is of neither.
    """
    root, lines = _root(text), text.splitlines()
    nodes = root.value if root is not None else []
    starts = [*(node.start_mark.line for node in nodes), len(lines)]
    found: dict[str, tuple[int, int]] = {}
    for node, first, last in zip(nodes, starts, starts[1:], strict=False):
        while last > first + 1 and lines[last - 1].strip()[:1] in ("", "#"):
            last -= 1
        pairs = node.value if isinstance(node, yaml.MappingNode) else ()
        found |= {
            value.value: (first, last) for key, value in pairs if key.value == "id"
        }
    return found
