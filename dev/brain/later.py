"""Understand what is to be done later, and say what was planned.

A phrase for a time or a condition is taken out of the sentence; what is left is
understood as any sentence, and its call is what the tool `later` is given.
"""

from collections.abc import Callable
import re
from typing import Any, Final

from .clock import length_of, read_clock, read_days, read_lasting, read_length, without
from .model import Meaning
from .prompt import Prompt
from .questions import asked_state
from .target import find_target
from .telling import translated
from .text import fold, sentence
from .tools import OURS
from .vocabulary import Vocabulary
from .week import calls_of, read_change, read_only_if, read_reminder

type Understand = Callable[[str], list[Meaning]]

# In each language: what becomes so, what is told then, what lists, cancels and changes.
_FORMS: Final[dict[str, tuple[str, ...]]] = {
    "en": (
        r"\b(?:when|once|as soon as|if) (?P<what>.+? (?:is|has|are)\b[^,]*|.+? (?:opens|closes)|it rains)(?:,|$)",
        r"\b(?:tell (?:me|us)|let (?:me|us) know)\b",
        r"\bwhat(?:'s| is| have (?:i|we)(?: got)?) (?:\w+ )?planned\b",
        r"^cancel (?:that|it|the plan)\W*$",
        r"^make (?:that|it) (?P<n>\w+) (?P<unit>minutes?|hours?)",
    ),
    "de": (
        r"\b(?:wenn|sobald|falls) (?P<what>.+? (?:ist|hat|sind)\b[^,]*|es regnet)(?:,|$)",
        r"\b(?:sag (?:mir )?bescheid|sag es mir|sag's mir)\b",
        r"\bwas (?:ist|hast du|habe ich) (?:\w+ )?geplant\b|^was steht an plänen an\b",
        r"^(?:brich (?:das|es) ab|sag das ab|storniere? das|vergiss den plan)\W*$",
        r"^mach (?:daraus |da )?(?P<n>\w+) (?P<unit>minuten?|stunden?) (?:draus|daraus)",
    ),
}  # fmt: skip
_DONE: Final = re.compile(r"\b(done|finished|ready|fertig|durch)\b")
_DEPENDS: Final = re.compile(
    r"\b(?:if|when|unless|always|wenn|falls|immer)\b", re.IGNORECASE
)
_RAIN: Final = re.compile(r"\b(rains|regnet)\b")
_SAYS_ITSELF: Final = ("home", "not home", "ring")
_IS: Final = {"en": "is", "de": "ist"}
_GONE: Final = {"en": "Everybody has left", "de": "Alle sind gegangen"}
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
        lists, cancels, changes = _FORMS[spoken][2:]
        if re.search(lists, text, re.IGNORECASE):
            return meaning()
        if re.search(cancels, text, re.IGNORECASE):
            return meaning(cancel="last")
        if found := re.search(changes, text, re.IGNORECASE):
            planned, at = _last_planned(prompt), length_of(found, spoken)
            if not (planned and at):
                return []
            return meaning(cancel="last") + meaning(**planned, at=at)
    only_if, rest = read_only_if(text, code)
    when, rest = _when(rest, vocabulary)
    # What depends on something else, too, is not understood.
    if not when or _DEPENDS.search(rest) or read_days(text, code)[0] is not None:
        return []
    given: dict[str, Any] = {**when, "only_if": only_if}
    if re.search(_FORMS[code][1], rest, re.IGNORECASE):
        becomes, entity = when.get("becomes", ""), when.get("entity", "")
        shown = vocabulary.words.state_words.get(becomes, becomes)
        done = _SAID[code][3] if becomes in ("off", "done") else f"{_IS[code]} {shown}"
        done = becomes if becomes in _SAYS_ITSELF else done
        say = _GONE[code] if entity == "nobody" else f"{entity} {done}"
        return meaning(say=say, **given)
    if said := read_reminder(rest, code):
        return meaning(say=said, **given)
    if not (calls := calls_of(understand(rest), prompt)):
        return []
    return meaning(tool=calls[0].name, arguments=calls[0].arguments, **given)


def _last_planned(prompt: Prompt) -> dict[str, Any]:
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
    code = vocabulary.words.code
    changed, rest = read_change(text, vocabulary)
    if changed:
        return changed, rest
    if found := re.search(_FORMS[code][0], text, re.IGNORECASE):
        if when := _state(found, vocabulary):
            return when, without(text, found)
    at, rest = read_length(text, code)
    if not at:
        at, rest = read_clock(text, code)
    return ({"at": at}, rest) if at else ({}, text)


def _state(found: re.Match[str], vocabulary: Vocabulary) -> dict[str, str]:
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
            when["for"] = read_lasting(found["what"], vocabulary.words.code)
    return when


def say_later(data: dict[str, Any], code: str) -> str:
    """Say what was planned, or is."""
    planned, cancelled, nothing, _ = _SAID.get(code, _SAID["en"])
    if "cancelled" in data:
        return sentence(f"{cancelled}: {_told(data['cancelled'], code)}")
    if plans := data.get("plans") or ([data["planned"]] if "planned" in data else []):
        return sentence(f"{planned}: {_told(plans, code)}")
    return sentence(nothing)


def _told(plans: Any, code: str) -> str:
    if not isinstance(plans, list):
        return str(plans)
    return "; ".join(
        ", ".join(
            [
                *plan.get("does", ()),
                *(
                    translated(str(plan[key]), code).strip(".")
                    for key in ("say", "at", "when")
                    if key in plan
                ),
            ]
        )
        for plan in plans
        if isinstance(plan, dict)
    )
