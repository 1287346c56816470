"""Three homes in five languages, and what their people say all day.

The first is a usual one; the second has twenty covers without a device class, as they
come from MQTT; the third has forty scripts and helpers made of templates. A row has the
call that a model would write and the sentence for it in each language; `{kitchen}` is
the name of a thing or a place in that language.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
import json
from typing import Any, Final

LANGUAGES: Final = ("en", "de", "fr", "nl", "es")
HOMES: Final = ("usual", "covers", "helpers")


def _table(text: str) -> dict[str, dict[str, str]]:
    """Return the words of each language by key, from lines of key | en | de | ..."""
    table: dict[str, dict[str, str]] = {}
    for line in text.strip().splitlines():
        key, *words = (part.strip() for part in line.split("|"))
        table[key] = dict(zip(LANGUAGES, words, strict=True))
    return table


AREAS: Final = _table("""
kitchen | Kitchen | Küche | Cuisine | Keuken | Cocina
living | Living room | Wohnzimmer | Salon | Woonkamer | Salón
bedroom | Bedroom | Schlafzimmer | Chambre | Slaapkamer | Dormitorio
office | Office | Büro | Bureau | Kantoor | Oficina
hall | Hallway | Flur | Couloir | Gang | Pasillo
""")
# Key: home, domain and device class, area, features.
THINGS: Final[Mapping[str, tuple[str, str, str, int]]] = {
    "kitchen_light": ("usual", "light", "kitchen", 0),
    "counter": ("usual", "light", "kitchen", 0),
    "living_lamp": ("usual", "light", "living", 0),
    "bed_lamp": ("usual", "light", "bedroom", 0),
    "desk_lamp": ("usual", "light", "office", 0),
    "coffee": ("usual", "switch", "kitchen", 0),
    "tv": ("usual", "media_player", "living", 0x1FFFFF),
    "radio": ("usual", "media_player", "kitchen", 0x1FFFFF),
    "fan": ("usual", "fan", "bedroom", 63),
    "heating": ("usual", "climate", "living", 1),
    "robot": ("usual", "vacuum", "hall", 16383),
    "shopping": ("usual", "todo", "", 127),
    "front_door": ("usual", "lock", "hall", 1),
    "window_blind": ("usual", "cover:blind", "living", 15),
    "garage": ("usual", "cover:garage", "hall", 15),
    **{
        f"shutter_{area}": ("covers", "cover", area, 15)
        for area in ("kitchen", "living", "bedroom", "office", "hall")
    },
    # Lamellas tell what they are.
    **{f"tilt_{number}": ("covers", "cover", "living", 255) for number in range(14)},
    "gate": ("covers", "cover", "hall", 15),
    "ceiling": ("covers", "light", "kitchen", 0),
    "lounge": ("covers", "light", "living", 0),
    "bulb": ("helpers", "light", "living", 0),
    "mood": ("helpers", "switch", "living", 0),
    "boiler": ("helpers", "switch", "kitchen", 0),
    "speaker": ("helpers", "media_player", "kitchen", 0x1FFFFF),
    "away": ("helpers", "input_boolean", "", 0),
}
NAMES: Final = _table("""
kitchen_light | Kitchen light | Küchenlicht | Lumière de la cuisine | Keukenlamp | Luz de la cocina
counter | Counter light | Arbeitsplatte | Plan de travail | Aanrecht | Encimera
living_lamp | Floor lamp | Stehlampe | Lampadaire | Vloerlamp | Lámpara de pie
bed_lamp | Bedside lamp | Nachttischlampe | Lampe de chevet | Bedlamp | Lámpara de noche
desk_lamp | Desk lamp | Schreibtischlampe | Lampe de bureau | Bureaulamp | Lámpara del escritorio
coffee | Coffee machine | Kaffeemaschine | Machine à café | Koffiezetapparaat | Cafetera
tv | Television | Fernseher | Télévision | Televisie | Televisor
radio | Radio | Radio | Radio | Radio | Radio
fan | Ceiling fan | Ventilator | Ventilateur | Ventilator | Ventilador
heating | Thermostat | Thermostat | Thermostat | Thermostaat | Termostato
robot | Robot vacuum | Staubsauger | Aspirateur | Stofzuiger | Aspiradora
shopping | Shopping list | Einkaufsliste | Liste de courses | Boodschappenlijst | Lista de la compra
front_door | Front door | Haustür | Porte d'entrée | Voordeur | Puerta principal
window_blind | Window blind | Jalousie | Store | Jaloezie | Persiana
garage | Garage door | Garagentor | Porte de garage | Garagedeur | Puerta del garaje
shutter_kitchen | Kitchen shutter | Rollladen Küche | Volet cuisine | Rolluik keuken | Persiana cocina
shutter_living | Living room shutter | Rollladen Wohnzimmer | Volet salon | Rolluik woonkamer | Persiana salón
shutter_bedroom | Bedroom curtain | Vorhang Schlafzimmer | Rideau chambre | Gordijn slaapkamer | Cortina dormitorio
shutter_office | Office blind | Jalousie Büro | Store bureau | Jaloezie kantoor | Persiana oficina
shutter_hall | Hallway awning | Markise Flur | Volet couloir | Rolluik gang | Toldo pasillo
gate | Drive gate | Hoftor | Portail | Poort | Portón
ceiling | Ceiling light | Deckenlampe | Plafonnier | Plafondlamp | Lámpara de techo
lounge | Sofa lamp | Sofalampe | Lampe du canapé | Banklamp | Lámpara del sofá
bulb | Bulb | Glühbirne | Ampoule | Gloeilamp | Bombilla
mood | Mood lighting | Stimmungslicht | Ambiance | Sfeerverlichting | Ambiente
boiler | Boiler | Boiler | Chaudière | Boiler | Caldera
speaker | Speaker | Lautsprecher | Enceinte | Luidspreker | Altavoz
away | Guest mode | Gästemodus | Mode invité | Gastmodus | Modo invitados
evening | Evening light | Abendlicht | Lumière du soir | Avondlicht | Luz de noche
airing | Airing | Lüftung | Aération | Ventilatie | Ventilación
movie | Movie night | Filmabend | Soirée cinéma | Filmavond | Noche de cine
dinner | Dinner | Abendessen | Dîner | Avondeten | Cena
night | Good night | Gute Nacht | Bonne nuit | Welterusten | Buenas noches
tell | Announcement | Durchsage | Annonce | Aankondiging | Aviso
cosy | Cosy | Gemütlich | Cocon | Gezellig | Acogedor
""")
NAMES.update(
    {
        f"tilt_{number}": dict.fromkeys(LANGUAGES, f"Lamella {number + 1}")
        for number in range(14)
    }
)
# Of the helpers' home: what a script of that name does.
SCRIPTS: Final[Mapping[str, Sequence[Mapping[str, Any]]]] = {
    "movie": [
        {"action": "light.turn_off", "target": {"area_id": "{{ 'living' }}"}},
        {
            "action": "media_player.volume_set",
            "target": {"entity_id": "all"},
            "data": {"volume_level": "{{ 0.3 }}"},
        },
    ],
    "dinner": [
        {
            "action": "light.turn_on",
            "target": {"entity_id": "{{ lamps }}"},
            "data": {"brightness_pct": "{{ 40 }}"},
        }
    ],
    "night": [
        {
            "action": "homeassistant.turn_off",
            "target": {"entity_id": ["light.bulb", "switch.mood"]},
        },
        {"action": "script.movie"},
    ],
    "tell": [{"action": "notify.notify", "data": {"message": "{{ text }}"}}],
    "cosy": [
        {
            "action": "fan.set_percentage",
            "target": {"entity_id": "{{ fans }}"},
            "data": {"percentage": "{{ 20 }}"},
        },
        {"delay": "00:00:01"},
        {"action": "light.turn_on", "target": {"entity_id": "light.bulb"}},
    ],
}


@dataclass(frozen=True, slots=True)
class Row:
    """What a model calls, and the sentence that means it, in each language."""

    home: str
    tool: str
    arguments: Mapping[str, Any]
    said: Mapping[str, str]

    def call(self, language: str) -> dict[str, Any]:
        names = {key: words[language] for key, words in (AREAS | NAMES).items()}
        return {
            key: value.format(**names) if isinstance(value, str) else value
            for key, value in self.arguments.items()
        }


def _rows(home: str, text: str) -> list[Row]:
    """Return rows of paragraphs: the tool, its arguments, and a line each language."""
    rows: list[Row] = []
    for paragraph in text.strip().split("\n\n"):
        call, *said = paragraph.splitlines()
        tool, _, arguments = call.partition(" ")
        words = dict(zip(LANGUAGES, said, strict=True))
        rows.append(Row(home, tool, json.loads(arguments), words))
    return rows


USUAL: Final = """
HassTurnOff {"name": "{kitchen_light}"}
Turn off the kitchen light
Mach das Küchenlicht aus
Éteins la lumière de la cuisine
Doe de keukenlamp uit
Apaga la luz de la cocina

