"""Turn a meaning into a call of an offered tool.

A call names a tool that was offered, and carries only arguments that its schema takes.
"""

from collections.abc import Mapping
import re
from typing import Any, Final

from .home import Home
from .model import Call, Meaning, Offered
from .prompt import Prompt
from .text import fold
from .words import NUMBER

LIVE_CONTEXT: Final = "GetLiveContext"
OURS: Final = "our_"
"""Before the name of a tool of the integration, in a meaning's intent."""

# Which tool serves an intent, where its name is another.
_TOOLS: Final = {
    "HassGetState": LIVE_CONTEXT, "HassClimateGetTemperature": LIVE_CONTEXT,
    "HassGetWeather": LIVE_CONTEXT, "whats_on": LIVE_CONTEXT,
    "whats_playing": LIVE_CONTEXT, "outside": LIVE_CONTEXT,
    "HassGetCurrentTime": "GetDateTime", "HassGetCurrentDate": "GetDateTime",
    "HassShoppingListAddItem": "HassListAddItem",
    "HassShoppingListCompleteItem": "HassListCompleteItem", "list_items": "get_items",
}  # fmt: skip
READING: Final = frozenset(key for key, tool in _TOOLS.items() if tool == LIVE_CONTEXT)
"""Intents that only read how things are."""


def offered_tool(meaning: Meaning, prompt: Prompt) -> Offered | None:
    """Return the tool that does what is meant, or None if it was not offered."""
    if meaning.intent.startswith(OURS):
        return prompt.tool(meaning.intent.removeprefix(OURS))
    if meaning.intent == "run_script":
        return prompt.resolve(meaning.slots["tool"])
    return prompt.tool(_TOOLS.get(meaning.intent, meaning.intent))


_SHADES: Final = {"awning", "blind", "curtain", "shade", "shutter"}


def to_call(meaning: Meaning, prompt: Prompt) -> Call | None:
    """Return the call for a meaning, or None if no offered tool can do it."""
    meaning = as_script(meaning, prompt.home)
    tool = offered_tool(meaning, prompt)
    if tool is None:
        return _by_set(meaning, prompt.tool("set"))
    if meaning.intent == "run_script":
        arguments = script_fields(meaning, tool, prompt.home)
    else:
        arguments = fit(_slots(meaning, prompt), tool)
        kinds = {thing.device_class for thing in prompt.home.of("cover")} & _SHADES
        if kinds and {*arguments.get("device_class", ())} & _SHADES - kinds:
            # People call blinds shutters.
            arguments["device_class"] = sorted(map(str, kinds))
    if missing(arguments, tool):
        return None
    return Call(tool.name, arguments)


# What `set` does in place of one of Home Assistant's tools: the setting, and how the
# value is called there.
_BY_SET: Final = {
    "HassClimateSetTemperature": ("temperature", "temperature"),
    "HassSetPosition": ("position", "position"),
    "HassSetVolume": ("volume", "volume_level"),
}


def _by_set(meaning: Meaning, tool: Offered | None) -> Call | None:
    if tool is None or meaning.intent not in _BY_SET:
        return None
    setting, key = _BY_SET[meaning.intent]
    slots = meaning.slots
    arguments = {
        "action": "set", "setting": setting, "to": str(slots.get(key)),
        "kind": slots.get("device_class") or slots.get("domain"),
        **{key: slots.get(key) for key in ("name", "area", "floor")},
    }  # fmt: skip
    return Call(tool.name, fit(arguments, tool))


def as_script(meaning: Meaning, home: Home) -> Meaning:
    """Run a script through its own tool where one was offered."""
    name = meaning.slots.get("name")
    if meaning.intent not in ("HassTurnOn", "HassTurnOff") or not isinstance(name, str):
        return meaning
    script = next((item for item in home.called(name, "script") if item.tool), None)
    if script is None:
        return meaning
    slots = {"tool": script.tool, "name": script.name}
    return Meaning("run_script", slots, meaning.text, meaning.language)


def missing(arguments: Mapping[str, Any], tool: Offered) -> list[str]:
    """Return the required arguments that are not there."""
    required = tool.parameters.get("required")
    absent = [name for name in required or () if name not in arguments]
    choices = tool.parameters.get("anyOf")
    if not absent and isinstance(choices, list):
        groups = [
            item.get("required", ()) for item in choices if isinstance(item, dict)
        ]
        if groups and not any(
            all(name in arguments for name in group) for group in groups
        ):
            absent = list(groups[0])
    return absent


def fit(slots: Mapping[str, Any], tool: Offered) -> dict[str, Any]:
    """Keep the slots that a tool takes, in the types its schema wants."""
    arguments: dict[str, Any] = {}
    for name, value in slots.items():
        schema = tool.properties.get(name)
        if name.startswith("_") or value is None or schema is None:
            continue
        fitted = _fit_value(value, schema if isinstance(schema, dict) else {})
        if fitted is not None:
            arguments[name] = fitted
    return arguments


