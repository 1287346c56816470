"""The languages of the people at home: one file each, all of one form."""

from dataclasses import fields
from functools import cached_property
from pathlib import Path
import re
import tomllib
from typing import Any, Final

from .form import Language

_MEMBERS: Final = {item.name for item in fields(Language)} - {"code", "patterns"}
_PATTERNS: Final = [
    name for name, value in vars(Language).items() if isinstance(value, cached_property)
]


def read_language(path: Path) -> Language:
    """Return the language of a file; raises ValueError with keys that are wrong."""
    written = tomllib.loads(path.read_text(encoding="utf-8"))
    if wrong := {*_MEMBERS, *_PATTERNS} ^ {*written}:
        raise ValueError(f"{path.name}: missing or unknown: {sorted(wrong)}")
    return Language(
        code=path.stem,
        patterns={key: "".join(written[key]) for key in _PATTERNS},
        **{key: _text(written[key]) for key in _MEMBERS},
    )


def _text(value: Any) -> Any:
    if isinstance(value, dict):
        return {row: _text(text) for row, text in value.items()}
    return "\n".join(line.strip() for line in value.strip().splitlines())


_FILES: Final = Path(__file__).parent.glob("*.toml")
# By their codes; the one to fall back to comes first.
LANGUAGES: Final = {
    path.stem: read_language(path)
    for path in sorted(_FILES, key=lambda path: (path.stem != "en", path.stem))
}
EN: Final = LANGUAGES["en"]

# Tags for what is Norwegian too: Bokmål is read by all.
_SAME: Final = {"no": "nb", "nn": "nb"}

# In an unknown language nothing can be agreed to, but names are found. Our own words are
# English then.
_KEPT: Final[dict[str, Any]] = {
    "endings": "s es e en n",
    "patterns": dict.fromkeys(_PATTERNS, "(?!)"),
    "said": EN.said,
    "decimal": EN.decimal,
}
UNKNOWN: Final = Language(
    **{member.name: type(getattr(EN, member.name))() for member in fields(Language)}
    | _KEPT
)


def language_of(tag: str | None) -> Language:
    """Return the language of a tag like de-AT, `UNKNOWN` for any other."""
    code = re.split("[-_]", tag or "", maxsplit=1)[0].lower()
    return LANGUAGES.get(_SAME.get(code, code), UNKNOWN)


def translated(tag: str | None) -> str:
    """Return the code of the language that our own words have for a tag."""
    return language_of(tag).code or EN.code
