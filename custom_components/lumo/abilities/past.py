"""What the recorder keeps of entities, in pieces of time that can be counted.

Reads the database: call it in the recorder's threads, import it where the recorder runs.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import timedelta
from itertools import pairwise
from typing import Any, Final, Literal, NamedTuple

from homeassistant.components.event import ATTR_EVENT_TYPE, DOMAIN as EVENT
from homeassistant.components.recorder import history, statistics
from homeassistant.const import (
    COMPRESSED_STATE_ATTRIBUTES,
    COMPRESSED_STATE_LAST_UPDATED,
    COMPRESSED_STATE_STATE,
    STATE_HOME,
    STATE_NOT_HOME,
)
from homeassistant.core import HomeAssistant, State
from homeassistant.exceptions import HomeAssistantError
from homeassistant.util import dt as dt_util

from ..gate.effects import number_of
from ..internals import recorded_since
from .finder import StateWords
from .periods import Period

MAX_STATE_CHARACTERS: Final = 100
_PEOPLE: Final = {"device_tracker", "person"}

# What a state is that is not known; None is one of an entity that was removed.
_UNKNOWN: Final = frozenset({"unavailable", "unknown", "", None})
_NO_ZONE: Final = _UNKNOWN | {STATE_HOME}
# The recorder's periods leave out a row at the start itself.
_MOMENT: Final = timedelta(microseconds=1)
# How many days back is looked for what was last, step by step.
_DAYS: Final = (1, 8, 64, 512, 4096)

type _Row = tuple[float, str | None]


class Piece[T](NamedTuple):
    """A value from one time to another, in seconds."""

    start: float
    end: float
    value: T

    @property
    def seconds(self) -> float:
        """Return how long it was so."""
        return self.end - self.start


class Past(NamedTuple):
    """What is kept of an entity in a period."""

    states: list[Piece[str]]
    """The known states; equal neighbors are joined."""
    hours: list[statistics.StatisticsRow]
    """Long-term statistics of the time before these."""

    def numbers(self, key: Literal["mean", "min", "max"]) -> list[Piece[float]]:
        """Return a value of each hour, then all that was measured."""
        return [
            Piece(row["start"], row["end"], value)
            for row in self.hours
            if (value := row.get(key)) is not None
        ] + [
            Piece(piece.start, piece.end, number)
            for piece in self.states
            if (number := number_of(piece.value)) is not None
        ]


class Question(NamedTuple):
    """What is asked of which things."""

    hass: HomeAssistant
    kind: str
    word: str
    """The state that it is about, in words; may be empty."""
    states: Sequence[State]
    words: StateWords
    attribute: str = ""
    """What is asked about in place of the state; empty: that."""

    def state_name(self, state: State, value: str) -> str:
        """Return what a state of a thing is called."""
        return self.words.english_name(state, value)[:MAX_STATE_CHARACTERS]

    @property
    def without_zones(self) -> list[str]:
        """Return the ids of people asked about at home or away: a zone is away."""
        ends = (STATE_HOME, STATE_NOT_HOME)
        people = [x for x in self.states if x.domain in _PEOPLE and self.word]
        return [x.entity_id for x in people if any(map(self.wanted(x), ends))]

    def wanted(self, state: State) -> Callable[[str], bool]:
        """Return what tells whether a state is the one that is asked about."""
        if not self.word:
            return lambda value: True
        if is_wanted := self.words.matcher(state, self.word):
            return is_wanted
        on, off = (self.state_name(state, value) for value in ("on", "off"))
        raise HomeAssistantError(f"{state.name} is {on} or {off}, not {self.word}.")


def read(question: Question, period: Period) -> dict[str, Past]:
    """Return what is kept of what is asked about, by entity id."""
    start, end = period.start.timestamp(), period.end.timestamp()
    hass, rows = question.hass, _rows(question, question.states, period)
    first = {
        state.entity_id: rows[state.entity_id][0][0] if rows[state.entity_id] else end
        for state in question.states
        if "state_class" in state.attributes and not question.attribute
    }
    late = {entity_id: when for entity_id, when in first.items() if when > start}
    hours: Mapping[str, list[statistics.StatisticsRow]] = {}
    if late:
        until = dt_util.utc_from_timestamp(max(late.values()))
        hours = statistics.statistics_during_period(
            hass, period.start, until, {*late}, "hour", None, {"mean", "min", "max"}
        )
    found: dict[str, Past] = {}
    for entity_id, kept in rows.items():
        every, until_then = hours.get(entity_id, ()), late.get(entity_id, 0.0)
        known = [x for x in every if x["start"] < until_then and x["end"] <= end]
        # Of the hour of the first row the statistics know more.
        begins = max(known[-1]["end"], start) if known else start
        found[entity_id] = Past(_pieces(kept, begins, end), known)
    return found


def last_changes(
    question: Question, period: Period | None, count: int
) -> dict[str, tuple[list[tuple[float, str]], float | None]]:
    """Return the last changes to wanted states, the latest first, and since when known."""
    wanted = [(state, question.wanted(state)) for state in question.states]
    start, end = (period.start, period.end) if period else (None, dt_util.utcnow())
    oldest = recorded_since(question.hass) or end.timestamp()
    found: dict[str, tuple[list[tuple[float, str]], float | None]] = {}
    for days in _DAYS:
        begin = end - timedelta(days=days)
        if start:
            begin = max(begin, start)
        first = begin.timestamp()
        kept = _rows(question, [x for x, _ in wanted], Period(begin, end))
        for state, is_wanted in wanted:
            rows = kept[state.entity_id]
            there = changes(_pieces(rows, first, end.timestamp()))
            there = [change for change in there if is_wanted(change[1])]
            since = max(first, rows[0][0], oldest) if rows else None
            found[state.entity_id] = there[: -count - 1 : -1], since
        wanted = [item for item in wanted if len(found[item[0].entity_id][0]) < count]
        if not wanted or begin == start or first <= oldest:
            break
    return found


def change_of(
    hass: HomeAssistant, statistic_id: str, period: Period
) -> tuple[float | None, str | None]:
    """Return how much a meter has counted by the statistics, and its unit."""
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


def changes(states: Sequence[Piece[str]]) -> list[tuple[float, str]]:
    """Return when something became what, ignoring times when it was only unknown."""
    return [(y.start, y.value) for x, y in pairwise(states) if y.value != x.value]


def joined(found: Iterable[Piece[str]]) -> float:
    """Return the seconds in which there was any of some pieces."""
    total, until = 0.0, 0.0
    for piece in sorted(found, key=lambda piece: piece.start):
        total += max(0.0, piece.end - max(piece.start, until))
        until = max(until, piece.end)
    return total


def mean(found: Sequence[Piece[float]]) -> float | None:
    """Return the mean by time."""
    seconds = sum(piece.seconds for piece in found)
    if not seconds:
        return None
    return sum(piece.value * piece.seconds for piece in found) / seconds


def _pieces(rows: Sequence[_Row], start: float, end: float) -> list[Piece[str]]:
    found: list[Piece[str]] = []
    for (begin, state), (until, _) in pairwise((*rows, (end, None))):
        begin, until = max(begin, start), min(until, end)
        if until <= begin or state is None or state in _UNKNOWN:
            continue
        if found and found[-1].end == begin and found[-1].value == state:
            begin = found.pop().start
        found.append(Piece(begin, until, state))
    return found


def _rows(
    question: Question, states: Sequence[State], period: Period
) -> dict[str, list[_Row]]:
    """Return the rows of entities from the state at the start on, as far as kept."""
    attribute, away = question.attribute, question.without_zones
    of_events = [state for state in states if state.domain == EVENT]
    has_attributes = bool(attribute or of_events)
    kept: dict[str, list[Any]] = history.get_significant_states(
        question.hass,
        period.start - _MOMENT,
        period.end,
        [state.entity_id for state in states],
        significant_changes_only=not attribute,
        minimal_response=not has_attributes,
        no_attributes=not has_attributes,
        compressed_state_format=True,
    )
    found: dict[str, list[_Row]] = {}
    for state in states:
        key = ATTR_EVENT_TYPE if state in of_events else attribute
        rows: list[_Row] = []
        for row in kept.get(state.entity_id, ()):
            attributes = row.get(COMPRESSED_STATE_ATTRIBUTES, {})
            value = _value(row[COMPRESSED_STATE_STATE], attributes, key)
            rows.append((row[COMPRESSED_STATE_LAST_UPDATED], value))
        when = state.last_changed_timestamp
        # What is not written yet, or was thrown away since it has not changed for long.
        if (not rows or rows[-1][0] < when) and when < period.end.timestamp():
            rows.append((when, _value(state.state, state.attributes, key)))
        if state.entity_id in away:
            rows = [(at, x if x in _NO_ZONE else STATE_NOT_HOME) for at, x in rows]
        if state in of_events and rows:
            # The first event of all is one, too.
            rows.insert(0, (period.start.timestamp(), "none"))
        found[state.entity_id] = rows
    return found


def _value(state: str | None, attributes: Mapping[str, Any], key: str) -> Any:
    """Return a state or an attribute; an event's type and time, so that none are alike."""
    if not key or state in _UNKNOWN:
        return state
    if key != ATTR_EVENT_TYPE:
        return attributes.get(key)
    return f"{attributes.get(key) or EVENT}@{state}"
