"""Commands: what a model writes for them, and what the house then does."""

from typing import Final

from tests.redteam.stage import Call

from .row import Row, do, refused
from .rows_many import MANY

# Home Assistant's own tools, as models write their calls.
THEIRS: Final = [
    do("en", "Turn on the hallway light", "HassTurnOn", {"name": "Hallway light"}, "turn_on light.hallway", says="hallway light"),
    do("en", "kitchen light off", "HassTurnOff", {"name": "Kitchen light "}, "turn_off light.kitchen", says="kitchen light"),
    do("de", "Licht im Flur an", "HassTurnOn", {"area": "Flur", "domain": "light"}, "turn_on light.hallway", "turn_on light.front_door"),
    do("nl", "Doe de ganglamp uit", "HassTurnOff", {"name": "ganglamp"}, "turn_off light.hallway", says="ganglamp"),
    do("fr", "Allume la lumière du couloir", "HassTurnOn", {"name": "Lumière du couloir"}, "turn_on light.hallway", says="couloir"),
    do("es", "Enciende la lámpara del salón", "HassTurnOn", {"name": "light.living_room"}, "turn_on light.living_room", says="salón"),
    do("en", "Dim the bedroom lamp to 30 percent", "HassLightSet", {"name": "Bedroom lamp", "brightness": "30"}, "turn_on light.bedroom 30%"),
    do("nl", "Zet de radio op 20 procent", "HassSetVolume", {"name": "Radio", "volume_level": 20}, "set_volume_level media_player.radio 0.2"),
    do("en", "Make it 22 degrees in the bedroom", "HassClimateSetTemperature", {"area": "Bedroom", "temperature": 22}, "set_temperature climate.bedroom 22"),
    do("en", "Pause the music in the kitchen", "HassMediaPause", {"area": "Kitchen"}, "media_pause media_player.radio"),
    do("en", "Put eggs on the shopping list", "HassListAddItem", {"name": "Shopping list", "item": "Eggs"}, "add_item todo.shopping Eggs"),
    do("en", "Turn the kitchen light off, the bedroom lamp is enough", [Call("HassTurnOff", name="Kitchen light"), "It is off."], None, "turn_off light.kitchen", says="^It is off.$", requests=2),
    do("nl", "Stop de robot", "HassVacuumReturnToBase", {"name": "Robot"}, "return_to_base vacuum.robot"),
    do("en", "Half close the living room blinds", "HassSetPosition", {"name": "Living room blinds", "position": 50}, "set_cover_position cover.living_room_blinds 50"),
    do("de", "Schließ die Haustür ab", "HassTurnOn", {"name": "Haustür"}, "lock lock.front_door"),
]  # fmt: skip

# Modes, options, numbers, and what else has no tool of Home Assistant's.
SETTING: Final = [
    do("en", "Put the office thermostat in eco mode", "set", {"name": "Office thermostat", "setting": "preset_mode", "to": "eco"}, "set_preset_mode climate.office eco"),
    do("en", "Set the washing program to wool", "set", {"name": "Washing program", "setting": "option", "to": "wool"}, "select_option select.washer Wool"),
    do("nl", "Zet het wasprogramma op wol", [Call("set", name="Wasprogramma", setting="option", to="Wol"), Call("set", name="Wasprogramma", setting="option", to="Wool")], None, "select_option select.washer Wool", requests=2),
    do("en", "Water for 25 minutes from now on", "set", {"name": "Watering time", "setting": "value", "to": "25"}, "set_value number.watering 25", requests=2),
    do("en", "Switch the stereo to HDMI 2", "set", {"name": "Stereo", "setting": "source", "to": "hdmi 2"}, "select_source media_player.stereo HDMI 2"),
    do("nl", "Zet het alarm op afwezig", "set", {"name": "House alarm", "setting": "arming", "to": "away"}, "alarm_arm_away alarm_control_panel.house"),
]  # fmt: skip

LISTS: Final = [
    do("en", "Change milk to oat milk", "change_list", {"action": "change", "items": "Milk", "rename": "Oat milk"}, "update_item todo.shopping Oat milk needs_action"),
    do("en", "Move the apples to the hardware list", "change_list", {"action": "move", "items": ["Apples"], "to_list": "Hardware store"}, "add_item todo.hardware Apples", "remove_item todo.shopping Apples"),
    do("fr", "Milk et Bread sont achetés", "change_list", {"action": "done", "items": ["Milk", "Bread "], "list": "Liste de courses"}, "update_item todo.shopping Milk completed", "update_item todo.shopping Bread completed", requests=2),
    refused("nl", "Haal de kaas van de lijst", "change_list", {"action": "done", "items": ["Cheese"]}, "heese"),
]  # fmt: skip

DOING: Final[list[Row]] = [*THEIRS, *SETTING, *LISTS, *MANY]
