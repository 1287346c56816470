"""Answers about the past, for the tool `history`: from what is kept to what is told.

Imported only where the recorder runs.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache, partial
from typing import TYPE_CHECKING, Any, Final, Literal

from homeassistant.core import HomeAssistant, State
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import entity_registry as er
from homeassistant.util import dt as dt_util

from . import measures, recorded
from .measures import Piece
from .periods import Period
from .recorded import Recorded
from .result_texts import moment_text
from .state_words import StateWords

if TYPE_CHECKING:
    # It imports the logbook, which is not there in every home.
    from .causes import Causes

# So many characters of a state are told, in a list of many fewer.
_STATE: Final = 100
_SHORT: Final = 30
# So many points of a timeline are told.
_POINTS: Final = 24
# So many changes of a thing with who made them.
_CHANGES: Final = 5
# What is left out by rounding is not told as unknown.
_ALL: Final = 0.995
_RECENT: Final = timedelta(minutes=1)
_METERS: Final = {"total", "total_increasing"}
_MAIN: Final = ("count", "duration", "min", "max", "mean", "change")
# So many states of a thing are told.
_KINDS: Final = 6
_DIGITS: Final = 2
_ENDS: Final[tuple[tuple[Literal["min", "max"], Callable[..., Any]], ...]] = (
    ("min", min),
    ("max", max),
)
_UNITS: Final = (("d", 86400), ("h", 3600), ("min", 60), ("s", 1))

type Details = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked of which things."""

    hass: HomeAssistant
    kind: str
    word: str
    """What the state is called that it is about, if it is about one."""
    states: Sequence[State]
    """The things, as they are now."""
    words: StateWords

    def state_name(self, state: State, value: str) -> str:
        """Return what a state of a thing is called."""
        return self.words.english_name(state, value)[:_STATE]


@dataclass(frozen=True, slots=True)
class Answer:
    """What is told of one thing."""

    details: Details
    value: float | None = None
    """What can be compared."""
    pieces: Sequence[Piece[str]] = ()
    """When it was as was asked."""


def changes(
    question: Question, period: Period | None, causes: Causes | None
) -> Details:
    """Return when things changed last, the latest first; with causes who did it.

    It reads the database, as all of these do.
    """
    last = recorded.last_entries(
        question.hass,
        [(state, _wanted(question, state)) for state in question.states],
        period,
        _CHANGES if causes else 1,
    )
    found: list[tuple[float, Details]] = []
    for state in question.states:
        rows, since = last[state.entity_id]
        told: Details = {"name": state.name}
        if not rows:
            told["never_since"] = _when(since) if since else "nothing is kept of it"
        elif causes:
            told["changes"] = [
                f"{_when(when)}: {question.state_name(state, value)}, "
                f"by {causes.of(state.entity_id, when)}"
                for when, value in rows
            ]
        else:
            [(when, value)] = rows
            told["state"] = question.state_name(state, value)
            told["when"] = _when(when)
            told["at"] = _local(when).isoformat(timespec="seconds")
        if not rows or rows[0][1] != state.state:
            told["now"] = question.state_name(state, state.state)
        found.append((rows[0][0] if rows else 0.0, told))
    found.sort(key=lambda item: -item[0])
    return {"results": [told for _, told in found]}


def measured(
    ask: Callable[[Period], dict[str, Answer]],
    period: Period | None,
    than: Period | None,
) -> Details:
    """Return what is known of a period, else of today, and of one to compare with.

    `ask` gives the answers for a period, in the order in which they are told.
    """
    now = dt_util.utcnow()
    period = period or Period(dt_util.start_of_local_day(), now)
    answers = ask(period)
    data: Details = {"from": moment_text(period.start), "to": moment_text(period.end)}
    if than:
        data |= {"than_from": moment_text(than.start), "than_to": moment_text(than.end)}
        _compare(answers, ask(than), "than")
        if than.seconds > period.seconds and period.end >= now - _RECENT:
            # So far today is more or less than yesterday at this time.
            than = Period(than.start, than.start + (period.end - period.start))
            _compare(answers, ask(than), "than_by_this_time")
    return {**data, "results": [answer.details for answer in answers.values()]}


