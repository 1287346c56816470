"""Read times of the clock and days of the week, in English and German."""

from collections.abc import Mapping
from functools import cache
import re
from typing import Any, Final, NamedTuple

from unicode_rbnf import RbnfEngine

from .text import fold


@cache
def numerals(code: str) -> dict[str, int]:
    """Return the numbers to a hundred, as they are spoken."""
    engine = RbnfEngine.for_language(code)
    return {engine.format_number(n).text: n for n in range(1, 101)}


def digits(text: str, code: str, least: int = 2) -> str:
    """Return a folded text with its numbers in digits; one is an article too often."""
    low = ((fold(word), n) for word, n in numerals(code).items() if n >= least)
    said = dict(sorted(low, key=lambda item: -len(item[0])))
    if code == "de":
        text = re.sub(r"(?<=hundert)(?:und)?(?=\w)|(?<=\w)(?=hundert)", " ", text)
        text = text.replace("hundert", "hundred")
    text = re.sub(rf"\b(?:{'|'.join(said)})\b", lambda found: str(said[found[0]]), text)
    hundreds = r"\b(?:(\d|one|a|ein) )?hundred(?: and)?(?: (\d\d?))?\b"
    return re.sub(hundreds, _hundreds, text)


def _hundreds(found: re.Match[str]) -> str:
    count = int(found[1]) if (found[1] or "").isdigit() else 1
    return str(count * 100 + int(found[2] or 0))


_NUMBERS: Final = {code: "|".join([*numerals(code)][:12]) for code in ("en", "de")}
_WORDS: Final = {
    **dict.fromkeys(("a", "an", "ein", "eine", "einer", "einem"), 1.0),
    **dict.fromkeys(("half an", "einer halben", "eine halbe"), 0.5),
    **dict.fromkeys(("a quarter of an", "einer viertel"), 0.25),
    "einer dreiviertel": 0.75, **dict.fromkeys(("quarter", "viertel"), 15.0),
}  # fmt: skip
_PARTS: Final = {
    "en": r"half (?:past )?|(?:quarter|five|ten|twenty|\d\d?)(?: minutes)? (?:past|to) ",
    "de": r"halb |(?:viertel|fünf|zehn|zwanzig|\d\d?)(?: minuten)? (?:nach|vor) ",
}
_TIMES: Final = {
    "en": (
        r"\b(?:at|by) (?P<part>{parts})?(?P<h>\d+|{numbers})\b(?! ?(?:degrees|percent|%|°))(?:[: ](?P<m>\d\d|fifteen|twenty|thirty)\b)?(?: ?(?P<half>[ap])m\b)?",
        r"\b(?P<part>{parts})(?P<h>\d+|{numbers})\b",
        r"\b(?P<h>\d+)(?::(?P<m>\d\d))? ?(?P<half>[ap])\.?m\b\.?",
        r"\b(?P<h>\d+):(?P<m>\d\d)\b",
    ),
    "de": (
        r"\bum (?P<part>{parts})?(?P<h>\d+|{numbers})\b(?! ?(?:grad|prozent|%|°))(?:(?::| uhr )(?P<m>\d\d|fünfzehn|zwanzig|dreißig|vierzig|fünfundvierzig)\b)?(?: uhr)?",
        r"\b(?P<part>{parts})(?P<h>\d+|{numbers})\b",
        r"\b(?P<h>\d+)(?::(?P<m>\d\d))? uhr\b",
    ),
}
_LATE: Final = {
    "en": r"(?<!' )\b(?:o'?clock )?(?:tonight|(?:in the |this )?(?:evening|afternoon)|(?:at )?night)\b",
    "de": r"\b(?:heute abend|heute nacht|(?:am )?abend|abends|nachts?|nachmittags?)\b",
}
_MORNING: Final = r"(?i)\b(?:in the morning|morgens)\b"
_AHEAD: Final = {
    "en": r"\btomorrow\b(?: morning)?|\b(?:on |next )?(?P<day>{days})\b(?: morning)?",
    "de": r"(?<!jeden )\bmorgen\b(?: früh)?|\b(?:am |nächsten )?(?P<day>{days})\b(?: früh)?",
}
# What a part of a day means where no hour is said.
_PART_OF_DAY: Final = {
    "en": r"\b(?:(?P<late>tonight|this evening)|(?:on )?(?P<day>this|tomorrow|{days}) (?:(?P<eve>evening|night)|(?P<noon>afternoon)|morning))\b",
    "de": r"\b(?:(?P<late>heute (?:abend|nacht))|(?:am )?(?P<day>heute|morgen|{days}) ?(?:(?P<eve>abend|nacht)|(?P<noon>nachmittag)|(?P<mid>mittag)|früh|vormittag|morgen))\b",
}
_LENGTHS: Final = {
    "en": r"\bin (?P<n>half an|a quarter of an|[\w.]+) (?P<unit>seconds?|minutes?|hours?|days?)\b",
    "de": r"\bin (?P<n>einer (?:halben|viertel|dreiviertel)|[\w,]+) ?(?P<unit>sekunden?|minuten?|stunden?|tagen?)\b",
}
_LASTS: Final = {
    "en": r"\bfor (?:more than |another )?(?P<n>half an|a quarter of an|\w+)(?: more)? (?P<unit>minutes?|hours?)\b",
    "de": r"\b(?:für |noch |seit )?(?P<n>eine? (?:halbe|viertel)|\w+) (?P<unit>minuten?|stunden?)\b",
}
AT: Final = {"en": "at ", "de": "um "}
_UNITS: Final = (
    ("se", "seconds"), ("mi", "minutes"), ("h|st", "hours"), ("[dt]", "days"),
)  # fmt: skip
# Times that have a name.
_NAMED: Final = {
    "sunrise": "sunrise", "sunset": "sunset", "noon": "12:00", "midday": "12:00",
    "midnight": "00:00", "sonnenaufgang": "sunrise", "sonnenuntergang": "sunset",
    "mittag": "12:00", "mittags": "12:00", "mitternacht": "00:00",
}  # fmt: skip
_AT_NAMED: Final = (
    rf"\b(?:at |by |bei |um |am |(?=mittags))({'|'.join(_NAMED)})\b"
    r"|\bwhen (?:it gets dark|the sun (?:goes down|sets|comes up|rises))\b"
    r"|\bwenn (?:es dunkel wird|die sonne (?:unter|auf)geht)\b"
)
_DAYS: Final = {
    "en": "monday|tuesday|wednesday|thursday|friday|saturday|sunday",
    "de": "montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag",
}
_SHORT: Final = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_EVERY: Final = {
    "en": r"\b(?:every|each|on(?= \w+s\b)) (?P<days>(?:day|night|morning|evening|weekdays?|weekends?"
    r"|(?:{days})s?)(?:(?:,| and) (?:{days})s?)*)\b|\bdaily\b",
    "de": r"\bjede[nsm]? (?P<days>(?:tag|nacht|abend|morgen|werktag|wochenende|(?:{days})(?:morgen|nachmittag|abend)?)"
    r"(?:(?:,| und) (?:{days}))*)\b|\b(?P<more>täglich|werktags|(?:{days})s)\b",
}


