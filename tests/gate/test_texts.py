"""What arguments say to the person who is asked about them."""

from typing import Any

import pytest

from custom_components.lumo.gate.texts import Detail, details_of


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
