"""Does the model call tools as it is asked to? A dozen sentences about a written home.

The home and its tools are described as the integration describes a person's, and calls
are found by its detector. What a call acts on is looked up here by the names, kinds and
areas that it gives. Only the first answer counts: nothing is run, nothing is answered.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from custom_components.lumo.lumo_client.messages import ChatRequest, UserMessage
from custom_components.lumo.tool_calling.detection.pieces import (
    BrokenCall,
    DetectedCall,
)
from custom_components.lumo.tool_calling.detection.reader import CallReader
from custom_components.lumo.tool_calling.naming import ToolNames
from custom_components.lumo.tool_calling.prompted import (
    ToolDefinition,
    build_instructions,
    inject,
)

# Name, kind, area.
_THINGS: Final = (
    ("Kitchen lamp", "light", "Kitchen"),
    ("Radio", "media_player", "Kitchen"),
    ("Floor lamp", "light", "Living room"),
    ("Ceiling light", "light", "Living room"),
    ("Living room blind", "cover", "Living room"),
    ("Hallway light", "light", "Hallway"),
    ("Front door", "lock", "Hallway"),
    ("Bedside lamp", "light", "Bedroom"),
    ("Bedroom thermostat", "climate", "Bedroom"),
    ("Desk lamp", "light", "Office"),
    ("Outdoor temperature", "sensor", ""),
    ("Shopping list", "todo", ""),
)
_HOME: Final = """\
You control a home. To lock a lock turn it on, to unlock it turn it off; to open a blind \
turn it on, to close it turn it off. When controlling a device, pass its name; when \
controlling an area, pass the area and the domain. For states and values call \
GetLiveContext.
Static Context: the devices of this home:
""" + "\n".join(
    f"- names: {name}\n  domain: {domain}" + (f"\n  areas: {area}" if area else "")
    for name, domain, area in _THINGS
)
_READS: Final = "GetLiveContext"


def _tool(tool: str, description: str, **more: str) -> ToolDefinition:
    kinds = dict.fromkeys(("name", "area", "domain"), "string") | more
    properties = {key: {"type": kind} for key, kind in kinds.items()}
    return ToolDefinition(
        name=tool,
        description=description,
        parameters={"type": "object", "properties": properties},
        read_only=tool == _READS,
    )


_TOOLS: Final = (
    _tool("HassTurnOn", "Turns on, opens or locks devices"),
    _tool("HassTurnOff", "Turns off, closes or unlocks devices"),
    _tool("HassLightSet", "Sets the brightness of lights", brightness="integer"),
    _tool("HassClimateSetTemperature", "Sets temperatures", temperature="number"),
    _tool("HassListAddItem", "Adds an item to the list of this name", item="string"),
    _tool(_READS, "Returns the states of devices"),
)
_NAMES: Final = ToolNames([tool.name for tool in _TOOLS], prefix="user:")

type Act = tuple[str, str, str]
"""A tool, the name of a thing, and a value, where there is one."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """What is said, and what must come of it: acts, a look at the home, or neither."""

    says: str
    """What holds if the model calls as it should."""
    text: str
    does: frozenset[Act] = frozenset()
    reads: bool = False

    @property
    def request(self) -> ChatRequest:
        """Return the sentence with the written home and its tools."""
        instructions = build_instructions(_TOOLS, _NAMES, _HOME)
        return ChatRequest(messages=(UserMessage(inject(instructions, self.text)),))

    def is_understood(self, answer: str) -> bool:
        """Return whether the calls in an answer are those that are meant."""
        detector = CallReader(_NAMES)
        pieces = [*detector.feed(answer), *detector.finish()]
        calls = [piece for piece in pieces if isinstance(piece, DetectedCall)]
        acts = {act for call in calls for act in _acts(call.tool, call.arguments)}
        reads = any(call.tool == _READS for call in calls)
        is_whole = not any(isinstance(piece, BrokenCall) for piece in pieces)
        return bool(answer.strip()) and is_whole and (
            acts == self.does and (bool(acts) or reads == self.reads)
        )  # fmt: skip


def _acts(tool: str | None, arguments: dict[str, Any]) -> Iterator[Act]:
    wanted = [arguments.get(key) for key in ("name", "domain", "area")]
    if tool is None or tool == _READS or not any(wanted):
        return
    values = [arguments.get(key) for key in ("brightness", "temperature", "item")]
    value = "".join(
        f"{value:g}" if isinstance(value, float) else str(value).casefold()
        for value in values
        if value is not None
    )
    for thing in _THINGS:
        if all(map(_fits, thing, wanted)):
            yield tool, thing[0], value


def _fits(own: str, wanted: Any) -> bool:
    names = wanted if isinstance(wanted, list) else [wanted]
    return not wanted or own.casefold() in (str(name).casefold() for name in names)


def _off(*names: str) -> frozenset[Act]:
    return frozenset(("HassTurnOff", name, "") for name in names)


def _on(*names: str) -> frozenset[Act]:
    return frozenset(("HassTurnOn", name, "") for name in names)


SENTENCES: Final = (
    Sentence("A lamp is turned off", "Turn off the kitchen lamp.", _off("Kitchen lamp")),
    Sentence("A door is unlocked", "Unlock the front door.", _off("Front door")),
    Sentence(
        "A value is looked at", "What is the outdoor temperature?", reads=True
    ),
    Sentence("Nothing is called for the world", "How many legs does a spider have?"),
    Sentence(
        "Two steps are two calls", "Close the living room blind and turn on the floor lamp.",
        _off("Living room blind") | _on("Floor lamp"),
    ),
    Sentence(
        "A temperature is set", "Set the bedroom thermostat to 21 degrees.",
        frozenset({("HassClimateSetTemperature", "Bedroom thermostat", "21")}),
    ),
    Sentence(
        "A room is turned on", "Turn on the lights in the living room.",
        _on("Floor lamp", "Ceiling light"),
    ),
    Sentence("A title is looked at", "What is playing on the radio?", reads=True),
    Sentence(
        "Two rooms are turned off", "Turn off the lights in the kitchen and the office.",
        _off("Kitchen lamp", "Desk lamp"),
    ),
    Sentence(
        "A brightness is set", "Set the bedside lamp to 30 percent brightness.",
        frozenset({("HassLightSet", "Bedside lamp", "30")}),
    ),
    Sentence("Nothing is called for small talk", "How are you today?"),
    Sentence(
        "An item is added", "Put milk on the shopping list.",
        frozenset({("HassListAddItem", "Shopping list", "milk")}),
    ),
)  # fmt: skip
