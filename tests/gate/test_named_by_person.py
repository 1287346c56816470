"""Which things a sentence frees after text from outside was read, and which it does not."""

from homeassistant.core import HomeAssistant
from homeassistant.helpers import (
    area_registry as ar,
    entity_registry as er,
    floor_registry as fr,
)
from homeassistant.setup import async_setup_component
import pytest

from custom_components.lumo.gate.effects import LOOK, Effect
from custom_components.lumo.gate.mention import ways_of
from custom_components.lumo.gate.named_by_person import NamedByPerson
from custom_components.lumo.gate.speaker import Speaker
from custom_components.lumo.languages import LANGUAGES
from tests.abilities.large_home import add

# Entity -> name, area, device class.
HOME = {
    "light.ceiling": ("Ceiling", "Kitchen", None),
    "light.desk": ("Desk lamp", "Office", None),
    "light.bed": ("Reading", "Bedroom", None),
    "switch.coffee": ("Coffee machine", "Kitchen", None),
    "cover.blinds": ("Left", "Office", "blind"),
    "cover.garage": ("Big one", "Cellar", "garage"),
    "media_player.radio": ("Old set", "Kitchen", None),
    "media_player.screen": ("Screen", "Office", "tv"),
    "fan.fan": ("Breeze", "Bedroom", None),
    "vacuum.robby": ("Robby", "Cellar", None),
    "climate.heat": ("Boiler", "Bedroom", None),
    "lock.door": ("Entrance", "Cellar", None),
    "script.party": ("Party", None, None),
    "scene.relax": ("Relax", None, None),
}
AREAS = {
    "Kitchen": ("Küche", "cuisine", "keuken", "cocina"),
    "Office": ("Büro", "bureau", "kantoor", "despacho"),
    "Bedroom": ("Schlafzimmer", "chambre", "slaapkamer", "dormitorio"),
    "Cellar": ("Keller", "cave", "kelder", "sótano"),
}
LIGHTS = {"light.ceiling", "light.desk", "light.bed"}
PLAYERS = {"media_player.radio", "media_player.screen"}
KITCHEN = {"light.ceiling", "switch.coffee", "media_player.radio"}

