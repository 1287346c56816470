"""Numbers as they are said: with their units, as times, dates and ranges.

Only what voices get wrong is changed: the minus of "-5" in French and Spanish, "18-20"
as two numbers, "km/h" as letters, "21.5" where the decimal sign is a comma.
"""

import re
from typing import Final, NamedTuple

from ..languages.form import Language

_FRACTIONS: Final = "¼-¾⅐-⅞"
_NUMBER: Final = rf"(?:\d+(?:[.,:h’'/]\d+)*[{_FRACTIONS}]?|[{_FRACTIONS}])"
_QUANTITY: Final = re.compile(
    rf"(?P<signs>[~<>≤≥±+−–-]*)(?P<low>{_NUMBER}\.?)(?:[°%CFh]+(?=[–—-]))?"
    rf"(?:(?P<dash>[–—-])(?P<minus>[−-]?)(?P<high>{_NUMBER}\.?))?(?P<unit>[^\d.,].*)?"
)
_TIME: Final = re.compile(r"([01]?\d|2[0-4])([:.h])([0-5]\d)")
_DATE: Final = re.compile(
    r"(\d{4})-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])(?:T(\d\d:\d\d).*)?"
)
# Before a full stop: nobody tells a value so exactly.
_WHOLE_DATE: Final = re.compile(r"\d{1,2}\.(?:0[1-9]|1[0-2])")
_DAY_AND_MONTH: Final = re.compile(r"(?:0?[1-9]|[12]\d|3[01])\.(?:0?[1-9]|1[0-2])")
# "Kl. 20.15" in Scandinavia.
_DOTTED_TIME: Final = re.compile(r"(?:[01]?\d|2[0-4])\.[0-5]\d")
# Three digits behind the dot may be thousands.
_DECIMAL: Final = re.compile(r"\d+\.(?:\d{1,2}|\d{4,})")
_BETWEEN_NUMBERS: Final = re.compile(r"(?<=\d)(?:[*=÷]|\+(?=\d)|×)(?=\d|$|\W)")
_PART: Final = re.compile(rf"\d/\d+|[{_FRACTIONS}]")
_OPEN_RANGE: Final = re.compile(r"\A(\d[\w:.]*)–(?=\d)")
_SQUARE: Final = re.compile(r"((?:[kcm]m|m))([23])")
_OTHER_FORMS: Final = {"L": "l", "mL": "ml", "ºC": "°C", "ºF": "°F", "℃": "°C"}


class Spoken(NamedTuple):
    """What is said for a word."""

    text: str
    number: str = ""
    """It ends with this number, and a blank if its unit was said."""
    took: str = ""
    """The word behind it that is part of it."""


