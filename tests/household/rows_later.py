"""What is to be done later: what a model writes for it, and what it is told."""

from typing import Any, Final

from tests.redteam.stage import Call

from .row import Row, ask

_OFF: Final[dict[str, Any]] = {
    "tool": "user:HassTurnOff",
    "arguments": {"name": "Kitchen light"},
}
_ON: Final = {"tool": "user:HassTurnOn", "arguments": {"name": "Hallway light"}}
_RAIN: Final = {"entity": "Home weather", "becomes": "rainy, pouring"}
_WINDOW: Final = {"entity": "Bedroom window", "becomes": "open"}
_WARM: Final = {"entity": "Outdoor temperature", "becomes": "above 20"}


def plan(language: str, sentence: str, *parts: dict[str, Any], tells: str = "") -> Row:
    """Return a row whose plan is on disk when the model is told of it."""
    arguments = {key: value for part in parts for key, value in part.items()}
    return ask(language, sentence, "later", arguments, tells or '"planned"')


def go_on(language: str, sentence: str, arguments: dict[str, Any], tells: str) -> Row:
    """Return a row about what was planned in the row before it."""
    return ask(language, sentence, "later", arguments, tells, goes_on=True)


LATER: Final[list[Row]] = [
    plan("en", "Turn off the kitchen light in ten minutes", _OFF, {"at": "in 10 minutes"}, tells="Kitchen light.*today|tomorrow"),
    go_on("en", "What is planned?", {}, "Kitchen light"),
    # What the same answer plans is not the last one.
    Row("Make that twenty minutes", "en", [[Call("later", **_OFF, at="in 20 minutes"), Call("later", cancel="last")], "There you are."],
        tells=r'"planned": {"id": "(\d+)".*"cancelled": \[{"id": "(?!\1")', requests=2, goes_on=True),
    go_on("en", "Cancel that", {"cancel": "last"}, '"cancelled"'),
    plan("en", "Turn on the hallway light in an hour", _ON, {"at": "in 1 hour"}),
    go_on("en", "Cancel the lights", {"cancel": "all"}, '"cancelled"'),
    plan("en", "Remind me of the tea in an hour", {"say": "Tea"}, {"at": "in 1 hour"}),
    go_on("en", "Turn on the hallway light in an hour", {**_ON, "at": "in 1 hour"}, '"planned"'),
    go_on("en", "Cancel all reminders", {"cancel": "all reminders"}, r'"cancelled": \[{"id": "\d+", "reminder": "Tea", [^{]*$'),
    go_on("en", "Never mind", {"cancel": "last"}, '"cancelled"'),
    plan("en", "If it rains, tell me", {"say": "It rains."}, _RAIN, tells="Home weather: rainy"),
    plan("en", "Tell me when it is warmer than 20 degrees outside", {"say": "It is warm."}, _WARM),
    plan("de", "Mach das Küchenlicht um sieben aus", _OFF, {"at": "tomorrow 07:00"}, tells="tomorrow"),
    go_on("de", "Was ist geplant?", {}, "Kitchen light"),
    go_on("de", "Brich das ab", {"cancel": "last"}, '"cancelled"'),
    plan("de", "Sobald das Schlafzimmerfenster auf ist, mach das Flurlicht an", _ON, _WINDOW, tells="Bedroom window: Geöffnet"),
    plan("fr", "Éteins la lumière de la cuisine dans dix minutes", _OFF, {"at": "in 10 minutes"}),
    go_on("fr", "Qu'est-ce qui est prévu ?", {}, "Kitchen light"),
    go_on("fr", "Annule ça", {"cancel": "last"}, '"cancelled"'),
    plan("fr", "Rappelle-moi le gâteau dans une demi-heure", {"say": "Le gâteau."}, {"at": "in 30 minutes"}, tells="gâteau"),
    plan("nl", "Doe over tien minuten het licht in de keuken uit", _OFF, {"at": "in 10 minutes"}),
    go_on("nl", "Wat is er gepland?", {}, "Kitchen light"),
    go_on("nl", "Annuleer dat", {"cancel": "last"}, '"cancelled"'),
    plan("es", "Enciende la luz del pasillo al atardecer", _ON, {"at": "sunset"}),
    go_on("es", "¿Qué hay planeado?", {}, "Hallway light"),
    go_on("es", "Cancela eso", {"cancel": "last"}, '"cancelled"'),
]  # fmt: skip
