"""Times as a model writes and reads them, and as people hear them, in the home's zone."""

from contextlib import suppress
from datetime import UTC, date, datetime, time, timedelta
import re
from typing import Final, NamedTuple

from homeassistant.exceptions import HomeAssistantError
from homeassistant.util import dt as dt_util

from ..gate.own_tool import Arguments
from ..languages import EN
from ..languages.form import Language

PERIODS: Final = (
    "today, yesterday, tomorrow, friday_evening, tonight, last_night, "
    "this|last|next_week|weekend|month|year, last|next_7_days, last_24_hours, 2026-10, "
    "or ISO"
)
"""What a model may write, for schemas and refusals."""

_DAYS: Final = {
    "today": 0,
    "yesterday": -1,
    "tomorrow": 1,
    "day before yesterday": -2,
    "day after tomorrow": 2,
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
_OFFSETS: Final = {"last": -1, "": 0, "this": 0, "next": 1}
WEEKDAYS: Final = EN.weekdays.casefold().split()
_GAPS: Final = re.compile(r"[\s_.,-]+")
_PART: Final = re.compile(rf"(.+?)[\s_]+(?:in[\s_]the[\s_]+)?({'|'.join(_PARTS)})")
_UNITS: Final = {x[0]: x for x in ("seconds", "minutes", "hours", "days", "weeks")}
# "Last hour" has no number.
_LENGTH: Final = re.compile(
    r"(\d+(?:\.\d+)?|(?<=t ))\s*"
    r"(s(?:ec(?:ond)?)?|m(?:in(?:ute)?)?|h(?:r|our)?|d(?:ay)?|w(?:eek)?)"
    r"s?(?:,| and)?(?:\s+|$|(?=\d))"
)
_ROLLING: Final = re.compile(rf"(?:(last|past|next) |in )?(?:{_LENGTH.pattern})+")
_TIME: Final = re.compile(r"(?:^|[\s_]+(?:at )?)(\d{1,2}:\d\d(?::\d\d)?)$")
_NEAR: Final = {-1: "yesterday", 0: "today", 1: "tomorrow"}
_MONTH: Final = re.compile(r"(\d{4})(?:-(\d\d))?")

_CODES: Final = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
_RULE: Final = re.compile(
    r"FREQ=(?:DAI|WEEK|MONTH|YEAR)LY|(?:INTERVAL|COUNT)=\d{1,2}|UNTIL=[\dTZ]+"
    rf"|BYDAY=(?:,?\b(?:{'|'.join(_CODES)})\b)+|BY(?:DAY=(?:-1|[1-5])[A-Z]{{2}}|MONTHDAY=\d+)"
)
_RULES: Final = (
    "FREQ=DAILY|WEEKLY|MONTHLY|YEARLY, INTERVAL, COUNT, UNTIL, weekly BYDAY=MO,TH, "
    "monthly BYDAY=1MO or -1FR: the event begins on one of these days"
)

type _Span = tuple[datetime, datetime]


class Period(NamedTuple):
    """A time from a start up to an end, both in UTC."""

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

    `now` is in the home's zone. With `past` it ends now at the latest, and a weekday is
    the last one. Raises HomeAssistantError.
    """
    keys = ("period", "from", "to")
    text, first, last = (str(arguments.get(key) or "").strip() for key in keys)
    if "/" in text:
        first, _, last = text.partition("/")
        text = ""
    if not (text or first or last):
        return None
    base, base_end = moment_of(text or "today", now, past=past)
    if base == base_end and text != "now":
        # Since a point of time.
        text, first = "", first or text
    start, end = base, base_end
    if first:
        start, _ = moment_of(first, now, base.date(), past=past)
    if last:
        begin, end = moment_of(last, now, start.date(), past=past)
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
        raise HomeAssistantError("That is in the future, or ends before it begins.")
    return found


def moment_of(
    text: str, now: datetime, day: date | None = None, *, past: bool = False
) -> _Span:
    """Return start and end of a period, or twice a moment; raises as above.

    A time alone is on `day`, else today.
    """
    text = text.strip()
    # A number that no calendar has is no period.
    with suppress(ValueError, OverflowError):
        if written := _TIME.search(text):
            if before := text[: written.start()]:
                day = moment_of(before, now, past=past)[0].date()
            at = time.fromisoformat(written[1].zfill(5))
            moment = datetime.combine(day or now.date(), at, now.tzinfo)
            return moment, moment
        if found := _iso(text, now) or _words(text, now, past) or _rolling(text, now):
            return found
        if part := _PART.fullmatch(text.casefold()):
            start, end = moment_of(part[1], now, past=past)
            if start + _DAY == end:
                return _hours(start, part[2])
    raise HomeAssistantError(f"Not a period: {text[:40]!r}. Possible: {PERIODS}.")


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


def rule_of(
    text: str, first: datetime, is_timed: bool, language: Language
) -> tuple[str, str]:
    """Return how an event recurs, as an RRULE of RFC 5545 and in words.

    Of the kinds that can be said: "every 2 weeks: Monday, Thursday (5 times)". Raises
    HomeAssistantError for others.
    """
    text = text.upper().removeprefix("RRULE:")
    rule = text if "=" in text else f"FREQ={text}"
    parts = {x: y for x, _, y in (z.partition("=") for z in rule.split(";") if z)}
    today, names = _CODES[first.weekday()], language.weekdays.split()
    is_known = all(_RULE.fullmatch("=".join(part)) for part in parts.items())
    days, often = parts.get("BYDAY", today), parts.get("FREQ", "").lower()
    week, is_last = -(first.day // -7), (first + timedelta(days=7)).month != first.month
    places = {f"{week}{today}": week - 1, f"-1{today}" if is_last else "": -1}
    own = {"weekly": today in days, "monthly": days in places}
    on_day = parts.get("BYMONTHDAY", f"{first.day}") == f"{first.day}"
    if not (is_known and often and on_day and ("BYDAY" not in parts or own.get(often))):
        raise HomeAssistantError(f"Possible: {_RULES}.")
    one, several = language.repeats[often].split("|")
    every = int(parts.get("INTERVAL", 1))
    told = one if every == 1 else several.format(n=every)
    if days in places:
        # Of the forms of a word the first one.
        word = re.sub(r"\(|\|[^)]*|\)", "", language.ordinals.split()[places[days]])
        told = f"{told}: {word} {names[first.weekday()]}"
    elif days != today:
        named = (names[_CODES.index(code)] for code in filter(None, days.split(",")))
        told = f"{told}: {', '.join(named)}"
    if count := parts.get("COUNT"):
        told += f" ({language.repeats['times'].format(n=count)})"
    if until := parts.get("UNTIL"):
        try:
            last = dt_util.as_local(datetime.fromisoformat(until)).date()
        except ValueError as err:
            raise HomeAssistantError(f"Not a day: {until}.") from err
        if last < first.date():
            raise HomeAssistantError("The series ends before it begins.")
        end = datetime.combine(last, time(23, 59, 59), first.tzinfo).astimezone(UTC)
        parts["UNTIL"] = f"{end:%Y%m%dT%H%M%SZ}" if is_timed else f"{last:%Y%m%d}"
        told += f" – {spoken_day(last, language)}"
    return ";".join(map("=".join, parts.items())), told


def template_of(rule: str, first: datetime) -> str:
    """Return a template that is true in the minutes of a rule (`rule_of`)."""
    parts = dict(part.split("=") for part in rule.split(";"))
    freq, place = parts["FREQ"], parts.get("BYDAY", "")
    if not parts.keys().isdisjoint(("COUNT", "UNTIL")):
        raise HomeAssistantError("A routine has no end.")
    every = int(parts.get("INTERVAL", 1)) * {"WEEKLY": 7, "YEARLY": 12}.get(freq, 1)
    if freq in ("DAILY", "WEEKLY"):
        own = first.weekday() if freq == "WEEKLY" else 0
        days = [_CODES.index(code) for code in place.split(",")] if place else [own]
        so = f"(now().toordinal() - {first.toordinal() - own}) % {every} in {days}"
    else:
        ahead, week = (7, 0) if place[:1] == "-" else (0, (first.day - 1) // 7)
        of_month = f"((now() + timedelta({ahead})).day - 1) // 7 == {week}"
        on = f"now().weekday() == {first.weekday()} and {of_month}"
        months = first.year * 12 + first.month
        so = f"(now().year * 12 + now().month - {months}) % {every} == 0 and "
        so += on if place else f"now().day == {first.day}"
    begun = f"now().toordinal() >= {first.toordinal()}"
    return f"{{{{ now().strftime('%H:%M') == '{first:%H:%M}' and {begun} and {so} }}}}"


def _iso(text: str, now: datetime) -> _Span | None:
    if found := _MONTH.fullmatch(text):
        year, month = int(found[1]) * 12, int(found[2] or 1) - 1
        return _months(year + month, now, 1 if found[2] else 12)
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
    words, today = _GAPS.sub(" ", text.casefold()).strip(), now.date()
    if words == "now":
        return now, now
    if words in _DAYS:
        days = _DAYS[words]
        return _midnight(today, now, days), _midnight(today, now, days + 1)
    which, _, unit = words.replace("tonight", "night").rpartition(" ")
    if words == "last night" or (unit in _PARTS and which in ("", "this")):
        # Before six it is the night that it is.
        is_yesterday = unit == "night" and (which == "last" or now.hour < _NIGHT_ENDS)
        return _hours(_midnight(today, now, -1 if is_yesterday else 0), unit)
    if unit in WEEKDAYS and which in _OFFSETS:
        ahead = WEEKDAYS.index(unit) - today.weekday()
        days = 1 + (ahead - 1) % 7
        if which == "last" or (past and which != "next"):
            days = -1 - (-ahead - 1) % 7
        return _midnight(today, now, days), _midnight(today, now, days + 1)
    return _calendar(which, unit, now, past)


def _calendar(which: str, unit: str, now: datetime, past: bool) -> _Span | None:
    this = now.year * 12 + now.month - 1
    if (offset := _OFFSETS.get(which)) is None:
        return None
    if unit == "year":
        return _months((now.year + offset) * 12, now, 12)
    if unit == "month":
        return _months(this + offset, now)
    monday = now.date() - timedelta(days=now.weekday()) + timedelta(weeks=offset)
    if unit == "week":
        return _midnight(monday, now), _midnight(monday, now, 7)
    if unit != "weekend":
        return None
    if past and not offset and now.weekday() < _SATURDAY:
        monday -= timedelta(weeks=1)
    return _midnight(monday, now, _SATURDAY), _midnight(monday, now, 7)


def _rolling(text: str, now: datetime) -> _Span | None:
    """Return some time up to or from now. Hours are real, days what the clocks show."""
    text = text.casefold().replace("_", " ")
    if (found := _ROLLING.fullmatch(text)) is None:
        return None
    days = hours = timedelta()
    for number, unit in _LENGTH.findall(text):
        length = timedelta(**{_UNITS[unit[0]]: float(number or 1)})
        if unit[0] in "dw":
            days += length
        else:
            hours += length
    if found[1] in ("last", "past"):
        return ((now - days).astimezone(UTC) - hours).astimezone(now.tzinfo), now
    end = ((now + days).astimezone(UTC) + hours).astimezone(now.tzinfo)
    if found[1] is None:
        return end, end
    return now, end if hours else _midnight(end.date(), now, 1)


def _midnight(day: date, now: datetime, days: int = 0) -> datetime:
    return datetime.combine(day + timedelta(days=days), time(), now.tzinfo)


def _hours(day: datetime, part: str) -> _Span:
    begin, end = (day + timedelta(hours=hour) for hour in _PARTS[part])
    return begin, end


def _months(index: int, now: datetime, count: int = 1) -> _Span:
    first, after = (
        datetime(number // 12, number % 12 + 1, 1, tzinfo=now.tzinfo)
        for number in (index, index + count)
    )
    return first, after
