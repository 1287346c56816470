"""A table of sentences and names: which of them is named."""

from collections.abc import Iterable
import unicodedata

from hypothesis import given, strategies as st
import pytest

from custom_components.lumo.gate.mention import MAX_CHARACTERS, Sentence
from custom_components.lumo.languages import EN, LANGUAGES, UNKNOWN, language_of
from custom_components.lumo.languages.form import Language

NAMED = {
    "en": [
        ("turn on the kitchen light", "Kitchen Light"),
        ("turn on the kitchen lights", "Kitchen Light"),
        ("turn on the kitchen light", "Kitchen Lights"),
        ("Turn on the lights in the kitchen, please!", "Kitchen Lights"),
        ("KITCHEN LIGHT ON", "kitchen light"),
        ("unlock the front door", "Front Door"),
        ("unlock the front-door", "Front Door"),
        ("unlock the frontdoor", "Front Door"),
        ("open the garage", "Garage"),
        ("open the garage doors", "The Garage Door"),
        ("turn off lamp 1", "Lamp 1"),
        ("turn off lamp number 1", "Lamp 1"),
        ("turn off lamp one", "Lamp 1"),
        ("turn off lamps 1 and 2", "Lamp 2"),
        ("turn off lamp1", "Lamp 1"),
        ("turn off lamp a", "Lamp A"),
        ("turn on the 2nd light of the bedroom", "2nd Bedroom Light"),
        ("go to floor 1", "Floor 1"),
        ("heat Anna's room", "Annas Room"),
        ("heat annas room", "Anna's Room"),
        ("go to Anna", "Anna’s"),
        ("turn on the TV", "TV"),
        ("pc off", "PC"),
        ("it is warm in the livingroom", "Living Room"),
        ("start the café machine", "Cafe Machine"),
        ("open the curtains of the bedroom", "Bedroom Curtain"),
        ("start the fan", "Fans"),
        ("what about kitchen ceiling light", "Kitchen Light"),
        ("ring the doorbell", "Door"),
    ],
    "de": [
        ("schalte die Küchenlampe ein", "Küche Lampe"),
        ("schalte die kuchenlampe ein", "Küchenlampe"),
        ("mach das Schlafzimmerlicht aus", "Licht Schlafzimmer"),
        ("schließ die Haustür auf", "Haustür"),
        ("schliess die haustuer bitte: HAUSTÜR", "Haustür"),
        ("öffne die Türen", "Tür"),
        ("öffne das Tor", "Das Tor"),
        ("öffne die Tore", "Tor"),
        ("mach die Lampen an", "Lampe"),
        ("mach die Rollläden zu", "Rollladen"),
        ("ist die Straßenlaterne an", "Strassenlaterne"),
        ("schalte Lampe zwei ein", "Lampe 2"),
        ("schalte Lampe Nummer 2 ein", "Lampe 2"),
        ("schalte Küchenlampe 2 ein", "Küche Lampe 2"),
        ("mach das Licht im kleinen Bad an", "Kleines Bad"),
        ("alle Lichter im 1. Stock", "1. Stock"),
    ],
    "fr": [
        ("allume la lampe de l'entrée", "Lampe entrée"),
        ("allume la lampe de l’entree", "Lampe d'entrée"),
        ("allume les lumières de la cuisine", "Lumière cuisine"),
        ("éteins la lumiere du salon", "Lumière du salon"),
        ("ouvre la porte d'entrée", "Porte d'entrée"),
        ("ouvre les portes", "Porte"),
        ("ferme les rideaux", "Rideau"),
        ("allume la lampe deux", "Lampe 2"),
        ("allume la lampe numéro 2", "Lampe 2"),
        ("chauffe la chambre à coucher", "Chambre à coucher"),
        ("nourris le cœur", "coeur"),
        ("il fait chaud au salon", "Le Salon"),
    ],
    "nl": [
        ("doe de deuren open", "Deur"),
        ("open de voordeur", "Voordeur"),
        ("doe de keukenlamp aan", "Keuken Lamp"),
        ("doe de keukenlampen aan", "Lamp keuken"),
        ("doe lamp twee aan", "Lamp 2"),
        ("sluit de gordijnen van de slaapkamer", "Slaapkamer gordijn"),
        ("hoe warm is het in de woonkamer", "Woonkamer"),
        ("zet het café aan", "Cafe"),
        ("doe het rolluik dicht", "Rolluiken"),
        ("doe het licht op zolder uit", "Zolder"),
    ],
    "es": [
        ("abre la puerta principal", "Puerta Principal"),
        ("abre las puertas", "Puerta"),
        ("apaga los altavoces", "Altavoz"),
        ("cierra las persianas del salón", "Persiana Salon"),
        ("apaga la lámpara dos", "Lámpara 2"),
        ("apaga la lámpara número 2", "Lámpara 2"),
        ("¿está cerrado el garaje?", "El Garaje"),
        ("apaga el televisor del niño", "Televisor niño"),
        ("calienta la habitación", "Habitaciones"),
    ],
    "other": [
        ("キッチンのライトをつけて", "キッチン"),
        ("打开客厅的灯", "客厅"),
        ("打开客厅的灯", "灯"),
        ("открой дверь", "Дверь"),
        ("закрой все двери", "двер"),
        ("άναψε το φως στην κουζίνα", "Κουζινα"),
        ("הדלק את האור במטבח", "מטבח"),
        ("बैठक की बत्ती जलाओ", "बैठक"),
        ("wlacz swiatlo", "Światło"),
    ],
}