WANTED = {
    "en": [
        ("turn off the lights", LIGHTS),
        ("make it brighter", LIGHTS),
        ("dim the office", {"light.desk"}),
        ("lights off in the kitchen", {"light.ceiling"}),
        ("can you turn off the lights?", LIGHTS),
        ("turn off everything in the kitchen", KITCHEN),
        ("close the blinds", {"cover.blinds"}),
        ("close the garage door", {"cover.garage", "lock.door"}),
        ("next song", PLAYERS),
        ("turn the TV off", {"media_player.screen"}),
        ("turn the fan on", {"fan.fan"}),
        ("start the vacuum", {"vacuum.robby"}),
        ("make it warmer", {"climate.heat"}),
        ("start Robby", {"vacuum.robby"}),
        ("turn on the desk lamp", LIGHTS),
        ("what's on my list? And turn off the lights", LIGHTS),
        ("lights off upstairs", {"light.bed"}),
        ("vacuum the office", {"vacuum.robby"}),
        ("it's too dark", LIGHTS),
        ("coffee machine on", {"switch.coffee"}),
        # These free nothing.
        ("turn off everything", set()),
        ("turn off the plug", set()),
        ("turn off all the switches", set()),
        ("run the script", set()),
        ("are the lights on?", set()),
        ("are the lights on", set()),
        ("is it warm in the kitchen?", set()),
        ("what's in the kitchen", set()),
        ("what's on my calendar", set()),
        ("thank you", set()),
        ("is the music too loud", set()),
        ("lightning is dangerous", set()),
        ("read me the next entry", set()),
    ],
    "de": [
        ("mach die Lichter aus", LIGHTS),
        ("mach das Küchenlicht aus", {"light.ceiling"}),
        ("heller bitte", LIGHTS),
        ("Rollos runter", {"cover.blinds"}),
        ("nächstes Lied", PLAYERS),
        ("mach den Fernseher aus", {"media_player.screen"}),
        ("der Staubsauger soll starten", {"vacuum.robby"}),
        ("Heizung auf 21 Grad", {"climate.heat"}),
        ("schließ die Haustür ab", {"lock.door", "cover.garage"}),
        ("sind die Lichter an", set()),
        ("alles aus", set()),
        ("was steht im Kalender", set()),
        ("es ist meine Pflicht", set()),
        ("welche Temperatur hat es draußen", set()),
    ],
    "fr": [
        ("éteins les lumières", LIGHTS),
        ("éteins la lumière de la cuisine", {"light.ceiling"}),
        ("plus clair", LIGHTS),
        ("ferme les volets", {"cover.blinds"}),
        ("chanson suivante", PLAYERS),
        ("moins fort", PLAYERS),
        ("allume la télé", {"media_player.screen"}),
        ("lance l'aspirateur", {"vacuum.robby"}),
        ("éteins tout", set()),
        ("quelle lumière est allumée", set()),
    ],
    "nl": [
        ("doe de lampen uit", LIGHTS),
        ("doe de keukenlamp uit", {"light.ceiling"}),
        ("feller", LIGHTS),
        ("gordijnen dicht", {"cover.blinds"}),
        ("volgende nummer", PLAYERS),
        ("zet de tv uit", {"media_player.screen"}),
        ("start de stofzuiger", {"vacuum.robby"}),
        ("alles uit", set()),
        ("branden de lampen", set()),
        ("brandt het licht", set()),
    ],
    "es": [
        ("apaga las luces", LIGHTS),
        ("apaga la luz de la cocina", {"light.ceiling"}),
        ("más brillo", LIGHTS),
        ("baja las persianas", {"cover.blinds"}),
        ("siguiente canción", PLAYERS),
        ("apaga la tele", {"media_player.screen"}),
        ("enciende el ventilador", {"fan.fan"}),
        ("apaga todo", set()),
        ("están las luces encendidas", set()),
    ],
    "it": [
        ("spegni le luci", LIGHTS),
        ("è troppo buio qui", LIGHTS),
        ("c'è troppa luce", LIGHTS),
        ("chiudi gli oscuranti", {"cover.blinds"}),
        ("passa alla prossima canzone", PLAYERS),
        ("spegni lo stereo", PLAYERS),
        ("spegni la tivù", {"media_player.screen"}),
        ("accendi l'aria condizionata", {"climate.heat"}),
        ("abbiamo freddo", {"climate.heat"}),
        # "Porta" is a door here, and "bring" there.
        ("apri la porta", {"cover.garage", "lock.door"}),
        ("chiudi porta garage", {"cover.garage", "lock.door"}),
        ("porta la temperatura a 21 gradi", {"climate.heat"}),
        ("porta le tapparelle al 50%", {"cover.blinds"}),
        ("che luci sono accese", set()),
        ("dov'è la luce accesa", set()),
        ("in che stanza è accesa la luce", set()),
        ("dimmi se la porta è chiusa", set()),
        ("ha chiuso la porta", set()),
    ],
    "pt": [
        ("apaga as luzes", LIGHTS),
        ("está muito escuro", LIGHTS),
        ("liga o altifalante", PLAYERS),
        ("está muito frio aqui", {"climate.heat"}),
        ("tenho frio", {"climate.heat"}),
        ("abre a cancela", {"cover.garage", "lock.door"}),
        ("cancela o temporizador", set()),
        ("em que divisão está a luz acesa", set()),
        ("a que horas se abriu a porta", set()),
        ("diz-me se a porta está fechada", set()),
        ("tenho a porta aberta", set()),
    ],
}

# Something was spoken of before: the desk lamp.
BACK = {
    "en": ["turn it off", "make them warm", "turn off that", "those off please"],
    "de": ["mach sie aus", "schalt es wieder aus", "sie wieder an"],
    "fr": ["éteins-la", "éteins ça", "tu peux l'éteindre"],
    "nl": ["zet hem uit", "doe ze uit", "hem weer aan"],
    "es": [
        "apágala",
        "enciéndelo otra vez",
        "ponla roja",
        "apagala",
        "quiero apagarla",
    ],
    "it": ["spegnila", "accendimela", "spegnetela", "la spegni", "falla rossa"],
    "pt": ["apaga-a", "baixa isso", "desliga ela", "quero apagá-la"],
}
NOT_BACK = {
    "en": ["is it raining", "what is it about", "thanks", "item two", "that and this"],
    "de": ["wie ist es draußen", "danke", "die Liste"],
    "fr": ["lis la liste", "merci", "quelle est la météo"],
    "nl": ["lees de lijst", "is het koud", "dank je"],
    "es": ["lee la lista", "hola", "lee el capítulo", "pon la película", "un regalo"],
    "it": ["leggi la lista", "ciao", "una caramella", "quella candela", "la clientela"],
    "pt": ["lê a lista", "olá", "está a chover", "um presente"],
}


