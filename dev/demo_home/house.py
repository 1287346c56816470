"""The house: its floors, its areas and everything in them, as they are at the start.

One table holds what is where and what it is called, in English and (as aliases) in
German. In a German house the first alias is the name.
"""

from dataclasses import dataclass, field
from typing import Any

from homeassistant.components.binary_sensor import BinarySensorDeviceClass
from homeassistant.components.cover import CoverDeviceClass, CoverEntityFeature
from homeassistant.components.light import ColorMode
from homeassistant.components.media_player import (
    MediaPlayerDeviceClass,
    MediaPlayerState,
)
from homeassistant.components.sensor import SensorDeviceClass
from homeassistant.const import Platform
from homeassistant.util import slugify


@dataclass(frozen=True, slots=True)
class Floor:
    """A floor of the house."""

    name: str
    aliases: tuple[str, ...]
    level: int


@dataclass(frozen=True, slots=True)
class Area:
    """An area of the house, on a floor or outside."""

    name: str
    aliases: tuple[str, ...]
    floor: str | None


@dataclass(frozen=True, slots=True)
class Thing:
    """An entity: what it is, where it is, what it is called and how it starts."""

    domain: str
    name: str
    area: str | None
    aliases: tuple[str, ...]
    start: dict[str, Any] = field(default_factory=dict)
    """What its class in `entities.py` takes."""
    past: tuple[tuple[float, str], ...] = ()
    """Its states so many hours before the start."""
    german: dict[str, Any] = field(default_factory=dict)
    """How it starts in a German house."""

    @property
    def object_id(self) -> str:
        """Return the part of the entity id that comes from the name."""
        return slugify(self.name)


_COLOUR = {
    "supported_color_modes": {ColorMode.COLOR_TEMP, ColorMode.HS},
    "color_mode": ColorMode.COLOR_TEMP, "color_temp_kelvin": 3000,
}  # fmt: skip
_BLIND = {
    "device_class": CoverDeviceClass.BLIND,
    "supported_features": CoverEntityFeature.OPEN | CoverEntityFeature.CLOSE
    | CoverEntityFeature.STOP | CoverEntityFeature.SET_POSITION,
}  # fmt: skip


def _measured(kind: SensorDeviceClass, unit: str, value: float) -> dict[str, Any]:
    return {
        "device_class": kind,
        "native_unit_of_measurement": unit,
        "native_value": value,
    }


GROUND_FLOOR = "Ground Floor"
UPSTAIRS = "Upstairs"

FLOORS = (
    Floor(GROUND_FLOOR, ("Erdgeschoss", "Downstairs"), 0),
    Floor(UPSTAIRS, ("Obergeschoss", "First Floor"), 1),
)

AREAS = (
    Area("Kitchen", ("Küche",), GROUND_FLOOR), Area("Living Room", ("Wohnzimmer",), GROUND_FLOOR),
    Area("Hallway", ("Flur",), GROUND_FLOOR), Area("Garage", (), GROUND_FLOOR),
    Area("Bedroom", ("Schlafzimmer",), UPSTAIRS), Area("Bathroom", ("Bad", "Badezimmer"), UPSTAIRS),
    Area("Office", ("Büro", "Arbeitszimmer"), UPSTAIRS), Area("Garden", ("Garten",), None),
)  # fmt: skip

