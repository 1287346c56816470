"""Conversations: questions of ours, choices, and what belongs to what was said before."""

from typing import Final

from tests.redteam.stage import Call

from .row import Row, answer, ask, do

THEIRS: Final = [
    do(
        "en",
        "Unlock the front door",
        "HassTurnOff",
        {"name": "Front door"},
        asks="unlock the front door",
    ),
    answer("en", "Yes please", "unlock lock.front_door"),
    do(
        "de",
        "Schließ die Haustür auf",
        "HassTurnOff",
        {"name": "Haustür"},
        asks="Haustür aufschließen",
    ),
    answer("de", "Nein, lass mal"),
    do("fr", "Ouvre la porte du garage", "HassTurnOn", {"name": "Garage door"}, asks="Garage door"),
    answer("fr", "Oui", "open_cover cover.garage_door"),
    do("nl", "Doe de ganglamp uit", "HassTurnOff", {"name": "Ganglamp"}, "turn_off light.hallway"),
    do("nl", "Maak dat ongedaan", "undo", {}, "turn_on light.hallway", goes_on=True),
]  # fmt: skip

_ALL_BUT_HALL = (
    *(
        f"turn_off light.{name}"
        for name in (
            "kitchen",
            "counter",
            "living_room",
            "garage",
            "bedroom",
            "office",
            "garden",
        )
    ),
    *(f"turn_off media_player.{name}" for name in ("tv", "radio", "stereo")),
)

# Everything is what somebody said: it is done at once. What else was said is Lumo's to say.
EVERYTHING: Final = [
    do(
        language,
        sentence,
        [Call("set", **{"action": "off", "except": but}), "Done."],  # type: ignore[arg-type]
        None,
        *_ALL_BUT_HALL,
        requests=2,
    )
    for language, sentence, but in (
        ("en", "Everything off except the hall", "Hallway"),
        ("de", "Alles aus außer im Flur", ["Flur"]),
        ("nl", "Alles uit behalve de gang", "gang"),
        ("fr", "Éteins tout sauf le couloir", "Couloir"),
        ("es", "Apaga todo menos el pasillo", "Pasillo"),
    )
]

# A name that fits several things.
CHOICES: Final = [
    do(
        "en",
        "Turn off the reading light",
        "set",
        {"action": "off", "name": "reading light"},
        asks="bedroom lamp or the living room lamp|living room lamp or the bedroom lamp",
    ),
    answer("en", "Both", "turn_off light.bedroom", "turn_off light.living_room"),
    do(
        "en",
        "Undo that",
        "undo",
        {},
        "turn_on light.bedroom",
        "turn_on light.living_room",
        goes_on=True,
    ),
    do("de", "Mach die Leselampe aus", "set", {"action": "off", "name": "Leselampe"}, asks="oder"),
    answer("de", "Die im Schlafzimmer", "turn_off light.bedroom"),
    do("en", "Turn off the reading light", "HassTurnOff", {"name": "Reading light"}, asks="or"),
    answer("en", "The second one", "turn_off light.living_room"),
]  # fmt: skip

# What is said back first.
SAID_BACK: Final = [
    do("en", "Clear the shopping list", "change_list", {"action": "clear_all", "list": "Shopping list"}, asks="3"),
    answer("en", "Yes", "remove_item todo.shopping Milk, Bread, Apples"),
    do("en", "Put swimming in the choir calendar tomorrow at five", "create_event", {"title": "Swimming", "start": "tomorrow 17:00", "calendar": "Choir calendar"}, asks="Swimming.*17:00"),
    answer("en", "Yes, please", "create_event calendar.choir Swimming +1 17:00"),
    do("de", "Trag morgen Zahnarzt in den Kalender Family ein", "create_event", {"title": "Zahnarzt", "start": "tomorrow", "calendar": "Family"}, asks="Zahnarzt"),
    answer("de", "Ja", "create_event calendar.family Zahnarzt +1"),
]  # fmt: skip

_COSY = [
    Call("set", area="Living room", kind="light", setting="brightness", to=20),
    Call("set", action="off", area="Kitchen", kind="light"),
    Call("set", action="off", name="Television"),
]
_IS_COSY = (
    "turn_on light.living_room 20%",
    "turn_off light.kitchen",
    "turn_off light.counter",
    "turn_off media_player.tv",
)

# Scenes on the spot.
SCENES: Final = [
    # Beyond the room that was said a person is asked.
    do(
        "en",
        "Make it cosy in the living room",
        [_COSY],
        None,
        "turn_on light.living_room 20%",
        "turn_off media_player.tv",
        asks="kitchen light",
    ),
    do("en", "Make it cosy", [_COSY], None, *_IS_COSY),
    do(
        "en",
        "Undo that",
        "undo",
        {},
        "turn_on light.living_room",
        "turn_on light.kitchen",
        "turn_on light.counter",
        "turn_on media_player.tv",
        "set_volume_level media_player.tv 0.3",
        "media_play media_player.tv",
        requests=2,
        goes_on=True,
    ),
    do(
        "nl",
        "Maak het gezellig",
        [[*_COSY, Call("set", action="off", kind="light", floor="Upstairs")]],
        None,
        *_IS_COSY,
        "turn_off light.bedroom",
        "turn_off light.office",
    ),
]

# What was done, and why.
WHY: Final = [
    do(
        "en",
        "Turn off the office light",
        "HassTurnOff",
        {"name": "Office light"},
        "turn_off light.office",
    ),
    ask(
        "en",
        "Why did you turn it off?",
        "why",
        {"name": "Office light"},
        "turn off:? Office light",
        goes_on=True,
    ),
    ask("nl", "Wat heb je gedaan?", "why", {}, "Lumo|today"),
]

TALKING: Final[list[Row]] = [*THEIRS, *EVERYTHING, *CHOICES, *SAID_BACK, *SCENES, *WHY]
