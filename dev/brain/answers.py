"""What the assistant says: one short sentence per thing done, asked or not possible."""

from collections.abc import Sequence
from datetime import date, timedelta
import re
from typing import Any, Final

from .home import Entity, Home, read_entities
from .later import say_later
from .model import Meaning, Result
from .prompt import Prompt
from .remembering import MEMORY, say_memory
from .seeing import describe
from .telling import own_name, say_list, say_name, tell, translated
from .text import fold, sentence
from .tools import OURS, READING
from .words import Words, words_for

SMALLTALK: Final = frozenset(key for _, key in words_for("en").smalltalk)
# What a value is said in, by the slot that has it.
_UNITS: Final = {
    "brightness": "percent", "temperature": "degrees", "position": "percent",
    "percentage": "percent", "volume_level": "percent", "humidity": "percent",
    "color": "",
}  # fmt: skip
_SWITCHED: Final = {
    "lock": ("lock", "unlock"), "cover": ("open", "close"), "valve": ("open", "close"),
    "scene": ("run", "off"), "script": ("run", "off"),
}  # fmt: skip
# States that count as "on" when somebody asks what is on, and the kinds that are asked.
_ON: Final = frozenset({"on", "playing", "cleaning", "mowing", "buffering"})
_ON_DOMAINS: Final = frozenset(
    {"light", "switch", "fan", "media_player", "vacuum", "lawn_mower", "input_boolean"}
)
# The state that a question means, in other words or for other kinds of things.
_SAME: Final = {
    "on": {"on", "playing", "heat", "cool", "heat_cool", "auto", "cleaning"},
    "off": {"off", "idle", "standby", "docked"}, "open": {"open", "opening", "on"},
    "closed": {"closed", "closing", "off"}, "locked": {"locked", "off"},
    "unlocked": {"unlocked", "open", "on"}, "home": {"home", "on"},
    "zu Hause": {"home", "on"}, "not_home": {"not_home", "off"},
}  # fmt: skip


def phrase(language: str, key: str, **values: Any) -> str:
    """Return a sentence of the language's table."""
    return words_for(language).replies[key].format(**values)


def say_result(meaning: Meaning, result: Result, prompt: Prompt) -> str:
    """Say what a tool's result means for what was asked."""
    words, data = words_for(meaning.language), result.data
    if result.error is not None:
        return _say_refused(meaning, result.error.strip(), words, prompt.home)
    match meaning.intent:
        case "HassGetCurrentTime" | "HassGetCurrentDate":
            return say_time(meaning, data if isinstance(data, dict) else {})
        case "list_items":
            names = prompt.home.names(meaning.slots.get("name", ""))
            return _say_items(data, words, own_name(names, meaning, words))
    if meaning.intent == f"{OURS}look" and prompt.pictures:
        return describe(prompt.pictures, words.code)
    is_later = meaning.intent == f"{OURS}later"
    if isinstance(data, dict) and (is_later or {"planned", "plans"} & data.keys()):
        return say_later(data, words.code)
    if meaning.intent == MEMORY:
        return say_memory(data, words.code)
    if meaning.intent.startswith(OURS) and "response_type" not in data:
        return tell(data, meaning, prompt.home) or phrase(words.code, "done")
    if meaning.intent in READING:
        live = read_entities(_live_text(data))
        if floor := meaning.slots.get("floor"):
            there, floors = f" {fold(floor)} ", prompt.home.floors
            live = tuple(
                x for x in live if there in f" {fold(floors.get(x.area or '', ''))} "
            )
        return _say_states(meaning, live, words)
    return _say_done(meaning, prompt, words)


def _say_refused(meaning: Meaning, error: str, words: Words, home: Home) -> str:
    """Ask the person, where a refusal says so, or say that something did not work.

    What only tells a model how to call is not repeated.
    """
    asks = re.search(r"\bAsk (?:the person )?who", error)
    if meaning.slots.get("find_phone") == "me" and (asks or "did not ask" in error):
        return words.replies["whose_phone"]
    if asks:
        return words.replies["speaker"]
    if so := re.search(r"so already: (.+) is (\w+)\.", error):
        state = words.state_words.get(so[2], so[2])
        name = say_name(home.names(so[1]), meaning, words)
        return sentence(words.replies["already"].format(target=name, state=state))
    if meaning.intent in (*READING, f"{OURS}history"):
        return words.replies["unknown_state"]
    if meaning.intent.startswith("HassMedia"):
        return words.replies["nothing_plays"]
    if _TO_A_MODEL.search(error):
        return words.replies["failed"].format(error="").rstrip(": ") + "."
    for name in sorted((x.name for x in home.entities if x.name in error), key=len):
        error = error.replace(name, say_name(home.names(name), meaning, words))
    if re.search(r"Made here: none", error):
        return words.replies["none"]
    error = _ASIDES.sub("", error).strip()
    error, english = translated(error, words.code), words_for("en").hints - words.hints
    error = "" if english & {*fold(error).split()} else error
    return sentence(words.replies["failed"].format(error=error).rstrip(": "))


