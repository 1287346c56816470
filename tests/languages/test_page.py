"""The page of the languages says what is so."""

from pathlib import Path
import re

from custom_components.lumo.languages import LANGUAGES

PAGE = Path(__file__).parents[2] / "docs" / "languages.md"
ROW = re.compile(r"^\| \w+ \((\w+)\) \| yes \| (\w+) \|(.*)\|$", re.MULTILINE)


def test_each_language_has_a_row_and_its_signature() -> None:
    """A yes is understood where somebody has signed, and refused elsewhere."""
    rows = ROW.findall(PAGE.read_text(encoding="utf-8"))
    said = {code: (yes, name.strip()) for code, yes, name in rows}
    for code, language in LANGUAGES.items():
        yes = "understood" if language.signed else "refused"
        assert said[code] == (yes, language.signed), code
