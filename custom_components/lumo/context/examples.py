"""Calls of this home for the model to go by, with the names of its first things."""

from typing import Any, Final, NamedTuple

from .home import Home

_OFF: Final = "intent__HassTurnOff"
_ON: Final = "intent__HassTurnOn"
_MANY: Final = "lumo__many"
_LIVE_CONTEXT: Final = "homeassistant__GetLiveContext"


class Example(NamedTuple):
    """What somebody may say, and the call for it by the tool's full name."""

    said: str
    tool: str
    arguments: dict[str, Any]


def examples_of(home: Home) -> list[Example]:
    """Return an example for each of what homes are mostly asked, reading first."""
    first = {thing.domain: thing for thing in reversed(home.things)}
    found = []
    if lock := first.get("lock"):
        said = f"Is the {lock.name} locked?"
        found.append(Example(said, _LIVE_CONTEXT, {"name": lock.name}))
    if sensor := first.get("sensor"):
        said = f"What is the {sensor.name}?"
        found.append(Example(said, _LIVE_CONTEXT, {"name": sensor.name}))
    if light := first.get("light"):
        said = f"Turn off the {light.name}"
        found.append(Example(said, _OFF, {"name": light.name}))
        if light.area:
            place = light.area.name
            said, arguments = f"{place} lights on", {"area": place, "domain": ["light"]}
            found.append(Example(said, _ON, arguments))
    if climate := first.get("climate"):
        arguments = {"action": "set", "name": climate.name}
        arguments |= {"setting": "temperature", "to": "21"}
        found.append(Example(f"{climate.name} to 21 degrees", _MANY, arguments))
    return found
