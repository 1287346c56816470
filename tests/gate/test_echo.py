"""Answers that say what was asked about once more, and how many of both kinds there are.

Each row is an answer, and the places of what it says yes to, of what was asked about.
"""

import pytest

from custom_components.lumo.gate.consent import Asked, Reply, read_answer
from custom_components.lumo.languages import language_of

from .test_consent import NO, OTHER, TABLES, YES

FRONT, BACK, GARAGE = "front", "back", "garage"
NAMES = {
    "en": {FRONT: "Front door", BACK: "Back door", GARAGE: "Garage 1"},
    "de": {FRONT: "Haustür", BACK: "Hintertür", GARAGE: "Das Garagentor"},
    "fr": {FRONT: "Porte d'entrée", BACK: "Porte de derrière", GARAGE: "Garage"},
    "nl": {FRONT: "Voordeur", BACK: "Achterdeur", GARAGE: "Garagedeur"},
    "es": {FRONT: "Puerta principal", BACK: "Puerta trasera", GARAGE: "Garaje"},
}
ACTIONS = {FRONT: "do_unlock", BACK: "do_unlock", GARAGE: "do_open"}
ONE, TWO, MIXED = [FRONT], [FRONT, BACK], [FRONT, GARAGE]

SAID, UNCLEAR, ALL = TABLES["said"], TABLES["unclear"], TABLES["all"]
WEAK, STRONG = TABLES["weak"], TABLES["strong"]
# (asked, answer, what it says yes to)
SOME = {
    "en": [
        (TWO, "yes", TWO), (TWO, "both", TWO), (TWO, "yes, both of them", TWO),
        (TWO, "all", TWO), (TWO, "all two", TWO), (TWO, "all three", []), ([FRONT] * 2, "both", []),
        (ONE, "both", []), (ONE, "all", []), (ONE, "yes, both", []),
        (TWO, "the front door", ONE), (TWO, "only the front door", ONE),
        (TWO, "yes, the front door", ONE), (TWO, "unlock the back door", [BACK]),
        (TWO, "the front door and the back door", TWO),
        (TWO, "the front door, the back door", TWO), (TWO, "unlock both", TWO),
        (TWO, "the front door but not the back door", []),
        (TWO, "both, just the front door", []), (TWO, "all only the back door", []),
        (TWO, "the front door or the back door", []),
        (MIXED, "yes", MIXED), (MIXED, "open Garage 1", [GARAGE]),
        (MIXED, "open garage 2", []), (MIXED, "garage", []), (MIXED, "garage 1", [GARAGE]),
        (MIXED, "close garage 1", []), (MIXED, "yes, disarm the front door", []),
        (MIXED, "unlock the front door and open garage 1", MIXED),
        (ONE, "the back door", []), (ONE, "the front door and the back door", []),
        (ONE, "the front", []), (ONE, "the front door?", []), (ONE, "what front door", []),
        (ONE, "not the front door", []), (ONE, "lock the front door", []),
        (ONE, "is the front door", []), (ONE, "the front door is open", []),
        (ONE, "turn on the front door light", []), (ONE, "unlock", ONE),
        ([FRONT, BACK, GARAGE], "both", []), ([FRONT, BACK, GARAGE], "all three",
                                               [FRONT, BACK, GARAGE]),
        ([FRONT, BACK, GARAGE], "both doors", []),
    ],
    "de": [
        (TWO, "beide", TWO), (TWO, "alle beide", TWO), (TWO, "alle zwei", TWO),
        (TWO, "ja, alle fünf", []), (ONE, "beide", []), (TWO, "nur die Haustür", ONE),
        (TWO, "die Haustür und die Hintertür", TWO), (TWO, "alle", TWO),
        (TWO, "die Haustür, die Hintertür nicht", []), (ONE, "die Hintertür", []),
        (MIXED, "öffne das Garagentor", [GARAGE]), (MIXED, "ja, das Garagentor", [GARAGE]),
        (MIXED, "Garagentor schließen", []), (ONE, "welche Haustür", []),
        (TWO, "mach die Haustür und die Hintertür auf", TWO),
        (ONE, "wie ist die Haustür", []), (ONE, "die Tür vom Nachbarn", []),
    ],
    "fr": [
        (TWO, "les deux", TWO), (TWO, "oui, les deux", TWO), (ONE, "les deux", []),
        (TWO, "la porte d'entrée", ONE), (TWO, "ouvre la porte de derrière", [BACK]),
        (TWO, "la porte d'entrée et la porte de derrière", TWO), (TWO, "tous les trois", []),
        (TWO, "pas la porte de derrière", []), (ONE, "la porte de derrière", []),
        (MIXED, "ouvre le garage", [GARAGE]), (MIXED, "ferme le garage", []),
    ],
    "nl": [
        (TWO, "allebei", TWO), (TWO, "ja, beide", TWO), (ONE, "allebei", []),
        (TWO, "alleen de voordeur", ONE), (TWO, "de voordeur en de achterdeur", TWO),
        (TWO, "niet de achterdeur", []), (ONE, "de achterdeur", []),
        (TWO, "alle drie", []), (MIXED, "open de garagedeur", [GARAGE]),
    ],
    "es": [
        (TWO, "las dos", TWO), (TWO, "sí, las dos", TWO), (TWO, "ambas", TWO),
        (ONE, "las dos", []), (TWO, "todas", TWO), (TWO, "todas las tres", []),
        (TWO, "la puerta principal", ONE), (TWO, "sólo la puerta trasera", [BACK]),
        (TWO, "la puerta principal y la puerta trasera", TWO),
        (TWO, "la puerta trasera no", []), (ONE, "la puerta trasera", []),
        (MIXED, "abre el garaje", [GARAGE]), (MIXED, "cierra el garaje", []),
    ],
}  # fmt: skip


