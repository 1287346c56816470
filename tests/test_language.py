"""The documents avoid words that make them hard to read (CONTRIBUTING.md)."""

from pathlib import Path
import re

import pytest

from .pages import PAGES, ROOT

LUMO = ROOT / "custom_components" / "lumo"

# What to avoid, and what to write.
AVOIDED = {
    r"in clear": "say who can read it",
    r"had better": "say what to do",
    r"of ours": "this integration's",
    r"is none": "there is no ..., or: has no ...",
    r"mend(ed|s|ing)?": "fix",
    r"nudge[ds]?": "say what happens",
    r"utili[sz]e[ds]?": "use",
    r"whilst|amongst|thereof|therein|hereby|wherein": "while, among, of it, in it",
    r"in order to": "to",
    r"colour|favour|behaviour|licence|grey|watercolour|cosy": "the American spelling",
    r"recogni[s]e[ds]?|organi[s]e[ds]?|apologi[s]e[ds]?": "the American spelling, -ize",
    r"says what is so": "tells the truth, or: says what happened",
    r"with what is": "name the thing",
    r"ears\)|ears,|an ear": "speech-to-text",
    r"please note|it should be noted": "say it",
    r"simply|obviously|of course": "leave it out",
}
# They show what to avoid, or quote what others wrote.
SHOWS = {"CONTRIBUTING.md"}


def avoided(name: str, text: str) -> list[str]:
    """Return where a text has words that we avoid, with what to write."""
    return [
        f"{name}:{number}: {match[0]!r}: {advice}"
        for number, line in enumerate(text.splitlines(), 1)
        for words, advice in AVOIDED.items()
        for match in re.finditer(rf"\b(?:{words})\b", line, re.IGNORECASE)
    ]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_pages_avoid_what_is_hard_to_read(page: Path) -> None:
    """Outside of code."""
    if page.name in SHOWS:
        pytest.skip("it shows what to avoid")
    text = re.sub(r"```.*?```|`[^`]*`", "", page.read_text("utf-8"), flags=re.DOTALL)
    found = avoided(page.name, text)
    assert not found, "\n".join(found)


def test_forms_avoid_what_is_hard_to_read() -> None:
    """What stands on a screen in English; keys are no words."""
    text = (LUMO / "translations" / "en.json").read_text("utf-8")
    found = avoided("en.json", re.sub(r'"\w+":', "", text))
    assert not found, "\n".join(found)
