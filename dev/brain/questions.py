"""Understand questions that no template covers.

A question never becomes a command: what is found here only reads.
"""

import re
from typing import Any, Final

from .fallback import clean
from .model import Meaning
from .target import find_target
from .text import find_words, fold, stems
from .vocabulary import Vocabulary
from .words import unexplained

_QUANTIFIERS: Final = {
    "how_many": re.compile(r"\b(how many|wie viele?|wieviele?)\b"),
    "all": re.compile(r"\b(all|every|alle|samtliche)\b"),
    "any": re.compile(r"\b(any|anything|irgend\w*|eine[rs]?|there|gibt es)\b"),
    "which": re.compile(r"\b(which|what|welche[rsn]?|was( fur)?|list|zeig)\b"),
}  # fmt: skip
_ANYTHING: Final = re.compile(
    r"\b(what|anything|everything|all|alles|leave|things?|devices?|was|irgendwas|etwas"
    r"|gerate?)\b"
)
OUTSIDE: Final = re.compile(
    r"\b(outside|outdoors?|draussen|out(?= there\b|$))\b(?: there\b)?"
)
SET_TO: Final = re.compile(
    r"\bset (?:to|at)\b|\bsetpoint\b|\b(?:eingestellt|grad steht)\b"
)
_WHO: Final = re.compile(r"^(?:who|wer)\b|\b(?:any|some)(?:body|one)\b|\bjemand\b")
WEATHER: Final = re.compile(
    r"\b(weather|rain(ing|ed)?|snow(ing|ed)?|sunny|wetter\w*|(?:ge)?regnet|regen|(?:ge)?schneit|umbrella|regenschirm)\b"
)
# What is asked as it stands, and for what.
_ASKED: Final = (
    (r"\b(what time|wie spat|wie ?viel uhr|what i?s the time|uhrzeit)\b", "HassGetCurrentTime"),
    (r"\b(what day|which day|date|welche[rn] tag|datum|wievielte|day is (it|today))\b(?:.* (?:tomorrow|yesterday|war|was|vorgestern|ubermorgen|after|before)\b)?", "HassGetCurrentDate"),
    (r"\b(what i?s playing|was lauft|was spielt|(which|what) (song|track|music)|what is this (song|track)|(song|track) (is|called)|welche[rs]? (song|titel|lied|musik)|heisst (das|der|dieses|dieser) (lied|song|titel)|wer singt|who sings)\b", "whats_playing"),
)  # fmt: skip
_OPENINGS: Final = {
    "door": ["door", "garage", "garage_door"], "garage": ["garage", "garage_door"],
    "garage_door": ["garage_door", "garage"], "window": ["window", "opening"],
    "gate": ["gate"],
}  # fmt: skip


# The words that a question may have beside its target.
_KNOWN: Final = (
    *(row[0] for row in _ASKED), *(x.pattern for x in _QUANTIFIERS.values()),
    *(x.pattern for x in (_ANYTHING, OUTSIDE, WEATHER)),
)  # fmt: skip


def is_question(text: str, vocabulary: Vocabulary) -> bool:
    """Tell whether a sentence asks for something to be told."""
    folded = clean(text, vocabulary)
    return bool(re.match(vocabulary.words.question, folded)) or (
        text.strip().endswith("?")
        and folded == fold(text)
        and not _has_action_first(folded, vocabulary)
    )


def _has_action_first(folded: str, vocabulary: Vocabulary) -> bool:
    first = folded.split()[:1]
    return bool(first) and any(
        re.fullmatch(pattern, first[0]) for pattern, _ in vocabulary.words.actions
    )