HassTurnOn {"name": "{living_lamp}", "domain": ["light"]}
Switch on the floor lamp please
Schalte bitte die Stehlampe ein
Allume le lampadaire s'il te plaît
Zet de vloerlamp aan alsjeblieft
Enciende la lámpara de pie por favor

HassLightSet {"name": "{bed_lamp}", "brightness": 30}
Dim the bedside lamp to 30 percent
Dimme die Nachttischlampe auf 30 Prozent
Mets la lampe de chevet à 30 pour cent
Dim de bedlamp naar 30 procent
Baja la lámpara de noche al 30 por ciento

HassTurnOff {"area": "{kitchen}", "domain": ["light"]}
All lights in the kitchen off
Alle Lichter in der Küche aus
Éteins toutes les lumières de la cuisine
Alle lampen in de keuken uit
Apaga todas las luces de la cocina

HassTurnOn {"area": "{office}", "domain": ["light"]}
Lights on in the office
Licht im Büro an
Allume la lumière dans le bureau
Licht aan in het kantoor
Enciende la luz de la oficina

HassTurnOff {"domain": ["light"], "name": "all"}
Turn all the lights off
Mach alle Lampen aus
Éteins toutes les lampes
Doe alle lampen uit
Apaga todas las luces

HassTurnOn {"name": "{coffee}"}
Start the coffee machine
Schalte die Kaffeemaschine ein
Allume la machine à café
Zet het koffiezetapparaat aan
Enciende la cafetera

