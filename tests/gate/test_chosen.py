"""Which of several things an answer means."""

import pytest

from custom_components.lumo.gate.chosen import read_choice
from custom_components.lumo.gate.consent import Reading, Reply
from custom_components.lumo.languages import UNKNOWN, language_of

# What is asked about, by its names and those of its area; then answers, and the places
# that they choose, "no", "again" or "other".
TABLE = {
    "en": (
        [["Desk lamp", "Office"], ["Floor lamp", "Living room"]],
        {
            "the second": "1",
            "The second one, please.": "1",
            "second": "1",
            "number two": "1",
            "number 1": "0",
            "the first": "0",
            "the former": "0",
            "the last one": "1",
            "the latter": "1",
            "yes, the first one": "0",
            "um, the first": "0",
            "okay the second": "1",
            "both": "01",
            "both lamps please": "01",
            "all of them": "01",
            "the first and the second": "01",
            "desk and floor": "01",
            "the floor one": "1",
            "the floor lamp": "1",
            "floor": "1",
            "only the floor one": "1",
            "I mean the one on the desk": "0",
            "the one in the office": "0",
            "the living room lamp": "1",
            "Lumo, the desk lamp": "0",
            "the flour lamp": "1",
            "neither": "no",
            "none of them": "no",
            "neither of them": "no",
            "no": "no",
            "no thanks": "no",
            "never mind": "no",
            "stop": "no",
            "yes": "again",
            "yes please": "again",
            "okay": "again",
            "sure": "again",
            "the lamp": "again",
            "the first floor lamp": "again",
            "that one": "again",
            "the third": "other",
            "just a second": "other",
            "first of all": "again",
            "one second": "other",
            "not the desk lamp": "other",
            "no, the second": "other",
            "the second?": "other",
            "turn off the radio": "other",
            "desk lamp on": "other",
            "turn on the floor lamp": "other",
            "the blue one": "other",
            "what time is it": "other",
            "": "other",
        },
    ),
    "de": (
        [["Stehlampe", "Wohnzimmer"], ["Schreibtischlampe", "Büro"]],
        {
            "die zweite": "1",
            "die erste bitte": "0",
            "Nummer zwei": "1",
            "die letzte": "1",
            "ja, die zweite": "1",
            "beide": "01",
            "alle beide": "01",
            "alle": "01",
            "die Stehlampe": "0",
            "nur die Stehlampe": "0",
            "die am Schreibtisch": "1",
            "die im Büro": "1",
            "die im Buero": "1",
            "ich meine die im Wohnzimmer": "0",
            "die Stelampe": "0",
            "die erste und die zweite": "01",
            "keine": "no",
            "keine von beiden": "no",
            "nein": "no",
            "vergiss es": "no",
            "ja": "again",
            "klar": "again",
            "die Lampe": "again",
            "Stehlampe an": "other",
            "Stehlampe aus": "other",
            "nicht die Stehlampe": "other",
            "eine Sekunde": "other",
            "schalte das Radio aus": "other",
        },
    ),
    "fr": (
        [["Lampe de bureau", "Bureau"], ["Lampadaire", "Salon"]],
        {
            "la deuxième": "1",
            "la première s'il te plaît": "0",
            "numéro deux": "1",
            "le dernier": "1",
            "les deux": "01",
            "toutes les deux": "01",
            "tous les deux": "01",
            "celle du salon": "1",
            "le lampadaire": "1",
            "la lampe de bureau": "0",
            "aucune": "no",
            "aucune des deux": "no",
            "non": "no",
            "laisse tomber": "no",
            "oui": "again",
            "une seconde": "other",
            "éteins la radio": "other",
            "quelle heure est-il": "other",
        },
    ),
    "es": (
        [["Lámpara de pie", "Salón"], ["Lámpara de mesa", "Despacho"]],
        {
            "la segunda": "1",
            "la primera por favor": "0",
            "número dos": "1",
            "la última": "1",
            "las dos": "01",
            "ambas": "01",
            "todas": "01",
            "la de pie": "0",
            "la de mesa": "1",
            "la del despacho": "1",
            "la lámpara de mesa": "1",
            "ninguna": "no",
            "ninguna de las dos": "no",
            "no": "no",
            "olvídalo": "no",
            "sí": "again",
            "un segundo": "other",
            "apaga la radio": "other",
        },
    ),
    "nl": (
        [["Staande lamp", "Woonkamer"], ["Bureaulamp", "Kantoor"]],
        {
            "de tweede": "1",
            "de eerste graag": "0",
            "nummer twee": "1",
            "de laatste": "1",
            "allebei": "01",
            "alle twee": "01",
            "beide": "01",
            "de staande": "0",
            "die in het kantoor": "1",
            "de bureaulamp": "1",
            "die op het bureau": "1",
            "geen van beide": "no",
            "nee": "no",
            "laat maar": "no",
            "ja": "again",
            "bureaulamp aan": "other",
            "een seconde": "other",
            "zet de radio uit": "other",
        },
    ),
}