def read_question(text: str, vocabulary: Vocabulary) -> Meaning | None:
    """Return what a question wants to know."""
    folded = clean(text, vocabulary)

    def meaning(intent: str, **slots: Any) -> Meaning:
        given = {key: value for key, value in slots.items() if value is not None}
        return Meaning(intent, given, text, vocabulary.words.code)

    kind = next(
        (name for name, known in _QUANTIFIERS.items() if known.search(folded)), "one"
    )
    target = find_target(
        folded, vocabulary, single_words=kind not in ("all", "how_many")
    )
    words = vocabulary.words
    known = (*_KNOWN, words.question, words.here, *words.properties)
    if unexplained(target.left, words.code, *known):
        return None
    for pattern, intent in _ASKED:
        if re.search(pattern, folded) and not target.entities:
            return meaning(intent)
    asked = asked_state(folded, vocabulary)
    measured = _property(folded, vocabulary)
    told = {"area": target.area, "floor": target.floor}
    place = {key: value for key, value in told.items() if value}
    is_open = re.match(r"(?:how|wie|what s it like|what is it like)\b", folded)
    if OUTSIDE.search(folded) and (measured or is_open or WEATHER.search(folded)):
        return meaning("outside")
    if WEATHER.search(folded):
        return meaning("HassGetWeather")
    if target.empty and asked == "home" and (whom := _WHO.search(folded)):
        kind = "which" if whom[0] in ("who", "wer") else "any"
        return meaning("HassGetState", domain="person", state=asked, _response=kind)
    if asked in ("locked", "unlocked"):
        locks = find_target(folded, vocabulary, domains={"lock"})
        target = locks if locks.entities or not target.entities else target
    slots: dict[str, Any] = {"state": asked, "_response": kind, **place}
    if SET_TO.search(folded) and (target.domain or "climate") == "climate":
        things = vocabulary.home.of("climate", target.area)
        names = (x.name for x in target.entities or things if x.domain == "climate")
        slots = {"domain": "climate", "name": next(names, None), **place}
        return meaning("HassGetState", **slots)
    if target.entities:
        name = target.entities[0].name
        return meaning("HassGetState", **slots | {"name": name, "_response": "one"})
    if measured is not None and (target.domain is None or measured[0] != "climate"):
        if measured[1] == "temperature":
            here = vocabulary.home.area
            return meaning(
                "HassClimateGetTemperature",
                **(place or ({"area": here} if here else {})),
            )
        return meaning(
            "HassGetState",
            domain=measured[0].split(","),
            device_class=measured[1],
            **slots,
        )
    if target.domain:
        domain, device_class = target.domain, target.device_class
        if domain == "lock" and asked in ("open", "closed"):
            domain, device_class = "cover", "door"
        return widen(
            meaning("HassGetState", domain=domain, device_class=device_class, **slots)
        )
    if asked is not None and _ANYTHING.search(folded):
        if asked in ("on", "off"):
            return meaning("whats_on", **place)
        locked = "lock" if asked in ("locked", "unlocked") else None
        return meaning("HassGetState", domain=locked, **slots)
    return meaning("HassGetState", **slots) if place else None


def asked_state(folded: str, vocabulary: Vocabulary) -> str | None:
    """Return the state that a question asks about, taking the last word for one."""
    states = vocabulary.words.states
    said = folded.replace("zu hause", "zuhause").split()[::-1]
    return next((states[word] for word in said if word in states), None)


def _property(folded: str, vocabulary: Vocabulary) -> list[str] | None:
    words = stems(folded)
    table = sorted(vocabulary.words.properties.items(), key=lambda item: -len(item[0]))
    return next(
        (kind.split() for word, kind in table if find_words(stems(word), words) >= 0),
        None,
    )


def widen(meaning: Meaning) -> Meaning:
    """Look at sensors too where a door or window is asked about.

    Whether it is open may be known by a cover or by a contact.
    """
    domain, kind = meaning.slots.get("domain"), meaning.slots.get("device_class")
    kind = kind[0] if isinstance(kind, list) and kind else kind
    if domain not in ("cover", "binary_sensor") or kind not in _OPENINGS:
        return meaning
    return meaning.with_slots(
        domain=["binary_sensor", "cover"], device_class=_OPENINGS[kind]
    )