HassTurnOff {"name": "{tv}"}
Turn the television off
Mach den Fernseher aus
Éteins la télévision
Zet de televisie uit
Apaga el televisor

HassTurnOff {"name": "{tv}", "domain": ["media_player"]}
TV off
Den TV bitte aus
Coupe la télé
Tv uit
Apaga la tele

HassMediaPause {"name": "{radio}"}
Pause the music
Mach mal Pause mit der Musik
Mets la musique en pause
Pauzeer de muziek
Pausa la música

HassMediaNext {"name": "{radio}"}
Next song
Nächstes Lied
Chanson suivante
Volgend nummer
Siguiente canción

HassSetVolume {"name": "{radio}", "volume_level": 20}
Set the radio to 20 percent
Stell das Radio auf 20 Prozent
Mets la radio à 20 pour cent
Zet de radio op 20 procent
Pon la radio al 20 por ciento

HassSetVolumeRelative {"name": "{radio}", "volume_step": "up"}
Louder please
Bitte lauter
Plus fort
Harder graag
Más alto por favor

HassFanSetSpeed {"name": "{fan}", "percentage": 50}
Set the ceiling fan to half speed
Stell den Ventilator auf halbe Kraft
Mets le ventilateur à moitié
Zet de ventilator op halve snelheid
Pon el ventilador a media velocidad

HassTurnOff {"area": "{bedroom}", "domain": ["fan"]}
Fan off in the bedroom
Ventilator im Schlafzimmer aus
Coupe le ventilateur de la chambre
Ventilator in de slaapkamer uit
Apaga el ventilador del dormitorio

HassClimateSetTemperature {"name": "{heating}", "temperature": 21}
Set the thermostat to 21 degrees
Stell das Thermostat auf 21 Grad
Règle le thermostat sur 21 degrés
Zet de thermostaat op 21 graden
Pon el termostato a 21 grados

