"""What a name may be in a question."""

import pytest

from custom_components.lumo.gate.names import spoken


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
    """Nor does it begin another line."""
    assert spoken(text) == heard


@pytest.mark.parametrize("text", ["." * 300_000 + "x", ".!" * 150_000 + "x"])
def test_a_name_of_marks_takes_no_time(text: str) -> None:
    """Each is looked at once: twice as many would take minutes else."""
    assert spoken(text)
