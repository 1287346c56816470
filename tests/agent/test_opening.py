"""How much of an answer is held until it is judged."""

import pytest

from custom_components.lumo.agent.opening import opening_is_complete


@pytest.mark.parametrize(
    ("text", "complete"),
    [
        ("", False),
        ("Okay, I", False),
        ("Okay.", False),
        ("Okay. I", True),
        ("Okay!\nI", True),
        ("x" * 60, True),
        ("The value is 2.5 and", False),
    ],
)
def test_opening(text: str, complete: bool) -> None:
    """The first sentence, or as much as Home Assistant waits for."""
    assert opening_is_complete(text) is complete
