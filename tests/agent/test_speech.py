"""What is spoken."""

import pytest

from custom_components.lumo.agent.sentences import awaits_answer


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Shall I?", True),
        ("Shall I? ", True),
        ('He asked: "Shall I?"', True),
        ("**Which lamp?**", True),
        ("Which lamp? 🙂", True),
        ("（どのランプですか？）", True),
        ("Ποιο φως;", True),
        ("أي مصباح؟", True),
        ("Dois-je continuer\u202f?", True),
        ("Is it on? Yes.", False),
        ("It is on.", False),
        ("", False),
    ],
)
def test_answer_that_ends_in_a_question_expects_one(text: str, expected: bool) -> None:
    """Whatever decorates its end."""
    assert awaits_answer(text) is expected
