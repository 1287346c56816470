"""Answer questions about states from the live context."""

from collections.abc import Sequence
from typing import Any, Final

from .home import Entity
from .model import Meaning
from .naming import say_area, say_name
from .prompt import Prompt
from .text import sentence
from .words import Words

# States that count as "on" when somebody asks what is on.
_ON: Final = frozenset({"on", "playing", "cleaning", "mowing", "buffering"})
_ON_DOMAINS: Final = frozenset(
    {
        "light", "switch", "fan", "media_player", "vacuum", "lawn_mower", "humidifier",
        "input_boolean", "siren", "water_heater", "remote",
    }
)  # fmt: skip
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
    "heat": {"heat", "heating"},
}
_TWO_VALUED: Final = frozenset({"binary_sensor"})


def answer_state(
    meaning: Meaning, live: Sequence[Entity], prompt: Prompt, words: Words
) -> str:
    """Answer a question about states."""
    match meaning.intent:
        case "whats_on":
            return _whats_on(meaning, live, words)
        case "whats_playing":
            return _whats_playing(live, words)
        case "HassClimateGetTemperature":
            return _temperature(meaning, live, prompt, words)
        case "outside":
            return _outside(meaning, live, words)
        case "HassGetWeather":
            return _weather(meaning, live, words)
    things = select(meaning, live)
    if not things:
        return words.replies["unknown_state"]
    kind = str(meaning.slots.get("_response") or "one")
    asked = meaning.slots.get("state")
    if meaning.slots.get("name") or (len(things) == 1 and kind.startswith("one")):
        return _one(meaning, things, words)
    if asked is None:
        return " ".join(_state(thing, meaning, words) for thing in things[:6])
    return _several(kind, str(asked), things, words)


def holds(meaning: Meaning, live: Sequence[Entity]) -> bool:
    """Tell whether what a question asks is so."""
    things = select(meaning, live)
    asked = str(meaning.slots.get("state") or "on")
    matching = [thing for thing in things if is_in_state(thing, asked)]
    if str(meaning.slots.get("_response", "")).startswith("all"):
        return bool(things) and len(matching) == len(things)
    return bool(matching)


def select(meaning: Meaning, live: Sequence[Entity]) -> list[Entity]:
    """Return the things a question is about."""
    slots = meaning.slots
    things = list(live)
    if name := slots.get("name"):
        things = [thing for thing in things if thing.is_called(str(name))] or things
    if area := slots.get("area"):
        things = [thing for thing in things if thing.is_in(str(area))]
    if domain := slots.get("domain"):
        domains = domain if isinstance(domain, list) else [domain]
        things = [thing for thing in things if thing.domain in domains]
    if wanted := slots.get("device_class"):
        classes = wanted if isinstance(wanted, list) else [wanted]
        things = [thing for thing in things if thing.device_class in classes]
    if slots.get("state") in ("locked", "unlocked"):
        things = [thing for thing in things if thing.domain == "lock"] or things
    return things


def is_in_state(thing: Entity, asked: str) -> bool:
    """Tell whether a thing is in a state, in whatever words it was asked."""
    if thing.state == asked:
        return True
    if thing.domain == "lock":
        asked = {"open": "unlocked", "closed": "locked"}.get(asked, asked)
    same = _SAME.get(asked, set())
    if thing.domain not in _TWO_VALUED and asked not in ("on", "off"):
        same = same - {"on", "off"}
    return thing.state in same


def say_list(items: Sequence[str], words: Words) -> str:
    """Write items one after the other, the last with an `and`."""
    if len(items) < 2:
        return "".join(items)
    return f"{', '.join(items[:-1])} {words.replies['and']} {items[-1]}"


def _one(meaning: Meaning, things: Sequence[Entity], words: Words) -> str:
    """Answer about one thing, with yes or no if a state was asked about."""
    asked = meaning.slots.get("state")
    if asked is None:
        return " ".join(_state(thing, meaning, words) for thing in things[:4])
    fitting = next((thing for thing in things if is_in_state(thing, str(asked))), None)
    kind = str(meaning.slots.get("_response") or "")
    if kind in ("one", "which") and fitting is None and len(things) > 1:
        return " ".join(_state(thing, meaning, words) for thing in things[:4])
    thing = fitting or things[0]
    key = "yes_state" if fitting else "no_state"
    if _measures(thing):
        return _state(thing, meaning, words)
    name = say_name(thing.names, meaning, words, subject=True)
    return sentence(
        words.replies[key].format(name=name, state=state_word(thing, words))
    )


def _several(kind: str, asked: str, things: Sequence[Entity], words: Words) -> str:
    """Answer about several things."""
    replies = words.replies
    matching = [thing for thing in things if is_in_state(thing, asked)]
    names = say_list([thing.name for thing in matching], words)
    if kind == "how_many":
        key = "count_list" if matching else "count"
        return replies[key].format(count=len(matching), names=names)
    if kind == "all":
        if len(matching) == len(things):
            return replies["all_yes"]
        others = [thing.name for thing in things if thing not in matching]
        return replies["all_no"].format(names=say_list(others, words))
    if kind == "any" or kind.startswith("one"):
        return (
            replies["yes_list"].format(names=names) if matching else replies["no_one"]
        )
    if not matching:
        return replies["none_match"].format(state=words.state_words.get(asked, asked))
    verb = {"en": ("is", "are"), "de": ("ist", "sind")}.get(words.code, ("", ""))
    return replies["matching"].format(
        names=names,
        verb=verb[len(matching) > 1],
        state=state_word(matching[0], words, level=False),
    )


