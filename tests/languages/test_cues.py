"""Which of our tools a sentence asks for, by words of its language."""

import pytest

from custom_components.lumo.languages import LANGUAGES, UNKNOWN
from custom_components.lumo.languages.words import cued

from .samples import with_samples

SENTENCES = {
    "en": """
        history: When was the front door last opened?
        history: How long has the washing machine been running?
        history: How often was the window open this week?
        history: How much power did the heating use yesterday?
        history: Was it colder than yesterday?
        history: Who opened the garage?
        history: What was the highest temperature in the bedroom?
        why: Why did you turn off the light?
        why: What did you do this morning?
        why: What data left the house?
        forecast: Will it rain tomorrow?
        forecast: Do I need an umbrella?
        forecast: How cold is it going to be on Friday?
        events: What's on my calendar?
        events: When is my next appointment?
        events: Anything planned for the weekend?
        set: Put the thermostat in eco mode
        set: Let the fan oscillate
        set: Switch the TV to HDMI 2
        set: Arm the alarm
        set: Set the washing program to wool
        change_list: Move milk to the other list
        change_list: Clear the shopping list
        change_list: The tax return is due on Friday
        change_list: Rename bread to rolls
        create_event: Add dinner with Anna on Friday at seven
        create_event: Put a dentist appointment in the calendar
        compose: Make it cosy for a film
        compose: Get the living room ready for a party
        compose: We are going to bed
        later: Turn off the kitchen lights in ten minutes
        later: Wake me at seven
        later: When the washing machine is done, tell me
        later: What is planned?
        later: Cancel that
        look: Who is at the door?
        look: Is the garage door really shut?
        look: What is going on in the driveway?
        memory: Remember that the guest network is called Otter
        memory: Forget what I told you
        memory: What do you know about me?
    """,
    "de": """
        history: Wann wurde die Haustür zuletzt geöffnet?
        history: Wie lange läuft die Waschmaschine schon?
        history: Wie oft war das Fenster diese Woche offen?
        history: Wie viel Strom haben wir gestern verbraucht?
        history: War es kälter als gestern?
        history: Wer hat die Garage aufgemacht?
        history: Was war die Höchsttemperatur im Schlafzimmer?
        why: Warum ist das Licht ausgegangen?
        why: Was hast du heute gemacht?
        why: Welche Daten haben das Haus verlassen?
        forecast: Regnet es morgen?
        forecast: Brauche ich einen Regenschirm?
        forecast: Wie kalt wird es am Freitag?
        events: Was steht im Familienkalender?
        events: Wann ist mein nächster Zahnarzttermin?
        events: Was ist am Wochenende geplant?
        set: Stell den Thermostat auf Eco
        set: Lass den Ventilator schwenken
        set: Schalte den Fernseher auf HDMI 2
        set: Mach die Alarmanlage scharf
        set: Das Waschprogramm auf Wolle
        change_list: Verschieb die Milch auf die andere Liste
        change_list: Leere die Einkaufsliste
        change_list: Die Steuer ist am Freitag fällig
        change_list: Ersetze Brot durch Brötchen
        create_event: Trag am Freitag um sieben Essen mit Anna ein
        create_event: Mach mir einen Zahnarzttermin in den Kalender
        compose: Mach es gemütlich für einen Film
        compose: Bereite das Wohnzimmer für die Party vor
        compose: Wir gehen ins Bett
        later: Mach in zehn Minuten das Licht aus
        later: Mach um sieben das Licht an
        later: Sobald die Waschmaschine fertig ist, sag Bescheid
        later: Was ist geplant?
        later: Brich das ab
        look: Wer ist an der Tür?
        look: Ist das Garagentor wirklich zu?
        look: Was ist in der Einfahrt los?
        memory: Merk dir, dass ich früh schlafe
        memory: Vergiss das mit dem WLAN
        memory: Was weißt du über mich?
    """,
    "es": """
        history: ¿Cuándo se abrió la puerta por última vez?
        history: ¿Cuánto tiempo lleva encendida la lavadora?
        history: ¿Cuántas veces se abrió la ventana esta semana?
        history: ¿Cuanta electricidad gastamos ayer?
        history: ¿Quién abrió el garaje?
        history: ¿Cuál fue la máxima en el dormitorio?
        why: ¿Por qué apagaste la luz?
        why: ¿Qué has hecho hoy?
        why: ¿Qué datos han salido de casa?
        forecast: ¿Va a llover mañana?
        forecast: ¿Necesito paraguas?
        forecast: ¿Qué tiempo hará el viernes?
        events: ¿Qué hay en el calendario?
        events: ¿Cuándo es mi próxima cita?
        events: ¿Tengo algo el fin de semana?
        set: Pon el termostato en modo eco
        set: Que el ventilador oscile
        set: Cambia la tele a HDMI 2
        set: Arma la alarma
        change_list: Mueve la leche a la otra lista
        change_list: Vacía la lista de la compra
        create_event: Apunta una cena con Ana el viernes
        create_event: Añade una cita con el dentista al calendario
        compose: Hazlo acogedor para una película
        compose: Prepara el salón para la fiesta
        compose: Nos vamos a dormir
        later: Apaga la luz dentro de diez minutos
        later: Enciende la luz a las siete
        later: Cuando termine la lavadora, avísame
        later: ¿Qué hay planeado?
        later: Cancela eso
        look: ¿Quién está en la puerta?
        look: ¿Está la puerta del garaje realmente cerrada?
        memory: Recuerda que soy vegetariano
        memory: Olvida lo de la red
        memory: ¿Qué sabes de mí?
    """,
    "fr": """
        history: Quand la porte a-t-elle été ouverte ?
        history: Depuis combien de temps le lave-linge tourne ?
        history: Combien de fois la fenêtre a été ouverte cette semaine ?
        history: Quelle était la consommation d'électricité hier ?
        history: Qui a ouvert le garage ?
        history: Quelle a été la température maximale dans la chambre ?
        why: Pourquoi as-tu éteint la lumière ?
        why: Qu'as-tu fait ce matin ?
        why: Quelles données ont quitté la maison ?
        forecast: Est-ce qu'il va pleuvoir demain ?
        forecast: Faut-il un parapluie ?
        forecast: Quel temps fera-t-il vendredi ?
        events: Qu'y a-t-il dans le calendrier ?
        events: Quand est mon prochain rendez-vous ?
        events: Quelque chose de prévu ce week-end ?
        set: Mets le thermostat en mode éco
        set: Fais osciller le ventilateur
        set: Passe la télé sur HDMI 2
        set: Arme l'alarme
        change_list: Déplace le lait sur l'autre liste
        change_list: Vide la liste de courses
        create_event: Note un dîner avec Anna vendredi
        create_event: Ajoute un rendez-vous chez le dentiste
        compose: Crée une ambiance pour un film
        compose: Prépare le salon pour la fête
        compose: On va se coucher
        later: Éteins la lumière dans dix minutes
        later: Allume à sept heures
        later: Quand la machine a fini, dis-le-moi
        later: Qu'est-ce qui est prévu ?
        later: Annule ça
        look: Qui est à la porte ?
        look: La porte du garage est-elle vraiment fermée ?
        memory: Retiens que je dors tôt
        memory: Oublie ce que j'ai dit
        memory: Que sais-tu de moi ?
    """,
    "nl": """
        history: Wanneer is de voordeur voor het laatst geopend?
        history: Hoe lang draait de wasmachine al?
        history: Hoe vaak was het raam open deze week?
        history: Hoeveel stroom hebben we gisteren verbruikt?
        history: Wie heeft de garage geopend?
        history: Wat was de hoogste temperatuur in de slaapkamer?
        why: Waarom ging het licht uit?
        why: Wat heb je vanochtend gedaan?
        why: Welke gegevens hebben het huis verlaten?
        forecast: Gaat het morgen regenen?
        forecast: Heb ik een paraplu nodig?
        forecast: Wat voor weer wordt het vrijdag?
        events: Wat staat er in de agenda?
        events: Wanneer is mijn volgende tandartsafspraak?
        events: Is er iets gepland voor het weekend?
        set: Zet de thermostaat op eco
        set: Laat de ventilator zwenken
        set: Zet de tv op HDMI 2
        set: Zet het alarm scherp
        change_list: Verplaats de melk naar de andere lijst
        change_list: Maak de boodschappenlijst leeg
        create_event: Noteer eten met Anna op vrijdag
        create_event: Zet een afspraak bij de tandarts in de agenda
        compose: Maak het gezellig voor een film
        compose: Bereid de woonkamer voor op het feest
        compose: We gaan slapen
        later: Doe over tien minuten het licht uit
        later: Doe om zeven uur het licht aan
        later: Zodra de wasmachine klaar is, zeg het me
        later: Wat is er gepland?
        later: Annuleer dat
        look: Wie staat er aan de deur?
        look: Is de garagedeur echt dicht?
        memory: Onthoud dat ik vroeg slaap
        memory: Vergeet dat maar
        memory: Wat weet je over mij?
    """,
}
SENTENCES = with_samples(SENTENCES, "cues")

