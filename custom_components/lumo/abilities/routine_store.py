"""The routines that were made here, and the drafts that wait for an administrator.

A routine is an automation in `automations.yaml`; a draft is nowhere but here.
"""

from asyncio import Lock, sleep as async_sleep
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Final

from homeassistant.components.automation import DOMAIN as AUTOMATION
from homeassistant.config import AUTOMATION_CONFIG_PATH
from homeassistant.const import STATE_UNAVAILABLE
from homeassistant.core import HomeAssistant, State
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import entity_registry as er
from homeassistant.util import dt as dt_util
from homeassistant.util.ulid import ulid_now
from homeassistant.util.yaml import dump

from ..const import DOMAIN
from ..private_store import PrivateStore
from .plans import Deed
from .routine_file import FileError, edit, has

MAX_DRAFTS: Final = 20
# Seconds for which a draft waits.
_WAITS: Final = 30 * 24 * 3600
# Seconds between the looks for it: the editor may write the file without it.
_LOOKS: Final = (1.0, 4.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Routine:
    """A routine, or the draft of one."""

    item: Mapping[str, Any]
    """The automation, without its id."""
    when: str
    does: Sequence[Deed]
    """What it does; what is sensitive is marked."""
    is_draft: bool = False
    user_id: str | None
    satellite_id: str | None
    sentence: str
    is_foreign: bool = False
    """Text from strangers may have asked for it."""
    created: float = field(default_factory=lambda: dt_util.utcnow().timestamp())


def is_routine(state: State) -> bool:
    """Return whether an automation was made here, as its id says."""
    return str(state.attributes.get("id")).startswith(f"{DOMAIN}_")


class Routines:
    """The routines of an account's agents."""

    def __init__(
        self,
        hass: HomeAssistant,
        entry_id: str,
        changed: Callable[[str], None] = lambda _made: None,
    ) -> None:
        """Take who is told what a person has made, by its name, and of other changes."""
        self._hass = hass
        self._changed = changed
        self._routines: dict[str, Routine] = {}
        self._lock = Lock()
        self.store = PrivateStore[dict[str, Any]](hass, f"{DOMAIN}.{entry_id}.routines")

    async def async_load(self) -> None:
        """Read them; what cannot be read is left out."""
        stored = await self.store.async_load() or {}
        for routine_id, data in stored.items():
            with suppress(TypeError):
                self._routines[routine_id] = Routine(**data)
        self._changed("")

    @property
    def made(self) -> dict[str, Routine]:
        """Return those that Home Assistant has, by their ids."""
        return {key: x for key, x in self._routines.items() if self.entity(key)}

    @property
    def drafts(self) -> dict[str, Routine]:
        """Return those that still wait, the oldest first, by their ids."""
        oldest = dt_util.utcnow().timestamp() - _WAITS
        return {
            key: routine
            for key, routine in self._routines.items()
            if routine.is_draft and routine.created >= oldest
        }

    def entity(self, routine_id: str) -> str | None:
        """Return the entity of a routine that Home Assistant can run."""
        registry = er.async_get(self._hass)
        found = registry.async_get_entity_id(AUTOMATION, AUTOMATION, routine_id)
        state = self._hass.states.get(found) if found else None
        return None if state is None or state.state == STATE_UNAVAILABLE else found

    async def async_add_draft(self, draft: Routine) -> None:
        """Keep a draft."""
        self._routines[ulid_now()] = draft
        await self._async_save()

    async def async_discard(self, draft_id: str) -> None:
        """Forget a draft."""
        self._routines.pop(draft_id, None)
        await self._async_save()

    async def async_write(self, routine: Routine, *, by_admin: bool = False) -> str:
        """Write a routine, and wait until Home Assistant has it; return its id.

        Raises HomeAssistantError; then all is as it was.
        """
        routine_id = f"{DOMAIN}_{ulid_now()}"
        try:
            async with self._lock:
                await self._async_write(routine_id, {**routine.item})
        except FileError as err:
            raise HomeAssistantError(
                f"Nothing was written: automations.yaml cannot be edited, {err}. On a "
                "screen show this, to be copied into Home Assistant's editor:\n"
                f"{dump([{**routine.item}])}"
            ) from err
        self._routines[routine_id] = replace(routine, is_draft=False)
        await self._async_save("" if by_admin else str(routine.item["alias"]))
        return routine_id

    async def _async_write(self, routine_id: str, item: dict[str, Any]) -> None:
        await self._async_edit(routine_id, item)
        path = self._hass.config.path(AUTOMATION_CONFIG_PATH)
        for seconds in _LOOKS:
            await async_sleep(seconds)
            is_there = await self._hass.async_add_executor_job(has, path, routine_id)
            if not is_there or self.entity(routine_id) is None:
                await self._async_edit(routine_id, None)
                raise FileError("Home Assistant or its editor did not take it")

    async def async_delete(self, routine_id: str) -> None:
        """Delete a routine, from the registry too. Raises HomeAssistantError."""
        async with self._lock:
            await self._async_edit(routine_id, None)
        self._routines.pop(routine_id, None)
        await self._async_save()

    async def _async_edit(self, routine_id: str, item: dict[str, Any] | None) -> None:
        hass = self._hass
        await hass.async_add_executor_job(
            edit, self._hass.config.path(AUTOMATION_CONFIG_PATH), routine_id, item
        )
        data = {"id": routine_id}
        await hass.services.async_call(AUTOMATION, "reload", data, blocking=True)
        registry = er.async_get(hass)
        entity_id = registry.async_get_entity_id(AUTOMATION, AUTOMATION, routine_id)
        if item is None and entity_id:
            registry.async_remove(entity_id)

    async def _async_save(self, made: str = "") -> None:
        """Write what is kept; what the disk does not take is kept until a restart."""
        drafts = self.drafts
        await self.store.async_save(
            {
                key: asdict(routine)
                for key, routine in self._routines.items()
                if key in drafts or not routine.is_draft
            }
        )
        self._changed(made)
