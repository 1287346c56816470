"""Several things at once, and steps."""

from typing import Final

from tests.redteam.stage import Call

from .row import do, refused

_GROUND = (
    "turn_off light.kitchen",
    "turn_off light.counter",
    "turn_off light.living_room",
    "turn_off light.hallway",
    "turn_off light.front_door",
    "turn_off light.garage",
)
_LIGHTS = (
    *_GROUND,
    "turn_off light.bedroom",
    "turn_off light.office",
    "turn_off light.garden",
)
_BUT_KITCHEN = [item for item in _LIGHTS if item[15:] not in ("kitchen", "counter")]

MANY: Final = [
    do(
        "en",
        "Turn off all the lights except in the kitchen",
        "set",
        {"action": "off", "kind": "light", "except": "Kitchen"},
        *_BUT_KITCHEN,
        requests=2,
    ),
    do(
        "de",
        "Mach alle Lichter aus, außer in der Küche",
        "set",
        {"action": "off", "kind": ["light"], "except": ["Küche"]},
        *_BUT_KITCHEN,
        requests=2,
    ),
    do(
        "en",
        "Lights off on the ground floor",
        "set",
        {"action": "off", "kind": "light", "floor": "Ground floor"},
        *_GROUND,
    ),
    do(
        "en",
        "Turn off all the lights in the kitchen",
        "set",
        {"action": "off", "kind": "light", "area": "Kitchen"},
        "turn_off light.kitchen",
        "turn_off light.counter",
    ),
    do(
        "en",
        "Turn off all the lights",
        [Call("HassTurnOff", area="Office", domain=["light"]), "All off.", "All off."],
        None,
        "turn_off light.office",
        says="Not all of it was done",
        requests=3,
    ),
    do(
        "en",
        "Turn off the bedroom lamp and the office light",
        "set",
        {"action": "off", "name": ["Bedroom lamp", "Office light"]},
        "turn_off light.bedroom",
        "turn_off light.office",
        requests=2,
    ),
    do(
        "en",
        "Make it a bit warmer in the living room",
        "set",
        {
            "action": "set",
            "area": "Living room",
            "setting": "temperature",
            "by": "warmer",
        },
        "set_temperature climate.living_room 21",
    ),
    do(
        "en",
        "Heating to 18 everywhere except the bedroom",
        "set",
        {"action": "set", "setting": "temperature", "to": 18, "except": "Bedroom"},
        "set_temperature climate.living_room 18",
        "set_temperature climate.office 18",
        requests=2,
    ),
    do(
        "en",
        "A bit louder in the kitchen",
        "set",
        {"action": "set", "area": "Kitchen", "setting": "volume", "by": "louder"},
        "set_volume_level media_player.radio 0.4",
    ),
    do(
        "en",
        "Set all ground floor lights to 40",
        "set",
        {
            "action": "set",
            "floor": "Ground floor",
            "kind": "light",
            "setting": "brightness",
            "to": "40",
        },
        *(f"turn_on {item[9:]} 40%" for item in _GROUND),
    ),
    do(
        "de",
        "Mach alle Jalousien auf",
        "set",
        {"action": "open", "kind": "blind"},
        "open_cover cover.bedroom_blinds",
        "open_cover cover.living_room_blinds",
    ),
    do(
        "en",
        "Turn off everything in the office",
        "set",
        {"action": "off", "area": "Office"},
        "turn_off light.office",
        "turn_off media_player.stereo",
    ),
    do(
        "fr",
        "Éteins tout dans le bureau sauf la stéréo",
        "set",
        {"action": "off", "area": "Bureau", "except": "Stereo"},
        "turn_off light.office",
        requests=2,
    ),
    do(
        "en",
        "Turn on the coffee machine and the radio",
        "set",
        {"action": "on", "name": ["Coffee machine", "Stereo"]},
        "turn_on switch.coffee",
        requests=3,
    ),
    refused(
        "en",
        "Turn off everything in the attic",
        "set",
        {"action": "off", "area": "Attic"},
        "Nothing was done",
    ),
]
