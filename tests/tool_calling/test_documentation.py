"""What the documentation lists is what the code does."""

from pathlib import Path

from custom_components.lumo.tool_calling.coercions import COERCIONS

DOCUMENT = Path(__file__).parent.parent.parent / "docs" / "tool-calling.md"


def test_every_coercion_is_documented() -> None:
    """In the words of its docstring."""
    documented = DOCUMENT.read_text(encoding="utf-8")
    for coercion in COERCIONS:
        description = (coercion.apply.__doc__ or "?").partition("\n")[0]
        assert f"- {description}\n" in documented