THINGS = (
    Thing(Platform.LIGHT, "Kitchen ceiling light", "Kitchen", ("Küchenlicht", "Deckenlicht in der Küche"), {"is_on": True}),
    Thing(Platform.LIGHT, "Kitchen counter light", "Kitchen", ("Arbeitsplattenlicht",), {"is_on": True}),
    Thing(Platform.LIGHT, "Living room lamp", "Living Room", ("Wohnzimmerlampe",), _COLOUR),
    Thing(Platform.LIGHT, "Bedroom lamp", "Bedroom", ("Schlafzimmerlampe",), _COLOUR),
    Thing(Platform.LIGHT, "Hallway light", "Hallway", ("Flurlicht",), {"is_on": True}, ((50, "off"), (30, "on"), (27.5, "off"), (4, "on"))),
    Thing(Platform.LIGHT, "Office light", "Office", ("Bürolicht",), {"is_on": True}),
    Thing(Platform.LIGHT, "Garden lights", "Garden", ("Gartenlichter",)),
    Thing(Platform.SWITCH, "Coffee machine", "Kitchen", ("Kaffeemaschine",)),
    Thing(Platform.SWITCH, "Washing machine", "Bathroom", ("Waschmaschine",), past=((50, "off"), (5, "on"), (3.5, "off"))),
    Thing(Platform.SWITCH, "Garden sprinkler", "Garden", ("Rasensprenger",)),
    Thing(Platform.COVER, "Living room blinds", "Living Room", ("Wohnzimmerjalousie", "Jalousie im Wohnzimmer"), {**_BLIND, "is_closed": False, "current_cover_position": 100}),
    Thing(Platform.COVER, "Bedroom blinds", "Bedroom", ("Schlafzimmerjalousie", "Jalousie im Schlafzimmer"), {**_BLIND, "current_cover_position": 0}),
    Thing(Platform.COVER, "Garage door", "Garage", ("Garagentor",), {"device_class": CoverDeviceClass.GARAGE}, ((50, "closed"), (20, "open"), (19.5, "closed"))),
    Thing(Platform.CLIMATE, "Living room thermostat", "Living Room", ("Wohnzimmerthermostat", "Heizung im Wohnzimmer"), {"target_temperature": 19.0, "current_temperature": 20.5}),
    Thing(Platform.CLIMATE, "Bedroom thermostat", "Bedroom", ("Schlafzimmerthermostat", "Heizung im Schlafzimmer"), {"target_temperature": 17.0, "current_temperature": 18.0}),
    Thing(Platform.MEDIA_PLAYER, "Living room TV", "Living Room", ("Fernseher",), {"device_class": MediaPlayerDeviceClass.TV, "state": MediaPlayerState.OFF, "volume_level": 0.4}),
    Thing(Platform.MEDIA_PLAYER, "Kitchen radio", "Kitchen", ("Küchenradio", "Radio"), {"device_class": MediaPlayerDeviceClass.SPEAKER, "state": MediaPlayerState.PLAYING, "volume_level": 0.3}),
    Thing(Platform.LOCK, "Front door", "Hallway", ("Haustür",)),
    Thing(Platform.LOCK, "Back door", "Kitchen", ("Hintertür",)),
    Thing(Platform.VACUUM, "Robot vacuum", "Living Room", ("Staubsauger",)),
    Thing(Platform.FAN, "Ceiling fan", "Bedroom", ("Deckenventilator",)),
    Thing(Platform.SENSOR, "Outdoor temperature", "Garden", ("Außentemperatur",), _measured(SensorDeviceClass.TEMPERATURE, "°C", 8.5), ((50, "6"), (38, "12.5"), (30, "5"), (26, "3.5"), (12, "9"), (2, "8.5"))),
    Thing(Platform.SENSOR, "Living room temperature", "Living Room", ("Wohnzimmertemperatur",), _measured(SensorDeviceClass.TEMPERATURE, "°C", 20.5)),
    Thing(Platform.SENSOR, "Bathroom humidity", "Bathroom", ("Luftfeuchtigkeit im Bad",), _measured(SensorDeviceClass.HUMIDITY, "%", 58)),
    Thing(Platform.SENSOR, "Smoke detector battery", "Hallway", ("Batterie des Rauchmelders",), _measured(SensorDeviceClass.BATTERY, "%", 76)),
    Thing(Platform.BINARY_SENSOR, "Bedroom window", "Bedroom", ("Schlafzimmerfenster",), {"device_class": BinarySensorDeviceClass.WINDOW, "is_on": False}, ((50, "off"), (34, "on"), (33, "off"), (6, "on"), (5.5, "off"))),
    Thing(Platform.BINARY_SENSOR, "Front door contact", "Hallway", ("Haustürkontakt",), {"device_class": BinarySensorDeviceClass.DOOR, "is_on": False}, ((50, "off"), (29, "on"), (28.9, "off"), (3, "on"), (2.9, "off"))),
    Thing(
        Platform.WEATHER,
        "Weather",
        None,
        ("Wetter",),
        # From today on: what it is like, the lowest and the highest temperature.
        # A whole week of it, so that each day has a weekend ahead.
        {"days": (("cloudy", 4, 9), ("rainy", 6, 11), *[("sunny", 3, 12)] * 6)},
    ),
    Thing(Platform.CAMERA, "Front door camera", None, ("Haustürkamera",), {"coat": "#e0c020"}),
    Thing(Platform.SELECT, "Washing program", "Bathroom", ("Waschprogramm",), {"options": ["Cotton", "Wool", "Eco"], "current_option": "Cotton"}, german={"options": ["Baumwolle", "Wolle", "Eco"], "current_option": "Baumwolle"}),
    Thing(Platform.NUMBER, "Watering time", "Garden", ("Bewässerungszeit",), {"native_value": 10, "native_max_value": 60, "native_unit_of_measurement": "min"}),
    Thing("assist_satellite", "Emma's satellite", "Bedroom", ("Emmas Satellit",)),
    Thing(Platform.TODO, "Shopping list", None, ("Einkaufsliste",), {"items": ("Milk", "Apples")}, german={"items": ("Milch", "Äpfel")}),
    Thing(
        Platform.CALENDAR,
        "Family",
        None,
        ("Familie", "Familienkalender"),
        # Days from today, first hour (None: the whole day), hours, title. Nothing is
        # today, so that the calendar is off at whatever hour the house is made.
        {
            "events": (
                (1, 10, 1, "Dentist"),
                (1, 17, 2, "Football training"),
                (3, None, 0, "School trip"),
            )
        },
        german={"events": ((1, 10, 1, "Zahnarzt"), (1, 17, 2, "Fußballtraining"), (3, None, 0, "Klassenfahrt"))},
    ),
)  # fmt: skip

# What configuration files define; here only to be given aliases and be exposed.
SCRIPTS = (
    ("good_night", ("Good night", "Gute Nacht")),
    ("movie_time", ("Movie time", "Filmabend")),
    ("water_garden", ("Water the garden", "Garten bewässern", "Bewässere den Garten")),
)  # fmt: skip
PEOPLE = ("emma", "ben")
"""Emma is at home, Ben is not, and has no phone."""
SCENES = (("relax", ("Relax", "Entspannen")),)
