"""Forecast: what the weather entities of the home expect, by day or by hour.

Each has one or several kinds of forecast. Where the kind that was asked for is missing,
or does not reach so far, the next best is told, and that it is.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Any, Final, override

from homeassistant.components.weather import DOMAIN as WEATHER, WeatherEntityFeature
from homeassistant.const import ATTR_SUPPORTED_FEATURES, STATE_UNAVAILABLE
from homeassistant.core import Context, HomeAssistant, State
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import llm
from homeassistant.util import dt as dt_util
import probatio

from ..const import DOMAIN
from ..gate.names import name_of
from ..gate.own_tool import Arguments
from .ability import Ability, async_answer, optional_texts
from .finder import Finder
from .periods import PERIODS, Period, period_of
from .state_words import StateWords
from .telling import bounded, told_day, told_moment

_DAY: Final = timedelta(days=1)
# How long a row is that none follows.
_KINDS: Final = {
    "daily": (WeatherEntityFeature.FORECAST_DAILY, _DAY),
    "twice_daily": (WeatherEntityFeature.FORECAST_TWICE_DAILY, timedelta(hours=12)),
    "hourly": (WeatherEntityFeature.FORECAST_HOURLY, timedelta(hours=1)),
}


@dataclass(frozen=True, slots=True)
class _Row:
    """What is expected for some time."""

    start: datetime
    end: datetime
    expected: Mapping[str, Any]


class Forecast(Ability):
    """Tells what the home's own weather services expect."""

    name = f"{DOMAIN}__forecast"
    title = "Forecast"
    description = (
        "Weather forecast for this home. Use it before any other weather tool."
    )
    parameters = probatio.Schema(
        optional_texts(
            {
                "period": PERIODS,
                "by": "day|hour",
                "name": "",
            }
        )
    )
    domain = WEATHER

    @override
    async def async_run(
        self, hass: HomeAssistant, arguments: Arguments, context: llm.LLMContext
    ) -> dict[str, Any]:
        finder = Finder(hass, self.things(hass), self.context.speaker)
        [state, *_] = finder.all({"name": arguments.get("name")}, reads=True)
        now = dt_util.now()
        period = period_of(arguments, now)
        by = str(arguments.get("by") or "").strip().casefold()
        hourly = by.startswith("hour") or (
            not by and period is not None and period.seconds < _DAY.total_seconds()
        )
        period = period or Period(now, now + (_DAY if hourly else 14 * _DAY))
        kinds = ["hourly", "twice_daily", "daily"]
        if not hourly:
            kinds.reverse()
        return await _async_told(hass, state, kinds, period, context.context)


async def _async_told(
    hass: HomeAssistant,
    state: State,
    kinds: Sequence[str],
    period: Period,
    context: Context | None,
) -> dict[str, Any]:
    """Return what the first kind that knows anything of a period has to say."""
    data: dict[str, Any] = {"weather": name_of(hass, state.entity_id)}
    if state.state == STATE_UNAVAILABLE:
        raise HomeAssistantError(f"{data['weather']} is not available now.")
    features = state.attributes.get(ATTR_SUPPORTED_FEATURES, 0)
    ends: list[datetime] = []
    for kind in kinds:
        if not features & _KINDS[kind][0]:
            continue
        rows = await _async_rows(hass, state.entity_id, kind, context)
        told = [
            row for row in rows if row.start < period.end and row.end > period.start
        ]
        if told:
            words = await StateWords.async_get(hass, "en", {WEATHER})
            data["forecast"] = bounded([*_sentences(told, kind, state, words)])
            if kind != kinds[0]:
                data["note"] = (
                    f"There is no {kinds[0]} forecast for that; this is {kind}."
                )
            return data
        ends += (row.end for row in rows)
    if not ends:
        raise HomeAssistantError(f"{data['weather']} has no forecast now.")
    raise HomeAssistantError(
        f"{data['weather']} has no forecast for that time, only from now until "
        f"{told_moment(max(ends))}."
    )


async def _async_rows(
    hass: HomeAssistant, entity_id: str, kind: str, context: Context | None
) -> list[_Row]:
    """Return what a service expects from now on."""
    data = {"type": kind}
    found = await async_answer(hass, entity_id, "get_forecasts", data, context)
    starts: list[tuple[datetime, Mapping[str, Any]]] = []
    for item in found["forecast"]:
        if moment := dt_util.parse_datetime(str(item.get("datetime"))):
            local = dt_util.as_local(moment)
            if kind == "daily":
                local = dt_util.start_of_local_day(local)
            starts.append((local, item))
    starts.sort(key=lambda pair: pair[0])
    if not starts:
        return []
    last = starts[-1][0] + _KINDS[kind][1]
    ends = [*(later[0] for _, later in pairwise(starts)), last]
    now = dt_util.utcnow()
    return [
        _Row(start, end, item)
        for (start, item), end in zip(starts, ends, strict=True)
        if end > now
    ]


def _sentences(
    rows: Sequence[_Row], kind: str, state: State, words: StateWords
) -> Iterator[str]:
    """Yield "tomorrow, Monday 23 November: rainy, 4 to 9 °C, 2.5 mm of rain".

    Of several rows of one day the first names it.
    """
    told = None
    for row in rows:
        day = row.start.date()
        when = [] if day == told else [told_day(day)]
        told = day
        if kind == "hourly":
            when.append(f"{row.start:%H:%M}")
        elif kind == "twice_daily":
            is_night = row.expected.get("is_daytime") is False
            when.append("night" if is_night else "by day")
        yield f"{', '.join(when)}: {_expected(row.expected, state, words)}"


def _expected(row: Mapping[str, Any], state: State, words: StateWords) -> str:
    """Return "rainy, 4 to 9 °C, 2.5 mm of rain, 80 % chance of rain, wind 12 km/h"."""

    def measured(*keys: str, unit: str) -> str:
        values = [f"{row[key]:g}" for key in keys if row.get(key) is not None]
        shown = " to ".join(values)
        return f"{shown} {state.attributes.get(unit) or ''}".rstrip() if shown else ""

    condition = str(row.get("condition") or "")
    water = "snow" if "snow" in condition else "rain"
    parts = [
        words.said(state, condition),
        measured("templow", "temperature", unit="temperature_unit"),
    ]
    chance = row.get("precipitation_probability")
    if amount := row.get("precipitation"):
        shown = measured("precipitation", unit="precipitation_unit")
        parts.append(f"{shown} of {water}")
    elif amount is not None and chance is None:
        parts.append("dry")
    if chance is not None:
        parts.append(f"{chance:g} % chance of {water}")
    if wind := measured("wind_speed", unit="wind_speed_unit"):
        parts.append(f"wind {wind}")
    return ", ".join(filter(None, parts)) or "nothing is known"