class When(NamedTuple):
    """When something is to be, and the rest of a sentence."""

    at: str
    """As `later` takes it; empty: no time was said."""
    rest: str


def number(word: str, code: str) -> float | None:
    """Return the number that a word stands for."""
    word = word.lower().strip()
    if word.replace(".", "", 1).isdigit():
        return float(word)
    return numerals(code).get(word, _WORDS.get(word))


def without(text: str, found: re.Match[str], instead: str = "") -> str:
    """Return a sentence without a phrase, and without what joined it."""
    rest = f"{text[: found.start()]} {instead} {text[found.end() :]}"
    return " ".join(rest.split()).strip(" ,;")


def read_length(text: str, code: str, forms: Mapping[str, str] = _LENGTHS) -> When:
    """Return "in 10 minutes", if a sentence says something of that kind."""
    found = re.search(forms[code], text, re.IGNORECASE)
    at = length_of(found, code) if found else ""
    return When(at, without(text, found)) if found and at else When("", text)


def read_lasting(text: str, code: str) -> When:
    """Return how long something is so: "for ten minutes" is "in 10 minutes"."""
    return read_length(text, code, _LASTS)


def length_of(found: re.Match[str], code: str) -> str:
    """Return "in 10 minutes" for a match that has `n` and `unit`."""
    count, unit = number(found["n"], code), found["unit"].casefold()
    name = next(name for start, name in _UNITS if re.match(start, unit))
    return "" if count is None else f"in {count:g} {name}"