NOT_NAMED = {
    "en": [
        ("it is warm in the living room", "Livingroom"),
        ("turn on the kitchen light", "Front Door"),
        ("turn on the light", "Kitchen Light"),
        ("is it warm in the kitchen", "Kitchen Light"),
        ("turn off lamp 2", "Lamp 1"),
        ("turn off lamp 2", "2 Lamp"),
        ("turn off lamp 11", "Lamp 1"),
        ("turn off lamp 1", "Lamp 11"),
        ("set lamp 2 to 1 percent", "Lamp 1"),
        ("turn off the lamp", "Lamp 1"),
        ("turn off the lamp at 1 o'clock", "Lamp 1"),
        ("turn on one lamp", "Lamp 1"),
        ("turn on the lamp", "Lamp A"),
        ("turn on lamp b", "Lamp A"),
        ("the frost is at the door", "Front Door"),
        ("the bed in the living room", "Bedroom"),
        ("what is on tvs now", "TV"),
        ("careful with that", "Car"),
        ("what is it like outside", "The"),
        ("turn on the light", ""),
        ("turn on the light", "  "),
        ("turn on the light", "!?"),
        ("", "Light"),
        ("summarise my mail", "Front Door"),
        ("summarise my mail", "Office"),
        ("hello there", "Hall"),
        ("officially open", "Office"),
        ("bedroom 2 light", "Bedroom 3"),
        ("3rd bedroom", "2nd Bedroom"),
    ],
    "de": [
        # A name is not taken apart: a lamp in the kitchen is told by its kind and area.
        ("schalte die Lampe in der Küche ein", "Küchenlampe"),
        ("schalte Lampe ein", "Lampe 1"),
        ("schalte die Gartenlampe ein", "Küche Lampe"),
        ("schalte die Gartenlampe ein", "Küchenlampe"),
        ("schalte die Küchenlampe ein", "Küche Decke"),
        ("öffne die Autotür", "Haustür"),
        ("was steht in meinen Mails", "Haustür"),
        ("schalte Lampe 2 in 1 Minute aus", "Lampe 1"),
        ("hallo Lumo", "Halle"),
        ("mach den Fernseher an", "Fenster"),
        ("ist es kalt", "Kalender"),
        ("was gibt es Neues", "Die"),
    ],
    "fr": [
        ("allume la lampe du salon", "Lampe entrée"),
        ("allume une lampe", "Lampe 1"),
        ("ouvre le portail", "Porte"),
        ("lis mes messages", "Porte d'entrée"),
        ("quelle heure est-il", "L'"),
        ("allume la chambre", "Chambre 2"),
    ],
    "nl": [
        ("doe een lamp aan", "Lamp 1"),
        ("doe de keukenlamp aan", "Keuken Deur"),
        ("open de achterdeur", "Voordeur"),
        ("lees mijn agenda voor", "Deur"),
        ("lees mijn agenda voor", "Voordeur"),
        ("doe de lamp aan", "Slaapkamer lamp"),
    ],
    "es": [
        ("enciende la luz", "Luz de la cocina"),
        ("abre la puerta trasera", "Puerta Principal"),
        ("enciende una lámpara", "Lámpara 1"),
        ("lee mi correo", "Puerta"),
        ("abre el puerto", "Puerta"),
        ("qué hora es", "La"),
    ],
    "other": [
        ("キッチンのライトをつけて", "リビング"),
        ("打开客厅的灯", "卧室"),
        ("открой окно", "Дверь"),
        ("домофон", "фон"),
        ("ガレージ", "カレー"),
    ],
}


def mentions(sentence: str, names: Iterable[str], language: Language) -> bool:
    return Sentence(sentence, language).names_any(names)