@pytest.fixture
async def home(hass: HomeAssistant) -> HomeAssistant:
    assert await async_setup_component(hass, "homeassistant", {})
    floor = fr.async_get(hass).async_create("Upstairs")
    areas = {
        name: ar.async_get(hass).async_create(name, aliases=set(aliases)).id
        for name, aliases in AREAS.items()
    }
    ar.async_get(hass).async_update(areas["Bedroom"], floor_id=floor.floor_id)
    satellites = {"assist_satellite.office": ("Satellite", "Office", None)}
    for entity_id, (name, area, device_class) in (HOME | satellites).items():
        more = {"device_class": device_class} if device_class else {}
        add(hass, entity_id, "on", name=name, **more)  # type: ignore[arg-type] # a class
        if area:
            er.async_get(hass).async_update_entity(entity_id, area_id=areas[area])
    return hass


def wanted(
    home: HomeAssistant, sentence: str, language: str = "en", **more: str | bool
) -> set[str]:
    speaker = Speaker(
        **{
            "user_id": "anna",
            "satellite_id": None,
            "is_person": True,
            "sentence": sentence,
            "language": language,
            **more,
        }  # type: ignore[arg-type] # of several types
    )
    found = NamedByPerson(home, speaker, frozenset({"light.desk"}))
    return {entity_id for entity_id in HOME if found.has(entity_id)}


async def test_what_a_sentence_frees(
    home: HomeAssistant, subtests: pytest.Subtests
) -> None:
    for language, items in WANTED.items():
        for sentence, expected in items:
            with subtests.test(f"{language}: {sentence}"):
                # "It" is in some of them, but nothing was spoken of before.
                speaker = Speaker("anna", None, True, sentence, language)
                found = NamedByPerson(home, speaker, frozenset())
                assert {item for item in HOME if found.has(item)} == expected


async def test_it_is_what_was_spoken_of(
    home: HomeAssistant, subtests: pytest.Subtests
) -> None:
    for language, sentences in BACK.items():
        for sentence in sentences:
            with subtests.test(f"{language}: {sentence}"):
                assert "light.desk" in wanted(home, sentence, language)
                assert "light.ceiling" not in wanted(home, sentence, language)
    for language, sentences in NOT_BACK.items():
        for sentence in sentences:
            with subtests.test(f"{language}: {sentence}"):
                assert wanted(home, sentence, language) == set()


async def test_a_satellite_means_its_room(home: HomeAssistant) -> None:
    office = "assist_satellite.office"
    assert wanted(home, "lights off", satellite_id=office) == {"light.desk"}
    assert wanted(home, "kitchen lights off", satellite_id=office) == {"light.ceiling"}


async def test_an_automations_sentence_frees_nothing(home: HomeAssistant) -> None:
    for sentence in ("lights off", "turn on Robby", "turn it off"):
        assert wanted(home, sentence, is_person=False) == set()


