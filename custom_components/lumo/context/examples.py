"""Calls of this home for the model to go by, with the names of its first things."""

from typing import Any, Final, NamedTuple

from .home import Home

_OFF: Final = "intent__HassTurnOff"
_ON: Final = "intent__HassTurnOn"
_PAUSE: Final = "media_player__HassMediaPause"
_SET: Final = "lumo__set"
_ITEMS: Final = "todo__get_items"
_LIVE_CONTEXT: Final = "homeassistant__GetLiveContext"


class Example(NamedTuple):
    """What somebody may say, and the call for it by the tool's full name."""

    said: str
    tool: str
    arguments: dict[str, Any]


def examples_of(home: Home) -> list[Example]:
    """Return an example for each of what homes are mostly asked.

    The first is the likeliest to be copied: it turns a lamp on.
    """
    first = {thing.domain: thing for thing in reversed(home.things)}
    found = []
    if light := first.get("light"):
        said = f"Turn on the {light.name}"
        found.append(Example(said, _ON, {"name": light.name}))
        if light.area:
            place = light.area.name
            said, arguments = (
                f"{place} lights off",
                {"area": place, "domain": ["light"]},
            )
            found.append(Example(said, _OFF, arguments))
    if player := first.get("media_player"):
        found.append(Example(f"Pause {player.name}", _PAUSE, {"name": player.name}))
    if climate := first.get("climate"):
        arguments = {"name": climate.name, "setting": "temperature", "to": "21"}
        found.append(Example(f"{climate.name} to 21 degrees", _SET, arguments))
        if climate.area:
            said = f"How warm is it in the {climate.area.name}?"
            found.append(Example(said, _LIVE_CONTEXT, {"area": climate.area.name}))
    if lock := first.get("lock"):
        said = f"Is the {lock.name} locked?"
        found.append(Example(said, _LIVE_CONTEXT, {"name": lock.name}))
    if todo := first.get("todo"):
        said = f"What is on the {todo.name}?"
        found.append(Example(said, _ITEMS, {"todo_list": todo.name}))
    return found