def meaning(reading: Reading) -> str:
    """Return a reading as the tables write it."""
    if reading.reply is Reply.CHOSEN:
        return "".join(map(str, sorted(reading.chosen)))
    assert not reading.chosen
    return str(reading.reply.value)


@pytest.mark.parametrize("code", TABLE)
def test_what_is_chosen(code: str) -> None:
    """Every answer means what its row says."""
    things, answers = TABLE[code]
    read = {
        text: meaning(read_choice(text, language_of(code), things)) for text in answers
    }
    assert read == answers


# Names that others may have made, an answer, and what it chooses.
NAMED = [
    (["Lamp 1", "Lamp 2"], "lamp two", "1"),
    (["Lamp 1", "Lamp 2"], "the first", "0"),
    (["Lamp 2", "Lamp 3"], "number two", "again"),
    (["Lamp 2", "Lamp 3"], "lamp 2", "0"),
    (["Second lamp", "First lamp"], "the second", "again"),
    (["First lamp", "Second lamp"], "the second", "1"),
    (["Left lamp", "Right lamp"], "the right one", "1"),
    (["Yes lamp", "Lamp"], "yes", "again"),
    (["Yes", "No"], "yes", "again"),
    (["Yes", "No"], "no", "no"),
    (["Both", "Desk"], "both", "again"),
    (["Both lamps", "Desk", "Floor"], "both lamps", "0"),
    (["Lamp and unlock the door", "Lamp"], "unlock the door", "0"),
    (["💡", "Desk"], "desk", "1"),
    (["💡", "🔥"], "the second", "1"),
    (["Lamp", "Lamp"], "the lamp", "again"),
    (["One", "Two", "Three"], "all three", "again"),
    (["A", "B", "C"], "all three", "012"),
    (["A", "B", "C"], "both", "other"),
    (["Salt and pepper", "Sugar"], "salt and pepper", "0"),
    (["Turn off", "Radio"], "turn off the radio", "again"),
]


@pytest.mark.parametrize(("names", "answer", "meant"), NAMED)
def test_names_of_others(names: list[str], answer: str, meant: str) -> None:
    """No name makes an answer mean what nobody would take it for."""
    things = [[name] for name in names]
    assert meaning(read_choice(answer, language_of("en"), things)) == meant


# What opens some of two doors, and what opens none.
EXACT = {
    "the second": "1",
    "the second one please": "1",
    "number two": "1",
    "the last one": "1",
    "only the back one": "0",
    "just the front": "1",
    "yes, the front one": "1",
    "back": "other",
    "second": "other",
    "the bakc one": "other",
    "the frontier": "other",
    "not the back one": "other",
    "first of all": "again",
    "that's all": "01",
    "just a second": "other",
    "the second?": "other",
    "the door": "again",
    "the back and forth": "other",
}


@pytest.mark.parametrize("answer", EXACT)
def test_exactly(answer: str) -> None:
    things = [["Back door"], ["Front door"]]
    read = read_choice(answer, language_of("en"), things, exactly=True)
    assert meaning(read) == EXACT[answer]


def test_unknown_language() -> None:
    """Nothing is chosen in a language that is not known."""
    things = [["A"], ["B"]]
    assert read_choice("A", UNKNOWN, things).reply is Reply.OTHER
