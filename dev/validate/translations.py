"""translations/*.json: that all languages say the same things."""

from collections.abc import Iterator
import string
from typing import Any

from homeassistant.generated.languages import LANGUAGES

from .files import Problem, Tree


def placeholders(text: str) -> set[str]:
    """Return the names in a text's braces; a ValueError says what is wrong with them."""
    return {
        name for _, name, _, _ in string.Formatter().parse(text) if name is not None
    }


def flat(data: dict[str, Any], path: str = "") -> dict[str, str]:
    """Return all texts by their path."""
    texts: dict[str, str] = {}
    for key, value in data.items():
        if isinstance(value, dict):
            texts |= flat(value, f"{path}{key}.")
        else:
            texts[f"{path}{key}"] = str(value)
    return texts


def english(tree: Tree) -> dict[str, Any]:
    """Return the English texts, empty if they cannot be read."""
    return tree.load(tree.folder / "translations" / "en.json") or {}


def translation_problems(tree: Tree) -> Iterator[Problem]:
    """Yield what a language lacks, or says otherwise than English."""
    folder = tree.folder / "translations"
    texts_in_english = flat(english(tree))
    if not texts_in_english:
        yield Problem(tree.name(folder / "en.json"), "there has to be an English one")
    for path in sorted(folder.glob("*")):
        name = tree.name(path)
        if path.suffix != ".json" or path.stem not in LANGUAGES:
            yield Problem(name, "is no language that Home Assistant has")
        elif (texts := tree.load(path)) is not None:
            yield from _differences(name, flat(texts), texts_in_english)


def _differences(
    name: str, texts: dict[str, str], english: dict[str, str]
) -> Iterator[Problem]:
    for key in sorted(texts.keys() ^ english.keys()):
        yield Problem(name, f"{key} is only here or only in English")
    for key in sorted(texts.keys() & english.keys()):
        try:
            same = placeholders(texts[key]) == placeholders(english[key])
        except ValueError as err:
            yield Problem(name, f"{key}: the braces are wrong: {err}")
            continue
        if not same:
            yield Problem(name, f"{key} has other placeholders than English")
