"""Questions about the home of `history_rows`: a thing, a period in words, the truth."""

from collections.abc import Callable, Iterator
from datetime import datetime
from functools import partial
from typing import Any, Final, NamedTuple
from unittest.mock import ANY

from . import history_truth as truth
from .history_rows import BEGIN, HOUR, NOW, PURGED, THING, Row, Thing, at

_NOW: Final = NOW.timestamp()
_TODAY: Final = at("2026-03-23 00:00:00")
# From when to when.
PERIODS: Final[dict[str, tuple[float, float]]] = {
    "today": (_TODAY, _NOW),
    # 23 hours.
    "yesterday": (at("2026-03-22 00:00:00"), _TODAY),
    "day_before_yesterday": (at("2026-03-21 00:00:00"), at("2026-03-22 00:00:00")),
    "last_night": (at("2026-03-22 18:00:00"), at("2026-03-23 06:00:00")),
    "last_24_hours": (_NOW - 24 * HOUR, _NOW),
    "last_7_days": (at("2026-03-16 14:30:20"), _NOW),
    "last_week": (at("2026-03-16 00:00:00"), _TODAY),
    "this_month": (at("2026-03-01 00:00:00"), _NOW),
    # With the day of 25 hours; its first days are purged.
    "last_month": (at("2026-02-01 00:00:00"), at("2026-03-01 00:00:00")),
    # All of it is purged.
    "2026-01": (at("2026-01-01 00:00:00"), at("2026-02-01 00:00:00")),
    # The recorder began in the middle of it.
    "2025-12": (at("2025-12-01 00:00:00"), at("2026-01-01 00:00:00")),
    "sunday": (at("2026-03-22 00:00:00"), _TODAY),
    # 25 hours.
    "2026-02-15": (at("2026-02-15 00:00:00"), at("2026-02-16 00:00:00")),
}

# What a person calls a state of it, and what Home Assistant does.
STATES: Final = {
    "light.kitchen_ceiling": ("on", "on"),
    "light.counter": ("on", "on"),
    "light.floor": ("on", "on"),
    "light.desk_new": ("off", "off"),
    "light.hall": ("on", "on"),
    "binary_sensor.front_door": ("open", "on"),
    "binary_sensor.patio_door": ("closed", "off"),
    "binary_sensor.hall_motion": ("detected", "on"),
    "lock.front": ("unlocked", "unlocked"),
    "cover.shutter": ("closed", "closed"),
    "person.anna": ("home", "home"),
    "climate.heating": ("heat", "heat"),
    "media_player.tv": ("playing", "playing"),
}
MEASURED: Final = (
    "sensor.living_temperature",
    "sensor.bedroom_temperature",
    "sensor.power",
)
METERS: Final = ("sensor.meter", "sensor.washer")
LAMPS: Final = ("light.kitchen_ceiling", "light.counter")
KITCHEN: Final = {"area": "Kitchen", "kind": "light", "state": "on"}
COMPARED: Final = (
    ("mean", "sensor.power", "yesterday", "day_before_yesterday"),
    ("max", "sensor.living_temperature", "last_week", "last_month"),
    ("min", "sensor.living_temperature", "yesterday", "2026-02-15"),
    ("change", "sensor.meter", "yesterday", "2026-02-15"),
    ("change", "sensor.washer", "last_month", "2026-01"),
    ("count", "binary_sensor.hall_motion", "yesterday", "day_before_yesterday"),
    ("duration", "lock.front", "yesterday", "2026-02-15"),
    ("duration", "climate.heating", "last_night", "yesterday"),
)
# Of which share on no word is lost about the rest.
ALL: Final = 0.995


class Question(NamedTuple):
    """What is asked, and what is to be told of each thing."""

    arguments: dict[str, str]
    period: str
    tell: Callable[[], list[dict[str, Any]]]

    def ask(self) -> dict[str, str]:
        """Return the arguments."""
        return self.arguments | ({"period": self.period} if self.period else {})