def of_things(question: Question, period: Period) -> dict[str, Answer]:
    """Return the answers for all things by their ids, and for them together first.

    The greatest before the others, or the least where that is asked for.
    """
    kept = recorded.read(question.hass, question.states, period.start, period.end)
    answers = {
        state.entity_id: _answer(question, state, kept[state.entity_id], period)
        for state in question.states
    }
    together = _together(question, list(answers.values()))
    sign = 1 if question.kind == "min" else -1
    order = sorted(
        answers.items(),
        key=lambda item: (item[1].value is None, sign * (item[1].value or 0)),
    )
    return together | dict(order)


def _answer(question: Question, state: State, kept: Recorded, period: Period) -> Answer:
    """Return the answer for one thing, with how much of the time is known."""
    if question.kind == "change" and state.attributes.get("state_class") in _METERS:
        return counted(question.hass, state.name, {state.entity_id: 1}, period)
    end = period.end.timestamp()
    states = measures.pieces(kept.rows, kept.begins, end)
    values = [*kept.of_hours("mean"), *measures.numbers(states)]
    known: Sequence[Piece[Any]] = values
    if question.kind in ("count", "duration", *([] if values else ["timeline"])):
        known = states
    told: Details = {"name": state.name}
    if not known:
        return Answer(told | {"known": "nothing of that time"})
    if known is states:
        answer = _of_states(told, question, state, kept, states, end)
    else:
        answer = _of_numbers(told, question, state, kept, values, period)
    share = sum(piece.seconds for piece in known) / period.seconds
    if share < _ALL:
        told["known"] = f"{int(share * 100)} % of the time"
        if known[0].start > period.start.timestamp():
            told["known_from"] = _when(known[0].start)
    return answer


def counted(
    hass: HomeAssistant, name: str, meters: Mapping[str, int], period: Period
) -> Answer:
    """Return what meters have counted together, by the statistics of the recorder.

    The ids of their statistics come with 1 or -1. It reads the database.
    """
    total, unit = 0.0, None
    for statistic_id, share in meters.items():
        value, unit = recorded.change_of(hass, statistic_id, period)
        if value is None:
            return Answer({"name": name, "known": "nothing of that time"})
        total += share * value
    return Answer({"name": name, "change": round(total, _DIGITS), "unit": unit}, total)


def _of_states(
    told: Details,
    question: Question,
    state: State,
    kept: Recorded,
    states: Sequence[Piece[str]],
    end: float,
) -> Answer:
    """Tell how often and how long, or what the states were."""
    wanted, said = _wanted(question, state), cache(partial(question.state_name, state))
    changes = list(measures.entries(kept.rows, kept.begins, end))
    if question.kind == "timeline":
        told["first"] = said(states[0].value)
        told["changes"] = [
            f"{_stamp(when)} {said(value)[:_SHORT]}"
            for when, value in changes[-_POINTS:]
        ]
        return Answer(told)
    if question.word:
        told["state"] = question.word
    if question.kind == "count":
        counts = Counter(said(value) for _, value in changes if wanted(value))
        if question.word:
            told["count"] = counts.total()
        else:
            told["counts"] = dict(counts.most_common(_KINDS))
        return Answer(told, counts.total())
    found = [piece for piece in states if wanted(piece.value)]
    total = sum(piece.seconds for piece in found)
    if question.word:
        told |= _duration(total)
    else:
        lengths: Counter[str] = Counter()
        for piece in found:
            lengths[said(piece.value)] += piece.seconds  # type: ignore[assignment]
        told["durations"] = {
            name: _length(seconds) for name, seconds in lengths.most_common(_KINDS)
        }
    return Answer(told, total, found)