HassVacuumStart {"name": "{robot}"}
Start the vacuum
Starte den Staubsauger
Lance l'aspirateur
Start de stofzuiger
Pon en marcha la aspiradora

HassTurnOn {"name": "{window_blind}"}
Open the window blind
Mach die Jalousie auf
Ouvre le store
Open de jaloezie
Abre la persiana

HassSetPosition {"area": "{living}", "device_class": ["blind"], "position": 50}
Blinds in the living room halfway
Jalousien im Wohnzimmer halb herunter
Les stores du salon à moitié
Jaloezieën in de woonkamer half
Las persianas del salón a la mitad

HassTurnOn {"name": "{front_door}", "domain": ["lock"]}
Lock the front door
Schließ die Haustür ab
Verrouille la porte d'entrée
Doe de voordeur op slot
Cierra con llave la puerta principal

HassTurnOff {"name": "{garage}"}
Close the garage door
Mach das Garagentor zu
Ferme la porte de garage
Sluit de garagedeur
Cierra la puerta del garaje

HassListAddItem {"name": "{shopping}", "item": "Tofu"}
Put tofu on the shopping list
Setz Tofu auf die Einkaufsliste
Ajoute tofu à la liste de courses
Zet tofu op de boodschappenlijst
Añade tofu a la lista de la compra
"""
COVERS: Final = """
HassTurnOn {"name": "{shutter_kitchen}"}
Open the kitchen shutter
Öffne den Rollladen in der Küche
Ouvre le volet de la cuisine
Open het rolluik in de keuken
Abre la persiana de la cocina

HassTurnOff {"name": "{shutter_kitchen}"}
Close the shutter in the kitchen
Rollladen Küche zu
Ferme le volet dans la cuisine
Rolluik keuken dicht
Cierra la persiana en la cocina

HassSetPosition {"name": "{shutter_living}", "position": 30}
Living room shutter to 30 percent
Rollladen Wohnzimmer auf 30 Prozent
Volet du salon à 30 pour cent
Rolluik woonkamer op 30 procent
Persiana del salón al 30 por ciento

HassTurnOn {"name": "{shutter_bedroom}"}
Open the curtain in the bedroom
Öffne den Vorhang im Schlafzimmer
Ouvre le rideau de la chambre
Open het gordijn in de slaapkamer
Abre la cortina del dormitorio

HassTurnOn {"area": "{bedroom}", "domain": ["cover"]}
Curtains open in the bedroom
Vorhänge im Schlafzimmer auf
Ouvre les rideaux dans la chambre
Gordijnen open in de slaapkamer
Abre las cortinas en el dormitorio

HassTurnOn {"name": "{shutter_office}"}
Office blind up
Jalousie im Büro hoch
Remonte le store du bureau
Jaloezie in het kantoor omhoog
Sube la persiana de la oficina

HassStopMoving {"name": "{shutter_office}"}
Stop the office blind
Stopp die Jalousie im Büro
Arrête le store du bureau
Stop de jaloezie in het kantoor
Para la persiana de la oficina

HassTurnOn {"name": "{shutter_hall}"}
Open the awning in the hallway
Markise im Flur ausfahren
Ouvre le volet du couloir
Open het rolluik in de gang
Abre el toldo del pasillo

HassTurnOn {"name": "{tilt_3}"}
Open lamella 4
Öffne Lamella 4
Ouvre lamella 4
Open lamella 4
Abre lamella 4

HassSetPosition {"name": "{tilt_0}", "position": 80}
Set lamella 1 to 80 percent
Stell Lamella 1 auf 80 Prozent
Mets lamella 1 à 80 pour cent
Zet lamella 1 op 80 procent
Pon lamella 1 al 80 por ciento

HassTurnOn {"area": "{office}", "domain": ["cover"]}
Open all blinds in the office
Alle Jalousien im Büro öffnen
Ouvre tous les stores du bureau
Open alle jaloezieën in het kantoor
Abre todas las persianas de la oficina