def asked(language: str, things: list[str]) -> list[Asked]:
    return [Asked(ACTIONS[thing], (NAMES[language][thing],)) for thing in things]


def rows[T](table: dict[str, list[T]]) -> list[tuple[str, T]]:
    return [(language, row) for language, items in table.items() for row in items]


@pytest.mark.parametrize(("language", "text"), rows(SAID))
def test_an_echo_of_one_thing_is_a_yes(language: str, text: str) -> None:
    """Its action, or its name and nothing else."""
    reading = read_answer(text, language_of(language), asked(language, ONE))
    assert reading.reply is Reply.YES
    assert reading.chosen == {0}


@pytest.mark.parametrize(("language", "row"), rows(SOME))
def test_an_echo_is_for_what_it_names(
    language: str, row: tuple[list[str], str, list[str]]
) -> None:
    """Some of several things, or all; another thing makes it no answer."""
    things, text, chosen = row
    reading = read_answer(text, language_of(language), asked(language, things))
    assert {things[place] for place in reading.chosen} == set(chosen)
    assert (reading.reply in (Reply.YES, Reply.SOME)) == bool(chosen)
    assert (reading.reply is Reply.YES) == (set(chosen) == set(things))


@pytest.mark.parametrize("language", NAMES)
def test_one_thing_is_not_several(language: str) -> None:
    things = [Asked("do_unlock", (name,)) for name in ("Alpha", "Omega")]
    for texts, reply in ((UNCLEAR, Reply.AGAIN), (ALL, Reply.YES)):
        for text in texts[language]:
            assert read_answer(text, language_of(language), things).reply is reply, text


@pytest.mark.parametrize(("language", "text"), rows(WEAK))
def test_a_weak_yes_counts_only_where_it_is_certain(language: str, text: str) -> None:
    """A satellite may have heard anything; a person types what is meant."""
    things = asked(language, ONE)
    typed = read_answer(text, language_of(language), things)
    heard = read_answer(text, language_of(language), things, is_certain=False)
    assert (typed.reply, heard.reply) == (Reply.YES, Reply.AGAIN)


@pytest.mark.parametrize(("language", "text"), rows(STRONG))
def test_a_strong_yes_counts_everywhere(language: str, text: str) -> None:
    things = asked(language, ONE)
    heard = read_answer(text, language_of(language), things, is_certain=False)
    assert heard.reply is Reply.YES


@pytest.mark.parametrize("language", NAMES)
def test_there_are_enough_answers_of_both_kinds(language: str) -> None:
    things = asked(language, ONE)
    for texts, is_yes in (
        ([*YES[language], *SAID[language]], True),
        ([*NO[language], *OTHER[language]], False),
    ):
        assert len(set(texts)) >= 60
        for text in texts:
            reply = read_answer(text, language_of(language), things).reply
            # "Yes, unlock Front Door" names what was asked about here.
            names = "front door" in text.casefold() or "haustür" in text.casefold()
            assert (reply is Reply.YES) == is_yes or names, text


@pytest.mark.parametrize(
    "name", ["No", "Stop", "What", "Yeah right", "Never mind", "Okay thanks", "", "👍"]
)
def test_no_name_makes_a_yes_of_what_is_none(name: str) -> None:
    things = [Asked("do_unlock", (name,))]
    for text in (name, f"{name} thanks", f"{name}?"):
        reply = read_answer(text, language_of("en"), things).reply
        assert reply not in (Reply.YES, Reply.SOME)


def test_an_assistant_with_a_name_of_its_own() -> None:
    """Its name changes nothing, wherever it stands."""
    things = asked("en", ONE)
    for text, reply in (
        ("yes, Jarvis", Reply.YES),
        ("Hal, yes", Reply.AGAIN),
        ("Jarvis", Reply.AGAIN),
        ("yes Jarvis yes yes", Reply.YES),
        ("yes Jarvis, unlock it", Reply.YES),
    ):
        read = read_answer(text, language_of("en"), things, assistant="Jarvis")
        assert read.reply is reply
