"""Which of several things an answer means."""

from pathlib import Path
import tomllib

import pytest

from custom_components.lumo.gate.chosen import read_choice
from custom_components.lumo.gate.consent import Reading, Reply
from custom_components.lumo.languages import UNKNOWN, language_of

TABLE = tomllib.loads(Path(__file__).with_name("chosen.toml").read_text("utf-8"))


def meaning(reading: Reading) -> str:
    """Return a reading as the tables write it."""
    if reading.reply is Reply.CHOSEN:
        return "".join(map(str, sorted(reading.chosen)))
    assert not reading.chosen
    return reading.reply.name.lower()


@pytest.mark.parametrize("code", TABLE)
def test_what_is_chosen(code: str) -> None:
    """Every answer means what its row says."""
    things, answers = TABLE[code]["things"], TABLE[code]["answers"]
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
    assert read_choice("A", UNKNOWN, [["A"], ["B"]]).reply is Reply.OTHER
