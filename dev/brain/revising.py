"""Understand what lists, cancels or changes plans: "make it nine", "forget the bins one"."""

import re
from typing import Any, Final

from .clock import AT, read_clock, read_day, read_lasting
from .model import Call, Meaning, short_name
from .prompt import Prompt
from .text import fold
from .tools import OURS
from .week import read_only_if
from .words import word_set

_PLANS: Final = ("later", "alarm_clock", "routine", "create_event", "change_event")
# What plans are called.
_ALARM: Final = r"\b(?:alarm|wecker|klingelt|weckst|get up\b|aufstehen)"
_ROUTINE: Final = r"\b(?:routine|ablauf|automation|automatisierung)"
_NOUN: Final = rf"{_ALARM}|\b(?:remind|erinner|plans?\b|planned|geplant|plane?n?\b)"
_TO_DO: Final = r"\b(?:have|need|got) to (?:do|get done)\b|\bmuss ich\b.*\b(?:machen|tun|erledigen)\b"
_DUE: Final = rf"\b(?:remind|erinner|(?:have|need) to remember|woran)|{_TO_DO}"
_DAY: Final = r"\b(?:today|tomorrow|heute|morgen|\w+day|\w+tag)\b"
_ASKS: Final = re.compile(
    r"(?:what|which|when|show|list|(?:do|have|are|is) (?:i|we|there|any|my|the)"
    r"|welche\w*|was|woran|wann|zeig|gibt es|hab\w* (?:ich|wir)|ist (?:mein|der|ein))\b"
)
_CANCELS: Final = re.compile(
    r"(?:please )?(?:(?:cancel|delete|remove|forget|drop|scrap|get rid of|call off"
    r"|never ?mind|losch\w*|vergiss|storniere?|streich\w*|sag|brich)\b|turn off(?= all\b))"
)
_THAT: Final = re.compile(r"(?:cancel|brich|sag|storniere?) (?:that|it|das|es)(?: ab)?")
# What a sentence about a plan may say beside its name and the time.
_NOISE: Final = word_set(
    "no nope sorry oh wait hm actually rather instead then please make change move set push put"
    " let s i meant mean better it that this them the my mine alarm alarms reminder reminders"
    " plan plans event appointment routine routines nein ach doch lieber besser eher bitte mach"
    " mache stell stelle andere verschieb verschiebe leg ihn es das die den meinen meine wecker"
    " weckern erinnerung erinnerungen termin draus daraus stattdessen dann und and about of mit"
    " dem der ab wieder again planned geplant is ist all alle everything alles was wir me mich"
    " one cancel delete remove forget drop scrap get rid call off turn losch losche vergiss"
    " storniere streich streiche sag brich kannst du never mind nevermind"
)
_FIRST: Final = re.compile(r"^(?:(?:actually|no|oh|sorry|ok|doch|ach|nein) )+")
_TO: Final = re.compile(r"^(?:(?:to|for|at|on|auf|um|am|an) )+")
_SHIFTS: Final = {"later": 1, "back": 1, "später": 1, "earlier": -1, "früher": -1}
_PART: Final = re.compile(
    r"(?:half|quarter|five|ten|twenty|viertel|fünf|zehn|zwanzig) (?:past|to|nach|vor)"
)
_EARLY: Final = re.compile(r"\d ?[ap]m\b|morning|früh|morgens")


def _last_plan(prompt: Prompt) -> Call | None:
    """Return what was planned last, if all that was called since is lists of plans."""
    for call in (x for item in prompt.history[::-1] for x in item.calls[::-1]):
        if short_name(call.name) not in _PLANS:
            return None
        if {"at", "when", "start", "say", "do", "tool"} & {*call.arguments}:
            return call
    return None


