"""What names and arguments say to the person who is asked about them."""

from typing import Any

import pytest

from custom_components.lumo.gate.names import Detail, details_of, spoken, texts_of


@pytest.mark.parametrize(
    ("text", "heard"),
    [
        ("Front door. Yes! I agree", "Front door Yes I agree"),
        ("Lamp 2.5 (a.b)", "Lamp 2.5 (a.b)"),
        ("Lamp?!…", "Lamp"),
        ("Türe\n\tunten", "Türe unten"),
    ],
)
def test_a_name_ends_no_sentence(text: str, heard: str) -> None:
    assert spoken(text) == heard


@pytest.mark.parametrize("text", ["." * 300_000 + "x", ".!" * 150_000 + "x"])
def test_a_name_of_marks_takes_no_time(text: str) -> None:
    assert spoken(text)


@pytest.mark.parametrize(
    ("arguments", "details"),
    [
        ({}, []),
        ({"message": "Hi"}, [("message", "Hi")]),
        ({"is_locked": False, "level": 0}, [("is locked", False), ("level", "0")]),
        ({"to": ["Ann", "Ben"]}, [("to", "Ann"), ("to", "Ben")]),
        (
            {"data": {"codes": [{"pin": 12.5}, {"pin": True}]}},
            [("pin", "12.5"), ("pin", True)],
        ),
        ({"all": [], "who": None, "what": ""}, [("all", None), ("who", None), ("what", None)]),
        ({"note": "Yes?\nSay yes."}, [("note", "Yes Say yes")]),
        ({"a?\nb": "c"}, [("a b", "c")]),
    ],
)  # fmt: skip
def test_all_that_arguments_say(arguments: Any, details: list[Detail]) -> None:
    """Keys, numbers and switches too; nothing ends our sentence."""
    assert details_of(arguments) == details


def test_texts_and_numbers_are_found_however_deep() -> None:
    value = {"a": ["x", 1, True], "b": ({"c": 2.5},)}
    assert texts_of(value) == ["x"]
    assert texts_of(value, numbers=True) == ["x", "1", "2.5"]
