"""Understand what a family's week asks for: routines, alarms, messages, conditions.

What recurs is a call of `routine`, what wakes one of `alarm_clock`, what is for others
one of `tell`.
"""

from collections.abc import Callable, Sequence
import re
from typing import Any, Final

from .clock import AT, read_clock, read_days, read_lasting, read_length, without
from .model import Call, Meaning, Offered, short_name
from .prompt import Prompt
from .target import find_target
from .text import sentence
from .tools import OURS, to_call
from .vocabulary import Vocabulary

type Understand = Callable[[str], list[Meaning]]
type Condition = dict[str, str]

# The tool, how it is asked for, and its arguments; in them {name} is a group.
_ROWS: Final[tuple[tuple[str, str, dict[str, str]], ...]] = (
    ("alarm_clock", r"^(?:snooze|schlummern|schlummer)\b", {"edit": "snooze"}),
    ("alarm_clock", r"^(?:five more minutes|noch fünf minuten)$", {"edit": "snooze", "at": "in 5 minutes"}),
    ("alarm_clock", r"^(?:don't|do not) (?:ring|wake)\b.*\btomorrow\b|^(?:weck\w* mich )?morgen (?:früh )?nicht(?: wecken| klingeln)?$|\b(?:no|keine?n?) (?:alarm|wecker)\b.*\b(?:tomorrow|morgen)\b|\bmorgen\b.*\bkeine?n? wecker\b", {"edit": "skip", "at": "tomorrow"}),
    ("alarm_clock", r"\b(?:skip|überspring\w*|lass) (?:it|(?:the|my|tomorrow's) alarm|ihn|den wecker)\b(?:.*\b(?:tomorrow|morgen)\b|(?<=tomorrow's alarm))", {"edit": "skip", "at": "tomorrow"}),
    ("alarm_clock", r"^(?:skip (?:it|the alarm|my alarm)|überspring\w* (?:ihn|den wecker))\b", {"edit": "skip"}),
    ("alarm_clock", r"^(?:stop|turn off|mach|stopp\w*)\b.*\b(?:the alarm|my alarm|den wecker)\b|\bwecker aus$", {"edit": "stop"}),
    ("routine", r"^(?:turn|switch|schalte?) (?:the |die )?(?P<name>[\w -]+?)[ -]?(?:routine|reminder|erinnerung) (?:back |erst mal |wieder )?(?P<edit>on|off|an|aus|ein|ab)$", {"edit": "{edit}", "name": "{name}"}),
    ("routine", r"^(?P<edit>stop|pause) (?:the )?(?P<name>[\w -]+?) (?:routine|reminder)\b", {"edit": "{edit}", "name": "{name}"}),
    ("tell", r"^(?:find|ring|make|where(?:'s| is| did i \w+)|finde?|such\w*|wo ist|lass) (?:my|mein) (?:phone|mobile|handy|telefon)\b", {"find_phone": "me"}),
    ("tell", r"^(?:find|ring|make|where(?:'s| is)|finde?|such\w*|wo ist|lass) (?:the )?(?P<name>\w+?)'?s (?:phone|handy|telefon)\b", {"find_phone": "{name}"}),
    ("tell", r"^(?:announce|sag|gib|melde)(?: (?P<name>upstairs|downstairs|oben|unten|allen))?(?: bescheid| durch)?,? (?:that|dass) (?P<what>.+)$", {"message": "{what}", "to": "{name}"}),
    ("tell", r"^durchsage[:,] (?P<what>.+)$", {"message": "{what}", "to": "all"}),
    ("tell", r"^announce (?!in the\b|that\b|to\b)(?P<what>.+)$", {"message": "{what}", "to": "all"}),
    ("tell", r"^announce (?:in the (?P<name>[\w ]+?) )?that (?P<what>.+)$", {"message": "{what}", "to": "{name}"}),
    ("tell", r"^(?:send|schick\w*) (?P<name>\w+) (?:a message|eine nachricht)[,:]? (?:that |dass )?(?P<what>.+)$", {"message": "{what}", "to": "{name}"}),
    ("tell", r"^let (?!me\b|us\b)(?P<name>\w+) know,? (?:that )?(?P<what>.+)$", {"message": "{what}", "to": "{name}"}),
    ("tell", r"^(?:durchsage|sag) (?:im |in der |den |der |dem )?(?!mir\b|uns\b|bescheid\b|durch\b)(?P<name>\w+)[:,] (?!dass\b|(?:er|sie) soll)(?P<what>.+)$", {"message": "{what}", "to": "{name}"}),
    ("tell", r"^(?:tell|sag) (?:(?:the|den|der|dem|every\w+|alle\w*) )?(?!me\b|us\b|mir\b|uns\b|es\b|das\b|bescheid\b|durch\b)(?P<name>\w+?),? (?:to|that|dass|(?:sie|er) soll(?:en)?) (?P<what>.+)$", {"message": "{what}", "to": "{name}"}),
    ("tell", r"^(?:sag|erinner\w*) (?!mich|uns|mir)(?P<name>\w+) (?:da?ran,? |an )(?P<what>.+)$", {"message": "Denk daran: {what}", "to": "{name}"}),
    ("tell", r"^tell (?:the )?(?P<name>(?!me|us)\w+) (?P<what>(?!\w+ that\b)(?:(?:i|we|you|he|she|they|it) |(?:\w+ ){0,3}?(?:is|are|\w+'(?:s|m|d|re|ve|ll)) ).+)$", {"message": "{what}", "to": "{name}"}),
    ("music", r"^(?:play )?(?:the same|this|it) in (?:the )?(?P<name>[\w ]+?) too$", {"action": "join", "to": "{name}"}),
    ("music", r"^spiel\w* (?:das|dasselbe) auch (?:im|in der) (?P<name>[\w ]+)$", {"action": "join", "to": "{name}"}),
    ("music", r"^(?:move (?:the music|it)|play the music only) (?:to|in) (?:the )?(?P<name>[\w ]+)$", {"action": "move", "to": "{name}"}),
    ("music", r"^(?:verschieb|spiel)\w* die musik (?:nur )?(?:ins|im|in die|in der) (?P<name>[\w ]+)$", {"action": "move", "to": "{name}"}),
    ("history", r"\b(?:cost|gekostet)\b.*\b(?:this|diesen) (?:month|monat)\b|\b(?:this|diesen) (?:month|monat)\b.*\b(?:cost|gekostet)\b", {"question": "cost", "period": "this_month"}),
)  # fmt: skip
_ON_OFF: Final = {"an": "on", "ein": "on"} | dict.fromkeys(
    ("aus", "ab", "stop", "pause"), "off"
)
_FLOORS: Final = {"oben": "Upstairs", "unten": "Downstairs", "allen": "all"}
_WAKES: Final = {
    "en": r"^(?:please )?(?:wake (?:me|us)(?: up)?|set (?:an|the) alarm)\b(?! with)",
    "de": r"^(?:weck\w* (?:mich|uns)|stell\w* (?:den|einen) wecker)\b(?!.* mit )",
}
_REMINDS: Final = {
    "en": r"(?:^and )?\b(?:(?:do not|don't) (?:let (?:me|us) )?forget|remind (?:me|us)|(?:set|make|add|create)(?: (?:me|us))? an? reminder) (?!(?:about |of )?(?:it|that)$)(?P<of>about |of |for )?(?:to |that )?",
    "de": r"(?:^und )?\b(?:vergiss nicht|erinner\w* (?:mich|uns)|(?:stell|erstell|mach|leg)\w* (?:(?:mir|uns) )?eine erinnerung(?: an)?),? (?!da?ran$)(?P<of>an )?(?:da?ran,? )?(?:dass |zu )?",
}
# "Mama anzurufen" is "Mama anrufen", "Brot zu kaufen" is "Brot kaufen".
_TO_DO: Final = r"\b(ab|an|auf|r?aus|bei|r?ein|fest|her|hin|los|mit|nach|um|vor|vorbei|weg|zurück)zu(?=\w+n$)|\bzu (?=\w+n$)"
_BACK: Final = {"HassTurnOn": "HassTurnOff", "HassTurnOff": "HassTurnOn"}
_LATE: Final = r"\b(?:night|evening|nacht|abend)\b"
_PARTS: Final = (("morning|jeden morgen|tagmorgen|früh", "08:00"), ("afternoon|nachmittag", "15:00"), ("evening|abend", "19:00"), ("night|nacht", "22:00"))  # fmt: skip
_OF: Final = {"en": "remember ", "de": "denk an "}
_SAYS: Final = {"en": r"^say ", "de": r"^sag "}
_ONLY_IF: Final = {
    "en": r",?\s*(?:but )?(?:only )?if (?P<who>nobody|no one|somebody|someone|anybody|anyone)(?: is|'s) (?:at )?(?:home|there|in(?! the\b))\b",
    "de": r",?\s*(?:aber )?(?:nur,? )?(?:wenn|falls) (?P<when>um [\w:]+(?: \w+)?? )?(?P<who>niemand|keiner|jemand) (?:zu ?hause|daheim|da) ist\b",
}
_LAST: Final = {
    "en": r"\b(?:when|once|as soon as) (?:the last (?:one|person)(?: of us)?|everybody|everyone) (?:goes out|leaves|has left|is gone|goes)\b|\bwhen (?:nobody|no one)(?: is|'s) (?:at )?home\b",
    "de": r"\b(?:wenn|sobald) (?:der letzte|die letzte|alle) (?:geht|gehen|weg ist|weg sind|gegangen (?:ist|sind))\b",
}
_PERSON: Final = {
    "en": r"\b(?:when(?:ever)?|once|as soon as) (?P<who>(?!the\b|it\b|somebody)\w+) (?:(?P<away>leaves?|go(?:es)? out)|(?:comes?|gets?|arrives?)(?: back)?)(?: home| the house| work)?\b",
    "de": r"\b(?:wenn|sobald) (?P<who>(?!es\b|jemand\b|die\b|der\b)\w+) (?:(?P<away>gehe?t?|weggehe?t?|das haus verl\w+)|(?:nach hause|heim) ?komm\w+)\b",
}
_RINGS: Final = {
    "en": r"\b(?:when|if) (?:some(?:body|one)|the (?:door)?bell) rings\b",
    "de": r"\b(?:wenn|sobald) (?:es|jemand) klingelt\b",
}


