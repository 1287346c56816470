"""What the recorder keeps of entities. Imported only where the recorder runs.

All of it reads the database: to be called in the recorder's own threads.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Final, Literal

from homeassistant.components.recorder import history, statistics
from homeassistant.const import COMPRESSED_STATE_LAST_UPDATED, COMPRESSED_STATE_STATE
from homeassistant.core import HomeAssistant, State
from homeassistant.util import dt as dt_util

from ..internals import recorded_since
from .measures import Piece, Row, entries
from .periods import Period

# The recorder's periods leave out a row at the start itself.
_MOMENT: Final = timedelta(microseconds=1)
# How many days back is looked for what was last, step by step.
_DAYS: Final = (1, 8, 64, 512, 4096)


@dataclass(slots=True)
class Recorded:
    """What is kept of an entity in a period."""

    rows: list[Row] = field(default_factory=list)
    """From the state at the start on, if that is kept."""
    hours: list[statistics.StatisticsRow] = field(default_factory=list)
    """Long-term statistics of the time before the first row."""
    begins: float = 0.0
    """From when on the rows tell of the period."""

    def of_hours(self, key: Literal["mean", "min", "max"]) -> list[Piece[float]]:
        """Return what the statistics keep of the hours."""
        return [
            Piece(row["start"], row["end"], value)
            for row in self.hours
            if (value := row.get(key)) is not None
        ]


def read(
    hass: HomeAssistant, states: Sequence[State], start: datetime, end: datetime
) -> dict[str, Recorded]:
    """Return what is kept of entities from a start to an end, in UTC."""
    found = _read_rows(hass, states, start, end)
    late = {
        state.entity_id: kept
        for state in states
        if "state_class" in state.attributes
        and (kept := found[state.entity_id])
        and (not kept.rows or kept.rows[0][0] > start.timestamp())
    }
    if late:
        _add_hours(hass, late, start, end)
    return found


def _read_rows(
    hass: HomeAssistant, states: Sequence[State], start: datetime, end: datetime
) -> dict[str, Recorded]:
    """Return the rows of entities, to now if that is the end."""
    found = _rows(hass, states, start, end)
    for state in states:
        kept = found[state.entity_id]
        kept.begins = start.timestamp()
        when = state.last_changed_timestamp
        # What is not written yet, or was thrown away since it has not changed for long.
        if (not kept.rows or kept.rows[-1][0] < when) and when < end.timestamp():
            kept.rows.append((when, state.state))
    return found


def last_entries(
    hass: HomeAssistant,
    wanted: Sequence[tuple[State, Callable[[str], bool]]],
    period: Period | None,
    count: int,
) -> dict[str, tuple[list[tuple[float, str]], float | None]]:
    """Return the last changes of things to states that are wanted, the latest first.

    And from when on they are known, None if nothing is.
    """
    start, end = (period.start, period.end) if period else (None, dt_util.utcnow())
    oldest = recorded_since(hass) or end.timestamp()
    found: dict[str, tuple[list[tuple[float, str]], float | None]] = {}
    for days in _DAYS:
        begin = end - timedelta(days=days)
        if start:
            begin = max(begin, start)
        first = begin.timestamp()
        kept = _read_rows(hass, [state for state, _ in wanted], begin, end)
        for state, is_wanted in wanted:
            rows = kept[state.entity_id].rows
            changes = [
                row
                for row in entries(rows, first, end.timestamp())
                if is_wanted(row[1])
            ]
            since = max(first, rows[0][0], oldest) if rows else None
            found[state.entity_id] = changes[: -count - 1 : -1], since
        wanted = [item for item in wanted if len(found[item[0].entity_id][0]) < count]
        if not wanted or begin == start or first <= oldest:
            break
    return found


def change_of(
    hass: HomeAssistant, statistic_id: str, period: Period
) -> tuple[float | None, str | None]:
    """Return how much a meter has counted by the statistics, and the unit of that."""
    known = statistics.get_metadata(hass, statistic_ids={statistic_id})
    if statistic_id not in known:
        return None, None
    meta = known[statistic_id][1]
    units = {"energy": "kWh"}
    start, end = period.start, period.end
    found = statistics.statistic_during_period(
        hass, start, end, statistic_id, {"change"}, units
    )
    change = found.get("change")
    if not change and not statistics.statistics_during_period(
        hass, start, end, {statistic_id}, "hour", None, {"change"}
    ):
        # Home Assistant takes what it does not know for nothing.
        change = None
    if meta["unit_class"] == "energy":
        return change, units["energy"]
    unit = meta["unit_of_measurement"]
    return change, statistics.get_display_unit(
        hass, statistic_id, meta["unit_class"], unit
    )


def _rows(
    hass: HomeAssistant,
    states: Sequence[State],
    start: datetime,
    end: datetime,
) -> dict[str, Recorded]:
    found = {state.entity_id: Recorded() for state in states}
    if not states:
        return found
    kept: dict[str, list[Any]] = history.get_significant_states(
        hass,
        start - _MOMENT,
        end,
        list(found),
        minimal_response=True,
        no_attributes=True,
        compressed_state_format=True,
    )
    for entity_id, rows in kept.items():
        found[entity_id].rows = [
            (row[COMPRESSED_STATE_LAST_UPDATED], row[COMPRESSED_STATE_STATE])
            for row in rows
        ]
    return found


def _add_hours(
    hass: HomeAssistant, found: dict[str, Recorded], start: datetime, end: datetime
) -> None:
    """Add what the long-term statistics know of the time before the first rows."""
    first = {
        entity_id: kept.rows[0][0] if kept.rows else end.timestamp()
        for entity_id, kept in found.items()
    }
    hours = statistics.statistics_during_period(
        hass,
        start,
        min(end, dt_util.utc_from_timestamp(max(first.values()))),
        set(found),
        "hour",
        None,
        {"mean", "min", "max"},
    )
    for entity_id, rows in hours.items():
        kept = found[entity_id]
        kept.hours = [
            row
            for row in rows
            if row["start"] < first[entity_id] and row["end"] <= end.timestamp()
        ]
        if kept.hours:
            # Of the hour of the first row the statistics know more.
            kept.begins = max(kept.hours[-1]["end"], start.timestamp())
