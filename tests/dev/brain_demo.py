"""A demo home in the words of a prompt, for the tests of the brain.

Tools and prompt are spelt as Home Assistant's Assist API spells them.
"""

from collections.abc import Mapping, Sequence
from functools import cache
import json
from typing import Any

from dev.brain import Brain, Call, Say


@cache
def brain() -> Brain:
    """Return the brain, which takes a second to load its sentences."""
    return Brain()


_COVERS = [
    "awning",
    "blind",
    "curtain",
    "door",
    "garage",
    "gate",
    "shade",
    "shutter",
    "window",
]
_TEXT = {"type": "string"}
_PERCENT = {"type": "integer", "minimum": 0, "maximum": 100}
_PLACE = {"name": _TEXT, "area": _TEXT, "floor": _TEXT}
_KIND = {
    "domain": {"type": "array", "items": _TEXT},
    "device_class": {"type": "array", "items": {"type": "string", "enum": _COVERS}},
}


def _only(domain: str) -> dict[str, Any]:
    return {"domain": {"type": "array", "items": {"type": "string", "enum": [domain]}}}


def tool(
    name: str, properties: Mapping[str, Any], *required: str, text: str = ""
) -> dict:
    parameters = {
        "type": "object",
        "properties": dict(properties),
        "additionalProperties": False,
    }
    if required:
        parameters["required"] = list(required)
    function = {"name": name, "description": text, "parameters": parameters}
    return {"type": "function", "function": function}


TOOLS = [
    tool(
        "HassClimateSetTemperature",
        {**_PLACE, "temperature": {"type": "number"}},
        "temperature",
    ),
    tool(
        "GetLiveContext",
        {
            "name": _TEXT,
            "domain": {"anyOf": [_TEXT, {"type": "array", "items": _TEXT}]},
            "area": _TEXT,
        },
        text="Provides real-time information about the CURRENT state of devices.",
    ),
    tool(
        "HassTurnOn",
        {**_PLACE, **_KIND},
        text="For locks, this performs a 'lock' action.",
    ),
    tool(
        "HassTurnOff",
        {**_PLACE, **_KIND},
        text="For locks, this performs an 'unlock' action.",
    ),
    tool("HassSetPosition", {**_PLACE, **_KIND, "position": _PERCENT}, "position"),
    tool(
        "HassLightSet",
        {**_PLACE, **_only("light"), "color": _TEXT, "brightness": _PERCENT},
    ),
    tool("GetDateTime", {}),
    tool("HassMediaNext", _PLACE),
    tool("HassMediaPause", _PLACE),
    tool(
        "good_night",
        {},
        text="Turns everything off. Aliases: ['Good night', 'Gute Nacht']",
    ),
    tool(
        "movie_time",
        {"brightness": {"type": "number", "minimum": 1, "maximum": 100}},
        "brightness",
        text="Dims the lights. Aliases: ['Movie time', 'Filmabend']",
    ),
    tool(
        "get_items",
        {
            "todo_list": {"type": "string", "enum": ["Shopping list", "Einkaufsliste"]},
            "status": {"type": "string", "enum": ["needs_action", "completed", "all"]},
        },
        "todo_list",
    ),
    tool("HassListAddItem", {"item": _TEXT, "name": _TEXT}, "item", "name"),
]

# name and aliases, domain, area and aliases, state, attributes
_HOME: list[tuple[str, str, str, str, dict[str, Any]]] = [
    ("Bedroom lamp, Schlafzimmerlampe", "light", "Bedroom, Schlafzimmer", "off", {}),
    ("Front door, Haustür", "lock", "Hallway, Flur", "locked", {}),
    ("Kitchen ceiling light, Küchenlicht", "light", "Kitchen, Küche", "on", {"brightness_pct": "80"}),
    ("Kitchen counter light, Thekenlicht", "light", "Kitchen, Küche", "on", {}),
    ("Living Room blinds, Wohnzimmerjalousien", "cover", "Living Room, Wohnzimmer", "open", {"device_class": "blind", "current_position": "100"}),
    ("Living Room lamp, Wohnzimmerlampe", "light", "Living Room, Wohnzimmer", "off", {}),
    ("Living Room thermostat, Wohnzimmerthermostat", "climate", "Living Room, Wohnzimmer", "heat", {"temperature": "20", "current_temperature": 19.5}),
    ("Outdoor temperature, Außentemperatur", "sensor", "Garden, Garten", "12.34", {"device_class": "temperature", "unit_of_measurement": "°C"}),
    ("Shopping list, Einkaufsliste", "todo", "", "2", {}),
    ("Desk lamp, Schreibtischlampe", "light", "Office, Büro", "off", {}),
]  # fmt: skip