def _fit_value(value: Any, schema: Mapping[str, Any]) -> Any:
    options = schema.get("anyOf") or schema.get("oneOf")
    if isinstance(options, list):
        # The most telling first: a list where one is allowed.
        ranked = sorted(options, key=lambda item: item.get("type") != "array")
        fitted = (_fit_value(value, item) for item in ranked if isinstance(item, dict))
        return next((item for item in fitted if item is not None), None)
    kind = schema.get("type")
    if isinstance(kind, list):
        kind = next((item for item in kind if item != "null"), None)
    if kind == "array":
        items = schema.get("items")
        values = value if isinstance(value, list | tuple) else [value]
        inner = items if isinstance(items, dict) else {}
        kept = [
            fitted for item in values if (fitted := _fit_value(item, inner)) is not None
        ]
        return kept or None
    if isinstance(value, list | tuple) and (schema or len(value) < 2):
        value = value[0] if value else None
    if kind in ("number", "integer"):
        return _fit_number(value, kind, schema)
    if kind == "string" and not isinstance(value, str):
        return None
    if kind == "boolean":
        return value if isinstance(value, bool) else None
    enum = schema.get("enum")
    if isinstance(enum, list) and value not in enum:
        return next(
            (item for item in enum if fold(str(item)) == fold(str(value))), None
        )
    return value


def _fit_number(value: Any, kind: str, schema: Mapping[str, Any]) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    low, high = schema.get("minimum"), schema.get("maximum")
    if (isinstance(low, int | float) and value < low) or (
        isinstance(high, int | float) and value > high
    ):
        return None
    if kind == "integer" or float(value).is_integer():
        return round(value)
    return value


def _slots(meaning: Meaning, prompt: Prompt) -> dict[str, Any]:
    if meaning.intent.startswith(OURS):
        return meaning.slots
    slots = {
        key: value for key, value in meaning.slots.items() if not key.startswith("_")
    }
    home = prompt.home
    if isinstance(spoken := slots.get("name"), str):
        slots["name"] = own_name(spoken, home)
    if meaning.intent == "HassClimateGetTemperature":
        if "name" in slots:
            return slots
        here = home.of("climate", slots.get("area"))
        return slots | {"domain": "climate" if here else ["climate", "sensor"]}
    if meaning.intent == "HassGetWeather":
        return slots if "name" in slots else {**slots, "domain": "weather"}
    if meaning.intent == "HassGetState":
        # The floor and the state are no filters of the live context.
        if "name" in slots and "domain" not in meaning.slots:
            return {key: slots[key] for key in ("name", "area") if key in slots}
        kept = {
            key: value
            for key, value in slots.items()
            if key in ("name", "area", "domain")
        }
        if "name" in kept:
            kept.pop("domain", None)
        return kept
    if meaning.intent == "whats_playing":
        return {"domain": "media_player"}
    if meaning.intent == "outside":
        return outside(home)
    if meaning.intent == "list_items":
        return {"todo_list": slots["name"]}
    if "ShoppingList" in meaning.intent or (
        meaning.intent.startswith("HassList") and "name" not in slots
    ):
        return {"name": shopping_list(home)} | slots
    name = slots.get("name")
    if isinstance(name, str) and "domain" not in slots:
        domains = {entity.domain for entity in home.called(name)}
        if len(domains) > 1 and (domain := meaning.slots.get("_domain")):
            slots["domain"] = domain
    return slots


def own_name(spoken: str, home: Home) -> str:
    """Return the first name of what an alias means, where it means one thing."""
    names = {entity.name for entity in home.called(spoken)}
    return names.pop() if len(names) == 1 else spoken


def outside(home: Home) -> dict[str, Any]:
    """Return what tells about the air outside: a sensor by its name, or the weather."""
    for entity in home.of("sensor"):
        if re.search(
            r"outdoor|outside|außen|draußen", str(entity.names), re.IGNORECASE
        ):
            return {"name": entity.name}
    return {"domain": "weather" if home.of("weather") else ["sensor", "weather"]}


def shopping_list(home: Home) -> str | None:
    """Return the list for what is to be bought."""
    known = re.compile(r"(?i)shop|einkauf|grocer")
    lists = sorted(
        home.of("todo"), key=lambda entity: not known.search(str(entity.names))
    )
    return lists[0].name if lists else None


# Scripts.


def script_fields(meaning: Meaning, tool: Offered, home: Home) -> dict[str, Any]:
    """Find the values of a script's fields in the words of a command."""
    text = fold(meaning.text)
    for entity in home.entities:
        if entity.tool == tool.name:
            for name in entity.names:
                text = f" {text} ".replace(f" {fold(name)} ", " ").strip()
    values = {
        name: _field(name, schema, text)
        for name, schema in tool.properties.items()
        if isinstance(schema, dict)
    }
    return fit(values, tool)


def _field(name: str, schema: Mapping[str, Any], text: str) -> Any:
    kind = schema.get("type")
    label = fold(name.replace("_", " "))
    if kind in ("number", "integer"):
        near = re.search(rf"\b{re.escape(label)}\b\D{{0,12}}?(-?\d+(?:\.\d+)?)", text)
        match = near or NUMBER.search(text)
        return float(match[1]) if match else None
    if isinstance(enum := schema.get("enum"), list):
        return next(
            (item for item in enum if f" {fold(str(item))} " in f" {text} "), None
        )
    told = re.search(rf"\b{re.escape(label)} (?:is |to |auf |ist )?(\S.*)$", text)
    return told[1] if told and kind == "string" else None