WAYS = {
    "cs": ("Hlasitěji", "Ztlum rádio"),
    "da": ("Gør det varmere", "Lavere musik"),
    "de": ("Mach es lauter", "Mach das Licht dunkler"),
    "en": ("Make it warmer", "Turn the volume down"),
    "es": ("Pon la música más alto", "Más bajo, por favor"),
    "fr": ("Plus fort", "Baisse le son"),
    "it": ("Alza il volume", "Più piano"),
    "nb": ("Høyere", "Demp lyset"),
    "nl": ("Zet hem harder", "Zachter"),
    "pl": ("Zrób cieplej", "Ciszej"),
    "pt": ("Mais alto", "Mais escuro"),
    "sv": ("Gör det ljusare", "Sänk volymen"),
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_sentence_says_which_way(language: str) -> None:
    up, down = WAYS[language]
    said = LANGUAGES[language]
    assert (ways_of(up, said), ways_of(down, said)) == ({"up"}, {"down"})
    assert ways_of(f"{up} 5", said) == set()


@pytest.mark.parametrize(
    ("sentence", "service", "data", "expected"),
    [
        ("set the blinds to 40 percent", "set_cover_position", {"position": 40}, False),
        ("set the blinds to 40 percent", "open_cover", {}, True),
        ("open the blinds", "close_cover", {}, True),
        ("open the blinds unless it rains", "close_cover", {}, False),
        ("quieter", "volume_set", {"volume_level": 0.6}, True),
        ("quieter", "volume_set", {"volume_level": 0.4}, False),
        ("quieter", "volume_set", {"volume_level": 0.5}, False),
        ("quieter", "volume_up", {}, True),
        ("louder", "volume_up", {}, False),
        ("louder, and quieter", "volume_up", {}, False),
        ("don't make it quieter", "volume_up", {}, False),
        ("undo quieter", "volume_up", {}, False),
        ("quieter for ten minutes", "volume_up", {}, False),
    ],
)
def test_the_other_way_is_the_opposite(
    home: HomeAssistant,
    sentence: str,
    service: str,
    data: dict[str, float],
    expected: bool,
) -> None:
    home.states.async_set("media_player.radio", "playing", {"volume_level": 0.5})
    person = Speaker("anna", None, True, sentence, "en")
    named = NamedByPerson(home, person, frozenset())
    thing = "cover.blinds" if "cover" in service else "media_player.radio"
    assert named.wants_opposite(Effect(thing, service, data)) is expected


@pytest.mark.parametrize(
    "domain", ["binary_sensor", "event", "person", "sensor", "weather", "zone"]
)
def test_what_is_only_read_takes_no_word_from_what_acts(
    home: HomeAssistant, domain: str
) -> None:
    add(home, f"{domain}.coffee", "on", name="Coffee meter")
    assert "switch.coffee" in wanted(home, "coffee on")
    add(home, "fan.coffee", "on", name="Coffee fan")
    assert "switch.coffee" not in wanted(home, "coffee on")


@pytest.mark.parametrize(
    ("language", "sentence", "is_part"),
    [
        ("de", "Rollos auf 40 Prozent", True),
        ("en", "blinds to 40%", True),
        ("en", "blinds to 100%", False),
        ("en", "blinds to 0%", False),
        ("en", "40 blinds", False),
    ],
)
def test_a_share_is_not_all(
    home: HomeAssistant, language: str, sentence: str, is_part: bool
) -> None:
    person = Speaker("anna", None, True, sentence, language)
    named = NamedByPerson(home, person, frozenset())
    assert named.wants_opposite(Effect("cover.blinds", "open_cover")) is is_part


RADIO, HEAT = "media_player.radio", "climate.heat"


@pytest.mark.parametrize(
    ("sentence", "effect", "expected"),
    [
        *(
            ("Thanks", Effect(RADIO, service), True)
            for service in (
                *("media_next_track", "media_pause", "media_play", "media_play_pause"),
                *("media_previous_track", "media_stop", "turn_off", "volume_down"),
                *("volume_mute", "volume_up"),
            )
        ),
        ("Thanks", Effect(RADIO, "volume_set", {"volume_level": 0.7}), True),
        ("Thanks", Effect(RADIO, "volume_set", {"volume_level": 0.8}), False),
        *(
            ("Thanks", Effect(RADIO, "change", {"volume_step": step}), expected)
            for step, expected in (("up", True), (-30, True), (20, True), (21, False))
        ),
        ("Thanks", Effect(RADIO, "play_media"), False),
        ("Thanks", Effect("media_player.screen", "media_pause"), False),
        ("Thanks", Effect("light.desk", "turn_off"), False),
        ("Warmer", Effect(HEAT, "set_temperature", {"temperature": 23}), True),
        ("Warmer", Effect(HEAT, "set_temperature", {"temperature": 23.5}), False),
        ("Warmer, 25", Effect(HEAT, "set_temperature", {"temperature": 25}), True),
        ("Ceiling", Effect("light.ceiling", "turn_on", {"temperature": 3000}), True),
        ("Look at the entrance", Effect("lock.door", LOOK), True),
        ("Look", Effect("lock.door", LOOK), False),
    ],
)
def test_what_is_wanted_of_a_thing(
    home: HomeAssistant, sentence: str, effect: Effect, expected: bool
) -> None:
    """What plays because of the person is theirs; a leap in warmth must be said."""
    home.states.async_set(HEAT, "heat", {"temperature": 21})
    named = NamedByPerson(
        home, Speaker("anna", None, True, sentence, "en"), frozenset()
    )
    assert named.wants(effect, {RADIO}) is expected
