"""What the harness sends back to a form that it leaves as it is."""

from typing import Any

from dev.home.lumo import _filled_in


def test_a_form_is_sent_with_what_it_suggests() -> None:
    """Suggestions first, defaults where something is required; sections within."""
    schema: list[dict[str, Any]] = [
        {"name": "prompt", "optional": True, "description": {"suggested_value": "Hi"}},
        {"name": "thinking", "required": True, "default": False},
        {"name": "tools", "optional": True, "default": ["a"]},
        {
            "name": "rounds",
            "required": True,
            "default": 10,
            "description": {"suggested_value": 3},
        },
        {
            "name": "more",
            "type": "expandable",
            "schema": [{"name": "prefix", "description": {"suggested_value": ""}}],
        },
    ]
    assert _filled_in(schema) == {
        "prompt": "Hi",
        "thinking": False,
        "rounds": 3,
        "more": {"prefix": ""},
    }
