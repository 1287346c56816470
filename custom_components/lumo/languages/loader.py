"""Reading the file of a language: strictly, so that its writer is told what is wrong."""

from collections.abc import Mapping
from pathlib import Path
import re
import tomllib
from typing import Any, Final, get_type_hints

from .form import Language

_PATTERN: Final = re.Pattern[str]
_MEMBERS: Final = get_type_hints(Language)
# Tables whose rows are of one language.
_OWN_ROWS: Final = frozenset({"articles", "states", "units"})
# `{verbs}` in a pattern; `{0,60}` is how often something stands there.
_PART: Final = re.compile(r"\{([a-z_]+)\}")


class LanguageFileError(ValueError):
    """Says in which file, at which key, and what is wrong there."""


def read_language(path: Path, like: Language | None = None) -> Language:
    """Return the language of a file; its tables have the rows that those of `like` have.

    Raises LanguageFileError.
    """
    try:
        written = tomllib.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise LanguageFileError(f"{path.name}: {error}") from error
    parts = written.pop("parts", {})
    keys = [key for key in _MEMBERS if key != "code"]
    for key in sorted({*keys} ^ written.keys()):
        problem = "is missing" if key in keys else "is no key of a language"
        raise LanguageFileError(f"{path.name}: {key}: {problem}")
    members: dict[str, Any] = {"code": path.stem}
    for key in keys:
        try:
            members[key] = _read(written[key], _MEMBERS[key], parts)
            if like is not None and key not in _OWN_ROWS:
                _compare(members[key], getattr(like, key))
        except (TypeError, ValueError, re.PatternError) as error:
            raise LanguageFileError(f"{path.name}: {key}: {error}") from error
    return Language(**members)


def _read(value: Any, kind: Any, parts: Mapping[str, list[str]]) -> Any:
    """Return what a key stands for. Raises TypeError, ValueError, PatternError."""
    if kind is str:
        return _text(value)
    if kind == Mapping[str, str]:
        if not isinstance(value, dict):
            raise TypeError("is no table")
        return {row: _text(text) for row, text in value.items()}
    if not (pattern := _joined(value)):
        if kind == _PATTERN:
            raise ValueError("is empty")
        return None
    for name in _PART.findall(pattern):
        if name not in parts:
            raise ValueError(f"there is no `parts.{name}`")
        pattern = pattern.replace(f"{{{name}}}", _joined(parts[name]))
    return re.compile(pattern, re.IGNORECASE)


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is no text")
    return "\n".join(line.strip() for line in value.strip().splitlines())


def _joined(value: Any) -> str:
    if not isinstance(value, list) or not all(
        isinstance(piece, str) for piece in value
    ):
        raise TypeError(f"{value!r} is no list of texts")
    return "".join(value)


def _compare(table: Any, other: Any) -> None:
    if isinstance(table, dict) and (rows := table.keys() ^ other.keys()):
        raise ValueError(f"{sorted(rows)} is in one language only")