def cases(table: dict[str, list[tuple[str, str]]]) -> list[tuple[str, str, str]]:
    return [(code, *row) for code, rows in table.items() for row in rows]


@pytest.mark.parametrize(("code", "sentence", "name"), cases(NAMED))
def test_is_named(code: str, sentence: str, name: str) -> None:
    """Inflected, compounded, in another order, with a number."""
    assert mentions(sentence, ["Something Else", name], language_of(code))


@pytest.mark.parametrize(("code", "sentence", "name"), cases(NOT_NAMED))
def test_is_not_named(code: str, sentence: str, name: str) -> None:
    """A part of a name, another number, a word that begins alike."""
    assert not mentions(sentence, ["Something Else", name], language_of(code))


def test_nothing_is_named_without_names() -> None:
    """No names, or none that has a letter."""
    assert not mentions("turn on the light", [], EN)
    assert not mentions("turn on the light 💡", ["", "💡", "...", "\n"], EN)


# What a name may be: letters and digits of any script, and what stands between them.
NAMES = st.text(
    st.characters(
        categories=("Lu", "Ll", "Lo", "Nd", "Mn", "Zs"), include_characters="-'’."
    ),
    max_size=25,
)
WORDS = st.text(st.characters(categories=("Lu", "Ll", "Lo", "Nd")), min_size=1)


@given(NAMES.filter(lambda name: any(map(str.isalnum, name))), WORDS, WORDS)
def test_a_name_said_word_by_word_is_always_named(
    name: str, before: str, after: str
) -> None:
    assert mentions(f"{before} {name} {after}", [name], UNKNOWN)
    assert mentions(name.swapcase().swapcase(), [name], UNKNOWN)


@given(st.text(), NAMES)
def test_case_and_form_do_not_matter(sentence: str, name: str) -> None:
    """The same characters composed and decomposed are the same."""
    assert mentions(sentence, [name], EN) == mentions(
        unicodedata.normalize("NFD", sentence), [unicodedata.normalize("NFC", name)], EN
    )


@given(st.text(), st.lists(st.text()))
def test_any_text_can_be_asked_for(sentence: str, names: list[str]) -> None:
    """Nothing is raised, and names without letters are never named."""
    assert mentions(sentence, names, EN) == any(
        mentions(sentence, [name], EN) for name in names
    )
    assert not mentions(
        sentence,
        [
            name
            for name in names
            if not any(map(str.isalnum, unicodedata.normalize("NFKD", name)))
        ],
        EN,
    )


@given(st.integers(0, 10**6), st.integers(0, 10**6), st.integers(0, 100))
def test_numbers_are_exact(named: int, said: int, percent: int) -> None:
    sentence = f"set lamp {said} to {percent} percent"
    assert mentions(sentence, [f"Lamp {named}"], EN) == (named == said)


@given(
    st.lists(
        st.sampled_from(("kuche", "lampe", "licht", "a", "1", "kuchen")), max_size=12
    )
)
def test_fewer_words_never_name_more(words: list[str]) -> None:
    """A sentence without one of a name's words does not name it."""
    said = [word for word in words if not word.startswith("lamp")]
    assert not mentions(
        " ".join(said), ["Lampe Küche", "Küchenlampe", "Lampe 1"], LANGUAGES["de"]
    )


def test_notes_and_plans_want_whole_words() -> None:
    """A part of a longer word is not that word: what is kept is what was said."""
    said = Sentence("ring the doorbell of the living room", EN)
    assert said.names("Door") and not said.names("Door", in_parts=False)
    assert said.names("Rooms living", in_parts=False)
    assert said.names("living rooms ring", in_parts=False)
    assert not said.names("ring door", in_parts=False)


def test_a_word_may_tell_a_thing_from_others() -> None:
    """If it is significant, was said by itself, is no short one, and nothing else has it."""
    texts = {"machine": "The Coffee Machine", "tap": "On Tap", "bulb": "Lamp"}

    def only_in(sentence: str, **more: str) -> set[str]:
        return Sentence(sentence, EN).only_in({**texts, **more}, ["light"])

    assert only_in("coffee on") == only_in("the coffees please") == {"machine"}
    assert only_in("tap on the coffee lamps") == {"machine"}
    assert not only_in("all lamps on") | only_in("coffee on", grinder="Coffeegrinder")
    assert not only_in("a coffeemaker with the tap on")


def test_what_is_too_long_names_less() -> None:
    assert not Sentence("x " * MAX_CHARACTERS + "lamp", EN).names("Lamp")
    assert not Sentence("light " * 40, EN).names("light " * 30)
    assert Sentence("the kitchen lamp", EN).names("Lamp")
