"""What a person knows about words: a table per language, and rooms in all of them."""

from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
import re
from typing import Final

LANGUAGES: Final = ("en", "de", "fr", "nl", "es")


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """The words of one language.

    Regular expressions are applied to folded text (`text.fold`): lower case, no
    accents, no punctuation.
    """

    code: str
    hints: frozenset[str]
    """Words that are frequent in this language and rare in the others."""
    filler: str
    """Politeness and padding, removed before a sentence is understood."""
    joiners: str
    """Words between two commands; applied to the sentence as it was written."""
    question: str
    """How a question begins."""
    actions: tuple[tuple[str, str], ...]
    """Pattern and action, the more special first."""
    pronouns: str
    here: str
    domains: dict[str, tuple[str, str | None]]
    """Word for a kind of device -> domain and device class."""
    properties: dict[str, tuple[str, str]]
    """Word for what is measured or detected -> domain and device class."""
    states: dict[str, str]
    """Word for a state that is asked for -> the state."""
    colors: dict[str, str]
    smalltalk: tuple[tuple[str, str], ...]
    levels: dict[str, int]
    """Words for a percentage."""
    condition: str
    """Pattern with the groups `condition` and `command`, on the text as written."""
    state_words: dict[str, str]
    """State, or `device class:state` -> how it is said."""
    domain_words: dict[str, str]
    """Domain -> its plural with the article, as a reply says it."""
    replies: dict[str, str]
    stop_words: frozenset[str] = field(default=frozenset())
    """Words that say nothing about which device is meant."""


def word_set(text: str) -> frozenset[str]:
    """Return the words of a text."""
    return frozenset(text.split())


@cache
def words_for(language: str) -> Words:
    """Return the table of a language, English for one that has none."""
    code = language if language in LANGUAGES else "en"
    words = import_module(f".words_{code}", __package__).WORDS
    assert isinstance(words, Words)
    return words


