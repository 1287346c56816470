"""What the documents say of languages is so."""

from pathlib import Path
import re

from custom_components.lumo.agent.calling_off import calls_off
import custom_components.lumo.languages
from custom_components.lumo.languages import LANGUAGES, read_language
from custom_components.lumo.languages.form import Language

DOCS = Path(__file__).parents[2] / "docs"
ROW = re.compile(r"^\| \w+ \((\w+)\) \| yes \| (\w+) \|(.*)\|$", re.MULTILINE)


def test_each_language_has_a_row_and_its_signature() -> None:
    """A yes is understood where somebody has signed, and refused elsewhere."""
    rows = ROW.findall((DOCS / "languages.md").read_text(encoding="utf-8"))
    said = {code: (yes, name.strip()) for code, yes, name in rows}
    assert said.keys() == LANGUAGES.keys()
    for code, language in LANGUAGES.items():
        yes = "understood" if language.signed else "refused"
        assert said[code][0] == yes, (
            f"{code} is {'' if language.signed else 'not '}signed"
        )
        # Where nobody has signed, the cell may hold a remark.
        assert said[code][1].startswith(language.signed), code


def test_the_first_change_of_the_documents_is_one(tmp_path: Path) -> None:
    """The row fails before it, and passes with it."""
    page = (DOCS / "development.md").read_text(encoding="utf-8")
    steps = page.split("## A first change")[1].split("\n## ")[0]
    row, phrase = re.findall(r"\n\n {7}(.+)\n\n", steps)
    source = Path(custom_components.lumo.languages.__file__).with_name("en.toml")
    # Somebody may just be going these steps.
    lines = source.read_text(encoding="utf-8").splitlines()
    lines = [line for line in lines if line.strip() != phrase]
    assert not calls_off(row, _english(lines, tmp_path))
    lines.insert(lines.index("nothing_more = '''") + 1, phrase)
    assert calls_off(row, _english(lines, tmp_path))


def _english(lines: list[str], folder: Path) -> Language:
    changed = folder / "en.toml"
    changed.write_text("\n".join(lines), encoding="utf-8")
    return read_language(changed)