HassTurnOff {"area": "{living}", "domain": ["cover"]}
Close everything at the windows of the living room, all blinds
Im Wohnzimmer alle Rollläden schließen
Ferme tous les volets du salon
Sluit alle rolluiken in de woonkamer
Cierra todas las persianas del salón

HassTurnOff {"name": "{gate}"}
Close the drive gate
Mach das Hoftor zu
Ferme le portail
Sluit de poort
Cierra el portón

HassTurnOff {"area": "{kitchen}"}
Everything off in the kitchen, the lights and the shutter
In der Küche alles aus, Lampen und Rollladen
Coupe tout dans la cuisine, les lampes et le volet
Alles uit in de keuken, lampen en rolluik
Apaga todo en la cocina, luces y persiana

HassTurnOff {"name": "{ceiling}"}
Turn the ceiling light off
Deckenlampe aus
Éteins le plafonnier
Plafondlamp uit
Apaga la lámpara de techo

HassLightSet {"area": "{living}", "brightness": 10}
Make the living room darker, only a little light
Im Wohnzimmer bitte dunkler
Moins de lumière dans le salon
Minder licht in de woonkamer
Menos luz en el salón
"""
HELPERS: Final = """
HassTurnOn {"name": "{evening}"}
Turn on the evening light
Mach das Abendlicht an
Allume la lumière du soir
Doe het avondlicht aan
Enciende la luz de noche

HassLightSet {"name": "{evening}", "brightness": 40}
Evening light to 40 percent
Abendlicht auf 40 Prozent
Lumière du soir à 40 pour cent
Avondlicht op 40 procent
Luz de noche al 40 por ciento

HassTurnOff {"name": "{evening}", "domain": ["light"]}
Evening light off
Abendlicht aus
Éteins la lumière du soir
Avondlicht uit
Apaga la luz de noche

HassTurnOn {"name": "{airing}", "domain": ["fan"]}
Turn on the airing
Schalte die Lüftung ein
Allume l'aération
Zet de ventilatie aan
Enciende la ventilación

HassFanSetSpeed {"name": "{airing}", "percentage": 30}
Airing to 30 percent
Lüftung auf 30 Prozent
Aération à 30 pour cent
Ventilatie op 30 procent
Ventilación al 30 por ciento

HassTurnOn {"name": "{mood}"}
Mood lighting on
Stimmungslicht an
Allume l'ambiance
Sfeerverlichting aan
Enciende el ambiente

HassTurnOff {"name": "{boiler}"}
Turn off the boiler
Schalte den Boiler aus
Éteins la chaudière
Zet de boiler uit
Apaga la caldera

HassTurnOn {"name": "{away}"}
Turn on guest mode
Schalte den Gästemodus ein
Active le mode invité
Zet de gastmodus aan
Activa el modo invitados

script__movie {}
Start movie night
Starte den Filmabend
Lance la soirée cinéma
Start filmavond
Pon la noche de cine

HassTurnOn {"name": "{movie}", "domain": ["script"]}
Run movie night
Führe Filmabend aus
Exécute soirée cinéma
Voer filmavond uit
Ejecuta noche de cine

script__dinner {}
It is time for dinner
Zeit für das Abendessen
C'est l'heure du dîner
Tijd voor het avondeten
Es hora de la cena

script__night {}
Good night
Gute Nacht
Bonne nuit
Welterusten
Buenas noches

script__tell {"text": "Tofu"}
Make an announcement: tofu
Mach eine Durchsage: Tofu
Fais une annonce : tofu
Doe een aankondiging: tofu
Haz un aviso: tofu

script__cosy {}
Make it cosy
Mach es gemütlich
Mets le mode cocon
Maak het gezellig
Ponlo acogedor

HassMediaPause {"name": "{speaker}"}
Pause the speaker
Pausiere den Lautsprecher
Mets l'enceinte en pause
Pauzeer de luidspreker
Pausa el altavoz

HassTurnOff {"area": "{living}", "domain": ["light"]}
Lights off in the living room
Licht im Wohnzimmer aus
Éteins les lumières du salon
Licht uit in de woonkamer
Apaga las luces del salón
"""
ROWS: Final = [
    *_rows("usual", USUAL),
    *_rows("covers", COVERS),
    *_rows("helpers", HELPERS),
]
