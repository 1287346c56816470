"""Forecast: what the home's weather entities expect, by day or by hour."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Final, override

from homeassistant.components.weather import DOMAIN as WEATHER, WeatherEntityFeature
from homeassistant.core import State
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import llm
from homeassistant.util import dt as dt_util

from ..const import DOMAIN
from ..gate.effects import Effect
from ..gate.own_tool import Arguments, Result
from .ability import Ability, can, schema
from .finder import StateWords
from .periods import Period, day_text, period_of

_DAY: Final = timedelta(days=1)
# The kinds of forecast, and how long a row of each is.
_KINDS: Final = {
    "daily": (WeatherEntityFeature.FORECAST_DAILY, _DAY),
    "twice_daily": (WeatherEntityFeature.FORECAST_TWICE_DAILY, timedelta(hours=12)),
    "hourly": (WeatherEntityFeature.FORECAST_HOURLY, timedelta(hours=1)),
}


type _Row = tuple[datetime, Mapping[str, Any]]
"""From when on what is expected."""


class Forecast(Ability):
    """Tells what the home's own weather services expect."""

    name = f"{DOMAIN}__forecast"
    title = "Forecast"
    description = "Weather forecast for this home. Use it before other weather tools."
    parameters = schema("name", "period: today, tomorrow, weekend, ...", "by: day|hour")
    domain = WEATHER

    @override
    async def async_run(self, arguments: Arguments, context: llm.LLMContext) -> Result:
        [state, *_] = self.finder().all({"name": arguments.get("name")}, acts=True)
        now = dt_util.now()
        period = period_of(arguments, now)
        by = str(arguments.get("by") or "").strip().casefold()
        hourly = by.startswith("hour") or (
            not by and period is not None and period.seconds < _DAY.total_seconds()
        )
        period = period or Period(now, now + (_DAY if hourly else 14 * _DAY))
        for kind in reversed(_KINDS) if hourly else _KINDS:
            feature, length = _KINDS[kind]
            if not can(state, feature):
                continue
            effect = Effect(state.entity_id, "get_forecasts", {"type": kind})
            found = await self.async_act(effect, context.context, answers=True)
            every = sorted(_rows(found["forecast"], kind), key=lambda row: row[0])
            first = max(now, period.start) - length
            if rows := [row for row in every if first < row[0] < period.end]:
                words = await StateWords.async_get(self.hass, "en", {WEATHER})
                told = [*_sentences(rows, kind, state, words)]
                return {"weather": state.name, "kind": kind, "forecast": told}
        raise HomeAssistantError(f"{state.name} has no forecast for that time.")


def _rows(forecast: Iterable[Mapping[str, Any]], kind: str) -> Iterator[_Row]:
    for item in forecast:
        if moment := dt_util.parse_datetime(str(item.get("datetime"))):
            start = dt_util.as_local(moment)
            yield dt_util.start_of_local_day(start) if kind == "daily" else start, item


def _sentences(
    rows: Sequence[_Row], kind: str, state: State, words: StateWords
) -> Iterator[str]:
    """Yield "tomorrow, Monday 23 November: rainy, 4 to 9 °C, 2.5 mm of rain"."""
    told = None
    for start, row in rows:
        when = [] if start.date() == told else [day_text(start.date())]
        told = start.date()
        if kind == "hourly":
            when.append(f"{start:%H:%M}")
        elif kind == "twice_daily":
            when.append("night" if row.get("is_daytime") is False else "by day")
        yield f"{', '.join(when)}: {_expected(row, state, words)}"


def _expected(row: Mapping[str, Any], state: State, words: StateWords) -> str:
    def measured(*keys: str, unit: str) -> str:
        shown = " to ".join(f"{row[key]:g}" for key in keys if row.get(key) is not None)
        return shown and f"{shown} {state.attributes.get(unit) or ''}".rstrip()

    condition = str(row.get("condition") or "")
    water = "snow" if "snow" in condition else "rain"
    parts = [
        words.english_name(state, condition),
        measured("templow", "temperature", unit="temperature_unit"),
    ]
    chance = row.get("precipitation_probability")
    if row.get("precipitation"):
        shown = measured("precipitation", unit="precipitation_unit")
        parts.append(f"{shown} of {water}")
    elif row.get("precipitation") == 0 and chance is None:
        parts.append("dry")
    if chance is not None:
        parts.append(f"{chance:g} % chance of {water}")
    if wind := measured("wind_speed", unit="wind_speed_unit"):
        parts.append(f"wind {wind}")
    return ", ".join(filter(None, parts)) or "nothing is known"
