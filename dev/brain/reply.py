"""What the assistant says: one short sentence per thing done, asked or not possible."""

from datetime import date, datetime
from typing import Any, Final

from .answers import answer_state, say_list
from .home import read_entities
from .later import say_later
from .model import Meaning, Result
from .naming import names_of, say_area, say_name, spoken_name
from .prompt import Prompt
from .remembering import MEMORY, say_memory
from .seeing import describe
from .telling import tell
from .text import sentence
from .tools import OURS
from .words import Words, words_for

SMALLTALK: Final = frozenset(
    {
        "greeting", "thanks", "goodbye", "how_are_you", "who", "joke", "help", "listening",
        "nevermind", "default",
    }
)  # fmt: skip

_DONE: Final = {
    "HassClimateSetTemperature": "temperature", "HassSetPosition": "position",
    "HassSetVolume": "volume", "HassFanSetSpeed": "speed", "HassStopMoving": "stop",
    "HassHumidifierSetpoint": "position", "HassMediaPause": "pause",
    "HassMediaUnpause": "resume", "HassMediaNext": "next", "HassMediaPrevious": "previous",
    "HassMediaPlayerMute": "mute", "HassMediaPlayerUnmute": "unmute",
    "HassVacuumStart": "vacuum_start", "HassVacuumCleanArea": "vacuum_start",
    "HassVacuumReturnToBase": "vacuum_dock", "HassLawnMowerStartMowing": "mower_start",
    "HassLawnMowerDock": "mower_dock", "HassStartTimer": "timer",
    "HassCancelAllTimers": "timers_cancelled", "HassCancelTimer": "timers_cancelled",
    "HassIncreaseTimer": "timer_changed", "HassDecreaseTimer": "timer_changed",
    "HassPauseTimer": "timer_changed", "HassUnpauseTimer": "timer_changed",
    "HassBroadcast": "broadcast", "HassListAddItem": "item_added",
    "HassShoppingListAddItem": "item_added", "HassListCompleteItem": "item_done",
    "HassShoppingListCompleteItem": "item_done", "HassListRemoveItem": "item_removed",
    "run_script": "run", "HassMediaSearchAndPlay": "playing",
}  # fmt: skip
_VALUES: Final = (
    "brightness",
    "temperature",
    "position",
    "volume_level",
    "percentage",
    "humidity",
)


def phrase(language: str, key: str, **values: Any) -> str:
    """Return a sentence of the language's table."""
    return words_for(language).replies[key].format(**values)


def say_result(meaning: Meaning, result: Result, prompt: Prompt) -> str:
    """Say what a tool's result means for what was asked."""
    words = words_for(meaning.language)
    if result.error is not None:
        return sentence(phrase(words.code, "failed", error=result.error.strip()))
    match meaning.intent:
        case "HassGetCurrentTime" | "HassGetCurrentDate":
            return say_time(
                meaning, result.data if isinstance(result.data, dict) else {}
            )
        case "list_items":
            return _say_items(meaning, result.data, words)
        case "events":
            return _say_events(result.data, words)
        case "HassTimerStatus":
            return _say_speech(result.data) or phrase(words.code, "unknown_state")
    if meaning.intent == f"{OURS}look" and prompt.pictures:
        return describe(prompt.pictures, words.code)
    if meaning.intent == f"{OURS}later" and isinstance(result.data, dict):
        return say_later(result.data, words.code)
    if meaning.intent == MEMORY:
        return say_memory(result.data, words.code)
    if meaning.intent.startswith(OURS):
        return tell(result.data, meaning, prompt.home) or phrase(words.code, "done")
    if meaning.intent in _READING:
        text = _live_text(result.data)
        return answer_state(meaning, read_entities(text), prompt, words)
    return say_done(meaning, prompt)


_READING: Final = frozenset(
    {
        "HassGetState", "HassClimateGetTemperature", "HassGetWeather", "whats_on",
        "whats_playing", "outside",
    }
)  # fmt: skip


def live_entities(result: Result) -> tuple[Any, ...]:
    """Return the entities of a live context."""
    return read_entities(_live_text(result.data))


def _live_text(data: Any) -> str:
    """Return the text of a live context, whatever it is wrapped in."""
    if isinstance(data, str):
        return data
    if isinstance(data, dict):
        for value in data.values():
            if text := _live_text(value):
                return text
    return ""


def say_done(meaning: Meaning, prompt: Prompt) -> str:
    """Say that something was done."""
    words, slots = words_for(meaning.language), meaning.slots
    key = _DONE.get(meaning.intent, "done")
    if meaning.intent in ("HassTurnOn", "HassTurnOff"):
        key = _switched(meaning, prompt)
    elif meaning.intent == "HassLightSet":
        key = "color" if slots.get("color") else "brightness"
        if slots.get("brightness") is None and key == "brightness":
            key = "done"
    elif meaning.intent == "HassSetVolumeRelative":
        step = slots.get("volume_step")
        lower = step == "down" or (isinstance(step, int | float) and step < 0)
        key = "quieter" if lower else "louder"
    value = next((slots[name] for name in _VALUES if slots.get(name) is not None), None)
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    text = words.replies[key].format(
        target=_target(meaning, words, prompt),
        value=slots.get("color") if key == "color" else value,
        name=spoken_name(names_of(str(slots.get("name", "")), prompt), meaning),
        item=slots.get("item", ""),
        list=slots.get("name", "") or _list_name(prompt),
        title=slots.get("search_query", ""),
    )
    return sentence(text)