def read_week(
    text: str, prompt: Prompt, vocabulary: Vocabulary, understand: Understand
) -> list[Meaning]:
    """Return what a sentence asks for, empty if it is something else."""
    code = vocabulary.words.code
    text = text.strip().rstrip(".!? ").replace("’", "'")

    def meaning(tool: str, **given: Any) -> list[Meaning]:
        slots = {key: value for key, value in given.items() if value}
        return [Meaning(OURS + tool, slots, text, code)] if prompt.tool(tool) else []

    lost = [Meaning("not_understood", {}, text, code)]
    days, rest = read_days(text, code)
    if found := re.search(_WAKES[code], text, re.IGNORECASE):
        if days == [] or prompt.tool("alarm_clock") is None:
            days = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
        rest = re.sub(r"^(?:for|auf) ", AT[code], without(rest, found))
        at, rest = read_length(rest, code)
        at, rest = (at, rest) if at else read_clock(rest, code)
        is_all = not understand(rest)
        return meaning("alarm_clock", at=at, days=days) if at and is_all else lost
    if days is not None or _is_routine(text, code):
        if made := _routine(text, rest, days, prompt, vocabulary, understand):
            return meaning("routine", **made)
    for tool, pattern, arguments in _ROWS:
        if found := re.search(pattern, text, re.IGNORECASE):
            said = {key: value or "" for key, value in found.groupdict().items()}
            given = {key: form.format(**said) for key, form in arguments.items()}
            if tool == "routine" and (edit := given.get("edit", "").casefold()):
                given["edit"] = _ON_OFF.get(edit, edit)
            if "message" in given:
                given["message"] = _message(given["message"], text)
            place = find_target(given.get("to", ""), vocabulary)
            is_odd = place.left if not place.empty else given.get("action") == "move"
            is_robot = tool == "tell" and place.domain == "vacuum"
            if is_robot or (tool == "music" and is_odd):
                continue
            if given.get("to", "").casefold() in _FLOORS:
                given["to"] = _FLOORS[given["to"].casefold()]
            is_about_routine = tool != "routine" or _has_routines(prompt, text)
            if is_about_routine and (asked := meaning(tool, **given)):
                return asked
    return []