def read_clock(text: str, code: str) -> When:
    """Return the time of a sentence: a clock's, or of the sun."""
    if found := re.search(_AT_NAMED, text, re.IGNORECASE):
        is_rise = re.search("up$|rises|auf", found[0], re.IGNORECASE)
        sun = "sunrise" if is_rise else "sunset"
        at, rest = _NAMED[(found[1] or sun).casefold()], without(text, found)
        ahead, rest = read_day(rest, code) if at[0].isdigit() else ("", rest)
        return When(f"{ahead} {at}".strip(), rest)
    fill = {"numbers": _NUMBERS[code], "parts": _PARTS[code]}
    for form in _TIMES[code]:
        pattern = form.replace("{numbers}", fill["numbers"])
        pattern = pattern.replace("{parts}", fill["parts"])
        if found := re.search(pattern, text, re.IGNORECASE):
            break
    else:
        return _part_of_day(text, code)
    said: dict[str, Any] = found.groupdict()
    hour, rest = number(said["h"], code), without(text, found)
    assert hour is not None
    minutes = hour * 60 + (number(said.get("m") or "0", code) or 0)
    minutes += _shift((said.get("part") or "").casefold().split(), code)
    if not 0 <= minutes < 24 * 60:
        return When("", text)
    is_late = said.get("half") in ("p", "P")
    if late := re.search(_LATE[code], rest, re.IGNORECASE):
        # Three at night is no afternoon.
        is_night = re.search("night|nacht", late[0], re.IGNORECASE)
        is_late, rest = not (is_night and minutes < 6 * 60), without(rest, late)
    if is_late and minutes < 12 * 60:
        minutes += 12 * 60
    rest = without(rest, early) if (early := re.search(_MORNING, rest)) else rest
    at = f"{int(minutes) // 60 % 24:02}:{int(minutes) % 60:02}"
    ahead, rest = read_day(rest, code)
    return When(f"{ahead} {at}".strip(), rest)


def read_day(text: str, code: str) -> tuple[str, str]:
    """Return the day that is said, in English, and the rest."""
    pattern = _AHEAD[code].replace("{days}", _DAYS[code])
    if not (found := re.search(pattern, text, re.IGNORECASE)):
        return "", text
    return _english(found["day"] or "tomorrow", code), without(text, found)


def _english(day: str, code: str) -> str:
    names, day = _DAYS[code].split("|"), day.casefold()
    known = dict(zip(names, _DAYS["en"].split("|"), strict=True))
    return known.get(day, "tomorrow" if day == "morgen" else day)


def _part_of_day(text: str, code: str) -> When:
    pattern = _PART_OF_DAY[code].replace("{days}", _DAYS[code])
    if not (found := re.search(pattern, text, re.IGNORECASE)):
        return When("", text)
    day = _english(found["day"] or "", code)
    said = next(
        (key for key, part in found.groupdict().items() if part and key != "day"), ""
    )
    hour = {"late": 20, "eve": 20, "noon": 15, "mid": 12}.get(said, 8)
    day = "" if day in ("this", "heute") else day
    return When(f"{day} {hour:02}:00".strip(), without(text, found))


def _shift(part: list[str], code: str) -> float:
    """Return how many minutes after the hour "half past" or "ten to" is."""
    if not part or part[0] in ("half", "halb"):
        return {"half": 30, "halb": -30}.get("".join(part[:1]), 0)
    count = number(part[0], code) or 0
    return count if part[-1] in ("past", "nach") else -count


def read_days(text: str, code: str) -> tuple[list[str] | None, str]:
    """Return the days on which something recurs, and the rest; None: it does not.

    No days are every day. What is said of the evening stays for the clock.
    """
    pattern = _EVERY[code].replace("{days}", _DAYS[code])
    if not (found := re.search(pattern, text, re.IGNORECASE)):
        return None, text
    said = next(filter(None, found.groupdict().values()), "").casefold()
    names = _DAYS[code].split("|")
    days = [day for day, name in zip(_SHORT, names, strict=True) if name in said]
    if "weekday" in said or "werktag" in said:
        days = [*_SHORT[:5]]
    elif "weekend" in said or "wochenende" in said:
        days = [*_SHORT[5:]]
    late = re.search(r"night|evening|nacht|abend", said)
    return days, without(text, found, late[0] if late else "")