def _list_name(prompt: Prompt) -> str:
    """Return the name of the only list."""
    lists = prompt.home.of("todo")
    return lists[0].name if lists else ""


def _switched(meaning: Meaning, prompt: Prompt) -> str:
    """Return the verb for turning something on or off."""
    domain = meaning.slots.get("domain") or meaning.slots.get("_domain")
    name = meaning.slots.get("name")
    if not domain and isinstance(name, str) and (things := prompt.home.called(name)):
        domain = things[0].domain
    if isinstance(domain, list):
        domain = domain[0] if len(domain) == 1 else None
    on = meaning.intent == "HassTurnOn"
    if domain == "lock":
        return "lock" if on else "unlock"
    if domain in ("cover", "valve"):
        return "open" if on else "close"
    if domain in ("scene", "script") and name:
        return "run"
    return "on" if on else "off"


def _target(meaning: Meaning, words: Words, prompt: Prompt) -> str:
    """Return what was acted on, as one says it."""
    slots, replies = meaning.slots, words.replies
    if name := slots.get("name"):
        return say_name(names_of(str(name), prompt), meaning, words)
    domain, device_class = slots.get("domain"), slots.get("device_class")
    if isinstance(domain, list):
        domain = domain[0] if len(domain) == 1 else None
    if isinstance(device_class, list):
        device_class = device_class[0] if device_class else None
    if meaning.intent == "HassLightSet":
        domain = "light"
    if meaning.intent.startswith(("HassVacuum", "HassLawnMower")):
        domain = "vacuum" if "Vacuum" in meaning.intent else "lawn_mower"
    thing = words.domain_words.get(str(device_class)) or words.domain_words.get(
        str(domain)
    )
    if meaning.intent == "HassClimateSetTemperature":
        thing = None if slots.get("area") else words.domain_words["climate"]
    if area := slots.get("area"):
        if thing is None:
            return replies["the_area"].format(area=say_area(str(area), meaning, prompt))
        return replies["in_area"].format(
            thing=thing, area=say_area(str(area), meaning, prompt)
        )
    if floor := slots.get("floor"):
        thing = thing or replies["everything"]
        return replies["on_floor"].format(thing=thing, floor=floor)
    return thing or replies["everything"]


def say_time(meaning: Meaning, data: dict[str, Any]) -> str:
    """Say the time or the date."""
    words = words_for(meaning.language)
    if meaning.intent == "HassGetCurrentTime":
        time = str(data.get("time") or "")[:5]
        return (
            phrase(words.code, "time", time=time)
            if time
            else phrase(words.code, "unknown_state")
        )
    try:
        day = date.fromisoformat(str(data.get("date")))
    except ValueError:
        return phrase(words.code, "unknown_state")
    names = words.replies.get("weekdays")
    weekday = names.split(",")[day.weekday()] if names else f"{day:%A}"
    if words.code == "en":
        written = f"{day:%B} {day.day}, {day.year}"
    else:
        written = f"{day.day}.{day.month}.{day.year}"
    return phrase(words.code, "date", weekday=weekday, date=written)


def _say_items(meaning: Meaning, data: Any, words: Words) -> str:
    """Read a list out."""
    items = data.get("items") if isinstance(data, dict) else data
    names = [
        str(item.get("summary") or item.get("item") or "")
        if isinstance(item, dict)
        else str(item)
        for item in (items if isinstance(items, list) else ())
    ]
    title = meaning.slots.get("name", "")
    if not any(names):
        return phrase(words.code, "no_items", list=title)
    return phrase(words.code, "items", list=title, items=say_list(names, words))


def _say_events(data: Any, words: Words) -> str:
    """Read events out."""
    events = data.get("events") if isinstance(data, dict) else data
    told = [
        f"{event.get('summary', '')} ({_when(event.get('start'))})"
        for event in (events if isinstance(events, list) else ())
        if isinstance(event, dict)
    ]
    if not told:
        return phrase(words.code, "no_events")
    return phrase(words.code, "events", events=say_list(told, words))


def _when(start: Any) -> str:
    """Write the start of an event."""
    try:
        moment = datetime.fromisoformat(str(start))
    except ValueError:
        return str(start)
    return (
        f"{moment.day}.{moment.month}. {moment:%H:%M}"
        if "T" in str(start)
        else f"{moment.day}.{moment.month}."
    )


def _say_speech(data: Any) -> str:
    """Return what an intent's response says."""
    if isinstance(data, dict) and isinstance(data.get("speech"), dict):
        plain = data["speech"].get("plain")
        if isinstance(plain, dict):
            return str(plain.get("speech") or "")
    return ""
