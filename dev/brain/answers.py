"""What the assistant says: one short sentence per thing done, asked or not possible."""

from collections.abc import Sequence
from datetime import date, datetime
from typing import Any, Final

from .home import Entity, read_entities
from .later import say_later
from .model import Meaning, Result
from .prompt import Prompt
from .remembering import MEMORY, say_memory
from .seeing import describe
from .telling import called, say_list, tell
from .text import find_words, fold, sentence
from .tools import OURS
from .words import Words, words_for

SMALLTALK: Final = frozenset(
    {
        "greeting", "thanks", "goodbye", "how_are_you", "who", "joke", "help",
        "nevermind", "default",
    }
)  # fmt: skip
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
    "off": {"off", "idle", "standby", "docked"},
    "open": {"open", "opening", "on"},
    "closed": {"closed", "closing", "off"},
    "locked": {"locked", "off"},
    "unlocked": {"unlocked", "open", "on"},
    "home": {"home", "on"},
    "not_home": {"not_home", "off"},
}


def phrase(language: str, key: str, **values: Any) -> str:
    """Return a sentence of the language's table."""
    return words_for(language).replies[key].format(**values)


def say_result(meaning: Meaning, result: Result, prompt: Prompt) -> str:
    """Say what a tool's result means for what was asked."""
    words, data = words_for(meaning.language), result.data
    if result.error is not None:
        return sentence(phrase(words.code, "failed", error=result.error.strip()))
    match meaning.intent:
        case "HassGetCurrentTime" | "HassGetCurrentDate":
            return say_time(meaning, data if isinstance(data, dict) else {})
        case "list_items":
            title = meaning.slots.get("name", "")
            return _say_rows(data, "items", words, list=title)
        case "events":
            return _say_rows(data, "events", words)
    if meaning.intent == f"{OURS}look" and prompt.pictures:
        return describe(prompt.pictures, words.code)
    is_later = meaning.intent == f"{OURS}later"
    if isinstance(data, dict) and (is_later or "planned" in data):
        return say_later(data, words.code)
    if meaning.intent == MEMORY:
        return say_memory(data, words.code)
    if meaning.intent.startswith(OURS):
        return tell(data, meaning, prompt.home) or phrase(words.code, "done")
    if meaning.intent in _READING:
        return _say_states(meaning, read_entities(_live_text(data)), words)
    return _say_done(meaning, prompt, words)


_READING: Final = frozenset(
    {
        "HassGetState", "HassClimateGetTemperature", "HassGetWeather", "whats_on",
        "whats_playing", "outside",
    }
)  # fmt: skip


def _live_text(data: Any) -> str:
    """Return the text of a live context, whatever it is wrapped in."""
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
        given["value"] = f"{_number(slots[setting])} {unit}".strip()
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
    """Return what was acted on, as one says it."""
    slots, replies = meaning.slots, words.replies
    if name := slots.get("name"):
        things = prompt.home.called(str(name))
        return say_name(things[0].names if things else (str(name),), meaning, words)
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


def say_name(names: Sequence[str], meaning: Meaning, words: Words) -> str:
    """Return a thing within a sentence: the name that the person used, else its first."""
    spoken = tuple(fold(meaning.text).split())
    used = (
        name for name in names if find_words(tuple(fold(name).split()), spoken) >= 0
    )
    return called(next(used, names[0]), words)


def say_time(meaning: Meaning, data: dict[str, Any]) -> str:
    """Say the time or the date."""
    code = meaning.language
    if meaning.intent == "HassGetCurrentTime":
        return phrase(code, "time", time=str(data.get("time") or "?")[:5])
    try:
        day = date.fromisoformat(str(data.get("date")))
    except ValueError:
        return phrase(code, "unknown_state")
    weekdays = words_for(code).replies["weekdays"].split(",")
    return phrase(code, "date", weekday=weekdays[day.weekday()], date=day.isoformat())


def _say_rows(data: Any, key: str, words: Words, **values: str) -> str:
    rows = data.get(key) if isinstance(data, dict) else data
    told = []
    for row in rows if isinstance(rows, list) else ():
        item = row if isinstance(row, dict) else {"summary": row}
        told.append(f"{item.get('summary') or item.get('item')}{_start(item)}")
    if not told:
        return phrase(words.code, f"no_{key}", **values)
    return phrase(words.code, key, **{key: say_list(told, words), **values})


def _start(item: dict[str, Any]) -> str:
    try:
        start = datetime.fromisoformat(str(item.get("start")))
    except ValueError:
        return ""
    return f" ({start.day}.{start.month}. {start:%H:%M})"


def _say_states(meaning: Meaning, live: Sequence[Entity], words: Words) -> str:
    slots, intent, replies = meaning.slots, meaning.intent, words.replies
    things = _select(meaning, live)
    if intent == "whats_on":
        things = [thing for thing in things if thing.domain in _ON_DOMAINS]
        on = [thing.name for thing in things if thing.state in _ON]
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
        return replies["unknown_state"]
    asked, kind = slots.get("state"), str(slots.get("_response") or "one")
    if asked is None or intent != "HassGetState":
        return " ".join(_state(thing, meaning, words) for thing in things[:6])
    fitting = [thing for thing in things if _is_in_state(thing, str(asked))]
    if slots.get("name") or (len(things) == 1 and kind.startswith("one")):
        thing = (fitting or things)[0]
        said = _state(thing, meaning, words, start="")
        return f"{replies['yes' if fitting else 'no']}, {said}"
    names = [thing.name for thing in fitting]
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
        names = [] if right else [item.name for item in things if item not in fitting]
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
    """Tell whether a thing is in a state, in whatever words it was asked."""
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
    """Say the state of a thing, with its level, aim, title or unit."""
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
    return said if start is not None else sentence(said)


def _number(value: Any) -> str:
    try:
        number = float(value)
    except TypeError, ValueError:
        return str(value)
    return str(int(number)) if number.is_integer() else str(round(number, 1))
