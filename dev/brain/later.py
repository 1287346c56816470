"""Understand what is to be done later, and say what was planned.

A phrase for a time or a condition is taken out of the sentence; what is left is
understood as any sentence, and its call is what the tool `later` is given.
"""

from collections.abc import Callable
import re
from typing import Any, Final

from .clock import read_clock, read_day, read_days, read_lasting, read_length, without
from .model import Call, Meaning, short_name
from .prompt import Prompt
from .questions import asked_state
from .target import find_target
from .telling import said_as_done, translated
from .text import fold, sentence
from .tools import OURS
from .vocabulary import Vocabulary
from .week import back_of, calls_of, read_change, read_only_if, read_reminder

type Understand = Callable[[str], list[Meaning]]

# In each language: what becomes so, and what is told then.
_FORMS: Final[dict[str, tuple[str, ...]]] = {
    "en": (
        r"\b(?:when|once|as soon as|if) (?P<what>.+? (?:is|has|are)\b[^,]*|.+?'s [^,]*|.+? (?:opens|closes)|it rains)(?:,|$)",
        r"\b(?:(?:tell|ping|notify|warn|alert|call) (?:me|us)|let (?:me|us) know|give (?:me|us) a shout)\b",
    ),
    "de": (
        r"\b(?:wenn|sobald|falls) (?P<what>.+? (?:ist|hat|sind)\b[^,]*|es regnet)(?:,|$)",
        r"\b(?:(?:sag|gib|gebt) (?:(?:mir|uns) )?bescheid|sag (?:es |das )?(?:mir|uns)|sag's mir|meld\w* dich|benachrichtig\w* (?:mich|uns)|warn\w* (?:mich|uns))\b",
    ),
}  # fmt: skip
# For how long something is done, and what is done then.
_WHILE: Final = re.compile(r"(?i)\b(?:for|für|noch|(?:until|till?|bis) )\b")
_UNTIL: Final = re.compile(r"(?i)\b(?:until|till?|bis)(?: um)? ")
_KEEP: Final = re.compile(r"(?i)^(?:keep|leave|let|lass\w*|behalte?)\b")
_RUNS: Final = re.compile(r"(?i)^(lass\w* .*) laufen$")
_REMIND: Final = re.compile(r"(?i)^(?:remind|erinnere?)\b")
_TELL: Final = {"en": "tell", "de": "sag"}
_OFF: Final = ("HassTurnOff", "HassMediaPause")
_EXACT: Final = re.compile(r"(?i)\d:\d|\d ?[ap]m\b|morning|früh|morgens|uhr|morgen$")
_AT: Final = {"en": "at ", "de": "um "}
_VERB: Final = {"en": "turn", "de": "mach"}
_ITSELF: Final = re.compile(r"(?i)\b(?:it|them|es|sie|ihn|das)\b")
_HELD: Final = ("open", "closed", "on", "off", "locked", "unlocked")
_DONE: Final = re.compile(r"\b(done|finished|ready|fertig|durch)\b")
_DEPENDS: Final = re.compile(r"(?i)\b(?:if|when|unless|always|wenn|falls|immer)\b")
_RAIN: Final = re.compile(r"\b(rains|regnet)\b")
_PEOPLE: Final = ("nobody", "somebody")
_IS: Final = {"en": "is", "de": "ist"}
_GONE: Final = {"en": "Everybody has left", "de": "Alle sind gegangen"}
_SAID: Final = {
    "en": ("Planned", "Cancelled", "Nothing is planned", "is done", "It is time", "says that it rains"),
    "de": ("Geplant", "Abgesagt", "Es ist nichts geplant", "ist fertig", "Es ist so weit", "sagt Regen"),
}  # fmt: skip


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

    now, end = _for_a_while(text, prompt, vocabulary, understand)
    if end:
        return now + meaning(**end)
    only_if, rest = read_only_if(text, code)
    if not only_if:
        only_if, rest = _if_still(rest, vocabulary)
    when, rest = _when(rest, vocabulary)
    if only_if and not when:
        if only_if["entity"] not in _PEOPLE:
            return understand(rest)  # "Close it if it is still open."
        when, only_if = {"entity": only_if["entity"], "becomes": "home"}, {}
    if (read_reminder(rest, code) or _REMIND.match(rest)) and not when:
        day, rest = read_day(rest, code)
        when = {"at": f"{day} 09:00"} if day else {}
    # What depends on something else, too, is not understood.
    if not when or _DEPENDS.search(rest) or read_days(text, code)[0] is not None:
        return []
    given: dict[str, Any] = {**when, "only_if": only_if}
    told = re.search(_FORMS[code][1], rest, re.IGNORECASE)
    if told and "entity" not in when:
        said = re.sub(r"^(?:to|that|dass|,)\s*", "", without(rest, told))
        return meaning(say=sentence(said or _SAID[code][4]), **given)
    if told:
        becomes, entity = when.get("becomes", ""), when.get("entity", "")
        state = becomes.replace(" ", "_")
        shown = f"{_IS[code]} {vocabulary.words.state_words.get(state, becomes)}"
        done = _SAID[code][3] if becomes in ("off", "done") else shown
        done = becomes if becomes == "ring" else done
        done = _SAID[code][5] if "rainy" in becomes else done
        say = _GONE[code] if entity == "nobody" else f"{entity} {done}"
        return meaning(say=say, **given)
    if said := read_reminder(rest, code):
        if "at" in given:
            given["at"] = _half(given["at"], text, "01:00", "07:00")
        return meaning(say=said, **given)
    meant = understand(_REMIND.sub(lambda found: _TELL[code], rest))
    if prompt.asks_for_area and any(item.slots.get("_unplaced") for item in meant):
        return meant  # It is asked for which.
    plans = []
    for call in calls_of(meant, prompt):
        if "at" in given:
            when["at"] = _late(given["at"], text, call, vocabulary)
        does = {"tool": call.name, "arguments": call.arguments}
        plans += meaning(**given | when | does)
    return plans


