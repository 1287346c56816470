"""Understand what is to be done later, and say what was planned.

A phrase for a time or a condition is taken out of the sentence; what is left is
understood as any sentence, and its call is what the tool `later` is given.
"""

from collections.abc import Callable
import re
from typing import Any, Final

from .model import Meaning
from .prompt import Prompt
from .questions import asked_state
from .target import find_target
from .text import fold, sentence
from .tools import OURS, to_call
from .vocabulary import Vocabulary

type Understand = Callable[[str], list[Meaning]]

_NUMBERS: Final = {
    "en": "one,two,three,four,five,six,seven,eight,nine,ten,eleven,twelve",
    "de": "eins,zwei,drei,vier,fünf,sechs,sieben,acht,neun,zehn,elf,zwölf",
}
_WORDS: Final = {
    **dict.fromkeys(("a", "an", "ein", "eine", "einer", "einem"), 1.0),
    **dict.fromkeys(("half an", "einer halben"), 0.5),
    **dict.fromkeys(("twenty", "zwanzig"), 20.0),
    **dict.fromkeys(("thirty", "dreißig"), 30.0),
}
# In each language: a length of time, a time, tomorrow, what becomes so, what is told
# then, what reminds, what lists, cancels and changes.
_FORMS: Final[dict[str, tuple[str, ...]]] = {
    "en": (
        r"\bin (?P<n>half an|[\w.]+) (?P<u>seconds?|minutes?|hours?|days?)\b",
        r"\bat (?P<h>\w+)(?::(?P<m>\d\d))?(?: ?(?P<half>[ap])\.?m\.?\b| o'?clock)?",
        r"\btomorrow\b(?: morning| evening)?",
        r"\b(?:when|once|as soon as|if) (?P<what>.+? (?:is|has|are)\b[^,]*|it rains)(?:,|$)",
        r"\b(?:tell me|let me know)\b",
        r"\bremind me (?:to |about |of )?",
        r"\bwhat(?:'s| is| have i) (?:\w+ )?planned\b",
        r"^cancel (?:that|it|the plan)\W*$",
        r"^make (?:that|it) (?P<n>\w+) (?P<u>minutes?|hours?)",
    ),
    "de": (
        r"\bin (?P<n>einer halben|[\w,]+) (?P<u>sekunden?|minuten?|stunden?|tagen?)\b",
        r"\bum (?P<h>\w+)(?::(?P<m>\d\d))?(?: uhr)?(?: (?P<half>abends|nachmittags))?\b",
        r"\bmorgen\b(?: früh| abend)?",
        r"\b(?:wenn|sobald|falls) (?P<what>.+? (?:ist|hat|sind)\b[^,]*|es regnet)(?:,|$)",
        r"\b(?:sag (?:mir )?bescheid|sag es mir|sag's mir)\b",
        r"\berinner\w* mich (?:daran,? |an )?(?:dass |zu )?",
        r"\bwas (?:ist|hast du|habe ich) (?:\w+ )?geplant\b",
        r"^(?:brich (?:das|es) ab|sag das ab|storniere? das|vergiss den plan)\W*$",
        r"^mach (?:daraus |da )?(?P<n>\w+) (?P<u>minuten?|stunden?) (?:draus|daraus)",
    ),
}  # fmt: skip
_UNITS: Final = (
    ("se", "seconds"), ("mi", "minutes"), ("h|st", "hours"), ("[dt]", "days"),
)  # fmt: skip
_DONE: Final = re.compile(r"\b(done|finished|ready|fertig|durch)\b")
_RAIN: Final = re.compile(r"\b(rains|regnet)\b")
_SAID: Final = {
    "en": ("Planned", "Cancelled", "Nothing is planned", "is done"),
    "de": ("Geplant", "Abgesagt", "Es ist nichts geplant", "ist fertig"),
}