def _of_numbers(
    told: Details,
    question: Question,
    state: State,
    kept: Recorded,
    values: Sequence[Piece[float]],
    period: Period,
) -> Answer:
    """Tell the lowest, highest, mean, change, or how it went."""
    digits = _digits(question.hass, state.entity_id)
    value: float | None = None
    if question.kind == "timeline":
        start, end = period.start.timestamp(), period.end.timestamp()
        told["points"] = {
            _stamp(piece.start): round(piece.value, digits)
            for piece in measures.timeline(values, start, end, _POINTS)
        }
    for key, choose in _ENDS:
        if question.kind in (key, "timeline"):
            among = [*kept.of_hours(key), *values]
            lowest = choose(among, key=lambda piece: piece.value)
            value = lowest.value
            told[key] = round(value, digits)
            told[f"{key}_at"] = _when(lowest.start)
    if question.kind == "mean":
        value = measures.mean(values)
    elif question.kind == "change" and values:
        value = values[-1].value - values[0].value
    if question.kind in ("mean", "change") and value is not None:
        told[question.kind] = round(value, digits)
    if unit := state.attributes.get("unit_of_measurement"):
        told["unit"] = unit
    return Answer(told, value)


def _compare(
    answers: Mapping[str, Answer], others: Mapping[str, Answer], key: str
) -> None:
    """Add the values of another time to answers, and how much more this time is."""
    for item, answer in answers.items():
        other = others.get(item, Answer({}))
        name = next((name for name in _MAIN if name in other.details), "")
        if name not in answer.details:
            answer.details[key] = other.details.get("known", "not comparable")
            continue
        answer.details[key] = other.details[name]
        more = (answer.value or 0) - (other.value or 0)
        sign = "more" if more > 0 else "less"
        told = _length(abs(more)) if name == "duration" else round(abs(more), _DIGITS)
        answer.details[f"{key}_difference"] = f"{told} {sign}" if more else "none"


def _together(question: Question, answers: Sequence[Answer]) -> dict[str, Answer]:
    """Return the answer for all things together, if there is one."""
    known = [answer for answer in answers if answer.value is not None]
    if len(answers) < 2 or not known:
        return {}
    if question.kind == "duration" and question.word:
        seconds = measures.joined(piece for item in known for piece in item.pieces)
        told: Details = {"name": "any of them", **_duration(seconds)}
        return {"": Answer(told, seconds)}
    units = {answer.details.get("unit") for answer in known}
    if question.kind not in ("count", "change") or len(units) > 1:
        return {}
    total = round(sum(answer.value or 0 for answer in known), _DIGITS)
    told = {"name": "all together", question.kind: total}
    return {"": Answer(told | ({"unit": unit} if (unit := units.pop()) else {}), total)}


def _wanted(question: Question, state: State) -> Callable[[str], bool]:
    """Return what says whether a state is the one that is asked about."""
    if not question.word:
        return lambda value: True
    if wanted := question.words.matcher(state, question.word):
        return wanted
    on, off = (question.state_name(state, value) for value in ("on", "off"))
    raise HomeAssistantError(f"{state.name} is {on} or {off}, not {question.word}.")


def _digits(hass: HomeAssistant, entity_id: str) -> int:
    """Return how many decimals a value is shown with."""
    entry = er.async_get(hass).async_get(entity_id)
    options: Mapping[str, Any] = entry.options.get("sensor", {}) if entry else {}
    for key in ("display_precision", "suggested_display_precision"):
        if (digits := options.get(key)) is not None:
            return int(digits)
    return _DIGITS


def _duration(seconds: float) -> Details:
    return {"duration": _length(seconds), "seconds": round(seconds)}


def _length(seconds: float) -> str:
    """Return how long it is: "3 h 12 min"."""
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


def _stamp(timestamp: float) -> str:
    return f"{_local(timestamp):%Y-%m-%d %H:%M}"
