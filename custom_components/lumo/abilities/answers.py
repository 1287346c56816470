"""Answers about the past, for the tool `history`: from what is kept to what is told.

Imported only where the recorder runs.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from functools import cache, partial
from typing import Any, Final, Literal, NamedTuple

from homeassistant.core import HomeAssistant, State
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import entity_registry as er
from homeassistant.util import dt as dt_util

from ..const import DEFAULT_TITLE, DOMAIN
from ..internals import RUN_EVENTS, logbook_of
from . import past
from .past import MAX_STATE_CHARACTERS, Past, Piece, Question
from .periods import Period, moment_text

_MAX_POINTS: Final = 24
_MAX_CHANGES: Final = 5
# What is left out by rounding is not told as unknown.
_ALL: Final = 0.995
_RECENT: Final = timedelta(minutes=1)
_METERS: Final = {"total", "total_increasing"}
_DIGITS: Final = 2
_ENDS: Final[tuple[tuple[Literal["min", "max"], Callable[..., Any]], ...]] = (
    ("min", min),
    ("max", max),
)
_UNITS: Final = (("d", 86400), ("h", 3600), ("min", 60), ("s", 1))
# Those that people name; of others nobody is told. So far back they are looked for.
_ATTRIBUTES: Final = (
    *("current_temperature", "temperature", "current_humidity", "humidity"),
    *("brightness", "percentage", "current_position", "volume_level", "source"),
    *("media_title", "media_artist", "hvac_action", "preset_mode", "battery_level"),
)
_LATELY: Final = timedelta(days=2)
_NOTHING: Final = {"known": "nothing of that time"}
# What began a run may be so much older than the change: its context is looked for.
_BEFORE: Final = timedelta(hours=1)
_AFTER: Final = timedelta(seconds=1)
_RUNS: Final = dict(zip(RUN_EVENTS, ("a script", "an automation"), strict=True))

type Details = dict[str, Any]


class Answer(NamedTuple):
    """What is told of one thing."""

    details: Details
    value: float | None = None
    pieces: Sequence[Piece[str]] = ()
    """When it was as was asked."""


def changes(
    question: Question, period: Period | None, causes: Causes | None = None
) -> Details:
    """Return when things changed last, the latest first; with `causes` by whom."""
    last = past.last_changes(question, period, _MAX_CHANGES if causes else 1)
    found: list[tuple[float, Details]] = []
    for state in question.states:
        rows, since = last[state.entity_id]
        told: Details = {"name": state.name}
        if not rows:
            told["never_since"] = _when(since) if since else "nothing is kept of it"
        elif causes:
            said = ((at, question.state_name(state, value)) for at, value in rows)
            by = partial(causes.of, state.entity_id)
            told["changes"] = [f"{_when(at)}: {x}, by {by(at)}" for at, x in said]
        else:
            [(when, value)] = rows
            told["state"] = question.state_name(state, value)
            told["when"] = _when(when)
            told["at"] = _local(when).isoformat(timespec="seconds")
        if state.domain != "event" and (not rows or rows[0][1] != state.state):
            told["now"] = question.state_name(state, state.state)
        found.append((rows[0][0] if rows else 0.0, told))
    found.sort(key=lambda item: -item[0])
    return {"results": [told for _, told in found]}


def measured(
    ask: Callable[[Period], dict[str, Answer]],
    kind: str,
    period: Period | None,
    than: Period | None,
) -> Details:
    """Return what `ask` answers for a period, else for today, and to compare with."""
    now = dt_util.utcnow()
    period = period or Period(dt_util.start_of_local_day(), now)
    answers = ask(period)
    data: Details = {"from": moment_text(period.start), "to": moment_text(period.end)}
    if than:
        # A day so far is compared with as much of the other.
        if than.seconds > period.seconds and period.end >= now - _RECENT:
            than = Period(than.start, than.start + (period.end - period.start))
        data |= {"than_from": moment_text(than.start), "than_to": moment_text(than.end)}
        others = ask(than)
        for key, answer in answers.items():
            _compare(answer, others.get(key, Answer({})), kind)
    return {**data, "results": [answer.details for answer in answers.values()]}


def of_things(question: Question, period: Period) -> dict[str, Answer]:
    """Return the answers by entity id, the greatest first; all together before."""
    kept = past.read(question, period)
    answers = {
        state.entity_id: _answer(question, state, kept[state.entity_id], period)
        for state in question.states
    }
    sign = 1 if question.kind == "min" else -1
    order = sorted(
        answers.items(),
        key=lambda item: (item[1].value is None, sign * (item[1].value or 0)),
    )
    return _together(question, list(answers.values())) | dict(order)


def counted(
    hass: HomeAssistant, name: str, meters: Mapping[str, int], period: Period
) -> Answer:
    """Return what meters counted together; `meters` has statistic ids with 1 or -1."""
    total, unit = 0.0, None
    for statistic_id, share in meters.items():
        value, unit = past.change_of(hass, statistic_id, period)
        if value is None:
            return Answer({"name": name, **_NOTHING})
        total += share * value
    return Answer({"name": name, "change": round(total, _DIGITS), "unit": unit}, total)


def used(
    hass: HomeAssistant,
    meters: Sequence[tuple[str, str, int]],
    total: str,
    period: Period,
) -> dict[str, Answer]:
    """Return what meters counted, by name, and under `total` that together.

    Each has a name, a statistic id, and its share of the total: 1, 0 or -1.
    """
    sums: dict[str, dict[str, int]] = {}
    for meter, statistic_id, share in meters:
        for name, part in ((meter, 1), (total, share)):
            if part:
                sums.setdefault(name, {})[statistic_id] = part
    return {name: counted(hass, name, each, period) for name, each in sums.items()}


def attribute(question: Question, period: Period | None) -> Details:
    """Return an attribute that people name as it last was in a period."""
    key = question.word.strip().casefold().replace(" ", "_")
    if key not in _ATTRIBUTES:
        known = ", ".join(_ATTRIBUTES).replace("_", " ")
        raise HomeAssistantError(f"state is the attribute. Possible: {known}.")
    now, hass = dt_util.utcnow(), question.hass
    period = period or Period(now - _LATELY, now)
    kept = past.read(question._replace(word="", attribute=key), period)
    degrees = hass.config.units.temperature_unit if "temperature" in key else ""
    results: list[Details] = []
    for state in question.states:
        for at, _, value in kept[state.entity_id].states[-1:]:
            told = value[:MAX_STATE_CHARACTERS] if isinstance(value, str) else value
            row = {"name": state.name, "value": told, "unit": degrees}
            results.append({**row, "since": _when(at)})
    return {"attribute": key, "results": results or [_NOTHING]}


def _answer(question: Question, state: State, kept: Past, period: Period) -> Answer:
    if question.kind == "change" and state.attributes.get("state_class") in _METERS:
        return counted(question.hass, state.name, {state.entity_id: 1}, period)
    values = kept.numbers("mean")
    is_of_states = question.kind in ("count", "duration")
    if question.kind == "timeline" and not values:
        is_of_states = True
    known: Sequence[Piece[Any]] = kept.states if is_of_states else values
    told: Details = {"name": state.name}
    if not known:
        return Answer(told | _NOTHING)
    if is_of_states:
        answer = _of_states(told, question, state, kept.states)
    else:
        answer = _of_numbers(told, question, state, kept)
    share = sum(piece.seconds for piece in known) / period.seconds
    if share < _ALL:
        told["known"] = f"{int(share * 100)} % of the time"
        if known[0].start > period.start.timestamp():
            told["known_from"] = _when(known[0].start)
    return answer


def _of_states(
    told: Details, question: Question, state: State, states: Sequence[Piece[str]]
) -> Answer:
    wanted = question.wanted(state)
    said = cache(partial(question.state_name, state))
    changed = past.changes(states)
    if question.kind == "timeline":
        told["first"] = said(states[0].value)
        told["changes"] = [
            f"{_local(when):%Y-%m-%d %H:%M} {said(value)}"
            for when, value in changed[-_MAX_POINTS:]
        ]
        return Answer(told)
    found = [piece for piece in states if wanted(piece.value)]
    items: Iterable[tuple[str, float]] = ((item.value, item.seconds) for item in found)
    if question.kind == "count":
        items = ((value, 1) for _, value in changed if wanted(value))
    amounts: defaultdict[str, float] = defaultdict(int)
    for value, amount in items:
        amounts[said(value)] += amount
    total = sum(amounts.values())
    if question.word:
        told |= {"state": question.word, **_amount(question.kind, total)}
    else:
        most = sorted(amounts.items(), key=lambda item: -item[1])
        told[f"{question.kind}s"] = {
            name: _amount(question.kind, amount)[question.kind] for name, amount in most
        }
    return Answer(told, total, found)


def _of_numbers(told: Details, question: Question, state: State, kept: Past) -> Answer:
    kind, values = question.kind, kept.numbers("mean")
    digits = _digits(question.hass, state.entity_id)
    value: float | None = None
    for key, choose in _ENDS:
        if kind in (key, "timeline"):
            end = choose(kept.numbers(key) or values, key=lambda item: item.value)
            value = end.value
            told[key] = round(value, digits)
            told[f"{key}_at"] = _when(end.start)
    if kind in ("mean", "change"):
        value = values[-1].value - values[0].value
        if kind == "mean":
            value = past.mean(values) or 0.0
        told[kind] = round(value, digits)
    if unit := state.attributes.get("unit_of_measurement"):
        told["unit"] = unit
    return Answer(told, value)


def _compare(answer: Answer, other: Answer, kind: str) -> None:
    told = answer.details
    if kind not in told or kind not in other.details:
        told["than"] = other.details.get("known", "not comparable")
        return
    told["than"] = other.details[kind]
    more = (answer.value or 0) - (other.value or 0)
    size = _length(abs(more)) if kind == "duration" else round(abs(more), _DIGITS)
    sign = "more" if more > 0 else "less"
    told["than_difference"] = f"{size} {sign}" if more else "none"


def _together(question: Question, answers: Sequence[Answer]) -> dict[str, Answer]:
    known = [answer for answer in answers if answer.value is not None]
    units = {answer.details.get("unit") for answer in known}
    if len(answers) < 2 or len(units) != 1:
        return {}
    if question.kind == "duration" and question.word:
        name = "any of them"
        total = past.joined(piece for item in known for piece in item.pieces)
    elif question.kind in ("count", "change"):
        name, total = "all together", sum(answer.value or 0 for answer in known)
    else:
        return {}
    unit = {"unit": unit} if (unit := units.pop()) else {}
    return {"": Answer({"name": name, **_amount(question.kind, total), **unit}, total)}


class Causes:
    """Looks up in the logbook who changed things; names only those who may be named."""

    def __init__(
        self,
        hass: HomeAssistant,
        states: Iterable[State],
        may_name: Callable[[State], bool],
    ) -> None:
        self._hass = hass
        self._may_name = may_name
        people = hass.states.async_all("person")
        self._persons = {item.attributes.get("user_id"): item for item in people}
        self._logbooks = {
            state.entity_id: logbook_of(hass, state.entity_id) for state in states
        }

    def of(self, entity_id: str, when: float) -> str:
        """Return who or what changed a thing at a time."""
        moment = dt_util.utc_from_timestamp(when)
        for row in self._logbooks[entity_id](moment - _BEFORE, moment + _AFTER):
            if row.get("entity_id") == entity_id and row["when"] == when:
                return self._cause_in(row)
        return "something that was not logged"

    def _cause_in(self, row: Mapping[str, Any]) -> str:
        by = row.get("context_entity_id")
        name = self._name(self._hass.states.get(by)) if by else ""
        if run := _RUNS.get(row.get("context_event_type", "")):
            return f"{run.partition(' ')[2]} {name}" if name else run
        is_ours = row.get("context_domain") == DOMAIN
        if (user_id := row.get("context_user_id")) or is_ours:
            person = self._persons.get(user_id) if user_id else None
            who = self._name(person) or "somebody"
            return f"{who} through {DEFAULT_TITLE}" if is_ours else who
        if by:
            return name or "something else in the home"
        return "Home Assistant" if row.get("context_service") else "hand or by itself"

    def _name(self, state: State | None) -> str:
        is_named = state and (
            # An automation that was made here may be named.
            self._may_name(state)
            or str(state.attributes.get("id")).startswith(f"{DOMAIN}_")
        )
        return state.name if state and is_named else ""


def _digits(hass: HomeAssistant, entity_id: str) -> int:
    entry = er.async_get(hass).async_get(entity_id)
    options: Mapping[str, Any] = entry.options.get("sensor", {}) if entry else {}
    shown = options.get("suggested_display_precision", _DIGITS)
    return int(options.get("display_precision", shown))


def _amount(kind: str, value: float) -> Details:
    if kind == "duration":
        return {kind: _length(value), "seconds": round(value)}
    return {kind: round(value, _DIGITS)}


def _length(seconds: float) -> str:
    seconds = round(seconds)
    parts: list[str] = []
    for unit, size in _UNITS:
        count, seconds = divmod(seconds, size)
        if count:
            parts.append(f"{count} {unit}")
    return " ".join(parts[:2]) or "0 min"


def _local(timestamp: float) -> datetime:
    return dt_util.as_local(dt_util.utc_from_timestamp(timestamp))


def _when(timestamp: float) -> str:
    return moment_text(_local(timestamp))