def _late(at: str, text: str, call: Call, vocabulary: Vocabulary) -> str:
    """Return the time that is meant: people turn off, close and lock in the evening."""
    kind, does, home = short_name(call.name), call.arguments, vocabulary.home
    domains = {thing.domain for thing in home.called(str(does.get("name")))}
    domains |= set(does.get("domain") or ())
    is_off = kind in _OFF or does.get("action") in ("off", "close")
    if kind in ("tell", "HassVacuumStart"):
        return _half(at, text, "01:00", "07:00")
    is_late = is_off != ("lock" in domains)
    return _half(at, text, "05:00", "12:00") if is_late else at


def _half(at: str, text: str, start: str, end: str) -> str:
    """Return the time in the later half of the day, if an hour that is said alone is between."""
    day, _, clock = at.rpartition(" ")
    if not start <= clock < end or _EXACT.search(text):
        return at
    return f"{day} {int(clock[:2]) + 12}{clock[2:]}".strip()


def _for_a_while(
    text: str, prompt: Prompt, vocabulary: Vocabulary, understand: Understand
) -> tuple[list[Meaning], dict[str, Any]]:
    """Return what is done now, and the call that ends it; nothing if it lasts."""
    code = vocabulary.words.code
    text = _RUNS.sub(r"\1 an", text)
    if not (_WHILE.search(text) or _KEEP.match(text)) or read_length(text, code).at:
        return [], {}
    at, rest = read_lasting(text, code)
    if not at:
        at, rest = read_clock(_UNTIL.sub(_AT[code], text), code)
        at = at if _UNTIL.search(text) else ""
    now = understand(_KEEP.sub(_VERB[code], rest)) if at and rest else []
    # "For an hour", of what was done before.
    last = prompt.history[-1].calls if at and not rest and prompt.history else []
    calls = calls_of(now, prompt) or last
    if (back := back_of(calls, prompt)) is None:
        return [], {}
    return now, {"tool": back.name, "arguments": calls[0].arguments, "at": at}


def _if_still(text: str, vocabulary: Vocabulary) -> tuple[dict[str, str], str]:
    """Return how something has to be at a time, and the rest: "if it is still open"."""
    code = vocabulary.words.code
    found = re.search(_FORMS[code][0], text, re.IGNORECASE)
    state = asked_state(fold(found["what"]), vocabulary) if found else None
    is_if = found and re.match("if|wenn|falls", found[0], re.IGNORECASE)
    if not found or not is_if or state not in _HELD:
        return {}, text
    at, what = read_clock(found["what"], code)
    rest = without(text, found)
    target = find_target(rest if _ITSELF.match(what) else what, vocabulary)
    things = target.entities
    if target.area and not things and state in ("open", "closed"):
        things = vocabulary.home.of("cover", target.area)
    is_still = _ITSELF.match(what) and re.search(r"\b(?:still|noch)\b", what)
    if not things or " " in at or not (at or is_still):
        return {}, text
    if things[0].domain == "lock":
        state = {"open": "unlocked", "closed": "locked"}.get(state, state)
    if not _ITSELF.match(what):
        rest = _ITSELF.sub(things[0].name, rest)
    rest = f"{rest} {_AT[code]}{at}" if at else rest
    return {"entity": things[0].name, "is": state}, rest


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
            lasting = read_lasting(found["what"], vocabulary.words.code).at.split()
            if lasting[2:] == ["minutes"]:
                when["for"] = f"00:{lasting[1]:0>2}"
    return when


def say_later(data: dict[str, Any], code: str) -> str:
    """Say what was planned, or is."""
    planned, cancelled, nothing, *_ = _SAID.get(code, _SAID["en"])
    if "cancelled" in data:
        return sentence(f"{cancelled}: {_told(data['cancelled'], code)}")
    if plans := data.get("plans") or ([data["planned"]] if "planned" in data else []):
        return sentence(f"{planned}: {_told(plans, code)}")
    return sentence(nothing)


def _told(plans: list[dict[str, Any]], code: str) -> str:
    rows = []
    for plan in plans:
        known = (str(plan[x]) for x in ["reminder", "alarm", "at", "when"] if x in plan)
        told = (translated(item, code).strip(".") for item in known)
        does = (said_as_done(item, code) for item in plan.get("does", ()))
        rows.append(", ".join([*does, *told]))
    return "; ".join(rows)
