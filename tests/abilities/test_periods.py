"""What words for time stand for, in a home where the clocks change."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from dateutil.rrule import rrulestr
from freezegun.api import FrozenDateTimeFactory
from homeassistant.core import HomeAssistant
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers.template import Template
import pytest

from custom_components.lumo.abilities.periods import (
    moment_of,
    period_of,
    rule_of,
    template_of,
)
from custom_components.lumo.languages import EN

ZONE = ZoneInfo("Europe/Berlin")
# A Sunday.
NOW = datetime(2026, 11, 22, 10, 40, tzinfo=ZONE)


def given(text: str) -> dict[str, str]:
    """Read the arguments of a row: "period | from | to"."""
    parts = [part.strip() for part in f"{text} | | ".split("|")]
    return dict(zip(("period", "from", "to"), parts, strict=False))


def read(text: str, now: datetime = NOW, *, past: bool = True) -> str:
    """Return the local start and end of a row, and its hours."""
    period = period_of(given(text), now, past=past)
    assert period is not None
    start, end = (
        item.astimezone(ZONE).replace(tzinfo=None).isoformat(" ", "minutes")
        for item in (period.start, period.end)
    )
    return f"{start} {end} {period.seconds / 3600:g}"


# Of the past.
PAST = {
    "today": "2026-11-22 00:00 2026-11-22 10:40 10.6667",
    " Yesterday ": "2026-11-21 00:00 2026-11-22 00:00 24",
    "this_week": "2026-11-16 00:00 2026-11-22 10:40 154.667",
    "last_week": "2026-11-09 00:00 2026-11-16 00:00 168",
    "last weekend": "2026-11-14 00:00 2026-11-16 00:00 48",
    "Last 7 days": "2026-11-15 10:40 2026-11-22 10:40 168",
    "last 24h": "2026-11-21 10:40 2026-11-22 10:40 24",
    "past_week": "2026-11-15 10:40 2026-11-22 10:40 168",
    "last_24_hours": "2026-11-21 10:40 2026-11-22 10:40 24",
    "last hour": "2026-11-22 09:40 2026-11-22 10:40 1",
    "last month": "2026-10-01 00:00 2026-11-01 00:00 745",
    "2026-10": "2026-10-01 00:00 2026-11-01 00:00 745",
    "2025": "2025-01-01 00:00 2026-01-01 00:00 8760",
    "monday": "2026-11-16 00:00 2026-11-17 00:00 24",
    "Sunday": "2026-11-15 00:00 2026-11-16 00:00 24",
    "this_weekend": "2026-11-21 00:00 2026-11-22 10:40 34.6667",
    "this_morning": "2026-11-22 06:00 2026-11-22 10:40 4.66667",
    "last_night": "2026-11-21 18:00 2026-11-22 06:00 12",
    "yesterday evening": "2026-11-21 18:00 2026-11-22 00:00 6",
    "2026-10-24 night": "2026-10-24 18:00 2026-10-25 06:00 13",
    "Friday_in_the_morning": "2026-11-20 06:00 2026-11-20 12:00 6",
    "2026-10-25": "2026-10-25 00:00 2026-10-26 00:00 25",
    "2026-03-29": "2026-03-29 00:00 2026-03-30 00:00 23",
    "2026-11-01/2026-11-03": "2026-11-01 00:00 2026-11-04 00:00 72",
    # Since a point of time.
    "yesterday 18:00": "2026-11-21 18:00 2026-11-22 10:40 16.6667",
    "2026-11-21T18:00:00Z": "2026-11-21 19:00 2026-11-22 10:40 15.6667",
    "|monday": "2026-11-16 00:00 2026-11-22 10:40 154.667",
    "today|2026-11-01": "2026-11-01 00:00 2026-11-22 10:40 514.667",
    # Times of a day.
    "yesterday|18:00|20:00": "2026-11-21 18:00 2026-11-21 20:00 2",
    "yesterday|22:00|6:00": "2026-11-21 22:00 2026-11-22 06:00 8",
    "yesterday|18:00": "2026-11-21 18:00 2026-11-22 00:00 6",
    "|yesterday at 22:00|06:00": "2026-11-21 22:00 2026-11-22 06:00 8",
    "||09:00": "2026-11-22 00:00 2026-11-22 09:00 9",
    "|2026-11-20|yesterday": "2026-11-20 00:00 2026-11-22 00:00 48",
}
# Of the future.
FUTURE = {
    "today": "2026-11-22 00:00 2026-11-23 00:00 24",
    "tomorrow": "2026-11-23 00:00 2026-11-24 00:00 24",
    "this_week": "2026-11-16 00:00 2026-11-23 00:00 168",
    "friday": "2026-11-27 00:00 2026-11-28 00:00 24",
    "last friday": "2026-11-20 00:00 2026-11-21 00:00 24",
    "next_3_days": "2026-11-22 10:40 2026-11-26 00:00 85.3333",
    "next 2 hours": "2026-11-22 10:40 2026-11-22 12:40 2",
    "next 2 weeks": "2026-11-22 10:40 2026-12-07 00:00 349.333",
    "next_weekend": "2026-11-28 00:00 2026-11-30 00:00 48",
    "tomorrow_evening": "2026-11-23 18:00 2026-11-24 00:00 6",
    "tonight": "2026-11-22 18:00 2026-11-23 06:00 12",
    "now": "2026-11-22 10:40 2026-11-22 10:40 0",
    "tomorrow 15:00": "2026-11-23 15:00 2026-11-24 00:00 9",
    "tomorrow|9:00|12:00": "2026-11-23 09:00 2026-11-23 12:00 3",
    "next year": "2027-01-01 00:00 2028-01-01 00:00 8760",
}


def test_periods() -> None:
    """Words, dates and times; only the end is different in the future."""
    for text, said in PAST.items():
        assert read(text) == said, text
    for text, said in FUTURE.items():
        assert read(text, past=False) == said, text
    assert period_of({"period": " ", "from": None}, NOW) is None


def test_where_the_clocks_change() -> None:
    """Hours are hours; days begin at the same time of the day."""
    now = datetime(2026, 10, 25, 12, tzinfo=ZONE)
    assert read("today", now).endswith(" 13")
    assert read("last 12 hours", now) == "2026-10-25 01:00 2026-10-25 12:00 12"
    assert read("last 1 day", now) == "2026-10-24 12:00 2026-10-25 12:00 25"
    early = datetime(2026, 11, 22, 2, tzinfo=ZONE)
    for night in ("tonight", "last_night", "this night"):
        assert read(night, early) == "2026-11-21 18:00 2026-11-22 02:00 8"
    tuesday = datetime(2026, 11, 24, 2, tzinfo=ZONE)
    assert read("this weekend", tuesday).startswith("2026-11-21")
    assert read("this weekend", tuesday, past=False).startswith("2026-11-28")


def refused() -> Iterator[str]:
    """Yield what is no period of the past."""
    yield from (
        "yesterday somehow",
        "last week evening",
        "last_9_months",
        # Months as they are in the list: 2026-10.
        "October",
        "next two weeks",
        "recently",
        "99:99",
        "2026-13",
        "2026-02-30",
        # Models write English, whatever is spoken.
        "gestern",
        "la semaine dernière",
    )
    yield from ("last 99999999999 days", "last_0000", "tomorrow", "now", "18:00")
    yield from ("|today|yesterday", "next_week", "2027")


def test_nothing_is_guessed() -> None:
    """What is not understood is refused with what is possible."""
    for text in refused():
        with pytest.raises(HomeAssistantError):
            read(text)
    with pytest.raises(HomeAssistantError, match="Possible: today, yesterday"):
        read("yesterday somehow")


def test_points_of_time() -> None:
    """A day, or the same twice."""
    start, end = moment_of("tomorrow 15:00", NOW)
    assert start == end == datetime(2026, 11, 23, 15, tzinfo=ZONE)
    day, after = moment_of("friday", NOW)
    assert (after - day).days == 1


async def test_a_routine_runs_when_its_rule_says_so(
    hass: HomeAssistant, freezer: FrozenDateTimeFactory
) -> None:
    """For two years from a Tuesday on, the last of its month, and not before."""
    await hass.config.async_set_time_zone(ZONE.key)
    first = datetime(2026, 12, 29, 9, tzinfo=ZONE)
    days = [first + timedelta(days=day) for day in range(-100, 800)]
    for rule in (
        *("FREQ=DAILY;INTERVAL=3", "FREQ=WEEKLY;BYDAY=TU,SA;INTERVAL=2", "WEEKLY"),
        *("FREQ=MONTHLY;INTERVAL=2", "FREQ=MONTHLY;BYDAY=-1TU", "FREQ=YEARLY"),
        *("FREQ=MONTHLY;BYDAY=5TU", "FREQ=MONTHLY;BYMONTHDAY=29"),
    ):
        rule, _ = rule_of(rule, first, True, EN)
        is_so, found = Template(template_of(rule, first), hass), []
        for day in days:
            freezer.move_to(day)
            found += [day] * is_so.async_render()
        assert found == rrulestr(rule, dtstart=first).between(first, days[-1], True)
    freezer.move_to(first + timedelta(minutes=1))
    assert not is_so.async_render()