# Days that are asked for, and how many days off they are.
_DAYS: Final = (
    (r"day after tomorrow|übermorgen", 2), (r"tomorrow|\bmorgen", 1),
    (r"day before yesterday|vorgestern", -2), (r"yesterday|gestern", -1),
)  # fmt: skip
_ASIDES: Final = re.compile(
    r"(?:Nothing was (?:done|planned)|Nobody was told)\.|\b(?:Nearest|There is|For example): .*"
)
# In what the integration or Home Assistant writes for a model, not for people.
_TO_A_MODEL: Final = re.compile(
    r"(?i)\b(?:write|call|answer with|ask (?:for|which)|nothing matches)\b"
)


def _live_text(data: Any) -> str:
    if isinstance(data, dict):
        return next(filter(None, map(_live_text, data.values())), "")
    return data if isinstance(data, str) else ""


def _say_done(meaning: Meaning, prompt: Prompt, words: Words) -> str:
    slots, key = meaning.slots, "done"
    given = {"target": _target(meaning, prompt, words)}
    setting = next((name for name in _UNITS if slots.get(name) is not None), None)
    if meaning.intent in ("HassTurnOn", "HassTurnOff"):
        key = _switched(meaning, prompt)
    elif meaning.intent == "run_script":
        key = "run"
    elif setting:
        key, unit = "set", words.replies.get(_UNITS[setting], "")
        colors = {color: word for word, color in words.colors.items()}
        value = colors.get(slots[setting], _number(slots[setting]))
        given["value"] = f"{value} {unit}".strip()
    elif "item" in slots:
        key = "item_added" if "Add" in meaning.intent else "item_gone"
        lists = [thing.name for thing in prompt.home.of("todo")] or [""]
        given |= {"item": slots["item"], "list": slots.get("name") or lists[0]}
    return sentence(phrase(words.code, key, **given))


def _switched(meaning: Meaning, prompt: Prompt) -> str:
    domain = meaning.slots.get("domain") or meaning.slots.get("_domain")
    if not domain and (things := prompt.home.called(meaning.slots.get("name") or "")):
        domain = things[0].domain
    if isinstance(domain, list):
        domain = domain[0] if len(domain) == 1 else None
    verbs = _SWITCHED.get(str(domain), ("on", "off"))
    return verbs[meaning.intent == "HassTurnOff"]


def _target(meaning: Meaning, prompt: Prompt, words: Words) -> str:
    slots, replies = meaning.slots, words.replies
    if name := slots.get("name"):
        return say_name(prompt.home.names(str(name)), meaning, words)
    kinds = [slots.get("device_class"), slots.get("domain")]
    if meaning.intent == "HassLightSet":
        kinds = ["light"]
    flat = [kind[0] if isinstance(kind, list) and kind else kind for kind in kinds]
    found = (words.domain_words.get(str(kind)) for kind in flat)
    thing = next(filter(None, found), None)
    if place := slots.get("area") or slots.get("floor"):
        key = "in_area" if thing else "the_area"
        return replies[key].format(thing=thing, area=_spoken(place, meaning, prompt))
    return thing or replies["everything"]


def _spoken(area: str, meaning: Meaning, prompt: Prompt) -> str:
    text = meaning.text.casefold()
    for group in prompt.home.area_groups:
        if area in group:
            area = next((name for name in group if name.casefold() in text), area)
    return area.lower() if meaning.language == "en" else area


def say_time(meaning: Meaning, data: dict[str, Any]) -> str:
    """Say the time or the date."""
    code = meaning.language
    if meaning.intent == "HassGetCurrentTime":
        return phrase(code, "time", time=str(data.get("time") or "?")[:5])
    try:
        day = date.fromisoformat(str(data.get("date")))
    except ValueError:
        return phrase(code, "unknown_state")
    said = {"en": "today", "de": "heute"}[code]
    for pattern, shift in _DAYS:
        if found := re.search(pattern, meaning.text, re.IGNORECASE):
            said, day = found[0], day + timedelta(shift)
            break
    told = translated(f"{said.capitalize()}: {day:%A %-d %B %Y}", code)
    return sentence(told)


def _say_items(data: Any, words: Words, title: str) -> str:
    rows = data.get("items") if isinstance(data, dict) else data
    some = [x if isinstance(x, dict) else {"summary": x} for x in rows or ()]
    items = say_list([str(x.get("summary") or x.get("item")) for x in some], words)
    return phrase(words.code, "items" if items else "no_items", list=title, items=items)