class Numbers:
    """How numbers are said in one language."""

    def __init__(self, language: Language) -> None:
        self._language = language
        self.signs = language.signs
        self._counts = [re.compile(pattern) for pattern in language.counts.split()]
        self._units = {unit: said.split("|") for unit, said in language.units.items()}
        self._unit_words = {
            said.split()[0].casefold() for unit in self._units.values() for said in unit
        }
        self._plurals = {
            form: forms[0] for forms in self._units.values() for form in forms[1:]
        }
        self._times = {"h", "min", "s", "std", "hrs"}.union(
            form.casefold()
            for unit in ("h", "min", "s")
            for form in self._units.get(unit, ())
        )
        self._months = language.months.split()
        self._before_days = language.before_days.split()

    def wants_next(self, word: str) -> bool:
        """Return whether the word behind it decides how this one is said."""
        if self._language.said["time"] and _TIME.fullmatch(re.split("[–—-]", word)[-1]):
            return True
        return self._language.decimal == "," and bool(_DECIMAL.fullmatch(word))

    def is_month(self, word: str) -> bool:
        """Return whether a day may stand before this word: "1. Mai"."""
        return word.casefold() in map(str.casefold, self._months)

    def unit(self, word: str, number: str) -> str:
        """Return what is said for the unit behind a number, empty if it is none."""
        if number == "1" and word in self._plurals:
            return self._plurals[word]
        word = _SQUARE.sub(lambda m: m[1] + "²³"["23".index(m[2])], word)
        said = self._units.get(_OTHER_FORMS.get(word, word).replace("μ", "µ"))
        if said is None and word[-1:] in ("²", "³"):
            base = self._units.get(word[:-1], ())
            said = [f"{name} {self.signs[word[-1]]}" for name in base]
        # "12 A" is a house, and "5 in the kitchen" are no inches.
        if not said or (word in ("A", "in") and number.isdecimal()):
            return ""
        if _PART.fullmatch(number):
            return said[0]
        forms = zip(said, self._counts, strict=False)
        return next((x for x, which in forms if which.fullmatch(number)), said[-1])

    def say(self, word: str, before: str, following: str, *, dot: bool) -> Spoken:
        """Say a word with digits between two words; `dot`: a full stop is behind it."""
        if date := _DATE.fullmatch(word):
            return Spoken(self._date(date))
        if time := self._time(word, following):
            return time
        word = word.replace("≈", "~")
        parts = _QUANTITY.fullmatch(word)
        signs, low, dash, minus, high, written = parts.groups() if parts else [""] * 6
        if written == "m" and before in self._units.get("h", ()):
            # "2h 5m".
            written = "min"
        unit = written and self.unit(written, high or low)
        # "The 1990s".
        if not low or unit == "" or (written == "s" and (high or low)[-1] == "0"):
            first, slash, second = word.partition("/")
            if (
                slash
                and (heard := self.say(first, before, "", dot=False)).number[-1:] == " "
            ):
                rest = self.say(second, "", following, dot=dot)
                return rest._replace(text=f"{heard.text} – {rest.text}")
            return Spoken(self._signs_between(word))
        # Behind another number it is one of a telephone.
        if dash == "-" and (before[-1:].isdigit() or not is_range(low, high)):
            return Spoken(word)
        is_day = low.endswith(".") or (
            not unit and self._is_day(low, before, following, dot=dot)
        )
        said = [self.signs[_sign(sign)] for sign in signs]
        said.append(low if is_day else self._decimal(low, "" if high else following))
        end = None
        if high:
            said += [self.signs["–"], *([self.signs["−"]] if minus else [])]
            end = self._time(high, following)
            said.append(end.text if end else high if is_day else self._decimal(high))
        said += [unit] if unit else []
        number = "" if is_day else f"{high or low}{' ' if unit else ''}"
        return Spoken(" ".join(said), number, end.took if end else "")

    def _time(self, word: str, following: str) -> Spoken | None:
        said = self._language.said
        time = _TIME.fullmatch(word)
        is_short = word.startswith(("0:", "1:"))
        # "0:42 h" are hours where "h" stands behind the time of day, too.
        is_clock = following in said["clock"].split() and not (
            is_short and following in self._units
        )
        # "5:30 min" is none, nor is the ratio "1:50", nor what is left: "0:42".
        is_other = following.casefold() in self._times or (time and time[2] == ".")
        is_other = is_other or is_short
        if not time or not said["time"] or (is_other and not is_clock):
            return None
        template = said["time"] if int(time[3]) else said["hour"]
        text = template.format(h=int(time[1]), m=int(time[3]))
        if int(time[1]) == 1:
            text = " ".join(self._plurals.get(part, part) for part in text.split())
        return Spoken(text, f"{word} ", following if is_clock else "")

    def _date(self, date: re.Match[str]) -> str:
        year, month, day, time = date.groups()
        name = self._months[int(month) - 1]
        said = self._language.said["date"].format(d=int(day), m=name, y=year)
        if not time:
            return said
        spoken = self._time(time, "")
        return f"{said}, {spoken.text if spoken else time}"

    def _is_day(self, word: str, before: str, following: str, *, dot: bool) -> bool:
        """Return whether a number with a dot is a day and its month, or a time."""
        is_before = before.casefold() in self._before_days
        if not _DAY_AND_MONTH.fullmatch(word):
            return is_before and bool(_DOTTED_TIME.fullmatch(word))
        if following.casefold() in self._unit_words or following in self._units:
            return False
        goes_on = re.match(r"\d|[,;]", following) or following[:1].islower()
        return bool(dot and (goes_on or _WHOLE_DATE.fullmatch(word))) or is_before

    def _decimal(self, word: str, following: str = "") -> str:
        if time := self._time(word, following):
            return time.text
        if self._language.decimal == "," and _DECIMAL.fullmatch(word):
            return word.replace(".", ",")
        return word

    def _signs_between(self, word: str) -> str:
        word = _OPEN_RANGE.sub(rf"\1 {self.signs['–']} ", word)
        between = _BETWEEN_NUMBERS.sub(lambda m: f" {self.signs[_sign(m[0])]} ", word)
        return between.strip()


def _sign(character: str) -> str:
    return {"-": "−", "–": "−", "*": "×"}.get(character, character)


def is_range(low: str, high: str) -> bool:
    """Return whether a hyphen means "to"; else it is a number of a telephone or so."""
    if _TIME.fullmatch(low) and _TIME.fullmatch(high):
        return True
    if low.startswith("0") or high.startswith("0") or len(high) > len(low) + 1:
        return low == "0" and high[0] != "0" and len(high) <= len("100")
    are_short = max(len(re.split("[.,]", number)[0]) for number in (low, high)) < 4
    are_years = len(low) == len(high) == 4 and {low[0], high[0]} <= {"1", "2"}
    return (are_short or are_years) and _value(low) < _value(high)


def _value(number: str) -> float:
    try:
        return float(number.replace(",", "."))
    except ValueError:
        return 0.0