def read_revision(text: str, prompt: Prompt, code: str) -> list[Meaning]:
    """Return what a sentence does with plans, empty if it is none of that."""
    folded, last = _FIRST.sub("", fold(text)), _last_plan(prompt)
    kind, given = (short_name(last.name), last.arguments) if last else ("", {})

    def meaning(tool: str, /, **said: Any) -> Meaning:
        slots = {key: value for key, value in said.items() if value}
        return Meaning(OURS + tool, slots, text, code)

    routine, noun = re.search(_ROUTINE, folded), re.search(_NOUN, folded)
    alarm = re.search(_ALARM, folded)
    is_due = re.search(_DUE, folded) or (noun and not re.search(_DAY, folded))
    if _ASKS.match(folded) and (routine or alarm or is_due):
        # A reminder may recur.
        kinds = ["alarm_clock"] if alarm else ["later"] * (not routine) + ["routine"]
        asked = [meaning(kind) for kind in kinds if prompt.tool(kind)]
        day = "tomorrow" if re.search("tomorrow|morgen", folded) else "today"
        return asked + [meaning("events", period=day)] * bool(re.search(_TO_DO, folded))
    spoken = re.sub(r"[,.!?;'’]", " ", text.casefold())
    noise = _NOISE.union(fold(str(given.get("title") or "")).split())
    words = (word for word in spoken.split() if fold(word) not in noise)
    left = _TO.sub("", " ".join(words))
    if _CANCELS.match(folded) and (
        routine or noun or _THAT.fullmatch(folded)
        # It names nothing, or "the bins one", "das mit den Tonnen".
        or (last and (not left or re.search(r"\bone$|\b(?:das|die|den) (?:mit|am|um|von)\b", folded)))
    ):  # fmt: skip
        if last and not left and prompt.history[-1].reply.endswith("?"):
            return [Meaning("nevermind", {}, text, code)]  # It was only asked about.
        if routine or (kind == "routine" and not alarm):
            return [meaning("routine", edit="delete", name=left or given.get("name"))]
        if "event" in kind and not noun:
            title = given.get("title") or given.get("event")
            return [meaning("change_event", action="delete", event=title)]
        is_all = re.search(r"\b(?:all|everything|alles?)\b", folded)
        those = alarm or (is_all and re.search(_DUE, folded) and ["reminder"])
        name = f"{'all' if is_all else ''} {fold(left)} {those[0] if those else ''}"
        return [meaning("later", cancel=" ".join(name.split()) or "last")]
    if _CANCELS.match(folded):
        return []
    when = given.get("when") or {}
    when = when[0] if isinstance(when, list) else when
    old = str(given.get("at") or given.get("start") or when.get("at") or "")
    only_if, rest = read_only_if(text.strip(" .!"), code)
    if only_if and not _FIRST.sub("", fold(rest)) and kind in ("later", "routine"):
        so: Any = [only_if] if kind == "routine" else only_if
        return [meaning(kind, **given | {"only_if": so})]
    if "sun" in when and (shift := _shift(left, code)):
        offset = f"{'-' * (shift < 0)}{abs(shift) // 60:02}:{abs(shift) % 60:02}"
        return [meaning(kind, **given | {"when": [{**when, "offset": offset}]})]
    if not last or not (at := _new_time(left, old, code)):
        return []
    given = {key: value for key, value in given.items() if key != "plan"}
    is_more = re.match(r"(?:and|und|also|auch)\b", folded)
    is_asked = bool(is_more) or prompt.history[-1].reply.endswith("?")
    if " " in at:
        given.pop("days", None)
    if kind == "create_event" and not is_asked:
        title = given.get("title")
        return [meaning("change_event", action="change", event=title, start=at)]
    first = [meaning("later", cancel="last")]
    if kind == "routine":
        first = [meaning(kind, edit="delete", name=given.get("name"))]
        new = meaning(kind, **given | {"when": [when | {"at": at.split()[-1]}]})
    else:
        new = meaning(kind, **given | {"start" if "event" in kind else "at": at})
    return [new] if is_asked or "event" in kind else [*first, new]


def _shift(left: str, code: str) -> int:
    """Return how many minutes "half an hour later" is, 0 if no such is said."""
    length, rest = read_lasting(f"for {left}" if code == "en" else left, code)
    if not length or not (sign := _SHIFTS.get(rest)):
        return 0
    count, unit = length.split()[1:]
    return round(sign * float(count) * (60 if unit == "hours" else 1))


def _new_time(left: str, old: str, code: str) -> str:
    """Return the time that is said instead of another, empty if anything else is said."""
    day, _, clock = old.rpartition(" ")
    length, rest = read_lasting(f"for {left}" if code == "en" else left, code)
    if ":" in clock and (shift := _shift(left, code)):
        total = int(clock[:2]) * 60 + int(clock[3:5]) + shift
        return f"{day} {total // 60 % 24:02}:{total % 60:02}".strip()
    if old.startswith("in "):
        return "" if rest else length
    other, rest = read_day(left, code)
    if other and not rest:
        return f"{other} {clock}"
    if clock and _PART.fullmatch(left):  # "Quarter past": the same hour.
        left = f"{left} {int(clock[:2]) % 12 or 12}"
    at, rest = read_clock(f"{AT[code]}{left}", code)
    rest = re.sub(r"^(?:um|at)$", "", rest)
    other, _, new = at.rpartition(" ")
    if clock >= "12:00" > new and not _EARLY.search(left):
        new = f"{int(new[:2]) + 12}{new[2:]}" if new else ""
    return f"{other or day} {new}".strip() if at and not rest else ""