def read_later(
    text: str, prompt: Prompt, vocabulary: Vocabulary, understand: Understand
) -> list[Meaning]:
    """Return what a sentence plans, lists, changes or cancels; empty if it does none."""
    code = vocabulary.words.code
    if prompt.tool("later") is None or code not in _FORMS:
        return []
    text = text.strip().rstrip(".!? ").replace("’", "'")

    def meaning(**given: Any) -> list[Meaning]:
        slots = {key: value for key, value in given.items() if value}
        return [Meaning(f"{OURS}later", slots, text, code)]

    # So few words do not tell their language.
    for spoken in (code, *_FORMS):
        lists, cancels, changes = _FORMS[spoken][6:]
        if re.search(lists, text, re.IGNORECASE):
            return meaning()
        if re.search(cancels, text, re.IGNORECASE):
            return meaning(cancel="last")
        if found := re.search(changes, text, re.IGNORECASE):
            planned, at = _last_planned(prompt), _length(found, spoken)
            if not (planned and at):
                return []
            return meaning(cancel="last") + meaning(**planned, at=f"in {at}")
    when, rest = _when(text, vocabulary)
    if not when:
        return []
    told, reminds = _FORMS[code][4:6]
    if re.search(told, rest, re.IGNORECASE):
        return meaning(say=f"{when.get('entity', '')} {_SAID[code][3]}", **when)
    if found := re.search(reminds, rest, re.IGNORECASE):
        return meaning(say=sentence(rest[found.end() :]), **when)
    calls = [call for item in understand(rest) if (call := to_call(item, prompt))]
    if not calls:
        return []
    return meaning(tool=calls[0].name, arguments=calls[0].arguments, **when)


def _last_planned(prompt: Prompt) -> dict[str, Any]:
    """Return what was planned last in the conversation, without its time."""
    for exchange in reversed(prompt.history):
        for call in exchange.calls:
            given = {
                key: value
                for key, value in call.arguments.items()
                if key in ("tool", "arguments", "say")
            }
            if prompt.resolve(call.name) == prompt.tool("later") and given:
                return given
    return {}


def _when(text: str, vocabulary: Vocabulary) -> tuple[dict[str, str], str]:
    """Return when that is, and the sentence without it."""
    code = vocabulary.words.code
    length, time, tomorrow, becomes = _FORMS[code][:4]
    if found := re.search(becomes, text, re.IGNORECASE):
        if when := _state(found, vocabulary):
            return when, _without(text, found)
    if (found := re.search(length, text, re.IGNORECASE)) and (
        at := _length(found, code)
    ):
        return {"at": f"in {at}"}, _without(text, found)
    found = re.search(time, text, re.IGNORECASE)
    hour = _number(found["h"], code) if found else None
    if not found or hour is None:
        return {}, text
    if found["half"] in ("p", "P", "abends", "nachmittags"):
        hour = hour % 12 + 12
    at, rest = f"{hour:02.0f}:{found['m'] or '00'}", _without(text, found)
    if day := re.search(tomorrow, rest, re.IGNORECASE):
        at, rest = f"tomorrow {at}", _without(rest, day)
    return {"at": at}, rest


def _state(found: re.Match[str], vocabulary: Vocabulary) -> dict[str, str]:
    """Return what is waited for, if it is known."""
    folded, when = fold(found["what"]), {}
    if _RAIN.search(folded):
        weather = [thing.name for thing in vocabulary.home.of("weather")]
        when = {"entity": weather[0], "becomes": "rainy, pouring"} if weather else {}
    else:
        things = find_target(folded, vocabulary).entities
        ended = "off" if things and things[0].domain in ("switch", "light") else "done"
        state = asked_state(folded, vocabulary)
        becomes = ended if _DONE.search(folded) else state
        if things and becomes:
            when = {"entity": things[0].name, "becomes": str(becomes)}
    return when


def _length(found: re.Match[str], code: str) -> str:
    """Return "10 minutes"."""
    number = _number(found["n"], code)
    unit = next(name for start, name in _UNITS if re.match(start, fold(found["u"])))
    return "" if number is None else f"{number:g} {unit}"


def _number(word: str, code: str) -> float | None:
    word = word.casefold().strip()
    if word.replace(".", "").isdigit():
        return float(word)
    names = _NUMBERS[code].split(",")
    return names.index(word) + 1 if word in names else _WORDS.get(word)


def _without(text: str, found: re.Match[str]) -> str:
    """Return a sentence without a phrase, and without what joined it."""
    rest = f"{text[: found.start()]} {text[found.end() :]}"
    return " ".join(rest.split()).strip(" ,;")


def say_later(data: dict[str, Any], code: str) -> str:
    """Say what was planned, or is."""
    planned, cancelled, nothing, _ = _SAID.get(code, _SAID["en"])
    if "cancelled" in data:
        return sentence(f"{cancelled}: {_told(data['cancelled'])}")
    if plans := data.get("plans") or ([data["planned"]] if "planned" in data else []):
        return sentence(f"{planned}: {_told(plans)}")
    return sentence(nothing)


def _told(plans: Any) -> str:
    if not isinstance(plans, list):
        return str(plans)
    return "; ".join(
        ", ".join(
            [
                *plan.get("does", ()),
                *(str(plan[key]) for key in ("say", "at", "when") if key in plan),
            ]
        )
        for plan in plans
        if isinstance(plan, dict)
    )