def questions() -> Iterator[Question]:
    """Yield all of them."""
    for period in PERIODS:
        for entity_id, (word, _) in STATES.items():
            for kind in ("count", "duration"):
                yield asked(kind, entity_id, period, state=word)
        for entity_id in MEASURED:
            for kind in ("min", "max", "mean"):
                yield asked(kind, entity_id, period)
        whole = is_whole(period)
        for entity_id in METERS if whole else ():
            yield asked("change", entity_id, period)
        for kind, arguments in (
            ("count", KITCHEN),
            ("duration", KITCHEN),
            *((("change", {"kind": "energy"}),) if whole else ()),
        ):
            yield Question(
                {"question": kind, **arguments}, period, partial(several, kind, period)
            )
    for entity_id, period, how in (
        *(("sensor.power", period, points) for period in ("yesterday", "last_7_days")),
        ("sensor.power", "2026-02-15", points),
        ("light.counter", "yesterday", changes),
        ("light.counter", "day_before_yesterday", changes),
        ("cover.shutter", "last_night", changes),
    ):
        thing = THING[entity_id]
        yield Question(
            {"question": "timeline", "name": thing.name},
            period,
            partial(how, thing, *PERIODS[period]),
        )
    for entity_id, (word, _) in STATES.items():
        thing = THING[entity_id]
        arguments = {"question": "last_change", "name": thing.name, "state": word}
        yield Question(arguments, "", partial(latest, thing))
    for kind, entity_id, period, than in COMPARED:
        more = {"state": STATES[entity_id][0]} if entity_id in STATES else {}
        yield asked(kind, entity_id, period, than=than, **more)


def is_whole(period: str) -> bool:
    """Return whether a period is of whole hours, as the statistics of meters are."""
    return all(moment % HOUR == 0 for moment in PERIODS[period])


def asked(kind: str, entity_id: str, period: str, **more: str) -> Question:
    """Return a question about one thing."""
    thing = THING[entity_id]

    def tell() -> list[dict[str, Any]]:
        data = told(kind, thing, *PERIODS[period])
        if "than" in more:
            before = told(kind, thing, *PERIODS[more["than"]])
            data |= compared(kind, data, before)
        return [data]

    return Question({"question": kind, "name": thing.name, **more}, period, tell)


def several(kind: str, period: str) -> list[dict[str, Any]]:
    """Return what is to be told of the lamps of the kitchen, or of all meters."""
    entity_ids = METERS if kind == "change" else LAMPS
    things = [THING[entity_id] for entity_id in entity_ids]
    begin, end = PERIODS[period]
    items = [told(kind, thing, begin, end) for thing in things]
    values = [item[kind] for item in items if kind in item]
    if not values:
        return items
    if kind == "duration":
        seconds = truth.seconds_in_any([lamp.kept for lamp in things], "on", begin, end)
        lengths = {"duration": length(seconds), "seconds": round(seconds)}
        return [*items, {"name": "any of them", **lengths}]
    unit = {"unit": "kWh"} if kind == "change" else {}
    total = round(sum(values), 2)
    return [*items, {"name": "all together", kind: total, **unit}]


def told(kind: str, thing: Thing, begin: float, end: float) -> dict[str, Any]:
    """Return what is to be told of a thing."""
    if not (rows := rows_of(thing, begin, end)):
        return {"name": thing.name, "known": "nothing of that time"}
    data = {"name": thing.name, **ANSWERS[kind](thing, rows, begin, end)}
    return data if kind == "change" else data | gaps(rows, begin, end)


def rows_of(thing: Thing, begin: float, end: float) -> list[Row]:
    """Return the rows that anything is known from, none if nothing is of a period."""
    rows = thing.kept
    if thing.state_class:
        rows = [Row(BEGIN, thing.rows[0].state), *thing.rows[1:]]
    return rows if truth.pieces(rows, begin, end) else []


type Answer = Callable[[Thing, list[Row], float, float], dict[str, Any]]


def _count(thing: Thing, rows: list[Row], begin: float, end: float) -> dict[str, Any]:
    word, state = STATES.get(thing.entity_id, ("on", "on"))
    return {"state": word, "count": len(truth.entries(rows, state, begin, end))}


def _duration(
    thing: Thing, rows: list[Row], begin: float, end: float
) -> dict[str, Any]:
    word, state = STATES.get(thing.entity_id, ("on", "on"))
    seconds = truth.seconds_in(rows, state, begin, end)
    return {"state": word, "duration": length(seconds), "seconds": round(seconds)}