def _say_states(meaning: Meaning, live: Sequence[Entity], words: Words) -> str:
    slots, intent, replies = meaning.slots, meaning.intent, words.replies
    things = _select(meaning, live)
    if intent == "whats_on":
        things = [thing for thing in things if thing.domain in _ON_DOMAINS]
        on = [
            own_name(item.names, meaning, words) for item in things if item.state in _ON
        ]
        return replies["on_list"].format(names=say_list(on, words))
    if intent == "whats_playing":
        things = [thing for thing in things if thing.state == "playing"]
    if intent in ("HassClimateGetTemperature", "outside"):
        by_kind = sorted(things, key=lambda thing: thing.domain != "climate")
        measured = [(thing, _warmth(thing)) for thing in by_kind]
        told = [
            f"{say_name(thing.names, meaning, words)}: {value}"
            for thing, value in measured
            if value
        ]
        if told:
            return " ".join(map(sentence, told[:1] if "area" in slots else told[:4]))
    if not things:
        key = "nothing_plays" if intent == "whats_playing" else "unknown_state"
        return replies[key]
    asked, kind = slots.get("state"), str(slots.get("_response") or "one")
    if asked is None or intent != "HassGetState":
        return " ".join(_state(thing, meaning, words) for thing in things[:6])
    fitting = [thing for thing in things if _is_in_state(thing, str(asked))]
    if slots.get("name") or (len(things) == 1 and kind.startswith("one")):
        thing = (fitting or things)[0]
        said = _state(thing, meaning, words, start="")
        return f"{replies['yes' if fitting else 'no']}, {said}"
    names = [own_name(thing.names, meaning, words) for thing in fitting]
    if kind == "how_many":
        names = [str(len(names)), *([say_list(names, words)] if names else [])]
        return sentence(": ".join(names))
    if kind == "which":
        state = words.state_words.get(str(asked), str(asked))
        key = "matching" if names else "none_match"
        return replies[key].format(names=say_list(names, words), state=state)
    right = bool(names)
    if kind == "all":
        right = len(fitting) == len(things)
        others = [] if right else [item for item in things if item not in fitting]
        names = [own_name(thing.names, meaning, words) for thing in others]
    more = f": {say_list(names, words)}" if names else ""
    return sentence(f"{replies['yes' if right else 'no']}{more}")


def _select(meaning: Meaning, live: Sequence[Entity]) -> list[Entity]:
    slots, things = meaning.slots, list(live)
    if name := slots.get("name"):
        things = [thing for thing in things if thing.is_called(str(name))] or things
    if area := slots.get("area"):
        things = [thing for thing in things if thing.is_in(str(area))]
    for key in ("domain", "device_class"):
        if wanted := slots.get(key):
            some = wanted if isinstance(wanted, list) else [wanted]
            things = [thing for thing in things if getattr(thing, key) in some]
    if slots.get("state") in ("locked", "unlocked"):
        things = [thing for thing in things if thing.domain == "lock"] or things
    return things


def _is_in_state(thing: Entity, asked: str) -> bool:
    if thing.domain == "lock":
        asked = {"open": "unlocked", "closed": "locked"}.get(asked, asked)
    same = _SAME.get(asked, set()) | {asked}
    if thing.domain != "binary_sensor" and asked not in ("on", "off"):
        same = same - {"on", "off"}
    return thing.state in same


def _warmth(thing: Entity) -> str | None:
    """Return how warm a thing says it is, None if it does not say."""
    value = thing.attributes.get("current_temperature")
    if thing.domain == "climate" and value is not None:
        return f"{_number(value)} °C"
    unit = str(thing.attributes.get("unit_of_measurement") or "")
    return f"{_number(thing.state)} {unit}" if unit in ("°C", "°F") else None


def _state(
    thing: Entity, meaning: Meaning, words: Words, *, start: str | None = None
) -> str:
    state, more = str(thing.state), thing.attributes
    word = words.state_words.get(f"{thing.device_class}:{state}")
    word = word or words.state_words.get(state, state.replace("_", " "))
    if unit := more.get("unit_of_measurement"):
        word = f"{_number(thing.state)} {unit}"
    for key, unit in (
        ("brightness_pct", " %"), ("temperature", " °C"), ("media_title", ""),
    ):  # fmt: skip
        if more.get(key) is not None and state != "off":
            word += f" ({_number(more[key])}{unit})"
    name = say_name(thing.names, meaning, words)
    said = words.replies["state"].format(name=name, state=word)
    if words.code == "en" and re.search(r"(?:lights|blinds)$", name):
        said = said.replace(" is ", " are ", 1)
    return said if start is not None else sentence(said)


def _number(value: Any) -> str:
    try:
        number = float(value)
    except TypeError, ValueError:
        return str(value)
    return str(int(number)) if number.is_integer() else str(round(number, 1))
