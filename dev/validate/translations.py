"""translations/*.json: that no language says something else than English.

A text on a screen may be missing: Home Assistant shows it in English. What is spoken is
there in each language.
"""

from collections.abc import Iterator
import string
from typing import Any

from homeassistant.generated.languages import LANGUAGES

from .files import Problem, Tree

_SPOKEN = "exceptions."


def placeholders(text: str) -> set[str]:
    """Return the names in a text's braces; a ValueError says what is wrong with them."""
    fields = (name for _, name, *_ in string.Formatter().parse(text))
    found = {name for name in fields if name is not None}
    if not all(map(str.isidentifier, found)):
        raise ValueError("a placeholder is one word")
    return found


def flat(data: dict[str, Any], path: str = "") -> dict[str, str]:
    """Return all texts by their path."""
    texts: dict[str, str] = {}
    for key, value in data.items():
        at = f"{path}{key}"
        texts |= flat(value, f"{at}.") if isinstance(value, dict) else {at: str(value)}
    return texts


def english(tree: Tree) -> dict[str, Any]:
    """Return the English texts, empty if they cannot be read."""
    return tree.load(tree.folder / "translations" / "en.json") or {}


def untranslated(tree: Tree) -> Iterator[str]:
    """Yield the texts on a screen that a language does not have yet."""
    texts_in_english = flat(english(tree))
    for path in sorted((tree.folder / "translations").glob("*.json")):
        for key in sorted(texts_in_english.keys() - flat(tree.load(path) or {}).keys()):
            if not key.startswith(_SPOKEN):
                yield f"{tree.name(path)}: {key} is shown in English"


def translation_problems(tree: Tree) -> Iterator[Problem]:
    """Yield what is spoken and a language lacks, or what English does not have."""
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
    for key in sorted(texts.keys() - english.keys()):
        yield Problem(name, f"{key} is not in en.json; add it there, or remove it")
    for key in sorted(english.keys() - texts.keys()):
        if key.startswith(_SPOKEN):
            yield Problem(name, f"{key} is missing; it is spoken, so translate it")
    for key in sorted(texts.keys() & english.keys()):
        try:
            same = placeholders(texts[key]) == placeholders(english[key])
        except ValueError as err:
            yield Problem(name, f"{key}: the braces are wrong: {err}")
            continue
        if not same:
            yield Problem(name, f"{key} has other placeholders than English")