def _extreme(kind: str, choose: Callable[..., Any]) -> Answer:
    def answer(
        thing: Thing, rows: list[Row], begin: float, end: float
    ) -> dict[str, Any]:
        first = choose(
            truth.pieces(rows, begin, end), key=lambda piece: float(piece.state)
        )
        return {
            kind: float(first.state),
            f"{kind}_at": said(first.begin) if begin > PURGED else ANY,
            "unit": thing.attributes["unit_of_measurement"],
        }

    return answer


def _number(kind: str, of: Callable[[list[Row], float, float], float]) -> Answer:
    def answer(
        thing: Thing, rows: list[Row], begin: float, end: float
    ) -> dict[str, Any]:
        unit = thing.attributes["unit_of_measurement"]
        return {kind: round(of(rows, begin, end), 2), "unit": unit}

    return answer


ANSWERS: Final[dict[str, Answer]] = {
    "count": _count,
    "duration": _duration,
    "min": _extreme("min", min),
    "max": _extreme("max", max),
    "mean": _number("mean", truth.mean),
    "change": _number("change", truth.gained),
}


def points(thing: Thing, begin: float, end: float) -> list[dict[str, Any]]:
    """Return how numbers were, in 24 equal pieces."""
    rows = rows_of(thing, begin, end)
    piece = (end - begin) / 24
    means = {
        local(begin + number * piece).strftime("%Y-%m-%d %H:%M"): round(
            truth.mean(rows, begin + number * piece, begin + (number + 1) * piece), 2
        )
        for number in range(24)
    }
    ends = told("min", thing, begin, end) | told("max", thing, begin, end)
    return [ends | {"points": means}]


def changes(thing: Thing, begin: float, end: float) -> list[dict[str, Any]]:
    """Return which states a thing came into, the latest 24."""
    came = sorted(
        (moment, state)
        for state in {row.state for row in thing.rows} - set(truth.NOTHING)
        for moment in truth.entries(thing.kept, state, begin, end)
    )
    data = {
        "name": thing.name,
        "first": truth.pieces(thing.kept, begin, end)[0].state,
        "changes": [
            f"{local(moment):%Y-%m-%d %H:%M} {state}" for moment, state in came[-24:]
        ],
    }
    return [data | gaps(thing.kept, begin, end)]


def latest(thing: Thing) -> list[dict[str, Any]]:
    """Return when a thing came into a state last."""
    word, state = STATES[thing.entity_id]
    moment = truth.entries(thing.kept, state, PURGED, NOW.timestamp())[-1]
    when = {
        "when": said(moment),
        "at": local(moment).isoformat(timespec="seconds"),
    }
    now = {} if thing.rows[-1].state == state else {"now": ANY}
    return [{"name": thing.name, "state": word, **when, **now}]


def compared(kind: str, data: dict[str, Any], before: dict[str, Any]) -> dict[str, Any]:
    """Return what is told of another period, and the difference."""
    key = "seconds" if kind == "duration" else kind
    more = round(data[key] - before[key], 2)
    size = length(abs(more)) if kind == "duration" else f"{abs(more):g}"
    word = "more" if more > 0 else "less"
    return {
        "than": before[kind],
        "than_difference": f"{size} {word}" if more else "none",
    }


def gaps(rows: list[Row], begin: float, end: float) -> dict[str, str]:
    """Return what is told of what is not known."""
    share = truth.known(rows, begin, end)
    first = truth.pieces(rows, begin, end)[0].begin
    if share >= ALL:
        return {}
    since = {"known_from": said(first)} if first > begin else {}
    return {"known": f"{int(share * 100)} % of the time", **since}


def local(moment: float) -> datetime:
    """Return a moment on the clocks of the home."""
    return datetime.fromtimestamp(moment, NOW.tzinfo)


def said(moment: float) -> str:
    """Return a moment as it is said."""
    then = local(moment)
    days = (NOW.date() - then.date()).days
    day = ("today, ", "yesterday, ", "")[min(days, 2)]
    year = "" if then.year == NOW.year else f" {then.year}"
    return f"{day}{then:%A} {then.day} {then:%B}{year}, {then:%H:%M}"


def length(seconds: float) -> str:
    """Return a length of time in its two greatest units."""
    left = round(seconds)
    parts = []
    for unit, size in (("d", 24 * HOUR), ("h", HOUR), ("min", 60), ("s", 1)):
        if left >= size:
            parts.append(f"{left // size} {unit}")
        left %= size
    return " ".join(parts[:2]) or "0 min"