def _whats_on(meaning: Meaning, live: Sequence[Entity], words: Words) -> str:
    """List what is on."""
    area = meaning.slots.get("area")
    names = [
        thing.name
        for thing in live
        if thing.domain in _ON_DOMAINS
        and thing.state in _ON
        and (area is None or thing.is_in(str(area)))
    ]
    if not names:
        return words.replies["nothing_on"]
    return words.replies["on_list"].format(names=say_list(names, words))


def _whats_playing(live: Sequence[Entity], words: Words) -> str:
    """Say what is played where."""
    told = [
        words.replies["media"].format(
            name=thing.name, title=thing.attributes.get("media_title") or "…"
        )
        for thing in live
        if thing.domain == "media_player" and thing.state == "playing"
    ]
    return " ".join(told) or words.replies["nothing_playing"]


def _temperature(
    meaning: Meaning, live: Sequence[Entity], prompt: Prompt, words: Words
) -> str:
    """Say how warm it is."""
    things = sorted(select(meaning, live), key=lambda item: item.domain != "climate")
    told = [text for item in things if (text := _warmth(item, meaning, prompt, words))]
    if told:
        whole_home = not meaning.slots.get("area") and not meaning.slots.get("name")
        return " ".join(told[: 4 if whole_home else 1])
    if things:
        return _state(things[0], meaning, words)
    return words.replies["unknown_state"]


def _warmth(
    thing: Entity, meaning: Meaning, prompt: Prompt, words: Words
) -> str | None:
    """Say how warm one thing says it is, None if it does not say."""
    value = thing.attributes.get("current_temperature")
    if thing.domain == "climate" and value is not None:
        reading = f"{_number(value)} °C"
        area = meaning.slots.get("area") or thing.area
        if meaning.slots.get("name") or not area:
            return _reading(thing, reading, meaning, words)
        area = say_area(str(area), meaning, prompt)
        return words.replies["temperature_now"].format(name=area, value=reading)
    if _is_temperature(thing):
        return _reading(thing, _value(thing), meaning, words)
    return None


def _outside(meaning: Meaning, live: Sequence[Entity], words: Words) -> str:
    """Say how warm it is outside."""
    for thing in live:
        if thing.domain == "sensor" and _is_temperature(thing):
            return _reading(thing, _value(thing), meaning, words)
    return _weather(meaning, live, words)


def _reading(thing: Entity, value: str, meaning: Meaning, words: Words) -> str:
    """Say what a thing measures."""
    name = say_name(thing.names, meaning, words, subject=True)
    return sentence(words.replies["temperature_of"].format(name=name, value=value))


def _is_temperature(thing: Entity) -> bool:
    """Tell whether a sensor measures a temperature."""
    unit = str(thing.attributes.get("unit_of_measurement") or "")
    return thing.device_class == "temperature" or unit in ("°C", "°F")


def _weather(meaning: Meaning, live: Sequence[Entity], words: Words) -> str:
    """Say what the weather is like."""
    for thing in live:
        if thing.domain == "weather":
            unit = thing.attributes.get("temperature_unit") or "°C"
            value = thing.attributes.get("temperature")
            reading = f"{_number(value)} {unit}" if value is not None else "?"
            return words.replies["weather"].format(
                name=thing.name, state=state_word(thing, words), value=reading
            )
    return _state(live[0], meaning, words) if live else words.replies["unknown_state"]


def _state(thing: Entity, meaning: Meaning, words: Words) -> str:
    """Say the state of a thing."""
    if _measures(thing):
        text = words.replies["value"].format(
            name=say_name(thing.names, meaning, words, subject=True),
            value=_value(thing),
        )
        return sentence(text)
    text = words.replies["state"].format(
        name=say_name(thing.names, meaning, words, subject=True),
        state=state_word(thing, words),
    )
    return sentence(text)


def _measures(thing: Entity) -> bool:
    """Tell whether the state is a reading."""
    return bool(thing.attributes.get("unit_of_measurement")) or thing.domain in (
        "sensor",
        "number",
        "input_number",
    )


def _value(thing: Entity) -> str:
    """Write a reading with its unit."""
    unit = thing.attributes.get("unit_of_measurement")
    return f"{_number(thing.state)} {unit}" if unit else str(thing.state)


def _number(value: Any) -> str:
    """Write a number without needless decimals."""
    try:
        number = float(value)
    except TypeError, ValueError:
        return str(value)
    return str(int(number)) if number.is_integer() else str(round(number, 1))


def state_word(thing: Entity, words: Words, *, level: bool = True) -> str:
    """Say a state as a word, with its level or aim if wanted."""
    state = str(thing.state)
    if thing.domain == "binary_sensor":
        special = words.state_words.get(f"{thing.device_class}:{state}")
        if special:
            return special
    word = words.state_words.get(state, state.replace("_", " "))
    if not level:
        return word
    if thing.domain == "light" and state == "on":
        if percent := thing.attributes.get("brightness_pct"):
            return f"{word} ({percent} %)"
    if thing.domain == "climate" and thing.attributes.get("temperature") is not None:
        return f"{word} ({_number(thing.attributes['temperature'])} °C)"
    return word