ORDINARY = {
    "en": "Turn on the lamp; Switch on the lamp; turn off the kitchen lights; Play some music, please; "
    "Open the blinds in the bedroom; brighter; turn everything off except the hall",
    "de": "Mach bitte das Licht an; Schalte die Lampe im Arbeitszimmer aus; heller; "
    "Öffne die Jalousie im Schlafzimmer; Mach mal alles aus außer im Flur",
    "es": "Enciende la lámpara, por favor; apaga la luz de la cocina; más brillo; "
    "Abre las persianas de la planta de arriba; apaga todo menos el pasillo",
    "fr": "Allume la lampe à la cuisine; éteins la lumière, s'il te plaît; plus fort; "
    "Ouvre les volets de la chambre; éteins tout sauf le couloir",
    "nl": "Zet de lamp aan; Doe het licht in de werkkamer uit; Zet de slaapkamer uit; "
    "Open de gordijnen; alles uit behalve de gang",
}
ORDINARY = with_samples(ORDINARY, "ordinary")


@pytest.mark.parametrize("code", LANGUAGES)
def test_a_sentence_asks_for_what_it_is_about(code: str) -> None:
    """Also as speech-to-text writes it, without accents and capitals."""
    rows = [row.strip().partition(": ") for row in SENTENCES[code].strip().splitlines()]
    assert {name for name, _, _ in rows} == LANGUAGES[code].cues.keys()
    missed = [
        sentence
        for name, _, sentence in rows
        if name not in cued(sentence, LANGUAGES[code])
        or name not in cued(sentence.upper(), LANGUAGES[code])
    ]
    assert missed == []


@pytest.mark.parametrize("code", LANGUAGES)
def test_an_ordinary_command_asks_for_none(code: str) -> None:
    """It can be done with the tools of every turn."""
    asked = {row: cued(row, LANGUAGES[code]) for row in ORDINARY[code].split(";")}
    assert {row: names for row, names in asked.items() if names} == {}


def test_in_another_language_anything_may_be_asked_for() -> None:
    """There are no words to tell by."""
    assert cued("照明をつけて", UNKNOWN) == UNKNOWN.cues.keys()