_ABOUT_STATES = (
    "You ARE equipped to answer questions about the current state of\n"
    'the home. If the user asks about existence (e.g., "Do I have lights in the bedroom?"):\n'
    "Answer from the static context below.\n\n"
)
_CONTROL = (
    "When controlling Home Assistant always call the intent tools. Use {p}HassTurnOn to lock"
    " and {p}HassTurnOff to unlock a lock.\n"
)
_ASK_AREA = (
    "When a user asks to turn on all devices of a specific type, ask the user to specify an"
    " area, unless there is only one device of that type.\n"
    "This device is not able to start timers."
)


def context(kind: str, rows: Sequence[tuple[Any, ...]] = _HOME) -> str:
    """Return the static or the live context."""
    lines = [
        f"{kind} Context: An overview of the areas and the devices in this smart home:"
    ]
    for names, domain, areas, state, attributes in rows:
        lines += [f"- names: {names}", f"  domain: {domain}"]
        if kind == "Live":
            lines.append(f"  state: '{state}'")
        if areas:
            lines.append(f"  areas: {areas}")
        if kind == "Live" and attributes:
            lines.append("  attributes:")
            lines += [f"    {key}: '{value}'" for key, value in attributes.items()]
    return "\n".join(lines) + "\n"


def live(**arguments: Any) -> dict[str, str]:
    domain = arguments.get("domain")
    domains = [domain] if isinstance(domain, str) else domain
    rows = [
        row
        for row in _HOME
        if (not domains or row[1] in domains)
        and ("name" not in arguments or arguments["name"] in row[0].split(", "))
        and ("area" not in arguments or arguments["area"] in row[2].split(", "))
    ]
    return {"result": context("Live", rows)}


def api_prompt(prefix: str = "user:") -> str:
    parts = (_ABOUT_STATES, context("Static"), "\n", _CONTROL.format(p=prefix))
    return "".join((*parts, _ASK_AREA))


def wrapped(sentence: str, *, tools: Sequence[dict[str, Any]] = TOOLS) -> str:
    listing = "\n".join(
        json.dumps(
            {
                **item,
                "function": {**(it := item["function"]), "name": f"user:{it['name']}"},
            }
        )
        for item in tools
    )
    return (
        "[Project instructions: Call tools by printing JSON like this:\n"
        '```json\n{"name": "user:example_tool", "arguments": {"param": "value"}}\n```\n\n'
        f"{api_prompt()}\n\n{listing}]\n\n{sentence}"
    )


def call_turn(call: Call) -> dict[str, str]:
    body = json.dumps({"name": call.name, "arguments": call.arguments})
    return {"role": "assistant", "content": f"```json\n{body}\n```"}


def result_turn(call: Call, data: Any) -> dict[str, str]:
    body = json.dumps({"tool": call.name, "result": data})
    return {"role": "user", "content": f"```json\n{body}\n```"}


def user(text: str) -> dict[str, str]:
    return {"role": "user", "content": text}


def calls_for(sentence: str, **options: Any) -> list[tuple[str, dict[str, Any]]]:
    """Return the calls for a sentence, by the tools' names without prefix."""
    answer = brain().answer([user(wrapped(sentence, **options))])
    return [
        (item.name.removeprefix("user:"), item.arguments)
        for item in answer
        if isinstance(item, Call)
    ]


def done(call: Call) -> Any:
    name = call.name.removeprefix("user:")
    if name == "GetLiveContext":
        return live(**call.arguments)
    if name == "GetDateTime":
        return {"date": "2026-11-21", "time": "07:05:00", "weekday": "Saturday"}
    if name == "get_items":
        return {"items": [{"summary": "milk"}, {"summary": "bread"}]}
    return {
        "speech": {},
        "response_type": "action_done",
        "data": {
            "success": [{"name": "x", "type": "entity", "id": "light.x"}],
            "failed": [],
        },
    }


def conversation(*sentences: str, **options: Any) -> list[tuple[list[Call], str]]:
    """Hold a conversation with a home that does what it is told.

    Returns, for each sentence, the calls that were made and the reply.
    """
    past: list[dict[str, str]] = []
    told = []
    for sentence in sentences:
        turns = [*past, user(wrapped(sentence, **options))]
        past.append(user(sentence))
        made: list[Call] = []
        for _ in range(5):
            answer = brain().answer(turns)
            calls = [item for item in answer if isinstance(item, Call)]
            if not calls:
                break
            made += calls
            shown = [call_turn(call) for call in calls]
            shown += [result_turn(call, done(call)) for call in calls]
            turns += shown
            past += shown
        reply = " ".join(item.text for item in answer if isinstance(item, Say))
        past.append({"role": "assistant", "content": reply})
        told.append((made, reply))
    return told
