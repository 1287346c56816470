"""How our tools tell their results: days, times, and no more than can be read."""

from collections.abc import Sequence
from datetime import date, datetime
from typing import Any, Final

from homeassistant.util import dt as dt_util

from ..languages.form import Language
from ..tool_calling.json_text import one_line

# A result has at most 1,500 characters; the rest is for what stands around a list.
_ROOM: Final = 1200
_NEAR: Final = {-1: "yesterday", 0: "today", 1: "tomorrow"}


def day_text(day: date) -> str:
    """Return "today, Sunday 22 November", with the year where it is another one."""
    today = dt_util.now().date()
    near = _NEAR.get((day - today).days)
    year = "" if day.year == today.year else f" {day.year}"
    text = f"{day:%A} {day.day} {day:%B}{year}"
    return f"{near}, {text}" if near else text


def moment_text(moment: datetime) -> str:
    """Return "today, Sunday 22 November, 14:05", in the home's zone."""
    local = dt_util.as_local(moment)
    return f"{day_text(local.date())}, {local:%H:%M}"


def spoken_day(day: date, language: Language) -> str:
    """Return "Monday, 23 November 2026" in a language."""
    weekday = language.weekdays.split()[day.weekday()]
    month = language.months.split()[day.month - 1]
    return f"{weekday}, {language.said['date'].format(d=day.day, m=month, y=day.year)}"


def bounded(items: Sequence[Any], room: int = _ROOM) -> list[Any]:
    """Return as many items as there is room for, and how many more there are."""
    told: list[Any] = []
    for item in items:
        room -= len(one_line(item)) + 2
        if room < 0:
            return [*told, f"and {len(items) - len(told)} more"]
        told.append(item)
    return told
