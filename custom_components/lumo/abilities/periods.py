"""Words for time: what a model writes of a period, as a start and an end.

A closed set of words in every language (`periods` in `languages/form.py`), ISO dates,
months and times, and two of these as `from` and `to`. All of it in the home's zone: a
day has 23 or 25 hours where the clocks change, a week begins on Monday. What is neither
is refused with what is possible; nothing is guessed.
"""

from calendar import monthrange
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from functools import cache
import re
from typing import Final

from homeassistant.exceptions import HomeAssistantError

from ..gate.own_tool import Arguments
from ..languages import LANGUAGES
from ..languages.words import APOSTROPHES, phrases
from ..text import as_compared

_POSSIBLE: Final = (
    "today, yesterday, tomorrow, this_week, last_month, next_year, this_weekend, "
    "monday, this_morning, tonight, last_night, friday_evening, last_24_hours, "
    "last_7_days, next_3_days, or dates, months and times in ISO format"
)
_DAYS: Final = {
    "today": 0,
    "yesterday": -1,
    "tomorrow": 1,
    "day_before_yesterday": -2,
    "day_after_tomorrow": 2,
}
# The hours of a day; a night ends at six on the next day.
_PARTS: Final = {
    "morning": (6, 12),
    "afternoon": (12, 18),
    "evening": (18, 24),
    "night": (18, 30),
}
_NIGHT_ENDS: Final = 6
_DAY: Final = timedelta(days=1)
_SATURDAY: Final = 5
_OFFSETS: Final = {"last": -1, "this": 0, "next": 1}
_GAP: Final = re.compile(r"[\s_.,-]+")
_UNIT: Final = re.compile(r"(?<=\d)(?=[^\W\d])")
_BETWEEN: Final = re.compile(r"[\s_]+")
_TIME: Final = re.compile(r"(?:^|[\s_]+(?:at )?)(\d{1,2}:\d\d(?::\d\d)?)$")
_MONTH: Final = re.compile(r"(\d{4})(?:-(\d\d))?")

type _Span = tuple[datetime, datetime]


@dataclass(frozen=True, slots=True)
class Period:
    """A time from a start to an end that is not in it any more, both in UTC."""

    start: datetime
    end: datetime

    @property
    def seconds(self) -> float:
        """Return how long it is."""
        return (self.end - self.start).total_seconds()


def period_of(
    arguments: Arguments, now: datetime, *, past: bool = False
) -> Period | None:
    """Return the period that `period`, `from` and `to` stand for, None without any.

    `now` is in the home's zone. In the past it ends now at the latest, and a weekday or
    a month is the last one instead of the next. A time of day alone is one of the
    period. Raises HomeAssistantError, in words for the model, for what is not
    understood, and for the future where it is past.
    """
    text, first, last = (
        str(arguments.get(key) or "").strip() for key in ("period", "from", "to")
    )
    if "/" in text:
        first, _, last = text.partition("/")
        text = ""
    if not (text or first or last):
        return None
    base, base_end = _read(text or "today", now, past)
    if base == base_end and text != "now":
        # Since a point of time.
        text, first = "", first or text
    start, end = base, base_end
    if first:
        start, _ = _read(first, now, past, base.date())
    if last:
        begin, end = _read(last, now, past, start.date())
        if not (first or text):
            start = _midnight(begin.date(), now)
        if end <= start and _TIME.fullmatch(last):
            end += timedelta(days=1)
    elif not text or not base <= start <= base_end:
        end = now if past else _midnight(start.date(), now, 1)
    found = Period(start.astimezone(UTC), end.astimezone(UTC))
    if past:
        found = Period(found.start, min(found.end, now.astimezone(UTC)))
    if found.end < found.start or (past and found.end == found.start):
        raise HomeAssistantError(
            "That period is in the future, or ends before it begins."
        )
    return found


def moment_of(text: str, now: datetime) -> tuple[datetime, datetime]:
    """Return from when to when something of the future is, in the home's zone.

    Days for a date or words for one; the same point of time twice where a time is said:
    "tomorrow 15:00", "2026-11-23T15:00". Raises HomeAssistantError like `period_of`.
    """
    return _read(text.strip(), now, past=False)


def _read(text: str, now: datetime, past: bool, day: date | None = None) -> _Span:
    """Return from when to when a text is; a time alone is of a day, else of today."""
    text = text.strip()
    # A number that no calendar has is no period.
    with suppress(ValueError, OverflowError):
        if written := _TIME.search(text):
            if before := text[: written.start()]:
                day = _read(before, now, past)[0].date()
            at = time.fromisoformat(written[1].zfill(5))
            moment = datetime.combine(day or now.date(), at, now.tzinfo)
            return moment, moment
        if found := _whole(text, now, past) or _part(text, now, past):
            return found
    raise HomeAssistantError(f"Not a period: {text[:40]!r}. Possible: {_POSSIBLE}.")


def _whole(text: str, now: datetime, past: bool) -> _Span | None:
    return _iso(text, now) or _words(text, now, past)


def _part(text: str, now: datetime, past: bool) -> _Span | None:
    """Read a part of a day: "friday evening"."""
    words = _BETWEEN.split(text)
    for count in range(1, len(words)):
        part = _tables()[0].get(_folded(" ".join(words[count:])), "")
        day = _whole(" ".join(words[:count]), now, past) if part in _PARTS else None
        if day and day[0] + _DAY == day[1]:
            return _hours(day[0], part)
    return None


