"""Titles and choices fit on a phone of 390 px, in each language.

Home Assistant's frontend cuts them off at the end of a line. A title is written in Roboto
Medium of 20 px, a choice in Roboto of 14 px, which is no wider than Medium. The room was
measured in the dialogs of 2026.10.
"""

from collections.abc import Iterator
import json
from pathlib import Path
from typing import Any
import unicodedata

import pytest

FOLDER = Path(__file__).parent.parent / "custom_components" / "lumo" / "translations"

# Pixels that a character of 20 px takes, as `measureText` of Chromium has them.
PIXELS = {
    character: pixels
    for pixels, characters in {
        3.4: "'’",
        5.1: " ijl|,;:",
        5.8: "!.I[]ł",
        6.7: '`"-t{}',
        7.1: "()rf",
        8.8: "/\\^*",
        9.9: "_?¿vy",
        10.4: "<>xzsk",
        11.1: "ceLaF+Jhnu=",
        11.4: "Ebdgp$0123456789oqøđ",
        12.2: "ZST#Y",
        13.1: "RBKX&PVUCD",
        14.2: "A~GOQHN",
        14.9: "%w",
        17.9: "mMW@æ",
    }.items()
    for character in characters
}
TITLE = {"issues": 318, "config": 278, "config_subentries": 278}
CHOICE = 270


def texts(
    node: Any, path: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield each text of a translation with its keys."""
    if isinstance(node, str):
        yield path, node
    else:
        for key, value in node.items():
            yield from texts(value, (*path, key))


def width(text: str, size: int = 20) -> float:
    """Return the pixels of a text; an accent takes no room."""
    letters = (unicodedata.normalize("NFD", character)[0] for character in text)
    return sum(PIXELS.get(letter, 17.9) for letter in letters) * size / 20


def too_wide(words: dict[str, Any]) -> list[str]:
    found = []
    for path, text in texts(words):
        title, choice = path[-1] == "title", path[-2:-1] == ("menu_options",)
        room = TITLE.get(path[0], 0) if title else CHOICE if choice else 0
        # Nobody knows how long a name is.
        if room and ("{" in text or width(text, 20 if title else 14) > room):
            found.append(f"{'.'.join(path)}: {text}")
    return found


@pytest.mark.parametrize("path", sorted(FOLDER.iterdir()), ids=lambda path: path.stem)
def test_titles_fit_on_a_phone(path: Path) -> None:
    """Shorten them, and say the rest in the description."""
    assert too_wide(json.loads(path.read_text("utf-8"))) == []


def test_a_cut_title_is_found() -> None:
    """These were cut in a browser, by a pixel and by a name; the last was whole."""
    step = {"user": {"title": "How do you want to use Lumo?"}}
    menu = {
        "a": {"menu_options": {"b": "Let the agent Lumo (alice) handle all commands"}}
    }
    whole = {"c": {"title": "Wie willst du Lumo nutzen?"}}
    issues = {"quota": {"title": "{name}: no requests are left"}}
    found = too_wide({"config": {"step": step | menu | whole}, "issues": issues})
    assert [item.partition(":")[0] for item in found] == [
        "config.step.user.title",
        "config.step.a.menu_options.b",
        "issues.quota.title",
    ]
