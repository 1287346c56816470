"""The languages of the people at home: one file each, all of one form."""

from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
import re
from typing import Any, Final

from .form import Language
from .loader import read_language

_FILES: Final = sorted(Path(__file__).parent.glob("*.toml"))
# By their codes; the one to fall back to comes first.
LANGUAGES: Final = {
    path.stem: read_language(path)
    for path in sorted(_FILES, key=lambda path: path.stem != "en")
}
EN: Final = LANGUAGES["en"]

# Tags for what is Norwegian too: Bokmål is read by all.
_SAME: Final = {"no": "nb", "nn": "nb"}

# In an unknown language nothing can be agreed to, but names are found. Our own words are
# English then.
_NOTHING: Final[Mapping[type, Any]] = {
    str: "",
    dict: {},
    re.Pattern: re.compile(r"(?!)"),
}
_KEPT: Final[dict[str, Any]] = {
    "endings": "s es e en n",
    "said": EN.said,
    "decimal": EN.decimal,
}
UNKNOWN: Final = Language(
    **{
        member.name: _NOTHING[type(getattr(EN, member.name))]
        for member in fields(Language)
    }
    | _KEPT
)


def language_of(tag: str | None) -> Language:
    """Return the language of a tag like de-AT, `UNKNOWN` for any other."""
    code = re.split("[-_]", tag or "", maxsplit=1)[0].lower()
    return LANGUAGES.get(_SAME.get(code, code), UNKNOWN)


def translated(tag: str | None) -> str:
    """Return the code of the language that our own words have for a tag."""
    return language_of(tag).code or EN.code
