"""The words of a question, in every language that has them."""

import json
from pathlib import Path

import pytest

import custom_components.lumo
from custom_components.lumo.agent.question import list_of, question_text
from custom_components.lumo.agent.sentences import Sentences
from custom_components.lumo.gate.pending import Ask
from custom_components.lumo.languages import LANGUAGES

_FOLDER = Path(custom_components.lumo.__file__).parent / "translations"


def sentences(language: str) -> Sentences:
    """Return our sentences."""
    texts = json.loads((_FOLDER / f"{language}.json").read_text())["exceptions"]
    return Sentences({key: value["message"] for key, value in texts.items()})


def ask(phrase: str, *targets: str, name: str = "", value: str = "") -> Ask:
    """Return something to ask about."""
    return Ask("tool", {}, frozenset(targets), phrase, targets, name, value)


@pytest.mark.parametrize(
    ("asks", "expected"),
    [
        ([ask("do_unlock", "Front door")], "Shall I unlock Front door?"),
        (
            [ask("do_unlock", "Front door"), ask("do_unlock", "Back door")],
            "Shall I unlock Front door and Back door?",
        ),
        (
            [ask("do_open", "Garage"), ask("do_unlock", "A"), ask("do_unlock", "A")],
            "Shall I open Garage and unlock A?",
        ),
        (
            [ask("do_set_position", "Gate", value="60")],
            "Shall I move Gate to 60 percent?",
        ),
        (
            [ask("do_run_reaching", "Front door", name="Leave")],
            "Shall I run Leave, which reaches Front door?",
        ),
        ([ask("do_use_with", name="Send mail", value="Hi")], "Shall I use Send mail"),
        (
            [ask("do_turn_off", *(f"L{index}" for index in range(11)))],
            "Shall I turn off L0, L1, L2, L3, L4, L5, L6, L7 and 3 more?",
        ),
    ],
)
def test_question_names_what_is_meant(asks: list[Ask], expected: str) -> None:
    """The same action on several things is one phrase, the same thing is said once."""
    text = question_text(sentences("en"), asks)
    assert text.startswith(expected)
    assert text.endswith("?")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_phrase_makes_a_question(language: str) -> None:
    """With its names, and a question mark at the end that keeps listening on."""
    own = sentences(language)
    texts = json.loads((_FOLDER / "en.json").read_text())["exceptions"]
    for phrase in (key for key in texts if key.startswith("do_")):
        text = question_text(own, [ask(phrase, "Tür 7", name="Name 8", value="9.5")])
        assert text.endswith("?")
        assert "{" not in text
        wanted = {"{targets}": "Tür 7", "{name}": "Name 8", "{value}": "9.5"}
        for placeholder, shown in wanted.items():
            assert (placeholder in texts[phrase]["message"]) == (shown in text)


def test_list_has_commas_and_one_and() -> None:
    """In German too."""
    own = sentences("de")
    assert list_of(own, []) == ""
    assert list_of(own, ["A"]) == "A"
    assert list_of(own, ["A", "B"]) == "A und B"
    assert list_of(own, ["A", "B", "C"]) == "A, B und C"