def _message(what: str, text: str) -> str:
    """Return a message; German has the verb of what was reported at its end."""
    words = re.sub(_TO_DO, r"\1", what).split()
    if re.search(r"\bdass\b", text) and len(words) > 2:
        place = 2 if words[0] in ("der", "die", "das", "mein", "meine") else 1
        words.insert(place, words.pop())
    elif re.search(r"\bsoll(?:en)?\b", text):
        words.insert(0, "bitte")
    return sentence(" ".join(words))


def _has_routines(prompt: Prompt, text: str) -> bool:
    """Return whether a sentence may be about a routine: it says so, or one was made."""
    calls = (call for item in prompt.exchanges for call in item.calls)
    return bool(re.search(r"routine|reminder|erinnerung", text, re.IGNORECASE)) or any(
        prompt.resolve(call.name) == prompt.tool("routine") for call in calls
    )


def _is_routine(text: str, code: str) -> bool:
    if re.match(_PERSON[code], text, re.IGNORECASE):
        return True
    is_sun = read_clock(text, code).at in ("sunrise", "sunset")
    return is_sun and re.match("(?:at|by|bei) ", text, re.IGNORECASE) is not None


def _routine(
    text: str,
    rest: str,
    days: list[str] | None,
    prompt: Prompt,
    vocabulary: Vocabulary,
    understand: Understand,
) -> dict[str, Any]:
    """Return the arguments of `routine`, none if a part is not understood."""
    code = vocabulary.words.code
    only_if, rest = read_only_if(rest, code)
    trigger: dict[str, Any] = {}
    if days is None and (found := re.search(_PERSON[code], rest, re.IGNORECASE)):
        trigger, rest = _of_person(found), without(rest, found)
    else:
        at, rest = read_clock(rest, code)
        if not at and days is not None:
            at, rest = _hour(text, rest, code)
        if at in ("sunrise", "sunset"):
            trigger = {"sun": at}
            rest = re.sub(r"\b(?:evening|night|morning|abend|morgen)\b", "", rest)
        elif at:
            trigger = {"at": at.removeprefix("tomorrow ")} | (
                {"days": days} if days else {}
            )
    if not trigger:
        return {}
    do: list[dict[str, Any]]
    if said := read_reminder(rest, code):
        do = [{"say": said}]
    elif found := re.search(_SAYS[code], rest, re.IGNORECASE):
        do = [{"say": sentence(rest[found.end() :])}]
    else:
        lasting, rest = read_lasting(rest, code)
        calls = calls_of(understand(rest), prompt)
        do = [{"tool": call.name, "arguments": call.arguments} for call in calls]
        if lasting:
            back = back_of(calls, prompt)
            _, count, unit = lasting.split()
            minutes = int(float(count) * (60 if unit == "hours" else 1))
            delay = {"delay": f"{minutes // 60:02}:{minutes % 60:02}"}
            do = [*do, delay, {**do[0], "tool": back.name}] if back else []
    if not do:
        return {}
    made = {"name": sentence(said or rest).strip("."), "when": [trigger], "do": do}
    return made | ({"only_if": [only_if]} if only_if else {})