# Rooms, floors and things in English, German, French, Dutch and Spanish. The first word of
# each cell is the usual one. People name a room in their own language even where the
# home is labelled in another.
_ROOMS: Final = """
kitchen | küche | cuisine | keuken | cocina
living room, lounge | wohnzimmer, stube | salon, séjour | woonkamer | salón, sala
bedroom | schlafzimmer | chambre | slaapkamer | dormitorio, habitación
bathroom, bath | bad, badezimmer | salle de bain, salle de bains | badkamer | baño
hallway, hall, corridor | flur, diele, gang | couloir | hal, gang | pasillo
garage | garage | garage | garage | garaje
garden, yard, backyard | garten | jardin | tuin | jardín
office, study | büro, arbeitszimmer | bureau | kantoor | oficina, despacho
dining room | esszimmer | salle à manger | eetkamer | comedor
nursery, kids room | kinderzimmer | chambre des enfants | kinderkamer | habitación de los niños
guest room | gästezimmer | chambre d'amis | logeerkamer | habitación de invitados
entrance, entryway | eingang | entrée | entree | entrada
terrace, patio | terrasse | terrasse | terras | terraza
balcony | balkon | balcon | balkon | balcón
driveway | auffahrt, einfahrt | allée | oprit | entrada de coches
laundry room | waschküche | buanderie | wasruimte | lavandería
"""
_FLOORS: Final = """
ground floor, downstairs | erdgeschoss, parterre | rez-de-chaussée | begane grond | planta baja
first floor | erster stock, ersten stock, erste etage | premier étage | eerste verdieping | primera planta, primer piso
second floor | zweiter stock, zweiten stock | deuxième étage | tweede verdieping | segunda planta
upstairs, upper floor | obergeschoss, oberer stock | étage | bovenverdieping | planta de arriba, piso de arriba
basement, cellar | keller, untergeschoss | sous-sol, cave | kelder | sótano
attic, loft | dachboden, dachgeschoss | grenier | zolder | ático
"""
_THINGS: Final = """
ceiling light | deckenlicht, deckenlampe, deckenleuchte | plafonnier | plafondlamp | luz del techo
counter light | thekenlicht, arbeitsplattenlicht | éclairage du plan de travail | aanrechtlicht | luz de la encimera
light | licht, lampe | lumière | licht | luz
lamp | lampe, lampe | lampe | lamp | lámpara
floor lamp | stehlampe | lampadaire | staande lamp | lámpara de pie
bedside lamp | nachttischlampe | lampe de chevet | bedlampje | lámpara de noche
desk lamp | schreibtischlampe | lampe de bureau | bureaulamp | lámpara de escritorio
front door | haustür, eingangstür | porte d'entrée | voordeur | puerta principal
back door | hintertür | porte arrière | achterdeur | puerta trasera
garage door | garagentor, garagentür | porte de garage | garagedeur | puerta del garaje
blinds | jalousien, rollos, jalousie, rollläden | stores | jaloezieën | persianas
blind | jalousie, rollo | store | jaloezie | persiana
shutters | rollläden, rolladen | volets | rolluiken | persianas
curtains | vorhänge, gardinen | rideaux | gordijnen | cortinas
curtain | vorhang, gardine | rideau | gordijn | cortina
thermostat | thermostat, heizung | thermostat | thermostaat | termostato
heating, heater | heizung | chauffage | verwarming | calefacción
tv, television | fernseher, tv | télé, télévision | tv, televisie | tele, televisión, televisor
speaker | lautsprecher | enceinte | luidspreker | altavoz
fan | ventilator | ventilateur | ventilator | ventilador
ceiling fan | deckenventilator | ventilateur de plafond | plafondventilator | ventilador de techo
robot vacuum, vacuum cleaner, vacuum | saugroboter, staubsauger, roboter | aspirateur, robot aspirateur | robotstofzuiger, stofzuiger | robot aspirador, aspiradora
coffee machine, coffee maker | kaffeemaschine | machine à café, cafetière | koffiezetapparaat, koffiemachine | cafetera
kettle | wasserkocher | bouilloire | waterkoker | hervidor
outdoor temperature, outside temperature | außentemperatur, temperatur draußen | température extérieure | buitentemperatuur | temperatura exterior
temperature | temperatur | température | temperatuur | temperatura
humidity | luftfeuchtigkeit | humidité | luchtvochtigheid | humedad
good night | gute nacht | bonne nuit | welterusten | buenas noches
movie time | filmzeit, filmabend | soirée cinéma, heure du film | filmtijd, filmavond | hora de película, noche de cine
good morning | guten morgen | bonjour | goedemorgen | buenos días
shopping list, grocery list | einkaufsliste, einkaufszettel | liste de courses, liste des courses | boodschappenlijst, boodschappenlijstje | lista de la compra
to-do list, todo list | aufgabenliste | liste de tâches | takenlijst | lista de tareas
family | familie | famille | familie | familia
washing machine, washer | waschmaschine | lave-linge, machine à laver | wasmachine | lavadora
dishwasher | spülmaschine, geschirrspüler | lave-vaisselle | vaatwasser | lavavajillas
window | fenster | fenêtre | raam | ventana
door | tür | porte | deur | puerta
motion | bewegung | mouvement | beweging | movimiento
sprinkler, irrigation | bewässerung, rasensprenger | arrosage | sproeier | riego
lawn mower, mower | rasenmäher, mähroboter | tondeuse | grasmaaier | cortacésped
plug, outlet, socket | steckdose | prise | stopcontact | enchufe
switch | schalter | interrupteur | schakelaar | interruptor
"""

Concept = dict[str, tuple[str, ...]]
"""Language -> the words for one thing."""


def _read(table: str) -> tuple[Concept, ...]:
    """Read a table of concepts."""
    return tuple(
        {
            language: tuple(word.strip() for word in cell.split(","))
            for language, cell in zip(LANGUAGES, line.split("|"), strict=True)
        }
        for line in table.strip().splitlines()
    )


ROOMS: Final = _read(_ROOMS)
FLOORS: Final = _read(_FLOORS)
THINGS: Final = _read(_THINGS)

NUMBER: Final = re.compile(
    r"(?<![\w.])(-?\d+(?:\.\d+)?)(?=\s*(%|°\s*c?|°\s*f|[^\W\d]+)?)"
)
