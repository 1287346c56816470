"""Who did it: what the logbook knows of the causes of changes.

Imported only where the logbook runs. Nobody and nothing is named that is not exposed.
"""

from collections.abc import Callable, Iterable, Mapping
from datetime import timedelta
from typing import Any, Final

from homeassistant.core import HomeAssistant, State
from homeassistant.util import dt as dt_util

from ..const import DEFAULT_TITLE, DOMAIN
from ..internals import RUN_EVENTS, logbook_of

# What began a run may be so much older than the change: its context is looked for.
_BEFORE: Final = timedelta(hours=1)
_AFTER: Final = timedelta(seconds=1)
_RUNS: Final = dict(
    zip(RUN_EVENTS, (("a", "script"), ("an", "automation")), strict=True)
)


class Causes:
    """Looks up who changed things."""

    def __init__(
        self,
        hass: HomeAssistant,
        states: Iterable[State],
        may_name: Callable[[State], bool],
    ) -> None:
        """Take the things, and what says whether another one may be named."""
        self._hass = hass
        self._may_name = may_name
        self._persons = hass.states.async_all("person")
        self._logbooks = {
            state.entity_id: logbook_of(hass, state.entity_id) for state in states
        }

    def of(self, entity_id: str, when: float) -> str:
        """Return who or what changed a thing at a time; it reads the database."""
        moment = dt_util.utc_from_timestamp(when)
        rows = self._logbooks[entity_id](moment - _BEFORE, moment + _AFTER)
        return next(
            (
                self._cause_in(row)
                for row in rows
                if row.get("entity_id") == entity_id and row["when"] == when
            ),
            "something that was not logged",
        )

    def _cause_in(self, row: Mapping[str, Any]) -> str:
        entity_id = row.get("context_entity_id")
        name = self._name(self._hass.states.get(entity_id)) if entity_id else None
        if run := _RUNS.get(row.get("context_event_type", "")):
            return f"{run[1]} {name}" if name else " ".join(run)
        through = (
            f" through {DEFAULT_TITLE}" if row.get("context_domain") == DOMAIN else ""
        )
        if user_id := row.get("context_user_id"):
            persons = [
                self._name(item)
                for item in self._persons
                if item.attributes.get("user_id") == user_id
            ]
            return f"{next(filter(None, persons), 'somebody')}{through}"
        if through:
            return f"somebody{through}"
        if entity_id:
            return name or "something else in the home"
        if row.get("context_service"):
            return "Home Assistant"
        return "hand or by itself"

    def _name(self, state: State | None) -> str | None:
        return state.name if state and self._may_name(state) else None