def _iso(text: str, now: datetime) -> _Span | None:
    """Read a year, a month, a date, or a date with a time."""
    if found := _MONTH.fullmatch(text):
        if found[2]:
            return _months(int(found[1]) * 12 + int(found[2]) - 1, now)
        return _months(int(found[1]) * 12, now, 12)
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    if len(text) <= len("2026-11-22"):
        return _midnight(moment.date(), now), _midnight(moment.date(), now, 1)
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=now.tzinfo)
    moment = moment.astimezone(now.tzinfo)
    return moment, moment


def _words(text: str, now: datetime, past: bool) -> _Span | None:
    """Read words of the closed set."""
    numbers, form = _form(text)
    periods = _tables()[0]
    if (key := periods.get(form)) is None:
        return None
    today = now.date()
    if key == "now":
        return now, now
    if key in _DAYS:
        return _midnight(today, now, _DAYS[key]), _midnight(today, now, _DAYS[key] + 1)
    which, _, unit = key.rpartition("_")
    if unit in _PARTS:
        # Before six it is the night that it is.
        is_yesterday = unit == "night" and (which or now.hour < _NIGHT_ENDS)
        return _hours(_midnight(today, now, -1 if is_yesterday else 0), unit)
    if unit == "weekday":
        days = 1 + (numbers[0] - today.weekday() - 1) % 7
        if which == "last" or (past and not which):
            days = -1 - (today.weekday() - numbers[0] - 1) % 7
        return _midnight(today, now, days), _midnight(today, now, days + 1)
    if unit in ("week", "weekend", "month", "year"):
        return _calendar(which, unit, numbers, now, past)
    return _rolling(which, unit, numbers[0] if numbers else 1, now)


def _calendar(
    which: str, unit: str, numbers: list[int], now: datetime, past: bool
) -> _Span:
    """Return a week, weekend, month or year of the calendar."""
    offset = _OFFSETS.get(which, 0)
    this = now.year * 12 + now.month - 1
    if unit == "year":
        return _months((now.year + offset) * 12, now, 12)
    if unit == "month":
        if not numbers:
            return _months(this + offset, now)
        if which == "year":
            return _months(numbers[1] * 12 + numbers[0], now)
        # A month by its name: the one that is nearest.
        ahead = (numbers[0] - this) % 12
        return _months(this + ahead - (12 if past and ahead else 0), now)
    monday = now.date() - timedelta(days=now.weekday()) + timedelta(weeks=offset)
    if unit == "week":
        return _midnight(monday, now), _midnight(monday, now, 7)
    if past and not offset and now.weekday() < _SATURDAY:
        monday -= timedelta(weeks=1)
    return _midnight(monday, now, _SATURDAY), _midnight(monday, now, 7)


def _rolling(which: str, unit: str, number: int, now: datetime) -> _Span:
    """Return a number of minutes, hours, days, weeks or months up to or from now.

    Days, weeks and months begin at the same time of the day; those to come end with
    the last day.
    """
    if unit in ("minutes", "hours"):
        length = timedelta(**{unit: number})
        moments = (now.astimezone(UTC) - length, now, now.astimezone(UTC) + length)
        before, here, after = (moment.astimezone(now.tzinfo) for moment in moments)
        return (here, after) if which == "next" else (before, here)
    if which == "next":
        days = timedelta(**{unit: number}).days
        return now, _midnight(now.date(), now, days + 1)
    if unit == "months":
        year, month = divmod(now.year * 12 + now.month - 1 - number, 12)
        day = min(now.day, monthrange(year, month + 1)[1])
        return now.replace(year=year, month=month + 1, day=day), now
    return now - timedelta(**{unit: number}), now


def _midnight(day: date, now: datetime, days: int = 0) -> datetime:
    """Return when a day begins, or one that is some days later."""
    return datetime.combine(day + timedelta(days=days), time(), now.tzinfo)


def _hours(day: datetime, part: str) -> _Span:
    """Return a part of a day that begins at a midnight."""
    begin, end = (day + timedelta(hours=hour) for hour in _PARTS[part])
    return begin, end


def _months(index: int, now: datetime, count: int = 1) -> _Span:
    """Return months, of which the first is counted from the beginning of time."""
    first, after = (
        datetime(number // 12, number % 12 + 1, 1, tzinfo=now.tzinfo)
        for number in (index, index + count)
    )
    return first, after


def _form(text: str) -> tuple[list[int], str]:
    """Return the numbers in a text, and it with signs for them as in the tables.

    Days of the week are numbers from Monday, and months from January, as 0.
    """
    signs = _tables()[1]
    numbers: list[int] = []
    form: list[str] = []
    for word in _UNIT.sub(" ", _folded(text)).split():
        sign, number = signs.get(word) or (
            ("#", int(word)) if word.isdecimal() else (word, None)
        )
        form.append(sign)
        if number is not None:
            numbers.append(number)
    return numbers, " ".join(form)


def _folded(text: str) -> str:
    return " ".join(_GAP.sub(" ", as_compared(APOSTROPHES.sub("", text))).split())


@cache
def _tables() -> tuple[dict[str, str], dict[str, tuple[str, int]]]:
    """Return the periods by their forms, and the signs and numbers of words."""
    periods: dict[str, str] = {}
    signs: dict[str, tuple[str, int]] = {}
    for language in LANGUAGES.values():
        for key, templates in language.periods.items():
            periods |= dict.fromkeys(map(_folded, phrases(templates)), key)
        for sign, words in (
            ("#", language.numbers),
            ("*", language.weekdays),
            ("@", language.months),
        ):
            for number, names in enumerate(words.split()):
                said = phrases(names.replace("|", "\n"))
                signs |= dict.fromkeys(map(_folded, said), (sign, number))
    return periods, signs
