"""The languages of the people at home: one file each, all of one form."""

from dataclasses import fields
from functools import cached_property
from pathlib import Path
import re
import tomllib
from typing import Any, Final, get_type_hints

from .form import Language

_MEMBERS: Final = get_type_hints(Language)
_PATTERNS: Final = [
    name for name, value in vars(Language).items() if isinstance(value, cached_property)
]


def read_language(path: Path) -> Language:
    """Return the language of a file; raises ValueError with what is wrong, and where.

    Its patterns are compiled when they are first used.
    """
    try:
        written = tomllib.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise ValueError(f"{path.name}: {error}") from error
    if wrong := {*_MEMBERS, *_PATTERNS} ^ {"code", "patterns", *written}:
        raise ValueError(f"{path.name}: missing or unknown: {sorted(wrong)}")
    members: dict[str, Any] = {"code": path.stem, "patterns": {}}
    for key, value in written.items():
        try:
            if key in _PATTERNS:
                if not "".join(value):
                    raise ValueError("is empty")  # noqa: TRY301 - it would find all
                members["patterns"][key] = "".join(value)
            elif _MEMBERS[key] is str:
                members[key] = _text(value)
            else:
                members[key] = {row: _text(text) for row, text in value.items()}
        except (AttributeError, TypeError, ValueError) as error:
            raise ValueError(f"{path.name}: {key}: {error!r}") from error
    return Language(**members)


def _text(value: str) -> str:
    return "\n".join(line.strip() for line in value.strip().splitlines())


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