def _hour(text: str, rest: str, code: str) -> tuple[str, str]:
    """Return when something recurs of which a part of the day is said, or nothing."""
    parts = (at for part, at in _PARTS if re.search(part, text, re.IGNORECASE))
    at = next(parts, "09:00" if read_reminder(rest, code) else "")
    return at, " ".join(re.sub(_LATE, "", rest, flags=re.IGNORECASE).split())


def back_of(calls: Sequence[Call], prompt: Prompt) -> Offered | None:
    """Return the tool that undoes the one call, None for what has none."""
    names = [_BACK.get(short_name(call.name), "") for call in calls]
    return prompt.tool(names[0]) if len(names) == 1 else None


def calls_of(meanings: list[Meaning], prompt: Prompt) -> list[Call]:
    """Return the calls for later, none if it is not said where."""
    calls = [call for item in meanings if (call := to_call(item, prompt))]
    is_unclear = any(item.slots.get("_unplaced") for item in meanings)
    return [] if is_unclear or any("Get" in call.name for call in calls) else calls


def is_ahead(text: str, code: str) -> bool:
    """Return whether a sentence says when something is to be done."""
    recurs = read_days(text, code)[0] is not None
    return bool(recurs or read_clock(text, code).at or read_length(text, code).at)


def read_reminder(text: str, code: str) -> str:
    """Return what somebody wants to be reminded of, empty if of nothing."""
    if not (found := re.search(_REMINDS[code], text, re.IGNORECASE)):
        return ""
    said = (_OF[code] if found["of"] else "") + without(text, found)
    return sentence(re.sub(_TO_DO, r"\1", said) if code == "de" else said)


def _of_person(found: re.Match[str]) -> Condition:
    who = "I" if found["who"].casefold() in ("i", "ich") else found["who"]
    return {"entity": who, "becomes": "not home" if found["away"] else "home"}


def read_only_if(text: str, code: str) -> tuple[Condition, str]:
    """Return the condition of a sentence, and the rest."""
    if not (found := re.search(_ONLY_IF[code], text, re.IGNORECASE)):
        return {}, text
    nobody = found["who"].casefold() in ("nobody", "no one", "niemand", "keiner")
    condition = {"entity": "nobody" if nobody else "somebody", "is": "home"}
    return condition, without(text, found, found.groupdict().get("when") or "")


def read_change(text: str, vocabulary: Vocabulary) -> tuple[Condition, str]:
    """Return what is waited for of people and bells, and the rest."""
    code = vocabulary.words.code
    if found := re.search(_LAST[code], text, re.IGNORECASE):
        return {"entity": "nobody", "becomes": "home"}, without(text, found)
    if found := re.search(_RINGS[code], text, re.IGNORECASE):
        bells = [thing.name for thing in vocabulary.home.of("event")]
        when = {"entity": bells[0], "becomes": "ring"} if bells else {}
        return when, without(text, found)
    if found := re.search(_PERSON[code], text, re.IGNORECASE):
        return _of_person(found), without(text, found)
    return {}, text
