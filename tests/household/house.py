"""The red team's house with what people ask for beside lamps and doors.

Weather, lists that can be moved about, a calendar that takes events, things with modes
and options, and sensors that have a past.
"""

from datetime import timedelta
from typing import Final

from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.const import Platform
from homeassistant.core import HomeAssistant
from homeassistant.helpers import area_registry as ar, entity_registry as er
from homeassistant.util import dt as dt_util

from tests.redteam.entities import Recorded, Switch
from tests.redteam.house import House

from .things import (
    Agenda,
    Choice,
    Comfort,
    Dial,
    DimLight,
    Humidifier,
    Items,
    Robot,
    Siren,
    Stereo,
    Weather,
)

ALIASES: Final = {
    "light.kitchen": ("Küchenlicht", "Keukenlamp", "Luz de la cocina"),
    "light.bedroom": ("Reading light", "Leselampe"),
    "light.living_room": (
        "Reading light",
        "Leselampe",
        "Wohnzimmerlampe",
        "Lampe du salon",
        "Lámpara del salón",
    ),
    "light.hallway": ("Flurlicht", "Ganglamp", "Lumière du couloir"),
    "lock.front_door": ("Haustür", "Voordeur", "Porte d'entrée", "Puerta principal"),
    "todo.shopping": ("Einkaufsliste", "Boodschappenlijst", "Liste de courses"),
    "media_player.radio": ("Küchenradio",),
    "cover.living_room_blinds": ("Wohnzimmerjalousie",),
    "select.washer": ("Waschprogramm", "Wasprogramma"),
}
AREA_ALIASES: Final = {
    "kitchen": ("Küche", "Cuisine", "Keuken", "Cocina"),
    "living_room": ("Wohnzimmer", "Salon", "Woonkamer", "Salón"),
    "hallway": ("Flur", "Couloir", "Gang", "Pasillo"),
    "bedroom": ("Schlafzimmer", "Chambre", "Slaapkamer", "Dormitorio"),
    "office": ("Büro", "Bureau", "Despacho"),
    "garden": ("Garten", "Jardin", "Tuin", "Jardín"),
}


class Household(House):
    def __init__(self, hass: HomeAssistant) -> None:
        super().__init__(hass)
        lights = self._things[Platform.LIGHT]
        lights[:] = [
            (DimLight(old.object_id, str(old.name)), area) for old, area in lights[:-1]
        ]
        more: dict[Platform, list[tuple[Recorded, str | None]]] = {
            Platform.WEATHER: [(Weather("home", "Home weather"), None)],
            Platform.SELECT: [
                (
                    Choice(
                        "washer",
                        "Washing program",
                        options=["Cotton", "Wool", "Eco"],
                        current_option="Cotton",
                    ),
                    "cellar",
                )
            ],
            Platform.NUMBER: [
                (
                    Dial(
                        "watering",
                        "Watering time",
                        native_value=10.0,
                        native_min_value=0,
                        native_max_value=60,
                        native_unit_of_measurement="min",
                    ),
                    "garden",
                )
            ],
            Platform.CLIMATE: [(Comfort("office", "Office thermostat"), "office")],
            Platform.HUMIDIFIER: [(Humidifier("air", "Humidifier"), "bedroom")],
            Platform.VACUUM: [(Robot("robot", "Robot"), "living_room")],
            Platform.SIREN: [(Siren("roof", "Siren"), "garden")],
            Platform.MEDIA_PLAYER: [(Stereo("stereo", "Stereo"), "office")],
            Platform.TODO: [
                (Items("shopping", "Shopping list"), None),
                (Items("hardware", "Hardware store"), None),
            ],
            Platform.CALENDAR: [
                (Agenda("family", "Family", "Dentist", 3), None),
                (Agenda("choir", "Choir calendar", "Choir", 1), None),
            ],
            Platform.SWITCH: [(Switch("freezer", "Freezer"), "cellar")],
        }
        for platform, things in more.items():
            names = {entity.object_id for entity, _ in things}
            old = self._things.get(platform, [])
            kept = [item for item in old if item[0].object_id not in names]
            self._things[platform] = kept + things

    async def async_build(self) -> None:
        """Set everything up, with what people call it in their languages."""
        await super().async_build()
        entities, areas = er.async_get(self.hass), ar.async_get(self.hass)
        for entity_id, names in ALIASES.items():
            entities.async_update_entity(entity_id, aliases=[er.COMPUTED_NAME, *names])
        for area_id, names in AREA_ALIASES.items():
            areas.async_update(area_id, aliases=set(names))
        self.entity("todo.shopping").put("Milk", "Bread", "Apples")
        self.entity("todo.hardware").put("Screws")
        for entity_id in ("todo.shopping", "todo.hardware"):
            self.entity(entity_id).keep()
        self._make_sensors()

    def _make_sensors(self) -> None:
        midnight = dt_util.start_of_local_day() - timedelta(days=1)
        registry, config = er.async_get(self.hass), None
        for entity_id, (name, area, attributes, past) in PAST.items():
            domain, _, object_id = entity_id.partition(".")
            registry.async_get_or_create(
                domain,
                "past",
                object_id,
                suggested_object_id=object_id,
                original_name=name,
                config_entry=config,
            )
            registry.async_update_entity(entity_id, area_id=area)
            for hour, state in past:
                when = (midnight + timedelta(hours=hour)).timestamp()
                told = {"friendly_name": name, **attributes}
                if when < dt_util.utcnow().timestamp():
                    self.hass.states.async_set(entity_id, state, told, timestamp=when)
            async_expose_entity(self.hass, "conversation", entity_id, True)


# Name, area, attributes; the state at hours since yesterday at midnight.
PAST: Final[
    dict[str, tuple[str, str, dict[str, str], tuple[tuple[float, str], ...]]]
] = {
    "binary_sensor.front_door": (
        "Front door contact",
        "hallway",
        {"device_class": "door"},
        ((0, "off"), (8, "on"), (8.25, "off"), (17, "on"), (17.5, "off")),
    ),
    "binary_sensor.window": (
        "Bedroom window",
        "bedroom",
        {"device_class": "window"},
        ((0, "off"), (7, "on"), (9, "off"), (20, "on"), (20.5, "off")),
    ),
    "sensor.outside": (
        "Outdoor temperature",
        "garden",
        {"device_class": "temperature", "unit_of_measurement": "°C", "state_class": "measurement"},
        ((0, "2"), (12, "14"), (18, "6"), (24, "4")),
    ),
}  # fmt: skip
